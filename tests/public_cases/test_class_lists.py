"""Class lists as people have them: who handed nothing in, and nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from simhash_core.checking.sources import gather, read
from simhash_core.errors import BadInput
from simhash_core.people.authorship import assign_authors, list_hand_ins
from simhash_core.people.names import guess_authors
from simhash_core.people.roster import read_class_list

ENGLISH = (
    *("blank-first.csv", "canvas-gradebook.csv", "comma.csv", "cp1252.csv", "macroman.csv"),
    *("noaccent.csv", "semicolon-bom.csv", "surname-first.csv", "title-row.xlsx", "upper.csv"),
    *("utf16-blackboard.xls", "utf16.csv"),
)


def missing(folder: Path, listed: Path) -> list[str]:
    documents, skipped = read(gather([folder])[0])
    members = read_class_list(listed, name=listed.name)
    names = [one.name for one in documents]
    documents = assign_authors(documents, guess_authors(names, bare=False), listed=members)
    rows = list_hand_ins(documents, skipped, members)
    return [one.member.person for one in rows if one.state == "missing"]


@pytest.mark.parametrize("name", ENGLISH)
def test_one_pupil_handed_nothing_in(cases: Path, name: str) -> None:
    folder = cases / "22-class-lists"

    assert [one.casefold() for one in missing(folder / "in", folder / name)] == ["zed missing"]


@pytest.mark.parametrize("name", ["zh-plain.csv", "zh-title.csv"])
def test_one_pupil_of_a_chinese_list_handed_nothing_in(cases: Path, name: str) -> None:
    folder = cases / "22-class-lists"

    assert missing(folder / "zh-in", folder / name) == ["缺交"]


def test_a_list_without_headings_is_refused(cases: Path) -> None:
    with pytest.raises(BadInput):
        read_class_list(cases / "22-class-lists" / "no-header.csv", name="no-header.csv")


@pytest.mark.parametrize("name", ["quoted.csv", "numeric.xlsx"])
def test_numbers_that_excel_changed(cases: Path, name: str) -> None:
    folder = cases / "23-student-numbers"

    assert missing(folder / "in-numbers", folder / name) == ["缺交"]


def test_names_without_accents(cases: Path) -> None:
    folder = cases / "34-accents"

    assert missing(folder / "in", folder / "ascii.csv") == ["Zed Missing"]


@pytest.mark.parametrize(("folder", "absent"), [("in", []), ("in-names", ["吴桐"])])
def test_guides_above_cells_are_no_part_of_a_name(
    cases: Path, folder: str, absent: list[str]
) -> None:
    here = cases / "03-xlsx-phonetic"

    assert missing(here / folder, here / "class.xlsx") == absent
