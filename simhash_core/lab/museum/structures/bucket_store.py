"""The block buckets of a shared store in the memory of one process: the same keys, no server."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ....model import U64
from .buckets import Near, member_of, nearest
from .rehash import BLOCKS, CAP
from .tables import K


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
            member = member_of(word, name)
            self._all.add(member)
            for block in range(BLOCKS):
                self._place(block, member)
        return len(self) - before

    def near(self, words: U64, *, k: int = K) -> list[list[Near]]:
        """Return what is stored within `k` bits of each word, nearest first, then by id."""
        if k >= BLOCKS:
            raise ValueError(f"four blocks are exact to {K} bits, not {k}")
        return [nearest(self._members(f"{word:016x}"), word, k) for word in words.tolist()]

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
