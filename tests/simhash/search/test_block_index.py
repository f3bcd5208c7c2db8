"""The stored index and the rectangular join: brute force."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hamming_judge import fingerprints, uniform
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simhash_core.model import U64, Pairs
from simhash_core.simhash.search import BlockIndex, pairs_between
from simhash_core.simhash.search import index as index_room
from simhash_core.simhash.search.blocks import Scheme

generated = settings(
    deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def triples(pairs: Pairs) -> list[tuple[int, int, int]]:
    return list(
        zip(pairs.left.tolist(), pairs.right.tolist(), pairs.distance.tolist(), strict=True)
    )


def judged(queries: U64, stored: U64, k: int) -> list[tuple[int, int, int]]:
    return [
        (i, j, distance)
        for i, query in enumerate(queries)
        for j, row in enumerate(stored)
        if (distance := int(np.bitwise_count(query ^ row).sum())) <= k
    ]


@pytest.fixture(params=["priced", "free"])
def probes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prices as they are, and prices at which tables are used however few the rows."""
    if request.param == "free":
        for price in ("PROBE", "FETCH_WORD", "SORT_ROW"):
            monkeypatch.setattr(index_room, price, 0.0)


@pytest.mark.long
@generated
@given(fingerprints(most=40), st.data())
def test_search_is_brute_force(probes: None, drawn: tuple[U64, int], data: st.DataObject) -> None:
    """At every k: below the reach of the tables, at it, and beyond it."""
    words, bits = drawn
    cut = data.draw(st.integers(0, len(words)))
    queries, stored = words[:cut], words[cut:]
    reach = data.draw(st.integers(0, 6))
    choose = data.draw(st.integers(1, 2))
    k = data.draw(st.integers(0, 9))

    index = BlockIndex.build(stored, bits=bits, k=reach, scheme=Scheme(reach + choose, choose))

    assert len(index) == len(stored)
    assert triples(index.search(queries, k)) == judged(queries, stored, k)


@generated
@given(fingerprints(most=40), st.integers(0, 10), st.data())
def test_pairs_between_is_brute_force(
    probes: None, drawn: tuple[U64, int], k: int, data: st.DataObject
) -> None:
    words, bits = drawn
    cut = data.draw(st.integers(0, len(words)))

    found = pairs_between(words[:cut], words[cut:], bits=bits, k=min(k, bits))

    assert triples(found) == judged(words[:cut], words[cut:], min(k, bits))


def test_search_leaves_out_rows_without_fingerprint() -> None:
    stored = np.array([[5], [5], [4]], np.uint64)
    valid = np.array([True, False, True])
    index = BlockIndex.build(stored, bits=64, k=1, valid=valid)

    both = np.array([[5], [5]], np.uint64)
    found = index.search(both, 1, valid=np.array([False, True]))

    assert triples(found) == [(1, 0, 0), (1, 2, 1)]


def test_search_and_scan_agree_on_many() -> None:
    words = uniform(30_000, 64, 8)
    index = BlockIndex.build(words, bits=64, k=3)
    scan_only = BlockIndex.build(words, bits=64, k=0)

    found = index.search(words[:300], 3)

    assert triples(found) == triples(scan_only.search(words[:300], 3))
    assert triples(found) == triples(pairs_between(words[:300], words, bits=64, k=3))


def test_search_from_many_threads_gives_the_same() -> None:
    words = uniform(20_000, 128, 9)
    index = BlockIndex.build(words, bits=128, k=4)
    expected = triples(index.search(words[:200], 4))

    with ThreadPoolExecutor(4) as pool:
        found = [*pool.map(lambda _: triples(index.search(words[:200], 4)), range(16))]

    assert found == [expected] * 16


def test_build_refuses_a_scheme_that_misses_pairs() -> None:
    with pytest.raises(ValueError, match="exact to 2"):
        BlockIndex.build(np.zeros((1, 1), np.uint64), bits=64, k=3, scheme=Scheme(3, 1))
