"""How to compare: presets on the page, more that a class may need in a dialog; what all were given.

Weightings and what else shapes a fingerprint are for the laboratories and the command line.
Every widget key contains the preset, so that choosing a preset shows its values and choosing it
again shows what was changed in it. The page reads the values under these keys, since the dialog
is mostly closed. Task sheets and templates, pasted or uploaded, count nowhere.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import streamlit as st

from simhash_core import Document, LeitongError, Settings, read
from simhash_core.auxiliary import word_list
from simhash_core.checking import dictionary_source, meaning_installed, recognition_installed
from simhash_core.checking import uploads as listed_uploads
from simhash_core.errors import StoreError
from simhash_core.model import Skipped
from simhash_core.seen import expected_before
from simhash_core.settings import PRESETS
from simhash_core.storage import TEMPLATES_KEY, Project
from simhash_core.translations import LanguagePairs

from ..shared import inside_streamlit, open_checks, session
from ..shared.formatting import error_text, length_text, note_text, say_expected
from ..shared.open_checks import OpenCheck
from ..shared.session import t
from ..shared.tab import EMPTY, Fact
from ..shared.tab import tab as shared_tab
from ..shared.widgets import caution, note

#: the order in which presets are offered
_ORDER = ("essays", "reposts", "strict", "edited", "classic")
_TOGGLES = ("skip_same_person", "skip_same_group")
_PRESET = "set_preset"
_KEEP: dict[str, Any] = {"persist_state": "session"}


class Tab:
    """What a tab remembers: settings and task sheets of the next check."""

    #: id of the check whose settings and task sheets it has begun with
    taken_up = Fact("", of_files=True)
    settings_base: Fact[Settings | None] = Fact(None, of_files=True)  # those settings
    template_files: Fact[tuple[Document, ...]] = Fact((), of_files=True)  # that the reader put in
    template_turn = Fact(0)  # of their box, as above
    template_unread: Fact[tuple[Skipped, ...]] = Fact((), of_files=True)  # of the last ones
    #: from the latest check of the class
    template_brought: Fact[tuple[Document, ...]] = Fact((), of_files=True)
    next_preset: Fact[str | None] = Fact(None)  # to be chosen before its widget is drawn
    preset_language: Fact[str | None] = Fact(None)  # of the labels that the browser knows
    #: preset -> lines of its dictionary
    user_words: Fact[Mapping[str, tuple[str, ...]]] = Fact(EMPTY)
    user_words_fault: Fact[LeitongError | None] = Fact(None)  # why the last file was not read


tab = Tab()


def choose_preset(name: str) -> None:
    """Choose a preset from the next drawing of the form on."""
    tab.next_preset = name


def take_up(opened: OpenCheck) -> None:
    """Begin, once in a tab, with the settings and the task sheets that are stored with a check."""
    project = opened.project
    if tab.taken_up == project.id:
        return
    tab.taken_up = project.id
    with contextlib.suppress(StoreError):  # the page says what is damaged
        settings = project.settings()
        if settings is not None:
            preset, bits = settings.preset, settings.bits
            held: dict[str, Any] = {name: getattr(settings, name) for name in ("bits", "passages")}
            held |= {
                name: getattr(settings, name) for name in ("min_tokens", "translated", *_TOGGLES)
            }
            held |= {name: getattr(settings, name) != "off" for name in ("dictionary", "ocr")}
            if settings.passages:
                held["meaning"] = settings.meaning != "off"
            held["threshold_mode"] = _mode(settings)
            held["expected_false"] = settings.expected_false
            if settings.threshold is not None:
                held[f"threshold_{bits}"] = settings.threshold
            for name, value in held.items():
                session.put(_key(preset, name), value)
            tab.next_preset, tab.settings_base = preset, settings
            tab.user_words = {**tab.user_words, preset: settings.user_words}
    if not _list_given():
        pasted = str(project.get(_PASTED_KEY, ""))
        session.put(session.PASTED_TEMPLATE_KEY, pasted or None)
        templates = project.texts().templates
        tab.template_files = tuple(one for one in templates if one.text != pasted)


def settings_form(n: int) -> Settings:
    """Draw the presets and, once there are `n` texts, the way to the rest; return what is set."""
    preset = _preset()
    if not n:
        return settings_of(preset)
    _switch(preset, "passages", Settings.of(preset).passages, begins=True)
    if st.button(t("check.more_settings"), key="more", icon=":material/tune:", width="stretch"):
        _dialog(preset, n)
    return settings_of(preset)


def settings_of(preset: str) -> Settings:
    """Return the settings that the widgets of a preset hold, drawn or not."""
    start = Settings.of(preset)

    def held(name: str, otherwise: Any) -> Any:
        value = session.get(_key(preset, name))
        return otherwise if value is None else value

    bits = int(held("bits", start.bits))
    changes: dict[str, Any] = {"bits": bits, "user_words": tab.user_words.get(preset, ())}
    for name in ("passages", "min_tokens", *_TOGGLES):
        changes[name] = held(name, getattr(start, name))
    changes["translated"] = bool(held("translated", False)) and dictionary_source() is not None
    # where it is not installed, "auto" leaves it out
    unwanted = meaning_installed() and not held("meaning", True)
    changes["meaning"] = "off" if unwanted or not changes["passages"] else "auto"
    changes["dictionary"] = "auto" if held("dictionary", True) else "off"
    # where it is not installed, "auto" says what to install
    refused = recognition_installed() and not held("ocr", True)
    changes["ocr"] = "off" if refused else "auto"
    if held("threshold_mode", _mode(start)) == "auto":
        changes["threshold"] = None
        changes["expected_false"] = float(held("expected_false", start.expected_false))
    else:
        changes["threshold"] = int(held(f"threshold_{bits}", _fixed(preset, bits)))
    base = tab.settings_base
    if base is not None and (base.preset, base.bits) == (preset, bits):
        return replace(base, **changes)
    return Settings.of(preset, **changes)


def expected_sentence(n: int, settings: Settings) -> str:
    """Say which threshold settings mean and how many false pairs to expect from it."""
    expected = say_expected(expected_before(n, settings))
    if settings.threshold is None:
        return t("check.threshold_auto", expected=expected)
    return t("check.threshold_fixed", bits=settings.threshold, expected=expected)


def _take_threshold() -> None:
    """Start with the threshold that the laboratory was asked to use in the next check."""
    if shared_tab.next_threshold is None:
        return
    preset, bits, k = shared_tab.next_threshold
    shared_tab.next_threshold, tab.next_preset = None, preset
    session.put(_key(preset, "bits"), bits)
    session.put(_key(preset, "threshold_mode"), "fixed")
    session.put(_key(preset, f"threshold_{bits}"), k)


def _preset() -> str:
    _take_threshold()
    if tab.next_preset is not None:  # a widget takes a value from outside before it is drawn
        session.put(_PRESET, tab.next_preset)
        tab.next_preset = None
    elif tab.preset_language not in (None, session.language()):
        # the browser remembers the label that was chosen: under other labels it must be told again
        session.put(_PRESET, session.get(_PRESET))
    tab.preset_language = session.language()
    names = [name for name in _ORDER if name in PRESETS]
    labels = {
        name: f"{t(f'settings.preset.{name}')} :gray[:small[{t(f'settings.preset_short.{name}')}]]"
        for name in names
    }
    chosen = st.radio(
        t("settings.preset.label"),
        names,
        format_func=labels.__getitem__,
        key=_PRESET,
        label_visibility="collapsed",
        **_KEEP,
    )
    return str(chosen)


def _dialog(preset: str, n: int) -> None:
    """Open the settings that few change; closing it runs the page with the new values."""

    @st.dialog(
        t("check.more_settings_of", preset=t(f"settings.preset.{preset}")),
        width="large",
        on_dismiss="rerun",
    )
    def more() -> None:
        left, right = st.columns(2, gap="large")
        with left:
            st.segmented_control(
                t("settings.bits.label"),
                _field("bits")["choices"],
                default=Settings.of(preset).bits,
                format_func=str,
                key=_key(preset, "bits"),
                help=t("settings.bits.help"),
                required=True,
                **_KEEP,
            )
            _threshold(preset)
            note(expected_sentence(n, settings_of(preset)))
            bounds = _field("min_tokens")
            st.number_input(
                t("settings.min_tokens.label"),
                int(bounds["low"]),
                int(bounds["high"]),
                Settings.of(preset).min_tokens,
                key=_key(preset, "min_tokens"),
                help=t("settings.min_tokens.help"),
                **_KEEP,
            )
        with right:
            for name in _TOGGLES:
                _switch(preset, name, getattr(Settings.of(preset), name))
            source = dictionary_source()
            _switch(preset, "dictionary", source is not None, disabled=source is None)
            if source is None:
                st.caption(t("settings.dictionary.missing"))
            else:
                note(t("settings.dictionary.source", name=source[0], licence=source[1]))
            installed = recognition_installed()
            _switch(preset, "ocr", installed, disabled=not installed)
            if not installed:
                st.caption(t("settings.ocr.missing"))
            _user_words(preset)
        if st.button(t("check.settings_done"), key="settings_done"):
            st.rerun()

    more()


def _threshold(preset: str) -> None:
    """Draw where the threshold comes from."""
    start = Settings.of(preset)
    modes = {name: t(f"settings.threshold.{name}") for name in ("auto", "fixed")}
    mode = st.segmented_control(
        t("settings.threshold.label"),
        list(modes),
        default=_mode(start),
        format_func=modes.__getitem__,
        key=_key(preset, "threshold_mode"),
        help=t("settings.threshold.help"),
        required=True,
        **_KEEP,
    )
    if mode == "auto":
        bounds = _field("expected_false")
        st.number_input(
            t("settings.expected_false.label"),
            float(bounds["low"]),
            float(bounds["high"]),
            start.expected_false,
            step=0.5,
            format="%g",
            key=_key(preset, "expected_false"),
            help=t("settings.expected_false.help"),
            **_KEEP,
        )
        return
    bits = settings_of(preset).bits
    st.number_input(
        t("settings.threshold.bits"),
        0,
        bits,
        _fixed(preset, bits),
        key=_key(preset, f"threshold_{bits}"),
        **_KEEP,
    )


def reading_settings() -> Settings:
    """Return the settings that files are read with."""
    return settings_of(str(session.get(_PRESET) or Settings().preset))


def translated_form(preset: str, counts: Mapping[str, LanguagePairs]) -> None:
    """Where texts are in both languages, draw the switch for translations, with what it compares.

    `counts` by what is compared: `pairs`, the texts at hand; `pairs_library`, those of a library.
    """
    counts = {name: count for name, count in counts.items() if count.pairs}
    if not counts:
        return
    source = dictionary_source()
    _switch(preset, "translated", False, begins=True, disabled=source is None)
    if source is None:
        st.caption(t("settings.translated.missing"))
    for name, count in counts.items() if source is not None else ():
        texts = {"chinese": count.chinese, "english": count.english}
        note(t(f"settings.translated.{name}", n=count.pairs, **texts))


def meaning_form(preset: str) -> None:
    """Draw the switch for the same meaning; where it is not installed one line on what is."""
    if not meaning_installed():
        st.caption(t("settings.meaning.missing"))
        return
    _switch(preset, "meaning", True, begins=True)


def _user_words(preset: str) -> None:
    """Draw the upload of a dictionary, and what was read from it."""
    file = st.file_uploader(
        t("settings.user_words.label"),
        type=["txt"],
        key=_key(preset, "user_words"),
        help=t("settings.user_words.help"),
        max_upload_size=2,
        on_change=_take_words,
        args=(preset,),
    )
    if file is not None and tab.user_words_fault is not None:
        caution(t("settings.user_words.wrong"), error_text(tab.user_words_fault))
    words = tab.user_words.get(preset)
    if words:
        note(t("settings.user_words.read", n=len(words)))
        if file is None:  # a box that holds one has a button of its own
            forget = t("settings.user_words.forget")
            st.button(
                forget, key="forget_words", type="tertiary", on_click=_take_words, args=(preset,)
            )


def _take_words(preset: str) -> None:
    """Hold the words of the file in the box, none where it is empty."""
    file = session.get(_key(preset, "user_words"))
    words: tuple[str, ...] = ()
    del tab.user_words_fault
    try:
        words = word_list(file.getvalue()) if file is not None else ()
    except LeitongError as error:
        tab.user_words_fault = error
    tab.user_words = {**tab.user_words, preset: words}


def _key(preset: str, name: str) -> str:
    return f"set_{preset}_{name}"


def _switch(
    preset: str, name: str, at_first: bool, *, begins: bool = False, disabled: bool = False
) -> None:
    """Draw the switch of a setting; one that `begins` is told its value only while it has none."""
    key = _key(preset, name)
    value: dict[str, Any] = {} if begins and session.get(key) is not None else {"value": at_first}
    st.toggle(
        t(f"settings.{name}.label"),
        key=key,
        help=t(f"settings.{name}.help"),
        disabled=disabled,
        **value,
        **_KEEP,
    )


def _mode(start: Settings) -> str:
    return "auto" if start.threshold is None else "fixed"


def _fixed(preset: str, bits: int) -> int:
    return Settings.of(preset, bits=bits).threshold or 0


def _field(name: str) -> dict[str, Any]:
    return dict(next(f for f in fields(Settings) if f.name == name).metadata)


# --------------------------------------------------------------------------- given to all

_UPLOAD = "template_files"
_PASTED_KEY = "check.pasted"  # in the project: which of the task sheets was pasted


def templates() -> list[Document]:
    """Return the task sheets and templates of the check: pasted, of the class, put in."""
    return _list_given()


def _list_given() -> list[Document]:
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
    opened, given, pasted = open_checks.find_current(), _list_given(), _pasted()
    if opened is not None:
        opened.store(lambda project: store_templates(project, given))
        opened.store(lambda project: project.put(_PASTED_KEY, pasted))


def store_templates(project: Project, sheets: Sequence[Document]) -> None:
    """Keep what was given to all with the check, so that it can go on elsewhere."""
    project.put(TEMPLATES_KEY, [[document.name, document.text] for document in sheets])


def template_form() -> None:
    """Draw what everybody was given: behind a fold a text field and an upload; what is there."""
    with st.expander(t("check.template.label"), icon=":material/assignment:"):
        _template_fields()
    given = templates()
    if given:  # below: above it would close the fold
        length = length_text("\n".join(document.text for document in given))
        note(t("check.template.note", n=len(given), length=length))


def _template_fields() -> None:
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
    for row in tab.template_unread:
        note(note_text(row.code, row.params), lead=row.name)
    held = templates()[1 if _pasted() else 0 :]
    for document in held:
        note(t("check.template.read", name=document.name, length=length_text(document.text)))
    if held:
        forget = t("check.template.forget")
        st.button(forget, key="forget_templates", type="tertiary", on_click=_forget_files)


def _take_templates(key: str) -> None:
    """Read the uploads at once; the box is empty again, and what cannot be read is said."""
    files = session.get(key) or []
    sources, refused = listed_uploads([(file.name, file.getvalue()) for file in files])
    settings, keep = reading_settings(), not open_checks.keeps_nothing()
    documents, skipped = read(sources, settings=settings, keep=keep)
    give_to_all(documents)
    tab.template_unread = (*refused, *skipped)
    inside_streamlit.forget(files)
    tab.template_turn += 1


def _forget_files() -> None:
    del tab.template_brought, tab.template_files, tab.template_unread
    _store_given()
