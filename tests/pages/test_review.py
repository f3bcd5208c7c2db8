"""The review desk without a browser: answers, decisions, one undo, two tabs, the end."""

from __future__ import annotations

from dataclasses import replace

import pytest
from desk_tab import Tab, kept
from page_texts import COPY, ESSAY

from simhash_core import Document, check
from simhash_core.cases import guess_answer, list_uses, passage_cases
from simhash_core.storage import Subject
from tests import task_class
from tests.prose import english

UNDO, NEXT = {"type": "undo"}, {"type": "next"}
SAME = ((ESSAY, "a"), (COPY, "b"))


@pytest.fixture
def opened(result):
    """The sample essays, checked and kept in memory."""
    return kept(result)


@pytest.fixture
def tab(opened):
    return Tab(opened, "en")


@pytest.fixture
def at_class():
    """A small class with its task sheet, checked and kept in memory."""
    return kept(task_class.checked())


@pytest.fixture(scope="module")
def quoted():
    """Sixteen essays: five quote one passage of 40 words, another has it without marks."""
    texts, passage = [english(row, 260) for row in range(16)], english(50, 40).rstrip(".")
    for row in range(5):
        texts[row] += f"\n\n{english(70 + row, 30)} “{passage}” {english(80 + row, 30)}"
    texts[5] += f"\n\n{english(75, 30)} {passage} {english(85, 30)}"
    texts[0] += "\n\n" + english(51, 90)
    texts[1] += "\n\n" + english(51, 90)
    return check([Document.from_text(text, name=f"{row}.txt") for row, text in enumerate(texts)])


def note(tab: Tab, words: str) -> str:
    return tab.does({"type": "note", "number": tab.number, "note": words})


def test_the_desk_waits_on_the_case_that_was_decided(opened, language):
    tab = Tab(opened, language)
    said = tab.decides("confirmed")
    assert {"zh": "第 1 案", "en": "Case 1, "}[language] in said
    assert {"zh": "已确认", "en": "confirmed"}[language] in said
    assert (tab.number, tab.ticks) == (1, "cuuuuuu")
    tab.decides("no_problem", "common")  # another key changes it, on the same case
    assert (tab.number, tab.ticks) == (1, "nuuuuuu")
    assert tab.shown["case"]["reason"] == "common"
    note(tab, "both quote it")
    tab.does(NEXT)

    assert (tab.number, tab.shown["said"], tab.shown["case"]["note"]) == (2, "", "")
    ((_, held),) = opened.project.pair_decisions().items()
    assert (held.verdict, held.reason, held.note) == ("no_problem", "common", "both quote it")


def test_one_undo_takes_back_decisions_and_notes_one_by_one_and_opens_the_case(tab):
    tab.decides("later")
    tab.does(NEXT)
    tab.decides("confirmed")
    note(tab, "talk to both")
    tab.does(NEXT)
    assert tab.shown["can_undo"]
    tab.does(UNDO)
    assert (tab.number, tab.shown["case"]["note"], tab.ticks) == (2, "", "lcuuuuu")
    said = tab.does(UNDO)
    assert "Undone. Case 2, " in said and "undecided" in said
    tab.does(UNDO)
    assert (tab.number, tab.ticks) == (1, "uuuuuuu")
    assert not tab.shown["can_undo"]
    assert tab.does(UNDO) == "Nothing to undo."


def test_what_was_decided_before_a_reload_can_be_taken_back(opened, tab):
    tab.decides("confirmed")
    again = Tab(opened, "en")
    assert again.shown["can_undo"]
    again.does(UNDO)
    assert again.ticks == "uuuuuuu"


def test_one_key_decides_one_case_and_the_rest_of_its_group_is_offered():
    first = english(1, 200)
    texts = [first + "\n\n" + english(9 + n, 20) for n in range(3)]
    texts += [english(row, 200) for row in range(3, 6)]
    tab = Tab(
        kept(check([Document.from_text(t, name=f"{n}.txt") for n, t in enumerate(texts)])), "en"
    )
    tab.does({"type": "open", "number": tab.listed["rows"][-1]["number"]})
    tab.decides("confirmed")
    assert tab.ticks == "uuuc"  # a passage of three, and its pairs
    assert tab.shown["case"]["rest"] == "The same for the other 2 cases of this group?"
    said = tab.does({"type": "rest", "number": tab.number})
    assert "the same for 2 more" in said
    assert tab.ticks == "uccc"
    tab.does(UNDO)
    assert tab.ticks == "uuuc"


def test_a_key_does_not_decide_over_what_nobody_has_seen(opened, language):
    one, other = Tab(opened, language, "Wu"), Tab(opened, language, "Lin")
    one.decides("confirmed", seen="undecided")
    said = other.decides("no_problem", seen="undecided")
    assert {"zh": "别处判了", "en": "decided elsewhere"}[language] in said and "Wu" in said
    assert other.ticks == "cuuuuuu"
    other.decides("no_problem", seen="confirmed")
    assert one.look()["ticks"] == "nuuuuuu"
    assert "Lin" in one.shown["said"]


def test_only_what_the_browser_lacks_is_sent(opened):
    tab = Tab(opened, "en")
    assert tab.shown["list"] and tab.shown["case"]["sheet"]
    has = [tab.shown["listed"], tab.shown["case"]["digest"]]
    tab.decides("confirmed", has=has)
    assert tab.shown["list"] is None and tab.shown["case"]["sheet"] is None
    assert len(str(tab.shown)) < 2_000
    tab.does({**NEXT, "has": has})
    assert tab.shown["list"] is None and tab.shown["case"]["sheet"]
    tab.does({"type": "ask"})
    assert tab.shown["list"] and tab.shown["case"]["sheet"]


# --------------------------------------------------------------- passages of several


def test_questions_for_the_class_come_first_with_every_use_and_a_guess(quoted, language):
    tab = Tab(kept(quoted), language)
    case = tab.shown["case"]

    assert [row.get("a") is None for row in tab.listed["rows"]] == [True, False]
    assert (case["kind"], case["guess"], case["state"]) == ("passage", "source", "undecided")
    assert [(use["n"], len(use["rows"])) for use in case["uses"]] == [(5, 5), (1, 1)]
    assert all(all(row) for use in case["uses"] for row in use["rows"])
    assert case["holders"] == "1" * 6 + "0" * 10
    assert {"zh": "6 篇里", "en": "in 6 texts"}[language] in case["effects"]


def test_an_answer_counts_at_once_stays_on_its_case_and_is_taken_back(quoted):
    opened = kept(quoted)
    tab = Tab(opened, "en")
    (passage,) = passage_cases(quoted)
    said = tab.decides("source")
    assert "quotation or source" in said
    assert (tab.shown["case"]["kind"], tab.ticks) == ("passage", "2u")
    subject = Subject.group(passage.key)
    assert opened.project.decisions()[subject].reason == "quotation"
    assert (opened.current.result.total_overlap[2:6] < 0.1).all()
    tab.decides("copied")
    assert tab.ticks == "4u"
    tab.does(UNDO, UNDO)

    assert tab.ticks == "uu"
    assert (opened.current.result.total_overlap[2:6] > 0.1).all()


def test_what_many_hold_at_one_place_looks_like_a_template_and_all_else_like_nothing():
    for n, scattered, guess in ((6, False, "template"), (6, True, ""), (5, False, "")):
        texts, passage = [english(row, 300) for row in range(16)], english(60, 40)
        for row in range(n):
            cut = len(texts[row]) * row // 6 if scattered else len(texts[row])
            cut = texts[row].find(" ", cut) if scattered and row else cut
            texts[row] = f"{texts[row][:cut]}\n\n{passage}\n\n{texts[row][cut:]}"
        result = check([Document.from_text(t, name=f"{n}.txt") for n, t in enumerate(texts)])
        (one,) = passage_cases(result)
        assert guess_answer(result, list_uses(result, one.group)) == guess


# --------------------------------------------------------------- evidence


def test_a_pair_opens_at_its_longest_part_and_folds_what_does_not_count(at_class, language):
    tab = Tab(at_class, language)
    while tab.shown["case"]["kind"] != "pair":
        tab.does({"type": "step", "way": 1})
    sheet = tab.shown["case"]["sheet"]
    task, own = sheet["sides"][0]["blocks"][:2]

    assert sheet["matches"][sheet["opens"]]["chip"] == "1.1"
    assert task["label"] == {"zh": "题目 67 字", "en": "Task sheet, 67 chars"}[language]
    assert task["tag"] == {"zh": "不计", "en": "left out"}[language]
    assert {"zh": "没有相同的", "en": "Nothing shared in"}[language] in own["label"]
    assert own["tag"] == ""
    assert [0, 0] in sheet["opposite"]


def test_runs_say_how_many_texts_hold_them(quoted):
    tab = Tab(kept(quoted), "en")
    tab.does({"type": "step", "way": 1})
    sheet = tab.shown["case"]["sheet"]
    tones = {
        run[4] if len(run) > 4 else 0
        for side in sheet["sides"]
        for paragraph in side["paragraphs"]
        for run in paragraph
        if len(run) > 1 and run[1] >= 0
    }

    assert tones == {0, 2}
    assert {match["tone"] for match in sheet["matches"]} == {0, 2}
    assert [one["name"] for one in sheet["switches"]] == ["t0", "t2"]


# --------------------------------------------------------------- the end


def test_the_end_says_what_is_left_and_all_decided_only_when_it_is_true(at_class):
    tab = Tab(at_class, "en")
    n = len(tab.ticks)
    while tab.shown["case"]:
        verdict = "later" if "l" not in tab.ticks else "confirmed"
        tab.decides(verdict if tab.shown["case"]["kind"] == "pair" else "template")
        tab.does(NEXT)
    end = tab.shown["end"]
    sentence = "".join(text for text, _ in end["headline"])
    assert sentence.startswith(f"{n - 1} of {n} cases decided: ")
    assert sentence.endswith("1 is left.")
    assert ("1 is left.", True) in [tuple(piece) for piece in end["headline"]]
    assert end["left"]["text"].endswith(" waits.")
    assert any("confirmed without a note" in one.proto.body for one in tab.app.get("html"))
    saved = {
        one.proto.body for one in tab.app.get("html") if "head of department.pdf" in one.proto.body
    }
    assert saved
    tab.app.radio(key="end_reader").set_value("records")
    tab.does({"type": "open", "number": end["left"]["number"]})
    assert tab.shown["end"] is None
    tab.decides("no_problem")
    tab.does(NEXT)
    assert tab.shown["end"]["left"] is None
    assert tab.shown["end"]["headline"][0][0] == f"All {n} cases decided: "


def test_one_key_on_texts_of_several_files_says_how_many_cases_it_decides(language):
    first, second = (Document.from_text(text, name=name) for text, name in SAME)
    documents = [replace(first, name=f"{n}.txt") for n in range(2)] + [second]
    tab = Tab(kept(check(documents)), language)
    while tab.shown["case"]["kind"] != "pair" or not tab.shown["case"]["again"]:
        before = tab.number
        tab.does({"type": "step", "way": 1})
        if tab.number == before:
            pytest.skip("all three hold one passage")
    assert {"zh": "一次判断一并算数", "en": "one decision is about"}[language] in tab.shown["case"][
        "again"
    ]
    said = tab.decides("no_problem")
    assert {"zh": "一并判了", "en": "of the same texts"}[language] in said
    assert tab.ticks.count("n") == 2
