"""The default profile: capped log-TF times a capped IDF from a frozen background table.

Two documents alone get sensible weights, and a fingerprint made today equals one made years
ago, because nothing depends on the batch. The tables beside this file are made by `build`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

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


@cache
def background_idf() -> Mapping[str, float]:
    """Return word -> IDF of both languages; a word that is not in it has `IDF_CAP`.

    One mapping serves both, because every word of the Chinese table has a character outside
    ASCII and none of the English table has.
    """
    idf: dict[str, float] = {}
    for name in TABLES:
        total, counts = background_counts(name)
        idf |= {word: idf_of(count, total) for word, count in counts.items()}
    return MappingProxyType(idf)


def background_counts(name: str) -> tuple[int, dict[str, int]]:
    """Return the words counted for a table, and how often each word of it was seen."""
    lines = files(__package__).joinpath(name).read_text("utf-8").splitlines()
    head = dict(line[2:].split("\t", 1) for line in lines if line.startswith("# "))
    counts = {}
    for line in lines[len(head) :]:
        word, count = line.split("\t")
        counts[word] = int(count)
    return int(head["total"]), counts


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
