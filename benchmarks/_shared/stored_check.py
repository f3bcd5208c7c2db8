"""A large check of made-up texts, stored and opened in a real browser by the real application."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import simhash_core as core
from simhash_core import checking
from simhash_core.app import tickets
from simhash_core.app.server import free_port, run_server
from simhash_core.storage import Shelf
from simhash_core.storage.browsers import owner_folder, owner_key

from . import needs

SEED = 20_261_121
WORDS = 400  # of one text
#: sizes of families in 2,000 texts: 49,718 pairs
FAMILIES = (200, 150, 120, 100, 80, 60, 40, 30, 20, 15, 10, 8, 6, 5, 4, 3, 3, 2, 2, 2)
WAIT = 120_000  # milliseconds for one page on a busy machine
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "microsoft-edge")
ARGS = ("--disable-gpu", "--no-first-run", "--disable-background-networking")
_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ha", "ke", "li", "mo", "nu", "pa", "re", "si", "to")


@dataclass(frozen=True, slots=True)
class Opened:
    """A server with a stored check, and a browser."""

    browser: Any
    url: str
    key: str
    result: core.CheckResult

    @property
    def documents(self) -> int:
        """How many texts the check has."""
        return len(self.result.documents)

    @property
    def threshold(self) -> int:
        """Where the check begins, in bits."""
        return self.result.threshold

    @property
    def pairs(self) -> int:
        """How many pairs are listed at first."""
        return int(self.at(self.threshold).listed.sum())

    def at(self, k: int) -> core.ThresholdView:
        """Return the check at another threshold, computed anew."""
        return core.view_at_threshold(self.result, k)

    def visit(self, tab: Any, page: str) -> None:
        """Open a page of the check and wait until it is drawn."""
        tab.goto("about:blank")  # the same address with another ticket would not be loaded
        tab.goto(tickets.issue(f"{self.url}/{page}?check={self.key}").url)
        self.rest(tab)

    def rest(self, tab: Any) -> None:
        """Wait until the script has ended and the network is silent."""
        tab.wait_for_selector("[data-testid=stApp]", timeout=WAIT)
        for _ in range(2):  # the first run of a session is followed by one that knows the browser
            tab.wait_for_timeout(1000)
            tab.wait_for_selector("[data-test-script-state=notRunning]", timeout=WAIT)
        tab.wait_for_load_state("networkidle", timeout=WAIT)


@contextmanager
def opened(documents: int) -> Iterator[Opened]:
    """Check made-up texts, store the result, and serve it to a browser."""
    playwright = needs.package("playwright.sync_api", install="pip install -e .[dev]")
    executable = browser_path()
    with tempfile.TemporaryDirectory() as folder, folders(Path(folder)):
        result = collection(documents)
        project = Shelf(owner_folder(owner_key())).create()
        project.save_result(result, seconds=1.0)
        log = Path(folder) / "log.txt"
        with run_server(free_port(), log=log) as server, playwright.sync_playwright() as p:
            browser = p.chromium.launch(executable_path=executable, args=browser_args())
            yield Opened(browser, server.url, project.id, result)
            browser.close()


def browser_path() -> str:
    """Return the browser of the system, or say that there is none."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if not path:
        raise needs.Missing("needs Chromium, Chrome or Edge: set CHROMIUM to its path")
    return path


def browser_args() -> list[str]:
    """Return options of the browser; as root it refuses to run with its sandbox."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*ARGS, "--no-sandbox"] if root else list(ARGS)


@contextmanager
def folders(folder: Path) -> Iterator[None]:
    """Keep what the user has out of it."""
    before = {name: os.environ.get(name) for name in ("LEITONG_DATA", "LEITONG_STATE")}
    os.environ.update({name: str(folder / name.lower()) for name in before})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@cache
def collection(count: int) -> core.CheckResult:
    """Return the check of `count` made-up texts: families of light edits, and texts alone."""
    chance = random.Random(SEED)
    vocabulary = [f"{a}{b}{c}" for a in _SYLLABLES for b in _SYLLABLES for c in _SYLLABLES]
    chance.shuffle(vocabulary)
    weights = [1 / (rank + 3) for rank in range(len(vocabulary))]
    texts: list[list[str]] = []
    for size in (count * size // 2_000 for size in FAMILIES):
        base = chance.choices(vocabulary, weights, k=WORDS)
        texts += [_edited(base, vocabulary, chance) for _ in range(size)]
    texts += [chance.choices(vocabulary, weights, k=WORDS) for _ in range(count - len(texts))]
    chance.shuffle(texts)
    files = [(f"{row:04d}.txt", _prose(words).encode()) for row, words in enumerate(texts)]
    documents, _ = core.read(checking.uploads(files)[0])
    return core.check(documents)


def _edited(words: list[str], vocabulary: list[str], chance: random.Random) -> list[str]:
    copy = list(words)
    for _ in range(chance.randrange(1, 25)):
        copy[chance.randrange(len(copy))] = chance.choice(vocabulary)
    return copy


def _prose(words: list[str]) -> str:
    """Return words as sentences of eleven."""
    return " ".join(" ".join(words[at : at + 11]) + "." for at in range(0, len(words), 11))
