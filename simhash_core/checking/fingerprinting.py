"""From documents to fingerprints: where text, weighting and simhash meet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..machine.memory import split_by_size
from ..model import F64, I64, U64, CorpusStats, Document, Features, Fingerprints, Progress
from ..policy import BATCH_FROM
from ..result import BitExplanation
from ..settings import Settings
from ..simhash.explain import explain
from ..simhash.fingerprint import fingerprint
from ..simhash.hashes import token_hashes
from ..text.normalize import normalized_text
from ..text.segment import tags
from ..text.tokenize import Tokenizer, tokenizer
from ..weighting import FROZEN, drop_shared, quantise, stats_of, weighting_of
from ..weighting.annotated import ANNOTATED, Annotations, class_of
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
    for low, high in split_by_size(np.diff(features.indptr), CHUNK_ENTRIES) or [(0, 0)]:
        part = _rows(features, low, high)
        weights = quantise(weights_of(documents[low:high], part, stats, settings))
        if with_batch:
            unshared, _ = drop_shared(part, weights, stats)
            batch.append(_signature(part, unshared, hashes, settings, f"{recipe}/batch"))
        background.append(_signature(part, weights, hashes, settings, recipe))
        step("fingerprints", high, total)
    joined = _join_fingerprints(batch) if with_batch else None
    return FingerprintedBatch(features.length, stats, _join_fingerprints(background), joined)


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


def _join_fingerprints(parts: Sequence[Fingerprints]) -> Fingerprints:
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


# --------------------------------------------------------------------------- places in the text

#: what announces a conclusion or a turn, normalised
MARKERS = (
    *("总之", "综上", "综上所述", "总而言之", "总的来说", "由此可见"),
    *("可见", "因此", "所以", "但是", "然而"),
    *("in conclusion", "in summary", "to sum up"),
    *("overall", "therefore", "thus", "however", "but"),
)
_LATIN = "|".join(marker for marker in MARKERS if marker.isascii())
_HAN = "|".join(marker for marker in MARKERS if not marker.isascii())
_MARKER = re.compile(rf"{_HAN}|\b(?:{_LATIN})\b")
_SENTENCE_END = re.compile(r"[。.!?;]")
_TITLE_LENGTH = 60  # characters: a longer first line is a paragraph


def weights_of(
    documents: Sequence[Document], features: Features, stats: CorpusStats, settings: Settings
) -> F64:
    """Weigh a batch by the weighting of its settings, with annotations where that reads them."""
    name = settings.weighting
    if name not in ANNOTATED:
        return weighting_of(name)(features, stats, settings)
    annotations = annotate(documents, features, settings=settings)
    return ANNOTATED[name](features, stats, settings, annotations)


def annotate(
    documents: Sequence[Document], features: Features, *, settings: Settings
) -> Annotations:
    """Return class, title and mark of each word of each text.

    Parameters
    ----------
    documents, features
        Row by row the same texts, counted with the same settings.
    settings
    """
    cut = tokenizer(settings.user_words, settings.stop_words)
    word_tags = tags(features.vocabulary, user_words=settings.user_words)
    classes = np.array([class_of(tag) for tag in word_tags], np.uint8).reshape(-1)
    markers = np.array([bool(_MARKER.fullmatch(word)) for word in features.vocabulary], np.bool_)
    ids = {word: number for number, word in enumerate(features.vocabulary)}
    title = np.zeros(len(features.token), np.bool_)
    marked = np.zeros(len(features.token), np.bool_)
    for row, document in enumerate(documents):
        span = slice(int(features.indptr[row]), int(features.indptr[row + 1]))
        tokens = features.token[span]
        text = normalized_text(document.text, fold_variants=settings.fold_variants)
        title[span] = np.isin(tokens, _ids(cut, [_title(document, settings)], ids))
        sentences = [part for part in _SENTENCE_END.split(text) if _MARKER.search(part)]
        marked[span] = np.isin(tokens, _ids(cut, sentences, ids))
    noted = np.asarray(markers.reshape(-1)[features.token])
    return Annotations(classes[features.token], title, marked, noted)


def _ids(cut: Tokenizer, texts: Iterable[str], ids: dict[str, int]) -> list[int]:
    return [ids[word] for text in texts for word in cut.tokens(text) if word in ids]


def _title(document: Document, settings: Settings) -> str:
    """Return the normalised title: of the file's properties, else a short first line."""
    first = next((line for line in document.text.splitlines() if line.strip()), "")
    line = first.strip().lstrip("# ") if len(first.strip()) <= _TITLE_LENGTH else ""
    chosen = document.meta.get("title") or line
    return normalized_text(chosen, fold_variants=settings.fold_variants)
