"""The way from a reader back to the list that it was opened from, and to what stands beside it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from ..review.state import list_cases
from ..shared.session import t
from ..shared.tab import tab
from ..shared.widgets import note, open_page


def draw_way(place: str, before: Mapping[str, str] | None, after: Mapping[str, str] | None) -> None:
    """Draw the way back, where the reader is, and the steps to both sides.

    Parameters
    ----------
    place
        In a sentence, "" where what is read stands in no list.
    before, after
        What the address names there; None at an end.
    """
    with st.container(key="noprint-way", horizontal=True, vertical_alignment="center"):
        if st.button(
            t(f"results.reader.back.{tab.shown_view}"),
            key="back",
            icon=":material/arrow_back:",
            type="tertiary",
            shortcut="Esc",
        ):
            open_page("results", {"view": tab.shown_view})
        with st.container(width="stretch"):
            note(place)
        for name, query, side, key in (
            ("previous", before, "left", "K"),
            ("next", after, "right", "J"),
        ):
            st.button(
                t(f"results.reader.{name}"),
                key=f"reader_{name}",
                icon=f":material/chevron_{side}:",
                icon_position="right" if name == "next" else "left",
                disabled=query is None,
                shortcut=key,
                on_click=_go,
                args=(query or {},),
            )


def draw_way_of_case(number: int) -> None:
    """Draw the way of a case: what it is among all, and the steps through them."""
    numbers = [one.number for one in list_cases()]
    at = numbers.index(number)
    before, after = (
        {"case": str(numbers[to])} if 0 <= to < len(numbers) else None for to in (at - 1, at + 1)
    )
    draw_way(t("results.reader.case", number=number, at=at + 1, n=len(numbers)), before, after)


def _go(query: Mapping[str, str]) -> None:
    st.query_params.update(query)
