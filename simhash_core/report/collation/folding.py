"""The lines of a sheet, and what of them is read as one: text not counted, or not shared.

folded(lines, ranges)   the lines of a sheet, with a fold where whole paragraphs need no reading
left_out_ranges(notes)  why ranges of a text do not count, by the code of the reason
blocks(text, ranges)    paragraphs that do not count, where both texts stand in columns of their own
opposite(left, right)   which paragraphs, folds or blocks of two texts stand opposite each other
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby

from ...model import Note
from ...text.lengths import count_units
from .reading import NOT_COUNTED, Paragraph, paragraphs

#: share of a paragraph from which what does not count is all that it says
MOST = 0.9

#: half-open range of code points and the reason for which it does not count
LeftOutSpan = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Line:
    """Paragraphs that stand beside each other."""

    left: tuple[Paragraph, ...] = ()
    right: tuple[Paragraph, ...] = ()
    numbers: tuple[tuple[str, str], ...] = ()  # (number, kind) of the passages that begin here
    bars: tuple[tuple[str, int], ...] = ()  # (kind, units of the left side)


@dataclass(frozen=True, slots=True)
class Part:
    """What one side of a fold holds."""

    reason: str  # why it does not count; "" for text that counts and shares nothing
    units: int
    paragraphs: tuple[Paragraph, ...] = ()  # none where only the length is told


@dataclass(frozen=True, slots=True)
class Fold:
    """Paragraphs of both sides, opposite each other, that are one line until they are asked for."""

    left: Part | None  # None: only the other side has such text here
    right: Part | None
    #: of what is shared: "above" before the first, "between", "below" after the last
    place: str = ""

    @property
    def sides(self) -> tuple[Part | None, Part | None]:
        """Both sides."""
        return self.left, self.right

    @property
    def units(self) -> tuple[int, int]:
        """The units of both sides, 0 for one that has no such text here."""
        left, right = (part.units if part else 0 for part in self.sides)
        return left, right


def pair_opposite(
    left: Sequence[Hashable], right: Sequence[Hashable]
) -> Iterator[tuple[int | None, int | None]]:
    """Yield which places of two lists stand opposite each other: equal ones, in order.

    Every place occurs once; None stands opposite one without an equal.
    """
    steps = SequenceMatcher(a=left, b=right, autojunk=False).get_opcodes()
    for step, a, a_end, b, b_end in steps:
        if step == "equal":
            yield from zip(range(a, a_end), range(b, b_end), strict=True)
            continue
        yield from ((at, None) for at in range(a, a_end))
        yield from ((None, at) for at in range(b, b_end))


def left_out_ranges(notes: Sequence[Note]) -> list[LeftOutSpan]:
    """Return what does not count, in order, with a code: "template", a rule, a kind of quotation.

    A rule of exclusion is named by its switch; of quotations the kind follows, as in
    "quotations_cited".
    """
    ranges = []
    for note in notes:
        code = note.code
        if code == "excluded":
            code = str(note.params.get("switch", ""))
            code += f"_{note.params.get('reason')}" if code == "quotations" else ""
        if note.code in NOT_COUNTED:
            ranges.append((note.start, note.end, code))
    return sorted(ranges)


def fold_lines(
    lines: Sequence[Line | Fold], ranges: tuple[Sequence[LeftOutSpan], Sequence[LeftOutSpan]]
) -> list[Line | Fold]:
    """Fold whole paragraphs that do not count, and those that share nothing.

    Parameters
    ----------
    lines
        Of a sheet; left-out text is marked in them. Its own folds stay.
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
    shared = [
        isinstance(line, Line)
        and any(run.passage for side in (line.left, line.right) for text in side for run in text)
        for line in lines
    ]
    last = max((at for at, one in enumerate(shared) if one), default=-1)
    seen = False
    for at, line in enumerate(lines):
        if isinstance(line, Line) and not shared[at]:
            waiting[0].extend(line.left)
            waiting[1].extend(line.right)
            if at + 1 < len(lines) and not shared[at + 1] and isinstance(lines[at + 1], Line):
                continue
            place = "above" if not seen else "below" if at > last else "between"
            laid += _stretch(waiting, ranges, place)
            waiting = ([], [])
            continue
        seen = seen or shared[at]
        laid.append(line)
    return laid


def _stretch(
    sides: tuple[Sequence[Paragraph], Sequence[Paragraph]],
    ranges: tuple[Sequence[LeftOutSpan], Sequence[LeftOutSpan]],
    place: str,
) -> Iterator[Line | Fold]:
    """Yield what lies between two lines that share something, both sides opposite each other."""

    def part(reason: str, paragraphs: tuple[Paragraph, ...]) -> Part | None:
        units = sum(count_units(run.text) for paragraph in paragraphs for run in paragraph)
        return Part(reason, units, paragraphs) if paragraphs else None

    groups = [list(_groups(side, why, place)) for side, why in zip(sides, ranges, strict=True)]
    for places in pair_opposite(*([key for key, _ in side] for side in groups)):
        here = [None if at is None else side[at] for side, at in zip(groups, places, strict=True)]
        folds, reason = next(group[0] for group in here if group)
        left, right = (group[1] if group else () for group in here)
        yield Fold(part(reason, left), part(reason, right), place) if folds else Line(left, right)


#: whether the group is folded, and its reason or on which side of what is shared it stands
Key = tuple[bool, str]
Group = tuple[Key, tuple[Paragraph, ...]]


def _groups(
    texts: Sequence[Paragraph], ranges: Sequence[LeftOutSpan], place: str
) -> Iterator[Group]:
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


def reason_of(paragraph: Paragraph, ranges: Sequence[LeftOutSpan]) -> str:
    """Return why a paragraph does not count, "" where it does or shares something."""
    units = [count_units(run.text) for run in paragraph]
    out = [n for run, n in zip(paragraph, units, strict=True) if run.left_out]
    if not out or sum(out) < MOST * sum(units):
        return ""
    start = next(run.start for run in paragraph if run.left_out)
    at = bisect_right(ranges, start, key=lambda one: one[0]) - 1
    return ranges[at][2] if at >= 0 else ""


@dataclass(frozen=True, slots=True)
class Block:
    """Paragraphs of one text, one after the other, that do not count for one reason."""

    reason: str
    first: int  # places among the paragraphs of the text
    last: int
    units: int


def blocks(text: str, ranges: Sequence[LeftOutSpan]) -> list[Block]:
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


def opposite_blocks(left: Sequence[Block], right: Sequence[Block]) -> list[tuple[int, int]]:
    """Return which blocks of two texts belong together: the same reasons, in order."""
    places = pair_opposite(*([block.reason for block in side] for side in (left, right)))
    return [(a, b) for a, b in places if a is not None and b is not None]
