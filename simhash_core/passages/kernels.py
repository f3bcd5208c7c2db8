"""The readable loops of this room, compiled: one source, two speeds."""

from __future__ import annotations

from ..machine.kernels import (
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
    named,
    three,
)
from . import exact, pairwise, rare_words, rectangles, seeds, strong, summaries, winnow
from .options import Numbered, Texts

ROOM = Kernels("passages")

#: one text seen from the other: `max_sum_segment` to `better_span`, both ends of `snap`
_ONE_SIDE = (I32, I64, I64, F64, FLOAT)
#: for what only other kernels call: its wrapper for Python takes longer to make than itself
_INSIDE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_BOTH = named(Numbered, I32, I32, F64, F64, FLOAT, I64, I64, I32, I32, I32, I32, BYTES, BYTES)
_PARTS = three(F64_2)
_TEXTS = named(Texts, I32, I64, I64, F64, I32, I32, BYTES, I64, I64)

# callees first
gram_table = ROOM.inner((I64,))(exact.gram_table)
with_room = ROOM.inner((I64_2, INT), (F64_2, INT))(exact.with_room)
extent = ROOM.inner((I64, I64, INT, INT, INT))(exact.extent)
sort_runs = ROOM.inner((I64_2,))(exact.sort_runs)
runs_in = ROOM.inner((I64, I64, I64, I64, I64, I64, I64, INT, INT))(exact.runs_in)
find_runs = ROOM.entry((I64, I64, I64, I64, INT, INT))(exact.find_runs)
chain_runs = ROOM.inner((I64_2, INT))(exact.chain_runs)
run_cover = ROOM.entry((I64_2, INT, INT))(exact.run_cover)
mark_runs = ROOM.entry((I64, I64, BOOLS, INT))(exact.mark_runs)

number_features = ROOM.entry((I32, I32))(rectangles.number_features)
weigh = ROOM.entry((I32, I32, INT, FLOAT))(rectangles.weigh)
window_count = ROOM.inner((INT, INT, INT))(seeds.window_count)
postings = ROOM.inner((I32, I32, F64, INT, INT, BOOLS))(seeds.postings)
norms = ROOM.inner((I32, F64, INT, INT))(seeds.norms)
block_entries = ROOM.inner((I32, INT, INT))(seeds.block_entries)
add_block = ROOM.inner((I32, F64, I64, I32, I32, I64, F64))(seeds.add_block)
mark_hopeful = ROOM.inner((F64_2, FLOAT, F64, F64, F64, BOOLS))(seeds.mark_hopeful)
hopeful_windows = ROOM.inner((I32, I32, F64, INT, INT, FLOAT, BOOLS, BOOLS))(seeds.hopeful_windows)
best_seeds = ROOM.inner((F64_2, INT))(seeds.best_seeds)
window_seeds = ROOM.inner((I32, I32, F64, INT, INT, FLOAT, INT, BOOLS, BOOLS))(seeds.window_seeds)
tally = ROOM.inner((I32, INT, INT, I64, INT))(rectangles.tally)
max_sum_segment = ROOM.inner((*_ONE_SIDE, INT, INT))(rectangles.max_sum_segment)
extend_border = ROOM.inner((*_ONE_SIDE, FLOAT, INT, INT))(rectangles.extend_border)
extend = ROOM.inner((*_ONE_SIDE, FLOAT, INT, INT))(rectangles.extend)
better_span = ROOM.inner((I32, *_ONE_SIDE, FLOAT, SPAN, SPAN))(rectangles.better_span)
grow_one = ROOM.inner((I32, I32, F64, I64, I64, FLOAT, FLOAT, INT, RECT))(rectangles.grow_one)
holds_centre = ROOM.inner((I64_2, INT, INT, INT))(rectangles.holds_centre)
is_repeated = ROOM.inner((I64_2, INT))(rectangles.is_repeated)
grow = ROOM.inner((I32, I32, SPAN, F64, I64_2, INT, FLOAT, FLOAT, INT, INT, INT))(rectangles.grow)
shared_weights = ROOM.inner((I32, I32, F64, I64_2))(rectangles.shared_weights)

snap_border = ROOM.inner((*_ONE_SIDE, INT, F64, BYTES, SPAN, INT))(strong.snap_border)
snap = ROOM.inner((I32, I32, F64, FLOAT, INT, F64, BYTES, SPAN, SPAN))(strong.snap)

best_segment = ROOM.inner((F64, BOOLS, FLOAT))(summaries.best_segment)
explained_weight = ROOM.inner((I32, I32, F64, I64_2, INT, INT))(summaries.explained_weight)

count_common = ROOM.entry((U64, I64, I64, I64))(winnow.count_common)
count_shared = ROOM.inner((I64, I64, I64, INT, I64))(winnow.count_shared)
pairs_sharing = ROOM.entry((I64, I64, I64, I64, I64, INT, FLOAT))(winnow.pairs_sharing)

add_postings = ROOM.inner((I32, I32, I64, I32, INT, I64, I32, I32))(rare_words.add_postings)
best_windows = ROOM.inner((I32, I32, I32, I32, I32, I64, INT))(rare_words.best_windows)
join_blocks = ROOM.entry((I64, I32, I32, I64, I32, I32, I64, I64, SPAN, INT, I64))(
    rare_words.join_blocks
)

overlap = ROOM.inner((I64, I64, INT))(rectangles.overlap)
lies_in = ROOM.inner((I64, I64))(rectangles.lies_in)
put = ROOM.inner((I64, I64))(rectangles.put)
one_to_one = ROOM.inner((I64_2,))(rectangles.one_to_one)
widen_to = ROOM.inner((I64, I64))(rectangles.widen_to)
placed_in = ROOM.inner((I64_2, INT, I64))(rectangles.placed_in)
worth = ROOM.inner((F64,))(rectangles.worth)
better_hull = ROOM.inner((I32, I32, F64, I64_2, I64))(rectangles.better_hull)
joined = ROOM.inner((I32, I32, F64, I64_2))(rectangles.joined)
are_neighbours = ROOM.inner((I64, I64, INT))(rectangles.are_neighbours)
merged = ROOM.inner((I64_2, INT))(rectangles.merged)

affordable_step = ROOM.inner((I32, I32, F64, INT, INT))(seeds.affordable_step)
covered_before = ROOM.inner((I64_2, INT, INT))(seeds.covered_before)
leave_free = ROOM.inner((BOOLS, I64, INT, INT))(seeds.leave_free)
looked_at = ROOM.inner((I64_2, SPAN, INT, INT))(seeds.looked_at)
is_book = ROOM.inner((_BOTH,), **_INSIDE)(seeds.is_book)
windows_alike = ROOM.inner((_BOTH, I64_2, F64), **_INSIDE)(seeds.windows_alike)
spans_of = ROOM.inner((I64_2, F64_2, SPAN, INT))(seeds.spans_of)

measured = ROOM.entry((_BOTH, I64_2, F64))(strong.measured)
exact_share = ROOM.inner((I64_2, INT, INT, INT))(strong.exact_share)
is_long = ROOM.inner((_BOTH, I64_2, I64, F64), **_INSIDE)(strong.is_long)
strong_ones = ROOM.entry((_BOTH, I64_2, I64_2, F64))(strong.strong_ones)
exact_chains = ROOM.inner((_BOTH, I64_2, F64), **_INSIDE)(strong.exact_chains)
has_verbatim_copy = ROOM.inner((_BOTH, I64_2, F64), **_INSIDE)(strong.has_verbatim_copy)
verbatim_rule = ROOM.inner((_BOTH, I64_2, I64_2, I64_2, F64), **_INSIDE)(strong.verbatim_rule)
border_bonus = ROOM.inner((F64, FLOAT))(strong.border_bonus)
placed = ROOM.inner((_BOTH, I64, I64_2, F64), **_INSIDE)(strong.placed)

turned = ROOM.inner((_BOTH,), **_INSIDE)(summaries.turned)
exchanged = ROOM.inner((I64_2,))(summaries.exchanged)
values_of = ROOM.inner((_BOTH, FLOAT), **_INSIDE)(summaries.values_of)
hull_of = ROOM.inner((I32, I32, F64))(summaries.hull_of)
snapped = ROOM.inner((BYTES, F64, FLOAT, SPAN, F64))(summaries.snapped)
sentences = ROOM.inner((BYTES, SPAN))(summaries.sentences)
is_explained = ROOM.inner((_BOTH, I64_2, SPAN, F64, FLOAT, F64), **_INSIDE)(summaries.is_explained)
is_summary = ROOM.inner((_BOTH, I64_2, SPAN, F64, FLOAT, F64, I64), **_INSIDE)(summaries.is_summary)
one_way = ROOM.inner((_BOTH, I64_2, F64), **_INSIDE)(summaries.one_way)
summarised = ROOM.inner((_BOTH, I64_2, F64), **_INSIDE)(summaries.summarised)

span_of = ROOM.inner((_TEXTS, INT, INT), **_INSIDE)(pairwise.span_of)
grams = ROOM.inner((_TEXTS, INT, INT), **_INSIDE)(pairwise.grams)
are_equal = ROOM.inner((I64, I64))(pairwise.are_equal)
renumber = ROOM.inner((I32, INT, I64, I32, INT, I32))(pairwise.renumber)
factored = ROOM.entry((F64, I32, I32, F64, F64, FLOAT))(pairwise.factored)
mean_weight = ROOM.inner((I32, I32, F64))(pairwise.mean_weight)
numbered = ROOM.inner((_TEXTS, I32, INT, INT, INT, I64, I32, FLOAT), **_INSIDE)(pairwise.numbered)
as_findings = ROOM.inner((_BOTH, I64_2, F64, FLOAT), **_INSIDE)(pairwise.as_findings)
whole = ROOM.inner((_BOTH, F64), **_INSIDE)(pairwise.whole)
tokens_in = ROOM.inner((I64_2, INT))(pairwise.tokens_in)
common_ends = ROOM.inner((_BOTH, I64_2), **_INSIDE)(pairwise.common_ends)
candidates = ROOM.inner((_BOTH, I64_2, I64_2, F64), **_INSIDE)(pairwise.candidates)
firm_ones = ROOM.inner((_BOTH, I64_2, I64_2, F64), **_INSIDE)(pairwise.firm_ones)
without = ROOM.inner((I64_2, I64_2, INT))(pairwise.without)
short_runs = ROOM.inner((_BOTH, I64_2, _PARTS, F64), **_INSIDE)(pairwise.short_runs)
together = ROOM.inner((_BOTH, I64_2, I64_2, I64_2, F64, I64_2, F64), **_INSIDE)(pairwise.together)
aligned = ROOM.inner((_BOTH, I64_2, F64), **_INSIDE)(pairwise.aligned)
align_pairs = ROOM.entry((_TEXTS, I64_2, F64))(pairwise.align_pairs)
