"""Postings and their join against counting every pair of blocks."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.passages.blocks import NAT, BlockPostings, Weights, forward_index, weigh_features
from simhash_core.passages.rare_words import join_blocks

TEXTS = st.lists(st.lists(st.integers(-3, 9), max_size=14), max_size=7)
WIDTH = 3


class Text:
    """As much of a text as postings read."""

    def __init__(self, features):
        self.feature = np.array(features, np.int32)

    def __len__(self):
        return len(self.feature)


def indexed(texts, width=WIDTH):
    return BlockPostings.of([Text(text) for text in texts], width)


def blocks_of(text, width=WIDTH):
    return [set(text[i : i + width]) for i in range(0, len(text), width)]


def score(a, b, weight):
    """The largest sum over two neighbouring blocks of either text, by trying all."""
    sums = [[sum(weight[t] for t in p & q) for q in blocks_of(b)] for p in blocks_of(a)]
    table = np.zeros((len(blocks_of(a)) + 1, len(blocks_of(b)) + 1), int)
    table[:-1, :-1] = np.array(sums).reshape(len(blocks_of(a)), len(blocks_of(b)))
    return max(
        (int(table[i : i + 2, j : j + 2].sum()) for i, j in np.ndindex(table.shape)), default=0
    )


def joined(postings, weight, rows, floor):
    kept, forward, features, indptr, block = forward_index(postings, weight)
    ahead = indptr[:-1].copy()
    documents = postings.documents.astype(np.int32)
    return np.concatenate(
        [
            join_blocks(
                forward, features, kept, indptr[1:], block, documents,
                postings.first_block, postings.first_block[1:], (row, row + 1), floor, ahead,
            )
            for row in range(*rows)
        ]
        or [np.empty((0, 3), np.int64)]
    )  # fmt: skip


@given(texts=TEXTS, data=st.data())
def test_join_returns_what_trying_all_blocks_returns(texts, data):
    postings = indexed(texts)
    drawn = st.lists(
        st.integers(0, 9), min_size=len(postings.feature), max_size=len(postings.feature)
    )
    weight = np.array(data.draw(drawn), np.int32)
    queries = data.draw(st.integers(0, len(texts)))
    floor = data.draw(st.integers(1, 12))
    worth = dict(zip(postings.feature.tolist(), weight.tolist(), strict=True))

    pairs = joined(postings, weight, (0, queries), floor)

    expected = {
        (i, j): score(texts[i], texts[j], worth)
        for i in range(queries)
        for j in range(i + 1, len(texts))
    }
    assert {(i, j): s for i, j, s in pairs.tolist()} == {
        pair: s for pair, s in expected.items() if s >= floor
    }
    assert len(pairs) == len({(i, j) for i, j, _ in pairs.tolist()})


@given(texts=TEXTS)
def test_postings_list_every_block_of_every_feature_once(texts):
    postings = indexed(texts)

    blocks = [block for text in texts for block in blocks_of(text)]
    held = {t: [i for i, block in enumerate(blocks) if t in block] for text in texts for t in text}
    spans = zip(postings.indptr, postings.indptr[1:], strict=False)
    assert {
        t: postings.block[i:j].tolist()
        for t, (i, j) in zip(postings.feature.tolist(), spans, strict=True)
    } == held
    assert dict(zip(postings.feature.tolist(), postings.count.tolist(), strict=True)) == Counter(
        t for text in texts for t in text
    )
    assert postings.documents.tolist() == [
        row for row, text in enumerate(texts) for _ in blocks_of(text)
    ]


@given(first=TEXTS, second=TEXTS)
def test_merged_postings_are_those_of_both_collections(first, second):
    merged, together = indexed(first).merged(indexed(second)), indexed([*first, *second])

    for name in ("feature", "count", "indptr", "block", "first_block"):
        np.testing.assert_array_equal(getattr(merged, name), getattr(together, name), name)
        assert getattr(merged, name).dtype == getattr(together, name).dtype


def test_different_blocks_are_not_merged_and_nothing_gives_nothing() -> None:
    with pytest.raises(ValueError, match="width"):
        indexed([[1]]).merged(indexed([[1]], width=4))
    postings = indexed([])
    assert len(postings) == postings.blocks == 0
    assert isinstance(weigh_features(postings, margin=2.0, queries=0, budget=1.0), Weights)
    assert postings.compared(0) == 0.0


def test_no_more_than_all_tokens_are_left_out():
    texts = [[0, 0, 0, 1, 1, -1, 2, 2], [0, 0, 1, -1, 2]]
    weights = weigh_features(indexed(texts), margin=-3.0, queries=1, budget=0.0)

    assert weights.features == 4 and weights.share == 1.0  # the terms add up to 1 + 2e-16


@given(texts=TEXTS, data=st.data())
def test_weights_follow_the_formula_and_the_budget(texts, data):
    postings = indexed(texts)
    queries = data.draw(st.integers(0, len(texts)))
    budget = data.draw(st.sampled_from([0.0, 3.0, 1e9]))

    weights = weigh_features(postings, margin=-3.0, queries=queries, budget=budget)

    tokens = [t for text in texts for t in text]
    visits = 0
    for t, weight in zip(postings.feature.tolist(), weights.weight.tolist(), strict=True):
        nats = math.log(len(tokens) / tokens.count(t)) - math.log(2 * WIDTH) + 3.0
        shared = sum(t in text for text in texts) > 1
        stands = [sum(t in block for block in blocks_of(text)) for text in texts]
        if not weights.features or sum(stands) <= weights.most:
            assert weight == (round(NAT * max(0.0, nats)) if shared else 0)
        else:
            assert weight == 0
        if weight:
            visits += sum(stands[i] * sum(stands[i + 1 :]) for i in range(queries))
    assert visits <= budget or not weights.weight.any()
    assert 0.0 <= weights.share <= 1.0


@given(texts=TEXTS, data=st.data())
def test_postings_of_some_documents_are_theirs(texts, data):
    stays = np.array(data.draw(st.lists(st.booleans(), min_size=len(texts), max_size=len(texts))))
    some, afresh = (
        indexed(texts).only(stays.astype(bool)),
        indexed([text for text, one in zip(texts, stays.tolist(), strict=True) if one]),
    )

    for name in ("feature", "indptr", "block", "first_block"):
        np.testing.assert_array_equal(getattr(some, name), getattr(afresh, name), name)
        assert getattr(some, name).dtype == getattr(afresh, name).dtype
    assert (some.count >= np.diff(some.indptr)).all()
