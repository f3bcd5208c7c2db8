"""Who is joined to whom, in a real browser: the map, the passages, the clusters by fingerprint."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from simhash_core import Document, check
from tests.e2e.steps import PHONE, WORK, is_cut_off, picture
from tests.prose import chinese

PASSAGE = (
    "今年他们学校试用了批改平台。选择题、填空题和方程式配平由机器完成，他只看实验设计和推断题。改一次作业，从十个小时变成三个半"
    "小时。多出来的时间去了哪里？我替他记了一个月：四成用来找学生面谈，三成用来重新设计实验，剩下三成，他终于能在十一点以前睡觉。"
)
PAIR = re.compile(r"/results\?.*pair=\w+%2C\w+")


def joined_class() -> list[Document]:
    """Four who are joined by a passage of three and by one of two, a pair, and eleven others."""
    two, other = chinese(902, 90), chinese(903, 120)
    parts = {
        "刘子墨": [PASSAGE, two],
        "黄嘉怡": [PASSAGE],
        "吴昊天": [PASSAGE.replace("变成", "缩短到")],
        "陈思远": [two],
        "郑可欣": [other],
        "何沐阳": [other],
    }
    rest = {f"学生{n}": list[str]() for n in range(11)}
    return [
        Document.from_text(
            "\n".join([chinese(10 + n, 150), *held, chinese(60 + n, 150)]), name=f"{name}.txt"
        )
        for n, (name, held) in enumerate((parts | rest).items())
    ]


def test_a_group_leads_to_its_passages_its_pairs_and_its_texts(visit, ready, keep, obstacles):
    """Everything is reached with the keyboard; on a phone the map is a list."""
    address = f"/results?view=groups&check={keep(check(joined_class()))}"
    page = visit(address)
    sheet, bands = page.locator("section.sheet"), page.locator(".band")
    expect(bands).to_have_count(2, timeout=WORK)
    expect(sheet.locator("h2")).to_have_text("第一组：4 篇，靠这 2 段连起来")
    expect(sheet.locator("tbody tr").first).to_contain_text("吴昊天把“变成”写作“缩短到”")
    expect(sheet.locator("tbody tr").first.locator(".cell.changed")).to_have_count(1)
    expect(sheet.locator("tbody tr").nth(1).locator(".cell.own")).to_have_count(2)
    expect(page.locator(".map .foot").last).to_have_text("其余 11 篇：没有只和个别几篇相同的文字")
    assert obstacles(page) == []
    picture(page, "groups-zh")

    second = bands.nth(1).locator(".pick")
    second.focus()
    page.keyboard.press("Enter")
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(sheet.locator("h2")).to_have_text("第二组：2 篇，靠这 1 段连起来")
    ready(page)
    expect(second).to_be_focused()
    page.set_viewport_size(PHONE)
    expect(page.locator(".drawn").first).to_be_hidden()
    expect(bands.first).to_contain_text("刘子墨、")
    expect(sheet.locator(".holders")).to_contain_text("郑可欣、何沐阳")
    assert not is_cut_off(page)
    page.set_viewport_size({"width": 1280, "height": 900})

    bands.nth(1).locator(".at.words").click()
    expect(page).to_have_url(PAIR, timeout=WORK)
    page = visit(address)
    bands.first.locator(".at.who", has_text="黄嘉怡").click()
    expect(page).to_have_url(re.compile(r"[?&]text="), timeout=WORK)
    page = visit(address)
    bands.first.locator(".at.passage").click()
    expect(page).to_have_url(re.compile(r"[?&]case=\d+"), timeout=WORK)
    page = visit(address)
    sheet.locator(".plain").click()
    expect(page).to_have_url(re.compile("/review"), timeout=WORK)
    expect(page.locator(".case h2")).to_be_visible(timeout=WORK)


def test_texts_alike_as_a_whole_are_one_click_from_the_groups(checked, visit, ready, obstacles):
    """The map and the table of a cluster lead to pairs and texts."""
    address = re.sub(r"/\w+\?", "/results?view=groups&", checked.url)
    page = visit(address)
    fold = page.locator(".st-key-alike_as_whole")
    bands, rows = fold.locator(".band"), fold.locator("section.sheet tbody tr")

    def open_fold() -> None:
        fold.locator("summary").first.click()
        expect(bands.first).to_be_visible(timeout=WORK)
        ready(page)

    open_fold()
    assert obstacles(page) == []
    second = bands.nth(1).locator(".pick")
    second.click()
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(fold.get_by_role("heading", name="簇二")).to_be_visible()
    expect(bands.nth(1).locator(".at.words")).to_have_text("0")
    ready(page)
    bands.first.locator(".pick").click()
    expect(fold.get_by_role("heading", name="簇一")).to_be_visible()
    size = bands.first.locator(".at.who").count()
    expect(rows).to_have_count(size)
    expect(bands.first.locator(".at.words")).to_have_count(size - 1)
    expect(rows.nth(1)).to_contain_text(re.compile(r"和 1 号差 \d+ 位"))
    picture(page, "clusters-zh")

    bands.first.locator(".at.words").first.click()
    expect(page).to_have_url(PAIR, timeout=WORK)
    page = visit(address)
    open_fold()
    rows.first.get_by_role("button", name="看全文").click()
    expect(page).to_have_url(re.compile(r"[?&]text=\w+"), timeout=WORK)
    page = visit(address)
    open_fold()
    rows.nth(1).get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(PAIR, timeout=WORK)
