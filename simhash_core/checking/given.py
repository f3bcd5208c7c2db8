"""What changes when passages count as given to all: they leave every total."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..clustering import clusters
from ..model import F32, I32, I64, Passages
from ..passages import coverage
from ..passages.options import AlignOptions
from ..passages.tokenized import TokenizedText, language_of, tokenize
from ..result import CheckResult, PairTable, VariantGroups
from ..text.normalize import normalize
from .templates import counted
from .thresholds import links

Stretch = tuple[int, int]
Piece = tuple[int, int, int, int]  # a_start, a_end, b_start, b_end


@dataclass(frozen=True, slots=True, eq=False)
class GivenToAll:
    """A result without some variant groups, and what that changes.

    `result` is a whole result in the same rows: documents and pairs keep their places. `changed`
    are the pair rows whose numbers differ, `gone` those that are not listed any more.
    """

    groups: tuple[int, ...]  # of the result it was made from
    result: CheckResult
    changed: I64
    gone: I64
    before: F32  # (n,) total overlap
    after: F32

    @property
    def documents(self) -> I64:
        """Rows of the documents whose total overlap changes."""
        return np.flatnonzero(self.before != self.after)


def given_to_all(result: CheckResult, groups: Sequence[int]) -> GivenToAll:
    """Take variant groups out of every passage and every total.

    Notes
    -----
    A passage loses what lies in a group on either side. Its rest counts where it is as long as an
    exact run must be to be shown. Fingerprints are those of the whole texts and stay, and so do
    pairs that are listed for them alone.
    """
    table, passages = result.table, result.passages
    given = _stretches(result.variant_groups, groups)
    touched = _touched(result, given)
    changed = np.unique(passages.pair[touched])
    rows = np.flatnonzero(np.isin(passages.pair, changed))
    texts = _tokenized(result, changed, given)
    reduced = _reduced(result, passages.take(rows), given, texts)
    rest = passages.take(np.setdiff1d(np.arange(len(passages)), rows))
    after = Passages.join([rest, reduced])
    new_table = _table(result, changed, reduced, texts)
    totals = [
        _totals(result, after, list(given), texts, before)
        for after, before in (
            (after, result.total_overlap),
            (after.take(after.kind == coverage.IDENTICAL), result.identical_overlap),
        )
    ]
    joined, by_passages = links(new_table, result.threshold, result.batch_threshold)
    words = result.fingerprints.words
    changed_result = replace(
        result,
        table=new_table,
        passages=after,
        total_overlap=totals[0],
        identical_overlap=totals[1],
        variant_groups=result.variant_groups.without(groups),
        clusters=tuple(clusters(joined, len(result.documents), words, by_passages=by_passages)),
    )
    limits = result.threshold, result.batch_threshold
    gone = np.flatnonzero(table.listed(*limits) & ~new_table.listed(*limits))
    return GivenToAll(tuple(groups), changed_result, changed, gone, result.total_overlap, totals[0])


def _stretches(groups: VariantGroups, chosen: Sequence[int]) -> dict[int, list[Stretch]]:
    """Return what is given, document row -> stretches."""
    given: dict[int, list[Stretch]] = {}
    for group in chosen:
        rows = groups.rows(group)
        columns = (groups.document[rows], groups.start[rows], groups.end[rows])
        for document, start, end in zip(*(column.tolist() for column in columns), strict=True):
            given.setdefault(document, []).append((start, end))
    return given


def _touched(result: CheckResult, given: Mapping[int, Sequence[Stretch]]) -> I64:
    """Return the passages that overlap what is given, on either side."""
    pairs, passages = result.table.pairs, result.passages
    touched = np.zeros(len(passages), np.bool_)
    for ends, start, end in (
        (pairs.left[passages.pair], passages.a_start, passages.a_end),
        (pairs.right[passages.pair], passages.b_start, passages.b_end),
    ):
        order = np.argsort(ends, kind="stable")
        bounds = np.searchsorted(ends[order], [[row, row + 1] for row in given])
        for stretches, (low, high) in zip(given.values(), bounds.tolist(), strict=True):
            rows = order[low:high]
            for first, last in stretches:
                touched[rows] |= (start[rows] < last) & (end[rows] > first)
    return np.flatnonzero(touched)


def _tokenized(
    result: CheckResult, changed: I64, given: Mapping[int, Sequence[Stretch]]
) -> dict[int, TokenizedText]:
    """Tokenise the texts of the changed pairs and of what is given."""
    pairs = result.table.pairs
    rows = {*pairs.left[changed].tolist(), *pairs.right[changed].tolist(), *given}
    texts = {}
    for row in rows:
        text = counted(result.documents[row]).text
        texts[row] = tokenize(normalize(text, fold_variants=result.settings.fold_variants), text)
    return texts


def _reduced(
    result: CheckResult,
    passages: Passages,
    given: Mapping[int, Sequence[Stretch]],
    texts: Mapping[int, TokenizedText],
) -> Passages:
    """Return passages without what is given; one may become several, or none."""
    pairs = result.table.pairs
    kept: list[int] = []
    pieces: list[Piece] = []
    for row, pair in enumerate(passages.pair.tolist()):
        left, right = int(pairs.left[pair]), int(pairs.right[pair])
        whole = (
            int(passages.a_start[row]),
            int(passages.a_end[row]),
            int(passages.b_start[row]),
            int(passages.b_end[row]),
        )
        for piece in _without(whole, given.get(left, ()), given.get(right, ())):
            if piece == whole or _long_enough(piece, texts[left], texts[right], result):
                kept.append(row)
                pieces.append(piece)
    a_start, a_end, b_start, b_end = np.array(pieces, np.int32).reshape(-1, 4).T
    chosen = passages.take(np.array(kept, np.int64))
    in_a = (a_end - a_start, chosen.a_end - chosen.a_start)
    in_b = (b_end - b_start, chosen.b_end - chosen.b_start)
    return replace(
        chosen,
        a_start=a_start,
        a_end=a_end,
        b_start=b_start,
        b_end=b_end,
        words_a=_in_proportion(chosen.words_a, *in_a),
        words_b=_in_proportion(chosen.words_b, *in_b),
        shared_a=_in_proportion(chosen.shared_a, *in_a),
        shared_b=_in_proportion(chosen.shared_b, *in_b),
    )


def _in_proportion(count: I32, part: I32, whole: I32) -> I32:
    """Return the words of a part; the places inside a passage are not known exactly either."""
    return np.asarray(np.rint(count * (part / np.maximum(whole, 1))), np.int32)


def _without(whole: Piece, left: Sequence[Stretch], right: Sequence[Stretch]) -> list[Piece]:
    """Cut stretches out of both sides of a passage; places on the other side in proportion."""
    a_start, a_end, b_start, b_end = whole
    scale = (b_end - b_start) / (a_end - a_start)
    pieces = _minus([(a_start, a_end)], left)
    if pieces == [(a_start, a_end)] and _minus([(b_start, b_end)], right) == [(b_start, b_end)]:
        return [whole]
    cut: list[Piece] = []
    for low, high in pieces:
        first = b_start + round((low - a_start) * scale)
        last = b_end - round((a_end - high) * scale)
        for b_low, b_high in _minus([(first, last)], right):
            a_low = low + round((b_low - first) / scale)
            a_high = high - round((last - b_high) / scale)
            if a_low < a_high:
                cut.append((a_low, a_high, b_low, b_high))
    return cut


def _minus(pieces: list[Stretch], gone: Sequence[Stretch]) -> list[Stretch]:
    """Return what stretches leave of some pieces."""
    for first, last in gone:
        pieces = [
            part
            for low, high in pieces
            for part in ((low, min(high, first)), (max(low, last), high))
            if part[0] < part[1]
        ]
    return pieces


def _long_enough(piece: Piece, a: TokenizedText, b: TokenizedText, result: CheckResult) -> bool:
    """Whether the rest of a passage is as long as an exact run that is shown."""
    options = AlignOptions.for_language(
        language_of([a, b]), frequencies=False, min_run=result.settings.min_run
    )
    tokens = [
        np.searchsorted(text.end, end, side="right") - np.searchsorted(text.start, start)
        for text, start, end in ((a, *piece[:2]), (b, *piece[2:]))
    ]
    return bool(min(tokens) >= options.short_run)


def _table(
    result: CheckResult, changed: I64, reduced: Passages, texts: Mapping[int, TokenizedText]
) -> PairTable:
    """Return the pair table with new numbers for the changed pairs."""
    table = result.table
    ends = np.stack([table.pairs.left[changed], table.pairs.right[changed]], axis=1)
    rows, local = np.unique(ends, return_inverse=True)
    of_pairs = reduced.of_pairs(np.searchsorted(changed, reduced.pair))
    numbers = coverage.of_pairs(
        [texts[row] for row in rows.tolist()], local.reshape(ends.shape), of_pairs
    )
    names = ("coverage_a", "coverage_b", "identical", "longest", "passages")
    columns = {name: getattr(table, name).copy() for name in names}
    for name, values in zip(names, numbers.columns(), strict=True):
        columns[name][changed] = values
    return replace(table, **columns)


def _totals(
    result: CheckResult,
    passages: Passages,
    changed: Sequence[int],
    texts: Mapping[int, TokenizedText],
    before: F32,
) -> F32:
    """Return the total overlap of every text; only some change."""
    pairs = result.table.pairs
    after = before.copy()
    left, right = pairs.left[passages.pair], pairs.right[passages.pair]
    counts = ~passages.weak
    for row in changed:
        mine, theirs = counts & (left == row), counts & (right == row)
        start = np.concatenate([passages.a_start[mine], passages.b_start[theirs]])
        end = np.concatenate([passages.a_end[mine], passages.b_end[theirs]])
        after[row] = coverage.share(texts[row], start, end)
    return after
