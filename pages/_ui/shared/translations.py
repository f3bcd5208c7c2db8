"""Possible translations of a check: a list whose rows lead to both texts."""

from __future__ import annotations

import streamlit as st

from simhash_core import CheckResult
from simhash_core.numbers import expected_translations
from simhash_core.translations import PossibleTranslation, possible_translations

from . import session
from .formatting import esc, notation
from .session import t
from .widgets import figure_head, note, open_page, write_html

SHOWN = 10  # pairs before the reader asks for all
_ALL = "lt.translations.all"


def translated_list(result: CheckResult, row: int | None = None) -> None:
    """List the pairs that may be translations, all or those of one text; nothing where none are."""
    listed = session.memo(("translations",), lambda: possible_translations(result))
    if row is not None:
        listed = [one for one in listed if row in (one.left, one.right)]
    if not listed:
        return
    figure_head(t("overview.translations"), t("overview.translations_note", n=len(listed)))
    everything = bool(session.get(_ALL))
    with st.container(key="translations", gap="small"):
        for one in listed if everything else listed[:SHOWN]:
            _row(result, one, row)
    more = len(listed) > SHOWN and not everything
    if more and st.button(t("overview.translations_all", n=len(listed)), key="all_translations"):
        session.put(_ALL, True)
        st.rerun()
    note(t("overview.translations_limits"))


def _row(result: CheckResult, one: PossibleTranslation, row: int | None) -> None:
    """Draw one pair, the text whose page this is first."""
    sides = list(zip((one.left, one.right), one.characters, strict=True))
    if row == one.right:
        sides.reverse()
    names = " · ".join(esc(session.doc_name(side)) for side, _ in sides)
    facts = t("overview.translation_facts", n=one.passages)
    expected = expected_translations(result, one.chance)
    if expected is not None:
        pairs = notation().expected_pairs(expected)
        facts += t("check.comma") + t("overview.translation_chance", pairs=pairs)
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            write_html(f'<p class="lt-text">{names}</p><p class="lt-note">{esc(facts)}</p>')
        key = f"translation-{one.left}-{one.right}"
        if st.button(t("overview.read_both"), key=key, icon=":material/compare_arrows:"):
            ends = {name: str(side) for name, (side, _) in zip("ab", sides, strict=True)}
            open_page("compare", {**ends, "view": "translated"})
