"""The review desk: cases, the two texts of one, and the decision about it.

desk(data, key=..., on_act=...)

What the reader did lies under `st.session_state[key].act["events"]` when `on_act` is called, each
{"type": ..., "at": ..., ...}; `at` rises, and an event comes again until `data["answered"]` has
reached it. Types: `decide` (row, verdict, reason, whole), `note` (row, note), `open` (row), `step`
(way), `search` (query), `page` (at), `undo` (note: whether the latest note), `redo`, `blind`. `row`
is a row of the pair table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .. import register

_mount = register(
    "desk", '<div class="desk"></div>', styles_of=("shared",), scripts=("shared/dom.js",)
)


def desk(data: Mapping[str, Any], *, key: str, on_act: Callable[[], None]) -> None:
    """Draw the desk."""
    _mount(key=key, data=dict(data), on_act_change=on_act)
