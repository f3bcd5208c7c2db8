"""Every benchmark says in one line what data or package it needs and does not find."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.__main__ import PAGE, every, main, measured, question
from benchmarks._shared.needs import Missing, package

#: arguments with which a benchmark reads texts: of an empty folder, where {} stands
READS = {
    "end_to_end": [],
    "fingerprint": [],
    "growth": [],
    "library": ["planted", "{}/a.library", "--corpora", "{}"],
    "passages": [],
    "peers": [],
}


@pytest.mark.parametrize("name", sorted(READS))
def test_missing_texts_are_said_in_one_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEITONG_CORPORA", str(tmp_path))
    monkeypatch.setattr("benchmarks.__main__.write_pages", lambda *_: None)

    with pytest.raises(SystemExit) as stopped:
        main([name, *(one.replace("{}", str(tmp_path)) for one in READS[name])])

    said = str(stopped.value.code)
    assert said.startswith(f"{name} needs "), said
    assert "\n" not in said


def test_a_missing_package_and_an_unknown_name_are_said() -> None:
    with pytest.raises(Missing, match=r"needs the package no_such_peer: pip install -r"):
        package("no_such_peer")
    with pytest.raises(SystemExit, match="no benchmark nothing"):
        main(["nothing"])


def test_every_file_asks_a_question_and_the_page_has_only_what_exists() -> None:
    names = every()

    assert set(PAGE) <= set(names)
    assert all(question(name) for name in names)


def test_ours_is_measured_without_any_peer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks._shared.needs.is_here", lambda _: False)

    report = measured("one_query", ["--sizes", "2000", "--questions", "20"])

    assert report.tables[0].rows[0][0].startswith("ours")
