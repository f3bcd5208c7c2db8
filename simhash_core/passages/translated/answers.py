"""Which word answers which in a possible translation, so that it can be checked by eye."""

from __future__ import annotations

from typing import NamedTuple

from ...model import I64
from .align import BilingualPair
from .weights import MATCH


class Answer(NamedTuple):
    """A word of the Chinese text, a word of the English one, and the stem that both stand for."""

    a: int
    b: int
    stem: int  # number in the vocabulary of the batch


def answers(pair: BilingualPair, rect: I64) -> list[Answer]:
    """Return which words of a rectangle answer each other, in the order of the Chinese text.

    Each word answers once, and only words that are evidence do. Of several English words that are
    left the one whose place is likeliest answers: as far into its span as the Chinese word.
    """
    a0, a1, b0, b1 = rect.tolist()
    (indptr, stem, values), (_, other, others_values) = pair.side_a, pair.side_b
    free: dict[int, list[int]] = {}
    for j in range(b0, b1):
        if others_values[j, MATCH] > 0.0:
            free.setdefault(int(other[j]), []).append(j)
    listed = []
    for i in range(a0, a1):
        if values[i, MATCH] <= 0.0:
            continue
        place = b0 + (i - a0) * (b1 - b0) / (a1 - a0)
        left = [j for t in stem[indptr[i] : indptr[i + 1]].tolist() for j in free.get(t, ())]
        if left:
            _, j = min((abs(j - place), j) for j in left)
            free[int(other[j])].remove(j)
            listed.append(Answer(i, j, int(pair.b.stem[j])))
    return listed
