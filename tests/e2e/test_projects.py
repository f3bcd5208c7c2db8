"""Checks last: reload, second tab, deep link, restarted server, another owner, nothing kept."""

from __future__ import annotations

import io
import random
import re
import zipfile
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from simhash_core import Document
from simhash_core.app import tickets
from simhash_core.app.server import free_port, serving
from simhash_core.storage import Shelf, owner_folder, owner_key

ESSAYS = Path(__file__).resolve().parents[2] / "sample_docs" / "essays"
CODES = ("utf-8", "utf-16-le", "gb18030")
WORK = 240_000  # milliseconds for a whole check on a busy machine
pytestmark = pytest.mark.timeout(900)


def put_in(page: Page, *files: Path | dict[str, object]) -> None:
    box = page.locator(".st-key-files-way input[type=file]")
    box.set_input_files(list(files))


def essays(count: int) -> list[Path]:
    return [path for path in sorted(ESSAYS.iterdir()) if path.suffix == ".txt"][:count]


def many_texts(count: int) -> dict[str, object]:
    """A zip of texts that share passages, enough of them that a check takes some seconds."""
    dice, out = random.Random(7), io.BytesIO()
    english = [path.read_text("utf-8") for path in essays(9) if path.name.isascii()]
    words = sorted({word for text in english for word in re.findall(r"\b[a-z]{3,}\b", text)})
    shared = [" ".join(dice.choices(words, k=12)) + "." for _ in range(200)]
    with zipfile.ZipFile(out, "w") as archive:
        for number in range(count):
            mine = [" ".join(dice.choices(words, k=12)) + "." for _ in range(30)]
            text = "\n".join(dice.sample(mine + dice.sample(shared, 10), 40))
            archive.writestr(f"texts/{number:03}.txt", text)
    return {"name": "all.zip", "mimeType": "application/zip", "buffer": out.getvalue()}


def check_id(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query).get("check", [""])[0]


def start_button(page: Page):
    return page.get_by_role("button", name=re.compile("开始检测"))


def checked(page: Page, ready, *files: Path) -> str:
    """Check some essays; return the address of the Overview."""
    put_in(page, *(files or essays(4)))
    start_button(page).click(timeout=WORK)
    expect(page).to_have_url(re.compile("/overview"), timeout=WORK)
    ready(page)
    expect(page).to_have_url(re.compile("check="))
    return page.url


def strip(page: Page) -> list[str]:
    expect(page.locator(".lt-strip dd").first).to_be_visible(timeout=WORK)
    return page.locator(".lt-strip dd").all_inner_texts()


@pytest.fixture
def stranger(browser: Browser, browser_context_args, base_url):
    """A page of another browser profile."""
    context = browser.new_context(**browser_context_args)
    yield context.new_page()
    context.close()


def test_reload_second_tab_and_link_come_back_to_the_same_place(visit, page, ready):
    visit("/")
    address = checked(page, ready)
    numbers = strip(page)
    page.reload()
    ready(page)
    assert strip(page) == numbers
    assert page.url == address
    second = page.context.new_page()
    second.goto(address)
    ready(second)
    assert strip(second) == numbers
    second.goto(f"/compare?a=0&b=1&check={check_id(page)}")
    ready(second)
    expect(second.locator(".lt-strip dd").first).to_be_visible()
    second.goto(f"/?check={check_id(page)}")
    ready(second)
    expect(second.locator("table").first).to_contain_text(essays(1)[0].name)


def test_going_back_does_not_stay_on_the_page(visit, page, ready):
    """The address gets its check without an entry of its own in the history."""
    visit("/")
    checked(page, ready)
    page.get_by_test_id("stSidebarNavLink").filter(has_text="文本簇").click()
    expect(page).to_have_url(re.compile(r"/clusters\?.*check="))
    ready(page)
    page.go_back()
    expect(page).to_have_url(re.compile(r"/overview\?.*check="))
    ready(page)
    assert strip(page)


def test_reload_while_files_are_read(visit, page, ready):
    visit("/")
    put_in(page, many_texts(300))
    expect(page).to_have_url(re.compile("check="), timeout=WORK)
    page.reload()

    expect(start_button(page)).to_have_text(re.compile("300 篇"), timeout=WORK)


def test_reload_while_a_check_runs(visit, page, ready):
    visit("/")
    put_in(page, many_texts(60))
    start_button(page).click(timeout=WORK)
    expect(page.locator(".st-key-stop_check button")).to_be_visible(timeout=WORK)
    page.reload()

    expect(page.locator(".st-key-stop_check button")).to_be_visible(timeout=WORK)
    expect(page).to_have_url(re.compile("/overview"), timeout=WORK)
    ready(page)
    expect(page.locator(".lt-strip dd").first).to_contain_text("60 篇")


def test_another_owner_sees_nothing(visit, page, ready, stranger, base_url):
    visit("/")
    address = checked(page, ready)
    stranger.goto(address)
    expect(stranger.locator("h1")).to_have_text("这里没有这次检测")
    stranger.goto(f"{base_url}/?check={check_id(page)}")
    expect(stranger.locator("h1")).to_have_text("这里没有这次检测")
    stranger.goto(base_url)
    ready(stranger)
    expect(stranger.get_by_text("高一")).to_have_count(0)
    assert essays(1)[0].name not in stranger.content()


def test_restarted_server_comes_back_to_the_same_place(
    browser: Browser, browser_context_args, tmp_path, monkeypatch, ready
):
    monkeypatch.setenv("LEITONG_DATA", str(tmp_path / "data"))
    port = free_port()
    context = browser.new_context(**browser_context_args)
    page = context.new_page()
    with serving(port, log=tmp_path / "first.txt") as server:
        page.goto(server.url)
        address = checked(page, ready)
        numbers = strip(page)
        page.goto("about:blank")
    with serving(port, log=tmp_path / "second.txt"):
        page.goto(address)
        ready(page)
        assert strip(page) == numbers
        assert page.url == address
    context.close()


def test_half_done_check_is_offered_again_after_a_restart(
    browser: Browser, browser_context_args, tmp_path, monkeypatch, ready
):
    monkeypatch.setenv("LEITONG_DATA", str(tmp_path / "data"))
    port = free_port()
    context = browser.new_context(**browser_context_args)
    page = context.new_page()
    with serving(port, log=tmp_path / "first.txt") as server:
        page.goto(server.url)
        put_in(page, many_texts(60))
        start_button(page).click(timeout=WORK)
        expect(page.locator(".st-key-stop_check button")).to_be_visible(timeout=WORK)
        address = page.url
        server.process.kill()
        server.process.wait()
    with serving(port, log=tmp_path / "second.txt"):
        page.goto(address)
        ready(page)
        expect(page.get_by_text("中断")).to_be_visible()
        page.get_by_role("button", name="继续检测").click()
        expect(page).to_have_url(re.compile("/overview"), timeout=WORK)
        ready(page)
        expect(page.locator(".lt-strip dd").first).to_contain_text("60 篇")
    context.close()


def test_keep_nothing_leaves_no_byte_and_asks_before_leaving(
    browser: Browser, browser_context_args, tmp_path, monkeypatch, ready
):
    """Every folder that the server could write to is searched, before and after the tab is gone."""
    folders = {"LEITONG_DATA": "data", "LEITONG_STATE": "state", "TMPDIR": "temporary"}
    for variable, name in folders.items():
        (tmp_path / name).mkdir()
        monkeypatch.setenv(variable, str(tmp_path / name))
    dice = random.Random(5)
    marker = "".join(chr(dice.randrange(0x4E00, 0x9FA5)) for _ in range(400))
    files = [
        {"name": f"{name}.txt", "mimeType": "text/plain", "buffer": (marker + name * 60).encode()}
        for name in ("甲乙丙", "丁戊己")
    ]
    context = browser.new_context(**browser_context_args)
    page = context.new_page()
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    with serving(log=tmp_path / "log.txt") as server:
        page.goto(server.url)
        ready(page)
        page.get_by_text("什么都不留存", exact=True).click()
        expect(page.locator(".lt-lead")).to_contain_text("什么都不留存")
        put_in(page, *files)
        start_button(page).click(timeout=WORK)
        expect(page).to_have_url(re.compile("/overview"), timeout=WORK)
        ready(page)
        assert strip(page)
        assert "check=" not in page.url
        assert written(tmp_path, marker) == []
        page.reload()
        ready(page)
        assert asked == ["beforeunload"]
        expect(page.locator(".lt-strip")).to_have_count(0)
        assert written(tmp_path, marker) == []
    context.close()
    assert written(tmp_path, marker) == []
    assert list((tmp_path / "data").rglob("*.leitong*")) == []


def written(folder: Path, marker: str) -> list[Path]:
    """Return the files that hold any part of a text, in the encodings it could be written in."""
    parts = [marker[at : at + 8].encode(code) for at in (0, 200, 390) for code in CODES]
    return [
        path
        for path in folder.rglob("*")
        if path.is_file() and any(part in path.read_bytes() for part in parts)
    ]


def test_recent_checks_are_opened_renamed_and_deleted(visit, page, ready):
    visit("/")
    checked(page, ready)
    page.get_by_test_id("stSidebarNavLink").first.click()
    page.get_by_role("button", name="新的检测").click()
    ready(page)
    row = page.locator("table tbody tr").first
    expect(row).to_contain_text("4 篇")
    row.locator("button.rename").click()
    row.get_by_role("textbox").fill("高一（3）班")
    page.keyboard.press("Enter")
    expect(page.locator("table tbody tr").first).to_contain_text("高一（3）班")
    page.locator("table tbody tr button.delete").first.click()
    page.get_by_role("button", name="撤回").click()
    expect(page.locator("table tbody tr").first).to_contain_text("高一（3）班")
    page.locator("table tbody tr button.open").first.click()

    expect(page).to_have_url(re.compile("/overview.*check="))
    expect(page.locator(".lt-lead")).to_contain_text("高一（3）班")


def test_check_that_runs_is_listed_with_its_progress(visit, page, ready):
    visit("/")
    put_in(page, many_texts(60))
    start_button(page).click(timeout=WORK)
    expect(page.locator(".st-key-stop_check button")).to_be_visible(timeout=WORK)
    page.get_by_role("button", name="新的检测").click()
    row = page.locator("table tbody tr").first
    expect(row).to_have_class("running")
    expect(row).not_to_have_class("running", timeout=WORK)
    expect(row).to_contain_text("案，未开始")
    row.locator("button.open").click()

    expect(page).to_have_url(re.compile("/overview.*check="))
    ready(page)
    expect(page.locator(".lt-strip dd").first).to_contain_text("60 篇")


def test_a_project_file_of_a_colleague_opens_there(visit, page, ready, stranger, base_url):
    visit("/")
    checked(page, ready)
    page.get_by_test_id("stSidebarNavLink").first.click()
    page.get_by_role("button", name="新的检测").click()
    ready(page)
    page.locator("table tbody tr button.copy").first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("下载")).click()
    path = download.value.path()
    stranger.goto(base_url)
    ready(stranger)
    put_in(
        stranger,
        {
            "name": "班级.leitong",
            "mimeType": "application/octet-stream",
            "buffer": path.read_bytes(),
        },
    )
    expect(stranger).to_have_url(re.compile("check="), timeout=WORK)
    stranger.goto(stranger.url.replace("/?", "/overview?"))
    ready(stranger)

    assert strip(stranger) != []


def test_ticket_of_the_launcher_shows_the_checks_of_the_user(
    browser: Browser, browser_context_args, tmp_path, monkeypatch, ready
):
    """The command line and the browser that `leitong app` opens see the same checks."""
    monkeypatch.setenv("LEITONG_DATA", str(tmp_path / "data"))
    project = Shelf(owner_folder(owner_key())).create(name="从命令行来")
    project.save_documents([Document.from_text("一段文字。" * 40, name="甲.txt")])
    project.close()
    monkeypatch.setenv("LEITONG_STATE", str(tmp_path / "state"))
    context = browser.new_context(**browser_context_args)
    page = context.new_page()
    with serving(log=tmp_path / "log.txt") as server:
        page.goto(server.url)
        ready(page)
        expect(page.get_by_text("从命令行来")).to_have_count(0)
        page.goto(f"{server.url}/#ticket={'u' * 43}")
        expect(page.locator("h1")).to_have_text("这个地址已经失效")
        page.goto(tickets.issue(f"{server.url}/").page.as_uri())
        expect(page.locator("table tbody tr")).to_contain_text("从命令行来")
        expect(page).not_to_have_url(re.compile("ticket"))
        page.goto(server.url)
        expect(page.locator("table tbody tr")).to_contain_text("从命令行来")
    context.close()
