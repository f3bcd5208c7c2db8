"""Every number that a report prints, against an example computed by hand."""

from __future__ import annotations

import pytest

import simhash_core as core
from simhash_core.i18n import translator
from simhash_core.model import Document
from simhash_core.report.build import match_groups, report_of
from simhash_core.report.content import Indicators, Wanted
from simhash_core.report.gathering import find_left_out, indicators, measure_shared, units_of
from simhash_core.report.words import Words
from simhash_core.result import CheckResult
from simhash_core.seen import Exclusions, exclude, given_ranges
from simhash_core.text.lengths import Units, count_units

from .conftest import MADE

# 45, 40 and 15 Han characters; no two of them share a word
FIRST = "清晨码头雾气弥漫渔船陆续靠岸搬运工赤脚踩着湿滑木板把一筐筐银色带鱼抬进冷库计重登记装箱贴签"
SECOND = "数学竞赛培训班每周六上午开课主讲教授偏爱几何证明题目难度逐年提高去年仅三名学员得满分"
OWN = "外婆腌制酸菜讲究坛子必须用井水刷净再晒足三个整日方可封存越冬食用"
OTHER_B = "火车站广场改造工程因地下管线复杂延期半年市民绕行意见很大媒体持续跟进报道"
OTHER_C = "昆虫标本采集需要耐心夜间灯诱效果最佳注意记录经纬度海拔温湿度以及植被类型"

OTHERS = (OTHER_B, OTHER_C, "老街茶馆午后坐满听书人惊堂木一拍全场安静连跑堂都停下脚步竖起耳朵")


def han(text: str, n: int) -> str:
    assert len(text) >= n
    return text[:n]


A = f"{han(FIRST, 45)}。\n{han(SECOND, 40)}。\n{han(OWN, 15)}。"
B = f"{OTHER_B}。\n{han(FIRST, 45)}。"
C = f"{han(SECOND, 40)}。\n{OTHER_C}。"


def check(*, authors: tuple[str, str, str] = ("", "", "")) -> CheckResult:
    documents = [
        Document.from_text(text, name=name, **({"author": author} if author else {}))
        for text, name, author in zip((A, B, C), "abc", authors, strict=True)
    ]
    return core.check(documents)


def of_a(result: CheckResult) -> Indicators:
    return indicators(result, 0, measure_shared(result, None, units_of(result)))


def test_the_numbers_of_a_text_are_those_computed_by_hand() -> None:
    measures = measure_shared(result := check(), None, units_of(result))
    numbers = indicators(result, 0, measures)

    assert (numbers.division.whole, numbers.division.unit) == (100, "characters")
    assert numbers.division.shared == 85  # 重合字数: 45 + 40
    assert numbers.division.total == pytest.approx(0.85)  # 总复制比
    assert numbers.largest.total == pytest.approx(0.45)  # 单篇最大复制比
    assert numbers.largest_row == 1
    assert numbers.longest_run == 45  # 最长相同
    assert numbers.division.share("identical") == pytest.approx(0.85)
    assert (numbers.passages, numbers.sources) == (2, 2)
    assert numbers.without_own is None

    assert measures.units_in(0, [(0, 4), (2, 6), (6, 7), (9, 10)]) == 8


def test_texts_of_the_same_author_do_not_count_where_they_are_left_out() -> None:
    numbers = of_a(check(authors=("陈思远", "林晓雨", " 陈思远 ")))

    assert numbers.division.total == pytest.approx(0.85)
    assert numbers.without_own == pytest.approx(0.45)  # 去除本人已发表文献复制比: without C

    numbers = of_a(check(authors=("陈思远", "林晓雨", "")))

    assert numbers.without_own == numbers.division.total


def quoting() -> CheckResult:
    """Return the same texts with the 45 characters in quotation marks."""
    marked = [text.replace(han(FIRST, 45), f"“{han(FIRST, 45)}”") for text in (A, B, C)]
    return core.check([Document.from_text(m, name=n) for m, n in zip(marked, "abc", strict=True)])


def test_quotations_fall_out_of_both_sides_of_the_fraction() -> None:
    """45 of 100 characters are a shared quotation, 40 are shared otherwise: 40 / 55 is left."""
    result = quoting()

    assert float(result.total_overlap[0]) == pytest.approx(0.85)
    assert float(measure_shared(result, None, units_of(result)).without_quoted[0]) == pytest.approx(
        40 / 55
    )  # 去除引用文献复制比

    view = exclude(quoting(), Exclusions(zones=("quotations",)))
    (out,) = find_left_out(view.result, view, units_of(view.result))

    assert (out.kind, out.texts, out.units) == ("quotations", 2, 90)
    assert float(view.result.total_overlap[0]) == pytest.approx(40 / 55)
    assert float(
        measure_shared(view.result, view, units_of(view.result)).without_quoted[0]
    ) == pytest.approx(40 / 55)
    report = report_of(view.result, Wanted(kind="class", made=MADE, exclusions=view),
                       translator("zh"))  # fmt: skip
    assert "引文（90）" in Words.of(report, "zh").settings()
    assert "quotations (90)" in Words.of(report, "en").settings()


def test_a_text_that_shares_nothing_has_zeros() -> None:
    result = core.check([Document.from_text(text, name=text[:2]) for text in (OTHER_B, OTHER_C)])
    numbers = indicators(result, 0, measure_shared(result, None, units_of(result)))

    assert (numbers.division.shared, numbers.division.total) == (0, 0.0)
    assert (numbers.largest.total, numbers.largest_row) == (0.0, -1)
    assert (numbers.longest_run, numbers.sources) == (0, 0)


def test_what_was_given_to_all_counts_nowhere() -> None:
    """Four texts share 40 characters that were given to all; the first shares 45 more of 100."""
    result = core.check_texts(
        {"a": A, "b": B}
        | {str(row): f"{part}。\n{han(SECOND, 40)}。" for row, part in enumerate(OTHERS)}
    )
    (group,) = range(len(result.common))
    view = exclude(result, Exclusions(variants=True), variants=given_ranges(result, [group]))
    measures = measure_shared(view.result, view, units_of(view.result))

    assert float(view.result.total_overlap[0]) == pytest.approx(45 / 60)
    assert float(measures.without_quoted[0]) == pytest.approx(45 / 60)  # nothing is quoted
    assert measures.units_in(0, measures.spans(measures.find(0))) == 45


def test_shared_lengths_never_exceed_the_text(essays: CheckResult) -> None:
    found = measure_shared(essays, None, units_of(essays))
    for row in range(len(essays.documents)):
        numbers = indicators(essays, row, found)

        assert 0 <= numbers.division.shared <= numbers.division.whole
        assert numbers.longest_run <= numbers.division.whole
        assert numbers.largest.total <= numbers.division.total + 1e-6
        assert numbers.division.shared / numbers.division.whole == pytest.approx(
            numbers.division.total, abs=0.05
        )


def test_match_groups_tell_how_what_is_shared_is_marked() -> None:
    """By hand: 12 units quoted and cited, 8 quoted, 9 cited, 6 neither."""
    parts = (
        "“The old ferry leaves the northern pier at dawn and carries nobody” (Smith, 2020).",
        "“His dog sleeps under the bench until sunrise.”",
        "An island comes into sight behind the fog bank (Miller, 2019).",
        "Rain falls on the quiet harbour.",
    )
    filler = " Nothing of this stands anywhere else, and it goes on so that no note is near. "
    text = filler.join(parts)
    ends = (12, 8, 9, 6)
    spans = []
    for part in parts:
        start = text.index(part)
        inner = part.strip("“”").split("”")[0].split(" (")[0].rstrip(".")
        spans.append((text.index(inner, start), text.index(inner, start) + len(inner)))
    assert [count_units(text[a:b]) for a, b in spans] == list(ends)

    groups = match_groups(text, spans, Units(text))
    assert groups == {"quoted_cited": (1, 12), "quoted": (1, 8), "cited": (1, 9), "neither": (1, 6)}
