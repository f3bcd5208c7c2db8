"""Two texts side by side: every word once, paragraphs that belong together, changes listed."""

from __future__ import annotations

import pytest

from simhash_core import check_texts
from simhash_core.numbers import divide_pair
from simhash_core.people.masking import Mask
from simhash_core.report.collation.folding import Fold, Line
from simhash_core.report.collation.reading import Change, Match, changes
from simhash_core.report.collation.sheet import Collation, collate, set_beside
from simhash_core.result import CheckResult, list_rows
from simhash_core.seen import stretches_of


def compared(left: str, right: str) -> list[tuple[str, str]]:
    listed = changes(
        left,
        right,
        cut_left=lambda start, end: left[start:end],
        cut_right=lambda start, end: right[start:end],
    )
    return [(change.left, change.right) for change in listed]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("我父亲教化学", "我舅舅教化学", [("父亲", "舅舅")]),
        ("找学生面谈，三成", "找学生谈话，三成", [("面谈", "谈话")]),
        ("今年试用了平台", "今年开始试用平台", [("", "开始"), ("了", "")]),
        ("一看便知，可有人", "一看便知，但有人", [("可", "但")]),
        ("four years ago I", "five years ago we", [("four", "five"), ("I", "we")]),
        ("same words", "Same words", []),
    ],
)
def test_changes_are_listed_as_a_reader_would(left, right, expected):
    assert compared(left, right) == expected


def sheet_of(result: CheckResult, at: int, *, texts: bool = True) -> Collation:
    row = int(list_rows(result)[at])
    a = result.documents[int(result.table.pairs.left[row])]
    b = result.documents[int(result.table.pairs.right[row])]
    passages = result.passages.take(result.passages.pair == row)
    masks = (Mask(a.text), Mask(b.text))
    return collate(a, b, passages, stretches_of(result, row), masks=masks, texts=texts)


@pytest.mark.parametrize("at", range(7))
def test_a_sheet_holds_every_word_and_every_number_once_on_each_side(essays, at):
    sheet = sheet_of(essays, at)
    row = int(list_rows(essays)[at])
    for side, index in (("left", essays.table.pairs.left), ("right", essays.table.pairs.right)):
        shown = "".join(
            run.text
            for line in sheet.lines
            for paragraph in getattr(line, side)
            for run in paragraph
        )
        assert "".join(shown.split()) == "".join(essays.documents[int(index[row])].text.split())
    # every passage is numbered once on each side
    numbers = sorted(entry.number for entry in sheet.entries)
    for side in ("left", "right"):
        opened = [
            run.passage
            for line in sheet.lines
            for paragraph in getattr(line, side)
            for run in paragraph
            if run.opens
        ]
        assert sorted(opened) == numbers
    lines = [line for line in sheet.lines if isinstance(line, Line)]
    assert sorted(number for line in lines for number, _ in line.numbers) == numbers


def test_kinds_of_a_sheet_add_up_with_or_without_its_texts(essays):
    sheet = sheet_of(essays, 1)
    first, _ = divide_pair(essays, int(list_rows(essays)[1]))
    kinds = {kind: units for kind, _, units in sheet.kinds(first)}
    assert set(kinds) == {"identical", "reworded"}
    assert kinds["identical"] == first.identical
    assert sum(kinds.values()) == first.shared
    # without texts only the apparatus is made
    sheet = sheet_of(essays, 1, texts=False)
    assert not sheet.lines
    assert Change("父亲", "舅舅") in sheet.entries[2].changes


def match(a: tuple[int, int], b: tuple[int, int]) -> Match:
    return Match(1, "identical", "identical", a, b, 1.0)


def test_paragraphs_stand_beside_what_they_share_most_with_in_the_order_of_both():
    left, right = [(0, 10), (11, 30), (31, 50)], [(0, 9), (10, 30), (31, 40), (41, 50)]
    assert set_beside(left, right, [match((11, 30), (10, 30))]) == [
        ((0,), ()),
        ((), (0,)),
        ((1,), (1,)),
        ((2,), ()),
        ((), (2,)),
        ((), (3,)),
    ]
    # one paragraph on the left is two on the right
    assert set_beside(left, right, [match((31, 50), (31, 50))])[-1] == ((2,), (2, 3))
    # paragraphs in another order keep the order of both texts
    ranges = [(0, 10), (11, 40), (41, 50)]
    rows = set_beside(ranges, ranges, [match((0, 10), (41, 50)), match((11, 40), (11, 40))])
    assert ((1,), (1,)) in rows
    for side in (0, 1):
        assert [index for row in rows for index in row[side]] == [0, 1, 2]


def test_of_long_texts_only_what_is_near_a_passage_is_set():
    filler = [
        f"段落{n}讲述第{n}条河流的源头、长度、流域面积和沿岸城市{'，水量丰沛' * 30}。"
        for n in range(40)
    ]
    common = "清晨码头雾气弥漫渔船陆续靠岸搬运工赤脚踩着湿滑木板把一筐筐银色带鱼抬进冷库计重登记。"
    a = "\n".join([*filler[:20], common])
    b = "\n".join([common, *(line.replace("河流", "山脉").replace("水量丰沛", "云雾缭绕")
                             for line in filler[20:])])  # fmt: skip
    result = check_texts({"a": a, "b": b})
    sheet = sheet_of(result, 0)

    assert not sheet.whole
    assert any(isinstance(line, Fold) for line in sheet.lines)
    assert len(sheet.lines) < 12
