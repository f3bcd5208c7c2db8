"""Document in a real browser: sources, isolation, the way to Compare."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

WORK = 60_000


@pytest.fixture
def document(checked, ready) -> Page:
    """The patchwork of the sample essays against its sources."""
    page = checked
    page.get_by_role("link", name="文本", exact=True).click()
    expect(page.locator(".sources .text p").first).to_be_visible(timeout=WORK)
    ready(page)
    page.get_by_role("combobox").click()
    page.get_by_role("option", name=re.compile("^18-")).click()
    expect(page.locator(".sources .source")).to_have_count(2)
    ready(page)
    return page


def test_a_pick_shows_one_source_alone(document):
    page = document
    source = page.locator(".sources .source").nth(1)
    source.click()
    expect(source).to_have_attribute("aria-pressed", "true")
    shown = page.locator(".sources .s.on")
    expect(shown.first).to_be_visible()
    assert {node.get_attribute("data-s") for node in shown.all()} == {"1"}
    source.click()
    expect(page.locator(".sources.picked")).to_have_count(0)


def test_enter_and_double_click_open_the_comparison(document, ready):
    page = document
    page.locator(".sources .source").first.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/compare\?a=\w+&b=\w+"), timeout=WORK)
    expect(page.locator(".reader .text p").first).to_be_visible(timeout=WORK)
    ready(page)
    page.get_by_role("link", name="文本", exact=True).click()
    expect(page.locator(".sources .source").first).to_be_visible(timeout=WORK)
    ready(page)
    page.locator(".sources .source").first.dblclick()
    expect(page).to_have_url(re.compile(r"/compare\?a=\w+&b=\w+"), timeout=WORK)


def test_nothing_stands_in_the_way_of_anyone(document, obstacles):
    assert obstacles(document) == []


def test_a_phone_scrolls_only_down(document):
    document.set_viewport_size({"width": 390, "height": 844})
    assert not document.evaluate("document.documentElement.scrollWidth > innerWidth")
