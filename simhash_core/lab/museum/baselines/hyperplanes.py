"""Random hyperplanes: the theory that a fingerprint approximates.

A bit says on which side of a random plane a weight vector lies; two vectors at angle theta differ
in a bit with probability theta / pi. SimHash draws +-1 where this draws Gaussians.

References
----------
Charikar, STOC 2002.
"""

from __future__ import annotations

import math

import numpy as np

from ....model import F64, Bools


def signs(vectors: F64, *, bits: int, seed: int = 1) -> Bools:
    """Return on which side of `bits` Gaussian planes each vector lies, bool (n, bits).

    Parameters
    ----------
    vectors : F64 (n, v)
    """
    planes = np.random.default_rng(seed).standard_normal((vectors.shape[1], bits))
    return np.asarray(vectors @ planes > 0)


def expected_distance(cosine: float, bits: int) -> tuple[float, float]:
    """Return mean and standard deviation of the Hamming distance at a cosine.

    Notes
    -----
    p = acos(cosine) / pi; mean = bits p, variance = bits p (1 - p).
    """
    p = math.acos(min(1.0, max(-1.0, cosine))) / math.pi
    return bits * p, math.sqrt(bits * p * (1.0 - p))
