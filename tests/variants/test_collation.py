"""Collation of witnesses without a check: base, places, readings, who agrees with whom."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simhash_core.variants.agreement import Agreement, _siglum, agreement, find_nearest
from simhash_core.variants.collation import OUTSIDE, Collation, _without_islands, collate
from simhash_core.variants.witness import Witness, equal_blocks, sigla
from tests.plain import view_of
from tests.prose import chinese, english, replaced

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
    tree = agreement(collation.table)

    assert time.process_time() - start < 10  # one to two seconds
    assert collation.base == base
    assert not tree.branches


def test_witnesses_that_vary_at_random_stay_outside() -> None:
    base = chinese(1, 200)
    collation = collated([replaced(base, 0.35, seed, han=True) for seed in range(150)])
    tree = agreement(collation.table)

    assert tree.branches == ()
    assert len(tree.alone) == 150


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


def names(tree: Agreement) -> dict[str, tuple[int, ...]]:
    branches = [(one.siglum, one.members) for one in tree.branches]
    inner = [(two.siglum, two.members) for one in tree.branches for two in one.branches]
    return dict([*branches, *inner])


def test_shared_departures_make_groups_inside_groups() -> None:
    table = np.array(
        [
            [1, 1, 1, 1, 0, 0, 0],
            [1, 1, 1, 1, 0, 0, 0],
            [1, 1, 0, 0, 0, 0, 0],
            [1, 1, 0, 0, 2, 0, 0],
            [0, 0, 0, 0, 0, 1, 0],
        ],
        np.int32,
    )
    tree = agreement(table)

    assert names(tree) == {"α": (0, 1, 2, 3), "α′": (0, 1)}
    assert tree.as_base == (6,)
    assert tree.alone == (4, 5)


def test_departures_make_groups_only_where_they_are_shared() -> None:
    tree = agreement(np.array([[1, 1, 0], [2, 0, 1], [0, 3, 0]], np.int32))
    assert tree.branches == ()
    assert tree.alone == (0, 1, 2)
    tree = agreement(np.array([[1, 2, 0], [1, 2, 0], [2, 1, 0]], np.int32))
    assert tree.branches == ()
    table = np.array([[1, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 0]] * 2, np.int32)
    assert names(agreement(table)) == {"α": (0, 1, 2), "β": (3, 4)}
    tree = agreement(np.zeros((0, 3), np.int32))
    assert tree == Agreement((), (0, 1, 2), ())


@pytest.mark.parametrize(("members", "node"), [(3, 0), (4, -1)])
def test_a_departure_belongs_to_a_group_that_is_mostly_its_witnesses(members, node):
    """Two of three are two thirds of what either has, two of four are a half."""
    holders = np.arange(6)[None, :] < 2
    nodes = np.arange(6)[None, :] < members

    assert find_nearest(holders, nodes) == [node]


def test_groups_inside_groups_have_marks_and_then_numbers() -> None:
    letters = [_siglum("α", number) for number in range(4)]

    assert letters == ["α′", "α″", "α‴", "α₄"]
    assert [_siglum("", number) for number in (0, 23)] == ["α", "α₂"]
    assert _siglum("α′", 0) == "α′₁"


def test_a_short_block_between_larger_changes_is_chance() -> None:
    """A change is as large as the longer of its two sides."""
    before, after = [0, 0, 10], [20, 23, 10]
    one_sided = [11, 14, 1]  # 1 token of the first text and 4 of the second have changed before it

    kept = _without_islands(np.array([before, one_sided, after], np.int64))

    assert kept.tolist() == [before, after]
    near = [11, 11, 1]
    kept = _without_islands(np.array([before, near, after], np.int64))
    assert kept.tolist() == [before, near, after]


# --------------------------------------------------------------------------- sigla
@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        (["01-陈思远.docx", "08-刘子墨.docx", "12-黄嘉怡.pdf"], ["陈", "刘", "黄"]),
        (["陈思远", "陈嘉怡", "刘子墨"], ["思", "嘉", "刘"]),
        (["陈嘉远", "陈嘉怡", "陈思远"], ["远", "怡", "思"]),
        (["欧阳修", "欧小华"], ["欧阳", "欧"]),
        (["作文一 王梓涵", "作文二 赵一诺", "作文三 孙浩然"], ["王", "赵", "孙"]),
        (["text 1", "text 2", "text 3"], ["甲", "乙", "丙"]),
        (["a", "a", "a"], ["甲", "乙", "丙"]),
        (["03-emma-clarke.pdf", "05-daniel-okafor.docx", "09-tom-whitfield.docx"],
         ["EC", "DO", "TW"]),
        (["emma clarke", "eric carter", "tom whitfield"], ["EmC", "ErC", "TW"]),
        (["essay-anna.txt", "essay-ben.txt", "essay-cleo.txt"], ["A", "B", "C"]),
        (["anna bea cid doe", "tom whitfield"], ["ABC", "TW"]),
        (["Müller.txt", "Schön.txt", "Æneas.txt"], ["M", "S", "Æ"]),
    ],
)  # fmt: skip
def test_names_become_sigla(names: list[str], wanted: list[str]) -> None:
    assert sigla(names, han=True) == wanted


def test_letters_are_given_once() -> None:
    assert sigla(["陈思远", "刘子墨"], han=True, blind=True) == ["甲", "乙"]
    assert sigla(["Emma Clarke", "Tom Whitfield"], han=False, blind=True) == ["A", "B"]
    assert sigla(["1"] * 60, han=False)[25:28] == ["Z", "A2", "B2"]
    assert len(set(sigla(["1"] * 300, han=True))) == 300
    assert sigla(["Anna", "Ben", "77"], han=False) == ["A", "B", "C"]
