"""Overview in a real browser: threshold, matrix, table, colours, files."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

WORK = 60_000

#: the only parts of Streamlit's own page that frame.css touches: an upgrade must tell us
TOUCHED = ("stMainBlockContainer", "stSidebar", "stHeader", "stToolbar", "stMain")


@pytest.fixture
def overview(checked) -> Page:
    """The Overview of the sample essays."""
    expect(checked.locator("table.texts tbody tr").first).to_be_visible()
    return checked


@pytest.fixture
def pairs(overview, ready) -> Page:
    """The same as a list of pairs."""
    overview.get_by_text("按对", exact=True).click()
    expect(overview.locator("table.pairs tbody tr").first).to_be_visible()
    ready(overview)
    return overview


def figure_says(page: Page, text: str) -> None:
    expect(page.locator(".annotation-text").first).to_contain_text(text)


def test_the_first_screen_ranks_the_texts(overview):
    rows = overview.locator("table.texts tbody tr")
    expect(rows).to_have_count(13)
    box = rows.last.bounding_box()
    assert box is not None and box["y"] + box["height"] <= 900
    expect(overview.locator(".lt-strip .big")).to_have_count(2)
    expect(rows.first.locator(".lt-whole .identical")).to_have_count(1)
    expect(rows.nth(6).locator(".lt-whole .reworded")).to_have_count(1)


def test_what_shares_nothing_is_listed_on_demand(overview):
    overview.get_by_role("button", name="列出").click()
    expect(overview.locator("table.texts tbody tr")).to_have_count(22)


def test_the_threshold_moves_everything_at_once(pairs, ready):
    page, slider = pairs, pairs.get_by_role("slider").first
    rows = page.locator("table.pairs tbody tr").count()
    clusters = page.locator(".lt-strip dd").nth(3)
    slider.focus()
    page.keyboard.press("Home")
    figure_says(page, "阈值 0 位")
    ready(page)
    before = clusters.inner_text()
    page.keyboard.press("End")
    expect(page.locator(".annotation-text").first).not_to_contain_text("阈值 0 位")
    expect(clusters).not_to_have_text(before)
    ready(page)
    assert page.locator("table.pairs tbody tr").count() >= rows


def test_the_matrix_names_both_texts_and_opens_them(overview):
    page, grid = overview, overview.locator("canvas.grid")
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
    expect(page).to_have_url(re.compile(r"/compare\?a=\d+&b=\d+"), timeout=WORK)
    for name in names:
        expect(page.locator(".lt-lead").first).to_contain_text(name)


def test_a_row_opens_the_closest_pair_and_a_name_its_text(overview, ready):
    page = overview
    row = page.locator("table.texts tbody tr").first
    row.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/compare\?a=\d+&b=\d+"), timeout=WORK)
    ready(page)
    page.get_by_role("link", name="总览").click()
    page.locator("table.texts button.text").first.click()
    expect(page).to_have_url(re.compile(r"/document\?d=\d+"), timeout=WORK)


def test_going_back_keeps_the_threshold(pairs, ready):
    page, slider = pairs, pairs.get_by_role("slider").first
    moved = str(int(slider.input_value()) - 1)
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value(moved)
    expect(page.locator(".annotation-text").first).to_contain_text(f"阈值 {moved} 位")
    ready(page)
    page.locator("table.pairs tbody tr").first.click()
    expect(page).to_have_url(re.compile(r"/compare\?a=\d+&b=\d+"), timeout=WORK)
    ready(page)

    page.go_back()

    expect(page).to_have_url(re.compile("/overview"))
    expect(page.get_by_role("slider").first).to_have_value(moved)
    figure_says(page, f"阈值 {moved} 位")
    page.get_by_role("link", name="文本簇").click()
    expect(page).to_have_url(re.compile("/clusters"))
    expect(page.get_by_role("slider").first).to_have_value(moved)


def test_language_and_colours_change_without_losing_the_place(pairs, ready):
    page = pairs
    page.get_by_role("slider").first.focus()
    page.keyboard.press("Home")
    figure_says(page, "阈值 0 位")
    ready(page)
    page.get_by_text("English", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    expect(page.get_by_role("slider").first).to_have_value("0")
    expect(page).to_have_url(re.compile("by=pairs"))

    bar = page.locator(".barlayer path").first
    light = bar.evaluate("bar => bar.style.fill")
    page.emulate_media(color_scheme="dark")
    expect(bar).not_to_have_css("fill", light)


def test_search_hide_names_and_take_the_table_away(pairs):
    page = pairs
    name = page.locator("table.pairs tbody tr .name").first.inner_text()
    page.get_by_text("隐去姓名").click()
    expect(page.locator("table.pairs")).not_to_contain_text(name)
    page.get_by_role("button", name="导出").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name=re.compile("表格")).click()
    rows = list(csv.reader(io.StringIO(Path(waiting.value.path()).read_text("utf-8-sig"))))

    assert len(rows) > 1
    assert not any(name in cell for row in rows for cell in row)
    page.keyboard.press("Escape")
    box = page.locator(".st-key-pair_query input")
    box.fill("没有这个名字")
    box.press("Enter")
    expect(page.get_by_text("没有找到“没有这个名字”。")).to_be_visible()


def test_what_the_style_sheet_touches_still_exists(overview):
    for name in TOUCHED:
        expect(overview.get_by_test_id(name), name).not_to_have_count(0)


def test_nothing_stands_in_the_way_of_anyone(overview, obstacles):
    assert obstacles(overview) == []


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 844})
def test_a_phone_shows_name_bar_and_percent_and_scrolls_only_down(overview):
    assert not overview.evaluate("document.documentElement.scrollWidth > innerWidth")
    row = overview.locator("table.texts tbody tr").first
    for column in ("same", "longest", "partner", "cluster"):
        expect(row.locator(f"td.{column}")).to_be_hidden()
    expect(row.locator(".name").first).to_be_visible()
    expect(row.locator(".amount b")).to_have_text("100%")
    overview.get_by_text("按对", exact=True).click()
    for column in ("distance", "evidence"):
        expect(overview.locator(f"table.pairs td.{column}").first).to_be_hidden()
