"""A teacher's day with a class: from the archive of the platform to the report, clicks and keys."""

from __future__ import annotations

import os
import re
from pathlib import Path

import documents
import pypdfium2
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import FilePayload, Page, expect

from simhash_core.i18n import translator
from tests.prose import chinese

WORK = 180_000
#: Streamlit's own, on every page
STREAMLIT_OWN = {"list", "listitem", "presentation-role-conflict"}
SAMPLES = Path(__file__).resolve().parents[2] / "sample_docs" / "class"


def picture(page: Page, name: str) -> None:
    """Keep a picture where somebody asked for pictures."""
    if folder := os.environ.get("LEITONG_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png")


def read(visit, language: str) -> Page:
    """Drop the archive, and nothing else."""
    page = visit("/check")
    archive = next((SAMPLES / language).glob("*.zip"))
    page.locator(".st-key-files-way input[type=file]").set_input_files(archive)
    expect(page.locator(".inbox .sheets li").first).to_be_visible(timeout=WORK)
    expect(page.locator(".common li").first).to_be_visible(timeout=WORK)
    return page


def file(name: str, text: str) -> FilePayload:
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


ALIKE = {"zh": "只有同义", "en": "same meaning"}
LANGUAGES = [
    pytest.param("zh", id="zh"),
    pytest.param("en", id="en", marks=pytest.mark.browser_context_args(locale="en-GB")),
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_from_the_archive_to_the_report(visit, ready, language, tmp_path) -> None:
    page = read(visit, language)
    clicks = 1
    ready(page)
    expect(page.locator(".inbox .unread").first).to_be_visible()
    expect(page.locator(".common li").first.locator("button.on")).to_contain_text(
        {"zh": "题目", "en": "task"}[language]
    )
    picture(page, f"class-check-{language}")
    for key in (".st-key-start button", ".st-key-review button"):
        page.locator(key).click(timeout=WORK)
        clicks += 1
    expect(page.locator(".desk .row").first).to_be_visible(timeout=WORK)
    ready(page)
    picture(page, f"class-desk-{language}")
    cases = page.locator(".desk .row")
    alike = cases.filter(has_text=ALIKE[language]).count()  # last, and asked about once
    n, keys = cases.count(), 0
    assert n - alike <= 15, "cases for nine planted pairs that this archive holds"
    for number in range(1, n + 1):
        expect(page.locator(".case h2:visible").first).to_contain_text(
            re.compile(rf"{number}\b|{number} 案")
        )
        page.keyboard.press("c")
        keys += 1
        if number > n - alike:
            expect(page.locator(".sure")).to_be_visible()
            page.keyboard.press("c")
            keys += 1
    expect(page.locator(".making")).to_be_visible(timeout=WORK)
    picture(page, f"class-end-{language}")
    page.locator(".making button.primary").click()
    page.locator(".st-key-report_format").get_by_text("PDF", exact=True).click()
    page.locator(".st-key-report_make button").click()
    offer = page.locator(".st-key-report_save button")
    expect(offer).to_be_visible(timeout=WORK)
    with page.expect_download() as waiting:
        offer.click()
    clicks += 4
    waiting.value.save_as(tmp_path / "report.pdf")
    assert len(pypdfium2.PdfDocument(tmp_path / "report.pdf")) >= 2
    assert (clicks, keys) <= (8, 2 * n)


def test_the_question_is_answered_by_keys_and_undone(visit, ready) -> None:
    page = read(visit, "zh")
    ready(page)
    rows = page.locator(".common li")
    first, second = rows.nth(0).locator("button"), rows.nth(1).locator("button")
    page.keyboard.press("4")
    expect(first.nth(3)).to_have_attribute("aria-pressed", "true")
    expect(rows.nth(1)).to_have_attribute("aria-current", "true")
    ready(page)
    page.keyboard.press("1")
    expect(second.nth(0)).to_have_attribute("aria-pressed", "true")
    ready(page)
    page.keyboard.press("u")
    expect(second.nth(1)).to_have_attribute("aria-pressed", "true")
    ready(page)
    page.keyboard.press("u")
    expect(first.nth(0)).to_have_attribute("aria-pressed", "true")


def test_a_sheet_opens_by_keyboard_and_a_list_is_copied(visit, ready, context) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = read(visit, "zh")
    ready(page)
    page.locator(".inbox .sheets button").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-inbox-open")).to_be_visible()
    expect(page.locator(".inbox .sheets [aria-current]")).to_have_count(1)
    page.locator(".inbox .copy").nth(1).click()
    expect(page.locator(".inbox .copy").nth(1)).to_have_text("已复制")
    assert "请改好再交一次" in page.evaluate("navigator.clipboard.readText()")


def test_task_sheets_are_put_in_and_removed_in_an_open_fold(visit, ready) -> None:
    page = visit("/check")
    texts = [file(f"{n}.txt", chinese(n, 300)) for n in range(3)]
    page.locator(".st-key-files-way input[type=file]").set_input_files(texts)
    fold = page.get_by_test_id("stExpander").filter(has_text="题目或模板")
    fold.locator("summary").click(timeout=WORK)
    box, rows = fold.locator("input[type=file]"), fold.locator(".lt-note")
    box.set_input_files([file("sheet.txt", chinese(9, 80)), file("empty.txt", "")])
    expect(rows).to_have_text(["empty.txt 文件是空的", "sheet.txt：80 字"])
    ready(page)  # with another box, empty
    for number, name in ((8, "cover.txt"), (7, "rules.txt")):  # the second waits for the next box
        box.set_input_files([file(name, chinese(number, 80))])
    expect(rows).to_have_text(["sheet.txt：80 字", "cover.txt：80 字", "rules.txt：80 字"])

    fold.locator(".st-key-forget_templates button").click()
    expect(rows).to_have_count(0)
    expect(fold.locator("textarea")).to_be_visible()


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 844})
def test_the_inbox_fits_a_phone(visit, ready) -> None:
    page = read(visit, "zh")
    ready(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    picture(page, "class-check-390")


@pytest.mark.parametrize(
    "language",
    [
        pytest.param("zh", id="zh"),
        pytest.param(
            "en",
            id="en-dark",
            marks=pytest.mark.browser_context_args(locale="en-GB", color_scheme="dark"),
        ),
    ],
)
def test_nothing_stands_in_the_way_of_anyone(visit, ready, language) -> None:
    page = read(visit, language)
    ready(page)
    found = Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["id"] not in STREAMLIT_OWN] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_of_last_years_texts_is_followed(visit, ready, language, tmp_path) -> None:
    """Once from their files, then from the check that was made with them."""
    t = translator(language)
    tree = documents.DOCS / "zh" if language == "zh" else documents.DOCS
    documents.prepare(tree / "how-to" / "last-year.md", tmp_path)
    new, last_year = {"en": ("new", "last-year"), "zh": ("新作业", "去年")}[language]
    old = sorted((tmp_path / last_year).iterdir())
    page = visit("/check")
    for way in ("files", "check"):
        box = page.locator(".st-key-files-way input[type=file]")
        box.set_input_files(list((tmp_path / new).iterdir()))
        expect(page.locator(".st-key-start button")).to_be_visible(timeout=WORK)
        ready(page)
        page.locator(".st-key-against_way").get_by_role("combobox").click()
        page.get_by_role("option", name=t(f"check.against.{way}")).click()
        if way == "files":
            page.locator(".st-key-against_files input[type=file]").set_input_files(old)
            expect(page.get_by_text(t("check.against.read", n=len(old)))).to_be_visible()
        page.locator(".st-key-start button:enabled").click(timeout=WORK)
        expect(page).to_have_url(re.compile("/overview"), timeout=WORK)
        ready(page)
        mark = f"[{t('frame.reference')}] " if way == "files" else "["
        expect(page.locator("td.partner").first).to_contain_text(mark, timeout=WORK)
        expect(page.locator(".lt-headline")).to_have_text(t("overview.headline.single"))
        picture(page, f"last-year-{way}-{language}")
        page.get_by_test_id("stSidebarNavLink").first.click()
        page.locator(".st-key-clear button").click()
        expect(page.locator(".st-key-drop-empty")).to_be_visible()
