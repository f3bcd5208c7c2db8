"""Authors from the names of files as course systems give them out."""

from __future__ import annotations

import pytest

from simhash_core.errors import BadInput
from simhash_core.people import Authorship, authors, recognise

MOODLE = [
    "Essay-1-31337.zip/Emma Clarke_1200345_assignsubmission_file_/essay.docx",
    "Essay-1-31337.zip/王 梓涵_1200346_assignsubmission_file_/作文 终稿.pdf",
    "Essay-1-31337.zip/Tom O'Neil_1200347_assignsubmission_onlinetext_/onlinetext.html",
    "Emma Clarke_1200345_assignsubmission_file_notes.txt",
]
CANVAS = [
    "clarkeemma_4711_90210_essay-final.docx",
    "wangzihan_LATE_4712_90211_作文.pdf",
    "oneiltom_4713_90212_text.txt",
]
BLACKBOARD = [
    "gradebook_ENG101_Essay_eclarke_attempt_2026-11-13-08-15-32_essay.docx",
    "gradebook_ENG101_Essay_wzihan_attempt_2026-11-14-23-59-01_my_essay.pdf",
    "gradebook_ENG101_Essay_toneil_attempt_2026-11-13-09-00-00.txt",
]
CHINESE = [
    "计科2101班-2021010101-王梓涵-论雷同.docx",
    "计科2101班-2021010102-欧阳若兰-我的作文.pdf",
    "计科2102班_2021010203_陈思远.docx",
]


def people(names: list[str], pattern: str) -> list[tuple[str, str, str]]:
    return [
        (one.person, one.number, one.class_name or one.group) for one in authors(names, pattern)
    ]


def test_moodle_folders_and_flat_names() -> None:
    assert recognise(MOODLE) == "moodle"
    assert people(MOODLE, "moodle") == [
        ("Emma Clarke", "", ""),
        ("王 梓涵", "", ""),
        ("Tom O'Neil", "", ""),
        ("Emma Clarke", "", ""),
    ]
    assert [one.platform for one in authors(MOODLE, "moodle")] == [
        *("1200345", "1200346", "1200347", "1200345"),
    ]


def test_canvas_names_with_and_without_late() -> None:
    assert recognise(CANVAS) == "canvas"
    assert people(CANVAS, "canvas")[:2] == [("clarkeemma", "4711", ""), ("wangzihan", "4712", "")]


def test_blackboard_names_carry_the_date() -> None:
    assert recognise(BLACKBOARD) == "blackboard"
    assert [(one.number, one.date) for one in authors(BLACKBOARD, "blackboard")] == [
        ("eclarke", "2026-11-13"),
        ("wzihan", "2026-11-14"),
        ("toneil", "2026-11-13"),
    ]


def test_class_number_name_and_title() -> None:
    assert recognise(CHINESE) == "class_number_name"
    assert authors(CHINESE, "class_number_name")[1] == Authorship(
        "欧阳若兰", "2021010102", "计科2101班", title="我的作文"
    )
    assert people(CHINESE, "class_number_name")[2] == ("陈思远", "2021010203", "计科2102班")


@pytest.mark.parametrize(
    ("names", "pattern", "first"),
    [
        (["2021010101-王梓涵.docx", "2021010102-陈思远-题目.docx"], "number_name",
         ("王梓涵", "2021010101", "")),
        (["王梓涵_2021010101.txt", "陈思远_2021010102.txt"], "name_number",
         ("王梓涵", "2021010101", "")),
        (["软件21-2班-王梓涵-2021010101/a.txt", "软件21-2班-陈思远-2021010102/b.txt"],
         "class_name_number", ("王梓涵", "2021010101", "软件21-2班")),
        (["2021010101+王梓涵+高一3班.txt", "2021010102+陈思远+高一3班.txt"], "number_name_class",
         ("王梓涵", "2021010101", "高一3班")),
        (["20210101 Emma Clarke.docx", "20210102 Tom O'Neil.docx"], "number_name",
         ("Emma Clarke", "20210101", "")),
    ],
)  # fmt: skip
def test_other_orders(names: list[str], pattern: str, first: tuple[str, str, str]) -> None:
    assert recognise(names) == pattern
    assert people(names, pattern)[0] == first


def test_names_that_say_nothing_are_left_alone() -> None:
    assert recognise(["essay.docx", "second draft.docx", "2026-report.pdf"]) == ""
    assert recognise(["01-emma-clarke.pdf", "02-王梓涵.docx"]) == ""
    assert recognise([]) == ""


def test_hand_ins_are_recognised_beside_a_task_sheet_and_a_list() -> None:
    beside = ["task.txt", "list.csv", "zettel.txt", "rubric.docx"]

    assert recognise([*CHINESE, *beside]) == "class_number_name"
    assert recognise([*MOODLE, *beside]) == "moodle"


def test_folders_are_people_only_when_named() -> None:
    names = ["A/王梓涵/1.txt", "A/陈思远/1.txt"]

    assert recognise(names) == ""
    assert people(names, "group_folders") == [("王梓涵", "", "A"), ("陈思远", "", "A")]


def test_a_pattern_of_ones_own() -> None:
    found = authors(["k12_Emma.txt", "else.txt"], r"k(?P<number>\d+)_(?P<person>\w+)\.")

    assert [one.to_meta() for one in found] == [{"person": "Emma", "number": "12"}, {}]


@pytest.mark.parametrize("pattern", ["(", "(?P<title>.*)", "no groups"])
def test_a_pattern_that_names_nobody_is_refused(pattern: str) -> None:
    with pytest.raises(BadInput) as caught:
        authors(["a"], pattern)

    assert caught.value.code == "people_pattern"


@pytest.mark.parametrize(("fitting", "proposed"), [(11, ""), (12, "number_name")])
def test_a_plain_pattern_is_proposed_from_three_fifths_of_the_names(
    fitting: int, proposed: str
) -> None:
    names = [
        f"20210101{number:02d}-{chr(0x4E00 + 40 * number)}梓涵.docx" for number in range(fitting)
    ]
    beside = [f"beside {chr(97 + number)}.txt" for number in range(20 - fitting)]

    assert recognise([*names, *beside]) == proposed
