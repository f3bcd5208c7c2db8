"""A pair of the same meaning in a browser: opened, a sentence answered, decided at the desk."""

from __future__ import annotations

import re

import alike
from playwright.sync_api import expect

from tests.e2e.steps import PHONE, SCREEN, WORK, is_cut_off


def test_a_pair_of_the_same_meaning_is_read_and_asked_about(page, visit, ready, keep, obstacles):
    key = keep(alike.checked(), name="高一（3）班")
    visit(f"/results?check={key}")
    expect(page.locator(".lt-headline")).to_contain_text("另有 4 篇只在意思上相近", timeout=WORK)
    page.locator(".st-key-weak-2-3 button").click()
    expect(page).to_have_url(re.compile("show=meaning"), timeout=WORK)
    ready(page)
    expect(page.locator(".chip.k-meaning")).to_have_count(10)

    a, b = alike.ALIKE
    visit(f"/results?pair={a},{b}&check={key}")
    sentence = page.locator(".ca").get_by_role("button", name="b · 同义")
    expect(sentence).to_be_visible(timeout=WORK)
    page.locator(".ca .m.k-meaning[role=button]").first.click()
    expect(page.locator(".evidence")).to_contain_text("0.78")
    page.keyboard.press("]")
    expect(page.locator(".evidence")).to_contain_text("0.83")
    expect(page.locator(".evidence")).to_contain_text("0.71")
    active = page.locator(".cb .m.active[role=button]")
    expect(active).to_be_in_viewport()
    expect(active).to_contain_text("有人和人")
    sentence.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".ca .m.active[role=button]")).to_be_focused()
    expect(page.locator(".traces")).to_contain_text("最高 0.71")
    assert obstacles(page) == []
    page.set_viewport_size(PHONE)
    expect(page.locator(".chip.k-meaning").first).to_be_visible()
    assert not is_cut_off(page)
    page.set_viewport_size(SCREEN)

    visit(f"/review?check={key}")
    page.locator(".desk .row", has_text="只有同义").first.click()
    expect(page.locator(".caution")).to_be_visible(timeout=WORK)
    page.keyboard.press("c")
    expect(page.locator(".follow")).to_contain_text("只凭意思相近确认，问过本人了吗？")
    assert obstacles(page) == []
    page.get_by_role("button", name="还没有，先放稍后", exact=True).click()
    expect(page.locator(".bar .st.later")).to_have_count(1, timeout=WORK)
    page.keyboard.press("c")
    page.get_by_role("button", name="问过", exact=True).click()
    expect(page.locator(".bar .st.confirmed")).to_have_count(1, timeout=WORK)
    ready(page)
