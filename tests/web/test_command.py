"""`leitong web`: seen before sent, kept as a collection, a log, and nothing without an address."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import leitong

from simhash_core.cli.entry import run
from tests.web.server import ARTICLE, OWN, Web, one_source, status

pytestmark = pytest.mark.long


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Web]:
    """A service that names a page with two sentences of the essay, for a user of its own."""
    yield from one_source(monkeypatch, tmp_path / "data")


@pytest.fixture
def essay(tmp_path: Path) -> Path:
    path = tmp_path / "essay.txt"
    path.write_text(" ".join((OWN, *ARTICLE[:2], OWN.replace("bowline", "reef knot"))), "utf-8")
    return path


def test_run_from_the_sentences_to_the_page(web: Web, essay: Path) -> None:
    dry = leitong("web", "search", essay, "--dry-run", "--json")
    shown = [one["words"] for one in json.loads(dry.stdout)["sentences"]]
    assert web.queries == []

    done = leitong(
        "web", "search", essay, "--service", web.address, "--yes", "--delay", 0, "--json"
    )
    data = json.loads(done.stdout)
    (found,) = data["findings"]

    assert done.returncode == 0, done.stderr
    assert data["schema"] == "leitong.web/1"
    assert web.queries == shown
    assert found["url"] == web.address + "/ledgers"
    assert found["share"] > 0.4
    assert essay.read_text("utf-8")[found["passages"][0]["start"] :].startswith(ARTICLE[0])

    log = json.loads(leitong("web", "log", "--json").stdout)
    assert [one["what"] for one in log] == [*shown, web.address + "/ledgers"]
    listed = json.loads(leitong("library", "list", data["collection"], "--json").stdout)
    assert [row["url"] for row in listed] == [web.address + "/ledgers"]
    again = leitong(
        "check", essay, "--against", f"library:{data['collection']}", "--format", "json"
    )
    (page,) = (row for row in json.loads(again.stdout)["documents"] if row["reference"])
    assert page["meta"]["fetched"] == found["fetched"]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_table_names_page_and_moment(web: Web, essay: Path, language: str) -> None:
    done = leitong("web", "search", essay, "--service", web.address, "--yes", "--delay", 0,
                   language=language)  # fmt: skip

    assert web.address + "/ledgers" in done.stdout
    assert {"zh": "截至", "en": "as of"}[language] in done.stdout
    assert web.address in done.stderr


def test_nothing_is_sent_without_an_address(web: Web, essay: Path) -> None:
    done = leitong("web", "search", essay, "--yes")

    assert done.returncode == 2
    assert "--service" in done.stderr
    assert web.queries == web.paths == []


def test_address_is_entered_shown_and_forgotten(web: Web, essay: Path) -> None:
    assert "No search service" in leitong("web", "service").stdout
    assert leitong("web", "service", web.address + "/search").stdout.strip() == web.address
    done = leitong("web", "search", essay, "--yes", "--delay", 0)
    assert done.returncode == 0, done.stderr
    assert web.queries
    leitong("web", "service", "--off")
    before = list(web.queries)
    assert leitong("web", "search", essay, "--yes").returncode == 2
    assert web.queries == before


def test_nothing_is_sent_that_nobody_has_seen(web: Web, essay: Path) -> None:
    done = leitong("web", "search", essay, "--service", web.address)

    assert done.returncode == 2
    assert "--dry-run" in done.stderr
    assert web.queries == []


def at_a_terminal(answer: str, *arguments: object, language: str = "en") -> tuple[int, str]:
    """Run a command at a pseudo-terminal, type `answer` at its question; return all it shows."""
    shown = b""

    def type_answer() -> None:
        nonlocal shown
        is_asked = False
        with contextlib.suppress(OSError):  # the other end is closed
            while data := os.read(screen, 4096):
                shown += data
                if b"[y/N]" in shown and not is_asked:
                    is_asked = True
                    os.write(screen, f"{answer}\n".encode())

    screen, keyboard = os.openpty()
    reader = threading.Thread(target=type_answer)
    with (
        os.fdopen(os.dup(keyboard), encoding="utf-8") as typed,
        os.fdopen(keyboard, "w", encoding="utf-8", buffering=1) as err,
        pytest.MonkeyPatch.context() as put,
    ):
        put.setattr(sys, "stdin", typed)
        put.setattr(sys, "stderr", err)
        reader.start()
        code = run([*map(str, arguments), "--lang", language])
    reader.join(60)
    os.close(screen)
    return code, shown.decode("utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(
    ("answer", "is_yes"),
    [("y", True), ("YES", True), ("是", True), ("", False), ("n", False), ("yess", False)],
)
def test_question_at_a_terminal_is_answered(web, essay, answer, is_yes, language):
    offered = leitong("web", "search", essay, "--dry-run", "--json")
    sentences = [one["words"] for one in json.loads(offered.stdout)["sentences"]]
    arguments = ("--service", web.address, "--delay", 0, "--without", 1)
    code, shown = at_a_terminal(answer, "web", "search", essay, *arguments, language=language)

    assert code == 0
    assert web.address in shown
    assert all(sentence in shown for sentence in sentences)
    assert web.queries == (sentences[1:] if is_yes else [])
    assert bool(web.paths) == is_yes


def test_struck_sentence_stays_here(web: Web, essay: Path) -> None:
    shown = json.loads(leitong("web", "search", essay, "--dry-run", "--json").stdout)["sentences"]
    leitong("web", "search", essay, "--service", web.address, "--yes", "--delay", 0,
            "--without", 1, "-x", 3)  # fmt: skip

    assert web.queries == [one["words"] for one in shown if one["number"] not in (1, 3)]
    beyond = leitong("web", "search", essay, "--dry-run", "--without", 99)
    assert beyond.returncode == 2
    assert "99" in beyond.stderr


def test_log_is_deleted(web: Web, essay: Path) -> None:
    leitong("web", "search", essay, "--service", web.address, "--yes", "--delay", 0)
    assert "lines deleted" in leitong("web", "log", "--delete").stderr
    assert "Nothing has left" in leitong("web", "log").stdout


def test_service_that_refuses_is_said(web: Web, essay: Path) -> None:
    web.search = status(403)
    done = leitong("web", "search", essay, "--service", web.address, "--yes", "--delay", 0)

    assert done.returncode == 3
    assert "403" in done.stderr
    assert "does not mean" in done.stdout


@pytest.mark.parametrize("address", ["searx", "ftp://searx.example", "http://a:b@searx.example"])
def test_address_that_is_none_is_a_mistake(web: Web, essay: Path, address: str) -> None:
    assert leitong("web", "service", address).returncode == 2
    assert leitong("web", "search", essay, "--service", address, "--yes").returncode == 2
