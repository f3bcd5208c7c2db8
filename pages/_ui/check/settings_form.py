"""What is checked and how: the kind of texts, a few switches, and what everybody was given.

Lengths of fingerprints, limits and weightings are for the laboratories and the command line. Task
sheets and templates, pasted or uploaded, count nowhere.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from simhash_core import Document, Settings, read
from simhash_core.checking import (
    dictionary_source,
    guess_kind,
    meaning_installed,
    recognition_installed,
)
from simhash_core.checking import uploads as listed_uploads
from simhash_core.errors import StoreError
from simhash_core.model import Skipped
from simhash_core.settings import KINDS, kind_of
from simhash_core.storage import TEMPLATES_KEY, Project
from simhash_core.translations import LanguagePairs

from ..shared import inside_streamlit, open_checks, session
from ..shared.formatting import esc, length_text
from ..shared.navigation import is_page
from ..shared.open_checks import OpenCheck
from ..shared.session import t
from ..shared.tab import Fact
from ..shared.tab import tab as shared_tab
from ..shared.widgets import note, open_page

_TOGGLES = ("skip_same_person", "skip_same_group", "translated")
_EXTRAS = ("meaning", "ocr")  # switches of what may have to be installed: "auto" or "off"
_KIND = "set_kind"
_KEEP: dict[str, Any] = {"persist_state": "session"}


class Tab:
    """What a tab remembers: settings and task sheets of the next check."""

    #: id of the check whose settings and task sheets it has begun with
    taken_up = Fact("", of_files=True)
    settings_base: Fact[Settings | None] = Fact(None, of_files=True)  # None: as the texts suggest
    guessed: Fact[tuple[int, str]] = Fact((0, "essays"), of_files=True)  # texts, kind
    template_files: Fact[tuple[Document, ...]] = Fact((), of_files=True)  # that the reader put in
    template_turn = Fact(0)  # of their box, as above
    template_unread: Fact[tuple[Skipped, ...]] = Fact((), of_files=True)  # of the last ones
    #: from the latest check of the class
    template_brought: Fact[tuple[Document, ...]] = Fact((), of_files=True)


tab = Tab()


def take_up(opened: OpenCheck) -> None:
    """Begin, once in a tab, with the settings and the task sheets that are stored with a check."""
    project = opened.project
    if tab.taken_up == project.id:
        return
    tab.taken_up = project.id
    settings = None
    with contextlib.suppress(StoreError):  # the page says what is damaged
        settings = project.settings()
    tab.settings_base = settings
    for name in _TOGGLES:
        session.put(f"set_{name}", getattr(settings, name) if settings else None)
    for name in _EXTRAS:
        session.put(f"set_{name}", getattr(settings, name) != "off" if settings else None)
    if not templates():
        pasted = str(project.get(_PASTED_KEY, ""))
        session.put(session.PASTED_TEMPLATE_KEY, pasted or None)
        held = project.texts().templates
        tab.template_files = tuple(one for one in held if one.text != pasted)


def find_settings(documents: Sequence[Document] = ()) -> Settings:
    """Return what is set: as the reader chose, else as some documents suggest."""
    if shared_tab.next_threshold is not None:  # the laboratory was asked to use it
        preset, bits, k = shared_tab.next_threshold
        shared_tab.next_threshold = None
        tab.settings_base = Settings.of(preset, bits=bits, threshold=k)
    if documents and tab.guessed[0] != len(documents):
        tab.guessed = len(documents), guess_kind(documents)
    base = tab.settings_base or Settings(**KINDS[tab.guessed[1]])
    held = {name: session.get(f"set_{name}") for name in _TOGGLES}
    changes: dict[str, Any] = {name: value for name, value in held.items() if value is not None}
    changes["passages"] = True  # a check that was stopped may have gone on without
    changes["translated"] = changes.get("translated", False) and dictionary_source() is not None
    # where it is not installed, "auto" says what to install
    for name, installed in (("meaning", meaning_installed()), ("ocr", recognition_installed())):
        value = session.get(f"set_{name}")
        if installed and value is not None and value != (getattr(base, name) != "off"):
            changes[name] = "auto" if value else "off"
    return replace(base, **changes)


def draw_more(documents: Sequence[Document], counts: Mapping[str, LanguagePairs]) -> None:
    """Draw the settings, a line each, with what it changes.

    `counts` of pairs in two languages, by what is compared: `pairs`, the texts at hand;
    `pairs_library`, those of a library.
    """
    settings = find_settings(documents)
    with _line("kind"):
        _choose_kind(kind_of(settings))
    with _line("excluded"):
        note(t("check.more.excluded_text"))
    with _line("meaning"):
        _switch("meaning", settings.meaning != "off", installed=meaning_installed())
        _offer_translations(counts)
    with _line("ocr"):
        _switch("ocr", settings.ocr != "off", installed=recognition_installed())
    with _line("people"):
        for name in ("skip_same_person", "skip_same_group"):
            _switch(name, getattr(settings, name))
    with _line("keep"):
        keep_switch()
    if is_page("threshold_lab"):
        with _line("curious"):
            is_moved = settings.threshold != Settings(**KINDS["essays"]).threshold
            note(t("check.more.curious_moved" if is_moved else "check.more.curious_text"))
            if st.button(t("frame.nav.threshold_lab"), key="to_threshold_lab", type="tertiary"):
                open_page("threshold_lab")


def keep_switch() -> None:
    """Draw the switch that keeps nothing of this check, or of the next one."""
    key = open_checks.KEEP_NOTHING
    session.put(key, open_checks.keeps_nothing())
    st.toggle(
        t("check.keep_nothing"),
        key=key,
        help=t("check.keep_nothing_note"),
        on_change=lambda: open_checks.keep(not session.get(key)),
    )


def _line(name: str) -> Any:
    """Draw the title of a line of settings; return the place of what is set."""
    with st.container(key=f"more-{name}"):
        title, place = st.columns([2, 7], gap="medium")
    title.html(f'<p class="lt-line">{esc(t(f"check.more.{name}"))}</p>')
    return place


def _choose_kind(kind: str) -> None:
    """Draw the kinds; one of another program, which has no name here, stays as it is."""
    session.put(_KIND, kind)
    kinds = [*KINDS, *([] if kind in KINDS else [kind])]
    labels = {
        name: f"{t(f'check.kind.{name}')} :gray[:small[{t(f'check.kind_short.{name}')}]]"
        for name in kinds
    }

    def choose() -> None:
        chosen = str(session.get(_KIND))
        if chosen in KINDS:
            tab.settings_base = Settings(**KINDS[chosen])

    st.radio(
        t("check.more.kind"),
        kinds,
        format_func=labels.__getitem__,
        key=_KIND,
        horizontal=True,
        label_visibility="collapsed",
        on_change=choose,
    )


def _offer_translations(counts: Mapping[str, LanguagePairs]) -> None:
    """Draw the switch for translations where texts are in both languages, and what it compares."""
    counts = {name: count for name, count in counts.items() if count.pairs}
    if not counts:
        return
    installed = dictionary_source() is not None
    _switch("translated", False, installed=installed)
    for name, count in counts.items() if installed else ():
        texts = {"chinese": count.chinese, "english": count.english}
        note(t(f"settings.translated.{name}", n=count.pairs, **texts))


def _switch(name: str, at_first: bool, *, installed: bool = True) -> None:
    """Draw the switch of a setting; of what is not installed the sentence that says how."""
    if not installed:
        note(t(f"settings.{name}.missing"))
        return
    key = f"set_{name}"
    # a widget that is told its value only while it has none
    value: dict[str, Any] = {} if session.get(key) is not None else {"value": at_first}
    st.toggle(
        t(f"check.more.switch.{name}"), key=key, help=t(f"settings.{name}.help"), **value, **_KEEP
    )


# --------------------------------------------------------------------------- given to all

_UPLOAD = "template_files"
_PASTED_KEY = "check.pasted"  # in the project: which of the task sheets was pasted


def templates() -> list[Document]:
    """Return the task sheets and templates of the check: pasted, of the class, put in."""
    pasted = _pasted()
    given = [Document.from_text(pasted, name=t("check.template.pasted"))] if pasted else []
    return [*given, *tab.template_brought, *tab.template_files]


def _pasted() -> str:
    return str(session.get(session.PASTED_TEMPLATE_KEY) or "").strip()


def give_to_all(documents: Iterable[Document]) -> None:
    """Count some texts nowhere from now on; stored, so that a reload finds them again."""
    tab.template_files = (*tab.template_files, *documents)
    _store_given()


def take_from_all(document: Document | None) -> None:
    """Count a text again that had been put in as one that was given to all."""
    left = tuple(one for one in tab.template_files if one is not document)
    if len(left) < len(tab.template_files):
        tab.template_files = left
        _store_given()


def _store_given() -> None:
    opened, given, pasted = open_checks.find_current(), templates(), _pasted()
    if opened is not None:
        opened.store(lambda project: store_templates(project, given))
        opened.store(lambda project: project.put(_PASTED_KEY, pasted))


def store_templates(project: Project, sheets: Sequence[Document]) -> None:
    """Keep what was given to all with the check, so that it can go on elsewhere."""
    project.put(TEMPLATES_KEY, [[document.name, document.text] for document in sheets])


def template_form() -> None:
    """Draw what everybody was given: a text field, an upload, and what is there."""
    st.text_area(
        t("check.template.label"),
        key=session.PASTED_TEMPLATE_KEY,
        help=t("check.template.help"),
        placeholder=t("check.template.placeholder"),
        height=120,
        persist_state="session",
        on_change=_store_given,
    )
    key = f"{_UPLOAD}_{tab.template_turn}"
    with st.container(key="sheets-way"):
        st.file_uploader(
            t("check.template.files"),
            accept_multiple_files=True,
            key=key,
            on_change=_take_templates,
            args=(key,),
        )
    held = templates()[1 if _pasted() else 0 :]
    for document in held:
        note(t("check.template.read", name=document.name, length=length_text(document.text)))
    if held:
        forget = t("check.template.forget")
        st.button(forget, key="forget_templates", type="tertiary", on_click=_forget_files)


def _take_templates(key: str) -> None:
    """Read the uploads at once; the box is empty again, and what cannot be read is said."""
    files = session.get(key) or []
    read_sheets([(file.name, file.getvalue()) for file in files])
    inside_streamlit.forget(files)
    tab.template_turn += 1


def read_sheets(files: Sequence[tuple[str, bytes]]) -> None:
    """Read what everybody was given; what cannot be read is said beside the rest."""
    sources, refused = listed_uploads(list(files))
    settings, keep = find_settings(), not open_checks.keeps_nothing()
    documents, skipped = read(sources, settings=settings, keep=keep)
    give_to_all(documents)
    tab.template_unread = (*refused, *skipped)


def _forget_files() -> None:
    del tab.template_brought, tab.template_files, tab.template_unread
    _store_given()
