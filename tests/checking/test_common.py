"""What many texts hold is found before they are compared, and in how many pairs it stands."""

from __future__ import annotations

from itertools import combinations

import pytest

from simhash_core.checking import CommonPassages
from simhash_core.checking.tokenizing import read_text
from simhash_core.model import Document
from simhash_core.policy import LINK_RUN
from simhash_core.settings import Settings
from tests.prose import chinese, english, replaced

TASK = (
    "请阅读指定的一章，写一篇不少于七百字的读书报告，说明作者怎样提出问题，并联系自己的经历。"
    "引用须注明出处，十一月二十日前交到平台。"
)
LIST = """参考文献
[1] 费孝通. 乡土中国[M]. 北京: 人民出版社, 2008.
[2] 费孝通. 江村经济[M]. 上海: 上海人民出版社, 2007."""
COPIED = chinese(900, 90)


def hand_in(number: int) -> Document:
    task = TASK.replace("七百", "八百") if number == 3 else TASK  # typed again, with a slip
    parts = [
        *([task] if number < 12 else []),
        chinese(number, 400),
        *([COPIED] if number in (1, 5, 14) else []),
        chinese(number + 100, 200),
        *([LIST] if number % 3 == 0 else []),
    ]
    return Document.from_text("\n\n".join(parts), name=f"{number}.txt")


@pytest.fixture(scope="module")
def texts() -> list[Document]:
    return [hand_in(number) for number in range(20)]


def test_a_task_a_bibliography_and_a_copied_paragraph_are_told_apart(texts: list[Document]) -> None:
    found = CommonPassages(texts, [], Settings()).passages

    assert [(one.kind, one.reason, one.place, one.rows) for one in found] == [
        ("task", "first_in_most", "start", tuple(range(12))),
        ("copied", "body", "body", (1, 5, 14)),
        ("references", "bibliography", "end", (0, 3, 6, 9, 12, 15, 18)),
    ]
    parts = (TASK, COPIED, LIST)
    assert all(one.text.strip() in part for one, part in zip(found, parts, strict=True))
    assert all(one.text == texts[one.row].text[one.start : one.end] for one in found)


@pytest.mark.parametrize("copying", [4, 8])
def test_what_some_copied_right_below_the_task_is_a_passage_of_its_own(copying: int) -> None:
    copied = chinese(901, 300)
    texts = [
        Document.from_text(
            f"{TASK}\n\n{copied if n < copying else ''}\n{chinese(n, 400)}", name=f"{n}"
        )
        for n in range(24)
    ]
    by_kind = {one.kind: one for one in CommonPassages(texts, [], Settings()).passages}

    assert {kind: len(one.rows) for kind, one in by_kind.items()} == {"task": 24, "copied": copying}
    assert by_kind["task"].text.strip() == TASK
    assert by_kind["copied"].text.strip().endswith(copied)  # below the last words of the task


def test_what_is_a_persons_own_in_a_common_passage_is_not_shown() -> None:
    head = "青山中学高一年级语文作业第三次，姓名：{}，学号：{}，" + TASK
    texts = [
        Document.from_text(
            f"{head.format(chinese(700 + n, 3), 31000 + n)}\n{chinese(n, 400)}", name=f"{n}"
        )
        for n in range(12)
    ]
    (passage,) = CommonPassages(texts, [], Settings()).passages

    assert passage.text.startswith(
        f"青山中学高一年级语文作业第三次，姓名：{chinese(700 + passage.row, 3)}"
    )
    assert passage.shared == f"青山中学高一年级语文作业第三次，姓名：…，{TASK}"
    assert passage.text == texts[passage.row].text[passage.start : passage.end]


def test_what_the_teacher_gave_is_recognised_even_edited(texts: list[Document]) -> None:
    given = [Document.from_text(f"作业要求\n{TASK.replace('须', '应')}", name="task.txt")]

    assert CommonPassages(texts, given, Settings()).passages[0].reason == "as_given"


def test_pairs_are_those_that_share_a_run_of_words(texts: list[Document]) -> None:
    found = CommonPassages(texts, [], Settings())
    tokens = [read_text(one.text, Settings()).token.tolist() for one in texts]
    runs = [{tuple(t[i : i + LINK_RUN["zh"]]) for i in range(len(t) - 12)} for t in tokens]

    linked = sum(bool(runs[a] & runs[b]) for a, b in combinations(range(20), 2))
    assert found.pairs(frozenset()) == linked
    assert found.pairs(frozenset({0, 2})) == 3


def test_texts_that_share_nothing_and_few_texts_have_nothing_in_common() -> None:
    apart = [Document.from_text(english(n, 300), name=f"{n}.txt") for n in range(10)]
    assert CommonPassages(apart, [], Settings()).passages == ()
    assert CommonPassages(apart[:2], [], Settings()).passages == ()
    assert CommonPassages([], [], Settings()).pairs(frozenset()) == 0


def test_an_english_task_of_which_every_twentieth_word_was_changed_is_held_by_all() -> None:
    task = english(50, 80)
    texts = [
        Document.from_text(f"{replaced(task, 0.05 * (n % 2), n)}\n\n{english(n, 300)}", name=f"{n}")
        for n in range(12)
    ]
    (found,) = CommonPassages(texts, [], Settings()).passages

    assert (found.kind, len(found.rows)) == ("task", 12)
