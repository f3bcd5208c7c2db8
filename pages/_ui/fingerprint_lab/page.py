"""Fingerprint lab: one text, or two, followed from words to bits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages._ui.fingerprint_lab import blocks, files, state, worked
from pages._ui.shared.session import t
from pages._ui.shared.widgets import figure_head, foot, note, page_head

STYLE = Path(__file__).parents[1] / "shared" / "lab.css"


@st.fragment
def laboratory() -> None:
    """Everything on the page; an edit runs this and nothing else."""
    st.html(STYLE)
    example = worked.chosen()
    actions = page_head(t("fingerprint_lab.title"), note=t("fingerprint_lab.lead"))
    with actions:
        with action("open", "folder_open"):
            files.opening()
        with action("examples", "book_2"):
            worked.menu()
    if example is not None:
        worked.show(example)
        return
    answer = st.container()
    blocks.boxes()
    blocks.controls()
    traced = state.followed()
    if blocks.nothing(traced):
        return
    with answer:
        blocks.sentence(traced)
    with actions, action("export", "ios_share"):
        files.exporting(traced)
    follow(traced)


def action(name: str, icon: str) -> DeltaGenerator:
    """One menu of the head."""
    title = t(f"fingerprint_lab.{name}.title")
    return st.popover(title, icon=f":material/{icon}:", key=f"lab_{name}")


def follow(traced: dict[int, Any]) -> None:
    """The words and the bits of the texts in the boxes, and the steps from one to the other."""
    flips = state.flips(traced)
    blocks.lines(traced)
    pair = len(traced) == 2
    bits = state.settings().bits
    left, right = st.columns([5, 2], gap="large")
    with left:
        figure_head(t("fingerprint_lab.board.title", bits=bits), t("fingerprint_lab.board.note"))
        place = st.container()
        k = blocks.reach() if pair else 0
        with place:
            bit = blocks.board(traced, flips, k)
        blocks.note_flips(flips)
    with right:
        if pair:
            blocks.so_what(traced)
        figure_head(t(f"fingerprint_lab.rulers.{'title' if pair else 'one'}"))
        if pair:
            blocks.measures(traced)
        else:
            note(t("fingerprint_lab.rulers.alone"))
            blocks.short_text(next(iter(traced.values())))
        blocks.dominant(traced)
    with st.expander(t("fingerprint_lab.steps.title"), key="lab_steps_fold"):
        blocks.steps(*next(iter(traced.items())))
    blocks.voters(traced, bit)
    blocks.word_table(traced)


def draw() -> None:
    """Draw the laboratory and the foot of the page."""
    laboratory()
    foot()
