"""The short reports: a page for parents that names nobody else, two pages for the head."""

from __future__ import annotations

import re

import pypdfium2
import pytest

import simhash_core as core
from simhash_core.i18n import translator
from simhash_core.model import Decision, Decisions, Document, Skipped
from simhash_core.people.roster import Member
from simhash_core.report import short
from simhash_core.report.build import QUOTED, report_of, shared_with
from simhash_core.report.collation.folding import Fold, Line
from simhash_core.report.content import Course, Report, Wanted
from simhash_core.report.formats import file_name, write_report
from simhash_core.report.gathering import measure_shared, units_of
from simhash_core.report.kinds import story
from simhash_core.report.words import Words
from simhash_core.result import CheckResult
from simhash_core.review import cases
from simhash_core.seen import Exclusions, exclude
from simhash_core.seen.exclusion_view import ExclusionView
from simhash_core.seen.thresholds import view_at_threshold

from .conftest import MADE, cases_of
from .test_formats import READ

TASK = (
    "题目：读一本书，写一篇读书报告，先说清楚书里讲了什么，再说自己见过的一件事，最后写出同意与否。"
)
FOLDER = "{}_{}_assignsubmission_file_/读书报告.docx"
NAMES = ("赵晨曦", "潘美辰", "罗一鸣", "唐诗涵", "秦岚", "韩磊")
OLD = "沈一凡"
LIST = (*NAMES, "丁浩然", "蒋文博")
COURSE = Course("高一（3）班", "《乡土中国》读书报告", "林老师")
_HAN = (
    "山水云雨风雪花草木石天地日月星辰江河湖海东西南北春夏秋冬早晚前后左右高低远近长短轻重快慢冷暖"
)


def prose(seed: int, n: int = 90) -> str:
    """A paragraph of n characters that shares nothing with that of another seed."""
    state, made = seed * 7919 + 13, []
    for at in range(n):
        state = (state * 1103515245 + 12345) % 2**31
        made.append(_HAN[state // 65536 % len(_HAN)] + ("，" if at % 13 == 12 else ""))
    return "".join(made).rstrip("，") + "。"


def essay(*paragraphs: str) -> str:
    return "\n".join([TASK, *paragraphs])


def own(seed: int, n: int = 5) -> list[str]:
    return [prose(100 * seed + at) for at in range(n)]


@pytest.fixture(scope="module")
def handed_in() -> ExclusionView:
    """Six pupils, one of whom shares with two others and with last year; one file is locked."""
    bodies = [own(seed) for seed in range(len(NAMES) + 1)]
    bodies[1][1:4] = bodies[0][1:4]  # 潘美辰 has three paragraphs of 赵晨曦
    bodies[2][2] = bodies[0][4]  # 罗一鸣 one
    bodies[6][0] = bodies[0][0]  # last year's text as well
    bodies[3][2] = bodies[4][2]
    files = [
        Document.from_text(
            essay(*body), name=FOLDER.format(name, 123400 + at), person=name, number=str(20260 + at)
        )
        for at, (name, body) in enumerate(zip((*NAMES, OLD), bodies, strict=True))
    ]
    result = core.check(
        files[:-1],
        against=files[-1:],
        skipped=[Skipped(FOLDER.format("丁浩然", 123409), "encrypted")],
    )
    return exclude(result, Exclusions(templates=(TASK,)))


def decided(result: CheckResult, *verdicts: Decision) -> Decisions:
    listed = cases(result, view_at_threshold(result, result.threshold), {})
    return {case.key: verdict for case, verdict in zip(listed, verdicts, strict=False)}


def confirmed(note: str = "") -> Decision:
    return Decision("confirmed", "", note, "林老师", MADE)


def made(view: ExclusionView, kind: str, decisions: Decisions, **given: object) -> Report:
    given = {"course": COURSE, "members": tuple(map(Member, LIST)), "checked": MADE, **given}
    wanted = Wanted(kind=kind, made=MADE, decisions=decisions, exclusions=view, **given)  # type: ignore[arg-type]
    return report_of(view.result, wanted, translator("zh"))


def ends(view: ExclusionView) -> list[set[str]]:
    """The two persons of each case, in the order of the desk."""
    listed = cases(view.result, view_at_threshold(view.result, view.result.threshold), {})
    people = [document.meta["person"] for document in view.result.documents]
    return [{people[case.a], people[case.b]} for case in listed]


def test_the_cases_of_the_class_are_those_that_were_planted(handed_in: ExclusionView) -> None:
    assert {frozenset(pair) for pair in ends(handed_in)} == {
        frozenset({"赵晨曦", "潘美辰"}),
        frozenset({"赵晨曦", "罗一鸣"}),
        frozenset({"赵晨曦", OLD}),
        frozenset({"唐诗涵", "秦岚"}),
    }


# --------------------------------------------------------------------------- for parents
@pytest.mark.parametrize("name", ["html", "pdf"])
def test_the_page_for_parents_names_nobody_else(handed_in: ExclusionView, name: str) -> None:
    note = confirmed("潘美辰说是从赵晨曦那里借来看的；请罗一鸣也来。")
    decisions = decided(handed_in.result, note, note, note, note)
    report = made(handed_in, "person", decisions, rows=(0,))
    shown = READ[name](write_report(report, name, "zh"))

    assert "赵晨曦" in shown and "[姓名]说是从赵晨曦那里借来" in "".join(shown.split())
    others = {*LIST, OLD} - {"赵晨曦"}
    assert [one for one in others if one in "".join(shown.split())] == []
    assert not re.search(r"\.docx|assignsubmission|1234\d\d", shown)
    assert "高一（3）班" in shown and "《乡土中国》读书报告" in shown and "林老师" in shown


def test_the_page_for_parents_is_one_and_ends_in_the_upper_half(handed_in: ExclusionView) -> None:
    report = made(handed_in, "person", decided(handed_in.result, confirmed("先谈。")), rows=(0,))
    pages = pypdfium2.PdfDocument(write_report(report, "pdf", "zh"))
    text = pages[0].get_textpage()
    found = text.search("教师", index=text.get_text_range().rindex("教师")).get_next()

    assert len(pages) == 1
    assert text.get_charbox(found[0])[1] > pages[0].get_height() / 2


def test_only_confirmed_cases_count_on_the_page_for_parents(handed_in: ExclusionView) -> None:
    """Of five paragraphs three are in the confirmed case, two more in cases that are not."""
    first = ends(handed_in).index({"赵晨曦", "潘美辰"})
    verdicts = [Decision("later")] * first + [confirmed()]
    report = made(handed_in, "person", decided(handed_in.result, *verdicts), rows=(0,))
    one = report.shown

    assert (one.division.identical, one.division.own, one.division.counted) == (270, 180, 450)
    assert one.sources == (("pupil", 1),) and one.paragraphs == (2, 3, 4)
    assert one.left_out == (("template", one.division.left_out),)
    words = Words.of(report, "zh")
    said = "".join(text for text, _ in short.said_of_pupil(words, one))
    assert said == "这篇作业里，270 字与同班一位同学的作业重合，占计入的 450 字的 60%。"
    assert short.say_where(words, one).startswith("正文第 2 至第 4 段。题目单共 ")


def test_several_sources_are_told_by_what_they_are_and_one_is_quoted(handed_in):
    decisions = decided(handed_in.result, *[confirmed()] * 4)
    report = made(handed_in, "person", decisions, rows=(0,))
    one = report.shown

    assert (one.division.identical, one.division.own) == (450, 0)
    said = "".join(text for text, _ in short.said_of_pupil(Words.of(report, "zh"), one))
    assert "与往年的一篇作业和同班 2 位同学的作业重合" in said
    assert [pair.case for pair in one.cases] == sorted(pair.case for pair in one.cases)
    english = Words.of(report, "en")
    assert "an earlier year and the work of 2 other pupils" in "".join(
        text for text, _ in short.said_of_pupil(english, one)
    )

    assert one.cut and 20 < len(one.quote) <= QUOTED
    assert one.quote in handed_in.result.documents[0].text
    assert short.quotation(Words.of(report, "zh"), one).endswith("……”")


def test_without_a_confirmed_case_the_page_says_so_and_pairs_give_the_total(handed_in):
    report = made(handed_in, "person", {}, rows=(0,))
    shown = READ["pdf"](write_report(report, "pdf", "zh"))

    assert "这篇作业里没有确认的重合。" in shown
    assert "是什么" not in shown and "潘美辰" not in shown

    result = handed_in.result
    measures = measure_shared(result, handed_in, units_of(result))
    whole = shared_with(result, 0, report.pairs, measures)

    assert len(report.pairs) == 3
    assert whole == report.texts[0].indicators.division


# --------------------------------------------------------------------------- head of department
def test_a_member_stands_in_the_picture_once_in_the_order_of_the_list(handed_in):
    report = made(handed_in, "class", decided(handed_in.result, confirmed()))
    roll = report.shown

    assert [seat.name for seat in roll.seats] == list(LIST)
    assert [seat.state for seat in roll.seats] == ["read"] * 6 + ["unread", "missing"]
    words = Words.of(report, "zh")
    assert [short.say_below(words, seat) for seat in roll.seats[-2:]] == ["密码", "未交"]
    assert {seat.name for seat in roll.seats if seat.cases} == ends(handed_in)[0]
    said = "".join(text for text, _ in short.sentence_of_class(words, roll))
    assert said.startswith("8 人里 6 人的作业读到了。5 人有些文字只和个别人相同，或整篇相同。")
    assert "确认 1 案，涉及 2 人" in said
    assert roll.whole - roll.counted == sum(row.units for row in report.facts.left_out)


def test_two_drafts_of_one_pupil_are_one_sheet() -> None:
    first, second = own(1), own(2)
    files = [
        Document.from_text(essay(*body), name=f"{at}.docx", person=name)
        for at, (name, body) in enumerate(
            [("赵晨曦", first), ("赵晨曦", [*first[:4], prose(7)]), ("潘美辰", second)]
        )
    ]
    report = report_of(core.check(files), Wanted(kind="class", made=MADE), translator("zh"))

    assert [(seat.name, seat.rows) for seat in report.shown.seats] == [
        ("赵晨曦", (0, 1)),
        ("潘美辰", (2,)),
    ]


def test_a_report_for_the_head_has_two_pages(handed_in: ExclusionView) -> None:
    verdicts = [confirmed("先谈。"), confirmed(), Decision("no_problem", "quotation"),
                Decision("no_problem")]  # fmt: skip
    report = made(handed_in, "class", decided(handed_in.result, *verdicts))
    pages = pypdfium2.PdfDocument(write_report(report, "pdf", "zh"))
    text = [page.get_textpage().get_text_bounded() for page in pages]

    assert len(text) == 2
    assert "确认的 2 案" in text[0] and "没有问题的 2 案" in text[0] and "先谈。" in text[0]
    assert "全部判完" in text[0] and "阶段报告" not in text[0]
    assert not re.search(r"\.docx|assignsubmission", "".join(text))


def test_an_open_case_makes_the_report_interim_and_nothing_confirmed_is_said(handed_in):
    report = made(handed_in, "class", decided(handed_in.result, confirmed(), Decision("later")))
    shown = READ["html"](write_report(report, "html", "zh"))

    assert "阶段报告，还有 3 案未判" in shown and "还没有判的 3 案" in shown

    verdicts = [Decision("no_problem", "common")] * 4
    shown = READ["html"](
        write_report(made(handed_in, "class", decided(handed_in.result, *verdicts)), "html", "zh")
    )

    assert "还没有确认的案。" in shown and "没有确认的案；4 案没有问题" in shown


def test_many_cases_without_a_problem_are_one_row_a_reason(handed_in: ExclusionView) -> None:
    decisions = decided(handed_in.result, *[Decision("no_problem", "quotation")] * 4)
    ((numbers, names, reason),) = short.list_cleared(
        Words.of(made(handed_in, "class", decisions), "zh")
    )

    assert (numbers, names) == ("2–5", "4 案")
    assert reason == "引文：最长相同 90 至 270 字"


# --------------------------------------------------------------------------- names of files
@pytest.mark.parametrize(
    ("kind", "rows", "name"),
    [
        ("class", (), "高一3班-乡土中国读书报告-年级组.pdf"),
        ("person", (0,), "高一3班-乡土中国读书报告-赵晨曦.pdf"),
        ("confirmed", (), "高一3班-乡土中国读书报告-附录.pdf"),
        ("sources", (0,), "高一3班-乡土中国读书报告-赵晨曦-来源.pdf"),
    ],
)
def test_a_file_is_called_by_class_task_and_reader(handed_in, kind, rows, name):
    report = made(handed_in, kind, {}, rows=tuple(rows))
    hidden = made(handed_in, kind, {}, rows=tuple(rows), anonymous=True)

    assert file_name(report, "pdf", "zh") == name
    with_alias = name.replace("赵晨曦", "第001篇").replace(".pdf", "-隐名.pdf")
    assert file_name(hidden, "pdf", "zh") == with_alias


def test_names_hidden_print_no_teacher_and_what_is_left_out_is_a_table(handed_in) -> None:
    report = made(handed_in, "class", {}, anonymous=True)

    assert report.cover.course == Course("高一（3）班", "《乡土中国》读书报告", "")
    assert "林老师" not in READ["html"](write_report(report, "html", "zh"))

    (table,) = [
        one for one in story(Words.of(report, "zh")) if getattr(one, "look", "") == "left_out"
    ]

    assert [row[0] for row in table.rows] == ["题目单"]


def test_a_course_of_a_damaged_project_is_none() -> None:
    assert Course.from_data(None) == Course.from_data(["x"]) == Course()
    assert Course.from_data({"group": 7, "task": "x" * 500, "more": 1}) == Course("7", "x" * 80)


# --------------------------------------------------------------------------- the appendix
def test_the_appendix_folds_what_does_not_count_and_what_is_far_from_a_passage(handed_in):
    report = made(handed_in, "confirmed", decided(handed_in.result, *[confirmed()] * 4))
    words = Words.of(report, "zh")
    for case in cases_of(report):
        folds = [line for line in case.collation.lines if isinstance(line, Fold)]
        assert folds and folds[0].left == folds[0].right
        first = folds[0].left
        assert first is not None and first.reason == "template"
        assert words.folded(first, "characters") == f"题目单 {first.units} 字，不计"
        shown = [run.text for line in case.collation.lines if isinstance(line, Line)
                 for side in (line.left, line.right)
                 for paragraph in side for run in paragraph]  # fmt: skip
        assert not any(TASK[:10] in text for text in shown)
    # the pair shares the third of five paragraphs: the first and the last are folded
    (case,) = [one for one in cases_of(report) if one.pair.a == NAMES.index("唐诗涵")]
    lines = case.collation.lines

    assert [isinstance(line, Fold) for line in lines] == [True, True, False, False, False, True]
    assert [len(line.left) for line in lines if isinstance(line, Line)] == [1, 1, 1]
    assert [line.units for line in lines if isinstance(line, Fold)][1:] == [(90, 90)] * 2


@pytest.mark.long
def test_nine_confirmed_cases_take_at_most_nine_pages() -> None:
    """Eighteen essays of some 600 characters with the task sheet; the first case shares all."""
    shares = (5, 4, 3, 3, 2, 2, 1, 1, 1)
    files = []
    for at, n in enumerate(shares):
        first, second = own(2 * at + 1, 6), own(2 * at + 2, 6)
        second[1 : 1 + n] = first[1 : 1 + n]
        files += [Document.from_text(essay(*first), name=f"{at}a", person=f"甲{at}"),
                  Document.from_text(essay(*second), name=f"{at}b", person=f"乙{at}")]  # fmt: skip
    view = exclude(core.check(files), Exclusions(templates=(TASK,)))
    decisions = decided(view.result, *[confirmed("先谈。")] * 9)
    report = made(view, "confirmed", decisions, members=())
    pages = pypdfium2.PdfDocument(write_report(report, "pdf", "zh"))
    text = [page.get_textpage().get_text_bounded() for page in pages]
    (end,) = (at for at, page in enumerate(text, 1) if "数字是供人判断的线索" in page)

    first = len(view.before.common) + 1  # behind the passages that several hold
    assert len(cases_of(report)) == 9
    assert end <= 9 and all(f"第 {n} 案" in "".join(text[:end]) for n in range(first, first + 9))


# --------------------------------------------------------------------------- what a head reads
LONG = ("Beatrice Lowe", "Daniel Ashworth", "Wilhelmina Featherstonehaugh", "欧阳司徒明月")


@pytest.fixture(scope="module")
def of_long_names() -> CheckResult:
    """Four pupils with names wider than a sheet of the picture; the first two share text."""
    bodies = [own(seed) for seed in (31, 32, 33, 34)]
    bodies[1][:2] = bodies[0][:2]
    both = zip(LONG, bodies, strict=True)
    return core.check(
        [Document.from_text(essay(*body), name=f"{name}.docx", person=name) for name, body in both]
    )


def for_the_head(result: CheckResult, **given: object) -> Report:
    wanted = Wanted("class", MADE, decisions=decided(result, confirmed("先谈。")), **given)  # type: ignore[arg-type]
    return report_of(result, wanted, translator("en"))


def test_the_class_stands_with_whole_names_on_paper(of_long_names: CheckResult) -> None:
    report = for_the_head(of_long_names)
    shown = READ["pdf"](write_report(report, "pdf", "en"))
    picture = "".join(shown[shown.index("The class") : shown.index("Left out")].split())

    for name in LONG:
        assert all(word in picture for word in name.split()), name


def test_the_class_and_the_task_are_the_title_and_else_the_check_names_the_file(handed_in):
    report = made(handed_in, "class", {}, title="34 texts, 26 Nov")
    words = Words.of(report, "en")

    assert words.heading() == "高一（3）班 · 《乡土中国》读书报告"
    assert words.subtitle().startswith("林老师 · 7 texts")
    report = made(handed_in, "class", {}, title="34 texts, 26 Nov", course=Course("10C"))
    assert Words.of(report, "en").heading() == "10C"
    report = made(handed_in, "class", {}, title="34 texts, 26 Nov", course=Course())
    assert Words.of(report, "en").heading() == "34 texts, 26 Nov"
    assert file_name(report, "html", "en") == "34 texts, 26 Nov-head of department.html"


def test_confirmed_cases_come_first_and_the_first_page_is_full(handed_in: ExclusionView) -> None:
    report = made(handed_in, "class", decided(handed_in.result, *[confirmed("先谈。")] * 4))
    pages = pypdfium2.PdfDocument(write_report(report, "pdf", "zh"))
    first = pages[0].get_textpage()
    text = first.get_text_bounded()
    lowest = min(
        first.get_charbox(at)[1] for at in range(first.count_chars())
        if first.get_charbox(at)[1] > 72  # above the foot
    )  # fmt: skip

    assert text.index("确认的 4 案") < text.index("全班") < text.index("不计的文字")
    assert lowest < 0.2 * pages[0].get_height() or len(pages) == 1
