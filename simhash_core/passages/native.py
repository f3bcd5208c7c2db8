"""The loops of this room in C, under the names of `readable`; what each does is said there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..machine.native import (
    BOOLS,
    BYTES,
    F64,
    FLOAT,
    I32,
    I64,
    INT,
    U64,
    Record,
    Table,
    fresh_table,
    function,
    procedure,
    record,
)
from ..model import F64 as Floats
from ..model import I32 as Ints
from ..model import I64 as Whole
from ..model import U64 as Words
from ..model import Bools, Passages, Stretches
from . import coverage
from .coverage import PairNumbers
from .findings import MOVED_HAN, MOVED_WORDS
from .options import AlignOptions, Numbered, Texts
from .tokenized import TokenizedText, languages_of

_Texts = record(
    feature=I32,
    token=I64,
    gram=I64,
    factor=F64,
    start=I32,
    end=I32,
    border=BYTES,
    offset=I64,
    chars=I64,
    tokens=INT,
)
_Numbered = record(
    local_a=I32,
    local_b=I32,
    weight=F64,
    plain=F64,
    mean=FLOAT,
    token_a=I64,
    token_b=I64,
    start_a=I32,
    start_b=I32,
    end_a=I32,
    end_b=I32,
    border_a=BYTES,
    border_b=BYTES,
    na=INT,
    nb=INT,
    distinct=INT,
)
_Joined = record(
    forward=I64,
    features=I32,
    weight=I32,
    ends=I64,
    block=I32,
    documents=I32,
    first_block=I64,
    behind=I64,
    ahead=I64,
    blocks=INT,
)
_RUNS = (I64, INT, I64, INT)
_align_pairs = function("passages_align_pairs", _Texts, I64, INT, F64, INT, Table)
_find_runs = function("passages_find_runs", *_RUNS, *_RUNS, INT, INT, Table)
_run_cover = function("passages_run_cover", I64, INT, INT, INT, I64)
_mark_runs = function("passages_mark_runs", *_RUNS, BOOLS, INT, BOOLS)
_number = function("passages_number_features", I32, INT, I32, INT, I32, I32)
_weigh = function("passages_weigh", I32, INT, I32, INT, INT, FLOAT, F64)
_factored = function("passages_factored", F64, INT, I32, INT, I32, INT, F64, F64, FLOAT, F64)
_measured = function("passages_measured", _Numbered, I64, INT, F64, INT, F64)
_strong = function("passages_strong_ones", _Numbered, I64, INT, I64, INT, F64, INT, I64)
_in_common = function("passages_in_common", I64, INT, I64, INT, INT, BOOLS, BOOLS)
_Counted = record(token=I64, feature=I32, start=I32, end=I32, counts=BOOLS, offset=I64)
_Rules = record(
    run_words=INT,
    run_han=INT,
    gap_words=INT,
    gap_han=INT,
    moved_words=INT,
    moved_han=INT,
    top_weight=FLOAT,
)
_measure_pairs = function(
    "passages_measure_pairs", _Counted, I64, BOOLS, I64, I64, INT, _Rules, I64, I64, Table
)
_count_common = procedure("passages_count_common", U64, I64, I64, I64, INT, I64)
_sharing = function("passages_pairs_sharing", I64, I64, I64, I64, I64, INT, INT, FLOAT, Table)
_join_blocks = function("passages_join_blocks", _Joined, INT, INT, INT, Table)


def _both(both: Numbered) -> Record:
    return _Numbered(*both, len(both.local_a), len(both.local_b), len(both.weight))


def align_pairs(texts: Texts, pairs: Whole, numbers: Floats) -> Floats:
    """See `pairwise.align_pairs`."""
    table, findings = fresh_table(np.float64, 8)
    record = _Texts(*texts, len(texts.feature))
    _align_pairs(record, pairs, len(pairs), numbers, len(numbers), findings)
    return table.taken()


def find_runs(
    token_a: Whole, token_b: Whole, gram_a: Whole, gram_b: Whole, k: int, repeats: int
) -> Whole:
    """See `exact.find_runs`."""
    table, runs = fresh_table(np.int64, 3)
    tokens = (token_a, len(token_a), token_b, len(token_b))
    _find_runs(*tokens, gram_a, len(gram_a), gram_b, len(gram_b), k, repeats, runs)
    return table.taken()


def run_cover(runs: Whole, side: int, n: int) -> Whole:
    """See `exact.run_cover`."""
    total = np.empty(n + 1, np.int64)
    _run_cover(runs, len(runs), side, n, total)
    return total


def mark_runs(token_a: Whole, token_b: Whole, counts: Bools, length: int) -> Bools:
    """See `exact.mark_runs`."""
    marked = np.zeros(len(token_a), np.bool_)
    _mark_runs(token_a, len(token_a), token_b, len(token_b), counts, length, marked)
    return marked


def number_features(feature_a: Ints, feature_b: Ints) -> tuple[Ints, Ints, int]:
    """See `rectangles.number_features`."""
    local_a, local_b = np.empty(len(feature_a), np.int32), np.empty(len(feature_b), np.int32)
    features = (feature_a, len(feature_a), feature_b, len(feature_b))
    return local_a, local_b, _number(*features, local_a, local_b)


def weigh(local_a: Ints, local_b: Ints, distinct: int, top: float) -> Floats:
    """See `rectangles.weigh`."""
    weight = np.empty(distinct)
    _weigh(local_a, len(local_a), local_b, len(local_b), distinct, top, weight)
    return weight


def factored(
    plain: Floats, local_a: Ints, local_b: Ints, factor_a: Floats, factor_b: Floats, least: float
) -> Floats:
    """See `pairwise.factored`."""
    weight, locals_ = np.empty(len(plain)), (local_a, len(local_a), local_b, len(local_b))
    _factored(plain, len(plain), *locals_, factor_a, factor_b, least, weight)
    return weight


def measured(both: Numbered, rects: Whole, numbers: Floats) -> Floats:
    """See `strong.measured`."""
    measures = np.empty((len(rects), 4))
    _measured(_both(both), rects, len(rects), numbers, len(numbers), measures)
    return measures


def strong_ones(both: Numbered, runs: Whole, rects: Whole, numbers: Floats) -> Whole:
    """See `strong.strong_ones`."""
    chosen = np.empty((len(rects), 4), np.int64)
    given = (runs, len(runs), rects, len(rects), numbers, len(numbers))
    return chosen[: _strong(_both(both), *given, chosen)]


def in_common(a: Whole, b: Whole, moved: int) -> tuple[Bools, Bools]:
    """See `findings.in_common`."""
    common = np.zeros(len(a), np.bool_), np.zeros(len(b), np.bool_)
    _in_common(a, len(a), b, len(b), moved, *common)
    return common


def measure_pairs(
    tokenized: Sequence[TokenizedText], pairs: Whole, passages: Passages, min_run: int
) -> tuple[PairNumbers, Stretches]:
    """See `coverage.measure_pairs`."""
    rows, local = np.unique(pairs, return_inverse=True)
    local = np.ascontiguousarray(local.reshape(pairs.shape))
    texts = [tokenized[row] for row in rows.tolist()]
    counts = [np.diff(text.before) > 0 for text in texts]
    columns = (
        np.concatenate([getattr(text, name) for text in texts])
        for name in ("token", "feature", "start", "end")
    )
    offset = np.cumsum([0, *map(len, texts)])
    counted = _Counted(*columns, np.concatenate(counts), offset)
    spans = np.stack([*passages.columns()[1:6]], axis=1).astype(np.int64)
    first = np.searchsorted(passages.pair, np.arange(len(pairs) + 1))
    parts = np.zeros((len(pairs), 2, len(coverage.PARTS)), np.int64)
    longest = np.empty(len(pairs), np.int64)
    table, stretches = fresh_table(np.int64, 5)
    chinese = languages_of(texts, local) == "zh"
    rules = _Rules(
        *(coverage.shortest_run(language, min_run) for language in ("en", "zh")),
        *(coverage.GAP_WORDS, coverage.GAP_HAN, MOVED_WORDS, MOVED_HAN),
        AlignOptions().top_weight,
    )
    given = (counted, local, chinese, spans, first, len(pairs), rules)
    _measure_pairs(*given, parts, longest, stretches)
    for row in np.flatnonzero(longest < 0).tolist():
        a, b = (tokenized[one] for one in pairs[row].tolist())
        longest[row] = coverage.longest_in(a, b, passages, np.arange(*first[row : row + 2]))
    of_text = np.array([int(np.count_nonzero(one)) for one in counts], np.int64)
    numbers = coverage.PairNumbers.of(
        parts.astype(np.int32),
        of_text[local],
        longest.astype(np.int32),
        np.diff(first).astype(np.int32),
    )
    pair, side, kind, start, end = table.taken().T
    return numbers, Stretches(
        pair,
        side.astype(np.uint8),
        start.astype(np.int32),
        end.astype(np.int32),
        kind.astype(np.uint8),
    )


def count_common(values: Words, indptr: Whole, left: Whole, right: Whole) -> Whole:
    """See `winnow.count_common`."""
    shared = np.empty(len(left), np.int64)
    _count_common(values, indptr, left, right, len(left), shared)
    return shared


def pairs_sharing(
    hashes: Whole,
    indptr: Whole,
    post: Whole,
    post_indptr: Whole,
    size: Whole,
    rows: int,
    share: float,
) -> Whole:
    """See `winnow.pairs_sharing`."""
    table, pairs = fresh_table(np.int64, 2)
    _sharing(hashes, indptr, post, post_indptr, size, len(size), rows, share, pairs)
    return table.taken()


def join_blocks(
    forward: Whole,
    features: Ints,
    weight: Ints,
    ends: Whole,
    block: Ints,
    documents: Ints,
    first_block: Whole,
    behind: Whole,
    rows: tuple[int, int],
    floor: int,
    ahead: Whole,
) -> Whole:
    """See `rare_words.join_blocks`."""
    table, pairs = fresh_table(np.int64, 3)
    arrays = (forward, features, weight, ends, block, documents, first_block, behind, ahead)
    _join_blocks(_Joined(*arrays, len(documents)), *rows, floor, pairs)
    return table.taken()
