"""The cost model with corrected arithmetic, and where buckets live."""

import pytest

from simhash_core.lab.museum.structures.buckets import Ring
from simhash_core.lab.museum.structures.costs import bucket_sizes, costs

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


def test_the_arithmetic_of_the_sources_is_corrected() -> None:
    assert bucket_sizes(2**34) == (262_144, 1_048_576)  # right, but 2^34 is 17.2e9
    assert bucket_sizes(2**33) == (131_072, 524_288)  # and 2^33 is 8.59e9
    assert [round(size) for size in bucket_sizes(10**9)] == [15_259, 61_035]


def test_naive_structures_show_why_they_were_rejected() -> None:
    found = {cost.structure: cost for cost in costs(10**9)}
    assert found["expansion"].probes == 43_745
    assert found["pre_generated"].memory > 500 * 10**12
    assert found["linear"].candidates == 10**9 and found["linear"].memory == 8 * 10**9


@pytest.mark.parametrize(("n", "k", "bits"), [(1, 0, 64), (10**10, 3, 64), (10**10, 20, 256)])
def test_costs_exist_for_any_size(n: int, k: int, bits: int) -> None:
    found = costs(n, k, bits=bits)
    assert all(cost.memory >= 8 * n and cost.candidates >= 0 for cost in found)
    names = [cost.structure for cost in found]
    assert len(set(names)) == len(names) >= 4


KEYS = [f"b{block}:{value:04x}" for block in range(4) for value in range(0, 65_536, 8)]


def test_a_ring_spreads_keys_evenly() -> None:
    shares = Ring.of("abcde").shares(KEYS)
    assert sum(shares.values()) == len(KEYS)
    assert all(0.7 < share * 5 / len(KEYS) < 1.3 for share in shares.values())


def test_a_machine_that_joins_takes_keys_and_moves_none_between_others() -> None:
    before, after = Ring.of("abcd"), Ring.of("abcde")
    moved = [key for key in KEYS if before.owner(key) != after.owner(key)]
    assert {after.owner(key) for key in moved} == {"e"}
    assert len(moved) / len(KEYS) == pytest.approx(1 / 5, abs=0.06)


def test_order_and_repeats_of_machines_change_nothing() -> None:
    assert Ring.of("abc") == Ring.of("cbaab")
    with pytest.raises(ValueError, match="machine"):
        Ring.of([])
