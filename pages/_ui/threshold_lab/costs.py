"""What finding a near text costs from a million to ten billion texts, folded."""

from __future__ import annotations

import streamlit as st

from simhash_core.lab.museum.structures.costs import cost_tables

from ..shared.formatting import esc, number
from ..shared.session import t
from ..shared.widgets import note, write_html


def growth() -> None:
    """The table of all structures, and what the sources misprint; drawn once it is open."""
    fold = st.expander(t("threshold_lab.growth.title"), key="lab_growth", on_change="rerun")
    if not fold.open:
        return
    with fold:
        note(t("threshold_lab.growth.note"))
        for table in cost_tables():
            heads = "".join(
                f"<th>{esc(t(f'evaluate.column_{name}'))}</th>" for name in table.columns
            )
            rows = "".join(
                "<tr>" + "".join(f"<td>{esc(_cell(value))}</td>" for value in row) + "</tr>"
                for row in table.rows
            )
            write_html(
                f'<p class="lt-text"><b>{esc(t(f"evaluate.{table.code}"))}</b></p>'
                f'<div class="lt-scroll"><table class="lt-table"><tr>{heads}</tr>{rows}</table>'
                "</div>"
            )


def _cell(value: object) -> str:
    """Return one value as text; a key of the catalogue as its sentence."""
    if isinstance(value, int):
        return number(value)
    if isinstance(value, float):
        if 0 < value < 0.01:
            return "< 0.01"
        return number(round(value)) if value >= 100 else f"{value:.3g}"
    plain = type(value) is str  # its subclass `Code` is a key
    return str(value) if plain else t(f"evaluate.{value}")
