"""A pair of the same meaning in a browser: opened, a sentence answered, decided at the desk."""

from __future__ import annotations

import re

import alike
import pytest
from playwright.sync_api import Page, expect

from simhash_core.result import CheckResult
from simhash_core.storage import Shelf

WORK = 120_000
PHONE = {"width": 390, "height": 844}
NAME = {
    "zh": "b, 同义, 相应的句子在乙第 2 句",
    "en": "b, same meaning, answered in B by sentence 2",
}
ALONE = {"zh": "只有同义 2", "en": "Same meaning 2"}
ASKED = {
    "zh": ("只凭意思相近确认，问过本人了吗？", "问过", "还没有，先放稍后"),
    "en": ("Confirm on meaning alone: have you talked to them?", "Yes", "Not yet, later"),
}
BOTH = [
    pytest.param("zh", marks=pytest.mark.browser_context_args(locale="zh-CN")),
    pytest.param("en", marks=pytest.mark.browser_context_args(locale="en-GB")),
]


@pytest.fixture(scope="module")
def same() -> CheckResult:
    return alike.checked()


@pytest.fixture
def kept(page: Page, essays_checked, same, remember) -> str:
    """The id of a check of two such pairs, which the browser may open."""
    held, file = essays_checked
    remember(page, held)
    project = Shelf(file.parent).create(name="高一（3）班")
    project.save_documents(same.documents)
    project.save_result(same)
    key = project.id
    project.close()
    return key


def rows(language: str) -> tuple[int, int]:
    return alike.ALIKE if language == "zh" else alike.ALIKE_TOO


@pytest.mark.parametrize("language", BOTH)
def test_a_sentence_answers_on_a_click(language, page, visit, ready, kept, obstacles):
    a, b = rows(language)
    visit(f"/compare?a={a}&b={b}&check={kept}")
    sentence = page.get_by_role("button", name=NAME[language])
    expect(sentence).to_be_visible(timeout=WORK)

    page.locator(".ca .m.k-meaning[role=button]").first.click()
    expect(page.locator(".evidence")).to_contain_text("0.78")
    page.keyboard.press("]")

    expect(page.locator(".evidence")).to_contain_text("0.83")
    expect(page.locator(".evidence")).to_contain_text("0.71")
    active = page.locator(".cb .m.active[role=button]")
    expect(active).to_be_in_viewport()
    expect(active).to_contain_text({"zh": "有人和人", "en": "nly when time"}[language])
    sentence.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".ca .m.active[role=button]")).to_be_focused()
    page.locator(".scale summary").click()
    expect(page.locator(".scale table tr")).to_have_count(5)
    assert obstacles(page) == []


@pytest.mark.browser_context_args(viewport=PHONE, color_scheme="dark")
def test_a_phone_shows_it_without_a_sideways_scroll(page, visit, kept):
    visit(f"/compare?a=2&b=3&check={kept}")
    expect(page.locator(".chip.k-meaning").first).to_be_visible(timeout=WORK)

    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("language", BOTH)
def test_the_desk_asks_once_before_it_confirms(language, page, visit, ready, kept, obstacles):
    question, yes, later = ASKED[language]
    visit(f"/review?check={kept}")
    page.get_by_role("button", name=ALONE[language]).click()
    expect(page.locator(".many .one")).to_have_count(2, timeout=WORK)
    expect(page.locator(".many .k-meaning").first).to_be_visible()
    page.locator(".many .link").first.click()
    expect(page.locator(".caution")).to_be_visible(timeout=WORK)

    page.keyboard.press("c")

    expect(page.locator(".sure")).to_contain_text(question)
    assert obstacles(page) == []
    page.get_by_role("button", name=later, exact=True).click()
    expect(page.locator(".prog .ruler .l")).to_have_count(1, timeout=WORK)
    expect(page.locator(".case .ch h2").first).to_contain_text("3")
    page.keyboard.press("c")
    page.get_by_role("button", name=yes, exact=True).click()
    expect(page.locator(".prog .ruler .c")).to_have_count(1, timeout=WORK)
    ready(page)


def test_the_overview_leads_to_it(page, visit, ready, kept):
    visit(f"/overview?check={kept}")
    expect(page.locator(".lt-headline")).to_contain_text("另有 4 篇只在意思上相近", timeout=WORK)

    page.locator(".st-key-weak-2-3 button").click()

    expect(page).to_have_url(re.compile("view=meaning"), timeout=WORK)
    ready(page)
    expect(page.locator(".chip.k-meaning")).to_have_count(10)
