"""Who hears a page, has no mouse, magnifies it, forces its colours or prints it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_languages import PAGES

#: roles that mean nothing without a name
NAMED = {
    *("button", "link", "textbox", "searchbox", "checkbox", "radio", "switch", "combobox"),
    *("slider", "spinbutton", "tab", "option", "radiogroup", "img", "image", "table", "dialog"),
}


def _ours(one: Heard) -> bool:
    """Whether a node is not Plotly's: it names no part of a figure, whose text is ours, and
    measures letters in an image beside the page."""
    inside = " ".join(one.inside)
    return not re.search("figure .", inside) and (one.role != "image" or "main" in inside)


@dataclass(frozen=True, slots=True)
class Heard:
    """A node of the accessibility tree, in the order of reading."""

    role: str
    name: str
    inside: tuple[str, ...]  # roles and names around it
    properties: dict[str, Any]


def heard(page: Page) -> list[Heard]:
    """Return what assistive technology is told of a page, by the browser itself."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    by_id = {node["nodeId"]: node for node in nodes}

    def below(node: dict[str, Any], inside: tuple[str, ...]) -> Iterator[Heard]:
        role, name = (str(node.get(key, {}).get("value", "")) for key in ("role", "name"))
        if not node.get("ignored"):
            values = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
            yield Heard(role, name, inside, values)
            inside = (*inside, f"{role} {name}")
        for child in node.get("childIds", ()):
            if child in by_id:
                yield from below(by_id[child], inside)

    return list(below(nodes[0], ()))


def test_every_page_has_names_and_nested_headings(checked, ready):
    page, key = checked, re.search("check=([^&]+)", checked.url)[1]
    for path in PAGES:
        page.goto(f"/{path}{'&' if '?' in path else '?'}check={key}")
        ready(page)
        page.wait_for_load_state("networkidle")
        expect(page.get_by_role("dialog")).to_have_count(0)  # Streamlit's, of an unknown address
        tree = heard(page)
        levels = [int(one.properties["level"]) for one in tree if one.role == "heading"]
        regions = {one.role for one in tree}

        assert [one for one in tree if one.role in NAMED and not one.name and _ours(one)] == [], (
            path
        )
        assert levels[:1] == [1] and levels.count(1) == 1, path
        assert all(b - a <= 1 for a, b in pairwise(levels)), path
        assert {"main", "navigation", "banner"} <= regions, path


@pytest.fixture
def desk(checked, ready) -> Page:
    """The review desk of the sample essays."""
    checked.goto(checked.url.replace("/overview", "/review"))
    ready(checked)
    expect(checked.locator(".desk .row.on")).to_be_visible()
    return checked


def test_the_desk_is_read_in_the_order_of_work(desk):
    tree = heard(desk)
    said = [f"{one.role} {one.name}" for one in tree]

    def at(pattern: str) -> int:
        return next(place for place, one in enumerate(said) if re.match(pattern, one))

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
    marks = [one for one in tree if one.role == "image" and one.name.startswith("相同 ")]
    ends = [one for one in said if re.match(r"StaticText 相同 \d+ 到此", one)]
    assert marks and len(marks) == len(ends)  # on each side a passage begins and ends
    keys = {one.properties.get("keyshortcuts") for one in tree} - {None}
    assert keys == {"C", "N", "L", "U", "Shift+U", "Shift+M", "M", "/"}


def test_what_is_done_at_the_desk_is_said(desk):
    status = desk.get_by_role("status").filter(has_text="已确认")
    desk.keyboard.press("c")
    expect(status).to_have_count(1)
    desk.keyboard.press("u")
    expect(desk.get_by_role("status").filter(has_text="撤回了")).to_have_count(1)


def test_the_open_case_and_the_passage_are_said(desk):
    status = desk.locator(".desk [role=status]")
    expect(status).to_have_text(re.compile("^第 1 案：.+ 与 .+，未判；甲见于乙"))
    desk.keyboard.press("j")
    expect(status).to_have_text(re.compile("^第 2 案："))
    desk.keyboard.press("]")
    expect(status).to_have_text(re.compile(r"第 \d+ 处，共 \d+ 处。 甲"))
    desk.keyboard.press("c")
    expect(status).to_have_text(re.compile("^第 2 案 .+：已确认。 第 3 案："))


def test_a_decision_by_its_button_leads_to_the_heading_of_the_next_case(desk):
    desk.get_by_role("button", name="确认重合").focus()
    desk.keyboard.press("Enter")
    expect(desk.locator(".case h2:visible")).to_contain_text("第 2 案")
    expect(desk.locator(".case h2:visible")).to_be_focused()


def test_the_page_that_is_opened_is_said(checked, ready):
    expect(checked).to_have_title("总览 · 雷同 Leitong")
    expect(checked.locator("body > .lt-unseen p")).not_to_have_count(0)
    checked.get_by_role("link", name="比对").click()
    expect(checked).to_have_title("比对 · 雷同 Leitong")
    expect(checked.locator("body > .lt-unseen p").first).to_have_text("比对")
    shares = checked.get_by_role("img", name=re.compile("前者见于后者 .+，后者见于前者 "))
    expect(shares.first).to_be_visible()


def test_a_box_over_the_page_takes_the_focus_and_gives_it_back(checked):
    button = checked.locator(".st-key-export button").first
    button.focus()
    checked.keyboard.press("Enter")
    expect(checked.get_by_role("dialog", name="导出")).to_be_focused()
    checked.keyboard.press("Tab")
    assert checked.evaluate("!!document.activeElement.closest('[data-testid=stPopoverBody]')")
    checked.keyboard.press("Escape")
    expect(button).to_be_focused()


def test_the_fields_of_files_are_not_said_beside_their_buttons(visit):
    page = visit("/check")
    expect(page.locator("[data-testid=stFileUploaderDropzoneInput]").first).to_have_attribute(
        "aria-hidden", "true"
    )
    assert not [one for one in heard(page) if "No file chosen" in one.name]


def test_the_desk_is_worked_by_tab_and_enter(desk, ready):
    desk.locator(".desk .row.on").focus()
    desk.keyboard.press("Tab")
    desk.keyboard.press("Space")
    expect(desk.locator(".case h2")).to_contain_text("第 2 案")
    reached, last = [], ""
    for _ in range(60):
        desk.keyboard.press("Tab")
        now = desk.evaluate(_FOCUS)
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


def test_a_check_says_how_far_it_is_and_what_it_found(visit):
    page = visit("/check")
    texts = [
        {"name": f"{name}.txt", "mimeType": "text/plain", "buffer": (own + shared).encode()}
        for name, own in (("甲", "山里的秋天来得早，" * 9), ("乙", "码头上的人各自忙着，" * 9))
        for shared in ("那年冬天我们在灯下读完了那本旧书，谁也没有说话，只听见雪落在瓦上。" * 3,)
    ]
    page.locator(".st-key-files-way input[type=file]").set_input_files(texts)
    page.evaluate(
        "new MutationObserver(() => (window.saidSoFar ??= []).push("
        "...[...document.querySelectorAll('.lt-unseen')].map((one) => one.textContent)))"
        ".observe(document.body, {subtree: true, childList: true})"
    )
    page.locator(".st-key-start button").click()
    expect(page).to_have_url(re.compile("/overview"), timeout=240_000)
    expect(page.locator(".lt-unseen p").last).to_have_text("2 篇里，2 篇与别篇重合。")
    assert any(one and "正在检测" in one for one in page.evaluate("window.saidSoFar"))


# --------------------------------------------------------------------------- other ways of seeing


@pytest.mark.browser_context_args(viewport={"width": 640, "height": 450})
def test_at_200_percent_nothing_is_cut_or_covered(checked, ready):
    page, key = checked, re.search("check=([^&]+)", checked.url)[1]
    for path in PAGES:
        page.goto(f"/{path}{'&' if '?' in path else '?'}check={key}")
        ready(page)
        assert page.evaluate(
            "(([main]) => main.scrollWidth <= main.clientWidth)"
            "(document.querySelectorAll('[data-testid=stMain]'))"
        ), path
    page.goto(f"/review?check={key}")
    ready(page)
    expect(page.locator(".wt").first).to_be_visible()
    for button in page.locator(".mob button").all():
        button.click(trial=True)  # nothing lies over it
    line = page.locator(".read p").first.evaluate(
        "(one) => parseFloat(getComputedStyle(one).lineHeight)"
    )
    text = page.locator(".read").bounding_box()
    assert text is not None and text["height"] >= 8 * line


@pytest.mark.browser_context_args(forced_colors="active")
def test_marks_and_choices_are_seen_in_forced_colours(desk, ready):
    def styles(selector: str, name: str) -> set[str]:
        script = f"(all) => all.map((one) => getComputedStyle(one).{name})"
        expect(desk.locator(selector).first).to_be_visible()
        return set(desk.locator(selector).evaluate_all(script))

    assert styles(".read .m", "textDecorationLine") == {"underline"}
    assert not styles(".row.on", "borderInlineStartColor") & styles(
        ".row:not(.on)", "borderInlineStartColor"
    )
    assert styles(".ruler, .row .tw .s", "forcedColorAdjust") == {"none"}
    desk.goto(desk.url.replace("/review", "/overview"))
    ready(desk)
    expect(desk.locator(".lt-whole").first).to_be_visible()
    assert styles(".lt-whole", "forcedColorAdjust") == {"none"}
    assert styles("[role=radio][aria-checked=true]", "outlineStyle") == {"solid"}


def test_a_printed_page_begins_with_its_head_and_has_no_buttons(checked):
    checked.emulate_media(media="print")
    box = checked.locator("h1").bounding_box()
    assert box is not None and box["y"] >= 0
    for left_out in ("stSidebar", "stHeader"):
        expect(checked.get_by_test_id(left_out)).to_be_hidden()
    expect(checked.locator(".lt-whole").first).to_be_visible()
