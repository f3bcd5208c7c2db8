"""Does the memory of the server stay where it is, check after check and pair after pair?

A real browser makes checks one after the other in one tab, then reads pairs of the last one on
Compare, each drawn anew. After each the memory of the server is taken (its workers apart): what is
there once Python has collected. Texts are made up: versions of one.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from benchmarks._shared import needs
from benchmarks._shared.report import Chart, Report, Table
from benchmarks._shared.stored_check import WAIT, browser_args, browser_path, folders
from simhash_core.app.server import Server, free_port, run_server

QUICK = {"checks": 4, "pairs": 8}
SMALL = (5, 300)  # texts of each check, and their words
LARGE = (21, 800)  # of the check whose pairs are read: 210
CHANGED = 0.1  # of the words of each version
SEED = 20_261_122
WARM = 10  # checks and pairs before which memory still grows: imports, what is held of each kind
MEGABYTE = 2**20
_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ha", "ke", "li", "mo", "nu", "pa", "re", "si", "to")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--checks", type=int, default=50)
    parser.add_argument("--pairs", type=int, default=200)


def measure(options: argparse.Namespace) -> Report:
    """Make checks and read pairs, and note what the server holds after each."""
    with tempfile.TemporaryDirectory() as scratch, _tab(Path(scratch)) as (server, tab):
        small, large = (_texts(Path(scratch) / str(size[0]), *size) for size in (SMALL, LARGE))
        checks = [_checked(server, tab, small) for _ in range(options.checks)]
        _checked(server, tab, large)
        pairs = list(_read_pairs(server, tab, options.pairs))
    series = {"checks": checks, "pairs read": pairs}
    rows = [
        (name, len(held), held[min(WARM, len(held)) - 1], held[-1], max(held), 100 * _growth(held))
        for name, held in series.items()
    ]
    heads = ("", "number", f"MB after {WARM}", "MB at the end", "most MB", "growth, %")
    points = {name: list(enumerate(held, 1)) for name, held in series.items()}
    chart = Chart(
        "server_memory",
        "Memory of the server",
        "checks made, pairs read",
        "MB",
        points,
        linear=True,
    )
    return Report([Table(heads, rows)], charts=[chart])


def _growth(held: Sequence[float]) -> float:
    """Return by how much the last quarter is above the first that is warm, as a share."""
    warm = held[min(WARM, len(held) - 1) :]
    part = max(len(warm) // 4, 1)
    return statistics.median(warm[-part:]) / statistics.median(warm[:part]) - 1


@contextmanager
def _tab(scratch: Path) -> Iterator[tuple[Server, Any]]:
    """Serve the application to one tab of a browser."""
    playwright = needs.package("playwright.sync_api", install="pip install -e .[dev]")
    with (
        folders(scratch),
        run_server(free_port(), log=scratch / "log.txt") as server,
        playwright.sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=browser_path(), args=browser_args())
        tab = browser.new_context(locale="en-GB").new_page()
        tab.set_default_timeout(5 * WAIT)  # a busy machine aligns for minutes
        tab.goto(server.url)
        tab.locator(".st-key-doors").wait_for()
        yield server, tab
        browser.close()


def _texts(folder: Path, count: int, length: int) -> list[Path]:
    """Write versions of one text, each with other words replaced."""
    folder.mkdir()
    chance = random.Random(SEED)
    vocabulary = [f"{a}{b}{c}" for a in _SYLLABLES for b in _SYLLABLES for c in _SYLLABLES]
    base = chance.choices(vocabulary, k=length)
    paths = []
    for number in range(count):
        words = list(base)
        for _ in range(int(CHANGED * length)):
            words[chance.randrange(length)] = chance.choice(vocabulary)
        paths.append(folder / f"{number:02d}.txt")
        lines = (" ".join(words[at : at + 12]) + "." for at in range(0, length, 12))
        paths[-1].write_text("\n".join(lines), "utf-8")
    return paths


def _checked(server: Server, tab: Any, files: Sequence[Path]) -> float:
    """Make a check from an empty page to its overview; return what the server holds then."""
    if tab.locator(".st-key-doors").count() == 0:
        tab.get_by_test_id("stSidebarNavLink").first.click()
        tab.locator(".st-key-clear button").click()
        tab.locator(".st-key-doors").wait_for()
    tab.locator(".st-key-files-way input[type=file]").set_input_files(files)
    tab.locator(".st-key-start button").wait_for()
    _at_rest(tab)
    tab.locator(".st-key-start button").click()
    tab.wait_for_url(re.compile("/overview"))
    tab.locator("table tbody tr").first.wait_for()
    _at_rest(tab)
    return _held(server)


def _read_pairs(server: Server, tab: Any, count: int) -> Iterator[float]:
    """Go through pairs on Compare, from one end of their order to the other and back."""
    tab.locator("table tbody tr").first.click()
    tab.wait_for_url(re.compile("/compare"))
    way = "next"
    for _ in range(count):
        tab.locator(".reader .text p").first.wait_for()
        _at_rest(tab)
        yield _held(server)
        address = tab.url
        if tab.locator(f".st-key-{way} button").is_disabled():
            way = "previous" if way == "next" else "next"
        tab.locator(f".st-key-{way} button").click()
        tab.wait_for_url(lambda url, before=address: url != before)


def _at_rest(tab: Any) -> None:
    """Wait until the script has ended."""
    tab.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()


def _held(server: Server) -> float:
    """Return the megabytes of the server process."""
    time.sleep(0.3)  # what a run of the page leaves behind is collected
    return psutil.Process(server.process.pid).memory_info().rss / MEGABYTE
