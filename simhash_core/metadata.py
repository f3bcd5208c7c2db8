"""Metadata of texts (file properties, columns of a table) and how similar they are."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np
import regex
import xxhash

from .errors import BadInput
from .model import DATE_FROM, I64, U64, Document

_SHOWN = 80  # characters of a pattern that a message repeats
#: columns of a table that may name the file
_NAME_COLUMNS = ("name", "file", "filename", "文件", "文件名")
_SEPARATORS = re.compile(r"[,;，；、|]\s*")


def metadata_items(columns: Mapping[str, str]) -> frozenset[str]:
    """Return `column=value` items; a value that lists several gives one item each.

    >>> sorted(metadata_items({"author": "Li", "keywords": "a, b"}))
    ['author=li', 'keywords=a', 'keywords=b']
    """
    return frozenset(
        f"{name}={value.strip().casefold()}"
        for name, text in columns.items()
        for value in _SEPARATORS.split(text)
        if value.strip()
    )


def read_from_names(names: Sequence[str], pattern: str) -> list[dict[str, str]]:
    """Return the named groups of a pattern for each file name without folder and suffix.

    Raises
    ------
    BadInput
        Code `name_pattern`: not a regular expression, or one without named groups.

    Notes
    -----
    Some patterns never end: to be run in a worker with a limit.
    """
    rule = compile_pattern(pattern, error="name_pattern")
    return [_groups(rule, PurePosixPath(name).stem) for name in names]


def compile_pattern(pattern: str, *, error: str, groups: Sequence[str] = ()) -> regex.Pattern[str]:
    """Return a user's regular expression; `BadInput` of a code if it is none or lacks names.

    Parameters
    ----------
    groups
        One of these must be named; any name will do where none is given.
    """
    shown = pattern[:_SHOWN]
    try:
        rule = regex.compile(pattern)
    except (regex.error, RecursionError) as reason:
        detail = str(reason) if isinstance(reason, regex.error) else "nested too deep"
        raise BadInput(error, pattern=shown, detail=detail) from reason
    named = rule.groupindex.keys()
    if not (named & set(groups) if groups else named):
        raise BadInput(error, pattern=shown, detail=f"?P<{[*groups, 'name'][0]}>")
    return rule


def _groups(rule: regex.Pattern[str], stem: str) -> dict[str, str]:
    match = rule.search(stem)
    return {key: value for key, value in match.groupdict().items() if value} if match else {}


def read_from_table(text: str, names: Sequence[str]) -> list[dict[str, str]]:
    """Return what a CSV says of each file, nothing where no row names it.

    Its first column (or one called `name`) names the file, the others describe it.

    Raises
    ------
    BadInput
        Code `metadata_table`: fewer than two columns.
    """
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), skipinitialspace=True))
    columns = list(rows[0]) if rows else []
    if len(columns) < 2:
        raise BadInput("metadata_table", columns=len(columns))
    key = next((c for c in columns if c and c.strip().casefold() in _NAME_COLUMNS), columns[0])
    table = {
        (row[key] or "").strip(): {
            name: value.strip() for name, value in row.items() if name and name != key and value
        }
        for row in rows
    }
    return [dict(_row(table, name)) for name in names]


def collect_items(
    documents: Sequence[Document], given: Sequence[Mapping[str, str]]
) -> list[frozenset[str]]:
    """Return the metadata items of each document; what is given of it wins over what it says."""
    return [
        metadata_items({**_own_properties(document), **columns})
        for document, columns in zip(documents, given, strict=True)
    ]


def _own_properties(document: Document) -> dict[str, str]:
    """Return what a document says of itself, without where its date is from."""
    return {name: value for name, value in document.meta.items() if name != DATE_FROM}


def _row(table: Mapping[str, Mapping[str, str]], name: str) -> Mapping[str, str]:
    path = PurePosixPath(name)
    return table.get(name) or table.get(path.name) or table.get(path.stem) or {}


PRIME = (1 << 61) - 1
EMPTY = np.uint64(0xFFFFFFFFFFFFFFFF)  # no item: such a column equals nothing
LITERAL_MODULUS = LITERAL_FUNCTIONS = 100
_LOW = np.uint64(0xFFFFFFFF)


def item_hash(item: str) -> int:
    """Return the 64-bit hash of a set item."""
    return xxhash.xxh3_64_intdigest(item.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True, eq=False)
class HashFamily:
    """h_i(x) = ((a_i x + b_i) mod (2^61 - 1)) with seeded a_i != 0, over 64-bit item hashes."""

    a: U64  # (K,) 1 .. 2^61 - 2
    b: U64  # (K,)

    @classmethod
    def seeded(cls, functions: int, *, seed: int = 1) -> HashFamily:
        """Return `functions` members, the same ones for the same seed."""
        draw = np.random.default_rng(seed)
        a = draw.integers(1, PRIME, functions, dtype=np.uint64)
        return cls(a, draw.integers(0, PRIME, functions, dtype=np.uint64))

    def signature(self, items: U64) -> U64:
        """Return the smallest value of each function, uint64 (K,); `EMPTY` for an empty set."""
        if not len(items):
            return np.full(len(self.a), EMPTY)
        low = items % np.uint64(PRIME)
        smallest = np.empty(len(self.a), np.uint64)
        for row in range(len(self.a)):
            smallest[row] = _modular(_product(self.a[row], low) + self.b[row]).min()
        return smallest


def signatures(sets: Sequence[U64], *, functions: int = 128, seed: int = 1) -> U64:
    """Return one signature a set, uint64 (n, K)."""
    family = HashFamily.seeded(functions, seed=seed)
    return np.array([family.signature(items) for items in sets], np.uint64).reshape(-1, functions)


def literal_signature(items: Sequence[int], *, functions: int = LITERAL_FUNCTIONS) -> I64:
    """Return the minima of h_i(x) = (x + i) mod 100, i = 1..100, as printed, int64 (K,).

    Notes
    -----
    All functions are cyclic shifts of each other, so this is no min-wise family: {0..9} against
    {5..14} gives 0.05 where the truth is 0.333, {0, 1} against {100, 1} gives 1. For replication.
    """
    shifted = np.asarray(items, np.int64)[None, :] + np.arange(1, functions + 1)[:, None]
    return np.asarray((shifted % LITERAL_MODULUS).min(axis=1))


def minhash_estimate(a: U64 | I64, b: U64 | I64) -> float:
    """Return the share of equal positions: an unbiased estimate of the Jaccard similarity.

    Standard error sqrt(J (1 - J) / K); nan where both sets are empty.
    """
    if (a == EMPTY).all() and (b == EMPTY).all():
        return float("nan")
    return float((a == b).mean())


def _product(a: np.uint64, x: U64) -> U64:
    """Return a x mod (2^61 - 1) of factors below 2^61, in halves that fit 64 bits."""
    half, middle = np.uint64(32), np.uint64(29)
    a_high, a_low = a >> half, a & _LOW
    x_high, x_low = x >> half, x & _LOW
    cross = a_high * x_low + a_low * x_high  # below 2^62
    # 2^64 = 8 and 2^61 = 1 (mod 2^61 - 1), so 2^32 c = (c >> 29) + ((c mod 2^29) << 32)
    low_part = np.uint64((1 << 29) - 1)
    total = _modular(a_high * x_high * np.uint64(8)) + (cross >> middle)
    return _modular(_modular(total + ((cross & low_part) << half)) + _modular(a_low * x_low))


def _modular(value: U64) -> U64:
    """Return values below 2^64 modulo 2^61 - 1."""
    prime = np.uint64(PRIME)
    folded = (value & prime) + (value >> np.uint64(61))
    return np.where(folded >= prime, folded - prime, folded)


MU_CONTENT = 0.9  # the source's experiment; it allows 0.8 to 0.9
THRESHOLD = 0.25
SIMILARITIES = ("jaccard", "minhash", "literal")


def _s2(distance: int, bits: int) -> float:
    """One added so that distance 0 is not infinite; one bit halves it, whatever the width."""
    return 1.0 / (1.0 + distance)


def _cos(distance: int, bits: int) -> float:
    return max(0.0, math.cos(math.pi * distance / bits))


def _bits(distance: int, bits: int) -> float:
    return 1.0 - distance / bits


TERMS: Mapping[str, Callable[[int, int], float]] = {"s2": _s2, "cos": _cos, "bits": _bits}


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How content and metadata are joined.

    `mu_content` mixes; the source uses the same letter for the tolerance of a bucket
    (`RehashRule.mu_bucket`). Metadata items are few, so the exact Jaccard similarity is both
    better and cheaper than MinHash: it is the default.
    """

    mu_content: float = MU_CONTENT
    term: str = "s2"
    similarity: str = "jaccard"
    threshold: float = THRESHOLD
    bits: int = 64

    def of(self, distance: int, a: Set[str], b: Set[str]) -> float:
        """Return the score of one pair.

        Where neither text has metadata there is nothing to compare: the term is dropped (mu = 1),
        not scored 0 or 1.
        """
        content = TERMS[self.term](distance, self.bits)
        if not a and not b:
            return content
        shared = metadata_similarity(a, b, how=self.similarity)
        return self.mu_content * content + (1.0 - self.mu_content) * shared

    def alike(self, score: float) -> bool:
        """Whether a score is above the threshold by more than rounding."""
        return score > self.threshold and not math.isclose(score, self.threshold)


def metadata_similarity(a: Set[str], b: Set[str], *, how: str = "jaccard") -> float:
    """Return the similarity of two sets of items; nan where both are empty.

    Raises
    ------
    ValueError
        Unknown kind.
    """
    if how not in SIMILARITIES:
        raise ValueError(f"no similarity {how!r}")
    if how == "jaccard" or not a or not b:
        return len(a & b) / len(a | b) if a or b else float("nan")
    if how == "literal":
        rows = {item: row for row, item in enumerate(sorted(a | b))}
        first, second = (literal_signature(sorted(rows[item] for item in side)) for side in (a, b))
        return minhash_estimate(first, second)
    hashed = [np.array(sorted(map(item_hash, side)), np.uint64) for side in (a, b)]
    of_a, of_b = signatures(hashed, functions=LITERAL_FUNCTIONS)
    return minhash_estimate(of_a, of_b)


# --------------------------------------------------------------------------- the score of a pair


@dataclass(frozen=True, slots=True)
class PairScore:
    """What one pair scores; `metadata` is nan where neither side has any."""

    score: float
    content: float
    metadata: float
    above: bool  # the threshold of the rule


def pair_score(distance: int, a: Set[str], b: Set[str], *, rule: Score) -> PairScore:
    """Score two texts by their distance and their metadata items."""
    score = rule.of(distance, a, b)
    return PairScore(
        score=score,
        content=TERMS[rule.term](distance, rule.bits),
        metadata=metadata_similarity(a, b, how=rule.similarity),
        above=rule.alike(score),
    )
