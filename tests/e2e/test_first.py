"""The first start in a browser that holds nothing."""

from __future__ import annotations

import contextlib

import psutil
import pytest
from filelock import FileLock
from playwright.sync_api import expect

from simhash_core.app.server import free_port, run_server
from simhash_core.checking import word_tables
from tests.e2e.steps import NOTHING, PHONE, SCREEN, WORK, is_cut_off, picture


@pytest.mark.browser_context_args(locale="zh-TW", storage_state=NOTHING)
def test_a_first_start_is_shown_once(visit, page, ready, obstacles):
    """Without a list of pages, with nothing in anybody's way; another page ends it for good."""
    visit("/")
    expect(page.locator(".lt-sheets i")).to_have_count(40)
    expect(page.get_by_test_id("stSidebarNavLink")).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.locator("html")).to_have_attribute("lang", "zh-TW")
    assert obstacles(page) == []
    picture(page, "first-zh-TW")
    page.set_viewport_size(PHONE)
    expect(page.locator(".lt-sheets i")).to_have_count(40)
    assert not is_cut_off(page)
    page.set_viewport_size(SCREEN)

    page.locator(".st-key-all_pages button").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stSidebarNavLink").first).to_be_visible()
    ready(page)
    page.reload()
    expect(page.get_by_test_id("stSidebarNavLink").first).to_be_visible()
    links = [link.get_attribute("href") for link in page.get_by_test_id("stSidebarNavLink").all()]
    assert not {"overview", "review", "clusters"} & {link.rpartition("/")[2] for link in links}
    expect(page.locator(".lt-sheets")).to_have_count(0)


@pytest.mark.browser_context_args(storage_state=NOTHING)
def test_word_tables_are_prepared_behind_the_first_page(page, ready, obstacles, tmp_path, cache):
    """What ends early is said, and can be tried again; what is ready is not mentioned."""
    (cache / "dictionary").mkdir(parents=True)
    block = page.locator(".st-key-first-prepare")
    with run_server(free_port(), log=tmp_path / "log.txt") as server:
        with FileLock(cache / "dictionary" / "ConceptTable.lock"):  # it can come no further
            page.goto(server.url)
            expect(block).to_contain_text("第一次使用，正在备好词表")
            expect(block.locator("li.now")).to_contain_text("同义词")
            expect(block).to_contain_text("可以先选文件")
            assert obstacles(page) == []
            picture(page, "first-preparing")
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
    assert word_tables.list_missing() == ()
