"""The desk on a class whose texts all carry the task sheet: evidence, folds, bulk, the end."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

WORK = 90_000


@pytest.fixture
def desk(visit, class_checked) -> Page:
    page = visit(f"/review?check={class_checked}")
    expect(page.locator(".desk .row").first).to_be_visible(timeout=WORK)
    return page


def title(page: Page):
    return page.locator(".case h2:visible").first


def said(page: Page):
    return page.locator(".strip .said")


def picture(page: Page, name: str) -> None:
    """Keep a picture where somebody asked for pictures."""
    if folder := os.environ.get("LEITONG_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png")


def in_the_middle(page: Page) -> None:
    """The passage that a case opens at is active, and in the middle of the text column."""
    active = page.locator(".read .m.on").first
    expect(active).to_be_in_viewport()
    read, shown = page.locator(".read").bounding_box(), page.locator(".read .two .m.on")
    assert read
    boxes = [box for box in (one.bounding_box() for one in shown.all()) if box]
    left = [box for box in boxes if box["x"] < read["x"] + read["width"] / 2]
    top = min(box["y"] for box in left)
    bottom = max(box["y"] + box["height"] for box in left)
    assert abs((top + bottom) / 2 - (read["y"] + read["height"] / 2)) < read["height"] / 4


def test_a_case_opens_at_its_longest_passage_whatever_leads_to_it(desk, ready) -> None:
    page = desk
    in_the_middle(page)
    picture(page, "desk-zh")
    page.keyboard.press("c")
    expect(title(page)).to_contain_text("第 2 案")
    in_the_middle(page)
    page.reload()
    expect(page.locator(".desk .row").first).to_be_visible(timeout=WORK)
    ready(page)
    in_the_middle(page)
    page.keyboard.press("k")
    expect(title(page)).to_contain_text("第 1 案")
    in_the_middle(page)


def test_the_task_sheet_is_one_line_for_both_sides_and_opens_both(desk) -> None:
    page = desk
    fold = page.get_by_role("button", name=re.compile("题目 67 字.*题目 67 字"))
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(page.locator(".read")).not_to_contain_text(
        "请读完《乡土中国》前五章", use_inner_text=True
    )
    fold.focus()
    page.keyboard.press("Enter")
    expect(fold).to_have_attribute("aria-expanded", "true")
    shown = page.locator(".under:not([hidden]) .out", has_text="请读完《乡土中国》前五章")
    expect(shown).to_have_count(2)
    boxes = [one.bounding_box() for one in shown.all()]
    assert boxes[0] and boxes[1] and abs(boxes[0]["y"] - boxes[1]["y"]) < 2
    assert (
        shown.first.evaluate("node => getComputedStyle(node).textDecorationLine") == "line-through"
    )
    above = page.locator(".fold", has_text="以上 6 段没有重合，236 字")
    expect(above).to_contain_text("以上 5 段没有重合，162 字")
    picture(page, "desk-unfolded-zh")


def test_the_search_acts_while_one_types_and_many_are_decided_at_once(desk) -> None:
    page = desk
    page.keyboard.press("/")
    page.keyboard.type("最长<60 未判", delay=10)
    expect(page.locator(".one")).to_have_count(3)
    expect(page.locator(".queue input[type=search]")).to_be_focused()
    expect(page.locator(".queue input[type=search]")).to_have_value("最长<60 未判")
    picture(page, "desk-bulk-zh")
    page.locator(".one input").last.uncheck()
    page.keyboard.press("n")
    expect(said(page)).to_contain_text("2 案：无问题")
    expect(page.locator(".one")).to_have_count(1)
    page.keyboard.press("3")
    expect(said(page)).to_contain_text("无问题 · 常见说法")
    page.keyboard.press("u")
    expect(page.locator(".one")).to_have_count(3)
    expect(page.locator(".big")).to_contain_text("0/ 4 已判")
    page.keyboard.press("Escape")
    expect(title(page)).to_contain_text("第 1 案")


def test_confirming_many_is_asked_once_and_marked(desk) -> None:
    page = desk
    page.locator(".queue input[type=search]").fill("最长>20")
    page.locator(".queue input[type=search]").press("Enter")
    many = page.locator(".one")
    expect(many.first).to_be_visible()
    n = many.count()
    page.keyboard.press("c")
    expect(page.locator(".sure")).to_contain_text(
        f"确认 {n} 案？没有逐案读过的，报告里会写“一并判断”。"
    )
    expect(page.locator(".big")).to_contain_text("0/ 4 已判")
    page.locator(".sure button").first.click()
    expect(page.locator(".big")).to_contain_text(f"{n}/ 4 已判")


def test_the_desk_ends_with_a_summary_and_the_way_to_a_report(desk, ready) -> None:
    page = desk
    page.keyboard.press("c")
    expect(title(page)).to_contain_text("第 2 案")
    page.keyboard.press("l")
    expect(title(page)).to_contain_text("第 3 案")
    page.locator(".flt button", has_text="未判").click()
    expect(page.locator(".one")).to_have_count(2)
    page.keyboard.press("n")
    expect(title(page)).to_have_text("还剩 1 案")
    expect(page.locator(".headline")).to_have_text("4 案：确认 1，无问题 2，稍后 1。")
    expect(page.locator(".left")).to_contain_text("还有 1 案放在稍后。")
    expect(page.locator(".sq")).to_have_count(4)
    expect(page.locator(".cautions")).to_contain_text("确认了，还没有批注")
    picture(page, "desk-end-zh")
    page.reload()
    expect(page.locator(".headline")).to_be_visible(timeout=WORK)
    ready(page)
    page.get_by_role("button", name="看稍后的 1 案").click()
    expect(title(page)).to_contain_text("第 2 案")
    page.keyboard.press("n")
    expect(page.locator(".headline")).to_have_text("4 案：确认 1，无问题 3。")
    page.keyboard.press("1")
    expect(said(page)).to_contain_text("无问题 · 引文")
    page.keyboard.press("u")
    expect(title(page)).to_contain_text("第 2 案")
    page.get_by_role("button", name="还剩 1 案，看小结").click()
    page.get_by_role("button", name="写一句").click()
    expect(page.locator(".note input")).to_be_focused()
    page.keyboard.type("先谈话")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="还剩 1 案，看小结").click()
    expect(page.locator(".cautions")).to_have_count(0)
    page.get_by_role("button", name="生成报告").click()
    expect(page.get_by_test_id("stPopoverBody")).to_be_visible()
    picture(page, "desk-report-zh")


def test_lists_are_lists_and_there_is_one_main(desk) -> None:
    page = desk
    assert page.locator("main, [role=main]").count() <= 1
    assert page.locator(".queue ul.rows > li").count() == page.locator(".queue ul.rows > *").count()
    expect(page.locator(".desk [role=status]")).to_have_count(1)


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 844})
def test_on_a_phone_a_case_opens_on_its_evidence(visit, class_checked) -> None:
    page = visit(f"/review?check={class_checked}")
    expect(page.locator(".read .m.on").first).to_be_in_viewport(timeout=WORK)
    picture(page, "desk-zh-390")
    page.get_by_role("button", name="确认重合").click()
    expect(page.locator(".mob .c")).to_contain_text("第 2 案")
    expect(page.locator(".read .m.on").first).to_be_in_viewport()
    page.get_by_role("button", name="无问题").click()
    expect(page.locator(".mob .c")).to_contain_text("第 3 案")
    picture(page, "desk-asked-390")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.browser_context_args(viewport={"width": 720, "height": 450}, device_scale_factor=2)
def test_at_twice_the_size_the_text_keeps_eight_lines(visit, class_checked) -> None:
    page = visit(f"/review?check={class_checked}")
    expect(page.locator(".read .m.on").first).to_be_visible(timeout=WORK)
    read = page.locator(".read").bounding_box()
    line = page.locator(".read p").last.evaluate(
        "node => parseFloat(getComputedStyle(node).lineHeight)"
    )
    picture(page, "desk-zh-200")
    assert read
    assert read["height"] >= 8 * line
    assert page.evaluate("document.documentElement.scrollWidth") <= 720


@pytest.mark.browser_context_args(locale="en-GB", color_scheme="dark")
def test_english_and_dark(visit, class_checked) -> None:
    page = visit(f"/review?check={class_checked}")
    expect(page.get_by_role("button", name=re.compile("Task sheet, 67"))).to_have_count(
        1, timeout=WORK
    )
    picture(page, "desk-en-dark")
    page.keyboard.press("/")
    page.keyboard.type("run<60")
    expect(page.locator(".one").first).to_be_visible()
    picture(page, "desk-bulk-en-dark")


def test_compare_opens_at_the_longest_passage_with_the_task_folded(
    visit, class_checked, ready
) -> None:
    page = visit(f"/compare?check={class_checked}&a=0&b=1")
    active = page.locator(".reader .m.active")
    expect(active.first).to_be_in_viewport(timeout=WORK)
    column = page.locator(".reader .ca").bounding_box()
    box = page.locator(".reader .ca .m.active").first.bounding_box()
    assert column and box and column["y"] <= box["y"] <= column["y"] + column["height"]
    folds = page.locator(".reader .out-fold")
    expect(folds).to_have_count(2)
    expect(folds.first).to_contain_text("题目 67 字")
    picture(page, "compare-zh")
    folds.first.click()
    expect(folds.last).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".reader .out").first).to_be_visible()
