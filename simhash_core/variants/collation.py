"""Collation: one base text for all witnesses of a passage, and every place where some differ.

As a critical edition does it: the base is made of pieces of witnesses and has the reading of most
at each place; each witness is held against it, which of its words stand for which word of the base;
the others are variants with the witnesses that have them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..model import I32, I64, Bools
from .witness import Blocks, Witness, equal_blocks

OUTSIDE = -1  # in `Collation.table`: this place lies outside what the witness holds
MOST_ROUNDS = 3  # of new base and new alignment
MOST_JOINED = 6  # words; one place does not grow beyond it unless the same witnesses differ

LEAST_EQUAL = 0.4  # of the shorter of base and witness; below, they differ too much to collate
LEAST_LACKING = 4  # words at the beginning or end: fewer are a variant, more were not taken over
ISLAND = 2  # tokens; fewer equal ones between larger changes are chance

_LINE_END = re.compile(r"(?<!\s)\s*\n\s*")
_FIRST_WIDE = "\u2e80"  # Han, kana and their punctuation begin here


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
    apart: I64  # those that differ too much to be collated
    table: I32  # (p, w)
    spans: I32  # (p, w, 2)

    @property
    def departures(self) -> I64:
        """Places at which each witness differs from the base, int64 (w,)."""
        return np.asarray((self.table > 0).sum(axis=0), np.int64)


def collate(witnesses: Sequence[Witness]) -> Collation:
    """Align every witness to a base that is built from the readings of most.

    Parameters
    ----------
    witnesses
        At least one; each stretch at least one token long.

    Notes
    -----
    The base begins as the most typical witness; then each word takes the reading of most, until
    nothing changes. Cost: at most `MOST_ROUNDS` alignments a witness, and one step for each word
    at which a witness differs.
    """
    one = witnesses[find_typical(witnesses)]
    pieces = pieces_of(one, one.low, one.high)
    for _ in range(MOST_ROUNDS - 1):
        base = base_of(pieces)
        aligned = [align_witness(base, witness) for witness in witnesses]
        better = majority(pieces, base, [one for one in aligned if one is not None])
        if [piece.token for piece in better] == base.token.tolist():
            break
        pieces = better
    else:
        base = base_of(pieces)
        aligned = [align_witness(base, witness) for witness in witnesses]
    rows = [row for row, one in enumerate(aligned) if one is not None]
    apart = [row for row, one in enumerate(aligned) if one is None]
    collated = [one for one in aligned if one is not None]
    text, start, end = write_base(pieces)
    places, table, spans = [], [], []
    for low, high in _join_differences(_differing(base, collated)):
        begin, finish = int(start[base.first[low]]), int(end[base.first[high] - 1])
        readings, cells, where = _readings(base, collated, low, high, text[begin:finish])
        places.append(Place(begin, finish, readings))
        table.append(cells)
        spans.append(where)
    return Collation(
        text,
        tuple(places),
        np.array(rows, np.int64),
        np.array(apart, np.int64),
        np.array(table, np.int32).reshape(len(places), len(rows)),
        np.array(spans, np.int32).reshape(len(places), len(rows), 2),
    )


def _differing(base: Base, collated: Sequence[Aligned]) -> Bools:
    """Mark the words at which each witness reads otherwise than the base, bool (w, words)."""
    differs = np.zeros((len(collated), base.words), np.bool_)
    for row, one in enumerate(collated):
        for word in np.flatnonzero(~one.same & one.inside).tolist():
            differs[row, word] = one.reading(word, word + 1) != base.lemma(word)
    return differs


def _join_differences(differs: Bools) -> list[tuple[int, int]]:
    """Join neighbouring words at which the same witnesses differ to one place.

    Also where those of one are among those of the other, as long as the place stays short.
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


def _readings(
    base: Base, collated: Sequence[Aligned], low: int, high: int, shown: str
) -> tuple[tuple[Reading, ...], list[int], list[tuple[int, int]]]:
    """Return the readings at words [low, high), each witness's cell and where it has it."""
    lemma = tuple(base.token[base.first[low] : base.first[high]].tolist())
    holders: dict[tuple[int, ...], list[int]] = {lemma: []}
    of_witness = []
    for row, one in enumerate(collated):
        reading = one.reading(low, high) if one.inside[low:high].any() else None
        of_witness.append(reading)
        if reading is not None:
            holders.setdefault(reading, []).append(row)
    order = sorted(holders, key=lambda one: (one != lemma, -len(holders[one]), holders[one]))
    readings = [Reading(shown, tuple(holders[lemma]))]
    for reading in order[1:]:
        one = collated[holders[reading][0]]
        text = one.witness.reading(int(one.cut[low]), int(one.cut[high]))
        readings.append(Reading(text, tuple(holders[reading])))
    number = {reading: row for row, reading in enumerate(order)}
    cells = [OUTSIDE if reading is None else number[reading] for reading in of_witness]
    spans = [one.witness.span(int(one.cut[low]), int(one.cut[high])) for one in collated]
    return tuple(readings), cells, spans


@dataclass(frozen=True, slots=True, eq=False)
class Base:
    """The base as a row of tokens; `first` are the first tokens of its words, and its end."""

    token: I64  # (n,)
    border: Bools  # (n,) punctuation or a line end stands before the token
    first: I64  # (words + 1,)

    @property
    def words(self) -> int:
        """Number of words."""
        return len(self.first) - 1

    def lemma(self, word: int) -> tuple[int, ...]:
        """Return the tokens of one word."""
        return tuple(self.token[self.first[word] : self.first[word + 1]].tolist())


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """One witness against a base of w words; `cut[i]` is its first token of word i of the base."""

    witness: Witness
    cut: I64  # (w + 1,)
    same: Bools  # (w,) certainly reads as the base
    inside: Bools  # (w,) not before or behind what it holds

    def reading(self, low: int, high: int) -> tuple[int, ...]:
        """Return its tokens at words [low, high) of the base."""
        return tuple(self.witness.token[self.cut[low] : self.cut[high]].tolist())


def align_witness(base: Base, witness: Witness) -> Aligned | None:
    """Align one witness word by word of the base; None where they differ too much.

    Notes
    -----
    The witness may begin before the base and end behind it: what lies outside is left out.
    Equal tokens lie opposite each other, what lies between them word by word in order.
    """
    n = len(base.token)
    blocks = _without_islands(equal_blocks(base.token, witness.token))
    equal = int(blocks[:, 2].sum())
    if equal < LEAST_EQUAL * min(n, witness.high - witness.low) or not equal:
        return None
    matched = np.zeros(n, np.bool_)
    for i, _, length in blocks.tolist():
        matched[i : i + length] = True
    cut = _trimmed(_opposite(base, witness, blocks)[base.first], n, blocks, witness)
    whole = np.logical_and.reduceat(matched, base.first[:-1])
    same = whole & (np.diff(cut) == np.diff(base.first))
    return Aligned(witness, cut, same, _inside(base, blocks, cut))


def _without_islands(blocks: Blocks) -> Blocks:
    """Take out short blocks between larger changes: a common word in a rewritten sentence."""
    chosen: list[list[int]] = []
    rows = blocks.tolist()
    for row, (i, j, length) in enumerate(rows):
        left = right = math.inf  # at the ends chance is as likely as anywhere
        if chosen:
            before = chosen[-1]
            left = max(i - before[0] - before[2], j - before[1] - before[2])
        if row < len(rows) - 1:
            after = rows[row + 1]
            right = max(after[0] - i - length, after[1] - j - length)
        if length <= ISLAND and length < min(left, right) < math.inf:
            continue
        chosen.append([i, j, length])
    return np.array(chosen, np.int64).reshape(-1, 3)


def _opposite(base: Base, witness: Witness, blocks: Blocks) -> I64:
    """Return the place in the witness at which each token of the base begins, and its end."""
    n = len(base.token)
    place = np.zeros(n + 1, np.int64)
    begins = np.zeros(n + 1, np.bool_)
    begins[base.first] = True
    edges = [(0, 0, 0), *map(tuple, blocks.tolist()), (n, len(witness), 0)]
    for (i, j, length), (high, b, _) in pairwise(edges):
        place[i + 1 : i + length] = np.arange(j + 1, j + length)  # the first: by the gap before it
        low, a = i + length, j + length
        if low == high:
            place[low] = b if low and a < b and _goes_back(base, witness, low, a) else a
            continue
        inner = low + 1 + np.flatnonzero(begins[low + 1 : high])
        theirs = a + 1 + np.flatnonzero(witness.word[a + 1 : b])
        pairs = min(len(inner), len(theirs))
        place[low:high] = a
        place[inner[:pairs]] = theirs[:pairs]
        place[inner[pairs:]] = b
        place[high] = b
    return place


def _goes_back(base: Base, witness: Witness, low: int, a: int) -> bool:
    """Whether words that only the witness has belong to the word before them.

    They do at the end, inside a word of the witness, and before a pause.
    """
    if low == len(base.token) or not witness.word[a]:
        return True
    return bool(base.border[low]) and not witness.border[a]


def _trimmed(cut: I64, n: int, blocks: Blocks, witness: Witness) -> I64:
    """Leave out what a witness has before the beginning and behind the end of the base.

    Outside its stretch only what the base has too, and never more than twice what the base has
    there.
    """
    i, j, _ = blocks[0].tolist()
    last_i, last_j, length = blocks[-1].tolist()
    end = last_j + length
    low = max(j - 2 * i, min(witness.low, j))
    high = min(end + 2 * (n - last_i - length), max(witness.high, end))
    return np.asarray(np.clip(cut, low, high), np.int64)


def _inside(base: Base, blocks: Blocks, cut: I64) -> Bools:
    """Mark the words that are not before the first or behind the last that the witness has."""
    inside = np.ones(base.words, np.bool_)
    lead = int(np.searchsorted(base.first, blocks[0, 0], side="right")) - 1
    tail = int(np.searchsorted(base.first, blocks[-1, 0] + blocks[-1, 2]))
    if lead >= LEAST_LACKING and cut[lead] == cut[0]:
        inside[:lead] = False
    if base.words - tail >= LEAST_LACKING and cut[tail] == cut[-1]:
        inside[tail:] = False
    return inside


@dataclass(frozen=True, slots=True)
class Piece:
    """One token of the base text: its letters, and what stands behind it."""

    token: int
    letters: str
    gap: str
    word: bool  # a word begins here
    border: bool  # punctuation or a line end stands before it


def find_typical(witnesses: Sequence[Witness]) -> int:
    """Return the witness whose pairs of neighbouring tokens are mostly those of the majority.

    A pair counts for it as often as other witnesses have it, against it as often as they do not.
    """
    stretches = [one.token[one.low : one.high] for one in witnesses]
    pairs = [np.unique(token[:-1] * 31 + token[1:]) for token in stretches]
    _, where, count = np.unique(np.concatenate(pairs), return_inverse=True, return_counts=True)
    ends = np.cumsum([len(one) for one in pairs])
    sums = np.concatenate([[0], np.cumsum((2 * count - len(witnesses))[where.reshape(-1)])])
    return int(np.argmax(sums[ends] - sums[np.concatenate([[0], ends[:-1]])]))


def pieces_of(witness: Witness, first: int, last: int) -> list[Piece]:
    """Return tokens [first, last) of a witness as pieces of base text."""
    pieces = []
    for row in range(first, last):
        start, end = int(witness.start[row]), int(witness.end[row])
        following = row + 1 < len(witness)
        until = max(end, int(witness.start[row + 1] if following else witness.end_attached[row]))
        text = witness.text
        gap = _gap(text[end - 1 : end], text[end:until], text[until : until + 1])
        word, border = bool(witness.word[row]), bool(witness.border[row])
        pieces.append(Piece(int(witness.token[row]), text[start:end], gap, word, border))
    return pieces


def _gap(before: str, gap: str, behind: str) -> str:
    """Return what stands between two tokens with line ends only between paragraphs."""

    def joined(match: re.Match[str]) -> str:
        if match[0].count("\n") > 1:
            return "\n"
        sides = (before + gap[: match.start()])[-1:], (gap[match.end() :] + behind)[:1]
        return " " if all(side < _FIRST_WIDE for side in sides) else ""

    return _LINE_END.sub(joined, gap)


def base_of(pieces: Sequence[Piece]) -> Base:
    """Return the tokens of a base text for the alignment."""
    starts = [row for row, piece in enumerate(pieces) if piece.word or not row]
    return Base(
        np.array([piece.token for piece in pieces], np.int64),
        np.array([piece.border for piece in pieces], np.bool_),
        np.array([*starts, len(pieces)], np.int64),
    )


def majority(pieces: list[Piece], base: Base, aligned: Sequence[Aligned]) -> list[Piece]:
    """Return a base text that has the reading of most witnesses at each word.

    A tie goes to the reading whose witness departs least from the base so far.
    """
    if not aligned:
        return pieces
    inside = np.stack([one.inside for one in aligned])
    differs = ~np.stack([one.same for one in aligned]) & inside
    departures = differs.sum(axis=1)
    better: list[Piece] = []
    for word in range(base.words):
        low, high = int(base.first[word]), int(base.first[word + 1])
        source = None
        if 2 * int(differs[:, word].sum()) >= int(inside[:, word].sum()):
            rows = np.flatnonzero(inside[:, word])
            readings = {row: aligned[row].reading(word, word + 1) for row in rows.tolist()}
            source = _most_common(base.lemma(word), readings, departures)
        if source is None:
            better += pieces[low:high]
        else:
            cut = aligned[source].cut
            better += pieces_of(aligned[source].witness, int(cut[word]), int(cut[word + 1]))
    return better or pieces


def _most_common(
    lemma: tuple[int, ...], readings: dict[int, tuple[int, ...]], departures: I64
) -> int | None:
    """Return a witness with the reading of most, None where that is the base."""
    count = Counter(readings.values())
    holders = sorted(readings, key=lambda row: (departures[row], row))
    least = {reading: int(departures[row]) for row in holders[::-1] for reading in [readings[row]]}
    best = min(count, key=lambda one: (-count[one], least[one], one != lemma, one))
    if best == lemma:
        return None
    return next(row for row in holders if readings[row] == best)


def write_base(pieces: Sequence[Piece]) -> tuple[str, I64, I64]:
    """Return the base text, and where each of its tokens begins and ends in it."""
    parts: list[str] = []
    start, end, reached = [], [], 0
    for row, piece in enumerate(pieces):
        following = pieces[row + 1].letters if row + 1 < len(pieces) else ""
        gap = piece.gap
        if not gap and _latin(piece.letters[-1:]) and _latin(following[:1]):
            gap = " "  # a reading of another witness, which ends here
        start.append(reached)
        end.append(reached + len(piece.letters))
        parts += [piece.letters, gap]
        reached += len(piece.letters) + len(gap)
    return "".join(parts), np.array(start, np.int64), np.array(end, np.int64)


def _latin(character: str) -> bool:
    return character.isalnum() and character < _FIRST_WIDE
