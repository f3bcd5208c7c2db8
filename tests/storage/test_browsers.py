"""Keys of browsers: only a hash is stored, each is revocable alone."""

from __future__ import annotations

import json
import os
import shutil
import stat
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.folders import data_folder, private_folder
from simhash_core.storage import Shelf, browsers, new_owner, owner_folder, owner_key

DAY = 86_400


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty computer."""
    monkeypatch.setenv("LEITONG_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def contents(folder: Path) -> str:
    return "".join(path.read_text("utf-8") for path in folder.rglob("*") if path.is_file())


def known(key: str) -> browsers.Browser | None:
    return browsers.find(browsers.cookie_of(key))


def test_the_key_is_needed_and_neither_it_nor_the_cookie_is_stored(data: Path) -> None:
    owner = new_owner()
    browser, key = browsers.admit(owner, name="Firefox")
    other, other_key = browsers.admit(owner)
    cookie = browsers.cookie_of(key)

    assert known(key) == browser
    assert known(other_key) == other
    for made_of_less in (cookie, browser.id, "", browsers.cookie_of(cookie)):
        assert known(made_of_less) is None
    for secret in (key, cookie):
        assert secret not in contents(data)
        assert not [path for path in data.rglob("*") if secret in path.name]


@given(
    made_up=st.one_of(
        st.text(max_size=80),
        st.from_regex(r"[A-Za-z0-9_-]{43}", fullmatch=True),
        st.sampled_from(["../../owner", "a" * 64, "A" * 43]),
    )
)
def test_keys_made_elsewhere_open_nothing(made_up: str) -> None:
    assert browsers.find(made_up) is None
    assert known(made_up) is None
    assert not browsers.is_admitted(made_up)
    browsers.revoke(made_up)


@given(steps=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9)), max_size=15))
def test_browsers_are_listed_and_revoked_one_by_one(steps: list[tuple[int, int]]) -> None:
    """Against a table of what was made and not revoked."""
    shutil.rmtree(data_folder() / "browsers", ignore_errors=True)  # of earlier examples
    owners = [new_owner() for _ in range(3)]
    alive: dict[str, tuple[str, str]] = {}
    for which, at in steps:
        if at < 6:
            browser, key = browsers.admit(owners[which])
            alive[browser.id] = (owners[which], key)
        elif alive:
            gone = list(alive)[at % len(alive)]
            _, key = alive.pop(gone)
            browsers.revoke(gone)
            assert known(key) is None
    for owner in owners:
        expected = {identity for identity, held in alive.items() if held[0] == owner}
        assert {browser.id for browser in browsers.browsers_of(owner)} == expected
    for identity, (owner, key) in alive.items():
        found = known(key)
        assert found is not None
        assert (found.id, found.owner) == (identity, owner)


def test_visits_are_noted_and_order_the_list() -> None:
    owner = new_owner()
    first, second = (browsers.admit(owner)[0] for _ in range(2))
    for browser, days in ((first, 0.2), (second, 0.1)):
        moment = time.time() - days * DAY
        os.utime(data_folder() / "browsers" / f"{browser.id}.json", (moment, moment))

    assert [browser.id for browser in browsers.browsers_of(owner)] == [second.id, first.id]
    browsers.note_visit(first)
    assert [browser.id for browser in browsers.browsers_of(owner)] == [first.id, second.id]


def test_keys_that_nobody_can_hold_any_more_are_removed() -> None:
    idle, kept, mine = new_owner(), new_owner(), owner_key()
    Shelf(owner_folder(kept)).create(name="class").close()
    days = {idle: 2, kept: 2, mine: 2}
    for owner, age in days.items():
        browser, _ = browsers.admit(owner)
        moment = time.time() - age * DAY
        os.utime(data_folder() / "browsers" / f"{browser.id}.json", (moment, moment))
    very_old, _ = browsers.admit(mine)
    moment = time.time() - (browsers.KEEP_DAYS + 1) * DAY
    os.utime(data_folder() / "browsers" / f"{very_old.id}.json", (moment, moment))
    browsers.admit(new_owner())

    assert [len(browsers.browsers_of(owner)) for owner in days] == [0, 1, 1]
    assert not browsers.is_admitted(very_old.id)


def test_damaged_records_open_nothing() -> None:
    browser, key = browsers.admit(new_owner())
    path = data_folder() / "browsers" / f"{browser.id}.json"
    whole = json.loads(path.read_text("utf-8"))
    for broken in ("", "{", "[]", json.dumps({**whole, "owner": "../x"}), '{"owner": "x"}'):
        path.write_text(broken, "utf-8")

        assert known(key) is None
        assert browsers.browsers_of(browser.owner) == []


def test_a_computer_that_cannot_be_written_to_has_keys_until_the_end(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data.write_text("not a folder", "utf-8")
    browser, key = browsers.admit(new_owner())

    assert known(key) == browser
    assert browsers.browsers_of(browser.owner) == [browser]
    browsers.note_visit(browser)
    browsers.revoke(browser.id)
    assert known(key) is None


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_private_folder_closes_what_others_could_list(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir(mode=0o755)
    before = os.umask(0)
    try:
        private_folder(tmp_path / "old")
        private_folder(tmp_path / "a" / "b" / "c")
    finally:
        os.umask(before)
    folders = [tmp_path / "old", tmp_path / "a", tmp_path / "a" / "b", tmp_path / "a" / "b" / "c"]

    assert {stat.S_IMODE(folder.stat().st_mode) for folder in folders} == {0o700}
