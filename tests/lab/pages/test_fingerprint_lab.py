"""The fingerprint laboratory: what it says is what the core computes."""

from __future__ import annotations

import json
import re

import page_texts
import pytest
from page_texts import listed
from page_texts import told as words
from streamlit.testing.v1 import AppTest

from pages._ui.fingerprint_lab.page import PRESETS
from simhash_core import Settings
from simhash_core.lab import laboratories

PAGE = "fingerprint_lab"
TITLE = {"zh": "指纹实验室", "en": "Fingerprint lab"}
A, B = "one two three four five six seven", "one two three four five six eight"
CATS = ("the cat sat on the mat", "the cat sat on a mat")


def boards(app: AppTest) -> list[dict[str, object]]:
    """What the components of the page were given."""
    found = [json.loads(each.proto.json) for each in app.get("bidi_component") if each.proto.json]
    return [data for data in found if isinstance(data, dict)]


def board(app: AppTest) -> dict[str, object]:
    return next(data for data in boards(app) if "grids" in data)


def boxes(app: AppTest) -> dict[str, object]:
    return next(data for data in boards(app) if "grids" in data and data["words"]["boxes"])


def walk(app: AppTest) -> dict[str, object]:
    return next(data for data in boards(app) if "frames" in data)


def say(app: AppTest, a: str, b: str = "") -> AppTest:
    app.session_state["lt.lab_texts"] = (a, b)
    return app.run()


def weigh(app: AppTest, weighting: str) -> AppTest:
    return app.selectbox(key="lab_weighting").set_value(weighting).run()


# ----------------------------------------------------------------------- a sentence becomes bits


def test_opens_with_a_sentence_in_both_languages(open_app, language):
    app = open_app(PAGE, language=language)

    assert TITLE[language] in words(app)
    assert len(walk(app)["frames"]) == 5
    assert {len(hashed) for _, _, hashed in walk(app)["words"]} == {64}


@pytest.mark.parametrize("weighting", ["background", "tf", "uniform"])
def test_words_that_vote_are_those_of_the_core(open_app, weighting):
    app = weigh(say(open_app(PAGE), A, B), weighting)
    (traced,) = laboratories.traces((A,), settings=Settings(bits=64, weighting=weighting))
    why, given = traced.explanation, walk(app)["words"]

    assert [name for name, _, _ in given] == A.split()
    assert sum_votes(given, 64) == why.sums.tolist()


def sum_votes(words: list[tuple[str, int, str]], bits: int) -> list[int]:
    """What the words of the walk come to on each bit."""
    return [
        sum(weight if hashed[bit] == "1" else -weight for _, weight, hashed in words)
        for bit in range(bits)
    ]


def test_words_of_a_long_text_vote_together_after_the_first(open_app):
    text = " ".join(f"word{n} thing{n}" for n in range(60))
    app = say(open_app(PAGE), text)
    (traced,) = laboratories.traces((text,), settings=Settings(bits=64))
    given = walk(app)
    together = zip(sum_votes(given["words"], 64), given["others"], strict=True)

    assert len(given["words"]) == 60
    assert [one + other for one, other in together] == traced.explanation.sums.tolist()


@pytest.mark.parametrize(
    ("address", "start"),
    [({}, 1), ({"step": "4"}, 4), ({"step": "6"}, 1), ({"step": "x"}, 1), ({"step": "٣"}, 1),
     ({"example": "eight_sums"}, 4), ({"example": "csdn", "step": "2"}, 2)],
)  # fmt: skip
def test_the_address_names_the_step(open_app, address, start):
    app = open_app("")
    app.switch_page(f"pages/{PAGE}.py")
    for name, value in address.items():
        app.query_params[name] = value
    app.run()

    assert walk(app)["start"] == start
    app.button(key="lab_example_one_word").click().run()
    assert (walk(app)["start"], "step" in app.query_params) == (1, False)
    app.segmented_control(key="lab_chapter").set_value("near").run()
    assert "step" not in app.query_params


def test_the_sentence_of_the_source_stands_as_it_is_printed(open_app, language):
    app = open_app(PAGE, language=language)
    app.button(key="lab_example_csdn").click().run()
    sentence = walk(app)["sentence"]

    assert [word[1] for word in sentence] == [
        "CSDN", "博客", "结构", "之", "法", "算法", "之", "道", "的", "作者", "July"
    ]  # fmt: skip
    assert [word[3] for word in sentence] == ["4", "5", "3", "1", "2", "3", "", "2", "1", "5", "5"]
    scale, source = walk(app)["scale"], walk(app)["source"]
    assert source["words"] == [["CSDN", 4 * scale, "100101"], ["博客", 5 * scale, "101011"]]
    assert [value / scale for value in source["sums"]] == [9, -9, 1, -1, 1, 9]
    by_hand = {"zh": "手工定的", "en": "typed by hand"}
    assert by_hand[language] in walk(app)["meaning"]
    assert {"zh": "之出现不止一次", "en": "之 stands more than once"}[language] in words(app)


def test_empty_boxes_and_weightless_words_say_why(open_app, language):
    app = say(open_app(PAGE, language=language), "", " \n")
    assert not [data for data in boards(app) if "frames" in data]
    weigh(app, "tfidf")
    say(app, A)

    assert {"zh": "先做一次检测", "en": "Run a check first"}[language] in words(app)


# ----------------------------------------------------------------------- presets


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_opens_its_chapter_and_holds(open_app, language, name):
    app = open_app(PAGE, language=language)
    app.button(key=f"lab_example_{name}").click().run()
    said = words(app)

    assert 'class="yes"' in said and 'class="no"' not in said
    assert dict(app.query_params).keys() >= {"example", "chapter"}
    two = PRESETS[name]
    assert app.session_state["lab_chapter"] == ("bits" if two else "steps")
    if two:
        example = {each.code: each for each in laboratories.EXAMPLES}.get(name)
        example = example or {each.code: each for each in laboratories.EXAMPLES}["cat_mat"]
        shown = ["".join(map(str, grid["bits"])) for grid in board(app)["grids"]]
        assert shown == [example.fingerprints[row] for row in two]
        app.button(key="lab_back").click().run()
        assert 'class="yes"' not in words(app)


@pytest.mark.parametrize(("name", "chapter"), [("six_bits", "bits"), ("csdn", "steps")])
def test_the_address_of_an_example_opens_it(open_app, name, chapter):
    app = open_app("", example=name)
    app.switch_page(f"pages/{PAGE}.py")
    app.query_params["example"] = name
    app.run()

    assert app.session_state["lab_chapter"] == chapter
    assert 'class="yes"' in words(app)


def test_turning_the_page_leaves_the_example(open_app):
    app = open_app(PAGE)
    app.button(key="lab_example_six_bits").click().run()
    app.segmented_control(key="lab_chapter").set_value("near").run()
    assert "example" not in app.query_params
    app.segmented_control(key="lab_chapter").set_value("bits").run()

    assert len(board(app)["grids"][0]["bits"]) == 64


# ----------------------------------------------------------------------- two sentences


@pytest.fixture
def open_bits(open_app):
    def start(**given: object) -> AppTest:
        app = open_app(PAGE, **given)
        return app.segmented_control(key="lab_chapter").set_value("bits").run()

    return start


@pytest.mark.long
@pytest.mark.parametrize("weighting", ["background", "tf", "uniform"])
def test_bits_are_those_of_the_core(open_bits, weighting):
    app = open_bits()
    app.selectbox(key="lab_weighting").set_value(weighting)
    say(app, A, B)
    traced = laboratories.traces((A, B), settings=Settings(bits=64, weighting=weighting))
    measured = laboratories.similarity_measures(*traced)

    assert [grid["bits"] for grid in board(app)["grids"]] == [
        each.explanation.bits.astype(int).tolist() for each in traced
    ]
    assert [block[1] for block in boxes(app)["blocks"]] == [16] * 4
    assert sum(block[2] for block in boxes(app)["blocks"]) == measured.distance
    app.segmented_control(key="lab_chapter").set_value("near").run()
    assert f"{measured.distance} / 64" in words(app)
    for value in (measured.jaccard, measured.minhash, measured.true_cosine):
        assert f"{value:.2f}" in words(app)


def test_words_that_differ_are_marked_and_no_flipped_bit_is_explained(open_bits, language):
    app = say(open_bits(language=language), *CATS)
    given = [data["marks"] for data in boards(app) if "marks" in data]
    assert [[text[start:end] for start, end in marks]
            for text, marks in zip(CATS, given, strict=True)] == [["the"], ["a"]]  # fmt: skip
    said = {"zh": "64 位里一位也没有翻", "en": "none of the 64 bits flipped"}
    assert said[language] in words(app)
    assert {"zh": "“a”、“the”在这里没有权重", "en": "“a”, “the” weigh nothing here"}[
        language
    ] in words(app)
    app.button(key="lab_uniform").click().run()
    traced = laboratories.traces(CATS, settings=Settings(bits=64, weighting="uniform"))
    flipped = laboratories.similarity_measures(*traced).distance

    assert flipped
    assert f"<b>{flipped}</b>" in words(app)
    assert app.selectbox(key="lab_weighting").value == "uniform"


def test_a_fourth_flipped_bit_may_break_the_pigeonhole(open_bits, language):
    app = say(open_bits(language=language), A, A)
    wanted = {
        "zh": ["一位不差", *("填不满 4 个盒子",) * 3, "四个盒子都有了"],
        "en": ["No difference", *("cannot fill 4 boxes",) * 3, "Every box has one"],
    }
    for count, sentence in enumerate(wanted[language]):
        assert sentence in boxes(app)["words"]["pigeon"], count
        assert sum(not block[2] for block in boxes(app)["blocks"]) == 4 - count
        app.button(key="lab_flip").click().run()
    app.button(key="lab_restore").click().run()

    assert wanted[language][0] in boxes(app)["words"]["pigeon"]
    app.button(key="lab_flip").click().run()
    weigh(app, "tf")  # other fingerprints: what was flipped by hand is left
    assert not [button for button in app.button if button.key == "lab_restore"]


def test_statistics_of_the_check_serve_weightings_that_need_them(open_bits, result):
    app = weigh(open_bits(result=result), "tfidf")
    text = result.documents[0].text
    say(app, text)
    (traced,) = laboratories.traces(
        (text,), settings=Settings(bits=64, weighting="tfidf"), stats=result.stats
    )

    assert board(app)["grids"][0]["bits"] == traced.explanation.bits.astype(int).tolist()


def test_one_short_text_is_followed_with_the_measured_spread(open_bits, language):
    app = say(open_bits(language=language), A)
    assert len(board(app)["grids"]) == page_texts.said(app).count('<ul class="lt-votes"') == 1
    measured = laboratories.edit_sensitivity(
        laboratories.traces((A,), settings=Settings(bits=64))[0]
    )

    assert f"{measured.mean:.0f} ± {measured.deviation:.0f}" in words(app)


def test_a_pair_of_the_check_falls_into_its_boxes(open_bits, result):
    app = open_bits(result=result)
    pair = app.selectbox(key="lab_open_pair").options[0]
    app.selectbox(key="lab_open_pair").select_index(0).run()
    distance = int(re.search(r": (\d+) of 64", pair)[1])

    assert sum(block[2] for block in boxes(app)["blocks"]) == distance
    texts = {document.text for document in result.documents}
    assert set(app.session_state["lt.lab_texts"]) <= texts


def test_votes_name_the_selected_bit_and_add_up(open_bits):
    app = say(open_bits(), A, B)
    bit = board(app)["selected"]
    traced = laboratories.traces((A,), settings=Settings(bits=64))[0]

    assert f"Bit {bit}" in words(app)
    sums = f"{traced.explanation.sums[bit] / 65536:+.1f}".replace("-", "−")
    assert f"sum {sums}" in words(app)


def test_markup_in_a_text_stays_text(open_bits):
    app = say(open_bits(), "<img src=x onerror=alert(1)> <b>bold</b> words here", "words here")

    assert "<img" not in page_texts.words(app)


LEAD = {"zh": "一词独大", "en": "One word decides"}


def test_a_word_that_decides_alone_is_named(open_bits, language):
    app = weigh(open_bits(language=language), "tf")

    say(app, "apple " * 40 + A, A)
    assert words(app).count(LEAD[language]) == 1 and "apple" in words(app)
    say(app, A, B)
    assert LEAD[language] not in words(app)


# ----------------------------------------------------------------------- how near is near


def test_false_pairs_and_costs_follow_the_line(open_app):
    app = open_app(PAGE)
    app.segmented_control(key="lab_chapter").set_value("near").run()
    said = words(app) + str(listed(app, "lab_near"))
    assert "about 890 false pairs" in said
    assert "one false pair in 1,000,000 checks" in said
    assert "1 in 840" in said  # at 3 of 64, a million pages
    assert "15 bits" in said and "8 bits" in said and "3 bits" in said  # safe up to
    app.slider(key="lab_near_64").set_value(3).run()

    plan = laboratories.plan_search(10**7, 3, 64)
    (way, _, seconds), *_ = listed(app, "lab_cost")
    assert way == f"look up blocks, {plan.name}"
    assert seconds == f"{plan.seconds[plan.name]:.1f} s"
    app.segmented_control(key="lab_near_bits").set_value(128).run()
    assert app.slider(key="lab_near_128").max == 64


def test_the_measured_figure_of_a_check_stands_beside_the_ideal(open_app, result):
    app = open_app(PAGE, result=result)
    app.segmented_control(key="lab_chapter").set_value("near").run()
    assert "as measured" not in str(listed(app, "lab_near"))
    app.segmented_control(key="lab_near_bits").set_value(result.fingerprints.bits).run()

    names = [name for name, *_ in listed(app, "lab_near")]
    assert {"this check, as measured", f"one class, {result.checked} texts"} <= set(names)
