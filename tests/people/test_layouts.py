"""The layouts in which platforms, forms and chats hand over the files of a class."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

from simhash_core.checking import people_of
from simhash_core.people import PATTERNS, Authorship, Member, assign, authors, persons, recognise

_ENGLISH = (
    "Alice Moore,Ben Carter,Chloe Diaz,Dmitri Volkov,Eleanor Pike,Farah Siddiqui,George Hallam,"
    "Hannah Stein,Isaac Turner,Jasmine Cole,Kira Petrova,Leo Marchetti,Maya Chandra,Noah Bright,"
    "Olive Tanner,Penny Marsh,Quentin Blake,Rosa Ortega,Samuel Okoro,Tom O'Neil,Uma Rao,"
    "Violet Hart,Will Sutton,Xenia Braun,Yusuf Demir,Zoe Kendrick,Anne-Marie Roux,Callum Reid,"
    "Ruby Fairfax,Theo Barnard"
)
_CHINESE = (
    "陈佳宁,邓浩宇,方晓彤,冯子轩,高雨欣,郭明哲,韩梦琪,何俊杰,胡诗语,黄志远,"
    "贾若曦,江一帆,蒋文静,李承泽,李思源,梁静怡,林沐阳,刘宇航,陆心怡,罗天佑,"
    "马晓峰,孟欣然,潘子涵,彭博文,秦雨薇,欧阳若兰,宋乐瑶,苏启明,唐静雯,王睿"
)
ENGLISH, CHINESE = _ENGLISH.split(","), _CHINESE.split(",")


def canvas(row: int, name: str) -> str:
    *first, last = name.lower().replace("'", "").replace("-", "").split()
    late = "_LATE" if row % 7 == 0 else ""
    return f"{last}{''.join(first)}{late}_{4700 + row}_{90000 + 3 * row}_essay-{row}.docx"


def chaoxing(row: int, name: str) -> str:
    return f"{20230101 + row}-{name}-读书报告.docx"


def classroom(row: int, name: str) -> str:
    return f"Essay 1/{name} - Essay 1{' (1)' if row % 9 == 0 else ''}.docx"


def teams(row: int, name: str) -> str:
    return f"Submitted files/{name}/Essay 1/Version {1 + row % 3}/essay{row}.docx"


def chat(row: int, name: str) -> str:
    """A folder that WeChat filled: most send their name, some a class, a title or a copy."""
    forms = (
        *("{}.docx", "{}(1).docx", "2301班{}作文.docx", "2301班{}作文(1).docx", "我的家-{}.docx"),
        *("{}.pdf", "【{}】作文.docx", "高一3班 12号 {}.docx", "{}.docx", "{}作业.docx"),
    )
    return forms[row % len(forms)].format(name)


#: layout, the names in it, how many of 30 are told at least without a class list
LAYOUTS: list[tuple[Callable[[int, str], str], list[str], int]] = [
    (canvas, ENGLISH, 30),
    (chaoxing, CHINESE, 30),
    (classroom, ENGLISH, 30),
    (teams, ENGLISH, 30),
    (chat, CHINESE, 27),  # not what is written in one word with the title
]


@pytest.mark.parametrize(
    ("layout", "names", "least"), LAYOUTS, ids=lambda v: getattr(v, "__name__", "")
)
def test_a_class_of_thirty_is_told_and_nobody_else(
    layout: Callable[[int, str], str], names: list[str], least: int, record_property
) -> None:
    dice = random.Random(layout.__name__)
    order = dice.sample(names, len(names))
    files = [layout(row, name) for row, name in enumerate(order)] + ["task.docx", "名单.csv"]
    found = [one.person for one in people_of(files)]
    if layout is canvas:  # joined, in small letters: what the platform writes
        order = [canvas(0, name).partition("_")[0] for name in order]
    right = sum(a == b for a, b in zip(order, found, strict=False))
    wrong = [
        name for name, want in zip(found, [*order, "", ""], strict=True) if name not in (want, "")
    ]
    record_property("outcome", f"{layout.__name__}: {right} of 30 told, wrong {wrong}")

    assert wrong == []
    assert right >= least


@pytest.mark.parametrize(
    ("layout", "names", "least"), LAYOUTS, ids=lambda v: getattr(v, "__name__", "")
)
def test_a_class_list_tells_all_but_what_is_written_in_one_word(
    layout: Callable[[int, str], str], names: list[str], least: int
) -> None:
    files = [layout(row, name) for row, name in enumerate(names)]
    listed = [Member(name) for name in names]
    assigned = assign(files, people_of(files, bare=False), listed)
    told = [one.person for one in assigned.authors]

    joined = [row for row, file in enumerate(files) if layout is chat and "作业.docx" in file]
    assert [name for row, name in enumerate(told) if row not in joined] == [
        name for row, name in enumerate(names) if row not in joined
    ]


#: an example with two names, and (person, number, class, group) of the first: of 27 layouts
TOLD = {
    "Alice Moore_31001_assignsubmission_file_/essay.docx": ("Alice Moore", "", "", ""),
    "Alice Moore_31001_assignsubmission_file_essay.docx": ("Alice Moore", "", "", ""),
    "Participant_31001_assignsubmission_file_/essay.docx": ("", "31001", "", ""),
    "moorealice_31001_884412_essay.docx": ("moorealice", "31001", "", ""),
    "moorealice_late_31001_884412_essay.docx": ("moorealice", "31001", "", ""),
    "Essay 1_s1234567_attempt_2026-10-02-08-15-32_essay.docx": ("", "s1234567", "", ""),
    "20230101-张三-作业1.docx": ("张三", "20230101", "", ""),
    "张三_20230101/报告.docx": ("张三", "20230101", "", ""),
    "软件2301-20230101-张三.pdf": ("张三", "20230101", "软件2301", ""),
    "123456-789012 - Alice Moore - Oct 2, 2026 341 PM/essay.docx": ("Alice Moore", "", "", ""),
    "123456-789012 - Alice Moore - Oct 2, 2026 341 PM - essay.docx": ("Alice Moore", "", "", ""),
    "Essay 1/Alice Moore - Essay 1.docx": ("Alice Moore", "", "", ""),
    "作文一/张三 - 作文一 (1).docx": ("张三", "", "", ""),
    "Submitted files/Alice Moore/Essay 1/Version 2/essay.docx": ("Alice Moore", "", "", ""),
    "Essay 1/Moore, Alice(amoore)/Submission attachment(s)/essay.docx": (
        *("Moore, Alice", "amoore", "", ""),
    ),
    "作业1/张三(20230101)/报告.docx": ("张三", "20230101", "", ""),
    "张三（20230101）.docx": ("张三", "20230101", "", ""),
    "张三20230101.docx": ("张三", "20230101", "", ""),
    "20230101张三.docx": ("张三", "20230101", "", ""),
    "张三20230101-作业1.docx": ("张三", "20230101", "", ""),
    "张三-初一1班-作文.docx": ("张三", "", "初一1班", ""),
    "张三-二组-作文.docx": ("张三", "", "", "二组"),
    "初一(1)班 12号 张三.docx": ("张三", "12", "初一(1)班", ""),
    "2301班张三作文(1).docx": ("张三", "", "2301班", ""),
    "张三.docx": ("张三", "", "", ""),
    "我的家-张三.docx": ("张三", "", "", ""),
    "【张三】作文.docx": ("张三", "", "", ""),
    "序号1_张三_作文.docx": ("张三", "", "", ""),
}
_OTHERS = {"Alice Moore": "Ben Carter", "Moore, Alice": "Carter, Ben", "moorealice": "carterben"}
#: layouts that only a class list or a list of surnames makes sure
BARE = ("张三.docx", "我的家-张三.docx", "【张三】作文.docx", "序号1_张三_作文.docx")


def second(name: str) -> str:
    """Return the same layout of another person."""
    for old, new in {**_OTHERS, "张三": "李四", "31001": "31002", "s1234567": "s7654321"}.items():
        name = name.replace(old, new)
    return name.replace("amoore", "bcarter").replace("20230101", "20230102").replace("12号", "13号")


@pytest.mark.parametrize("name", TOLD)
def test_each_layout_is_told(name: str) -> None:
    person, number, class_name, group = TOLD[name]
    first = people_of([name, second(name)])[0]

    assert (first.person, first.number, first.class_name, first.group) == (
        *(person, number, class_name, group),
    )


@pytest.mark.parametrize("name", BARE)
def test_bare_names_are_left_to_a_class_list(name: str) -> None:
    listed = [Member("张三", "1"), Member("王五", "3")]
    found = people_of([name, second(name)], bare=False)

    assert found == [Authorship(), Authorship()]
    assert [one.person for one in assign([name, second(name)], found, listed).authors] == [
        "张三",
        "",
    ]


@pytest.mark.parametrize(
    "names",
    [
        ["读书报告.docx", "我的作文.docx", "语文作业.docx"],
        ["开题报告20261120.docx", "中期报告20261211.docx"],
        ["作业-终稿.docx", "作业-初稿.docx"],
        ["【作文】我的家.docx", "【随笔】秋天.docx"],
        ["作业20261120.docx", "作业20261121.docx"],
    ],
)
def test_words_are_no_persons(names: list[str]) -> None:
    assert [one.person for one in people_of(names)] == [""] * len(names)


def test_a_word_beside_persons_is_none() -> None:
    found = people_of([f"{word}.docx" for word in ("张三", "李四", "王五", "赵六", "题目", "方案")])

    assert [one.person for one in found] == ["张三", "李四", "王五", "赵六", "", ""]


def test_one_name_with_two_numbers_of_a_platform_is_two_persons() -> None:
    files = [f"李明_{n}_assignsubmission_file_/{t}.docx" for n, t in ((1, "a"), (1, "b"), (2, "a"))]
    keys = persons(authors(files, "moodle"))

    assert keys[0] == keys[1] != keys[2]
    assert persons([Authorship("李明"), Authorship("李明", platform="1")]) == ["李明", "李明"]
    assert persons([Authorship("李明", "7"), Authorship("", "7"), Authorship()]) == ["7", "7", ""]


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "1",
        "字",
        "-",
        " ",
        "_",
        "/",
        "班",
        "组",
        "(",
        "1-",
        "a - ",
        "字-",
        "班-",
        "a/",
        " 号",
        "字班",
    ],
)
def test_patterns_of_names_are_linear(pattern: str, piece: str) -> None:
    """At most nine times as long for four times the name, as far as it can be measured."""

    def seconds(length: int) -> float:
        name = piece * (length // len(piece)) + "!"
        began = time.process_time()
        authors([name] * 4, pattern)
        return time.process_time() - began

    seconds(100)
    short, long = seconds(1_000), seconds(4_000)

    assert long < 0.05 or long <= 9 * short, (short, long)


def test_recognised_patterns_have_a_name() -> None:
    assert recognise(["张三20230101.docx", "李四20230102.docx"]) == "glued"
    assert recognise(["张三.docx", "李四.docx"], bare=False) == ""
