"""The readable loops of this room, compiled: one source, two speeds."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar, cast

from numba import njit

from . import block_join, borders, common, exact, reworded, summary

F = TypeVar("F", bound=Callable[..., Any])
_compiled: dict[str, Any] = {}


def _fast(function: F) -> F:
    """Compile a readable function, with the compiled form of those it calls."""
    source = cast(FunctionType, function)
    names = {**source.__globals__, **_compiled}
    copy = FunctionType(source.__code__, names, source.__name__, source.__defaults__)
    _compiled[source.__name__] = njit(cache=True, nogil=True)(copy)
    return cast(F, _compiled[source.__name__])


# callees first
gram_table = _fast(exact.gram_table)
with_room = _fast(exact.with_room)
extent = _fast(exact.extent)
sort_runs = _fast(exact.sort_runs)
find_runs = _fast(exact.find_runs)
chain_runs = _fast(exact.chain_runs)
run_cover = _fast(exact.run_cover)

number_features = _fast(reworded.number_features)
weigh = _fast(reworded.weigh)
window_count = _fast(reworded.window_count)
postings = _fast(reworded.postings)
best_seeds = _fast(reworded.best_seeds)
window_seeds = _fast(reworded.window_seeds)
tally = _fast(reworded.tally)
core = _fast(reworded.core)
reach = _fast(reworded.reach)
extend = _fast(reworded.extend)
better_span = _fast(reworded.better_span)
grow_one = _fast(reworded.grow_one)
holds_centre = _fast(reworded.holds_centre)
is_known = _fast(reworded.is_known)
grow = _fast(reworded.grow)
shared_weights = _fast(reworded.shared_weights)

snap_end = _fast(borders.snap_end)
snap_start = _fast(borders.snap_start)
snap = _fast(borders.snap)

best_segment = _fast(summary.best_segment)
explained_weight = _fast(summary.explained_weight)

count_common = _fast(common.count_common)
touch = _fast(common.touch)
meet = _fast(common.meet)

add_postings = _fast(block_join.add_postings)
best_windows = _fast(block_join.best_windows)
join_blocks = _fast(block_join.join_blocks)
