"""The methods that SimHash is compared with: digests, vectors, planes, shingles, MinHash, filters.

Shingles are runs of w units, hashed; their Jaccard similarity is exact or sampled. Vectors of
words are compared as they are, exact and quadratic in texts times words. Random hyperplanes are the
theory that a fingerprint approximates: a bit says on which side of a random plane a weight vector
lies; two vectors at angle theta differ in a bit with probability theta / pi. SimHash draws +-1
where these draw Gaussians.

References
----------
Bloom, Space/time trade-offs in hash coding with allowable errors, CACM 1970; Broder, On the
resemblance and containment of documents, SEQUENCES 1997; Charikar, STOC 2002; Leskovec, Rajaraman,
Ullman, Mining of Massive Datasets, chapter 3 (bands); Mullen, textreuse (R).
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import xxhash
from numpy.typing import NDArray

from ...metadata import EMPTY, item_hash
from ...model import F64, I64, U64, Bools, Features, Pairs

# ------------------------------------------------------------------------- exact copies by a digest


def digest(text: str, *, algorithm: str = "md5") -> str:
    """Return the hexadecimal digest of a text in UTF-8; ValueError for an unknown algorithm."""
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.new(algorithm, data, usedforsecurity=False).hexdigest()


def equal_texts(texts: Sequence[str], *, algorithm: str = "md5") -> list[tuple[int, ...]]:
    """Return the rows of equal texts, groups of at least two, by their first row."""
    rows: defaultdict[str, list[int]] = defaultdict(list)
    for row, text in enumerate(texts):
        rows[digest(text, algorithm=algorithm)].append(row)
    return [tuple(group) for group in rows.values() if len(group) > 1]


# --------------------------------------------------------------------------- vectors of words


def vectors(features: Features, weights: F64) -> F64:
    """Return the weight vector of each text, F64 (n, v)."""
    dense = np.zeros((len(features), len(features.vocabulary)))
    dense[np.repeat(np.arange(len(features)), np.diff(features.indptr)), features.token] = weights
    return dense


def cosines(features: Features, weights: F64) -> F64:
    """Return the cosines of all weight vectors, F64 (n, n); 0 where a text has no weight."""
    held = vectors(features, weights)
    lengths = np.linalg.norm(held, axis=1)
    norms = np.outer(lengths, lengths)
    return np.divide(held @ held.T, norms, out=np.zeros_like(norms), where=norms > 0)


def euclidean(features: Features, weights: F64) -> F64:
    """Return the Euclidean distances of all weight vectors, F64 (n, n)."""
    held = vectors(features, weights)
    return np.asarray(np.linalg.norm(held[:, None] - held[None], axis=2))


def word_hamming(features: Features) -> I64:
    """Return how many words are in one text and not the other, int64 (n, n)."""
    held = vectors(features, np.ones(len(features.token))) > 0
    return np.asarray((held[:, None] != held[None]).sum(axis=2))


# --------------------------------------------------------------------------- random hyperplanes


def plane_signs(vectors: F64, *, bits: int, seed: int = 1) -> Bools:
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


# --------------------------------------------------------------------------- sets of shingles


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


def sample(items: U64, *, one_in: int) -> U64:
    """Keep the hashes that `one_in` divides: the same ones in every text, so sets stay comparable.

    The Jaccard of samples estimates that of the sets with variance about J (1 - J) one_in / size.
    """
    return np.asarray(items[items % np.uint64(one_in) == 0])


# --------------------------------------------------------------------------- MinHash and bands

#: functions and bands of the R package textreuse: candidates from Jaccard 0.232 on
TEXTREUSE = (240, 80)


def signature_matrix(
    sets: Sequence[Sequence[int]], functions: Sequence[Callable[[int], int]]
) -> I64:
    """Return the signature matrix of small sets of row numbers, int64 (functions, n)."""
    return np.array([[min(map(h, items)) for items in sets] for h in functions], np.int64)


def band_pairs(matrix: U64, *, bands: int) -> Pairs:
    """Return the pairs of rows that agree in all rows of at least one band; distance is 0.

    Parameters
    ----------
    matrix : uint64 (n, K)
    bands
        Divides K.

    Raises
    ------
    ValueError
        The functions do not divide into bands.

    Notes
    -----
    A pair of Jaccard J is met with probability 1 - (1 - J^r)^bands, r = K / bands.
    """
    functions = matrix.shape[1]
    if bands < 1 or functions % bands:
        raise ValueError(f"{functions} functions do not divide into {bands} bands")
    full = np.flatnonzero(~(matrix == EMPTY).all(axis=1))
    seen: set[tuple[int, int]] = set()
    for band in np.split(matrix[full], bands, axis=1):
        _, group = np.unique(band, axis=0, return_inverse=True)
        for same in range(int(group.max(initial=-1)) + 1):
            rows_of = full[group.reshape(-1) == same].tolist()
            seen.update(combinations(rows_of, 2))
    rows = np.array(sorted(seen), np.int64).reshape(-1, 2)
    return Pairs(rows[:, 0], rows[:, 1], np.zeros(len(rows), np.uint16))


def band_threshold(functions: int, bands: int) -> float:
    """Return the Jaccard similarity at which bands begin to catch: (1 / bands)^(bands / K)."""
    return float((1 / bands) ** (bands / functions))


# --------------------------------------------------------------------------- a bitmap filter


@dataclass(frozen=True, slots=True, eq=False)
class Bitmap:
    """A Bloom filter over exact texts; with one function, a plain bitmap of a hash.

    It never forgets a text, and sometimes claims to know one that it has never seen;
    near-duplicates are different texts to it.
    """

    octets: NDArray[np.uint8]
    functions: int

    @classmethod
    def sized(cls, capacity: int, *, false_positive: float = 0.01) -> Bitmap:
        """Return an empty filter for `capacity` texts at a rate of false positives."""
        bits = math.ceil(-capacity * math.log(false_positive) / math.log(2) ** 2)
        functions = max(1, round(bits / capacity * math.log(2)))
        return cls(np.zeros((bits + 7) // 8, np.uint8), functions)

    @property
    def bits(self) -> int:
        """Return the size in bits."""
        return 8 * len(self.octets)

    def add(self, texts: Iterable[str]) -> None:
        """Add texts."""
        for text in texts:
            for place in self._places(text):
                self.octets[place >> 3] |= np.uint8(1 << (place & 7))

    def __contains__(self, text: str) -> bool:
        return all(self.octets[place >> 3] >> (place & 7) & 1 for place in self._places(text))

    def _places(self, text: str) -> list[int]:
        """Kirsch and Mitzenmacher: two hashes give any number of them."""
        digest = xxhash.xxh3_128_intdigest(text.encode("utf-8", "surrogatepass"))
        first, second = digest >> 64, digest & (1 << 64) - 1 | 1
        return [(first + turn * second) % self.bits for turn in range(self.functions)]
