"""Two texts compared: bits, blocks, words and shared passages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from ..checking.aligning import ALIGN_SECONDS, INLINE_TOKENS, Task, align_task
from ..checking.fingerprinting import explain_features, recipe_of
from ..checking.misread import (
    find_meant,
    is_recognised,
    read_document,
    read_whole,
    replace_misreadings,
)
from ..checking.templates import blank_templates, whole_units
from ..checking.tokenizing import prepare_dictionary
from ..errors import Unreadable
from ..machine.workers import shared_pool
from ..model import Bools, Division, Document, DocumentFrequencies, Features, Passages, Stretches
from ..numbers import divide_text, divisions, replace_parts
from ..passages import coverage
from ..passages.align import align_whole, side_of
from ..passages.coverage import PairNumbers
from ..passages.tokenized import TokenizedText
from ..passages.winnow import Winnowed, containment
from ..policy import DOMINANT, EDITED
from ..result import BitExplanation, Block, CheckResult, Comparison
from ..settings import Settings
from ..simhash.explain import shared_terms
from ..simhash.fingerprint import cosine_interval, hamming, require_same
from ..simhash.search.blocks import block_spans
from ..text.lengths import unit_of
from ..text.tokenize import merge_features
from ..weighting import stats_of
from ..weighting.annotated import ANNOTATED, dominance
from ..weighting.annotated import DOMINANT as DOMINANT_IN_PAPERS

NO_COSINE = (float("nan"), float("nan"), float("nan"))


def compare(
    a: Document,
    b: Document,
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
    result: CheckResult | None = None,
) -> Comparison:
    """Compare two texts; with a `result`, by its settings, statistics and thresholds.

    Raises
    ------
    RecipeMismatch
        The fingerprints of `result` were made by another recipe: an older version.
    """
    settings = result.settings if result else settings
    if result is None and (is_recognised(a) or is_recognised(b)):
        # the words of a text that was recognised, as the other one has them
        bare = [read_pair_text(replace_misreadings(one, ()), settings).tokens for one in (a, b)]
        meant = find_meant((a, b), bare, settings=settings)
        a, b = (replace_misreadings(one, meant.get(row, ())) for row, one in enumerate((a, b)))
    read = [read_pair_text(document, settings) for document in (a, b)]
    stats = result.stats if result else stats_of(merge_features(one.features for one in read))
    if result:
        require_same(result.fingerprints.recipe, recipe_of(settings, stats))
    (explained_a, tokens_a), (explained_b, tokens_b) = (
        explain_features(one.counted, one.features, settings=settings, stats=stats) for one in read
    )
    comparable = min(tokens_a, tokens_b) >= settings.min_tokens
    differing = explained_a.bits != explained_b.bits
    distance = int(differing.sum()) if comparable else -1
    if result:
        threshold = result.threshold
    elif settings.threshold is not None:
        threshold = min(settings.threshold, settings.bits)
    else:  # two texts alone: "same text, edited"
        threshold = EDITED.get(settings.bits, settings.bits // 5)
    batch_distance = -1
    if result and (batch := result.batch_fingerprints) is not None:
        left, right = result.row_of(a), result.row_of(b)
        if min(left, right) >= 0 and batch.valid[left] and batch.valid[right]:
            batch_distance = int(hamming(batch.words[left], batch.words[right]))
    evidence = match_pair(a, b, read, settings=settings, result=result)
    return Comparison(
        a=a,
        b=b,
        settings=settings,
        comparable=comparable,
        distance=distance,
        batch_distance=batch_distance,
        threshold=threshold,
        cosine=cosine_interval(distance, settings.bits) if comparable else NO_COSINE,
        true_cosine=shared_terms(explained_a, explained_b).cosine,
        explain_a=explained_a,
        explain_b=explained_b,
        blocks=_blocks(differing, threshold),
        containment=evidence.containment,
        passages=evidence.passages,
        coverage_a=float(evidence.numbers.coverage_a[0]),
        coverage_b=float(evidence.numbers.coverage_b[0]),
        identical=float(evidence.numbers.identical[0]),
        longest=int(evidence.numbers.longest[0]),
        division=evidence.division,
        stretches=evidence.stretches,
        tokens_a=tokens_a,
        tokens_b=tokens_b,
        chance=evidence.chance,
    )


def change_threshold(comparison: Comparison, threshold: int) -> Comparison:
    """Return the same comparison at another threshold: the index then has other blocks."""
    if threshold == comparison.threshold:
        return comparison
    a, b = comparison.explain_a, comparison.explain_b
    blocks = _blocks(a.bits != b.bits, threshold) if a is not None and b is not None else ()
    return replace(comparison, threshold=threshold, blocks=blocks)


def _blocks(differing: Bools, threshold: int) -> tuple[Block, ...]:
    """Cut the bits into k + 1 blocks: within k differing bits, one of them must be equal."""
    count = min(threshold + 1, len(differing))
    return tuple(
        Block(start, width, int(differing[start : start + width].sum()))
        for start, width in block_spans(len(differing), count)
    )


# --------------------------------------------------------------------------- what both share


@dataclass(frozen=True, slots=True, eq=False)
class PairEvidence:
    """What two texts share: passages, and the containment of their winnowed hashes."""

    containment: float
    passages: Passages
    numbers: PairNumbers  # of this pair alone
    division: tuple[Division, Division]
    chance: float
    stretches: Stretches


@dataclass(frozen=True, slots=True, eq=False)
class PairText:
    """One of two texts as the check reads it, read once."""

    counted: Document  # without what everybody was given
    features: Features  # of this text alone
    tokens: TokenizedText
    winnowed: Winnowed


def read_pair_text(document: Document, settings: Settings) -> PairText:
    """Read one of two texts."""
    what_counts = blank_templates(document)
    prepare_dictionary([what_counts.text], settings)
    return PairText(what_counts, *read_whole(what_counts, settings))


def match_pair(
    a: Document,
    b: Document,
    read: Sequence[PairText],
    *,
    settings: Settings,
    result: CheckResult | None,
) -> PairEvidence:
    """Find what two texts share; `read` are both of them.

    With a `result` the passages and the numbers of its table are returned. A pair outside the table
    is aligned by the same statistics, so that common phrases of the batch weigh as little here;
    what it shares is weak evidence, since the batch did not count it.
    """
    tokenized = [one.tokens for one in read]
    contained = containment(*(one.winnowed for one in read))
    ends = np.array([[0, 1]])
    listed = _list_findings(a, b, result) if result else None
    if listed is not None:
        passages, table, chance = listed
        _, stretches = coverage.sum_up_pairs(tokenized, ends, passages, min_run=settings.min_run)
        divided = _divided((a, b), tokenized, table, settings, result)
        return PairEvidence(contained, passages, table, divided, chance, stretches)
    df = result.frequencies if result else None
    passages = _align_pair(a, b, tokenized, df, settings)
    if result is not None:
        passages = replace(passages, weak=np.ones(len(passages), np.bool_))
    numbers, stretches = coverage.sum_up_pairs(tokenized, ends, passages, min_run=settings.min_run)
    divided = _divided((a, b), tokenized, numbers, settings, result)
    return PairEvidence(contained, passages, numbers, divided, math.nan, stretches)


def _divided(
    documents: tuple[Document, Document],
    tokenized: Sequence[TokenizedText],
    table: PairNumbers,
    settings: Settings,
    result: CheckResult | None,
) -> tuple[Division, Division]:
    """Return both texts divided by what the other shares; what counts is that of the result."""
    both = []
    for side, document in enumerate(documents):
        row, parts = result.row_of(document) if result else -1, table.parts[0, side]
        if result is not None and row >= 0:
            division = divide_text(result, row)
        else:
            counts = np.array([tokenized[side].counted], np.int64)
            whole = whole_units([document], counts, settings=settings)
            (units,) = divisions(parts[None], counts, whole).tolist()
            division = Division.of(units, unit_of(document.text))
        both.append(replace_parts(division, parts.tolist()))
    return both[0], both[1]


def stretches_of(result: CheckResult, table_row: int) -> Stretches:
    """Return what one pair of a table shares of its texts; `pair` is 0."""
    pairs, settings = result.table.pairs, result.settings
    ends = int(pairs.left[table_row]), int(pairs.right[table_row])
    tokenized = [read_document(blank_templates(result.documents[row]), settings) for row in ends]
    low, high = np.searchsorted(result.passages.pair, [table_row, table_row + 1])
    passages = result.passages.take(np.arange(low, high))
    passages = passages.of_pairs(np.zeros(len(passages), np.int64))
    return coverage.sum_up_pairs(tokenized, np.array([[0, 1]]), passages, min_run=settings.min_run)[
        1
    ]


def _align_pair(
    a: Document,
    b: Document,
    tokenized: list[TokenizedText],
    df: DocumentFrequencies | None,
    settings: Settings,
) -> Passages:
    """Align two texts, long ones in a worker; raises `Unreadable` beyond its limits."""
    if a.id == b.id and len(tokenized[0]):
        return align_whole(*tokenized)
    sides = [side_of(text, df) for text in tokenized]
    task = Task(sides, np.array([[0, 1]]), settings, np.ones(1, np.bool_))
    if sum(map(len, tokenized)) < INLINE_TOKENS:
        return align_task(task)
    (passages,) = shared_pool().map(align_task, [task], seconds=ALIGN_SECONDS)
    if isinstance(passages, Unreadable):
        raise passages
    return passages


def _list_findings(
    a: Document, b: Document, result: CheckResult
) -> tuple[Passages, PairNumbers, float] | None:
    """Return what the table says of a pair, from a to b; None where it is not listed.

    Passages, numbers and chance: those of the table, not of the texts, since after exclusions they
    differ.
    """
    first, second = result.row_of(a), result.row_of(b)
    table = result.table
    low, high = min(first, second), max(first, second)
    rows = np.flatnonzero((table.pairs.left == low) & (table.pairs.right == high))
    if low < 0 or not len(rows):
        return None
    row = rows[:1]
    passages = result.passages.take(result.passages.pair == row[0])
    passages = passages.of_pairs(np.zeros(len(passages), np.int64))
    names = [spec.name for spec in fields(PairNumbers)]
    numbers = PairNumbers(*(getattr(table, name)[row] for name in names))
    if first != low:
        passages, numbers = passages.turned(), numbers.turned()
    return passages, numbers, float(table.chance[row[0]])


# --------------------------------------------------------------------------- the heaviest word

_TOPIC = ("topic", "topic_sum", "topic_density")


@dataclass(frozen=True, slots=True)
class Dominance:
    """The heaviest word of a text.

    `share` is max w^2 / sum w^2, 0 for a text without weight; from `limit` on the word decides so
    many bits alone that a distance depends more on it than on the rest of the text.
    """

    token: str
    share: float
    limit: float

    @property
    def above(self) -> bool:
        """Whether a distance of this text calls for a caution."""
        return self.share > self.limit


def dominance_of(explanation: BitExplanation, *, weighting: str) -> Dominance:
    """Return the heaviest word of one text and its share of the squared weights.

    Parameters
    ----------
    explanation : BitExplanation
    weighting : str    the papers' weights are held to 0.1, all others to 0.25
    """
    papers = weighting in ANNOTATED or weighting in _TOPIC
    limit = DOMINANT_IN_PAPERS if papers else DOMINANT
    if not explanation.tokens:
        return Dominance("", 0.0, limit)
    weights = explanation.weights.astype(np.float64)
    share = dominance(weights, np.array([0, len(weights)], np.int64))
    return Dominance(explanation.tokens[0], float(share[0]), limit)
