"""Both laboratories in a real browser: typing flips bits, answers make a suggestion."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

WORK = 60_000
FLIP_SECONDS = 3.0  # from the last key to the outlined bits, on a loaded machine


@pytest.fixture
def lab(visit, page) -> Page:
    """The fingerprint laboratory with its first two texts."""
    visit("/fingerprint_lab")
    expect(page.locator(".grid")).to_have_count(3)
    expect(box(page)).not_to_have_value("")  # its script has come
    return page


def bits(page: Page, grid: int = 0) -> str:
    """The bits of one grid as they are drawn."""
    marks = page.locator(".grid").nth(grid).locator(".bit")
    return "".join(
        marks.evaluate_all("all => all.map(b => b.classList.contains('one') ? '1' : '0')")
    )


def box(page: Page, side: str = "a"):
    return page.locator(f".st-key-lab_text_{side} textarea")


def test_typing_a_word_flips_bits_and_outlines_them(lab, ready):
    before = bits(lab)
    expect(lab.locator(".bit.flipped")).to_have_count(0)
    text = box(lab).input_value()
    box(lab).press("Control+End")
    start = time.monotonic()
    box(lab).press_sequentially("粉笔", delay=30)
    flipped = lab.locator(".grid").first.locator(".bit.flipped")
    expect(flipped).not_to_have_count(0)
    took = time.monotonic() - start

    assert took < FLIP_SECONDS
    ready(lab)
    after = bits(lab)
    assert flipped.count() == sum(x != y for x, y in zip(before, after, strict=True)) > 0
    assert box(lab).input_value() == text + "粉笔"
    box(lab).fill(text)
    one, zero = re.compile(r"\bone\b"), re.compile(r"^(?!.*\bone\b)")
    drawn = lab.locator(".grid").first.locator(".bit")
    expect(drawn).to_have_class([one if value == "1" else zero for value in before])


@pytest.mark.parametrize("leave", [False, True], ids=["not sent yet", "sent as well"])
def test_what_is_typed_while_an_answer_is_under_way_stays(lab, ready, leave):
    text = box(lab).input_value()
    box(lab).press("Control+End")
    box(lab).press_sequentially("粉笔", delay=30)
    box(lab).evaluate(
        """async (box, leave) => {
          while (!box.sent.endsWith('粉笔')) await new Promise(requestAnimationFrame);
          document.execCommand('insertText', false, '和黑板');
          if (leave) box.blur();
        }""",
        leave,
    )
    ready(lab)
    expect(lab.locator(".line").first).to_contain_text("黑板")

    expect(box(lab)).to_have_value(text + "粉笔和黑板")


def test_a_click_on_a_bit_shows_its_voters(lab, ready):
    cell = lab.locator(".grid").first.locator(".bit").nth(5)
    cell.click()
    expect(lab.get_by_role("heading", name=re.compile("第 5 位"))).to_be_visible()
    expect(cell).to_have_attribute("aria-pressed", "true")
    ready(lab)
    cell.focus()
    lab.keyboard.press("ArrowRight")
    expect(lab.get_by_role("heading", name=re.compile("第 6 位"))).to_be_visible()


def test_a_click_on_a_word_shows_what_it_pushes(lab, ready):
    word = lab.locator(".line").first.get_by_role("button").first
    word.click()
    pushed = lab.locator(".grid").first.locator(".bit.up, .bit.down")
    expect(pushed).to_have_count(64)
    ready(lab)
    word.click()
    expect(pushed).to_have_count(0)


def test_bits_weights_and_reach_of_the_index(lab, ready):
    for width in ("8", "256", "128"):
        lab.locator(".st-key-lab_bits").get_by_text(width, exact=True).click()
        expect(lab.locator(".grid").first.locator(".bit")).to_have_count(int(width))
        ready(lab)
    lab.locator(".st-key-lab_weighting").get_by_role("combobox").click()
    lab.get_by_role("option").nth(2).click()
    ready(lab)
    expect(lab.locator(".bit.flipped")).to_have_count(0)
    blocks = lab.locator(".blk").count()
    lab.get_by_role("slider").first.focus()
    lab.keyboard.press("ArrowRight")
    expect(lab.locator(".blk")).to_have_count(blocks + 1)


def test_worked_examples_open_with_one_click_and_close(lab, ready):
    lab.get_by_role("button", name="例子").click()
    lab.locator(".st-key-lab_example_csdn button").click()
    expect(lab.locator(".lab-answer .yes")).to_have_count(2)
    expect(lab).to_have_url(re.compile("example=csdn"))
    ready(lab)
    lab.locator(".st-key-lab_back button").click()
    expect(lab.locator(".grid")).to_have_count(3)
    lab.get_by_role("button", name="例子").click()
    lab.locator(".st-key-lab_text_near_go button").click()
    expect(box(lab)).to_have_value("the cat sat on the mat")


def test_a_file_is_opened_into_the_other_box(lab, tmp_path, ready):
    path = tmp_path / "text.txt"
    path.write_text("一篇放进来的短文，说的是另一件事。", "utf-8")
    lab.get_by_role("button", name="打开文本").click()
    lab.locator(".st-key-lab_open_side").get_by_text("乙", exact=True).click()
    ready(lab)
    lab.locator(".st-key-lab_open_file input[type=file]").set_input_files(path)
    expect(box(lab, "b")).to_have_value("一篇放进来的短文，说的是另一件事。", timeout=WORK)


def test_picture_and_data_can_be_taken_away(lab):
    lab.get_by_role("button", name="导出图片和数据").click()
    with lab.expect_download() as picture:
        lab.locator(".st-key-lab_svg button").click()
    with lab.expect_download() as data:
        lab.locator(".st-key-lab_json button").click()
    traced = json.loads(Path(data.value.path()).read_text("utf-8"))

    assert Path(picture.value.path()).read_text("utf-8").startswith("<svg")
    assert [text["fingerprint"] for text in traced["texts"]] == [bits(lab, 0), bits(lab, 1)]


def test_markup_that_is_typed_stays_text(lab, ready):
    box(lab).fill("<img src=x onerror=alert(1)> 老师 学生")
    expect(lab.locator(".line").first).to_contain_text("<img src=x")
    ready(lab)
    assert lab.locator("img[src=x]").count() == 0


# ----------------------------------------------------------------------- thresholds


@pytest.fixture
def thresholds(checked, ready) -> Iterator[Page]:
    """The threshold laboratory on the sample essays, without answers before and after."""
    page = checked
    page.get_by_role("link", name="阈值实验室").click()
    expect(page.locator(".strip button").first).to_be_visible(timeout=WORK)
    ready(page)
    clear(page, ready)
    yield page
    clear(page, ready)


def clear(page: Page, ready) -> None:
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


def answered(page: Page, kind: str):
    return page.locator(f".strip button.{kind}")


def test_keys_judge_pairs_and_a_suggestion_is_taken(thresholds, ready):
    page = thresholds
    expect(page.locator(".st-key-lab_take button")).to_be_disabled()
    inside = page.locator(".strip button").evaluate_all(
        "all => Math.max(0, all.findIndex(b => b.classList.contains('border')))"
    )
    total = page.locator(".strip button").count()
    for index in range(total):
        page.keyboard.press("s" if index < inside else "d")
        expect(page.locator(".strip button.open")).to_have_count(total - index - 1)
        ready(page)
    take = page.locator(".st-key-lab_take button")
    expect(take).to_be_enabled()
    k = re.search(r"\d+", take.inner_text()).group()
    take.click()
    ready(page)
    expect(page.get_by_role("slider").first).to_have_value(k)
    expect(take).to_be_disabled()


def test_blind_cells_show_their_place_after_the_answer(thresholds, ready):
    page = thresholds
    expect(answered(page, "open").filter(has_text="?")).to_have_count(
        page.locator(".strip button").count()
    )
    page.keyboard.press("u")
    expect(answered(page, "unsure")).to_have_count(1)
    ready(page)
    page.locator(".st-key-lab_undo button").click()
    expect(answered(page, "unsure")).to_have_count(0)
    ready(page)
    page.get_by_text("盲判").click()
    expect(answered(page, "open").filter(has_text="?")).to_have_count(0)


def test_keys_judge_while_the_slider_has_the_focus(thresholds, ready):
    page = thresholds
    page.get_by_role("slider").first.focus()
    page.keyboard.press("d")
    expect(answered(page, "other")).to_have_count(1)
    ready(page)
    expect(answered(page, "other")).to_have_count(1)


def test_a_cell_opens_its_pair(thresholds, ready):
    page = thresholds
    before = page.locator(".lab-excerpt").all_inner_texts()
    page.locator(".strip button").nth(3).click()
    expect(page.locator(".strip button").nth(3)).to_have_attribute("aria-pressed", "true")
    ready(page)

    assert page.locator(".lab-excerpt").all_inner_texts() != before


def test_the_slider_moves_figures_and_strip(thresholds, ready):
    page = thresholds
    before = page.locator(".strip button").evaluate_all("all => all.map(b => b.ariaLabel)")
    page.get_by_role("slider").first.focus()
    start = time.monotonic()
    page.keyboard.press("Home")
    expect(page.locator(".annotation-text").first).to_contain_text("当前 0 位")
    took = time.monotonic() - start
    ready(page)

    assert took < FLIP_SECONDS
    assert page.locator(".strip button").evaluate_all("all => all.map(b => b.ariaLabel)") != before


def test_answers_go_out_and_come_back(thresholds, ready):
    page = thresholds
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


def test_another_recipe_becomes_a_column(thresholds, ready):
    page = thresholds
    columns = page.locator(".lab-now").first.locator("thead th").count()
    page.locator(".st-key-lab_rival summary").click()
    page.locator(".st-key-rival_go button").click()
    expect(page.locator(".lab-now").first.locator("thead th")).to_have_count(
        columns + 1, timeout=WORK
    )


@pytest.mark.parametrize("which", ["fingerprint", "threshold"])
def test_nothing_stands_in_the_way_of_anyone(which, request, obstacles):
    assert (
        obstacles(request.getfixturevalue("lab" if which == "fingerprint" else "thresholds")) == []
    )


@pytest.mark.browser_context_args(locale="en-GB", viewport={"width": 390, "height": 844})
def test_a_phone_scrolls_only_down(visit, page):
    visit("/fingerprint_lab")
    expect(page.locator(".grid")).to_have_count(3)
    expect(box(page)).not_to_have_value("")  # its script has come
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
