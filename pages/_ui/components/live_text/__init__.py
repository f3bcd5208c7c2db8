"""A text box that answers while it is typed in: 300 ms after the last key, not while composing.

live_text(key, label=, value=, version=, on_change=)   the callback finds the text in its state
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

_HERE = Path(__file__).parent
WAIT = 300  # milliseconds without a key after which the text counts as said

_mount = st.components.v2.component(
    "leitong_live_text",
    html='<label><span></span><textarea spellcheck="false"></textarea></label>',
    css=(_HERE / "component.css").read_text("utf-8"),
    js=(_HERE / "component.js").read_text("utf-8"),
)


def live_text(
    key: str, *, label: str, value: str, version: str, limit: int, on_change: Callable[[], None]
) -> None:
    """Draw the box. `value` replaces what is typed only when `version` is another one.

    `on_change` runs before the next run of the page; it finds the text in the state of `key`,
    under `text`.
    """
    _mount(
        key=key,
        data={"label": label, "value": value, "version": version, "wait": WAIT, "limit": limit},
        default={"text": value},
        on_text_change=on_change,
    )
