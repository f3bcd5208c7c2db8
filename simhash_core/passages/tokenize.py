"""Normalised texts tokenised together, without a string for a word.

All texts lie in one array, so that each step is one pass over all of them. Equal words and equal
gaps are numbered by compiled loops, and each distinct one is looked at once.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from ..machine.ranges import number_ranges
from ..model import I32, I64, U8, U64, Bools
from ..policy import KANA_SHARE, NUMBERS_AMONG, NUMBERS_AROUND, NUMBERS_BESIDE
from ..stemming import stem_english
from .exact import LOOPS
from .tokenized import (
    BLANK_LINE,
    EDGE,
    NEWLINE,
    NOTHING,
    PAUSE,
    SENTENCE,
    Concepts,
    TokenizedText,
    scatter,
)
from .winnow import Rule, Winnowed

AFTER = 8  # characters looked at after the last token

_OTHER, _WORD, _SINGLE, _APOSTROPHE, _UNKNOWN = 0, 1, 2, 3, 255
_APOSTROPHES = "'’ʼ"
#: scripts written without spaces: one character, one token (Han, kana, bopomofo; Thai and Lao,
#: Burmese, Khmer)
_SINGLES = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x2E80, 0x2FDF),
    (0x3005, 0x3007),
    (0x3021, 0x3029),
    (0x3038, 0x303B),
    (0x3040, 0x312F),
    (0x31A0, 0x31BF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
SEGMENTED = (0x4E00, 0x9FD5)  # the Han that dictionaries of words know
SYLLABLES = (0x0E00, 0x17FF)  # Thai to Khmer, of which only those of `_SINGLES` stand alone
KANA = (0x3041, 0x30FF)
#: class of every code point seen so far: a cache, filled on demand, the same for every text
_CLASS = np.full(0x110000, _UNKNOWN, np.uint8)
_SENTENCE_END = re.compile(r"[。！？…．｡!?]|\.[\"'”’»)\]]*(?:\s|$)")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_WIDE_SPACE = re.compile(r"[^\S\n]{2}")


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
        number, distinct = number_ranges(code, first[words], last[words])
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
        number, distinct = number_ranges(
            raw.code, ends[looked_at], ends[looked_at] + gap[looked_at]
        )
        kinds = np.array([gap_of(one) for one in distinct])[number]
        border[looked_at + 1 + row[looked_at]] = kinds[:, 0]
        attached[looked_at] += kinds[:, 1].astype(np.int32)
    final = ptr[1:][np.diff(ptr) > 0] - 1
    after = np.minimum(ends[final] + AFTER, raw.indptr[row[final] + 1])
    number, distinct = number_ranges(raw.code, ends[final], after)
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
    number, distinct = number_ranges(code, tokens.first[heads], tokens.first[heads] + length)
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


# --------------------------------------------------------------------------- what a token is


def classes_of(code: NDArray[np.uint32]) -> U8:
    """Return whether each character stands alone, belongs to a word or to neither."""
    classes = _CLASS[code]
    if (classes == _UNKNOWN).any():
        for point in np.unique(code[classes == _UNKNOWN]).tolist():
            _CLASS[point] = _class_of(point)
        classes = _CLASS[code]
    return classes


def _class_of(point: int) -> int:
    character = chr(point)
    if any(low <= point <= high for low, high in _SINGLES):
        return _SINGLE if character.isalnum() else _OTHER
    if character in _APOSTROPHES:
        return _APOSTROPHE
    # a combining mark that NFKC could not compose stays with its letter
    return _WORD if character.isalnum() or unicodedata.category(character)[0] == "M" else _OTHER


def boundaries(classes: U8) -> tuple[NDArray[np.bool_], I64, I64]:
    """Return which characters stand alone, and first and one-past-last character of each token."""
    single, word = classes == _SINGLE, classes == _WORD
    inner = classes == _APOSTROPHE
    if inner.any():  # don't: an apostrophe between letters belongs to the word
        inner[0] = inner[-1] = False
        inner[1:-1] &= word[:-2] & word[2:]
        word = word | inner
    edges = np.zeros(len(classes) + 1, np.int8)
    edges[:-1] += word
    edges[1:] -= word
    first = np.flatnonzero(single | (edges[:-1] > 0))
    word_end = np.flatnonzero(edges < 0)
    last = first + 1
    last[~single[first]] = word_end
    return single, first, last


def single_tokens(code: NDArray[Any], first: I64) -> U64:
    """Return the tokens of single characters, each with the two marks that may stand on it."""
    point = code.astype(np.uint64)
    mark = np.zeros(len(code) + 2, np.uint64)
    mark[: len(code)] = np.where(_is_mark(code), point, np.uint64(0))
    second = np.where(mark[first + 1] > 0, mark[first + 2], np.uint64(0))
    marks = mark[first + 1] << np.uint64(21) | second << np.uint64(42)
    return scatter(point[first] | marks)


def _is_mark(code: NDArray[Any]) -> Bools:
    """Return which characters are vowel or tone signs of the scripts of `SYLLABLES`."""
    among = (code >= SYLLABLES[0]) & (code <= SYLLABLES[1])
    return np.asarray(among & (classes_of(code) == _OTHER))


def fold32(x: U64) -> I32:
    """Return the upper half of 64-bit hashes."""
    return (x >> np.uint64(32)).astype(np.uint32).view(np.int32)


def is_japanese(code: NDArray[Any]) -> bool:
    """Whether tokens, by their first code points, are a text with kana throughout.

    Its words are not those of Chinese, and kana that stand alone are in every such text: it is
    compared by characters only.
    """
    kana = np.count_nonzero((code >= KANA[0]) & (code <= KANA[1]))
    return bool(kana > KANA_SHARE * len(code))


def bigrams(
    token: U64, is_single: NDArray[np.bool_], point: NDArray[Any], ends: I64 | None = None
) -> I32:
    """Return the feature of each single-character token; `ends` are those of several texts.

    Of the few letters of an alphabet (`point`, their first code points) many pairs are in every
    text: there the second character behind counts as well.
    """
    follower = _follower(token, is_single, ends)
    of_alphabet = (point >= SYLLABLES[0]) & (point <= SYLLABLES[1])
    further = _follower(follower, is_single, ends)
    further[~of_alphabet] = 0
    features = token * np.uint64(3) + follower + further * np.uint64(5)
    return fold32(scatter(features)[is_single])


def _follower(token: U64, is_single: Bools, ends: I64 | None) -> U64:
    """Return what stands behind each token, 0 behind the last and where no single one follows."""
    follower = np.zeros(len(token), np.uint64)
    follower[:-1] = np.where(is_single[1:], token[1:], np.uint64(0))
    if ends is not None:
        follower[ends[ends > 0] - 1] = 0
    return follower


def number_features(token: U64, is_number: Bools, ends: I64 | None = None) -> I32:
    """Change the numbers among others of `is_number` to where they count; return their features.

    A number among numbers counts with its neighbours alone: two tables of other measurements hold
    many equal numbers, but seldom several in a row that are equal, as a copied table does.
    So does a unit between two. `ends` are those of several texts.
    """
    n = len(token)
    ends = np.array([n]) if ends is None else ends
    at = np.arange(n)
    text = np.searchsorted(ends, at, side="right")
    first, last = np.concatenate([[0], ends])[text], ends[np.minimum(text, len(ends) - 1)]
    low, high = np.maximum(at - NUMBERS_AROUND, first), np.minimum(at + NUMBERS_AROUND + 1, last)
    upto = np.concatenate([[0], np.cumsum(is_number)])
    among = upto[high] - upto[low] - is_number >= NUMBERS_AMONG
    between = np.zeros(n, np.bool_)  # a unit
    between[1:-1] = is_number[:-2] & is_number[2:]
    is_number[:] = among & (is_number | between)
    features = token.copy()
    for shift in range(-NUMBERS_BESIDE, NUMBERS_BESIDE + 1):
        beside = at + shift
        inside = (beside >= first) & (beside < last)
        neighbour = np.where(inside, token[np.clip(beside, 0, n - 1)], np.uint64(0))
        features = scatter(features) + neighbour
    return fold32(scatter(features)[is_number])


@lru_cache(maxsize=1 << 18)
def is_number(word: str) -> bool:
    """Whether a word is a number, alone or with a unit or a name: 12, 5kg, Nf3."""
    return any(map(str.isdigit, word)) and sum(map(str.isalpha, word)) <= 3


@lru_cache(maxsize=1 << 18)
def word_of(word: str) -> tuple[int, int]:
    """Hash a word and its stem."""
    for mark in _APOSTROPHES[1:]:
        word = word.replace(mark, "'")
    stem = stem_english(word) if word.isascii() else word
    return xxhash.xxh3_64_intdigest(word.encode()), xxhash.xxh3_64_intdigest(stem.encode())


@lru_cache(maxsize=1 << 14)
def gap_of(gap: str) -> tuple[int, int]:
    """Return border class and length of attached punctuation of the text between two tokens."""
    lines = gap.replace("\r\n", "\n").replace("\r", "\n")
    attached = 0
    for character in gap:
        if character.isspace() or unicodedata.category(character) in ("Ps", "Pi"):
            break
        attached += 1
    if _BLANK_LINE.search(lines):
        return BLANK_LINE, attached
    if _SENTENCE_END.search(lines):
        return SENTENCE, attached
    if ";" in lines or "；" in lines or _WIDE_SPACE.search(lines):
        return PAUSE, attached
    return NEWLINE if "\n" in lines else NOTHING, attached
