"""Every search structure of the literature gives the pairs of brute force; what each costs."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hamming_judge import close_pairs, fingerprints, first_rows, skewed, uniform
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.lab.museum.buckets import BlockBuckets, Ring
from simhash_core.lab.museum.structures import (
    DESIGNS,
    RehashRule,
    Run,
    bucket_sizes,
    costs,
    count,
    design,
    expansion_pairs,
    pretable_pairs,
    rehash_pairs,
    table_pairs,
    variants,
)
from simhash_core.model import U64
from simhash_core.simhash.search.blocks import width

STRUCTURES: dict[str, Callable[[U64, int], Run]] = {
    **{
        f"{tables} tables": lambda words, k, tables=tables: table_pairs(words, tables=tables, k=k)
        for tables in DESIGNS
    },
    "rehash": lambda words, k: rehash_pairs(words, k=k),
    "rehash all": lambda words, k: rehash_pairs(words, k=k, rule=RehashRule(floor=1, cap=1)),
    "rehash literal": lambda words, k: rehash_pairs(words, k=k, rule=RehashRule(literal=True)),
}
NAIVE: dict[str, Callable[[U64, int], Run]] = {
    "expansion": lambda words, k: expansion_pairs(words, k=k),
    "pre-generated": lambda words, k: pretable_pairs(words, k=k),
}


def truth(words: U64, k: int) -> tuple[list[int], list[tuple[int, int, int]]]:
    group = first_rows(words)
    kept = [(i, j, d) for i, j, d in close_pairs(words, k) if d and group[i] == i and group[j] == j]
    return group, kept


def got(run: Run) -> tuple[list[int], list[tuple[int, int, int]]]:
    columns = (run.pairs.left, run.pairs.right, run.pairs.distance)
    return run.group.tolist(), list(zip(*(c.tolist() for c in columns), strict=True))


WORDS = fingerprints().filter(lambda drawn: drawn[1] == 64).map(lambda drawn: drawn[0])


@pytest.mark.long
@pytest.mark.parametrize("name", STRUCTURES)
@given(words=WORDS, k=st.integers(0, 3))
def test_structure_gives_the_pairs_of_brute_force(name: str, words: U64, k: int) -> None:
    assert got(STRUCTURES[name](words, k)) == truth(words, k)


@pytest.mark.parametrize("name", NAIVE)
@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_naive_structure_gives_the_pairs_of_brute_force(name: str, k: int) -> None:
    words = np.concatenate([uniform(60, 64, k, 0.5), skewed(60, 64, k)])
    assert got(NAIVE[name](words, k)) == truth(words, k)


def test_variants_and_designs_are_the_known_ones() -> None:
    assert len(variants()) == count(3) == 43_745
    assert count(6) == 83_278_001
    masks = variants(2)
    assert len(np.unique(masks)) == len(masks) == 1 + 64 + 2016
    assert np.bitwise_count(masks).max() == 2
    widths = {tables: sorted({width(route) for route in design(tables)}) for tables in DESIGNS}
    assert widths == {4: [16], 10: [25, 26], 16: [28], 20: [31, 32, 33]}
    assert [len(design(tables)) for tables in DESIGNS] == list(DESIGNS)


def test_structures_refuse_what_they_would_miss() -> None:
    words = uniform(10, 64, 1)
    for search in (lambda: table_pairs(words, k=4), lambda: rehash_pairs(words, k=4)):
        with pytest.raises(ValueError, match="exact to 3"):
            search()
    with pytest.raises(ValueError, match="would take"):
        pretable_pairs(uniform(10_000, 64, 1))


def test_the_printed_rule_of_overload_and_what_rehashing_saves() -> None:
    sizes = np.array([400_000, 5, 1])
    assert RehashRule(literal=True).limit(sizes, 2**33) == 393_216
    # fewer than 65,536: three times the average is below 3, so nearly every bucket is split
    assert RehashRule(literal=True).limit(sizes, 20_000) < 1
    # all buckets large: nothing is above three times the average; the cap still holds
    large = np.full(65_536, 131_072)
    assert RehashRule(literal=True).limit(large, int(large.sum())) > large.max()
    assert RehashRule().limit(large, int(large.sum())) == 2000
    assert RehashRule().limit(sizes[1:], 6) == 64

    words = uniform(20_000, 64, 3)
    words[:4000] &= np.uint64(0x0000FFFFFFFFFFFF)  # a tenth shares one block
    plain, split = table_pairs(words), rehash_pairs(words)
    assert got(plain) == got(split)
    assert split.split and split.compared * 5 < plain.compared


def test_buckets_in_memory_give_the_pairs_of_brute_force() -> None:
    words = skewed(500, 64, 8)
    store = BlockBuckets()
    for _ in range(2):  # what is stored twice is there once
        store.add([str(row) for row in range(500)], words[:, 0])
    found = [
        (row, int(near.id), near.distance)
        for row, hits in enumerate(store.near(words[:, 0]))
        for near in hits
        if int(near.id) > row
    ]
    assert len(found) == len(set(found)) and set(found) == set(close_pairs(words, 3))
    with pytest.raises(ValueError, match="exact to 3"):
        store.near(words[:1, 0], k=4)


# --------------------------------------------------------------------------- costs, machines

PUBLISHED = {  # candidates a query: N = 10^6, 10^9, 2^34
    "tables_4": (61, 61_035, 1_048_576),
    "tables_10": (0.21, 209, 3_584),
    "tables_16": (0.06, 60, 1_024),
    "tables_20": (0.005, 5, 88),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_candidates_are_the_known_ones(name: str) -> None:
    for n, known in zip((10**6, 10**9, 2**34), PUBLISHED[name], strict=True):
        found = {cost.structure: cost.candidates for cost in costs(n)}[name]
        assert found == pytest.approx(known, rel=0.05)


def test_the_arithmetic_of_the_sources_is_corrected_beside_what_they_print() -> None:
    assert bucket_sizes(2**34) == (262_144, 1_048_576)  # right, but 2^34 is 17.2e9
    assert bucket_sizes(2**33) == (131_072, 524_288)  # and 2^33 is 8.59e9
    assert [round(size) for size in bucket_sizes(10**9)] == [15_259, 61_035]
    found = {cost.structure: cost for cost in costs(10**9)}
    assert found["expansion"].probes == 43_745
    assert found["pre_generated"].memory > 500 * 10**12
    assert found["linear"].candidates == 10**9 and found["linear"].memory == 8 * 10**9


KEYS = [f"b{block}:{value:04x}" for block in range(4) for value in range(0, 65_536, 8)]


def test_a_ring_spreads_keys_evenly_and_moves_few() -> None:
    shares = Counter(map(Ring.of("abcde").owner, KEYS))
    assert sum(shares.values()) == len(KEYS)
    assert all(0.7 < share * 5 / len(KEYS) < 1.3 for share in shares.values())
    before, after = Ring.of("abcd"), Ring.of("abcde")
    moved = [key for key in KEYS if before.owner(key) != after.owner(key)]
    assert {after.owner(key) for key in moved} == {"e"}
    assert len(moved) / len(KEYS) == pytest.approx(1 / 5, abs=0.06)
    assert Ring.of("abc") == Ring.of("cbaab")
    with pytest.raises(ValueError, match="machine"):
        Ring.of([])
