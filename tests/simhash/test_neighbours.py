"""Groups of identical fingerprints written out as pairs."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.model import Pairs
from simhash_core.simhash.neighbours import expand


def _representatives(words: list[int], k: int) -> tuple[np.ndarray, Pairs]:
    """Group equal words and pair the first rows of different groups within k."""
    group = np.array([words.index(word) for word in words], np.int64)
    firsts = sorted(set(group.tolist()))
    found = [
        (a, b, (words[a] ^ words[b]).bit_count())
        for i, a in enumerate(firsts)
        for b in firsts[i + 1 :]
        if (words[a] ^ words[b]).bit_count() <= k
    ]
    columns = np.array(found, np.int64).reshape(-1, 3).T
    return group, Pairs(columns[0], columns[1], columns[2].astype(np.uint16))


@given(st.lists(st.integers(0, 15), max_size=20), st.integers(0, 4))
def test_expand_gives_every_pair_of_rows_once(words: list[int], k: int) -> None:
    group, pairs = _representatives(words, k)

    expanded, complete = expand(group, pairs, limit=1_000)

    expected = [
        (a, b, (words[a] ^ words[b]).bit_count())
        for a in range(len(words))
        for b in range(a + 1, len(words))
        if (words[a] ^ words[b]).bit_count() <= k
    ]
    got = zip(expanded.left, expanded.right, expanded.distance, strict=True)
    assert complete
    assert [tuple(map(int, row)) for row in got] == expected


def test_expand_links_members_to_their_first_row_beyond_the_limit() -> None:
    group = np.zeros(100, np.int64)
    none = Pairs(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.uint16))

    expanded, complete = expand(group, none, limit=1_000)

    assert not complete
    assert expanded.left.tolist() == [0] * 99
    assert expanded.right.tolist() == list(range(1, 100))
