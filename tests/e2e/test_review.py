"""The review desk in a real browser: keys, clusters, notes, undo, search, a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

WORK = 90_000


@pytest.fixture
def desk(checked, ready) -> Page:
    """The desk of the sample essays."""
    page = checked
    page.get_by_role("link", name="审阅台").first.click()
    expect(page.locator(".desk .row").first).to_be_visible(timeout=WORK)
    ready(page)
    return page


def title(page: Page):
    return page.locator(".case h2")


def said(page: Page):
    return page.locator(".strip .said")


def state_of(page: Page, number: int):
    return page.locator(".desk .row").nth(number - 1).locator(".st")


def test_a_case_is_decided_by_one_key_and_the_next_opens(desk):
    page = desk
    expect(title(page)).to_contain_text("第 1 案")
    page.keyboard.press("c")
    expect(title(page)).to_contain_text("第 2 案")
    expect(state_of(page, 1)).to_have_class(re.compile("confirmed"))
    page.keyboard.press("l")
    expect(state_of(page, 2)).to_have_class(re.compile("later"))
    expect(page.locator(".big")).to_contain_text("1/ 7 已判")
    page.keyboard.press("u")
    expect(state_of(page, 2)).to_have_class(re.compile("undecided"))
    expect(title(page)).to_contain_text("第 2 案")


def test_no_problem_moves_on_and_a_digit_gives_its_reason(desk):
    page = desk
    page.keyboard.press("n")
    expect(title(page)).to_contain_text("第 2 案")
    expect(said(page)).to_contain_text("第 1 案")
    expect(page.locator(".whys.asked")).to_contain_text("原因？")
    page.keyboard.press("2")
    expect(said(page)).to_contain_text("无问题 · 题目给的")
    expect(title(page)).to_contain_text("第 2 案")
    page.keyboard.press("k")
    expect(title(page)).to_contain_text("第 1 案")
    expect(page.locator(".btn[aria-pressed=true]")).to_contain_text("无问题 · 题目给的")


def test_keys_work_wherever_nobody_types(desk, ready):
    """After a dialog was closed and after a click beside the desk; never while one is open."""
    page = desk
    page.locator(".st-key-export button").first.click()
    opened = page.get_by_test_id("stPopoverBody")
    expect(opened).to_be_visible()
    ready(page)
    page.keyboard.press("c")
    page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    expect(title(page)).to_contain_text("第 1 案")
    expect(state_of(page, 1)).to_have_class(re.compile("undecided"))
    page.keyboard.press("c")
    expect(title(page)).to_contain_text("第 2 案")
    page.get_by_role("heading", name="审阅台").click()
    page.keyboard.press("n")
    expect(title(page)).to_contain_text("第 3 案")
    page.locator(".st-key-reviewer input").click()
    page.keyboard.type("cnl")
    page.keyboard.press("Enter")
    ready(page)
    expect(title(page)).to_contain_text("第 3 案")
    page.evaluate("document.activeElement.blur()")
    assert page.evaluate("document.activeElement === document.body")
    page.keyboard.press("j")
    expect(title(page)).to_contain_text("第 4 案")  # one step: keys are heard once
    page.keyboard.press("Control+j")
    page.keyboard.press("k")
    expect(title(page)).to_contain_text("第 3 案")


def test_undo_and_redo_say_what_they_did_and_leave_notes_alone(desk):
    page = desk
    page.keyboard.press("m")
    page.keyboard.type("先分别谈话")
    page.keyboard.press("Enter")
    expect(said(page)).to_contain_text("批注已存")
    page.keyboard.press("c")
    expect(title(page)).to_contain_text("第 2 案")
    page.keyboard.press("u")
    expect(said(page)).to_contain_text("“已确认”改回“未判”。批注没有动。")
    page.keyboard.press("u")
    expect(said(page)).to_have_text("没有可撤回的判断。")
    expect(page.locator(".note input")).to_have_value("先分别谈话")
    page.keyboard.press("Shift+U")
    expect(said(page)).to_contain_text("“未判”改为“已确认”")
    expect(state_of(page, 1)).to_have_class(re.compile("confirmed"))
    page.keyboard.press("Shift+M")
    expect(said(page)).to_contain_text("批注已撤回：“先分别谈话”")
    expect(page.locator(".note input")).to_have_value("")
    page.get_by_role("button", name="重做刚撤回的").click()
    expect(said(page)).to_contain_text("批注已恢复")
    expect(page.locator(".note input")).to_have_value("先分别谈话")


def test_a_tab_that_was_overtaken_shows_what_holds(desk, ready):
    page = desk
    other = page.context.new_page()
    other.goto(page.url)
    expect(title(other)).to_contain_text("第 1 案", timeout=WORK)
    other.keyboard.press("l")
    expect(title(other)).to_contain_text("第 2 案", timeout=WORK)
    page.bring_to_front()
    expect(state_of(page, 1)).to_have_class(re.compile("later"), timeout=WORK)
    expect(said(page)).to_contain_text("现在是“稍后再看”，另一个窗口刚改的")
    other.close()


def test_a_note_survives_a_reload(desk, ready):
    page = desk
    page.keyboard.press("m")
    page.keyboard.type("逐段改词")
    page.keyboard.press("Enter")
    page.keyboard.press("c")
    expect(title(page)).to_contain_text("第 2 案")
    page.reload()
    expect(state_of(page, 1)).to_have_class(re.compile("confirmed"), timeout=WORK)
    page.locator(".desk .row").first.click()
    expect(page.locator(".note input")).to_have_value("逐段改词")


def test_a_cluster_is_decided_at_once(desk):
    page = desk
    page.locator(".desk .row.in").first.click()
    expect(page.locator(".clu input")).to_be_visible()
    inside = page.locator(".desk .row.in").count()
    page.keyboard.press("g")
    expect(page.locator(".clu input")).to_be_checked()
    page.keyboard.press("c")
    expect(page.locator(".desk .row.in .st.confirmed")).to_have_count(inside)
    page.keyboard.press("u")
    expect(page.locator(".desk .row.in .st.confirmed")).to_have_count(0)


def test_search_leaves_what_fits_and_names_what_it_cannot_read(desk):
    page = desk
    everything = page.locator(".desk .row").count()
    page.keyboard.press("/")
    page.keyboard.type("重合>90")
    page.keyboard.press("Enter")
    expect(page.locator(".desk .row")).not_to_have_count(everything)
    search = page.locator(".queue input[type=search]")
    search.fill("重合>x")
    search.press("Enter")
    expect(page.locator(".error")).to_contain_text("重合>x")
    expect(page.locator(".desk .row")).to_have_count(everything)


def test_hidden_names_are_nowhere(desk):
    page = desk
    name = page.locator(".desk .row .name").first.get_attribute("title")
    page.keyboard.press("b")
    expect(page.locator(".desk .row .name").first).to_have_text(re.compile(r"文本|甲"))
    assert name
    expect(page.locator(".desk")).not_to_contain_text(name)


@pytest.mark.browser_context_args(locale="en-GB", viewport={"width": 390, "height": 844})
def test_on_a_phone_the_buttons_stay_at_the_thumb(checked):
    page = checked
    page.goto(page.url.replace("/overview", "/review"))
    button = page.get_by_role("button", name="Confirmed")
    expect(button).to_be_visible(timeout=WORK)
    button.click()
    expect(page.locator(".mob .c")).to_contain_text("Case 2 of 7")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator(".read").evaluate("node => node.getBoundingClientRect().right") <= 390
    note = page.locator(".desk .note").bounding_box()
    assert note and note["x"] + note["width"] <= 390
    box = button.bounding_box()
    assert box and box["y"] + box["height"] <= 844
    page.locator("h1").click()
    page.keyboard.press("u")
    expect(said(page)).to_contain_text("from “confirmed” back to “undecided”")
    strip = page.locator(".strip").bounding_box()
    assert strip and strip["y"] + strip["height"] <= 844
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_decisions_are_seen_on_every_page(desk, ready):
    page = desk
    page.keyboard.press("c")
    expect(title(page)).to_contain_text("第 2 案")
    page.get_by_role("link", name="总览").first.click()
    expect(page.locator("table.texts .st.confirmed")).to_have_count(2, timeout=WORK)
    page.get_by_text("按对", exact=True).click()
    expect(page.locator("table.pairs .st.confirmed")).to_have_count(1)
    page.locator("table.pairs tbody tr", has=page.locator(".st.confirmed")).click()
    expect(page.locator(".st-key-noprint-decided")).to_contain_text("已确认", timeout=WORK)
    page.get_by_role("button", name="到审阅台判断").click()
    expect(title(page)).to_contain_text("第 1 案", timeout=WORK)
