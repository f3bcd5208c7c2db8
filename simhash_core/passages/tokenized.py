"""Text as two rows of integers: what a token is, and what it counts as when words are compared.

And Chinese texts as rows of words instead of characters, for free rewordings.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from ..machine.memory import sizes_of
from ..model import F64, I32, I64, U64, Bools, DocumentFrequencies
from ..policy import KANA_SHARE, NUMBERS_AMONG, NUMBERS_AROUND, NUMBERS_BESIDE
from ..stemming import stem_english

U8 = NDArray[np.uint8]
Segmenter = Callable[[str], list[str]]
Concepts = Callable[[Sequence[str]], U64]

EDGE, BLANK_LINE, SENTENCE, PAUSE, NEWLINE, NOTHING = 5, 4, 3, 2, 1, 0

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
class TokenizedText:
    """One document as the passage engine sees it; offsets are code points of `Document.text`.

    A Han character is one token, any other run of letters and digits is one. Everything is a
    hash of the text alone, so texts of different runs can be compared and workers need no shared
    table.

    Attributes
    ----------
    token : int64 (n,)
        64-bit hash of the normalised token: exact runs.
    feature : int32 (n,)
        What it counts as when order does not matter: the stem of a word; the bigram of a Han
        character and the next one (the character itself before something else).
    start, end : int32 (n,)
        Range of the token.
    end_attached : int32 (n,)
        `end` and the punctuation directly attached to it.
    border : uint8 (n + 1,)
        Border before token i: 5 edge of the document, 4 blank line, 3 end of a sentence,
        2 semicolon or wide space, 1 new line, 0 nothing.
    before : int64 (n + 1,)
        Characters that belong to tokens before token i.
    single : bool (n,)
        Whether the token is one character of a script written without spaces (Han, kana).
    word : bool (n,)
        Whether a word begins here; everywhere, where nothing cut the text into words.
    concept : int32 (words,) or (0,)
        What each word counts as where a dictionary knows its meaning, else 0; empty without one.
    """

    token: I64
    feature: I32
    start: I32
    end: I32
    end_attached: I32
    border: U8
    before: I64
    single: Bools
    word: Bools
    concept: I32

    def __len__(self) -> int:
        return len(self.token)

    @property
    def chars(self) -> int:
        """Comparable characters: those that belong to a token."""
        return int(self.before[-1])

    @property
    def units(self) -> I64:
        """int64 (n + 1,): units before token i, the measure of every length and share.

        A token is one unit, of a character behind several tokens only the first; what does not
        count (`cut.counting`) is none.
        """
        counts = np.diff(self.before) > 0
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

    @property
    def counted(self) -> int:
        """Units that count: what every share of the text is of."""
        return int(np.count_nonzero(np.diff(self.before)))

    @property
    def language(self) -> str:
        """`zh` or `en`: which preset reads this text."""
        return language_of([self])


Column = NDArray[Any]
#: types of the columns of a `TokenizedText`, in their order
TEXT_TYPES = (np.int64, *(np.int32,) * 4, np.uint8, np.int64, np.bool_, np.bool_, np.int32)


def columns_of(text: TokenizedText) -> list[Column]:
    """Return the columns of a text in their order."""
    return [getattr(text, spec.name) for spec in fields(text)]


def language_of(tokenized: Sequence[TokenizedText]) -> str:
    """Return `zh` where at least 40 % of all tokens are single characters, else `en`."""
    singles, tokens = sum(int(v.single.sum()) for v in tokenized), sum(len(v) for v in tokenized)
    return "zh" if singles >= 0.4 * tokens and singles else "en"


def languages_of(tokenized: Sequence[TokenizedText], pairs: I64) -> NDArray[np.str_]:
    """Return `language_of` each pair of rows of `tokenized`, (m,)."""
    rows, local = np.unique(pairs, return_inverse=True)
    local = local.reshape(pairs.shape)
    singles = np.array([int(tokenized[row].single.sum()) for row in rows.tolist()], np.int64)
    tokens = sizes_of(tokenized)[rows]
    of_pair = singles[local].sum(axis=1)
    chinese = (of_pair >= 0.4 * tokens[local].sum(axis=1)) & (of_pair > 0)
    return np.asarray(np.where(chinese, "zh", "en"))


def span_of(text: TokenizedText, start: int, end: int) -> slice:
    """Return the tokens of a range of code points."""
    return slice(
        int(np.searchsorted(text.start, start)),
        int(np.searchsorted(text.end, end, side="right")),
    )


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


def scatter(x: U64) -> U64:
    """Spread integers over 64 bits (splitmix64; Steele, Lea and Flood 2014)."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


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


# --------------------------------------------------------------------------- Chinese as words

# A free rewording keeps words of its source, not pairs of neighbouring characters. Exact runs,
# borders and short texts are still compared by characters. What weighs a word, or a character, is
# in how many documents of a batch it occurs: formulas occur in many, copies in few.


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
