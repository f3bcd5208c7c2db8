"""The first start in a browser that holds nothing, and what a window does beside its pages."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

import psutil
import pytest
from filelock import FileLock
from playwright.sync_api import expect

from simhash_core.app.server import free_port, serving
from simhash_core.checking import word_tables
from tests.e2e.test_check import WORK, let_go, many_texts, put_in

NOTHING = {"cookies": [], "origins": []}
LANGUAGES = [
    pytest.param(
        locale, marks=pytest.mark.browser_context_args(locale=locale, storage_state=NOTHING)
    )
    for locale in ("zh-CN", "en-GB", "zh-TW")
]


@pytest.mark.parametrize("locale", LANGUAGES)
def test_a_first_start_is_shown_once(visit, page, ready, obstacles, locale):
    """Without a list of pages, with nothing in anybody's way; another page ends it for good."""
    visit("/")
    expect(page.locator(".lt-sheets i")).to_have_count(40)
    expect(page.get_by_test_id("stSidebarNavLink")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    assert obstacles(page) == []
    if folder := os.environ.get("LEITONG_PICTURES"):
        page.screenshot(path=Path(folder) / f"first-{locale}.png")

    page.locator(".st-key-all_pages button").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stSidebarNavLink").first).to_be_visible()
    ready(page)
    page.reload()
    expect(page.get_by_test_id("stSidebarNavLink").first).to_be_visible()
    expect(page.locator(".lt-sheets")).to_have_count(0)


@pytest.mark.browser_context_args(storage_state=NOTHING)
def test_a_first_start_reaches_a_result_by_keyboard_alone(visit, page, ready):
    visit("/")
    sample = page.locator(".st-key-sample_class button")
    for _ in range(20):
        page.keyboard.press("Tab")
        if sample.evaluate("button => button === document.activeElement"):
            break
    expect(sample).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-start button")).to_be_enabled(timeout=WORK)
    expect(page.get_by_test_id("stSidebarNavLink").first).to_be_visible()
    ready(page)
    page.keyboard.press("Control+Enter")
    expect(page).to_have_url(re.compile("/overview"), timeout=WORK)


@pytest.mark.browser_context_args(storage_state=NOTHING, viewport={"width": 390, "height": 844})
def test_a_first_start_fits_a_phone(visit, page):
    visit("/")
    expect(page.locator(".lt-sheets i")).to_have_count(40)

    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.browser_context_args(storage_state=NOTHING)
def test_word_tables_are_prepared_behind_the_first_page(page, ready, obstacles, tmp_path, cache):
    """What ends early is said, and can be tried again; what is ready is not mentioned."""
    (cache / "dictionary").mkdir(parents=True)
    block = page.locator(".st-key-first-prepare")
    with serving(free_port(), log=tmp_path / "log.txt") as server:
        with FileLock(cache / "dictionary" / "ConceptTable.lock"):  # it can come no further
            page.goto(server.url)
            expect(block).to_contain_text("第一次使用，正在备好词表")
            expect(block.locator("li.now")).to_contain_text("同义词")
            expect(block).to_contain_text("可以先选文件")
            assert obstacles(page) == []
            if folder := os.environ.get("LEITONG_PICTURES"):
                page.screenshot(path=Path(folder) / "first-preparing.png")
            for process in psutil.Process(server.process.pid).children(recursive=True):
                with contextlib.suppress(psutil.NoSuchProcess):
                    if any("word_tables:make" in word for word in process.cmdline()):
                        process.kill()
            again = page.get_by_role("button", name="重试")
            expect(again).to_be_visible()
            expect(page.get_by_text("词表没有备好，或者存不下来")).to_be_visible()
            expect(page.locator(".st-key-drop-empty input").first).to_be_enabled()
        again.click()
        expect(block).to_be_visible()
        expect(block).to_have_count(0, timeout=WORK)
        expect(page.locator(".lt-sheets i")).to_have_count(40)
        ready(page)
    assert word_tables.missing() == ()


@pytest.mark.parametrize("address", ["/overview", "/clusters"])
def test_what_is_let_go_on_another_page_is_taken_to_check(visit, page, tmp_path, address):
    folder = tmp_path / "一班"
    for name in "甲乙":
        (folder / name).mkdir(parents=True)
        (folder / name / "作业.txt").write_text(f"{name}写了一句话，还有别的。" * 20, "utf-8")
    visit(address)
    let_go(page, folder, "h1")

    expect(page.locator("table").first).to_contain_text("甲/作业.txt", timeout=WORK)
    expect(page.get_by_role("heading", level=1)).to_have_text("检测")


def test_what_is_let_go_beside_the_box_of_another_page_goes_nowhere(visit, page, ready, tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("一句话。" * 40, "utf-8")
    visit("/library")
    page.get_by_role("button", name="加入文本").click()
    expect(page.get_by_test_id("stFileUploaderDropzone").first).to_be_visible()
    ready(page)
    let_go(page, file, "[role=dialog]")
    ready(page)

    expect(page).to_have_url(re.compile("/library"))


def test_a_question_is_asked_only_while_a_check_runs(visit, page):
    warns = page.locator('[data-lt-warns="1"]')
    visit("/")
    put_in(page, {"name": "all.zip", "mimeType": "application/zip", "buffer": many_texts(160)})
    start = page.get_by_role("button", name=re.compile("开始检测 160 篇"))
    expect(start).to_be_enabled(timeout=WORK)
    expect(warns).to_have_count(0)
    start.click()
    expect(page.locator(".st-key-stop_check button")).to_be_visible()
    expect(warns).to_have_count(1)
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.close(run_before_unload=True)
    expect(page.locator(".st-key-stop_check button")).to_be_visible()
    assert asked == ["beforeunload"]

    page.locator(".st-key-stop_check button").click()
    expect(page.locator(".lt-caution")).to_contain_text("已停止", timeout=WORK)
    expect(warns).to_have_count(0)
