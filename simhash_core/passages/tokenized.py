"""Text as two rows of integers: what a token is, and what it counts as when words are compared.

And Chinese texts as rows of words instead of characters, for free rewordings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..machine.memory import sizes_of
from ..model import F64, I32, I64, U8, U64, Bools, DocumentFrequencies

Segmenter = Callable[[str], list[str]]
Concepts = Callable[[Sequence[str]], U64]

EDGE, BLANK_LINE, SENTENCE, PAUSE, NEWLINE, NOTHING = 5, 4, 3, 2, 1, 0


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
        count (`cut.drop_uncounted`) is none.
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
        int(np.searchsorted(text.start, start)), int(np.searchsorted(text.end, end, side="right"))
    )


def scatter(x: U64) -> U64:
    """Spread integers over 64 bits (splitmix64; Steele, Lea and Flood 2014)."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


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


def drop_concepts(text: TokenizedText) -> TokenizedText:
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
