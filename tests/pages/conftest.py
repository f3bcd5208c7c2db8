"""The application without a browser, before and after a check of the sample essays."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import simhash_core as core
from pages._ui.shared.session import CurrentCheck
from simhash_core import CheckResult

ROOT = Path(__file__).resolve().parents[2]
LOCALES = {"zh": "zh-CN", "en": "en-GB"}


@pytest.fixture(scope="session")
def result():
    """A real check of the sample essays."""
    sources, _ = core.gather(core.samples()["essays"])
    documents, skipped = core.read(
        [source for source in sources if not source.name.endswith("csv")]
    )
    return core.check(documents, skipped=skipped)


@pytest.fixture(params=["zh", "en"])
def language(request):
    return str(request.param)


@pytest.fixture
def open_app():
    """`open_app("results", language="zh", result=result, view="groups")`: run a page of app.py."""

    def start(
        page: str = "",
        *,
        language: str = "en",
        result: CheckResult | None = None,
        unfolded: bool = False,
        **query: str,
    ) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        app.context["locale"] = LOCALES[language]
        app.session_state["measured"] = unfolded
        if result is not None:
            moment = datetime(2026, 11, 21, 14, 32, tzinfo=UTC)
            app.session_state["lt.check"] = CurrentCheck(result, "essays", moment, 1.8)
        for name, value in query.items():
            app.query_params[name] = value
        app.run()
        if page:
            app.switch_page(f"pages/{page}.py").run()
        assert not app.exception, app.exception[0].message
        return app

    return start
