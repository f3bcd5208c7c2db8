"""The form "how to compare": widgets of a preset into a `Settings`.

Every widget key carries the preset, so that choosing a preset shows that preset's values and
coming back shows what was changed in it.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import streamlit as st

from simhash_core import Settings
from simhash_core.checking import expected_before, weightings
from simhash_core.settings import PRESETS

from ..shared import session
from ..shared.formatting import about
from ..shared.session import t
from ..shared.widgets import note

#: the order in which presets are offered
_ORDER = ("essays", "reposts", "strict", "edited", "classic")
_KEEP: dict[str, Any] = {"persist_state": "session"}


def settings_form(n: int) -> Settings:
    """Draw the form for a batch of `n` texts and return what it says."""
    preset = _preset(n)
    start = Settings.of(preset)
    passages = st.toggle(
        t("settings.passages.label"),
        start.passages,
        key=f"set_{preset}_passages",
        help=t("settings.passages.help"),
        **_KEEP,
    )
    bits = st.segmented_control(
        t("settings.bits.label"),
        _choices("bits"),
        default=start.bits,
        format_func=str,
        key=f"set_{preset}_bits",
        help=t("settings.bits.help"),
        required=True,
        **_KEEP,
    )
    with st.expander(t("check.more_settings"), icon=":material/tune:", key="more_settings"):
        changes = _more(preset, int(bits), n)
    return Settings.of(preset, passages=passages, bits=int(bits), **changes)


def expected_sentence(n: int, settings: Settings) -> str:
    """Say which threshold settings mean and how many false pairs to expect from it."""
    expected = about(expected_before(n, settings))
    if settings.threshold is None:
        return t("check.threshold_auto", expected=expected)
    return t("check.threshold_fixed", bits=settings.threshold, expected=expected)


def _preset(n: int) -> str:
    names = [name for name in _ORDER if name in PRESETS]
    labels = {name: t(f"settings.preset.{name}") for name in names}
    chosen = st.radio(
        t("settings.preset.label"),
        names,
        format_func=labels.__getitem__,
        captions=[
            t(f"settings.preset_caption.{name}") + "  \n" + expected_sentence(n, Settings.of(name))
            for name in names
        ],
        key="set_preset",
        label_visibility="collapsed",
        **_KEEP,
    )
    return str(chosen)


def _more(preset: str, bits: int, n: int) -> dict[str, Any]:
    """Draw the settings that few change; return what they say."""
    start, key = Settings.of(preset), f"set_{preset}_"
    changes: dict[str, Any] = _threshold(preset, bits, n)
    names = list(weightings())
    labels = {name: t(f"settings.weighting.{name}") for name in names}
    changes["weighting"] = st.selectbox(
        t("settings.weighting.label"),
        names,
        names.index(start.weighting),
        format_func=labels.__getitem__,
        key=key + "weighting",
        help=t("settings.weighting.help"),
        **_KEEP,
    )
    if changes["weighting"] == "levels":
        changes["levels"] = _levels(key)
    for name in ("batch_signature", "text_check", "stop_words", "fold_variants"):
        changes[name] = st.toggle(
            t(f"settings.{name}.label"),
            getattr(start, name),
            key=key + name,
            help=t(f"settings.{name}.help"),
            **_KEEP,
        )
    low, high = _bounds("min_tokens")
    changes["min_tokens"] = st.number_input(
        t("settings.min_tokens.label"),
        int(low),
        int(high),
        start.min_tokens,
        key=key + "min_tokens",
        help=t("settings.min_tokens.help"),
        **_KEEP,
    )
    changes["user_words"] = _user_words(key)
    return changes


def _threshold(preset: str, bits: int, n: int) -> dict[str, Any]:
    """Draw where the threshold comes from, with the false pairs that it means."""
    start, key = Settings.of(preset), f"set_{preset}_"
    modes = {name: t(f"settings.threshold.{name}") for name in ("auto", "fixed")}
    mode = st.segmented_control(
        t("settings.threshold.label"),
        list(modes),
        default="auto" if start.threshold is None else "fixed",
        format_func=modes.__getitem__,
        key=key + "threshold_mode",
        help=t("settings.threshold.help"),
        required=True,
        **_KEEP,
    )
    if mode == "auto":
        low, high = _bounds("expected_false")
        expected = st.number_input(
            t("settings.expected_false.label"),
            low,
            high,
            start.expected_false,
            step=0.5,
            format="%g",
            key=key + "expected_false",
            help=t("settings.expected_false.help"),
            **_KEEP,
        )
        changes = {"threshold": None, "expected_false": expected}
    else:
        value = st.number_input(
            t("settings.threshold.bits"),
            0,
            bits,
            Settings.of(preset, bits=bits).threshold or 0,
            key=f"{key}threshold_{bits}",
            **_KEEP,
        )
        changes = {"threshold": int(value)}
    note(expected_sentence(n, Settings.of(preset, bits=bits, **changes)))
    return changes


def _user_words(key: str) -> tuple[str, ...]:
    """Draw the upload of a dictionary; return its lines."""
    held = f"lt.{key}user_words"
    file = st.file_uploader(
        t("settings.user_words.label"),
        type=["txt"],
        key=key + "user_words",
        help=t("settings.user_words.help"),
        max_upload_size=2,
    )
    if file is not None:
        text = file.getvalue().decode("utf-8-sig", errors="replace")
        session.put(held, tuple(line.strip() for line in text.splitlines() if line.strip()))
    words: tuple[str, ...] = session.get(held, ())
    if words:
        note(t("settings.user_words.read", n=len(words)))
        if st.button(t("settings.user_words.forget"), key=key + "forget_words", type="tertiary"):
            session.put(held, None)
            words = ()
    return words


def _levels(key: str) -> tuple[tuple[str, int], ...]:
    """Draw the table of words and levels; return its rows."""
    text = st.text_area(
        t("settings.levels.label"),
        key=key + "levels",
        help=t("settings.levels.help"),
        placeholder=t("settings.levels.placeholder"),
        persist_state="session",
    )
    rows = (line.split() for line in (text or "").splitlines())
    return tuple((row[0], int(row[1])) for row in rows if len(row) == 2 and row[1] in "12345")


def _choices(name: str) -> list[Any]:
    return list(next(f for f in fields(Settings) if f.name == name).metadata["choices"])


def _bounds(name: str) -> tuple[float, float]:
    metadata = next(f for f in fields(Settings) if f.name == name).metadata
    return float(metadata["low"]), float(metadata["high"])
