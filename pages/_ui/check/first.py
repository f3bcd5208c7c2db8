"""The page of a first start: put a class in, or look at the sample class.

The tables of words that a first check would have to make are made meanwhile (`preparation`).
"""

from __future__ import annotations

import base64
import threading
from functools import cache, partial
from pathlib import Path

import streamlit as st

from simhash_core.checking import word_tables

from ..shared import running, session
from ..shared.formatting import error_text, esc
from ..shared.jobs import Job
from ..shared.session import t
from ..shared.tab import tab as shared_tab
from ..shared.widgets import figure_head, language_switch, note, write_html
from . import files, recent

_BRAND = Path(__file__).parents[1] / "shared" / "brand"

NAME = "Leitong 雷同"
SHEETS = 40  # of the sample class, in the order of its class list
#: rows of that list without a text: nothing arrived, or a file that no program could open
MISSING, UNREADABLE = (11, 25), (3, 29)


def draw() -> None:
    """Draw the two ways in, what is promised, and the way to all pages."""
    with st.container(key="first", gap=None):
        with st.container(key="first-language", horizontal=True, horizontal_alignment="right"):
            language_switch()
        mode = "dark" if st.context.theme.type == "dark" else "light"
        logo = base64.b64encode((_BRAND / f"logo-{mode}.svg").read_bytes()).decode()
        write_html(
            f'<div class="lt-first"><img src="data:image/svg+xml;base64,{logo}" alt="{NAME}">'
            f'<h1 class="lt-h1">{esc(t("check.first.title"))}</h1>'
            f'<p class="lt-lead">{esc(t("check.first.lead"))}</p></div>'
        )
        files.say_refused()
        recent.say_refused()
        drop, sample = st.columns(2, gap="medium")
        with drop:
            files.drop_zone(empty=True, words="check.first.drop")
        with sample, st.container(key="first-sample"):
            sheets = "".join(f'<i class="{_state(row)}"></i>' for row in range(SHEETS))
            write_html(
                f'<h2 class="lt-drop">{esc(t("check.first.sample"))}</h2>'
                f'<div class="lt-sheets" aria-hidden="true">{sheets}</div>'
            )
            note(t("check.first.sample_text"))
            if st.button(
                t("check.first.sample_open"),
                key="sample_class",
                icon=":material/chevron_right:",
                icon_position="right",
            ):
                files.open_sample(next(iter(files.sample_titles())))
                st.rerun()
        if preparation().state != "done":
            _preparing()
        with st.container(key="first-foot", horizontal_alignment="center", gap="xsmall"):
            sends = session.may_send()
            note(t("frame.privacy_web" if sends else "frame.privacy"))
            if not sends:
                note(t("check.first.alone"))
            if st.button(t("check.first.all_pages"), key="all_pages", type="tertiary"):
                shared_tab.begun = True
                st.rerun()


def _state(row: int) -> str:
    return "missing" if row in MISSING else "unread" if row in UNREADABLE else ""


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
    with st.container(key="first-prepare"):
        figure_head(t("check.prepare.title"), t("check.prepare.once"))
        running.stage_bar(job)
        write_html(running.steps(job))
