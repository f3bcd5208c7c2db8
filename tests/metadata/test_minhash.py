"""MinHash: the sound family, the literal one with its bias."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core import metadata
from simhash_core.metadata import PRIME, HashFamily


def random_sets(shared: int, only: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    items = np.random.default_rng(seed).integers(0, 2**64, shared + 2 * only, dtype=np.uint64)
    return np.sort(items[: shared + only]), np.sort(np.r_[items[:shared], items[shared + only :]])


@given(st.integers(1, PRIME - 1), st.integers(0, PRIME - 1), st.integers(0, 2**64 - 1))
def test_the_family_computes_its_formula_exactly(a: int, b: int, item: int) -> None:
    family = HashFamily(np.array([a], np.uint64), np.array([b], np.uint64))
    value = int(family.signature(np.array([item], np.uint64))[0])
    assert value == (a * item + b) % PRIME


@pytest.mark.parametrize(("shared", "only"), [(10, 10), (50, 5), (5, 40)])
def test_the_sound_family_is_unbiased(shared: int, only: int) -> None:
    truth = shared / (shared + 2 * only)
    found = []
    for seed in range(40):
        sets = random_sets(shared, only, seed)
        a, b = metadata.signatures(sets, functions=100, seed=seed + 1)
        found.append(metadata.minhash_estimate(a, b))
    error = np.sqrt(truth * (1 - truth) / (100 * len(found)))
    assert np.mean(found) == pytest.approx(truth, abs=4 * error)


def test_the_literal_family_reproduces_its_bias() -> None:
    literal = metadata.literal_signature
    assert (
        metadata.minhash_estimate(literal(range(10)), literal(range(5, 15))) == 0.05
    )  # truth 0.333
    assert metadata.minhash_estimate(literal([0, 1]), literal([100, 1])) == 1.0  # truth 0.333


def test_empty_sets_are_like_nothing() -> None:
    empty, full = metadata.signatures([np.zeros(0, np.uint64), np.arange(9, dtype=np.uint64)])
    assert np.isnan(metadata.minhash_estimate(empty, empty))
    assert metadata.minhash_estimate(empty, full) == 0.0
