"""From documents to fingerprints: where text, weighting and simhash meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from ..errors import Unreadable
from ..model import I64, BitExplanation, CorpusStats, Document, Features, Fingerprints, Progress
from ..policy import BATCH_FROM
from ..settings import Settings
from ..simhash.explain import explain
from ..simhash.fingerprint import fingerprint
from ..simhash.hashes import token_hashes
from ..text.normalize import normalized_text
from ..text.tokenize import Tokenizer, count_features, merge_features
from ..weighting import FROZEN, quantise, stats_of, without_shared
from ..workers import WorkerPool
from .annotate import weights_of

CHUNK_CHARACTERS = 300_000  # one task for a worker; less than this is not worth sending
MOST_CHARACTERS = 2_000_000  # of a task: half a second, so that stopping stays quick
TASK_SECONDS = 600.0  # our own code on text already read: a limit only against the unforeseen


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
    documents: Sequence[Document], *, settings: Settings, pool: WorkerPool, step: Progress
) -> FingerprintedBatch:
    """Fingerprint a batch with its background and, from 20 documents up, its batch signature."""
    features = count(documents, settings=settings, pool=pool, step=step)
    step("fingerprints", 0, len(documents))
    stats = stats_of(features)
    quantised = quantise(weights_of(documents, features, stats, settings))
    hashes = token_hashes(features.vocabulary, bits=settings.bits)
    recipe = recipe_of(settings, stats)
    long_enough = features.length >= settings.min_tokens

    def signature(values: I64, name: str) -> Fingerprints:
        made = fingerprint(features, values, hashes, bits=settings.bits, recipe=name)
        valid = made.valid & long_enough
        return Fingerprints(np.where(valid[:, None], made.words, 0), valid, made.bits, name)

    batch = None
    if settings.batch_signature and len(documents) >= BATCH_FROM:
        kept, _ = without_shared(features, quantised, stats)
        batch = signature(kept, f"{recipe}/batch")
    background = signature(quantised, recipe)
    step("fingerprints", len(documents), len(documents))
    return FingerprintedBatch(features, quantised, stats, background, batch)


def recipe_of(settings: Settings, stats: CorpusStats) -> str:
    """Name what shaped a fingerprint; weights that read the collection bring its statistics in."""
    recipe = settings.recipe()
    return recipe if settings.weighting in FROZEN else f"{recipe}-{stats.digest()}"


def count(
    documents: Sequence[Document], *, settings: Settings, pool: WorkerPool, step: Progress
) -> Features:
    """Tokenise every document and count its tokens, in workers where there is enough to do."""
    step("tokens", 0, len(documents))
    shape, texts = _shape(settings), [document.text for document in documents]
    tasks = [(*shape, chunk) for chunk in chunks(texts, workers=pool.workers)]
    parts: Iterable[Features | Unreadable] = map(_count_chunk, tasks)
    if len(tasks) > 1:
        parts = pool.map(_count_chunk, tasks, seconds=TASK_SECONDS)
    features = merge_features(_arriving(parts, len(documents), step))
    step("tokens", len(documents), len(documents))
    return features


def _arriving(
    parts: Iterable[Features | Unreadable], total: int, step: Progress
) -> Iterator[Features]:
    """Hand on each part while the workers count the next, and tell how far they are."""
    done = 0
    for part in parts:
        if isinstance(part, Unreadable):
            raise part
        yield part
        done += len(part)
        step("tokens", done, total)


def explain_document(
    document: Document, *, settings: Settings, stats: CorpusStats
) -> tuple[BitExplanation, int]:
    """Explain every bit of one document's background signature; also return its token count."""
    features = _count_chunk((*_shape(settings), [document.text]))
    weights = quantise(weights_of([document], features, stats, settings))
    tokens = [features.vocabulary[token] for token in features.token]
    hashes = token_hashes(tokens, bits=settings.bits)
    why = explain(tokens, features.count, weights, hashes, bits=settings.bits)
    return why, int(features.length[0])


def collection_stats(documents: Sequence[Document], *, settings: Settings) -> CorpusStats:
    """Count in how many of a few documents each token occurs."""
    return stats_of(_count_chunk((*_shape(settings), [document.text for document in documents])))


def _shape(settings: Settings) -> tuple[tuple[str, ...], bool, bool]:
    """The settings that decide the tokens of a text."""
    return settings.user_words, settings.stop_words, settings.fold_variants


def _count_chunk(task: tuple[tuple[str, ...], bool, bool, list[str]]) -> Features:
    """Count one chunk of raw texts; runs in a worker."""
    user_words, stop_words, fold_variants, texts = task
    normalised = [normalized_text(text, fold_variants=fold_variants) for text in texts]
    return count_features(_tokenizer(user_words, stop_words), normalised)


@cache
def _tokenizer(user_words: tuple[str, ...], stop_words: bool) -> Tokenizer:
    """One tokeniser a process and vocabulary: loading the dictionary costs a quarter second."""
    return Tokenizer(user_words=user_words, stop_words=stop_words)


def chunks(texts: Sequence[str], *, workers: int) -> Iterator[list[str]]:
    """Cut texts into tasks.

    Notes
    -----
    A task takes a share of what is left: few tasks, for each brings its own vocabulary home, and
    small ones at the end, so that the workers finish together.
    """
    left = sum(map(len, texts))
    chunk: list[str] = []
    size, most = 0, _task_size(left, workers)
    for text in texts:
        chunk.append(text)
        size += len(text)
        if size >= most:
            yield chunk
            left -= size
            chunk, size, most = [], 0, _task_size(left, workers)
    if chunk:
        yield chunk


def _task_size(left: int, workers: int) -> int:
    """Return the characters of the next task where `left` are still to be given out."""
    return min(max(CHUNK_CHARACTERS, left // (2 * workers)), MOST_CHARACTERS)
