"""A bitmap filter: "certainly new" or "perhaps seen", in a few bits a text.

References
----------
Bloom, Space/time trade-offs in hash coding with allowable errors, CACM 1970.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import xxhash
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Bitmap:
    """A Bloom filter over exact texts; with one function, a plain bitmap of a hash.

    It never forgets a text. `false_positive` says how often it claims to know one that it has
    never seen; near-duplicates are different texts to it.
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

    def false_positive(self, held: int) -> float:
        """Return the chance that an unknown text is called known after `held` were added."""
        return float((1.0 - math.exp(-self.functions * held / self.bits)) ** self.functions)

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
