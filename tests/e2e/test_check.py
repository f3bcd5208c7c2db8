"""Check in a real browser: real files in, a result out, stopping, hostile names, both languages."""

from __future__ import annotations

import io
import random
import re
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

ESSAYS = Path(__file__).resolve().parents[2] / "sample_docs" / "essays"
WORK = 60_000  # milliseconds for a whole check on a busy machine


def put_in(page: Page, *files: Path | dict[str, object]) -> None:
    """Put files into the first drop zone."""
    box = page.locator(".st-key-files-way input[type=file]")
    box.set_input_files(list(files))


def many_texts(count: int) -> bytes:
    """A zip of texts that share passages, large enough that a check takes some seconds."""
    dice, out = random.Random(7), io.BytesIO()
    words = [
        f"{''.join(dice.choices('bcdfglmnprst', k=4))}{v}" for v in "aeiou" for _ in range(400)
    ]
    shared = [" ".join(dice.choices(words, k=60)) + "." for _ in range(200)]
    with zipfile.ZipFile(out, "w") as archive:
        for number in range(count):
            own = [" ".join(dice.choices(words, k=40)) + "." for _ in range(60)]
            text = "\n".join(dice.sample(own + dice.sample(shared, 20), 80))
            archive.writestr(f"texts/{number:03}.txt", text)
    return out.getvalue()


def test_real_files_become_a_result(visit, page, ready):
    """Three formats are read, Ctrl+Enter starts, the Overview opens by itself."""
    visit("/")
    chosen = [next(ESSAYS.glob(f"*.{suffix}")) for suffix in ("docx", "pdf", "txt")]
    put_in(page, *chosen, *sorted(ESSAYS.glob("*.txt"))[1:3])

    table = page.locator("table").first
    for path in chosen:
        expect(table).to_contain_text(path.name, timeout=WORK)
    expect(page.get_by_role("button", name=re.compile("开始检测 5 篇"))).to_be_enabled()
    page.keyboard.press("Control+Enter")

    expect(page).to_have_url(re.compile("/overview"), timeout=WORK)
    ready(page)
    expect(page.locator(".lt-strip dd").first).to_contain_text("/ 5 篇")


def test_a_folder_keeps_its_relative_names(visit, page, tmp_path):
    for name in ("one", "two"):
        folder = tmp_path / "class" / name
        folder.mkdir(parents=True)
        (folder / "essay.txt").write_text("村口的老槐树今年又开花了。" * 20, "utf-8")
    visit("/")
    page.locator(".st-key-folder-way input[type=file]").set_input_files(tmp_path / "class")

    table = page.locator("table").first
    expect(table).to_contain_text("one/essay.txt", timeout=WORK)
    expect(table).to_contain_text("two/essay.txt")


def let_go(page: Page, path: Path, place: str) -> None:
    """Let a file or folder go over a part of the page, as the browser gets it from the system."""
    page.wait_for_function("window.leitongPage")  # what looks at drops has been loaded
    box = page.locator(place).first.bounding_box()
    assert box is not None
    point = {"x": box["x"] + 20, "y": box["y"] + 10}
    data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
    browser = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", "drop"):
        browser.send("Input.dispatchDragEvent", {"type": kind, **point, "data": data})


@pytest.mark.parametrize("how", ["chosen", "h1", ".st-key-drop-empty", "folder"])
def test_a_file_that_comes_before_the_box_is_empty_again_is_read_too(visit, page, tmp_path, how):
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
    first, second, third = sorted(ESSAYS.glob("*.txt"))[:3]
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
    page.wait_for_function("window.leitongPage.carried[0].files.length === 2")
    held, late = late, None
    for socket, said in held:
        socket.send(said)

    for path in (first, second, third):
        expect(page.locator("table").first).to_contain_text(path.name, timeout=WORK)


@pytest.mark.parametrize("place", ["h1", ".st-key-drop-empty"])
def test_a_folder_that_is_let_go_anywhere_keeps_its_name(visit, page, tmp_path, place):
    folder = tmp_path / "一班"
    for name in "甲乙":
        (folder / name).mkdir(parents=True)
        (folder / name / "作业.txt").write_text(
            f"{name}写了这么一句话，还有一些别的。" * 20, "utf-8"
        )
    visit("/check")
    let_go(page, folder, place)

    expect(page.locator("table").first).to_contain_text("甲/作业.txt", timeout=WORK)


def test_stop_answers_and_keeps_the_texts(visit, page):
    """The job counts as stopped at the click (tests/pages/test_jobs.py); here it is drawn."""
    visit("/")
    put_in(
        page,
        {"name": "all.zip", "mimeType": "application/zip", "buffer": many_texts(160)},
    )
    start = page.get_by_role("button", name=re.compile("开始检测 160 篇"))
    start.click(timeout=WORK)
    stop = page.locator(".st-key-stop_check button")
    expect(stop).to_be_visible()
    page.get_by_role("progressbar").first.wait_for()
    let_go(page, next(ESSAYS.glob("*.txt")), "h1")  # waits: there is no box now
    stop.click()

    expect(page.locator(".lt-caution")).to_contain_text("已停止")
    expect(page.get_by_role("button", name=re.compile("开始检测 161 篇"))).to_be_enabled()


def test_names_from_outside_stay_text(visit, page):
    """A file name is shown as written: nothing in it runs."""
    alerts: list[str] = []
    page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    name = "<img src=x onerror=alert(1)>.txt"
    visit("/")
    put_in(page, {"name": name, "mimeType": "text/plain", "buffer": "你好，世界。".encode() * 40})

    expect(page.locator("td.name")).to_have_text(name, timeout=WORK)
    assert page.locator("td.name img").count() == 0
    assert alerts == []


def test_a_wrong_encoding_can_be_corrected(visit, page):
    text = "今天天氣很好，我們一起去圖書館看書，然後在湖邊散步。" * 8
    visit("/")
    put_in(page, {"name": "b.txt", "mimeType": "text/plain", "buffer": text.encode("big5")})
    page.locator("td.encoding button").click(timeout=WORK)
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".lt-preview")).to_contain_text("天")
    dialog.get_by_role("combobox").click()
    page.get_by_role("option", name="GB18030").click()
    expect(dialog.locator(".lt-preview")).not_to_contain_text("圖書館")
    dialog.get_by_role("button", name=re.compile("GB18030")).click()

    expect(page.locator("td.encoding")).to_contain_text("GB18030", timeout=WORK)


def test_a_dictionary_is_taken_or_refused_and_goes_with_its_file(visit, page):
    visit("/")
    put_in(page, *sorted(ESSAYS.glob("*.txt"))[:2])
    page.locator(".st-key-more button").click(timeout=WORK)
    dialog = page.get_by_role("dialog")
    box, row = dialog.locator("input[type=file]"), dialog.get_by_text("词典里有 2 个词")
    box.set_input_files(
        {"name": "a.txt", "mimeType": "text/plain", "buffer": bytes(range(256)) * 8}
    )
    expect(dialog.get_by_text("这份词典无法使用")).to_be_visible()
    dialog.get_by_role("button", name=re.compile("a.txt")).click()
    expect(dialog.get_by_text("这份词典无法使用")).to_have_count(0)
    box.set_input_files(
        {"name": "b.txt", "mimeType": "text/plain", "buffer": "雷同\n查重".encode()}
    )
    expect(row).to_be_visible()
    dialog.get_by_role("button", name=re.compile("b.txt")).click()
    expect(row).to_have_count(0)


def test_language_switch_changes_page_and_html(visit, page, ready):
    visit("/")
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    page.get_by_role("radio", name="English").or_(
        page.get_by_role("button", name="English")
    ).first.click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Check")
    expect(page.locator("html")).to_have_attribute("lang", "en")


@pytest.mark.browser_context_args(viewport={"width": 1440, "height": 900})
@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_button_stands_in_the_upper_two_thirds(visit, page, language):
    """What starts the check and what it will take are seen without scrolling."""
    visit("/")
    if language == "en":
        page.get_by_text("English", exact=True).click()
    page.locator(".st-key-sample_essays button").click()
    start = page.locator(".st-key-start button")
    expect(start).to_be_visible(timeout=WORK)
    box, zone = start.bounding_box(), page.locator(".st-key-drop").bounding_box()

    assert box is not None and box["y"] + box["height"] < 600
    assert zone is not None and zone["height"] < 60
    expect(page.locator(".st-key-start ~ * .lt-note").first).to_be_in_viewport()


def test_the_upload_box_speaks_the_language_of_the_page(visit, page):
    visit("/")
    box = page.locator(".st-key-drop-empty")
    expect(box.get_by_role("button", name="添加文件夹")).to_be_visible()
    expect(box).not_to_contain_text(re.compile("Upload|per file"), use_inner_text=True)
    page.get_by_text("English", exact=True).click()

    expect(box.get_by_role("button", name="Add a folder")).to_be_visible()
    expect(box).not_to_contain_text("添加")
    expect(page.get_by_role("radio", name=re.compile("Class essays"))).to_be_checked()
    page.get_by_text("简体中文", exact=True).click()
    expect(box.get_by_role("button", name="添加文件夹")).to_be_visible()


def test_the_sample_class_becomes_a_result(visit, page):
    visit("/")
    page.locator(".st-key-sample_class button").click()
    start = page.locator(".st-key-start button")
    expect(start).to_contain_text("34", timeout=WORK)  # of two versions the later
    start.click()

    expect(page).to_have_url(re.compile("overview"), timeout=WORK)
    expect(page.get_by_text("34 篇").first).to_be_visible()


def test_reposts_are_checked_as_reposts(visit, page):
    visit("/")
    page.locator(".st-key-sample_reposts button").click()
    expect(page.locator("table").first).to_be_visible(timeout=WORK)

    expect(page.get_by_role("radio", name=re.compile("转载"))).to_be_checked()


@pytest.mark.parametrize("address", ["/nowhere", "/check"])
def test_an_address_without_a_page_answers_in_the_language_of_the_reader(visit, page, address):
    visit(address)
    title = {"/nowhere": "没有这一页", "/check": "检测"}[address]

    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_test_id("stSidebarNavLink").nth(1).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("总览")


def test_keyboard_focus_is_a_ring(visit, page):
    visit("/")
    link = page.get_by_test_id("stSidebarNavLink").nth(1)
    page.keyboard.press("Tab")
    link.focus()

    expect(link).to_have_css("outline-style", "solid")
    expect(link).to_have_css("outline-width", "2px")


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 844}, has_touch=True)
def test_the_sidebar_of_a_phone_closes_after_a_choice(visit, page):
    visit("/")
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_test_id("stSidebarNavLink").nth(1).click()

    expect(page).to_have_url(re.compile("/overview"))
    expect(page.get_by_test_id("stSidebar")).not_to_be_in_viewport()


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 844})
def test_a_phone_scrolls_only_down(visit, page):
    visit("/")
    page.locator(".st-key-sample_essays button").click()
    expect(page.locator("table").first).to_be_visible(timeout=WORK)

    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    wrap = page.locator(".wrap").first
    assert not wrap.evaluate("wrap => wrap.scrollWidth > wrap.clientWidth")


def test_nothing_stands_in_the_way_of_anyone(visit, page, ready, obstacles):
    """Axe finds nothing on the empty page and on the page of what was read."""
    visit("/")
    assert obstacles(page) == []

    page.locator(".st-key-sample_essays button").click()
    expect(page.locator("table").first).to_be_visible(timeout=WORK)
    ready(page)
    assert obstacles(page) == []


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
        with path.open("wb") as file:
            file.truncate(47_000_000)
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
    assert server.memory_info().rss - before < 60e6
