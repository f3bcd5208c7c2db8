"""What a check says about chance: beside every finding, in its order, and where it says nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from oracles.tokenizing import tokenize, winnow
from prose import chinese, english

import simhash_core as core
from simhash_core.checking import chance as significance
from simhash_core.checking.chance import _expected, unrelated_pairs
from simhash_core.limits import Significance, Tail
from simhash_core.model import Document
from simhash_core.passages.tokenized import language_of, languages_of
from simhash_core.result import CheckResult, could_be_formula, list_rows, sort_by_evidence
from simhash_core.settings import Settings
from simhash_core.text.normalize import normalize


def batch(n: int, *, formula: str = "") -> list[Document]:
    """Unrelated texts, of which the last copies half of the first; all hold the formula."""
    texts = [english(seed, 220) for seed in range(n)]
    texts[-1] = english(999, 110) + " " + texts[0][: len(texts[0]) // 2]
    return [Document.from_text(f"{text} {formula}", name=f"{i}") for i, text in enumerate(texts)]


@pytest.fixture(scope="module")
def result() -> CheckResult:
    return core.check(batch(24))


def tokenized(texts: list[str]) -> list:
    return [tokenize(normalize(text), text) for text in texts]


def test_batches_without_chance_findings_say_why(result: CheckResult) -> None:
    assert result.significance.state == "none"
    (tail,) = result.significance.tails.values()
    assert tail.sampled <= 24 * 23 // 2
    assert np.isnan(result.table.chance).all()
    result = core.check(batch(19))
    assert result.significance == Significance({})
    assert result.significance.state == "few"
    result = core.check(batch(24), settings=Settings(passages=False))
    assert result.significance.state == "few"


def test_two_runs_say_the_same(result: CheckResult) -> None:
    assert core.check(batch(24)).significance == result.significance


def with_tail(result: CheckResult, chance: float) -> CheckResult:
    """The same result, in which every pair with a passage has this number of chance findings."""
    has = result.table.passages > 0
    column = np.where(has, chance, np.nan).astype(np.float32)
    return replace(result, table=replace(result.table, chance=column))


def test_a_mark_removes_nothing_and_a_large_share_is_no_formula(result: CheckResult) -> None:
    before, after = list_rows(result), list_rows(with_tail(result, 1000.0))
    assert sorted(before) == sorted(after)
    marked = with_tail(result, 1000.0)
    assert not could_be_formula(marked).any()
    assert list_rows(marked)[0] == list_rows(result)[0]


def test_sample_leaves_out_pairs_that_share_text_and_keeps_the_budget() -> None:
    copies = [english(1, 300)] * 3
    texts = tokenized([*copies, *(english(seed, 300) for seed in range(10, 30))])
    winnowed = [winnow(text) for text in texts]
    pairs = unrelated_pairs(texts, winnowed, queries=len(texts))
    bounded = unrelated_pairs(texts, winnowed, queries=len(texts), tokens=6000.0)

    assert not {(0, 1), (0, 2), (1, 2)} & set(map(tuple, pairs.tolist()))
    assert len(pairs) == 23 * 22 // 2 - 3
    assert 0 < len(bounded) <= 10


def test_languages_of_pairs_are_those_of_two_texts() -> None:
    texts = tokenized([english(1, 80), chinese(2, 200), english(3, 20) + chinese(4, 60), ""])
    pairs = np.array([(i, j) for i in range(4) for j in range(i + 1, 4)])

    assert languages_of(texts, pairs).tolist() == [
        language_of([texts[a], texts[b]]) for a, b in pairs.tolist()
    ]


def test_each_language_has_a_tail_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chinese strengths have another scale than English ones."""
    monkeypatch.setattr(
        significance,
        "tail_of",
        lambda strength, summary, *, pairs: Tail(pairs, len(strength), 5.0, 0.01, 0.7, 0.0),
    )
    texts = [english(seed, 120) for seed in range(12)]
    texts += [chinese(seed, 240) for seed in range(12)]
    documents = [Document.from_text(text, name=f"{i}") for i, text in enumerate(texts)]
    found = core.check(documents).significance

    assert set(found.tails) == {"zh", "en"}
    assert sum(tail.pairs for tail in found.tails.values()) == 24 * 23 // 2


def test_compare_in_a_check_says_what_its_table_says(result: CheckResult) -> None:
    marked = with_tail(result, 0.25)
    row = int(list_rows(marked)[0])
    a, b = (marked.documents[int(side[row])] for side in
            (marked.table.pairs.left, marked.table.pairs.right))  # fmt: skip

    assert core.compare(a, b, result=marked).chance == pytest.approx(0.25)
    assert core.compare(b, a, result=marked).chance == pytest.approx(0.25)
    assert np.isnan(core.compare(a, b).chance)


@pytest.mark.parametrize(("chance", "marked"), [(4.9, False), (5.1, True), (8.9, True)])
def test_more_than_five_pairs_by_chance_are_marked(
    result: CheckResult, chance: float, marked: bool
) -> None:
    table = with_tail(result, chance).table
    thin = replace(table, coverage_a=table.coverage_a * 0, coverage_b=table.coverage_b * 0)
    far = replace(result, table=thin)
    view = replace(core.view_at_threshold(far, 0), within=np.zeros(len(thin), np.bool_))

    assert could_be_formula(far, view)[thin.passages > 0].all() == marked


def test_a_summary_says_nothing_about_a_pair_that_shares_a_passage() -> None:
    tail = Tail(pairs=100, sampled=100, anchor=5.0, share=0.01, per_decade=0.7, summaries=0.5)
    both = _expected(tail, np.array([9.0], np.float32), np.array([3.0], np.float32))
    passage = _expected(tail, np.array([9.0], np.float32), np.array([0.0], np.float32))
    summary = _expected(tail, np.array([0.0], np.float32), np.array([3.0], np.float32))

    assert both == passage < summary


@pytest.mark.parametrize(("own", "first"), [((30, 40), [1, 0]), ((40, 40), [1, 0])])
def test_own_text_then_the_larger_share_orders_the_pairs(
    result: CheckResult, own: tuple[int, int], first: list[int]
) -> None:
    a, b = np.zeros((2, len(result.table)), np.float32)
    a[0], b[1] = (0.9, 0.2) if own[0] < own[1] else (0.2, 0.9)
    tones = np.zeros((len(a), 2, 3), np.int32)
    tones[:2, :, 0] = np.array(own)[:, None]
    passages = np.where(np.arange(len(a)) < 2, 1, result.table.passages).astype(np.int32)
    table = replace(result.table, coverage_a=a, coverage_b=b, tones=tones, passages=passages)
    view = replace(core.view_at_threshold(result, 0), within=np.zeros(len(a), np.bool_))

    order = sort_by_evidence(replace(result, table=table), np.arange(len(a)), view)
    assert order[:2].tolist() == first
