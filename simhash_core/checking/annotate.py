"""Word class, title and marked sentences of a batch: where text and weighting meet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ..model import F64, Bools, CorpusStats, Document, Features
from ..settings import Settings
from ..text.normalize import normalized_text
from ..text.segment import tags
from ..text.tokenize import Tokenizer, tokenizer
from ..weighting import WEIGHTINGS
from ..weighting.annotated import ANNOTATED, Annotations, class_of

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
        return WEIGHTINGS[name](features, stats, settings)
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
        marked[span] = np.isin(tokens, _ids(cut, _marked_sentences(text), ids))
    return Annotations(classes[features.token], title, marked, _of(markers, features))


def _of(by_word: Bools, features: Features) -> Bools:
    return np.asarray(by_word.reshape(-1)[features.token])


def _ids(cut: Tokenizer, texts: Iterable[str], ids: dict[str, int]) -> list[int]:
    return [ids[word] for text in texts for word in cut.tokens(text) if word in ids]


def _title(document: Document, settings: Settings) -> str:
    """Return the normalised title: of the file's properties, else a short first line."""
    first = next((line for line in document.text.splitlines() if line.strip()), "")
    line = first.strip().lstrip("# ") if len(first.strip()) <= _TITLE_LENGTH else ""
    chosen = document.meta.get("title") or line
    return normalized_text(chosen, fold_variants=settings.fold_variants)


def _marked_sentences(text: str) -> Iterator[str]:
    return (part for part in _SENTENCE_END.split(text) if _MARKER.search(part))
