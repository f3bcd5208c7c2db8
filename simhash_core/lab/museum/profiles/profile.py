"""A fingerprint recipe as another program has it, and the vote they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Profile:
    """How one program makes and compares signatures.

    Attributes
    ----------
    name, source : str
        What users type, and whose program or text it is.
    bits : int
    k : int
        The source's own threshold: alike up to this many differing bits.
    fingerprint : callable
        Text to signature, its first bit the most significant; None where a text has no feature.
    quirks : tuple of str
        Codes of what differs from the textbook, kept on purpose.
    """

    name: str
    source: str
    bits: int
    k: int
    fingerprint: Callable[[str], int | None]
    quirks: tuple[str, ...] = ()

    def alike(self, a: int, b: int) -> bool:
        """Whether the source calls two signatures similar."""
        return (a ^ b).bit_count() <= self.k


def vote(weighed: Iterable[tuple[int, float]], bits: int, *, above: float = 0) -> int | None:
    """Add +w or -w for every bit of every hash; a bit is 1 iff its sum is more than `above`.

    Parameters
    ----------
    weighed
        (hash, weight); integers stay exact.
    bits
    above

    Returns
    -------
    int or None
        None where there was nothing to vote.
    """
    sums: list[float] = [0] * bits
    empty = True
    for value, weight in weighed:
        empty = False
        for bit in range(bits):
            sums[bit] += weight if value >> (bits - 1 - bit) & 1 else -weight
    if empty:
        return None
    signature = 0
    for total in sums:
        signature = signature << 1 | (total > above)
    return signature
