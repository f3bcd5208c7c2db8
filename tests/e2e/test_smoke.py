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
    title = page.locator(".ch h2:visible")
    expect(title).to_contain_text("一段话", timeout=WORK)
    cases = page.locator(".desk .row")
    alike = cases.filter(has_text="只有同义").count()
    assert cases.count() - alike <= 18, "cases for eleven planted pairs and three passages"
    ready(page)
    page.keyboard.press("3")
    expect(cases.first.locator(".st")).to_have_text("3", timeout=WORK)
    page.reload()
    expect(cases.first.locator(".st")).to_have_text("3", timeout=WORK)
