"""The review desk: decided by keys, heard, seen in forced colours, on a phone, to its end."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests import task_class
from tests.e2e.access import heard
from tests.e2e.steps import PHONE, WORK, check_id, go, is_cut_off, picture

Ready = Callable[..., None]


@pytest.fixture(scope="session")
def class_result():
    """A check of a small class whose texts all begin with the task sheet."""
    return task_class.checked()


@pytest.fixture
def class_checked(keep, class_result):
    """The id of a check of that class, which the browser may open."""
    return keep(class_result, name="高一（3）班")


@pytest.fixture
def desk(checked, ready):
    """The desk of the sample essays."""
    go(checked, ready, "review")
    expect(checked.locator(".desk .row.on")).to_be_visible(timeout=WORK)
    return checked


def title(page: Page) -> Locator:
    return page.locator(".case h2:visible").first


def said(page: Page) -> Locator:
    return page.locator(".strip .said")


def state_of(page: Page, number: int) -> Locator:
    return page.locator(".desk .row").nth(number - 1).locator(".st")


def test_cases_are_decided_noted_and_taken_back_by_keys(desk, ready):
    page = desk
    expect(title(page)).to_contain_text("第 1 案")
    page.keyboard.press("c")
    expect(title(page)).to_contain_text("第 2 案")
    expect(state_of(page, 1)).to_have_class(re.compile("confirmed"))
    page.keyboard.press("l")
    expect(state_of(page, 2)).to_have_class(re.compile("later"))
    expect(page.locator(".big")).to_contain_text("1/ 7 已判")
    page.keyboard.press("u")
    expect(state_of(page, 2)).to_have_class(re.compile("undecided"))
    expect(title(page)).to_contain_text("第 2 案")

    page.keyboard.press("n")
    expect(title(page)).to_contain_text("第 3 案")
    expect(said(page)).to_contain_text("第 2 案")
    expect(page.locator(".whys.asked")).to_contain_text("原因？")
    page.keyboard.press("2")
    expect(said(page)).to_contain_text("无问题 · 题目给的")
    expect(title(page)).to_contain_text("第 3 案")
    page.keyboard.press("k")
    expect(title(page)).to_contain_text("第 2 案")
    expect(page.locator(".btn[aria-pressed=true]")).to_contain_text("无问题 · 题目给的")

    page.locator(".desk .row").nth(3).click()
    expect(title(page)).to_contain_text("第 4 案")
    page.keyboard.press("m")
    page.keyboard.type("先分别谈话")
    page.keyboard.press("Enter")
    expect(said(page)).to_contain_text("批注已存")
    page.keyboard.press("c")
    expect(title(page)).to_contain_text("第 5 案")
    page.keyboard.press("u")
    expect(said(page)).to_contain_text("“已确认”改回“未判”。批注没有动。")
    page.keyboard.press("Shift+U")
    expect(said(page)).to_contain_text("“未判”改为“已确认”")
    page.keyboard.press("u")
    expect(state_of(page, 4)).to_have_class(re.compile("undecided"))

    page.locator(".desk .row").nth(3).click()
    expect(page.locator(".note input")).to_have_value("先分别谈话")
    page.keyboard.press("Shift+M")
    expect(said(page)).to_contain_text("批注已撤回：“先分别谈话”")
    expect(page.locator(".note input")).to_have_value("")
    page.get_by_role("button", name="重做刚撤回的").click()
    expect(said(page)).to_contain_text("批注已恢复")
    expect(page.locator(".note input")).to_have_value("先分别谈话")
    page.reload()
    expect(state_of(page, 1)).to_have_class(re.compile("confirmed"), timeout=WORK)
    page.locator(".desk .row").nth(3).click()
    expect(page.locator(".note input")).to_have_value("先分别谈话")

    go(page, ready, "results")
    expect(page.locator("table.texts .st.confirmed")).to_have_count(2, timeout=WORK)
    page.get_by_text("按对", exact=True).click()
    expect(page.locator("table.pairs .st.confirmed")).to_have_count(1)
    page.locator("table.pairs tbody tr", has=page.locator(".st.confirmed")).click()
    expect(page.locator(".st-key-noprint-decided")).to_contain_text("已确认", timeout=WORK)
    page.get_by_role("button", name="到审阅台判断").click()
    expect(title(page)).to_contain_text("第 1 案", timeout=WORK)


def test_keys_work_wherever_nobody_types_and_in_two_tabs(desk, ready):
    """After a box was closed and after a click beside the desk; never while one is open."""
    page = desk
    page.locator(".st-key-export button").first.click()
    opened = page.get_by_test_id("stPopoverBody")
    expect(opened).to_be_visible()
    ready(page)
    page.keyboard.press("c")
    page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    expect(title(page)).to_contain_text("第 1 案")
    expect(state_of(page, 1)).to_have_class(re.compile("undecided"))
    page.keyboard.press("c")
    expect(title(page)).to_contain_text("第 2 案")
    page.get_by_role("heading", name="审阅台").click()
    page.keyboard.press("n")
    expect(title(page)).to_contain_text("第 3 案")
    page.locator(".st-key-reviewer input").click()
    page.keyboard.type("cnl")
    page.keyboard.press("Enter")
    ready(page)
    expect(title(page)).to_contain_text("第 3 案")
    page.evaluate("document.activeElement.blur()")
    assert page.evaluate("document.activeElement === document.body")
    page.keyboard.press("j")
    expect(title(page)).to_contain_text("第 4 案")  # one step: keys are heard once
    page.keyboard.press("Control+j")
    page.keyboard.press("k")
    expect(title(page)).to_contain_text("第 3 案")

    other = page.context.new_page()
    other.goto(page.url)
    expect(title(other)).to_contain_text("第 3 案", timeout=WORK)
    other.keyboard.press("l")
    expect(title(other)).to_contain_text("第 4 案", timeout=WORK)
    page.bring_to_front()
    expect(state_of(page, 3)).to_have_class(re.compile("later"), timeout=WORK)
    expect(said(page)).to_contain_text("现在是“稍后再看”，另一个窗口刚改的")
    other.close()

    page.locator(".desk .row.in").first.click()
    expect(page.locator(".clu input")).to_be_visible()
    inside = page.locator(".desk .row.in").count()
    confirmed = page.locator(".desk .row.in .st.confirmed")
    before = confirmed.count()
    page.keyboard.press("g")
    expect(page.locator(".clu input")).to_be_checked()
    page.keyboard.press("c")
    expect(confirmed).to_have_count(inside)
    page.keyboard.press("u")
    expect(confirmed).to_have_count(before)

    everything = page.locator(".desk .row").count()
    page.keyboard.press("/")
    page.keyboard.type("重合>90")
    page.keyboard.press("Enter")
    expect(page.locator(".desk .row")).not_to_have_count(everything)
    search = page.locator(".queue input[type=search]")
    search.fill("重合>x")
    search.press("Enter")
    expect(page.locator(".error")).to_contain_text("重合>x")
    expect(page.locator(".desk .row")).to_have_count(everything)
    page.locator(".desk .row").first.click()
    name = page.locator(".desk .row .name").first.get_attribute("title")
    page.keyboard.press("b")
    expect(page.locator(".desk .row .name").first).to_have_text(re.compile(r"文本|甲"))
    assert name
    expect(page.locator(".desk")).not_to_contain_text(name)


def test_the_desk_is_heard_and_worked_without_a_mouse(desk, ready):
    page = desk
    _is_read_in_the_order_of_work(page)
    status = page.locator(".desk [role=status]")
    expect(status).to_have_count(1)
    expect(status).to_have_text(re.compile("^第 1 案：.+ 与 .+，未判；甲见于乙"))
    assert page.locator("main, [role=main]").count() <= 1
    assert page.locator(".queue ul.rows > li").count() == page.locator(".queue ul.rows > *").count()
    page.keyboard.press("j")
    expect(status).to_have_text(re.compile("^第 2 案："))
    page.keyboard.press("]")
    expect(status).to_have_text(re.compile(r"第 \d+ 处，共 \d+ 处。 甲"))
    page.keyboard.press("c")
    expect(status).to_have_text(re.compile("^第 2 案 .+：已确认。 第 3 案："))
    page.keyboard.press("u")
    expect(page.get_by_role("status").filter(has_text="撤回了")).to_have_count(1)

    page.get_by_role("button", name="确认重合").focus()
    page.keyboard.press("Enter")
    expect(title(page)).to_contain_text("第 3 案")
    expect(title(page)).to_be_focused()
    _is_worked_by_tab_and_space(page)
    _is_seen_in_forced_colours(page, ready)


def _is_read_in_the_order_of_work(page: Page) -> None:
    tree = heard(page)
    spoken = [f"{one.role} {one.name}" for one in tree]

    def at(pattern: str) -> int:
        return next(place for place, one in enumerate(spoken) if re.match(pattern, one))

    order = [
        "heading 审阅台",
        "searchbox 查找案卷",
        "button 第 1 案",
        "heading 第 1 案 .+ 与 ",
        "image 甲见于乙 .+乙见于甲 ",
        "StaticText 甲$",
    ]
    order += ["StaticText 乙$", "button 确认重合", "textbox 批注", "status"]
    places = [at(one) for one in order]
    assert places == sorted(places)
    row = next(one for one in tree if one.name.startswith("第 1 案") and one.role == "button")
    assert re.fullmatch(r"第 1 案：.+ 与 .+，未判；甲见于乙 \d+%，乙见于甲 \d+%，最长 .+", row.name)
    kind = "(?:相同|改写|换位|移位|挪动)"  # the first case is moved
    marks = [one for one in tree if one.role == "image" and re.match(rf"{kind} \d", one.name)]
    ends = [one for one in spoken if re.match(rf"StaticText {kind} \d+ 到此", one)]
    assert marks and len(marks) == len(ends)  # on each side a passage begins and ends
    keys = {one.properties.get("keyshortcuts") for one in tree} - {None}
    assert keys == {"C", "N", "L", "U", "Shift+U", "Shift+M", "M", "/"}


def _is_worked_by_tab_and_space(page: Page) -> None:
    page.locator(".desk .row").first.click()
    expect(title(page)).to_contain_text("第 1 案")
    page.locator(".desk .row.on").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(title(page)).to_contain_text("第 2 案")
    reached, last = [], ""
    for _ in range(60):
        page.keyboard.press("Tab")
        now = page.evaluate(_FOCUS)
        if not now:
            break  # the page is left behind: no trap
        assert now["drawn"], now
        assert now["name"] != last or now["name"] == "", now
        reached.append(now["name"])
        last = now["name"]
    else:
        raise AssertionError(reached)
    assert [one for one in reached if one in _VERDICTS] == ["确认重合", "无问题", "稍后"]


_VERDICTS = ("确认重合", "无问题", "稍后")
_FOCUS = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (!at || at === document.body) return null;
  const outlined = (node) => node && getComputedStyle(node).outlineStyle !== 'none';
  const field = at.matches('input') && at.closest('.field, label, div');
  const own = [...at.childNodes].filter((one) => one.nodeType === 3).map((one) => one.nodeValue);
  return {
    name: at.ariaLabel || own.join('').trim() || at.textContent.trim().slice(0, 40),
    drawn: Boolean([at, at.parentElement, at.closest('label')].some(outlined) || field),
  };
}"""


def _is_seen_in_forced_colours(page: Page, ready: Ready) -> None:
    page.emulate_media(forced_colors="active")

    def styles(selector: str, name: str) -> set[str]:
        script = f"(all) => all.map((one) => getComputedStyle(one).{name})"
        expect(page.locator(selector).first).to_be_visible()
        return set(page.locator(selector).evaluate_all(script))

    assert styles(".read .m", "textDecorationLine") == {"underline"}
    assert not styles(".row.on", "borderInlineStartColor") & styles(
        ".row:not(.on)", "borderInlineStartColor"
    )
    assert styles(".ruler, .row .tw .s", "forcedColorAdjust") == {"none"}
    go(page, ready, "results")
    expect(page.locator(".lt-whole").first).to_be_visible()
    assert styles(".lt-whole", "forcedColorAdjust") == {"none"}
    assert styles("[role=radio][aria-checked=true]", "outlineStyle") == {"solid"}


@pytest.mark.browser_context_args(viewport=PHONE)
def test_on_a_small_screen_a_case_opens_on_its_evidence(visit, class_checked, checked, ready):
    """A phone in two languages, and a window at twice the size."""
    essays = check_id(checked)
    page = visit(f"/review?check={class_checked}")
    expect(page.locator(".read .m.on").first).to_be_in_viewport(timeout=WORK)
    picture(page, "desk-zh-390")
    page.get_by_role("button", name="确认重合").click()
    expect(page.locator(".mob .c")).to_contain_text("第 2 案")
    expect(page.locator(".read .m.on").first).to_be_in_viewport()
    page.get_by_role("button", name="无问题").click()
    expect(page.locator(".mob .c")).to_contain_text("第 3 案")
    picture(page, "desk-asked-390")
    assert not is_cut_off(page)

    for width, height in ((720, 450), (640, 450)):
        page.set_viewport_size({"width": width, "height": height})
        visit(f"/review?check={class_checked}")
        expect(page.locator(".read .m.on").first).to_be_visible(timeout=WORK)
        for button in page.locator(".mob button").all():
            button.click(trial=True)  # nothing lies over it
        read = page.locator(".read").bounding_box()
        line = page.locator(".read p").last.evaluate(
            "node => parseFloat(getComputedStyle(node).lineHeight)"
        )
        picture(page, f"desk-zh-{width}")
        assert read and read["height"] >= 8 * line
        assert not is_cut_off(page)

    page.set_viewport_size(PHONE)
    page.context.add_cookies([{"name": "leitong_language", "value": "en", "url": page.url}])
    visit(f"/review?check={essays}")
    button = page.get_by_role("button", name="Confirmed")
    expect(button).to_be_visible(timeout=WORK)
    button.click()
    expect(page.locator(".mob .c")).to_contain_text("Case 2 of 7")
    assert not is_cut_off(page)
    assert page.locator(".read").evaluate("node => node.getBoundingClientRect().right") <= 390
    note, box = page.locator(".desk .note").bounding_box(), button.bounding_box()
    assert note and note["x"] + note["width"] <= 390
    assert box and box["y"] + box["height"] <= 844
    page.locator("h1").click()
    page.keyboard.press("u")
    expect(said(page)).to_contain_text("from “confirmed” back to “undecided”")
    strip = page.locator(".strip").bounding_box()
    assert strip and strip["y"] + strip["height"] <= 844
    assert not is_cut_off(page)


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


def test_a_case_opens_at_its_longest_passage_with_the_task_sheet_folded(
    visit, class_checked, ready
):
    page = visit(f"/review?check={class_checked}")
    expect(page.locator(".desk .row").first).to_be_visible(timeout=WORK)
    in_the_middle(page)
    picture(page, "desk-zh")
    _fold_is_one_line_for_both_sides(page)
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

    visit(f"/compare?check={class_checked}&a=0&b=1")
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


def _fold_is_one_line_for_both_sides(page: Page) -> None:
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


def test_many_are_decided_at_once_and_the_desk_ends_with_a_summary(visit, class_checked, ready):
    page = visit(f"/review?check={class_checked}")
    expect(page.locator(".desk .row").first).to_be_visible(timeout=WORK)
    search, many = page.locator(".queue input[type=search]"), page.locator(".one")
    page.keyboard.press("/")
    page.keyboard.type("最长<100 未判", delay=10)
    expect(many).to_have_count(3)
    expect(search).to_be_focused()
    expect(search).to_have_value("最长<100 未判")
    picture(page, "desk-bulk-zh")
    page.locator(".one input").last.uncheck()
    page.keyboard.press("n")
    expect(said(page)).to_contain_text("2 案：无问题")
    expect(many).to_have_count(1)
    page.keyboard.press("3")
    expect(said(page)).to_contain_text("无问题 · 常见说法")
    page.keyboard.press("u")
    expect(many).to_have_count(3)
    expect(page.locator(".big")).to_contain_text("0/ 4 已判")
    page.keyboard.press("Escape")
    expect(title(page)).to_contain_text("第 1 案")

    search.fill("最长>20")
    search.press("Enter")
    expect(many.first).to_be_visible()
    n = many.count()
    page.keyboard.press("c")
    expect(page.locator(".sure")).to_contain_text(
        f"确认 {n} 案？没有逐案读过的，报告里会写“一并判断”。"
    )
    expect(page.locator(".big")).to_contain_text("0/ 4 已判")
    page.locator(".sure button").first.click()
    expect(page.locator(".big")).to_contain_text(f"{n}/ 4 已判")
    page.keyboard.press("u")
    expect(page.locator(".big")).to_contain_text("0/ 4 已判")
    page.keyboard.press("Escape")
    expect(title(page)).to_contain_text("第 1 案")
    _ends_with_a_summary(page, ready)


def _ends_with_a_summary(page: Page, ready: Ready) -> None:
    page.keyboard.press("c")
    expect(title(page)).to_contain_text("第 2 案")
    page.keyboard.press("l")
    expect(title(page)).to_contain_text("第 3 案")
    page.locator(".flt button", has_text="未判").click()
    expect(page.locator(".one")).to_have_count(2)
    page.keyboard.press("n")
    expect(title(page)).to_have_text("还剩 1 案")
    expect(page.locator(".sq")).to_have_count(4)
    picture(page, "desk-end-zh")
    page.reload()
    expect(page.locator(".headline")).to_be_visible(timeout=WORK)
    ready(page)
    page.get_by_role("button", name="看稍后的 1 案").click()
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
