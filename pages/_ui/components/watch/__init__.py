"""Reads the colour mode from the browser, and changes what only the browser can change.

`watch(...)` runs the script again when the colours switch, sets the language of the page, puts
Streamlit's strings into that language, closes its box about an unknown address, and closes the
sidebar of a phone after a choice. It also writes into the address which check the page shows, lets
the browser remember its language, and asks before a tab is closed that keeps nothing.
Streamlit has no catalogue: its English strings are replaced where they appear.
"""

from __future__ import annotations

import streamlit as st

from simhash_core.i18n import LANGUAGES, translator

from ...shared.session import language
from .. import register

#: strings of Streamlit, as patterns, and the sentence for each; `{name}` is what the group matched
STREAMLIT_STRINGS: tuple[tuple[str, str], ...] = (
    ("Upload", "upload"),
    ("Upload directories", "upload_folder"),
    ("file upload", "upload"),
    ("Drag and drop (?:a file|files|directories) here", "let_go"),
    ("Add files", "upload"),
    ("Help for (.*)", "help"),
    ("Press Enter to apply", "apply"),
    ("Press .+ to apply", "apply"),
    ("Main menu", "menu"),
    ("Settings", "settings"),
    ("Print", "print"),
    ("Appearance", "appearance"),
    ("Theme", "appearance"),
    ("Use system setting|System|Auto", "by_system"),
    ("Light", "light"),
    ("Dark", "dark"),
    ("Expand sidebar", "open_sidebar"),
    ("Collapse sidebar", "close_sidebar"),
    ("Close", "close"),
    ("Increment(?: value)?", "more"),
    ("Decrement(?: value)?", "less"),
    ("No results", "no_results"),
    ("No options(?: to select)?\\.?", "no_results"),
    ("Clear value", "clear"),
    ("Fullscreen", "fullscreen"),
    ("Search", "search"),
    ("Download as CSV", "csv"),
    ("Show/hide columns", "columns"),
)

_watch = register("watch", "<i aria-hidden=true></i>")


def watch(*, check: str = "", warns: bool = False, language_is_chosen: bool = False) -> None:
    """Mount the watcher once a page; the page says its language and its check.

    Parameters
    ----------
    check
        Id that the address is to carry, "" for none.
    warns
        Whether the browser asks before the tab is closed.
    language_is_chosen
        Whether the browser is to remember the language.
    """
    st.html(
        f'<span data-lt-lang="{_tag(language())}" data-lt-check="{check}"'
        f' data-lt-warns="{"1" if warns else ""}"></span>'
    )
    _watch(
        key="lt_watch",
        data={
            "words": {_tag(code): _rules(code) for code in LANGUAGES},
            "chosen": language() if language_is_chosen else "",
        },
        on_scheme_change=lambda: None,
        height="content",
    )


def _rules(code: str) -> list[list[str]]:
    """Return pattern and sentence of each string of Streamlit in a language."""
    t = translator(code)
    return [
        [f"^(?:{pattern})$", t(f"streamlit.{key}", name="$1")] for pattern, key in STREAMLIT_STRINGS
    ]


def _tag(code: str) -> str:
    """Return the language tag of a page."""
    return {"zh": "zh-CN"}.get(code, code)
