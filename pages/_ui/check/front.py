"""The front page: three doors for texts, the samples, and the checks that were made before.

The tables of words that a first check would have to make are made meanwhile (`preparation`).
"""

from __future__ import annotations

import threading
from functools import cache, partial

import streamlit as st

from simhash_core.checking import samples, word_tables

from ..shared import running
from ..shared.formatting import error_text, esc, number
from ..shared.jobs import Job
from ..shared.session import t
from ..shared.widgets import figure_head, foot, note, open_page, page_head, write_html
from . import files, recent, uploads
from .against import count_library
from .settings_form import keep_switch

#: the corner of a sheet of paper, and what stands on one: (x, lines or a filled passage at y)
_SHEET = '<path d="M{x} 1h13l6 6v26h-19z"/><path class="line" d="M{x4} {y1}h11m-11 5h11m-11 5h11"/>'
_PASSAGE = '<rect class="held" x="{x3}" y="{y}" width="13" height="5"/>'


def draw() -> None:
    """Draw the doors, what may be dropped without choosing, samples and recent checks."""
    page_head(t("check.front.title"), "", t("check.front.lead"))
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
            write_html(
                f'{_sketch(door)}<h2 class="lt-drop">{esc(t(f"check.door.{door}"))}</h2>'
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
    summaries = recent.list_checks()
    if summaries:
        recent.draw_checks(summaries)
    with st.container(key="front-foot", horizontal=True, vertical_alignment="center"):
        keep_switch()
        recent.draw_browsers()
    foot()


def _sketch(door: str) -> str:
    """Return the drawing of a door, which says nothing that the words do not say."""

    def sheet(x: int, y: int = 0) -> str:
        passage = _PASSAGE.format(x3=x + 3, y=y) if y else ""
        return _SHEET.format(x=x, x4=x + 4, y1=14) + passage

    if door == "class":
        missing = '<path class="missing" d="M133 1h13l6 6v26h-19z"/>'
        drawn = "".join(map(sheet, (1, 27, 54, 80, 107, 160), (12, 0, 0, 12, 0, 0))) + missing
    elif door == "two":
        drawn = sheet(1, 10) + sheet(67, 22) + '<path class="joins" d="M18 12c26 0 26 12 52 12"/>'
    else:
        books = "".join(f'<path d="M{70 + 13 * n} {1 + n % 3 * 2}h8v32h-8z"/>' for n in range(5))
        arrow = '<path d="M30 17h26m-6 -5l6 5l-6 5"/>'
        drawn = sheet(1) + arrow + books + '<rect class="held" x="96" y="5" width="8" height="28"/>'
    return (
        '<div class="lt-sketch" aria-hidden="true">'
        f'<svg viewBox="0 0 184 36" width="184" height="36">{drawn}</svg></div>'
    )


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
