"""Documents to rows of a library: counted, fingerprinted and compressed in worker processes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ..checking.fingerprinting import weights_of
from ..checking.tokenizing import count_texts
from ..errors import Unreadable
from ..machine.memory import cut_batches
from ..machine.workers import WorkerPool
from ..model import CorpusStats, Document, Features, Fingerprints, Skipped
from ..settings import Settings
from ..simhash.fingerprint import fingerprint
from ..simhash.hashes import token_hashes
from ..storage.library import Counts, Prepared, prepare
from ..text.gathering import refuse_source
from ..text.language import language_of
from ..weighting import FROZEN, quantise

_CHUNK_CHARACTERS = 500_000  # of one task, and so of one transaction: some tenths of a second
_CHUNK_TEXTS = 500
_SECONDS = 600.0  # the texts are read already: a limit against unforeseen input only
_NOTHING = CorpusStats(0, {})

Task = tuple[list[Document], Settings]
#: the row of a document, or why there is none
Outcome = Prepared | Skipped


def prepare_rows(
    documents: Sequence[Document], *, settings: Settings, pool: WorkerPool
) -> Iterator[list[Outcome]]:
    """Yield the rows of documents in order, a batch at a time; workers make the next meanwhile."""
    chunks = cut_batches(
        documents, lambda one: len(one.text), most=_CHUNK_TEXTS, largest=_CHUNK_CHARACTERS
    )
    tasks = [(chunk, settings) for chunk in chunks]
    answers: Iterable[list[Prepared] | Unreadable] = map(prepare_chunk, tasks)
    if len(tasks) > 1:  # one late text is not worth a process
        answers = pool.map(prepare_chunk, tasks, seconds=_SECONDS)
    for (chunk, _), answer in zip(tasks, answers, strict=True):
        if not isinstance(answer, Unreadable):
            yield list(answer)
            continue
        outcomes: list[Outcome] = []
        for document in chunk:  # which of them is it?
            (alone,) = pool.map(prepare_chunk, [([document], settings)], seconds=_SECONDS)
            if isinstance(alone, Unreadable):
                outcomes.append(refuse_source(document.name, alone))
            else:
                outcomes += alone
        yield outcomes


def prepare_chunk(task: Task) -> list[Prepared]:
    """Return the rows of some documents; runs in a worker.

    Weights that read the collection are not known here: such fingerprints are made afterwards.
    """
    documents, settings = task
    features = count_texts([document.text for document in documents], settings)
    prints = None
    if settings.weighting in FROZEN:
        prints = fingerprints_of(documents, features, _NOTHING, settings)
    rows = []
    for row, document in enumerate(documents):
        span = slice(int(features.indptr[row]), int(features.indptr[row + 1]))
        tokens = [features.vocabulary[token] for token in features.token[span].tolist()]
        words = prints.words[row] if prints is not None and prints.valid[row] else None
        counts = Counts(tokens, features.count[span])
        rows.append(prepare(document, words, counts, language_of(document)))
    return rows


def fingerprints_of(
    documents: Sequence[Document], features: Features, stats: CorpusStats, settings: Settings
) -> Fingerprints:
    """Return the fingerprints of texts by their counts, row by row.

    `documents` are looked at by weightings that read places in the text; others take none.
    """
    weights = quantise(weights_of(documents, features, stats, settings))
    hashes = token_hashes(features.vocabulary, bits=settings.bits)
    made = fingerprint(features, weights, hashes, bits=settings.bits, recipe="")
    valid = made.valid & (features.length >= settings.min_tokens)
    return Fingerprints(np.where(valid[:, None], made.words, 0), valid, made.bits, "")


def features_of_counts(counts: Sequence[Counts]) -> Features:
    """Return stored counts as features, row by row."""
    ids: defaultdict[str, int] = defaultdict()
    ids.default_factory = ids.__len__
    token, count = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
    for one in counts:
        row = np.fromiter(map(ids.__getitem__, one.tokens), np.int32, len(one.tokens))
        order = np.argsort(row)
        token.append(row[order])
        count.append(one.count[order])
    sizes = [len(one.tokens) for one in counts]
    length = np.array([int(one.count.sum()) for one in counts], np.int64)
    indptr = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)
    return Features(tuple(ids), indptr, np.concatenate(token), np.concatenate(count), length)
