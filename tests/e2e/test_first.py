"""The front page: three doors, in a browser that holds nothing as in one that does."""

from __future__ import annotations

import contextlib
import re

import psutil
import pytest
from filelock import FileLock
from playwright.sync_api import Page, expect

from simhash_core.app.server import free_port, run_server
from simhash_core.checking import word_tables
from tests.e2e.steps import (
    PHONE,
    SCREEN,
    WORK,
    essays,
    file,
    is_cut_off,
    let_go,
    picture,
    start_button,
)
from tests.e2e.test_library import add

TELLING = (
    "The worst part of moving a market is not the weight of the books but their order, "
    "said the man who had packed them into banana boxes for twenty three years. "
)


def read_both(page: Page, clicks: int) -> None:
    """The reader has opened by itself, at most two clicks from the front page."""
    expect(page).to_have_url(re.compile("/results.*pair="), timeout=WORK)
    expect(page.locator(".reader")).to_contain_text("banana boxes", timeout=WORK)
    assert clicks <= 2


@pytest.mark.browser_context_args(locale="zh-TW")
def test_the_front_page_is_one_page(visit, page, ready, obstacles):
    """Three doors, nothing of a check in the menu, nothing in anybody's way, on a phone too."""
    visit("/")
    doors = page.locator(".st-key-doors h2")
    expect(doors).to_have_count(3)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.locator("html")).to_have_attribute("lang", "zh-TW")
    links = [link.get_attribute("href") for link in page.get_by_test_id("stSidebarNavLink").all()]
    assert not {"results", "review"} & {link.rpartition("/")[2] for link in links}
    assert obstacles(page) == []
    picture(page, "first-zh-TW")
    page.set_viewport_size(PHONE)
    assert not is_cut_off(page)
    page.set_viewport_size(SCREEN)
    page.locator(".st-key-to_library button").click()
    expect(page).to_have_url(re.compile("/library"))


@pytest.mark.browser_context_args(locale="en-GB")
def test_two_texts_are_two_clicks_from_the_reader(visit, page, ready, tmp_path):
    """Chosen, pasted, let go, one after the other, as samples: no settings, no table."""
    two = [file("a.txt", TELLING * 3), file("b.txt", f"He smiled. {TELLING}")]
    visit("/")
    page.locator(".st-key-two-way input[type=file]").set_input_files(two)
    read_both(page, 1)
    expect(page.get_by_text("a · b").first).to_be_visible()

    visit("/")
    page.locator(".st-key-paste button").click()
    for box, text in zip("ab", (TELLING * 2, f"He smiled. {TELLING}"), strict=True):
        page.locator(f".st-key-paste_{box} textarea").fill(text)
    page.get_by_role("button", name="Side by side").click()
    read_both(page, 2)
    expect(
        page.get_by_text("The worst part of moving · He smiled The worst part").first
    ).to_be_visible()

    visit("/")
    for number, one in enumerate(two):
        (tmp_path / f"{number}.txt").write_bytes(one["buffer"])
    let_go(page, tmp_path / "0.txt", "h1")
    another = page.locator(".st-key-offer-one input[type=file]")
    expect(another).to_have_count(1, timeout=WORK)
    ready(page)
    expect(start_button(page)).to_be_disabled()
    another.set_input_files(tmp_path / "1.txt")
    read_both(page, 1)

    visit("/")
    let_go(page, tmp_path / "0.txt", "h1", tmp_path / "1.txt")
    read_both(page, 0)

    visit("/")
    page.locator(".st-key-sample_two button").click()
    expect(page).to_have_url(re.compile("/results.*pair="), timeout=WORK)


@pytest.mark.browser_context_args(locale="en-GB")
def test_texts_are_held_against_the_library_by_one_door(visit, page, ready):
    """Who opens the third door sees the result next; a check in the list leads back to it."""
    add(visit("/library"), "2025", essays(3))
    expect(page.locator(".wrap tbody tr")).to_have_count(1, timeout=WORK)
    ready(page)
    visit("/")
    expect(page.locator(".st-key-door-library")).to_contain_text("3")
    page.locator(".st-key-drafts-way input[type=file]").set_input_files(essays(1))
    expect(page).to_have_url(re.compile("/results"), timeout=WORK)


def test_word_tables_are_prepared_behind_the_front_page(page, ready, obstacles, tmp_path, cache):
    """What ends early is said, and can be tried again; what is ready is not mentioned."""
    (cache / "dictionary").mkdir(parents=True)
    block = page.locator(".st-key-prepare-words")
    with run_server(free_port(), log=tmp_path / "log.txt") as server:
        with FileLock(cache / "dictionary" / "ConceptTable.lock"):  # it can come no further
            page.goto(server.url)
            expect(block).to_contain_text("第一次使用，正在备好词表")
            expect(block).to_contain_text("同义词")
            expect(block).to_contain_text("可以先放文件")
            assert obstacles(page) == []
            picture(page, "first-preparing")
            for process in psutil.Process(server.process.pid).children(recursive=True):
                with contextlib.suppress(psutil.NoSuchProcess):
                    if any("word_tables:make" in word for word in process.cmdline()):
                        process.kill()
            again = page.get_by_role("button", name="重试")
            expect(again).to_be_visible()
            expect(page.get_by_text("词表没有备好，或者存不下来")).to_be_visible()
            expect(page.locator(".st-key-doors input").first).to_be_enabled()
        again.click()
        expect(block).to_be_visible()
        expect(block).to_have_count(0, timeout=WORK)
        expect(page.locator(".st-key-doors h2")).to_have_count(3)
        ready(page)
    assert word_tables.list_missing() == ()
