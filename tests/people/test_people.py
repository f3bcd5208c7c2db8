"""A class list against the files."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core import Document
from simhash_core.errors import BadInput
from simhash_core.numbers import count_pairs
from simhash_core.people.authorship import (
    assign_authors,
    count_pairs_apart,
    group_by_pupil,
    mark_same_author,
)
from simhash_core.people.names import (
    PATTERNS,
    Authorship,
    find_pattern,
    guess_authors,
    identify_persons,
    read_authors,
)
from simhash_core.people.roster import Member, assign_members, match_members, read_members

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
CHINESE_NAMES = [
    "计科2101班-2021010101-王梓涵-论雷同.docx",
    "计科2101班-2021010102-欧阳若兰-我的作文.pdf",
    "计科2102班_2021010203_陈思远.docx",
]


def people(names: list[str], pattern: str) -> list[tuple[str, str, str]]:
    return [
        (one.person, one.number, one.class_name or one.group)
        for one in read_authors(names, pattern)
    ]


def test_names_of_platforms_and_of_classes_are_told() -> None:
    assert find_pattern(MOODLE) == "moodle"
    assert people(MOODLE, "moodle") == [
        ("Emma Clarke", "", ""),
        ("王 梓涵", "", ""),
        ("Tom O'Neil", "", ""),
        ("Emma Clarke", "", ""),
    ]
    assert [one.platform for one in read_authors(MOODLE, "moodle")] == [
        *("1200345", "1200346", "1200347", "1200345")
    ]
    assert find_pattern(CANVAS) == "canvas"
    assert people(CANVAS, "canvas")[:2] == [("clarkeemma", "4711", ""), ("wangzihan", "4712", "")]
    assert find_pattern(BLACKBOARD) == "blackboard"
    assert [(one.number, one.date) for one in read_authors(BLACKBOARD, "blackboard")] == [
        ("eclarke", "2026-11-13"),
        ("wzihan", "2026-11-14"),
        ("toneil", "2026-11-13"),
    ]
    assert find_pattern(CHINESE_NAMES) == "class_number_name"
    assert read_authors(CHINESE_NAMES, "class_number_name")[1] == Authorship(
        "欧阳若兰", "2021010102", "计科2101班", title="我的作文"
    )
    assert people(CHINESE_NAMES, "class_number_name")[2] == ("陈思远", "2021010203", "计科2102班")


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
        (["王梓涵20210101.docx", "陈思远20210102.docx"], "glued", ("王梓涵", "20210101", "")),
        (["2021010101 王梓涵 最终版.docx", "2021010102 陈思远 最终版.docx"], "number_name",
         ("王梓涵", "2021010101", "")),
        (["20210101 Emma Clarke.docx", "20210102 Tom O'Neil.docx"], "number_name",
         ("Emma Clarke", "20210101", "")),
    ],
)  # fmt: skip
def test_other_orders(names: list[str], pattern: str, first: tuple[str, str, str]) -> None:
    assert find_pattern(names) == pattern
    assert people(names, pattern)[0] == first


def test_names_that_say_nothing_are_left_alone() -> None:
    assert find_pattern(["essay.docx", "second draft.docx", "2026-report.pdf"]) == ""
    assert find_pattern(["01-emma-clarke.pdf", "02-王梓涵.docx"]) == ""
    assert find_pattern([]) == ""
    titles = ["Oliver Twist - a boy asks for more.docx", "Emma - summary.docx"]
    assert find_pattern([*titles, "Great Expectations - notes.docx"]) == ""
    assert find_pattern(["张三.docx", "李四.docx"], bare=False) == ""


def test_hand_ins_are_recognised_beside_a_task_sheet_and_a_list() -> None:
    beside = ["task.txt", "list.csv", "zettel.txt", "rubric.docx"]

    assert find_pattern([*CHINESE_NAMES, *beside]) == "class_number_name"
    assert find_pattern([*MOODLE, *beside]) == "moodle"


def test_folders_are_people_where_chinese_names_stand_on_them() -> None:
    names = ["A/王梓涵/1.txt", "A/陈思远/1.txt"]
    many = [f"{name}/{row}.txt" for name in ("王梓涵", "陈思远") for row in range(3)]

    assert find_pattern(names) == "folders"
    assert people(names, "group_folders") == [("王梓涵", "", "A"), ("陈思远", "", "A")]
    assert find_pattern(["A/Emma/1.txt", "A/Tom/1.txt"]) == ""
    assert find_pattern(["高一二班/1.txt", "高一三班/1.txt"]) == ""
    assert find_pattern(many) == ""  # folders of many texts are no persons


def mixed(row: int, name: str) -> str:
    """What arrives where nobody was told how to name a file."""
    forms = (
        *("2026{row:02d}01{name}.docx", "2026{row:02d}01-{name}-作文.docx", "{name}-作文.docx"),
        *("高一(2)班-{name}-我的家.pdf", "{name}2026{row:02d}01.txt", "{name}/期中作文.docx"),
        *("【{name}】作文.docx", "{name}(1).docx", "2026{row:02d}01_{name}_作文.wps"),
        *("微信/{name} 作文《我的家》.doc", "微信/{name}的作文.txt", "{row}.{name}.docx"),
        *("2026{row:02d}01 {name} 最终版.docx", "补交/{name}+2026{row:02d}01+作文.doc"),
    )
    return forms[row % len(forms)].format(row=row + 10, name=name)


def test_a_class_that_named_its_files_in_many_ways_is_told() -> None:
    files = [mixed(row, name) for row, name in enumerate(CHINESE)] + ["题目.docx", "评分标准.docx"]

    assert [one.person for one in guess_authors(files)] == [*CHINESE, "", ""]


@pytest.mark.parametrize(
    "form", ["{} - seminar paper.docx", "Essay 2_{}.pdf", "late/{} – Essay.odt"]
)
def test_names_beside_one_title_are_told(form: str) -> None:
    names = ["Anna Schmidt", "Anne-Marie Roux", "Maria van der Berg", "Tom O'Neil", "周小舟"]
    files = [form.format(name) for name in names]

    assert [one.person for one in guess_authors([*files, "list.csv"])] == [*names, ""]


def test_a_listed_name_is_found_in_one_word_with_the_title() -> None:
    files = ["张三的作文.txt", "高一2班李四读书报告.docx", "王五一的作文.docx"]
    listed = [Member("张三"), Member("李四"), Member("王五")]
    assigned = assign_members(files, [Authorship() for _ in files], listed)

    assert [one.person for one in assigned] == ["张三", "李四", ""]


def test_a_pattern_of_ones_own() -> None:
    found = read_authors(["k12_Emma.txt", "else.txt"], r"k(?P<number>\d+)_(?P<person>\w+)\.")

    assert [one.to_meta() for one in found] == [{"person": "Emma", "number": "12"}, {}]


@pytest.mark.parametrize("pattern", ["(", "(?P<title>.*)", "no groups"])
def test_a_pattern_that_names_nobody_is_refused(pattern: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_authors(["a"], pattern)

    assert caught.value.code == "people_pattern"


@pytest.mark.parametrize(("fitting", "proposed"), [(11, ""), (12, "number_name")])
def test_a_plain_pattern_is_proposed_from_three_fifths_of_the_names(
    fitting: int, proposed: str
) -> None:
    names = [
        f"20210101{number:02d}-{chr(0x4E00 + 40 * number)}梓涵.docx" for number in range(fitting)
    ]
    beside = [f"beside {chr(97 + number)}.txt" for number in range(20 - fitting)]

    assert find_pattern([*names, *beside]) == proposed


LISTED = [
    Member("王梓涵", "2021010101", "一组"),
    Member("陈思远", "2021010102", "一组"),
    Member("Emma Clarke", "77001", "二组", "eclarke"),
    Member("李明", "2021010104", "二组"),
    Member("李明", "2021010105", "二组"),
]


def test_columns_are_read_by_their_headings() -> None:
    chinese = [["序号", "学号", "姓名", "班级"], ["1", "2021", "王梓涵", "一班"], ["", "", "", ""]]
    english = [["First name", "Surname", "ID number", "Groups", "Email address"],
               ["Emma", "Clarke", "77001", "", "e@x.example"]]  # fmt: skip

    assert read_members(chinese) == [Member("王梓涵", "2021", class_name="一班")]
    assert read_members(english) == [Member("Emma Clarke", "77001", "", "e@x.example")]
    assert read_members([["姓", "名"], ["欧阳", "若兰"]]) == [Member("欧阳若兰")]
    with pytest.raises(BadInput, match="class_list"):
        read_members([["x", "y"], ["1", "2"]])


def test_class_and_group_are_two_columns_that_vary() -> None:
    both = read_members(
        [["姓名", "班级", "小组"], ["张三", "一班", "甲组"], ["李四", "一班", "乙组"]]
    )
    form = read_members(
        [["Name", "Section", "Team"], ["Ann", "10C", "red"], ["Bob", "10C", "blue"]]
    )
    assert both == [
        Member("张三", group="甲组", class_name="一班"),
        Member("李四", group="乙组", class_name="一班"),
    ]
    assert [(one.class_name, one.group) for one in form] == [("10C", "red"), ("10C", "blue")]
    without = read_members([["姓名", "小组"], ["张三", "高一3班"], ["李四", "高一3班"]])
    beside = read_members(
        [["姓名", "班级", "组"], ["张三", "一班", "全体"], ["李四", "一班", "全体"]]
    )
    assert {(one.class_name, one.group) for one in without} == {("高一3班", "")}
    assert {(one.class_name, one.group) for one in beside} == {("一班", "")}


def test_the_number_of_a_platform_is_no_number_of_the_list() -> None:
    files = ["某人_31001_assignsubmission_file_/报告.docx"]
    listed = [Member("张三", "31001"), Member("李四", "31002")]

    assert match_members(files, read_authors(files, "moodle"), listed) == [None]


def test_names_are_found_without_their_marks() -> None:
    files = ["rouxannemarie_1_2_x.txt", "anne marie roux.docx", "oneiltom_3_4_y.txt"]
    listed = [Member("Anne-Marie Roux"), Member("Tom O'Neil")]
    assigned = assign_members(files, [Authorship() for _ in files], listed)

    assert [one.person for one in assigned] == [
        *("Anne-Marie Roux", "Anne-Marie Roux", "Tom O'Neil")
    ]


def test_files_are_put_to_members_and_the_rest_is_missing() -> None:
    names = [
        "2021010101.docx",  # by number
        "作业 陈思远 终稿.docx",  # by a name inside the file name
        "eclarke_essay.txt",  # by login
        "李明.docx",  # two of them
        "nobody.txt",
    ]
    found = [Authorship() for _ in names]
    assigned = assign_members(names, found, LISTED)

    assert [(one.person, one.group) for one in assigned] == [
        *(("王梓涵", "一组"), ("陈思远", "一组"), ("Emma Clarke", "二组"), ("", ""), ("", ""))
    ]
    matched = match_members(names, found, LISTED)
    assert matched[3:] == [None, None]
    assert {*range(len(LISTED))} - {*matched} == {3, 4}


def test_files_of_one_person_are_found_by_turned_names_and_numbers() -> None:
    names = ["Clarke, Emma - draft.txt", "emma_clarke_final.txt", "clarkeemma_1_2_x.txt"]
    assigned = assign_members(names, read_authors(names, "canvas"), LISTED)
    assert [one.number for one in assigned] == ["77001"] * 3
    assert len({*match_members(names, read_authors(names, "canvas"), LISTED)}) == 1
    names = ["2021010105-李明.docx"]
    assigned = assign_members(names, read_authors(names, "number_name"), LISTED)
    assert assigned[0] == Authorship("李明", "2021010105", group="二组")


def test_only_groups_and_persons_are_left_out_never_a_class() -> None:
    authorships = [
        Authorship("张三", class_name="一班", group="甲组"),
        Authorship("李四", class_name="一班", group="甲组"),
        Authorship("李明", class_name="一班", platform="1"),
        Authorship("李明", class_name="一班", platform="2"),
        Authorship("李明", class_name="一班", platform="2"),
    ]
    texts = [Document.from_text(str(row), name=str(row)) for row in range(len(authorships))]
    documents = assign_authors(texts, authorships)
    left, right = np.triu_indices(len(documents), 1)
    same = mark_same_author(documents, person=True, group=True)(left, right)

    pairs = np.stack([left, right], axis=1)[same]
    assert pairs.tolist() == [[0, 1], [3, 4]]
    assert count_pairs_apart(documents, new=5, inside=True, person=True, group=True) == 2


# --------------------------------------------------------------------------- layouts
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


#: layout -> the names in it
LAYOUTS: dict[Callable[[int, str], str], list[str]] = {
    canvas: ENGLISH,
    chaoxing: CHINESE,
    classroom: ENGLISH,
    teams: ENGLISH,
    chat: CHINESE,
}


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda one: one.__name__)
def test_a_class_of_thirty_is_told_and_nobody_else(
    layout: Callable[[int, str], str], record_property
) -> None:
    names = LAYOUTS[layout]
    order = random.Random(layout.__name__).sample(names, len(names))
    files = [layout(row, name) for row, name in enumerate(order)]
    found = [one.person for one in guess_authors([*files, "task.docx", "名单.csv"])]
    # joined, in small letters: what the platform writes
    told = [canvas(0, name).partition("_")[0] for name in order] if layout is canvas else order
    right = sum(a == b for a, b in zip(told, found, strict=False))
    record_property("outcome", f"{layout.__name__}: {right} of 30 told")

    assert found == [*told, "", ""]
    listed = [Member(name) for name in names]
    assigned = assign_members(files, guess_authors(files, bare=False), listed)
    assert [one.person for one in assigned] == order


#: an example with two names, and (person, number, class, group) of the first: of 38 layouts
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
    "张三-作文.docx": ("张三", "", "", ""),
    "张三 作文《我的家》.docx": ("张三", "", "", ""),
    "张三的作文.docx": ("张三", "", "", ""),
    "张三/期中作文.docx": ("张三", "", "", ""),
    "张三《我的家》.docx": ("张三", "", "", ""),
    "12.张三.docx": ("张三", "", "", ""),
    "01 张三 作文.docx": ("张三", "", "", ""),
    "作文（张三）.docx": ("张三", "", "", ""),
    "高一(2)班-张三-我的家.docx": ("张三", "", "高一(2)班", ""),
    "高一（2）班张三《我的家》.docx": ("张三", "", "高一（2）班", ""),
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
    first = guess_authors([name, second(name)])[0]

    assert (first.person, first.number, first.class_name, first.group) == (
        *(person, number, class_name, group),
    )


@pytest.mark.parametrize("name", BARE)
def test_bare_names_are_left_to_a_class_list(name: str) -> None:
    listed = [Member("张三", "1"), Member("王五", "3")]
    found = guess_authors([name, second(name)], bare=False)

    assert found == [Authorship(), Authorship()]
    assigned = assign_members([name, second(name)], found, listed)
    assert [one.person for one in assigned] == ["张三", ""]


@pytest.mark.parametrize(
    "names",
    [
        ["读书报告.docx", "我的作文.docx", "语文作业.docx"],
        ["开题报告20261120.docx", "中期报告20261211.docx"],
        ["作业-终稿.docx", "作业-初稿.docx"],
        ["【作文】我的家.docx", "【随笔】秋天.docx"],
        ["作业20261120.docx", "作业20261121.docx"],
        ["高中作文.docx", "周末作文.docx", "周记-秋天.docx"],
        ["高一二班/作文.docx", "高一三班/作文.docx"],
        ["方案（初稿）.docx", "方案（终稿）.docx"],
        ["张三的作文.docx", "李四《我的家》.doc", *(f"chapter {n}.txt" for n in range(4))],
    ],
)
def test_words_are_no_persons(names: list[str]) -> None:
    assert [one.person for one in guess_authors(names)] == [""] * len(names)


def test_a_word_beside_persons_is_none_unless_others_share_its_title() -> None:
    found = guess_authors(
        [f"{word}.docx" for word in ("张三", "李四", "王五", "赵六", "题目", "方案")]
    )
    assert [one.person for one in found] == ["张三", "李四", "王五", "赵六", "", ""]
    files = [f"{name}-作文.docx" for name in ("张三", "李四", "王五", "李娜")]
    assert [one.person for one in guess_authors(files)] == ["张三", "李四", "王五", "李娜"]
    assert guess_authors(["张三.docx", "李四.docx", "李娜.docx"])[2] == Authorship()


def test_one_name_with_two_numbers_of_a_platform_is_two_persons() -> None:
    files = [f"李明_{n}_assignsubmission_file_/{t}.docx" for n, t in ((1, "a"), (1, "b"), (2, "a"))]
    keys = identify_persons(read_authors(files, "moodle"))

    assert keys[0] == keys[1] != keys[2]
    same_name = [Authorship("李明"), Authorship("李明", platform="1")]
    assert identify_persons(same_name) == ["李明"] * 2
    same_number = [Authorship("李明", "7"), Authorship("", "7"), Authorship()]
    assert identify_persons(same_number) == ["7", "7", ""]


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize(
    "piece", [*"a1字- _/班组(", "1-", "a - ", "字-", "班-", "a/", " 号", "字班"]
)
def test_patterns_of_names_are_linear(pattern: str, piece: str) -> None:
    """At most nine times as long for four times the name, as far as it can be measured."""

    def seconds(length: int) -> float:
        name = piece * (length // len(piece)) + "!"
        began = time.process_time()
        read_authors([name] * 4, pattern)
        return time.process_time() - began

    seconds(100)
    short, long = seconds(1_000), seconds(4_000)

    assert long < 0.05 or long <= 9 * short, (short, long)


@given(
    st.lists(st.tuples(*map(st.sampled_from, (["", "a", "b"], ["", "g"], "12"))), max_size=8),
    st.integers(0, 8),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_pairs_that_are_compared_are_those_counted_one_by_one(made_by, new, inside, person, group):
    documents = [
        Document(str(row), f"{row}.txt", "", meta={"person": who, "group": where, "platform": by})
        for row, (who, where, by) in enumerate(made_by)
    ]
    new = min(new, len(documents))
    who = {"person": person, "group": group}
    same = mark_same_author(documents, **who)
    compared = sum(
        not same(np.array([a]), np.array([b]))[0]
        for b in range(len(documents))
        for a in range(min(b, new))
        if inside or b >= new
    )
    apart = count_pairs_apart(documents, new=new, inside=inside, **who)

    assert count_pairs(new, len(documents) - new, inside=inside, apart=apart) == compared


def test_a_pupil_is_who_handed_in_a_text():
    names = ("Ann Lee", "Ann Lee", "Bo Chan、Ann Lee", "", "Cy Day")
    documents = [
        Document(str(row), f"{row}.txt", "", meta={"person": name} if name else {})
        for row, name in enumerate(names)
    ]

    assert group_by_pupil(documents) == ([(0, 1, 2), (2,), (4,)], [3])
