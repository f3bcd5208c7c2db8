"""The readable loops of this room, compiled: one source, two speeds."""

from __future__ import annotations

from ..kernels import (
    BOOLS,
    BYTES,
    F64,
    F64_2,
    FLOAT,
    I32,
    I64,
    I64_2,
    INT,
    RECT,
    SPAN,
    U64,
    Kernels,
)
from . import block_join, borders, common, exact, reworded, screen, summary, windows

ROOM = Kernels("passages")

#: one text seen from the other: `max_sum_segment` to `better_span`, both ends of `snap`
_ONE_SIDE = (I32, I64, I64, F64, FLOAT)

# callees first
gram_table = ROOM.inner((I64,))(exact.gram_table)
with_room = ROOM.inner((I64_2, INT))(exact.with_room)
extent = ROOM.inner((I64, I64, INT, INT, INT))(exact.extent)
sort_runs = ROOM.inner((I64_2,))(exact.sort_runs)
runs_in = ROOM.inner((I64, I64, I64, I64, I64, I64, I64, INT, INT))(exact.runs_in)
find_runs = ROOM.entry((I64, I64, I64, I64, INT, INT))(exact.find_runs)
chain_runs = ROOM.entry((I64_2, INT))(exact.chain_runs)
run_cover = ROOM.entry((I64_2, INT, INT))(exact.run_cover)
mark_runs = ROOM.entry((I64, I64, BOOLS, INT))(exact.mark_runs)

number_features = ROOM.entry((I32, I32))(reworded.number_features)
weigh = ROOM.entry((I32, I32, INT, FLOAT))(reworded.weigh)
window_count = ROOM.entry((INT, INT, INT))(windows.window_count)
postings = ROOM.inner((I32, I32, F64, INT, INT, BOOLS))(windows.postings)
norms = ROOM.inner((I32, F64, INT, INT))(windows.norms)
block_entries = ROOM.inner((I32, INT, INT))(windows.block_entries)
add_block = ROOM.inner((I32, F64, I64, I32, I32, I64, F64))(windows.add_block)
mark_hopeful = ROOM.inner((F64_2, FLOAT, F64, F64, F64, BOOLS))(windows.mark_hopeful)
hopeful_windows = ROOM.inner((I32, I32, F64, INT, INT, FLOAT, BOOLS, BOOLS))(
    windows.hopeful_windows
)
best_seeds = ROOM.inner((F64_2, INT))(windows.best_seeds)
window_seeds = ROOM.entry((I32, I32, F64, INT, INT, FLOAT, INT, BOOLS, BOOLS))(windows.window_seeds)
tally = ROOM.inner((I32, INT, INT, I64, INT))(reworded.tally)
max_sum_segment = ROOM.inner((*_ONE_SIDE, INT, INT))(reworded.max_sum_segment)
extend_border = ROOM.inner((*_ONE_SIDE, FLOAT, INT, INT))(reworded.extend_border)
extend = ROOM.inner((*_ONE_SIDE, FLOAT, INT, INT))(reworded.extend)
better_span = ROOM.inner((I32, *_ONE_SIDE, FLOAT, SPAN, SPAN))(reworded.better_span)
grow_one = ROOM.inner((I32, I32, F64, I64, I64, FLOAT, FLOAT, INT, RECT))(reworded.grow_one)
holds_centre = ROOM.inner((I64_2, INT, INT, INT))(reworded.holds_centre)
is_repeated = ROOM.inner((I64_2, INT))(reworded.is_repeated)
grow = ROOM.entry((I32, I32, SPAN, F64, I64_2, INT, FLOAT, FLOAT, INT, INT, INT))(reworded.grow)
shared_weights = ROOM.entry((I32, I32, F64, I64_2))(reworded.shared_weights)

snap_end = ROOM.inner((*_ONE_SIDE, INT, F64, BYTES, SPAN))(borders.snap_end)
snap_start = ROOM.inner((*_ONE_SIDE, INT, F64, BYTES, SPAN))(borders.snap_start)
snap = ROOM.entry((I32, I32, F64, FLOAT, INT, F64, BYTES, SPAN, SPAN))(borders.snap)

best_segment = ROOM.entry((F64, BOOLS, FLOAT))(summary.best_segment)
explained_weight = ROOM.entry((I32, I32, F64, I64_2, INT, INT))(summary.explained_weight)

count_common = ROOM.entry((U64, I64, I64, I64))(common.count_common)
count_shared = ROOM.inner((I64, I64, I64, INT, I64))(common.count_shared)
pairs_sharing = ROOM.entry((I64, I64, I64, I64, I64, INT, FLOAT))(common.pairs_sharing)

add_postings = ROOM.inner((I32, I32, I64, I32, INT, I64, I32, I32))(block_join.add_postings)
best_windows = ROOM.inner((I32, I32, I32, I32, I32, I64, INT))(block_join.best_windows)
join_blocks = ROOM.entry((I64, I32, I32, I64, I32, I32, I64, I64, SPAN, INT, I64))(
    block_join.join_blocks
)

_PLACES = (I32, I32, I32, I32)
goes_on = ROOM.inner((I64, I64, F64))(screen.goes_on)
renumber = ROOM.inner((I32, INT, I64, I32, INT, I32))(screen.renumber)
factored = ROOM.entry((F64, I32, I32, F64, F64, FLOAT))(screen.factored)
many_short_runs = ROOM.inner((I64_2, INT, F64))(screen.many_short_runs)
exact_chains = ROOM.inner((I64_2, I32, I32, F64))(screen.exact_chains)
covers_half = ROOM.inner((I64_2, INT, INT))(screen.covers_half)
is_strong = ROOM.inner((F64, F64))(screen.is_strong)
grown = ROOM.inner((I32, I32, F64, I64_2, F64))(screen.grown)
hull_of = ROOM.inner((I32, I32, F64, FLOAT))(screen.hull_of)
summary_values = ROOM.inner((I32, I32, F64, FLOAT))(screen.summary_values)
may_be_summary = ROOM.inner((I32, I32, F64, F64, *_PLACES, F64))(screen.may_be_summary)
may_hold = ROOM.inner((I32, I32, F64, F64, I64_2, *_PLACES, F64))(screen.may_hold)
hopeful_pairs = ROOM.entry((I32, I64, I64, F64, I32, I32, I64, I64_2, F64))(screen.hopeful_pairs)
