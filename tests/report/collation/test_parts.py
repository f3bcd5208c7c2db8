"""Long reworded passages in parts: every part lies in its passage, and they follow each other."""

from __future__ import annotations

from itertools import pairwise

import pytest

from simhash_core.report.collation.parts import in_parts
from simhash_core.report.collation.reading import Match
from simhash_core.report.collation.word_diff import counterparts

FIRST = "\n".join(
    f"第{n}段说的是院子里的第{n}棵树，它在{n}月开花，花落的时候满地都是白色。" for n in "一二三四五"
)
SECOND = FIRST.replace("院子", "花园").replace("满地", "地上")


def whole(kind: str = "reworded") -> Match:
    return Match(3, kind, kind, (0, len(FIRST)), (0, len(SECOND)), 1.0)


def test_a_long_reworded_passage_is_walked_by_paragraphs() -> None:
    parts = in_parts([whole()], (FIRST, SECOND))

    assert [part.part for part in parts] == [1, 2, 3, 4, 5]
    for part, line, other in zip(parts, FIRST.split("\n"), SECOND.split("\n"), strict=True):
        assert FIRST[slice(*part.a)] == line
        assert SECOND[slice(*part.b)] == other
        assert part.number == 3
        assert part.spans == ((0, len(FIRST)), (0, len(SECOND)))


@pytest.mark.parametrize("kind", ["identical", "moved", "summary", "weak"])
def test_other_kinds_stay_whole(kind: str) -> None:
    assert in_parts([whole(kind)], (FIRST, SECOND)) == (whole(kind),)


def test_parts_of_a_text_without_paragraphs_on_the_other_side_still_rise() -> None:
    flat = SECOND.replace("\n", "")
    match = Match(1, "reworded", "reworded", (0, len(FIRST)), (0, len(flat)), 1.0)
    parts = in_parts([match], (FIRST, flat))

    assert len(parts) == 5
    assert parts[0].b[0] == 0 and parts[-1].b[1] == len(flat)
    for one, other in pairwise(parts):
        assert one.b[1] <= other.b[0]


def test_counterparts_rise_and_stay_inside() -> None:
    places = counterparts(FIRST, SECOND, range(0, len(FIRST), 7))
    assert places == sorted(places)
    assert places[0] >= 0 and places[-1] <= len(SECOND)
