"""Candidates against counting every pair."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from plain import view_of
from prose import chinese

from simhash_core.passages import candidates
from simhash_core.passages.winnow import Prints, prints

SETS = st.lists(st.sets(st.integers(1, 40), max_size=12), min_size=1, max_size=14)


def made(values):
    array = np.array(sorted(values), np.uint64)
    place = np.zeros(len(array), np.int32)
    return Prints(array, place, place)


@given(SETS, st.integers(1, 3), st.integers(1, 6))
def test_within_returns_what_counting_every_pair_returns(sets, least, cap):
    documents = {p: sum(p in s for s in sets) for s in sets for p in s}
    expected = {}
    for i, j in combinations(range(len(sets)), 2):
        shared = sets[i] & sets[j]
        rare = sum(documents[p] <= cap for p in shared)
        if shared and (rare >= least or len(shared) >= 0.25 * min(len(sets[i]), len(sets[j]))):
            expected[i, j] = rare

    found = candidates.within([made(s) for s in sets], least=least, cap=cap)

    pairs = zip(found.left.tolist(), found.right.tolist(), strict=True)
    assert dict(zip(pairs, found.shared.tolist(), strict=True)) == expected
    assert found.common.tolist() == sorted(p for p, n in documents.items() if n > cap)


@given(SETS, SETS)
def test_against_equals_within_of_both_collections(batch, collection):
    index = candidates.PrintIndex.of([made(s) for s in collection])

    found = candidates.against([made(s) for s in batch], index, cap=99)

    expected = {
        (i, j) for i, a in enumerate(batch) for j, b in enumerate(collection) if set(a) & set(b)
    }
    assert set(zip(found.left.tolist(), found.right.tolist(), strict=True)) == expected


def test_a_phrase_of_everybody_makes_no_pair_but_is_returned():
    phrase = "根据国家有关法律法规的规定结合本市实际制定本条例"
    texts = [phrase + chinese(i, 120) for i in range(20)]

    # where the phrase ends, the neighbours decide which gram is kept: one rare print may be left
    found = candidates.within([prints(view_of(text)) for text in texts], least=2)

    assert len(found) == 0
    assert (found.common_documents == 20).sum() >= 2


def test_copies_of_one_text_are_candidates_however_many():
    texts = [prints(view_of("".join(chr(0x4E00 + 17 * j) for j in range(200))))] * 12

    assert len(candidates.within(texts)) == 66


def test_nothing_gives_nothing():
    assert len(candidates.within([])) == 0
    assert len(candidates.within([prints(view_of(""))] * 3)) == 0
