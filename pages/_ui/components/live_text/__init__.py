"""A text box that sends its text 300 ms after the last key, but not while composing.

live_text(key, label=, value=, version=, on_change=)   the callback finds the text in its state
"""

from __future__ import annotations

from collections.abc import Callable

from .. import register

WAIT = 300  # milliseconds without a key after which the text is sent

_mount = register(
    "live_text", '<label><span></span><textarea spellcheck="false"></textarea></label>'
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
