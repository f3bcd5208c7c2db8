"""Chinese texts as rows of words: what a free rewording shares with its source, and how often.

A free rewording keeps words of its source, not pairs of neighbouring characters. Exact runs,
borders and short texts are still compared by characters. What weighs a word, or a character, is
in how many documents of a batch it occurs: formulas occur in many, copies in few.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ..model import F64, I32, I64, DocumentFrequencies
from .tokenized import TokenizedText, scatter


def has_words(text: TokenizedText) -> bool:
    """Whether the text was cut into words, and these differ from its characters."""
    return not bool(text.word.all())


def words_of(text: TokenizedText) -> tuple[TokenizedText, I64]:
    """Return a text word by word, and the first token of each word with the end of the text.

    Notes
    -----
    A word of several characters is one token and one feature, the hash of its characters in
    order, or what a dictionary says it means. Cost O(tokens) vector operations for each
    character of the longest word.
    """
    first = np.flatnonzero(text.word)
    last = np.append(first[1:], len(text)) if len(first) else first
    token, bits = np.zeros(len(first), np.uint64), text.token.view(np.uint64)
    for shift in range(int((last - first).max(initial=0))):
        inside = first + shift < last
        token[inside] = scatter(token[inside] * np.uint64(3) + bits[(first + shift)[inside]])
    feature = (token >> np.uint64(32)).astype(np.uint32).view(np.int32)
    latin = ~text.single[first]
    feature[latin] = text.feature[first[latin]]
    if len(text.concept):
        feature = np.where(text.concept != 0, text.concept, feature)
    whole = np.ones(len(first), np.bool_)
    words = replace(
        text,
        token=token.view(np.int64),
        feature=feature,
        start=text.start[first],
        end=text.end[last - 1],
        end_attached=text.end_attached[last - 1],
        border=np.append(text.border[first], text.border[-1]),
        before=np.append(text.before[first], text.before[-1]),
        single=~whole,
        word=whole,
    )
    return words, np.append(first, len(text)).astype(np.int64)


def as_written(text: TokenizedText) -> TokenizedText:
    """Return a text whose words count as they are written, whatever a dictionary says."""
    return replace(text, concept=np.empty(0, np.int32)) if len(text.concept) else text


def features_of(text: TokenizedText) -> I32:
    """Return all features that a text is compared by, those of its words included."""
    if not has_words(text):
        return text.feature
    return np.concatenate([text.feature, words_of(text)[0].feature])


def weight_factors(df: DocumentFrequencies, text: TokenizedText) -> F64:
    """Return by what each token's weight is multiplied, float64 (tokens,).

    Notes
    -----
    clip(ln(n / df) / ln 3, 0, 1): features of more than a third of the documents lose weight;
    features that no document of the batch holds do not.
    """
    if not len(df.feature):
        return np.ones(len(text))
    features, place = np.unique(text.feature, return_inverse=True)
    at = np.minimum(np.searchsorted(df.feature, features), len(df.feature) - 1)
    count = np.where(df.feature[at] == features, df.count[at], 1)
    return np.asarray(np.clip(np.log(df.n / count) / np.log(3.0), 0.0, 1.0)[place])


def document_frequencies(tokenized: Iterable[TokenizedText]) -> DocumentFrequencies:
    """Count features over a batch. Cost: one sort of all distinct features of all documents."""
    distinct = [np.unique(features_of(text)) for text in tokenized]
    if not distinct:
        return DocumentFrequencies(0, np.empty(0, np.int32), np.empty(0, np.int64))
    feature, count = np.unique(np.concatenate(distinct), return_counts=True)
    return DocumentFrequencies(len(distinct), feature, count.astype(np.int64))
