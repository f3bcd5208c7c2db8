"""The close pairs by fingerprint of a running check; each can be opened and read."""

from __future__ import annotations

import streamlit as st

from simhash_core import Document, compare

from ..components.lists import early_pairs
from ..components.texts import prepare, reader
from ..shared import session
from ..shared.jobs import Job
from ..shared.session import t
from ..shared.tab import tab
from ..shared.widgets import figure_head, note

MOST = 8  # pairs listed, closest first


def pairs_so_far(job: Job) -> None:
    """List the closest pairs by fingerprint; a row opens its two texts."""
    pairs: list[tuple[int, int, int]] = job.facts.get("early", [])
    if not pairs:
        return
    rows = [
        (_name(job, a), _name(job, b), t("check.so_far_distance", n=distance))
        for a, b, distance in pairs[:MOST]
    ]
    title = t("check.so_far", n=len(pairs))
    figure_head(title, t("check.so_far_note"))
    chosen = early_pairs(rows, key="early", label=title, between=t("check.so_far_and"))
    if chosen is not None:
        tab.early = (job.id, *pairs[chosen][:2])
        st.rerun()


def opened(job: Job) -> tuple[int, int] | None:
    """Return the pair of this check that the reader has opened, if any."""
    job_id, a, b = tab.early
    return (a, b) if job_id == job.id else None


def read(job: Job, a: int, b: int) -> None:
    """Show two texts while the check goes on."""
    names = _name(job, a), _name(job, b)
    if st.button(t("check.back_to_running"), key="early_back", icon=":material/arrow_back:"):
        del tab.early
        st.rerun()
    figure_head(t("check.reading_pair", a=names[0], b=names[1]))
    note(t("check.reading_pair_note"))
    compared = job.facts.setdefault("compared", {})
    if (a, b) not in compared:
        first, second = (_documents(job)[row] for row in (a, b))
        compared[(a, b)] = compare(first, second, settings=job.facts["settings"])
    sheet = prepare(
        compared[(a, b)], names, titles=not session.hide_names(), nothing=t("check.reading_nothing")
    )
    reader(sheet, key="early_reader", fold=False, diff=True, strike=True)


def _documents(job: Job) -> list[Document]:
    documents: list[Document] = job.facts["documents"]
    return documents


def _name(job: Job, row: int) -> str:
    if session.hide_names():
        return t("frame.text_number", number=f"{row + 1:02d}")
    return _documents(job)[row].name
