"""A teacher's day with a class: from the archive of the platform to the report, clicks and keys."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import documents
import pypdfium2
import pytest
from playwright.sync_api import Page, expect

from simhash_core.i18n import translator
from tests.e2e.steps import PHONE, SCREEN, WORK, compare_also_with, is_cut_off, picture, put_in

SAMPLES = Path(__file__).resolve().parents[2] / "sample_docs" / "class"


def read(visit, language: str) -> Page:
    """Drop the archive, and nothing else."""
    page = visit("/check")
    archive = next((SAMPLES / language).glob("*.zip"))
    put_in(page, archive)
    expect(page.locator(".inbox .sheets li").first).to_be_visible(timeout=WORK)
    return page


@pytest.mark.browser_context_args(locale="en-GB")
def test_from_the_archive_to_the_report(visit, ready, tmp_path):
    page = read(visit, "en")
    clicks = 1
    ready(page)
    expect(page.locator(".inbox .unread").first).to_be_visible()
    picture(page, "class-check-en")
    for key in (".st-key-start button", ".st-key-review button"):
        page.locator(key).click(timeout=WORK)
        clicks += 1
    expect(page.locator(".desk .row").first).to_be_visible(timeout=WORK)
    ready(page)
    picture(page, "class-desk-en")
    cases = page.locator(".desk .row")
    alike = cases.filter(has_text="same meaning").count()  # last, and asked about once
    n, keys = cases.count(), 0
    assert n - alike <= 18, "cases for nine planted pairs and three passages of this archive"
    while page.locator(".ch h2:visible").count():
        name = page.locator(".ch h2 .dim").inner_text()
        passage = page.locator(".bt .lead").count()
        page.keyboard.press("3" if passage else "c")
        if page.locator(".follow[role=alert]").count():
            page.keyboard.press("c")
            keys += 1
        expect(page.locator(".bt [aria-pressed=true]")).to_have_count(1)
        page.keyboard.press("Enter")
        keys += 2
        expect(page.locator(".ch h2:visible .dim", has_text=re.compile(f"^{name}$"))).to_have_count(
            0
        )
    expect(page.locator(".headline")).to_contain_text("cases decided")
    ready(page)
    picture(page, "class-end-en")
    page.locator(".st-key-report_make button").click()
    offer = page.locator(".st-key-report_save button")
    expect(offer).to_be_visible(timeout=WORK)
    with page.expect_download() as waiting:
        offer.click()
    clicks += 2
    waiting.value.save_as(tmp_path / "report.pdf")
    assert len(pypdfium2.PdfDocument(tmp_path / "report.pdf")) >= 2
    assert (clicks, keys) <= (8, 2 * n + alike)


def test_the_inbox_is_worked_by_keys(visit, ready, context, obstacles):
    """A sheet is opened, a list copied."""
    page = read(visit, "zh")
    ready(page)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".inbox .sheets button").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-inbox-open")).to_be_visible()
    expect(page.locator(".inbox .sheets [aria-current]")).to_have_count(1)
    page.locator(".inbox .copy").nth(1).click()
    expect(page.locator(".inbox .copy").nth(1)).to_have_text("已复制")
    assert "请改好再交一次" in page.evaluate("navigator.clipboard.readText()")
    ready(page)
    assert obstacles(page) == []
    page.set_viewport_size(PHONE)
    assert not is_cut_off(page)
    picture(page, "class-check-390")
    page.set_viewport_size(SCREEN)


def test_the_guide_of_last_years_texts_is_followed(visit, ready, tmp_path):
    """Once from their files, then from the check that was made with them."""
    t = translator("zh")
    documents.prepare(documents.DOCS / "zh" / "how-to" / "last-year.md", tmp_path)
    new, old = [tmp_path / "王睿.docx"], sorted((tmp_path / "去年").iterdir())
    with zipfile.ZipFile(tmp_path / "作业.zip") as handed_in:
        new[0].write_bytes(handed_in.read("王睿_31322_assignsubmission_file_/1.docx"))
    page = visit("/check")
    for way in ("files", "check"):
        put_in(page, *new)
        expect(page.locator(".st-key-start button")).to_be_visible(timeout=WORK)
        ready(page)
        compare_also_with(page, t(f"check.against.{way}"))
        if way == "files":
            page.locator(".st-key-against_files input[type=file]").set_input_files(old)
            expect(page.get_by_text(t("check.against.read", n=len(old))).first).to_be_visible()
        page.keyboard.press("Escape")
        page.locator(".st-key-start button:enabled").click(timeout=WORK)
        expect(page).to_have_url(re.compile("/results"), timeout=WORK)
        ready(page)
        mark = t("frame.reference")
        expect(page.locator("table.pairs .tag").first).to_have_text(mark, timeout=WORK)
        expect(page.locator(".lt-headline")).to_have_text(t("results.headline.single"))
        picture(page, f"last-year-{way}")
        page.get_by_test_id("stSidebarNavLink").first.click()
        page.locator(".st-key-clear button").click()
        expect(page.locator(".st-key-doors")).to_be_visible()
        ready(page)
