"""What is checked and how, a line each, and what everybody was given.

Both belong to the check and are stored with it. Lengths of fingerprints, limits and weightings are
for the laboratories and the command line. Task sheets and templates count nowhere.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from simhash_core import Document, Settings, policy, read
from simhash_core.app import extras
from simhash_core.checking import (
    dictionary_source,
    guess_kind,
    meaning_installed,
    recognition_installed,
)
from simhash_core.checking import uploads as listed_uploads
from simhash_core.errors import StoreError
from simhash_core.model import Skipped
from simhash_core.passages.options import AlignOptions
from simhash_core.settings import KINDS, kind_of

from ..shared import inside_streamlit, jobs, open_checks, session
from ..shared.formatting import esc, length_text
from ..shared.navigation import is_page
from ..shared.running import follow_job
from ..shared.session import t
from ..shared.tab import Fact
from ..shared.tab import tab as shared_tab
from ..shared.widgets import note, open_page

#: lines of "More" that consist of switches, each with the settings that they switch
_SWITCHES = {
    "meaning": ("meaning", "translated"),
    "ocr": ("ocr",),
    "people": ("skip_same_person", "skip_same_group"),
}
#: settings that a kind of texts decides
_OF_KIND = ("preset", "min_tokens", "bits", "threshold")
#: what of the alignment says how short a passage can be
_SHORTEST = {"exact": "least_exact_chars", "reworded": "least_chars", "run": "short_run"}


class Tab:
    """What a tab remembers: settings and task sheets of the next check."""

    guessed: Fact[tuple[int, str]] = Fact((0, "essays"), of_files=True)  # texts, kind
    template_turn = Fact(0)  # of the box of task sheets: another one is empty
    template_unread: Fact[tuple[Skipped, ...]] = Fact((), of_files=True)  # of the last ones


tab = Tab()


def find_settings(documents: Sequence[Document] = ()) -> Settings:
    """Return what is set: as the reader chose, else as some documents suggest."""
    opened = open_checks.find_current()
    if opened is not None and shared_tab.next_threshold is not None:  # chosen in the laboratory
        preset, bits, k = shared_tab.next_threshold
        opened.choose(preset=preset, bits=bits, threshold=k, min_tokens=policy.MIN_TOKENS)
        shared_tab.next_threshold = None
    if documents and tab.guessed[0] != len(documents):
        tab.guessed = len(documents), guess_kind(documents)
    base, chosen = None, opened.chosen() if opened is not None else {}
    with contextlib.suppress(StoreError):  # the page says what is damaged
        base = opened.project.settings() if opened is not None else None
    if "preset" in chosen:  # of what was stored before only the switches stay
        switches = [name for names in _SWITCHES.values() for name in names] if base else []
        settings = Settings(**{**{name: getattr(base, name) for name in switches}, **chosen})
    else:
        settings = replace(base or Settings(**KINDS[tab.guessed[1]]), **chosen)
    # a check that was stopped may have gone on without passages
    return replace(settings, passages=True, translated=settings.translated and _has("translated"))


def draw_more(documents: Sequence[Document], *, translates: bool) -> None:
    """Draw the settings, a line each, with what it changes; that of translations where one can."""
    settings = find_settings(documents)
    with _line("kind"):
        _choose_kind(kind_of(settings))
    with _line("excluded"):
        note(t("check.more.excluded_text"))
    with _line("shortest"):
        facts = {
            f"{kind}_{language}": getattr(
                AlignOptions.for_language(language, frequencies=True), name
            )
            for kind, name in _SHORTEST.items()
            for language in ("en", "zh")
        }
        note(t("check.more.shortest_text", **facts))
    for line, names in _SWITCHES.items():
        with _line(line):
            for name in names:
                if name != "translated" or translates:
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


def _choose(**changes: Any) -> None:
    opened = open_checks.find_current()
    if opened is not None:
        opened.choose(**changes)


def _choose_kind(kind: str) -> None:
    """Draw the kinds; one of another program, which has no name here, stays as it is."""
    session.put("set_kind", kind)
    kinds = [*KINDS, *([] if kind in KINDS else [kind])]
    labels = {
        name: f"{t(f'check.kind.{name}')} :gray[:small[{t(f'check.kind_short.{name}')}]]"
        for name in kinds
    }

    def take() -> None:
        chosen = str(session.get("set_kind"))
        if chosen in KINDS:
            plain = Settings(**KINDS[chosen])
            _choose(**{name: getattr(plain, name) for name in _OF_KIND})

    st.radio(
        t("check.more.kind"),
        kinds,
        format_func=labels.__getitem__,
        key="set_kind",
        horizontal=True,
        label_visibility="collapsed",
        on_change=take,
    )


def _has(name: str) -> bool:
    """Return whether what a setting needs is installed."""
    installed = {"meaning": meaning_installed, "ocr": recognition_installed}
    if name == "translated":
        return dictionary_source() is not None
    return name not in installed or installed[name]()


def _switch(name: str, value: object) -> None:
    """Draw the switch of a setting; of what is not installed the sentence that says how."""
    if not _has(name):
        about = t(f"settings.{name}.missing")
        if name == "translated":  # a dictionary is chosen, not downloaded
            note(about)
        else:
            offer_download(name, about)
        return
    key = f"set_{name}"
    session.put(key, value not in (False, "off"))

    def take() -> None:
        on = bool(session.get(key))
        _choose(**{name: on if isinstance(value, bool) else "auto" if on else "off"})

    st.toggle(
        t(f"check.more.switch.{name}"), key=key, help=t(f"settings.{name}.help"), on_change=take
    )


def offer_download(name: str, about: str, *, place: str = "more") -> None:
    """Say `about` what is not installed, and download it from here, or say where it is told how.

    A page can offer it in several places; how far it is stands in the one where it was asked for.
    """
    if not extras.can_download():
        note(f"{about} {t('settings.download.told')}")
        return
    note(about)
    kind, stages = f"download_{name}", ("download",)
    if not jobs.is_running(kind) and st.button(
        t(f"settings.download.{name}"), key=f"{kind}_{place}", icon=":material/download:"
    ):
        jobs.start(
            kind, partial(extras.download_extra, name), stages=stages, facts={"place": place}
        )
        st.rerun()
    job = jobs.find_latest(kind)
    if job is not None and job.facts["place"] == place:
        title, failed = t("settings.download.running"), t("settings.download.failed")
        follow_job(kind, title, failed, t("settings.download.leave"))


# --------------------------------------------------------------------------- given to all

_PASTED_KEY = "check.pasted"  # in the project: which of the task sheets was pasted


def templates() -> tuple[Document, ...]:
    """Return the task sheets and templates of the check."""
    opened = open_checks.find_current()
    return opened.sheets() if opened is not None else ()


def _pasted() -> str:
    opened = open_checks.find_current()
    return str(opened.project.get(_PASTED_KEY, "")) if opened is not None else ""


def give_to_all(documents: Sequence[Document]) -> None:
    """Count some texts nowhere from now on."""
    opened = open_checks.find_current()
    if opened is not None:
        opened.give_to_all((*templates(), *documents))


def take_from_all(document: Document | None) -> None:
    """Count a text again that had been put in as one that was given to all."""
    opened = open_checks.find_current()
    if opened is not None and document in templates():
        opened.give_to_all([one for one in templates() if one != document])


def template_form() -> None:
    """Draw what everybody was given: a text field, an upload, and what is there."""
    pasted, held = _pasted(), [one for one in templates() if one.text != _pasted()]
    if session.get(session.PASTED_TEMPLATE_KEY) is None:  # else what is typed now would be lost
        session.put(session.PASTED_TEMPLATE_KEY, pasted)
    st.text_area(
        t("check.template.label"),
        key=session.PASTED_TEMPLATE_KEY,
        help=t("check.template.help"),
        placeholder=t("check.template.placeholder"),
        height=120,
        on_change=_take_pasted,
        args=(held,),
    )
    key = f"template_files_{tab.template_turn}"
    with st.container(key="sheets-way"):
        st.file_uploader(
            t("check.template.files"),
            accept_multiple_files=True,
            key=key,
            on_change=_take_templates,
            args=(key,),
        )
    for document in held:
        note(t("check.template.read", name=document.name, length=length_text(document.text)))
    if held:
        forget = t("check.template.forget")
        st.button(forget, key="forget_templates", type="tertiary", on_click=_forget_files)


def _take_pasted(held: Sequence[Document]) -> None:
    """Put what was pasted in the place of what had been before."""
    opened = open_checks.find_current()
    text = str(session.get(session.PASTED_TEMPLATE_KEY) or "").strip()
    if opened is not None:
        sheets = [Document.from_text(text, name=t("check.template.pasted"))] if text else []
        opened.store(lambda project: project.put(_PASTED_KEY, text))
        opened.give_to_all([*sheets, *held])


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
    opened, pasted = open_checks.find_current(), _pasted()
    del tab.template_unread
    if opened is not None:
        opened.give_to_all([one for one in templates() if one.text == pasted])
