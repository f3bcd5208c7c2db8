"""The threshold laboratory: one line that moves, decisions of the desk, what they suggest."""

from __future__ import annotations

import base64
import json
import re
from datetime import UTC, datetime

import numpy as np
import page_texts
import pytest
from page_texts import told as words
from streamlit.testing.v1 import AppTest

import simhash_core as core
from pages._ui.shared.open_checks import OpenCheck
from pages._ui.shared.session import CurrentCheck
from simhash_core.lab import labels, laboratories
from simhash_core.storage import Project, Shelf, Subject, owner_folder

PAGE = "threshold_lab"
TITLE = {"zh": "阈值实验室", "en": "Threshold lab"}


def press(app: AppTest, name: str) -> AppTest:
    return app.button(key=f"lab_{name}").click().run()


def listed(app: AppTest) -> list[tuple[int, str]]:
    """The pairs that come and go: bits, and the side of the line."""
    return [(int(bits), side) for _, bits, side, *_ in page_texts.listed(app, "lab_play")]


def test_without_a_check_the_sample_essays_are_played_with(open_app, language):
    app = open_app(PAGE, language=language)
    assert TITLE[language] in words(app)
    assert [button.key for button in app.main.button] == ["lab_sample", "empty_go"]
    assert not app.multiselect
    press(app, "sample")
    assert app.get("plotly_chart")
    k = app.slider(key="k").value
    near = {"zh": "算近", "en": "near"}[language]

    assert listed(app) and all((bits <= k) == (side == near) for bits, side in listed(app))
    app.slider(key="k").set_value(10).run()
    assert [bits for bits, side in listed(app) if side == near] == [0, 0]
    assert {"zh": "有 2 对、4 篇", "en": "2 pairs of 4 texts"}[language] in words(app)


def test_one_line_moves_on_a_check_of_ones_own_and_names_stay_hidden(open_app, language, result):
    app = open_app(PAGE, language=language, result=result)
    k = result.threshold
    view = core.view_at_threshold(result, k)
    said = {
        "zh": f"差 {k} 位以内算近：有 {view.within.sum()} 对",
        "en": f"At {k} bits, {view.within.sum()} pairs",
    }
    assert said[language] in words(app)
    entry = laboratories.sweep(result).entry
    nearest = sorted(entry[entry <= k])[-5:]
    assert [bits for bits, _ in listed(app) if bits <= k] == nearest
    before = listed(app)
    app.slider(key="k").set_value(5).run()

    assert listed(app) != before
    assert {"zh": "有一段相同就算一案", "en": "A shared passage is a case"}[language] in words(app)
    app.session_state["hide_names"] = True
    app.run()
    shown = f"{words(app)} {page_texts.listed(app, 'lab_play')}"
    assert not any(document.name in shown for document in result.documents)


# --------------------------------------------------------------------------- decided on the desk


@pytest.fixture
def at_desk(result):
    """Open the page after some pairs of the table were decided on the review desk."""

    def start(language: str, verdicts: list[str]) -> AppTest:
        project = Project.in_memory()
        project.save_documents(result.documents)
        project.save_result(result)
        decided = {}
        entry = laboratories.sweep(result).entry
        table = result.table.pairs
        for row, verdict in zip(entry.argsort(kind="stable").tolist(), verdicts, strict=False):
            ids = [result.documents[int(side[row])].id for side in (table.left, table.right)]
            project.decide([Subject.pair(*ids)], verdict=verdict)
            decided[tuple(sorted(ids))] = verdict == "confirmed"
        current = CurrentCheck(result, "", datetime.now(UTC), 1.0)
        app = AppTest.from_function(draw, default_timeout=60)
        app.context["locale"] = {"zh": "zh-CN", "en": "en-GB"}[language]
        app.session_state["lt.check"] = current
        app.session_state["lt.decided"] = decided
        app.session_state["lt.open"] = OpenCheck(project, "", current=current)
        app.run()
        assert not app.exception, app.exception[0].message
        return app

    return start


def draw() -> None:
    from pages._ui.threshold_lab import page

    page.draw()


def test_under_ten_decisions_the_desk_comes_first(at_desk, language):
    app = at_desk(language, ["confirmed"] * 4 + ["later"] * 9)

    assert app.button(key="lab_desk")
    assert {"zh": "现在判了 4 案", "en": "Decided so far: 4"}[language] in words(app)
    assert app.slider(key="k")


def test_decisions_of_the_desk_are_the_answers(at_desk, language, result):
    verdicts = ["confirmed"] * 6 + ["no_problem"] * 3 + ["confirmed"] * 2 + ["no_problem"]
    app = at_desk(language, verdicts)
    place = sorted(laboratories.sweep(result).entry.tolist())
    app.session_state["k"] = place[6]
    app.run()
    cases = list(zip(place, verdicts, strict=False))
    missed = sum(at > place[6] and one == "confirmed" for at, one in cases)
    vain = sum(at <= place[6] and one == "no_problem" for at, one in cases)
    sentence = re.sub("<[^>]*>", "", words(app))

    said = {
        "zh": f"8 个确认的案会漏掉 {missed} 个，另外白看 {vain} 个。",
        "en": f"missed {missed} of 8 confirmed cases and looked at {vain} in vain.",
    }
    assert said[language] in sentence
    figure = json.loads(app.get("plotly_chart")[0].proto.spec)
    marks = [each for each in figure["data"] if each.get("mode") == "markers+text"]
    drawn = {(at, mark["text"]) for mark in marks for at in mark["x"]}
    assert drawn == {(at, "✓" if one == "confirmed" else "╱") for at, one in cases}
    rings = [one["line"]["dash"] for one in figure["layout"]["shapes"] if one["type"] == "circle"]
    assert (rings.count("solid"), rings.count("dot")) == (missed, vain)
    app.button(key="lab_choice_all").click().run()
    app.button(key="lab_use").click().run()
    k = app.session_state["k"]
    assert app.session_state["lt.next_threshold"] == ("essays", 256, k)
    assert {"zh": f"下次检测从 {k} 位开始", "en": f"starts with {k} bits"}[language] in words(app)
    assert {"zh": "漏掉 0 个", "en": "missed 0 of 8"}[language] in re.sub("<[^>]*>", "", words(app))


@pytest.mark.long
def test_measures_of_the_line_and_of_the_three_choices_stand_on_the_decisions(at_desk, result):
    app = at_desk("en", ["confirmed"] * 6 + ["no_problem"] * 6)
    assert len(app.get("plotly_chart")) == 1
    app.session_state["lab_statistics"] = True
    app.run()
    known = labels.label_rows(result, app.session_state["lt.decided"])
    lines = [result.threshold, *(at.threshold for at in labels.choose_thresholds(known).values())]
    table = {name: cells for name, *cells in page_texts.listed(app, "lab_compared")}

    for name, field in (("Precision", "precision"), ("Recall", "recall")):
        measured = [getattr(labels.label_quality(known, k), field) for k in lines]
        assert table[name] == [f"{at:.2f} ({low:.2f}–{high:.2f})" for at, low, high in measured]
    _, curves, distances = (json.loads(each.proto.spec) for each in app.get("plotly_chart"))
    recall = next(each["y"] for each in curves["data"] if each["name"] == "Recall")
    drawn = np.frombuffer(base64.b64decode(recall["bdata"]), recall["dtype"])
    assert drawn[lines[1]] == 1.0  # at the line that misses none
    assert sum(1 for each in distances["data"] if each["type"] == "bar") == 1


def test_decisions_of_one_kind_settle_nothing(at_desk, language):
    app = at_desk(language, ["confirmed"] * 12)

    said = {"zh": "才作数，还差 3 个", "en": "3 more to go"}
    assert said[language] in words(app)


# --------------------------------------------------------------------------- other checks


@pytest.fixture
def stored(result):
    """Keep a check with some decided pairs; `far` decides the farthest."""
    kept: list[Project] = []

    def keep(owner: str, name: str, kept_result: core.CheckResult = result) -> str:
        project = Shelf(owner_folder(owner)).create(name=name)
        project.save_documents(kept_result.documents)
        project.save_result(kept_result)
        table = kept_result.table.pairs
        order = laboratories.sweep(kept_result).entry.argsort(kind="stable")
        for row in order[:12].tolist():
            a, b = (kept_result.documents[int(side[row])].id for side in (table.left, table.right))
            project.decide([Subject.pair(a, b)], verdict="confirmed" if row % 2 else "no_problem")
        project.note_cases([(a, b)])
        kept.append(project)
        return str(project.id)

    yield keep
    for project in kept:
        project.close()


def test_decisions_of_other_checks_count_once_they_are_chosen(open_app, language, result, stored):
    app = open_app(PAGE, language=language, result=result)
    owner = app.session_state["lt.owner"]
    _, key = (stored(owner, "10C <b>Essays</b>") for _ in range(2))
    app.session_state["lab_others"] = True
    app.run()
    chooser = app.multiselect(key="lab_checks")
    assert chooser.value == []
    one, again = chooser.options  # two checks of one name are told apart
    assert one.startswith("10C <b>Essays</b>") and one != again
    assert app.button(key="lab_desk")  # none of one's own
    chooser.select(key).run()

    assert {"zh": "1 次检测、12 个判断", "en": "12 decisions of 1 check"}[language] in words(app)
    assert app.button(key="lab_choice_balanced")
    figure = app.get("plotly_chart")[0].proto.spec
    assert "10C <b>" not in figure and "10C &lt;b&gt;Essays" in figure
    app.session_state["hide_names"] = True
    app.run()
    assert "10C" not in words(app) + app.get("plotly_chart")[0].proto.spec


def test_without_decisions_elsewhere_the_way_to_them_is_said(open_app, language, result):
    app = open_app(PAGE, language=language, result=result)
    app.session_state["lab_others"] = True
    app.run()

    assert not app.multiselect
    said = {"zh": "还没有别的检测判过案", "en": "No other check on this computer has decisions yet"}
    assert said[language] in words(app)


def test_checks_of_another_width_or_that_are_gone_are_left_out(open_app, result, stored):
    app = open_app(PAGE, result=result)
    classic = core.check(result.documents, settings=core.Settings.of("classic"))
    owner = app.session_state["lt.owner"]
    key = stored(owner, "narrow", classic)
    app.session_state["lab_checks"] = [key, "0" * 12]
    app.run()

    assert "narrow is left out: its fingerprints do not have 256 bits" in words(app)
    assert "cannot be read any more" in words(app)
    assert app.button(key="lab_desk")
