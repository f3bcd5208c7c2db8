"""The family of weightings: name -> function, filled by the decorator `weighting`."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np

from ..extensions import extension
from ..model import F64, I64, CorpusStats, Features
from ..settings import WEIGHTING_NAMES, Settings

#: weight of every (document, token) entry: F64 (nnz,), finite, >= 0, aligned with `token`
Weighting = Callable[[Features, CorpusStats, Settings], F64]

WEIGHTINGS: dict[str, Weighting] = {}

#: weightings that read no statistics of the collection: their fingerprints never age
FROZEN = frozenset({"background", "uniform", "tf", "tf_squared"})

#: steps of 2^-16: no tie and no changed bit in thousands of texts (docs/calibration.md, "Weights")
SCALE = 1 << 16


def weighting(name: str) -> Callable[[Weighting], Weighting]:
    """Register a function under `name`, which users type and recipes contain.

    Raises
    ------
    ValueError
        The name is taken, or `settings.WEIGHTING_NAMES` does not list it.
    """

    def register(function: Weighting) -> Weighting:
        if name in WEIGHTINGS:
            raise ValueError(f"weighting {name!r} is registered twice")
        if name not in WEIGHTING_NAMES:
            raise ValueError(f"weighting {name!r} is missing in settings.WEIGHTING_NAMES")
        WEIGHTINGS[name] = function
        return function

    return register


def weighting_of(name: str) -> Weighting:
    """Return a weighting by its name, one of another package too.

    Raises
    ------
    KeyError
        There is none.
    BadInput
        That of another package cannot be loaded.
    """
    function = WEIGHTINGS.get(name) or extension("weightings", name)
    if function is None:
        raise KeyError(name)
    return cast(Weighting, function)


def quantise(weights: F64) -> I64:
    """Return round(65536 w) as int64 (nnz,): integers add up the same in any order.

    Raises
    ------
    ValueError
        A weight is negative, not finite, or too large for exact sums.
    """
    if weights.size and not (np.isfinite(weights).all() and weights.min() >= 0):
        raise ValueError("weights must be finite and not negative")
    if weights.size and weights.max() >= 2.0**36:
        raise ValueError("weights must be below 2^36")
    return np.rint(weights * SCALE).astype(np.int64)
