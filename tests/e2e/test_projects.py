"""Checks last: reload, second tab, deep link, restarted server, another owner, nothing kept."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from simhash_core.app.server import free_port, run_server
from tests.e2e.steps import (
    WORK,
    check_files,
    check_id,
    essays,
    file,
    go,
    many_texts,
    put_in,
    start_button,
)

CODES = ("utf-8", "utf-16-le", "gb18030")
Ready = Callable[..., None]
pytestmark = pytest.mark.timeout(900)


def found(page: Page) -> str:
    """Return the sentence of a check."""
    expect(page.locator(".lt-headline")).to_be_visible(timeout=WORK)
    return page.locator(".lt-headline").inner_text()


def test_a_check_is_found_again_by_its_owner_alone(
    visit, page, ready, base_url, browser, browser_context_args
):
    """Reload, second tab, link, back; the list of checks; the file of it at a colleague's."""
    visit("/")
    address = check_files(page, ready, *essays(4))
    expect(page).to_have_url(re.compile("check="))
    numbers, key, address = found(page), check_id(page), page.url
    page.reload()
    ready(page)
    assert found(page) == numbers
    assert page.url == address
    go(page, ready, "review")  # the address gets its check without an entry in the history
    expect(page).to_have_url(re.compile("check="))
    page.go_back()
    expect(page).to_have_url(re.compile(r"/results\?.*check="))
    ready(page)
    assert found(page)
    second = page.context.new_page()
    second.goto(address)
    ready(second)
    assert found(second) == numbers
    second.goto(f"/results?pair=0,1&check={key}")
    ready(second)
    expect(second.locator(".reader .text p").first).to_be_visible()
    second.goto(f"/?check={key}")
    ready(second)
    expect(second.locator("table").first).to_contain_text(essays(1)[0].name)
    second.close()

    context = browser.new_context(**browser_context_args)
    stranger = context.new_page()
    for theirs in (address, f"{base_url}/?check={key}"):
        stranger.goto(theirs)
        expect(stranger.locator("h1")).to_have_text("这里没有这次检测")
    stranger.goto(base_url)
    ready(stranger)
    expect(stranger.get_by_text("高一")).to_have_count(0)
    assert essays(1)[0].name not in stranger.content()

    path = _is_listed_renamed_and_copied(page, ready)
    put_in(stranger, {**file("班级.leitong", ""), "buffer": path.read_bytes()})
    expect(stranger).to_have_url(re.compile("check="), timeout=WORK)
    stranger.goto(stranger.url.replace("/?", "/results?"))
    ready(stranger)
    assert found(stranger) == numbers
    context.close()


def _is_listed_renamed_and_copied(page: Page, ready: Ready) -> Path:
    """Rename the check in the list, delete it and take that back, open it; return its file."""
    page.get_by_test_id("stSidebarNavLink").first.click()
    page.get_by_role("button", name="新的检测").click()
    ready(page)
    row = page.locator("table tbody tr").first
    expect(row).to_contain_text("4 篇")
    row.locator("button.rename").click()
    row.get_by_role("textbox").fill("高一（3）班")
    page.keyboard.press("Enter")
    expect(row).to_contain_text("高一（3）班")
    row.locator("button.copy").click()
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("下载")).click()
    page.keyboard.press("Escape")
    row.locator("button.delete").click()
    page.get_by_role("button", name="撤回").click()
    expect(row).to_contain_text("高一（3）班")
    row.locator("button.open").click()
    expect(page).to_have_url(re.compile("/results.*check="))
    expect(page.locator("h1")).to_have_text("高一（3）班")
    return Path(download.value.path())


def test_half_done_check_is_offered_again_after_a_restart(
    browser, browser_context_args, tmp_path, monkeypatch, ready
):
    """After `kill -9` the waiting page comes back by itself; a finished check is where it was."""
    monkeypatch.setenv("LEITONG_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("LEITONG_STATE", str(tmp_path / "state"))
    port = free_port()
    context = browser.new_context(**browser_context_args)
    context.add_init_script(
        """window.shownLinks = new Set();
        const look = () => document.querySelectorAll('[data-testid=stSidebarNavLink]')
          .forEach((link) => window.shownLinks.add(link.innerText.trim()));
        const all = { childList: true, subtree: true, characterData: true };
        new MutationObserver(look).observe(document, all);"""
    )
    done = context.new_page()
    with run_server(port, log=tmp_path / "first.txt") as server:
        done.goto(server.url)
        check_files(done, ready, *essays(4))
        numbers, address = found(done), done.url
        page = context.new_page()
        page.goto(server.url)
        put_in(page, many_texts(60))
        start_button(page).click(timeout=WORK)
        expect(page.locator(".st-key-stop_check button")).to_be_visible(timeout=WORK)
        half_done = page.url
        server.process.kill()
        server.process.wait()
    page.goto("about:blank")
    with run_server(port, log=tmp_path / "second.txt"):
        app = done.locator("[data-testid=stApp]")
        expect(app).to_have_attribute("data-test-connection-state", "CONNECTED", timeout=WORK)
        ready(done)
        assert found(done) == numbers
        assert done.url == address
        names = done.evaluate("[...window.shownLinks]")
        assert len(names) > 5  # it was looked at
        assert [name for name in names if re.fullmatch(r"[A-Za-z _]+", name)] == []  # of files
        done.goto(address)
        ready(done)
        assert found(done) == numbers
        page.goto(half_done)
        ready(page)
        expect(page.get_by_text("中断")).to_be_visible()
        page.get_by_role("button", name="继续检测").click()
        expect(page).to_have_url(re.compile("/results"), timeout=WORK)
        ready(page)
        expect(page.locator(".lt-headline")).to_contain_text("60 篇")
    context.close()


def test_keep_nothing_leaves_no_byte_and_asks_before_leaving(
    browser, browser_context_args, tmp_path, monkeypatch, ready
):
    """Every folder that the server could write to is searched, before and after the tab is gone."""
    folders = {"LEITONG_DATA": "data", "LEITONG_STATE": "state", "TMPDIR": "temporary"}
    for variable, name in folders.items():
        (tmp_path / name).mkdir()
        monkeypatch.setenv(variable, str(tmp_path / name))
    dice = random.Random(5)
    marker = "".join(chr(dice.randrange(0x4E00, 0x9FA5)) for _ in range(400))
    files = [file(f"{name}.txt", marker + name * 60) for name in ("甲乙丙", "丁戊己")]
    context = browser.new_context(**browser_context_args)
    page = context.new_page()
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    with run_server(log=tmp_path / "log.txt") as server:
        page.goto(server.url)
        ready(page)
        page.get_by_text("什么都不留存", exact=True).click()
        expect(page.locator(".lt-lead")).to_contain_text("什么都不留存")
        check_files(page, ready, *files)
        assert found(page)
        assert "check=" not in page.url
        assert written(tmp_path, marker) == []
        page.reload()
        ready(page)
        assert asked == ["beforeunload"]
        expect(page.locator(".lt-headline")).to_have_count(0)
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
