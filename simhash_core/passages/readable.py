"""The same names as `kernels`, not compiled: what runs where numba cannot be installed."""

from __future__ import annotations

from .block_join import add_postings, best_windows, join_blocks
from .borders import snap, snap_end, snap_start
from .common import count_common, count_shared, pairs_sharing
from .exact import chain_runs, extent, find_runs, gram_table, run_cover, sort_runs, with_room
from .reworded import (
    better_span,
    extend,
    extend_border,
    grow,
    grow_one,
    holds_centre,
    is_repeated,
    max_sum_segment,
    number_features,
    shared_weights,
    tally,
    weigh,
)
from .summary import best_segment, explained_weight
from .windows import (
    add_block,
    best_seeds,
    block_entries,
    hopeful_windows,
    mark_hopeful,
    norms,
    postings,
    window_count,
    window_seeds,
)

__all__ = [
    "add_block",
    "add_postings",
    "best_seeds",
    "best_segment",
    "best_windows",
    "better_span",
    "block_entries",
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
    "hopeful_windows",
    "is_repeated",
    "join_blocks",
    "mark_hopeful",
    "max_sum_segment",
    "norms",
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
