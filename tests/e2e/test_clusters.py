"""Clusters in a real browser: the list, the picture, the matrix, lines that open pairs."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.steps import WORK, go

PAIR = re.compile(r"/results\?pair=\w+,\w+")


def test_a_cluster_is_looked_at_and_opened(checked, ready):
    page = checked
    go(page, ready, "clusters")
    listed = page.locator(".list button")
    expect(listed.first).to_be_visible(timeout=WORK)
    second = listed.nth(1)
    second.click()
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("heading", name="簇二")).to_be_visible()
    expect(page.locator(".list [aria-pressed=true]")).to_have_count(1)
    expect(page.locator(".picture svg")).to_have_count(0)  # two members need no picture
    expect(page.locator(".couple")).to_contain_text("相差 0 位")
    ready(page)
    listed.first.click()
    expect(page.locator(".picture svg")).to_be_visible()
    ready(page)

    row = page.locator("table.members tbody tr").nth(1)  # one number in table, picture and detail
    row.click()
    expect(row).to_have_class("on")
    expect(page.locator(".node.on text")).to_have_text("2")
    whole = row.locator(".name").get_attribute("title")
    assert whole
    expect(page.locator(".detail")).to_contain_text(whole)
    page.locator(".node").nth(2).click()
    expect(page.locator("table.members tr.on .id")).to_have_text("3")
    expect(page.locator(".tag")).to_contain_text("最弱")

    page.locator(".hit").first.dispatch_event("click")
    expect(page).to_have_url(PAIR, timeout=WORK)
    ready(page)
    go(page, ready, "clusters")
    page.locator(".detail").get_by_role("button", name="看全文").click()
    expect(page).to_have_url(re.compile(r"/results\?text=\w+"), timeout=WORK)
    ready(page)
    go(page, ready, "clusters")
    page.get_by_role("button", name="逐对比对").click()
    expect(page).to_have_url(PAIR, timeout=WORK)
    ready(page)
    expect(page.locator(".lt-lead")).to_contain_text("第 1 对")
    go(page, ready, "clusters")

    page.locator("table.members tbody tr").first.focus()
    page.keyboard.press("x")
    grid = page.locator("canvas.grid")
    expect(grid).to_be_visible()
    grid.hover(position={"x": 300, "y": 100})
    expect(page.locator(".tip b")).to_have_count(2)
    ready(page)
    page.locator("table.members tbody tr").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(PAIR, timeout=WORK)
    ready(page)
