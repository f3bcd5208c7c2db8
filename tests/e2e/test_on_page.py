"""A text on its pages: what the eye sees against what the file says, and the lines of a scan."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from simhash_core import Document, check, read
from simhash_core.text.gathering import Source
from tests.text.recognised_page import recognised
from tests.text.seen_pages import DISGUISED


@pytest.fixture
def pages_shown(keep):
    """The id of a check of two PDFs that hide words and of a scan, which the browser may open."""
    names = ("words on a layer that is off", "white letters between letters")
    documents, _ = read([Source(name=f"{one}.pdf", data=DISGUISED[one]()) for one in names])
    other = Document.from_text("一段文字。" * 40, name="other.txt")
    texts = [*documents, recognised(), recognised("zh", name="扫描.jpg"), other]
    return keep(check(texts), name="pages")


def open_page(visit: Callable[..., Page], key: str, row: int, view: str) -> Page:
    page = visit(f"/results?check={key}&text={row}&show={view}")
    expect(page.locator(".sheet img")).to_be_visible()
    expect(page.locator(".sheet img")).to_have_js_property("complete", True)
    return page


def test_what_the_eye_sees_is_held_against_what_the_file_says(visit, pages_shown, ready, obstacles):
    """Both readings beside the page; which one is compared is changed by a click, and back."""
    page = open_page(visit, pages_shown, 0, "seen")
    box, reading = page.locator(".box.unseen"), page.locator(".readings li")
    expect(page.locator(".lt-caution")).to_contain_text("有 1 处不一样")
    expect(box).to_have_count(1)
    expect(reading).to_contain_text("没有墨的字")
    expect(reading.locator("dd.a")).to_have_text("— 空白 —")
    expect(reading.locator("dd.b")).to_contain_text("Notes from a Group Project")
    expect(page.get_by_text("Notes from a Group Project")).to_have_count(1)
    eye, inside = (
        page.get_by_role("radio", name=name).last for name in ("眼睛看到的", "文件里写着的")
    )
    expect(eye).to_be_checked()
    inside.click()
    expect(reading).to_contain_text("照文件里写着的比", timeout=30_000)
    expect(inside).to_be_checked()
    expect(page.locator(".sheet img")).to_be_visible()
    page.reload()
    ready(page)
    expect(inside).to_be_checked()
    assert obstacles(page) == []
    eye.click()
    expect(reading).to_contain_text("没有参加比对", timeout=30_000)
    expect(eye).to_be_checked()
    ready(page)

    open_page(visit, pages_shown, 1, "seen")
    expect(reading).to_contain_text("夹了字")
    expect(page.locator("dd.b u").first).to_have_text(re.compile("[xqzkj]"))
    expect(page.locator("dd.a")).not_to_have_text(re.compile("[xqzkj]"))

    # the lines of a scan: each leads to its place, and each place to its line
    open_page(visit, pages_shown, 2, "read")
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
