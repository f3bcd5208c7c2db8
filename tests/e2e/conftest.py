"""A real browser against a real server.

    def test_a_teacher_decides(visit, page):
        visit("/results")

A test is a journey: the story of a user from page to page. What a sentence or a widget says is
tested by `tests/pages`; here stands what only a browser shows. Each worker has one server and one
browser; a test has a profile of its own, in which the first page costs two seconds, a further
address half of one, and a link of the navigation a fifth: walk.

`visit` opens a path and waits until the script is at rest; `ready` waits again after a click;
`checked` is a page with a check of the sample essays, a copy of its own; `keep` stores a result
that the browser may open.
Another language: `@pytest.mark.browser_context_args(locale="en-GB")`. In the middle of a journey:
dark is `page.emulate_media(color_scheme="dark")`, a phone `page.set_viewport_size(PHONE)`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Playwright, Request, expect

from simhash_core import CheckResult
from simhash_core.app.server import Server
from simhash_core.storage import Shelf
from tests.e2e.steps import STREAMLIT_OWN, every_essay
from tests.web.app import serving_app
from tests.web.server import Web, serving_web

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM_ARGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
RUN_SECONDS = 60
CHECK_SECONDS = 120
expect.set_options(timeout=30_000)  # a busy machine draws a page in seconds, not in one

#: the one rule of axe that the colours of a page decide
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}

Ready = Callable[..., None]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything in this folder, so that `-m "not e2e"` leaves the browser out."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.e2e)


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], playwright: Playwright
) -> dict[str, Any]:
    """Use the browser of the system; where it must exist (CI) its absence is an error."""
    names = ("chromium", "chromium-browser", "google-chrome", "microsoft-edge")
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if not found and Path(playwright.chromium.executable_path).is_file():
        found = playwright.chromium.executable_path
    if not found:
        message = "no Chromium, Chrome or Edge on this machine (set CHROMIUM to its path)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    args = list(CHROMIUM_ARGS)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        args.append("--no-sandbox")  # Chromium refuses to run as root with its sandbox
    return {**browser_type_launch_args, "executable_path": found, "args": args}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {
        **browser_context_args,
        "locale": "zh-CN",
        "viewport": {"width": 1280, "height": 900},
        "reduced_motion": "reduce",
    }


@pytest.fixture(scope="session")
def web() -> Iterator[Web]:
    """A web of a few pages on this machine, with a search service."""
    with serving_web() as served:
        yield served


@pytest.fixture(scope="session")
def state_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server keeps what is no project: tickets, logs."""
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="session")
def server(web: Web, data_folder: Path, state_folder: Path) -> Iterator[Server]:
    """The real application, which may fetch pages of `web`; one process for all of a worker."""
    if not (ROOT / "app.py").is_file():
        pytest.skip("app.py is not there")
    log, env = state_folder / "log.txt", {"LEITONG_STATE": str(state_folder)}
    with serving_app(web.port, log, env) as running:
        yield running


@pytest.fixture(scope="session")
def base_url(server: Server) -> str:
    """Address of the application."""
    return server.url


@pytest.fixture
def ready() -> Ready:
    """`ready(page)`: wait until the script has run to its end, is drawn, and nothing failed."""

    def wait(page: Page, *, seconds: float = RUN_SECONDS) -> None:
        app = page.locator("[data-testid=stApp]")
        expect(app).to_have_attribute(
            "data-test-script-state", "notRunning", timeout=seconds * 1000
        )
        expect(page.get_by_test_id("stSkeleton")).to_have_count(0)  # what is still being loaded
        expect(page.get_by_test_id("stException")).to_have_count(0)

    return wait


@pytest.fixture
def obstacles(ready: Ready) -> Callable[[Page], list[str]]:
    """`obstacles(page)`: what axe finds in light, and of colours in dark; not Streamlit's own."""

    def find(page: Page) -> list[str]:
        found = []
        for scheme, rules in (("light", None), ("dark", CONTRAST)):
            page.emulate_media(color_scheme=scheme)
            expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", scheme)
            ready(page)
            listed = Axe().run(page, options=rules).response["violations"]
            found += [f"{scheme}: {one['id']} {one['nodes'][0]['html'][:200]}" for one in listed
                      if one["id"] not in STREAMLIT_OWN]  # fmt: skip
        return found

    return find


@pytest.fixture
def visit(page: Page, ready: Ready) -> Callable[..., Page]:
    """`visit("/results?pair=1,2")`: open a path of the application and wait for it."""

    def go(path: str = "/", *, seconds: float = RUN_SECONDS) -> Page:
        page.goto(path)
        ready(page, seconds=seconds)
        return page

    return go


@pytest.fixture(scope="session")
def essays_checked(
    browser: Browser, browser_context_args: dict[str, Any], data_folder: Path
) -> tuple[Any, Path]:
    """One check of the sample essays: what the browser that made it holds, and its file."""
    context = browser.new_context(**browser_context_args)
    page = context.new_page()
    page.goto("/")
    boxes = page.locator(".st-key-files-way input[type=file]")
    boxes.set_input_files(every_essay(), timeout=RUN_SECONDS * 1000)
    page.locator(".st-key-start button").click(timeout=CHECK_SECONDS * 1000)
    expect(page).to_have_url(re.compile(r"/results.*[?&]check="), timeout=CHECK_SECONDS * 1000)
    (key,) = parse_qs(urlsplit(page.url).query)["check"]
    held = context.storage_state()
    context.close()
    (file,) = data_folder.glob(f"projects/*/{key}.leitong")
    return held, file


@pytest.fixture
def checked(visit: Callable[..., Page], page: Page, essays_checked: tuple[Any, Path]) -> Page:
    """A check of the sample essays at its results, of which no other test sees anything."""
    held, file = essays_checked
    _remember(page, held)
    copy = Shelf(file.parent).duplicate(file.stem)
    address = f"/results?check={copy.id}"
    copy.close()
    return visit(address)


def _remember(page: Page, held: Any) -> None:
    """Let a page know what the browser that made a check holds."""
    page.context.add_cookies(held["cookies"])
    (origin,) = held["origins"]
    items = json.dumps(origin["localStorage"])
    page.add_init_script(
        f"for (const {{name, value}} of {items}) localStorage.setItem(name, value)"
    )


@pytest.fixture
def keep(page: Page, essays_checked: tuple[Any, Path]) -> Callable[..., str]:
    """`keep(result, name="")`: the id of a stored check, which the browser may open."""

    def store(result: CheckResult, *, name: str = "") -> str:
        held, file = essays_checked
        _remember(page, held)
        project = Shelf(file.parent).create(name=name)
        project.save_documents(result.documents)
        project.save_result(result)
        key = project.id
        project.close()
        return key

    return store


@pytest.fixture(autouse=True)
def only_this_machine(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every browser test also shows that no request leaves the machine."""
    if "page" not in request.fixturenames:
        yield
        return
    elsewhere: list[str] = []

    def note(sent: Request) -> None:
        parts = urlsplit(sent.url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname != "127.0.0.1":
            elsewhere.append(sent.url)

    request.getfixturevalue("page").on("request", note)
    yield

    assert elsewhere == []
