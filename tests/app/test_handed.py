"""Paths for the page Check: read once, by whoever knows the secret, while they are fresh."""

from __future__ import annotations

import os
import stat
import sys
import time

import pytest

from simhash_core.app import handed
from simhash_core.app.tickets import GOOD_SECONDS


@pytest.fixture
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("LEITONG_STATE", str(tmp_path / "state"))
    return tmp_path / "state" / "handed"


def test_paths_are_taken_once_and_are_absolute(state, tmp_path, monkeypatch):
    (tmp_path / "一班").mkdir()
    monkeypatch.chdir(tmp_path)
    secret = handed.hand(["一班", "gone.txt"])

    assert handed.take(secret) == [tmp_path / "一班"]
    assert handed.take(secret) == []
    assert list(state.iterdir()) == []


def test_nothing_is_taken_without_the_secret(state, tmp_path):
    handed.hand([tmp_path])

    assert handed.take("") == handed.take("../../etc/passwd") == []


def test_what_is_too_old_is_not_taken_and_goes_with_the_next(state, tmp_path):
    secret = handed.hand([tmp_path])
    (file,) = state.iterdir()
    os.utime(file, (time.time() - GOOD_SECONDS - 1,) * 2)
    handed.hand([tmp_path])

    assert not file.exists()
    assert handed.take(secret) == []


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_the_file_is_the_users_alone_and_does_not_say_the_secret(state, tmp_path):
    secret = handed.hand([tmp_path])
    (file,) = state.iterdir()

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert secret not in file.name + file.read_text("ascii")
