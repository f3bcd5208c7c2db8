"""How do ten people fare at one server: how long do they wait, and what does the server take?

A server with a login (a provider of OpenID Connect beside it), one real browser with a context for
each person. All put in an archive of their own and start at once; two checks run at a time, one of
each person. At the end everybody tries the check and the report of the next: they must get nothing.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import psutil

from benchmarks._shared import needs
from benchmarks._shared.report import Report, Table, as_text
from benchmarks._shared.stored_check import WAIT, browser_args, browser_path, folders
from simhash_core.app import department
from simhash_core.app.server import HOST, Server, free_port, run_server

AT_ONCE = 2  # checks that the server lets run
LOOK = 0.25  # seconds between two looks at all pages, and at the memory
SEED = 20_261_123
MEGABYTE = 2**20
_SURNAMES, _GIVEN = "陈李张王赵周吴郑孙许沈韩", "安宁文博子轩一帆嘉豪雨晴思远明"


@dataclass
class Person:
    """Somebody at the server, and how the check went."""

    number: int
    tab: Any
    places: list[int] = field(default_factory=list)  # that the page showed, changes alone
    started: float = 0.0  # moments
    began: float = 0.0
    ended: float = 0.0


class Watch(threading.Thread):
    """Memory and processor time of the server and of its workers, as long as it runs."""

    def __init__(self, process: psutil.Process) -> None:
        super().__init__(daemon=True)
        self._process, self.over = process, threading.Event()
        self.server, self.workers, self.together = 0.0, 0.0, 0.0  # most megabytes
        self._seconds: dict[int, float] = {}

    def run(self) -> None:
        """Look until it is over."""
        while not self.over.wait(LOOK):
            server = self._held(self._process)
            workers = sum(map(self._held, self._process.children(recursive=True)))
            self.server, self.workers = max(self.server, server), max(self.workers, workers)
            self.together = max(self.together, server + workers)

    def _held(self, process: psutil.Process) -> float:
        try:
            times = process.cpu_times()
            self._seconds[process.pid] = times.user + times.system
            return float(process.memory_full_info().pss) / MEGABYTE
        except psutil.Error:  # ended meanwhile
            return 0.0

    @property
    def seconds(self) -> float:
        """Processor time of all processes that were seen."""
        return sum(self._seconds.values())


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", required=True, help="folder of plain texts to hand in")
    parser.add_argument("--people", type=int, default=10)
    parser.add_argument("--each", type=int, default=300, help="texts of each person")
    print(as_text(measure(parser.parse_args(arguments))))


def measure(options: argparse.Namespace) -> Report:
    """Let all check at once; then let each try what is another's."""
    playwright = needs.package("playwright.sync_api", install="pip install -e .[dev]")
    archives = list(_archives(Path(options.texts), options.people, options.each))
    with (
        tempfile.TemporaryDirectory() as scratch,
        _school(Path(scratch), options.people) as server,
        playwright.sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=browser_path(), args=browser_args())
        watch = Watch(psutil.Process(server.process.pid))
        watch.start()
        people = [_enter(browser, server.url, number) for number in range(options.people)]
        for person, archive in zip(people, archives, strict=True):
            file = {"name": "作业.zip", "mimeType": "application/zip", "buffer": archive}
            person.tab.locator(".st-key-files-way input[type=file]").set_input_files(file)
        for person in people:
            person.tab.locator(".st-key-start button:enabled").wait_for()
        for person in people:
            person.started = time.monotonic()
            person.tab.locator(".st-key-start button").dispatch_event("click")
            print(f"person {person.number + 1} has started", file=sys.stderr)
        most = _until_all_ended(people)
        watch.over.set()
        watch.join()
        reached = _reached(people)
        browser.close()
    return _report(people, options.each, most, reached, watch)


def _archives(folder: Path, people: int, each: int) -> Iterator[bytes]:
    """Yield an archive for each person: real texts under ordinary names, of 40 pupils in turn."""
    chance = random.Random(SEED)
    paths = sorted(path for path in folder.rglob("*") if path.suffix in (".txt", ".md"))
    if len(paths) < each:
        raise needs.Missing(f"{folder} has {len(paths)} texts; {each} are needed")
    for _ in range(people):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for number, path in enumerate(chance.sample(paths, each), 1):
                name = chance.choice(_SURNAMES) + "".join(chance.sample(_GIVEN, 2))
                archive.writestr(f"{name}-{number:03d}-读书报告.txt", path.read_bytes())
        yield out.getvalue()


@contextmanager
def _school(scratch: Path, people: int) -> Iterator[Server]:
    """Serve a department whose people sign in at a provider of their own."""
    port, at = free_port(), free_port()
    (scratch / "server.toml").write_text(
        f'address = "http://{HOST}:{port}"\n[login]\nissuer = "http://{HOST}:{at}"\n'
        'client_id = "leitong"\nclient_secret = "of the client"\n'
        f"[limits]\nchecks = {AT_ONCE}\nchecks_a_person = 1\n"
    )
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(at)]
    for number in range(people):
        claims = {"sub": str(number), "email": f"t{number}@school.example"}
        command += ["--user-claims", json.dumps(claims)]
    with (
        folders(scratch),
        _variable(department.VARIABLE, str(scratch / "server.toml")),
        (scratch / "provider.log").open("wb") as log,
        subprocess.Popen(command, stdout=log, stderr=log) as provider,
    ):
        try:
            with run_server(port, log=scratch / "server.log") as server:
                yield server
        finally:
            provider.kill()


@contextmanager
def _variable(name: str, value: str) -> Iterator[None]:
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]


def _enter(browser: Any, url: str, number: int) -> Person:
    """Sign in; the pages of the provider, which fetch a style from elsewhere, are not drawn."""
    tab = browser.new_context(locale="en-GB").new_page()
    tab.set_default_timeout(5 * WAIT)
    tab.request.get(url, max_redirects=0)
    away = tab.request.get(f"{url}/leitong/login?to=%2F", max_redirects=0)
    back = tab.request.post(away.headers["location"], form={"sub": str(number)}, max_redirects=0)
    tab.goto(back.headers["location"])
    tab.locator(".st-key-doors").wait_for()
    for _ in range(2):  # the first run of a session is followed by one that knows the browser
        tab.wait_for_timeout(1000)
        tab.wait_for_selector("[data-test-script-state=notRunning]")
    return Person(number, tab)


def _until_all_ended(people: Sequence[Person]) -> int:
    """Look at all pages in turn; return the most checks that ran at once."""
    most = before = 0
    while not all(person.ended for person in people):
        for person in people:
            _look(person)
        running = sum(bool(one.began) and not one.ended for one in people)
        most, before = max(most, min(before, running)), running  # a page learns of its end late
        time.sleep(LOOK)
    return most


def _look(person: Person) -> None:
    """Note what a page says now."""
    if person.ended:
        return
    now = time.monotonic()
    if "/overview" in person.tab.url:
        person.began, person.ended = person.began or now, now
        print(f"person {person.number + 1}: {now - person.started:.0f} s", file=sys.stderr)
        return
    said = person.tab.locator("[data-testid=stMain]").inner_text()
    waiting = re.search(r"Waiting: (one|\d+) checks? before", said)
    if waiting:
        place = 1 if waiting[1] == "one" else int(waiting[1])
        if person.places[-1:] != [place]:
            person.places.append(place)
        person.began = 0.0  # a page begins before it knows its place
    elif not person.began and person.tab.get_by_role("progressbar").count():
        person.began = now


def _reached(people: Sequence[Person]) -> int:
    """Let everybody try the check of the next by its id, and its report by its address."""
    reached = 0
    for person, other in zip(people, [*people[1:], people[0]], strict=True):
        (key,) = parse_qs(urlsplit(other.tab.url).query)["check"]
        file = _file_of(other)
        assert other.tab.request.get(file).ok  # it is there, for the one it belongs to
        reached += person.tab.request.get(file).ok
        origin = "{0.scheme}://{0.netloc}".format(urlsplit(person.tab.url))
        tab = person.tab.context.new_page()
        tab.set_default_timeout(WAIT)
        for page in ("overview", "review", "document?d=0&", "compare?a=0&b=1&"):
            tab.goto(f"{origin}/{page}{'' if page.endswith('&') else '?'}check={key}")
            tab.locator("h1").wait_for()
            tab.wait_for_selector("[data-test-script-state=notRunning]")
            reached += tab.locator(".st-key-lost_go").count() == 0
        tab.close()
    return reached


def _file_of(person: Person) -> str:
    """Make a table of the check and return the address of its file."""
    tab = person.tab
    tab.wait_for_selector("[data-test-script-state=notRunning]")
    tab.locator(".st-key-export button").first.click()
    tab.locator(".st-key-report_format").get_by_text("CSV", exact=True).click()
    tab.locator(".st-key-report_make button").click()
    offer = tab.locator(".st-key-report_save button")
    offer.wait_for()
    with tab.expect_download() as waiting:
        offer.click()
    return str(waiting.value.url)


def _report(people: Sequence[Person], each: int, most: int, reached: int, watch: Watch) -> Report:
    first = min(one.started for one in people)
    rows = [
        (
            str(one.number + 1),
            ", ".join(map(str, one.places)),
            one.began - one.started,
            one.ended - one.began,
            one.ended - first,
        )
        for one in people
    ]
    heads = ("person", "places shown", "waited, s", "ran, s", "result after, s")
    facts = [
        ("texts of each person", each),
        ("most checks at once", most),
        ("pages and files of others that opened", reached),
        ("all results after, s", max(one.ended for one in people) - first),
        ("processor time of server and workers, s", watch.seconds),
        ("most memory of the server, MB", watch.server),
        ("most memory of its workers, MB", watch.workers),
        ("most memory together, MB", watch.together),
    ]
    return Report([Table(heads, rows), Table(("", "all"), facts)])
