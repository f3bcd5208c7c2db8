"""Check: files come in by every way, are put right and become a result; a check can be stopped."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
from playwright.sync_api import WebSocketRoute, expect

from simhash_core.text.recognition import recognition_installed
from tests.e2e.access import heard
from tests.e2e.steps import (
    ESSAYS,
    WORK,
    essays,
    every_essay,
    file,
    let_go,
    many_texts,
    put_in,
    start_button,
)

HOSTILE = "<img src=x onerror=alert(1)>.txt"
BIG5 = "今天天氣很好，我們一起去圖書館看書，然後在湖邊散步。" * 8
SCAN = ESSAYS.parent / "sources" / "class" / "zh" / "scan.jpg"


def class_folder(folder: Path) -> Path:
    """Make a folder of one text from each of two authors, who share a passage."""
    shared = "那年冬天我们在灯下读完了那本旧书，谁也没有说话，只听见雪落在瓦上。" * 3
    for name, own in (("甲", "山里的秋天来得早，" * 9), ("乙", "码头上的人各自忙着，" * 9)):
        (folder / name).mkdir(parents=True)
        (folder / name / "作业.txt").write_text(own + shared, "utf-8")
    return folder


def test_files_of_all_kinds_are_put_right_and_become_a_result(visit, page, ready, tmp_path):
    """Three formats, a folder, a hostile name, a wrong encoding; the language changed before."""
    alerts: list[str] = []
    page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    visit("/check")
    expect(page.locator("[data-testid=stFileUploaderDropzoneInput]").first).to_have_attribute(
        "aria-hidden", "true"
    )
    assert not [one for one in heard(page) if "No file chosen" in one.name]
    table = page.locator("table").first
    chosen = [next(ESSAYS.glob(f"*.{suffix}")) for suffix in ("docx", "pdf", "txt")]
    big5: dict = {**file("b.txt", ""), "buffer": BIG5.encode("big5")}
    scan = [] if recognition_installed() else [SCAN]
    put_in(page, *chosen, *scan)
    for path in chosen:
        expect(table).to_contain_text(path.name, timeout=WORK)
    if scan:
        expect(table).to_contain_text("扫描件")
    ready(page)
    put_in(page, file(HOSTILE, "你好，世界。" * 40), big5)
    expect(page.locator("td.f-name", has_text="onerror")).to_have_text(HOSTILE)
    assert page.locator("td.name img").count() == 0
    ready(page)
    page.locator(".st-key-folder-way input[type=file]").set_input_files(
        class_folder(tmp_path / "一班")
    )
    expect(table).to_contain_text("甲/作业.txt", timeout=WORK)
    expect(table).to_contain_text("乙/作业.txt")
    ready(page)

    row = table.locator("tr", has_text="b.txt")
    row.locator("td.f-encoding button").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".lt-preview")).to_contain_text("天")
    dialog.get_by_role("combobox").click()
    page.get_by_role("option", name="GB18030").click()
    expect(dialog.locator(".lt-preview")).not_to_contain_text("圖書館")
    dialog.get_by_role("button", name=re.compile("GB18030")).click()
    expect(row.locator("td.f-encoding")).to_contain_text("GB18030", timeout=WORK)
    ready(page)
    expect(start_button(page)).to_contain_text("7 篇")
    page.get_by_text("English", exact=True).click()
    expect(start_button(page)).to_contain_text("7 texts")
    page.get_by_text("简体中文", exact=True).click()  # which has the focus now
    expect(start_button(page)).to_contain_text("7 篇")
    ready(page)
    page.evaluate(
        "new MutationObserver(() => (window.saidSoFar ??= []).push("
        "...[...document.querySelectorAll('.lt-unseen')].map((one) => one.textContent)))"
        ".observe(document.body, {subtree: true, childList: true})"
    )
    page.keyboard.press("Control+Enter")
    expect(page).to_have_url(re.compile("/results"), timeout=WORK)
    ready(page)
    expect(page.locator(".lt-unseen p").last).to_have_text(
        "7 篇里，2 篇有些文字只和个别几篇相同，或整篇相同。其余 5 篇没有只和个别几篇相同的文字。"
    )
    assert any(one and "正在检测" in one for one in page.evaluate("window.saidSoFar"))
    assert alerts == []


def test_what_is_let_go_anywhere_reaches_check(visit, page, ready, tmp_path):
    """On the heading, on the box, on another page; beside the box of another page nothing."""
    folder, table = class_folder(tmp_path / "一班"), page.locator("table").first
    visit("/library")
    page.get_by_role("button", name="加入文本").click()
    expect(page.get_by_test_id("stFileUploaderDropzone").first).to_be_visible()
    ready(page)
    let_go(page, essays(1)[0], "[role=dialog]")
    ready(page)
    expect(page).to_have_url(re.compile("/library"))
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)

    for place, link, title in (("h1", 3, "指纹实验室"), ("h1", 4, "阈值实验室"), ("h1", 0, "看看"),
                               (".st-key-door-class", 0, "看看")):  # fmt: skip
        page.locator("[data-testid=stSidebarNav] a").nth(link).click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(title)
        ready(page)
        let_go(page, folder, place)
        expect(table).to_contain_text("甲/作业.txt", timeout=WORK)
        expect(page.get_by_role("heading", level=1)).to_contain_text("一班")
        ready(page)
        page.locator(".st-key-clear button").click()
        expect(page.locator(".st-key-doors")).to_be_visible()
        ready(page)


def test_files_that_come_before_the_box_is_empty_again_are_read_too(visit, page, ready, tmp_path):
    """What the server says arrives late: the reader still sees the box of the first file."""
    late: list[tuple[WebSocketRoute, str | bytes]] | None = None

    def connect(socket: WebSocketRoute) -> None:
        def hand_on(said: str | bytes) -> None:
            if late is None:
                socket.send(said)
            else:
                late.append((socket, said))

        socket.connect_to_server().on_message(hand_on)

    page.route_web_socket(re.compile("/_stcore/stream"), connect)
    visit("/check")
    first, second, third, *_ = essays(4)
    for how in ("chosen", "h1", ".st-key-door-class", "folder"):
        with page.expect_response(re.compile("/_stcore/upload_file/")):
            put_in(page, first)
        late = []
        for path in (second, third):
            if how == "chosen":
                put_in(page, path)
            elif how == "folder":
                (tmp_path / path.stem).mkdir()
                (tmp_path / path.stem / path.name).write_bytes(path.read_bytes())
                let_go(page, tmp_path / path.stem, "h1")
            else:
                let_go(page, path, how)
        page.wait_for_function("window.leitongPage.carried[0]?.files.length === 2")
        held, late = late, None
        for socket, said in held:
            socket.send(said)
        for path in (first, second, third):
            expect(page.locator("table").first, how).to_contain_text(path.name, timeout=WORK)
        ready(page)
        page.locator(".st-key-clear button").click()
        expect(page.locator(".st-key-doors")).to_be_visible()
        ready(page)


def test_a_check_that_runs_is_asked_about_listed_and_stopped(visit, page, ready):
    """A reload finds reading and checking; what is let go waits; the job stops at the click."""
    warns, stop = page.locator('[data-lt-warns="1"]'), page.locator(".st-key-stop_check button")
    visit("/")
    put_in(page, many_texts(120))
    expect(page).to_have_url(re.compile("check="), timeout=WORK)
    page.reload()
    expect(start_button(page)).to_have_text(re.compile("120 篇"), timeout=WORK)
    expect(warns).to_have_count(0)

    start_button(page).click()
    expect(stop).to_be_visible()
    page.reload()
    expect(stop).to_be_visible(timeout=WORK)
    page.get_by_role("progressbar").first.wait_for()
    expect(warns).to_have_count(1)
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.close(run_before_unload=True)
    expect(stop).to_be_visible()
    assert asked == ["beforeunload"]
    let_go(page, essays(1)[0], "h1")  # waits: there is no box now
    stop.click()
    expect(page.locator(".lt-caution")).to_contain_text("已停止", timeout=WORK)
    expect(start_button(page)).to_have_text(re.compile("检测 121 篇"))
    expect(warns).to_have_count(0)

    ready(page)
    start_button(page).click()
    expect(stop).to_be_visible()
    page.get_by_role("button", name="新的检测").click()
    row = page.locator("table tbody tr").first
    expect(row).to_have_class("running")
    expect(row).not_to_have_class("running", timeout=WORK)
    expect(row).to_contain_text("案，未开始")
    row.locator("button.open").click()
    expect(page).to_have_url(re.compile("/results.*check="), timeout=WORK)
    ready(page)
    expect(page.locator(".lt-headline")).to_contain_text("121 篇")


@pytest.mark.browser_context_args(viewport={"width": 1440, "height": 900})
def test_the_page_speaks_the_language_of_the_reader_and_needs_no_scrolling(
    visit, page, ready, obstacles
):
    visit("/nowhere")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("没有这一页")
    expect(page.get_by_role("dialog")).to_have_count(0)
    link = page.get_by_test_id("stSidebarNavLink").nth(1)
    link.click()
    expect(heading).to_have_text("文库")
    page.keyboard.press("Tab")
    link.focus()
    expect(link).to_have_css("outline-style", "solid")
    expect(link).to_have_css("outline-width", "2px")
    page.get_by_test_id("stSidebarNavLink").first.click()
    expect(heading).to_have_text("把文字放进来，看看有没有雷同")
    box = page.locator(".st-key-doors")
    expect(box.get_by_role("button", name="选文件夹")).to_be_visible()
    expect(box).not_to_contain_text(re.compile("Upload|per file"), use_inner_text=True)
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    assert obstacles(page) == []
    page.emulate_media(color_scheme="light")

    page.get_by_text("English", exact=True).click()
    expect(heading).to_have_text("Put texts in and see what they share")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(box.get_by_role("button", name="A folder")).to_be_visible()
    expect(box).not_to_contain_text(re.compile("添加|放入"))
    ready(page)
    put_in(page, *every_essay())
    start = start_button(page)
    expect(start).to_be_visible(timeout=WORK)
    for language in ("en", "zh"):
        if language == "zh":
            page.get_by_text("简体中文", exact=True).click()
            expect(start).to_contain_text("检测 22 篇")
        ready(page)
        expect(start).to_be_in_viewport()
        expect(page.locator(".st-key-slots")).to_be_in_viewport()
    page.locator(".st-key-more summary").click()
    kind = page.locator(".st-key-set_kind").get_by_role("radio", name=re.compile("作文"))
    expect(kind).to_be_checked()
    assert obstacles(page) == []
    page.locator(".st-key-slot_list button").first.click()
    page.locator(".st-key-people button").click()
    people = page.get_by_role("dialog")
    expect(people.get_by_test_id("stDataFrame")).to_be_visible(timeout=WORK)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")  # the box of the slot that it was opened from
    expect(people).to_have_count(0)


def server_of(address: str) -> psutil.Process:
    """Return the process that listens at an address."""
    port = urlsplit(address).port
    return next(
        psutil.Process(each.pid)
        for each in psutil.net_connections("tcp")
        if each.status == psutil.CONN_LISTEN and each.laddr.port == port and each.pid
    )


def test_files_that_are_too_much_together_are_refused_as_they_arrive(
    visit, page, base_url, tmp_path
):
    """Eight files of 47 MB: six fit, then none is kept, and their memory is given back."""
    files = [tmp_path / f"{number}.txt" for number in range(8)]
    for path in files:
        with path.open("wb") as out:
            out.truncate(47_000_000)
    server, most = server_of(base_url), 0
    visit("/")
    before = server.memory_info().rss
    put_in(page, *files)
    told = page.get_by_text(re.compile("没有放入"))
    for _ in range(600):
        most = max(most, server.memory_info().rss)
        if told.count():
            break
        page.wait_for_timeout(200)

    expect(told).to_be_visible()
    expect(page.get_by_text(re.compile("8 份"))).to_be_visible()
    assert most - before < 700e6  # about twice what is taken in at once
    for _ in range(100):
        if server.memory_info().rss - before < 60e6:
            break
        page.wait_for_timeout(100)
    else:
        raise AssertionError("the memory is not given back")
