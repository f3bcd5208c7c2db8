"""Both laboratories in a real browser: typing flips bits, answers make a suggestion."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.e2e.steps import WORK, go

FLIP_SECONDS = 3.0  # from the last key to the outlined bits, on a loaded machine
Ready = Callable[..., None]


def bits(page: Page, grid: int = 0) -> str:
    """The bits of one grid as they are drawn."""
    marks = page.locator(".grid").nth(grid).locator(".bit")
    return "".join(
        marks.evaluate_all("all => all.map(b => b.classList.contains('one') ? '1' : '0')")
    )


def box(page: Page, side: str = "a") -> Locator:
    return page.locator(f".st-key-lab_text_{side} textarea")


def test_a_text_is_typed_and_its_bits_are_followed(visit, ready, tmp_path):
    page = visit("/fingerprint_lab")
    expect(page.locator(".grid")).to_have_count(3)
    expect(box(page)).not_to_have_value("")  # its script has come
    _typing_flips_bits(page, ready)
    for leave in (False, True):
        _what_is_typed_meanwhile_stays(page, ready, leave)
    _bits_and_words_answer(page, ready)
    _picture_and_data_are_taken_away(page)

    path = tmp_path / "text.txt"
    path.write_text("一篇放进来的短文，说的是另一件事。", "utf-8")
    page.get_by_role("button", name="打开文本").click()
    page.locator(".st-key-lab_open_side").get_by_text("乙", exact=True).click()
    ready(page)
    page.locator(".st-key-lab_open_file input[type=file]").set_input_files(path)
    expect(box(page, "b")).to_have_value("一篇放进来的短文，说的是另一件事。", timeout=WORK)
    ready(page)
    page.keyboard.press("Escape")
    box(page).fill("<img src=x onerror=alert(1)> 老师 学生")
    expect(page.locator(".line").first).to_contain_text("<img src=x")
    ready(page)
    assert page.locator("img[src=x]").count() == 0


def _typing_flips_bits(page: Page, ready: Ready) -> None:
    before = bits(page)
    expect(page.locator(".bit.flipped")).to_have_count(0)
    text = box(page).input_value()
    box(page).press("Control+End")
    start = time.monotonic()
    box(page).press_sequentially("粉笔", delay=30)
    flipped = page.locator(".grid").first.locator(".bit.flipped")
    expect(flipped).not_to_have_count(0)
    took = time.monotonic() - start

    assert took < FLIP_SECONDS
    ready(page)
    after = bits(page)
    assert flipped.count() == sum(x != y for x, y in zip(before, after, strict=True)) > 0
    assert box(page).input_value() == text + "粉笔"
    box(page).fill(text)
    one, zero = re.compile(r"\bone\b"), re.compile(r"^(?!.*\bone\b)")
    drawn = page.locator(".grid").first.locator(".bit")
    expect(drawn).to_have_class([one if value == "1" else zero for value in before])
    ready(page)


def _what_is_typed_meanwhile_stays(page: Page, ready: Ready, leave: bool) -> None:
    """Typed while an answer is under way: not sent yet, and sent as well."""
    text = box(page).input_value()
    box(page).press("Control+End")
    box(page).press_sequentially("粉笔", delay=30)
    box(page).evaluate(
        """async (box, leave) => {
          while (!box.sent.endsWith('粉笔')) await new Promise(requestAnimationFrame);
          document.execCommand('insertText', false, '和黑板');
          if (leave) box.blur();
        }""",
        leave,
    )
    ready(page)
    expect(page.locator(".line").first).to_contain_text("黑板")
    expect(box(page)).to_have_value(text + "粉笔和黑板")
    box(page).fill(text)
    expect(page.locator(".line").first).not_to_contain_text("黑板")
    ready(page)


def _bits_and_words_answer(page: Page, ready: Ready) -> None:
    """A bit shows its voters, a word what it pushes."""
    cell = page.locator(".grid").first.locator(".bit").nth(5)
    cell.click()
    expect(page.get_by_role("heading", name=re.compile("第 5 位"))).to_be_visible()
    expect(cell).to_have_attribute("aria-pressed", "true")
    ready(page)
    cell.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name=re.compile("第 6 位"))).to_be_visible()
    ready(page)
    word = page.locator(".line").first.get_by_role("button").first
    word.click()
    pushed = page.locator(".grid").first.locator(".bit.up, .bit.down")
    expect(pushed).to_have_count(64)
    ready(page)
    word.click()
    expect(pushed).to_have_count(0)
    ready(page)


def _picture_and_data_are_taken_away(page: Page) -> None:
    page.get_by_role("button", name="导出图片和数据").click()
    with page.expect_download() as picture:
        page.locator(".st-key-lab_svg button").click()
    with page.expect_download() as data:
        page.locator(".st-key-lab_json button").click()
    traced = json.loads(Path(data.value.path()).read_text("utf-8"))

    assert Path(picture.value.path()).read_text("utf-8").startswith("<svg")
    assert [text["fingerprint"] for text in traced["texts"]] == [bits(page, 0), bits(page, 1)]
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-lab_svg")).to_have_count(0)


# ----------------------------------------------------------------------- thresholds


def answered(page: Page, kind: str) -> Locator:
    return page.locator(f".strip button.{kind}")


def clear(page: Page, ready: Ready) -> None:
    """Forget the answers, which are kept between visits."""
    page.locator(".st-key-lab_files button").first.click()
    button = page.locator(".st-key-labels_clear button")
    expect(button).to_be_visible()
    if button.is_enabled():
        button.click()
        expect(button).to_be_disabled()
        ready(page)
    page.keyboard.press("Escape")
    expect(button).to_be_hidden()


def test_pairs_are_judged_blind_and_a_threshold_is_taken(checked, ready):
    page = checked
    go(page, ready, "threshold_lab")
    cells = page.locator(".strip button")
    expect(cells.first).to_be_visible(timeout=WORK)
    clear(page, ready)
    expect(page.locator(".st-key-lab_take button")).to_be_disabled()
    expect(answered(page, "open").filter(has_text="?")).to_have_count(cells.count())
    page.keyboard.press("u")
    expect(answered(page, "unsure")).to_have_count(1)
    ready(page)
    page.locator(".st-key-lab_undo button").click()
    expect(answered(page, "unsure")).to_have_count(0)
    ready(page)
    page.get_by_role("slider").first.focus()
    page.keyboard.press("d")  # keys judge while the slider has the focus
    expect(answered(page, "other")).to_have_count(1)
    ready(page)
    expect(answered(page, "other")).to_have_count(1)
    page.locator(".st-key-lab_undo button").click()
    expect(answered(page, "other")).to_have_count(0)
    ready(page)
    before = page.locator(".lab-excerpt").all_inner_texts()
    cells.nth(3).click()
    expect(cells.nth(3)).to_have_attribute("aria-pressed", "true")
    ready(page)
    assert page.locator(".lab-excerpt").all_inner_texts() != before

    _answers_go_out_and_come_back(page, ready)
    _figures_follow_the_slider(page, ready)


def _answers_go_out_and_come_back(page: Page, ready: Ready) -> None:
    page.keyboard.press("s")
    expect(answered(page, "same")).to_have_count(1)
    ready(page)
    page.locator(".st-key-lab_files button").first.click()
    with page.expect_download() as waiting:
        page.locator(".st-key-labels_save button").click()
    path = Path(waiting.value.path())
    saved = json.loads(path.read_text("utf-8"))
    assert [row["same"] for row in saved["labels"]] == [True]
    assert "王" not in path.read_text("utf-8")
    page.locator(".st-key-labels_clear button").click()
    expect(answered(page, "same")).to_have_count(0)
    ready(page)
    content = {"name": "labels.json", "mimeType": "application/json", "buffer": path.read_bytes()}
    page.locator(".st-key-labels_file input[type=file]").set_input_files(content)
    expect(answered(page, "same")).to_have_count(1)
    ready(page)
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-labels_clear button")).to_be_hidden()


def _figures_follow_the_slider(page: Page, ready: Ready) -> None:
    before = page.locator(".strip button").evaluate_all("all => all.map(b => b.ariaLabel)")
    page.get_by_role("slider").first.focus()
    start = time.monotonic()
    page.keyboard.press("Home")
    expect(page.locator(".annotation-text").first).to_contain_text("当前 0 位")
    took = time.monotonic() - start
    ready(page)

    assert took < FLIP_SECONDS
    assert page.locator(".strip button").evaluate_all("all => all.map(b => b.ariaLabel)") != before
