"""Texts with one page: what is composed by way of a witness is what each alignment gives."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import view_of
from prose import chinese, english

from simhash_core.checking import composing
from simhash_core.checking.aligning import Measured, align_pairs
from simhash_core.checking.run import Run
from simhash_core.model import I64, MOVED, SHARED
from simhash_core.passages.coverage import parts_of_texts
from simhash_core.passages.tokenized import TokenizedText, document_frequencies
from simhash_core.settings import Settings

HOLDERS = 5  # of a page, in these tests
FEW = {"deadline": None, "max_examples": 30}


@pytest.fixture(autouse=True, scope="module")
def small_pages():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(composing, "PAGE_HOLDERS", HOLDERS)
        yield


def with_page(seed: int, *, texts: int, changed: float, own: int, copies: int = 0) -> list[str]:
    """Return texts that hold one page, of which a share of the words is changed in each."""
    rng, page, made = random.Random(seed), english(seed, 240).split(), []
    for number in range(texts):
        words = [
            rng.choice(["other", "so", f"{w}s"]) if rng.random() < changed else w for w in page
        ]
        before, after = (english(1_000 * seed + 2 * number + side, own) for side in (0, 1))
        made.append(f"{before}\n\n{' '.join(words)}\n\n{after}")
    return [*made, *made[:copies]]


def align_both(
    texts: list[TokenizedText], *, weighed: bool = False
) -> tuple[I64, Measured, Measured]:
    """Return all pairs, and what is measured of them by way of a witness and one by one.

    They are `weighed` by how many of the texts have each word: pages are weak then.
    """
    pairs = np.stack(np.triu_indices(len(texts), 1), axis=1).astype(np.int64)
    run, listed = Run(Settings(), None, None, None), np.arange(len(pairs)) % 3 == 0
    df = document_frequencies(texts) if weighed else None
    by_pages, _ = composing.align_by_pages(texts, pairs, df, listed=listed, run=run)
    one_by_one, _ = align_pairs(
        texts, pairs, df, listed=listed, settings=run.settings, pool=run.pool, step=run.step
    )
    return pairs, by_pages, one_by_one


def assert_same(texts: list[TokenizedText], *, weighed: bool = False) -> None:
    pairs, found, expected = align_both(texts, weighed=weighed)
    together = zip(
        [*found.passages.columns(), *found.numbers.columns()],
        [*expected.passages.columns(), *expected.numbers.columns()],
        strict=True,
    )
    for column, of_each in together:
        np.testing.assert_array_equal(column, of_each)
    for kind in (SHARED, MOVED):
        stretches = (one.stretches.of_kind(kind) for one in (found, expected))
        rows = [sorted(zip(*(c.tolist() for c in one.columns()), strict=True)) for one in stretches]
        assert rows[0] == rows[1]
    parts = [parts_of_texts(texts, pairs, one.stretches) for one in (found, expected)]
    np.testing.assert_array_equal(*parts)


@given(
    st.integers(1, 10_000),
    st.integers(HOLDERS, HOLDERS + 4),
    st.sampled_from([0.0, 0.03, 0.07, 0.15, 0.3]),
    st.sampled_from([0, 20, 120, 300]),
    st.integers(0, 2),
    st.booleans(),
)
@settings(**FEW)
def test_pairs_are_what_each_alignment_gives(
    seed: int, texts: int, changed: float, own: int, copies: int, weighed: bool
) -> None:
    made = with_page(seed, texts=texts, changed=changed, own=own, copies=copies)
    assert_same([view_of(text) for text in made], weighed=weighed)


@pytest.mark.parametrize("changed", [0.0, 1 / 15])
def test_only_pairs_with_the_witness_are_aligned(
    changed: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [view_of(text) for text in with_page(3, texts=12, changed=changed, own=150)]
    aligned = []

    def counting(*given, **how):
        aligned.append(len(given[1]))
        return align_pairs(*given, **how)

    monkeypatch.setattr(composing, "align_pairs", counting)
    align_both(texts)

    assert sum(aligned) < 16  # of 66: eleven with the witness
    assert_same(texts)


def test_what_two_texts_share_beside_the_page_is_found() -> None:
    texts = with_page(5, texts=8, changed=0.05, own=150)
    more = english(77, 60)
    texts[2], texts[6] = f"{texts[2]} {more}", f"{more} {texts[6]}"
    views = [view_of(text) for text in texts]
    pairs, found, _ = align_both(views)

    assert found.numbers.passages[(pairs == [2, 6]).all(axis=1)].tolist() == [2]
    assert_same(views)


def test_two_pages_and_texts_without_one() -> None:
    first = with_page(8, texts=7, changed=0.05, own=100)
    second = with_page(9, texts=6, changed=0.0, own=100)
    assert_same([view_of(text) for text in [*first, *second, english(50, 200), english(51, 5)]])


def test_texts_without_a_run_in_common_are_aligned_one_by_one() -> None:
    assert_same([view_of(english(seed, 200)) for seed in range(2 * HOLDERS)])


def test_chinese_pages_are_aligned_one_by_one() -> None:
    page = chinese(4, 300)
    texts = [f"{chinese(10 + n, 100)}\n{page}\n{chinese(30 + n, 100)}" for n in range(7)]
    assert_same([view_of(text) for text in texts])
