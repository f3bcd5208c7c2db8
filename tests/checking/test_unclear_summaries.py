"""Summaries by words that their sentences refuse: listed last, folded under one line."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from alike import meanings_of

from simhash_core import CheckResult, check
from simhash_core.cli.terminal import print_result
from simhash_core.i18n import translator
from simhash_core.model import PASSAGE_KINDS, Document
from simhash_core.policy import SUMMARY_LEAD
from simhash_core.report.json import check_data
from simhash_core.result import list_rows, mark_folded
from tests.prose import english


def of_class(lead: float, *, kind: str = "summary", words: int = 500) -> CheckResult:
    """Return a check of four texts: two share a passage, called a summary, two another one."""
    texts = [english(row, words) for row in range(4)]
    for low, high, seed in ((0, 1, 50), (2, 3, 51)):
        texts[low] += "\n\n" + english(seed, 90)
        texts[high] += "\n\n" + english(seed, 90)
    result = check([Document.from_text(text, name=str(row)) for row, text in enumerate(texts)])
    of_pair = result.table.pairs.left[result.passages.pair] == 0
    kinds = np.where(of_pair, PASSAGE_KINDS.index(kind), result.passages.kind).astype(np.uint8)
    meanings = replace(
        meanings_of(result.documents, {}),
        summarised=np.array([[0, 1]]),
        summary_lead=np.array([lead], np.float32),
    )
    return replace(result, passages=replace(result.passages, kind=kinds), meanings=meanings)


def lefts(result: CheckResult, rows: np.ndarray) -> list[int]:
    return result.table.pairs.left[rows].tolist()


def folded_rows(result: CheckResult) -> np.ndarray:
    rows = list_rows(result)
    return rows[mark_folded(result)[rows]]


@pytest.mark.parametrize("lead", [0.0, SUMMARY_LEAD - 0.01, float("nan")])
def test_a_summary_whose_sentences_stay_far_is_folded_and_listed_last(lead: float) -> None:
    result = of_class(lead)

    assert lefts(result, folded_rows(result)) == [0]
    assert lefts(result, list_rows(result)) == [2, 0]


@pytest.mark.parametrize(
    ("lead", "kind", "words"),
    [
        pytest.param(SUMMARY_LEAD + 0.01, "summary", 500, id="near enough"),
        pytest.param(0.0, "reworded", 500, id="no summary"),
    ],
)
def test_what_speaks_for_a_pair_keeps_it_listed(lead: float, kind: str, words: int) -> None:
    assert not len(folded_rows(of_class(lead, kind=kind, words=words)))


def test_without_sentence_vectors_a_summary_is_unclear() -> None:
    result = replace(of_class(0.0), meanings=None)

    assert lefts(result, folded_rows(result)) == [0]


def test_a_folded_pair_is_one_line_on_the_terminal_and_stays_in_json() -> None:
    result = of_class(0.0)
    printed = print_result(result, translator("en"), "en", to_file=True)
    records = json.loads(json.dumps(check_data(result, translator("en"))))["pairs"]

    assert translator("en")("cli.no_case", n=1) in printed
    assert [one["case"] for one in records] == [1, None]
