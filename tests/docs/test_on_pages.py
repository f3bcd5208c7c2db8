"""What guides say of the pages is done on the pages, with the files that the guides name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import documents
import pytest
from page_runs import rest, upload
from page_texts import said
from streamlit.testing.v1 import AppTest

from leitong import Result
from simhash_core.i18n import translator
from simhash_core.people.authorship import list_hand_ins
from simhash_core.result import list_rows

ROOT = documents.DOCS.parent
LOCALES = {"en": "en-GB", "zh": "zh-CN"}
pytestmark = pytest.mark.long

Drop = Callable[..., AppTest]


@pytest.fixture(params=["en", "zh"])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def drop(tmp_path: Path, language: str) -> Drop:
    """`drop("moodle", "*.zip")`: Check, with files that a guide names dropped on it."""

    def dropped(guide: str, *patterns: str) -> AppTest:
        tree = documents.DOCS / "zh" if language == "zh" else documents.DOCS
        documents.prepare(tree / "how-to" / f"{guide}.md", tmp_path)
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        app.context["locale"] = LOCALES[language]
        app.run()
        files = sorted(file for pattern in patterns for file in tmp_path.glob(pattern))
        assert files
        shown: AppTest = upload(app, *((file.name, file.read_bytes()) for file in files))
        return shown

    return dropped


def overlapping(app: AppTest) -> list[set[str]]:
    """Start the check; return who overlaps with whom."""
    app.button(key="start").click().run()
    rest(app, "check")
    result = app.session_state["lt.check"].result
    called = {one.name: one.meta.get("person", one.name) for one in result.documents}
    pairs = Result(result).pairs()
    return [{called[pair["a"]], called[pair["b"]]} for pair in pairs]


@pytest.mark.parametrize(
    ("guide", "files", "pair"),
    [
        ("moodle", "*.zip", {"Alice Moore", "Ben Carter"}),
        ("canvas", "*/*", {"clarkeemma", "shawoliver"}),
        ("xuexitong", "*/*", {"李青", "周宁"}),
    ],
)
def test_the_download_of_a_platform_is_dropped_and_checked(
    drop: Drop, language: str, guide: str, files: str, pair: set[str]
) -> None:
    app = drop(guide, files)

    recognised = app.session_state["lt.open"].batch.documents
    known = translator(language)("check.people.known", n=len(recognised))
    assert known in said(app)
    assert pair in overlapping(app)


def test_a_check_that_was_handed_over_is_dropped_and_goes_on(drop: Drop) -> None:
    app = drop("several-checkers", "*.leitong")

    assert len(list_rows(app.session_state["lt.check"].result))


def test_the_first_tutorial_counts_the_class_as_the_page_does(language: str) -> None:
    tree = documents.DOCS / "zh" if language == "zh" else documents.DOCS
    text = (tree / "tutorials" / "first-class.md").read_text("utf-8")
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.context["locale"] = LOCALES[language]
    app.run().run()
    app.button(key="sample_class").click().run()
    rest(app, "read")
    opened = app.session_state["lt.open"]
    of_class = list_hand_ins(opened.batch.documents, opened.batch.skipped, opened.class_list())
    counts = Counter(one.state for one in of_class)

    forms = {"en": ("Thirty-four are **handed in**", "Four are **", "Two are **missing**"),
             "zh": ("**已交** 34 人", "**交了但读不了** 4 人", "**未交** 2 人")}  # fmt: skip
    assert counts == {"read": 34, "unread": 4, "missing": 2}
    assert all(form in text for form in forms[language])
