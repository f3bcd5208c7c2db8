"""The threshold laboratory: one line that moves, decisions of the desk, what they suggest."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import page_texts
import pytest
from page_texts import told as words
from streamlit.testing.v1 import AppTest

import simhash_core as core
from pages._ui.shared.open_checks import OpenCheck
from pages._ui.shared.session import CurrentCheck
from simhash_core.lab import labels, laboratories
from simhash_core.lab.labels import Label, Labels
from simhash_core.storage import Project, Subject

PAGE = "threshold_lab"
TITLE = {"zh": "阈值实验室", "en": "Threshold lab"}


def press(app: AppTest, name: str) -> AppTest:
    return app.button(key=f"lab_{name}").click().run()


def listed(app: AppTest) -> list[tuple[int, str]]:
    """The pairs that come and go: bits, and the side of the line."""
    return [(int(bits), side) for _, bits, side in page_texts.listed(app, "lab_play")]


def test_without_a_check_the_sample_essays_are_played_with(open_app, language):
    app = open_app(PAGE, language=language)
    assert TITLE[language] in words(app)
    assert [button.key for button in app.main.button] == ["lab_sample", "empty_go"]
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


@pytest.mark.long
def test_statistics_and_costs_with_the_misprints_are_one_click_away(open_app, language, result):
    app = open_app(PAGE, language=language, result=result)
    assert len(app.get("plotly_chart")) == 1
    app.toggle(key="lab_statistics").set_value(True).run()
    k = result.threshold
    view = core.view_at_threshold(result, k)

    assert len(app.get("plotly_chart")) == 2
    app.session_state["lab_cost_fold"] = True
    assert len(app.run().get("plotly_chart")) == 3
    pairs = {
        "zh": f"{k} 位时：{int(view.within.sum())} 对",
        "en": f"{int(view.within.sum())} pairs",
    }
    assert pairs[language] in words(app)
    assert "10,000,000,000" not in words(app)  # a fold is drawn once it is open
    app.session_state["lab_growth"] = True
    said = words(app.run())
    said = re.sub(r"(?<=\d)[\u2009\u202f](?=\d)", ",", said)  # thousands, in Chinese

    for figure in ("10,000,000,000", "61,035", "43,745", "2^34 = 17,179,869,184"):
        assert figure in said
    assert "evaluate." not in said and "structure_" not in said


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
    assert not app.get("plotly_chart")  # one click away
    app.toggle(key="lab_statistics").set_value(True).run()
    assert app.get("plotly_chart")
    app.button(key="lab_choice_all").click().run()
    app.button(key="lab_use").click().run()
    k = app.session_state["k"]
    assert app.session_state["lt.next_threshold"] == ("essays", 256, k)
    assert {"zh": f"下次检测从 {k} 位开始", "en": f"starts with {k} bits"}[language] in words(app)
    assert {"zh": "漏掉 0 个", "en": "missed 0 of 8"}[language] in re.sub("<[^>]*>", "", words(app))


@pytest.mark.long
@pytest.mark.parametrize("aim", ["miss_little", "few_false"])
def test_table_and_suggestion_stand_on_the_decisions(at_desk, result, aim):
    app = at_desk("en", ["confirmed"] * 6 + ["no_problem"] * 6)
    app.toggle(key="lab_statistics").set_value(True).run()
    app.segmented_control(key="lab_aim").set_value(aim).run()
    known = labels.label_rows(result, app.session_state["lt.decided"])
    best, at = labels.suggest_threshold(known, aim), labels.label_quality(known, result.threshold)

    for share, low, high in (at.precision, at.recall):
        assert f"{share:.2f}" in words(app) and f"{low:.2f}–{high:.2f}" in words(app)
    assert str(best.threshold) in app.button(key="lab_take").label
    press(app, "take")
    assert app.slider(key="k").value == min(best.threshold, app.slider(key="k").max)
    assert app.button(key="lab_take").disabled


@pytest.mark.long
def test_decisions_in_no_order_get_the_honest_sentence(at_desk, language):
    app = at_desk(language, ["no_problem"] * 6 + ["confirmed"] * 6)
    app.toggle(key="lab_statistics").set_value(True).run()

    said = {"zh": "没有哪个阈值能把两类分开", "en": "No threshold separates"}
    assert said[language] in words(app)
    assert app.button(key="lab_take").disabled


@pytest.mark.long
def test_two_recipes_stand_on_the_same_decisions(at_desk, language):
    app = at_desk(language, ["confirmed"] * 6 + ["no_problem"] * 6)
    app.toggle(key="lab_statistics").set_value(True).run()
    app.segmented_control(key="rival_bits").set_value(128)
    app.selectbox(key="rival_weighting").set_value("topic")
    app.toggle(key="rival_stop_words").set_value(True)
    app.button(key="rival_go").click().run()
    column = {"zh": "128 位", "en": "128 bits"}[language]

    assert column in words(app)
    settings = app.session_state["lt.rival"][1].settings
    assert (settings.weighting, settings.stop_words) == ("topic", True)


def test_three_thresholds_miss_none_err_least_and_show_none_in_vain():
    rows = [(10, True), (20, True), (30, False), (40, True), (50, False)]
    made = tuple(Label(f"{n}", f"x{n}", same, at) for n, (at, same) in enumerate(rows))
    judged = Labels(made, 64, "", labels.np.zeros(65, "int64"))

    assert labels.choices(judged) == {"all": 40, "balanced": 20, "few": 20}
