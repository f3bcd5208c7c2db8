"""Two texts side by side: paragraph against paragraph, runs, numbers, bars and the apparatus."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any

from ...model import VERBATIM, Division, Document, Passages, Stretches
from ...passages.coverage import longest_order
from ...people.masking import Mask
from ...seen.meanings import Answer
from ...text.lengths import Unit, count_units, unit_of
from . import reading
from .folding import Fold, LeftOutSpan, Line, Part, pair_opposite, reason_of
from .reading import (
    MOST,
    PLAIN,
    Change,
    Match,
    Paragraph,
    Span,
    changes,
    label,
    split_passages,
    union,
)

WHOLE = 5000  # units of both texts up to which every paragraph that counts is shown


#: a range of a text that more texts hold than two, 1 for a few, 2 for many
Tone = tuple[int, int, int]
#: why ranges of both texts do not count: `report.left_out.<reason>`
Reasons = tuple[Sequence[LeftOutSpan], Sequence[LeftOutSpan]]


@dataclass(frozen=True, slots=True)
class Entry:
    """One passage in the apparatus; ranges are code points into the texts."""

    number: str  # a letter for sentences of the same meaning
    kind: str
    basis: str  # the kind in the result
    a: Span
    b: Span
    units_a: int
    units_b: int
    changes: tuple[Change, ...]
    more: int  # changes that are not listed
    quote: str
    closeness: float | None = None  # of sentences of the same meaning


@dataclass(frozen=True, slots=True)
class Collation:
    """A pair set for reading; without lines where nothing is shared."""

    units: tuple[Unit, Unit]
    lines: tuple[Line | Fold, ...]
    entries: tuple[Entry, ...]
    whole: bool  # every paragraph that counts is shown
    moved: int  # passages in another order

    @property
    def longest(self) -> str:
        """The number of the longest passage; of those that count for nothing without others."""
        if not self.entries:
            return ""
        weaker = {"weak": 0, "meaning": 1}
        return max(self.entries, key=lambda one: (weaker.get(one.kind, 2), one.units_a)).number

    def kinds(self, division: Division) -> list[tuple[str, int, int]]:
        """Return (kind, passages, units of the first text) of the kinds that are set.

        The units of `division`, which says what of the first text is shared: those of identical,
        reworded and moved passages add up to it.
        """
        numbers, units = Counter[str](), Counter[str]()
        for entry in self.entries:
            numbers[entry.kind] += "." not in entry.number or entry.number.endswith(".1")
            units[entry.kind] += entry.units_a
        counted = {
            "identical": division.identical,
            "reworded": division.reworded,
            "moved": division.moved,
            **{kind: units[kind] for kind in ("summary", "meaning", "weak")},
        }
        return [(kind, numbers[kind], n) for kind, n in counted.items() if n]


def collate(
    a: Document,
    b: Document,
    passages: Passages,
    stretches: Stretches,
    *,
    masks: tuple[Mask, Mask],
    left_out: tuple[Sequence[Span], Sequence[Span]] = ((), ()),
    reasons: Reasons = ((), ()),
    texts: bool = True,
    apparatus: bool = True,
    shown: int = WHOLE,
    folded: bool = False,
    answers: Sequence[Answer] = (),
) -> Collation:
    """Lay a pair out.

    Parameters
    ----------
    passages : Passages   of this pair, `a` its first side
    stretches             what the pair shares
    masks                 both texts with what may be shown of them
    left_out              ranges of both texts that count nowhere
    reasons               the same with the reason of each: what has one is folded
    texts : bool          False: the apparatus alone
    apparatus : bool      False: no list of the changes inside passages
    shown                 units of both texts up to which every paragraph is laid out; of longer
                          ones only what shares something, one paragraph before it and one behind
    folded : bool         whether what is folded keeps its paragraphs, for whoever opens it
    answers               sentences of a and b that say the same in other words
    """
    both = (a.text, b.text)
    matches = _drop_left_out(
        split_passages(reading.matches(passages, stretches), both), both, reasons
    )
    matches += reading.match_answers(answers)
    units = (unit_of(a.text), unit_of(b.text))
    lines: tuple[Line | Fold, ...] = ()
    whole = count_units(a.text) + count_units(b.text) <= shown
    if texts and matches:
        lines = tuple(
            _lay_lines(
                (a, b), matches, masks, stretches, left_out, reasons, whole=whole, folded=folded
            )
        )
    return Collation(
        units=units,
        lines=lines,
        entries=tuple(
            _build_entry(match, both, masks, reasons, changed=apparatus) for match in matches
        ),
        whole=whole,
        moved=len({match.number for match in matches if match.kind == "moved"}),
    )


def _drop_left_out(
    matches: Sequence[Match], texts: tuple[str, str], reasons: Reasons
) -> tuple[Match, ...]:
    """Take out the parts of passages of which nothing counts, and number the others again."""
    made: list[Match] = []
    for _, group in groupby(matches, lambda match: (match.kind == "weak", match.number)):
        parts = list(group)
        counting = [
            one
            for one in parts
            if not one.part
            or _units(texts[0], one.a, reasons[0])
            or _units(texts[1], one.b, reasons[1])
        ]
        if len(counting) < len(parts):
            numbered = (
                enumerate(counting, 1) if len(counting) > 1 else ((0, one) for one in counting)
            )
            counting = [replace(one, part=part) for part, one in numbered]
        made += counting
    return tuple(made)


def _units(text: str, span: Span, left_out: Sequence[LeftOutSpan]) -> int:
    """Count the units of a range that count."""
    inside = [
        (max(start, span[0]), min(end, span[1]))
        for start, end, _ in left_out
        if start < span[1] and span[0] < end
    ]
    return count_units(text[slice(*span)]) - sum(
        count_units(text[slice(*one)]) for one in union(inside)
    )


def _build_entry(
    match: Match,
    texts: tuple[str, str],
    masks: tuple[Mask, Mask],
    reasons: Reasons,
    *,
    changed: bool,
) -> Entry:
    left, right = texts[0][slice(*match.a)], texts[1][slice(*match.b)]
    listed: list[Change] = []
    if changed and match.basis == "reworded" and match.kind != "weak":
        listed = changes(
            left,
            right,
            cut_left=lambda i, j: masks[0].cut(match.a[0] + i, match.a[0] + j),
            cut_right=lambda i, j: masks[1].cut(match.b[0] + i, match.b[0] + j),
        )
    return Entry(
        number=label(match),
        kind=match.kind,
        basis=match.basis,
        a=match.a,
        b=match.b,
        units_a=_units(texts[0], match.a, reasons[0]),
        units_b=_units(texts[1], match.b, reasons[1]),
        changes=tuple(listed[:MOST]),
        more=max(len(listed) - MOST, 0),
        quote=" ".join(masks[0].cut(*match.a).split()),
        closeness=match.score if match.kind == "meaning" else None,
    )


# --------------------------------------------------------------------------- paragraphs
def _lay_lines(
    documents: tuple[Document, Document],
    matches: Sequence[Match],
    masks: tuple[Mask, Mask],
    stretches: Stretches,
    left_out: tuple[Sequence[Span], Sequence[Span]],
    reasons: Reasons,
    *,
    whole: bool,
    folded: bool,
) -> Iterator[Line | Fold]:
    """Yield the lines of a sheet; what counts nowhere is folded, and unless `whole` what is far."""
    laid = lay_runs(masks, matches, stretches, left_out=left_out)
    ranges = [reading.paragraphs(document.text) for document in documents]
    texts = [
        _paragraphs(document.text, ranges[side], laid[side], reasons[side], whole=whole)
        for side, document in enumerate(documents)
    ]
    opened: tuple[set[int], set[int]] = (set(), set())

    def has_match(row: Row) -> bool:
        return any(texts[side][index].matched for side in (0, 1) for index in row[side])

    rows = set_beside(ranges[0], ranges[1], matches)
    groups = [(matched, list(group)) for matched, group in groupby(rows, has_match)]
    for at, (matched, group) in enumerate(groups):
        if matched:
            yield from (_set_line(row, laid, matches, masks[0].text, opened) for row in group)
            continue
        place = "above" if not at else "below" if at == len(groups) - 1 else "between"
        sides = [
            _fold_items(texts[side], [i for row in group for i in row[side]], laid[side], folded)
            for side in (0, 1)
        ]
        reasons_of = [[one.reason if isinstance(one, Part) else None for one in s] for s in sides]
        for places in pair_opposite(*reasons_of):
            both = zip(sides, places, strict=True)
            pair = [None if at is None else side[at] for side, at in both]
            left, right = (one if isinstance(one, Part) else None for one in pair)
            if left or right:
                yield Fold(left, right, place)
                continue
            here, there = ((one,) if isinstance(one, int) else () for one in pair)
            yield _set_line((here, there), laid, matches, masks[0].text, opened)


Row = tuple[tuple[int, ...], tuple[int, ...]]
Item = int | Part  # a paragraph that is set, or what is folded


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """What is known of a paragraph before it is set."""

    units: int
    reason: str  # why none of it counts, "" where some of it does
    matched: bool
    shown: bool


def _paragraphs(
    text: str,
    ranges: Sequence[Span],
    laid: Sequence[Paragraph],
    left_out: Sequence[LeftOutSpan],
    *,
    whole: bool,
) -> list[_Paragraph]:
    """Say of each paragraph of a text whether it is set: one that counts, near a passage.

    A passage can run through text that does not count; where nothing else of it would be set, that
    text stays.
    """
    reasons = [reason_of(text, span, left_out) for span in ranges]
    owned = [{run.owner for run in paragraph} - {PLAIN} for paragraph in laid]
    counting = zip(reasons, owned, strict=True)
    elsewhere = {one for reason, some in counting if not reason for one in some}
    reasons = [
        reason if some <= elsewhere else "" for reason, some in zip(reasons, owned, strict=True)
    ]
    matched = [bool(some) and not reason for reason, some in zip(reasons, owned, strict=True)]
    near = [whole or any(matched[max(at - 1, 0) : at + 2]) for at in range(len(ranges))]
    return [
        _Paragraph(count_units(text[slice(*span)]), reason, is_matched, is_near and not reason)
        for span, reason, is_matched, is_near in zip(ranges, reasons, matched, near, strict=True)
    ]


def _fold_items(
    paragraphs: Sequence[_Paragraph],
    indices: Sequence[int],
    laid: Sequence[Paragraph],
    folded: bool,
) -> list[Item]:
    """Return paragraphs in order, those that are not set folded where they follow each other."""
    items: list[Item] = []
    for index in indices:
        one = paragraphs[index]
        if one.shown:
            items.append(index)
            continue
        part = Part(one.reason, one.units, (laid[index],) if folded else ())
        last = items[-1] if items else None
        if isinstance(last, Part) and last.reason == one.reason:
            both = last.paragraphs + part.paragraphs
            items[-1] = Part(one.reason, last.units + one.units, both)
        else:
            items.append(part)
    return items


def _set_line(
    row: Row,
    laid: Sequence[Sequence[Paragraph]],
    matches: Sequence[Match],
    first: str,
    opened: tuple[set[int], set[int]],
) -> Line:
    """Set one row; `opened` holds the passages whose number stands already, on each side.

    `first` is the first text with its names: hiding them changes no length.
    """
    before = set(opened[1])
    left, right = (
        tuple(_open_runs(laid[side][index], opened[side]) for index in row[side]) for side in (0, 1)
    )
    new = sorted(opened[1] - before, key=lambda i: matches[i].b)
    bars: list[tuple[str, int]] = []
    for paragraph in left:
        last = (PLAIN, "")
        for run in paragraph:
            units = count_units(first[run.start : run.end])
            if bars and last == (run.owner, run.kind):
                bars[-1] = (run.kind, bars[-1][1] + units)
            elif units:
                bars.append((run.kind, units))
            last = (run.owner, run.kind)
    return Line(left, right, tuple((label(matches[i]), matches[i].kind) for i in new), tuple(bars))


def _open_runs(paragraph: Paragraph, opened: set[int]) -> Paragraph:
    """Mark the runs at which a passage begins that is not among those that are open already."""
    marked = []
    for run in paragraph:
        opens = run.owner != PLAIN and run.owner not in opened
        opened.update({run.owner} if opens else ())
        marked.append(replace(run, opens=True) if opens else run)
    return tuple(marked)


def lay_runs(
    masks: tuple[Mask, Mask],
    matches: Sequence[Match],
    stretches: Stretches,
    *,
    left_out: tuple[Sequence[Span], Sequence[Span]],
    unsure: tuple[Sequence[Span], Sequence[Span]] = ((), ()),
    tones: tuple[Sequence[Tone], Sequence[Tone]] = ((), ()),
) -> list[list[Paragraph]]:
    """Return the paragraphs of both texts in runs, as every page and format draws them.

    Parameters are those of `reading.cut_runs`, for both sides.
    """
    changed = _find_changed((masks[0].text, masks[1].text), matches)
    return [
        reading.cut_runs(
            mask,
            matches,
            side,
            changed=changed[side],
            left_out=left_out[side],
            same=reading.spans_of(stretches, VERBATIM, side),
            unsure=unsure[side],
            tones=tones[side],
        )
        for side, mask in enumerate(masks)
    ]


def _find_changed(
    texts: tuple[str, str], matches: Sequence[Match]
) -> tuple[list[Span], list[Span]]:
    """Return the words that differ in all passages that count, as ranges into both texts."""
    sides: tuple[list[Span], list[Span]] = ([], [])
    for match in matches:
        if match.basis in ("summary", "meaning") or match.kind == "weak":
            continue
        spans = match.a, match.b
        parts = [text[slice(*span)] for text, span in zip(texts, spans, strict=True)]
        differing = reading.difference(*parts, additions_only=match.basis == "identical")
        for side, (start, _), ranges in zip(sides, spans, differing, strict=True):
            side += [(start + low, start + high) for low, high in ranges]
    return sides


def set_beside(left: Sequence[Span], right: Sequence[Span], matches: Sequence[Match]) -> list[Row]:
    """Return which paragraphs stand beside each other, every paragraph once and in order.

    Notes
    -----
    Two paragraphs belong together by the length of the passages between them; the heaviest chain
    that rises in both texts is set side by side. A paragraph outside the chain joins the line
    above or below where that holds most of its passages, else it stands alone.
    """
    weight = _weigh_pairs(left, right, matches)
    points = sorted(weight, key=lambda point: (point[0], -point[1]))
    chain = longest_order([((0, weight[p]), (p[1], p[1] + 1)) for p in points])
    pairs = [points[i] for i in chain]
    heaviest: dict[Span, Span] = {}  # (side, paragraph) -> its heaviest point
    for point in points:
        for side in (0, 1):
            known = heaviest.setdefault((side, point[side]), point)
            if weight[point] > weight[known]:
                heaviest[side, point[side]] = point
    best = {key: point[1 - key[0]] for key, point in heaviest.items()}
    rows: list[tuple[list[int], list[int]]] = []
    ends = [(-1, -1), *pairs, (len(left), len(right))]
    for before, after in pairwise(ends):
        for side in (0, 1):
            for index in range(before[side] + 1, after[side]):
                mate = best.get((side, index))
                if rows and mate is not None and mate in rows[-1][1 - side]:
                    rows[-1][side].append(index)
                else:
                    rows.append(([index], []) if side == 0 else ([], [index]))
        if after != ends[-1]:
            rows.append(([after[0]], [after[1]]))
            _take_above(rows, best)
    return [(tuple(a), tuple(b)) for a, b in rows]


def _take_above(rows: list[tuple[list[int], list[int]]], best: Any) -> None:
    """Join lone paragraphs right above the last line to it where they belong to it."""
    line = rows[-1]
    while len(rows) > 1:
        above = rows[-2]
        side = 0 if above[0] and not above[1] else 1 if above[1] and not above[0] else None
        if side is None or best.get((side, above[side][-1])) not in line[1 - side]:
            return
        line[side][:0] = above[side]
        del rows[-2]


def _weigh_pairs(
    left: Sequence[Span], right: Sequence[Span], matches: Sequence[Match]
) -> dict[Span, int]:
    """Return how many characters each two paragraphs share, read off the passages in proportion."""
    weight: dict[Span, int] = {}
    for match in matches:
        if match.kind == "weak":
            continue
        scale = (match.b[1] - match.b[0]) / max(match.a[1] - match.a[0], 1)
        for i in _find_touching(left, match.a):
            low, high = max(left[i][0], match.a[0]), min(left[i][1], match.a[1])
            image = (
                match.b[0] + (low - match.a[0]) * scale,
                match.b[0] + (high - match.a[0]) * scale,
            )
            for j in _find_touching(right, (int(image[0]), int(image[1]) + 1)):
                common = min(right[j][1], image[1]) - max(right[j][0], image[0])
                if common >= 1:
                    weight[i, j] = weight.get((i, j), 0) + int(common)
    return weight


def _find_touching(ranges: Sequence[Span], span: Span) -> Iterator[int]:
    """Yield which of some rising ranges touch a span."""
    at = max(bisect_right(ranges, (span[0], 1 << 60)) - 1, 0)
    while at < len(ranges) and ranges[at][0] < span[1]:
        if ranges[at][1] > span[0]:
            yield at
        at += 1
