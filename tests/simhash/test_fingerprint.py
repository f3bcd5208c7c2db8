"""Fingerprints: known answers, the bits of a textbook, and the laws."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import as_int, as_words, features_of, simhash

from simhash_core.errors import RecipeMismatch
from simhash_core.model import Features, Fingerprints
from simhash_core.simhash.fingerprint import (
    LOOPS,
    cosine_interval,
    fingerprint,
    hamming,
    require_same,
    to_bits,
    to_hex,
)
from simhash_core.simhash.hashes import token_hashes

VECTORS = Path(__file__).parents[1] / "vectors"
PROFILE = json.loads((VECTORS / "background_profile.json").read_text("utf-8"))
WORKED = json.loads((VECTORS / "worked_examples.json").read_text("utf-8"))
OTHERS = json.loads((VECTORS / "other_programs.json").read_text("utf-8"))

LONG = st.sampled_from([64, 128, 192])
WIDTHS = st.sampled_from([8, 16, 32, 64, 128, 192, 256])


def of_hashes(hashes: list[int], weights: list[int], bits: int) -> Fingerprints:
    """One document whose tokens have the given hashes."""
    size = len(hashes)
    features = Features(
        tuple(map(str, range(size))),
        np.array([0, size]),
        np.arange(size, dtype=np.int32),
        np.ones(size, dtype=np.int32),
        np.array([size]),
    )
    words = as_words(hashes, bits)
    return fingerprint(features, np.array(weights, np.int64), words, bits=bits, recipe="test")


def of_tokens(
    *documents: list[str], bits: int, algorithm: str = "xxh3", counted: bool = True
) -> Fingerprints:
    """Documents of tokens, each with its count as its weight, or with 1."""
    features = features_of(list(documents))
    weights = features.count.astype(np.int64) if counted else np.ones(len(features.token), np.int64)
    hashes = token_hashes(features.vocabulary, bits=bits, algorithm=algorithm)
    return fingerprint(features, weights, hashes, bits=bits, recipe="r")


@st.composite
def batches(draw: st.DrawFn) -> tuple[Features, np.ndarray, np.ndarray, int]:
    """Documents, weights and hashes of any shape: empty rows, zero weights, ties, huge weights."""
    bits = draw(WIDTHS)
    documents = draw(
        st.lists(st.lists(st.sampled_from("abcdefghijkl"), max_size=12), min_size=1, max_size=6)
    )
    features = features_of(documents)
    weight = st.one_of(st.integers(0, 3), st.integers(0, 1 << 40))
    nnz, size = len(features.token), len(features.vocabulary)
    weights = np.array(draw(st.lists(weight, min_size=nnz, max_size=nnz)), dtype=np.int64)
    value = st.integers(0, (1 << bits) - 1)
    hashes = as_words(draw(st.lists(value, min_size=size, max_size=size)), bits)
    return features, weights, hashes, bits


@pytest.mark.parametrize("case", PROFILE["signatures"], ids=lambda case: case["hex"][:8])
def test_fingerprint_gives_the_known_256_bits(case: dict) -> None:
    features = features_of([case["tokens"].split()])
    weights = np.array([case["weights"][token] for token in features.vocabulary])
    hashes = token_hashes(features.vocabulary, bits=256)
    prints = fingerprint(features, weights, hashes, bits=256, recipe="r")
    assert to_hex(prints, 0) == case["hex"]


@pytest.mark.parametrize("case", WORKED["votes"], ids=lambda case: case["signature"])
def test_fingerprint_gives_the_worked_examples(case: dict) -> None:
    prints = of_hashes([int(text, 2) for text in case["hashes"]], case["weights"], 8)
    assert f"{as_int(prints.words[0]):b}" == case["signature"]


@pytest.mark.parametrize("case", OTHERS["seomoz"]["cases"], ids=lambda case: case["signature"])
def test_fingerprint_agrees_with_seomoz(case: dict) -> None:
    hashes = [int(text, 16) for text in case["hashes"]]
    prints = of_hashes(hashes, [1] * len(hashes), 64)
    assert f"{as_int(prints.words[0]):x}" == case["signature"]


@pytest.mark.parametrize("case", OTHERS["1e0ng"]["cases"], ids=lambda case: str(case["value"]))
def test_fingerprint_agrees_with_1e0ng(case: dict) -> None:
    prints = of_tokens(case["tokens"], bits=64, algorithm="md5", counted=False)
    assert as_int(prints.words[0]) == case["value"]


@given(st.lists(st.text("字词句abc", min_size=1), min_size=1, max_size=40))
def test_fingerprint_agrees_with_the_installed_1e0ng(tokens: list[str]) -> None:
    peer = pytest.importorskip("simhash", reason="the peer of the benchmarks")
    prints = of_tokens(tokens, bits=64, algorithm="md5")
    assert as_int(prints.words[0]) == peer.Simhash(tokens).value


@given(batches())
def test_loop_and_textbook_give_the_same_bits(batch: tuple) -> None:
    features, weights, hashes, bits = batch
    words = np.zeros((len(features), hashes.shape[1]), dtype=np.uint64)
    valid = np.ones(len(features), dtype=np.bool_)
    LOOPS.vote(features.indptr, features.token, weights, hashes, *words.shape, words, valid)
    for row in range(len(features)):
        part = slice(features.indptr[row], features.indptr[row + 1])
        numbers = [as_int(hashes[token]) for token in features.token[part]]
        assert as_int(words[row]) == simhash(weights[part].tolist(), numbers, bits)
        assert valid[row] == (weights[part].sum() > 0)


def test_a_long_row_is_added_up_whole() -> None:
    rng = np.random.default_rng(5)
    size = (1 << 15) + 3
    token = rng.integers(0, 900, size).astype(np.int32)
    weights = rng.integers(0, 1_000_000, size)
    hashes = rng.integers(0, 1 << 63, (900, 2), dtype=np.uint64)
    words, valid = np.zeros((1, 2), dtype=np.uint64), np.zeros(1, dtype=np.bool_)
    LOOPS.vote(np.array([0, size]), token, weights, hashes, *words.shape, words, valid)
    weight_of = np.bincount(token, weights, 900).astype(np.int64).tolist()
    assert as_int(words[0]) == simhash(weight_of, [as_int(row) for row in hashes], 128)


@given(batches(), st.randoms(use_true_random=False))
def test_order_and_chunking_of_tokens_and_documents_change_nothing(batch: tuple, random) -> None:
    features, weights, hashes, bits = batch
    whole = fingerprint(features, weights, hashes, bits=bits, recipe="r")
    rows = list(range(len(features)))
    random.shuffle(rows)
    entries = [list(range(*features.indptr[row : row + 2])) for row in rows]
    for part in entries:
        random.shuffle(part)
    cut = random.randint(0, len(rows))
    for at in (slice(0, cut), slice(cut, len(rows))):  # and in two batches
        flat = np.array([entry for part in entries[at] for entry in part], dtype=np.int64)
        some = Features(
            features.vocabulary,
            np.cumsum([0, *map(len, entries[at])]),
            features.token[flat],
            features.count[flat],
            features.length[rows[at]],
        )
        moved = fingerprint(some, weights[flat], hashes, bits=bits, recipe="r")
        assert np.array_equal(moved.words, whole.words[rows[at]])
        assert np.array_equal(moved.valid, whole.valid[rows[at]])


@given(batches(), st.integers(1, 1000))
def test_scale_of_weights_changes_nothing(batch: tuple, factor: int) -> None:
    features, weights, hashes, bits = batch
    one = fingerprint(features, weights, hashes, bits=bits, recipe="r")
    many = fingerprint(features, weights * factor, hashes, bits=bits, recipe="r")
    assert np.array_equal(one.words, many.words)


@given(st.lists(st.text("字词句abc", min_size=1), min_size=1, max_size=30), LONG)
def test_short_signatures_are_prefixes_of_long_ones(tokens: list[str], bits: int) -> None:
    short, long = (of_tokens(tokens, bits=width) for width in (bits, 256))
    assert np.array_equal(short.words, long.prefix(bits).words)


def test_ties_vote_0_and_what_has_no_weight_or_does_not_fit_gives_nothing() -> None:
    assert of_hashes([0b11110000, 0b00111100], [5, 5], 8).words.tolist() == [[0b00110000]]

    features = features_of([[], ["a"], ["b"]])
    weights = np.array([0, 3])
    hashes = token_hashes(features.vocabulary, bits=128)
    prints = fingerprint(features, weights, hashes, bits=128, recipe="r")
    assert prints.valid.tolist() == [False, False, True]
    assert not prints.words[:2].any()
    assert to_hex(prints, 0) == ""
    assert len(to_hex(prints, 2)) == 32

    features = features_of([["a", "b"]])
    hashes = token_hashes(features.vocabulary, bits=64)
    with pytest.raises(ValueError, match="shape"):
        fingerprint(features, np.ones(2, np.int64), hashes, bits=128, recipe="r")
    with pytest.raises(ValueError, match="aligned"):
        fingerprint(features, np.ones(3, np.int64), hashes, bits=64, recipe="r")
    with pytest.raises(ValueError, match="negative"):
        fingerprint(features, np.array([1, -1]), hashes, bits=64, recipe="r")


@pytest.mark.parametrize("case", WORKED["distances"], ids=lambda case: case["source"])
def test_hamming_gives_the_worked_distances(case: dict) -> None:
    a, b = (as_words([int(case[side], 2)], 64) for side in "ab")
    assert hamming(a, b).tolist() == [case["distance"]]


def test_hamming_broadcasts_rows() -> None:
    rows = np.random.default_rng(1).integers(0, 1 << 63, (7, 4), dtype=np.uint64)
    every = hamming(rows[:, None], rows[None])
    assert every.dtype == np.uint16
    assert every.shape == (7, 7)
    assert every[2, 5] == (as_int(rows[2]) ^ as_int(rows[5])).bit_count()


def test_other_recipes_and_impossible_distances_are_refused() -> None:
    require_same("one", "one")
    with pytest.raises(RecipeMismatch):
        require_same("one", "two")
    with pytest.raises(ValueError):
        cosine_interval(65, 64)


@pytest.mark.parametrize(("bits", "distance", "estimate", "low", "high"), WORKED["cosine"]["rows"])
def test_cosine_interval_gives_the_worked_table(
    bits: int, distance: int, estimate: float, low: float, high: float
) -> None:
    assert cosine_interval(distance, bits) == pytest.approx((estimate, low, high), abs=0.00051)


@given(st.sampled_from([8, 64, 256]), st.data())
def test_cosine_interval_holds_its_estimate(bits: int, data: st.DataObject) -> None:
    distance = data.draw(st.integers(0, bits))
    estimate, low, high = cosine_interval(distance, bits)
    assert -1.0 <= low <= estimate + 1e-12
    assert estimate - 1e-12 <= high <= 1.0


@given(WIDTHS, st.data())
def test_bits_and_hex_read_from_the_left(bits: int, data: st.DataObject) -> None:
    value = data.draw(st.integers(0, (1 << bits) - 1))
    words = as_words([value], bits)
    text = "".join(str(int(bit)) for bit in to_bits(words, bits)[0])
    assert text == f"{value:0{bits}b}"
    assert to_hex(Fingerprints(words, np.array([True]), bits, "r"), 0) == f"{value:0{bits // 4}x}"


@pytest.mark.long
@pytest.mark.parametrize("shared", [41, 161, 301, 381])
def test_distance_follows_the_angle_within_three_sigma(shared: int) -> None:
    """E[HD] = f theta / pi for two texts of 401 equal words, `shared` of them common."""
    pairs, size, bits = 150, 401, 256
    documents = []
    for pair in range(pairs):
        common = [f"{pair}/{word}" for word in range(shared)]
        documents.append(common + [f"{pair}/a{word}" for word in range(size - shared)])
        documents.append(common + [f"{pair}/b{word}" for word in range(size - shared)])
    words = of_tokens(*documents, bits=bits).words
    measured = hamming(words[::2], words[1::2]).mean()
    differ = math.acos(shared / size) / math.pi
    sigma = math.sqrt(bits * differ * (1 - differ) / pairs)
    assert abs(measured - bits * differ) < 3 * sigma


@pytest.mark.parametrize("bits", [64, 128, 256])
def test_near_sentences_are_nearer_than_unrelated_ones(bits: int) -> None:
    texts = ["the cat sat on the mat", "the cat sat on a mat", "we all scream for ice cream"]
    pairs = ([text[i : i + 2] for i in range(len(text) - 1)] for text in texts)
    near, like, other = of_tokens(*pairs, bits=bits).words
    assert hamming(near, like) < min(hamming(near, other), hamming(like, other))
