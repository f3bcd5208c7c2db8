"""Searches that compare every pair: exact at any k, and the count of pairs at each distance."""

from __future__ import annotations

import numpy as np

from ...model import I64, U16, U64, Bools, Distances, Progress
from . import loops
from .loops import in_threads
from .words import check_words, to_columns, valid_rows

HEIGHT = 512  # anchors of one tile: large enough that the band is read from cache
BAND = 8192  # columns of one tile: 64 KB a word, so four words stay in a 512 KB cache
TASKS = 64  # pieces of work a scan is cut into, for threads and for progress
SHARE_PAIRS = 4_000_000  # to start a thread takes as long as to compare a tenth of these
EXACT_PAIRS = 1_000_000_000  # about 44,700 rows: 1 to 4 s on two cores
SAMPLED_PAIRS = 1 << 24  # standard error of a count of share p: sqrt(p / 2**24)
NO_MASKS = 0  # a scan has no earlier route


def triangle(n: int) -> I64:
    """Return tiles that cover every pair i < j of n columns once."""
    return np.array(
        [
            (top, min(top + HEIGHT, n), left, min(left + BAND, n))
            for top in range(0, n, HEIGHT)
            for left in range(top // BAND * BAND, n, BAND)
        ],
        np.int64,
    ).reshape(-1, 4)


def rectangle(rows: int, n: int) -> I64:
    """Return tiles that cover the pairs of columns [0, rows) with columns [rows, n) once."""
    return np.array(
        [
            (top, min(top + HEIGHT, rows), left, min(left + BAND, n))
            for top in range(0, rows, HEIGHT)
            for left in range(rows, n, BAND)
        ],
        np.int64,
    ).reshape(-1, 4)


def pairs_of(tiles: I64) -> I64:
    """Return how many pairs i < j each tile stands for, int64 (t,)."""
    top, bottom, left, right = tiles.T
    above = np.clip(left - top, 0, bottom - top)  # rows before all columns
    first, last = np.maximum(top, left), np.minimum(bottom, right)
    rows = np.maximum(last - first, 0)
    return np.asarray(above * (right - left) + rows * (right - 1) - rows * (first + last - 1) // 2)


def scan_tiles(
    columns: U64, tiles: I64, k: int, *, progress: Progress | None = None
) -> tuple[I64, I64, U16]:
    """Return the pairs of the tiles within `k` bits, unordered."""
    none = np.zeros((NO_MASKS, len(columns)), np.uint64)
    parts = [
        (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.uint16)),
        *in_threads(
            lambda part: loops.scan(columns, part, k, none), _shares(tiles), progress=progress
        ),
    ]
    left, right, distance = zip(*parts, strict=True)
    return np.concatenate(left), np.concatenate(right), np.concatenate(distance)


def scan_between(queries: U64, stored: U64, k: int) -> tuple[I64, I64, U16]:
    """Compare every query column with every stored one."""
    asked = queries.shape[1]
    both = np.concatenate([queries, stored], axis=1)
    left, right, distance = scan_tiles(both, rectangle(asked, both.shape[1]), k)
    return left, right - asked, distance


def distance_counts(
    words: U64,
    *,
    bits: int,
    valid: Bools | None = None,
    seed: int = 0,
    exact_pairs: int = EXACT_PAIRS,
    progress: Progress | None = None,
) -> Distances:
    """Count the pairs of rows at each distance.

    Parameters
    ----------
    words : uint64 (n, W)
    bits : int
    valid : bool (n,), optional
        Rows without a fingerprint take no part.
    seed : int
        Of the sample.
    exact_pairs : int
        Up to this many pairs are all counted; beyond it 2**24 random ones are, with repetition,
        and scaled so that the counts add up to the number of pairs.

    Returns
    -------
    Distances
        `counts` int64 (bits + 1,), `sampled` when scaled. A sample of this size cannot see the
        few closest pairs: those are the business of `all_pairs`.

    Notes
    -----
    Exact: n (n - 1) / 2 comparisons, on all processors. Sampled: constant time.
    """
    words = check_words(words, bits)
    rows = valid_rows(len(words), valid)
    columns = to_columns(words if len(rows) == len(words) else words[rows])
    pairs = len(rows) * (len(rows) - 1) // 2
    if pairs > exact_pairs:
        return Distances(_sampled(columns, bits, pairs, seed), bits, sampled=True)
    counts = np.zeros(bits + 1, np.int64)
    tiles = triangle(len(rows))
    shares = _shares(tiles)
    for part in in_threads(
        lambda share: loops.histogram(columns, share, bits), shares, progress=progress
    ):
        counts += part
    return Distances(counts, bits)


def counts_between(
    a: U64, b: U64, *, bits: int, valid_a: Bools | None = None, valid_b: Bools | None = None
) -> I64:
    """Count the pairs of a row of `a` and a row of `b` at each distance, int64 (bits + 1,).

    Notes
    -----
    Exact: every pair is compared, on all processors.
    """
    rows_a, rows_b = valid_rows(len(a), valid_a), valid_rows(len(b), valid_b)
    both = np.concatenate([check_words(a, bits)[rows_a], check_words(b, bits)[rows_b]])
    columns, counts = to_columns(both), np.zeros(bits + 1, np.int64)
    tiles = rectangle(len(rows_a), len(both))
    for part in in_threads(lambda share: loops.histogram(columns, share, bits), _shares(tiles)):
        counts += part
    return counts


def _shares(tiles: I64) -> list[I64]:
    """Split the tiles into at most `TASKS` shares of similar size, little work into one."""
    most = int(pairs_of(tiles).sum()) // SHARE_PAIRS
    shares = np.array_split(tiles, max(1, min(TASKS, len(tiles), most)))
    return [share for share in shares if len(share)]


def _sampled(columns: U64, bits: int, pairs: int, seed: int) -> I64:
    """Count random pairs of different columns and scale the counts to `pairs`."""
    random = np.random.default_rng(seed)
    n = columns.shape[1]
    drawn = np.zeros(bits + 1, np.int64)
    for _ in range(16):
        left = random.integers(0, n, SAMPLED_PAIRS // 16)
        right = (left + random.integers(1, n, len(left))) % n
        distance = np.bitwise_count(columns[:, left] ^ columns[:, right]).sum(
            axis=0, dtype=np.int64
        )
        drawn += np.bincount(distance, minlength=bits + 1)
    # round the cumulated shares, so that the parts add up to the whole
    cumulated = np.rint(np.cumsum(drawn) / drawn.sum() * pairs).astype(np.int64)
    scaled: I64 = np.diff(cumulated, prepend=0)
    return scaled
