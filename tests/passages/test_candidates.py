"""Candidates against counting every pair."""

from itertools import combinations
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.tokenizing import winnow
from plain import view_of
from prose import chinese, english

from simhash_core.passages import candidates as module
from simhash_core.passages.candidates import candidates, find_sharing, limit_holders
from simhash_core.passages.winnow import Winnowed
from simhash_core.policy import NEARLY_WHOLE, WITNESSES

SETS = st.lists(st.sets(st.integers(1, 40), max_size=12), min_size=1, max_size=14)


def made(values):
    array = np.array(sorted(values), np.uint64)
    place = np.zeros(len(array), np.int32)
    return Winnowed(array, place, place)


def silent(stage, done, total):
    pass


def chosen(texts, queries=None):
    tokenized = [view_of(text) for text in texts]
    seen = [winnow(view) for view in tokenized]
    return candidates(tokenized, seen, queries=queries or len(texts), share=0.05, step=silent)


def facts(result):
    return {fact.code: dict(fact.params) for fact in result.guarantees}


def pairs_of(result):
    return set(map(tuple, result.pairs.tolist()))


def worth_aligning(sets, i, j, queries, share, limits):
    """Say by plain counting whether two of some sets share enough."""
    many, followed = limits
    holders = {p: [row for row, one in enumerate(sets) if p in one] for p in sets[i] | sets[j]}
    both = sets[i] & sets[j]
    common = {p for p in both if len(holders[p]) > many}
    witnesses = {
        p: {i, j} & set((new := [row for row in holders[p] if row < queries])[:WITNESSES])
        or {j} & set(holders[p][len(new) : len(new) + WITNESSES])
        for p in common
    }
    both = {p for p in both if len(holders[p]) <= followed or witnesses[p]}
    smaller = min(len(sets[i]), len(sets[j]))
    enough = share * smaller
    own = len(both - common) >= enough or len(both) >= NEARLY_WHOLE * smaller
    return bool(both) and len(both) >= enough and (own or any(witnesses.values()))


@given(SETS, st.sampled_from([0.05, 0.3, 1.0]), st.sampled_from([2, 4, 50]), st.data())
def test_sharing_returns_what_counting_every_pair_returns(sets, share, many, data):
    queries = data.draw(st.integers(0, len(sets)))
    budget = data.draw(st.sampled_from([8.0, 1e9]))

    with mock.patch.object(module, "MANY_HOLDERS", many):
        pairs, fact = find_sharing(
            [made(s) for s in sets], queries=queries, share=share, budget=budget
        )
        held = sorted(sum(p in s for s in sets) for p in set().union(*sets))
        limits = limit_holders(len(sets), *np.unique(held, return_counts=True), budget=budget)

    assert sum(n * n for n in held if n <= limits[1]) <= 2 * budget
    assert limits[1] >= max(held, default=0) or sum(n * n for n in held) > 2 * budget
    assert limits[0] == min(many, limits[1])
    common = sum(n > limits[0] for n in held)
    assert [dict(one.params) for one in fact] == [{"n": common, "most": limits[0]}] * bool(common)
    assert [tuple(pair) for pair in pairs.tolist()] == [
        (i, j)
        for i, j in combinations(range(len(sets)), 2)
        if i < queries and worth_aligning(sets, i, j, queries, share, limits)
    ]


def test_all_pairs_of_a_small_batch_are_candidates_but_those_of_references() -> None:
    texts = [english(n, 60) for n in range(5)] + [chinese(n, 60) for n in range(3)]
    result = chosen(texts)
    assert pairs_of(result) == set(combinations(range(8), 2))
    assert facts(result) == {"passages_all": {"n": 28}}
    result = chosen([english(n, 60) for n in range(6)], queries=2)
    assert pairs_of(result) == {(i, j) for i in range(2) for j in range(i + 1, 6)}


@pytest.fixture
def nothing_affordable(monkeypatch):
    monkeypatch.setattr(module, "AFFORDABLE_TOKENS", -1.0)


def test_a_copied_paragraph_is_a_candidate_where_some_have_it(nothing_affordable):
    paragraph = english(99, 120)
    texts = [
        english(n, 300) + "\n\n" + paragraph + "\n\n" + english(100 + n, 300) for n in range(12)
    ] + [english(200 + n, 600) for n in range(12)]

    result = chosen(texts)

    assert set(combinations(range(12), 2)) <= pairs_of(result)


def test_shuffled_words_are_a_candidate_though_no_print_is_shared(nothing_affordable):
    words = english(99, 150).split()
    texts = [english(n, 400) for n in range(24)]
    texts[3] += " " + " ".join(words)
    texts[17] += " " + " ".join(sorted(words))

    result = chosen(texts)

    assert (3, 17) in pairs_of(result)
    assert "passages_rare" in facts(result)


def test_what_can_be_afforded_is_taken_best_first(monkeypatch):
    texts = [english(n, 200) for n in range(12)]
    everything = pairs_of(chosen(texts))
    monkeypatch.setattr(module, "AFFORDABLE_TOKENS", 4000.0)

    result = chosen(texts)

    counts = facts(result)["passages_rare"]
    assert pairs_of(result) < everything
    assert counts["pairs"] == len(result)
    assert counts["possible"] == len(everything)
    assert 0 < counts["next"] <= 10


def test_languages_are_joined_apart_and_the_result_says_so(nothing_affordable):
    texts = [english(n, 200) for n in range(6)] + [chinese(n, 300) for n in range(6)]
    texts[1] += english(50, 100)
    texts[4] += english(50, 100)
    texts[7] += chinese(50, 200)
    texts[9] += chinese(50, 200)

    result = chosen(texts)

    assert {(1, 4), (7, 9)} <= pairs_of(result)
    assert "passages_languages" in facts(result)


def test_words_beyond_the_budget_are_left_out_and_told(nothing_affordable, monkeypatch):
    monkeypatch.setattr(module, "SEARCH_BUDGET", 1500.0)
    paragraph = " ".join(f"word{n}" for n in range(60))  # in all twelve
    aside = " ".join(f"aside{n}" for n in range(60))  # in two
    texts = [english(n, 600) + " " + paragraph + " " for n in range(12)]
    texts = [text + aside if n < 2 else text for n, text in enumerate(texts)]

    result = chosen(texts)

    assert (0, 1) in pairs_of(result)
    left_out = facts(result)["words_left_out_en"]
    assert left_out["n"] > 0
    assert 0 < left_out["share"] < 1
    assert facts(result)["held_by_many"]["n"] > 0


def test_progress_covers_both_languages_once(nothing_affordable):
    texts = [english(n, 60) for n in range(6)] + [chinese(n, 60) for n in range(4)]
    views = [view_of(text) for text in texts]
    steps = []

    candidates(
        views,
        [winnow(view) for view in views],
        queries=8,
        share=0.05,
        step=lambda stage, done, total: steps.append((stage, done, total)),
    )

    own = [(done, total) for stage, done, total in steps if stage == "candidates"]
    assert own[0] == (0, 8)
    assert own[-1] == (8, 8)
    assert own == sorted(own)


def test_nothing_gives_nothing():
    assert len(chosen([])) == 0
    assert len(chosen(["", "", ""])) == 3  # cheap enough to align them all


def test_empty_texts_share_nothing(nothing_affordable):
    assert len(chosen(["", "", ""])) == 0
