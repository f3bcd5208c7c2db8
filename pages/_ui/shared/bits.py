"""How the bits of fingerprints are drawn: sizes of squares, the bit shown first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def square_sizes(margin: NDArray[np.float64], top: float) -> list[int]:
    """Return the side of each bit's square in percent of its cell: 18 + 62 sqrt(margin / top)."""
    if top <= 0:
        return [18] * len(margin)
    sizes: list[int] = np.rint(18 + 62 * np.sqrt(margin / top)).astype(int).tolist()
    return sizes


def first_bit(
    a: NDArray[np.bool_],
    b: NDArray[np.bool_],
    margin_a: NDArray[np.float64],
    margin_b: NDArray[np.float64],
) -> int:
    """Return the differing bit on which both sides are firmest, else the firmest of all."""
    firm = np.minimum(margin_a, margin_b)
    differing = a != b
    return int(np.argmax(np.where(differing, firm, -1.0) if differing.any() else firm))
