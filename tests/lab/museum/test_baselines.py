"""Digests, word vectors, shingles, the bitmap filter and the hyperplane law."""

import math

import numpy as np
import pytest
from reference import features_of

from simhash_core import metadata
from simhash_core.lab.museum import baselines


def test_digests_are_the_known_ones_and_find_exact_copies_only() -> None:
    assert baselines.digest("abc") == "900150983cd24fb0d6963f7d28e17f72"
    assert baselines.digest("abc", algorithm="sha1") == "a9993e364706816aba3e25717850c26c9cd0d89d"
    with pytest.raises(ValueError, match="hash type"):
        baselines.digest("abc", algorithm="crc")
    text = "教育" * 300
    assert baselines.equal_texts([text, text + "。", "x", text, "x"]) == [(0, 3), (2, 4)]


def test_vector_distances_follow_their_formulas() -> None:
    features = features_of([["a", "a", "b"], ["b", "c"], []])
    weights = features.count.astype(float)
    assert baselines.cosines(features, weights)[0, 1] == pytest.approx(1 / np.sqrt(5 * 2))
    assert baselines.cosines(features, weights)[0, 2] == 0.0
    assert baselines.euclidean(features, weights)[0, 1] == pytest.approx(np.sqrt(4 + 0 + 1))
    assert baselines.word_hamming(features).tolist() == [[0, 2, 2], [2, 0, 2], [2, 2, 0]]


def test_shingles_are_sets_of_runs_whose_sample_estimates_jaccard() -> None:
    a = baselines.shingles(list("abcdab"), width=2)  # ab bc cd da
    b = baselines.shingles(list("bcd"), width=2)  # bc cd
    assert (len(a), len(b)) == (4, 2)
    assert baselines.jaccard(a, b) == 0.5
    assert len(baselines.shingles(["a"], width=3)) == 1
    assert np.isnan(baselines.jaccard(baselines.shingles([]), baselines.shingles([])))

    words = [str(number) for number in range(6000)]
    a, b = (baselines.shingles(part) for part in (words[:4000], words[2000:]))
    truth = baselines.jaccard(a, b)
    assert truth == pytest.approx(1 / 3, abs=0.01)
    sampled = baselines.jaccard(baselines.sample(a, one_in=8), baselines.sample(b, one_in=8))
    assert sampled == pytest.approx(truth, abs=0.07)


def test_the_bitmap_never_forgets_and_seldom_errs() -> None:
    held = baselines.Bitmap.sized(2000, false_positive=0.01)
    held.add(f"text {number}" for number in range(2000))
    assert all(f"text {number}" in held for number in range(2000))
    wrong = sum(f"other {number}" in held for number in range(10_000)) / 10_000
    assert wrong == pytest.approx(
        (1 - math.exp(-held.functions * 2000 / held.bits)) ** held.functions, abs=0.005
    )
    assert held.bits < 2000 * 10


def test_hyperplanes_obey_the_angle_within_three_sigma() -> None:
    bits = 20_000
    for cosine in (0.0, 0.5, 0.9, 0.99):
        other = np.sqrt(1 - cosine**2)
        a, b = baselines.plane_signs(np.array([[1.0, 0.0], [cosine, other]]), bits=bits, seed=4)
        mean, deviation = baselines.expected_distance(cosine, bits)
        assert abs(int((a != b).sum()) - mean) < 3 * deviation


TOY = [[0, 1], [1, 2, 3], [0, 3, 4], [3, 4]]


def test_the_toy_matrix_has_the_known_signatures() -> None:
    found = baselines.signature_matrix(TOY, [lambda x: (x + 1) % 5, lambda x: (2 * x + 1) % 5])
    assert found.tolist() == [[1, 2, 0, 0], [1, 0, 1, 2]]
    pairs = [(0, 1, 0.0), (0, 2, 0.5), (0, 3, 0.0), (1, 2, 0.0), (1, 3, 0.0), (2, 3, 0.5)]
    for a, b, estimate in pairs:
        assert metadata.minhash_estimate(found[:, a], found[:, b]) == estimate


def test_bands_find_what_agrees_in_one_of_them() -> None:
    functions, bands = baselines.TEXTREUSE
    assert baselines.band_threshold(functions, bands) == pytest.approx(0.232, abs=5e-4)
    rows = np.array([[1, 2, 3, 4], [1, 2, 9, 9], [7, 7, 9, 9], [0, 0, 0, 0]], np.uint64)
    found = baselines.band_pairs(rows, bands=2)
    assert list(zip(found.left.tolist(), found.right.tolist(), strict=True)) == [(0, 1), (1, 2)]
    with pytest.raises(ValueError, match="bands"):
        baselines.band_pairs(rows, bands=3)
    empty, _ = metadata.signatures([np.zeros(0, np.uint64), np.arange(9, dtype=np.uint64)])
    assert len(baselines.band_pairs(np.array([empty, empty]), bands=32)) == 0
