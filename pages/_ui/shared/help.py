"""Help: the guides that concern a page, shown over it, from one place of every page."""

from __future__ import annotations

import streamlit as st

from simhash_core.app.guides import guide, guides_about

from . import session
from .session import t

_SHOWN = "help_shown"


def opener(page: str) -> None:
    """Offer the guides of a page."""
    if st.button(t("frame.help.open"), key="help_open", icon=":material/help:", type="tertiary"):
        session.put(_SHOWN, None)
        st.dialog(t("frame.help.title"), width="medium")(_guides)(page)


def _guides(page: str) -> None:
    """Draw the guides of a page, one of them open, and those that it leads to."""
    about, language = guides_about(page), session.language()
    now = session.get(_SHOWN) or about[0]
    names = about if now in about else (*about, now)
    st.pills(
        t("frame.help.title"),
        names,
        default=now,
        required=True,
        format_func=lambda name: guide(name, language).title,
        key=f"help_guide_{now}",
        label_visibility="collapsed",
        on_change=lambda: session.put(_SHOWN, session.get(f"help_guide_{now}")),
    )
    shown = guide(now, language)
    with st.container(key="help-guide"):
        st.markdown(f"## {shown.title}\n{shown.text}")
    further = [name for name in shown.leads_to if name not in names]
    if further:
        st.markdown(f"### {t('frame.help.further')}")
        for name in further:
            st.button(
                guide(name, language).title,
                key=f"help_to_{name}",
                type="tertiary",
                on_click=session.put,
                args=(_SHOWN, name),
            )
