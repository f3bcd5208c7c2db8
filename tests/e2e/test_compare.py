"""Compare in a real browser: reading side by side, bits, phone, no foreign markup."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

WORK = 60_000
TRAP = "<img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script>"
SHARED = (
    "城里的老邮局要拆了，门口那棵香樟却留了下来。父亲说，他十八岁那年就是在这里寄出第一封信的，"
    "信封上的邮票是一只蓝色的鸟。后来我们搬了家，每逢周末他还要绕路来看一眼，说树比人记得牢。"
)
OTHER = "今年春天图书馆换了新的窗帘，阳光落在地板上像一条安静的河，管理员把旧报纸一捆一捆搬到楼下。"
THIRD = "运动会那天风很大，旗杆上的绳子一直响，跑完最后一圈的人都坐在草地上喘气，谁也不肯先站起来。"


def open_first_pair(page: Page, ready) -> None:
    page.get_by_text("按对", exact=True).click()
    page.locator("table.pairs tbody tr").first.click()
    expect(page).to_have_url(re.compile(r"/compare\?a=\w+&b=\w+"), timeout=WORK)
    expect(page.locator(".reader .text p").first).to_be_visible(timeout=WORK)
    ready(page)


@pytest.fixture
def compare(checked, ready) -> Page:
    """The first pair of a check of the sample essays."""
    open_first_pair(checked, ready)
    return checked


@pytest.fixture
def hostile(visit, page, ready) -> Page:
    """A pair of long texts with shared paragraphs, other paragraphs, and markup inside."""
    parts = [f"{SHARED[i * 7 :]}{SHARED[: i * 7]}第{i}段。" for i in range(6)]
    fillers = [f"{OTHER * 2}{i}。" for i in range(6)]
    first = "\n".join([TRAP, *(x for pair in zip(fillers, parts, strict=True) for x in pair)])
    second = "\n".join([THIRD * 12, *parts, THIRD * 6])
    visit("/")
    page.locator(".st-key-files-way input[type=file]").set_input_files(
        [
            {"name": f"{name}.txt", "mimeType": "text/plain", "buffer": text.encode()}
            for name, text in (("甲<b>", first), ("乙", second), ("丙", THIRD * 9))
        ]
    )
    start = page.locator(".st-key-start button")
    expect(start).to_be_visible(timeout=WORK)
    ready(page)
    start.click()
    expect(page).to_have_url(re.compile("/overview"), timeout=WORK)
    ready(page)
    open_first_pair(page, ready)
    return page


def height(chip: Locator, column: Locator) -> float:
    chip_box, column_box = chip.bounding_box(), column.bounding_box()
    assert chip_box and column_box
    return chip_box["y"] - column_box["y"]


def aligned(page: Page, match: str) -> bool:
    columns = page.locator(".reader .col")
    heights = [
        height(columns.nth(side).locator(f'.chip[data-m="{match}"]'), columns.nth(side))
        for side in (0, 1)
    ]
    return abs(heights[0] - heights[1]) < 4


def test_a_match_brings_both_sides_to_one_height(hostile):
    page = hostile
    columns = page.locator(".reader .col")
    chips = columns.nth(0).locator(".chip")
    expect(chips.first).to_be_attached()
    last = chips.last.get_attribute("data-m")
    chips.last.evaluate("chip => chip.scrollIntoView()")
    chips.last.click()
    assert aligned(page, last)

    columns.nth(1).focus()
    page.keyboard.press("p")
    page.keyboard.press("n")
    assert aligned(page, last)
    said = page.locator(".reader .apparatus").inner_text()
    assert re.search(r"甲 \d+–\d+", said) and re.search(r"乙 \d+–\d+", said)


def test_scrolling_one_side_moves_the_other_and_the_lines_follow(hostile):
    page = hostile
    columns = page.locator(".reader .col")
    columns.nth(0).evaluate("column => column.scrollTo(0, column.scrollHeight)")
    page.wait_for_function("column => column.scrollTop > 0", arg=columns.nth(1).element_handle())
    assert page.locator(".reader .gu path").count() > 0


def test_markup_in_a_text_is_shown_and_never_run(hostile):
    expect(hostile.locator(".reader .text", has_text=TRAP)).to_have_count(1)
    assert hostile.locator(".reader .text :is(img, script)").count() == 0
    assert hostile.title() != "broken"


def test_folding_and_filtering_leave_the_passages(hostile, ready):
    page = hostile
    before = page.locator(".reader .ca").evaluate("column => column.scrollHeight")
    page.get_by_text("只看重合及前后文").click()
    ready(page)
    folds = page.locator(".reader .fold:visible")
    expect(folds.first).to_be_visible()
    count = folds.count()
    assert page.locator(".reader .ca").evaluate("column => column.scrollHeight") < before
    folds.first.click()
    expect(folds).to_have_count(count - 1)

    kind = page.locator(".reader .legend button").first
    kind.click()
    expect(kind).to_have_attribute("aria-pressed", "false")


def test_a_rerun_keeps_the_place_and_one_set_of_listeners(hostile, ready):
    page = hostile
    column = page.locator(".reader .ca")
    column.evaluate("column => { column.scrollTop = 120 }")
    page.get_by_text("标出改写处的差异").click()
    ready(page)
    assert column.evaluate("column => column.scrollTop") == 120
    at, total = map(int, page.locator(".reader .steps span").inner_text().split("/"))
    column.focus()
    page.keyboard.press("n")  # one step on, from the passage at which the pair opened
    expect(page.locator(".reader .steps span")).to_have_text(f"{at % total + 1} / {total}")


def test_copy_takes_the_passage_and_its_positions(hostile, context):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    hostile.get_by_role("button", name="复制这一处及位置").click()
    expect(hostile.get_by_role("button", name="已复制")).to_be_visible()
    copied = hostile.evaluate("navigator.clipboard.readText()")
    assert "甲 " in copied and "乙 " in copied and "–" in copied


def test_bits_answer_to_clicks_and_arrows(compare, ready):
    page = compare
    page.get_by_text("指纹", exact=True).click()
    ready(page)
    grids = page.locator(".bits .grid")
    expect(grids).to_have_count(3)
    expect(page).to_have_url(re.compile("view=prints"))
    grids.nth(0).locator(".bit").nth(17).click()
    ready(page)
    expect(page.get_by_role("heading", name=re.compile("第 17 位"))).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("heading", name=re.compile("第 34 位"))).to_be_visible()
    for side in range(3):
        expect(grids.nth(side).locator("[aria-pressed=true]")).to_have_count(1)
    expect(page.locator(".js-plotly-plot")).to_have_count(2)


def test_nothing_stands_in_the_way_of_anyone(compare, ready, obstacles):
    assert obstacles(compare) == []
    compare.get_by_text("指纹", exact=True).click()
    ready(compare)
    assert obstacles(compare) == []


def test_a_phone_stacks_the_texts_and_scrolls_only_down(compare):
    compare.set_viewport_size({"width": 390, "height": 844})
    columns = compare.locator(".reader .col")
    first, second = columns.nth(0).bounding_box(), columns.nth(1).bounding_box()
    assert first and second and second["y"] >= first["y"] + first["height"]
    expect(compare.locator(".reader .gu")).to_be_hidden()
    assert not compare.evaluate("document.documentElement.scrollWidth > innerWidth")
