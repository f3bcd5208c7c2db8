"""A class list against the files."""

from __future__ import annotations

import pytest

from simhash_core.errors import BadInput
from simhash_core.people.class_list import Member, assign, members
from simhash_core.people.patterns import Authorship, authors

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
