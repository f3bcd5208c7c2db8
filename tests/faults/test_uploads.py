"""As many uploads as the application takes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from page_runs import put_in_zone, rest
from prose import english
from streamlit.testing.v1 import AppTest

from pages._ui.check.uploads import MOST_FILES

pytestmark = pytest.mark.timeout(3600)


@pytest.fixture
def app(root: Path) -> AppTest:
    made = AppTest.from_file(str(root / "app.py"), default_timeout=600)
    made.context["locale"] = "en-GB"
    return made.run()


def ended(app: AppTest, kind: str) -> AppTest:
    """Run the page as its timer does, however long a job of this kind takes."""
    job = app.session_state["lt.open"].jobs.get(kind)
    while job is not None and job.state == "running":
        time.sleep(0.5)
    return rest(app, kind)


@pytest.mark.promise(37)
def test_two_thousand_uploads_are_a_text_or_a_reason_each(app: AppTest, record_property) -> None:
    named = [(f"{n:04}.txt", english(n, 60).encode() if n % 20 else b"") for n in range(MOST_FILES)]
    began = time.monotonic()
    put_in_zone(app, *named)
    ended(app, "read")

    batch = app.session_state["lt.open"].batch
    assert not app.exception
    assert [entry.name for entry in batch.entries] == [name for name, _ in named]
    assert [item.code for item in batch.skipped] == ["empty"] * (MOST_FILES // 20)
    assert len(batch.documents) + len(batch.skipped) == MOST_FILES
    put_in_zone(app, ("one more.txt", english(1, 60).encode()))
    assert len(app.session_state["lt.open"].batch.entries) == MOST_FILES
    assert app.session_state["lt.refused"][0] == MOST_FILES + 1
    seconds = time.monotonic() - began
    record_property("outcome", f"{MOST_FILES} files in {seconds:.0f} s, one more is refused")
