"""One witness held against the base: which of its words stand for which word of the base."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..model import I64, Bools
from .witness import Blocks, Witness, equal_blocks

LEAST_EQUAL = 0.4  # of the shorter of base and witness; below, they differ too much to collate
LEAST_LACKING = 4  # words at the beginning or end: fewer are a variant, more were not taken over
ISLAND = 2  # tokens; fewer equal ones between larger changes are chance


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
