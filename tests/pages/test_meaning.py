"""The same meaning on the pages: listed apart, read side by side, decided at the desk."""

from __future__ import annotations

import dataclasses
import os
import time
from types import SimpleNamespace

import alike
import pytest
from desk_tab import Tab
from desk_tab import kept as kept_in_memory
from page_texts import numbers_of, said
from streamlit.testing.v1 import AppTest

from pages._ui.check import settings_form
from pages._ui.components.texts import Alike, prepare
from pages._ui.reader import meaning
from pages._ui.shared import jobs
from pages._ui.shared.open_checks import OpenCheck
from simhash_core import CheckResult, compare
from simhash_core.app import department

CAUTION = {"zh": "意思相近，不是文字相同。", "en": "Close in meaning, not the same words."}
ALONE = {"zh": "只有同义", "en": "same meaning only"}
SMALL = {"zh": "这一批太小，没有可比的。", "en": "This check is too small to compare with."}


@pytest.fixture(scope="module")
def same() -> CheckResult:
    return alike.checked()


# --------------------------------------------------------------------------- Compare
@pytest.mark.parametrize(("a", "b"), [("2", "3"), ("3", "2")])
def test_a_pair_of_the_same_meaning_opens_with_it(a, b, open_app, language, same):
    app = open_app("results", language=language, result=same, pair=f"{a},{b}")

    assert app.segmented_control(key="compare_view").value == "meaning"
    assert CAUTION[language] in said(app)
    assert ALONE[language] in said(app)
    assert len(numbers_of(app)) == 3


def test_its_other_views_are_named_by_the_link(open_app, language, same):
    app = open_app("results", language=language, result=same, pair="2,3", show="read")

    assert app.segmented_control(key="compare_view").value == "read"
    app.segmented_control(key="compare_view").set_value("meaning").run()
    assert "view" not in app.query_params
    assert CAUTION[language] in said(app)


def test_a_pair_without_has_no_such_view(open_app, language, same):
    app = open_app("results", language=language, result=same, pair="0,1", show="meaning")

    assert app.segmented_control(key="compare_view").value == "read"
    assert "meaning" not in app.segmented_control(key="compare_view").options
    assert CAUTION[language] not in said(app)


def test_sentences_have_letters_and_quote_what_the_offsets_say(same):
    compared = compare(*same.documents[2:4], settings=same.settings, result=same)
    answers = tuple(meaning.answers_of(same, 2, 3))
    sheet = prepare(compared, ("first", "second"), alike=Alike(answers))

    assert [match["chip"] for match in sheet["matches"]] == list("abcde")
    assert {match["kind"] for match in sheet["matches"]} == {"meaning"}
    assert sheet["opens"] == 1  # the closest
    for side, column in enumerate(sheet["sides"]):
        owned = [
            run[0]
            for paragraph in column["paragraphs"]
            for run in paragraph
            if len(run) > 1 and run[1] >= 0
        ]
        assert owned == [one[side] for one in alike.CHINESE]


# --------------------------------------------------------------------------- Overview, Document
HEADLINE = {
    "zh": "7 篇里，2 篇有些文字只和个别几篇相同，或整篇相同；另有 4 篇只在意思上相近，或像是译文。"
    "其余 1 篇没有只和个别几篇相同的文字。",
    "en": "Of 7 texts, 2 share text that only a few have, or a whole text; 4 more are close in "
    "meaning only or may be translated. The other one shares nothing that only a few have.",
}
WEAK = {"zh": "只在意思上相近", "en": "Close in meaning only"}
PLACES = {"zh": "同义 5 处", "en": "same meaning in 5 places"}


def test_the_headline_counts_them_apart_and_a_block_of_its_own_lists_them(open_app, language, same):
    app = open_app("results", language=language, result=same)

    for sentence in (HEADLINE, WEAK, PLACES):
        assert sentence[language] in said(app)
    app.button(key="weak-2-3").click().run()
    assert not app.exception


def test_no_number_of_the_overview_knows_of_them(open_app, language, same):
    without = dataclasses.replace(same, meanings=None)
    apps = [open_app("results", language=language, result=one) for one in (same, without)]

    assert numbers_of(apps[0]) == numbers_of(apps[1])


def test_the_page_of_a_text_lists_its_pairs(open_app, language, same):
    app = open_app("results", language=language, result=same, text="3")

    assert WEAK[language] in said(app)
    assert "weak-2-3" in {button.key for button in app.button}
    assert "weak-4-5" not in {button.key for button in app.button}


# --------------------------------------------------------------------------- the review desk
@pytest.fixture
def kept(same) -> OpenCheck:
    return kept_in_memory(same)


def test_cases_of_the_same_meaning_stand_last_with_their_mark(kept, language):
    tab = Tab(kept, language)

    assert [row["facts"] == ALONE[language] for row in tab.listed["rows"]] == [False, True, True]
    assert tab.shown["case"]["caution"] == ""
    tab.does({"type": "open", "number": tab.listed["rows"][1]["number"]})
    case = tab.shown["case"]
    assert case["caution"]
    matches = case["sheet"]["matches"]
    assert {one["kind"] for one in matches} == {"meaning"}
    assert [one["chip"] for one in matches] == list("abcde")


def test_a_decision_about_them_is_stored_like_any(kept, language):
    tab = Tab(kept, language)
    for verdict in ("no_problem", "confirmed", "later"):
        said_ = tab.decides(verdict)
        tab.does({"type": "step", "way": 1})
    assert {"zh": "第 3 案", "en": "Case 3"}[language] in said_

    assert tab.ticks == "ncl"
    decisions = kept.project.pair_decisions()
    assert sorted(one.verdict for one in decisions.values()) == ["confirmed", "later", "no_problem"]
    tab.does({"type": "undo"})
    assert tab.ticks == "ncu"
    assert kept.project.get("cases") == 3  # counted among those of the check


# --------------------------------------------------------------------------- Check
def _form() -> None:
    import streamlit as st

    from pages._ui.check.settings_form import draw_more, find_settings
    from pages._ui.shared import open_checks

    if open_checks.find_current() is None:
        open_checks.begin(keep=False)
    draw_more([], translates=False)
    st.session_state["settings"] = find_settings()


def test_the_switch_is_on_where_it_is_installed(monkeypatch):
    monkeypatch.setattr(settings_form, "meaning_installed", lambda: True)
    app = AppTest.from_function(_form, default_timeout=60).run()

    assert app.toggle(key="set_meaning").value
    assert app.session_state["settings"].meaning == "auto"
    app.toggle(key="set_meaning").set_value(False).run()
    assert app.session_state["settings"].meaning == "off"


def test_a_model_that_is_missing_can_be_downloaded(monkeypatch, tmp_path):
    """Without a network a sentence says so, and the button is there for another try."""
    held: dict[str, dict[str, jobs.Job]] = {}
    monkeypatch.setattr(jobs, "_reader_jobs", lambda: held)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_TARGET", str(tmp_path))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    app = AppTest.from_function(_form, default_timeout=60).run()

    assert "set_meaning" not in {one.key for one in app.toggle}
    assert app.session_state["settings"].meaning == "auto"
    app.button(key="download_meaning_more").click().run()
    assert "download_meaning_more" not in {one.key for one in app.button}
    job = held[""]["download_meaning"]
    while not job.ended:  # the time limit of a test ends it
        time.sleep(0.05)
    app.run()
    assert not app.exception
    assert "once this computer is online" in said(app)
    assert "pip" not in said(app)
    assert app.button(key="download_meaning_more")


def test_visitors_of_a_server_are_told_what_is_missing_and_download_nothing(monkeypatch):
    monkeypatch.setattr(
        department, "find_department", lambda: SimpleNamespace(limits=department.Limits())
    )
    app = AppTest.from_function(_form, default_timeout=60).run()

    assert "the guide “Install Leitong” says how" in said(app)
    assert "pip" not in said(app)
    assert not [one for one in app.button if (one.key or "").startswith("download_")]
