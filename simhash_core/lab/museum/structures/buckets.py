"""Buckets of four blocks: in memory, shared by many processes in Redis, placed on many machines.

A key carries its block number, or the same four digits of two blocks would meet: `b{i}:{hex4}`
holds members `{16 hex digits}:{id}`. Where a bucket grows past the cap it is migrated once to
second-level keys `b{i}:{hex4}:{j}:{hex3}` over the other 48 bits (see `tables`). The store in Redis
needs the extra `redis`.

References
----------
王诚, 王宇成, 计算机技术与发展 2019(2) (buckets in Redis); Karger et al., Consistent hashing
and random trees, STOC 1997.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import xxhash

from ....model import U64
from .tables import BLOCKS, CAP, K

# --------------------------------------------------------------------------- what both stores offer


@dataclass(frozen=True, slots=True)
class Near:
    """One stored fingerprint near a query: its id and its distance in bits."""

    id: str
    distance: int


class Buckets(Protocol):
    """Fingerprints of 64 bits, found again within 3 bits by four blocks of 16."""

    def __len__(self) -> int:
        """Stored fingerprints."""

    @property
    def split(self) -> int:
        """Buckets that outgrew the cap and were split."""

    def add(self, ids: Sequence[str], words: U64) -> int:
        """Store fingerprints uint64 (n,) under their ids; return how many were new."""

    def near(self, words: U64, *, k: int = 3) -> list[list[Near]]:
        """Return what is stored within `k` bits of each word, nearest first, then by id."""


def _member(word: int, name: str) -> str:
    """Return how both stores write a fingerprint: 16 hex digits, a colon, the id."""
    return f"{word:016x}:{name}"


def _nearest(members: Iterable[bytes | str], word: int, k: int) -> list[Near]:
    """Return the members within `k` bits of a word, nearest first, then by id."""
    close: dict[str, Near] = {}
    for member in members:
        text = member.decode() if isinstance(member, bytes) else member
        distance = int(np.bitwise_count(np.uint64(int(text[:16], 16) ^ word)))
        if distance <= k:
            close[text] = Near(text[17:], distance)
    return sorted(close.values(), key=lambda near: (near.distance, near.id))


# --------------------------------------------------------------------- in the memory of one process


class BlockBuckets:
    """Four blocks of 16 bits in sets: exact for 64-bit fingerprints within 3 bits.

    The interface and the keys of `RedisBuckets`; `cap` members of a bucket before it is split.
    """

    def __init__(self, *, cap: int = CAP) -> None:
        self._cap = cap
        self._buckets: defaultdict[str, set[str]] = defaultdict(set)
        self._split: set[str] = set()
        self._all: set[str] = set()

    def __len__(self) -> int:
        return len(self._all)

    @property
    def split(self) -> int:
        """Return how many buckets were split."""
        return len(self._split)

    def add(self, ids: Sequence[str], words: U64) -> int:
        """Store fingerprints uint64 (n,) under their ids; return how many were new."""
        before = len(self)
        for name, word in zip(ids, words.tolist(), strict=True):
            member = _member(word, name)
            self._all.add(member)
            for block in range(BLOCKS):
                self._place(block, member)
        return len(self) - before

    def near(self, words: U64, *, k: int = K) -> list[list[Near]]:
        """Return what is stored within `k` bits of each word, nearest first, then by id."""
        if k >= BLOCKS:
            raise ValueError(f"four blocks are exact to {K} bits, not {k}")
        return [_nearest(self._members(f"{word:016x}"), word, k) for word in words.tolist()]

    def _place(self, block: int, member: str) -> None:
        key = _key(block, member)
        if key in self._split:
            for inner in _inner(block, key, member):
                self._buckets[inner].add(member)
            return
        self._buckets[key].add(member)
        if len(self._buckets[key]) > self._cap:
            self._split.add(key)
            for item in self._buckets.pop(key):
                self._place(block, item)

    def _members(self, digits: str) -> Iterator[str]:
        for block in range(BLOCKS):
            key = _key(block, digits)
            for name in _inner(block, key, digits) if key in self._split else [key]:
                yield from self._buckets.get(name, ())


def _key(block: int, digits: str) -> str:
    return f"b{block}:{digits[4 * block : 4 * block + 4]}"


def _inner(block: int, key: str, digits: str) -> list[str]:
    rest = digits[: 4 * block] + digits[4 * block + 4 : 16]
    return [f"{key}:{part}:{rest[3 * part : 3 * part + 3]}" for part in range(BLOCKS)]


# --------------------------------------------------------------------------- in Redis


# One script a call: what another process adds or migrates meanwhile is seen wholly or not at all.
_ADD = """
local prefix, cap, member = KEYS[1], tonumber(ARGV[1]), ARGV[2]
local digits = string.sub(member, 1, 16)
local function rest(word, i)
  return string.sub(word, 1, 4 * i) .. string.sub(word, 4 * i + 5, 16)
end
local function place(base, i, item)
  local left = rest(item, i)
  for j = 0, 3 do
    redis.call('SADD', base .. ':' .. j .. ':' .. string.sub(left, 3 * j + 1, 3 * j + 3), item)
  end
end
for i = 0, 3 do
  local name = 'b' .. i .. ':' .. string.sub(digits, 4 * i + 1, 4 * i + 4)
  local base = prefix .. name
  if redis.call('SISMEMBER', prefix .. 'split', name) == 1 then
    place(base, i, member)
  else
    redis.call('SADD', base, member)
    if redis.call('SCARD', base) > cap then
      for _, item in ipairs(redis.call('SMEMBERS', base)) do place(base, i, item) end
      redis.call('DEL', base)
      redis.call('SADD', prefix .. 'split', name)
    end
  end
end
return redis.call('SADD', prefix .. 'all', member)
"""
_NEAR = """
local prefix, digits, found = KEYS[1], ARGV[1], {}
for i = 0, 3 do
  local name = 'b' .. i .. ':' .. string.sub(digits, 4 * i + 1, 4 * i + 4)
  if redis.call('SISMEMBER', prefix .. 'split', name) == 1 then
    local left = string.sub(digits, 1, 4 * i) .. string.sub(digits, 4 * i + 5, 16)
    for j = 0, 3 do
      local key = prefix .. name .. ':' .. j .. ':' .. string.sub(left, 3 * j + 1, 3 * j + 3)
      for _, item in ipairs(redis.call('SMEMBERS', key)) do found[#found + 1] = item end
    end
  else
    for _, item in ipairs(redis.call('SMEMBERS', prefix .. name)) do found[#found + 1] = item end
  end
end
return found
"""


class RedisBuckets:
    """Four blocks of 16 bits in Redis sets: exact for 64-bit fingerprints within 3 bits.

    Parameters
    ----------
    client
        A `redis.Redis`, or whatever has its `register_script`, `scard` and `scan_iter`.
    name : str
        Collections of different names or recipes do not meet.
    cap : int
        Members of a bucket before it is split.
    """

    def __init__(self, client: Any, *, name: str = "leitong", cap: int = CAP) -> None:
        self._client = client
        self._prefix = f"{name}:"
        self._cap = cap
        self._add = client.register_script(_ADD)
        self._near = client.register_script(_NEAR)

    def __len__(self) -> int:
        return int(self._client.scard(f"{self._prefix}all"))

    @property
    def split(self) -> int:
        """Return how many buckets were split."""
        return int(self._client.scard(f"{self._prefix}split"))

    def add(self, ids: Sequence[str], words: U64) -> int:
        """Store fingerprints uint64 (n,) under their ids; return how many were new."""
        with self._client.pipeline(transaction=False) as pipe:
            for name, word in zip(ids, words.tolist(), strict=True):
                self._add(keys=[self._prefix], args=[self._cap, _member(word, name)], client=pipe)
            return sum(map(int, pipe.execute()))

    def near(self, words: U64, *, k: int = K) -> list[list[Near]]:
        """Return what is stored within `k` bits of each word, nearest first, then by id.

        Raises
        ------
        ValueError
            k above 3, which four blocks do not guarantee.
        """
        if k >= BLOCKS:
            raise ValueError(f"four blocks are exact to {K} bits, not {k}")
        with self._client.pipeline(transaction=False) as pipe:
            for word in words.tolist():
                self._near(keys=[self._prefix], args=[f"{word:016x}"], client=pipe)
            answers = pipe.execute()
        return [
            _nearest(answer, word, k) for answer, word in zip(answers, words.tolist(), strict=True)
        ]

    def clear(self) -> None:
        """Remove everything of this collection."""
        keys = list(self._client.scan_iter(f"{self._prefix}*"))
        for at in range(0, len(keys), 1000):
            self._client.delete(*keys[at : at + 1000])


def connect(url: str, *, name: str = "leitong", cap: int = CAP) -> RedisBuckets:
    """Open the store of a Redis server, such as `redis://host:6379/0` or `unix:///path`.

    Raises
    ------
    ImportError
        The extra `redis` is not installed.
    """
    import redis

    return RedisBuckets(redis.Redis.from_url(url), name=name, cap=cap)


# ----------------------------------------------------------------- which machine holds which bucket


_POINTS = 128  # a machine: its share of the keys is within about a tenth of even


@dataclass(frozen=True, slots=True)
class Ring:
    """Points of every machine on a circle; a key belongs to the next point.

    A machine that joins takes keys from the others and moves none between them: about one in
    m + 1 of all. One that leaves gives its keys to the rest.
    """

    points: tuple[int, ...]
    owners: tuple[str, ...]

    @classmethod
    def of(cls, machines: Iterable[str], *, points: int = _POINTS) -> Ring:
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
