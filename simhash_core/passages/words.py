"""Chinese texts as rows of words: what a free rewording shares with its source.

A free rewording keeps words of its source, not pairs of neighbouring characters. Exact runs,
borders and short texts are still compared by characters.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..model import I32, I64
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
