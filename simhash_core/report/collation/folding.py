"""The lines of a sheet, and what of them is read as one: text not counted, or not shared.

left_out_ranges(notes)  why ranges of a text do not count, by the code of the reason
reason_of(text, ...)    why next to nothing of a paragraph counts
blocks(text, ranges)    paragraphs that do not count, where both texts stand in columns of their own
opposite(left, right)   which paragraphs, folds or blocks of two texts stand opposite each other
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from ...model import Note
from ...text.lengths import count_units
from .reading import NOT_COUNTED, Paragraph, Span, paragraphs, union

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


def reason_of(text: str, paragraph: Span, left_out: Sequence[LeftOutSpan]) -> str:
    """Return why next to nothing of a paragraph counts, "" where some of it does."""
    low, high = paragraph
    inside = [one for one in left_out if one[0] < high and low < one[1]]
    out = [(max(low, start), min(high, end)) for start, end, _ in inside]
    counts = sum(count_units(text[slice(*span)]) for span in union(out))
    if not counts or counts < MOST * count_units(text[low:high]):
        return ""
    most = Counter[str]()
    for (start, end), (_, _, reason) in zip(out, inside, strict=True):
        most[reason] += end - start
    return most.most_common(1)[0][0]


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
    for at, span in enumerate(paragraphs(text)):
        reason, last = reason_of(text, span, ranges), merged[-1] if merged else None
        if not reason:
            continue
        units = count_units(text[slice(*span)])
        if last is not None and (last.reason, last.last) == (reason, at - 1):
            merged[-1] = Block(reason, last.first, at, last.units + units)
        else:
            merged.append(Block(reason, at, at, units))
    return merged
