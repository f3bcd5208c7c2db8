"""The log of what left the machine: complete, private, readable, deletable."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest

from simhash_core.errors import BadInput
from simhash_core.web import SentLog, forget_service, service_address, service_of, set_service


def test_log_keeps_order_and_words_and_is_deleted_with_all_it_holds(tmp_path: Path) -> None:
    log = SentLog(tmp_path / "of a person")
    words = ["夜里的河 \ud800", 'two\nlines "quoted"', "\0 and \u2028"]
    for one in words:
        log.note("search", "host:443", one)
    assert [entry.what for entry in log.entries()] == words
    assert stat.S_IMODE(log.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(log.path.parent.stat().st_mode) == 0o700

    assert log.delete() == len(words)
    assert log.entries() == ()
    assert log.delete() == 0
    assert list(log.path.parent.iterdir()) == []


def test_line_that_was_cut_off_hides_no_other(tmp_path: Path) -> None:
    log = SentLog(tmp_path)
    log.note("search", "host:443", "first")
    with log.path.open("a") as file:
        file.write('{"at": "2026\n[1]\n{}\n')
    log.note("search", "host:443", "last")

    assert [entry.what for entry in log.entries()] == ["first", "last"]


def test_writers_at_once_lose_no_line(tmp_path: Path) -> None:
    def write(number: int) -> None:
        for at in range(50):
            SentLog(tmp_path).note("search", "host:443", f"{number} {at} " + "词" * 300)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len({entry.what for entry in SentLog(tmp_path).entries()}) == 200


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("http://localhost:8888", "http://localhost:8888"),
        (" https://searx.example/ ", "https://searx.example"),
        ("https://searx.example/search?q=a&format=json", "https://searx.example"),
        ("https://example.org/searxng/search", "https://example.org/searxng"),
        ("http://[::1]:8080/", "http://[::1]:8080"),
    ],
)
def test_address_of_a_service_is_what_stands_before_search(given: str, used: str) -> None:
    assert service_address(given) == used


@pytest.mark.parametrize(
    "given",
    ["", "searx.example", "ftp://searx.example", "https://", "https://a:b@searx.example",
     "https://searx.example:0", "https://searx.example:x", "http://[::1", "https://a b.example",
     "https://a\u202e.example", "https://" + "a" * 600],
)  # fmt: skip
def test_what_is_no_address_of_a_service_is_refused(given: str) -> None:
    with pytest.raises(BadInput, match="web_service"):
        service_address(given)


def test_no_service_before_one_is_entered_nor_of_a_damaged_address(tmp_path: Path) -> None:
    folder = tmp_path / "of a person"
    assert service_of(folder) == ""
    set_service(folder, "http://localhost:8888/search")
    assert service_of(folder) == "http://localhost:8888"
    with pytest.raises(BadInput):
        set_service(folder, "gopher://old")
    assert service_of(folder) == "http://localhost:8888"
    forget_service(folder)
    forget_service(folder)
    assert service_of(folder) == ""
    (tmp_path / "service.txt").write_bytes(b"\xff\xfe http://")
    assert service_of(tmp_path) == ""
