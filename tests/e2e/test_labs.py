"""Both laboratories in a real browser: a sentence plays, bits flip, one line moves."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from pages._ui.fingerprint_lab.page import LEVELS, SENTENCE, WORDS
from simhash_core import Settings
from simhash_core.lab.laboratories import sweep, traces
from simhash_core.storage import Project, Shelf, Subject
from simhash_core.weighting import SCALE
from tests.e2e.access import check_names_and_headings
from tests.e2e.steps import PHONE, SCREEN, WORK, check_id, go, is_cut_off

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


def chapter(page: Page, ready: Ready, place: int) -> None:
    page.locator(".st-key-lab_chapter [role=radio]").nth(place).click()
    ready(page)


# ----------------------------------------------------------------------- a sentence becomes bits


def current(page: Page) -> Locator:
    return page.locator(".walk .frames [aria-current=step]")


def voted(page: Page) -> Locator:
    return page.locator(".walk .word.voted")


def test_a_sentence_plays_to_its_end_and_by_steps(visit, ready, obstacles):
    page = visit("/fingerprint_lab?example=csdn")
    page.emulate_media(reduced_motion="no-preference")
    expect(current(page)).to_have_text(re.compile("^1 ?分词"))
    expect(voted(page)).to_have_count(0)
    assert page.locator(".walk .play").inner_text() == "播放"  # it never starts by itself
    play = page.locator(".walk .play")
    play.click()
    expect(play).to_have_text("停")
    expect(current(page)).to_have_text(re.compile("^4 ?合并"), timeout=15_000)
    expect(voted(page)).not_to_have_count(0)
    expect(current(page)).to_have_text(re.compile("^5 ?降维"), timeout=15_000)
    expect(play).to_have_text("播放")
    expect(voted(page)).to_have_count(11)
    assert page.locator(".walk .answer td").all_inner_texts() == list("101011")
    signs = page.locator(".walk .column b")
    assert set(signs.all_inner_texts()) == {"0", "1"}
    expect(signs.first).to_have_class("final")
    end = "".join(signs.all_inner_texts())

    page.locator(".walk .step").first.click()
    expect(current(page)).to_have_text(re.compile("^4 ?合并"))
    _keys_play_and_step(page)
    page.locator(".walk .word").nth(4).click()  # follow one word
    expect(voted(page)).to_have_count(6)  # one of the five stands twice
    expect(page.locator(".walk .news")).to_contain_text("第 5 个词“法”")
    page.locator(".walk input[type=range]").focus()
    page.keyboard.press("End")
    assert "".join(signs.all_inner_texts()) == end
    assert obstacles(page) == []
    check_names_and_headings(page, "steps")


def _keys_play_and_step(page: Page) -> None:
    """Space and arrows work wherever nobody types."""
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    expect(current(page)).to_have_text(re.compile("^5 ?降维"))
    for _ in range(12):
        page.keyboard.press("ArrowLeft")
    expect(current(page)).to_have_text(re.compile("^3 ?加权"))
    page.keyboard.press("Space")
    expect(page.locator(".walk .play")).to_have_text("停")
    page.keyboard.press("Space")
    expect(page.locator(".walk .play")).to_have_text("播放")


def test_with_reduced_motion_each_press_jumps(visit):
    page = visit("/fingerprint_lab?example=csdn")
    play = page.locator(".walk .play")
    for frame in (2, 3, 4):
        play.click()
        expect(current(page)).to_have_text(re.compile(f"^{frame}"))
        expect(play).to_have_text("播放")
    play.click()
    expect(voted(page)).to_have_count(11)  # all words at once
    expect(current(page)).to_have_text(re.compile("^4"))
    play.click()
    expect(current(page)).to_have_text(re.compile("^5"))
    seconds = page.locator(".walk .bar").first.evaluate("bar => getComputedStyle(bar).transition")
    assert "0.35s" not in seconds
    play.click()
    expect(current(page)).to_have_text(re.compile("^1"))


def marked(page: Page, frame: int) -> list[str]:
    """What stands in the marked column of a frame, counted from 1."""
    frames = page.locator(".walk .frames li")
    return frames.nth(frame - 1).locator("td.mine").all_text_contents()


def test_one_bit_is_followed_through_five_frames(visit, ready, obstacles):
    page = visit("/fingerprint_lab?example=csdn&step=2")
    expect(current(page)).to_have_text(re.compile("^2 ?散列"))
    bit = 22
    column, told = page.locator(".walk .column"), page.locator(".walk [aria-live=polite]")
    column.nth(bit).click()
    given = Settings(bits=64, weighting="levels", levels=LEVELS, user_words=WORDS, min_tokens=1)
    (traced,) = traces((SENTENCE,), settings=given)
    rows = list(dict.fromkeys(piece.row for piece in traced.pieces))
    votes = [int(traced.explanation.votes[row, bit]) // SCALE for row in rows]
    said = [str(vote).replace("-", "−") for vote in votes]
    total = str(sum(votes)).replace("-", "−")

    assert marked(page, 2) == [str(int(vote > 0)) for vote in votes]
    assert marked(page, 3) == said
    assert marked(page, 4) == [*said, total]
    assert marked(page, 5) == [str(int(sum(votes) > 0))]
    assert page.locator(".walk .print .mine").count() == 1
    assert page.locator(".walk .print .here").count() == 16
    expect(told).to_have_text("第 22 位：10 个词里，3 个的散列是 1，7 个是 0。")
    _bit_is_followed_by_keys(page, total)
    assert obstacles(page) == []
    page.set_viewport_size(PHONE)
    assert not is_cut_off(page)
    page.keyboard.press("Escape")
    expect(page.locator(".walk .told")).to_have_count(0)
    assert marked(page, 3) == []
    assert page.locator(".walk .answer td").all_inner_texts() == list("101011")  # the source's own


def _bit_is_followed_by_keys(page: Page, total: str) -> None:
    """It stays while one steps; in the columns the arrows choose another."""
    told, column = page.locator(".walk .told"), page.locator(".walk .column")
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    expect(told).to_have_text(re.compile("第 22 位：赞成共"))
    page.locator(".walk .frames li").nth(4).click()
    expect(told).to_contain_text(f"合计 {total}，所以是 0；在指纹里是第 2 块的第 7 位")
    column.nth(22).focus()
    for key, bit in (("ArrowRight", 23), ("ArrowDown", 39), ("End", 63), ("ArrowUp", 47)):
        page.keyboard.press(key)
        expect(told).to_contain_text(f"第 {bit} 位")
        expect(column.nth(bit)).to_be_focused()
        expect(column.nth(bit)).to_have_attribute("aria-pressed", "true")
    expect(current(page)).to_have_text(re.compile("^5"))  # no step was taken


def test_the_address_says_the_step_and_no_rerun_resets_it(visit, ready):
    page = visit("/fingerprint_lab?step=7")
    expect(current(page)).to_have_text(re.compile("^1"))
    page.locator("h1").click()
    for step in (2, 3, 4):
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(re.compile(rf"[?&]step={step}$"))
    page.keyboard.press("ArrowRight")  # one word has voted
    page.get_by_role("button", name="换一句").click()
    box(page).fill("另一句话，说的是别的事。")
    expect(page.locator(".walk .line")).to_contain_text("别的")
    ready(page)
    expect(current(page)).to_have_text(re.compile("^4"))
    page.reload()
    ready(page)
    expect(current(page)).to_have_text(re.compile("^4"))
    chapter(page, ready, 1)
    expect(page).not_to_have_url(re.compile("step="))


@pytest.mark.browser_context_args(locale="en-GB")
def test_ones_own_sentence_walks_too(visit, ready, obstacles):
    page = visit("/fingerprint_lab")
    page.get_by_role("button", name="Another sentence").click()
    expect(box(page)).not_to_have_value("")
    box(page).fill("<img src=x onerror=alert(1)> the cat sat")
    expect(page.locator(".walk .line")).to_contain_text("onerror")
    ready(page)
    assert page.locator("img[src=x]").count() == 0
    page.keyboard.press("Escape")
    page.set_viewport_size(PHONE)
    for place in range(3):
        chapter(page, ready, place)
        assert not is_cut_off(page), place
    page.set_viewport_size(SCREEN)
    assert obstacles(page) == []


# ----------------------------------------------------------------------- two sentences


def test_a_text_is_typed_and_its_bits_are_followed(visit, ready):
    page = visit("/fingerprint_lab?chapter=bits")
    expect(page.locator(".grid")).to_have_count(3)
    expect(box(page)).not_to_have_value("")  # its script has come
    _typing_flips_bits(page, ready)
    for leave in (False, True):
        _what_is_typed_meanwhile_stays(page, ready, leave)
    _bits_answer(page, ready)


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
    marked = page.locator(".st-key-lab_text_a mark")
    assert "粉笔" in "".join(marked.all_text_contents())
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
    marked = page.locator(".st-key-lab_text_a mark").last
    expect(marked).to_contain_text("黑板")
    expect(box(page)).to_have_value(text + "粉笔和黑板")
    box(page).fill(text)
    expect(marked).not_to_contain_text("黑板")
    ready(page)


def _bits_answer(page: Page, ready: Ready) -> None:
    """A bit shows its voters."""
    cell = page.locator(".grid").first.locator(".bit").nth(5)
    cell.click()
    expect(page.get_by_role("heading", name=re.compile("第 5 位"))).to_be_visible()
    expect(cell).to_have_attribute("aria-pressed", "true")
    ready(page)
    cell.focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name=re.compile("第 6 位"))).to_be_visible()
    ready(page)


def test_a_fourth_flipped_bit_breaks_the_pigeonhole(visit, ready, obstacles):
    page = visit("/fingerprint_lab?chapter=bits")
    expect(box(page)).not_to_have_value("")
    box(page, "b").fill(box(page).input_value())
    pigeon, whole = page.locator(".pigeon"), page.locator(".block.whole")
    expect(whole).to_have_count(4)
    for count in (1, 2, 3):
        page.locator(".st-key-lab_flip button").click()
        expect(whole).to_have_count(4 - count)
        expect(pigeon).to_contain_text(f"{count} 个不同填不满 4 个盒子")
        ready(page)
    last = whole.first.locator(".mine .cell").nth(2)
    last.click()  # any bit of the lower row can be flipped by hand
    expect(whole).to_have_count(0)
    expect(pigeon).to_contain_text("照块查会漏掉这一对")
    expect(page.locator(".block .box .mark")).to_have_count(4)
    ready(page)
    assert sum(x != y for x, y in zip(bits(page), bits(page, 1), strict=True)) == 4
    assert obstacles(page) == []
    page.locator(".st-key-lab_restore button").click()
    expect(whole).to_have_count(4)
    ready(page)


@pytest.mark.browser_context_args(locale="en-GB")
def test_presets_come_to_the_sources_answers(visit, ready):
    page = visit("/fingerprint_lab")
    for name, distance in (("cat_mat", 4), ("scream", 16), ("six_bits", 2), ("five_bits", 3)):
        page.locator(f".st-key-lab_example_{name} button").click()
        expect(page).to_have_url(re.compile(f"example={name}"))
        ready(page)
        expect(page.locator(".xor .bit.differ")).to_have_count(distance)
        expect(page.locator(".lab-answer .yes")).to_be_visible()
    page.locator(".st-key-lab_example_eight_sums button").click()
    expect(page.locator(".walk .sum td")).to_have_count(8)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".walk .answer td")).to_have_text(list("11110011"))
    page.locator(".st-key-lab_example_cat_mat button").click()
    ready(page)
    page.locator(".st-key-lab_back button").click()
    expect(page.locator(".lab-say")).to_contain_text("none of the 64 bits flipped")
    page.locator(".st-key-lab_uniform button").click()
    expect(page.locator(".lab-say")).to_contain_text("1 word differs, so 10 of 64 bits flipped")


# ----------------------------------------------------------------------- thresholds


def test_without_a_check_the_sample_plays_and_one_line_moves(visit, ready, obstacles):
    page = visit("/threshold_lab")
    page.locator(".st-key-lab_sample button").click()
    expect(page.locator(".st-key-lab_play tbody tr")).not_to_have_count(0, timeout=WORK)
    ready(page)
    _line_moves(page, ready)
    assert obstacles(page) == []
    page.set_viewport_size(PHONE)
    assert not is_cut_off(page)


def test_one_line_moves_on_ones_own_check(checked, ready):
    page = checked
    go(page, ready, "threshold_lab")
    expect(page.locator(".st-key-lab_play tbody tr")).not_to_have_count(0, timeout=WORK)
    _line_moves(page, ready)


def decide_pairs(project: Project, *, first: int, count: int) -> None:
    """Decide pairs of a stored check from the nearest on: two confirmed, one no problem."""
    result = project.result()
    assert result is not None
    table, order = result.table.pairs, sweep(result).entry.argsort(kind="stable")
    sides = [
        tuple(result.documents[int(side[row])].id for side in (table.left, table.right))
        for row in order[first : first + count].tolist()
    ]
    for n, (a, b) in enumerate(sides):
        verdict = "no_problem" if n % 3 == 2 else "confirmed"
        project.decide([Subject.pair(a, b)], verdict=verdict)
    project.note_cases(sides)


def test_decisions_of_two_checks_set_the_line_of_the_next(
    checked, ready, obstacles, essays_checked
):
    page, shelf = checked, Shelf(essays_checked[1].parent)
    with contextlib.closing(shelf.open(check_id(page))) as project:
        decide_pairs(project, first=0, count=4)
    with contextlib.closing(shelf.duplicate(essays_checked[1].stem)) as other:
        other.put("name", "九年级 <b>二班</b>")
        decide_pairs(other, first=4, count=8)
    go(page, ready, "threshold_lab")
    expect(page.get_by_text("现在判了 4 案")).to_be_visible()
    page.locator(".st-key-lab_others button").first.click()
    page.locator(".st-key-lab_checks input").click()
    page.get_by_role("option", name="九年级 <b>二班</b>").click()
    expect(page.locator(".lt-lead")).to_contain_text("2 次检测、12 个判断")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.locator(".st-key-lab_choice_all button").click()
    expect(page.locator(".lab-say")).to_contain_text("漏掉 0 个")
    expect(page.locator(".lab-rings i")).to_have_class("vain")
    page.locator(".st-key-lab_use button").click()
    expect(page.get_by_text(re.compile(r"下次检测从 \d+ 位开始"))).to_be_visible()
    page.locator(".st-key-lab_statistics summary").click()
    expect(page.locator(".st-key-lab_compared tbody tr")).to_have_count(4)
    ready(page)
    assert obstacles(page) == []
    check_names_and_headings(page, "threshold_lab")
    page.set_viewport_size(PHONE)
    assert not is_cut_off(page)


def _line_moves(page: Page, ready: Ready) -> None:
    before = page.locator(".st-key-lab_play tbody tr").all_inner_texts()
    page.get_by_role("slider").first.focus()
    start = time.monotonic()
    page.keyboard.press("Home")
    expect(page.locator(".lab-say")).to_contain_text("差 0 位以内算近")
    took = time.monotonic() - start
    ready(page)

    assert took < FLIP_SECONDS
    assert page.locator(".st-key-lab_play tbody tr").all_inner_texts() != before
