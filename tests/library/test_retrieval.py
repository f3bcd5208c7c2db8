"""Archive texts found for new ones, against a search through everything at once."""

from itertools import pairwise

import numpy as np
import pytest
from oracles.tokenizing import tokenize, winnow

from simhash_core.library import retrieval
from simhash_core.library.retrieval import CERTAIN, Hits, NewTexts, _affordable, _by_words, retrieve
from simhash_core.library.segments import Archive, Segment
from simhash_core.passages.blocks import RULES, BlockPostings
from simhash_core.passages.candidates import find_sharing
from simhash_core.passages.rare_words import join
from simhash_core.passages.tokenized import words_of
from simhash_core.text.normalize import normalize
from tests.prose import chinese, english, replaced

BITS = 128


def silent(stage, done, total):
    pass


def in_pairs(text):
    """Cut Han into words of two characters."""
    return [
        word
        for run in text.split(" ")
        for word in [*(run[i : i + 2] for i in range(0, len(run), 2)), " "]
    ]


def tokens_of(text):
    return tokenize(normalize(text), text, segment=in_pairs)


def new_texts(texts):
    tokenized = [tokens_of(text) for text in texts]
    words = np.array([fingerprint_of(text) for text in texts], np.uint64).reshape(-1, BITS // 64)
    return NewTexts(tokenized, [winnow(one) for one in tokenized], words, np.ones(len(texts), bool))


def fingerprint_of(text):
    return np.random.default_rng(len(text)).integers(0, 2**63, BITS // 64, dtype=np.uint64)


def segment_of(texts, first):
    new = new_texts(texts)
    keys = np.arange(first, first + len(texts)) * 3
    return Segment.of(keys, new.texts, new.winnowed, new.words, new.valid)


def archive_of(texts, cuts=(), merged=False, without=()):
    bounds = [0, *cuts, len(texts)]
    segments = [segment_of(texts[low:high], low) for low, high in pairwise(bounds)]
    if merged:
        for one in segments[1:]:
            segments[0] = segments[0].merged(one)
        del segments[1:]
    keys = np.array([3 * row for row in range(len(texts)) if row not in without], np.int64)
    return Archive(segments, keys)


def collection():
    """English and Chinese texts; some of the first are in the last, reworded."""
    en = [english(seed, 260) for seed in range(12)]
    zh = [chinese(seed, 500) for seed in range(12)]
    new = [replaced(en[3], 0.3, 1), replaced(zh[4], 0.2, 2, han=True), english(90, 300), zh[7]]
    return new, [*en, *zh]


def rows_by_words(new, stored, unit):
    """Scores by `join` in a collection of both, of the pairs across."""
    everything = [tokens_of(text) for text in (*new, *stored)]
    language = unit[:2]
    rows = [row for row, text in enumerate(everything) if text.language == language]
    texts = [everything[row] for row in rows]
    if unit == "zh_words":
        texts = [words_of(text)[0] for text in texts]
    queries = sum(row < len(new) for row in rows)
    scores, _ = join(
        texts, rule=RULES[unit], queries=queries, budget=1e12, everything=True, step=silent
    )
    pairs = np.array(rows)[scores.pairs]
    floor = RULES[unit].floor(BlockPostings.of(texts, RULES[unit].width).compared(queries))
    return {
        (a, b - len(new)): score + floor
        for (a, b), score in zip(pairs.tolist(), scores.above.tolist(), strict=True)
        if b >= len(new)
    }


@pytest.mark.parametrize("unit", RULES)
@pytest.mark.parametrize(("cuts", "merged"), [((), False), ((5, 9, 20), False), ((5, 9), True)])
def test_rare_words_score_as_in_one_collection(unit, cuts, merged, monkeypatch):
    new, stored = collection()
    archive = archive_of(stored, cuts, merged)
    monkeypatch.setitem(RULES, unit, _without_floor(RULES[unit]))

    hits, weights, _ = _by_words(new_texts(new), archive, unit, 1e12, silent)

    expected = rows_by_words(new, stored, unit)
    pairs = zip(hits.query.tolist(), hits.row.tolist(), strict=True)
    assert dict(zip(pairs, (hits.score + 1).tolist(), strict=True)) == expected
    assert weights.features == 0
    assert expected


def _without_floor(rule):
    return type(rule)(width=rule.width, margin=rule.margin, scale=0.0, extra=0.001)


def test_reworded_equal_and_near_texts_are_found_where_they_are_admitted() -> None:
    new, stored = collection()
    archive = archive_of(stored, (7,))
    found = retrieve(
        new_texts(new), archive, share=0.05, bits=BITS, within=0, widest=30, step=silent
    )
    pairs = set(zip(found.query.tolist(), (found.key // 3).tolist(), strict=True))
    assert {(0, 3), (1, 16), (3, 19)} <= pairs
    assert found.guarantees[0].params["texts"] == 24
    assert found.compared == {"en": 24, "zh": 24}
    assert found.distances.total == 4 * 24

    archive = archive_of(stored, (7,), without={3, 19})
    found = retrieve(
        new_texts(new), archive, share=0.05, bits=BITS, within=0, widest=30, step=silent
    )
    assert not {9, 57} & set(found.key.tolist())
    assert found.guarantees[0].params["texts"] == 22

    found = retrieve(
        new_texts(new), Archive([], np.zeros(0, np.int64)),
        share=0.05, bits=BITS, within=3, widest=9, step=silent,
    )  # fmt: skip

    assert not len(found.query)
    assert found.guarantees[0].params["texts"] == 0


def test_shared_hashes_are_those_of_one_collection():
    new, stored = collection()
    archive = archive_of(stored, (7, 8))
    everything = [winnow(tokens_of(text)) for text in (*new, *stored)]
    expected, *_ = find_sharing(everything, queries=len(new), share=0.01)

    found = retrieve(
        new_texts(new), archive, share=0.01, bits=BITS, within=0, widest=0, step=silent
    )

    across = {(a, b - len(new)) for a, b in expected.tolist() if b >= len(new)}
    assert across <= set(zip(found.query.tolist(), (found.key // 3).tolist(), strict=True))


def test_merged_and_shortened_segments_are_those_made_afresh():
    _, stored = collection()
    fresh = segment_of(stored, 0)
    merged = segment_of(stored[:5], 0).merged(segment_of(stored[5:], 5))
    stays = np.arange(len(stored)) % 3 > 0

    for name, array in fresh.to_arrays().items():
        np.testing.assert_array_equal(merged.to_arrays()[name], array, name)
        assert merged.to_arrays()[name].dtype == array.dtype, name
    shortened = fresh.only(stays).to_arrays()
    kept = new_texts([text for text, one in zip(stored, stays, strict=True) if one])
    afresh = Segment.of(fresh.key[stays], kept.texts, kept.winnowed, kept.words, kept.valid)
    for name, array in afresh.to_arrays().items():
        if not name.endswith(".count"):
            np.testing.assert_array_equal(shortened[name], array, name)


def test_what_few_leave_is_spent_on_many_and_equal_texts_are_always_aligned(monkeypatch) -> None:
    monkeypatch.setattr(retrieval, "ARCHIVE_PAIRS", 3)
    monkeypatch.setattr(retrieval, "ARCHIVE_PAIRS_ALONE", 4)
    query = np.array([0, 1, 1, 1, 1, 1, 1, 1])
    score = np.array([1, 9, 8, 7, 6, 5, 4, CERTAIN])
    hits = Hits.of([Hits(query, np.arange(8), score)])
    listed, most = _affordable(hits, 2)
    alone, fewest = _affordable(hits, 1)
    assert most == 5 and listed.tolist() == [True] * 6 + [False] * 2
    assert fewest == 3 and alone.tolist() == [True] * 4 + [False] * 4
    assert _affordable(hits, 3)[0].all()

    monkeypatch.setattr(retrieval, "ARCHIVE_PAIRS", 2)
    monkeypatch.setattr(retrieval, "ARCHIVE_PAIRS_ALONE", 2)
    score = np.array([CERTAIN] * 5 + [9, 8])
    hits = Hits.of([Hits(np.zeros(7, np.int64), np.arange(7), score)])
    assert _affordable(hits, 1)[0].tolist() == [True] * 5 + [False] * 2


def test_many_pairs_of_one_way_do_not_displace_those_of_another():
    rows = np.arange(1000)
    hashes = Hits(np.zeros(1000, np.int64), rows, 10**13 + rows)
    words = Hits(np.zeros(3, np.int64), np.array([5, 2000, 2001]), np.array([900, 700, 800]))
    certain = Hits(np.zeros(1, np.int64), np.array([3000]), np.array([CERTAIN]))
    joined = Hits.in_turn([words, hashes, certain])

    assert joined.row[:6].tolist() == [3000, 5, 999, 998, 2001, 997]
    assert len(joined.row) == 1003
