"""What was read: the class in one picture, what lies beside the hand-ins, and offers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from simhash_core.checking import (
    CHOSEN_VERSION,
    keep_latest_versions,
    may_be_task,
    recognition_installed,
)
from simhash_core.errors import LeitongError
from simhash_core.model import STOOD_FOR
from simhash_core.people import HandIn, list_hand_ins
from simhash_core.report.names import one_line

from ..components.lists import ClassPart, Sheet, class_picture
from ..shared import jobs, open_checks
from ..shared.formatting import esc, file_size, length, length_text, note_text
from ..shared.session import t
from ..shared.tab import Fact
from ..shared.widgets import figure_head, note, open_page, write_html
from . import files, uploads
from .against import against_form, compare_with, compare_with_library, count_library
from .authors import authors_form, use_list
from .settings_form import offer_download, template_form, templates
from .start import class_form
from .uploads import Batch

_MOST, _NAMED = 3, 6  # offers at a time; files of nobody that are named
#: what folders with texts of earlier years are called
_LAST_YEAR = re.compile(
    r"去年|上届|上一届|往届|last[ _-]?year|previous[ _-]?year|earlier[ _-]?year", re.I
)
_PER_LINE, _LINES = 100, 9  # units that a line of a drawn sheet stands for; lines at most


#: kind, rows, what takes it, number of names or texts, and what it is called
Offer = tuple[str, list[int], Callable[..., None], int, str]


class Tab:
    """What a tab remembers: the hand-ins."""

    inbox: Fact[Inbox | None] = Fact(None, of_files=True)  # who handed in what
    inbox_open = Fact(-1, of_files=True)  # sheet
    declined: Fact[tuple[str, ...]] = Fact((), of_files=True)  # offers, by the names of their files


tab = Tab()


@dataclass(frozen=True, slots=True, eq=False)
class Inbox:
    """Who handed in what, with the versions that are not compared."""

    key: tuple[object, ...]
    every: list[HandIn]
    earlier: frozenset[str]  # names of files


def find_inbox(batch: Batch) -> Inbox:
    """Return who handed in what: the only place that says who is missing."""
    texts, skipped = batch.documents, batch.skipped
    fields = ("person", "number", CHOSEN_VERSION)
    people = [tuple(one.meta.get(field, "") for field in fields) for one in texts]
    key = (*zip((one.name for one in texts), people, strict=True),
           *(one.name for one in skipped), open_checks.class_list())  # fmt: skip
    if tab.inbox is None or tab.inbox.key != key:
        earlier = frozenset(one.name for one in keep_latest_versions(texts)[1])
        tab.inbox = Inbox(key, list_hand_ins(texts, skipped, open_checks.class_list()), earlier)
    return tab.inbox


def describe(batch: Batch) -> str:
    """Say what was handed in; what there is none of is left out."""
    if batch.is_class and batch.entries:
        states = [one.state for one in find_inbox(batch).every]
        counts = {f"inbox.n_{name}": states.count(name) for name in ("read", "unread", "missing")}
    else:
        unread = sum(row.unread for row in batch.skipped)
        counts = {"ready": len(batch.documents), "lost": unread}
    return t("check.comma").join(t(f"check.{name}", n=n) for name, n in counts.items() if n)


def draw_class(batch: Batch) -> None:
    """Draw the picture, the lists, and what is known of the sheet that is open."""
    held = find_inbox(batch)
    read, unread, missing = (
        [one for one in held.every if one.state == state] for state in ("read", "unread", "missing")
    )
    figure_head(t("check.inbox.title"), t("check.inbox.note"))
    parts = [_read(read, held, batch)]
    parts += [_unread(unread, batch)] if unread else []
    parts += [_missing(missing)] if missing else []
    numbers = [part.n for part in parts]
    words = {name: t(f"check.inbox.{name}") for name in ("lists", "copy", "copied", "picture")}
    several = f"{' + '.join(map(str, numbers))} = {sum(numbers)}"
    words["sum"] = several if len(parts) > 1 else ""
    opened = tab.inbox_open if tab.inbox_open < len(held.every) else -1
    chosen = class_picture(
        "inbox", sheets=sheets(held, batch), parts=parts, words=words, opened=opened
    )
    if chosen is not None and 0 <= chosen < len(held.every):
        opened = tab.inbox_open = chosen
    if opened >= 0:
        _open(held.every[opened], held, batch)


def find_loose(batch: Batch) -> tuple[list[int], list[str]]:
    """Return the rows of the texts that belong to nobody, and the names of all such files."""
    held, at = find_inbox(batch), _rows(batch)
    texts = {row for one in held.every for row in one.texts}
    unread = {row for one in held.every for row in one.unread}
    rows = [at[id(one)] for row, one in enumerate(batch.documents) if row not in texts]
    names = [batch.entries[row].name for row in rows]
    names += [
        one.name
        for row, one in enumerate(batch.skipped)
        if row not in unread and one.code not in STOOD_FOR
    ]
    return rows, [one_line(name.rpartition("/")[2]) for name in names]


def _rows(batch: Batch) -> dict[int, int]:
    return {id(entry.document): row for row, entry in enumerate(batch.entries) if entry.document}


def _name(one: HandIn) -> str:
    return one_line(one.member.person or one.member.number)


def _reason(one: HandIn, batch: Batch) -> str:
    row = batch.skipped[one.unread[0]]
    return note_text(row.code, row.params)


def sheets(held: Inbox, batch: Batch) -> list[Sheet]:
    """Return the sheet of each hand-in, in the order of the class."""
    names, lengths = [one.name for one in batch.documents], batch.lengths
    skipped = batch.skipped
    drawn = []
    for one in held.every:
        if not one.texts:
            label = t(f"check.inbox.state.{one.state}")
            ending = skipped[one.unread[0]].name.rpartition(".")[2][:5] if one.unread else ""
            ending = f".{ending}" if ending else ""
            drawn.append(Sheet(_name(one), one.state, ending, f"{_name(one)}, {label}", 0))
            continue
        used = next((row for row in one.texts if names[row] not in held.earlier), one.texts[0])
        size = lengths[used]
        several = len(one.texts) > 1
        count = t("check.inbox.versions", n=len(one.texts)) if several else ""
        shown = ", ".join(filter(None, (_name(one), length(size.n, size.unit), count)))
        lines = min(max(size.n // _PER_LINE, 1), _LINES)
        drawn.append(Sheet(_name(one), "versions" if several else "read", count, shown, lines))
    return drawn


def _read(every: Sequence[HandIn], held: Inbox, batch: Batch) -> ClassPart:
    names = t("check.inbox.and").join(map(_name, every))
    several = sum(len(one.texts) > 1 for one in every)
    rows = ((t("check.inbox.with_versions", n=several), ""),) if several else ()
    return ClassPart("read", len(every), t("check.inbox.read"), rows, names)


def _unread(every: Sequence[HandIn], batch: Batch) -> ClassPart:
    rows = tuple((_name(one), _reason(one, batch)) for one in every)
    text = "\n".join(t("check.inbox.ask_again", name=name, reason=why) for name, why in rows)
    return ClassPart("unread", len(every), t("check.inbox.unread"), rows, text)


def _missing(every: Sequence[HandIn]) -> ClassPart:
    names = t("check.inbox.and").join(map(_name, every))
    text = t("check.inbox.ask", names=names) if every else ""
    rows = ((names, ""),) if every else ()
    return ClassPart("missing", len(every), t("check.inbox.missing"), rows, text, text)


def _open(one: HandIn, held: Inbox, batch: Batch) -> None:
    """Say what is known of one sheet, and offer to leave its files out."""
    at = _rows(batch)
    rows = [at[id(batch.documents[row])] for row in one.texts]
    unread = {entry.skipped.name: row for row, entry in enumerate(batch.entries) if entry.skipped}
    rows += [unread[batch.skipped[row].name] for row in one.unread]
    with st.container(key="inbox-open"):
        number = one.member.number
        note(" · ".join(filter(None, (number, one.member.group))), lead=_name(one))
        for row in rows:
            _file(row, rows, batch, held)


def _file(row: int, versions: Sequence[int], batch: Batch, held: Inbox) -> None:
    entry = batch.entries[row]
    if entry.skipped is not None:
        facts = note_text(entry.skipped.code, entry.skipped.params)
    else:
        assert entry.document is not None
        facts = length(entry.length.n, entry.length.unit)
        if entry.name in held.earlier:
            facts += t("check.comma") + t("check.inbox.earlier")
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            note(facts, lead=one_line(entry.name.rpartition("/")[2]))
        if entry.name in held.earlier:
            st.button(
                t("check.inbox.use_version"),
                key=f"inbox_use_{row}",
                type="tertiary",
                on_click=uploads.use_version,
                args=(row, versions),
            )
        if st.button(t("check.inbox.leave_out"), key=f"inbox_out_{row}", type="tertiary"):
            uploads.remove(row)
            tab.inbox_open = -1
            st.rerun()


# --------------------------------------------------------------------------- beside the hand-ins


def draw_slots(batch: Batch) -> None:
    """Draw the hand-ins, the task sheet, the class list, and what all is compared with."""
    sheets, members, beside = templates(), open_checks.class_list(), _count_beside()
    names = [one_line(one.name.rpartition("/")[2]) for one in sheets]
    size = length_text("\n".join(one.text for one in sheets)) if sheets else ""

    def who() -> None:
        if batch.is_class:
            class_form(batch)
        authors_form(batch)

    slots: dict[str, tuple[str, str, Callable[[], None]]] = {
        "task": (names[0] if names else "", t("check.slot.task.note", length=size), template_form),
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
    rows, loose = find_loose(batch) if batch.is_class else ([], [])
    entries = batch.entries
    texts = [(row, one) for row in rows if (one := entries[row].document) is not None]
    found: list[Offer] = [
        ("list", [row], use_list, len(entry.members), entry.name)
        for row, entry in enumerate(entries)
        if entry.members
    ]
    found += [
        ("task", [row], uploads.take_as_task, 1, one.name)
        for row, one in texts
        if may_be_task(one, batch.documents)
    ]
    found += [
        ("last_year", held, _take_as_last_year, len(held), folder)
        for folder, held in find_last_year(batch).items()
    ]
    found = [one for one in found if one[-1] not in tab.declined][:_MOST]
    for offer in found:
        _draw_offer(*offer)
    offered = {one_line(offer[-1].rpartition("/")[2]) for offer in found}
    names = [one for one in loose if one not in offered]
    if batch.scans and not recognition_installed():
        with st.container(key="scans"):
            offer_download("ocr", t("check.inbox.scans", n=batch.scans), place="inbox")
    elif (fetched := jobs.find_latest("download_ocr")) is not None and fetched.state == "done":
        jobs.put_away("download_ocr")
        uploads.read_scans(batch)
        st.rerun()
    if names:
        several = t("check.inbox.and").join(names[:_NAMED])
        note(t("check.inbox.nobody", n=len(names), names=several))


def _draw_offer(kind: str, rows: list[int], take: Callable[..., None], n: int, name: str) -> None:
    """Draw one offer with its two answers; `n` names, or texts."""
    row = rows[0]

    def leave() -> None:
        tab.declined = (*tab.declined, name)

    with st.container(key=f"offer-{row}", horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            lead = one_line(name.rpartition("/")[2])
            note(t(f"check.offer.{kind}", n=n), lead=lead)
        taken = rows if kind == "last_year" else row
        use = t(f"check.offer.use_{kind}")
        st.button(use, key=f"use_{kind}_{row}", on_click=take, args=(taken,))
        st.button(t("check.offer.leave"), key=f"leave_{row}", on_click=leave)


def find_last_year(batch: Batch) -> dict[str, list[int]]:
    """Return the folders that are called as those of earlier years, each with its rows."""
    held: dict[str, list[int]] = {}
    for row, entry in enumerate(batch.entries):
        folders = entry.name.split("/")[:-1]
        named = next((one for one in folders if _LAST_YEAR.search(one)), "")
        if named and entry.document is not None:
            held.setdefault(named, []).append(row)
    return held if sum(map(len, held.values())) < len(batch.documents) else {}


def _take_as_last_year(rows: Sequence[int]) -> None:
    """Compare the check with some of its texts instead of counting them as hand-ins."""
    batch, opened = uploads.find_batch(), open_checks.find_current()
    if batch is not None and opened is not None:
        texts = [one for row in rows if (one := batch.entries[row].document) is not None]
        compare_with([*opened.beside().references, *texts])
        uploads.keep_only([row for row in range(len(batch.entries)) if row not in rows])


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
