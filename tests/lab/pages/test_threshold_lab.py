"""The threshold laboratory: answers, suggestion, and everything that one threshold moves."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest

import simhash_core as core
from pages._ui.shared.open_checks import OpenCheck
from pages._ui.shared.session import CurrentCheck
from simhash_core.lab import labels, laboratories
from simhash_core.lab.labels import Label, Labels
from simhash_core.storage import Project, Subject

PAGE = "threshold_lab"
TITLE = {"zh": "阈值实验室", "en": "Threshold lab"}


@pytest.fixture(autouse=True)
def own_state(tmp_path, monkeypatch):
    """Answers are kept in a folder of the test."""
    monkeypatch.setenv("LEITONG_STATE", str(tmp_path))


def words(app: AppTest) -> str:
    """All that the page says outside its components."""
    return "\n".join(element.proto.body for element in app.get("html"))


def strip(app: AppTest) -> dict[str, object]:
    """What the strip of borderline pairs was given."""
    found = [json.loads(each.proto.json) for each in app.get("bidi_component") if each.proto.json]
    return next(data for data in found if isinstance(data, dict) and "cells" in data)


def press(app: AppTest, name: str) -> AppTest:
    return app.button(key=f"lab_{name}").click().run()


def answers(app: AppTest) -> dict[tuple[str, str], bool | None]:
    return app.session_state["lt.check"].memo.get("answers", dict)


def judge(app: AppTest, same: list[int], other: list[int]) -> AppTest:
    """Put answers at chosen places, as if they had been given before."""
    check = app.session_state["lt.check"]
    entry = laboratories.sweep(check.result).entry
    taken: set[int] = set()
    known = {}
    for places, kind in ((same, True), (other, False)):
        for place in places:
            row = next(r for r in abs(entry - place).argsort().tolist() if r not in taken)
            taken.add(row)
            table = check.result.table.pairs
            ids = [check.result.documents[int(s[row])].id for s in (table.left, table.right)]
            known[tuple(sorted(ids))] = kind
    check.memo.clear()
    check.memo.get("answers", lambda: known)
    return app.run()


def test_without_a_check_the_page_shows_the_way_to_one(open_app, language):
    app = open_app(PAGE, language=language)

    assert TITLE[language] in words(app)
    assert len(app.main.button) == 1


@pytest.mark.long
def test_shows_distances_curves_border_and_cost(open_app, language, result):
    app = open_app(PAGE, language=language, result=result)
    k = result.threshold
    view = core.view_at_threshold(result, k)

    assert TITLE[language] in words(app)
    assert len(app.get("plotly_chart")) == 2
    app.session_state["lab_cost_fold"] = True
    assert len(app.run().get("plotly_chart")) == 3
    pairs = {
        "zh": f"{k} 位时：{int(view.within.sum())} 对",
        "en": f"{int(view.within.sum())} pairs",
    }
    assert pairs[language] in words(app)
    assert 1 <= strip(app)["inside"] <= 5
    assert len(strip(app)["cells"]) == strip(app)["inside"] + 5


def test_blind_hides_a_distance_until_its_answer(open_app, result):
    app = open_app(PAGE, result=result)
    assert {cell["shown"] for cell in strip(app)["cells"]} == {"?"}
    press(app, "same")

    kinds = [cell["kind"] for cell in strip(app)["cells"]]
    assert kinds.count("same") == 1
    assert strip(app)["cells"][kinds.index("same")]["shown"].isdigit()
    app.toggle(key="lab_blind").set_value(False).run()
    assert all(cell["shown"].isdigit() for cell in strip(app)["cells"])


@pytest.mark.long
def test_answers_go_on_to_the_next_pair_and_can_be_taken_back(open_app, result):
    app = open_app(PAGE, result=result)
    for name in ("same", "other", "unsure"):
        press(app, name)
    assert list(answers(app).values()) == [True, False, None]
    assert strip(app)["selected"] == 3
    press(app, "undo")
    assert list(answers(app).values()) == [True, False]
    press(app, "undo")
    press(app, "undo")

    assert answers(app) == {}
    assert app.button(key="lab_undo").disabled


@pytest.mark.long
def test_answers_are_found_again_by_the_same_texts(open_app, result):
    press(open_app(PAGE, result=result), "same")
    again = open_app(PAGE, result=result)

    assert list(answers(again).values()) == [True]
    again.button(key="labels_clear").click().run()
    assert answers(again) == {}
    assert not answers(open_app(PAGE, result=result))


@pytest.mark.long
def test_answered_strip_offers_pairs_further_out(open_app, result):
    app = open_app(PAGE, result=result)
    first = [cell["label"] for cell in strip(app)["cells"]]
    for _ in first:
        press(app, "unsure")
    press(app, "further")
    second = [cell["label"] for cell in strip(app)["cells"]]

    assert len(answers(app)) == len(first)
    assert not set(second) & set(first)


def test_few_answers_make_no_suggestion(open_app, language, result):
    app = open_app(PAGE, language=language, result=result)

    assert app.button(key="lab_take").disabled
    assert {"zh": "还差 6 个", "en": "6 more to go"}[language] in words(app)


@pytest.mark.long
@pytest.mark.parametrize("aim", ["miss_little", "few_false"])
def test_suggestion_follows_the_aim_and_is_taken_with_one_click(open_app, result, aim):
    app = judge(open_app(PAGE, result=result), [0, 10, 20, 30], [110, 112, 114, 116])
    app.segmented_control(key="lab_aim").set_value(aim).run()
    known = labels.label_rows(result, answers(app))
    best = labels.suggest_threshold(known, aim)

    assert str(best.threshold) in app.button(key="lab_take").label
    press(app, "take")
    assert app.slider(key="k").value == min(best.threshold, app.slider(key="k").max)
    assert app.button(key="lab_take").disabled


def test_table_stands_on_the_answers(open_app, language, result):
    app = judge(open_app(PAGE, language=language, result=result), [0, 10, 90], [95, 112, 114, 60])
    at = labels.label_quality(labels.label_rows(result, answers(app)), result.threshold)

    for share, low, high in (at.precision, at.recall):
        assert f"{share:.2f}<small>{low:.2f}–{high:.2f}</small>" in words(app)


@pytest.mark.long
def test_answers_in_no_order_get_the_honest_sentence(open_app, language, result):
    app = judge(
        open_app(PAGE, language=language, result=result), [60, 118, 116, 114], [0, 10, 20, 62, 80]
    )

    said = {"zh": "没有哪个阈值能把两类分开", "en": "No threshold separates"}
    assert said[language] in words(app)
    assert app.button(key="lab_take").disabled


def test_moving_the_threshold_moves_the_strip(open_app, result):
    app = open_app(PAGE, result=result)
    before = [cell["label"] for cell in strip(app)["cells"]]
    app.slider(key="k").set_value(5).run()

    assert [cell["label"] for cell in strip(app)["cells"]] != before


@pytest.mark.long
def test_two_recipes_stand_on_the_same_answers(open_app, language, result):
    app = judge(open_app(PAGE, language=language, result=result), [0, 10, 20], [110, 112, 114])
    app.segmented_control(key="rival_bits").set_value(128)
    app.selectbox(key="rival_weighting").set_value("topic")
    app.toggle(key="rival_stop_words").set_value(True)
    app.button(key="rival_go").click().run()
    column = {"zh": "128 位", "en": "128 bits"}[language]

    assert column in words(app)
    settings = app.session_state["lt.rival"][1].settings
    assert (settings.weighting, settings.stop_words) == ("topic", True)


@pytest.mark.long
def test_labels_file_of_another_collection_brings_nothing(open_app, result):
    app = open_app(PAGE, result=result)
    foreign = labels.dump_labels(
        Labels((Label("a", "b", True, 3),), 256, "r", laboratories.sweep(result).pairs)
    )
    app.file_uploader(key="labels_file").upload(
        "x.json", foreign.encode(), "application/json"
    ).run()

    assert answers(app) == {}
    assert "0 answers added; 1 are about other texts" in words(app)


@pytest.mark.long
def test_labels_file_is_taken_in(open_app, result):
    app = judge(open_app(PAGE, result=result), [0, 10], [110])
    saved = labels.dump_labels(labels.label_rows(result, answers(app)))
    app.button(key="labels_clear").click().run()
    app.file_uploader(key="labels_file").upload("x.json", saved.encode(), "application/json").run()

    assert sorted(map(str, answers(app).values())) == ["False", "True", "True"]


def test_a_file_that_is_none_of_ours_is_named(open_app, language, result):
    app = open_app(PAGE, language=language, result=result)
    app.file_uploader(key="labels_file").upload("odd.json", b"{}", "application/json").run()

    assert "odd.json" in words(app)


def test_names_stay_hidden(open_app, result):
    app = open_app(PAGE, result=result)
    app.session_state["hide_names"] = True
    app.run()

    shown = words(app) + json.dumps(strip(app), ensure_ascii=False)
    assert not any(document.name in shown for document in result.documents)


def test_cost_is_shown_up_to_ten_billion_with_the_misprints(open_app, language, result):
    app = open_app(PAGE, language=language, result=result)
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
        entry = laboratories.sweep(result).entry
        table = result.table.pairs
        for row, verdict in zip(entry.argsort(kind="stable").tolist(), verdicts, strict=False):
            ids = [result.documents[int(side[row])].id for side in (table.left, table.right)]
            project.decide([Subject.pair(*ids)], verdict=verdict)
        current = CurrentCheck(result, "", datetime.now(UTC), 1.0)
        app = AppTest.from_function(draw, default_timeout=60)
        app.context["locale"] = {"zh": "zh-CN", "en": "en-GB"}[language]
        app.session_state["lt.check"] = current
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
    assert app.toggle(key="lab_statistics").value


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


def test_three_thresholds_miss_none_err_least_and_show_none_in_vain():
    rows = [(10, True), (20, True), (30, False), (40, True), (50, False)]
    made = tuple(Label(f"{n}", f"x{n}", same, at) for n, (at, same) in enumerate(rows))
    judged = Labels(made, 64, "", labels.np.zeros(65, "int64"))

    assert labels.choices(judged) == {"all": 40, "balanced": 20, "few": 20}
