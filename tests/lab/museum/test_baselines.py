"""Digests, word vectors, shingles, the bitmap filter and the hyperplane law."""

import numpy as np
import pytest
from reference import features_of

from simhash_core.lab.museum.baselines import bitmap, exact, hyperplanes, shingles, vectors


def test_digests_are_the_known_ones() -> None:
    assert exact.digest("abc") == "900150983cd24fb0d6963f7d28e17f72"
    assert exact.digest("abc", algorithm="sha1") == "a9993e364706816aba3e25717850c26c9cd0d89d"
    with pytest.raises(ValueError, match="digest"):
        exact.digest("abc", algorithm="crc")


def test_a_digest_finds_exact_copies_only() -> None:
    text = "教育" * 300
    assert exact.groups([text, text + "。", "x", text, "x"]) == [(0, 3), (2, 4)]


def test_vector_distances_follow_their_formulas() -> None:
    features = features_of([["a", "a", "b"], ["b", "c"], []])
    weights = features.count.astype(float)
    assert vectors.cosines(features, weights)[0, 1] == pytest.approx(1 / np.sqrt(5 * 2))
    assert vectors.cosines(features, weights)[0, 2] == 0.0
    assert vectors.euclidean(features, weights)[0, 1] == pytest.approx(np.sqrt(4 + 0 + 1))
    assert vectors.word_hamming(features).tolist() == [[0, 2, 2], [2, 0, 2], [2, 2, 0]]


def test_vector_distances_equal_the_dense_ones() -> None:
    draw = np.random.default_rng(3)
    documents = [list(draw.choice(list("abcdefghij"), draw.integers(1, 30))) for _ in range(12)]
    features = features_of(documents)
    dense = np.zeros((len(features), len(features.vocabulary)))
    rows = np.repeat(np.arange(len(features)), np.diff(features.indptr))
    dense[rows, features.token] = features.count
    weights = features.count.astype(float)
    norms = np.linalg.norm(dense, axis=1)
    assert vectors.cosines(features, weights) == pytest.approx(
        dense @ dense.T / np.outer(norms, norms)
    )
    apart = np.linalg.norm(dense[:, None] - dense[None], axis=2)
    assert vectors.euclidean(features, weights) == pytest.approx(apart, abs=1e-9)


def test_shingles_are_sets_of_runs() -> None:
    a = shingles.shingles(list("abcdab"), width=2)  # ab bc cd da
    b = shingles.shingles(list("bcd"), width=2)  # bc cd
    assert (len(a), len(b)) == (4, 2)
    assert shingles.jaccard(a, b) == 0.5
    assert (shingles.containment(b, a), shingles.containment(a, b)) == (1.0, 0.5)
    assert len(shingles.shingles(["a"], width=3)) == 1
    assert np.isnan(shingles.jaccard(shingles.shingles([]), shingles.shingles([])))


def test_sampled_jaccard_estimates_the_exact_one() -> None:
    words = [str(number) for number in range(6000)]
    a, b = (shingles.shingles(part) for part in (words[:4000], words[2000:]))
    truth = shingles.jaccard(a, b)
    assert truth == pytest.approx(1 / 3, abs=0.01)
    sampled = shingles.jaccard(shingles.sample(a, one_in=8), shingles.sample(b, one_in=8))
    assert sampled == pytest.approx(truth, abs=0.07)


def test_the_bitmap_never_forgets_and_seldom_errs() -> None:
    held = bitmap.Bitmap.sized(2000, false_positive=0.01)
    held.add(f"text {number}" for number in range(2000))
    assert all(f"text {number}" in held for number in range(2000))
    wrong = sum(f"other {number}" in held for number in range(10_000)) / 10_000
    assert wrong == pytest.approx(held.false_positive(2000), abs=0.005)
    assert held.bits < 2000 * 10


def test_hyperplanes_obey_the_angle_within_three_sigma() -> None:
    bits = 20_000
    for cosine in (0.0, 0.5, 0.9, 0.99):
        other = np.sqrt(1 - cosine**2)
        a, b = hyperplanes.signs(np.array([[1.0, 0.0], [cosine, other]]), bits=bits, seed=4)
        mean, deviation = hyperplanes.expected_distance(cosine, bits)
        assert abs(int((a != b).sum()) - mean) < 3 * deviation
