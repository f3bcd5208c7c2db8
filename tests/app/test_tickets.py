"""Tickets, and paths for the page Check: good once, for minutes, in a file of the user alone."""

from __future__ import annotations

import os
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser

import pytest

from simhash_core.app import tickets

ADDRESS = "http://127.0.0.1:8581/?check=a&page=b"


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("LEITONG_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


def secret_of(ticket: tickets.Ticket) -> str:
    return ticket.url.partition("#ticket=")[2]


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = dict(attrs)
        if tag == "a":
            self.found.append(str(held["href"]))
        if held.get("http-equiv") == "refresh":
            self.found.append(str(held["content"]).partition("url=")[2])


def test_a_ticket_is_good_once_and_its_page_leads_to_the_address():
    ticket = tickets.issue(ADDRESS)
    assert ticket.url.startswith(f"{ADDRESS}#ticket=")
    assert tickets.redeem(secret_of(ticket))
    assert not tickets.redeem(secret_of(ticket))
    assert not ticket.page.exists()
    # the page leads to the address
    ticket = tickets.issue(ADDRESS)
    links = _Links()
    links.feed(ticket.page.read_text("utf-8"))
    assert links.found == [ticket.url, ticket.url]
    assert secret_of(ticket) not in str(ticket.page)


def test_of_many_who_hand_it_in_at_once_one_succeeds():
    for _ in range(20):
        secret = secret_of(tickets.issue(ADDRESS))
        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(tickets.redeem, [secret] * 8)) == 1


@pytest.mark.parametrize("secret", ["", "x", "a" * 43, "../../owner.key", "é", "\0"])
def test_made_up_tickets_open_nothing(secret):
    tickets.issue(ADDRESS)

    assert not tickets.redeem(secret)


@pytest.mark.parametrize("shift", [-tickets.GOOD_SECONDS - 1, tickets.GOOD_SECONDS + 1])
def test_a_ticket_ends_by_itself_whatever_the_clock_does(shift):
    ticket = tickets.issue(ADDRESS)
    moment = time.time() + shift
    os.utime(ticket.page, (moment, moment))

    assert not tickets.redeem(secret_of(ticket))
    assert not ticket.page.exists()


def test_none_is_left_behind():
    old, new = tickets.issue(ADDRESS), tickets.issue(ADDRESS)
    moment = time.time() - tickets.GOOD_SECONDS - 1
    os.utime(old.page, (moment, moment))
    tickets.issue(ADDRESS)

    assert not old.page.exists()
    assert new.page.exists()
    tickets.clear()
    assert list(new.page.parent.iterdir()) == []


# --------------------------------------------------------------------------- paths


def test_paths_are_taken_once_and_are_absolute(state, tmp_path, monkeypatch):
    (tmp_path / "一班").mkdir()
    monkeypatch.chdir(tmp_path)
    secret = tickets.hand_over(["一班", "gone.txt"])

    assert tickets.take_over(secret) == [tmp_path / "一班"]
    assert tickets.take_over(secret) == []
    assert list((state / "handed").iterdir()) == []


def test_no_paths_are_taken_without_the_secret(tmp_path):
    tickets.hand_over([tmp_path])
    ticket = tickets.issue(ADDRESS)

    for secret in ("", "../../etc/passwd", secret_of(ticket)):
        assert tickets.take_over(secret) == []
    assert ticket.page.exists()


def test_paths_that_are_too_old_are_not_taken_and_go_with_the_next(state, tmp_path):
    secret = tickets.hand_over([tmp_path])
    (file,) = (state / "handed").iterdir()
    os.utime(file, (time.time() - tickets.GOOD_SECONDS - 1,) * 2)
    tickets.hand_over([tmp_path])

    assert not file.exists()
    assert tickets.take_over(secret) == []


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_the_file_of_paths_is_the_users_alone_and_does_not_say_the_secret(state, tmp_path):
    secret = tickets.hand_over([tmp_path])
    (file,) = (state / "handed").iterdir()

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert secret not in file.name + file.read_text("utf-8")
