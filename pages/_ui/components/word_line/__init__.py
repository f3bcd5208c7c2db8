"""A text as its words, each underlined as heavily as it weighs; one of them can be chosen.

word_line(key, ...) -> the chosen word, "" for none
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from .. import register

_mount = register("word_line", '<p class="line"></p>')

#: (text before, word as it stands, token, weight as a share of the heaviest; -1 without a vote)
Word = tuple[str, str, str, float]


def word_line(
    key: str, *, words: Sequence[Word], tail: str, label: str, silent: str, language: str
) -> str:
    """Draw the words and return the token that is chosen.

    `tail` follows the last word; `silent` describes a word without a vote.
    """
    tokens = {token for _, _, token, share in words if share >= 0}
    chosen = chosen_word(key)
    state = _mount(
        key=key,
        data={
            "words": [list(word) for word in words],
            "tail": tail,
            "label": label,
            "silent": silent,
            "lang": language,
            "chosen": chosen if chosen in tokens else "",
        },
        default={"token": ""},
        on_token_change=lambda: None,
    )
    token = state.get("token") or ""
    return str(token) if token in tokens else ""


def chosen_word(key: str) -> str:
    """Return the token that is chosen before the words are drawn."""
    return str(st.session_state.get(key, {}).get("token") or "")
