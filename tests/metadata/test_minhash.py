"""MinHash: the sound family, the literal one with its bias, the toy matrix, bands."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.metadata import minhash
from simhash_core.metadata.minhash import PRIME, Family

TOY = [[0, 1], [1, 2, 3], [0, 3, 4], [3, 4]]


def random_sets(shared: int, only: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    items = np.random.default_rng(seed).integers(0, 2**64, shared + 2 * only, dtype=np.uint64)
    return np.sort(items[: shared + only]), np.sort(np.r_[items[:shared], items[shared + only :]])


def test_the_toy_matrix_has_the_known_signatures() -> None:
    found = minhash.matrix(TOY, [lambda x: (x + 1) % 5, lambda x: (2 * x + 1) % 5])
    assert found.tolist() == [[1, 2, 0, 0], [1, 0, 1, 2]]
    pairs = [(0, 1, 0.0), (0, 2, 0.5), (0, 3, 0.0), (1, 2, 0.0), (1, 3, 0.0), (2, 3, 0.5)]
    for a, b, estimate in pairs:
        assert minhash.estimate(found[:, a], found[:, b]) == estimate


@given(st.integers(1, PRIME - 1), st.integers(0, PRIME - 1), st.integers(0, 2**64 - 1))
def test_the_family_computes_its_formula_exactly(a: int, b: int, item: int) -> None:
    family = Family(np.array([a], np.uint64), np.array([b], np.uint64))
    value = int(family.signature(np.array([item], np.uint64))[0])
    assert value == (a * item + b) % PRIME


@pytest.mark.parametrize(("shared", "only"), [(10, 10), (50, 5), (5, 40)])
def test_the_sound_family_is_unbiased(shared: int, only: int) -> None:
    truth = shared / (shared + 2 * only)
    found = []
    for seed in range(40):
        sets = random_sets(shared, only, seed)
        a, b = minhash.signatures(sets, functions=100, seed=seed + 1)
        found.append(minhash.estimate(a, b))
    error = np.sqrt(truth * (1 - truth) / (100 * len(found)))
    assert np.mean(found) == pytest.approx(truth, abs=4 * error)


def test_the_literal_family_reproduces_its_bias() -> None:
    literal = minhash.literal_signature
    assert minhash.estimate(literal(range(10)), literal(range(5, 15))) == 0.05  # truth 0.333
    assert minhash.estimate(literal([0, 1]), literal([100, 1])) == 1.0  # truth 0.333


def test_empty_sets_are_like_nothing() -> None:
    empty, full = minhash.signatures([np.zeros(0, np.uint64), np.arange(9, dtype=np.uint64)])
    assert np.isnan(minhash.estimate(empty, empty))
    assert minhash.estimate(empty, full) == 0.0
    assert len(minhash.candidates(np.array([empty, empty]), bands=32)) == 0


def test_short_values_are_corrected_for_chance() -> None:
    found = []
    for seed in range(30):
        a, b = minhash.signatures(random_sets(30, 35, seed), functions=256, seed=seed + 1)
        short = (minhash.shortened(values, bits=1) for values in (a, b))
        found.append(minhash.estimate(*short, bits=1))
    assert np.mean(found) == pytest.approx(0.3, abs=0.05)


def test_bands_begin_where_textreuse_says() -> None:
    functions, bands = minhash.TEXTREUSE
    assert minhash.threshold(functions, bands) == pytest.approx(0.232, abs=5e-4)
    at = minhash.chance(np.array([minhash.threshold(functions, bands)]), functions, bands)
    assert at[0] == pytest.approx(1 - np.exp(-1), abs=0.01)


def test_bands_find_what_agrees_in_one_of_them() -> None:
    rows = np.array([[1, 2, 3, 4], [1, 2, 9, 9], [7, 7, 9, 9], [0, 0, 0, 0]], np.uint64)
    found = minhash.candidates(rows, bands=2)
    assert list(zip(found.left.tolist(), found.right.tolist(), strict=True)) == [(0, 1), (1, 2)]
    with pytest.raises(ValueError, match="bands"):
        minhash.candidates(rows, bands=3)
