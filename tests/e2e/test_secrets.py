"""Who sees what: real browsers, a real second server on another port, stolen cookies.

pytest -s tests/e2e/test_secrets.py     prints a row for each attempt, and what it came to
"""

from __future__ import annotations

import json
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from simhash_core import Document
from simhash_core.app import tickets
from simhash_core.app.server import HOST, Server
from simhash_core.storage import Shelf, browsers, owner_folder, owner_key
from tests.app.test_gate import Place, outcome

NAME = "高一三班的检测"
DRAWN = ".st-key-front-foot, .st-key-lost_go"  # at the end of a page without an open check
WAIT = 120_000  # milliseconds on a busy machine
pytestmark = pytest.mark.timeout(900)

Open = Callable[[], Page]

#: what a page on another port tries; it writes what came of it into its title
_ATTACK = """<!doctype html><title>…</title><script>
const target = '%(target)s';
const outcome = (promise) => promise.then(() => 'read', () => 'refused');
const read = (path, more) => outcome(fetch(target + path, { credentials: 'include', ...more }));
const socket = new Promise((done) => {
  const line = new WebSocket(target.replace('http', 'ws') + '/_stcore/stream', ['streamlit', 'x']);
  line.onopen = () => done('read');
  line.onclose = () => done('refused');
});
const added = (name, source) => new Promise((done) => {
  const element = document.createElement(name);
  element.src = target + source;
  element.onload = () => done(element.contentDocument === null ? 'refused' : 'read');
  element.onerror = () => done('refused');
  document.documentElement.append(element);
});
Promise.all([
  socket, read('/'), read('%(file)s'), read('/leitong/browser', { method: 'POST', body: '{}' }),
  added('script', '/leitong/door.js'), added('iframe', '/'),
]).then((all) => { document.title = JSON.stringify(all); });
</script>"""
_ATTEMPTS = ("socket", "page", "file on offer", "being admitted", "script", "frame")


class _Other(ThreadingHTTPServer):
    """Another program with a port, which the same browser visits."""

    def __init__(self) -> None:
        self.page, self.cookies, self.puts = "", set[str](), ""
        super().__init__((HOST, 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Other

    def do_GET(self) -> None:
        self.server.cookies.add(self.headers.get("Cookie", ""))
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        if self.server.puts:  # a cookie of our name, sent before ours
            made_up = f"{self.server.puts}={'A' * 43}; Path=/_stcore"
            self.send_header("Set-Cookie", made_up)
        self.end_headers()
        self.wfile.write(self.server.page.encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def other():
    server = _Other()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def rows():
    """The table; printed at the end."""
    table: list[str] = []
    yield table
    print("\n" + "\n".join(table))


@pytest.fixture
def row(rows):
    """`row(attempt, outcome, wanted)`: note an attempt; another outcome fails the test."""

    def note(attempt: str, outcome: object, wanted: object) -> None:
        rows.append(f"{attempt:<72} {outcome!s:<28} {'ok' if outcome == wanted else 'LEAK'}")
        assert outcome == wanted, attempt

    return note


@pytest.fixture
def place(server, state_folder, monkeypatch):
    """The server, to which this process hands out tickets."""
    monkeypatch.setenv("LEITONG_STATE", str(state_folder))
    return server


@pytest.fixture
def check(place):
    """The id of a stored check."""
    project = Shelf(owner_folder(owner_key())).create(name=NAME)
    project.save_documents([Document.from_text("一段文字。" * 40, name="甲.txt")])
    key = project.id
    project.close()
    return key


@pytest.fixture
def new_browser(browser, browser_context_args):
    """`new_browser()`: a page of another browser profile."""
    contexts: list[BrowserContext] = []

    def make() -> Page:
        contexts.append(browser.new_context(**browser_context_args))
        return contexts[-1].new_page()

    yield make
    for context in contexts:
        context.close()


def let_in(page: Page, server: Server, check: str = "") -> Page:
    """Open the application as `leitong app` does."""
    page.goto(tickets.issue(f"{server.url}/" + (f"?check={check}" if check else "")).page.as_uri())
    expect(page.locator("h1").first).to_be_visible(timeout=WAIT)
    return page


def sees(page: Page) -> bool:
    """Return whether a page shows the check; True as soon as it does."""
    shown = page.get_by_text(NAME).first
    app = page.locator("[data-testid=stApp]")
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=WAIT)
    expect(shown.or_(page.locator(DRAWN)).first).to_be_visible(timeout=WAIT)
    if page.locator(".st-key-recent-head").count():  # its list is drawn by the browser
        expect(shown).to_be_visible(timeout=WAIT)
    return shown.is_visible()


def cookie_of(page: Page, server: Server) -> str:
    held = page.context.cookies(server.url)
    name = f"leitong_{server.port}"
    return next(f"{name}={c['value']}" for c in held if c["name"] == name)


def key_of(page: Page) -> str:
    return str(page.evaluate("localStorage.getItem('leitong.key')"))


def socket(server: Server, cookie: str, key: str = "") -> str:
    """Open the socket as a program that says it were a page of ours."""
    place = Place(server, Path(), Path())
    return "refused" if outcome(place, cookie=cookie, key=key) else "open"


def fetched(address: str, cookie: str = "") -> tuple[int, bytes]:
    """Fetch an address as a program does."""
    request = urllib.request.Request(address, headers={"Cookie": cookie} if cookie else {})
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            return reply.status, reply.read()
    except urllib.error.HTTPError as error:
        return error.code, b""


def offered(page: Page) -> str:
    """Have the file of the check offered; return its address."""
    page.locator("table tbody tr button.copy").first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("下载")).click()
    return download.value.url


def test_a_ticket_opens_one_browser_and_a_cookie_none(place, check, new_browser, row):
    ticket = tickets.issue(f"{place.url}/")
    first, second = new_browser(), new_browser()
    first.goto(place.url)
    row("a browser before it has a ticket: sees the check", sees(first), False)
    first.goto(f"{place.url}/#ticket={'u' * 43}")
    expect(first.locator("h1")).to_have_text("这个地址已经失效", timeout=WAIT)
    first.goto(ticket.page.as_uri())
    row("first browser with a ticket: sees the check", sees(first), True)
    row("the ticket in its address afterwards", "ticket" in first.url, False)
    row("the page of the ticket on disk afterwards", ticket.page.exists(), False)
    first.goto(place.url)
    row("first browser, at the address alone: sees the check", sees(first), True)
    second.goto(ticket.url)
    expect(second.locator("h1")).to_have_text("这个地址已经失效", timeout=WAIT)
    shown = second.get_by_text(NAME).count()
    row("second browser with the same ticket: the check", shown, 0)
    held = second.context.cookies()
    row("second browser with the same ticket: cookies", held, [])
    second.goto(place.url)
    row("a browser without a ticket: sees the check", sees(second), False)
    second.goto(f"{place.url}/results?check={check}")
    row("a browser with the address of the check: sees it", sees(second), False)

    page = let_in(new_browser(), place)
    cookie, key = cookie_of(page, place), key_of(page)
    name = cookie.partition("=")[0]
    row("the key: the socket (the control)", socket(place, "", key), "open")
    row("forged cookie: the socket", socket(place, f"{name}={'A' * 43}", "A" * 43), "refused")
    row("stolen cookie without the key", socket(place, cookie), "refused")
    row("stolen cookie as the key", socket(place, cookie, cookie.partition("=")[2]), "refused")
    row("cookie seen by scripts", name in page.evaluate("document.cookie"), False)
    thief = new_browser()
    thief.context.add_cookies([{"name": name, "value": cookie.partition("=")[2], "url": place.url}])
    thief.goto(f"{place.url}/?check={check}")
    row("stolen cookie in another browser: sees the check", sees(thief), False)


def test_a_browser_that_is_shut_out_sees_nothing_any_more(place, check, new_browser, row):
    mine, lost = let_in(new_browser(), place), let_in(new_browser(), place)
    row("second browser of the user, before: sees the check", sees(lost), True)
    stolen = cookie_of(lost, place), key_of(lost)
    ours = browsers.find(cookie_of(mine, place).partition("=")[2])
    for browser in browsers.browsers_of(owner_key()):
        if ours is not None and browser.id not in (ours.id, identity(stolen[0])):
            browsers.revoke(browser.id)  # of the tests before
    mine.reload()
    sees(mine)
    mine.get_by_role("button", name=re.compile("可查看的浏览器")).click()
    listed = mine.locator("[data-testid=stPopoverBody]")
    expect(listed).to_contain_text("当前浏览器")
    expect(listed.get_by_role("button", name="停止访问")).to_have_count(2)
    at = 0 if "最近使用" in listed.locator(".lt-note").nth(1).inner_text() else 1
    listed.get_by_role("button", name="停止访问").nth(at).click()
    mine.get_by_role("button", name="立即停止").click()
    expect(lost.get_by_text(NAME)).to_have_count(0, timeout=WAIT)
    row("its open page afterwards: the check", sees(lost), False)
    row("its key and cookie, stolen before: the socket", socket(place, *stolen), "refused")
    lost.goto(f"{place.url}/?check={check}")
    row("the address of the check in it: sees it", sees(lost), False)
    mine.reload()
    row("the browser that shut it out: sees the check", sees(mine), True)


def identity(cookie: str) -> str:
    found = browsers.find(cookie.partition("=")[2])
    return found.id if found is not None else ""


def test_another_port_gets_nothing(place, check, new_browser, other, row):
    page = let_in(new_browser(), place)
    file = offered(page).removeprefix(place.url)
    other.page = _ATTACK % {"target": place.url, "file": file}
    for host in (HOST, "localhost"):
        visitor = page.context.new_page()
        visitor.goto(f"http://{host}:{other.server_port}/")
        expect(visitor).to_have_title(re.compile(r"^\["), timeout=WAIT)
        for attempt, came in zip(_ATTEMPTS, json.loads(visitor.title()), strict=True):
            row(f"page on {host}, other port: {attempt}", came, "refused")
        frames = [frame for frame in visitor.frames if frame.url.startswith(place.url)]
        shown = [frame for frame in frames if frame.locator("[data-testid=stApp]").count()]
        row(f"page on {host}, other port: application in a frame", shown, [])
    ours = f"leitong_{place.port}="
    received = next(each for each in other.cookies if ours in each)
    received = next(each for each in received.split("; ") if each.startswith(ours))
    came = socket(place, received)
    row("program on the other port, with the cookie it was sent: socket", came, "refused")
    row("the file on offer, without a cookie", fetched(place.url + file)[0], 404)
    other.puts = received.partition("=")[0]
    visitor.reload()
    page.reload()
    row("the browser, after the other port put a cookie of that name: sees", sees(page), True)


def test_files_end_with_their_tab_and_their_check(place, check, new_browser, row):
    page = let_in(new_browser(), place)
    cookie, stranger = cookie_of(page, place), new_browser()
    stranger.goto(place.url)
    sees(stranger)
    file = offered(page)
    reply = page.request.get(file)
    row("file in the browser that asked for it (the control)", reply.status, 200)
    row("its headers", (reply.headers["x-content-type-options"], reply.headers["cache-control"]),
        ("nosniff", "no-store"))  # fmt: skip
    row("file in another browser", stranger.request.get(file).status, 404)
    row("file without a browser", fetched(file)[0], 404)
    page.reload()
    sees(page)
    row("file after its tab was loaded anew", page.request.get(file).status, 404)
    file = offered(page)
    keeper = page.context.new_page()
    keeper.goto("about:blank")
    page.close()
    end = time.monotonic() + 5.0  # the server hears of it when the socket closes
    while fetched(file, cookie)[0] == 200 and time.monotonic() < end:
        time.sleep(0.05)
    row("file after its tab was closed, same browser", keeper.request.get(file).status, 404)
    again = page.context.new_page()
    again.goto(f"{place.url}/?check={check}")
    again.get_by_role("button", name="新的检测").click()
    file = offered(again)
    again.keyboard.press("Escape")
    for button in range(again.locator("table tbody tr button.delete").count()):
        again.locator("table tbody tr button.delete").first.click()
        expect(again.get_by_role("button", name="撤回")).to_be_visible()
        assert button < 50
    row("file after its check was deleted, same browser", again.request.get(file).status, 404)
