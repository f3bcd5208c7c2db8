"""Passages of two texts by their vectors: known answers, and those of plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import meaning as readable

from simhash_core.meaning.align import (
    Vectors,
    align,
    align_pairs,
    grow_rectangles,
    hubs_of,
    left_out,
    products_of,
    samples_of,
    summary_lead,
    weigh_cells,
)
from simhash_core.meaning.vectors import SCALE, rounded, unit
from simhash_core.policy import MEANING_SCORE

WIDTH = 64


def random_rows(seed: int, n: int) -> np.ndarray:
    return unit(np.random.default_rng(seed).normal(size=(n, WIDTH)))


def text_of(rows: np.ndarray, script: int = 0, hub: float = 0.0) -> Vectors:
    n = len(rows)
    return Vectors(rounded(rows), np.full(n, script, np.uint8), np.full(n, hub))


def reworded(rows: np.ndarray, seed: int, near: float = 0.7) -> np.ndarray:
    """Return vectors of about such a cosine with others."""
    noise = random_rows(seed, len(rows))
    return unit(near * rows + np.sqrt(1 - near**2) * noise)


def pair(order: list[int], near: float = 0.7) -> tuple[Vectors, Vectors]:
    """A text of 30 units, of which 10 to 15 stand reworded in another one from 5 on."""
    a = random_rows(1, 30)
    b = random_rows(2, 25)
    b[5 : 5 + len(order)] = reworded(a[order], 3, near)
    return text_of(a), text_of(b)


def test_a_reworded_passage_is_found_with_its_answers() -> None:
    (passage,) = align(*pair([10, 11, 12, 13, 14])).passages

    assert passage.rect == (10, 15, 5, 10)
    assert passage.score >= MEANING_SCORE
    assert passage.answers.units.tolist() == [[10 + i, 5 + i] for i in range(5)]
    assert (passage.answers.closeness > passage.answers.next_best).all()


def of_cosines(answer: float, other: float) -> tuple[Vectors, Vectors]:
    """Two texts of three units: each answers one of the other text, near the others too."""
    a, b = np.eye(8)[:3], np.zeros((3, 8))
    b[:, :3] = other + (answer - other) * np.eye(3)
    b[:, 3:6] = np.sqrt(1 - answer**2 - 2 * other**2) * np.eye(3)
    return text_of(a), text_of(b)


def test_answers_that_only_share_the_subject_are_no_finding() -> None:
    (passage,) = align(*of_cosines(0.6, 0.4)).passages

    assert passage.answers.lead == pytest.approx(0.2, abs=0.01)
    assert align(*of_cosines(0.6, 0.5)).passages == []


def test_a_summary_is_nearer_to_its_source_than_the_rest_of_its_text() -> None:
    source = random_rows(1, 20)
    text = np.concatenate([random_rows(2, 6), reworded(source[[2, 9, 15]], 3)])
    inside = np.arange(9) >= 6

    assert summary_lead(rounded(text), inside, rounded(source)) > 0.3
    assert abs(summary_lead(rounded(text), ~inside, rounded(source[:1]))) < 0.3
    assert np.isnan(summary_lead(rounded(text[5:]), inside[5:], rounded(source)))
    assert np.isnan(summary_lead(rounded(text), inside & False, rounded(source)))


def test_order_does_not_matter_but_a_sentence_alone_is_no_passage() -> None:
    (passage,) = align(*pair([13, 10, 14, 12, 11])).passages
    assert passage.rect == (10, 15, 5, 10)
    assert sorted(b for _, b in passage.answers.units.tolist()) == [5, 6, 7, 8, 9]
    aligned = align(*pair([10]))
    assert aligned.passages == []
    assert aligned.closest > 0.5


def test_what_is_near_to_everything_opposite_is_no_answer() -> None:
    a, b = random_rows(1, 30), random_rows(2, 30)
    subject = random_rows(9, 1)
    near = [unit(one + 1.5 * subject) for one in (a, b)]

    assert align(text_of(near[0]), text_of(near[1])).passages == []


def test_what_is_near_to_many_texts_is_worth_less() -> None:
    a, b = pair([10, 11, 12, 13, 14], near=0.55)
    hubs = [Vectors(one.rows, one.script, np.full(len(one), 0.8)) for one in (a, b)]

    assert align(a, b).best > align(*hubs).best


def test_between_scripts_less_is_enough() -> None:
    a, b = pair([10, 11, 12, 13, 14], near=0.45)
    other = Vectors(b.rows, b.script + 1, b.hub)

    assert align(a, other).best > align(a, b).best


def test_units_that_are_not_free_answer_nothing() -> None:
    a, b = pair([10, 11, 12, 13, 14])
    free = np.ones(30, np.bool_), np.ones(25, np.bool_)
    free[0][10:13] = False

    (passage,) = align(a, b, free).passages

    assert passage.rect == (13, 15, 8, 10)


def test_products_are_exact() -> None:
    a, b = (rounded(random_rows(seed, 40)) for seed in (1, 2))

    expected = a.astype(np.int64) @ b.astype(np.int64).T
    np.testing.assert_array_equal(products_of(a, b), expected)


def test_many_pairs_at_once_are_aligned_as_each_alone() -> None:
    texts = [
        text_of(random_rows(seed, 8 + seed % 5), seed % 2, 0.1 * (seed % 6)) for seed in range(12)
    ]
    for row in (5, 7, 11):
        texts[row].rows[2:6] = rounded(reworded(texts[row - 4].rows[1:5] / SCALE, row))
    pairs = np.array([(a, b) for a in range(12) for b in range(a + 1, 12) if (a, b) != (2, 9)])
    free = {
        row: (np.arange(len(texts[a])) != 2, np.arange(len(texts[b])) != 3)
        for row, (a, b) in enumerate(pairs.tolist())
        if a % 3 == 1
    }

    sampled = np.arange(len(pairs)) % 2 == 0
    found, (best, closest) = align_pairs(texts, pairs, sampled, free)

    alone = [align(texts[a], texts[b], free.get(row)) for row, (a, b) in enumerate(pairs.tolist())]
    rects = {row: [one.rect for one in passages] for row, passages in found}
    assert len(rects) >= 2
    assert rects == {
        row: [p.rect for p in one.passages] for row, one in enumerate(alone) if one.passages
    }
    of_sample = [np.float32(one.best) for one in alone][::2]
    assert best[::2].tolist() == of_sample
    assert closest.tolist() == [np.float32(one.closest) for one in alone]


def test_hubs_leave_the_nearest_texts_out_but_a_small_batch_has_none() -> None:
    formula = random_rows(50, 1)
    texts = [random_rows(seed, 6) for seed in range(40)]
    copied = random_rows(51, 1)
    for one in texts:
        one[0] = formula
    for one in texts[:5]:
        one[1] = copied
    rows = [rounded(one) for one in texts]
    scripts = [np.zeros(6, np.uint8)] * 40
    samples = samples_of(rows, scripts)
    hub = hubs_of(np.zeros(6, np.int64), rows[0], scripts[0], samples)
    assert left_out(40) == 8
    assert hub[0] > 0.99
    assert hub[1] < 0.5
    rows = [rounded(random_rows(seed, 6)) for seed in range(16)]
    assert samples_of(rows, [np.zeros(6, np.uint8)] * 16) == {}


@given(st.integers(0, 2**32), st.integers(2, 40), st.integers(2, 40), st.floats(0.0, 0.6))
def test_cells_and_rectangles_are_those_of_plain_python(
    seed: int, a: int, b: int, lift: float
) -> None:
    rng = np.random.default_rng(seed)
    cosines = rng.normal(0.1, 0.15, (a, b))
    k = min(a, b, 8)
    cosines[np.arange(k), rng.permutation(k)] += lift
    products = (np.clip(cosines, -1, 1) * SCALE**2).astype(np.int32)
    given_to_both = (
        products,
        rng.uniform(0, 0.6, a),
        rng.uniform(0, 0.6, b),
        rng.integers(0, 2, a).astype(np.uint8),
        rng.integers(0, 2, b).astype(np.uint8),
        rng.random(a) > 0.1,
        rng.random(b) > 0.1,
    )

    slow = readable.cells(*given_to_both)
    hubs, scripts, free = given_to_both[1:3], given_to_both[3:5], given_to_both[5:]
    of_a, of_b = (
        Vectors(np.zeros((len(hub), 1), np.int16), script, hub)
        for hub, script in zip(hubs, scripts, strict=True)
    )
    fast = weigh_cells(products, of_a, of_b, *free)
    np.testing.assert_array_equal(slow, fast)
    np.testing.assert_array_equal(
        readable.rectangles(slow.copy(), 1_000), grow_rectangles(fast.copy(), 1_000)
    )
