"""Questions for the class: what several texts hold, with one answer that counts everywhere."""

from __future__ import annotations

import pytest
from desk_tab import kept
from page_texts import said
from streamlit.testing.v1 import AppTest

from simhash_core import CheckResult, Document, check
from simhash_core.cases import passage_cases
from simhash_core.storage import Project, Subject
from tests.prose import english


@pytest.fixture(scope="module")
def result():
    """Eighteen essays: six hold one passage of 60 words, two another of 90."""
    texts = [english(row, 260) for row in range(18)]
    for rows, seed, words in ((range(2, 8), 50, 60), (range(2), 51, 90)):
        for row in rows:
            texts[row] += "\n\n" + english(seed, words)
    return check([Document.from_text(text, name=f"{row}.txt") for row, text in enumerate(texts)])


def script() -> None:
    from pages._ui.results import page

    page.draw()


def opened(result: CheckResult, language: str) -> tuple[AppTest, Project]:
    check = kept(result)
    app = AppTest.from_function(script, default_timeout=60)
    app.context["locale"] = {"zh": "zh-CN", "en": "en-GB"}[language]
    app.session_state["lt.check"] = check.current
    app.session_state["lt.open"] = check
    app.run()
    assert not app.exception, app.exception[0].message
    return app, check.project


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_passage_is_asked_once_and_its_answer_counts_everywhere(result, language):
    (passage,) = passage_cases(result)
    app, project = opened(result, language)
    (asked,) = [one for one in app.segmented_control if str(one.key).startswith("passage_")]

    asked.set_value("source").run()
    assert project.decisions()[Subject.group(passage.key)].reason == "quotation"
    seen = app.session_state["lt.check"].result
    assert (seen.total_overlap[2:8] < 0.1).all() and (seen.total_overlap[:2] > 0.2).all()

    (asked,) = [one for one in app.segmented_control if str(one.key).startswith("passage_")]
    assert asked.value == "source"
    asked.set_value("copied").run()
    assert project.decisions()[Subject.group(passage.key)].verdict == "confirmed"
    first = {"en": "Of 18 texts, 8 share text", "zh": "18 篇里，8 篇有些文字"}[language]
    assert first in said(app)  # the pair, and the six who have it from one another
    assert (app.session_state["lt.check"].result.total_overlap[2:8] > 0.1).all()


def test_without_a_passage_of_several_nothing_is_asked():
    texts = [english(row, 260) for row in range(5)]
    alone = check([Document.from_text(text, name=f"{row}.txt") for row, text in enumerate(texts)])
    app, _ = opened(alone, "en")

    assert not [one for one in app.segmented_control if str(one.key).startswith("passage_")]
    assert "questions" not in said(app)
