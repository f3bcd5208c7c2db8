"""The fingerprint laboratory: what it says is what the core computes."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui.fingerprint_lab.page import svg
from simhash_core import Settings
from simhash_core.lab import laboratories
from simhash_core.lab.laboratories import EXAMPLES

PAGE = "fingerprint_lab"
TITLE = {"zh": "指纹实验室", "en": "Fingerprint lab"}
A, B = "one two three four five six seven", "one two three four five six eight"


def words(app: AppTest) -> str:
    """All that the page says outside its components."""
    return "\n".join(element.proto.body for element in app.get("html"))


def boards(app: AppTest) -> list[dict[str, object]]:
    """What the components of the page were given."""
    found = [json.loads(each.proto.json) for each in app.get("bidi_component") if each.proto.json]
    return [data for data in found if isinstance(data, dict)]


def board(app: AppTest) -> dict[str, object]:
    return next(data for data in boards(app) if "grids" in data)


def say(app: AppTest, a: str, b: str = "") -> AppTest:
    app.session_state["lt.lab_texts"] = (a, b)
    return app.run()


def test_opens_with_two_texts_in_both_languages(open_app, language):
    app = open_app(PAGE, language=language)

    assert TITLE[language] in words(app)
    assert len(board(app)["grids"]) == 2
    assert len(app.get("plotly_chart")) == 2


@pytest.mark.long
@pytest.mark.parametrize("bits", [8, 16, 32, 64, 128, 256])
@pytest.mark.parametrize("weighting", ["background", "tf", "uniform"])
def test_bits_are_those_of_the_core(open_app, bits, weighting):
    app = open_app(PAGE)
    app.segmented_control(key="lab_bits").set_value(bits)
    app.selectbox(key="lab_weighting").set_value(weighting)
    say(app, A, B)
    settings = Settings(bits=bits, weighting=weighting)
    traced = laboratories.traces((A, B), settings=settings)

    shown = board(app)["grids"]
    assert [grid["bits"] for grid in shown] == [
        each.explanation.bits.astype(int).tolist() for each in traced
    ]
    held = laboratories.similarity_measures(*traced)
    assert f"{held.distance} / {bits}" in words(app)
    assert f"{held.jaccard:.2f}" in words(app)
    assert sum(block[2] for block in board(app)["blocks"]) == held.distance


def test_one_text_alone_is_followed_too(open_app, language):
    app = say(open_app(PAGE, language=language), A)

    assert len(board(app)["grids"]) == 1
    assert len(app.get("plotly_chart")) == 1


def test_empty_boxes_and_weightless_words_say_why(open_app, language):
    app = say(open_app(PAGE, language=language), "", " \n")
    assert not [data for data in boards(app) if "grids" in data]
    app.selectbox(key="lab_weighting").set_value("tfidf")
    say(app, A)

    assert {"zh": "先做一次检测", "en": "Run a check first"}[language] in words(app)


def test_statistics_of_the_check_serve_weightings_that_need_them(open_app, result):
    app = open_app(PAGE, result=result)
    app.selectbox(key="lab_weighting").set_value("tfidf")
    text = result.documents[0].text
    say(app, text)
    (traced,) = laboratories.traces(
        (text,), settings=Settings(bits=64, weighting="tfidf"), stats=result.stats
    )

    assert board(app)["grids"][0]["bits"] == traced.explanation.bits.astype(int).tolist()


def test_short_texts_carry_the_measured_spread(open_app, language):
    app = say(open_app(PAGE, language=language), A)
    measured = laboratories.edit_sensitivity(
        laboratories.traces((A,), settings=Settings(bits=64))[0]
    )

    assert f"{measured.mean:.0f} ± {measured.deviation:.0f}" in words(app)


@pytest.mark.long
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.code)
def test_worked_examples_are_one_click_away(open_app, language, example):
    app = open_app(PAGE, language=language)
    app.button(key=f"lab_example_{example.code}").click().run()
    said = words(app)

    assert 'class="yes"' in said
    assert 'class="no"' not in said
    assert app.query_params["example"] == example.code
    app.button(key="lab_back").click().run()
    assert 'class="yes"' not in words(app)


@pytest.mark.long
def test_the_sentence_with_levels_has_its_eleven_words(open_app):
    app = open_app(PAGE)
    app.button(key="lab_text_levels_go").click().run()
    settings = Settings(weighting="levels", bits=64)
    line = next(data for data in boards(app) if "silent" in data)

    assert [word[1] for word in line["words"]] == [
        "CSDN", "博客", "结构", "之", "法", "算法", "之", "道", "的", "作者", "July"
    ]  # fmt: skip
    assert app.selectbox(key="lab_weighting").value == settings.weighting


def test_a_text_of_the_check_can_be_opened(open_app, result):
    app = open_app(PAGE, result=result)
    app.selectbox(key="lab_open_row").select(3).run()

    assert app.session_state["lt.lab_texts"][0] == result.documents[3].text


def test_votes_name_the_selected_bit_and_add_up(open_app):
    app = say(open_app(PAGE), A, B)
    bit = board(app)["selected"]
    traced = laboratories.traces((A,), settings=Settings(bits=64))[0]

    assert f"Bit {bit}" in words(app)
    sums = f"{traced.explanation.sums[bit] / 65536:+.1f}".replace("-", "−")
    assert f"sum {sums}" in words(app)


@pytest.mark.long
def test_markup_in_a_text_stays_text(open_app):
    app = say(open_app(PAGE), "<img src=x onerror=alert(1)> <b>bold</b> words here", B)

    assert "<img" not in words(app)


@pytest.mark.parametrize("texts", [(A,), (A, B)])
def test_picture_is_whole_and_fetches_nothing(texts):
    traced = dict(enumerate(laboratories.traces(texts, settings=Settings(bits=64))))
    made = svg(
        traced, letters={0: "A<", 1: "B"}, title="T & <x>", lines=["l"], difference="d"
    ).decode()
    tree = ElementTree.fromstring(made)
    squares = [e for e in tree.iter() if e.tag.endswith("rect") and e.get("stroke-width")]

    assert len(squares) == 64 * len(texts)
    assert "href" not in made
    assert "url(" not in made


LEAD = {"zh": "一词独大", "en": "One word decides"}


def test_a_word_that_decides_alone_is_named(open_app, language):
    app = open_app(PAGE, language=language)
    app.selectbox(key="lab_weighting").set_value("tf")

    say(app, "apple " * 40 + A, A)
    assert words(app).count(LEAD[language]) == 1 and "apple" in words(app)
    say(app, A, B)
    assert LEAD[language] not in words(app)
