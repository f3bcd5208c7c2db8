"""The pictures of the README, taken from the real application on the sample class.

python -m pytest -m slow tests/e2e/test_screenshots.py      writes docs/screenshots/*.png
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import simhash_core as core
from simhash_core.checking import TextScope, run_check, sample_class, samples
from simhash_core.i18n import translator
from simhash_core.people.authorship import name_documents
from simhash_core.people.roster import read_class_list
from simhash_core.report import Wanted, report_of, write_report
from tests.e2e.steps import every_essay
from tests.e2e.test_library import add, essays

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "screenshots"
LOCALES = {"zh": "zh-CN", "en": "en-GB"}
pytestmark = pytest.mark.slow
COLLECTIONS = {
    "zh": ("2024 届高一作文", "2023 年优秀作文"),
    "en": ("Form 10, 2024", "Best of 2023"),
}


def taken(page: Page, name: str) -> None:
    page.screenshot(path=FOLDER / f"{name}.png")
    assert (FOLDER / f"{name}.png").stat().st_size > 20_000


def in_both(**given: object) -> Callable[..., object]:
    """Take a picture in a browser of either language."""
    mark = pytest.mark.browser_context_args
    named = [
        pytest.param(name, marks=mark(locale=locale, **given)) for name, locale in LOCALES.items()
    ]
    return pytest.mark.parametrize("language", named)


@pytest.mark.parametrize(("language", "rows"), [("zh", (7, 20)), ("en", (2, 13))])
def test_picture_of_a_report(page, tmp_path, language, rows):
    t = translator(language)
    documents, _ = core.read(core.gather(samples()["essays"])[0])
    moment = datetime(2026, 11, 21, 14, 32)
    wanted = Wanted(kind="pair", rows=rows, made=moment, checked=moment)
    file = tmp_path / "report.html"
    file.write_bytes(write_report(report_of(core.check(documents), wanted, t), "html", language))
    page.set_viewport_size({"width": 1280, "height": 1240})
    page.goto(file.as_uri())
    taken(page, f"report-{language}")


@in_both()
def test_pictures_of_the_readme(visit, ready, language):
    t = translator(language)
    page = visit("/")
    page.set_viewport_size({"width": 1280, "height": 860})

    def picture(name: str) -> None:
        ready(page)
        expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
        page.mouse.move(640, 4)
        taken(page, f"{name}-{language}")

    def go(name: str) -> None:
        link = page.get_by_test_id("stSidebarNav").get_by_role("link", name=t(f"frame.nav.{name}"))
        link.first.click()
        expect(page).to_have_url(re.compile(name))

    page.locator(".st-key-files-way input[type=file]").set_input_files(every_essay())
    expect(page.locator(".st-key-start button")).to_be_visible(timeout=60_000)
    picture("check")
    page.locator(".st-key-start button").click()
    expect(page).to_have_url(re.compile("/results"), timeout=60_000)
    page.locator("table.pairs tbody tr", has_text="03-emma-clarke").first.click()
    expect(page.locator(".m").first).to_be_visible()
    picture("compare")
    page.get_by_text(t("compare.view.prints"), exact=True).first.click()
    expect(page.locator(".bit").first).to_be_visible()
    picture("fingerprints")
    visit(re.sub(r"/\w+\?.*check=", "/results?view=groups&check=", page.url))
    page.locator(".st-key-alike_as_whole summary").click()
    clusters = page.locator(".st-key-alike_as_whole .groups")
    clusters.scroll_into_view_if_needed()
    expect(clusters.locator(".band").first).to_be_visible()
    picture("clusters")
    go("fingerprint_lab")
    page.locator(".st-key-lab_example_csdn button").click()
    expect(page.locator(".walk .word")).to_have_count(11)
    for _ in range(10):  # the fourth step, seven words have voted
        page.keyboard.press("ArrowRight")
    expect(page.locator(".walk .word.voting")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_be_in_viewport()
    picture("fingerprint_lab")
    go("review")
    expect(page.locator(".ch h2")).to_be_visible()
    page.keyboard.press("c")
    page.keyboard.press("Enter")
    expect(page.locator(".st.confirmed").first).to_be_visible()
    page.locator(".desk .row", has_text="emma-clarke").click()
    expect(page.locator(".pair .title").first).to_contain_text("emma-clarke")
    picture("review")


@in_both(viewport={"width": 1440, "height": 900})
def test_pictures_of_a_class(visit, ready, keep, language):
    """Its three lists, and the passage that the first case asks about."""
    given = sample_class(language)
    listed = read_class_list(given.class_list, name=given.class_list.name)
    read = [core.read(core.gather(files)[0])[0] for files in (
        samples()[f"class-{language}"], [given.task], [given.last_year],
    )]  # fmt: skip
    scope = TextScope(references=read[2])
    found = run_check(name_documents(read[0], listed=listed), scope, templates=read[1])
    key = keep(found)
    for name, query, shown in (
        ("results", "view=cases", "table.questions tbody tr"),
        ("pupils", "view=pupils", "table.pupils tbody tr"),
        ("groups", "view=groups", ".band"),
        ("passage", "case=1", ".lt-passage"),
    ):
        page = visit(f"/results?{query}&check={key}")
        expect(page.locator(shown).first).to_be_visible(timeout=60_000)
        ready(page)
        taken(page, f"{name}-{language}")


@in_both()
def test_picture_of_the_library(visit, ready, language):
    page = visit("/library")
    page.set_viewport_size({"width": 1280, "height": 860})
    for collection, (first, last) in zip(COLLECTIONS[language], ((0, 14), (14, 21)), strict=True):
        add(page, collection, essays(first, last))
        seen = page.locator(".st-key-library_import_seen button")
        seen.click()
        expect(seen).to_have_count(0)
    expect(page.locator(".wrap tbody tr")).to_have_count(2)
    phrase = page.locator(".st-key-lookup_phrase textarea")
    expect(phrase).to_have_count(1)  # a run that ends leaves the one before for a moment
    phrase.fill({"zh": "红笔", "en": "my teacher"}[language])
    phrase.press("Control+Enter")
    page.locator(".st-key-lookup_go button").click()
    expect(page.locator("mark").first).to_be_visible()
    ready(page)
    page.wait_for_load_state("networkidle")
    page.mouse.move(640, 4)
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
    taken(page, f"library-{language}")


@in_both()
def test_picture_of_the_repost_desk(visit, ready, language):
    t = translator(language)
    page = visit("/reposts")
    page.set_viewport_size({"width": 1280, "height": 860})
    page.get_by_role("button", name=t("reposts.sample.open")).click()
    expect(page.locator(".lt-first .dates")).to_be_visible(timeout=60_000)
    ready(page)
    page.mouse.move(0, 0)
    taken(page, f"reposts-{language}")


@in_both()
def test_picture_of_a_first_start(visit, language):
    page = visit("/")
    page.set_viewport_size({"width": 1280, "height": 860})
    expect(page.locator(".st-key-doors")).to_be_visible()
    page.mouse.move(0, 0)
    taken(page, f"first-{language}")
