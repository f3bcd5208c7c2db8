"""What guides say of the pages is done on the pages, with the files that the guides name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

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
def drop(language: str) -> Drop:
    """`drop("moodle", "*.zip")`: Check, with files that following a guide left dropped on it."""

    def dropped(guide: str, *patterns: str) -> AppTest:
        tree = documents.DOCS / "zh" if language == "zh" else documents.DOCS
        folder = documents.followed(tree / "how-to" / f"{guide}.md").folder
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        app.context["locale"] = LOCALES[language]
        app.run()
        files = sorted(file for pattern in patterns for file in folder.glob(pattern))
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
    ("guide", "pupils", "pairs"),
    [
        ("moodle", 33, ({"Finn O'Leary", "Will Sutton"}, {"杨帆", "贾若曦"})),
        ("canvas", 3, ({"clarkeemma", "shawoliver"},)),
        ("xuexitong", 4, ({"李青", "周宁"},)),
    ],
)
def test_the_download_of_a_platform_is_dropped_and_checked(
    drop: Drop, language: str, guide: str, pupils: int, pairs: tuple[set[str], ...]
) -> None:
    app = drop(guide, "*.zip")

    assert translator(language)("check.people.known", n=pupils) in said(app)
    assert pairs[-1 if language == "zh" else 0] in overlapping(app)


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
