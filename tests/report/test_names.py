"""Names in small places keep both ends, and leave out what all of them share."""

from __future__ import annotations

import pytest

from simhash_core.report.names import columns, middle, named


@pytest.mark.parametrize("width", [8, 15, 40])
@pytest.mark.parametrize(
    "name", ["ch07-04-bringing-paths__2018", "一个很长很长的中文文件名2018", "a"]
)
def test_a_shortened_name_keeps_both_ends_and_fits(name: str, width: int) -> None:
    short = middle(name, width)
    assert columns(short) <= width
    assert short[0] == name[0] and short[-1] == name[-1]
    assert short == name or "…" in short


def test_names_leave_out_what_all_of_them_share() -> None:
    long = [f"kaisery__ch0{n}-bringing-paths-into-scope__2018-12-31.md" for n in range(3)]
    naming = named(long)
    assert naming.prefix == "kaisery__"
    assert naming.stems[0] == "ch00-bringing-paths-into-scope__2018-12-31"
    assert naming.whole == tuple(long)


def test_endings_stay_where_they_tell_names_apart() -> None:
    assert named(["a.txt", "a.docx"]).stems == ("a.txt", "a.docx")
    assert named(["a.txt", "b.docx"]).stems == ("a", "b")
    assert named([]).stems == ()
