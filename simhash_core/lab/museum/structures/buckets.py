"""What both stores of block buckets offer, in memory and in Redis, and what they answer with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ....model import U64


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


def member_of(word: int, name: str) -> str:
    """Return how both stores write a fingerprint: 16 hex digits, a colon, the id."""
    return f"{word:016x}:{name}"


def nearest(members: Iterable[bytes | str], word: int, k: int) -> list[Near]:
    """Return the members within `k` bits of a word, nearest first, then by id."""
    close: dict[str, Near] = {}
    for member in members:
        text = member.decode() if isinstance(member, bytes) else member
        distance = int(np.bitwise_count(np.uint64(int(text[:16], 16) ^ word)))
        if distance <= k:
            close[text] = Near(text[17:], distance)
    return sorted(close.values(), key=lambda near: (near.distance, near.id))
