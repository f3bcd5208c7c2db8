"""Overview: the threshold moves everything at once; tables, names and files follow."""

from __future__ import annotations

import csv
import html
import io
import json
from dataclasses import replace

import numpy as np
import pytest
from page_texts import COPY, ESSAY, HILL, OTHER, ROPE, listed, numbers_of, sent_to, words

import simhash_core as core
from pages._ui.results import measured
from pages._ui.results import page as figures
from pages._ui.shared import formatting, pairs
from simhash_core import checking, i18n, view_at_threshold
from simhash_core.cases import case_rows
from simhash_core.report import pairs_csv
from simhash_core.result import Guarantee


def test_strip_completeness_and_expectations_stand_in_the_fold(open_app, language, result):
    folded = open_app("results", language=language, result=result)
    assert not numbers_of(folded) and not folded.get("plotly_chart")
    app = open_app("results", language=language, result=result, unfolded=True)
    view = view_at_threshold(result, result.threshold)
    texts, highest, pairs, clusters, skipped = numbers_of(app)
    share = {"zh": f"/ {len(result.documents)} 篇", "en": f"of {len(result.documents)}"}[language]
    assert texts == f"{int((result.total_overlap > 0).sum())}{share}"
    assert highest.startswith("100%")
    assert pairs == str(int(view.listed.sum()))
    assert clusters == str(len(view.clusters))
    assert skipped == str(len(result.skipped))
    said = words(app)
    assert {"zh": "误报", "en": "false pairs to expect"}[language] in said
    t = i18n.translator(language)
    shown = html.unescape(words(app))
    fold = app.expander[-1].label
    assert {"zh": "这是怎么比出来的？", "en": "How was this measured?"}[language] in fold
    assert {"zh": "231 对", "en": "231 pairs"}[language] in fold
    assert result.guarantees
    for fact in result.guarantees:
        assert t(f"guarantee.{fact.code}", **fact.params) in shown
    rare = Guarantee("passages_rare", {"pairs": 7, "possible": 9})
    app = open_app("results", language=language, result=replace(result, guarantees=(rare,)))
    assert t("results.complete.likely", n=7) in app.expander[-1].label
    app = open_app("results", language=language, result=result, view="pupils")
    assert app.segmented_control(key="results_view").value == "pupils"
    app.segmented_control(key="results_view").set_value("groups").run()
    assert app.query_params["view"] == "groups"


def test_one_sentence_answers_and_texts_compared_with_are_nobody(open_app, language):
    documents = documents_of(ESSAY, f"{ESSAY} {OTHER}", HILL, ROPE)
    result = core.check(documents[:1] + documents[2:3], against=[documents[1], documents[3]])
    app = open_app("results", language=language, result=result, unfolded=True)
    said = html.unescape(words(app))

    answer = {
        "zh": "2 篇里，1 篇有些文字只和个别几篇相同，或整篇相同。"
        "其余 1 篇没有只和个别几篇相同的文字。",
        "en": "Of 2 texts, 1 shares text that only a few have, or a whole text. "
        "The other one shares nothing that only a few have.",
    }
    assert answer[language] in said
    assert {"zh": "另有对照 2 篇", "en": "compared with 2 more"}[language] in said
    assert numbers_of(app)[0] == {"zh": "1/ 2 篇", "en": "1of 2"}[language]


def test_threshold_and_names_change_all_that_is_shown(open_app, result):
    app = open_app("results", result=result)
    (cases,) = [sent_to(app, "cases")["groups"]]
    numbers = [row["id"] for group in cases for row in group["rows"]]
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    assert len(app.session_state["lt.pair_order"]) == len(case_rows(result))
    # moving the threshold changes everything and keeps the prints
    app = open_app("results", result=result, unfolded=True)
    app.slider(key="k").set_value(0).run()
    within = int(view_at_threshold(result, 0).within.sum())
    assert f"{within} pairs within" in app.get("plotly_chart")[0].proto.spec
    assert app.session_state["lt.check"].result is result
    figure = json.loads(app.get("plotly_chart")[0].proto.spec)
    line = next(shape for shape in figure["layout"]["shapes"] if shape["type"] == "line")
    assert line["x0"] == 0.5
    # threshold is kept on other pages
    app = open_app("results", result=result, unfolded=True)
    app.slider(key="k").set_value(5).run()
    app.switch_page("pages/review.py").run()
    app.session_state["measured"] = True
    app.switch_page("pages/results.py").run()
    assert app.slider(key="k").value == 5
    # hidden names are nowhere
    app = open_app("results", result=result)
    app.toggle(key="hide_names").set_value(True).run()
    sent = " ".join(str(element.proto) for kind in ("html", "bidi_component")
                    for element in app.get(kind))  # fmt: skip
    for document in result.documents:
        assert document.name not in sent


def test_texts_are_ranked_by_overlap(result):
    ranked = pairs.rank_texts(result, [document.name for document in result.documents])
    assert sorted(ranked) == list(range(len(result.documents)))
    assert (np.diff(result.total_overlap[ranked]) <= 0).all()


def test_nearest_pairs_by_fingerprint_are_listed_nearest_first(result, open_app):
    app = open_app("results", result=result, unfolded=True)
    bits = [int(row[1]) for row in listed(app, "nearest")]
    assert bits == sorted(result.table.pairs.distance)[: len(bits)]
    assert len(bits) == measured.NEAREST
    named = str([row[0] for row in listed(app, "nearest")])
    assert ".docx" not in named  # names without files leave room for both
    assert ".txt" not in named


def test_files_disarm_formulas_and_carry_hidden_names_only(result):
    names = [f"=cmd|{row}" for row in range(len(result.documents))]
    view = view_at_threshold(result, result.threshold)
    data = figures.write_file(pairs_csv, result, view, names, "en")
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    assert data.startswith(b"\xef\xbb\xbf")
    assert len(rows) > 1
    assert all(cell.startswith("'=") for row in rows[1:] for cell in row[:2])
    # json carries hidden names only
    names = [f"Text {row}" for row in range(len(result.documents))]
    view = view_at_threshold(result, result.threshold)
    data = json.loads(figures.write_file(core.to_json, result, view, names, "en"))
    assert [document["name"] for document in data["documents"]] == names
    assert not any(document["meta"] for document in data["documents"])


@pytest.mark.parametrize("k", [0, 80, 110])
def test_the_export_menu_gives_the_same_pairs_in_both_files(result, k):
    """Slider at 110: the CSV held 14 pairs, the JSON the 7 of the threshold of the check."""
    view, names = view_at_threshold(result, k), [document.name for document in result.documents]
    table = figures.write_file(pairs_csv, result, view, names, "en").decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(table)))[1:]
    data = json.loads(figures.write_file(core.to_json, result, view, names, "en"))

    assert [(row[0], row[1]) for row in rows] == [(pair["a"], pair["b"]) for pair in data["pairs"]]
    assert len(rows) == int(view.listed.sum())
    assert data["threshold"]["distance"] == k
    assert len(data["clusters"]) == len(view.clusters)


@pytest.mark.parametrize(
    ("expected", "zh", "en"),
    [(0.001, "不到 0.01", "under 0.01"), (0.43, "约 0.4", "about 0.4"), (7.6, "约 8", "about 8"),
     (1234.0, "约 1\u2009000", "about 1,000")],
)  # fmt: skip
def test_expectations_are_rounded_to_one_digit(monkeypatch, expected, zh, en):
    for language, wanted in (("zh", zh), ("en", en)):
        monkeypatch.setattr(formatting, "language", lambda language=language: language)
        monkeypatch.setattr("pages._ui.shared.session.language", lambda language=language: language)
        assert formatting.say_expected(expected) == wanted


def documents_of(*texts: str) -> list[core.Document]:
    sources, _ = checking.uploads([(f"{n}.txt", text.encode()) for n, text in enumerate(texts)])
    documents, _ = core.read(sources)
    return documents


def test_few_short_or_distant_texts_leave_the_page_whole(open_app, language, monkeypatch):
    result = core.check(documents_of(ESSAY, COPY, OTHER))
    app = open_app("results", language=language, result=result)
    assert not app.get("plotly_chart")
    assert app.session_state["lt.pair_order"] == ((0, 1),)
    # texts without fingerprints leave the page whole
    short = [f"第{n}篇很短，只有一句话，没有整篇指纹。" for n in "一二三四五"]
    distant = core.check(documents_of(*short))
    app = open_app("results", language=language, result=distant, unfolded=True)
    assert not app.exception and len(numbers_of(app)) == 5
    # nothing close is said in words
    result = core.check(documents_of(ESSAY, OTHER, HILL, ROPE), settings=core.Settings.of("strict"))
    app = open_app("results", language=language, result=result)
    said = words(app)
    assert {"zh": "没有相近的文本", "en": "No close texts"}[language] in said
    assert {"zh": "不等于没有来源", "en": "not the same as original"}[language] in said
