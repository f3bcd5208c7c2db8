"""The state of the fingerprint laboratory: chapter, example, texts, bits before the last edit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import uuid4

import streamlit as st

from simhash_core import Settings
from simhash_core.lab.laboratories import find_flipped, traces

from ..shared import session
from ..shared.session import t
from ..shared.tab import EMPTY, Fact

#: those that the laboratories offer, from the recommended one to the textbook ones
LAB_WEIGHTINGS = ("background", "tf", "uniform", "logtfidf", "tfidf", "levels")
LONGEST = 60_000  # characters a box takes: what a page can still show word by word
BITS = 64  # of the fingerprints of texts
#: weightings whose answer depends on other texts
BY_COLLECTION = ("logtfidf", "tfidf", "levels")
SIDES = "ab"
WEIGHTING_KEY, CHAPTER_KEY = "lab_weighting", "lab_chapter"
CHAPTERS = ("steps", "bits", "near")

#: word and level
Levels = tuple[tuple[str, int], ...]


class Tab:
    """What a tab remembers: the texts of the laboratory."""

    lab_texts: Fact[tuple[str, str] | None] = Fact(None)
    lab_version = Fact("")  # of the texts that were put in other than by typing
    lab_given: Fact[tuple[Levels, tuple[str, ...]]] = Fact(((), ()))  # levels, user words
    lab_shown: Fact[Mapping[int, Any]] = Fact(EMPTY)  # side -> explanation on the page
    lab_before: Fact[Mapping[int, Any]] = Fact(EMPTY)  # the same before the last edit
    lab_traces: Fact[Any] = Fact(None)  # key, side -> trace
    lab_example = Fact("")  # the worked example that is open
    lab_flipped: Fact[tuple[int, ...]] = Fact(())  # bits of the second text flipped by hand


tab = Tab()


def texts() -> tuple[str, str]:
    """Return the two texts, at first a sentence and the same with one word replaced."""
    return tab.lab_texts or (t("lab.sample.a"), t("lab.sample.b"))


def set_texts(
    a: str, b: str, *, levels: tuple[tuple[str, int], ...] = (), user_words: tuple[str, ...] = ()
) -> None:
    """Put other texts into both boxes; no bit counts as flipped."""
    tab.lab_texts = (a[:LONGEST], b[:LONGEST])
    tab.lab_given = (levels, user_words)
    tab.lab_version = str(uuid4())
    forget()


def version() -> str:
    """Return what changes whenever a box must take another text, and never by typing into it.

    The answer to what was typed first may come while one types on: it must replace nothing.
    """
    return tab.lab_version or session.language()  # the first texts are those of the language


def forget() -> None:
    """Clear the flipped bits: the rule changed, not a word."""
    del tab.lab_before, tab.lab_shown, tab.lab_flipped


def flip_bits(bits: Sequence[int]) -> None:
    """Flip bits of the second fingerprint by hand; a second time flips them back."""
    tab.lab_flipped = tuple(sorted(set(tab.lab_flipped) ^ set(bits)))


def close_example() -> None:
    """Go back to the texts of the reader."""
    st.query_params.pop("example", None)
    del tab.lab_example, tab.lab_flipped


def show_chapter(name: str) -> None:
    """Choose a chapter, before the control is drawn."""
    st.session_state[CHAPTER_KEY] = st.query_params["chapter"] = name


def make_edit_handler(side: int) -> Callable[[], None]:
    """Return what happens when the reader has typed into one box."""

    def remember() -> None:
        box: Any = session.get(box_key(side), {})
        now = list(texts())
        now[side] = str(box.get("text", ""))[:LONGEST]
        tab.lab_texts, tab.lab_version = (now[0], now[1]), version()
        tab.lab_before = tab.lab_shown
        close_example()

    return remember


def box_key(side: int) -> str:
    """Return the key of one box."""
    return f"lab_text_{SIDES[side]}"


def settings() -> Settings:
    """Return the settings of the controls of the page."""
    weighting = session.get(WEIGHTING_KEY) or LAB_WEIGHTINGS[0]
    levels, user_words = tab.lab_given
    return Settings(
        bits=BITS, weighting=str(weighting), levels=levels, user_words=user_words, min_tokens=1
    )


def trace_texts() -> dict[int, Any]:
    """Return the traces of the sides that are not empty, under the current settings."""
    chosen, contents = settings(), texts()
    result = session.result()
    stats = result.stats if result is not None and chosen.weighting in BY_COLLECTION else None
    key = (contents, chosen.recipe(), id(stats))
    cached = tab.lab_traces
    if cached is None or cached[0] != key:
        sides = [side for side, text in enumerate(contents) if text.strip()]
        made = traces([contents[side] for side in sides], settings=chosen, stats=stats)
        cached = (key, dict(zip(sides, made, strict=True)))
        tab.lab_traces = cached
    traces_of_sides: dict[int, Any] = cached[1]
    return traces_of_sides


def flips(traced: Mapping[int, Any]) -> dict[int, list[int]]:
    """Return the bits of each side that the last edit flipped, and keep what is shown now."""
    before = tab.lab_before
    tab.lab_shown = {side: each.explanation for side, each in traced.items()}
    return {
        side: find_flipped(before[side], each.explanation).tolist()
        for side, each in traced.items()
        if side in before
    }


def choose(weighting: str) -> None:
    """Choose what a word weighs, before the control is drawn."""
    st.session_state[WEIGHTING_KEY] = weighting
    forget()
