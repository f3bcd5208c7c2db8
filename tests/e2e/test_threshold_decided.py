"""The threshold laboratory after cases were decided on the desk: one sentence, one picture."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from simhash_core.storage import Shelf, Subject

WORK = 90_000


@pytest.fixture
def decided(class_checked, essays_checked, class_result) -> str:
    """A check of the class of which twelve pairs are decided, the nearest confirmed."""
    project = Shelf(essays_checked[1].parent).open(class_checked)
    table = class_result.table
    near = table.pairs.distance.argsort(kind="stable").tolist()
    for place, row in enumerate(near[:12]):
        ids = [
            class_result.documents[int(s[row])].id for s in (table.pairs.left, table.pairs.right)
        ]
        verdict = "no_problem" if place in (3, 6, 8, 9, 11) else "confirmed"
        project.decide([Subject.pair(*ids)], verdict=verdict)
    project.close()
    return class_checked


def look(visit, decided: str, name: str):
    page = visit(f"/threshold_lab?check={decided}")
    expect(page.locator(".lab-say")).to_be_visible(timeout=WORK)
    if folder := os.environ.get("LEITONG_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png")
    return page


def test_the_decisions_are_the_answers(visit, decided, ready) -> None:
    page = look(visit, decided, "threshold-zh")
    expect(page.locator(".lab-say")).to_contain_text("7 个确认的案会漏掉")
    expect(page.locator(".lab-row i")).to_have_count(12)
    page.locator(".st-key-lab_choice_all button").click()
    ready(page)
    expect(page.locator(".lab-say")).to_contain_text("漏掉 0 个")
    expect(page.locator(".lab-row i.missed")).to_have_count(0)
    expect(page.locator(".js-plotly-plot")).to_have_count(0)
    page.get_by_text("给统计的人").click()
    expect(page.locator(".js-plotly-plot").first).to_be_visible(timeout=WORK)


@pytest.mark.browser_context_args(locale="en-GB", color_scheme="dark")
def test_in_english_and_dark(visit, decided) -> None:
    page = look(visit, decided, "threshold-en-dark")
    expect(page.locator(".lab-say")).to_contain_text("of 7 confirmed cases")
