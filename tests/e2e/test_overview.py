"""Overview in a real browser: what is ranked, threshold, matrix, table, colours, files, print."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.steps import WORK, go


def figure_says(page: Page, text: str) -> None:
    expect(page.locator(".annotation-text").first).to_contain_text(text)


def test_the_ranked_texts_lead_to_pairs_and_texts(checked, ready):
    """The first screen, what is listed on demand, the matrix, a box over the page, print."""
    page, rows = checked, checked.locator("table.texts tbody tr")
    expect(page).to_have_title("总览 · 雷同 Leitong")
    expect(page.locator("body > .lt-unseen p")).not_to_have_count(0)
    expect(rows).to_have_count(13)
    box = rows.last.bounding_box()
    assert box is not None and box["y"] + box["height"] <= 900
    expect(page.locator(".lt-strip .big")).to_have_count(2)
    expect(rows.first.locator(".lt-whole .identical")).to_have_count(1)
    expect(rows.nth(6).locator(".lt-whole .reworded")).to_have_count(1)

    button = page.locator(".st-key-export button").first
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="导出")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("!!document.activeElement.closest('[data-testid=stPopoverBody]')")
    page.keyboard.press("Escape")
    expect(button).to_be_focused()

    page.emulate_media(media="print")
    head = page.locator("h1").bounding_box()
    assert head is not None and head["y"] >= 0
    for left_out in ("stSidebar", "stHeader"):
        expect(page.get_by_test_id(left_out)).to_be_hidden()
    expect(page.locator(".lt-whole").first).to_be_visible()
    page.emulate_media(media="screen")

    page.get_by_role("link", name="比对").click()
    expect(page).to_have_title("比对 · 雷同 Leitong")
    expect(page.locator("body > .lt-unseen p").first).to_have_text("比对")
    shares = page.get_by_role("img", name=re.compile("前者见于后者 .+，后者见于前者 "))
    expect(shares.first).to_be_visible()
    ready(page)
    go(page, ready, "results")
    names = _look_at_the_matrix(page)
    expect(page).to_have_url(re.compile(r"/results\?pair=\w+,\w+"), timeout=WORK)
    for name in names:
        expect(page.locator(".lt-lead").first).to_contain_text(name)
    ready(page)
    go(page, ready, "results")
    row = rows.first
    row.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/results\?pair=\w+,\w+"), timeout=WORK)
    ready(page)
    go(page, ready, "results")
    page.locator("table.texts button.read").first.click()
    expect(page).to_have_url(re.compile(r"/results\?text=\w+"), timeout=WORK)
    ready(page)
    go(page, ready, "results")
    page.get_by_role("button", name="列出").click()
    expect(rows).to_have_count(22)


def _look_at_the_matrix(page: Page) -> list[str]:
    """Point at a cell of the matrix, move by keys, open it; return the names it said."""
    grid = page.locator("canvas.grid")
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    assert box is not None
    cell = box["width"] / 22
    page.mouse.move(box["x"] + 1.5 * cell, box["y"] + 0.5 * cell)
    tip = page.locator(".tip")
    expect(tip.locator("b")).to_have_count(2)
    expect(tip).to_contain_text("位")
    names = tip.locator("b").all_inner_texts()
    grid.focus()
    page.keyboard.press("ArrowRight")
    expect(tip.locator("b").nth(1)).not_to_have_text(names[1])
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    return names


def test_the_threshold_moves_everything_and_is_kept(checked, ready):
    """On the way to a pair and back, in another language and in dark."""
    page, slider = checked, checked.get_by_role("slider").first
    page.get_by_text("按对", exact=True).click()
    rows = page.locator("table.pairs tbody tr")
    expect(rows.first).to_be_visible()
    ready(page)
    count, clusters = rows.count(), page.locator(".lt-strip dd").nth(3)
    slider.focus()
    page.keyboard.press("Home")
    figure_says(page, "阈值 0 位")
    ready(page)
    before = clusters.inner_text()
    page.get_by_text("English", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    expect(slider).to_have_value("0")
    expect(page).to_have_url(re.compile("by=pairs"))
    bar = page.locator(".barlayer path").first
    light = bar.evaluate("bar => bar.style.fill")
    page.emulate_media(color_scheme="dark")
    expect(bar).not_to_have_css("fill", light)
    page.get_by_text("简体中文", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("总览")
    ready(page)
    slider.focus()
    page.keyboard.press("End")
    expect(page.locator(".annotation-text").first).not_to_contain_text("阈值 0 位")
    expect(clusters).not_to_have_text(before)
    ready(page)
    assert rows.count() >= count
    moved = str(int(slider.input_value()) - 1)
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value(moved)
    figure_says(page, f"阈值 {moved} 位")
    ready(page)
    rows.first.click()
    expect(page).to_have_url(re.compile(r"/results\?pair=\w+,\w+"), timeout=WORK)
    ready(page)
    page.go_back()
    expect(page).to_have_url(re.compile("/results"))
    expect(slider).to_have_value(moved)
    figure_says(page, f"阈值 {moved} 位")
    go(page, ready, "clusters")
    expect(slider).to_have_value(moved)
    page.go_back()
    expect(page).to_have_url(re.compile("/results"))
    expect(slider).to_have_value(moved)
    ready(page)
