"""Buckets of four blocks: in memory, shared by many processes in Redis, placed on many machines.

Fingerprints of 64 bits are found again within 3 bits by four blocks of 16. A key carries its block
number, or the same four digits of two blocks would meet: `b{i}:{hex4}` holds members
`{16 hex digits}:{id}`. The store in Redis needs the extra `redis`.

References
----------
王诚, 王宇成, 计算机技术与发展 2019(2) (buckets in Redis); Karger et al., Consistent hashing
and random trees, STOC 1997.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import xxhash

from ...model import U64
from .structures import BLOCKS, K

_POINTS = 128  # of a machine on the ring: its share of the keys is within about a tenth of even


@dataclass(frozen=True, slots=True)
class Near:
    """One stored fingerprint near a query: its id and its distance in bits."""

    id: str
    distance: int


class BlockBuckets:
    """The buckets in sets of one process."""

    def __init__(self) -> None:
        self._buckets: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, ids: Sequence[str], words: U64) -> None:
        """Store fingerprints uint64 (n,) under their ids."""
        for name, word in zip(ids, words.tolist(), strict=True):
            for key in _keys(word):
                self._buckets[key].add(f"{word:016x}:{name}")

    def near(self, words: U64, *, k: int = K) -> list[list[Near]]:
        """Return what is stored within `k` <= 3 bits of each word, nearest first, then by id."""
        held = (set().union(*(self._buckets[key] for key in _keys(w))) for w in words.tolist())
        return _nearest(held, words, k)


class RedisBuckets:
    """The same buckets in the sets of a `redis.Redis`; collections of other names do not meet."""

    def __init__(self, client: Any, *, name: str) -> None:
        self._client, self._name = client, name

    def add(self, ids: Sequence[str], words: U64) -> None:
        """Store fingerprints uint64 (n,) under their ids."""
        with self._client.pipeline(transaction=False) as pipe:
            for name, word in zip(ids, words.tolist(), strict=True):
                for key in _keys(word):
                    pipe.sadd(f"{self._name}:{key}", f"{word:016x}:{name}")
            pipe.execute()

    def near(self, words: U64, *, k: int = K) -> list[list[Near]]:
        """Return what is stored within `k` <= 3 bits of each word, nearest first, then by id."""
        with self._client.pipeline(transaction=False) as pipe:
            for word in words.tolist():
                pipe.sunion([f"{self._name}:{key}" for key in _keys(word)])
            answers = pipe.execute()
        return _nearest(({one.decode() for one in answer} for answer in answers), words, k)


def connect(url: str, *, name: str) -> RedisBuckets:
    """Open the store of a Redis server, such as `redis://host:6379/0` or `unix:///path`.

    Raises
    ------
    ImportError
        The extra `redis` is not installed.
    """
    import redis

    return RedisBuckets(redis.Redis.from_url(url), name=name)


def _keys(word: int) -> list[str]:
    digits = f"{word:016x}"
    return [f"b{block}:{digits[4 * block : 4 * block + 4]}" for block in range(BLOCKS)]


def _nearest(held: Iterable[set[str]], words: U64, k: int) -> list[list[Near]]:
    """Return the members within `k` bits of each word, nearest first, then by id."""
    if k >= BLOCKS:
        raise ValueError(f"four blocks are exact to {K} bits, not {k}")
    found = []
    for word, members in zip(words.tolist(), held, strict=True):
        close = [Near(one[17:], (int(one[:16], 16) ^ word).bit_count()) for one in members]
        within = (near for near in close if near.distance <= k)
        found.append(sorted(within, key=lambda near: (near.distance, near.id)))
    return found


# ----------------------------------------------------------------- which machine holds which bucket


@dataclass(frozen=True, slots=True)
class Ring:
    """Points of every machine on a circle; a key belongs to the next point.

    A machine that joins takes keys from the others and moves none between them: about one in
    m + 1 of all. One that leaves gives its keys to the rest.
    """

    points: tuple[int, ...]
    owners: tuple[str, ...]

    @classmethod
    def of(cls, machines: Iterable[str]) -> Ring:
        """Place the points of each machine; ValueError without a machine."""
        placed = sorted(
            (_place(f"{machine}#{turn}"), machine)
            for machine in set(machines)
            for turn in range(_POINTS)
        )
        if not placed:
            raise ValueError("a ring needs a machine")
        return cls(tuple(place for place, _ in placed), tuple(owner for _, owner in placed))

    def owner(self, key: str) -> str:
        """Return the machine of a key such as `b2:0f3a`."""
        return self.owners[bisect_right(self.points, _place(key)) % len(self.points)]


def _place(name: str) -> int:
    return xxhash.xxh3_64_intdigest(name.encode())
