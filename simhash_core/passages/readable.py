"""The same names as `kernels`, not compiled: what runs where numba cannot be installed."""

from __future__ import annotations

from .borders import snap, snap_end, snap_start
from .common import count_common, meet
from .exact import chain_runs, find_runs, gram_table, run_cover, sort_runs
from .reworded import (
    better_span,
    extend,
    grow,
    grow_one,
    holds_centre,
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
    "best_segment",
    "better_span",
    "chain_runs",
    "count_common",
    "explained_weight",
    "extend",
    "find_runs",
    "gram_table",
    "grow",
    "grow_one",
    "holds_centre",
    "meet",
    "number_features",
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
]
