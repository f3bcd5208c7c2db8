"""Every search structure of the literature gives the pairs of brute force."""

from collections.abc import Callable

import numpy as np
import pytest
from hamming_judge import close_arrays, close_pairs, fingerprints, first_rows, skewed, uniform
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.lab.museum.structures.buckets import BlockBuckets
from simhash_core.lab.museum.structures.expansion import (
    PreTable,
    count,
    expansion_pairs,
    pretable_pairs,
    variants,
)
from simhash_core.lab.museum.structures.tables import (
    DESIGNS,
    RehashRule,
    Run,
    design,
    rehash_pairs,
    table_pairs,
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


@pytest.mark.long
@pytest.mark.parametrize("make", [uniform, skewed])
def test_structures_agree_on_thousands(make: Callable[[int, int, int], U64]) -> None:
    words = make(4000, 64, 7)
    left, right, distance = close_arrays(words, 3)
    first = np.array(first_rows(words))
    kept = (distance > 0) & (first[left] == left) & (first[right] == right)
    expected = list(zip(left[kept].tolist(), right[kept].tolist(), distance[kept].tolist(),
                        strict=True))  # fmt: skip
    for name, search in STRUCTURES.items():
        assert got(search(words, 3))[1] == expected, name


def test_rows_without_fingerprint_match_nothing() -> None:
    words = np.zeros((4, 1), np.uint64)
    words[3] = 1
    valid = np.array([True, False, True, True])
    for search in (table_pairs, rehash_pairs, expansion_pairs, pretable_pairs):
        run = search(words, valid=valid)
        assert got(run) == ([0, 1, 0, 3], [(0, 3, 1)])


def test_expansion_of_some_rows_finds_their_pairs() -> None:
    words = uniform(80, 64, 4, 0.6)
    rows = np.arange(0, 80, 3)
    _, every = truth(words, 3)
    asked = {first_rows(words)[row] for row in rows}
    found = got(expansion_pairs(words, rows=rows))[1]
    assert found == [pair for pair in every if pair[0] in asked or pair[1] in asked]


def test_variants_are_the_known_number() -> None:
    assert len(variants()) == count(3) == 43_745
    assert count(6) == 83_278_001
    masks = variants(2)
    assert len(np.unique(masks)) == len(masks) == 1 + 64 + 2016
    assert np.bitwise_count(masks).max() == 2


def test_designs_have_the_published_keys() -> None:
    widths = {tables: sorted({width(route) for route in design(tables)}) for tables in DESIGNS}
    assert widths == {4: [16], 10: [25, 26], 16: [28], 20: [31, 32, 33]}
    assert [len(design(tables)) for tables in DESIGNS] == list(DESIGNS)
    with pytest.raises(ValueError, match="design"):
        design(5)


def test_structures_refuse_what_they_would_miss() -> None:
    words = uniform(10, 64, 1)
    for search in (lambda: table_pairs(words, k=4), lambda: rehash_pairs(words, k=4)):
        with pytest.raises(ValueError, match="exact to 3"):
            search()
    with pytest.raises(ValueError, match="would take"):
        PreTable.build(np.zeros(10_000, np.uint64), most_bytes=1 << 20)


def test_the_printed_rule_of_overload() -> None:
    sizes = np.array([400_000, 5, 1])
    assert RehashRule(literal=True).limit(sizes, 2**33) == 393_216
    # fewer than 65,536: three times the average is below 3, so nearly every bucket is split
    assert RehashRule(literal=True).limit(sizes, 20_000) < 1
    # all buckets large: nothing is above three times the average; the cap still holds
    large = np.full(65_536, 131_072)
    assert RehashRule(literal=True).limit(large, int(large.sum())) > large.max()
    assert RehashRule().limit(large, int(large.sum())) == 2000
    assert RehashRule().limit(sizes[1:], 6) == 64


def test_rehash_cuts_the_comparisons_of_an_overloaded_block() -> None:
    words = uniform(20_000, 64, 3)
    words[:4000] &= np.uint64(0x0000FFFFFFFFFFFF)  # a tenth shares one block
    plain, split = table_pairs(words), rehash_pairs(words)
    assert got(plain) == got(split)
    assert split.split and split.compared * 5 < plain.compared
    assert split.largest < plain.largest


@pytest.mark.parametrize("cap", [3, 10_000])
def test_buckets_in_memory_give_the_pairs_of_brute_force(cap: int) -> None:
    words = skewed(500, 64, 8)
    store = BlockBuckets(cap=cap)
    assert store.add([str(row) for row in range(500)], words[:, 0]) == len(store) == 500
    assert store.add(["0"], words[0]) == 0
    found = {
        (row, int(near.id), near.distance)
        for row, hits in enumerate(store.near(words[:, 0]))
        for near in hits
        if int(near.id) > row
    }
    assert found == set(close_pairs(words, 3))
    assert (store.split > 0) == (cap == 3)
    with pytest.raises(ValueError, match="exact to 3"):
        store.near(words[:1, 0], k=4)
