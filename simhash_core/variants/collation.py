"""Collation: one base text for all witnesses of a passage, and every place where some differ.

As a critical edition does it: the base has the reading of most witnesses at each place, the
others are variants with the witnesses that have them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..model import I32, I64, Bools
from .alignment import Aligned, Base, align_witness
from .base_text import base_of, majority, pieces_of, typical, written
from .witness import Witness

OUTSIDE = -1  # in `Collation.table`: this place lies outside what the witness holds
MOST_ROUNDS = 3  # of new base and new alignment
MOST_JOINED = 6  # words; one place does not grow beyond it unless the same witnesses differ


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
    one = witnesses[typical(witnesses)]
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
    text, start, end = written(pieces)
    places, table, spans = [], [], []
    for low, high in _joined(_differing(base, collated)):
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


def _joined(differs: Bools) -> list[tuple[int, int]]:
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
