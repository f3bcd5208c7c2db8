"""Clusters in a real browser: the list, the threshold, lines that open pairs."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

WORK = 60_000


@pytest.fixture
def clusters(checked, ready) -> Page:
    """The clusters of the sample essays."""
    page = checked
    page.get_by_role("link", name="文本簇").click()
    expect(page.locator(".list button").first).to_be_visible(timeout=WORK)
    ready(page)
    return page


def test_the_list_opens_one_cluster_at_a_time(clusters):
    page = clusters
    second = page.locator(".list button").nth(1)
    second.click()
    expect(second).to_have_attribute("aria-pressed", "true")
    heading = page.get_by_role("heading", name="簇二")
    expect(heading).to_be_visible()
    expect(page.locator(".list [aria-pressed=true]")).to_have_count(1)
    expect(page.locator(".picture svg")).to_have_count(0)  # two members need no picture
    expect(page.locator(".couple")).to_contain_text("相差 0 位")


def test_the_threshold_splits_and_merges(clusters, ready):
    page = clusters
    lead = page.locator(".lt-lead")
    before = lead.inner_text()
    page.get_by_role("slider").first.focus()
    page.keyboard.press("End")
    expect(lead).not_to_have_text(before)
    ready(page)


def test_a_member_is_one_number_in_table_picture_and_detail(clusters):
    page = clusters
    row = page.locator("table.members tbody tr").nth(1)
    row.click()
    expect(row).to_have_class("on")
    expect(page.locator(".node.on text")).to_have_text("2")
    whole = row.locator(".name").get_attribute("title")
    assert whole
    expect(page.locator(".detail")).to_contain_text(whole)
    page.locator(".node").nth(2).click()
    expect(page.locator("table.members tr.on .id")).to_have_text("3")
    expect(page.locator(".tag")).to_contain_text("最弱")


def test_lines_members_and_cells_open_what_they_show(clusters, ready):
    page = clusters
    page.locator(".hit").first.dispatch_event("click")
    expect(page).to_have_url(re.compile(r"/compare\?a=\w+&b=\w+"), timeout=WORK)
    ready(page)
    page.get_by_role("link", name="文本簇").click()
    page.locator(".detail").get_by_role("button", name="看全文").click()
    expect(page).to_have_url(re.compile(r"/document\?d=\w+"), timeout=WORK)
    ready(page)
    page.get_by_role("link", name="文本簇").click()
    page.locator("table.members tbody tr").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/compare\?a=\w+&b=\w+"), timeout=WORK)


def test_x_turns_the_picture_into_a_matrix(clusters):
    page = clusters
    page.locator("table.members tbody tr").first.focus()
    page.keyboard.press("x")
    grid = page.locator("canvas.grid")
    expect(grid).to_be_visible()
    grid.hover(position={"x": 300, "y": 100})
    expect(page.locator(".tip b")).to_have_count(2)


def test_the_button_walks_through_the_pairs_of_the_cluster(clusters, ready):
    clusters.get_by_role("button", name="逐对比对").click()
    expect(clusters).to_have_url(re.compile(r"/compare\?a=\w+&b=\w+"), timeout=WORK)
    ready(clusters)
    expect(clusters.locator(".lt-lead")).to_contain_text("第 1 对")


def test_nothing_stands_in_the_way_of_anyone(clusters, obstacles):
    assert obstacles(clusters) == []


def test_a_phone_scrolls_only_down(clusters):
    clusters.set_viewport_size({"width": 390, "height": 844})
    expect(clusters.locator(".picture")).to_be_visible()
    assert not clusters.evaluate("document.documentElement.scrollWidth > innerWidth")
