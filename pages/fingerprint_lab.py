"""Fingerprint lab: one text, or two, followed from words to bits."""

from pages._ui import frame

frame.guard()

from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

import streamlit as st  # noqa: E402
from streamlit.delta_generator import DeltaGenerator  # noqa: E402

from pages._ui import fingerprint_view as blocks  # noqa: E402
from pages._ui import lab_files, lab_state, worked_view  # noqa: E402
from pages._ui.session import t  # noqa: E402
from pages._ui.widgets import figure_head, foot, note, page_head  # noqa: E402

STYLE = Path(__file__).parent / "_ui" / "lab.css"


@st.fragment
def laboratory() -> None:
    """Everything on the page; an edit runs this and nothing else."""
    st.html(STYLE)
    example = worked_view.chosen()
    actions = page_head(t("fingerprint_lab.title"), note=t("fingerprint_lab.lead"))
    with actions:
        with action("open", "folder_open"):
            lab_files.opening()
        with action("examples", "book_2"):
            worked_view.menu()
    if example is not None:
        worked_view.show(example)
        return
    blocks.boxes()
    blocks.controls()
    traced = lab_state.followed()
    if blocks.nothing(traced):
        return
    with actions, action("export", "ios_share"):
        lab_files.exporting(traced)
    follow(traced)


def action(name: str, icon: str) -> DeltaGenerator:
    """One menu of the head."""
    title = t(f"fingerprint_lab.{name}.title")
    return st.popover(title, icon=f":material/{icon}:", key=f"lab_{name}")


def follow(traced: dict[int, Any]) -> None:
    """The steps, the bits and the words of the texts in the boxes."""
    flips = lab_state.flips(traced)
    blocks.steps(*next(iter(traced.items())))
    blocks.lines(traced)
    pair = len(traced) == 2
    bits = lab_state.settings().bits
    left, right = st.columns([5, 2], gap="large")
    with left:
        figure_head(t("fingerprint_lab.board.title", bits=bits), t("fingerprint_lab.board.note"))
        place = st.container()
        k = blocks.reach() if pair else 0
        with place:
            bit = blocks.board(traced, flips, k)
        blocks.flips_said(flips)
    with right:
        figure_head(t(f"fingerprint_lab.rulers.{'title' if pair else 'one'}"))
        if pair:
            blocks.measures(traced)
        else:
            note(t("fingerprint_lab.rulers.alone"))
            blocks.short_text(next(iter(traced.values())))
        blocks.dominant(traced)
    blocks.voters(traced, bit)
    blocks.word_table(traced)


laboratory()
foot()
