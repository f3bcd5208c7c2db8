"""Who wrote what: recognised by file names, changed by hand, held against a class list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import streamlit as st

from simhash_core import LeitongError
from simhash_core.people import (
    PATTERNS,
    Authorship,
    assign_authors,
    group_by_pupil,
    guess_authors,
    guess_pattern,
    list_hand_ins,
    name_documents,
    read_author,
    read_class_list,
)

from ..shared import open_checks, session
from ..shared.formatting import date_time, error_text
from ..shared.session import t
from ..shared.widgets import caution, note
from . import uploads
from .uploads import Batch, Entry

_CHOICE, _LIST, _TABLE = "people_pattern", "people_list", "people_table"
_COLUMNS = ("person", "number", "class_name", "group", "date")
_NOBODY = "none"
MISSING_SHOWN = 40


def look_for_authors(batch: Batch) -> None:
    """Read who wrote them from the names of new files, once."""
    entries = [entry for entry in batch.entries if entry.document is not None]
    names = tuple(entry.name for entry in entries)
    if entries and uploads.tab.authors_of != names:
        uploads.tab.authors_of = names
        _recognise(entries)


def authors_form(batch: Batch) -> None:
    """Draw the upload of a class list, and the way to who wrote what."""
    _class_list()
    people, _ = group_by_pupil(batch.documents)
    note(t("check.people.known", n=len(people)) if people else t("check.people.unknown"))
    if st.button(t("check.people.open"), key="people", icon=":material/group:"):
        _dialog(batch)


def list_authors(batch: Batch) -> None:
    """Hold the authors of all files against the class list."""
    _give([entry for entry in batch.entries if entry.document is not None])


def use_list(row: int) -> None:
    """Take one file for the class list, and put its names to the others."""
    batch, opened = uploads.find_batch(), open_checks.find_current()
    if batch is not None and opened is not None:
        opened.take_class_list(batch.entries[row].members)
        uploads.remove(row)
        list_authors(batch)


def _recognise(entries: Sequence[Entry]) -> None:
    """Give each file that has no author the one that the class list, or all names, tell."""
    bare = [
        row
        for row, one in enumerate(entries)
        if one.document and not (one.document.meta.get("person") or one.document.meta.get("number"))
    ]
    listed = bool(open_checks.class_list())
    authors = guess_authors([entry.name for entry in entries], bare=not listed) if bare else []
    if listed or any(authors[row].to_meta() for row in bare):
        _give([entries[row] for row in bare], [authors[row] for row in bare])


def _give(entries: Sequence[Entry], authorships: Sequence[Authorship] | None = None) -> None:
    """Put authors to files, by default their own, those of the class list by its spelling."""
    documents = [entry.document for entry in entries if entry.document is not None]
    named = assign_authors(documents, authorships, listed=open_checks.class_list())
    before = [document.meta for document in documents]
    if [document.meta for document in named] == before:
        return
    for entry, document in zip(entries, named, strict=True):
        entry.document = document
    batch, opened = uploads.find_batch(), open_checks.find_current()
    if batch is not None and opened is not None:
        uploads.save(opened, batch.entries)


def _dialog(batch: Batch) -> None:
    """Open how file names are read, and the table of who wrote what."""
    entries = [entry for entry in batch.entries if entry.document is not None]
    names = [entry.name for entry in entries]

    @st.dialog(t("check.people.title"), width="large", on_dismiss="rerun")
    def choose() -> None:
        edited = _table(entries, _authorships(entries, _pattern(names)))
        if st.button(
            t("check.people.use"),
            key="people_use",
            type="primary",
            on_click=lambda: _give(entries, edited),
        ):
            st.rerun()

    choose()


def _pattern(names: Sequence[str]) -> str:
    """Let the reader choose how names are read; return the choice, "" for as it is."""
    guess, options = guess_pattern(names), ["", *PATTERNS, _NOBODY]
    labels = {name: t(f"check.people.pattern.{name or 'now'}") for name in options}
    if guess:
        labels[guess] = t("check.people.recognised", name=labels[guess])
    return st.selectbox(
        t("check.people.pattern"), options, format_func=labels.__getitem__, key=_CHOICE
    )


def _authorships(entries: Sequence[Entry], pattern: str) -> list[Authorship]:
    """Return who wrote what by a pattern, with the class list applied; name who is missing."""
    documents = [entry.document for entry in entries if entry.document is not None]
    if pattern == _NOBODY:
        return [Authorship() for _ in documents]
    listed, batch = open_checks.class_list(), uploads.find_batch()
    if pattern:
        named = name_documents(documents, pattern, listed=listed)
    else:
        named = assign_authors(documents, listed=listed)
    rows = list_hand_ins(named, batch.skipped if batch else (), listed)
    missing = [one.member.person or one.member.number for one in rows if one.state == "missing"]
    if missing:
        shown = t("check.inbox.and").join(missing[:MISSING_SHOWN])
        more = "…" if len(missing) > MISSING_SHOWN else ""
        note(t("check.people.missing", n=len(missing), names=shown + more))
    return [read_author(one) for one in named]


def _class_list() -> None:
    """Draw the upload of a class list, and hold its members."""
    file = st.file_uploader(
        t("check.people.list"), type=["csv", "xlsx", "txt"], key=_LIST,
        help=t("check.people.list_help"), max_upload_size=20,
    )  # fmt: skip
    if file is None:
        return
    try:
        members = read_class_list(file.getvalue(), name=file.name)
    except LeitongError as error:
        caution(t("check.people.wrong_list"), error_text(error))
        return
    opened = open_checks.find_current()
    batch = uploads.find_batch()
    if opened is not None and batch is not None and opened.class_list() != tuple(members):
        opened.take_class_list(members)
        list_authors(batch)
    note(t("check.people.list_read", n=len(members)))


def _table(entries: Sequence[Entry], authorships: Sequence[Authorship]) -> list[Authorship]:
    """Draw who wrote what, to be corrected by hand."""
    columns: dict[str, list[Any]] = {"file": [entry.name for entry in entries]}
    columns |= {name: [getattr(author, name) for author in authorships] for name in _COLUMNS}
    dates = Counter(columns["date"])
    columns["date"] = [  # what most files have is the date of their template
        "" if 2 * dates[one] > len(entries) > 2 else _write_date(one) for one in columns["date"]
    ]
    table = st.data_editor(
        columns,
        key=f"{_TABLE}_{session.get(_CHOICE, '')}_{len(open_checks.class_list())}",
        hide_index=True,
        height=360,
        disabled=["file"],
        column_config={
            name: st.column_config.TextColumn(t(f"check.people.column.{name}"))
            for name in ("file", *_COLUMNS)
        },
    )
    edited = [
        replace(author, **{name: str(table[name][row] or "").strip() for name in _COLUMNS})
        for row, author in enumerate(authorships)
    ]
    return [
        replace(new, date=old.date) if new.date == shown else new
        for new, old, shown in zip(edited, authorships, columns["date"], strict=True)
    ]


def _write_date(stored: str) -> str:
    """Return a date as people write it; what is none, or says no day, stays."""
    try:
        return date_time(datetime.fromisoformat(stored).astimezone())
    except ValueError:
        return stored
