"""Every page offers its report; what is saved opens without a network, prints and jumps."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

import pypdfium2
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

import simhash_core as core
from simhash_core.checking import samples
from simhash_core.i18n import translator
from simhash_core.report import Wanted, report_of, write_report
from tests.e2e.steps import WORK, check_id, go

#: how the name of the file of a kind ends: for whom it is, or what it is about
CALLED = {
    "class": "(年级组|总览)",
    "person": "[^-]+",
    "pair": r"对校(-\d{2,3})+",
    "cluster": "文本簇",
    "confirmed": "附录",
}
#: what the menu of the results calls them
NAMED = {"cluster": "文本簇报告", "confirmed": "附录 · 对校"}
#: rows of the sample essays that a report is about
KINDS: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("class", "confirmed"), ()),
    **dict.fromkeys(("pair", "cluster"), (0, 11)),
    **dict.fromkeys(("person", "sources"), (0,)),
}


def saved(page: Page, folder: Path, *, kind: str, ending: str) -> Path:
    """Make a report of the page that is open and return the file."""
    page.locator(".st-key-export button").first.click()
    if kind in NAMED:
        page.locator(".st-key-report_kind").get_by_text(NAMED[kind], exact=True).click()
    page.locator(".st-key-report_format").get_by_text(ending.upper(), exact=True).click()
    file = made(page, folder)
    page.keyboard.press("Escape")
    assert re.search(rf"-{CALLED[kind]}\.{ending}$", file.name)
    return file


def made(page: Page, folder: Path) -> Path:
    """Press "make" in the menu that is open and save what is offered."""
    page.locator(".st-key-report_make button").click()
    offer = page.locator(".st-key-report_save button")
    expect(offer).to_be_visible(timeout=WORK)
    with page.expect_download() as waiting:
        offer.click()
    file = folder / waiting.value.suggested_filename
    waiting.value.save_as(file)
    return file


def test_each_page_hands_out_the_report_that_belongs_to_it(checked, visit, ready, tmp_path):
    """Names are hidden only after a look at what is replaced; one has the confirmed cases alone."""
    page = checked
    whole = saved(page, tmp_path, kind="class", ending="html")
    visit(f"/results?view=groups&check={check_id(page)}")
    page.locator(".st-key-alike_as_whole summary").click()
    expect(page.get_by_role("button", name=re.compile("^簇一")).first).to_be_visible(timeout=WORK)
    ready(page)
    cluster = saved(page, tmp_path, kind="cluster", ending="html")
    visit(f"/results?text=0&check={check_id(page)}")
    person = saved(page, tmp_path, kind="person", ending="html")
    for path in (whole, cluster, person):
        assert "线索，不是结论" in path.read_text("utf-8")

    go(page, ready, "review")
    expect(page.locator(".ch h2")).to_contain_text("第 1 案", timeout=WORK)
    page.keyboard.press("c")
    expect(page.locator(".follow .said")).to_contain_text("已确认", timeout=WORK)
    ready(page)
    go(page, ready, "results")
    table = saved(page, tmp_path, kind="confirmed", ending="csv")
    _, case_1, end, *_ = table.read_text("utf-8-sig").splitlines()
    assert "确认重合" in case_1 and not end  # the table has this one case

    page.locator(".st-key-export button").first.click()
    page.locator(".st-key-report_kind").get_by_text("年级组", exact=True).click()
    page.locator(".st-key-report_format").get_by_text("HTML", exact=True).click()
    page.locator(".st-key-report_hide label").click()
    listed = page.get_by_text(re.compile(r"替换 \d+ 处，\d+ 处不能确定、不动"))
    expect(listed).to_be_visible(timeout=WORK)
    listed.click()
    expect(page.get_by_text("打勾的地方会替换")).to_be_visible(timeout=WORK)
    ready(page)
    hidden = made(page, tmp_path)
    assert re.search("-(年级组|总览)-隐名.html$", hidden.name)
    shown = hidden.read_text("utf-8")
    assert "第 006 篇" in shown and "赵一诺" not in shown


def test_a_saved_report_opens_without_a_network_prints_and_jumps(checked, ready, tmp_path):
    page = checked
    page.locator("table.pairs tbody tr").first.click()
    expect(page).to_have_url(re.compile("case="), timeout=WORK)
    ready(page)
    file = saved(page, tmp_path, kind="pair", ending="html")
    assert "线索，不是结论" in file.read_text("utf-8")
    paper = saved(page, tmp_path, kind="pair", ending="pdf")
    assert pypdfium2.PdfDocument(paper.read_bytes())[0].get_textpage().count_chars() > 500

    page.context.set_offline(True)
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("request", lambda sent: heard.append(sent.url) if sent.url != file.as_uri() else None)
    page.goto(file.as_uri())
    chip = page.locator(".two p a.chip").first
    target = chip.get_attribute("href")
    chip.click()
    assert page.url.endswith(str(target))
    expect(page.locator(f'[id="{str(target)[1:]}"]')).to_be_in_viewport()
    printed = pypdfium2.PdfDocument(page.pdf(prefer_css_page_size=True))

    assert heard == []
    assert 2 <= len(printed) <= 6
    assert "第 1 页" in printed[0].get_textpage().get_text_bounded()


def test_nothing_in_a_report_stands_in_the_way_of_anyone(page, tmp_path):
    documents, _ = core.read(core.gather(samples()["essays"])[0][:12])
    result = core.check(documents)
    file = tmp_path / "report.html"
    for kind, rows in KINDS.items():
        wanted = Wanted(kind=kind, rows=rows, made=datetime(2026, 11, 21))
        file.write_bytes(write_report(report_of(result, wanted, translator("en")), "html", "en"))
        page.goto(file.as_uri())
        broken = Axe().run(page).response["violations"]

        assert [rule["id"] for rule in broken] == [], kind
