"""What does not count, in a real browser: foreseen, applied, kept over a reload, shown grey."""

from __future__ import annotations

import re

from playwright.sync_api import expect

WORK = 120_000


def test_quotations_are_foreseen_left_out_and_stay_out_over_a_reload(checked, ready) -> None:
    page = checked
    page.locator(".st-key-leave_out button").click()
    quotations = page.locator(".st-key-ex_quotations label").first
    expect(quotations).to_contain_text(re.compile(r"去掉 [\d,\u2009]+ 字符"))
    quotations.click()
    ready(page)
    page.locator(".st-key-ex_apply button").click()
    line = page.locator(".st-key-leaving-out")
    expect(line).to_contain_text("未计入：引文", timeout=WORK)
    page.reload()
    ready(page)
    expect(line).to_contain_text("未计入：引文", timeout=WORK)

    page.get_by_role("link", name="文本", exact=True).click()
    ready(page)
    page.get_by_role("combobox").click()
    page.get_by_role("option", name=re.compile("^12-")).click()
    expect(page.locator(".sources .why").first).to_contain_text("引文", timeout=WORK)


def test_the_dialog_of_authors_shows_a_table(visit, page, ready) -> None:
    visit("/")
    page.locator(".st-key-sample_essays button").click()
    expect(page.locator(".st-key-start button")).to_be_visible(timeout=WORK)
    ready(page)
    page.locator(".st-key-people button").click()
    expect(page.get_by_role("dialog").get_by_test_id("stDataFrame")).to_be_visible(timeout=WORK)
