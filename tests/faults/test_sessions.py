"""Much of everything in the application: uploads, checks one after another, sessions at once."""

from __future__ import annotations

import gc
import os
import re
import shutil
import time
from pathlib import Path

import psutil
import pytest
from page_runs import put_in_zone, rest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright
from prose import english
from streamlit.testing.v1 import AppTest

from pages._ui.check.uploads import MOST_FILES
from pages._ui.shared import jobs
from simhash_core.app.server import free_port, serving

pytestmark = pytest.mark.timeout(3600)
SESSIONS, CHECKS = int(os.environ.get("LEITONG_SESSIONS", "20")), 30
MOST_GROWTH = 1.10  # of the memory of a process between its tenth check and its thirtieth
WAIT = 600_000  # milliseconds on a busy machine


@pytest.fixture
def app(root: Path) -> AppTest:
    made = AppTest.from_file(str(root / "app.py"), default_timeout=600)
    made.context["locale"] = "en-GB"
    return made.run()


def ended(app: AppTest, kind: str) -> AppTest:
    """Run the page as its timer does, however long a job of this kind takes."""
    number = app.session_state["lt.open"].jobs.get(kind, "")
    job = jobs.manager().find(app.session_state["lt.owner"], number)
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


@pytest.mark.promise(39)
def test_checks_of_one_session_end_and_leave_nothing(app: AppTest, record_property) -> None:
    held = []
    for number in range(CHECKS):
        texts = [english(100 * number + n, 150) for n in range(3)]
        texts.append(texts[0] + " And a word of my own.")
        named = [(f"{n}.txt", text.encode()) for n, text in enumerate(texts)]
        put_in_zone(app, *named)
        ended(app, "read").button(key="start").click().run()
        ended(app, "check")
        result = app.session_state["lt.check"].result
        assert [cluster.members for cluster in result.clusters] == [(0, 3)], number
        assert not app.exception
        app.switch_page("pages/check.py").run()
        app.button(key="clear").click().run()
        gc.collect()
        held.append(psutil.Process().memory_info().rss)

    tenth, last = held[9] / 1e6, held[-1] / 1e6
    record_property("outcome", f"{CHECKS} checks, {tenth:.0f} MB after the 10th, {last:.0f} now")
    assert last < MOST_GROWTH * tenth


@pytest.mark.promise(38)
def test_sessions_at_once_have_their_own_results(tmp_path: Path, record_property) -> None:
    browser_path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if browser_path is None:
        pytest.skip("no Chromium")
    began = time.monotonic()
    with serving(free_port(), log=tmp_path / "log.txt") as server, sync_playwright() as tool:
        arguments = ["--disable-gpu", "--no-sandbox"]
        browser = tool.chromium.launch(executable_path=browser_path, args=arguments)
        contexts = [browser.new_context(locale="zh-CN") for _ in range(SESSIONS)]
        pages = [opened(context, server.url) for context in contexts]
        for number, page in enumerate(pages):
            texts = [english(1000 * number + n, 150) for n in range(3 + number % 4)]
            texts.append(texts[0])
            page.locator(".st-key-files-way input[type=file]").set_input_files(
                [
                    {"name": f"{number}-{n}.txt", "mimeType": "text/plain", "buffer": t.encode()}
                    for n, t in enumerate(texts)
                ]
            )
        for page in pages:
            start = page.locator(".st-key-start button")
            expect(start).to_be_enabled(timeout=WAIT)
            start.click()
        for number, page in enumerate(pages):
            expect(page).to_have_url(re.compile("/overview"), timeout=WAIT)
            expect(page.get_by_text(f"{number}-0.txt").first).to_be_visible(timeout=WAIT)
            expect(page.get_by_test_id("stException")).to_have_count(0)
            others = [other for other in range(SESSIONS) if other != number]
            shown = page.locator("body").inner_text()
            assert not any(f" {other}-0.txt" in f" {shown}" for other in others)
        memory = of_tree(server.process.pid)
        browser.close()
    seconds = time.monotonic() - began
    record_property("outcome", f"{SESSIONS} sessions in {seconds:.0f} s, server {memory:.0f} MB")


def opened(context: BrowserContext, url: str) -> Page:
    page = context.new_page()
    page.goto(url, timeout=WAIT)
    expect(page.locator(".st-key-files-way")).to_be_visible(timeout=WAIT)
    return page


def of_tree(process: int) -> float:
    """Return the megabytes of a process and its children."""
    top = psutil.Process(process)
    return sum(one.memory_info().rss for one in (top, *top.children(recursive=True))) / 1e6
