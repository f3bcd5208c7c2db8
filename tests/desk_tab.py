"""One tab at the review desk of a check, without a browser."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import count
from typing import Any

from page_texts import unpack
from streamlit.testing.v1 import AppTest

from pages._ui.shared.open_checks import OpenCheck
from pages._ui.shared.session import CurrentCheck
from simhash_core import CheckResult
from simhash_core.storage import Project

clock = count(1)


def kept(result: CheckResult) -> OpenCheck:
    """A check that is kept in memory and open."""
    project = Project.in_memory()
    project.save_documents(result.documents)
    project.save_result(result)
    return OpenCheck(project, "", current=CurrentCheck(result, "", datetime.now(UTC), 1.0))


def script() -> None:
    import streamlit as st

    from pages._ui.review import page, state

    if events := st.session_state.pop("events", []):
        state.act_all(events)
        page._desk()  # as where a key was pressed: nothing else of the page runs
    else:
        page.draw()


class Tab:
    """One tab at the desk of a check."""

    def __init__(self, opened: OpenCheck, language: str, reviewer: str = "") -> None:
        self.app = AppTest.from_function(script, default_timeout=120)
        self.app.context["locale"] = {"zh": "zh-CN", "en": "en-GB"}[language]
        self.app.session_state["lt.check"] = opened.current
        self.app.session_state["lt.open"] = opened
        self.app.session_state["reviewer"] = reviewer
        self.look()

    def look(self) -> dict[str, Any]:
        """Run the page again and return what the component shows."""
        self.app.run()
        assert not self.app.exception, self.app.exception[0].message
        desk = next(one for one in self.app.get("bidi_component") if '"ticks"' in one.proto.json)
        self.shown: dict[str, Any] = json.loads(desk.proto.json)
        if sent := self.shown["list"]:
            rows = [row for group in sent["groups"] for row in unpack(group["rows"], group["n"])]
            self.listed = {**sent, "rows": rows}
        return self.shown

    def does(self, *events: dict[str, Any]) -> str:
        """Send events at once; return what is said of the case that is open then."""
        self.app.session_state["events"] = [{**event, "at": next(clock)} for event in events]
        return str(self.look()["said"])

    def decides(self, verdict: str, reason: str = "", **more: Any) -> str:
        """Press the key of a verdict, of an answer, or of a reason at the case that is open."""
        event = {"type": "decide", "number": self.number, "verdict": verdict, "reason": reason}
        return self.does({**event, **more})

    @property
    def number(self) -> int:
        return int(self.shown["case"]["number"])

    @property
    def ticks(self) -> str:
        """State of each case: c confirmed, n no problem, l later, u undecided, or its answer."""
        return str(self.shown["ticks"])
