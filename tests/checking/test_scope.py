"""A second check of a batch: what was compared before is taken over, new texts are compared."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from prose import english

from simhash_core import CheckResult, Document, Settings, check
from simhash_core.checking import aligning
from simhash_core.model import Passages

SHARED = english(99, 120)


def text(seed: int, *, shared: bool = False) -> str:
    return english(seed, 200) + (" " + SHARED if shared else "") + " " + english(seed + 500, 60)


def batch(n: int = 24) -> list[Document]:
    return [
        Document.from_text(text(seed, shared=seed % 5 == 0), name=f"{seed:02d}.txt")
        for seed in range(n)
    ]


@pytest.fixture(scope="module")
def earlier() -> CheckResult:
    return check(batch())


def evidence(result: CheckResult) -> dict[tuple[str, str], set[tuple[int, ...]]]:
    """Return the ranges that count of each pair, by the names of both texts."""
    names = [document.name for document in result.documents]
    held: dict[tuple[str, str], set[tuple[int, ...]]] = {}
    passages, pairs = result.passages, result.table.pairs
    for p in np.flatnonzero(~passages.weak).tolist():
        row = int(passages.pair[p])
        a, b = int(pairs.left[row]), int(pairs.right[row])
        ranges = [
            (names[a], int(passages.a_start[p]), int(passages.a_end[p])),
            (names[b], int(passages.b_start[p]), int(passages.b_end[p])),
        ]
        first, second = sorted(ranges)
        held.setdefault((first[0], second[0]), set()).add((*first[1:], *second[1:]))
    return held


@pytest.fixture
def aligned(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pairs each call of the alignment was given."""
    counted: list[int] = []
    real = aligning.align_pairs

    def count(tokenized, pairs, *arguments, **options):
        counted.append(len(pairs))
        return real(tokenized, pairs, *arguments, **options)

    monkeypatch.setattr("simhash_core.checking.scope.align_pairs", count)
    return counted


def test_the_same_batch_is_not_aligned_again(earlier, aligned):
    again = check(batch(), earlier=earlier)

    assert aligned == [0]
    assert evidence(again) == evidence(earlier)
    for name in ("coverage_a", "coverage_b", "identical", "longest", "passages"):
        np.testing.assert_array_equal(getattr(again.table, name), getattr(earlier.table, name))
    np.testing.assert_array_equal(again.total_overlap, earlier.total_overlap)


def test_late_texts_are_compared_and_the_others_stay(earlier, aligned):
    late = Document.from_text(text(40, shared=True), name="late.txt")
    again = check([*batch(), late], earlier=earlier)
    before, now = evidence(earlier), evidence(again)

    assert {pair: now[pair] for pair in before} == before
    assert {pair for pair in now if "late.txt" in pair} == {
        (name, "late.txt") for name in ("00.txt", "05.txt", "10.txt", "15.txt", "20.txt")
    }
    assert aligned[0] <= len(batch())


def test_another_order_names_and_a_removed_text_change_nothing_else(earlier):
    texts = [document for document in batch() if document.name != "05.txt"]
    random.Random(3).shuffle(texts)
    again = check(texts, earlier=earlier)
    expected = {pair: held for pair, held in evidence(earlier).items() if "05.txt" not in pair}

    assert evidence(again) == expected


def test_edited_text_is_compared_again(earlier):
    texts = batch()
    texts[5] = Document.from_text(text(5), name="05.txt")  # without the shared paragraph
    again = check(texts, earlier=earlier)

    assert not any("05.txt" in pair for pair in evidence(again))
    assert ("00.txt", "10.txt") in evidence(again)


def test_references_are_compared_once_they_are_texts_of_the_batch():
    """Two references were never compared with each other; as texts of the batch they are."""
    texts = batch()
    before = check(texts[:15], against=texts[15:])
    after = check([*texts[15:], *texts[:15]], earlier=before)

    assert ("15.txt", "20.txt") not in evidence(before)
    assert evidence(after) == evidence(check(texts))


def test_late_copy_of_an_earlier_text_is_found(earlier):
    copy = Document.from_text(text(10, shared=True), name="copy.txt")
    again = check([*batch(), copy], earlier=earlier)
    partners = {pair for pair in evidence(again) if "copy.txt" in pair}

    assert ("10.txt", "copy.txt") in partners
    assert ("00.txt", "copy.txt") in partners


@pytest.mark.parametrize(
    "change", [{"settings": Settings(min_run=20)}, {"version": "0.0.0"}, {"frequencies": None}]
)
def test_what_would_not_be_the_same_is_aligned_anew(earlier, change, aligned):
    check(batch(), earlier=replace(earlier, **change))

    assert aligned[0] > 0


def test_templates_that_differ_are_not_taken_over(earlier, aligned):
    task = Document.from_text(SHARED, name="task")
    again = check(batch(), templates=[task], earlier=earlier)

    assert aligned[0] > 0
    assert evidence(again) == {}
    assert isinstance(again.passages, Passages)


def test_texts_that_were_not_compared_with_each_other_are_compared_later():
    """A check against others alone has not looked at the pairs inside."""
    texts = batch()
    before = check(texts[:22], against=texts[22:], compare_inside=False)
    assert ("05.txt", "10.txt") not in evidence(before)
    assert any(fact.code == "only_against" for fact in before.guarantees)

    assert evidence(check(texts[:22], earlier=before)) == evidence(check(texts[:22]))


def test_pairs_that_are_not_asked_for_are_not_taken_over(earlier):
    """An earlier check may have compared what is now compared with references alone."""
    texts = batch()
    late = Document.from_text(text(40, shared=True), name="late.txt")
    again = check(texts, against=[late], compare_inside=False, earlier=earlier)

    assert {pair for pair in evidence(again) if "late.txt" not in pair} == set()
    assert ("00.txt", "late.txt") in evidence(again)
