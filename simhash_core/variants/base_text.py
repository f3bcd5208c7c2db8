"""The base text of a collation: pieces of witnesses, at each word the reading of most."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..model import I64
from .alignment import Aligned, Base
from .witness import Witness

_LINE_END = re.compile(r"\s*\n\s*")
_FIRST_WIDE = "\u2e80"  # Han, kana and their punctuation begin here


@dataclass(frozen=True, slots=True)
class Piece:
    """One token of the base text: its letters, and what stands behind it."""

    token: int
    letters: str
    gap: str
    word: bool  # a word begins here
    border: bool  # punctuation or a line end stands before it


def typical(witnesses: Sequence[Witness]) -> int:
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


def written(pieces: Sequence[Piece]) -> tuple[str, I64, I64]:
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
