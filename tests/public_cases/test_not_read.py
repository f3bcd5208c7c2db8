"""What is known and not read says what to do; bundles, stubs and characters that nobody sees."""

from __future__ import annotations

from pathlib import Path

import pytest
from public_cases.conftest import shares

from simhash_core.checking.sources import gather, read
from simhash_core.text.lengths import length_of


def refused(folder: Path) -> dict[str, str]:
    sources, before = gather([folder])
    _, skipped = read(sources)
    return {one.name: one.code for one in (*before, *skipped)}


def test_shortcuts_and_stubs_are_named_with_what_to_do(cases: Path) -> None:
    assert refused(cases / "04-shortcuts" / "in") == {
        "Finn Gray.docx": "not_downloaded",
        **dict.fromkeys(("Anna Miller.gdoc", "Ben Carter.gdoc", "Cara Diaz.url"), "shortcut"),
        **dict.fromkeys(("Dan Evans.lnk", "Eve Fox.webloc"), "shortcut"),
    }


def test_a_bundle_of_a_mac_is_one_document(cases: Path) -> None:
    folder = cases / "05-mac-bundles" / "in"

    assert refused(folder) == {}
    pair = ("Anna Miller.rtfd/TXT.rtf", "Cara Diaz.rtfd/TXT.rtf")
    found = shares(folder)
    assert list(found.values()) == [(1.0, 1.0)], pair


def test_photographs_of_an_iphone_are_told_whatever_they_are_called(cases: Path) -> None:
    found = refused(cases / "06-heic" / "in")

    assert set(found) == {"Anna Miller.heic", "Ben Carter.jpg", "Cara.HEIC"}
    assert set(found.values()) == {"heic"}


def test_what_outlook_packs_is_told(cases: Path) -> None:
    assert refused(cases / "32-winmail" / "in") == {"anna.eml/winmail.dat": "tnef"}


@pytest.mark.parametrize("name", ["shy.txt", "zwsp.txt"])
def test_what_nobody_sees_parts_no_word(cases: Path, name: str) -> None:
    folder = cases / "40-inside-words"
    found = shares(folder / "plain.txt", folder / name)

    assert length_of((folder / name).read_text("utf-8")).n == 233
    assert list(found.values()) == [(1.0, 1.0)]


def test_soft_hyphens_part_no_word(cases: Path) -> None:
    assert length_of((cases / "38-small-odd" / "shy.txt").read_text("utf-8")).n == 233
