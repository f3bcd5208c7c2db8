"""One short journey for the default suite: from the first page to a decision on the desk."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.steps import WORK


@pytest.mark.smoke
def test_from_the_first_page_to_a_decision_by_keys_alone(visit, page, ready):
    visit("/")
    expect(page.locator(".st-key-doors")).to_be_visible()
    sample = page.locator(".st-key-sample_class button")
    for _ in range(20):
        page.keyboard.press("Tab")
        if sample.evaluate("button => button === document.activeElement"):
            break
    expect(sample).to_be_focused()
    page.keyboard.press("Enter")
    start = page.locator(".st-key-start button")
    expect(start).to_be_enabled(timeout=WORK)
    expect(start).to_contain_text("34")  # of two versions the later
    expect(page.get_by_test_id("stSidebarNavLink").first).to_be_visible()
    ready(page)
    page.keyboard.press("Control+Enter")
    expect(page).to_have_url(re.compile("/results"), timeout=WORK)
    expect(page.get_by_text("34 篇").first).to_be_visible()
    ready(page)

    page.locator(".st-key-review button").focus()
    page.keyboard.press("Enter")
    title = page.locator(".case h2:visible").first
    expect(title).to_contain_text("第 1 案", timeout=WORK)
    cases = page.locator(".desk .row")
    alike = cases.filter(has_text="只有同义").count()
    assert cases.count() - alike <= 15, "cases for eleven planted pairs"
    ready(page)
    page.keyboard.press("c")
    expect(title).to_contain_text("第 2 案")
    page.reload()
    expect(cases.first.locator(".st")).to_have_class(re.compile("confirmed"), timeout=WORK)
