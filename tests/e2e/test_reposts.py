"""The repost desk in a real browser, on real revisions of a book."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.steps import PHONE, WORK, is_cut_off

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "sample_docs" / "reposts"
Ready = Callable[..., None]


def test_versions_stand_in_the_order_of_their_dates(visit, page, ready):
    """The sample; then a pasted text among its revisions, whose dates are corrected."""
    visit("/reposts")
    page.locator(".st-key-repost_sample button").click()
    rows = page.locator("[class*=st-key-repost_versions] tbody tr")
    expect(page.locator(".lt-first .dates")).to_be_visible(timeout=WORK)
    ready(page)
    years = [re.search(r"20\d\d", text)[0] for text in rows.all_inner_texts()]
    assert years == sorted(years)
    assert len(years) >= 2
    rows.last.click()
    ready(page)
    expect(page.locator("[class*=st-key-repost_versions] tr.on")).to_contain_text(years[-1])

    _ask(visit, page, ready)
    table = page.locator("[class*=st-key-repost_versions]")
    expect(table.locator("tbody tr")).to_have_count(3)
    expect(table).to_contain_text("2016")
    expect(table.locator(".tag")).to_contain_text(["所查"])
    expect(page.locator("ul.lt-sentences").first).to_be_visible()
    _correct_a_date_and_take_it_back(page, ready)
    _type_a_date_while_another_is_answered(page, ready)
    page.keyboard.press("Escape")

    page.get_by_role("button", name="导出清单").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name=re.compile("CSV")).click()
    text = Path(saved.value.path()).read_text("utf-8-sig")
    assert "rust-ch03-04-comments-2016" in text
    assert len(text.splitlines()) >= 4
    page.keyboard.press("Escape")
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size(PHONE)
    expect(page.locator(".lt-first .dates")).to_be_visible()
    assert not is_cut_off(page)


def _ask(visit, page: Page, ready: Ready) -> None:
    """Look for one revision among the others."""
    visit("/reposts")
    others = [path for path in sorted(SAMPLES.glob("*.md")) if "comments-2020" not in path.name]
    page.locator(".st-key-repost_candidates_files input[type=file]").set_input_files(others)
    expect(page.get_by_role("button", name=re.compile("^Remove "))).to_have_count(len(others))
    ready(page)
    asked = (SAMPLES / "rust-ch03-04-comments-2020.md").read_text("utf-8")
    page.get_by_role("textbox").first.fill(asked)
    page.keyboard.press("Tab")  # the text is taken before the button is looked for
    ready(page)
    page.locator(".st-key-repost_start button").click()
    expect(page.locator(".lt-first .dates")).to_be_visible(timeout=WORK)
    ready(page)


def _correct_a_date_and_take_it_back(page: Page, ready: Ready) -> None:
    table = page.locator("[class*=st-key-repost_versions]")
    undated = table.get_by_role("button", name=re.compile("今天收到"))
    undated.first.click()
    field = table.get_by_role("textbox")
    field.fill("no date")
    field.press("Enter")
    expect(page.get_by_text("“no date” 不是日期。")).to_be_visible()
    ready(page)
    if not field.count():
        undated.first.click()
    field.fill("2010")
    field.press("Enter")
    corrected = table.get_by_role("button", name=re.compile("2010"))
    expect(corrected).to_have_attribute("title", re.compile("原为：无日期"))
    ready(page)
    page.keyboard.press("u")
    expect(corrected).to_have_count(0)
    ready(page)


def _type_a_date_while_another_is_answered(page: Page, ready: Ready) -> None:
    table = page.locator("[class*=st-key-repost_versions]")
    table.get_by_role("button", name=re.compile("今天收到")).first.click()
    field = table.get_by_role("textbox")
    field.fill("2010")
    field.evaluate(
        """(field, other) => {
      field.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}));
      other.click();
      document.execCommand('insertText', false, '2025-1');
    }""",
        table.get_by_role("button", name=re.compile("2026")).element_handle(),
    )
    expect(table.get_by_role("button", name=re.compile("2010"))).to_be_visible()
    ready(page)

    expect(field).to_have_value("2025-1")
    expect(field).to_be_focused()
