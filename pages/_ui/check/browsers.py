"""The browsers that see the checks of this reader: which they are, and how one is shut out."""

from __future__ import annotations

import streamlit as st

from simhash_core.storage import browsers, is_user

from ..shared import open_checks
from ..shared.formatting import short_date
from ..shared.session import t
from ..shared.tab import tab
from ..shared.widgets import caution, note


def admitted() -> None:
    """Draw the line at the foot of the page that opens the list."""
    listed = browsers.browsers_of(open_checks.owner())
    with (
        st.container(key="browsers-foot"),
        st.popover(t("check.browsers.title", count=len(listed)), type="tertiary", key="browsers"),
    ):
        _list(listed)


def _list(listed: list[browsers.Browser]) -> None:
    mine = is_user(open_checks.owner())
    note(t("check.browsers.note_user" if mine else "check.browsers.note_own"))
    if not listed:
        note(t("check.browsers.none"))
        return
    asked = tab.shut_out
    for number, browser in enumerate(listed):
        with st.container(horizontal=True, vertical_alignment="center"):
            note(_line(browser))
            if asked != (browser.id,):
                _offer(t("check.browsers.shut_out"), f"shut_out_{number}", browser.id)
        if asked == (browser.id,):
            _confirm(asked, _consequence(browser, listed, mine=mine))
    others = tuple(each.id for each in listed if each.id != open_checks.browser())
    if len(others) > 1 and asked == others:
        _confirm(asked, t("check.browsers.others_text", count=len(others)))
    elif len(others) > 1:
        _offer(t("check.browsers.shut_out_others"), "shut_out_others", *others)


def _offer(label: str, key: str, *ids: str) -> None:
    """Draw the button that asks before browsers are shut out."""
    st.button(label, key=key, type="tertiary", on_click=_ask, args=ids)


def _line(browser: browsers.Browser) -> str:
    """Say which browser it is."""
    name, since = _name(browser), short_date(browser.made.astimezone())
    if browser.id == open_checks.browser():
        return t("check.browsers.this", name=name, since=since)
    return t(
        "check.browsers.line", name=name, since=since, seen=short_date(browser.seen.astimezone())
    )


def _name(browser: browsers.Browser) -> str:
    return browser.name or t("check.browsers.unnamed")


def _consequence(browser: browsers.Browser, listed: list[browsers.Browser], *, mine: bool) -> str:
    """Say what follows from shutting a browser out."""
    if not mine and len(listed) == 1:
        return t("check.browsers.last_text")
    if browser.id == open_checks.browser():
        return t("check.browsers.this_text" if mine else "check.browsers.this_own_text")
    return t("check.browsers.other_text", name=_name(browser))


def _confirm(ids: tuple[str, ...], consequence: str) -> None:
    """Ask whether browsers are to be shut out, and say what follows."""
    caution(t("check.browsers.sure"), consequence)
    with st.container(horizontal=True):
        st.button(
            t("check.browsers.shut_out_now"), key="shut_out_now", on_click=_shut_out, args=ids
        )
        st.button(
            t("check.recent.cancel"),
            key="keep_browser",
            type="tertiary",
            on_click=_ask,
        )


def _ask(*ids: str) -> None:
    """Ask about some browsers at the next drawing; about none where nothing is given."""
    tab.shut_out = ids


def _shut_out(*ids: str) -> None:
    for each in ids:
        browsers.revoke(each)
    _ask()
