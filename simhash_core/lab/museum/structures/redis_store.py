"""Block buckets shared by many processes in Redis; needs the extra `redis`.

A key carries its block number, or the same four digits of two blocks would meet: `b{i}:{hex4}`
holds members `{16 hex digits}:{id}`. Where a bucket grows past the cap it is migrated once to
second-level keys `b{i}:{hex4}:{j}:{hex3}` over the other 48 bits (see `rehash`).

References
----------
王诚, 王宇成, 计算机技术与发展 2019(2) (buckets in Redis).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....model import U64
from .buckets import Near, member_of, nearest
from .rehash import BLOCKS, CAP
from .tables import K

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
                self._add(keys=[self._prefix], args=[self._cap, member_of(word, name)], client=pipe)
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
            nearest(answer, word, k) for answer, word in zip(answers, words.tolist(), strict=True)
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
