"""The default profile: capped log-TF times a capped IDF from a frozen background table.

Two documents alone get sensible weights, and a fingerprint made today equals one made years
ago, because nothing depends on the batch. The tables beside this file are made by `build`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import chain

import numpy as np

from ...model import F64, CorpusStats, Features
from ...settings import Settings
from ..registry import weighting

IDF_CAP = 5.0  # nats; also the IDF of an unknown word: a higher cap lets one rare word decide bits
COUNT_CAP = 8  # repetition beyond this adds nothing: no word can rule a text
TEXT_TOKENS = 1000  # length of the imagined background text that turns frequency into df

TABLES = ("zh.tsv", "en.tsv")


def idf_of(count: int, total: int) -> float:
    """Return the background IDF of a word seen `count` times among `total`, in nats, 0 to 5.

    Notes
    -----
    idf = min(5, -ln p) with p = 1 - exp(-1000 count / total), the chance that a text of 1,000
    tokens drawn from the background contains the word.
    """
    if count <= 0:
        return IDF_CAP
    missing = math.exp(-TEXT_TOKENS * count / total)  # chance that the text lacks the word
    return max(0.0, min(IDF_CAP, -math.log1p(-missing)))


class BackgroundIdf(Mapping[str, float]):
    """Word -> IDF of both languages, worked out when it is asked for.

    One mapping serves both, because every word of the Chinese table has a character outside
    ASCII and none of the English table has.
    """

    def __init__(self) -> None:
        self._chinese, self._english = map(background_counts, TABLES)

    def __getitem__(self, word: str) -> float:
        total, counts = self._english if word.isascii() else self._chinese
        return idf_of(counts[word], total)

    def __iter__(self) -> Iterator[str]:
        return chain(self._chinese[1], self._english[1])

    def __len__(self) -> int:
        return len(self._chinese[1]) + len(self._english[1])


@cache
def background_idf() -> BackgroundIdf:
    """Return word -> IDF of both languages; a word that is not in it has `IDF_CAP`."""
    return BackgroundIdf()


def background_counts(name: str) -> tuple[int, dict[str, int]]:
    """Return the words counted for a table, and how often each word of it was seen."""
    lines = files(__package__).joinpath(name).read_text("utf-8").splitlines()
    head = dict(line[2:].split("\t", 1) for line in lines if line.startswith("# "))
    rows = (line.split("\t") for line in lines[len(head) :])
    return int(head["total"]), {word: int(count) for word, count in rows}


@weighting("background")
def background(features: Features, stats: CorpusStats, settings: Settings) -> F64:
    """Return w = (1 + ln min(n, 8)) * idf(t), F64 (nnz,)."""
    table = background_idf()
    idf = np.fromiter(
        (table.get(token, IDF_CAP) for token in features.vocabulary),
        dtype=np.float64,
        count=len(features.vocabulary),
    )
    damped: F64 = 1.0 + np.log(np.arange(1, COUNT_CAP + 1))
    weights: F64 = damped[np.minimum(features.count, COUNT_CAP) - 1] * idf[features.token]
    return weights
