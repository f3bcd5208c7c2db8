"""The likeliest pairs of a large batch, by the strongest sentences of each text.

A sentence that is copied is near to one text and to few others: for each unit the nearest texts are
what it takes after the next ten are subtracted. The first components of the vectors are enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..machine.memory import cut_batches, split_by_size
from ..model import F32, I8, I16, I64, Bools
from ..policy import MEANING_SHORT
from .vectors import LOOPS, SCALE, WIDEST

NEXT = slice(5, 15)  # places of the texts that are subtracted
STRONGEST = 3  # units of a text that are added up
TASK_UNITS = 4_096  # units of texts that are looked up in one task
#: steps of 1 / `SCALE` in one of a byte, and steps of 1 in bytes: components lie within 1/4
COARSE, COARSE_SCALE = 2, SCALE // 2
_QUERIES = 512  # units of queries that are looked up at once: they stay in the cache
_GROUPED = 16  # values that are looked at together where few of them are wanted
_COLUMNS = 64  # of them whose products the loops of C make at once

Task = tuple[list[I8], I8, I64]


def likely_pairs(
    rows: Sequence[I16],
    queries: I64,
    apart: Callable[[I64, I64], Bools],
    *,
    most: int,
    mapped: Callable[..., list[F32]],
) -> I64:
    """Return each query with the texts that it is likeliest to share a passage with.

    Parameters
    ----------
    rows
        Vectors of each text; texts without any are left out.
    queries
        Rows of the texts that are looked up.
    most
        Texts for each of them.
    mapped
        mapped(function, tasks): what the function says of each task.

    Returns
    -------
    int64 (m, 2)
        left < right, sorted, unique.
    """
    held = np.flatnonzero(np.array([len(one) for one in rows]) > 0)
    short = [coarse(one) for one in rows]
    every = np.concatenate([short[row] for row in held.tolist()])
    first = np.cumsum([0, *(len(rows[row]) for row in held.tolist())])
    cuts = split_by_size(np.array([len(rows[row]) for row in queries.tolist()]), TASK_UNITS)
    parts = [queries[low:high] for low, high in cuts]
    tasks = [([short[row] for row in part.tolist()], every, first) for part in parts]
    chosen = []
    for part, scores in zip(parts, mapped(_task, tasks), strict=True):
        for query, score in zip(part.tolist(), scores, strict=True):
            score[apart(np.full(len(held), query, np.int64), held) | (held == query)] = -1.0
            best = held[_greatest(score, most)]
            chosen.append(np.stack([np.full(len(best), query), best], axis=1))
    return np.unique(np.sort(np.concatenate(chosen), axis=1), axis=0)


def _greatest(score: F32, most: int) -> I64:
    """Return the places of the greatest scores, greatest first, equal ones as they stand."""
    high = np.flatnonzero(score >= _highest(score[None], most)[0, -1])
    return high[np.argsort(-score[high], kind="stable")[:most]]


def _highest(values: F32, most: int) -> F32:
    """Return the greatest values of each row, at most so many, greatest first.

    They lie in as many of the groups into which a row is cut: those with the greatest maxima.
    """
    rows, length = values.shape
    if length > 2 * most * _GROUPED:
        whole = length - length % _GROUPED
        groups = values[:, :whole].reshape(rows, _GROUPED, -1)
        best = np.argpartition(groups.max(axis=1), -most, axis=1)[:, -most:]
        of_best = np.take_along_axis(groups, best[:, None], axis=2).reshape(rows, -1)
        values = np.concatenate([of_best, values[:, whole:]], axis=1)
    return -np.sort(-values, axis=1)[:, :most]


def _task(task: Task) -> F32:
    """Return the score of each text for some queries, float32 (q, texts); runs in a worker."""
    queries, every, first = task
    scores = []
    for part in cut_batches(queries, len, most=len(queries), largest=_QUERIES):
        nearest = nearest_texts(np.concatenate(part), every, first)
        ends = np.cumsum([len(one) for one in part])[:-1]
        scores += [strength(one) for one in np.split(nearest, ends)]
    return np.stack(scores)


def strength(nearest: F32) -> F32:
    """Return what the strongest units of a text say for each text, float32 (texts,).

    Parameters
    ----------
    nearest
        How near each unit is to each text, float32 (units, texts).
    """
    ordered = _highest(nearest, NEXT.stop)[:, NEXT]
    usual = ordered.mean(axis=1, dtype=np.float64) if ordered.size else np.zeros(len(nearest))
    strongest = np.zeros((STRONGEST, nearest.shape[1]), np.float32)
    for above_usual in nearest - usual.astype(np.float32)[:, None]:
        for rank in strongest:  # the greater of both stays, the other one goes on
            smaller = np.minimum(rank, above_usual)
            np.maximum(rank, above_usual, out=rank)
            above_usual = smaller
    return np.asarray(strongest[::-1].sum(axis=0), np.float32)


# --------------------------------------------------------------------------- of stored texts


def coarse(rows: I16) -> I8:
    """Return what a shortlist needs of vectors: their first components as bytes, int8 (n, d)."""
    steps = (rows[:, :MEANING_SHORT].astype(np.int32) + COARSE // 2) // COARSE
    return np.clip(steps, -127, 127).astype(np.int8)


def nearest_texts(queries: I8, rows: I8, first: I64, *, width: int = WIDEST) -> F32:
    """Return how near each query is to the nearest unit of each text, float32 (q, texts).

    Parameters
    ----------
    queries, rows
        As `coarse` gives them; text i has the rows `first[i]` to `first[i + 1]`, one at least.
    width
        The widest form of the loops that may run.

    Notes
    -----
    Sums of products of bytes, exact in every form. 70,000 units against each other: 49 CPU s by a
    product of matrices and maxima of its rows, 8 by this loop.
    """
    depth, blocks = rows.shape[1], -(-len(queries) // _COLUMNS)
    columns = np.zeros((blocks * _COLUMNS, depth), np.int8)
    columns[: len(queries)] = queries
    weight = columns.reshape(blocks, _COLUMNS, depth // 4, 4).transpose(0, 2, 1, 3)
    excess = 128 * columns.sum(axis=1, dtype=np.int32)
    texts = len(first) - 1
    nearest = np.full((texts, len(columns)), np.iinfo(np.int32).min, np.int32)
    LOOPS.nearest_texts(
        *(np.ascontiguousarray(rows), first, texts, depth),
        *(np.ascontiguousarray(weight), excess, blocks, width, nearest),
    )
    turned = nearest[:, : len(queries)].T
    return np.multiply(turned, 1 / COARSE_SCALE**2, dtype=np.float32, order="C")
