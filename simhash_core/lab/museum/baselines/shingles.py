"""Sets of w-shingles: runs of w units, hashed; their Jaccard similarity, exact and sampled.

References
----------
Broder, On the resemblance and containment of documents, SEQUENCES 1997.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....metadata.minhash import item_hash
from ....model import U64


def shingles(units: Sequence[str], *, width: int = 3) -> U64:
    """Return the distinct hashed shingles of a sequence of words or characters, sorted.

    Notes
    -----
    A sequence shorter than `width` is one shingle; an empty one has none.
    """
    if not units:
        return np.zeros(0, np.uint64)
    starts = range(max(1, len(units) - width + 1))
    joined = {"\0".join(units[at : at + width]) for at in starts}
    return np.unique(np.array([item_hash(shingle) for shingle in joined], np.uint64))


def jaccard(a: U64, b: U64) -> float:
    """Return shared / all of two sorted sets; nan where both are empty."""
    shared = len(np.intersect1d(a, b, assume_unique=True))
    either = len(a) + len(b) - shared
    return shared / either if either else float("nan")


def containment(a: U64, b: U64) -> float:
    """Return the share of `a` that is in `b`; nan where `a` is empty."""
    return len(np.intersect1d(a, b, assume_unique=True)) / len(a) if len(a) else float("nan")


def sample(items: U64, *, one_in: int) -> U64:
    """Keep the hashes that `one_in` divides: the same ones in every text, so sets stay comparable.

    The Jaccard of samples estimates that of the sets with variance about J (1 - J) one_in / size.
    """
    return np.asarray(items[items % np.uint64(one_in) == 0])


def smallest(items: U64, *, size: int) -> U64:
    """Keep the `size` smallest hashes (a bottom-k sketch)."""
    return items[:size]
