"""What the fingerprint laboratory remembers: texts, the bits before the last edit, the example.

texts() / set_texts(a, b)   what the two boxes hold; setting them starts a new version
edited(side)                a callback: a box has another text, remember the bits before
settings()                  the settings that its controls say
followed()                  side (0, 1) -> Trace of the boxes that say something
flips(traced)               side -> bits that the last edit flipped
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from simhash_core import Settings
from simhash_core.laboratory import flipped, traces

from ..shared import session
from ..shared.session import t
from ..shared.weightings import LAB_WEIGHTINGS

LONGEST = 60_000  # characters a box takes: what a page can still show word by word
BITS = (8, 16, 32, 64, 128, 256)
#: weightings whose answer depends on other texts
BY_COLLECTION = ("logtfidf", "tfidf", "levels")
SIDES = "ab"
_TEXTS, _VERSION, _GIVEN = "lt.lab.texts", "lt.lab.version", "lt.lab.given"
_BEFORE, _SHOWN, _TRACES = "lt.lab.before", "lt.lab.shown", "lt.lab.traces"
BITS_KEY, WEIGHTING_KEY = "lab_bits", "lab_weighting"


def texts() -> tuple[str, str]:
    """Return the two texts, at first a sentence and the same with one word replaced."""
    found: tuple[str, str] | None = session.get(_TEXTS)
    return found or (t("lab.sample.a"), t("lab.sample.b"))


def set_texts(
    a: str, b: str, *, levels: tuple[tuple[str, int], ...] = (), user_words: tuple[str, ...] = ()
) -> None:
    """Put other texts into both boxes; nothing counts as flipped."""
    session.put(_TEXTS, (a[:LONGEST], b[:LONGEST]))
    session.put(_GIVEN, (levels, user_words))
    session.put(_VERSION, version() + 1)
    forget()


def version() -> int:
    """Return how often texts were put into the boxes other than by typing."""
    return int(session.get(_VERSION, 0))


def stamp() -> str:
    """Return what changes whenever a box must take another text; the first depends on language."""
    return f"{version()}" if session.get(_TEXTS) else f"{version()}-{session.language()}"


def forget() -> None:
    """Let nothing count as flipped: the rule changed, not a word."""
    session.put(_BEFORE, None)
    session.put(_SHOWN, None)


def edited(side: int) -> Callable[[], None]:
    """Return what happens when the reader has typed into one box."""

    def remember() -> None:
        said: Any = session.get(box_key(side), {})
        now = list(texts())
        now[side] = str(said.get("text", ""))[:LONGEST]
        session.put(_TEXTS, (now[0], now[1]))
        session.put(_BEFORE, session.get(_SHOWN))

    return remember


def box_key(side: int) -> str:
    """Return the key of one box."""
    return f"lab_text_{SIDES[side]}"


def settings() -> Settings:
    """Return the settings that the controls of the page say."""
    bits = session.get(BITS_KEY) or 64
    weighting = session.get(WEIGHTING_KEY) or LAB_WEIGHTINGS[0]
    levels, user_words = session.get(_GIVEN) or ((), ())
    return Settings(
        bits=int(bits),
        weighting=str(weighting),
        levels=levels,
        user_words=user_words,
        min_tokens=1,
    )


def followed() -> dict[int, Any]:
    """Return the traces of the sides that say something, under the current settings."""
    chosen, said = settings(), texts()
    result = session.result()
    known = result.stats if result is not None and chosen.weighting in BY_COLLECTION else None
    key = (said, chosen.recipe(), id(known))
    kept: Any = session.get(_TRACES)
    if kept is None or kept[0] != key:
        sides = [side for side, text in enumerate(said) if text.strip()]
        made = traces([said[side] for side in sides], settings=chosen, stats=known)
        kept = (key, dict(zip(sides, made, strict=True)))
        session.put(_TRACES, kept)
    found: dict[int, Any] = kept[1]
    return found


def flips(traced: Mapping[int, Any]) -> dict[int, list[int]]:
    """Return the bits of each side that the last edit flipped, and keep what is shown now."""
    before: Mapping[int, Any] = session.get(_BEFORE) or {}
    session.put(_SHOWN, {side: each.explanation for side, each in traced.items()})
    return {
        side: flipped(before[side], each.explanation).tolist()
        for side, each in traced.items()
        if side in before
    }


def choose(bits: int, weighting: str) -> None:
    """Set the controls, before they are drawn."""
    st.session_state[BITS_KEY], st.session_state[WEIGHTING_KEY] = bits, weighting
