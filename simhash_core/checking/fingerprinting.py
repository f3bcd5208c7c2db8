"""From documents to fingerprints: where text, weighting and simhash meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ..model import I64, U64, CorpusStats, Document, Features, Fingerprints, Progress
from ..policy import BATCH_FROM
from ..result import BitExplanation
from ..settings import Settings
from ..simhash.explain import explain
from ..simhash.fingerprint import fingerprint
from ..simhash.hashes import token_hashes
from ..weighting import FROZEN, quantise, stats_of, without_shared
from .annotate import weights_of
from .tokenizing import count_texts

CHUNK_ENTRIES = 8_000_000  # counts whose weights are held at once, 64 MB a column
_COLUMNS = ("words", "valid")  # of fingerprints, by row


@dataclass(frozen=True, slots=True, eq=False)
class FingerprintedBatch:
    """A batch with its signatures.

    Attributes
    ----------
    lengths : int64 (n,)           tokens of each document
    stats : CorpusStats            of this batch
    background, batch : Fingerprints   `batch` is None below `BATCH_FROM` documents
    """

    lengths: I64
    stats: CorpusStats
    background: Fingerprints
    batch: Fingerprints | None

    def only(self, rows: I64) -> FingerprintedBatch:
        """Return some rows; `stats` stay those of all."""
        batch = None if self.batch is None else _of_rows(self.batch, rows)
        background = _of_rows(self.background, rows)
        return replace(self, lengths=self.lengths[rows], background=background, batch=batch)


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

    Notes
    -----
    Weights are made for `CHUNK_ENTRIES` counts at a time: those of a large batch would take
    several times the memory of its counts.
    """
    total = len(features)
    step("fingerprints", 0, total)
    stats = stats or stats_of(features)
    hashes = token_hashes(features.vocabulary, bits=settings.bits)
    recipe = recipe_of(settings, stats)
    with_batch = settings.batch_signature and stats.n >= BATCH_FROM
    background, batch = [], []
    for low, high in pairwise(_cuts(features)):
        part = _rows(features, low, high)
        weights = quantise(weights_of(documents[low:high], part, stats, settings))
        if with_batch:
            unshared, _ = without_shared(part, weights, stats)
            batch.append(_signature(part, unshared, hashes, settings, f"{recipe}/batch"))
        background.append(_signature(part, weights, hashes, settings, recipe))
        step("fingerprints", high, total)
    joined = _joined(batch) if with_batch else None
    return FingerprintedBatch(features.length, stats, _joined(background), joined)


def _cuts(features: Features) -> list[int]:
    """Return the rows at which chunks begin, and the number of rows; one chunk at least."""
    chunk = features.indptr // CHUNK_ENTRIES
    return [0, *(np.flatnonzero(np.diff(chunk[:-1])) + 1).tolist(), len(features)]


def _rows(features: Features, low: int, high: int) -> Features:
    """Return some rows over the same vocabulary."""
    first, last = int(features.indptr[low]), int(features.indptr[high])
    return Features(
        features.vocabulary,
        features.indptr[low : high + 1] - first,
        features.token[first:last],
        features.count[first:last],
        features.length[low:high],
    )


def _signature(
    features: Features, weights: I64, hashes: U64, settings: Settings, name: str
) -> Fingerprints:
    """Return the signatures of documents that are long enough for one."""
    made = fingerprint(features, weights, hashes, bits=settings.bits, recipe=name)
    valid = made.valid & (features.length >= settings.min_tokens)
    return Fingerprints(np.where(valid[:, None], made.words, 0), valid, made.bits, name)


def _of_rows(prints: Fingerprints, rows: I64) -> Fingerprints:
    return replace(prints, words=prints.words[rows], valid=prints.valid[rows])


def _joined(parts: Sequence[Fingerprints]) -> Fingerprints:
    words, valid = (np.concatenate([getattr(one, name) for one in parts]) for name in _COLUMNS)
    return replace(parts[0], words=words, valid=valid)


def recipe_of(settings: Settings, stats: CorpusStats) -> str:
    """Name what shaped a fingerprint; weights that read the collection bring its statistics in."""
    recipe = settings.recipe()
    return recipe if settings.weighting in FROZEN else f"{recipe}-{stats.digest()}"


def explain_document(
    document: Document, *, settings: Settings, stats: CorpusStats
) -> tuple[BitExplanation, int]:
    """Explain every bit of one document's background signature; also return its token count."""
    features = count_texts([document.text], settings)
    return explain_features(document, features, settings=settings, stats=stats)


def explain_features(
    document: Document, features: Features, *, settings: Settings, stats: CorpusStats
) -> tuple[BitExplanation, int]:
    """Do what `explain_document` does for a document whose tokens are counted, alone."""
    weights = quantise(weights_of([document], features, stats, settings))
    tokens = [features.vocabulary[token] for token in features.token]
    hashes = token_hashes(tokens, bits=settings.bits)
    why = explain(tokens, features.count, weights, hashes, bits=settings.bits)
    return why, int(features.length[0])


def collection_stats(documents: Sequence[Document], *, settings: Settings) -> CorpusStats:
    """Count in how many of a few documents each token occurs."""
    return stats_of(count_texts([document.text for document in documents], settings))
