"""Which exact search to use: a linear scan or blocks, by estimated cost on these very words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import comb

import numpy as np

from ...model import I64, U64
from .blocks import (
    Reach,
    Route,
    Scheme,
    Span,
    block_spans,
    keys,
    pieces,
    scheme_routes,
    shorten,
    width,
)

# Seconds on one core of the machine that benchmarks/all_pairs.py was tuned on. Only their ratios
# decide, and both choices are exact: elsewhere a wrong constant costs time, never a pair.
SORT_ROW = 3.0e-8  # key, sort, gather of one row in one table
COMPARE_WORD = 1.6e-10  # xor and population count of one word
START_TABLE = 2.0e-4  # array handling of one table, whatever its size
MEET = 1.5e-8  # bring two buckets together
HEAD_ROWS = 8  # rows of a bucket of `Reach`, where words are uniform
LEAST_REACHED = 5  # bits: up to there the tables of `Scheme` are few
MOST_RADIUS, MOST_REACHED = 3, 8  # radius and blocks of `Reach`
SMALL = 2048  # below this a linear scan takes about a millisecond: not worth estimating
SAMPLE = 16_384  # rows whose buckets are measured: 1.3e8 pairs, so shares down to 1e-8 are seen


@dataclass(frozen=True, slots=True)
class Plan:
    """How the pairs within `k` of `bits` bits are searched, and what each way was thought to cost.

    `kind` is `equal` (k = 0: grouping finds everything), `linear` or `blocks`. `seconds` and
    `candidates` hold the estimates by name (`linear`, `C(4,1)`, ...) of every way considered;
    they are empty where nothing had to be weighed.
    """

    kind: str
    bits: int
    k: int
    scheme: Scheme | Reach | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    candidates: Mapping[str, float] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return `C(m,r)` or `R(radius,...)` for blocks, else the kind."""
        return self.scheme.name if self.scheme else self.kind

    @property
    def spans(self) -> tuple[Span, ...]:
        """Return the blocks as (start, width), left to right; none for a scan."""
        return block_spans(self.bits, self.scheme.blocks) if self.scheme else ()

    @property
    def routes(self) -> tuple[Route, ...]:
        """Return the choices of blocks whose equality is tried, or blocks, one table each."""
        if isinstance(self.scheme, Reach):
            return tuple((span,) for span in self.spans)
        return scheme_routes(self.bits, self.scheme) if self.scheme else ()


def linear_plan(bits: int, k: int) -> Plan:
    """Return the plan that compares every pair."""
    return Plan("linear", bits, k)


def block_plan(bits: int, k: int, *, choose: int = 1) -> Plan:
    """Return the plan with k + `choose` blocks of which `choose` must be equal.

    Raises
    ------
    ValueError
        If there are fewer bits than blocks.
    """
    if k + choose > bits:
        raise ValueError(f"no {k + choose} blocks in {bits} bits")
    return Plan("blocks", bits, k, Scheme(k + choose, choose))


def head_bits(n: int, wide: int) -> int:
    """Return how many bits of a block of `wide` bits make the key of a bucket."""
    return max(1, min(wide, (n // HEAD_ROWS).bit_length()))


def ball(bits: int, radius: int) -> int:
    """Return how many keys of so many bits are within `radius` of one."""
    return sum(comb(bits, changed) for changed in range(min(radius, bits) + 1))


def choose_plan(columns: U64, *, bits: int, k: int, texts: int = 0) -> Plan:
    """Weigh a linear scan against the schemes C(k+1,1) and C(k+2,2), and blocks with radii.

    Parameters
    ----------
    columns : uint64 (W, n)
        Distinct words.
    texts
        How many there would be, if `columns` are a sample of them; 0 where they are all.

    Notes
    -----
    A table costs n sorted rows and its candidates. These are measured, not assumed uniform: the
    buckets of a sample (seeded, at most `SAMPLE` rows) are scaled to n, and one that would be
    overloaded is charged with its second hash instead. More than k + r blocks make more and
    narrower tables for the same r, which is never cheaper. A scheme whose sorting alone costs
    more than the scan is not measured.
    """
    words, n = columns.shape[0], texts or columns.shape[1]
    if k == 0:
        return Plan("equal", bits, k)
    if n < SMALL or k + 1 > bits:
        return linear_plan(bits, k)
    pairs = n * (n - 1) / 2
    seconds = {"linear": pairs * COMPARE_WORD * words}
    candidates = {"linear": pairs}
    best: Scheme | None = None
    sample = _sample(columns)
    for choose in (1, 2):
        scheme = Scheme(k + choose, choose)
        if scheme.blocks > bits:
            continue
        tables = _tables(scheme)
        sorting = tables * (START_TABLE + SORT_ROW * n)
        if sorting > min(seconds.values()):
            continue
        expected, comparing = _expected(sample, n, scheme_routes(bits, scheme), bits, k)
        seconds[scheme.name], candidates[scheme.name] = sorting + comparing, expected
        if seconds[scheme.name] <= min(seconds.values()):
            best = scheme
    chosen: Scheme | Reach | None = best
    for blocks in range(2, min(k, bits, MOST_REACHED) + 1) if k >= LEAST_REACHED else ():
        reach = Reach.of(k, blocks)
        if max(reach.radii) in (0, k) or max(reach.radii) > MOST_RADIUS:
            continue
        expected, comparing = _expected_reach(sample, n, reach, bits)
        seconds[reach.name] = blocks * (START_TABLE + SORT_ROW * n) + comparing
        candidates[reach.name] = expected
        if seconds[reach.name] <= min(seconds.values()):
            chosen = reach
    kind = "blocks" if chosen else "linear"
    return Plan(kind, bits, k, chosen, seconds, candidates)


def _expected_reach(sample: U64, n: int, reach: Reach, bits: int) -> tuple[float, float]:
    """Return the candidates of all blocks and the seconds to compare them, scaled to n rows.

    Measured on equal keys, as in `_expected`; keys at a distance are taken to be as common.
    """
    words, drawn = sample.shape
    expected = seconds = 0.0
    for span, radius in zip(block_spans(bits, reach.blocks), reach.radii, strict=True):
        head = head_bits(n, span[1])
        key = np.sort(keys(sample, pieces(((span[0], head),), bits)))
        sizes = np.diff(np.flatnonzero(np.r_[True, key[1:] != key[:-1], True])).astype(np.float64)
        pairs = float((sizes * (sizes - 1)).sum()) / 2 * (n / drawn) ** 2
        near = ball(head, radius)
        expected += near * pairs
        seconds += near * (pairs * COMPARE_WORD * words + 2.0**head / 2 * MEET)
    return expected, seconds


def overload(sizes: I64, k: int, words: int, left_over: int) -> float:
    """Return the bucket size above which a second hash pays (infinite where none can).

    Parameters
    ----------
    sizes : int64 (b,)
        Sizes of the buckets with at least two rows.
    left_over : int
        Bits that are not yet equal within a bucket.

    Notes
    -----
    The seeds' rule is (1 + mu) times the mean bucket, mu = 2. Two bounds hold it: below the
    break-even point, where k + 1 more sorts cost what they save, nothing is split, and above
    twice that point everything is, however large the others are.
    """
    floor = _break_even(k, words, left_over)
    mean = float(sizes.mean()) if len(sizes) else 0.0
    return min(2 * floor, max(floor, 3 * mean))


def _break_even(k: int, words: int, left_over: int) -> float:
    """Return the bucket size at which k + 1 more sorts cost what they save."""
    saved = 1 - _share_left(k, left_over)
    if saved <= 0:
        return float("inf")
    return 2 * (k + 1) * SORT_ROW / (COMPARE_WORD * words * saved)


def _share_left(k: int, left_over: int) -> float:
    """Return the share of comparisons that a second hash on k + 1 uniform parts leaves."""
    return (k + 1) * 2.0 ** -(left_over // (k + 1)) if left_over > k else 1.0


def _tables(scheme: Scheme) -> int:
    """Return the number of routes of a scheme with choose 1 or 2."""
    return scheme.blocks if scheme.choose == 1 else scheme.blocks * (scheme.blocks - 1) // 2


def _sample(columns: U64) -> U64:
    """Return at most `SAMPLE` of the columns, the same ones every time."""
    n = columns.shape[1]
    if n <= SAMPLE:
        return columns
    rows = np.random.default_rng(n).choice(n, SAMPLE, replace=False, shuffle=False)
    return columns[:, rows]


def _expected(
    sample: U64, n: int, routes: tuple[Route, ...], bits: int, k: int
) -> tuple[float, float]:
    """Return the candidates of all routes and the seconds to compare them, scaled to n rows."""
    words, drawn = sample.shape
    scale = n / drawn
    compare = COMPARE_WORD * words
    expected = seconds = 0.0
    for route in routes:
        key = np.sort(keys(sample, pieces(shorten(route, 64), bits)))
        starts = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
        sizes = np.diff(np.r_[starts, drawn]).astype(np.float64)
        # size * (size - 1) over the sample is unbiased for pairs, so singletons add nothing
        pairs = sizes * (sizes - 1) / 2 * scale * scale
        left_over = bits - width(route)
        again = (k + 1) * sizes * scale * SORT_ROW + pairs * compare * _share_left(k, left_over)
        heavy = sizes * scale > 2 * _break_even(k, words, left_over)
        expected += float(pairs.sum())
        seconds += float(np.where(heavy, again, pairs * compare).sum())
    return expected, seconds
