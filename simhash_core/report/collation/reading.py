"""How two texts are laid out for reading: numbers, kinds, paragraphs, folds and word differences.

Pure presentation: no streamlit, no sentence. Every range is a half-open range of code points into
`Document.text`, so what is drawn is a slice of the text and never a copy that could differ.

Long reworded passages are drawn in parts, paragraph by paragraph, so that a reader can walk through
them: the passage, its number and its offsets stay those of the result; only what is drawn, stepped
through and compared word by word is smaller.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model import MOVED, PASSAGE_KINDS, SHARED, Passages, Stretches
from ...notation import letters
from ...passages.coverage import longest_order
from ...people.masking import Mask
from ...seen.meanings import Answer
from ...text.lengths import count_units, unit_of

PLAIN = -1
ALIGN_LIMIT = 4_000_000  # token pairs; above it the quadratic alignment would be felt as a pause
MOST = 9  # changes that are listed of one passage
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_UNIT = re.compile(rf"[{_HAN}]|[^\W{_HAN}_]+(?:['’][^\W{_HAN}_]+)*")
#: notes on ranges that are shown and do not count
NOT_COUNTED = ("template", "excluded")
#: notes on words that recognition may have misread, `spans` of each
UNSURE = ("unsure", "misread")

_SENTENCE_END = re.compile(r"[.!?:;。！？：；…”’\"')\]）》】|>`*-]\s*$")

Span = tuple[int, int]
Cut = Callable[[int, int], str]  # turns a range of a text into what may be shown

#: kinds of passages, the one that owns what several cover last
_RANKS = ("weak", "meaning", "summary", "reworded", "identical", "moved")
LONG = 80  # characters or words; a shorter passage is not parted
LEAST_OF_PART = 0.2  # of the words of a part, so that it says anything of the other text
CLEARLY_MORE = 1.5  # times what stands in its place, from which a part stands elsewhere
NEAR = 40  # code points within which a border of the second text counts as the same place


@dataclass(frozen=True, slots=True)
class Match:
    """One passage as a reader meets it.

    `kind` is what is drawn (`identical`, `reworded`, `moved`, `summary`, `meaning`, `weak`),
    `basis` the kind in the result. Weak evidence is numbered separately and is never counted;
    sentences of the same meaning have letters.
    """

    number: int
    kind: str
    basis: str
    a: Span
    b: Span
    score: float
    part: int = 0  # of a passage that is shown in parts, from 1; 0: all of it
    whole: tuple[Span, Span] | None = None  # ranges of such a passage
    shared: Span = (0, 0)  # words of each side of the whole that the other has too
    crossed: bool = False  # such a part stands elsewhere in the other text

    @property
    def spans(self) -> tuple[Span, Span]:
        """The ranges of the passage in the result, on both sides."""
        return self.whole or (self.a, self.b)


@dataclass(frozen=True, slots=True)
class Run:
    """A run of one text that is set in one way, on pages and on paper.

    `kind` is that of its passage; in a reworded one, what agrees is set as identical.
    """

    text: str  # what may be shown of `start` to `end`
    start: int
    end: int
    owner: int = PLAIN  # index into the matches, PLAIN outside
    passage: str = ""  # the number of its passage, "" outside
    kind: str = ""
    changed: bool = False  # words that differ on the other side
    left_out: bool = False  # text that is not compared
    opens: bool = False  # the passage begins here: its number is set
    agrees: bool = False  # the other text has it word for word
    tone: int = 0  # of its passage: 0 only these two texts hold it, 1 a few, 2 many
    unsure: bool = False  # recognised with little certainty, or compared as another word


Paragraph = tuple[Run, ...]


def matches(passages: Passages, stretches: Stretches | None = None) -> tuple[Match, ...]:
    """Number the passages of one pair in the order of the first text and name their kinds.

    Parameters
    ----------
    passages
        Of one pair.
    stretches
        What the pair shares: a passage is *moved* where most of what it shares is (`passages.order`
        says why). Without them none is.
    """
    rows = sorted(
        range(len(passages.a_start)),
        key=lambda i: (bool(passages.weak[i]), int(passages.a_start[i]), int(passages.b_start[i])),
    )
    spans = [
        (
            (int(passages.a_start[i]), int(passages.a_end[i])),
            (int(passages.b_start[i]), int(passages.b_end[i])),
        )
        for i in rows
    ]
    basis = [PASSAGE_KINDS[int(passages.kind[i])] for i in rows]
    weak = [bool(passages.weak[i]) for i in rows]
    of_first = [spans_of(stretches, kind, 0) if stretches else [] for kind in (SHARED, MOVED)]
    numbered = []
    for n, row in enumerate(rows):
        kind = "weak" if weak[n] else basis[n]
        if kind in ("identical", "reworded"):
            low, high = spans[n][0]
            all_, away = (
                sum(max(min(end, high) - max(start, low), 0) for start, end in some)
                for some in of_first
            )
            kind = "moved" if 2 * away > all_ else kind
        number = n + 1 if not weak[n] else n + 1 - weak.index(True)
        shared = int(passages.shared_a[row]), int(passages.shared_b[row])
        score = float(passages.score[row])
        numbered.append(Match(number, kind, basis[n], *spans[n], score, shared=shared))
    return tuple(numbered)


def match_answers(answers: Sequence[Answer]) -> tuple[Match, ...]:
    """Return sentences that say the same as matches, lettered in the order of the first text."""
    return tuple(
        Match(place, "meaning", "meaning", one.a, one.b, one.closeness)
        for place, one in enumerate(answers, 1)
    )


def label(match: Match) -> str:
    """Return the number of a match, or its letter, as it is printed."""
    if match.kind == "meaning":
        return letters(match.number)
    return f"{match.number}.{match.part}" if match.part else str(match.number)


def spans_of(stretches: Stretches, kind: int, side: int) -> list[Span]:
    """Return the ranges of one kind and side of what one pair shares."""
    mine = (stretches.kind == kind) & (stretches.side == side)
    return list(zip(stretches.start[mine].tolist(), stretches.end[mine].tolist(), strict=True))


def paragraphs(text: str) -> list[Span]:
    """Return the ranges of the paragraphs of a text, blank edges left off.

    A line break ends a paragraph unless the text is hard-wrapped (most lines are about as long as
    the longest ones and stop in mid-sentence); then only a blank line does.
    """
    gap = r"\r?\n[^\S\n]*(?:\r?\n[^\S\n]*)+" if _is_wrapped(text) else r"(?:\r\n?|\n)+"
    ranges = []
    at = 0
    for stop, after in [*((m.start(), m.end()) for m in re.finditer(gap, text)), (len(text),) * 2]:
        start, end = at, stop
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if end > start:
            ranges.append((start, end))
        at = after
    return ranges


def mark_tight(text: str, ranges: Sequence[Span]) -> list[bool]:
    """Say which paragraphs follow the one before without a blank line, as code and lists do.

    All False where blank lines are rare: there every line is a paragraph.
    """
    blank = [text.count("\n", a[1], b[0]) > 1 for a, b in pairwise(ranges)]
    if sum(blank) * 3 < len(blank):
        return [False] * len(ranges)
    return [False, *(not is_blank for is_blank in blank)][: len(ranges)]


def _is_wrapped(text: str) -> bool:
    lines = [line.rstrip() for line in text[:20_000].splitlines()]
    inner = [a for a, b in pairwise(lines) if a and b.strip()]
    if len(inner) < 3:
        return False
    longest = max(map(len, inner))
    full = [line for line in inner if len(line) > 0.6 * longest]
    unfinished = sum(not _SENTENCE_END.search(line) for line in full)
    return longest <= 120 and len(full) * 2 > len(inner) and unfinished * 2 > len(full)


def cut_runs(
    mask: Mask,
    passages: Sequence[Match],
    side: int,
    *,
    changed: Sequence[Span] = (),
    left_out: Sequence[Span] = (),
    same: Sequence[Span] = (),
    unsure: Sequence[Span] = (),
    tones: Sequence[tuple[int, int, int]] = (),
) -> list[Paragraph]:
    """Cut one text into the runs that are drawn alike, paragraph by paragraph; none of them opens.

    Parameters
    ----------
    mask : Mask
        The text with what may be shown of it.
    side : int
        0 for the first text of the pair, 1 for the second.
    changed : sequence of (start, end)
        Words that differ on the other side.
    left_out : sequence of (start, end)
        Text that is not compared.
    same : sequence of (start, end)
        Stretches of changed passages that agree word for word.
    unsure : sequence of (start, end)
        Words that recognition may have misread.
    tones : sequence of (start, end, tone)
        What more texts hold than these two; where two ranges overlap, fewer holders count.

    Notes
    -----
    Where passages overlap the first of the classes of `numbers` owns the characters: moved before
    identical before reworded before summary before meaning before weak, shorter before longer. A
    match left without any character keeps an empty run where it begins, so that its number is
    still drawn.
    """
    text, spans = mask.text, [(match.a, match.b)[side] for match in passages]
    ranks = [(_RANKS.index(match.kind), match.a[0] - match.a[1]) for match in passages]
    owner = owners(len(text), spans, ranks)
    flags, out, equal, odd = np.zeros((4, len(text) + 1), bool)
    for flag, marked in ((flags, changed), (out, left_out), (equal, same), (odd, unsure)):
        for start, end in marked:
            flag[start:end] = True
    tone = np.zeros(len(text) + 1, np.int8)
    for start, end, level in sorted(tones, key=lambda one: -one[2]):
        tone[start:end] = level

    def cut(start: int, end: int, at: int) -> Run:
        run = Run(mask.cut(start, end), start, end, at)
        if at != PLAIN:
            run = replace(run, passage=label(passages[at]), kind=passages[at].kind)
        if start == end:
            return run
        agrees = bool(equal[start])  # the other text has it word for word
        return replace(
            run,
            kind="identical" if run.kind == "reworded" and agrees else run.kind,
            changed=at != PLAIN and bool(flags[start]) and not agrees,
            left_out=bool(out[start]),
            agrees=agrees,
            tone=int(tone[start]) if at != PLAIN else 0,
            unsure=bool(odd[start]),
        )

    ranges = paragraphs(text)
    seen = {i for low, high in ranges for i in owner[low:high].tolist()}
    shadowed = sorted({*range(len(passages))} - seen, key=lambda i: spans[i])
    columns = (owner, flags, tone, out, equal, odd)
    cuts = np.flatnonzero(np.logical_or.reduce([np.diff(column) != 0 for column in columns])) + 1
    cuts = np.union1d(cuts, [spans[i][0] for i in shadowed]).astype(np.int64)
    laid = [
        [(start, end, int(owner[start])) for start, end in _between(cuts, low, high)]
        for low, high in ranges
    ]
    _insert_shadowed(laid, [(i, spans[i][0]) for i in shadowed])
    return [tuple(cut(*one) for one in paragraph) for paragraph in laid]


def _insert_shadowed(laid: list[list[tuple[int, int, int]]], shadowed: list[Span]) -> None:
    """Add an empty range where a match begins whose characters all belong to better ones."""
    waiting = list(reversed(shadowed))
    for paragraph in laid:
        at = 0
        while waiting and at < len(paragraph):
            if paragraph[at][1] > waiting[-1][1]:
                match, _ = waiting.pop()
                start = paragraph[at][0]
                paragraph.insert(at, (start, start, match))
            at += 1
    if waiting and laid:
        end = laid[-1][-1][1]
        laid[-1] += [(end, end, match) for match, _ in reversed(waiting)]


def owners(length: int, spans: Sequence[Span], ranks: Sequence[Any]) -> NDArray[np.int32]:
    """Return int32 (length + 1,): which span owns each character, the highest rank winning."""
    owner = np.full(length + 1, PLAIN, np.int32)
    for i in sorted(range(len(spans)), key=lambda i: ranks[i]):
        owner[spans[i][0] : spans[i][1]] = i
    return owner


def runs(values: NDArray[np.int32], low: int, high: int) -> list[Span]:
    """Return the ranges of equal values inside [low, high)."""
    return _between(np.flatnonzero(np.diff(values)) + 1, low, high) if high > low else []


def _between(cuts: NDArray[np.int64], low: int, high: int) -> list[Span]:
    inner = cuts[np.searchsorted(cuts, low, "right") : np.searchsorted(cuts, high, "left")]
    edges = [low, *inner.tolist(), high]
    return list(pairwise(edges))


def union(spans: Sequence[Span]) -> list[Span]:
    """Return spans joined where they touch or overlap, in order."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def count_evidence(passages: Any) -> int:
    """Return how many passages count as evidence; weaker ones are shown apart."""
    return int((~np.asarray(passages.weak, bool)).sum())


def find_left_out(notes: Sequence[Any]) -> list[Span]:
    """Return the ranges of a document that do not count: given to everybody, or excluded."""
    return [(note.start, note.end) for note in notes if note.code in NOT_COUNTED]


def list_unsure(notes: Sequence[Any]) -> list[Span]:
    """Return the words of a document that recognition may have misread."""
    return sorted(
        (int(start), int(end))
        for note in notes
        if note.code in UNSURE
        for start, end in note.params.get("spans", ())
    )


def split_passages(passages: Sequence[Match], texts: tuple[str, str]) -> tuple[Match, ...]:
    """Part every long reworded passage where a paragraph of the first text ends."""
    borders = tuple([end for _, end in paragraphs(text)] for text in texts)
    return tuple(part for match in passages for part in _split_passage(match, texts, borders))


def _split_passage(
    match: Match, texts: tuple[str, str], borders: Sequence[Sequence[int]]
) -> list[Match]:
    inner = [end for end in borders[0] if match.a[0] < end < match.a[1]]
    parted = match.basis == "reworded" and match.kind in ("reworded", "moved")
    if not parted or not inner or count_units(texts[0][slice(*match.a)]) < LONG:
        return [match]
    across = counterparts(
        texts[0][slice(*match.a)], texts[1][slice(*match.b)], [end - match.a[0] for end in inner]
    )
    other = [end for end in borders[1] if match.b[0] < end < match.b[1]]
    ends = []
    for at in (match.b[0] + at for at in across):
        nearest = min((abs(end - at), end) for end in other) if other else (0, at)
        ends.append(nearest[1] if nearest[0] <= NEAR else at)
    left, right = [match.a[0], *inner, match.a[1]], [match.b[0]]
    right += [min(max(end, match.b[0]), match.b[1]) for end in ends] + [match.b[1]]
    right = list(accumulate(right, max))
    blocks = list(pairwise([match.b[0], *other, match.b[1]]))
    spans = zip(pairwise(left), pairwise(right), strict=True)
    found = [part for a, b in spans if (part := _pair_part(match, texts, a, b, blocks))]
    chain = longest_order([((0, one.a[1] - one.a[0]), one.b) for one in found])
    return [replace(one, part=at + 1, crossed=at not in chain) for at, one in enumerate(found)] or [
        match
    ]


def _pair_part(
    match: Match, texts: tuple[str, str], a: Span, b: Span, blocks: Sequence[Span]
) -> Match | None:
    """Return a part with the range of the second text that says the same, None without any.

    In order that is `b`; where one of its paragraphs, `blocks`, holds most words of the part and
    far more than `b`, it is that one.
    """
    mine = [texts[0][slice(*span)].casefold() for span in units(texts[0], a)]
    common = {span: _count_common(mine, texts[1], span) for span in (b, *blocks)}
    best = max(common, key=lambda span: (common[span], span[0] - span[1]))
    clearly = common[best] == common[b] or common[best] > CLEARLY_MORE * common[b]
    if clearly and 2 * common[best] > len(mine):
        b = best
    elif common[b] < LEAST_OF_PART * len(mine):
        return None
    a, b = _trim_space(texts[0], a), _trim_space(texts[1], b)
    return replace(match, a=a, b=b, whole=(match.a, match.b))


def _count_common(words: list[str], text: str, span: Span) -> int:
    """Count the words that stand in a range of the other text too, in runs of two or more."""
    other = [text[slice(*one)].casefold() for one in units(text, span)]
    return int(_mark_elsewhere(words, other, min(len(words), 2)).sum())


def _trim_space(text: str, span: Span) -> Span:
    """Return a range without the white space at its edges."""
    inside = text[slice(*span)]
    start = span[0] + len(inside) - len(inside.lstrip())
    return min(start, span[1]), max(span[1] - len(inside) + len(inside.rstrip()), start)


# --------------------------------------------------------------------------- words that differ
def difference(
    left: str, right: str, *, additions_only: bool = False
) -> tuple[list[Span], list[Span]]:
    """Return the ranges of words that differ on each side: Han by character, else by word.

    `additions_only` leaves out words that stand in each other's place, which in an identical
    passage are other forms of the same word (traditional script, full width).

    Notes
    -----
    Words are aligned in order first; a changed run that the other side has elsewhere (four Han
    characters or three words in a row) is a change of place and is not marked. Very long passages
    use that second rule alone.
    """
    spans, words, steps = _align(left, right)
    same_left, same_right = (np.zeros(len(side), bool) for side in words)
    for step, i0, i1, j0, j1 in steps or ():
        if step == "equal" or (additions_only and step == "replace"):
            same_left[i0:i1] = same_right[j0:j1] = True
    length = 4 if unit_of(left) == "characters" else 3
    same_left |= _mark_elsewhere(words[0], words[1], length)
    same_right |= _mark_elsewhere(words[1], words[0], length)
    return _join_words(spans[0], ~same_left), _join_words(spans[1], ~same_right)


def counterparts(left: str, right: str, places: Sequence[int]) -> list[int]:
    """Return the places in the second text that correspond to the given places of the first.

    A place stands behind the last word before it that both texts have in common order; places
    rise, so their counterparts never fall. Very long texts are taken in proportion.
    """
    spans, _, steps = _align(left, right)
    if steps is None:
        return [round(at * len(right) / max(len(left), 1)) for at in places]
    ends = [
        (spans[0][a][1], spans[1][b][1])
        for step, i0, i1, j0, j1 in steps if step == "equal"
        for a, b in zip(range(i0, i1), range(j0, j1), strict=True)
    ]  # fmt: skip
    mine = [end for end, _ in ends]
    across = []
    for at in places:
        before = bisect_right(mine, at)
        across.append(ends[before - 1][1] if before else 0)
    return across


Steps = Sequence[tuple[str, int, int, int, int]]  # what `SequenceMatcher.get_opcodes` gives


def _align(
    left: str, right: str
) -> tuple[tuple[list[Span], list[Span]], tuple[list[str], list[str]], Steps | None]:
    """Return words of both sides as ranges and as compared, and the steps between them.

    Steps are None where the words are too many to align.
    """
    spans = units(left), units(right)
    words = (
        [left[slice(*span)].casefold() for span in spans[0]],
        [right[slice(*span)].casefold() for span in spans[1]],
    )
    if len(words[0]) * len(words[1]) > ALIGN_LIMIT:
        return spans, words, None
    return spans, words, SequenceMatcher(None, *words, autojunk=False).get_opcodes()


def units(text: str, span: Span | None = None) -> list[Span]:
    """Return the ranges of the words of a text: a Han character, or letters and digits."""
    return [match.span() for match in _UNIT.finditer(text, *(span or ()))]


def _mark_elsewhere(words: list[str], other: list[str], length: int) -> NDArray[np.bool_]:
    """Mark the words inside a run of `length` that the other side has anywhere."""
    runs = {tuple(other[i : i + length]) for i in range(len(other) - length + 1)}
    same = np.zeros(len(words), bool)
    for i in range(len(words) - length + 1):
        if tuple(words[i : i + length]) in runs:
            same[i : i + length] = True
    return same


def _join_words(units: list[Span], marked: NDArray[np.bool_]) -> list[Span]:
    """Join neighbouring marked words into ranges; only directly attached ones share a range."""
    ranges: list[Span] = []
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
    spans, _, steps = _align(left, right)
    changed: list[tuple[int, int, int, int]] = []
    for tag, i0, i1, j0, j1 in steps or ():
        if tag == "equal":
            continue
        if changed and _is_bridged(left, spans[0], changed[-1][0], changed[-1][1], i0, i1):
            i0, j0 = changed[-1][0], changed[-1][2]
            changed.pop()
        changed.append((i0, i1, j0, j1))

    def shown(some: list[Span], cut: Cut) -> str:
        return " ".join(cut(some[0][0], some[-1][1]).split()) if some else ""

    return [
        Change(shown(spans[0][i0:i1], cut_left), shown(spans[1][j0:j1], cut_right))
        for i0, i1, j0, j1 in changed
    ]


def _is_bridged(text: str, spans: list[Span], *at: int) -> bool:
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
