"""A list of which one entry is open, each with a row of dots and a line of facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import streamlit as st

from .. import register

_mount = register("choice_list", '<ul class="choices"></ul>')


@dataclass(frozen=True, slots=True)
class Choice:
    """One entry; `id` comes back when it is chosen."""

    id: int
    title: str
    dots: int
    note: str


def choice_list(choices: Sequence[Choice], *, key: str, label: str) -> int:
    """Draw the list and return the id of the open entry, at first the first one."""
    ids = [choice.id for choice in choices]
    state = st.session_state.get(key, {})
    selected = state.get("id") if state.get("id") in ids else ids[0]
    _mount(
        key=key,
        data={
            "label": label,
            "selected": selected,
            "items": [asdict(choice) for choice in choices],
        },
        default={"id": selected},
        on_id_change=lambda: None,
    )
    return int(selected)
