"""What differs between the two sides of one passage, change by change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher

from .word_diff import ALIGN_LIMIT, side_text, units

MOST = 9  # changes that are listed of one passage

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Change:
    """Words of the first text and what stands in their place; "" where one side has nothing."""

    left: str
    right: str


def changes(left: str, right: str, *, cut_left: Cut, cut_right: Cut) -> list[Change]:
    """List what differs, in order; `cut` turns a range of a side into what may be shown.

    Notes
    -----
    One equal character between two changes joins them: 面谈 and 谈话 is one change, not two. Very
    long passages have no list.
    """
    spans = units(left), units(right)
    if len(spans[0]) * len(spans[1]) > ALIGN_LIMIT:
        return []
    words = [side_text(left, span) for span in spans[0]], [side_text(right, s) for s in spans[1]]
    changed: list[tuple[int, int, int, int]] = []
    for tag, i0, i1, j0, j1 in SequenceMatcher(None, *words, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if changed and _bridged(left, spans[0], changed[-1][0], changed[-1][1], i0, i1):
            i0, j0 = changed[-1][0], changed[-1][2]
            changed.pop()
        changed.append((i0, i1, j0, j1))
    return [
        Change(_shown(spans[0][i0:i1], cut_left), _shown(spans[1][j0:j1], cut_right))
        for i0, i1, j0, j1 in changed
    ]


Cut = Callable[[int, int], str]


def _bridged(text: str, spans: list[Span], *at: int) -> bool:
    """Whether only one character that is written without spaces stands between two changes.

    `at` are the first and last words of the change before and of this one, on the first side.
    """
    before, equal, i0, i1 = at
    if i0 == equal:
        return True
    start, end = spans[equal]
    if i0 - equal > 1 or end - start != 1 or text[start].isascii():
        return False
    attached = equal == before or spans[equal - 1][1] == start
    return attached and (i0 == i1 or spans[i0][0] == end)


def _shown(spans: list[Span], cut: Cut) -> str:
    return " ".join(cut(spans[0][0], spans[-1][1]).split()) if spans else ""
