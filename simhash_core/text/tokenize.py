"""Normalised text to tokens, and tokens to counted features.

A token is a word of a run of Han, as jieba cuts it, or a run of Latin letters and digits;
tokens of digits alone are left out. One stream holds both, in the order of the text.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from importlib import resources
from itertools import chain, compress

import numpy as np

from ..model import I32, I64, Features
from .characters import HAN
from .segment import Segmenter, segmenter

_LATIN = r"[a-z0-9]+(?:['_][a-z0-9]+)*"
_RUN = re.compile(f"[{HAN}]+|{_LATIN}")


_STOP_LISTS = ("stop.zh.txt", "stop.en.txt")


class Tokenizer:
    """Cuts normalised text into tokens.

    Parameters
    ----------
    user_words
        Lines of a jieba user dictionary ("word", "word frequency", "word frequency tag").
    stop_words
        Whether the function words of the shipped lists (zh and en) are left out.

    Notes
    -----
    `tokenizer` returns a cached instance: the dictionary is loaded in .1 s, for the first run of
    Han. Pickles as its parameters.
    """

    def __init__(self, user_words: Sequence[str] = (), stop_words: bool = False) -> None:
        self._arguments = (tuple(user_words), stop_words)
        self._stop = stop_list() if stop_words else frozenset()

    def segment(self, runs: str) -> list[str]:
        """Cut runs of Han with a space between them into words, the spaces among them."""
        return self._segmenter(runs)

    @functools.cached_property
    def _segmenter(self) -> Segmenter:
        return segmenter(_lines(self._arguments[0]))

    def __reduce__(self) -> tuple[object, ...]:
        return tokenizer, self._arguments

    def tokens(self, normalized: str) -> list[str]:
        """Return the tokens of a normalised text, in order."""
        runs = _RUN.findall(normalized)
        han = " ".join(run for run in runs if run[0] > "z")
        words = iter(self.segment(han) if han else ())
        tokens_and_dropped: list[str] = []
        for run in runs:
            if run[0] <= "z":
                tokens_and_dropped.append(run)
                continue
            for word in words:
                if word == " ":
                    break
                tokens_and_dropped.append(word)
        dropped = self.dropped(set(tokens_and_dropped))
        return [word for word in tokens_and_dropped if word not in dropped]

    def dropped(self, words: Set[str]) -> set[str]:
        """Return the words to discard: numbers and stop words."""
        numbers = {word for word in filter(str.isdigit, words) if word.isascii()}
        return numbers | (self._stop & words)


@functools.lru_cache(maxsize=4)
def tokenizer(user_words: tuple[str, ...] = (), stop_words: bool = False) -> Tokenizer:
    """Return a tokenizer, the same one for the same parameters."""
    return Tokenizer(user_words, stop_words)


@functools.cache
def stop_list() -> frozenset[str]:
    """Return the function words of both languages, normalised."""
    folder = resources.files(__package__) / "words"
    lines = chain.from_iterable(
        (folder / name).read_text(encoding="utf-8").splitlines() for name in _STOP_LISTS
    )
    return frozenset(_lines(lines))


def _lines(lines: Iterable[str]) -> list[str]:
    """Return the lines that are neither empty nor comments."""
    stripped = (line.strip().removeprefix("\ufeff") for line in lines)
    return [line for line in stripped if line and not line.startswith("#")]


def features_of_rows(
    tokenizer: Tokenizer, words: Sequence[str], word: I32, count: I32, ends: I64
) -> Features:
    """Return the features of texts whose words were counted, numbers and stop words included.

    Parameters
    ----------
    words
        The distinct words of all texts.
    word, count, ends
        Row i has the words word[ends[i]:ends[i + 1]], each once, so often; in any order.
    """
    is_token = np.ones(len(words), np.bool_)
    dropped = tokenizer.dropped(set(words))
    is_token[[number for number, one in enumerate(words) if one in dropped]] = False
    number = np.cumsum(is_token, dtype=np.int32) - np.int32(1)
    row = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    entry = is_token[word]
    row, token, count = row[entry], number[word[entry]], count[entry]
    order = _by_row(row, token, max(len(words), 1))
    return Features(
        tuple(compress(words, is_token)),
        np.searchsorted(row, np.arange(len(ends))),
        token[order],
        count[order],
        np.bincount(row, weights=count, minlength=len(ends) - 1).astype(np.int64),
    )


def merge_features(parts: Iterable[Features]) -> Features:
    """Return the rows of all parts, in order, over one vocabulary.

    Notes
    -----
    Equal to counting all texts at once: ids are given in order of first appearance, part by
    part. A part is taken in as soon as it comes, and sorted by itself: its rows are its own.
    """
    ids: defaultdict[str, int] = defaultdict()
    ids.default_factory = ids.__len__
    none = np.zeros(0, np.int32)
    tokens, counts, sizes, lengths = [none], [none], [none], [np.zeros(0, np.int64)]
    for part in parts:
        new = np.fromiter(map(ids.__getitem__, part.vocabulary), np.int32, len(part.vocabulary))
        token, size = new[part.token], np.diff(part.indptr).astype(np.int32)
        order = _by_row(np.repeat(np.arange(len(size)), size), token, max(len(ids), 1))
        tokens.append(token[order])
        counts.append(part.count[order])
        sizes.append(size)
        lengths.append(part.length)
    return Features(
        tuple(ids),
        np.concatenate([[0], np.cumsum(np.concatenate(sizes), dtype=np.int64)]).astype(np.int64),
        np.concatenate(tokens),
        np.concatenate(counts),
        np.concatenate(lengths),
    )


def _by_row(row: I64, token: I32, wide: int) -> I64:
    """Return the order by (row, token): a bare sort, where key and place fit one word."""
    key = row * wide + token
    place = max(len(key) - 1, 0).bit_length()
    if len(key) and int(key.max()) >> (63 - place):
        return np.argsort(key, kind="stable")
    packed = key << place | np.arange(len(key))
    packed.sort()
    return packed & ((1 << place) - 1)


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
