"""The repost desk in a real browser, on real revisions of a book."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "sample_docs" / "reposts"
WORK = 120_000
YEARS = ["2016", "2020", "2026"]


@pytest.fixture
def desk(visit, page, ready) -> Page:
    """The desk after one revision was looked for among the others."""
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
    expect(page.locator(".hi svg")).to_be_visible(timeout=WORK)
    ready(page)
    return page


def test_versions_stand_in_the_order_of_the_years(visit, page, ready):
    visit("/reposts")
    page.locator(".st-key-repost_sample button").click()
    expect(page.locator(".hi svg")).to_be_visible(timeout=WORK)
    ready(page)
    when = page.locator(".hi .version .when")
    years = when.all_text_contents()
    assert years == sorted(years)
    assert len(years) >= 2
    page.locator(".hi .version").last.click()
    ready(page)
    expect(page.locator(".hi .version[aria-pressed=true]")).to_have_count(1)
    expect(page.locator("[class*=st-key-repost_versions] tr.on")).to_contain_text(years[-1])


def test_pasted_text_is_found_among_its_revisions(desk):
    page = desk
    expect(page.locator(".hi .version")).to_have_count(3)
    expect(page.locator("[class*=st-key-repost_versions]")).to_contain_text("2016")
    expect(page.locator(".hi")).to_contain_text("所查")
    expect(page.locator("ul.lt-sentences").first).to_be_visible()


def test_corrected_date_moves_a_version_and_u_moves_it_back(desk, ready):
    page = desk
    table = page.locator("[class*=st-key-repost_versions]")
    undated = table.get_by_role("button", name=re.compile("无日期"))
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
    expect(page.locator(".hi .version").first).to_contain_text("2010")
    ready(page)
    expect(page.get_by_text("日期改为 2010，原为 无日期")).to_be_visible()
    corrected = table.get_by_role("button", name=re.compile("2010"))
    expect(corrected).to_have_attribute("title", re.compile("原为：无日期"))
    page.keyboard.press("u")
    expect(corrected).to_have_count(0)
    ready(page)
    expect(undated.first).to_be_visible()
    expect(page.locator(".st-key-repost_undo")).to_have_count(0)


def test_a_date_that_is_typed_while_another_is_answered_stays(desk, ready):
    table = desk.locator("[class*=st-key-repost_versions]")
    table.get_by_role("button", name=re.compile("无日期")).first.click()
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
    ready(desk)

    expect(field).to_have_value("2025-1")
    expect(field).to_be_focused()


def test_list_is_saved(desk):
    page = desk
    page.get_by_role("button", name="导出清单").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name=re.compile("CSV")).click()
    text = Path(saved.value.path()).read_text("utf-8-sig")
    assert "rust-ch03-04-comments-2016" in text
    assert len(text.splitlines()) >= 4


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 844}, color_scheme="dark")
def test_nothing_is_cut_off_on_a_phone(desk):
    page = desk
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    for name in page.locator(".hi .name").all():
        edge = name.bounding_box()
        assert edge is not None
        assert edge["x"] + edge["width"] <= 392
