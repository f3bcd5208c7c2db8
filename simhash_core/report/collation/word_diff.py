"""Words of two passages compared: which ones differ, and what differs change by change.

Pure presentation: ranges are half-open code points into the text that was passed in.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from ...text.lengths import unit_of

ALIGN_LIMIT = 4_000_000  # token pairs; above it the quadratic alignment would be felt as a pause

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_UNIT = re.compile(rf"[{_HAN}]|[^\W{_HAN}_]+(?:['’][^\W{_HAN}_]+)*")

MOST = 9  # changes that are listed of one passage

Span = tuple[int, int]


def difference(
    left: str, right: str, *, additions_only: bool = False
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the ranges of words that differ on each side: Han by character, else by word.

    `additions_only` leaves out words that stand in each other's place, which in an identical
    passage are other forms of the same word (traditional script, full width).

    Notes
    -----
    Words are aligned in order first; a changed run that the other side has elsewhere (four Han
    characters or three words in a row) is a change of place and is not marked. Very long passages
    use that second rule alone.
    """
    spans = units(left), units(right)
    words = (
        [side_text(left, span) for span in spans[0]],
        [side_text(right, span) for span in spans[1]],
    )
    if len(words[0]) * len(words[1]) <= ALIGN_LIMIT:
        same_left, same_right = _aligned(words[0], words[1], additions_only)
    else:
        same_left = np.zeros(len(words[0]), bool)
        same_right = np.zeros(len(words[1]), bool)
    length = 4 if unit_of(left) == "characters" else 3
    same_left |= _occurs(words[0], words[1], length)
    same_right |= _occurs(words[1], words[0], length)
    return _joined(spans[0], ~same_left), _joined(spans[1], ~same_right)


def counterparts(left: str, right: str, places: Sequence[int]) -> list[int]:
    """Return the places in the second text that correspond to the given places of the first.

    A place stands behind the last word before it that both texts have in common order; places
    rise, so their counterparts never fall. Very long texts are taken in proportion.
    """
    spans = units(left), units(right)
    if len(spans[0]) * len(spans[1]) > ALIGN_LIMIT:
        return [round(at * len(right) / max(len(left), 1)) for at in places]
    words = [side_text(left, span) for span in spans[0]], [side_text(right, s) for s in spans[1]]
    blocks = SequenceMatcher(None, *words, autojunk=False).get_matching_blocks()
    ends = [(spans[0][b.a + i][1], spans[1][b.b + i][1]) for b in blocks for i in range(b.size)]
    mine = [end for end, _ in ends]
    across = []
    for at in places:
        before = bisect_right(mine, at)
        across.append(ends[before - 1][1] if before else 0)
    return across


def side_text(text: str, span: tuple[int, int]) -> str:
    """Return one word in the form in which it is compared."""
    return text[span[0] : span[1]].casefold()


def units(text: str) -> list[tuple[int, int]]:
    """Return the ranges of the words of a text: a Han character, or letters and digits."""
    return [match.span() for match in _UNIT.finditer(text)]


def _aligned(
    left: list[str], right: list[str], additions_only: bool
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Mark the words of both sides that stand in a common order."""
    same = np.zeros(len(left), bool), np.zeros(len(right), bool)
    changes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    for change, i0, i1, j0, j1 in changes:
        if change == "equal" or (additions_only and change == "replace"):
            same[0][i0:i1] = True
            same[1][j0:j1] = True
    return same


def _occurs(words: list[str], other: list[str], length: int) -> NDArray[np.bool_]:
    """Mark the words inside a run of `length` that the other side has anywhere."""
    runs = {tuple(other[i : i + length]) for i in range(len(other) - length + 1)}
    same = np.zeros(len(words), bool)
    for i in range(len(words) - length + 1):
        if tuple(words[i : i + length]) in runs:
            same[i : i + length] = True
    return same


def _joined(units: list[tuple[int, int]], marked: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Join neighbouring marked words into ranges; only directly attached ones share a range."""
    ranges: list[tuple[int, int]] = []
    for (start, end), is_marked in zip(units, marked.tolist(), strict=True):
        if not is_marked:
            continue
        if ranges and ranges[-1][1] == start:
            ranges[-1] = (ranges[-1][0], end)
        else:
            ranges.append((start, end))
    return ranges


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
