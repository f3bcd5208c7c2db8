"""The review desk: answered and decided by keys to its end, heard, on a phone, with few bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

from simhash_core import Document, check
from tests import task_class
from tests.e2e.access import check_names_and_headings
from tests.e2e.steps import PHONE, WORK, go, is_cut_off, picture
from tests.prose import english

Ready = Callable[..., None]
A_KEY = 6_000  # bytes to the browser for a key that opens no other case


def turned(first: str, second: str) -> tuple[str, str]:
    """Two texts that share two paragraphs in another order, between words of their own."""
    own = [english(30 + n, 60) for n in range(4)]
    return (
        "\n\n".join([own[0], first, own[1], second]),
        "\n\n".join([second, own[2], first, own[3]]),
    )


@pytest.fixture(scope="session")
def pupils():
    """Fourteen essays: five quote one passage, one has it without marks, two share two parts."""
    passage, (one, other) = english(50, 40).rstrip("."), turned(english(51, 90), english(52, 50))
    texts = [english(row, 220) for row in range(12)]
    for row in range(6):
        marks = "“”" if row < 5 else ("", "")
        said = f"{english(70 + row, 30)} {marks[0]}{passage}{marks[1]} {english(80 + row, 30)}"
        texts[row] += f"\n\n{said}"
    texts += [one, other]
    return check([Document.from_text(text, name=f"{row:02}.txt") for row, text in enumerate(texts)])


@pytest.fixture
def desk(visit, keep, pupils) -> Page:
    """The desk of those essays."""
    page = visit(f"/review?check={keep(pupils, name='10C · Reading response')}")
    expect(page.locator(".desk .row.on")).to_be_visible(timeout=WORK)
    return page


@pytest.fixture
def class_desk(visit, keep) -> Page:
    """The desk of a small class whose texts all begin with the task sheet."""
    page = visit(f"/review?check={keep(task_class.checked(), name='高一（3）班')}")
    expect(title(page)).to_be_visible(timeout=WORK)
    return page


@pytest.fixture
def received(page: Page) -> Iterator[list[int]]:
    """The sizes of the messages that the browser gets."""
    sizes: list[int] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: sizes.append(len(frame)))

    page.on("websocket", listen)
    yield sizes


def title(page: Page) -> Locator:
    return page.locator(".ch h2:visible")


def said(page: Page) -> Locator:
    return page.locator(".follow .said")


def state_of(page: Page, place: int) -> Locator:
    return page.locator(".desk .row").nth(place).locator(".st")


def test_a_class_is_answered_and_decided_by_keys_to_its_end(desk, ready, obstacles):
    page = desk
    expect(title(page)).to_contain_text("14 篇里 6 篇有")
    expect(page.locator(".uses h4").first).to_have_text("5 篇加了引号")
    expect(page.locator(".uses h4").last).to_have_text("1 篇没加引号")
    expect(page.locator(".btn.guess")).to_contain_text("引文或课文")
    expect(page.locator(".bt [aria-pressed=true]")).to_have_count(0)
    picture(page, "desk-passage-zh")
    assert obstacles(page) == []
    page.keyboard.press("2")
    expect(said(page)).to_contain_text("引文或课文")
    expect(state_of(page, 0)).to_have_text("2")
    expect(title(page)).to_contain_text("14 篇里 6 篇有")  # the desk waits
    page.keyboard.press("Enter")

    expect(title(page)).to_contain_text("12与13")
    picture(page, "desk-pair-zh")
    assert obstacles(page) == []
    page.keyboard.press("n")
    expect(said(page)).to_contain_text("无问题")
    page.keyboard.press("3")
    expect(said(page)).to_contain_text("无问题 · 常见说法")
    page.keyboard.press("c")
    expect(said(page)).to_contain_text("已确认")
    expect(title(page)).to_contain_text("12与13")
    page.keyboard.press("m")
    page.keyboard.type("先分别谈话")
    page.keyboard.press("Enter")
    expect(said(page)).to_contain_text("批注已存")
    page.keyboard.press("u")
    expect(page.locator(".follow input")).to_have_value("")
    page.keyboard.press("u")
    expect(said(page)).to_contain_text("已撤回")
    page.keyboard.press("l")
    expect(page.locator(".bar .count")).to_have_text("1 / 2 已判，1 案稍后")
    page.keyboard.press("Enter")

    headline = page.locator(".headline")
    expect(headline).to_have_text("2 案判了 1 案：1 段话答完。还有 1 案。")
    expect(page.locator(".st-key-making")).to_contain_text("年级组.pdf")
    picture(page, "desk-end-zh")
    assert obstacles(page) == []
    page.locator(".left button").click()
    expect(title(page)).to_contain_text("12与13")
    page.keyboard.press("c")
    expect(said(page)).to_contain_text("已确认")
    page.keyboard.press("Enter")
    expect(headline).to_have_text("2 案都判了：确认 1 案，1 段话答完。")
    page.locator(".st-key-report_make button").click()
    expect(page.locator(".st-key-report_save button")).to_be_visible(timeout=WORK)
    page.reload()
    expect(headline).to_have_text("2 案都判了：确认 1 案，1 段话答完。", timeout=WORK)
    ready(page)
    go(page, ready, "results")


def test_a_number_leads_to_the_same_content_where_the_order_was_changed(desk):
    page = desk
    page.keyboard.press("j")
    expect(page.locator(".chip").first).to_be_visible()
    columns = page.locator(".col")
    moved = False
    for way in "]]]":
        page.keyboard.press(way)
        parts = [columns.nth(side).locator(".m.active") for side in (0, 1)]
        texts = ["".join(one.all_inner_texts()) for one in parts]
        assert texts[0] == texts[1] and len(texts[0]) > 100
        tops = [one.first.bounding_box() for one in parts]
        assert tops[0] and tops[1] and abs(tops[0]["y"] - tops[1]["y"]) < 4
        if parts[0].first.evaluate("part => part.classList.contains('moved')"):
            line = page.locator(".gu path.moved.active")
            assert "px" in line.evaluate("path => getComputedStyle(path).strokeDasharray")
            assert "⇅" in page.locator(".chip.moved").first.inner_text()
            moved = True
    assert moved


def test_a_key_sends_only_what_changed(received, desk, ready):
    page = desk
    for key, mark in (("j", "undecided"), ("c", "confirmed"), ("n", "no_problem"), ("k", "")):
        ready(page)
        received.clear()
        page.keyboard.press(key)
        if mark:
            expect(state_of(page, 1)).to_have_class(re.compile(mark))
        expect(page.locator(".row.on .no")).to_have_text("1" if key == "k" else "2")
        ready(page)
        if key in "cn":
            assert sum(received) < A_KEY, (key, received)
        assert max(received) < 3 * A_KEY


def test_keys_are_heard_where_nobody_types_and_two_tabs_agree(class_desk, ready):
    page = class_desk
    page.locator(".st-key-export button").first.click()
    opened = page.get_by_test_id("stPopoverBody")
    expect(opened).to_be_visible()
    ready(page)
    page.keyboard.press("c")
    page.locator(".st-key-reviewer input").click()
    page.keyboard.type("cnl")
    page.keyboard.press("Enter")
    ready(page)
    page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    expect(state_of(page, 0)).to_have_class(re.compile("undecided"))
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("j")
    expect(page.locator(".row").nth(1)).to_have_class(re.compile(r"\bon\b"))  # heard once
    page.keyboard.press("Control+j")
    page.keyboard.press("k")
    expect(page.locator(".row").nth(0)).to_have_class(re.compile(r"\bon\b"))

    other = page.context.new_page()
    other.goto(page.url)
    expect(title(other)).to_be_visible(timeout=WORK)
    other.keyboard.press("l")
    expect(state_of(other, 0)).to_have_class(re.compile("later"), timeout=WORK)
    other.close()
    page.bring_to_front()
    expect(state_of(page, 0)).to_have_class(re.compile("later"), timeout=WORK)
    name = page.locator(".row .who").first.inner_text()
    page.keyboard.press("b")
    expect(page.locator(".row .who").first).to_have_text(re.compile(r"文本|甲|篇"))
    expect(page.locator(".desk")).not_to_contain_text(name, use_inner_text=True)


def test_the_desk_is_heard_and_folds_what_does_not_count(class_desk):
    page = class_desk
    check_names_and_headings(page, "review")
    status = page.locator(".desk > [role=status]")
    expect(status).to_have_text(re.compile("^第 1 案, 一段话，6 篇里 6 篇有, 未判"))
    page.keyboard.press("j")
    expect(status).to_have_text(re.compile("^第 2 案, .+与.+, 未判"))
    page.keyboard.press("]")
    expect(status).to_have_text(re.compile(r"^第 \d+ 处，共 \d+ 处, .+甲"))
    page.keyboard.press("c")
    expect(status).to_have_text(re.compile("第 2 案，.+：已确认"))
    fold = page.get_by_role("button", name=re.compile("题目 67 字.*题目 67 字")).first
    expect(fold).to_have_attribute("aria-expanded", "false")
    fold.click()
    shown = page.locator(".under:not([hidden]) .out", has_text="请读完《乡土中国》前五章")
    expect(shown).to_have_count(2)
    page.emulate_media(forced_colors="active")
    lines = page.locator(".col .m").evaluate_all(
        "all => all.map(one => getComputedStyle(one).textDecorationLine)"
    )
    assert set(lines) == {"underline"}


@pytest.mark.browser_context_args(viewport=PHONE)
def test_on_a_phone_one_part_stands_over_the_other(class_desk):
    page = class_desk
    page.get_by_role("button", name="模板").click()
    page.get_by_role("button", name="下一案").click()
    columns = page.locator(".col")
    expect(columns.nth(0).locator("p.here").first).to_be_visible()
    expect(columns.nth(1).locator("p.here").first).to_be_visible()
    assert page.locator(".col p:visible").count() == page.locator(".col p.here:visible").count()
    first, second = (columns.nth(side).bounding_box() for side in (0, 1))
    assert first and second and second["y"] >= first["y"] + first["height"]
    picture(page, "desk-zh-390")
    page.get_by_role("button", name="下一处").click()
    expect(page.locator(".parts .count")).to_have_text("第 1 处，共 1 处")
    page.get_by_role("button", name="两篇全文").click()
    assert page.locator(".col p:visible").count() > page.locator(".col p.here:visible").count()
    page.get_by_role("button", name="两篇全文").click()
    confirmed = page.get_by_role("button", name="确认重合")
    box = confirmed.bounding_box()
    assert box and box["height"] >= 44 and box["y"] + box["height"] <= 844
    confirmed.click()
    expect(said(page)).to_contain_text("已确认")
    assert not is_cut_off(page)
    page.get_by_role("button", name="下一案").click()
    expect(title(page)).not_to_contain_text("第 1 案")
    assert not is_cut_off(page)
