"""Normalised texts tokenised together, without a string for a word.

All texts lie in one array, so that each step is one pass over all of them. Equal words and equal
gaps are numbered by compiled loops, and each distinct one is looked at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..machine.ranges import numbered
from ..model import I32, I64, U8, Bools
from .exact import LOOPS
from .tokenized import (
    EDGE,
    SEGMENTED,
    Concepts,
    TokenizedText,
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
from .winnow import Rule, Winnowed

AFTER = 8  # characters looked at after the last token


@dataclass(frozen=True, slots=True, eq=False)
class FlatText:
    """n texts as one array of code points; text i is code[indptr[i]:indptr[i + 1]]."""

    code: I32
    indptr: I64


@dataclass(frozen=True, slots=True, eq=False)
class _Tokens:
    """The tokens of all texts; those of text i are ptr[i] to ptr[i + 1]."""

    first: I64  # characters [first, last) of the normalised texts
    last: I64
    start: I32  # range in the raw text
    end: I32
    ptr: I64
    row: I64  # text of each token


def tokenize_many(
    normalized: FlatText,
    start: I32,
    end: I32,
    raw: FlatText,
    *,
    head: Bools | None = None,
    concepts: Concepts | None = None,
) -> list[TokenizedText]:
    """Turn normalised texts into integers.

    Parameters
    ----------
    normalized, raw
        The compared forms and the texts that they were made from.
    start, end : int32 (c,)
        Range of its raw text that each normalised character stands for.
    head : bool (c,), optional
        Whether a word of Han begins at a normalised character.
    concepts
        Returns the hash of what each word of Han counts as, 0 where that is the word itself.

    Notes
    -----
    Cost O(characters); distinct words are hashed and stemmed once a process.
    """
    code, n = normalized.code, len(normalized.indptr) - 1
    # a line break after each text, so that no word goes on in the next one
    apart = np.insert(code, normalized.indptr[1:], 0x0A).astype(np.int32)
    single, first, last = boundaries(classes_of(apart.view(np.uint32)))
    ptr = np.searchsorted(first, normalized.indptr + np.arange(n + 1))
    row = np.repeat(np.arange(n), np.diff(ptr))
    is_single = single[first]
    token, feature = _hashed(apart, first, last, is_single, ptr)
    first, last = first - row, last - row
    tokens = _Tokens(first, last, start[first], end[last - 1], ptr, row)
    border, end_attached = _borders(raw, tokens)
    word, concept = _words(code, tokens, head, concepts)
    before = _before(raw, tokens)
    texts = []
    for text, (a, b) in enumerate(zip(ptr[:-1].tolist(), ptr[1:].tolist(), strict=True)):
        span, wide = slice(a, b), slice(a + text, b + text + 1)
        texts.append(
            TokenizedText(
                token[span],
                feature[span],
                tokens.start[span],
                tokens.end[span],
                end_attached[span],
                border[wide],
                before[wide],
                is_single[span],
                word[span],
                concept[text] if concept else np.empty(0, np.int32),
            )
        )
    return texts


def _hashed(code: I32, first: I64, last: I64, is_single: Bools, ptr: I64) -> tuple[I64, I32]:
    """Return token and feature of each range."""
    token, feature = np.empty(len(first), np.uint64), np.empty(len(first), np.int32)
    token[is_single] = single_tokens(code, first[is_single])
    words, numbers = np.flatnonzero(~is_single), np.zeros(len(first), np.bool_)
    if len(words):
        number, distinct = numbered(code, first[words], last[words])
        both = np.array([word_of(word) for word in distinct], np.uint64)
        token[words] = both[number, 0]
        feature[words] = fold32(both[:, 1])[number]
        numbers[words] = np.array([is_number(word) for word in distinct], np.bool_)[number]
    feature[is_single] = bigrams(token, is_single, code[first], ptr[1:])
    in_tables = number_features(token, numbers, ptr[1:])
    feature[numbers] = in_tables
    return token.view(np.int64), feature


def _borders(raw: FlatText, tokens: _Tokens) -> tuple[U8, I32]:
    """Return the border class before each token, and the end with attached punctuation."""
    n, ptr, row = len(raw.indptr) - 1, tokens.ptr, tokens.row
    border = np.zeros(len(row) + n, np.uint8)
    border[ptr[:-1] + np.arange(n)] = border[ptr[1:] + np.arange(n)] = EDGE
    attached, ends = tokens.end.copy(), tokens.end + raw.indptr[row]
    if not len(row):
        return border, attached
    gap = tokens.start[1:] - tokens.end[:-1]
    # two tokens may come from one last character, as in a fraction: then nothing follows `end`
    following = raw.code[np.minimum(ends[:-1], len(raw.code) - 1)]
    looked_at = np.flatnonzero(
        (row[1:] == row[:-1]) & ((gap > 1) | ((gap == 1) & (following != 0x20)))
    )
    if len(looked_at):
        # most gaps are empty or one blank: no border, no punctuation
        number, distinct = numbered(raw.code, ends[looked_at], ends[looked_at] + gap[looked_at])
        kinds = np.array([gap_of(one) for one in distinct])[number]
        border[looked_at + 1 + row[looked_at]] = kinds[:, 0]
        attached[looked_at] += kinds[:, 1].astype(np.int32)
    final = ptr[1:][np.diff(ptr) > 0] - 1
    after = np.minimum(ends[final] + AFTER, raw.indptr[row[final] + 1])
    number, distinct = numbered(raw.code, ends[final], after)
    attached[final] += np.array([gap_of(one)[1] for one in distinct], np.int32)[number]
    return border, attached


def _before(raw: FlatText, tokens: _Tokens) -> I64:
    """Running count of token characters of each text; see `tokenized`."""
    n, ptr = len(raw.indptr) - 1, tokens.ptr
    start, end = (side + raw.indptr[tokens.row] for side in (tokens.start, tokens.end))
    counted = np.zeros(len(start) + 1, np.int64)
    if len(start):
        reached = np.concatenate([[0], np.maximum.accumulate(end)[:-1]])
        np.cumsum(np.maximum(end - np.maximum(start, reached), 0), out=counted[1:])
    text = np.repeat(np.arange(n), np.diff(ptr) + 1)
    return np.asarray(counted[np.arange(len(start) + n) - text] - counted[ptr[text]])


def _words(
    code: I32, tokens: _Tokens, head: Bools | None, concepts: Concepts | None
) -> tuple[Bools, list[I32]]:
    """Mark the tokens that begin a word, and say of each text what its words count as."""
    word = np.ones(len(tokens.first), np.bool_)
    if head is None:
        return word, []
    low, high = SEGMENTED
    point = code[tokens.first]
    spans = list(zip(tokens.ptr[:-1].tolist(), tokens.ptr[1:].tolist(), strict=True))
    chinese = np.array([not is_japanese(point[a:b]) for a, b in spans], np.bool_)
    han = np.flatnonzero((point >= low) & (point <= high) & chinese[tokens.row])
    word[han] = head[tokens.first[han]]
    if concepts is None or not len(han):
        return word, []
    begins = np.flatnonzero(word[han])
    heads, length = han[begins], np.diff(begins, append=len(han))
    number, distinct = numbered(code, tokens.first[heads], tokens.first[heads] + length)
    counts_as = np.zeros(len(word), np.int32)
    counts_as[heads] = fold32(concepts(distinct))[number]
    held = np.bincount(tokens.row[han], minlength=len(spans))
    return word, [
        counts_as[a:b][word[a:b]] if n else np.empty(0, np.int32)
        for (a, b), n in zip(spans, held.tolist(), strict=True)
    ]


def winnow_many(texts: Sequence[TokenizedText], *, rule: Rule) -> list[Winnowed]:
    """Return the winnowed hashes of many texts.

    Notes
    -----
    Of every `window` consecutive grams the one with the smallest hash is selected. Two texts with
    a common run of weight + window - 1 tokens hold a common window, hence a common hash. Texts
    of another window keep the guarantee: the smallest of a wider window is the smallest of a
    narrower one inside it. On ties the earliest occurrence is recorded; the set of values is
    that of robust winnowing. A text shorter than a window keeps its smallest gram.
    Density is about 2 / (window + 1).
    """
    if not texts:
        return []
    sizes = np.array([len(text) for text in texts], np.int64)
    ptr = np.concatenate([[0], np.cumsum(sizes)])
    token = np.concatenate([text.token for text in texts]).view(np.uint64)
    single = np.concatenate([text.single for text in texts])
    chinese = np.array([text.language == "zh" for text in texts])
    window = np.where(chinese, rule.window_han, rule.window_words).astype(np.int64)
    most, room = int(sizes.max()), len(token)
    value, first, last = (
        np.empty(room, np.uint64),
        np.empty(room, np.int32),
        np.empty(room, np.int32),
    )
    slots = np.zeros(1 << (2 * most + 1).bit_length(), np.int64)
    ends = np.zeros(len(texts) + 1, np.int64)
    work = (np.empty(most, np.uint64), np.empty(most, np.int32), slots, len(slots))
    LOOPS.winnow_texts(
        *(token, single, ptr, window, len(texts), rule.weight, *work, value, first, last, ends)
    )
    size, row = int(ends[-1]), np.repeat(np.arange(len(texts)), np.diff(ends))
    order = np.argsort(value[:size])
    order = order[np.argsort(row[order], kind="stable")]
    value, first, last = value[order], first[order], last[order]
    return [
        Winnowed(value[a:b], first[a:b], last[a:b])
        for a, b in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
    ]
