"""`kill -9` of the real server while a check runs and a reader decides at the review desk."""

from __future__ import annotations

import os
import random
import re
import shutil
import time
from pathlib import Path

import pytest
from playwright.sync_api import Error, Page, expect, sync_playwright
from prose import english

from simhash_core import Document, check
from simhash_core.app import tickets
from simhash_core.app.server import free_port, run_server
from simhash_core.storage import Shelf, owner_folder, owner_key

KILLS = int(os.environ.get("LEITONG_KILLS", "20"))
WAIT = 120_000  # milliseconds on a busy machine


def documents() -> list[Document]:
    """80 texts, of which each two share a paragraph: more cases than one round can decide."""
    shared = [english(900 + n, 150) for n in range(40)]
    return [
        Document.from_text(f"{english(n, 500)} {shared[n % 40]}", name=f"{n:02d}.txt")
        for n in range(80)
    ]


def decided_on(page: Page) -> int:
    shown = page.locator(".bar .count").inner_text(timeout=2000)
    number = re.match(r"\s*(\d+)", shown)
    return int(number[1]) if number else 0


@pytest.mark.promise(1)
@pytest.mark.timeout(3000)
def test_nothing_decided_at_the_desk_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_property
) -> None:
    browser_path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if browser_path is None:
        pytest.skip("no Chromium")
    monkeypatch.setenv("LEITONG_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LEITONG_STATE", str(tmp_path / "state"))
    shelf, dice, port = Shelf(owner_folder(owner_key())), random.Random(9), free_port()
    project, texts = shelf.create(), documents()
    key = project.id
    project.save_documents(texts)
    project.save_result(check(texts))
    project.close()
    seen, total, states = 0, 0, []
    with sync_playwright() as tool:
        arguments = ["--disable-gpu", "--no-sandbox"]
        browser = tool.chromium.launch(executable_path=browser_path, args=arguments)
        for kill in range(KILLS):
            context = browser.new_context(locale="zh-CN", reduced_motion="reduce")
            with run_server(port, log=tmp_path / "log.txt") as server:
                desk, other = context.new_page(), context.new_page()
                other.goto(tickets.issue(f"{server.url}/?check={key}").url)
                expect(other.locator(".st-key-start button")).to_be_visible(timeout=WAIT)
                desk.goto(f"{server.url}/review?check={key}")
                expect(desk.locator(".desk .row").first).to_be_visible(timeout=WAIT)
                assert decided_on(desk) >= seen, f"kill {kill}: the desk forgot"
                other.locator(".st-key-start button").click(timeout=WAIT)
                desk.bring_to_front()
                end = time.monotonic() + 1.0 + 5.0 * dice.random()  # the random point
                while time.monotonic() < end:
                    desk.keyboard.press("c")
                    desk.wait_for_timeout(150)
                    try:
                        seen = max(seen, decided_on(desk))
                    except Error:
                        break
                server.process.kill()
                server.process.wait()
            context.close()
            after = shelf.open(key)
            summary = after.summary()
            states.append(summary.state)
            assert after.verify() == [], f"kill {kill}"
            assert summary.decided >= seen, f"kill {kill}"
            assert after.result() is not None
            total = summary.decided
            after.close()
        browser.close()

    assert total > 0
    record_property("outcome", f"server: {KILLS} kills, {total} decided, {seen} seen")
