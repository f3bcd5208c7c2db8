"""Sentences that say the same in other words, for a reader: which, how close, and what answers.

answers_of(result, a, b)     the sentences of two texts that answer each other
in_order(answers)            how many of them follow each other alike in both texts
shared_words(result)         what finds names, numbers and rare words that two sentences share
spread(meanings)             how close unrelated sentences of the batch come
found_by(result)             by which means each passage across languages was found
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from ..meaning.units import script_of
from ..policy import RARE_SHARE, RARE_WORD
from ..result import CheckResult, Meanings, meanings_shown
from ..text.language import guess_language
from ..text.normalize import normalized_text
from ..text.segment import LATIN, tags
from ..text.tokenize import tokenizer
from ..weighting.background import IDF_CAP, background_idf

Span = tuple[int, int]


class Answer(NamedTuple):
    """A sentence of the first text and the one of the second that says the same."""

    a: Span
    b: Span
    closeness: float  # cosine of the two, -1 to 1
    next_best: float  # of the next best sentence of the text opposite; nan where there is none


def answers_of(result: CheckResult, a: int, b: int) -> list[Answer]:
    """Return the answers between two rows of documents, in the order of text a.

    Only those that may be shown (`Meanings.shown`).
    """
    meanings = meanings_shown(result)
    if meanings is None:
        return []
    answers = []
    for row in meanings.of_pair(a, b).tolist():
        for at in range(int(meanings.first[row]), int(meanings.first[row + 1])):
            low_a, high_a, low_b, high_b = map(int, meanings.answers[at])
            sides = ((low_a, high_a), (low_b, high_b))
            first, second = sides if a < b else sides[::-1]
            answers.append(
                Answer(first, second, float(meanings.closeness[at]), float(meanings.next_best[at]))
            )
    return sorted(answers, key=lambda one: (one.a, one.b))


def in_order(answers: Sequence[Answer]) -> int:
    """Return the most answers whose sentences follow each other alike in both texts."""
    ends: list[Span] = []
    for one in answers:
        at = bisect_left(ends, one.b)
        ends[at : at + 1] = [one.b]
    return len(ends)


# --------------------------------------------------------------------------- unrelated sentences
@dataclass(frozen=True, slots=True)
class Spread:
    """How close the sentences of unrelated texts of a batch come to each other, of `n` pairs."""

    n: int
    middle: float  # median
    highest: float


def spread(meanings: Meanings) -> Spread | None:
    """Return how close unrelated sentences come, None where too few of them were compared."""
    highest = meanings.highest
    if highest is None:
        return None
    values = meanings.unrelated.astype(np.float64)
    return Spread(len(values), float(np.median(values)), highest)


# --------------------------------------------------------------------------- across languages
WORDS, SENTENCES = "words", "sentences"


@dataclass(frozen=True, slots=True, eq=False)
class FoundBy:
    """By which means passages were found that are in one language here and in another there.

    Attributes
    ----------
    passages : tuple of str
        Of each row of the meanings as they are shown: `words` of a dictionary, vectors of
        `sentences`, "" for a passage within a language.
    pairs : dict
        The same for each pair of document rows with a passage across languages.
    """

    passages: tuple[str, ...]
    pairs: Mapping[tuple[int, int], str]


def found_by(result: CheckResult) -> FoundBy:
    """Return by which means each passage across languages was found."""
    meanings = meanings_shown(result)
    if meanings is None:
        return FoundBy((), {})
    means = [
        WORDS if words else SENTENCES if _across(result, meanings, row) else ""
        for row, words in enumerate(meanings.by_words.tolist())
    ]
    ends = zip(meanings.left.tolist(), meanings.right.tolist(), strict=True)
    return FoundBy(tuple(means), {pair: by for pair, by in zip(ends, means, strict=True) if by})


def _across(result: CheckResult, meanings: Meanings, row: int) -> bool:
    """Return whether a passage is in one language here and in another one there."""
    places = (
        (meanings.left, meanings.a_start, meanings.a_end),
        (meanings.right, meanings.b_start, meanings.b_end),
    )
    a, b = (
        result.documents[int(side[row])].text[int(low[row]) : int(high[row])]
        for side, low, high in places
    )
    tongues = guess_language(a).tongue, guess_language(b).tongue
    return tongues[0] != tongues[1] if all(tongues) else script_of(a) != script_of(b)


# --------------------------------------------------------------------------- words that answer
MOST = 4  # words of a kind that are named

#: digits, or Chinese ones of more than one character that begin with a figure: 万一 is no number
_NUMBER = re.compile(
    r"\d+(?:[.,:]\d+)*%?|(?:[零一二三四五六七八九两][〇零一二三四五六七八九十百千万亿]+|十[一二三四五六七八九])"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")
#: what lies between a word and the end before it, the last sign first
_OPENS = re.compile(r"[\s\"'“”‘’(（]*?(?:\Z|[.!?:;。！？：；\n])")
#: parts of speech of names of persons, places, institutions and others
_NAMES = ("nr", "ns", "nt", "nz")
#: and of words that say nothing of a subject: adverbs, conjunctions, pronouns, counts ...
_EMPTY = frozenset("cdemopqruy")


class SharedWords(NamedTuple):
    """What two sentences share that is seldom shared, each as the first of them has it."""

    names: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    rare: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """All of them, names first."""
        return (*self.names, *self.numbers, *self.rare)


def shared_words(result: CheckResult) -> Callable[[str, str], SharedWords]:
    """Return what finds names, numbers and rare words that two sentences share.

    Notes
    -----
    A word is rare by the background table of word frequencies and by the texts of this check; a
    name is told by its capitals inside a sentence or by the part of speech of a Chinese word. The
    rarest come first, `MOST` of each kind.
    """
    cut = tokenizer(result.settings.user_words)
    least = max(2, RARE_SHARE * result.stats.n)

    def rarity(word: str) -> float:
        """Return how rare a word is, in nats; 0 for one that many texts of the batch have."""
        idf = background_idf().get(word, IDF_CAP)
        return idf if result.stats.df.get(word, 0) <= least else 0.0

    @cache
    def words_of_both(first: str, second: str) -> SharedWords:
        numbers, others = _numbers(first), _numbers(second)
        words = []  # of each sentence, as they are compared and as they stand in it
        for text in (first, second):
            tokens = [word for word in cut.tokens(normalized_text(text)) if len(word) > 1]
            shown = {normalized_text(match[0]): match[0] for match in _WORD.finditer(text)}
            words.append({one: shown.get(one, one) for one in tokens if not _NUMBER.fullmatch(one)})
        both = {word: words[0][word] for word in words[0] if word in words[1] and rarity(word)}
        han = [word for word in both if not word.isascii()]
        named = {word for word, tag in zip(han, tags(han), strict=True) if tag[:2] in _NAMES}
        (inside, anywhere), (inside_too, anywhere_too) = _capitals(first), _capitals(second)
        # a name can begin one of the sentences, where any word has a capital
        named |= (inside | inside_too) & anywhere & anywhere_too & both.keys()
        # of equal ones the longer one first
        order = sorted(both, key=lambda word: (-rarity(word), -len(word)))
        rare = [
            word
            for word, tag in zip(order, tags(order), strict=True)
            if word not in named
            and rarity(word) >= RARE_WORD
            and (tag == LATIN or tag[:1] not in _EMPTY)
            and not any(value in word for value in numbers)
        ]
        return SharedWords(
            tuple(both[word] for word in order if word in named)[:MOST],
            tuple(shown for value, shown in numbers.items() if value in others)[:MOST],
            tuple(both[word] for word in rare[:MOST]),
        )

    return words_of_both


def _numbers(text: str) -> dict[str, str]:
    """Return the numbers of a sentence by their digits, each as it stands; no single digit."""
    numbers = ((match[0].replace(",", ""), match[0]) for match in _NUMBER.finditer(text))
    return {value: shown for value, shown in numbers if len(value) > 1}


def _capitals(text: str) -> tuple[set[str], set[str]]:
    """Return the words with a capital, normalised: those inside a sentence, and all."""
    inside, anywhere = set[str](), set[str]()
    for match in _WORD.finditer(text):
        if match[0][0].isupper():
            word = normalized_text(match[0])
            anywhere.add(word)
            if not _OPENS.match(text[: match.start()][::-1]):
                inside.add(word)
    return inside, anywhere
