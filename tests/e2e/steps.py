"""What users of several journeys do: put files in, let them go, start, stop to look."""

from __future__ import annotations

import io
import os
import random
import re
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import FilePayload, Locator, Page, expect

ESSAYS = Path(__file__).resolve().parents[2] / "sample_docs" / "essays"
WORK = 180_000  # milliseconds for a whole check on a busy machine
PHONE: Any = {"width": 390, "height": 844}
SCREEN: Any = {"width": 1280, "height": 900}
#: of what axe finds
STREAMLIT_OWN = {"list", "listitem", "presentation-role-conflict"}


def essays(count: int) -> list[Path]:
    """Return some of the sample essays, as plain text."""
    return sorted(ESSAYS.glob("*.txt"))[:count]


def every_essay() -> list[Path]:
    """Return all sample essays."""
    return [path for path in sorted(ESSAYS.iterdir()) if path.name[:2].isdigit()]


def compare_also_with(page: Page, way: str) -> None:
    """Choose with what the hand-ins are compared beside each other."""
    page.locator(".st-key-slot_beside button").first.click()
    page.locator(".st-key-against_way").get_by_role("combobox").click()
    page.get_by_role("option", name=way).click()


def file(name: str, text: str) -> FilePayload:
    """Return a text as a file."""
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def many_texts(count: int) -> FilePayload:
    """Return a zip of texts that share passages: their check takes some seconds."""
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


def put_in(page: Page, *files: Path | FilePayload) -> None:
    """Put files into the box of Check."""
    page.locator(".st-key-files-way input[type=file]").set_input_files(list(files))  # type: ignore[arg-type]


def let_go(page: Page, path: Path, place: str, *more: Path) -> None:
    """Let files or a folder go over a part of the page, as the browser gets it from the system."""
    page.wait_for_function("window.leitongPage")  # what looks at drops has been loaded
    target = page.locator(place).first
    expect(target).to_be_visible()
    box = target.bounding_box()
    assert box is not None
    point = {"x": box["x"] + 20, "y": box["y"] + 10}
    data = {"items": [], "files": [str(path), *map(str, more)], "dragOperationsMask": 1}
    browser = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", "drop"):
        browser.send("Input.dispatchDragEvent", {"type": kind, **point, "data": data})


def start_button(page: Page) -> Locator:
    """Return the button that starts the check."""
    return page.locator(".st-key-start button")


def check_files(page: Page, ready: Any, *files: Path | FilePayload) -> str:
    """Check some files; return the address of its results."""
    put_in(page, *files)
    start_button(page).click(timeout=WORK)
    expect(page).to_have_url(re.compile("/results"), timeout=WORK)
    ready(page)
    return page.url


def check_id(page: Page) -> str:
    """Return the id of the check whose page is open."""
    return parse_qs(urlsplit(page.url).query).get("check", [""])[0]


def go(page: Page, ready: Any, name: str) -> None:
    """Go to a page by the navigation; from the desk, which has none, over the results."""
    if (back := page.locator(".desk .back")).is_visible():
        back.click()
        expect(page).to_have_url(re.compile("/results"), timeout=WORK)
    link = page.get_by_test_id("stSidebarNav").locator(f'a[href*="{name}"]')
    link.first.click()
    expect(page).to_have_url(re.compile(f"/{name}"), timeout=WORK)
    ready(page)


def open_figures(page: Page, ready: Any) -> None:
    """Unfold how a check was measured."""
    page.locator(".st-key-measured summary").click()
    expect(page.locator(".lt-strip").first).to_be_visible(timeout=WORK)
    ready(page)


def is_cut_off(page: Page) -> bool:
    """Whether the page can be scrolled sideways."""
    return bool(
        page.evaluate(
            "document.documentElement.scrollWidth > innerWidth ||"
            "(([main]) => main && main.scrollWidth > main.clientWidth)"
            "(document.querySelectorAll('[data-testid=stMain]'))"
        )
    )


def picture(page: Page, name: str) -> None:
    """Keep a picture where somebody asked for pictures."""
    if folder := os.environ.get("LEITONG_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png")
