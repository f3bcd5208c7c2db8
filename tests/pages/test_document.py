"""The Document page on a real check, in both languages."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from page_texts import numbers_of, row, said

from pages._ui.components.texts import STYLES, Source, chip, lay_sources
from pages._ui.reader import text as document
from simhash_core import Document, check
from simhash_core.i18n import translator
from simhash_core.limits import Significance, Tail
from simhash_core.model import Division, Note, text_id
from simhash_core.notation import UNKNOWN, Notation
from simhash_core.numbers import divide_text
from simhash_core.seen import differences, read_lines, source_shares
from tests.text.recognised_page import recognised


def test_document_shows_total_overlap_and_sources_or_that_nothing_was_found(
    open_app, language, result
):
    text = row(result, "18-")
    app = open_app("results", language=language, result=result, text=str(text), unfolded=True)
    assert result.documents[text].name in said(app)
    values = numbers_of(app)
    assert values[0] == Notation.of(language).total(divide_text(result, text))
    assert values[3] == str(len(source_shares(result, text)))
    # document of an independent text says that nothing was found
    alone = int(np.argmin(result.total_overlap))
    assert result.total_overlap[alone] == 0
    app = open_app("results", language=language, result=result, text=str(alone), unfolded=True)
    assert {"zh": "没有找到", "en": "No shared passage"}[language] in said(app)


def test_document_opens_the_highest_overlap_and_follows_box_and_link(open_app, result):
    app = open_app("results", language="en", result=result, text="gone")
    opened = app.selectbox(key="document_row").value
    assert result.total_overlap[opened] == result.total_overlap.max()
    assert opened == row(result, "02-")  # of several copies the one with the longest run
    # document box changes the link
    app = open_app("results", language="en", result=result, text="3")
    app.selectbox(key="document_row").select(5).run()
    assert app.query_params["text"] == "5"
    assert result.documents[5].name in said(app)
    # document without pages has one view
    app = open_app("results", language="en", result=result, text="0", show="seen")
    assert "document_show" not in {group.key for group in app.get("button_group")}


def test_sources_have_their_places_and_what_chance_gives(result):
    left, right = row(result, "05-"), row(result, "18-")
    for text, other in ((left, right), (right, left)):
        share = next(s for s in source_shares(result, text) if s.row == other)
        spans = document.spans(result, share.table_row, text)
        size = len(result.documents[text].text)
        assert len(spans) == share.passages
        assert all(0 <= start < end <= size for start, end in spans)
    # each source says what chance gives
    tail = Tail(231, 224, 5.5, 0.01, 0.7, 0.0)
    column = np.full(len(result.table), 0.02, np.float32)
    with_chance = replace(
        result, table=replace(result.table, chance=column), significance=Significance({"en": tail})
    )
    shares = source_shares(with_chance, int(result.table.pairs.left[0]))
    assert [share.chance for share in shares] == pytest.approx([0.02] * len(shares))
    assert Notation.of("en").expected(0.004) == "under 0.01"
    assert Notation.of("en").expected(float("nan")) == UNKNOWN


def shared(units: int) -> Division:
    return Division(units, 0, 0, 100 - units, 0, "characters")


def of(text: str) -> Document:
    return Document.from_text(text, name="text.txt")


def test_layout_draws_sources_where_the_text_lies():
    text = "a" * 100
    sources = [
        Source(7, "first", shared(40), "", ((10, 50),)),
        Source(8, "second", shared(30), "", ((40, 70),)),
    ]
    drawn = lay_sources(of(text), sources)
    assert drawn["lanes"] == [
        {"source": 0, "pieces": [(10.0, 40.0, 0, 10)]},
        {"source": 1, "pieces": [(40.0, 30.0, 0, 40)]},
    ]
    # what a few hold is a piece of its own, what many hold one lane for all
    held = lay_sources(of(text), sources, held=((20, 30, 1), (45, 50, 2)))
    assert held["lanes"] == [
        {"source": 0, "pieces": [(10.0, 10.0, 0, 10), (20.0, 10.0, 1, 20), (30.0, 15.0, 0, 30)]},
        {"source": 1, "pieces": [(40.0, 5.0, 0, 40), (50.0, 20.0, 0, 50)]},
        {"source": -1, "pieces": [(45.0, 5.0, 2, 45)]},
    ]
    runs = [run for paragraph in drawn["text"]["paragraphs"] for run in paragraph]
    assert "".join(run[0] for run in runs) == text
    assert [run[1] for run in runs if len(run) > 1] == [0, 1]
    # where both lie, the text belongs to the better one
    assert [(one["source"], one["at"]) for one in drawn["matches"]] == [(0, 10), (1, 50)]


def test_layout_marks_misread_words_and_what_does_not_count():
    sources = [Source(7, "first", shared(40), "", ((10, 50),))]
    misread = [Note("misread", {"spans": [(20, 25), (60, 62)]})]
    notes = (Note("template", {}, 90, 95), *misread)
    drawn = lay_sources(replace(of("a" * 100), notes=notes), sources)
    runs = [run for paragraph in drawn["text"]["paragraphs"] for run in paragraph]
    assert [run[0] for run in runs if len(run) > 2 and run[2]] == ["a" * 5, "aa"]
    (left_out,) = (run for run in runs if len(run) > 3 and run[3])
    assert left_out[:2] == ["a" * 5, -1] and isinstance(left_out[3], str)


def test_ninth_source_shares_a_style_and_carries_a_letter():
    assert [chip(rank) for rank in (0, 7, 8, 9, 33, 34)] == ["1", "8", "a", "b", "z", "aa"]
    sources = [Source(i, f"s{i}", shared(10), "", ((i, i + 1),)) for i in range(12)]
    styles = [source["style"] for source in lay_sources(of("b" * 50), sources)["sources"]]
    assert styles[:STYLES] == [f"k-s{i + 1}" for i in range(STYLES)]
    assert set(styles[STYLES:]) == {f"k-s{STYLES + 1}"}


def test_document_shows_what_was_left_out_and_says_it_once(open_app, language, result):
    text = row(result, "18-")
    hidden = Note("left_out", {"n": 12, "words": "planted words"})
    given = tuple(Note("template", {}, at, at + 5) for at in (0, 20))
    documents = list(result.documents)
    documents[text] = replace(documents[text], notes=(*documents[text].notes, hidden, *given))
    noted = replace(result, documents=tuple(documents))
    app = open_app("results", language=language, result=noted, text=str(text))
    note = {"zh": "有 12 个字符读者看不见", "en": "12 characters that a reader cannot see"}
    assert note[language] in said(app)
    assert "planted words" in said(app)
    of_report, *labels, measured = [one.label for one in app.expander]
    assert of_report == translator(language)("report.menu.course")
    assert labels == [{"zh": "看看略去的文字", "en": "The text that was left out"}[language]]
    assert translator(language)("results.complete.title") in measured
    # what holds for several places is said once
    assert said(app).count(translator(language)("notes.template")) == 1


@pytest.fixture
def on_pages():
    """A check of a page that hides words, of one that shows other words, and of a scan."""
    hidden = (("blank", 0, (100, 600, 900, 800), 40, 1, "", "words that nobody sees", ()),)
    other = (("remapped", 1, (100, 100, 900, 200), 30, 1, "<b>what is seen</b>", "jung vf", ()),)
    texts = (
        ("hides.pdf", (Note("left_out", {"n": 40, "words": "words", "places": hidden}),)),
        ("shows.pdf", (Note("remapped", {"n": 30, "places": other}),)),
        ("scan.jpg", recognised().notes),
    )
    documents = [replace(recognised(), name=name, notes=notes) for name, notes in texts]
    return check([replace(one, id=text_id(one.name)) for one in documents])


@pytest.mark.long
def test_document_offers_its_pages_where_both_readings_differ(open_app, language, on_pages):
    app = open_app("results", language=language, result=on_pages, text="0")
    (views,) = (group for group in app.get("button_group") if group.key == "document_show")
    assert len(views.options) == 2

    assert {"zh": "（没有墨的字）", "en": "(text without ink)"}[language] in said(app)

    app = open_app("results", language=language, result=on_pages, text="0", show="seen")
    sentence = {"zh": "有 1 处不一样", "en": "differ in 1 place."}[language]
    assert sentence in said(app)
    assert {"zh": "眼睛看到的", "en": "what the eye sees"}[language] in said(app)


def test_document_shows_a_scan_with_its_confidence(open_app, language, on_pages):
    app = open_app("results", language=language, result=on_pages, text="2", show="read")
    assert {"zh": "可信 96%", "en": "confidence 96%"}[language] in said(app)
    assert {"zh": "1 处没有把握", "en": "1 uncertain word"}[language] in said(app)


def test_rows_hold_both_readings_as_text(on_pages):
    hides, shows, scan = on_pages.documents
    assert document.views(hides) == ("text", "seen")
    assert document.views(scan) == ("text", "read")
    (one,) = differences(shows)
    assert (one.kind, one.seen) == ("remapped", "<b>what is seen</b>")
    lines = read_lines(scan)
    assert [line.percent for line in lines[:3]] == [97, 97, 71]
    assert all(scan.text[line.start : line.end].strip() for line in lines)
    assert [len(line.unsure) for line in lines[:3]] == [0, 0, 1]


def test_overview_and_compare_say_that_a_text_was_recognised(open_app, on_pages):
    app = open_app("results", language="en", result=on_pages, pair="0,2")
    assert "scan_1" in {button.key for button in app.button}
    app.button(key="scan_1").click().run()
    assert app.query_params["show"] == ["read"] or app.query_params["show"] == "read"
