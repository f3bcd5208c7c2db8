"""The same names as `kernels`, not compiled: what runs where numba cannot be installed."""

from __future__ import annotations

from .block_join import add_postings, best_windows, join_blocks
from .borders import snap, snap_end, snap_start
from .common import count_common, count_shared, pairs_sharing
from .exact import chain_runs, extent, find_runs, gram_table, run_cover, sort_runs, with_room
from .reworded import (
    best_seeds,
    better_span,
    extend,
    extend_border,
    grow,
    grow_one,
    holds_centre,
    is_repeated,
    max_sum_segment,
    number_features,
    postings,
    shared_weights,
    tally,
    weigh,
    window_count,
    window_seeds,
)
from .summary import best_segment, explained_weight

__all__ = [
    "add_postings",
    "best_seeds",
    "best_segment",
    "best_windows",
    "better_span",
    "chain_runs",
    "count_common",
    "count_shared",
    "explained_weight",
    "extend",
    "extend_border",
    "extent",
    "find_runs",
    "gram_table",
    "grow",
    "grow_one",
    "holds_centre",
    "is_repeated",
    "join_blocks",
    "max_sum_segment",
    "number_features",
    "pairs_sharing",
    "postings",
    "run_cover",
    "shared_weights",
    "snap",
    "snap_end",
    "snap_start",
    "sort_runs",
    "tally",
    "weigh",
    "window_count",
    "window_seeds",
    "with_room",
]
