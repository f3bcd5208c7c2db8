"""What this reader lets out of the computer: the address of a search service, and what left."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import streamlit as st

from simhash_core import LeitongError
from simhash_core.storage import web_folder
from simhash_core.web import SentLog, forget_service, service_of, set_service

from . import open_checks, session
from .formatting import error_text, esc, short_date
from .session import t
from .widgets import note, paragraph, write_table

_ADDRESS = "web_address"
_MOST_LISTED = 300  # lines, the latest


def folder() -> Path:
    """Return where the address and the log of this reader lie."""
    return web_folder(open_checks.owner())


def service() -> str:
    """Return the address of the search service, "" where none was entered."""
    return service_of(folder())


def settings_dialog() -> None:
    """Ask for the address; an empty one switches the web off."""

    @st.dialog(t("check.web.settings"))
    def ask() -> None:
        paragraph(t("check.web.settings_text"))
        typed = st.text_input(
            t("check.web.address"),
            value=service(),
            key=_ADDRESS,
            placeholder="http://localhost:8888",
            max_chars=500,
        )
        note(t("check.web.settings_note"))
        if st.button(t("check.web.save"), key="web_save", type="primary"):
            try:
                address = str(typed or "").strip()
                if address:
                    set_service(folder(), address)
                else:
                    forget_service(folder())
            except LeitongError as error:
                note(error_text(error))
                return
            st.rerun()

    session.put(_ADDRESS, None)
    ask()


def log_button() -> None:
    """Lead to the list of what left; nothing is drawn where nothing ever did."""
    n = len(SentLog(folder()).entries())
    if n and st.button(
        t("check.web.log", n=n), key="web_log", type="tertiary", icon=":material/outbound:"
    ):
        st.dialog(t("check.web.left"), width="large")(_log)()


def _log() -> None:
    """List what left, newest first, and offer to delete the list."""
    log = SentLog(folder())
    entries = log.entries()
    paragraph(t("check.web.log_text", n=len(entries)))
    heads = [(t(f"check.web.log.{column}"), "") for column in ("at", "kind", "to", "what")]
    rows = [
        f"<tr><td>{esc(_when(one.at))}</td><td>{esc(t(f'cli.web_kind.{one.kind}'))}</td>"
        f"<td>{esc(one.to)}</td><td>{esc(one.what)}</td></tr>"
        for one in entries[: -_MOST_LISTED - 1 : -1]
    ]
    write_table(t("check.web.left"), heads, rows)
    if st.button(
        t("check.web.log_delete"),
        key="web_log_delete",
        icon=":material/delete:",
        on_click=_delete,
        args=(log,),
    ):
        st.rerun()


def _when(at: str) -> str:
    try:
        return short_date(datetime.fromisoformat(at).astimezone())
    except ValueError:
        return at


def _delete(log: SentLog) -> None:
    log.delete()
