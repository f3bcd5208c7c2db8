"""The readers in a real browser: reading side by side, bits, no foreign markup."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from simhash_core import Document, check
from tests.e2e.steps import PHONE, SCREEN, WORK, check_id

TRAP = "<img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script>"
SHARED = (
    "城里的老邮局要拆了，门口那棵香樟却留了下来。父亲说，他十八岁那年就是在这里寄出第一封信的，"
    "信封上的邮票是一只蓝色的鸟。后来我们搬了家，每逢周末他还要绕路来看一眼，说树比人记得牢。"
)
OTHER = "今年春天图书馆换了新的窗帘，阳光落在地板上像一条安静的河，管理员把旧报纸一捆一捆搬到楼下。"
THIRD = "运动会那天风很大，旗杆上的绳子一直响，跑完最后一圈的人都坐在草地上喘气，谁也不肯先站起来。"
PAIR = re.compile(r"/results\?.*pair=\w+(,|%2C)\w+")
Ready = Callable[..., None]


@pytest.fixture
def hostile(visit, page, keep):
    """A pair of long texts with shared paragraphs, other paragraphs, and markup inside."""
    parts = [f"{SHARED[i * 7 :]}{SHARED[: i * 7]}第{i}段。" for i in range(6)]
    fillers = [f"{OTHER * 2}{i}。" for i in range(6)]
    first = "\n".join([TRAP, *(x for pair in zip(fillers, parts, strict=True) for x in pair)])
    texts = {"甲<b>": first, "乙": "\n".join([THIRD * 12, *parts, THIRD * 6]), "丙": THIRD * 9}
    result = check([Document.from_text(text, name=f"{name}.txt") for name, text in texts.items()])
    visit(f"/results?pair=0,1&check={keep(result)}")
    expect(page.locator(".reader .text p").first).to_be_visible(timeout=WORK)
    return page


def height(chip: Locator, column: Locator) -> float:
    chip_box, column_box = chip.bounding_box(), column.bounding_box()
    assert chip_box and column_box
    return chip_box["y"] - column_box["y"]


def aligned(page: Page, match: str | None) -> bool:
    columns = page.locator(".reader .col")
    heights = [
        height(columns.nth(side).locator(f'.chip[data-m="{match}"]'), columns.nth(side))
        for side in (0, 1)
    ]
    return abs(heights[0] - heights[1]) < 4


def test_two_texts_are_read_side_by_side(hostile, ready):
    """Markup is shown and never run; a passage brings both sides to one height."""
    page = hostile
    expect(page.locator(".reader .text", has_text=TRAP)).to_have_count(1)
    assert page.locator(".reader .text :is(img, script)").count() == 0
    assert page.title() != "broken"

    columns = page.locator(".reader .col")
    chips = columns.nth(0).locator(".chip")
    expect(chips.first).to_be_attached()
    last = chips.last.get_attribute("data-m")
    chips.last.evaluate("chip => chip.scrollIntoView()")
    chips.last.click()
    assert aligned(page, last)
    expect(page.locator(".reader .gu path").first).to_be_attached()
    columns.nth(1).focus()
    page.keyboard.press("[")
    page.keyboard.press("]")
    assert aligned(page, last)

    columns.nth(1).evaluate("column => column.scrollTo(0, 0)")
    page.wait_for_function("column => column.scrollTop === 0", arg=columns.nth(0).element_handle())
    columns.nth(0).evaluate("column => column.scrollTo(0, column.scrollHeight)")
    page.wait_for_function("column => column.scrollTop > 0", arg=columns.nth(1).element_handle())

    _keeps_its_place(page, ready)
    _folds_and_filters(page, ready)


def _keeps_its_place(page: Page, ready: Ready) -> None:
    """A rerun keeps the place, and one set of listeners."""
    column = page.locator(".reader .ca")
    column.evaluate("column => { column.scrollTop = 120 }")
    page.get_by_text("标出改写处的差异").click()
    ready(page)
    assert column.evaluate("column => column.scrollTop") == 120
    at, total = map(int, page.locator(".reader .steps span").inner_text().split("/"))
    column.focus()
    page.keyboard.press("]")  # one step on, from the passage at which the pair opened
    expect(page.locator(".reader .steps span")).to_have_text(f"{at % total + 1} / {total}")


def _folds_and_filters(page: Page, ready: Ready) -> None:
    before = page.locator(".reader .ca").evaluate("column => column.scrollHeight")
    page.get_by_text("只看重合及前后文").click()
    ready(page)
    folds = page.locator(".reader .fold[aria-expanded=false]:visible")
    expect(folds.first).to_be_visible()
    count = folds.count()
    assert page.locator(".reader .ca").evaluate("column => column.scrollHeight") < before
    folds.first.click()
    expect(folds).to_have_count(count - 1)
    kind = page.locator(".reader .legend button").first
    kind.click()
    expect(kind).to_have_attribute("aria-pressed", "false")


def test_the_part_that_is_read_stays_in_sight_where_the_width_changes(hostile):
    """One column on a phone and back, and a narrower page, whose lines are others."""
    page = hostile
    chips = page.locator(".reader .col .nb:has(.m.active)")
    expect(chips).to_have_count(2)
    for size in (PHONE, SCREEN, {**SCREEN, "width": 1000}, PHONE):
        page.set_viewport_size(size)
        if size == PHONE:
            expect(page.locator(".reader .gu")).to_be_hidden()
            expect(page.locator(".reader .col p:visible:not(.here)")).to_have_count(0)
            continue
        page.wait_for_function(
            """chips => {
                const columns = chips.map((chip) => chip.closest(".col"));
                const top = (node) => node.getBoundingClientRect().top;
                const tops = chips.map((chip, side) => top(chip) - top(columns[side]));
                const seen = tops.every((at) => at >= 0 && at < columns[0].clientHeight);
                return seen && Math.abs(tops[0] - tops[1]) < 4;
            }""",
            arg=chips.element_handles(),
            timeout=5000,
        )


def test_bits_of_a_pair_and_sources_of_a_text_answer(checked, visit, ready):
    page = checked
    page.locator("table.pairs tbody tr").first.click()
    expect(page).to_have_url(re.compile(r"/results\?.*case=\d+"), timeout=WORK)
    expect(page.locator(".reader .text p").first).to_be_visible(timeout=WORK)
    ready(page)
    page.get_by_text("指纹", exact=True).click()
    ready(page)
    grids = page.locator(".bits .grid")
    expect(grids).to_have_count(3)
    expect(page).to_have_url(re.compile("show=prints"))
    grids.nth(0).locator(".bit").nth(17).click()
    ready(page)
    expect(page.get_by_role("heading", name=re.compile("第 17 位"))).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("heading", name=re.compile("第 34 位"))).to_be_visible()
    for side in range(3):
        expect(grids.nth(side).locator("[aria-pressed=true]")).to_have_count(1)

    visit(f"/results?text=0&check={check_id(page)}")
    page.get_by_role("combobox").click()
    page.get_by_role("option", name=re.compile("^18-")).click()
    sources = page.locator(".sources .source")
    expect(sources).to_have_count(2)
    ready(page)
    source = sources.nth(1)
    source.click()
    expect(source).to_have_attribute("aria-pressed", "true")
    shown = page.locator(".sources .m.on")
    expect(shown.first).to_be_visible()
    styles = {re.search(r"k-s\d", node.get_attribute("class"))[0] for node in shown.all()}
    assert styles == {"k-s2"}
    source.click()
    expect(page.locator(".sources.picked")).to_have_count(0)
    sources.first.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(PAIR, timeout=WORK)
    expect(page.locator(".reader .text p").first).to_be_visible(timeout=WORK)
    ready(page)
    page.go_back()
    expect(sources.first).to_be_visible(timeout=WORK)
    sources.first.dblclick()
    expect(page).to_have_url(PAIR, timeout=WORK)


def test_quotations_are_foreseen_left_out_and_stay_out_over_a_reload(checked, visit, ready):
    page = checked
    page.locator(".st-key-leave_out button").click()
    quotations = page.locator(".st-key-ex_quotations label").first
    expect(quotations).to_contain_text(re.compile(r"去掉 [\d,\u2009]+ 字"))
    quotations.click()
    ready(page)
    page.locator(".st-key-ex_apply button").click()
    line = page.locator(".st-key-leaving-out")
    expect(line).to_contain_text("未计入：引文", timeout=WORK)
    page.reload()
    ready(page)
    expect(line).to_contain_text("未计入：引文", timeout=WORK)
    visit(f"/results?text=11&check={check_id(page)}")
    expect(page.locator(".sources .why").first).to_contain_text("引文", timeout=WORK)
