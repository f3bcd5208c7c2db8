"""Known answers for the zones of a text, and what holds for any text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.text.zones import _CONTENTS_END, _LEADERS_END, ZONE_KINDS, zones

CHINESE = """《论雷同》课程作业

姓名：张三
学号：20210001
班级：计科2101

目录
一、引言........1
二、方法........2

一、引言
鲁迅说：“其实地上本没有路，走的人多了，也便成了路”[1]。她只说了“不行”，我没有听懂“为什么。
这是下一段，上一段的引号没有闭合，「这里」另有引用（李四，2019）。

> 这是一段块引用，来自一本书，
> 共两行。

参考文献
[1] 鲁迅. 故乡[M]. 北京: 人民文学出版社, 1921.
[2] 李四. 论雷同[J]. 语文, 2019(3): 12-15.

这一段在文献之后，是正文。

致 谢
感谢我的老师。
附录一
表格。
"""
ENGLISH = """Name: Ann Lee
Student ID: 12345

My Essay

As Smith (2020) says, "the river was high" and we don't "know why. "A new start" it was.
He wrote ‘don’t look’ (Jones & Lee, 2019, p. 3). A 6" pipe and "good" water.

The critic put it so:

    A line that is set back
    and goes on.

References
Smith, J. (2020). The river. Oxford: OUP.
Jones, A. and Lee, B. (2019) Banks of the river, Journal of Water, 3(2),
  pp. 1-3. https://x.example

Acknowledgements
I thank my cat.
"""


def quoted(text: str, kind: str) -> list[tuple[str, str]]:
    return [(zone.reason, text[zone.start : zone.end]) for zone in zones(text, [kind])]


def test_quotations_of_a_chinese_and_an_english_text() -> None:
    assert quoted(CHINESE, "quotations") == [
        ("cited", "“其实地上本没有路，走的人多了，也便成了路”"),
        ("cited", "「这里」"),
        ("block", "> 这是一段块引用，来自一本书，\n> 共两行。"),
    ]
    assert quoted(ENGLISH, "quotations") == [
        ("cited", '"the river was high"'),
        ("cited", "‘don’t look’"),
        ("block", "A line that is set back\n    and goes on."),
    ]


def test_references_end_with_their_last_entry_and_need_no_heading() -> None:
    ((reason, chinese),) = quoted(CHINESE, "references")
    ((_, english),) = quoted(ENGLISH, "references")
    assert reason == "heading"
    assert chinese.startswith("参考文献") and chinese.endswith("2019(3): 12-15.")
    assert english.startswith("References") and english.endswith("https://x.example")
    entries = "\n".join(f"[{n}] 作者. 书名[M]. 北京, 200{n}." for n in (1, 2, 3))
    text = f"正文到此为止。\n\n{entries}\n\n又是正文，二〇二〇年。"
    assert quoted(text, "references") == [("entries", entries)]
    assert (
        quoted("正文。\n1. 第一步，打开门。\n2. 第二步，走进去。\n3. 第三步。", "references") == []
    )


def test_citations_are_what_names_a_source() -> None:
    assert quoted(CHINESE, "citations")[:2] == [
        ("numbered", "[1]"),
        ("author_year", "（李四，2019）"),
    ]
    assert [text for _, text in quoted(ENGLISH, "citations")[:2]] == [
        "(2020)",
        "(Jones & Lee, 2019, p. 3)",
    ]
    assert (
        quoted("In summer (it was hot) the list a[12345] (and 1998 others) grew.", "citations")
        == []
    )


def test_cover_contents_thanks_and_headings() -> None:
    assert quoted(CHINESE, "cover")[0][1].endswith("计科2101")
    assert quoted(CHINESE, "contents") == [
        ("heading", "目录\n一、引言........1\n二、方法........2")
    ]
    assert quoted(CHINESE, "acknowledgements") == [("heading", "致 谢\n感谢我的老师。")]
    assert quoted(ENGLISH, "cover")[0][1] == "Name: Ann Lee\nStudent ID: 12345"
    assert quoted(ENGLISH, "acknowledgements")[0][1].endswith("cat.")
    assert "一、引言" in [text for _, text in quoted(CHINESE, "headings")]
    assert quoted(ENGLISH, "headings") == [
        ("short", "My Essay"),
        ("titled", "References"),
        ("titled", "Acknowledgements"),
    ]


def test_running_lines_repeat_far_apart() -> None:
    page = "The river rose in the night and nobody on the bank had slept. " * 8
    pages = "\n".join(f"{page}\nRivers of the north {n}\n- {n} -" for n in (1, 2, 3))
    refrain = "\n".join("And the river rose.\nA short line between." for _ in range(5))

    assert [text for _, text in quoted(pages, "running_lines")] == [
        *("Rivers of the north 1", "- 1 -", "Rivers of the north 2", "- 2 -"),
        *("Rivers of the north 3", "- 3 -"),
    ]
    assert quoted(refrain, "running_lines") == []


@pytest.mark.parametrize("mark", list('“‘「『《"'))
def test_a_mark_that_never_closes_stays_in_its_paragraph(mark: str) -> None:
    text = (
        f"他说{mark}这一句没有结束。\n" + "这是正文里的一段话，很长很长。\n" * 50 + "最后”’」』》"
    )

    assert all(zone.end - zone.start < 30 for zone in zones(text, ["quotations"]))


def test_first_lines_set_in_are_no_quotation() -> None:
    prose = "\n".join(f"　　第{n}段从这里开始，写了一些话。\n\n标题{n}" for n in range(6))
    dialogue = (
        "He came in.\n\t'Yes,' he said.\n\t'No,' she said.\nThey left the room.\nAnd came back."
    )

    assert [z for z in zones(prose, ["quotations"]) if z.reason == "block"] == []
    assert [z for z in zones(dialogue, ["quotations"]) if z.reason == "block"] == []


@pytest.mark.parametrize(("lines", "quoted"), [(3, True), (4, True), (5, False)])
def test_lines_set_in_are_a_quotation_where_they_are_at_most_half_of_a_text(
    lines: int, quoted: bool
) -> None:
    around = "The first line of a text.\nThe critic put it so:\n"
    text = around + "    A line that is set back.\n" * lines + "And so it ends.\nOr it may not."

    assert ("block" in [z.reason for z in zones(text, ["quotations"])]) is quoted


PIECES = st.sampled_from(
    [
        *("“", "”", "‘", "’", '"', "「", "」", "《", "》", "\n", "\n\n", "    ", "　　", "> "),
        *("参考文献\n", "References\n", "[1]", "（李四，2019）", "(Lee, 2020)", "目录\n", "致谢\n"),
        *(
            "1. ",
            "[J]",
            "姓名：",
            "- 3 -\n",
            "第一章 ",
            "河水涨了。",
            "The river rose. ",
            "\r\n",
            "🙂",
        ),
    ]
)


@given(st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=60).map("".join)))
def test_zones_of_any_text_are_sorted_disjoint_and_inside(text: str) -> None:
    for kind in ZONE_KINDS:
        reached = 0
        for zone in zones(text, [kind]):
            assert zone.kind == kind
            assert reached <= zone.start < zone.end <= len(text)
            reached = zone.end


@pytest.mark.parametrize(("entries", "listed"), [(2, 0), (3, 1)])
def test_three_entries_without_a_heading_make_a_list(entries: int, listed: int) -> None:
    lines = [f"[{n}] 李四. 论雷同[J]. 语文, 201{n}(3): 12-15." for n in range(1, entries + 1)]
    text = "\n".join(["正文到这里结束。", "", *lines, ""])

    assert len(zones(text, ("references",))) == listed


@given(st.text(".·…⋯-— \t1ixa字", max_size=12))
def test_the_end_of_a_line_tells_a_table_of_contents(line: str) -> None:
    """Against the whole line written as one pattern, which takes quadratic time."""
    titled = re.compile(r".*?(?:[.·…⋯‥\-—]{2,}|\s)\s*(?:\d{1,4}|[ivxl]{1,6})")
    leaders = re.compile(r".+?(?:\.{3,}|(?:\.\s){3,}|·{3,}|…+|⋯+)\s*\d{1,4}")

    assert bool(_CONTENTS_END.search(line)) == bool(titled.fullmatch(line))
    assert bool(_LEADERS_END.search(line)) == bool(leaders.fullmatch(line))
