"""One tab at the review desk of a check, without a browser."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import count
from typing import Any

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

    state.act_all(st.session_state.pop("events", []))
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
        (desk,) = self.app.get("bidi_component")
        self.shown: dict[str, Any] = json.loads(desk.proto.json)
        return self.shown

    def does(self, *events: dict[str, Any]) -> str:
        """Send events at once; return what the line under the buttons says."""
        self.app.session_state["events"] = [{**event, "at": next(clock)} for event in events]
        return str(self.look()["strip"]["text"])

    def decides(self, verdict: str, reason: str = "", **more: Any) -> str:
        """Press the key of a verdict, or of a reason, at the case that is open."""
        asked = self.shown["strip"]["asked"]
        row = asked["row"] if asked and reason else self.row
        event = {"type": "decide", "row": row, "verdict": verdict, "reason": reason}
        return self.does({**event, **more})

    @property
    def row(self) -> int:
        return int(self.shown["case"]["row"])

    @property
    def ticks(self) -> str:
        """State of each case by a letter: c confirmed, n no problem, l later, u undecided."""
        return str(self.shown["progress"]["ticks"])
