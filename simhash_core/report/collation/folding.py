"""What of a sheet is read as one line: text that does not count, or that shares nothing.

folded(lines, ranges)   the lines of a sheet, with a fold where whole paragraphs need no reading
left_out_ranges(notes)  why ranges of a text do not count, by the code of the reason
blocks(text, ranges)    paragraphs that do not count, where both texts stand in columns of their own
opposite(left, right)   which of the blocks of two texts belong together
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby

from ...model import Note
from ...text.lengths import count_units
from .reading import NOT_COUNTED, paragraphs
from .sheet import Line, Run

#: share of a paragraph from which what does not count is all that it says
MOST = 0.9

Paragraph = tuple[Run, ...]
#: half-open range of code points and the code of the reason for which it does not count
Range = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Part:
    """What one side of a fold holds."""

    reason: str  # code of `left_out_ranges`; "" for text that counts and shares nothing
    paragraphs: tuple[Paragraph, ...]
    units: int


@dataclass(frozen=True, slots=True)
class Fold:
    """Paragraphs of both sides, opposite each other, that are one line until they are asked for."""

    left: Part | None  # None: only the other side has such text here
    right: Part | None
    place: str  # of what is shared: "above" before the first, "between", "below" after the last


def left_out_ranges(notes: Sequence[Note]) -> list[Range]:
    """Return what does not count, in order, with a code: "template", a rule, a kind of quotation.

    A rule of exclusion is named by its switch; of quotations the kind follows, as in
    "quotations_cited".
    """
    return sorted((note.start, note.end, _code(note)) for note in notes if note.code in NOT_COUNTED)


def _code(note: Note) -> str:
    if note.code != "excluded":
        return note.code
    switch = str(note.params.get("switch", ""))
    return f"{switch}_{note.params.get('reason')}" if switch == "quotations" else switch


def folded(
    lines: Sequence[Line], ranges: tuple[Sequence[Range], Sequence[Range]]
) -> list[Line | Fold]:
    """Fold whole paragraphs that do not count, and those that share nothing.

    Parameters
    ----------
    lines
        Of a sheet; left-out text is marked in them.
    ranges
        Why text does not count, for both sides.

    Notes
    -----
    Between two lines that share something the paragraphs of both sides form groups: left out for
    one reason, or own text. Own text beside what is shared keeps one paragraph, the rest is a fold.
    Groups of one kind are set opposite each other, in order. Every paragraph is kept, in a line or
    in a fold.
    """
    laid: list[Line | Fold] = []
    waiting: tuple[list[Paragraph], list[Paragraph]] = ([], [])
    shared = [_shares(line) for line in lines]
    last = max((at for at, one in enumerate(shared) if one), default=-1)
    seen = False
    for at, line in enumerate(lines):
        if not shared[at] and line.hidden is None:
            waiting[0].extend(line.left)
            waiting[1].extend(line.right)
            if at + 1 < len(lines) and not shared[at + 1] and lines[at + 1].hidden is None:
                continue
            place = "above" if not seen else "below" if at > last else "between"
            laid += _stretch(waiting, ranges, place)
            waiting = ([], [])
            continue
        seen = seen or shared[at]
        laid.append(line)
    return laid


def _shares(line: Line) -> bool:
    return any(run.passage for side in (line.left, line.right) for text in side for run in text)


def _stretch(
    sides: tuple[Sequence[Paragraph], Sequence[Paragraph]],
    ranges: tuple[Sequence[Range], Sequence[Range]],
    place: str,
) -> Iterator[Line | Fold]:
    """Yield what lies between two lines that share something, both sides opposite each other."""
    groups = [list(_groups(side, why, place)) for side, why in zip(sides, ranges, strict=True)]
    keys = [[key for key, _ in side] for side in groups]
    steps = SequenceMatcher(a=keys[0], b=keys[1], autojunk=False).get_opcodes()
    for step, a_low, a_high, b_low, b_high in steps:
        left, right = groups[0][a_low:a_high], groups[1][b_low:b_high]
        if step == "equal":
            for (key, first), (_, second) in zip(left, right, strict=True):
                yield _laid(key, first, second, place)
            continue
        for key, some in left:
            yield _laid(key, some, (), place)
        for key, some in right:
            yield _laid(key, (), some, place)


#: whether the group is folded, and its reason or on which side of what is shared it stands
Key = tuple[bool, str]
Group = tuple[Key, tuple[Paragraph, ...]]


def _groups(texts: Sequence[Paragraph], ranges: Sequence[Range], place: str) -> Iterator[Group]:
    """Yield runs of paragraphs that are treated alike."""
    groups = [(key, tuple(some)) for key, some in groupby(texts, lambda p: reason_of(p, ranges))]
    for at, (reason, some) in enumerate(groups):
        if reason:
            yield (True, reason), some
            continue
        first = 1 if at == 0 and place != "above" else 0  # kept below what is shared
        stop = len(some) - (1 if at == len(groups) - 1 and place != "below" else 0)
        if first:
            yield (False, "after"), some[:1]
        if first < stop:
            yield (True, ""), some[first:stop]
        if max(first, stop) < len(some):
            yield (False, "before"), some[-1:]


def reason_of(paragraph: Paragraph, ranges: Sequence[Range]) -> str:
    """Return why a paragraph does not count, "" where it does or shares something."""
    units = [count_units(run.text) for run in paragraph]
    out = [n for run, n in zip(paragraph, units, strict=True) if run.left_out]
    if not out or sum(out) < MOST * sum(units):
        return ""
    start = next(run.start for run in paragraph if run.left_out)
    at = bisect_right(ranges, start, key=lambda one: one[0]) - 1
    return ranges[at][2] if at >= 0 else ""


def _laid(
    key: Key, left: tuple[Paragraph, ...], right: tuple[Paragraph, ...], place: str
) -> Line | Fold:
    folds, reason = key
    if not folds:
        return Line(left, right)
    return Fold(_part(reason, left), _part(reason, right), place)


def _part(reason: str, paragraphs: tuple[Paragraph, ...]) -> Part | None:
    if not paragraphs:
        return None
    units = sum(count_units(run.text) for paragraph in paragraphs for run in paragraph)
    return Part(reason, paragraphs, units)


@dataclass(frozen=True, slots=True)
class Block:
    """Paragraphs of one text, one after the other, that do not count for one reason."""

    reason: str
    first: int  # places among the paragraphs of the text
    last: int
    units: int


def blocks(text: str, ranges: Sequence[Range]) -> list[Block]:
    """Return the paragraphs of which nearly nothing counts, joined where the reason is the same."""
    merged: list[Block] = []
    for at, (low, high) in enumerate(paragraphs(text)):
        inside = [one for one in ranges if one[0] < high and low < one[1]]
        out = sum(count_units(text[max(low, a) : min(high, b)]) for a, b, _ in inside)
        if not out or out < MOST * count_units(text[low:high]):
            continue
        reason, last = inside[0][2], merged[-1] if merged else None
        if last is not None and (last.reason, last.last) == (reason, at - 1):
            merged[-1] = Block(reason, last.first, at, last.units + out)
        else:
            merged.append(Block(reason, at, at, out))
    return merged


def opposite(left: Sequence[Block], right: Sequence[Block]) -> list[tuple[int, int]]:
    """Return which blocks of two texts belong together: the same reasons, in order."""
    keys = [[block.reason for block in side] for side in (left, right)]
    matching = SequenceMatcher(a=keys[0], b=keys[1], autojunk=False)
    same = matching.get_matching_blocks()
    return [(a + i, b + i) for a, b, size in same for i in range(size)]
