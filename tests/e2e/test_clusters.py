"""Clusters in a real browser: the list, the threshold, lines that open pairs."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

STREAMLIT_OWN = {"list", "listitem", "presentation-role-conflict"}
WORK = 60_000


@pytest.fixture
def clusters(visit, page, ready) -> Page:
    """The clusters of the sample essays."""
    visit("/")
    page.locator(".st-key-sample_essays button").click()
    start = page.locator(".st-key-start button")
    expect(start).to_be_visible(timeout=WORK)
    ready(page)
    start.click()
    expect(page).to_have_url(re.compile("/overview"), timeout=WORK)
    ready(page)
    page.get_by_role("link", name="文本簇").click()
    expect(page.locator(".choices button").first).to_be_visible(timeout=WORK)
    ready(page)
    return page


def test_the_list_opens_one_cluster_at_a_time(clusters):
    page = clusters
    second = page.locator(".choices button").nth(1)
    second.click()
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("heading", name="簇二")).to_be_visible()
    expect(page.locator(".choices [aria-pressed=true]")).to_have_count(1)


def test_the_threshold_splits_and_merges(clusters, ready):
    page = clusters
    lead = page.locator(".lt-lead")
    before = lead.inner_text()
    page.get_by_role("slider").first.focus()
    page.keyboard.press("End")
    expect(lead).not_to_have_text(before)
    ready(page)


def click_in_second_picture(page: Page, ready, across: float) -> None:
    """Click half-way down the picture of a pair: its texts lie at 0.17 and 0.83 of the width."""
    page.locator(".choices button").nth(1).click()
    expect(page.get_by_role("heading", name="簇二")).to_be_visible()
    ready(page)
    canvas = page.locator("[class*='st-key-graph'] canvas").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * across, box["y"] + box["height"] / 2)


def test_a_line_opens_its_pair_and_a_circle_its_text(clusters, ready):
    page = clusters
    click_in_second_picture(page, ready, 0.4)
    expect(page).to_have_url(re.compile(r"/compare\?a=\w+&b=\w+"), timeout=WORK)
    ready(page)
    page.get_by_role("link", name="文本簇").click()
    expect(page.locator(".choices button").first).to_be_visible(timeout=WORK)
    ready(page)
    click_in_second_picture(page, ready, 0.17)
    expect(page).to_have_url(re.compile(r"/document\?d=\w+"), timeout=WORK)


def test_the_button_walks_through_the_pairs_of_the_cluster(clusters, ready):
    clusters.get_by_role("button", name="逐对比对").click()
    expect(clusters).to_have_url(re.compile(r"/compare\?a=\w+&b=\w+"), timeout=WORK)
    ready(clusters)
    expect(clusters.locator(".lt-lead")).to_contain_text("第 1 对")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_stands_in_the_way_of_anyone(clusters, scheme):
    clusters.emulate_media(color_scheme=scheme)
    expect(clusters.get_by_test_id("stApp")).to_have_css("color-scheme", scheme)
    found = Axe().run(clusters).response["violations"]

    assert [item["id"] for item in found if item["id"] not in STREAMLIT_OWN] == []


def test_a_phone_scrolls_only_down(clusters):
    clusters.set_viewport_size({"width": 390, "height": 844})
    assert not clusters.evaluate("document.documentElement.scrollWidth > innerWidth")
