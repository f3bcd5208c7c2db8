"""Normalised text to tokens, and tokens to counted features.

A token is a word of a run of Han, as jieba cuts it, or a run of Latin letters and digits;
tokens of digits alone are left out. One stream holds both, in the order of the text.
"""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from importlib import resources
from itertools import chain

import numpy as np

from ..model import I32, I64, Features
from .characters import HAN
from .segment import segmenter

_LATIN = r"[a-z0-9]+(?:['_][a-z0-9]+)*"
_RUN = re.compile(f"[{HAN}]+|{_LATIN}")
_HAN_RUN = re.compile(f"[{HAN}]+")
_LATIN_RUN = re.compile(_LATIN)
_STOP_LISTS = ("stop.zh.txt", "stop.en.txt")


class Tokenizer:
    """Cuts normalised text into tokens.

    Parameters
    ----------
    user_words
        Lines of a jieba user dictionary ("word", "word frequency", "word frequency tag").
    stop_words
        Whether the function words of the shipped lists (zh and en) are left out.
    pure
        Use jieba even where rjieba is installed; the tokens are the same.

    Notes
    -----
    `counts` takes 16 MB/s of Chinese and 20 MB/s of English with rjieba (CPU time); jieba alone
    needs 15 times as long for Han. `tokenizer` returns a cached instance;
    loading the dictionary takes 0.1 s (rjieba) to 1 s (jieba). Pickles as its parameters.
    """

    def __init__(
        self, user_words: Sequence[str] = (), stop_words: bool = False, *, pure: bool = False
    ) -> None:
        self._arguments = (tuple(user_words), stop_words, pure)
        self._segment = segmenter(_lines(user_words), pure=pure)
        self._stop = stop_list() if stop_words else frozenset()

    def __reduce__(self) -> tuple[object, ...]:
        return tokenizer, self._arguments

    def tokens(self, normalized: str) -> list[str]:
        """Return the tokens of a normalised text, in order."""
        runs = _RUN.findall(normalized)
        words = iter(self._segment(" ".join(run for run in runs if run[0] > "z")))
        kept: list[str] = []
        for run in runs:
            if run[0] <= "z":
                kept.append(run)
                continue
            for word in words:
                if word == " ":
                    break
                kept.append(word)
        return [word for word in kept if not self._dropped(word)]

    def counts(self, normalized: str) -> Counter[str]:
        """Return how often each token occurs; cheaper than `tokens`."""
        counts = Counter(self._segment(" ".join(_HAN_RUN.findall(normalized))))
        del counts[" "]
        latin = Counter(_LATIN_RUN.findall(normalized))
        for word in [word for word in latin if word.isdigit()]:
            del latin[word]
        # the two share no key
        dict.update(counts, latin)
        for word in self._stop.intersection(counts):
            del counts[word]
        return counts

    def _dropped(self, word: str) -> bool:
        return word in self._stop or (word.isascii() and word.isdigit())


@functools.lru_cache(maxsize=4)
def tokenizer(
    user_words: tuple[str, ...] = (), stop_words: bool = False, pure: bool = False
) -> Tokenizer:
    """Return a tokenizer, the same one for the same parameters."""
    return Tokenizer(user_words, stop_words, pure=pure)


@functools.cache
def stop_list() -> frozenset[str]:
    """Return the function words of both languages, normalised."""
    folder = resources.files(__package__) / "words"
    lines = chain.from_iterable(
        (folder / name).read_text(encoding="utf-8").splitlines() for name in _STOP_LISTS
    )
    return frozenset(_lines(lines))


def _lines(lines: Iterable[str]) -> list[str]:
    """Return the lines that say something: not empty, not a comment."""
    stripped = (line.strip().removeprefix("\ufeff") for line in lines)
    return [line for line in stripped if line and not line.startswith("#")]


def count_features(tokenizer: Tokenizer, texts: Iterable[str]) -> Features:
    """Return the distinct tokens of each text with their counts.

    Parameters
    ----------
    texts
        Normalised texts.

    Returns
    -------
    Features
        The vocabulary in order of first appearance; rows sorted by token id.
    """
    ids: defaultdict[str, int] = defaultdict()
    ids.default_factory = ids.__len__
    number: list[int] = []
    count: list[int] = []
    size: list[int] = []
    length: list[int] = []
    for text in texts:
        counts = tokenizer.counts(text)
        number.extend(map(ids.__getitem__, counts))
        count.extend(counts.values())
        size.append(len(counts))
        length.append(counts.total())
    indptr = np.concatenate([[0], np.cumsum(size, dtype=np.int64)]).astype(np.int64)
    return _sorted_rows(
        tuple(ids),
        indptr,
        np.array(number, dtype=np.int32),
        np.array(count, dtype=np.int32),
        np.array(length, dtype=np.int64),
    )


def merge_features(parts: Sequence[Features]) -> Features:
    """Return the rows of all parts, in order, over one vocabulary.

    Notes
    -----
    Equal to counting all texts at once: ids are given in order of first appearance, part by
    part.
    """
    if not parts:
        return count_features(tokenizer(), [])
    ids: defaultdict[str, int] = defaultdict()
    ids.default_factory = ids.__len__
    tokens = [_renumbered(part, ids) for part in parts]
    sizes = np.concatenate([np.diff(part.indptr) for part in parts])
    return _sorted_rows(
        tuple(ids),
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        np.concatenate(tokens),
        np.concatenate([part.count for part in parts]),
        np.concatenate([part.length for part in parts]),
    )


def _renumbered(part: Features, ids: defaultdict[str, int]) -> I32:
    new = np.fromiter(map(ids.__getitem__, part.vocabulary), np.int32, len(part.vocabulary))
    return new[part.token]


def _sorted_rows(
    vocabulary: tuple[str, ...], indptr: I64, token: I32, count: I32, length: I64
) -> Features:
    """Sort each row by token id."""
    row = np.repeat(np.arange(len(indptr) - 1, dtype=np.int64), np.diff(indptr))
    order = np.argsort(row * max(len(vocabulary), 1) + token, kind="stable")
    return Features(vocabulary, indptr, token[order], count[order], length)


def read_tagged(text: str) -> list[tuple[str, str]]:
    """Return (word, tag) of pre-segmented text: `迈向/v 充满/v 希望/n`.

    Notes
    -----
    The tag is what follows the last slash of a word; a word without a tag gets "". Brackets
    around compounds, as in `[中央/n 电台/n]nt` of the People's Daily corpus, are left out.
    """
    pairs = []
    for piece in text.split():
        word, slash, tag = piece.rpartition("/")
        if not slash or not word:
            pairs.append((piece, ""))
            continue
        tag = tag.split("]")[0]
        word = word.removeprefix("[") or word
        pairs.append((word, tag))
    return pairs
