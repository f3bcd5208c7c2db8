"""One passage in many texts is found once, whoever has it and however they word it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from simhash_core.checking import check, check_texts
from simhash_core.model import Document
from simhash_core.result import CheckResult
from simhash_core.seen import given_ranges
from tests.prose import chinese, english, replaced

PASSAGE = (
    "今年他们学校试用了批改平台。选择题、填空题和方程式配平由机器完成，他只看实验设计和推断题。"
    "改一次作业，从十个小时变成三个半小时。多出来的时间去了哪里？我替他记了一个月：四成用来找学生面谈，"
    "三成用来重新设计实验，剩下三成，他终于能在十一点以前睡觉。期末，他班上的及格率提高了六个百分点。"
    "他说这不是机器的功劳，是面谈的功劳；但没有机器，就没有面谈。"
)
BETA = {
    "试用了": "开始试用",
    "配平由": "配平都由",
    "去了哪里": "去了哪里呢",
    "学生面谈": "学生谈话",
    "能在": "可以在",
    "以前": "之前",
    "但没有": "但是没有",
}
BETA_2 = {**BETA, "变成": "缩短到", "期末": "到了期末"}
WITHOUT = {"我替他记了一个月：": ""}
REWORDED = {**WITHOUT, "没有机器，就没有面谈": "没有机器，面谈也就没有了"}
SOLITARY = {"试用了": "试用", "面谈，": "聊天，", "期末": "期末考试"}
CLASS: dict[str, Mapping[str, str]] = {
    "01-陈思远": {},
    "08-刘子墨": {},
    "12-黄嘉怡": {},
    "15-吴昊天": {},
    "13-高若曦": WITHOUT,
    "04-王梓涵": REWORDED,
    "19-孙浩然": REWORDED,
    "16-宋知夏": {**WITHOUT, "他们学校": "我们学校", "变成": "减到", "以前": "之前"},
    "21-郑可欣": BETA_2,
    "06-何沐阳": BETA_2,
    "02-林晓雨": {**BETA_2, "他们学校": "我们学校"},
    "10-周雨桐": BETA_2,
    "05-赵一鸣": BETA,
    "17-许文轩": SOLITARY,
}


def changed(text: str, changes: Mapping[str, str]) -> str:
    for before, after in changes.items():
        assert before in text, before
        text = text.replace(before, after)
    return text


@cache
def class_result() -> CheckResult:
    """Fourteen texts that share one paragraph, and seven that do not."""
    texts = {
        name: f"{chinese(100 + row, 300)}\n{changed(PASSAGE, changes)}\n{chinese(500 + row, 300)}"
        for row, (name, changes) in enumerate(CLASS.items())
    }
    texts |= {f"{30 + row}-无关": chinese(900 + row, 600) for row in range(7)}
    return check_texts(texts)


@pytest.mark.long
def test_passage_of_many_texts_is_one_group() -> None:
    groups = class_result().variant_groups

    assert len(groups) == 1
    assert groups.document.tolist() == list(range(14))
    assert not groups.part.any()
    for row, (start, end) in enumerate(zip(groups.start, groups.end, strict=True)):
        text = class_result().documents[row].text
        assert abs(start - text.index("今年")) <= 4  # borders of reworded passages are not exact
        assert text[:end].endswith("。")


@pytest.mark.parametrize(("beyond", "goes_with_it"), [(0.08, True), (0.14, False)])
def test_a_passage_a_tenth_longer_than_what_was_given_goes_with_it(
    beyond: float, goes_with_it: bool
) -> None:
    result = class_result()
    before, groups = given_ranges(result, [0]), result.common
    whole = np.array([before[row][0] for row in groups.document.tolist()], np.int32)
    end = whole[:, 1] - (beyond * (whole[:, 1] - whole[:, 0])).astype(np.int32)
    given = replace(result, common=replace(groups, start=whole[:, 0], end=end))

    after = given_ranges(given, [0])
    assert before.keys() == after.keys()
    for document, ((_, last),) in before.items():
        assert (after[document][0][1] == last) is goes_with_it


# --------------------------------------------------------------------------- many copy one


def essay(seed: int, *paragraphs: str) -> str:
    """Return a text of its own with some paragraphs in it."""
    parts = [chinese(seed, 200)]
    for number, paragraph in enumerate(paragraphs, 1):
        parts += [paragraph, chinese(1000 * number + seed, 200)]
    return "\n".join(parts)


def test_twelve_with_one_source_are_one_group_with_it() -> None:
    source = Document.from_text(essay(400, PASSAGE), name="source")
    students = [Document.from_text(essay(row, PASSAGE), name=f"{row:02d}") for row in range(12)]
    result = check(students, against=[source])

    groups = result.variant_groups
    assert len(groups) == 1
    assert groups.document.tolist() == list(range(13))


def test_twelve_with_the_same_task_sheet_are_no_group_once_it_is_given() -> None:
    task = Document.from_text(PASSAGE, name="task")
    students = [
        Document.from_text(f"{PASSAGE}\n{chinese(row, 300)}", name=f"{row:02d}")
        for row in range(12)
    ]

    untold = check(students)
    told = check(students, templates=[task])

    assert len(untold.variant_groups) == 1
    assert len(told.variant_groups) == 0
    assert not told.total_overlap.any()


def test_formula_of_law_in_many_texts_is_apart_from_the_paragraph_around_it() -> None:
    formula, rest = PASSAGE[:92], PASSAGE[92:]
    texts = {f"copy {row}": essay(row, formula + rest) for row in range(3)}
    texts |= {f"law {row}": essay(100 + row, formula) for row in range(6)}
    groups = check_texts(texts).variant_groups

    assert [groups.document[groups.rows(row)].tolist() for row in range(len(groups))] == [
        list(range(9)),
        [0, 1, 2],
    ]


def test_passage_over_two_groups_leaves_them_apart() -> None:
    """Two texts are copies of each other; others share one of their two paragraphs."""
    other = chinese(77, 180)
    copy = essay(1, PASSAGE, other)
    texts = {"one": copy, "two": copy}
    texts |= {f"first {row}": essay(100 + row, PASSAGE) for row in range(3)}
    texts |= {f"second {row}": essay(200 + row, other) for row in range(3)}
    groups = check_texts(texts).variant_groups
    members = {tuple(groups.document[groups.rows(row)].tolist()) for row in range(len(groups))}

    assert members == {(0, 1, 2, 3, 4), (0, 1, 5, 6, 7)}


@pytest.mark.slow  # 45,000 pairs of 900 texts
@pytest.mark.parametrize("texts", [300, 900])
def test_a_passage_of_a_third_of_all_texts_is_one_group(texts: int) -> None:
    passage = english(1, 80)
    having = set(range(0, texts, 3))

    result = check_texts(
        english(1000 + row, 70)
        + (f"\n\n{replaced(passage, 0.05, row)}\n\n" if row in having else "\n\n")
        + english(5000 + row, 70)
        for row in range(texts)
    )

    groups = result.variant_groups
    assert len(groups) == 1
    assert set(groups.document[groups.rows(0)].tolist()) == having
