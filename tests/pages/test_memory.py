"""What a long-lived server remembers stays bounded: computed views, open checks, uploads."""

from __future__ import annotations

import gc
import weakref
from threading import Thread
from typing import Any

import pytest
from page_runs import put_in_zone, rest
from page_texts import COPY, ESSAY, HILL, OTHER, ROPE
from streamlit.testing.v1 import AppTest

from pages._ui.shared import open_checks
from pages._ui.shared.session import HELD, Memo

TEXTS = [(f"{n}.txt", text.encode()) for n, text in enumerate((ESSAY, COPY, OTHER, HILL, ROPE))]


class Drawn:
    """Something large that was computed."""


@pytest.mark.long
def test_of_each_kind_the_latest_are_remembered():
    memo = Memo()
    made: dict[Any, Any] = {}
    seen = []
    for row in range(200):
        drawn = memo.get(("comparison", row), Drawn)
        made[row] = weakref.ref(drawn)
        assert memo.get(("comparison", row), Drawn) is drawn
        memo.get(("sheet", row, "en"), Drawn)
        memo.get("names", Drawn)
        seen.append(len(memo))
    del drawn
    gc.collect()

    assert max(seen) == 2 * HELD + 1
    assert [row for row, of in made.items() if of() is not None] == list(range(200 - HELD, 200))


def test_what_is_asked_for_again_is_kept_and_shared_without_harm():
    memo = Memo()
    first = memo.get(("sheet", 0), Drawn)
    for row in range(1, 10 * HELD):
        memo.get(("sheet", row), Drawn)
        assert memo.get(("sheet", 0), Drawn) is first
    # tabs share what is remembered without harm
    memo = Memo()
    faults: list[object] = []

    def read(start: int) -> None:
        for row in range(3_000):
            wanted = (row * start) % 31
            value = memo.get(("sheet", wanted), lambda wanted=wanted: wanted)
            if value != wanted:
                faults.append(value)

    threads = [Thread(target=read, args=(start,)) for start in (1, 2, 3, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == [] and len(memo) == HELD


def make_check(app: AppTest) -> Any:
    put_in_zone(app, *TEXTS)
    rest(app, "read")
    app.button(key="start").click().run()
    rest(app, "check")
    app.switch_page("pages/check.py").run()  # it has gone to the Overview
    return app.session_state["lt.open"]


@pytest.mark.long
@pytest.mark.parametrize("language", ["en"])
def test_checks_that_were_left_are_closed(open_app, language):
    app = open_app(language=language)
    opened = []
    for _ in range(open_checks.LEFT + 3):
        opened.append(make_check(app))
        app.button(key="clear").click().run()
    registry = open_checks.registry()
    owner = app.session_state["lt.owner"]
    still = [one for one in opened if registry.peek(owner, one.key) is one]

    assert still == opened[-open_checks.LEFT :]
    for one in opened:  # none is lost
        found = registry.find(owner, one.key)
        assert found.current is not None and len(found.current.result.documents) == len(TEXTS)


def test_uploads_are_given_back_once_they_are_read(open_app):
    app = open_app(language="en")
    put_in_zone(app, *TEXTS)
    batch = rest(app, "read").session_state["lt.open"].batch

    assert all(entry.document is not None for entry in batch.entries)
    assert [entry.source is not None for entry in batch.entries] == [True] * len(TEXTS)
