"""A class list against the files."""

from __future__ import annotations

import numpy as np
import pytest

from simhash_core import Document
from simhash_core.checking.authorship import pairs_of_same_author, same_author, with_authors
from simhash_core.errors import BadInput
from simhash_core.people import Authorship, Member, assign, authors, members

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

    assert members(chinese) == [Member("王梓涵", "2021", class_name="一班")]
    assert members(english) == [Member("Emma Clarke", "77001", "", "e@x.example")]
    assert members([["姓", "名"], ["欧阳", "若兰"]]) == [Member("欧阳若兰")]
    with pytest.raises(BadInput, match="class_list"):
        members([["x", "y"], ["1", "2"]])


def test_class_and_group_are_two_columns() -> None:
    both = members([["姓名", "班级", "小组"], ["张三", "一班", "甲组"], ["李四", "一班", "乙组"]])
    form = members([["Name", "Section", "Team"], ["Ann", "10C", "red"], ["Bob", "10C", "blue"]])

    assert both == [
        Member("张三", group="甲组", class_name="一班"),
        Member("李四", group="乙组", class_name="一班"),
    ]
    assert [(one.class_name, one.group) for one in form] == [("10C", "red"), ("10C", "blue")]


def test_one_value_in_the_whole_column_is_no_group() -> None:
    without = members([["姓名", "小组"], ["张三", "高一3班"], ["李四", "高一3班"]])
    beside = members([["姓名", "班级", "组"], ["张三", "一班", "全体"], ["李四", "一班", "全体"]])

    assert {(one.class_name, one.group) for one in without} == {("高一3班", "")}
    assert {(one.class_name, one.group) for one in beside} == {("一班", "")}


def test_the_number_of_a_platform_is_no_number_of_the_list() -> None:
    files = ["某人_31001_assignsubmission_file_/报告.docx"]
    listed = [Member("张三", "31001"), Member("李四", "31002")]

    assert assign(files, authors(files, "moodle"), listed).unlisted == (0,)


def test_names_are_found_without_their_marks() -> None:
    files = ["rouxannemarie_1_2_x.txt", "anne marie roux.docx", "oneiltom_3_4_y.txt"]
    listed = [Member("Anne-Marie Roux"), Member("Tom O'Neil")]
    assigned = assign(files, [Authorship() for _ in files], listed)

    assert [one.person for one in assigned.authors] == [
        *("Anne-Marie Roux", "Anne-Marie Roux", "Tom O'Neil"),
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
    assigned = assign(names, found, LISTED)

    assert [(one.person, one.group) for one in assigned.authors] == [
        *(("王梓涵", "一组"), ("陈思远", "一组"), ("Emma Clarke", "二组"), ("", ""), ("", "")),
    ]
    assert assigned.unlisted == (3, 4)
    assert assigned.missing == (LISTED[3], LISTED[4])


def test_several_files_of_one_person_and_turned_names() -> None:
    names = ["Clarke, Emma - draft.txt", "emma_clarke_final.txt", "clarkeemma_1_2_x.txt"]
    assigned = assign(names, authors(names, "canvas"), LISTED)

    assert [one.number for one in assigned.authors] == ["77001"] * 3
    assert len(assigned.missing) == 4


def test_a_number_decides_where_names_do_not() -> None:
    names = ["2021010105-李明.docx"]
    assigned = assign(names, authors(names, "number_name"), LISTED)

    assert assigned.authors[0] == Authorship("李明", "2021010105", group="二组")


def test_only_groups_and_persons_are_left_out_never_a_class() -> None:
    authorships = [
        Authorship("张三", class_name="一班", group="甲组"),
        Authorship("李四", class_name="一班", group="甲组"),
        Authorship("李明", class_name="一班", platform="1"),
        Authorship("李明", class_name="一班", platform="2"),
        Authorship("李明", class_name="一班", platform="2"),
    ]
    texts = [Document.from_text(str(row), name=str(row)) for row in range(len(authorships))]
    documents, _ = with_authors(texts, authorships)
    left, right = np.triu_indices(len(documents), 1)
    same = same_author(documents, person=True, group=True)(left, right)

    pairs = np.stack([left, right], axis=1)[same]
    assert pairs.tolist() == [[0, 1], [3, 4]]
    assert pairs_of_same_author(documents, person=True, group=True) == 2
