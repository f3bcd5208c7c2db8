"""Cases of the desk are set while another one is read."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Any

from pages._ui.review import case


def test_cases_set_ahead_are_held_once_and_only_the_latest():
    held: case.Held[Any] = {}
    case.prepare(held, "next", lambda: "set ahead")
    assert case.take_case(held, "next", lambda: "set again") == "set ahead"
    assert case.take_case(held, "next", lambda: "set again") == "set ahead"
    # only the latest cases are held
    held: dict[Any, Future[int]] = {}
    for row in range(case.HELD + 3):
        assert case.take_case(held, row, lambda row=row: row) == row
    case.take_case(held, 3, lambda: -1)  # looked at again: the last to go
    case.take_case(held, "one more", lambda: -1)
    assert list(held) == [*range(5, case.HELD + 3), 3, "one more"]


def test_the_open_case_does_not_wait_for_others():
    held: case.Held[Any] = {}
    begun, go_on = threading.Event(), threading.Event()

    def long() -> bool:
        begun.set()
        return go_on.wait(60)

    case.prepare(held, "of another session", long)
    assert begun.wait(60)
    case.prepare(held, "open", lambda: "later")
    try:
        assert case.take_case(held, "open", lambda: "now") == "now"
    finally:
        go_on.set()
    assert case.take_case(held, "of another session", lambda: None) is True
