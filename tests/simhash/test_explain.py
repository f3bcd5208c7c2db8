"""Explanations add up: votes to sums, sums to bits, contributions to the cosine."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import as_words, features_of

from simhash_core.result import BitExplanation
from simhash_core.simhash.explain import explain, shared_terms, voters
from simhash_core.simhash.fingerprint import fingerprint, to_bits
from simhash_core.simhash.hashes import token_hashes

WORKED = json.loads(
    (Path(__file__).parents[1] / "vectors" / "worked_examples.json").read_text("utf-8")
)
WEIGHTS = st.dictionaries(st.text("字词句abc", min_size=1), st.integers(0, 10**7), max_size=25)


def explained(weights: dict[str, int], bits: int = 128) -> BitExplanation:
    """Explain one document given by its weights."""
    values = np.array(list(weights.values()), dtype=np.int64)
    counts = np.ones(len(weights), dtype=np.int32)
    hashes = token_hashes(list(weights), bits=bits)
    return explain(list(weights), counts, values, hashes, bits=bits)


@pytest.mark.parametrize("case", WORKED["votes"], ids=lambda case: case["signature"])
def test_sums_give_the_worked_examples(case: dict) -> None:
    size = len(case["hashes"])
    tokens = [str(row) for row in range(size)]
    hashes = as_words([int(text, 2) for text in case["hashes"]], 8)
    weights = np.array(case["weights"], dtype=np.int64)
    result = explain(tokens, np.ones(size, np.int32), weights, hashes, bits=8)
    assert result.sums[-len(case["sums"]) :].tolist() == case["sums"]


@given(WEIGHTS, st.sampled_from([8, 64, 256]))
def test_parts_add_up_to_the_fingerprint(weights: dict[str, int], bits: int) -> None:
    result = explained(weights, bits)
    features = features_of([list(weights)])
    values = np.array([weights[token] for token in features.vocabulary], dtype=np.int64)
    hashes = token_hashes(features.vocabulary, bits=bits)
    prints = fingerprint(features, values, hashes, bits=bits, recipe="r")
    assert np.array_equal(result.votes.sum(axis=0), result.sums)
    assert np.array_equal(result.sums > 0, result.bits)
    assert np.array_equal(result.bits, to_bits(prints.words[0], bits))
    assert np.array_equal(np.abs(result.votes), np.repeat(result.weights[:, None], bits, axis=1))


@given(WEIGHTS)
def test_words_come_heaviest_first_and_none_without_weight(weights: dict[str, int]) -> None:
    result = explained(weights)
    assert set(result.tokens) == {token for token, weight in weights.items() if weight}
    assert (np.diff(result.weights) <= 0).all()
    assert [weights[token] for token in result.tokens] == result.weights.tolist()
    assert (result.margin >= 0).all()
    assert (result.margin <= 1).all()


@given(WEIGHTS.filter(any), st.integers(0, 127))
def test_voters_stand_on_the_side_their_hash_says(weights: dict[str, int], bit: int) -> None:
    result = explained(weights)
    for_one, for_zero = voters(result, bit, top=len(weights))
    assert sum(w for _, w in for_one) - sum(w for _, w in for_zero) == result.sums[bit]
    for side, value in ((for_one, True), (for_zero, False)):
        for token, _ in side:
            assert to_bits(token_hashes([token], bits=128)[0], 128)[bit] == value


def test_voters_are_cut_to_the_heaviest() -> None:
    result = explained({f"w{row}": row + 1 for row in range(200)})
    for_one, for_zero = voters(result, 0, top=3)
    assert len(for_one) == len(for_zero) == 3
    assert {"w199", "w198"} & {token for token, _ in for_one + for_zero}


@given(WEIGHTS, WEIGHTS)
def test_contributions_add_up_to_the_cosine(a: dict[str, int], b: dict[str, int]) -> None:
    terms = shared_terms(explained(a), explained(b))
    words = sorted(a.keys() | b.keys())
    left, right = (np.array([side.get(word, 0) for word in words], float) for side in (a, b))
    norm = np.linalg.norm(left) * np.linalg.norm(right)
    assert terms.cosine == pytest.approx(left @ right / norm if norm else 0.0, abs=1e-9)
    assert terms.contributions.sum() == pytest.approx(terms.cosine, abs=1e-9)
    assert set(terms.tokens) == {word for word in words if a.get(word) and b.get(word)}
    assert (np.diff(terms.contributions) <= 0).all()


def test_a_text_is_at_cosine_1_from_itself_and_0_from_nothing() -> None:
    text, empty = explained({"雷同": 5, "巧合": 3}), explained({})
    assert shared_terms(text, text).cosine == pytest.approx(1.0)
    assert shared_terms(text, empty).cosine == 0.0
    assert not empty.bits.any()
