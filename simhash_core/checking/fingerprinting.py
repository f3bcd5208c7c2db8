"""From documents to fingerprints: where text, weighting and simhash meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..model import I64, CorpusStats, Document, Features, Fingerprints, Progress
from ..policy import BATCH_FROM
from ..result import BitExplanation
from ..settings import Settings
from ..simhash.explain import explain
from ..simhash.fingerprint import fingerprint
from ..simhash.hashes import token_hashes
from ..weighting import FROZEN, quantise, stats_of, without_shared
from .annotate import weights_of
from .tokenizing import count_texts


@dataclass(frozen=True, slots=True, eq=False)
class FingerprintedBatch:
    """A batch with its signatures.

    Attributes
    ----------
    features : Features            n rows
    weights : int64 (nnz,)         quantised background weights, aligned with `features.token`
    stats : CorpusStats            of this batch
    background, batch : Fingerprints   `batch` is None below `BATCH_FROM` documents
    """

    features: Features
    weights: I64
    stats: CorpusStats
    background: Fingerprints
    batch: Fingerprints | None


def fingerprint_batch(
    documents: Sequence[Document],
    features: Features,
    *,
    settings: Settings,
    step: Progress,
    stats: CorpusStats | None = None,
) -> FingerprintedBatch:
    """Fingerprint a batch with its background and, from 20 documents up, its batch signature.

    `features` are the token counts of the documents, row by row; `stats` those of the whole batch
    where these are only some of its documents.
    """
    step("fingerprints", 0, len(documents))
    stats = stats or stats_of(features)
    quantised = quantise(weights_of(documents, features, stats, settings))
    hashes = token_hashes(features.vocabulary, bits=settings.bits)
    recipe = recipe_of(settings, stats)
    long_enough = features.length >= settings.min_tokens

    def signature(values: I64, name: str) -> Fingerprints:
        made = fingerprint(features, values, hashes, bits=settings.bits, recipe=name)
        valid = made.valid & long_enough
        return Fingerprints(np.where(valid[:, None], made.words, 0), valid, made.bits, name)

    batch = None
    if settings.batch_signature and stats.n >= BATCH_FROM:
        unshared, _ = without_shared(features, quantised, stats)
        batch = signature(unshared, f"{recipe}/batch")
    background = signature(quantised, recipe)
    step("fingerprints", len(documents), len(documents))
    return FingerprintedBatch(features, quantised, stats, background, batch)


def recipe_of(settings: Settings, stats: CorpusStats) -> str:
    """Name what shaped a fingerprint; weights that read the collection bring its statistics in."""
    recipe = settings.recipe()
    return recipe if settings.weighting in FROZEN else f"{recipe}-{stats.digest()}"


def explain_document(
    document: Document, *, settings: Settings, stats: CorpusStats
) -> tuple[BitExplanation, int]:
    """Explain every bit of one document's background signature; also return its token count."""
    features = count_texts([document.text], settings)
    weights = quantise(weights_of([document], features, stats, settings))
    tokens = [features.vocabulary[token] for token in features.token]
    hashes = token_hashes(tokens, bits=settings.bits)
    why = explain(tokens, features.count, weights, hashes, bits=settings.bits)
    return why, int(features.length[0])


def collection_stats(documents: Sequence[Document], *, settings: Settings) -> CorpusStats:
    """Count in how many of a few documents each token occurs."""
    return stats_of(count_texts([document.text for document in documents], settings))
