"""Blocks of a fingerprint, the routes made of them, and why they miss nothing.

Cut `bits` bits into m blocks. Two words that differ in at most k bits damage at most k blocks, so
at least m - k are equal; every choice of r = m - k blocks is one *route* (one table), and some
route holds the pair (Manku, Jain, Das Sarma 2007). A *span* is (start, width) in bits counted from
the leftmost; a route is a tuple of spans.

The same argument on what is left: within a bucket of equal key all differing bits lie outside the
key, so the remaining bits cut into k + 1 parts have one part equal. That is the second hash of an
overloaded bucket, and it may be repeated.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ...model import I64, U64

Span = tuple[int, int]
Route = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Scheme:
    """Cut into `blocks`, require any `choose` of them equal: exact up to blocks - choose bits."""

    blocks: int
    choose: int

    @property
    def name(self) -> str:
        """Return the usual notation, C(m,r)."""
        return f"C({self.blocks},{self.choose})"

    @property
    def exact_to(self) -> int:
        """Return the largest distance at which every pair is certain to be met."""
        return self.blocks - self.choose


@dataclass(frozen=True, slots=True)
class Reach:
    """One block for each radius; words meet on a block of which at most so many bits differ.

    Exact up to the sum of radius + 1 of all, less one: were every block damaged beyond its radius,
    that would be more bits (the general pigeonhole principle). A table costs one sort, whatever its
    radius, where `Scheme` needs one for every choice of blocks.
    """

    radii: tuple[int, ...]

    @classmethod
    def of(cls, k: int, blocks: int) -> Reach:
        """Return radii that differ by at most one, exact to `k`."""
        whole, more = divmod(k + 1, blocks)
        return cls(tuple(whole - 1 + (block < more) for block in range(blocks)))

    @property
    def blocks(self) -> int:
        """Return the number of blocks."""
        return len(self.radii)

    @property
    def name(self) -> str:
        """Return a short name, R(radius, ...)."""
        return f"R({','.join(map(str, self.radii))})"


def divide(route: Route, parts: int) -> tuple[Route, ...]:
    """Cut the bits of `route`, in order, into `parts` of nearly equal width, the wider ones first.

    Raises
    ------
    ValueError
        If there are fewer bits than parts.
    """
    total = width(route)
    if not 1 <= parts <= total:
        raise ValueError(f"cannot cut {total} bits into {parts} parts")
    wide, narrow = total % parts, total // parts
    rest = list(route)
    cut = []
    for part in range(parts):
        taken, rest = _take(rest, narrow + (part < wide))
        cut.append(taken)
    return tuple(cut)


def block_spans(bits: int, blocks: int) -> tuple[Span, ...]:
    """Return the blocks of a `bits`-bit word as spans, left to right."""
    return tuple(part[0] for part in divide(((0, bits),), blocks))


def scheme_routes(bits: int, scheme: Scheme) -> tuple[Route, ...]:
    """Return one route for every choice of blocks, in canonical (lexicographic) order."""
    return tuple(combinations(block_spans(bits, scheme.blocks), scheme.choose))


def width(route: Route) -> int:
    """Return the number of bits of a route."""
    return sum(bits for _, bits in route)


def shorten(route: Route, bits: int) -> Route:
    """Return the first `bits` bits of a route: a coarser key, still without loss."""
    return _take(list(route), min(bits, width(route)))[0]


def find_remaining(route: Route, bits: int) -> Route:
    """Return the spans of a `bits`-bit word that `route` leaves out."""
    gaps, at = [], 0
    for start, wide in sorted(route):
        if start > at:
            gaps.append((at, start - at))
        at = start + wide
    if at < bits:
        gaps.append((at, bits - at))
    return tuple(gaps)


def pieces(route: Route, bits: int) -> I64:
    """Return where the bits of a route lie: int64 (p, 3) of word, right shift, width."""
    parts = []
    word_bits = min(bits, 64)
    for start, wide in route:
        while wide > 0:
            inside = min(wide, word_bits - start % word_bits)
            shift = word_bits - start % word_bits - inside
            parts.append((start // word_bits, shift, inside))
            start, wide = start + inside, wide - inside
    return np.array(parts, np.int64).reshape(-1, 3)


def keys(columns: U64, parts: I64) -> U64:
    """Collect the bits of a route of at most 64 bits into one key a row.

    Parameters
    ----------
    columns : uint64 (W, n)
    parts : int64 (p, 3)
        From `pieces`.

    Returns
    -------
    uint64 (n,)
        The selected bits, in the order of the pieces, in the low bits.
    """
    key = np.zeros(columns.shape[1], np.uint64)
    for word, shift, wide in parts.tolist():
        if wide < 64:
            low = (columns[word] >> np.uint64(shift)) & np.uint64((1 << wide) - 1)
            key = (key << np.uint64(wide)) | low
        else:
            key = columns[word].copy()
    return key


def words_of(keys: U64, parts: I64) -> U64:
    """Put the bits of keys back to where `keys` of one column took them from, uint64 (n,)."""
    words = np.zeros(len(keys), np.uint64)
    below = 0
    for _, shift, wide in parts[::-1].tolist():
        part = (keys >> np.uint64(below)) & np.uint64((1 << wide) - 1)
        words |= part << np.uint64(shift)
        below += wide
    return words


def masks(routes: Iterable[Route], bits: int, words: int) -> U64:
    """Return uint64 (t, words): two words meet on route t iff their xor has no bit of mask t."""
    rows = []
    for route in routes:
        mask = [0] * words
        for word, shift, wide in pieces(route, bits).tolist():
            mask[word] |= ((1 << wide) - 1) << shift
        rows.append(mask)
    return np.array(rows, np.uint64).reshape(-1, words)


def _take(spans: list[Span], bits: int) -> tuple[Route, list[Span]]:
    """Return the first `bits` bits of a list of spans, and the spans after them."""
    taken = []
    at = 0
    while bits > 0:
        start, wide = spans[at]
        part = min(wide, bits)
        taken.append((start, part))
        bits -= part
        if part < wide:
            return tuple(taken), [(start + part, wide - part), *spans[at + 1 :]]
        at += 1
    return tuple(taken), spans[at:]
