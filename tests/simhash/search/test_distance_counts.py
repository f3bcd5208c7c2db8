"""The histogram of pair distances."""

from __future__ import annotations

import numpy as np
import pytest
from hamming_judge import close_pairs, fingerprints, uniform
from hypothesis import given, settings
from hypothesis import strategies as st

from simhash_core.model import U64
from simhash_core.simhash.search import counts_between, distance_counts


@settings(deadline=None, max_examples=60)
@given(fingerprints())
def test_distance_counts_is_brute_force(drawn: tuple[U64, int]) -> None:
    words, bits = drawn
    distances = [distance for *_, distance in close_pairs(words, bits)]

    counts = distance_counts(words, bits=bits)

    assert counts.counts.tolist() == np.bincount(distances, minlength=bits + 1).tolist()
    assert not counts.sampled


def test_distance_counts_on_many_tiles() -> None:
    """More rows than one band of tiles holds."""
    words = uniform(9000, 64, 1)
    expected = np.zeros(65, np.int64)
    for i in range(len(words) - 1):
        distance = np.bitwise_count(words[i + 1 :, 0] ^ words[i, 0])
        expected += np.bincount(distance, minlength=65)

    assert distance_counts(words, bits=64).counts.tolist() == expected.tolist()


def test_rows_without_fingerprint_are_left_out_of_the_counts() -> None:
    words = np.array([[0], [0], [3]], np.uint64)
    valid = np.array([True, False, True])
    counts = distance_counts(words, bits=64, valid=valid)
    assert np.flatnonzero(counts.counts).tolist() == [2]
    assert counts.total == 1
    words = np.array([[0], [1], [7]], np.uint64)
    counts = counts_between(
        words, words, bits=64, valid_a=words[:, 0] > 0, valid_b=words[:, 0] != 1
    )
    assert counts.tolist() == np.bincount([1, 2, 3, 0], minlength=65).tolist()


@settings(deadline=None, max_examples=60)
@given(fingerprints(), st.integers(0, 40))
def test_counts_between_are_what_the_whole_has_more(drawn: tuple[U64, int], cut: int) -> None:
    words, bits = drawn
    parts = words[:cut], words[cut:]
    inside = sum(distance_counts(part, bits=bits).counts for part in parts)

    across = counts_between(*parts, bits=bits)

    assert (across + inside == distance_counts(words, bits=bits).counts).all()


@pytest.mark.long
def test_distance_counts_of_a_sample_are_close_and_add_up() -> None:
    words = uniform(3000, 64, 2)
    exact = distance_counts(words, bits=64)

    sampled = distance_counts(words, bits=64, exact_pairs=1000, seed=1)
    again = distance_counts(words, bits=64, exact_pairs=1000, seed=1)

    assert sampled.sampled
    assert sampled.total == exact.total
    assert np.array_equal(sampled.counts, again.counts)
    # five standard errors of the largest share (0.1) in 2**24 draws
    error = np.abs(sampled.counts - exact.counts).max() / exact.total
    assert error < 5 * np.sqrt(0.1 / 2**24)
