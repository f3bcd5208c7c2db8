"""Which machine holds which bucket: consistent hashing.

References
----------
Karger et al., Consistent hashing and random trees, STOC 1997.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import xxhash

POINTS = 128  # a machine: its share of the keys is within about a tenth of even


@dataclass(frozen=True, slots=True)
class Ring:
    """Points of every machine on a circle; a key belongs to the next point.

    A machine that joins takes keys from the others and moves none between them: about one in
    m + 1 of all. One that leaves gives its keys to the rest.
    """

    points: tuple[int, ...]
    owners: tuple[str, ...]

    @classmethod
    def of(cls, machines: Iterable[str], *, points: int = POINTS) -> Ring:
        """Place `points` points of each machine.

        Raises
        ------
        ValueError
            No machine.
        """
        placed = sorted(
            (_place(f"{machine}#{turn}"), machine)
            for machine in set(machines)
            for turn in range(points)
        )
        if not placed:
            raise ValueError("a ring needs a machine")
        return cls(tuple(place for place, _ in placed), tuple(owner for _, owner in placed))

    def owner(self, key: str) -> str:
        """Return the machine of a key such as `b2:0f3a`."""
        return self.owners[bisect_right(self.points, _place(key)) % len(self.points)]

    def shares(self, keys: Iterable[str]) -> Counter[str]:
        """Return how many of the keys each machine holds."""
        return Counter(map(self.owner, keys))


def _place(name: str) -> int:
    return xxhash.xxh3_64_intdigest(name.encode())
