"""How many unrelated pairs a threshold lets in, estimated from the batch itself.

The distribution of distances between unrelated texts is a mixture with a nearly exponential left
tail: neither a normal nor a beta-binomial describes it. The tail is anchored at two thresholds
that the batch still shows (1e-3 and 1e-4 of the pairs, or 1e-2 and 1e-3) and continued; small
batches use the median and the spread of the half above it, which copies cannot contaminate.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..limits import FalseAlarms
from ..model import F64, Distances
from ..policy import (
    FEW_PAIRS,
    MANY_ANCHORS,
    MANY_PAIRS,
    PRIOR,
    PRIOR_TAIL,
    SOME_ANCHORS,
    SOME_PAIRS,
    TAIL,
)


def false_alarms(distances: Distances) -> FalseAlarms:
    """Estimate the false-alarm curve of a batch.

    Parameters
    ----------
    distances : Distances      counts of all pairs; confirmed copies may be left in, which errs
                               on the safe side

    Notes
    -----
    Checked on held-out halves of 24 pool and width combinations: predicted over observed lies
    between 0.2 and 5 for the tail rules, and 0.4 to 40 (median 4, conservative) for the spread.
    """
    pairs, bits = distances.total, distances.bits
    if pairs >= MANY_PAIRS:
        return FalseAlarms(_anchored(distances, *MANY_ANCHORS), pairs, "tail_1e4")
    if pairs >= SOME_PAIRS:
        return FalseAlarms(_anchored(distances, *SOME_ANCHORS), pairs, "tail_1e3")
    if pairs >= FEW_PAIRS:
        median, spread = _median_and_spread(distances)
        return FalseAlarms(_robust(median, spread, bits), pairs, "spread")
    return FalseAlarms(prior_share(bits), pairs, "prior")


def prior_share(bits: int) -> F64:
    """Return F(k) of same-subject texts for use before any distance is known, (bits + 1,).

    Log-linear through the measured quantiles, a normal body above them.
    """
    width, mean, spread = _prior(bits)
    k = np.arange(bits + 1) * width / bits
    anchors = np.array(PRIOR_TAIL[width], np.float64)
    below = -6 - (anchors[0] - k) * 3 / (anchors[-1] - anchors[0])
    tail = np.where(k < anchors[0], below, np.interp(k, anchors, [-6, -5, -4, -3]))
    body = _normal((np.arange(bits + 1) + 0.5 - mean) / spread)
    share = np.where(k <= anchors[-1], 10.0**tail, np.maximum(body, 1e-3))
    return np.asarray(np.maximum.accumulate(np.minimum(share, 1.0)))


def unrelated_curve(distances: Distances) -> F64:
    """Return the expected number of unrelated pairs at each distance, float64 (bits + 1,).

    The body is a normal about the median with the spread of the upper half: what the histogram
    would look like if no text had anything to do with another.
    """
    if distances.total < FEW_PAIRS:
        _, median, spread = _prior(distances.bits)
    else:
        median, spread = _median_and_spread(distances)
    edges = np.arange(distances.bits + 2) - 0.5
    return np.asarray(np.diff(_normal((edges - median) / max(spread, 1e-9))) * distances.total)


def _prior(bits: int) -> tuple[int, float, float]:
    """Nearest measured width, and its mean and deviation scaled to `bits`."""
    width = min(PRIOR, key=lambda measured: abs(measured - bits))
    mean, spread = PRIOR[width]
    return width, mean * bits / width, spread * bits / width


def _anchored(distances: Distances, upper: float, lower: float) -> F64:
    """Empirical above `lower`, exponential through the two anchors below it."""
    empirical = np.cumsum(distances.counts) / max(distances.total, 1)
    k_upper, k_lower = _quantile(empirical, upper), _quantile(empirical, lower)
    k = np.arange(distances.bits + 1)
    slope = max(k_upper - k_lower, 0.5) / np.log10(upper / lower)
    tail = 10 ** (np.log10(lower) + np.minimum((k - k_lower) / slope, 0))
    share = np.where(k >= k_lower, empirical, tail)
    return np.asarray(np.maximum.accumulate(share))


def _quantile(cumulative: F64, share: float) -> float:
    """Interpolate the distance at which `cumulative` reaches `share`."""
    above = int(np.searchsorted(cumulative, share, side="right"))
    if above == 0:
        return 0.0
    if above == len(cumulative):
        return float(above - 1)
    low, high = cumulative[above - 1], cumulative[above]
    return above - 1 + float((share - low) / (high - low))


def _median_and_spread(distances: Distances) -> tuple[float, float]:
    """Continuous median, and root mean square above it: copies pull neither."""
    counts = distances.counts.astype(np.float64)
    cumulative = np.cumsum(counts) / counts.sum()
    middle = int(np.searchsorted(cumulative, 0.5))
    below = cumulative[middle - 1] if middle else 0.0
    inside = cumulative[middle] - below
    median = middle - 0.5 + (0.5 - below) / inside
    weights = counts.copy()
    weights[:middle] = 0.0
    weights[middle] *= (cumulative[middle] - 0.5) / inside
    squares = (np.arange(len(counts)) - median) ** 2
    return median, float(np.sqrt((weights * squares).sum() / weights.sum()))


def _robust(median: float, spread: float, bits: int) -> F64:
    """Normal body with an exponential tail from z3 on."""
    z3, decay = TAIL[min(TAIL, key=lambda measured: abs(measured - bits))]
    z = (median - np.arange(bits + 1) - 0.5) / max(spread, 1e-9)
    share = np.maximum(_normal(-z), 10.0 ** (-3 - (z - z3) / decay))
    return np.asarray(np.minimum(share, 1.0))


def _normal(z: NDArray[np.floating[Any]]) -> F64:
    """Return the normal distribution at z deviations."""
    return np.array([math.erfc(-one / math.sqrt(2)) / 2 for one in z.tolist()])
