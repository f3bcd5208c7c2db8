"""A passage of the pair that is read, left out of the whole check."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from simhash_core import Comparison
from simhash_core.checking import found_as_templates
from simhash_core.report.collation.reading import Match, matches

from ..shared import exclusions, session
from ..shared.session import t
from ..shared.widgets import note

_CHOICE = "leave_out_passage"
_SHOWN = 28  # characters of a passage in the list


def leave_out(compared: Comparison, rows: tuple[int, int]) -> None:
    """Offer to leave one of the passages out wherever it stands; nothing where none can be."""
    texts = compared.a.text, compared.b.text
    texts = compared.a.text, compared.b.text
    numbered = session.memo(("leave_out", *rows), lambda: _offered(compared))
    if not numbered:
        return

    def said(number: int) -> str:
        words = " ".join(texts[0][slice(*numbered[number].a)].split())
        return f"{number}  {words[:_SHOWN]}{'…' if len(words) > _SHOWN else ''}"

    with (
        st.container(key="noprint-leave-out"),
        st.popover(t("compare.leave_out.title"), icon=":material/close:"),
    ):
        chosen = st.selectbox(
            t("compare.leave_out.which"), list(numbered), format_func=said, key=_CHOICE
        )
        note(t("compare.leave_out.note"))
        st.button(
            t("compare.leave_out.do"),
            key="leave_out",
            on_click=_leave_out,
            args=(texts, numbered[chosen]),
        )


def _offered(compared: Comparison) -> dict[int, Match]:
    """Return the passages by their number, without those too short to be found by a rule."""
    documents = compared.a, compared.b
    solid = [one for one in matches(compared.passages, compared.stretches) if one.kind != "weak"]
    recognised = [
        found_as_templates(
            document, [(one.a, one.b)[side] for one in solid], settings=compared.settings
        )
        for side, document in enumerate(documents)
    ]
    return {one.number: one for one, *sides in zip(solid, *recognised, strict=True) if any(sides)}


def _leave_out(texts: tuple[str, str], one: Match) -> None:
    """Add a passage, as both texts have it, to what does not count."""
    now = exclusions.rules()
    sides = texts[0][slice(*one.a)], texts[1][slice(*one.b)]
    fresh = dict.fromkeys(side for side in sides if side not in now.passages)
    exclusions.apply(replace(now, passages=(*now.passages, *fresh)))
    st.session_state.pop(_CHOICE, None)  # another passage may have that number now
