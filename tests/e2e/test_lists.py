"""The list in a real browser, without the application: rows, keys, search, order, fields."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import drawn_lists as made
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, Route, expect

from pages._ui import components
from simhash_core.palette import css_tokens
from tests.e2e.steps import PHONE

FOLDER = components._HERE
LIST = components.TABLE["list"]

EMPTY = """<html lang="en"><title>list</title><style>TOKENS :root { color-scheme: light dark;
background: var(--lt-bg) }</style><main><h1>list</h1><div id="at"></div></main>"""

Show = Callable[[dict[str, Any]], Locator]


@pytest.fixture
def show(page: Page) -> Show:
    """`show(data)`: draw a list on an empty page; what it sends is in `window.sent`."""
    styles = "".join(
        (FOLDER / name / "component.css").read_text("utf-8") for name in (*LIST.styles, "list")
    )
    files = (*LIST.scripts, "list/component.js")
    script = "".join((FOLDER / name).read_text("utf-8") for name in files)
    served = {
        "list.js": ("text/javascript", script),
        "empty": ("text/html; charset=utf-8", EMPTY.replace("TOKENS", css_tokens())),
    }

    def answer(route: Route) -> None:
        kind, text = served[route.request.url.rpartition("/")[2]]
        route.fulfill(body=text, content_type=kind)

    page.route(re.compile(r"/(list\.js|empty)$"), answer)
    page.goto("/empty")
    page.evaluate(
        """async ([html, styles]) => {
      const root = document.querySelector('#at').attachShadow({mode: 'open'});
      root.innerHTML = `<style>${styles}</style>${html}`;
      window.sent = [];
      const {default: draw} = await import('/list.js');
      window.draw = (data) => draw({parentElement: root, data,
        setTriggerValue: (name, act) => window.sent.push(act)});
    }""",
        [LIST.html, styles],
    )

    def draw(data: dict[str, Any]) -> Locator:
        page.evaluate("data => { window.leave = window.draw(data); }", data)
        return page.locator("tbody tr:visible")

    return draw


def acts(page: Page) -> list[tuple[str, str]]:
    return [(act["action"], act["row"]) for act in page.evaluate("window.sent")]


def columns(page: Page, name: str) -> list[str]:
    return page.locator(f"td.f-{name}").all_inner_texts()


def test_cases_are_searched_filtered_sorted_and_opened_by_keys(show, page):
    rows = show(made.drawn_by(made.draw_cases))
    expect(rows).to_have_count(5)
    assert page.locator("img").count() == 0  # a name is text
    page.keyboard.press("/")
    page.keyboard.type("pupil1")
    expect(rows).to_have_count(1)
    assert page.url.endswith("?q=pupil1")
    page.keyboard.press("Escape")
    expect(rows).to_have_count(5)
    page.get_by_role("combobox").select_option("note")
    expect(rows).to_have_count(1)
    expect(page.get_by_role("status")).to_have_text("1 / 5")
    page.get_by_role("combobox").select_option("")

    longest = page.get_by_role("button", name="longest")
    longest.click()
    assert columns(page, "longest") == ["11 unit", "10 unit", "9 unit"]
    longest.click()
    longest.click()
    assert columns(page, "longest") == ["9 unit", "10 unit", "11 unit"]
    rows.first.focus()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    page.get_by_role("button", name="List them").click()
    assert acts(page) == [("open", "3"), ("rest", "")]


def test_a_row_is_found_again_and_one_that_changes_leaves_the_others(show, page):
    data = made.drawn_by(made.draw_cases)
    rows = show(data)
    page.locator("tr", has_text="Pupil2").focus()
    page.locator("tr", has_text="Pupil2").evaluate("row => { row.same = true; }")
    data["groups"][1]["rows"][0]["mark"]["state"] = "confirmed"
    show(data)
    expect(page.locator("tr", has_text="Pupil2")).to_be_focused()
    assert page.locator("tr", has_text="Pupil2").evaluate("row => row.same")
    expect(rows.nth(2).locator(".st.confirmed")).to_have_count(1)


def test_ticks_menus_and_fields_of_a_row_send_what_was_done(show, page):
    show(made.drawn_by(made.draw_collections))
    page.get_by_role("checkbox", name="Use 2025").check()
    page.locator("summary").first.click()
    page.get_by_role("button", name="Rename: 2024").click()
    page.keyboard.type("older")
    page.keyboard.press("Escape")
    expect(page.locator("td.f-title").first).to_have_text("2024")
    page.get_by_role("button", name="Open: 2024").click()
    page.keyboard.press("u")
    page.locator("summary").first.click()
    page.get_by_role("button", name="Rename: 2024").click()
    page.keyboard.type("older")
    page.keyboard.press("Enter")

    sent = page.evaluate("window.sent")
    assert [act["action"] for act in sent] == ["used", "open", "undo", "rename"]
    assert sent[0]["on"] is True and sent[3]["value"] == "older"


def test_two_thousand_rows_are_drawn_as_they_come_near_and_whole_on_paper(show, page):
    rows = show(made.drawn_by(made.draw_many_cases))
    expect(rows).to_have_count(102)
    rows.last.scroll_into_view_if_needed()
    expect(rows).not_to_have_count(102)
    page.keyboard.press("/")
    page.keyboard.type("pupil1999")
    expect(rows).to_have_count(1)
    page.keyboard.press("Escape")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(rows).to_have_count(2002)


@pytest.mark.parametrize("script", [made.draw_cases, made.draw_pupils, made.draw_collections],
                         ids=lambda script: script.__name__)  # fmt: skip
def test_every_list_is_sound_in_dark_and_fits_a_phone(show, page, script):
    show(made.drawn_by(script))
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page).response["violations"]
        assert [one["id"] for one in found] == []
    page.set_viewport_size(PHONE)

    assert [one["id"] for one in Axe().run(page).response["violations"]] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    heights = page.locator("tbody :is(tr.opens, button, summary, label):visible").evaluate_all(
        "nodes => nodes.map((node) => node.getBoundingClientRect().height)"
    )
    assert min(heights) >= 44
