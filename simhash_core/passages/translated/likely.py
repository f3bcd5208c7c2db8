"""Which pairs of many are aligned: those of which two windows share rare stems."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from ...model import F32, I64, StemmedText
from .align import Rates

WIDTH = 60  # words of a window, which overlap by half
RARE = 0.05  # share of the windows of the other language that hold a stem, at most
BLOCK = 64  # texts multiplied at once: a bound of memory


def likely_pairs(
    a: Sequence[StemmedText], b: Sequence[StemmedText], rates: Rates, *, most: int
) -> I64:
    """Return the pairs of a Chinese text a and an English text b that are worth aligning.

    Returns
    -------
    int64 (about `most`, 2)
        For each text a as many of b, those whose best window shares the most surprise with one
        of its own.
    """
    each = max(1, most // max(len(a), 1))
    if each >= len(b):
        return np.stack(np.meshgrid(range(len(a)), range(len(b)), indexing="ij"), -1).reshape(-1, 2)
    windows_b, of_b = _windows(b, len(rates.english))
    held = windows_b.sum(axis=0) / max(windows_b.shape[0], 1)
    weight = np.where(held <= RARE, -np.log(np.maximum(held, 1e-9)), 0.0)
    weight[held == 0] = 0.0
    weighted = (windows_b * weight[None, :]).T.tocsr()
    chosen = []
    for low in range(0, len(a), BLOCK):
        windows_a, of_a = _windows(a[low : low + BLOCK], len(rates.chinese))
        score = _best(windows_a @ weighted, of_a, of_b, (len(a[low : low + BLOCK]), len(b)))
        best = np.argpartition(-score, each - 1, axis=1)[:, :each]
        rows = np.repeat(np.arange(len(score)) + low, each)
        chosen.append(np.stack([rows, best.ravel()], axis=1))
    return np.concatenate(chosen).astype(np.int64)


def _windows(texts: Sequence[StemmedText], stems: int) -> tuple[csr_array, I64]:
    """Return which stems each window offers, float32 (windows, stems) of 0 and 1, and its text."""
    rows, columns = [], []
    of_text: list[int] = []
    for number, text in enumerate(texts):
        word = np.repeat(np.arange(len(text)), np.diff(text.indptr))
        for start in range(0, max(1, len(text) - WIDTH // 2), WIDTH // 2):
            distinct = np.unique(text.stem[(word >= start) & (word < start + WIDTH)])
            rows.append(np.full(len(distinct), len(of_text)))
            columns.append(distinct)
            of_text.append(number)
    where = np.concatenate(rows), np.concatenate(columns)
    ones = np.ones(len(where[0]), np.float32)
    return csr_array((ones, where), (len(of_text), stems)), np.array(of_text, np.int64)


def _best(shared: csr_array, of_a: I64, of_b: I64, shape: tuple[int, int]) -> F32:
    """Return the best score of any two windows of each pair of texts."""
    entries = shared.tocoo()
    score: F32 = np.zeros(shape, np.float32)
    np.maximum.at(score, (of_a[entries.row], of_b[entries.col]), entries.data)
    return score
