"""One text tokenised and winnowed as it is read: the judge of the arrays of many texts.

Known answers of both are in tests/passages; the product has `passages.tokenize` alone.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray
from oracles.winnow import gram_hashes, smallest

from simhash_core.model import I32, I64, Bools, Features, Normalized
from simhash_core.passages.tokenize import (
    SEGMENTED,
    bigrams,
    boundaries,
    classes_of,
    fold32,
    gap_of,
    is_japanese,
    is_number,
    number_features,
    single_tokens,
    word_of,
)
from simhash_core.passages.tokenized import EDGE, U8, Concepts, Segmenter, TokenizedText
from simhash_core.passages.winnow import Rule, Winnowed
from simhash_core.text.tokenize import Tokenizer


def tokenize(
    normalized: Normalized,
    raw: str,
    *,
    segment: Segmenter | None = None,
    concepts: Concepts | None = None,
) -> TokenizedText:
    """Turn a normalised text into integers."""
    text = normalized.text
    code = _code_points(text)
    single, first, last = boundaries(classes_of(code))
    token = np.empty(len(first), np.uint64)
    feature = np.empty(len(first), np.int32)
    is_single = single[first]
    token[is_single] = single_tokens(code, first[is_single])
    words = np.flatnonzero(~is_single)
    written = [text[i:j] for i, j in zip(first[words].tolist(), last[words].tolist(), strict=True)]
    numbers = np.zeros(len(first), np.bool_)
    if written:
        both = np.array([word_of(word) for word in written], np.uint64)
        token[words] = both[:, 0]
        feature[words] = fold32(both[:, 1])
        numbers[words] = [is_number(word) for word in written]
    feature[is_single] = bigrams(token, is_single, code[first])
    in_table = number_features(token, numbers)
    feature[numbers] = in_table
    start = np.ascontiguousarray(normalized.start[first], np.int32)
    end = np.ascontiguousarray(normalized.end[last - 1], np.int32)
    border, end_attached = _borders(raw, start, end)
    word, concept = _words(code, first, segment, concepts)
    return TokenizedText(
        token.view(np.int64),
        feature,
        start,
        end,
        end_attached,
        border,
        _before(start, end),
        is_single,
        word,
        concept,
    )


def _code_points(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _words(
    code: NDArray[np.uint32], first: I64, segment: Segmenter | None, concepts: Concepts | None
) -> tuple[Bools, I32]:
    """Mark the tokens that begin a word, and say what each word counts as; only Han is cut."""
    starts, none = np.ones(len(first), np.bool_), np.empty(0, np.int32)
    low, high = SEGMENTED
    han = np.flatnonzero((code[first] >= low) & (code[first] <= high))
    if segment is None or not len(han) or is_japanese(code[first]):
        return starts, none
    apart = np.flatnonzero((np.diff(han) > 1) | (np.diff(first[han]) > 1)) + 1
    runs = np.insert(code[first[han]], apart, 0x20).tobytes().decode("utf-32-le")
    words = [word for word in segment(runs) if word != " "]
    lengths = np.array(list(map(len, words)), np.int64)
    if lengths.sum() != len(han):
        return starts, none
    heads = han[np.concatenate([[0], np.cumsum(lengths)[:-1]])]
    starts[han] = False
    starts[heads] = True
    if concepts is None:
        return starts, none
    counts_as = np.zeros(len(first), np.int32)
    counts_as[heads] = fold32(concepts(words))
    return starts, counts_as[starts]


def _borders(raw: str, start: I32, end: I32) -> tuple[U8, I32]:
    """Return the border class before each token, and the end with attached punctuation."""
    n = len(start)
    border, end_attached = np.zeros(n + 1, np.uint8), end.copy()
    border[0] = border[n] = EDGE
    if n == 0:
        return border, end_attached
    gap = start[1:] - end[:-1]
    code = _code_points(raw)
    # two tokens may come from one last character, as in a fraction: then nothing follows `end`
    following = code[np.minimum(end[:-1], len(code) - 1)]
    # most gaps are empty or one blank: no border, no punctuation
    looked_at = np.flatnonzero((gap > 1) | ((gap == 1) & (following != 0x20)))
    for i in looked_at.tolist():
        kind, attached = gap_of(raw[end[i] : start[i + 1]])
        border[i + 1] = kind
        end_attached[i] += attached
    end_attached[n - 1] += gap_of(raw[end[n - 1] : end[n - 1] + 8])[1]
    return border, end_attached


def _before(start: I32, end: I32) -> I64:
    """Running count of token characters; one raw character behind two tokens counts once."""
    before = np.zeros(len(start) + 1, np.int64)
    if len(start):
        reached = np.concatenate([[0], np.maximum.accumulate(end)[:-1]])
        np.cumsum(np.maximum(end - np.maximum(start, reached), 0), out=before[1:])
    return before


def winnow(text: TokenizedText, *, rule: Rule | None = None) -> Winnowed:
    """Return the winnowed hashes of a text.

    Arrays and errors as in `passages.tokenize.winnow_many`.
    """
    rule = rule or Rule.of()
    window = rule.window_han if text.language == "zh" else rule.window_words
    return Winnowed(
        *smallest(*gram_hashes(text.token.view(np.uint64), text.single, rule.weight), window)
    )


def count_features(cut: Tokenizer, texts: list[str]) -> Features:
    """Return the distinct tokens of each normalised text with their counts, counted one by one."""
    ids: dict[str, int] = {}
    rows: list[dict[int, int]] = []
    for text in texts:
        tokens = cut.tokens(text)
        han_first = sorted(tokens, key=str.isascii)  # as the arrays name them: Han, then Latin
        counts = Counter(ids.setdefault(token, len(ids)) for token in han_first)
        rows.append(dict(sorted(counts.items())))
    return Features(
        tuple(ids),
        np.cumsum([0, *map(len, rows)]),
        np.array([token for row in rows for token in row], np.int32),
        np.array([count for row in rows for count in row.values()], np.int32),
        np.array([sum(row.values()) for row in rows], np.int64),
    )
