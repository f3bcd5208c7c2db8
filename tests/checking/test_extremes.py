"""Texts that repeat themselves, texts that are the same, texts that share nearly everything."""

from __future__ import annotations

import hashlib
import random
import tracemalloc
import warnings

import numpy as np
import pytest
from oracles import seeds
from oracles.as_called import AsRead, Rows
from plain import view_of
from prose import chinese, english

import simhash_core as core
from simhash_core.checking import aligning
from simhash_core.model import Document
from simhash_core.passages import align as align_module
from simhash_core.passages.align import align
from simhash_core.result import CheckResult
from simhash_core.seen.comparison import compare
from simhash_core.text.lengths import count_units
from simhash_core.text.normalize import normalize


def document(name: str, text: str) -> Document:
    return Document(hashlib.sha256(text.encode()).hexdigest(), name, text)


def rows(result: CheckResult) -> dict[tuple[int, int], tuple[float, float, float, int, int]]:
    """Return coverage both ways, identical share, longest run and passages of each pair."""
    table = result.table
    columns = (table.coverage_a, table.coverage_b, table.identical, table.longest, table.passages)
    ends = zip(table.pairs.left.tolist(), table.pairs.right.tolist(), strict=True)
    return dict(zip(ends, zip(*(c.tolist() for c in columns), strict=True), strict=True))


EQUAL = {
    "one word spaced out": "a b " * 5000,
    "five words": "Five words are here now",
    "a refrain": "the cat sat on the mat. " * 500,
    "a chinese refrain": "如有雷同纯属巧合。" * 800,
    "ordinary": english(3, 200),
}


@pytest.mark.parametrize("text", EQUAL.values(), ids=EQUAL)
def test_equal_texts_are_one_identical_passage_whatever_their_words(text: str) -> None:
    documents = [document("a", text), document("b", text), document("c", english(7, 300))]
    result = core.check(documents)

    coverage_a, coverage_b, identical, longest, passages = rows(result)[0, 1]
    assert (coverage_a, coverage_b, identical, passages) == (1.0, 1.0, 1.0, 1)
    assert longest == count_units(normalize(text).text)  # spaced letters are one word
    both = compare(documents[0], documents[1])
    assert (both.coverage_a, both.coverage_b, both.longest) == (1.0, 1.0, longest)


def test_texts_equal_but_for_case_and_width_are_whole() -> None:
    text = english(5, 60)
    result = core.check([document("a", text), document("b", text.upper().replace(" ", "\u3000"))])

    assert rows(result)[0, 1][:3] == (1.0, 1.0, 1.0)


def test_equal_texts_under_a_template_share_nothing() -> None:
    text = english(6, 80)
    given = document("given", text)
    result = core.check(
        [document("a", text + "\nName"), document("b", text + "\nName ")], templates=[given]
    )

    assert all(row[0] == 0.0 for row in rows(result).values())


@pytest.mark.parametrize("end", ["尾", "尾巴在此"])
@pytest.mark.parametrize(
    "text", ["如有雷同纯属巧合。" * 900, "the cat sat on the mat today. " * 400]
)
def test_repetitive_texts_that_differ_at_the_end_are_nearly_whole(text: str, end: str) -> None:
    result = core.check([document("a", text), document("b", text + end)])
    coverage_a, coverage_b, identical, longest, _ = rows(result)[0, 1]

    assert min(coverage_a, coverage_b) > 0.99
    assert identical == 1.0
    assert longest > 0.99 * count_units(text)


def repetitive(seed: int, size: int) -> str:
    """A text of twelve sentences in any order."""
    rng = random.Random(seed)
    sentences = [chinese(n, 24) + "。" for n in range(12)]
    return "".join(rng.choice(sentences) for _ in range(size // 25))


@pytest.fixture
def as_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain Python, which is equal to the loops, in their place: its limits can be moved."""
    monkeypatch.setattr(align_module, "LOOPS", AsRead)
    monkeypatch.setattr(align_module, "Table", Rows)


@pytest.mark.long
@pytest.mark.usefixtures("as_read")
def test_seeds_of_repetitive_texts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory grows with the length, not with its square."""
    monkeypatch.setattr(seeds, "MOST_SEEDS", 50)
    peaks = []
    for size in (500, 2000):
        a, b = view_of(repetitive(1, size)), view_of(repetitive(2, size))
        align(a, b)
        tracemalloc.start()
        passages = align(a, b)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert len(passages) >= 1
    assert peaks[1] < 6 * peaks[0]


@pytest.mark.long
@pytest.mark.usefixtures("as_read")
def test_windows_lie_farther_apart_where_they_would_cost_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    a, b = view_of(repetitive(1, 2000)), view_of(repetitive(2, 2000))
    whole = align(a, b)
    monkeypatch.setattr(seeds, "MOST_EQUAL", 20_000)
    coarse = align(a, b)

    assert len(whole) and len(coarse)
    assert coarse.a_end[~coarse.weak].max() > 0.8 * whole.a_end[~whole.weak].max()


@pytest.mark.long
@pytest.mark.usefixtures("as_read")
def test_a_copy_with_a_reworded_part_keeps_both(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows inside the copy are no seeds; those outside still are."""
    copied, reworded = english(11, 900), english(12, 120).split()
    other = reworded[:]
    random.Random(4).shuffle(other)
    a = copied + "\n\n" + english(13, 60) + "\n\n" + " ".join(reworded)
    b = " ".join(other) + "\n\n" + english(14, 60) + "\n\n" + copied

    few = align(view_of(a), view_of(b))
    monkeypatch.setattr(seeds, "LEAST_FREE", 0.0)  # every window is a seed
    every = align(view_of(a), view_of(b))

    assert len(few) == len(every) > 0
    for first, second in zip(few.columns()[:6], every.columns()[:6], strict=True):
        np.testing.assert_array_equal(first, second)


def test_many_copies_raise_no_warning() -> None:
    text = english(8, 150)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = core.check([document(f"{n}", text) for n in range(24)])

    assert len(result.table) == 24 * 23 // 2
    assert (result.table.coverage_a == 1.0).all()


@pytest.mark.long
def test_a_pair_beyond_the_limits_of_a_worker_is_counted_not_fatal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(aligning, "INLINE_TOKENS", 0)
    monkeypatch.setattr(aligning, "ALIGN_SECONDS", 1e-6)
    text = english(9, 12_000)  # takes a worker far longer than the limit needs to fire
    result = core.check([document("a", text), document("b", text + " And more.")])

    assert [g.params for g in result.guarantees if g.code == "not_aligned"] == [{"n": 1}]
