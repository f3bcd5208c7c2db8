"""The page of those who run a server for many. It names people, never their texts."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

import streamlit as st

from simhash_core.folders import data_folder
from simhash_core.server import department

from ..components.lists import draw_table
from ..shared import frame, jobs
from ..shared.formatting import file_size, number, short_date
from ..shared.session import t
from ..shared.widgets import (
    Figure,
    caution,
    empty_state,
    figure_head,
    foot,
    note,
    number_strip,
    page_head,
)

_CHOSEN = "server_person"  # key of the choice


def draw() -> None:
    """Draw the page for an operator, and nothing of it for anybody else."""
    if not frame.is_operator():
        page_head(t("frame.unknown.title"))
        empty_state(t("frame.unknown.text"), button=t("frame.go_check"))
        foot()
        return
    here = department.read_department()
    page_head(t("server.title"), t("server.lead", address=here.address if here else ""))
    everybody = department.people()
    sizes = [person.megabytes * 1e6 for person in everybody]
    turns = jobs.turns()
    running, waiting = turns.counts() if turns is not None else (0, 0)
    number_strip(
        [
            Figure(t("server.running"), number(running), help=t("server.running_help")),
            Figure(t("server.waiting"), number(waiting)),
            Figure(t("server.people"), number(len(everybody))),
            Figure(t("server.stored"), file_size(round(sum(sizes)))),
            Figure(t("server.free"), file_size(shutil.disk_usage(data_folder()).free)),
        ]
    )
    figure_head(t("server.people"), t("server.people_note"))
    _table(everybody, sizes)
    _forgetting(everybody)
    foot()


def _table(everybody: Sequence[department.Person], sizes: Sequence[float]) -> None:
    columns = (("person", ""), ("id", ""), ("seen", ""), ("size", "num"))
    heads = [(t(f"server.{name}"), kind) for name, kind in columns]
    rows = [
        [
            _describe(person),
            str(person.id),
            short_date(person.seen.astimezone()),
            file_size(round(size)),
        ]
        for person, size in zip(everybody, sizes, strict=True)
    ]
    draw_table("people", t("frame.nav.server"), heads, rows)


def _describe(person: department.Person) -> str:
    """Return what a person is called, and whether nobody vouches for it."""
    return person.name if person.address else t("server.unverified", name=person.name)


def _forgetting(everybody: Sequence[department.Person]) -> None:
    """Offer to delete all of a person; asks once more, and says what will be gone."""
    with st.popover(t("server.forget"), type="tertiary"):
        note(t("server.forget_note"))
        owners = {person.owner: person for person in everybody}
        names = {person.owner: f"{_describe(person)} · {person.id}" for person in everybody}
        chosen = st.selectbox(
            t("server.person"), list(owners), index=None, format_func=names.__getitem__, key=_CHOSEN
        )
        person = owners.get(chosen or "")
        if person is None:
            return
        size = file_size(round(person.megabytes * 1e6))
        caution(_describe(person), t("server.forget_what", size=size))
        if st.button(t("server.forget_now"), key="server_forget"):
            department.forget(person)
            st.rerun()
