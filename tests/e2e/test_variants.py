"""The page of a passage that many texts share, in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import FilePayload, expect

from simhash_core import Document, check
from tests.e2e.steps import WORK, file, go, picture
from tests.prose import chinese

PASSAGE = (
    "今年他们学校试用了批改平台。选择题、填空题和方程式配平由机器完成，他只看实验设计和推断题。改一次作业，从十个小时变成三个半"
    "小时。多出来的时间去了哪里？我替他记了一个月：四成用来找学生面谈，三成用来重新设计实验，剩下三成，他终于能在十一点以前睡觉。"
)
CHANGES = [("面谈", "谈话"), ("能在", "可以在"), ("去了哪里", "去了哪里呢"), ("变成", "缩短到")]
NAMES = ["刘子墨", "黄嘉怡", "吴昊天", "陈思远", "郑可欣", "何沐阳", "林晓雨", "赵一鸣"]


def texts() -> list[FilePayload]:
    """Eight texts with one passage; four of them change the same words."""
    files = []
    for row, name in enumerate(NAMES):
        passage = PASSAGE
        for old, new in CHANGES[: 4 if row < 7 else 3] if row >= 4 else ():
            passage = passage.replace(old, new)
        text = f"{chinese(10 + row, 400)}\n\n{passage}\n\n{chinese(50 + row, 400)}"
        files.append(file(f"{row + 1:02}-{name}.txt", text))
    return files


def test_a_passage_is_shown_once_and_decided_once(visit, ready, keep):
    """Given to all it is gone from every page, and back; copied it leads to its cases."""
    documents = [Document.from_text(one["buffer"].decode(), name=one["name"]) for one in texts()]
    page = visit(f"/variants?check={keep(check(documents))}")
    expect(page.locator(".ed .base")).to_be_visible(timeout=WORK)
    expect(page.get_by_role("heading", level=1)).to_have_text("一段，8 份")
    expect(page.locator(".base")).to_contain_text("剩下三成")
    expect(page.locator(".appar")).to_contain_text("谈话")
    expect(page.locator(".grid thead")).to_contain_text("刘")
    expect(page.locator(".stem")).to_contain_text("α")
    page.locator(".v").first.click()
    expect(page.locator(".appar li.on")).to_have_count(1)
    expect(page.locator(".grid tr.on")).to_have_count(1)

    given = page.get_by_role("button", name=re.compile("发给全班的"))
    expect(page.locator(".decb")).to_contain_text("8 篇的这一段不再计入", timeout=WORK)
    given.click()
    expect(given).to_have_attribute("aria-pressed", "true", timeout=WORK)
    go(page, ready, "review")
    expect(page.locator(".desk .row:not(.wide)")).to_have_count(0)
    go(page, ready, "variants")
    expect(given).to_have_attribute("aria-pressed", "true", timeout=WORK)
    page.get_by_role("button", name=re.compile("撤回")).click()
    expect(given).to_have_attribute("aria-pressed", "false", timeout=WORK)
    go(page, ready, "review")
    expect(page.locator(".desk .row").first).to_be_visible(timeout=WORK)
    go(page, ready, "variants")
    page.get_by_role("button", name=re.compile("彼此相传的")).click()
    expect(page).to_have_url(re.compile("/review"), timeout=WORK)
    expect(page.locator(".desk .row").first).to_be_visible(timeout=WORK)


def test_what_a_class_holds_is_asked_once_and_stays_answered(visit, ready, keep, obstacles):
    """Its answer on the overview takes the passage out, also after a reload."""
    documents = [Document.from_text(one["buffer"].decode(), name=one["name"]) for one in texts()]
    page = visit(f"/overview?check={keep(check(documents))}")
    asked = page.locator(".st-key-questions")
    expect(asked).to_contain_text("8 篇里 8 篇有", timeout=WORK)
    assert obstacles(page) == []
    picture(page, "questions-zh")
    asked.get_by_role("radio", name="引文或课文").click()
    ready(page)
    expect(page.locator(".lt-headline")).to_have_text("8 篇里，没有找到只和个别几篇相同的文字。")
    expect(page.get_by_text("未计入：")).to_be_visible(timeout=WORK)
    page.reload()
    expect(asked.get_by_role("radio", name="引文或课文")).to_be_checked(timeout=WORK)
