"""Who handed in what: versions of one person, and a class list against what was handed in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from simhash_core import check
from simhash_core.checking import keep_latest_versions
from simhash_core.model import Document, Skipped
from simhash_core.people.authorship import assign_authors, list_hand_ins
from simhash_core.people.names import guess_authors
from simhash_core.people.roster import Member
from tests.prose import english

MOODLE = "class.zip/{}_{}_assignsubmission_file_/{}"


def hand_in(person: str, file: str, text: str, **meta: str) -> Document:
    document = Document.from_text(text, name=MOODLE.format(person, 1, file))
    return replace(document, meta={"person": person, **meta})


@pytest.mark.parametrize(
    ("first", "second", "stands"),
    [
        ("读书报告（终稿）.docx", "读书报告.docx", 0),
        ("report v2.docx", "report v1.docx", 0),
        ("report.docx", "report(1).docx", 1),
        ("第一稿.docx", "第二稿.docx", 1),
        ("essay.docx", "essay old.docx", 0),
        ("golden.docx", "threshold.docx", 1),
        ("a.docx", "b.docx", 1),  # nothing says so: the one given later
    ],
)
def test_of_two_versions_the_later_is_compared(first: str, second: str, stands: int) -> None:
    text = english(1, 200)
    files = [
        hand_in("Ann Lee", first, text),
        hand_in("Ann Lee", second, text[:900] + english(2, 60)),
    ]
    latest, earlier = keep_latest_versions([*files, hand_in("Bo Chan", "1.docx", text)])

    assert latest == [files[stands], latest[-1]]
    assert [(one.name, one.code, one.params) for one in earlier] == [
        (files[1 - stands].name, "earlier_version", {"name": files[stands].name})
    ]
    pairs = check(latest, skipped=earlier).table.pairs
    assert (pairs.left.tolist(), pairs.right.tolist()) == ([0], [1])


@pytest.mark.parametrize(("kept", "versions"), [(11, 0), (12, 1)])
def test_versions_share_half_of_the_runs_of_the_shorter_one(kept: int, versions: int) -> None:
    """20 words have 16 runs of five; of the first 12 words there are 8, of 11 words 7."""
    words = [f"word{n}" for n in range(20)]
    other = [*words[:kept], *(f"other{n}" for n in range(20 - kept))]
    both = [hand_in("Ann Lee", f"{n}.docx", " ".join(one)) for n, one in enumerate((words, other))]

    assert len(keep_latest_versions(both)[1]) == versions


def test_different_works_of_one_person_and_texts_of_nobody_are_all_compared() -> None:
    texts = [
        hand_in("Ann Lee", "1.docx", english(3, 200)),
        hand_in("Ann Lee", "2.docx", english(4, 200)),
        *(Document.from_text(english(5, 100), name=name) for name in ("x", "y")),
        *(hand_in("Cy Poe", f"{n}.docx", english(6, 200)) for n in range(6)),  # a portfolio
    ]
    assert keep_latest_versions(texts) == (texts, [])


def test_each_member_of_a_class_list_stands_in_one_of_three_lists() -> None:
    listed = [Member("张三", "1"), Member("李四", "2"), Member("王五", "3"), Member("赵六", "4")]
    documents = [Document.from_text("文" * 80, name=MOODLE.format("张三", 11, "读书报告.docx"))]
    documents = assign_authors(
        documents, guess_authors([one.name for one in documents]), listed=listed
    )
    skipped = [
        Skipped(MOODLE.format("张三", 11, "1.jpg"), "unsupported"),  # he has a text beside it
        Skipped(MOODLE.format("李四", 12, "1.pages"), "unsupported"),
        Skipped(MOODLE.format("王五", 13, "1.docx"), "damaged"),
        Skipped("desktop.ini", "unsupported"),
    ]
    every = list_hand_ins(documents, skipped, listed)

    assert [(one.member.person, one.state, one.unread) for one in every] == [
        ("张三", "read", (0,)),
        ("李四", "unread", (1,)),
        ("王五", "unread", (2,)),
        ("赵六", "missing", ()),
    ]


def test_a_text_that_several_made_is_handed_in_by_each_of_them() -> None:
    listed = [Member("张三", "1"), Member("李四", "2"), Member("王五", "3")]
    text = Document.from_text("文" * 80, name="小组.docx", person="张三、李四")
    every = list_hand_ins(
        [text, Document.from_text("字" * 80, name="b", person="赵六；钱七")], [], listed
    )

    assert [(one.member.person, one.texts) for one in every] == [
        ("张三", (0,)), ("李四", (0,)), ("王五", ()), ("钱七", (1,)), ("赵六", (1,)),
    ]  # fmt: skip  # who is not on the list: by Pinyin
