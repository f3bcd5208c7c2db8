"""How two texts are laid out for reading: numbers, kinds, paragraphs, folds and word differences.

Pure presentation: no streamlit, no sentence. Every range is a half-open range of code points into
`Document.text`, so what is drawn is a slice of the text and never a copy that could differ.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

KINDS = ("identical", "reworded", "summary")  # the order of `Passages.kind`
PLAIN = -1
ALIGN_LIMIT = 4_000_000  # token pairs; above it the quadratic alignment would be felt as a pause

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_UNIT = re.compile(rf"[{_HAN}]|[^\W{_HAN}_]+(?:['’][^\W{_HAN}_]+)*")
_HAN_ONE = re.compile(f"[{_HAN}]")
_SENTENCE_END = re.compile(r"[.!?:;。！？：；…”’\"')\]）》】|>`*-]\s*$")


@dataclass(frozen=True, slots=True)
class Match:
    """One passage as a reader meets it.

    `kind` is what is drawn (`identical`, `reworded`, `moved`, `summary`, `weak`), `basis` what
    the core found. Weak evidence has its own numbers and is never counted.
    """

    number: int
    kind: str
    basis: str
    a: tuple[int, int]
    b: tuple[int, int]
    score: float


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text that is drawn in one way: `text[start:end]` of match `owner`, or plain."""

    start: int
    end: int
    owner: int  # index into the matches, PLAIN outside
    changed: bool = False  # a word that the other side says differently
    fold: int = PLAIN  # index of the run hidden by "only matches with context"
    left_out: bool = False  # text that counts nowhere


def count_units(text: str) -> int:
    """Count words the way word processors do: each Han character and each other word is one."""
    return sum(1 for _ in _UNIT.finditer(text))


def is_han(text: str) -> bool:
    """Say whether a text reads as Chinese: at least a third of its units are Han characters."""
    sample = text[:4000]
    units = count_units(sample)
    return units > 0 and len(_HAN_ONE.findall(sample)) * 3 >= units


def matches(passages: Any) -> tuple[Match, ...]:
    """Number the passages of one pair in the order of the first text and name their kinds.

    Parameters
    ----------
    passages : Passages
        Of one pair; both sides' ranges, `kind`, `score`, `weak`.

    Notes
    -----
    *Moved* is identical or reworded text outside the longest common order: the chain of passages
    that rises in both texts and carries the most characters. Summaries stand for a whole stretch
    of the other text and have no order.
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
    basis = [KINDS[int(passages.kind[i])] for i in rows]
    weak = [bool(passages.weak[i]) for i in rows]
    ordered = [n for n in range(len(rows)) if not weak[n] and basis[n] != "summary"]
    in_order = {ordered[i] for i in longest_order([spans[n] for n in ordered])}
    movable = set(ordered) - in_order
    found = []
    for n, row in enumerate(rows):
        kind = "weak" if weak[n] else "moved" if n in movable else basis[n]
        number = n + 1 if not weak[n] else n + 1 - weak.index(True)
        found.append(Match(number, kind, basis[n], *spans[n], float(passages.score[row])))
    return tuple(found)


def longest_order(spans: Sequence[tuple[tuple[int, int], tuple[int, int]]]) -> list[int]:
    """Return the positions of the heaviest chain that rises in the second text.

    `spans` are sorted by the first text; the weight of a passage is its length there. A Fenwick
    tree of prefix maxima makes it O(n log n), so thousands of passages cost milliseconds.
    """
    starts = sorted({b[0] for _, b in spans})
    tree: list[tuple[int, int]] = [(0, PLAIN)] * (len(starts) + 1)
    before = [PLAIN] * len(spans)
    best = (0, PLAIN)
    for i, (a, b) in enumerate(spans):
        rank = bisect_left(starts, b[0])
        reach, previous = (0, PLAIN)
        slot = rank  # strictly earlier starts
        while slot > 0:
            reach, previous = max((reach, previous), tree[slot])
            slot &= slot - 1
        before[i] = previous
        total = (reach + max(1, a[1] - a[0]), i)
        best = max(best, total)
        slot = rank + 1
        while slot < len(tree):
            tree[slot] = max(tree[slot], total)
            slot += slot & -slot
    chain = []
    at = best[1]
    while at != PLAIN:
        chain.append(at)
        at = before[at]
    return chain[::-1]


def difference(
    left: str, right: str, *, additions_only: bool = False
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the ranges of words that each side says differently: Han by character, else by word.

    `additions_only` leaves out words that stand in each other's place, which in an identical
    passage are other forms of the same word (traditional script, full width).

    Notes
    -----
    Words are aligned in order first; a changed run that the other side has elsewhere (four Han
    characters or three words in a row) is a change of place and is not marked. Very long passages
    use that second rule alone.
    """
    units = _units(left), _units(right)
    words = tuple(
        [side_text(text, span) for span in spans]
        for text, spans in zip((left, right), units, strict=True)
    )
    if len(words[0]) * len(words[1]) <= ALIGN_LIMIT:
        same_left, same_right = _aligned(*words, additions_only)
    else:
        same_left = np.zeros(len(words[0]), bool)
        same_right = np.zeros(len(words[1]), bool)
    length = 4 if is_han(left) else 3
    same_left |= _occurs(words[0], words[1], length)
    same_right |= _occurs(words[1], words[0], length)
    return _joined(units[0], ~same_left), _joined(units[1], ~same_right)


def side_text(text: str, span: tuple[int, int]) -> str:
    """Return one word in the form in which it is compared."""
    return text[span[0] : span[1]].casefold()


def _units(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in _UNIT.finditer(text)]


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
    known = {tuple(other[i : i + length]) for i in range(len(other) - length + 1)}
    same = np.zeros(len(words), bool)
    for i in range(len(words) - length + 1):
        if tuple(words[i : i + length]) in known:
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


def paragraphs(text: str) -> list[tuple[int, int]]:
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


def tight(text: str, ranges: Sequence[tuple[int, int]]) -> list[bool]:
    """Say which paragraphs follow the one before without a blank line, as code and lists do.

    All False where blank lines are rare: there every line is a paragraph of its own.
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


def pieces(
    text: str,
    found: Sequence[Match],
    side: int,
    *,
    changed: Sequence[tuple[int, int]] = (),
    left_out: Sequence[tuple[int, int]] = (),
    context: int = 60,
) -> list[list[Piece]]:
    """Cut one text into the runs that are drawn alike, paragraph by paragraph.

    Parameters
    ----------
    side : int
        0 for the first text of the pair, 1 for the second.
    changed : sequence of (start, end)
        Words said differently on the other side.
    left_out : sequence of (start, end)
        Text that counts nowhere.
    context : int
        Characters kept on each side of a match when the rest is folded away.

    Notes
    -----
    Where passages overlap the more telling one owns the characters: identical before reworded
    before summary before weak, shorter before longer.
    """
    owner = owners(len(text), [(m.a, m.b)[side] for m in found], [_rank(m) for m in found])
    flags, out = np.zeros((2, len(text) + 1), bool)
    for flag, ranges in ((flags, changed), (out, left_out)):
        for start, end in ranges:
            flag[start:end] = True
    fold = folds(owner[:-1] != PLAIN, context)
    columns = (owner, flags, fold, out)
    cuts = np.flatnonzero(np.logical_or.reduce([np.diff(column) != 0 for column in columns])) + 1
    return [
        [
            Piece(
                start,
                end,
                int(owner[start]),
                bool(flags[start]),
                int(fold[start]),
                bool(out[start]),
            )
            for start, end in _between(cuts, low, high)
        ]
        for low, high in paragraphs(text)
    ]


def _rank(match: Match) -> tuple[int, int]:
    order = {"weak": 0, "summary": 1, "reworded": 2, "identical": 3}
    kind = "weak" if match.kind == "weak" else match.basis
    return order[kind], -(match.a[1] - match.a[0])


def owners(
    length: int, spans: Sequence[tuple[int, int]], ranks: Sequence[Any]
) -> NDArray[np.int32]:
    """Return int32 (length + 1,): which span owns each character, the highest rank winning."""
    owner = np.full(length + 1, PLAIN, np.int32)
    for i in sorted(range(len(spans)), key=lambda i: ranks[i]):
        owner[spans[i][0] : spans[i][1]] = i
    return owner


def folds(kept: NDArray[np.bool_], context: int) -> NDArray[np.int32]:
    """Number the runs that lie more than `context` characters from any kept character.

    Returns int32 (length + 1,), PLAIN where the text stays. Runs shorter than `context` stay too:
    a button in their place would save nothing.
    """
    result = np.full(len(kept) + 1, PLAIN, np.int32)
    edges = np.diff(np.concatenate(([True], kept, [True])).astype(np.int8))
    starts, ends = np.flatnonzero(edges == -1), np.flatnonzero(edges == 1)
    run = 0
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        low = start + context if start else start
        high = end - context if end < len(kept) else end
        if high - low > context:
            result[low:high] = run
            run += 1
    return result


def runs(values: NDArray[np.int32], low: int, high: int) -> list[tuple[int, int]]:
    """Return the ranges of equal values inside [low, high)."""
    return _between(np.flatnonzero(np.diff(values)) + 1, low, high) if high > low else []


def _between(cuts: NDArray[np.int64], low: int, high: int) -> list[tuple[int, int]]:
    inner = cuts[np.searchsorted(cuts, low, "right") : np.searchsorted(cuts, high, "left")]
    edges = [low, *inner.tolist(), high]
    return list(pairwise(edges))


def covered(spans: Sequence[tuple[int, int]]) -> int:
    """Count the characters that lie in any of the spans, none of them twice."""
    total, reached = 0, 0
    for start, end in sorted(spans):
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total


def square_sizes(margin: NDArray[np.float64], top: float) -> list[int]:
    """Return the side of each bit's square in percent of its cell: 18 + 62 sqrt(margin / top)."""
    if top <= 0:
        return [18] * len(margin)
    return np.rint(18 + 62 * np.sqrt(margin / top)).astype(int).tolist()


def first_bit(
    a: NDArray[np.bool_],
    b: NDArray[np.bool_],
    margin_a: NDArray[np.float64],
    margin_b: NDArray[np.float64],
) -> int:
    """Return the differing bit on which both sides are firmest, else the firmest of all."""
    firm = np.minimum(margin_a, margin_b)
    differing = a != b
    return int(np.argmax(np.where(differing, firm, -1.0) if differing.any() else firm))


def counted(passages: Any) -> int:
    """Return how many passages count as evidence; weaker ones are shown apart."""
    return int((~np.asarray(passages.weak, bool)).sum())


def left_out(notes: Sequence[Any]) -> list[tuple[int, int]]:
    """Return the ranges of a document that count nowhere: what everybody was given."""
    return [(note.start, note.end) for note in notes if note.code == "template"]
