"""Results in a real browser: lists and readers, old addresses, a late text, the fold of figures."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.steps import WORK, check_id, essays, file, go, open_figures

CASE, PAIR, TEXT = (re.compile(rf"/results\?.*{name}=\w+") for name in ("case", "pair", "text"))
ROW = "table.pairs tbody tr"


def figure_says(page: Page, text: str) -> None:
    expect(page.locator(".annotation-text").first).to_contain_text(text)


def choose_list(page: Page, ready, name: str) -> None:
    """Show the cases, the pupils or the groups."""
    page.get_by_role("radio", name=re.compile(f"^{name}")).click()
    ready(page)


def test_a_row_opens_its_reader_and_escape_returns_to_the_list(checked, ready):
    """Cases and pupils by keys, steps to both sides, a box over the page, print, the nearest."""
    page, rows = checked, checked.locator(ROW)
    expect(page).to_have_title("结果 · 雷同 Leitong")
    expect(page.locator("body > .lt-unseen p")).not_to_have_count(0)
    expect(rows.first).to_be_visible()
    expect(rows.first.locator(".tones .hold-2")).to_have_count(1)

    button = page.locator(".st-key-export button").first
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="导出")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("!!document.activeElement.closest('[data-testid=stPopoverBody]')")
    page.keyboard.press("Escape")
    expect(button).to_be_focused()

    page.emulate_media(media="print")
    head = page.locator("h1").bounding_box()
    assert head is not None and head["y"] >= 0
    for left_out in ("stSidebar", "stHeader"):
        expect(page.get_by_test_id(left_out)).to_be_hidden()
    expect(rows.first.locator(".tones")).to_be_visible()
    page.emulate_media(media="screen")

    rows.first.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(CASE, timeout=WORK)
    expect(page.locator(".reader .text p").first).to_be_visible(timeout=WORK)
    ready(page)
    expect(page.locator("body > .lt-unseen p").first).to_contain_text("与")
    first = page.url
    page.keyboard.press("j")
    expect(page).not_to_have_url(first)
    ready(page)
    page.keyboard.press("k")
    expect(page).to_have_url(first)
    ready(page)
    page.keyboard.press("Escape")
    expect(rows.first).to_be_visible(timeout=WORK)
    expect(page).not_to_have_url(CASE)

    choose_list(page, ready, "学生")
    pupils = page.locator("table.pupils tbody tr")
    pupils.first.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(TEXT, timeout=WORK)
    expect(page.locator(".sources .source").first).to_be_visible(timeout=WORK)
    ready(page)
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("view=pupils"), timeout=WORK)
    pupils.first.get_by_role("button", name=re.compile("案")).click()
    expect(page).to_have_url(CASE, timeout=WORK)
    ready(page)
    page.get_by_role("button", name="全部学生").click()
    expect(pupils.first).to_be_visible(timeout=WORK)

    open_figures(page, ready)
    nearest = page.locator("[class*=st-key-nearest] tbody tr")
    names = [one.get_attribute("title") for one in nearest.first.locator(".name").all()]
    assert len(names) == 2
    nearest.first.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(PAIR, timeout=WORK)
    for name in names:
        expect(page.locator("h1")).to_contain_text(name)


def test_the_threshold_moves_everything_and_is_kept(checked, ready):
    """On the way to a pair and back."""
    page, slider = checked, checked.get_by_role("slider").first
    open_figures(page, ready)
    clusters = page.locator(".lt-strip dd").nth(3)
    slider.focus()
    page.keyboard.press("Home")
    figure_says(page, "阈值 0 位")
    ready(page)
    before = clusters.inner_text()
    page.keyboard.press("End")
    expect(page.locator(".annotation-text").first).not_to_contain_text("阈值 0 位")
    expect(clusters).not_to_have_text(before)
    ready(page)
    moved = str(int(slider.input_value()) - 1)
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value(moved)
    figure_says(page, f"阈值 {moved} 位")
    ready(page)
    page.locator(ROW).first.click()
    expect(page).to_have_url(CASE, timeout=WORK)
    ready(page)
    page.go_back()
    expect(page.locator(ROW).first).to_be_visible(timeout=WORK)
    ready(page)
    open_figures(page, ready)
    expect(slider).to_have_value(moved)
    go(page, ready, "threshold_lab")
    expect(slider).to_have_value(moved)


def test_addresses_of_before_lead_to_their_new_places(checked, visit):
    """Bookmarks and reports that were written under the old names stay good."""
    key = check_id(checked)
    for old, new, shown in (
        ("overview?", re.compile("/results"), ROW),
        ("document?d=0&", TEXT, ".sources"),
        ("compare?a=7&b=20&", re.compile("pair=7(,|%2C)20"), ".reader .text p"),
        ("clusters?", re.compile("view=groups"), ".st-key-alike_as_whole"),
        ("variants?", re.compile("view=groups"), ".st-key-alike_as_whole"),
    ):
        page = visit(f"/{old}check={key}")
        expect(page).to_have_url(new, timeout=WORK)
        assert check_id(page) == key
        expect(page.locator(shown).first).to_be_visible(timeout=WORK)


def test_a_late_text_arrives_and_every_case_keeps_its_number(checked, ready):
    """The dialog takes the file, the check goes on by itself, the new case comes behind."""
    page = checked
    before = _list_cases(page)
    late = essays(20)[-1].read_text("utf-8")
    page.locator(".st-key-add button").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[type=file]").set_input_files(file("迟交-王小明.txt", late))
    dialog.locator(".st-key-add_start button:enabled").click(timeout=WORK)
    expect(page.locator(ROW, has_text="王小明").first).to_be_visible(timeout=WORK)
    ready(page)
    after = _list_cases(page)
    assert before.items() <= after.items()
    assert min(after.keys() - before.keys()) > max(before)


def _list_cases(page: Page) -> dict[int, str]:
    """Return the names of each pair of the list by the number of its case."""
    expect(page.locator(ROW).first).to_be_visible(timeout=WORK)
    numbers, names = (page.locator(f"{ROW} td.f-{one}") for one in ("number", "pair"))
    return dict(zip(map(int, numbers.all_inner_texts()), names.all_inner_texts(), strict=True))
