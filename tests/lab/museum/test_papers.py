"""The table of the sources is complete, named in both languages and right."""

import pytest

from simhash_core.cli import main
from simhash_core.i18n import translator
from simhash_core.lab.museum.papers import load_rows, seeds_table
from simhash_core.lab.museum.papers.rows import Answer, row

ROWS = load_rows()


@pytest.mark.long
def test_every_known_answer_comes_out() -> None:
    (table,) = seeds_table()
    results = {row[0]: row[-1] for row in table.rows}
    assert [row for row in table.rows if row[-1] == "wrong"] == []
    assert [number for number, result in results.items() if result == "measured"] == [28, 29, 30]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_row_has_a_name(language: str) -> None:
    t = translator(language)
    names = {t(f"evaluate.seed_{number:02d}") for number in ROWS}
    assert len(names) == 36 and not any(name.startswith("evaluate.") for name in names)


def test_a_different_answer_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Answer("1", "2").result == "wrong"
    assert Answer("1", "2", right=True, measured=True).result == "measured"
    monkeypatch.setitem(ROWS, 1, ("", lambda: Answer("1", "2")))
    for number in range(2, 37):
        monkeypatch.setitem(ROWS, number, ("", lambda: Answer("1", "1")))
    assert not seeds_table()[0].ok
    assert main(["evaluate", "seeds", "--json"]) == 4
    monkeypatch.setitem(ROWS, 1, ("", lambda: Answer("1", "1")))
    assert main(["evaluate", "seeds", "--json"]) == 0
    monkeypatch.delitem(ROWS, 36)
    assert not seeds_table()[0].ok


def test_a_number_is_computed_once() -> None:
    with pytest.raises(ValueError, match="twice"):
        row(1, "")(lambda: Answer("", ""))
