"""What lies beside the hand-ins: four slots, and what was recognised among the files, as offers."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from simhash_core.checking import may_be_task
from simhash_core.errors import LeitongError
from simhash_core.report.names import one_line

from ..shared import open_checks
from ..shared.formatting import esc, file_size, length_text
from ..shared.session import t
from ..shared.tab import Fact
from ..shared.widgets import note, open_page, write_html
from . import files, inbox, uploads
from .against import against_form, compare_with_library, count_library
from .authors import authors_form, use_list
from .settings_form import template_form, templates
from .start import class_form
from .uploads import Batch

_MOST, _NAMED = 3, 6  # offers at a time; files of nobody that are named


class Tab:
    """What a tab remembers: the offers that were declined, by the names of their files."""

    declined: Fact[tuple[str, ...]] = Fact((), of_files=True)


tab = Tab()


def draw_slots(batch: Batch) -> None:
    """Draw the hand-ins, the task sheet, the class list, and what all is compared with."""
    sheets, members, beside = templates(), open_checks.class_list(), _count_beside()
    names = [one_line(one.name.rpartition("/")[2]) for one in sheets]
    length = length_text("\n".join(one.text for one in sheets)) if sheets else ""

    def who() -> None:
        if inbox.is_class(batch):
            class_form(batch)
        authors_form(batch)

    slots: dict[str, tuple[str, str, Callable[[], None]]] = {
        "task": (
            names[0] if names else "",
            t("check.slot.task.note", length=length),
            template_form,
        ),
        "list": (
            t("check.slot.list.names", n=len(members)) if members else "",
            t("check.slot.list.note"),
            who,
        ),
        "beside": (beside, t("check.slot.beside.note"), lambda: against_form(batch.compared)),
    }
    with st.container(key="slots"):
        places = st.columns(4, gap=None)
    with places[0]:
        size = file_size(batch.size) if batch.size else ""
        _slot("hand_ins", t("check.files", n=len(batch.entries)), size)
        with st.container(key="drop-ways", horizontal=True, gap="small"):
            files.upload_boxes("class", "check.ways.more_{name}")
    for place, (name, (value, about, form)) in zip(places[1:], slots.items(), strict=True):
        with place:
            _slot(name, value or t(f"check.slot.{name}.none"), about if value else "")
            label = t("check.slot.change" if value else f"check.slot.{name}.add")
            with st.popover(label, type="tertiary", key=f"slot_{name}"):
                form()


def _slot(name: str, value: str, about: str) -> None:
    write_html(
        f'<p class="lt-slot">{esc(t(f"check.slot.{name}"))}<b>{esc(value)}</b>{esc(about)}</p>'
    )


def _count_beside() -> str:
    """Say what the check is compared with, "" for nothing."""
    opened = open_checks.find_current()
    try:
        held = opened.beside() if opened is not None else None
    except LeitongError:
        return ""
    if held is not None and held.libraries:
        return t("check.against.library")
    return t("check.against.read", n=len(held.references)) if held and held.references else ""


def draw_offers(batch: Batch) -> None:
    """Offer what was recognised among the files, the most certain first, and ask what is open."""
    _ask_about_one(batch)
    if open_checks.door() == "two" and len(batch.documents) > 2:
        _ask_which_two(batch)
        return
    rows, names = inbox.find_loose(batch) if inbox.is_class(batch) else ([], [])
    shown = 0
    for row, entry in enumerate(batch.entries):
        if entry.members and shown < _MOST and entry.name not in tab.declined:
            _offer(row, batch, "list", use_list, n=len(entry.members))
            shown += 1
    for row in rows:
        document = batch.entries[row].document
        is_open = shown < _MOST and batch.entries[row].name not in tab.declined
        if document is not None and is_open and may_be_task(document, batch.documents):
            _offer(row, batch, "task", uploads.take_as_task)
            shown += 1
    if names:
        several = t("check.inbox.and").join(names[:_NAMED])
        note(t("check.inbox.nobody", n=len(names), names=several))


def _offer(row: int, batch: Batch, kind: str, take: Callable[[int], None], **facts: int) -> None:
    """Draw one offer with its two answers."""
    name = batch.entries[row].name

    def leave() -> None:
        tab.declined = (*tab.declined, name)

    with st.container(key=f"offer-{row}", horizontal=True, vertical_alignment="center"):
        lead = one_line(name.rpartition("/")[2])
        with st.container(width="stretch"):
            note(t(f"check.offer.{kind}", **facts), lead=lead)
        use = t(f"check.offer.use_{kind}")
        st.button(use, key=f"use_{kind}_{row}", on_click=take, args=(row,))
        st.button(t("check.offer.leave"), key=f"leave_{row}", on_click=leave)


def _ask_about_one(batch: Batch) -> None:
    """Ask with what a single text is to be compared."""
    opened = open_checks.find_current()
    if len(batch.documents) != 1 or opened is None or _count_beside():
        return
    with st.container(key="offer-one", horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            note(t("check.one.text"), lead=t("check.one.lead"))
        with st.container(key="one-ways", width="content"):
            files.upload_boxes("two", "check.one.another")
        if count_library():
            st.button(t("check.one.library"), key="one_library", on_click=compare_with_library)
        elif st.button(t("check.door.library.fill"), key="to_library"):
            open_page("library")


def _ask_which_two(batch: Batch) -> None:
    """Ask whether more than two texts are a class, or which two are meant."""
    rows = [row for row, entry in enumerate(batch.entries) if entry.document is not None]
    names = {row: one_line(batch.entries[row].name.rpartition("/")[2]) for row in rows}
    with st.container(key="offer-two"):
        note(t("check.two.text"), lead=t("check.two.lead", n=len(rows)))
        chosen = st.pills(
            t("check.two.which"), rows, format_func=names.__getitem__,
            selection_mode="multi", key="two_chosen", label_visibility="collapsed",
        )  # fmt: skip
        with st.container(horizontal=True):
            st.button(
                t("check.two.compare"),
                key="two_compare",
                disabled=len(chosen) != 2,
                on_click=uploads.keep_only,
                args=(chosen,),
            )
            st.button(
                t("check.two.class"), key="two_class", on_click=uploads.go_through, args=("class",)
            )
