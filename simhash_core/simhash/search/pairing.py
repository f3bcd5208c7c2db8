"""All pairs of rows within k bits, exactly, by whichever search is cheapest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import BadInput
from ...model import I64, U64, Bools, Pairs, Progress
from ...result import Guarantee
from .engine import settle_join
from .join import NOTHING, Join, JoinResult, all_rows
from .linear import scan_tiles, triangle
from .plan import Plan, choose_plan
from .threads import in_threads
from .words import checked, group_equal, in_order, to_columns, valid_rows


@dataclass(frozen=True, slots=True, eq=False)
class SearchResult:
    """Every pair within `plan.k` bits, with what it took and why it is certain to be all.

    `group[r]` is the first row with the same fingerprint as row r (r itself where it has none).
    `pairs` join such first rows; distance >= 1. `candidates` pairs of distinct words were
    compared. `largest_bucket` is the largest bucket of the first hash and `split_buckets` counts
    those hashed again (0 for a scan).

    `guarantees` holds `complete_` and the plan's kind (params k, bits, pairs = pairs of rows
    covered, scheme = the plan's name, candidates) and, where rows took no part,
    `without_fingerprint` (params n).
    """

    group: I64
    pairs: Pairs
    plan: Plan
    candidates: int
    largest_bucket: int
    split_buckets: int
    guarantees: tuple[Guarantee, ...]


def all_pairs(
    words: U64,
    *,
    bits: int,
    k: int,
    valid: Bools | None = None,
    plan: Plan | None = None,
    progress: Progress | None = None,
) -> SearchResult:
    """Find every pair of rows that differ in at most `k` bits.

    Parameters
    ----------
    words : uint64 (n, W)
    bits : int
        1..64, 128, 192 or 256.
    k : int
        0..bits.
    valid : bool (n,), optional
        Rows where it is False match nothing.
    plan : Plan, optional
        For the same `bits` and `k`; chosen by estimated cost where it is not given.

    Raises
    ------
    BadInput
        Code `bad_distance`, params k and bits: k is not within 0..bits.
    ValueError
        For words that do not fit `bits`, or a plan for something else.

    Notes
    -----
    Exact for every plan. Memory is linear in n, in the number of pairs found and in the threads.
    Equal fingerprints are groups, never quadratic pairs.
    """
    words = checked(words, bits)
    if not 0 <= k <= bits:
        raise BadInput("bad_distance", k=k, bits=bits)
    rows = valid_rows(len(words), valid)
    columns = to_columns(words if len(rows) == len(words) else words[rows])
    equal = group_equal(columns)
    group = np.arange(len(words))
    group[rows] = rows[equal]
    first = np.flatnonzero(equal == np.arange(len(equal)))
    if len(first) < len(rows):
        columns = np.ascontiguousarray(columns[:, first])
    chosen = plan or choose_plan(columns, bits=bits, k=k)
    if (chosen.bits, chosen.k) != (bits, k):
        raise ValueError(f"the plan is for {chosen.k} of {chosen.bits} bits")
    joined = _search(columns, chosen, progress)
    names = rows[first]
    return SearchResult(
        group,
        in_order(names[joined.left], names[joined.right], joined.distance, len(words)),
        chosen,
        joined.candidates,
        joined.largest,
        joined.split,
        _guarantees(len(words), len(rows), chosen, joined.candidates),
    )


def _search(columns: U64, plan: Plan, progress: Progress | None) -> JoinResult:
    """Run a plan on distinct words."""
    n = columns.shape[1]
    if plan.kind == "equal" or n < 2:
        return NOTHING
    if plan.kind == "linear":
        hits = scan_tiles(columns, triangle(n), plan.k, progress=progress)
        return JoinResult(*hits, n * (n - 1) // 2, 0, 0)
    join, rows, routes = Join(columns, plan.bits, plan.k), all_rows(n), plan.routes
    settle_join(len(columns), n, len(routes), plan.candidates.get(plan.name, 0.0))
    unseen = np.zeros((0, len(columns)), np.uint64)
    tables = in_threads(
        lambda at: join.table(rows, routes, at, (), unseen),
        range(len(routes)),
        progress=progress,
    )
    return JoinResult.merged(tables)


def _guarantees(n: int, valid: int, plan: Plan, candidates: int) -> tuple[Guarantee, ...]:
    """State what the search guarantees, as codes with numbers."""
    covered = {
        "k": plan.k,
        "bits": plan.bits,
        "pairs": valid * (valid - 1) // 2,
        "scheme": plan.name,
        "candidates": candidates,
    }
    complete = Guarantee(f"complete_{plan.kind}", covered)
    if valid == n:
        return (complete,)
    return complete, Guarantee("without_fingerprint", {"n": n - valid})
