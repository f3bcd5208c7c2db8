"""A whole search on loopback: what is sent, what comes back, and what is never sent."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import simhash_core
from simhash_core.errors import BadInput, Cancelled
from simhash_core.model import FETCHED_KEY, Document
from simhash_core.web import Searched, SentLog, rarest_sentences, search_web
from tests.web.server import ARTICLE, Web, article, body, silent, status

ROOT = Path(__file__).resolve().parents[2]
OWN = (
    "My grandmother taught me to tie a bowline before I could read, and I was proud of it.",
    "Every evening we walked to the pier, where nobody spoke about the weather or the war.",
)

pytestmark = pytest.mark.long
Search = Callable[..., Searched]


@pytest.fixture
def essay() -> Document:
    return Document.from_text(" ".join((OWN[0], ARTICLE[0], ARTICLE[1], OWN[1])), name="essay.txt")


@pytest.fixture
def searched(allowed: Web, tmp_path: Path, essay: Document) -> Search:
    """`searched()`: send all sentences of the essay, without a pause."""

    def search(**given: object) -> Searched:
        options = {"service": allowed.address, "folder": tmp_path, "delay": 0.0, **given}
        return search_web(rarest_sentences([essay]), **options)  # type: ignore[arg-type]

    return search


def test_copied_sentences_are_found_on_the_page_as_of_now(allowed, searched, essay):
    allowed.pages |= {"/ledgers": article(), "/other": article(*OWN[::-1], title="Ropes")}
    allowed.names("/ledgers")
    found = searched()
    (page,) = found.pages
    result = simhash_core.check([essay], against=found.pages)
    (passage,) = range(len(result.passages))
    start, end = (int(getattr(result.passages, name)[passage]) for name in ("a_start", "a_end"))

    assert [one.sentence.words for one in found.asked] == allowed.queries
    assert page.meta["url"] == allowed.address + "/ledgers"
    assert page.meta[FETCHED_KEY].endswith("Z")
    assert essay.text[start:end] == " ".join(ARTICLE[:2])


def test_log_holds_exactly_what_the_server_saw(allowed, searched, tmp_path):
    allowed.pages |= {"/a": article(), "/b": status(302, Location="/a")}
    allowed.names("/a", "/b", "/missing")
    searched()
    entries = SentLog(tmp_path).entries()

    assert [one.what for one in entries if one.kind == "search"] == allowed.queries
    assert sorted(one.what for one in entries if one.kind == "page") == sorted(
        allowed.address + path for path in allowed.paths
    )
    assert {one.to for one in entries} == {f"127.0.0.1:{allowed.port}"}


@pytest.mark.parametrize("service", ["", "  "])
def test_nothing_is_sent_while_the_address_is_empty(allowed, searched, tmp_path, service):
    with pytest.raises(BadInput, match="web_off"):
        searched(service=service)

    assert allowed.queries == allowed.paths == []
    assert SentLog(tmp_path).entries() == ()


def test_nothing_of_the_web_is_loaded_by_a_check(tmp_path: Path) -> None:
    """Nor by the door, the command line, or a process that reads files."""
    text = tmp_path / "a.txt"
    text.write_text(" ".join(ARTICLE), "utf-8")
    program = (
        "import sys\nimport leitong\nfrom simhash_core.cli import main\n"
        f"assert main(['check', {str(text)!r}, {str(text)!r}, '--quiet']) in (0, 3)\n"
        "loaded = [name for name in sys.modules if name == 'urllib3'"
        " or name.startswith('simhash_core.web.')]\n"
        "assert not loaded, loaded\n"
        "from simhash_core.machine.workers import shared_pool\n"
        "from tests.web.loaded import loaded\n"
        "assert list(shared_pool().map(loaded, [0])) == [[]]\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip

    assert ran.returncode == 0, ran.stderr


def test_proposing_sentences_opens_no_connection(essay: Document) -> None:
    """Choosing and showing load nothing that could send."""
    program = (
        "import sys\nfrom simhash_core.web import rarest_sentences, SentLog, service_of\n"
        "from simhash_core.model import Document\n"
        f"assert rarest_sentences([Document.from_text({essay.text!r})])\n"
        "assert not {'urllib3', 'simhash_core.web.fetching'} & set(sys.modules)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert ran.returncode == 0, ran.stderr


def test_sentences_go_out_one_by_one_with_a_delay_that_a_stop_ends(searched: Search) -> None:
    waited: list[float] = []
    found = searched(delay=0.25, wait=waited.append)
    assert len(found.asked) > 1
    assert sum(waited) == pytest.approx(0.25 * (len(found.asked) - 1))
    waited: list[float] = []
    searched(delay=1.0, wait=waited.append)
    assert max(waited) <= 0.1


def test_stop_while_waiting_sends_no_more(allowed: Web, searched: Search, tmp_path: Path) -> None:
    calls = 0

    def stop(stage: str, done: int, total: int) -> None:
        nonlocal calls
        calls += 1
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        searched(progress=stop)

    assert len(allowed.queries) == len(SentLog(tmp_path).entries()) == 1


def test_service_that_fails_or_is_silent_is_asked_no_more(allowed, searched, essay, monkeypatch):
    allowed.search = status(429)
    sentences = len(rarest_sentences([essay]))
    found = searched()

    assert sentences > 3
    assert len(allowed.queries) == 3
    assert found.unsent == sentences - 3
    assert [one.code for one in found.failures] == ["web_status"]
    assert found.pages == ()

    monkeypatch.setattr("simhash_core.web.fetching.SECONDS", 1.0)
    allowed.search = silent(allowed)
    found = searched()

    assert {one.code for one in found.failures} == {"timeout"}


def test_pages_are_fetched_once_and_those_that_cannot_be_read_stop_nothing(allowed, searched):
    allowed.pages |= {"/good": article(), "/short": body("<p>too short"), "/gone": status(410)}
    allowed.names("/gone", "/short", "/good")
    found = searched()
    codes = {one.name.removeprefix(allowed.address): one.code for one in found.skipped}

    assert codes == {"/gone": "web_status", "/short": "too_short"}
    assert len(found.pages) == 1
    allowed.paths.clear()
    allowed.pages["/a"] = article()
    allowed.results = [{"url": f"{allowed.address}/a{mark}"} for mark in ("", "#one", "#two")]
    found = searched()

    assert allowed.paths == ["/a"]
    assert len(found.pages) == 1


def test_results_on_this_machine_are_refused_by_a_search(web, tmp_path, essay):
    """The service may be here; what it names may not."""
    web.pages["/router"] = article(title="secret")
    web.results = [
        {"url": f"{web.address}/router"},
        {"url": "http://localhost/router"},
        {"url": "http://192.168.0.1/"},
        {"url": "file:///etc/passwd"},
    ]
    found = search_web(
        rarest_sentences([essay])[:1], service=web.address, folder=tmp_path, delay=0.0
    )

    assert web.paths == []
    assert [one.code for one in found.skipped] == [
        "web_port", "web_private", "web_private", "web_address",
    ]  # fmt: skip
    entries = SentLog(tmp_path).entries()
    assert [(one.kind, one.what) for one in entries if one.kind != "search"] == [
        ("name", "localhost")
    ]
