"""Two texts compared: bits, blocks, words and shared passages."""

from __future__ import annotations

from dataclasses import replace

from ..model import Bools, Document
from ..policy import EDITED
from ..result import Block, CheckResult, Comparison
from ..settings import Settings
from ..simhash.explain import shared_terms
from ..simhash.fingerprint import cosine_interval, hamming, require_same
from ..simhash.search.blocks import block_spans
from ..text.tokenize import merge_features
from ..weighting import stats_of
from .fingerprinting import explain_features, recipe_of
from .pair_matching import match_pair, read_pair_text

NO_COSINE = (float("nan"), float("nan"), float("nan"))


def compare(
    a: Document, b: Document, *, settings: Settings, result: CheckResult | None
) -> Comparison:
    """Compare two documents.

    Parameters
    ----------
    a, b : Document
    settings : Settings           ignored with a `result`, whose settings apply
    result : CheckResult or None  the batch whose statistics and thresholds apply

    Raises
    ------
    RecipeMismatch
        The fingerprints of `result` were made by another recipe: an older version.
    """
    settings = result.settings if result else settings
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
    threshold = result.threshold if result else _threshold(settings)
    evidence = match_pair(a, b, read, settings=settings, result=result)
    return Comparison(
        a=a,
        b=b,
        settings=settings,
        comparable=comparable,
        distance=distance,
        batch_distance=_batch_distance(a, b, result),
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


def with_threshold(comparison: Comparison, threshold: int) -> Comparison:
    """Return the same comparison at another threshold: the index then has other blocks."""
    if threshold == comparison.threshold:
        return comparison
    a, b = comparison.explain_a, comparison.explain_b
    blocks = _blocks(a.bits != b.bits, threshold) if a is not None and b is not None else ()
    return replace(comparison, threshold=threshold, blocks=blocks)


def _threshold(settings: Settings) -> int:
    """Two texts alone: the threshold of the settings, else "same text, edited"."""
    if settings.threshold is not None:
        return min(settings.threshold, settings.bits)
    return EDITED.get(settings.bits, settings.bits // 5)


def _batch_distance(a: Document, b: Document, result: CheckResult | None) -> int:
    """Distance of the batch signatures, -1 where there are none."""
    if result is None or result.batch_fingerprints is None:
        return -1
    left, right = result.row_of(a), result.row_of(b)
    fingerprints = result.batch_fingerprints
    if min(left, right) < 0 or not (fingerprints.valid[left] and fingerprints.valid[right]):
        return -1
    return int(hamming(fingerprints.words[left], fingerprints.words[right]))


def _blocks(differing: Bools, threshold: int) -> tuple[Block, ...]:
    """Cut the bits into k + 1 blocks: within k differing bits, one of them must be equal."""
    count = min(threshold + 1, len(differing))
    return tuple(
        Block(start, width, int(differing[start : start + width].sum()))
        for start, width in block_spans(len(differing), count)
    )
