"""A day later a text arrives: every decision, number, note and comparison is still there."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import FilePayload, Page, expect

from tests.e2e.steps import WORK, compare_also_with, file, put_in, start_button
from tests.page_texts import ESSAY, HILL, OTHER, ROPE

NOTE, SECOND = "周一先分别谈话", "都引了同一句"
Row = tuple[str, str]  # names of a case, and what was decided


def cases(page: Page) -> dict[int, Row]:
    """Return the cases of the list by their number."""
    expect(page.locator(".desk .row").first).to_be_visible(timeout=WORK)
    rows = page.locator(".desk .row").evaluate_all(
        "rows => rows.map(row => [row.querySelector('.no').textContent,"
        " row.querySelector('.nm').textContent, row.querySelector('.st').className])"
    )
    states = ("confirmed", "no_problem", "later", "undecided")
    return {
        int(number): (names, next(one for one in states if one in state))
        for number, names, state in rows
    }


def run(page: Page, ready: Callable[..., None]) -> dict[int, Row]:
    """Press Check, and go to the desk."""
    start_button(page).click(timeout=WORK)
    expect(page).to_have_url(re.compile(r"/results.*[?&]check="), timeout=WORK)
    ready(page, seconds=WORK / 1000)
    return look(page, ready)


def look(page: Page, ready: Callable[..., None]) -> dict[int, Row]:
    """Go to the desk."""
    page.locator(".st-key-review button").click(timeout=WORK)
    listed = cases(page)
    ready(page)
    return listed


def decide(page: Page, ready: Callable[..., None], beside: str) -> tuple[str, str]:
    """Confirm the case with a text of last year, then the next without a problem; note both."""
    said = page.locator(".follow .said")
    page.locator(".desk .row", has_text=beside).first.click()
    expect(page.locator(".desk .row.on")).to_contain_text(beside)
    first = page.locator(".desk .row.on .no").inner_text()
    page.keyboard.press("c")
    expect(said).to_contain_text(f"第 {first} 案")
    page.keyboard.press("m")
    page.keyboard.type(NOTE)
    page.keyboard.press("Enter")
    expect(said).to_contain_text("批注已存")
    page.keyboard.press("Enter")
    expect(page.locator(".desk .row.on .no")).not_to_have_text(first)
    second = page.locator(".desk .row.on .no").inner_text()
    page.keyboard.press("n")
    expect(page.locator(".whys")).to_be_visible()
    page.keyboard.press("3")
    expect(said).to_contain_text("无问题 · 常见说法")
    page.keyboard.press("m")
    page.keyboard.type(SECOND)
    page.keyboard.press("Enter")
    expect(said).to_contain_text("批注已存")
    ready(page)
    return first, second


def note_of(page: Page, number: str) -> str:
    page.locator(".desk .row", has=page.locator(".no", has_text=re.compile(rf"^{number}$"))).click()
    expect(page.locator(".ch h2")).to_contain_text(f"第 {number} 案")
    return page.locator(".follow input").input_value()


def come_back_with(page: Page, ready: Callable[..., None], late: FilePayload) -> dict[int, Row]:
    """Reload, go back to the results, put the late text in: it is checked at once."""
    page.reload()
    ready(page)
    page.locator(".desk .back").click()
    page.locator(".st-key-add button").click(timeout=WORK)
    page.get_by_role("dialog").locator("input[type=file]").set_input_files(late)
    page.locator(".st-key-add_start button:enabled").click(timeout=WORK)
    expect(page.locator("table.pairs").get_by_text("补交").first).to_be_visible(timeout=WORK)
    ready(page)
    return look(page, ready)


def test_a_class_with_texts_of_last_year_a_day_later(visit, ready):
    page = visit("/check")
    texts = (ESSAY + HILL, OTHER + HILL, OTHER + ROPE)
    put_in(
        page, *(file(f"{name}_作文.txt", text) for name, text in zip("甲乙丙", texts, strict=True))
    )
    expect(start_button(page)).to_be_visible(timeout=WORK)
    ready(page)
    compare_also_with(page, "另外的文件")
    ready(page)
    page.locator(".st-key-against_files input[type=file]").set_input_files(
        [file("去年_作文.txt", ESSAY)]
    )
    expect(page.locator(".lt-slot").last).to_contain_text("用来对照的文本 1 篇", timeout=WORK)
    page.keyboard.press("Escape")
    listed = run(page, ready)
    first, second = decide(page, ready, "去年")
    before = cases(page)
    assert before.keys() == listed.keys()
    after = come_back_with(page, ready, file("补交_作文.txt", ESSAY))
    assert {number: after.get(number) for number in before} == before  # as it was decided
    assert all(number > max(before) for number in after.keys() - before.keys())
    assert after.keys() > before.keys()  # the late text holds what last year's has
    assert (note_of(page, first), note_of(page, second)) == (NOTE, SECOND)
