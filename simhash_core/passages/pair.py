"""Two texts numbered and weighed together: what every step of the alignment works on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ..compiled import Twins
from ..model import F64, I32, I64
from ..policy import KEPT_WEIGHT
from . import exact, readable
from .options import AlignOptions
from .tokenized import TokenizedText

#: seconds of the readable loops on one core (benchmarks/first_check.py): a token of either side
#: of an aligned pair, a document that holds a winnowed hash of another, a hash by which two texts
#: are compared, a token where exact runs are looked for, a block visited by the block join
ALIGN_TOKEN, FOLLOWED_HASH, COMPARED_HASH, RUN_TOKEN, VISIT = 1.2e-5, 6e-7, 3.5e-7, 2e-6, 5e-7
#: the first of them compiled: 3e-7 in the samples, 5e-7 in English chapters of a book, 8e-7 in
#: Chinese ones, which are aligned twice
ALIGN_TOKEN_COMPILED = 6e-7

TWINS = Twins("passages", readable)
if TYPE_CHECKING:  # the same functions
    loops = readable
else:
    loops = TWINS


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Texts a and b over one local vocabulary.

    Attributes
    ----------
    local_a, local_b : int32 (na,), (nb,)
        Features numbered 0, 1, ...
    weight, plain : float64 (distinct,)
        Weight of each feature with and without the document frequencies of the batch.
    mean : float
        Mean weight of a token of either text: the unit of distances in score.
    runs : int64 (r, 3)
        Exact runs a, b, length.
    cover_a, cover_b : int64 (na + 1,), (nb + 1,)
        Tokens before i that lie in an exact run.
    """

    a: TokenizedText
    b: TokenizedText
    options: AlignOptions
    local_a: I32
    local_b: I32
    weight: F64
    plain: F64
    mean: float
    runs: I64
    cover_a: I64
    cover_b: I64
    frequencies: bool

    def turned(self) -> Pair:
        """The same two texts with sides exchanged (runs stay sorted by the former a)."""
        return Pair(
            self.b,
            self.a,
            self.options,
            self.local_b,
            self.local_a,
            self.weight,
            self.plain,
            self.mean,
            self.runs[:, [1, 0, 2]],
            self.cover_b,
            self.cover_a,
            self.frequencies,
        )

    def chars(self, rect: I64) -> tuple[int, int]:
        """Return the lengths of a rectangle's sides in characters."""
        a0, a1, b0, b1 = rect[:4].tolist()
        return (
            int(self.a.end[a1 - 1]) - int(self.a.start[a0]),
            int(self.b.end[b1 - 1]) - int(self.b.start[b0]),
        )

    def exact_share(self, rect: I64) -> float:
        """Return the share of tokens in exact runs, of the side that has less of them."""
        a0, a1, b0, b1 = rect[:4].tolist()
        in_a = (self.cover_a[a1] - self.cover_a[a0]) / (a1 - a0)
        in_b = (self.cover_b[b1] - self.cover_b[b0]) / (b1 - b0)
        return float(min(in_a, in_b))


def pair_of(
    a: TokenizedText,
    b: TokenizedText,
    options: AlignOptions,
    factor_a: F64 | None = None,
    factor_b: F64 | None = None,
) -> Pair:
    """Number and weigh two texts, and find their exact runs."""
    return with_runs(weighed_pair(a, b, options, factor_a, factor_b))


def weighed_pair(
    a: TokenizedText,
    b: TokenizedText,
    options: AlignOptions,
    factor_a: F64 | None = None,
    factor_b: F64 | None = None,
) -> Pair:
    """Number and weigh two texts, runs left out. `factor_*` a token, from `weight_factors`."""
    local_a, local_b, distinct = loops.number_features(a.feature, b.feature)
    plain = loops.weigh(local_a, local_b, distinct, options.top_weight)
    weight = plain
    if factor_a is not None and factor_b is not None:
        weight = loops.factored(plain, local_a, local_b, factor_a, factor_b, KEPT_WEIGHT)
    mean = float((weight[local_a].sum() + weight[local_b].sum()) / (len(a) + len(b)))
    return Pair(
        a,
        b,
        options,
        local_a,
        local_b,
        weight,
        plain,
        mean,
        np.empty((0, 3), np.int64),
        np.zeros(len(a) + 1, np.int64),
        np.zeros(len(b) + 1, np.int64),
        not np.array_equal(weight, plain),
    )


def with_runs(pair: Pair) -> Pair:
    """Return a pair with its exact runs."""
    a, b, k = pair.a, pair.b, pair.options.gram
    runs = loops.find_runs(
        a.token,
        b.token,
        _grams_of_text(a, k),
        _grams_of_text(b, k),
        k,
        pair.options.gram_repeats,
    )
    covers = [loops.run_cover(runs, side, len(text)) for side, text in enumerate((a, b))]
    return replace(pair, runs=runs, cover_a=covers[0], cover_b=covers[1])


@lru_cache(maxsize=4)  # the pairs of a task have one text in common
def _grams_of_text(text: TokenizedText, k: int) -> I64:
    return exact.grams_of(text.token, k)
