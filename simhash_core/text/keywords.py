"""The weightiest words of a text by term frequency and jieba's document frequencies."""

from __future__ import annotations

import functools
import re
from collections import Counter
from importlib import resources

from .characters import HAN
from .segment import Segmenter, segmenter
from .tokenize import stop_list

_HAN_RUN, _LATIN_RUN = re.compile(f"[{HAN}]+"), re.compile(r"[A-Za-z0-9]+")


def keywords(text: str, *, top: int = 5) -> list[tuple[str, float]]:
    """Return the `top` words (word, weight), heaviest first.

    Notes
    -----
    weight = n(t, d) * idf(t) with the table that ships with jieba; a word it does not hold gets
    the table's mean, as cppjieba does (jieba itself takes the median). The text is taken as it
    is, capitals included. Single characters and function words are no keywords. Equal weights
    are ordered by their word.
    """
    idf, unknown = _frequencies()
    words = _segmenter()(" ".join(_HAN_RUN.findall(text))) + _LATIN_RUN.findall(text)
    counts = Counter(word for word in words if len(word) > 1 and word.casefold() not in stop_list())
    weighed = [(word, count * idf.get(word, unknown)) for word, count in counts.items()]
    return sorted(weighed, key=lambda pair: (-pair[1], pair[0]))[:top]


@functools.cache
def _segmenter() -> Segmenter:
    return segmenter()


@functools.cache
def _frequencies() -> tuple[dict[str, float], float]:
    """Return idf by word and its mean."""
    text = (resources.files("jieba") / "analyse" / "idf.txt").read_text(encoding="utf-8")
    idf = {word: float(value) for word, value in (line.split() for line in text.splitlines())}
    return idf, sum(idf.values()) / len(idf)
