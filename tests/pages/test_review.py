"""The review desk without a browser: decide, undo, redo, notes, two tabs on one check."""

from __future__ import annotations

from dataclasses import replace

import pytest
from desk_tab import Tab, kept
from page_texts import COPY, ESSAY

from simhash_core import Document, check
from tests import task_class

UNDO, REDO, UNDO_NOTE = {"type": "undo"}, {"type": "redo"}, {"type": "undo", "note": True}
SAME = ((ESSAY, "a"), (COPY, "b"))


@pytest.fixture
def opened(result):
    """The sample essays, checked and kept in memory."""
    return kept(result)


@pytest.fixture
def tab(opened):
    return Tab(opened, "en")


def note(tab: Tab, words: str, row: int | None = None) -> str:
    return tab.does({"type": "note", "row": tab.row if row is None else row, "note": words})


def test_a_decision_is_said_and_the_next_case_opens(opened, language):
    tab = Tab(opened, language)
    said = tab.decides("confirmed")

    assert {"zh": "第 1 案", "en": "Case 1, "}[language] in said
    assert {"zh": "已确认", "en": "onfirmed"}[language] in said
    assert tab.shown["case"]["title"] == {"zh": "第 2 案", "en": "Case 2"}[language]
    assert tab.ticks == "cuuuuuu"


def test_undo_says_what_it_undid_and_redo_brings_it_back(opened, language):
    tab = Tab(opened, language)
    tab.decides("later")
    tab.does({"type": "step", "way": -1})
    tab.decides("no_problem", "quotation")
    mark = {"zh": ("无问题 · 引文", "稍后再看"), "en": ("no problem · quotation", "later")}[
        language
    ]
    undone = tab.does(UNDO)
    assert tab.ticks == "luuuuuu"
    assert undone.index(mark[0]) < undone.index(mark[1])
    assert tab.shown["strip"]["can"] == {"verdict": True, "note": False, "undo": True}
    redone = tab.does(REDO)

    assert tab.ticks == "nuuuuuu"
    assert redone.index(mark[1]) < redone.index(mark[0])
    assert tab.shown["case"]["reason"] == "quotation"


def test_undo_opens_the_case_that_it_changes_and_search_finds_what_was_decided(tab):
    for _ in range(3):
        tab.decides("confirmed")
    tab.does(UNDO)
    assert tab.shown["case"]["title"] == "Case 3"
    tab.does(UNDO)
    assert tab.shown["case"]["title"] == "Case 2"
    tab.does(REDO, REDO)
    assert tab.ticks == "cccuuuu"
    assert tab.does(REDO) == "Nothing to redo."
    # search finds what was just decided
    tab.decides("later")
    tab.does({"type": "search", "query": "later"})
    assert tab.shown["queue"]["n"] == 1
    tab.does({"type": "search", "query": ""})
    assert tab.shown["queue"]["n"] == 7


def test_a_note_is_never_removed_by_the_key_for_decisions(opened, language):
    """As a teacher lost one: a note, a verdict, and two presses of U."""
    tab = Tab(opened, language)
    row = tab.row
    note(tab, "talk to both first")
    tab.decides("confirmed")
    tab.does(UNDO)
    said = tab.does(UNDO)

    assert said == {"zh": "没有可撤回的判断。", "en": "No decision to undo."}[language]
    assert [one.note for one in opened.project.decisions().values()] == ["talk to both first"]
    assert tab.row == row
    assert tab.shown["case"]["note"] == "talk to both first"


def test_a_note_has_an_undo_and_a_redo_of_its_own(opened, language):
    tab = Tab(opened, language)
    note(tab, "first")
    note(tab, "second")
    tab.decides("confirmed")
    back = tab.does(UNDO_NOTE)
    assert (tab.shown["case"]["note"], tab.ticks) == ("first", "cuuuuuu")
    assert {"zh": "批注已撤回", "en": "Note withdrawn"}[language] in back
    assert "first" in back
    gone = tab.does(UNDO_NOTE)
    assert gone.startswith({"zh": "批注已撤回：“first”", "en": "Note withdrawn: “first”"}[language])
    assert tab.shown["case"]["note"] == ""
    restored = tab.does(REDO, REDO)

    assert tab.shown["case"]["note"] == "second"
    assert "second" in restored
    assert (
        tab.does(UNDO_NOTE, UNDO_NOTE, UNDO_NOTE)
        == {"zh": "没有可撤回的批注。", "en": "No note to undo."}[language]
    )
    assert tab.ticks == "cuuuuuu"


def test_no_problem_moves_on_and_a_digit_gives_its_reason(opened, language):
    tab = Tab(opened, language)
    first = tab.row
    tab.decides("no_problem")
    assert tab.ticks == "nuuuuuu"
    assert tab.row != first
    asked = tab.shown["strip"]["asked"]
    assert asked["row"] == first
    assert {"zh": "第 1 案", "en": "Case 1"}[language] in tab.shown["strip"]["text"]
    assert asked["lead"] == {"zh": "原因？", "en": "Why?"}[language]
    second = tab.row
    said = tab.decides("no_problem", "quotation")

    assert tab.ticks == "nuuuuuu"
    assert (tab.row, tab.shown["strip"]["asked"]) == (second, None)
    assert {"zh": "无问题 · 引文", "en": "no problem · quotation"}[language] in said
    tab.does(UNDO)
    assert tab.ticks == "uuuuuuu"  # one undo takes back both
    assert tab.row == first


def test_a_digit_typed_ahead_belongs_to_the_decision_before_it(tab):
    """Both keys are sent before the next case is drawn."""
    event = {"type": "decide", "row": tab.row, "verdict": "no_problem"}
    tab.does({**event, "reason": ""}, {**event, "reason": "common"})

    assert tab.ticks == "nuuuuuu"
    assert tab.shown["case"]["title"] == "Case 2"
    tab.does({"type": "step", "way": -1})
    assert tab.shown["case"]["reason"] == "common"


@pytest.mark.parametrize("event", [{"type": "step", "way": 1}, UNDO_NOTE, REDO])
def test_a_digit_decides_the_open_case_after_anything_else(tab, event):
    tab.decides("no_problem")
    tab.does(event)
    assert tab.shown["strip"]["asked"] is None
    at = int(tab.shown["case"]["title"].removeprefix("Case ")) - 1
    tab.decides("no_problem", "common")

    assert tab.ticks[at] == "n"
    assert tab.ticks.count("n") == 2


def test_a_cluster_is_taken_back_at_once(tab):
    inside = next(row for row in tab.shown["queue"]["rows"] if row["inside"])
    tab.does({"type": "open", "row": inside["row"]})
    rest = tab.shown["case"]["cluster"]["rest"]
    tab.decides("confirmed", whole=True)
    assert tab.ticks.count("c") == rest + 1
    assert f"{rest + 1} cases" in tab.shown["strip"]["text"]
    undone = tab.does(UNDO)

    assert tab.ticks.count("c") == 0
    assert f"{rest + 1} cases" in undone
    tab.does(REDO)
    assert tab.ticks.count("c") == rest + 1


@pytest.mark.long
def test_the_tab_that_was_overtaken_shows_what_holds(opened, language):
    """Two tabs decide one case at the same moment."""
    one, other = Tab(opened, language, "Wu"), Tab(opened, language, "Lin")
    one.decides("confirmed")
    said = other.decides("no_problem", "quotation")
    assert {"zh": "刚判为“已确认”", "en": "just been decided elsewhere"}[language] in said
    assert other.ticks == "nuuuuuu"
    one.look()

    assert one.ticks == "nuuuuuu"
    assert "Lin" in one.shown["strip"]["text"]
    assert {"zh": "无问题 · 引文", "en": "no problem · quotation"}[language] in one.shown["strip"][
        "text"
    ]


@pytest.mark.long
def test_what_another_tab_decides_is_said_and_stands_against_undo(opened):
    one, other = Tab(opened, "en"), Tab(opened, "en", "Lin")
    one.decides("confirmed")
    other.look()
    assert other.shown["case"]["title"] == "Case 1"
    assert other.shown["case"]["verdict"] == "confirmed"
    assert "is now “confirmed”, changed by another window" in other.shown["strip"]["text"]
    other.decides("later")
    said = one.does(UNDO)

    assert one.ticks == "luuuuuu"
    assert "a later decision stands, “later”" in said


def test_decisions_about_other_things_are_not_taken_back_here(opened, tab):
    """What all got, decided on the page of variants, is undone there."""
    from simhash_core.storage import Subject

    group = Subject.group("given to all")
    opened.project.decide([group], verdict="no_problem")

    assert tab.does(UNDO) == "No decision to undo."
    assert group in opened.project.decisions()


# --------------------------------------------------------------- evidence, many, the end


@pytest.fixture
def at_class():
    """A small class with its task sheet, checked and kept in memory."""
    return kept(task_class.checked())


def test_a_case_names_its_longest_passage_and_folds_the_task_on_both_sides(at_class, language):
    shown = Tab(at_class, language).shown["case"]
    task, own = (line["fold"] for line in shown["lines"] if "fold" in line)

    assert shown["longest"] == "1.1"
    label = {"zh": "题目 67 字", "en": "Task sheet, 67 chars"}[language]
    assert [side["label"] for side in task] == [label] * 2
    assert {side["tag"] for side in task} == {{"zh": "不计", "en": "left out"}[language]}
    assert [side["tag"] for side in own] == ["", ""]
    assert {"zh": "以上 6 段没有重合，236 字", "en": "6 paragraphs above share nothing"}[
        language
    ] in own[0]["label"]
    struck = [run for side in task for paragraph in side["paragraphs"] for run in paragraph]
    assert all(run[4] for run in struck)


def test_a_search_shows_many_and_one_act_decides_them(at_class):
    tab = Tab(at_class, "en")
    tab.does({"type": "search", "query": "run<100"})
    rows = tab.shown["bulk"]["rows"]
    assert tab.shown["case"] is None
    assert {row["texts"][1][:3] for row in rows} == {"院子里", "修伞的", "电影散"}
    assert all(len(row["texts"][0]) <= 8 for row in rows)  # seven characters and an ellipsis
    chosen = [row["row"] for row in rows[:2]]
    said = tab.does({"type": "decide_all", "rows": chosen, "verdict": "no_problem"})
    assert said == "2 cases: no problem."
    assert tab.shown["strip"]["asked"] == {"row": -1, "lead": "Why?"}
    reason = {"type": "decide", "row": -1, "verdict": "no_problem", "reason": "common"}
    assert tab.does(reason) == "2 cases: no problem · common phrase."
    assert sorted(tab.ticks) == list("nnuu")
    decided = at_class.project.pair_decisions().values()
    assert [(one.reason, one.together) for one in decided] == [("common", True)] * 2
    tab.does(UNDO)
    assert tab.ticks == "uuuu"
    assert tab.shown["bulk"]["rows"]  # what was looked at stays


def test_after_the_last_case_the_desk_ends_and_undo_still_works(at_class):
    tab = Tab(at_class, "en")
    tab.decides("confirmed")
    assert [one.together for one in at_class.project.pair_decisions().values()] == [False]
    tab.decides("later")
    rest = [row["row"] for row in tab.shown["queue"]["rows"] if row["state"] == "undecided"]
    tab.does({"type": "decide_all", "rows": rest, "verdict": "confirmed"})
    end = tab.shown["end"]
    assert tab.shown["case"] is None
    assert end["title"] == "1 left"  # what is put off is not decided
    assert tab.shown["words"]["end"] == "1 left; see the summary"
    assert end["headline"] == "4 cases: 3 confirmed, 1 later."
    assert end["later"]["button"] == "See the case put off"
    assert [square["state"] for square in end["squares"]].count("confirmed") == 3
    assert [one["text"] for one in end["cautions"]] == [
        *["confirmed, no note yet"] * 3,
        "the report will say so",
    ]
    tab.does({"type": "open", "row": end["later"]["row"]})
    assert tab.shown["end"] is None
    note(tab, "talked to both")
    tab.decides("no_problem")
    assert tab.shown["end"]["later"] is None
    assert tab.shown["end"]["title"] == "All decided"
    assert tab.shown["words"]["end"] == "All decided: see the summary"
    assert Tab(at_class, "zh").shown["end"]["headline"] == "4 案：确认 3，无问题 1。"
    tab.does(UNDO)
    assert tab.shown["case"]["verdict"] == "later"
    tab.does({"type": "end"})
    assert tab.shown["end"] is not None


def write(tab: Tab, words: str) -> str:
    """Press M and write: the field knows whose note it is."""
    return tab.does({"type": "note", "row": tab.shown["strip"]["writes"]["row"], "note": words})


@pytest.mark.parametrize("verdict", ["confirmed", "no_problem", "later"])
def test_the_note_is_of_the_case_just_decided_until_something_else_is_done(
    opened, verdict, language
):
    tab = Tab(opened, language)
    first = tab.row
    tab.decides(verdict)
    field = tab.shown["strip"]["writes"]
    assert field["row"] == first != tab.row
    assert {"zh": "第 1 案", "en": "Case 1"}[language] in field["label"]
    said = write(tab, "talk to both on Monday")
    assert {"zh": "第 1 案", "en": "Case 1"}[language] in said
    assert tab.shown["strip"]["writes"]["row"] == tab.row  # what is written next is about this one
    if verdict == "no_problem":
        tab.decides("no_problem", "common")  # its question is still there
        assert [one.reason for one in opened.project.decisions().values()] == ["common"]
    assert [one.note for one in opened.project.decisions().values()] == ["talk to both on Monday"]

    tab.does({"type": "step", "way": 1})
    assert tab.shown["strip"]["writes"]["row"] == tab.row
    write(tab, "mine")
    assert tab.shown["case"]["note"] == "mine"
    ((_, held),) = [one for one in opened.project.pair_decisions().items() if one[1].verdict]
    assert (held.verdict, held.note) == (verdict, "talk to both on Monday")


def test_the_note_of_the_last_case_has_its_field_at_the_end(tab):
    last = None
    while tab.shown["case"]:
        last = tab.row
        tab.decides("confirmed")
    assert tab.shown["end"] and tab.shown["strip"]["writes"]["row"] == last


def test_one_key_on_texts_of_several_files_says_how_many_cases_it_decides(language):
    first, second = (Document.from_text(text, name=name) for text, name in SAME)
    documents = [replace(first, name=f"{n}.txt") for n in range(3)] + [second]
    tab = Tab(kept(check(documents)), language)
    several = {"zh": "另外 2 案", "en": "2 other cases"}[language]
    assert {"zh": "一次判断一并算数", "en": "one decision is about all"}[language] in tab.shown[
        "case"
    ]["again"]
    said = tab.decides("no_problem")
    assert several in said
    assert tab.ticks.count("n") == 3
    said = tab.does(UNDO)
    assert several in said
    assert set(tab.ticks) == {"u"}
