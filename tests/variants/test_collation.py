"""Collation of witnesses without a check: base, places, readings."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from simhash_core.variants.collation import OUTSIDE, Collation, _without_islands, collate
from simhash_core.variants.witness import Witness, equal_blocks
from tests.plain import view_of
from tests.prose import english, replaced

FOX = "The quick brown fox jumps over the lazy dog, and then it sleeps under the old oak tree."


def witness(text: str) -> Witness:
    """Return a whole text as a witness; every token is a word."""
    view = view_of(text)
    border = view.border[:-1] > 0
    columns = (view.token, view.start, view.end, view.end_attached)
    return Witness(text, *columns, np.ones(len(view), np.bool_), border, 0, len(view))


def collated(texts: Sequence[str]) -> Collation:
    return collate([witness(text) for text in texts])


def variants(collation: Collation) -> list[tuple[str, dict[str, tuple[int, ...]]]]:
    return [
        (
            collation.base[place.start : place.end],
            {reading.text: reading.witnesses for reading in place.readings[1:]},
        )
        for place in collation.places
    ]


def test_equal_witnesses_have_no_variants_and_words_left_out_are_readings() -> None:
    collation = collated([FOX, FOX.upper(), FOX.replace(",", ";")])
    assert collation.base.rstrip(".").lower() == FOX.rstrip(".").lower()
    assert collation.places == ()
    assert collation.table.shape == (0, 3)
    collation = collated(
        [FOX, FOX, FOX.replace(" lazy", ""), FOX.replace("it sleeps", "it soon sleeps")]
    )
    assert variants(collation) == [("lazy", {"": (2,)}), ("sleeps", {"soon sleeps": (3,)})]


def test_base_has_the_reading_of_most_at_each_place() -> None:
    """No witness has all of it."""
    collation = collated(
        [FOX.replace("quick", "fast"), FOX.replace("lazy", "idle"), FOX.replace("old", "great")]
    )

    assert collation.base == FOX
    assert variants(collation) == [
        ("quick", {"fast": (0,)}),
        ("lazy", {"idle": (1,)}),
        ("old", {"great": (2,)}),
    ]
    assert collation.departures.tolist() == [1, 1, 1]


def test_tie_goes_to_the_witness_that_departs_least() -> None:
    departing = [FOX.replace("lazy", "idle"), FOX.replace("quick", "fast")]
    with_cat = [text.replace("dog", "cat") for text in (FOX, FOX.replace("old", "great"))]

    assert "cat" in collated([*departing, *with_cat]).base


def test_witnesses_may_hold_a_part_more_or_other_words() -> None:
    collation = collated([FOX, FOX, FOX.replace("fox", "cat"), FOX[: FOX.index(", and")]])
    assert variants(collation) == [("fox", {"cat": (2,)})]
    assert collation.departures.tolist() == [0, 0, 1, 0]
    late = collated([FOX, FOX, FOX.replace("oak", "elm"), FOX[: FOX.index(", and")]])
    assert late.table.tolist() == [[0, 0, 1, OUTSIDE]]
    collation = collated([FOX, FOX, FOX, english(3, 20)])
    assert collation.witnesses.tolist() == [0, 1, 2]
    assert collation.apart.tolist() == [3]

    longer = f"{english(5, 8)} {FOX} {english(6, 8)}"
    one = replace(witness(longer), low=8, high=len(witness(longer)) - 8)
    collation = collate([witness(FOX), witness(FOX), one])
    assert collation.base == FOX
    assert collation.places == ()


def test_readings_lie_where_they_are_said_to_be() -> None:
    texts = [replaced(FOX, 0.2, seed) for seed in range(9)]
    collation = collated(texts)

    for place, cells, spans in zip(collation.places, collation.table, collation.spans, strict=True):
        for text, cell, (start, end) in zip(texts, cells, spans, strict=True):
            read = text[start:end].lower()
            assert cell == OUTSIDE or read == place.readings[cell].text.lower()


def test_300_witnesses_take_seconds() -> None:
    base = english(1, 100)
    witnesses = [witness(replaced(base, 0.05, seed)) for seed in range(300)]
    start = time.process_time()
    collation = collate(witnesses)

    assert time.process_time() - start < 10  # one to two seconds
    assert collation.base == base


TOKENS = st.lists(st.integers(0, 5), max_size=40).map(lambda one: np.array(one, np.int64))


@given(TOKENS, TOKENS)
@settings(deadline=None)
def test_equal_blocks_are_equal_and_in_order(a: np.ndarray, b: np.ndarray) -> None:
    reached_a = reached_b = 0
    for i, j, length in equal_blocks(a, b).tolist():
        assert i >= reached_a
        assert j >= reached_b
        assert a[i : i + length].tolist() == b[j : j + length].tolist()
        reached_a, reached_b = i + length, j + length


def test_moved_paragraph_leaves_the_rest_aligned() -> None:
    first, second = np.arange(100), np.arange(100, 160)
    blocks = equal_blocks(np.concatenate([first, second]), np.concatenate([second, first]))

    assert blocks[:, 2].sum() == 100


def test_a_short_block_between_larger_changes_is_chance() -> None:
    """A change is as large as the longer of its two sides."""
    before, after = [0, 0, 10], [20, 23, 10]
    one_sided = [11, 14, 1]  # 1 token of the first text and 4 of the second have changed before it

    kept = _without_islands(np.array([before, one_sided, after], np.int64))

    assert kept.tolist() == [before, after]
    near = [11, 11, 1]
    kept = _without_islands(np.array([before, near, after], np.int64))
    assert kept.tolist() == [before, near, after]
