"""One side of the pairs that are aligned: a text and what is the same in all its pairs."""

from __future__ import annotations

from dataclasses import dataclass

from ..model import F64, I64, DocumentFrequencies
from .frequencies import weight_factors
from .tokenized import TokenizedText
from .words import as_written, has_words, words_of


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One text of a pair with what is the same in all its pairs.

    `factor` and `words_factor` weigh its tokens and words by the frequencies of the batch; `first`
    is the first token of each word, and the end of the text.
    """

    text: TokenizedText
    factor: F64 | None
    words: TokenizedText | None = None
    words_factor: F64 | None = None
    first: I64 | None = None


def side_of(text: TokenizedText, df: DocumentFrequencies | None) -> Side:
    """Return a text with its words and what weighs them.

    Without the frequencies of a batch words count as they are written: what they mean is too
    often what any two texts on one subject share (docs/calibration.md, "Rewording in Chinese").
    """
    factor = None if df is None else weight_factors(df, text)
    if not has_words(text):
        return Side(text, factor)
    words, first = words_of(as_written(text) if df is None else text)
    return Side(text, factor, words, None if df is None else weight_factors(df, words), first)
