"""Collation: one base text for all witnesses of a passage, and every place where some differ.

As a critical edition does it: the base has the reading of most witnesses at each place, the
others are variants with the witnesses that have them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..model import I32, I64, Bools
from .witness import Blocks, Witness, equal_blocks

OUTSIDE = -1  # in `Collation.table`: this place lies outside what the witness holds
LEAST_EQUAL = 0.4  # of the shorter of base and witness; below, they differ too much to collate
MOST_ROUNDS = 3  # of new base and new alignment
MOST_JOINED = 6  # words; one place does not grow beyond it unless the same witnesses differ
LEAST_LACKING = 4  # words at the beginning or end: fewer are a variant, more were not taken over
_LINE_END = re.compile(r"\s*\n\s*")
_ISLAND = 2  # tokens; fewer equal ones between larger changes are chance


@dataclass(frozen=True, slots=True)
class Reading:
    """What some witnesses have at a place; `text` is empty where they have nothing."""

    text: str
    witnesses: tuple[int, ...]  # columns of the table


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of the base text in which some witnesses differ.

    The first reading is that of the base, the others follow by how many witnesses have them.
    """

    start: int  # code points of `Collation.base`
    end: int
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Collation:
    """All witnesses of a passage against one base; w witnesses, p places.

    `table[i, j]` is the reading that witness j has at place i: 0 the base, -1 where the place
    lies outside what it holds. `spans[i, j]` is where it has it, code points of its own text.
    """

    base: str
    places: tuple[Place, ...]
    witnesses: I64  # (w,) as numbered by the caller
    apart: I64  # witnesses that differ too much to be collated
    table: I32  # (p, w)
    spans: I32  # (p, w, 2)

    @property
    def departures(self) -> I64:
        """Places at which each witness differs from the base, int64 (w,)."""
        return np.asarray((self.table > 0).sum(axis=0), np.int64)


@dataclass(slots=True)
class _Base:
    """The base text token by token; `gap` is what stands behind a token."""

    token: list[int]
    text: list[str]
    gap: list[str]
    word: list[bool]
    border: list[bool]

    def part(self, first: int, last: int) -> _Base:
        columns = (self.token, self.text, self.gap, self.word, self.border)
        return _Base(*(column[first:last] for column in columns))  # type: ignore[arg-type]

    def add(self, other: _Base) -> None:
        for mine, theirs in (
            (self.token, other.token),
            (self.text, other.text),
            (self.gap, other.gap),
            (self.word, other.word),
            (self.border, other.border),
        ):
            mine += theirs  # type: ignore[arg-type, operator]


@dataclass(frozen=True, slots=True, eq=False)
class _Aligned:
    """One witness against the base: `cut[i]` is its first token of word i of the base."""

    cut: I64  # (words + 1,)
    same: Bools  # (words,) certainly reads as the base
    inside: Bools  # (words,) not before or behind what it holds


def collate(witnesses: Sequence[Witness]) -> Collation:
    """Align every witness to a base that is built from the readings of most.

    Parameters
    ----------
    witnesses
        Stretches of texts, each at least one token long.

    Notes
    -----
    The base begins as the witness with the most common neighbourhoods of words; then each word
    takes the reading of most witnesses, a tie the one whose witness departs least, until nothing
    changes. Cost: `MOST_ROUNDS` alignments a witness.
    """
    base = _base_of(witnesses[_typical(witnesses)])
    for round_ in range(MOST_ROUNDS):
        aligned = [_align(base, witness) for witness in witnesses]
        if round_ == MOST_ROUNDS - 1:
            break
        better = _majority(base, witnesses, aligned)
        if better.token == base.token:
            break
        base = better
    return _collation(base, witnesses, aligned)


def _typical(witnesses: Sequence[Witness]) -> int:
    """Return the witness whose pairs of neighbouring tokens are mostly those of the majority."""
    pairs = [np.unique(one.token[:-1] * 31 + one.token[1:]) for one in witnesses]
    value, where, count = np.unique(
        np.concatenate(pairs), return_inverse=True, return_counts=True
    )
    bonus = (2 * count - len(witnesses))[where]
    ends = np.cumsum([len(one) for one in pairs])
    sums = np.concatenate([[0], np.cumsum(bonus)])
    return int(np.argmax(sums[ends] - sums[ends - [len(one) for one in pairs]]))


def _base_of(witness: Witness, first: int = 0, last: int | None = None) -> _Base:
    """Return tokens [first, last) of a witness as base text, white space reduced."""
    last = len(witness) if last is None else last
    start, end = witness.start.tolist(), witness.end.tolist()
    gaps = []
    for row in range(first, last):
        until = start[row + 1] if row + 1 < len(witness) else int(witness.end_attached[row])
        until = max(until, end[row])
        around = witness.text[end[row] - 1 : end[row]], witness.text[until : until + 1]
        gaps.append(_gap(around[0], witness.text[end[row] : until], around[1]))
    return _Base(
        witness.token[first:last].tolist(),
        [witness.text[start[row] : end[row]] for row in range(first, last)],
        gaps,
        witness.word[first:last].tolist(),
        witness.border[first:last].tolist(),
    )


def _gap(before: str, gap: str, behind: str) -> str:
    """Return what stands between two tokens with line ends only between paragraphs."""

    def joined(match: re.Match[str]) -> str:
        if match[0].count("\n") > 1:
            return "\n"
        sides = (before + gap[: match.start()])[-1:], (gap[match.end() :] + behind)[:1]
        return " " if all(side < "\u2e80" for side in sides) else ""

    return _LINE_END.sub(joined, gap)


def _align(base: _Base, witness: Witness) -> _Aligned | None:
    """Align one witness word by word of the base; None where they differ too much."""
    n = len(base.token)
    blocks = _without_islands(equal_blocks(np.array(base.token, np.int64), witness.token))
    equal = int(blocks[:, 2].sum())
    if equal < LEAST_EQUAL * min(n, len(witness)) or not equal:
        return None
    matched = np.zeros(n, np.bool_)
    for i, _, length in blocks.tolist():
        matched[i : i + length] = True
    first = _word_starts(base)
    cut = _cuts(base, witness, blocks, first)
    whole = np.logical_and.reduceat(matched, first[:-1])
    same = whole & (np.diff(cut) == np.diff(first))
    inside = np.ones(len(same), np.bool_)
    lead = int(np.searchsorted(first, blocks[0, 0], side="right")) - 1
    tail = int(np.searchsorted(first, blocks[-1, 0] + blocks[-1, 2]))
    if lead >= LEAST_LACKING and cut[lead] == cut[0]:
        inside[:lead] = False
    if len(same) - tail >= LEAST_LACKING and cut[tail] == cut[-1]:
        inside[tail:] = False
    return _Aligned(cut, same, inside)


def _word_starts(base: _Base) -> I64:
    """Return the first token of each word of the base, and its end."""
    starts = np.flatnonzero(np.array(base.word, np.bool_))
    if not len(starts) or starts[0]:
        starts = np.insert(starts, 0, 0)
    return np.append(starts, len(base.token)).astype(np.int64)


def _without_islands(blocks: Blocks) -> Blocks:
    """Take out short blocks between larger changes: a common word in a rewritten sentence."""
    chosen: list[list[int]] = []
    rows = blocks.tolist()
    for row, (i, j, length) in enumerate(rows):
        if 0 < row < len(rows) - 1 and length <= _ISLAND and chosen:
            before, after = chosen[-1], rows[row + 1]
            left = max(i - before[0] - before[2], j - before[1] - before[2])
            right = max(after[0] - i - length, after[1] - j - length)
            if length < min(left, right):
                continue
        chosen.append([i, j, length])
    return np.array(chosen, np.int64).reshape(-1, 3)


def _cuts(base: _Base, witness: Witness, blocks: Blocks, first: I64) -> I64:
    """Return the first token of the witness that belongs to each word of the base, and its end."""
    n = len(base.token)
    place = np.zeros(n + 1, np.int64)
    base_words = np.zeros(n + 1, np.bool_)
    base_words[first] = True
    edges = [(0, 0, 0), *map(tuple, blocks.tolist()), (n, len(witness), 0)]
    for (i, j, length), (next_i, next_j, _) in zip(edges[:-1], edges[1:], strict=True):
        place[i + 1 : i + length] = np.arange(j + 1, j + length)  # of the first: the gap before
        low, high = i + length, next_i
        a, b = j + length, next_j
        if low == high:  # words that only the witness has go to the word behind, or before a pause
            place[low] = b if low > 0 and a < b and _goes_back(base, witness, low, a) else a
            continue
        place[low] = a
        inner = low + 1 + np.flatnonzero(base_words[low + 1 : high])
        theirs = a + 1 + np.flatnonzero(witness.word[a + 1 : b])
        place[low + 1 : high] = a
        if len(inner):
            pairs = min(len(inner), len(theirs))
            place[inner[:pairs]] = theirs[:pairs]
            place[inner[pairs:]] = b
        place[high] = b
    cut = place[first]
    return _trimmed(cut, first, blocks)


def _goes_back(base: _Base, witness: Witness, low: int, a: int) -> bool:
    """Whether words that only the witness has belong to the word before them.

    They do at the end, inside a word of the witness, and before a pause.
    """
    if low == len(base.token) or not witness.word[a]:
        return True
    return base.border[low] and not witness.border[a]


def _trimmed(cut: I64, first: I64, blocks: Blocks) -> I64:
    """Leave out what a witness has before the beginning and behind the end of the base."""
    i, j, _ = blocks[0].tolist()
    last_i, last_j, length = blocks[-1].tolist()
    cut = cut.copy()
    cut[0] = max(int(cut[0]), j - 2 * i)
    rest = int(first[-1]) - last_i - length
    cut[-1] = min(int(cut[-1]), last_j + length + 2 * rest)
    return np.minimum(np.maximum(cut, cut[0]), cut[-1])


def _words_at(witness: Witness, aligned: _Aligned, row: int) -> tuple[int, ...]:
    return tuple(witness.token[aligned.cut[row] : aligned.cut[row + 1]].tolist())


def _majority(
    base: _Base, witnesses: Sequence[Witness], aligned: Sequence[_Aligned | None]
) -> _Base:
    """Return the base with the reading of most witnesses at each word."""
    collated = [(w, a) for w, a in zip(witnesses, aligned, strict=True) if a is not None]
    if not collated:
        return base
    inside = np.stack([a.inside for _, a in collated])
    differs = np.stack([~a.same for _, a in collated]) & inside
    departures = differs.sum(axis=1)
    first = _word_starts(base)
    better = _Base([], [], [], [], [])
    for word in range(len(first) - 1):
        low, high = int(first[word]), int(first[word + 1])
        source = _most_common(base.token[low:high], collated, differs, inside, departures, word)
        if source is None:
            better.add(base.part(low, high))
        else:
            witness, of_witness = collated[source]
            cut = of_witness.cut
            better.add(_base_of(witness, int(cut[word]), int(cut[word + 1])))
    return better if better.token else base


def _most_common(
    lemma: list[int],
    collated: Sequence[tuple[Witness, _Aligned]],
    differs: Bools,
    inside: Bools,
    departures: I64,
    word: int,
) -> int | None:
    """Return a witness with the reading of most, None where that is the base."""
    others = np.flatnonzero(differs[:, word])
    if 2 * len(others) < int(inside[:, word].sum()):
        return None
    readings = {row: _words_at(*collated[row], word) for row in others.tolist()}
    count = Counter(readings.values())
    mine = tuple(lemma)
    agreeing = np.flatnonzero(~differs[:, word] & inside[:, word])
    count[mine] += len(agreeing)
    least = {reading: len(departures) for reading in count}
    for row, reading in [*readings.items(), *((int(row), mine) for row in agreeing)]:
        least[reading] = min(least[reading], int(departures[row]))
    best = min(count, key=lambda one: (-count[one], least[one], one != mine, one))
    if best == mine:
        return None
    return min((r for r, reading in readings.items() if reading == best), key=lambda r: departures[r])


def _collation(
    base: _Base, witnesses: Sequence[Witness], aligned: Sequence[_Aligned | None]
) -> Collation:
    """Write down the places at which witnesses differ."""
    rows = [row for row, one in enumerate(aligned) if one is not None]
    collated = [(witnesses[row], one) for row, one in enumerate(aligned) if one is not None]
    text, start, end = _written(base)
    first = _word_starts(base)
    lemma = [tuple(base.token[a:b]) for a, b in zip(first[:-1], first[1:], strict=True)]
    differs = np.zeros((len(collated), len(lemma)), np.bool_)
    for column, (witness, one) in enumerate(collated):
        for word in np.flatnonzero(~one.same & one.inside).tolist():
            differs[column, word] = _words_at(witness, one, word) != lemma[word]
    places, table, spans = [], [], []
    for low, high in _joined(differs):
        place, cells, where = _place(text, collated, low, high, lemma)
        begin, finish = int(start[first[low]]), int(end[first[high] - 1])
        places.append(Place(begin, finish, (Reading(text[begin:finish], place[0][1]), *(
            Reading(reading, holders) for reading, holders in place[1:]
        ))))
        table.append(cells)
        spans.append(where)
    apart = [row for row, one in enumerate(aligned) if one is None]
    return Collation(
        text,
        tuple(places),
        np.array(rows, np.int64),
        np.array(apart, np.int64),
        np.array(table, np.int32).reshape(len(places), len(rows)),
        np.array(spans, np.int32).reshape(len(places), len(rows), 2),
    )


def _written(base: _Base) -> tuple[str, I64, I64]:
    """Return the text of the base and the range of each token."""
    pieces: list[str] = []
    start, end, reached = [], [], 0
    for row, (token, gap) in enumerate(zip(base.text, base.gap, strict=True)):
        following = base.text[row + 1] if row + 1 < len(base.text) else ""
        if not gap and _latin(token[-1:]) and _latin(following[:1]):
            gap = " "  # the reading of another witness, which ended here
        start.append(reached)
        end.append(reached + len(token))
        pieces += [token, gap]
        reached += len(token) + len(gap)
    return "".join(pieces), np.array(start, np.int64), np.array(end, np.int64)


def _latin(character: str) -> bool:
    return character.isalnum() and character < "\u2e80"


def _joined(differs: Bools) -> list[tuple[int, int]]:
    """Join neighbouring words at which the same witnesses differ to one place.

    Where those of one are among those of the other too, as long as the place stays short.
    """
    ranges: list[tuple[int, int]] = []
    for word in np.flatnonzero(differs.any(axis=0)).tolist():
        if ranges and ranges[-1][1] == word:
            low = ranges[-1][0]
            here, before = differs[:, word], differs[:, low:word].any(axis=1)
            nested = not (here & ~before).any() or not (before & ~here).any()
            if np.array_equal(here, before) or (nested and word - low < MOST_JOINED):
                ranges[-1] = (low, word + 1)
                continue
        ranges.append((word, word + 1))
    return ranges


def _place(
    text: str,
    collated: Sequence[tuple[Witness, _Aligned]],
    low: int,
    high: int,
    lemma: Sequence[tuple[int, ...]],
) -> tuple[list[tuple[str, tuple[int, ...]]], list[int], list[tuple[int, int]]]:
    """Return the readings at words [low, high) with their witnesses, and each witness's cell."""
    mine = tuple(token for word in lemma[low:high] for token in word)
    holders: dict[tuple[int, ...], list[int]] = {mine: []}
    spans: list[tuple[int, int]] = []
    of_witness: list[tuple[int, ...] | None] = []
    for column, (witness, one) in enumerate(collated):
        a, b = int(one.cut[low]), int(one.cut[high])
        reading = tuple(witness.token[a:b].tolist()) if one.inside[low:high].any() else None
        if reading is not None:
            holders.setdefault(reading, []).append(column)
        of_witness.append(reading)
        spans.append(_span(witness, a, b))
    order = sorted(holders, key=lambda one: (one != mine, -len(holders[one]), holders[one]))
    number = {reading: row for row, reading in enumerate(order)}
    readings = []
    for reading in order:
        shown = ""
        if holders[reading]:
            witness, one = collated[holders[reading][0]]
            shown = witness.reading(int(one.cut[low]), int(one.cut[high]))
        readings.append((shown, tuple(holders[reading])))
    cells = [OUTSIDE if reading is None else number[reading] for reading in of_witness]
    return readings, cells, spans


def _span(witness: Witness, first: int, last: int) -> tuple[int, int]:
    """Code points of tokens [first, last); an empty range stands before the next token."""
    if first < last:
        return int(witness.start[first]), int(witness.end[last - 1])
    at = int(witness.start[first]) if first < len(witness) else int(witness.end[-1])
    return at, at
