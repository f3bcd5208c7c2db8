"""A passage with many witnesses: base text, apparatus, tree, table of readings, decision.

edition(data, key=..., on_act=...)

What the reader did lies under `st.session_state[key].act` when `on_act` is called, {"type": ...}:
`decide` (verdict), `undo`, `read` (row of a document), `compare` (rows a, b).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .. import register

_mount = register(
    "edition", '<div class="ed"></div>', styles_of=("shared",), scripts=("shared/dom.js",)
)


def edition(data: Mapping[str, Any], *, key: str, on_act: Callable[[], None]) -> None:
    """Draw one variant group."""
    _mount(key=key, data=dict(data), on_act_change=on_act)
