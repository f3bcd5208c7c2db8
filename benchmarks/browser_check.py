"""How long the application takes for a check, against the command line for the same files.

    python -m benchmarks browser_check FOLDER [--texts 300] [--rounds 3]

Both are warm: each checks the files once before it is measured. Rounds alternate, so that what
else the machine does falls on both. The browser's time runs from the click on the button to the
first row of the Overview; the command line's from its start to its end, reading included.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from benchmarks._shared import needs
from benchmarks._shared.stored_check import browser_args, browser_path
from simhash_core.app.server import free_port, serving

WAIT = 600_000  # milliseconds for one check on a busy machine


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure both and print the ratio of their medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--texts", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args(arguments)
    files = needs.text_files(asked.folder)[: asked.texts]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "texts"
        folder.mkdir()
        for path in files:
            shutil.copy(path, folder)
        archive = Path(shutil.make_archive(str(Path(scratch) / "texts"), "zip", folder))
        command_line, browser = measured(folder, archive, asked.rounds, Path(scratch) / "log.txt")
    ratio = statistics.median(browser) / statistics.median(command_line)
    print(f"{len(files)} texts, {asked.rounds} rounds, medians")
    print(f"command line {statistics.median(command_line):.1f} s")
    print(f"browser      {statistics.median(browser):.1f} s, click to Overview")
    print(f"ratio        {ratio:.2f}")


def measured(
    folder: Path, archive: Path, rounds: int, log: Path
) -> tuple[list[float], list[float]]:
    """Return seconds of each round: on the command line, and in the browser."""
    command_line: list[float] = []
    browser: list[float] = []
    with serving(free_port(), log=log) as server, sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser_path(), args=browser_args())
        for _ in range(rounds + 1):
            command_line.append(of_command_line(folder))
            browser.append(of_browser(opened, server.url, archive))
        opened.close()
    return command_line[1:], browser[1:]  # the first of each warms up


def of_command_line(folder: Path) -> float:
    """Return the seconds that `leitong check` takes."""
    begun = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "simhash_core", "check", str(folder), "--format", "json"],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return time.perf_counter() - begun


def of_browser(browser: Browser, address: str, archive: Path) -> float:
    """Return the seconds from the click to the first row of the Overview."""
    context = browser.new_context(locale="en-GB", viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.goto(address)
    box = page.get_by_test_id("stFileUploader").first.locator("input[type=file]")
    box.set_input_files(archive)
    start = page.locator(".st-key-start button")
    expect(start).to_be_enabled(timeout=WAIT)
    begun = time.perf_counter()
    start.click()
    expect(page).to_have_url(re.compile("/overview"), timeout=WAIT)
    expect(page.locator("table tbody tr").first).to_be_visible(timeout=WAIT)
    spent = time.perf_counter() - begun
    context.close()
    return spent


if __name__ == "__main__":
    main()
