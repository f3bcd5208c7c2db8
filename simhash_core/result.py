"""What a check gives out: the pair table, the result, its views, a comparison of two texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .model import (
    F32,
    F64,
    I32,
    I64,
    PASSAGE_KINDS,
    U16,
    Bools,
    CorpusStats,
    Distances,
    Division,
    Document,
    DocumentFrequencies,
    Fingerprints,
    Pairs,
    Passages,
    Skipped,
    Stretches,
)
from .policy import (
    CASE_UNITS,
    CASE_WHOLE,
    CHANCE_TEXTS,
    LINK_RUN,
    MEANING_UNRELATED,
    PASSAGE_LINK,
    SMALL_CHECK,
    SUMMARY_LEAD,
)
from .policy import CHANCE_MARKED as CHANCE_MARKED  # pages take it from the door

if TYPE_CHECKING:
    from .limits import Limits, Significance
    from .settings import Settings

_SUMMARY = PASSAGE_KINDS.index("summary")

#: columns of `CheckResult.division`; what each is stands in `numbers`
DIVISION = ("identical", "reworded", "moved", "own", "left_out")
#: how many texts hold a shared unit: these two alone, a few (`FEW_HOLDERS`), or more
TONES = ("own", "few", "many")


@dataclass(frozen=True, slots=True)
class Cluster:
    """A connected group with a star cover. Rows are document rows.

    `centres[i]` is the member that has direct evidence for `members[i]` (itself for a centre).
    `links` counts the direct pairs among members; `bridges` are pairs whose removal splits it.
    """

    members: tuple[int, ...]  # sorted
    centre: int  # centre of the largest star
    centres: tuple[int, ...]
    links: int
    passage_links: int  # links that rest on shared passages alone
    density: float  # links / possible links
    weakest: tuple[int, int, int]  # (left, right, distance) of the link with the largest distance
    diameter: int  # largest distance between any two members, bits
    bridges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Guarantee:
    """One sentence about what the search is certain to have found: a code with its numbers."""

    code: str
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """Every pair worth keeping, one row each, all columns aligned.

    A row exists when the background distance is at most `complete_up_to`, or the batch
    signature is as close, or the two texts share a passage. Fingerprints of short texts are
    unsteady: where passages were looked for, and there is none, they bring no pair within a
    threshold. `coverage_a` is the share of what counts of the left text that is shared: its units
    in `parts` by those that count (`numbers`).
    """

    pairs: Pairs  # background distance
    batch_distance: U16  # NO_DISTANCE where there is no batch signature
    containment: F32  # shared winnowed prints / smaller set, 0..1; nan where not computed
    coverage_a: F32
    coverage_b: F32
    identical: F32  # share of what both sides share that is identical
    longest: I32  # longest identical run: characters of Han and kana, words of other scripts
    passages: I32  # number of passages
    strength: F32  # of the strongest counted passage that is no summary; 0 without one
    chance: F32  # unrelated pairs of the batch expected to be as strong; nan where not estimated
    parts: I32  # (m, 2, 3): units of each side, identical, reworded, moved
    #: both texts are long enough for their fingerprints to speak alone; none for all pairs
    steady: Bools = field(default_factory=lambda: np.ones(0, np.bool_))  # (m,)
    #: units of each side by `TONES`: they sum to those of `parts`; none where nobody counted them
    tones: I32 = field(default_factory=lambda: np.zeros((0, 2, 3), np.int32))  # (m, 2, 3)

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def own(self) -> I64:
        """Units that only these two texts hold, of the text with fewer of them; int64 (m,)."""
        return self._held(1)

    @property
    def own_or_few(self) -> I64:
        """Units that only these two or a few texts hold, of the text with fewer; int64 (m,)."""
        return self._held(2)

    def _held(self, tones: int) -> I64:
        counted = self.tones[:, :, :tones] if len(self.tones) else self.parts
        return np.asarray(counted.sum(axis=2).min(axis=1, initial=2**31 - 1), np.int64)

    @property
    def few_shares(self) -> F32:
        """Shares of both texts that only they or a few others hold, float32 (m, 2)."""
        shares = np.stack([self.coverage_a, self.coverage_b], axis=1)
        if not len(self.tones):
            return shares
        shared = np.maximum(self.tones.sum(axis=2), 1)
        return np.asarray(shares * self.tones[:, :, :2].sum(axis=2) / shared, np.float32)

    @property
    def comparable(self) -> Bools:
        """Rows whose fingerprints count: of long texts, or beside a shared passage; bool (m,)."""
        return (self.steady if len(self.steady) else True) | (self.passages > 0)

    def within(self, threshold: int, batch_threshold: int) -> Bools:
        """Return which rows are close enough by either signature, bool (m,)."""
        by_batch = self.batch_distance.astype(np.int64) <= batch_threshold
        return ((self.pairs.distance <= threshold) | by_batch) & self.comparable

    def listed(self, threshold: int, batch_threshold: int) -> Bools:
        """Return which rows have any evidence: within the thresholds, or a passage; bool (m,)."""
        return self.within(threshold, batch_threshold) | (self.passages > 0)


@dataclass(frozen=True, slots=True, eq=False)
class VariantGroups:
    """Passages that three or more texts share: group g is rows `first[g]:first[g + 1]`.

    A row is one witness: a document row and the stretch of its text. A text is a witness of a
    group once at most; rows of a group are sorted by document. Most witnesses first, then longest.
    """

    first: I64  # (g + 1,)
    document: I64  # (w,)
    start: I32  # (w,)
    end: I32  # (w,)
    part: Bools  # (w,) this text holds only a part of the passage

    @classmethod
    def none(cls) -> VariantGroups:
        """Return no group."""
        whole, place = np.zeros(0, np.int64), np.zeros(0, np.int32)
        return cls(np.zeros(1, np.int64), whole, place, place, np.zeros(0, np.bool_))

    def __len__(self) -> int:
        return len(self.first) - 1

    def rows(self, group: int) -> slice:
        """Return the rows of one group."""
        return slice(int(self.first[group]), int(self.first[group + 1]))

    def renumbered(self, rows: I64) -> VariantGroups:
        """Return the same by the place of each document in `rows`, ascending; others go."""
        held = np.isin(self.document, rows)
        group = np.repeat(np.arange(len(self)), np.diff(self.first))[held]
        size = np.bincount(group, minlength=len(self))
        kept = replace(
            self,
            first=np.concatenate([[0], np.cumsum(size)]).astype(np.int64),
            document=np.searchsorted(rows, self.document[held]).astype(np.int64),
            start=self.start[held],
            end=self.end[held],
            part=self.part[held],
        )
        return kept.without(np.flatnonzero(size < 2).tolist())

    def of_document(self, document: int) -> list[int]:
        """Return the groups that a document is a witness of."""
        rows = np.flatnonzero(self.document == document)
        return [int(g) for g in np.searchsorted(self.first, rows, side="right") - 1]

    def without(self, groups: Sequence[int]) -> VariantGroups:
        """Return all other groups, in the same order."""
        sizes, gone = np.diff(self.first), np.isin(np.arange(len(self)), groups)
        rows = np.repeat(~gone, sizes)
        first = np.concatenate([[0], np.cumsum(sizes[~gone])]).astype(np.int64)
        return VariantGroups(
            first, self.document[rows], self.start[rows], self.end[rows], self.part[rows]
        )


@dataclass(frozen=True, slots=True, eq=False)
class Meanings:
    """Passages that say the same in other words, within a language or across: evidence of its own.

    Found by vectors of sentences, where no counted passage lies; where there are none, in pairs of
    a Chinese and an English text by the words of a dictionary. The answers of row i are `first[i]`
    to `first[i + 1]`; what words found is one answer. No share, count, cluster or total of a
    result contains them. Sorted by pair, then by place in the left text.
    """

    left: I64  # (f,) document rows, left < right
    right: I64
    a_start: I32  # (f,) range in the left text
    a_end: I32
    b_start: I32
    b_end: I32
    score: F32  # nats by which the same statement beats "any text"
    chance: F64  # (f,) unrelated pairs of the batch expected to be as strong; nan where unknown
    by_words: Bools  # (f,) found by the words of a dictionary, the others by vectors of sentences
    first: I64  # (f + 1,)
    answers: I32  # (s, 4): range of a sentence in the left text, of the one that answers it
    closeness: F32  # (s,) cosine of the two, -1 to 1; nan where words found them
    next_best: F32  # (s,) of the next best sentence of the right text; nan where there is none
    unrelated: F32  # (u,) best answers between unrelated texts of the batch, sorted; () if too few
    compared: int  # pairs that were aligned
    possible: int  # pairs that could be
    by_sentences: bool = True  # whether vectors of sentences were looked at
    #: pairs whose words are a summary alone, left < right, and how much nearer the summary is to
    #: its source than the rest of its text, in cosine; nan where unknown
    summarised: I64 = field(default_factory=lambda: np.zeros((0, 2), np.int64))  # (s, 2)
    summary_lead: F32 = field(default_factory=lambda: np.zeros(0, np.float32))  # (s,)
    one_task: bool = False  # whether nothing is listed, as the texts all answer one question

    def __len__(self) -> int:
        return len(self.left)

    def take(self, rows: NDArray[Any]) -> Meanings:
        """Return some rows with their answers, by index or by mask."""
        chosen = np.arange(len(self))[rows]
        sizes = np.diff(self.first)[chosen]
        first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        held = np.repeat(self.first[chosen] - first[:-1], sizes) + np.arange(first[-1])
        taken = {name: getattr(self, name)[chosen] for name in _OF_PASSAGE}
        answers = {name: getattr(self, name)[held] for name in _OF_ANSWER}
        return replace(self, first=first, **taken, **answers)

    def renumbered(self, rows: I64) -> Meanings:
        """Return the same by the place of each document in `rows`, ascending, which hold all."""
        sides: dict[str, Any] = {
            name: np.searchsorted(rows, getattr(self, name)).astype(np.int64)
            for name in ("left", "right", "summarised")
        }
        return replace(self, **sides)

    def with_words(self, words: Meanings | None) -> Meanings:
        """Return these and what words found in pairs where vectors of sentences found nothing."""
        if words is None:
            return self
        wide = int(max(self.right.max(initial=0), words.right.max(initial=0))) + 1
        led = np.isin(words.left * wide + words.right, self.left * wide + self.right)
        added = words.take(~led)
        names = (*_OF_PASSAGE, *_OF_ANSWER)
        columns: dict[str, Any] = {
            name: np.concatenate([getattr(self, name), getattr(added, name)]) for name in names
        }
        first = np.concatenate([self.first, self.first[-1] + added.first[1:]])
        both = replace(self, first=first, **columns)
        return both.take(np.lexsort((both.b_start, both.a_start, both.right, both.left)))

    def of_pair(self, a: int, b: int) -> NDArray[np.int64]:
        """Return the rows of two documents, in the order of the left text."""
        return np.flatnonzero((self.left == min(a, b)) & (self.right == max(a, b)))

    def pairs(self) -> list[tuple[int, int]]:
        """Return the pairs with a passage, the strongest first."""
        best: dict[tuple[int, int], float] = {}
        for pair in zip(self.left.tolist(), self.right.tolist(), self.score.tolist(), strict=True):
            best[pair[:2]] = max(best.get(pair[:2], 0.0), pair[2])
        return sorted(best, key=lambda pair: (-best[pair], pair))

    def places(self, rows: NDArray[Any]) -> int:
        """Return how many sentences of the left text are answered, passages where words did."""
        return int(np.diff(self.first)[rows].sum())

    @property
    def highest(self) -> float | None:
        """Closeness of the closest unrelated sentences; None where too few were compared."""
        few = len(self.unrelated) < MEANING_UNRELATED
        return None if few else float(self.unrelated[-1])

    def shown(self) -> Meanings:
        """Return what may be shown: passages stronger than what unrelated texts reach.

        Those of which more than one unrelated pair of the batch is expected to be as strong go.
        All stay where too few unrelated pairs were compared.
        """
        return self.take(~(self.chance > 1))


_OF_PASSAGE = (
    *("left", "right", "a_start", "a_end", "b_start", "b_end"), "score", "chance", "by_words",
)  # fmt: skip
_OF_ANSWER = ("answers", "closeness", "next_best")


class ApartPair(NamedTuple):
    """What `Meanings` say of one pair."""

    left: int  # document rows
    right: int
    places: int
    characters: tuple[int, int]  # in passages, of both texts
    score: float  # of the strongest
    chance: float  # unrelated pairs expected to be as strong; nan where unknown


def apart_pairs(findings: Meanings | None) -> list[ApartPair]:
    """Return the pairs with findings, the strongest first; none where none were looked for."""
    if findings is None:
        return []
    listed = []
    for left, right in findings.pairs():
        rows = findings.of_pair(left, right)
        best = int(rows[np.argmax(findings.score[rows])])
        sizes = (
            int((findings.a_end - findings.a_start)[rows].sum()),
            int((findings.b_end - findings.b_start)[rows].sum()),
        )
        score, expected = float(findings.score[best]), float(findings.chance[best])
        listed.append(ApartPair(left, right, findings.places(rows), sizes, score, expected))
    return listed


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CheckResult:
    """All that a page or a report needs: plain data, serialisable."""

    documents: tuple[Document, ...]
    skipped: tuple[Skipped, ...]
    settings: Settings
    fingerprints: Fingerprints  # background signature: stored, comparable for ever
    batch_fingerprints: Fingerprints | None  # without features that most of the batch shares
    stats: CorpusStats
    lengths: I64  # (n,) tokens kept a document
    table: PairTable
    passages: Passages  # `pair` = row of `table`
    complete_up_to: int  # every pair within this background distance is in `table`
    distances: Distances
    batch_distances: Distances | None
    significance: Significance  # findings to expect between unrelated texts, by strength
    limits: Limits  # false pairs to expect at each threshold, and the threshold chosen on them
    clusters: tuple[Cluster, ...]
    total_overlap: F32  # (n,) share of what counts of a text that any other text shares
    identical_overlap: F32  # (n,) the part of it that is identical
    division: I32  # (n, 5): units of each text by `DIVISION`
    variant_groups: VariantGroups  # passages that three or more texts share
    guarantees: tuple[Guarantee, ...]
    frequencies: DocumentFrequencies | None  # of what passages compare; None in a small batch
    timings: Mapping[str, float]  # stage code -> seconds
    references: int = 0  # the last so many documents were only compared against
    version: str = ""
    meanings: Meanings | None = None  # None where they were not looked for
    #: units of each text that others share by `TONES`, each by the fewest texts of any pair
    tones: I32 = field(default_factory=lambda: np.zeros((0, 3), np.int32))  # (n, 3)
    #: passages that three or more texts hold, each one question; most holders first
    common: VariantGroups = field(default_factory=lambda: VariantGroups.none())

    @property
    def threshold(self) -> int:
        """Background threshold that the settings or the batch chose, bits."""
        return self.limits.threshold

    @property
    def checked(self) -> int:
        """How many documents were checked; the rows after them were only compared against."""
        return len(self.documents) - self.references

    @property
    def batch_threshold(self) -> int:
        """The same risk on the batch signature, -1 where there is none."""
        return self.limits.batch_threshold

    @property
    def expected_false_pairs(self) -> float:
        """False pairs to expect at the chosen threshold, in this batch."""
        return self.limits.expected(self.threshold)

    @property
    def unread(self) -> tuple[Skipped, ...]:
        """Files whose text is missing; `skipped` also has those that another one stands for."""
        return tuple(row for row in self.skipped if row.unread)

    def __repr__(self) -> str:
        listed = int(self.table.listed(self.threshold, self.batch_threshold).sum())
        counts = {
            "documents": len(self.documents),
            "pairs": listed,
            "clusters": len(self.clusters),
            "skipped": len(self.skipped),
        }
        return f"CheckResult({', '.join(f'{name}={n}' for name, n in counts.items())})"

    def row_of(self, document: Document) -> int:
        """Return the row of a document, -1 where it is not part of the batch."""
        for row, candidate in enumerate(self.documents):
            if candidate.id == document.id and candidate.name == document.name:
                return row
        return -1


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdView:
    """The same result seen at another threshold; nothing is recomputed but masks and clusters."""

    threshold: int
    batch_threshold: int  # the same risk on the batch signature; -1 where there is none
    within: Bools  # (m,) rows of `CheckResult.table` found by fingerprint at this threshold
    listed: Bools  # (m,) within, or sharing a passage
    expected_false_pairs: float  # in this batch at this threshold
    clusters: tuple[Cluster, ...]
    cluster_of: I64  # (n,) index into `clusters`, -1 outside


@dataclass(frozen=True, slots=True, eq=False)
class BitExplanation:
    """Why every bit of one fingerprint is what it is; the parts add up exactly.

    `votes[t, i]` is the signed integer vote of token t on bit i: +weight where the bit of its
    hash is 1, -weight where it is 0. `sums = votes.sum(axis=0)`, bit i is 1 iff sums[i] > 0 and
    `margin = |sums| / weights.sum()` says how firm it is.
    """

    tokens: tuple[str, ...]  # (t,) distinct tokens with weight, heaviest first
    counts: I32  # (t,)
    weights: I64  # (t,) quantised
    votes: I64  # (t, bits)
    sums: I64  # (bits,)
    margin: F64  # (bits,)
    bits: Bools  # (bits,)


@dataclass(frozen=True, slots=True)
class Block:
    """One block of the index: bits [start, start + width) and how many differ in this pair."""

    start: int
    width: int
    differing: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison:
    """Two texts compared."""

    a: Document
    b: Document
    settings: Settings
    comparable: bool  # False: at least one text has no fingerprint
    distance: int  # bits, -1 where not comparable
    batch_distance: int  # -1 where there is no batch signature
    threshold: int
    cosine: tuple[float, float, float]  # estimate, low, high (95 %)
    true_cosine: float  # of the weight vectors
    explain_a: BitExplanation | None
    explain_b: BitExplanation | None
    blocks: tuple[Block, ...]  # of the index plan for this threshold
    containment: float
    passages: Passages  # `pair` is 0 everywhere
    coverage_a: float
    coverage_b: float
    identical: float  # these three as in `PairTable`
    longest: int
    division: tuple[Division, Division]  # of both texts, by what the other one shares
    stretches: Stretches  # what coverage counts; `pair` is 0 everywhere
    tokens_a: int
    tokens_b: int
    chance: float  # as in `PairTable`; nan outside a batch and for a pair that it does not list

    def __repr__(self) -> str:
        shares = f"{self.coverage_a:.0%} and {self.coverage_b:.0%} shared"
        return f"<Comparison of {self.a.name!r} and {self.b.name!r}: {shares}>"


def meanings_shown(result: CheckResult) -> Meanings | None:
    """Return the passages of the same meaning that may be shown, None if none were looked for."""
    return None if result.meanings is None else result.meanings.shown()


def alike_pairs(result: CheckResult, rows: Sequence[int] | I64) -> list[ApartPair]:
    """Return the pairs that only say the same in other words, the strongest first.

    Parameters
    ----------
    rows
        Of the pair table: the pairs that are cases, by shared text or close fingerprints.
    """
    apart = apart_pairs(meanings_shown(result))
    if not apart:
        return []
    pairs = result.table.pairs
    listed = set(zip(pairs.left[rows].tolist(), pairs.right[rows].tolist(), strict=True))
    return [one for one in apart if (one.left, one.right) not in listed]


def list_rows(result: CheckResult, view: ThresholdView | None = None) -> I64:
    """Return the rows of the pair table that are listed, the clearest evidence first."""
    table = result.table
    listed = table.listed(result.threshold, result.batch_threshold) if view is None else view.listed
    return sort_by_evidence(result, np.flatnonzero(listed), view)


def sort_by_evidence(result: CheckResult, rows: I64, view: ThresholdView | None = None) -> I64:
    """Return rows of the pair table in the order in which they are best read.

    Pairs that are a case (`pair_cases`) come first. Then most text that only these two hold, and
    most that only a few hold; of equal ones most overlap, the one that chance would give least
    often, the longest identical run, the closest.
    """
    table = result.table
    keys = (
        table.pairs.distance[rows],
        -table.longest[rows].astype(np.int64),
        np.nan_to_num(table.chance[rows]),
        -np.fmax(table.coverage_a, table.coverage_b)[rows],
        -table.own_or_few[rows],
        -table.own[rows],
        mark_folded(result, view)[rows],
    )
    return np.asarray(rows[np.lexsort(keys)])


def pair_cases(result: CheckResult, view: ThresholdView | None = None) -> Bools:
    """Return which rows of the pair table are a case of their own, bool (m,).

    What only these two texts hold reaches `CASE_UNITS`; with what a few others hold it does where
    both are alike as a whole (`CASE_WHOLE` of each). What many hold is the case of that passage,
    whoever shares it, unless one run of it is as much of both texts. In a check of fewer than
    `SMALL_CHECK` texts `LINK_RUN` of what few hold makes a case. A fingerprint makes one where
    passages were not looked for, and where a threshold was asked for; a summary where its sentences
    support it.
    """
    table, settings = result.table, result.settings
    near = view.within if view else table.within(result.threshold, result.batch_threshold)
    if not settings.passages:
        return near
    presets = [preset_of(one) for one in result.documents]
    long, short = (np.array([units[one] for one in presets]) for units in (CASE_UNITS, LINK_RUN))
    if len(result.documents) < SMALL_CHECK:
        few = table.own_or_few >= short[table.pairs.left]
    else:
        least = long[table.pairs.left]
        few = (table.own_or_few >= least) & (table.few_shares >= CASE_WHOLE).all(axis=1)
        few |= table.own >= least
    few |= _equal_as_a_whole(result)
    shares = few & (table.passages > 0)
    if settings.threshold is not None:
        shares |= near
    alone, clear = _summaries(result, near)
    return np.asarray((shares & ~alone) | clear)


def _equal_as_a_whole(result: CheckResult) -> Bools:
    """Return in which rows of the pair table one identical run is `CASE_WHOLE` of both texts."""
    table, counted = result.table, result.division[:, :4].sum(axis=1)
    if not len(counted):
        return np.zeros(len(table), np.bool_)
    larger = np.maximum(counted[table.pairs.left], counted[table.pairs.right])
    return np.asarray(table.longest >= CASE_WHOLE * np.maximum(larger, 1))


def preset_of(document: Document) -> str:
    """Return `zh` or `en`: in what the numbers of a case are counted for a text."""
    return "zh" if document.language in ("zh", "mixed") else "en"


def could_be_formula(result: CheckResult, view: ThresholdView | None = None) -> Bools:
    """Return which rows of the pair table chance alone could have given, bool (m,).

    Those with more than `CHANCE_MARKED` unrelated pairs expected to be as strong, where nothing but
    that passage speaks: neither the fingerprints nor as much shared text as links two documents.
    """
    table = result.table
    near = view.within if view else table.within(result.threshold, result.batch_threshold)
    alike = near | (np.fmax(table.coverage_a, table.coverage_b) >= PASSAGE_LINK)
    return np.asarray((table.chance > CHANCE_MARKED) & ~alike)


def _summaries(result: CheckResult, near: Bools) -> tuple[Bools, Bools]:
    """Return which rows of the pair table rest on summaries alone, and on clear ones, bool (m,).

    Words call it a summary, which is as often two texts on one topic. It is clear where its
    sentences are `SUMMARY_LEAD` nearer to the source than the rest of their text, or the
    fingerprints are near.
    """
    table, passages = result.table, result.passages
    alone = table.passages > 0
    alone[passages.pair[~passages.weak & (passages.kind != _SUMMARY)]] = False
    clear = near
    if result.meanings is not None:
        leads = result.meanings.summary_lead >= SUMMARY_LEAD
        wide = len(result.documents)
        led = result.meanings.summarised[leads] @ [wide, 1]
        clear = near | np.isin(table.pairs.left * wide + table.pairs.right, led)
    return alone, np.asarray(alone & clear)


def mark_folded(result: CheckResult, view: ThresholdView | None = None) -> Bools:
    """Return which rows of the pair table stand under one line until asked for, bool (m,)."""
    return ~pair_cases(result, view)


def known_chance(result: CheckResult, rows: I64 | Sequence[int]) -> F64:
    """Return how many unrelated pairs are expected to share a passage as strong, float64 (n,).

    Of rows of the pair table.

    nan where a pair shares none, where it is not known, and in a check of fewer than `CHANCE_TEXTS`
    texts. Never of the distance of fingerprints, which says nothing of a passage.
    """
    stated = (result.table.passages[rows] > 0) & (len(result.documents) >= CHANCE_TEXTS)
    return np.where(stated, result.table.chance[rows], np.nan).astype(np.float64)
