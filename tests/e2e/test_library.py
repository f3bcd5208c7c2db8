"""The library in a real browser: texts in, looked up, deleted by its name."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from simhash_core.checking import samples
from tests.e2e.steps import PHONE, SCREEN, WORK


def essays(first: int, last: int) -> list[Path]:
    return [path for path in samples()["essays"] if path.suffix != ".csv"][first:last]


def add(page: Page, collection: str, files: list[Path]) -> None:
    """Add files to a collection, the first or a further one, and wait until they are in."""
    page.locator(".st-key-library_add button").click()
    dialog = page.get_by_role("dialog")
    name = dialog.locator(".st-key-first_collection input, .st-key-into_collection input").first
    name.fill(collection)
    name.press("Enter")
    dialog.locator("input[type=file]").set_input_files(files)
    go = dialog.locator(".st-key-library_add_now button")
    expect(go).to_be_enabled(timeout=WORK)
    go.click()
    expect(page.locator(".st-key-library_import_seen button")).to_be_visible(timeout=WORK)


def test_texts_go_in_are_found_and_are_deleted_by_the_name(visit, page, ready, obstacles):
    visit("/library")
    expect(page.get_by_text("文库还是空的")).to_be_visible()
    add(page, "2024 届", essays(0, 6))
    row = page.locator(".wrap tbody tr", has_text="2024 届")
    expect(row.locator("td.f-texts")).to_have_text("6")
    assert obstacles(page) == []
    page.set_viewport_size(PHONE)
    main = page.get_by_test_id("stMainBlockContainer")
    assert main.evaluate("node => node.scrollWidth <= node.clientWidth")
    page.set_viewport_size(SCREEN)

    field = page.locator(".st-key-lookup_phrase textarea")
    field.fill("红笔")
    field.press("Control+Enter")
    page.locator(".st-key-lookup_go button").click()
    expect(page.locator("mark").first).to_have_text("红笔", timeout=WORK)

    row.get_by_role("button", name="删除").click()
    dialog = page.get_by_role("dialog")
    now = dialog.locator(".st-key-delete_collection button")
    expect(now).to_be_disabled()
    typed = dialog.locator(".st-key-typed_name input")
    typed.fill("2024 届")
    typed.press("Enter")
    expect(now).to_be_enabled(timeout=WORK)
    now.click()
    expect(page.get_by_text("已删除“2024 届”，共 6 篇")).to_be_visible(timeout=WORK)
    expect(page.get_by_text("还没有文集")).to_be_visible()
