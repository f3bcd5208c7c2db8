"""Cases: pairs that own text together, and passages that several texts hold, one case each."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from command_line import leitong

import leitong as lt
from simhash_core import CheckResult, check
from simhash_core.cases import beginning_of, case_of_pairs, case_records, case_rows, passage_cases
from simhash_core.cli.terminal import print_result
from simhash_core.i18n import translator
from simhash_core.model import Decision, Document
from simhash_core.policy import CASE_UNITS, TEMPLATE_HOLDERS
from simhash_core.report.json import check_data
from simhash_core.result import list_rows, mark_folded
from simhash_core.seen import Exclusions, seen_by
from tests.prose import english

PHRASE = "As our teacher said at the start of the term, every harbour keeps a ledger of its storms."


def class_of(shared: str, *, holders: int = 4, n: int = 18) -> CheckResult:
    """Essays: a passage of 90 words goes from the first to the second, `shared` into others."""
    texts = [english(row, 260) for row in range(n)]
    copied = english(50, 90)
    for row in range(2):
        texts[row] += "\n\n" + copied
    for row in range(2, 2 + holders):
        texts[row] += "\n\n" + shared
    return check([Document.from_text(text, name=f"{row}.txt") for row, text in enumerate(texts)])


def worksheets(n: int = 24) -> CheckResult:
    """Six printed questions with answers of one's own; one answer goes from one to another."""
    questions = [english(100 + at, 30) for at in range(6)]
    answers = [[english(200 + 10 * row + at, 25) for at in range(6)] for row in range(n)]
    answers[5][3] = answers[2][3]
    texts = [
        "\n\n".join(part for pair in zip(questions, own, strict=True) for part in pair)
        for own in answers
    ]
    return check([Document.from_text(text, name=f"{row}.txt") for row, text in enumerate(texts)])


def ends(result: CheckResult, rows: np.ndarray) -> list[tuple[int, int]]:
    pairs = result.table.pairs
    return [(int(pairs.left[row]), int(pairs.right[row])) for row in rows]


@pytest.mark.parametrize("holders", [3, 4, 8])
def test_a_passage_of_several_texts_is_one_case_and_its_pairs_are_none(holders: int) -> None:
    result = class_of(PHRASE, holders=holders)
    (passage,) = passage_cases(result)

    assert ends(result, case_rows(result)) == [(0, 1)]
    assert passage.members == tuple(range(2, 2 + holders))
    assert passage.units == len(PHRASE.split()) >= CASE_UNITS["en"]
    assert passage.answer == "" and passage.counts
    assert mark_folded(result)[list_rows(result)].sum() == holders * (holders - 1) / 2


def test_what_two_texts_own_is_a_case() -> None:
    result = class_of(PHRASE, holders=2)

    assert ends(result, case_rows(result)) == [(0, 1), (2, 3)]
    assert not passage_cases(result)


def test_in_a_small_check_what_few_hold_is_a_case_of_each_pair_too() -> None:
    result = class_of(PHRASE, holders=3, n=6)

    assert sorted(ends(result, case_rows(result))) == [(0, 1), (2, 3), (2, 4), (3, 4)]
    assert len(passage_cases(result)) == 1


def test_three_tones_are_what_is_shared() -> None:
    result = class_of(PHRASE, holders=8)
    table = result.table

    assert np.array_equal(table.tones.sum(axis=2), table.parts.sum(axis=2))
    assert np.array_equal(result.tones.sum(axis=1), result.division[:, :3].sum(axis=1))
    assert result.tones[0].tolist()[1:] == [0, 0] and result.tones[0, 0] >= 90
    assert result.tones[2].tolist() == [0, 0, len(PHRASE.split())]


def test_questions_of_a_worksheet_are_the_template_until_they_are_answered() -> None:
    result = worksheets()
    passages = passage_cases(result)
    view = seen_by(result, Exclusions(), None)
    assert view is not None
    seen = view.result
    assert ends(result, case_rows(result)) == [(2, 5)]
    assert all(len(one.members) == 24 and one.automatic for one in passages) and passages
    assert {one.answer for one in passages} == {"template"}
    assert np.median(seen.total_overlap) < 0.1 < 0.5 < result.total_overlap.min()
    assert ends(seen, case_rows(seen)) == [(2, 5)]
    assert np.array_equal(seen.table.tones.sum(axis=2), seen.table.parts.sum(axis=2))

    (first, *_) = passage_cases(result)
    (copied, *_) = passage_cases(result, {first.key: Decision("confirmed")})
    (source, *_) = passage_cases(result, {first.key: Decision("no_problem", "quotation")})
    assert (copied.answer, copied.counts) == ("copied", True)
    assert (source.answer, source.counts) == ("source", False)
    assert TEMPLATE_HOLDERS <= 24


def test_a_passage_is_shown_with_the_mark_that_opens_it() -> None:
    sentence = english(7, 60)
    texts = [f"{english(20 + row, 150)}\n“({sentence}" for row in range(3)]
    result = check([Document.from_text(text, name=str(row)) for row, text in enumerate(texts)])
    row, start, end = beginning_of(result, 0, 30)

    assert result.documents[row].text[start:end].startswith("“(" + sentence[:10])
    assert end - start == 30


@pytest.mark.parametrize(("copies", "others"), [(12, 0), (15, 3)])
def test_what_is_the_whole_of_its_texts_is_no_template(copies: int, others: int) -> None:
    """Everybody copied: nobody wrote anything beside it, and it must not vanish."""
    same = english(7, 300)
    texts = [f"Name: Pupil{row}\n\n{same}" for row in range(copies)]
    texts += [english(100 + row, 300) for row in range(others)]
    result = check([Document.from_text(text, name=f"{row}.txt") for row, text in enumerate(texts)])
    (passage,) = passage_cases(result)

    assert len(passage.members) == copies
    assert (passage.answer, passage.counts) == ("", True)
    assert len(case_rows(result)) == copies * (copies - 1) / 2  # equal as a whole
    assert seen_by(result, Exclusions(), None) is None


def test_every_way_to_a_worksheet_class_counts_the_same(tmp_path: Path) -> None:
    for row, document in enumerate(worksheets().documents):
        (tmp_path / "class").mkdir(exist_ok=True)
        (tmp_path / "class" / f"{row:02}.txt").write_text(document.text, "utf-8")
    project = tmp_path / "class.leitong"
    leitong("check", tmp_path / "class", "--project", project, "-o", tmp_path / "check.json")
    leitong("report", project, "--format", "json", "-o", tmp_path / "report.json")
    checked, report = (
        json.loads((tmp_path / f"{name}.json").read_text("utf-8")) for name in ("check", "report")
    )
    door = json.loads(lt.check([str(tmp_path / "class")]).to_json())
    (pair,) = report["pairs"]

    assert checked["documents"][2]["total_overlap"] == door["documents"][2]["total_overlap"] < 0.3
    assert pair["counted_a"] == checked["documents"][2]["division"]["counted"]
    assert [one["answer"] for one in door["cases"]] == [one["answer"] for one in checked["cases"]]


def test_json_lists_cases_as_they_are_read_and_pairs_name_theirs() -> None:
    result = class_of(PHRASE)
    data = json.loads(json.dumps(check_data(result, translator("en"))))
    passage, pair = data["cases"]

    assert data["schema"] == "leitong.check/2"
    assert (passage["kind"], passage["number"], passage["holders"]) == ("passage", 1, 4)
    assert (passage["own"], passage["few"]) == (0, passage["longest"])
    assert (pair["kind"], pair["number"], pair["members"]) == ("pair", 2, ["0.txt", "1.txt"])
    assert pair["own"] >= 90 and pair["many"] == 0
    assert [one["case"] for one in data["pairs"]] == [2] + [1] * 6
    assert data["pairs"][0]["own_a"] >= 90 and data["pairs"][1]["own_a"] == 0
    assert data["documents"][2]["few"] == passage["few"]
    assert case_records(result) == data["cases"]
    assert sorted(case_of_pairs(result).values()) == [1] * 6 + [2]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_terminal_lists_passages_then_pairs(language: str) -> None:
    t = translator(language)
    lines = print_result(class_of(PHRASE), t, language, to_file=True).splitlines()
    at = lines.index(t("cli.passages", n=1))

    assert lines[at + 1].split()[:2] == ["1", "4"]
    assert [line for line in lines if "0.txt" in line or line.startswith("0 ")]
    assert t("cli.no_case", n=6) in lines
