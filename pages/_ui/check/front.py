"""The front page: three doors for texts, the samples, and the checks that were made before.

The tables of words that a first check would have to make are made meanwhile (`preparation`).
"""

from __future__ import annotations

import threading
from functools import cache, partial

import streamlit as st

from simhash_core.checking import samples, word_tables

from ..shared import open_checks, running
from ..shared.formatting import error_text, esc, number
from ..shared.jobs import Job
from ..shared.session import t
from ..shared.widgets import figure_head, foot, note, open_page, page_head, write_html
from . import files, recent, uploads
from .against import count_library
from .settings_form import keep_switch

#: what is drawn above each door, which says nothing that its words do not say
_SKETCHES = {
    "class": ("held", "", "", "held", "", "missing", "", ""),
    "two": ("held", "joins", "held low"),
    "library": ("", "arrow", "book", "book", "book", "book held", "book", "book"),
}


def draw() -> None:
    """Draw the doors, what may be dropped without choosing, samples and recent checks."""
    lead = t("check.front.lead")
    if open_checks.keeps_nothing():
        lead = t("check.keeps_nothing", facts=lead)
    page_head(t("check.front.title"), "", lead)
    files.say_refused()
    recent.say_refused()
    recent.say_forgotten()
    held = count_library()
    with st.container(key="doors"):
        places = st.columns([1.35, 1, 1], gap=None)
    for place, door in zip(places, ("class", "two", "library"), strict=True):
        is_empty = door == "library" and not held
        with place, st.container(key=f"door-{door}"):
            about = t("check.door.library.empty" if is_empty else f"check.door.{door}.note",
                      n=number(held))  # fmt: skip
            drawn = "".join(f'<i class="{kind}"></i>' for kind in _SKETCHES[door])
            write_html(
                f'<div class="lt-sketch" aria-hidden="true">{drawn}</div>'
                f'<h2 class="lt-drop">{esc(t(f"check.door.{door}"))}</h2>'
                f'<p class="lt-text">{esc(t(f"check.door.{door}.what"))}</p>'
                f'<p class="lt-note">{esc(about)}</p>'
            )
            with st.container(horizontal=True, key=f"ways-{door}", gap="small"):
                if is_empty:
                    if st.button(t("check.door.library.fill"), key="to_library"):
                        open_page("library")
                else:
                    files.upload_boxes(door)
                if door == "two" and st.button(
                    t("check.ways.paste"), key="paste", icon=":material/content_paste:"
                ):
                    _paste()
    with st.container(key="front-notes", horizontal=True, horizontal_alignment="distribute"):
        note(t("check.front.anywhere"))
        note(t("check.front.formats"))
    if preparation().state != "done":
        _preparing()
    if samples():
        _samples()
    summaries = open_checks.shelf().recent()
    if summaries:
        recent.draw_checks(summaries)
    with st.container(key="front-foot", horizontal=True, vertical_alignment="center"):
        keep_switch()
        recent.draw_browsers()
    foot()


def _paste() -> None:
    """Open two boxes for pasted texts; the button leads straight to both side by side."""

    @st.dialog(t("check.paste.title"), width="large")
    def dialog() -> None:
        sides = st.columns(2)
        texts = [
            side.text_area(t(f"check.paste.{name}"), key=f"paste_{name}", height=280)
            for side, name in zip(sides, "ab", strict=True)
        ]
        if st.button(t("check.paste.compare"), key="paste_compare", type="primary"):
            if all(text.strip() for text in texts):
                uploads.paste(texts)
                st.rerun()
            note(t("check.paste.missing"))

    dialog()


def _samples() -> None:
    with st.container(key="samples", horizontal=True, vertical_alignment="center"):
        note("", lead=t("check.sample.lead"))
        for kind in ("class", "two"):
            if st.button(t(f"check.sample.{kind}"), key=f"sample_{kind}", type="tertiary"):
                files.open_sample(kind)
                st.rerun()


# --------------------------------------------------------------------------- the tables of words


@cache
def preparation() -> Job:
    """Make the tables of words that are missing, once for this server; return how far that is."""
    names = word_tables.list_missing()
    job = Job("", "word_tables", names, state="running" if names else "done")
    if names:
        work = partial(word_tables.prepare, names)
        threading.Thread(target=job.run, args=(work,), daemon=True).start()
    return job


@st.fragment(run_every=running.TICK)
def _preparing() -> None:
    """Draw how far the preparation is, until it ends: then the page is drawn without it."""
    job = preparation()
    if job.state == "done":
        st.rerun()
    if job.error is not None:
        figure_head(t("check.prepare.failed"), error_text(job.error))
        st.button(t("check.prepare.again"), key="prepare", on_click=preparation.cache_clear)
        return
    with st.container(key="prepare-words"):
        running.stage_bar(job)
        note(t("check.prepare.once"))
