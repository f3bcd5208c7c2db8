"""A text on its pages: what the eye sees against what the file says, and the lines of a scan."""

from __future__ import annotations

import re

from playwright.sync_api import expect


def open_page(visit, pages_shown: str, row: int, view: str):
    page = visit(f"/document?check={pages_shown}&d={row}&show={view}")
    expect(page.locator(".sheet img")).to_be_visible()
    expect(page.locator(".sheet img")).to_have_js_property("complete", True)
    return page


def test_both_readings_stand_beside_the_page(visit, pages_shown, obstacles) -> None:
    page = open_page(visit, pages_shown, 0, "seen")
    box, reading = page.locator(".box.unseen"), page.locator(".readings li")

    expect(page.locator(".lt-caution")).to_contain_text("有 1 处不一样")
    expect(box).to_have_count(1)
    expect(reading).to_contain_text("没有墨的字")
    expect(reading.locator("dd.a")).to_have_text("— 空白 —")
    expect(reading.locator("dd.b")).to_contain_text("Notes from a Group Project")
    expect(page.get_by_text("Notes from a Group Project")).to_have_count(1)
    assert obstacles(page) == []


def test_the_reading_that_is_compared_is_changed_by_a_click_and_back(
    visit, pages_shown, ready, obstacles
) -> None:
    page = open_page(visit, pages_shown, 0, "seen")
    eye, file = (
        page.get_by_role("radio", name=name).last for name in ("眼睛看到的", "文件里写着的")
    )
    expect(eye).to_be_checked()
    file.click()

    expect(page.locator(".readings li")).to_contain_text("照文件里写着的比", timeout=30_000)
    expect(file).to_be_checked()
    expect(page.locator(".sheet img")).to_be_visible()
    page.reload()
    ready(page)
    expect(file).to_be_checked()
    assert obstacles(page) == []
    eye.click()
    expect(page.locator(".readings li")).to_contain_text("没有参加比对", timeout=30_000)
    expect(eye).to_be_checked()


def test_letters_in_between_are_marked(visit, pages_shown) -> None:
    page = open_page(visit, pages_shown, 1, "seen")

    expect(page.locator(".readings li")).to_contain_text("夹了字")
    expect(page.locator("dd.b u").first).to_have_text(re.compile("[xqzkj]"))
    expect(page.locator("dd.a")).not_to_have_text(re.compile("[xqzkj]"))


def test_a_click_on_a_line_moves_the_box_and_a_click_on_the_scan_chooses_the_line(
    visit, pages_shown, ready, obstacles
) -> None:
    page = open_page(visit, pages_shown, 2, "read")
    lines, boxes = page.locator(".lines li"), page.locator(".box.read")
    expect(lines.first).to_have_class(re.compile("on"))

    lines.nth(3).locator("button").click()
    expect(boxes.nth(3)).to_have_class(re.compile(r"\bon\b"))
    expect(page.locator(".box.on")).to_have_count(1)
    expect(page.locator(".note[role=status]")).to_contain_text("第 4 行")

    boxes.nth(1).click()
    expect(lines.nth(1)).to_have_class(re.compile("on"))
    expect(lines.nth(3)).not_to_have_class(re.compile("on"))
    box, sheet = boxes.nth(1).bounding_box(), page.locator(".sheet").bounding_box()
    assert box
    assert sheet
    assert sheet["y"] < box["y"] < sheet["y"] + sheet["height"] / 4

    page.get_by_role("button", name=re.compile("只看没有把握")).click()
    expect(page.locator(".lines li")).to_have_count(1)
    expect(page.locator(".lines u")).to_have_count(1)
    assert obstacles(page) == []

    page.locator(".lines li button").focus()
    page.goto(page.url.replace("&show=read", ""))
    ready(page)
    page.get_by_role("radio", name="扫描与读到的字").click()
    expect(page.locator(".sheet img")).to_be_visible()
