"""Pairs that share nothing but a phrase of several texts: listed last, folded on screens."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core import check
from simhash_core.model import Document
from simhash_core.result import VariantGroups, _in_groups, listed_rows, stock_phrases
from tests.prose import english

PHRASE = "As our teacher said at the start of the term, every harbour keeps a ledger of its storms."


def class_of(shared: str, holders: int = 4) -> list[Document]:
    """Six essays: a passage of 90 words goes from one to another, `shared` into some of them."""
    texts = [english(row, 260) for row in range(6)]
    copied = english(50, 90)
    for row in range(2):
        texts[row] += "\n\n" + copied
    for row in range(2, 2 + holders):
        texts[row] += "\n\n" + shared
    return [Document.from_text(text, name=f"{row}.txt") for row, text in enumerate(texts)]


def names(result, rows) -> list[tuple[int, int]]:
    pairs = result.table.pairs
    return [(int(pairs.left[row]), int(pairs.right[row])) for row in rows]


def test_a_short_phrase_of_four_texts_stands_behind_what_two_share() -> None:
    result = check(class_of(PHRASE))
    listed, stock = listed_rows(result), stock_phrases(result)

    assert names(result, listed)[0] == (0, 1)
    assert len(listed) == 7
    assert stock[listed].tolist() == [False] + [True] * 6


def test_a_short_phrase_of_two_texts_is_a_pair_like_any_other() -> None:
    result = check(class_of(PHRASE, holders=2))

    assert not stock_phrases(result).any()


def test_a_long_passage_of_four_texts_is_no_phrase() -> None:
    result = check(class_of(english(60, 60)))

    assert not stock_phrases(result).any()
    assert len(listed_rows(result)) == 7


STRETCH = st.tuples(st.integers(0, 3), st.integers(0, 40), st.integers(0, 20))


@pytest.mark.long
@given(st.lists(STRETCH, max_size=12), STRETCH)
def test_what_lies_in_groups_is_counted_once(groups, asked) -> None:
    columns = np.array(groups, np.int64).reshape(-1, 3)
    document, start, size = columns.T
    made = VariantGroups(
        np.array([0, len(groups)]), document, start, start + size, np.zeros(len(groups), bool)
    )
    row, low, length = asked
    held = {
        place
        for of, first, width in groups
        if of == row
        for place in range(first, first + width)
        if low <= place < low + length
    }

    (inside,) = _in_groups(made, *(np.array([value]) for value in (row, low, low + length)))
    assert inside == len(held)
