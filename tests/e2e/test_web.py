"""Pages of the web in a real browser: off, seen, struck out, sent, read, compared, told."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.steps import WORK, compare_also_with, file, put_in, start_button
from tests.web.server import ARTICLE, Web, article, status

OWN = (
    "My grandmother taught me to tie a bowline before I could read, and I was proud of it.",
    "Every evening we walked to the pier, where nobody spoke about the weather or the war.",
)


ESSAY = file("essay.txt", " ".join((OWN[0], *ARTICLE[:2], OWN[1])))


@pytest.fixture
def pages(web: Web) -> Iterator[Web]:
    """The web with one article, one page that is gone, and one that may not be asked."""
    web.pages |= {"/ledgers": article(), "/gone": status(410)}
    web.results = [
        {"url": f"{web.address}/ledgers"},
        {"url": f"{web.address}/gone"},
        {"url": "http://192.168.0.1/admin"},
    ]
    yield web
    web.queries.clear()


@pytest.mark.browser_context_args(locale="en-GB")
def test_sentences_are_seen_sent_and_found_again(pages: Web, visit, page: Page, ready) -> None:
    web = pages
    visit("/")
    put_in(page, ESSAY)
    expect(start_button(page)).to_be_visible(timeout=WORK)
    ready(page)

    compare_also_with(page, "and with pages of the web")
    expect(page.get_by_text("Off. Nothing leaves this computer")).to_be_visible(timeout=WORK)
    expect(page.locator(".st-key-web_look")).to_have_count(0)
    field = page.get_by_role("textbox", name="Search service")
    field.fill(web.address)
    field.press("Enter")
    ready(page)

    page.locator(".st-key-web_look button").click()
    slot = page.get_by_test_id("stPopoverBody")
    rows = slot.locator("[class*=st-key-web-row-]")
    expect(rows.first).to_be_visible(timeout=WORK)
    ready(page)
    assert web.queries == []
    own = rows.filter(has_text="grandmother")
    own.get_by_text(re.compile("^No. ")).click()
    expect(own.locator(".lt-struck")).to_have_count(1)
    shown = [text.rpartition(" essay")[0].strip() for text in
             slot.locator(".lt-text:not(.lt-struck)").all_text_contents()
             if text.rstrip().endswith("essay.txt")]  # fmt: skip
    ready(page)
    send = slot.locator(".st-key-web_send button")
    expect(send).to_have_text(re.compile(f"Send {len(shown)} sentence"))
    send.click()
    expect(page.get_by_text(re.compile("1 page read and kept"))).to_be_visible(timeout=WORK)
    ready(page)
    assert web.queries == shown
    assert not any("grandmother" in one for one in web.queries)

    page.locator(".st-key-web_log summary").click()
    log = slot.locator("table")
    for words in (*shown, f"{web.address}/ledgers"):
        expect(log).to_contain_text(words)
    expect(log).not_to_contain_text("192.168.0.1")  # it was never asked
    ready(page)
    page.locator("details.lt-fold summary").last.click()
    expect(page.locator("details.lt-fold").last).to_contain_text("this computer or its network")

    page.keyboard.press("Escape")
    page.locator(".st-key-start button").click()
    expect(page).to_have_url(re.compile("/results"), timeout=WORK)
    ready(page)
    page.goto(page.url + "&pair=0,1")
    ready(page)
    expect(page.get_by_text(re.compile("as of 20..-")).first).to_be_visible(timeout=WORK)
    expect(page.get_by_text(f"{web.address}/ledgers").first).to_be_visible()


def test_nothing_is_offered_while_nothing_is_kept(visit, page: Page, ready) -> None:
    visit("/")
    page.locator(".st-key-keep_nothing label, .st-key-keep_nothing [data-baseweb]").first.click()
    ready(page)
    put_in(page, ESSAY)
    expect(start_button(page)).to_be_visible(timeout=WORK)
    ready(page)
    compare_also_with(page, "还与网上的网页")
    expect(page.get_by_text("也不往外发")).to_be_visible(timeout=WORK)
    expect(page.get_by_test_id("stPopoverBody").get_by_role("textbox")).to_have_count(0)
