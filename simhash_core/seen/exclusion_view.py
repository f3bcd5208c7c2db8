"""A finished check without what does not count: nothing is aligned again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np

from ..checking.chance import fill_chance
from ..checking.misread import read_document
from ..checking.templates import blank_templates, whole_units
from ..clustering import clusters, links
from ..meaning.align import FEWEST
from ..meaning.search import covered
from ..model import (
    F32,
    F64,
    I32,
    I64,
    MOVED,
    NO_DISTANCE,
    SHARED,
    VERBATIM,
    Bools,
    Note,
    Passages,
    Stretches,
    Zone,
)
from ..numbers import divisions
from ..passages import coverage, findings
from ..passages.align import EXACT_DENSE, FEWEST_TOKENS
from ..passages.coverage import Marks, PairNumbers
from ..passages.cut import Aligned, Pieces, cut, drop_uncounted, token_ranges, tokens_within
from ..passages.holders import count_holders
from ..passages.options import AlignOptions
from ..passages.tokenized import TokenizedText, languages_of
from ..people.authorship import mark_same_author
from ..policy import FINGERPRINT_STANDS
from ..result import CheckResult, Meanings, PairTable
from .exclusions import ExcludedRanges, Exclusions, Ranges


@dataclass(frozen=True, slots=True)
class Effect:
    """What one switch takes away from the count, the other switches as they are."""

    units: int  # characters or words of all texts, as their lengths are counted
    passages: int  # that fall away entirely
    pairs: int  # that fall away: nothing they share counts any more


@dataclass(frozen=True, slots=True, eq=False)
class ExclusionView:
    """A check before and after exclusions.

    Attributes
    ----------
    result
        What is left, a result like any other: its passages are the pieces that count, and its
        documents carry a note `excluded` for each range left out.
    before
        The check as it was.
    exclusions
        What was left out.
    spans
        For each document the ranges left out, sorted by place and disjoint, with the switch as
        `kind` and what it was recognised by as `reason`.
    characters, excluded : int64 (n,)
        Characters of each text that belong to words, and those of them left out.
    stretches
        What the pairs share: `pair` is a row of the table of `result`.
    excluder
        Sees the same check by other exclusions, without reading its texts again.
    """

    result: CheckResult
    before: CheckResult
    exclusions: Exclusions
    spans: tuple[tuple[Zone, ...], ...]
    characters: I64
    excluded: I64
    stretches: Stretches
    excluder: Excluder

    @property
    def units(self) -> tuple[int, int]:
        """Units of the texts that were asked about that count nowhere, and all they have."""
        division = self.result.division[: self.result.checked]
        return int(division[:, -1].sum()), int(division.sum())

    def of_pair(self, left: int, right: int) -> Stretches:
        """Return what is left of what two documents, left < right, share; `pair` is 0."""
        pairs = self.result.table.pairs
        row = np.flatnonzero((pairs.left == left) & (pairs.right == right))
        of_row = self.stretches.take(np.isin(self.stretches.pair, row))
        return of_row.of_pairs(np.zeros(len(of_row), np.int64))


def exclude(
    result: CheckResult, exclusions: Exclusions, *, variants: Ranges | None = None
) -> ExclusionView:
    """See a check without what does not count.

    Parameters
    ----------
    variants
        Ranges that count as given to all when `exclusions.variants` is on.

    Notes
    -----
    Characters left out are in no numerator and no denominator, so two texts that are identical
    after the exclusions are covered in full. A pair without any passage left falls away, unless
    its fingerprints are close and less than half of both texts was left out. Distances, the
    threshold and the expected false pairs are those of the check.
    """
    return Excluder(result, variants=variants).apply(exclusions)


class Excluder:
    """The texts of one check as tokens, to apply and to foresee exclusions.

    Tokens, zones and common phrases are computed once; a switch then costs what it cuts.
    """

    def __init__(self, result: CheckResult, *, variants: Ranges | None = None) -> None:
        self.result = result
        pairs = result.table.pairs
        self._pairs = np.stack([pairs.left, pairs.right], axis=1)
        self._texts = [
            read_document(blank_templates(one), result.settings) for one in result.documents
        ]
        self._ranges = ExcludedRanges(result, self._texts, variants or {})
        self._aligned: Aligned = {}
        self._before = cache(
            lambda: Measures.of(
                self._texts, self._pairs, result.passages, min_run=result.settings.min_run
            )
        )
        self._least = cache(self._least_characters)
        self._total_overlap = lru_cache(maxsize=8)(self._overlap_left)

    def with_variants(self, variants: Ranges) -> Excluder:
        """Return the same texts with other ranges that count as given to all."""
        other = copy(self)
        other._ranges = self._ranges.with_variants(variants)
        other._total_overlap = lru_cache(maxsize=8)(other._overlap_left)
        return other

    def stretches(self) -> Stretches:
        """Return what the pairs share while everything counts."""
        return self._before().stretches

    def total_overlap(self, exclusions: Exclusions) -> F32:
        """Return `total_overlap` of the view of some exclusions, float32 (n,), and nothing else."""
        return self._total_overlap(exclusions)

    def apply(self, exclusions: Exclusions) -> ExclusionView:
        """Return the check without what does not count."""
        spans = self._ranges.of(exclusions)
        counts = self._counted(spans)
        pieces = self._left(exclusions, counts)
        return self._view(exclusions, spans, counts, pieces)

    def effects(
        self, exclusions: Exclusions, wanted: Mapping[str, Exclusions]
    ) -> dict[str, Effect]:
        """Foresee switches: what each would take away, or takes away where it is on.

        Parameters
        ----------
        exclusions
            What is left out now.
        wanted
            Switch -> the exclusions with that one turned: `turned(exclusions, "citations")`.
        """
        now = self._amounts(exclusions)
        effects = {}
        for name, other in wanted.items():
            then = self._amounts(other)
            less, more = (then, now) if name in other.on else (now, then)
            effects[name] = Effect(*(int(b - a) for a, b in zip(less, more, strict=True)))
        return effects

    def _amounts(self, exclusions: Exclusions) -> tuple[int, int, int]:
        """Return what counts: units, passages, pairs with a passage."""
        counts = self._counted(self._ranges.of(exclusions))
        pieces = self._left(exclusions, counts)
        solid = ~pieces.passages.weak
        return (
            sum(int(mask.sum()) for mask in counts),
            len(np.unique(pieces.origin[solid])),
            len(np.unique(pieces.passages.pair[solid])),
        )

    # ------------------------------------------------------------------ what is left

    def _counted(self, spans: Sequence[Sequence[Zone]]) -> list[Bools]:
        return [
            ~tokens_within(text, [(zone.start, zone.end) for zone in of_text])
            for text, of_text in zip(self._texts, spans, strict=True)
        ]

    def _left(self, exclusions: Exclusions, counts: Sequence[Bools]) -> Pieces:
        """Return the pieces of passages that count."""
        apart = self._mark_apart(exclusions, *self._pairs.T)
        rows = np.flatnonzero(~apart[self.result.passages.pair])
        passages = self.result.passages.take(rows)
        pieces = cut(self._texts, self._pairs, passages, counts, aligned=self._aligned)
        pieces = self._still_passages(Pieces(pieces.passages, rows[pieces.origin]))
        pieces = self._with_equal(pieces, counts, ~apart)
        if not exclusions.min_match:
            return pieces
        return _of(pieces, self._sizes(pieces) >= exclusions.min_match)

    def _still_passages(self, pieces: Pieces) -> Pieces:
        """Take out what is left of passages that nobody would find as passages.

        Of a passage that lost words the rest counts while it is as long as the shortest passage
        of its language (`AlignOptions`): reworded, or mainly equal words. A passage that was
        suppressed stays so, from the shortest exact run on.
        """
        before, table = self.result.passages, pieces.passages
        sums = {
            name: np.bincount(pieces.origin, weights=getattr(table, name), minlength=len(before))
            for name in ("words_a", "words_b", "shared_a", "shared_b")
        }
        words = np.minimum(sums["words_a"], sums["words_b"])
        untouched = words >= np.minimum(before.words_a, before.words_b)
        equal = np.minimum(sums["shared_a"], sums["shared_b"]) >= EXACT_DENSE * np.maximum(
            np.maximum(sums["words_a"], sums["words_b"]), 1
        )
        reworded, exact, run = self._least().T
        long = self._characters(pieces) >= np.where(equal, exact, reworded)
        enough = np.where(before.weak, words >= run, long)
        return _of(pieces, untouched | (before.kind == findings.SUMMARY) | enough)

    def _least_characters(self) -> I64:
        """Return for each passage the least characters, reworded and exact, and the least run."""
        least = {
            language: (options.least_chars, options.chain_chars, options.short_run)
            for language in ("zh", "en")
            for options in [
                AlignOptions.for_language(
                    language, frequencies=True, min_run=self.result.settings.min_run
                )
            ]
        }
        languages = languages_of(self._texts, self._pairs)
        of_pair = np.array([least[language] for language in languages.tolist()], np.int64)
        return np.asarray(of_pair.reshape(-1, 3)[self.result.passages.pair])

    def _characters(self, pieces: Pieces) -> I64:
        """Return code points left of each passage, of the side with fewer."""
        table, n = pieces.passages, len(self.result.passages)
        sides = [
            np.bincount(pieces.origin, weights=end - start, minlength=n)
            for start, end in ((table.a_start, table.a_end), (table.b_start, table.b_end))
        ]
        return np.minimum(*sides).astype(np.int64)

    def _mark_apart(self, exclusions: Exclusions, left: I64, right: I64) -> Bools:
        """Mark the pairs of documents that do not count at all, bool (m,)."""
        documents = self.result.documents
        apart = np.zeros(len(left), np.bool_)
        if exclusions.sources:
            none = np.isin([document.id for document in documents], exclusions.sources)
            apart |= none[left] | none[right]
        same = mark_same_author(
            documents, person=exclusions.same_person, group=exclusions.same_group
        )
        return apart | same(left, right)

    def _meanings(self, exclusions: Exclusions, spans: Sequence[Sequence[Zone]]) -> Meanings | None:
        """Return the passages of one meaning of which enough sentences count on both sides."""
        meanings = self.result.meanings
        if meanings is None or not len(meanings):
            return meanings
        remaining = ~self._mark_apart(exclusions, meanings.left, meanings.right)
        for row in np.flatnonzero(remaining).tolist():
            answers = meanings.answers[meanings.first[row] : meanings.first[row + 1]].T
            out = _inside(spans[int(meanings.left[row])], answers[0], answers[1])
            out |= _inside(spans[int(meanings.right[row])], answers[2], answers[3])
            remaining[row] = (~out).sum() >= min(FEWEST, len(out))
        return meanings.take(remaining)

    def _sizes(self, pieces: Pieces) -> I64:
        """Return tokens left of each passage, of the side with fewer; int64 (passages before,)."""
        size = np.zeros((2, len(self.result.passages)), np.int64)
        table = pieces.passages
        for side, start, end in ((0, table.a_start, table.a_end), (1, table.b_start, table.b_end)):
            first, last = token_ranges(self._texts, self._pairs[table.pair, side], start, end)
            np.add.at(size[side], pieces.origin, last - first)
        return np.asarray(size.min(axis=0))

    def _with_equal(self, pieces: Pieces, counts: Sequence[Bools], rows: Bools) -> Pieces:
        """Let texts that are equal in all that counts share all of it, however short its parts."""
        equal = self._equal(counts, rows)
        if not equal.any():
            return pieces
        other = ~equal[pieces.passages.pair]
        parts, origins = [pieces.passages.take(other)], [pieces.origin[other]]
        solid = np.flatnonzero(~self.result.passages.weak)
        pairs = self.result.passages.pair[solid]
        for row in np.flatnonzero(equal).tolist():
            origin = int(solid[np.searchsorted(pairs, row)])
            like = self.result.passages.take(np.array([origin]))
            a, b = self._pairs[row].tolist()
            parts.append(_whole(self._texts[a], self._texts[b], counts[a], counts[b], like))
            origins.append(np.full(len(parts[-1]), origin))
        order = np.argsort(np.concatenate([part.pair for part in parts]), kind="stable")
        return Pieces(Passages.join(parts), np.concatenate(origins)[order])

    def _equal(self, counts: Sequence[Bools], rows: Bools) -> Bools:
        """Mark the pairs, of `rows`, whose texts are equal only in what counts, bool (m,)."""
        left_of = [text.token[mask] for text, mask in zip(self._texts, counts, strict=True)]
        # nothing for texts too short to compare
        keys = [one.tobytes() if len(one) >= FEWEST_TOKENS else b"" for one in left_of]
        left, right = self._pairs.T
        equal = np.array([keys[a] == keys[b] != b"" for a, b in self._pairs.tolist()], np.bool_)
        some_cut = np.array([not mask.all() for mask in counts], np.bool_)
        equal &= rows & (some_cut[left] | some_cut[right]) & (self.result.table.passages > 0)
        return equal

    # ------------------------------------------------------------------ the view

    def _view(
        self,
        exclusions: Exclusions,
        spans: Sequence[tuple[Zone, ...]],
        counts: Sequence[Bools],
        pieces: Pieces,
    ) -> ExclusionView:
        result, passages = self.result, pieces.passages
        texts, measured = self._measured(exclusions, counts, pieces)
        whole = np.array([text.chars for text in self._texts], np.int64)
        left = np.array([text.chars for text in texts], np.int64)
        numbers, stretches = measured.numbers, measured.stretches
        share = (whole - left) / np.maximum(whole, 1)
        table = self._table(numbers, share, self._mark_apart(exclusions, *self._pairs.T))
        table = fill_chance(table, passages, texts, result.significance)
        held = count_holders(texts, self._pairs, stretches, before=self._before().stretches)
        table = replace(table, tones=held.of_pairs)
        joined, by_passages = links(table, result.threshold, result.batch_threshold)
        words = result.fingerprints.words
        groups = clusters(joined, len(texts), words, by_passages=by_passages)
        parts = coverage.parts_of_texts(texts, self._pairs, stretches)
        counted = np.array([text.counted for text in texts], np.int64)
        units = np.array([text.counted for text in self._texts], np.int64)
        documents = []  # each says what of it was left out, for whoever shows its text
        for document, zones in zip(result.documents, spans, strict=True):
            notes = [
                Note("excluded", {"switch": zone.kind, "reason": zone.reason}, zone.start, zone.end)
                for zone in zones
            ]
            documents.append(
                replace(document, notes=(*document.notes, *notes)) if notes else document
            )
        view = replace(
            result,
            documents=tuple(documents),
            table=table,
            passages=passages,
            clusters=tuple(groups),
            total_overlap=coverage.shares_of(parts, counted),
            identical_overlap=coverage.shares_of(parts[:, :1], counted),
            division=divisions(
                parts, counted, whole_units(result.documents, units, settings=result.settings)
            ),
            tones=held.of_texts,
            meanings=self._meanings(exclusions, spans),
        )
        return ExclusionView(
            view, result, exclusions, tuple(spans), whole, whole - left, stretches, self
        )

    def _measured(
        self, exclusions: Exclusions, counts: Sequence[Bools], pieces: Pieces
    ) -> tuple[list[TokenizedText], Measures]:
        """Return the texts as they count now, and what the pairs share of them."""
        texts = [drop_uncounted(text, mask) for text, mask in zip(self._texts, counts, strict=True)]
        measured = measure_pieces(
            self._before(),
            texts,
            self._pairs,
            pieces.passages,
            changed=self._changed(pieces),
            equal=self._equal(counts, ~self._mark_apart(exclusions, *self._pairs.T)),
        )
        return texts, measured

    def _overlap_left(self, exclusions: Exclusions) -> F32:
        counts = self._counted(self._ranges.of(exclusions))
        pieces = self._left(exclusions, counts)
        texts, measured = self._measured(exclusions, counts, pieces)
        parts = coverage.parts_of_texts(texts, self._pairs, measured.stretches)
        return coverage.shares_of(parts, np.array([text.counted for text in texts], np.int64))

    def _changed(self, pieces: Pieces) -> Bools:
        """Mark the pairs whose passages are not all there and whole, bool (m,)."""
        before, after = self.result.passages, pieces.passages
        whole = after.kind != findings.SUMMARY  # whole with words that do not count
        for name in ("a_start", "a_end", "b_start", "b_end"):
            whole &= getattr(after, name) == getattr(before, name)[pieces.origin]
        had, has, intact = (
            np.bincount(pair, minlength=len(self._pairs))
            for pair in (before.pair, after.pair, after.pair[whole])
        )
        return np.asarray((had != intact) | (has != intact))

    def _table(self, numbers: PairNumbers, share: F64, apart: Bools) -> PairTable:
        """Return the pair table with the numbers of what is left."""
        table = self.result.table
        ground = np.maximum(share[self._pairs[:, 0]], share[self._pairs[:, 1]])
        emptied = (table.passages > 0) & (numbers.passages == 0)
        gone = apart | (emptied & (ground >= FINGERPRINT_STANDS))
        nothing = np.uint16(NO_DISTANCE)
        return replace(
            table,
            pairs=replace(table.pairs, distance=np.where(gone, nothing, table.pairs.distance)),
            batch_distance=np.where(gone, nothing, table.batch_distance),
            coverage_a=numbers.coverage_a,
            coverage_b=numbers.coverage_b,
            identical=numbers.identical,
            longest=numbers.longest,
            passages=numbers.passages,
            parts=numbers.parts,
        )


def _inside(zones: Sequence[Zone], start: I32, end: I32) -> Bools:
    """Return which ranges are left out by half or more, bool (n,)."""
    ranges = np.array([(zone.start, zone.end) for zone in zones], np.int32).reshape(-1, 2)
    return covered((start, end), (ranges[:, 0], ranges[:, 1]))


def _of(pieces: Pieces, stay: Bools) -> Pieces:
    """Return the pieces of the passages that stay, bool (passages before,)."""
    rows = stay[pieces.origin]
    return Pieces(pieces.passages.take(rows), pieces.origin[rows])


def _whole(
    a: TokenizedText, b: TokenizedText, in_a: Bools, in_b: Bools, like: Passages
) -> Passages:
    """Return the passages of two texts that are equal in all that counts.

    `like` is one passage of the pair, which gives what a piece takes over.
    """
    at_a, at_b = np.flatnonzero(in_a), np.flatnonzero(in_b)
    apart = np.flatnonzero((np.diff(at_a) > 1) | (np.diff(at_b) > 1)) + 1
    first = np.concatenate([[0], apart])
    last = np.concatenate([apart, [len(at_a)]]) - 1
    words = (last - first + 1).astype(np.int32)
    return replace(
        like.take(np.zeros(len(first), np.int64)),
        a_start=a.start[at_a[first]],
        a_end=a.end[at_a[last]],
        b_start=b.start[at_b[first]],
        b_end=b.end[at_b[last]],
        kind=np.full(len(first), findings.IDENTICAL, np.uint8),
        words_a=words,
        words_b=words,
        shared_a=words,
        shared_b=words,
    )


# --------------------------------------------------------------------------- measured again


@dataclass(frozen=True, slots=True, eq=False)
class Measures:
    """What the pairs of a check amount to, and the stretches that each shares, sorted by pair."""

    numbers: PairNumbers
    stretches: Stretches

    @classmethod
    def of(
        cls, texts: Sequence[TokenizedText], pairs: I64, passages: Passages, *, min_run: int
    ) -> Measures:
        """Measure the passages of all pairs."""
        numbers, stretches = coverage.sum_up_pairs(texts, pairs, passages, min_run=min_run)
        return cls(numbers, stretches.take(np.argsort(stretches.pair, kind="stable")))

    def of_pair(self, row: int) -> Stretches:
        """Return the stretches of one pair."""
        bounds = np.searchsorted(self.stretches.pair, [row, row + 1])
        return self.stretches.take(np.arange(*bounds))


def measure_pieces(
    before: Measures,
    texts: Sequence[TokenizedText],
    pairs: I64,
    pieces: Passages,
    *,
    changed: Bools,
    equal: Bools,
) -> Measures:
    """Return what pairs amount to by the pieces that are left.

    Parameters
    ----------
    texts
        As they count now (`passages.cut.drop_uncounted`).
    pieces : Passages
        Sorted by pair.
    changed : bool (m,)
        Pairs that lost something; the shares of the others only change their divisor.
    equal : bool (m,)
        Pairs of texts that are equal in all that counts: their pieces are shared in full.
    """
    numbers = before.numbers.take(np.arange(len(pairs)))
    parts = [before.stretches.take(~changed[before.stretches.pair])]
    for row in np.flatnonzero(changed).tolist():
        low, high = np.searchsorted(pieces.pair, [row, row + 1])
        left = pieces.take(np.arange(low, high))
        left = left.take(~left.weak)
        both = texts[pairs[row, 0]], texts[pairs[row, 1]]
        marks = _marks(both, left, None if equal[row] else before.of_pair(row))
        longest, sizes = 0, np.minimum(left.words_a, left.words_b)
        for piece in np.argsort(-sizes, kind="stable").tolist():
            if sizes[piece] <= longest:  # too short to hold a longer run
                break
            longest = max(longest, coverage.longest_run(*both, left, piece))
        numbers.put(slice(row, row + 1), coverage.numbers_of(both, marks, longest, len(left)))
        parts.append(marks.stretches(row, both))
    counted = np.array([text.counted for text in texts], np.int64)[pairs]
    numbers = PairNumbers.of(numbers.parts, counted, numbers.longest, numbers.passages)
    return Measures(numbers, Stretches.join(parts))


def _marks(
    texts: tuple[TokenizedText, TokenizedText], left: Passages, shared: Stretches | None
) -> Marks:
    """Mark what is left of what two texts shared; without `shared`, all that is left."""
    ranges = ((left.a_start, left.a_end), (left.b_start, left.b_end))
    marked: list[tuple[Bools, Bools, Bools]] = []
    for side, (text, (start, end)) in enumerate(zip(texts, ranges, strict=True)):
        inside = tokens_within(text, list(zip(start.tolist(), end.tolist(), strict=True)))
        if shared is None:
            marked.append((inside, inside, np.zeros(len(text), np.bool_)))
            continue
        here = shared.take(shared.side == side)
        all_, same, away = (
            inside
            & tokens_within(text, list(zip(some.start.tolist(), some.end.tolist(), strict=True)))
            for some in map(here.of_kind, (SHARED, VERBATIM, MOVED))
        )
        marked.append((all_, same, away))
    return Marks.of(marked[0], marked[1])


# --------------------------------------------------------------------------- given to all

#: a passage that reaches a little beyond what was given, by as much of it and so many code
#: points, goes with it: its borders are never exact
RAGGED, MOST_RAGGED = 0.1, 40

Stretch = tuple[int, int]


def given_ranges(result: CheckResult, groups: Sequence[int]) -> dict[int, list[Stretch]]:
    """Return the ranges of passages that several hold, for `exclude`: row -> code points."""
    table = result.common
    ranges: dict[int, list[Stretch]] = {}
    for group in groups:
        rows = table.rows(group)
        columns = (table.document[rows], table.start[rows], table.end[rows])
        for document, start, end in zip(*(column.tolist() for column in columns), strict=True):
            ranges.setdefault(document, []).append((start, end))
    return {row: [_extended(result, row, one) for one in held] for row, held in ranges.items()}


def _extended(result: CheckResult, document: int, stretch: Stretch) -> Stretch:
    """Extend a stretch to the borders of the passages that reach just beyond it."""
    pairs, passages = result.table.pairs, result.passages
    start, end = stretch
    most = min(MOST_RAGGED, RAGGED * (end - start))
    low, high = start, end
    for row, first, last in (
        (pairs.left, passages.a_start, passages.a_end),
        (pairs.right, passages.b_start, passages.b_end),
    ):
        touching = (row[passages.pair] == document) & (first < end) & (last > start)
        begins, ends = first[touching], last[touching]
        low = min(low, int(begins[begins >= start - most].min(initial=start)))
        high = max(high, int(ends[ends <= end + most].max(initial=end)))
    return low, high
