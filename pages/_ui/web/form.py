"""Pages of the web on Check: the address of a service, sentences seen and sent, the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import streamlit as st

from simhash_core import Document, LeitongError
from simhash_core.app import department
from simhash_core.library import import_documents
from simhash_core.model import CorpusStats
from simhash_core.report import one_line, page_moment
from simhash_core.storage import web_folder
from simhash_core.storage.library import COLLECTION_KEY
from simhash_core.web import (
    MOST_SENTENCES,
    Searched,
    Sentence,
    SentLog,
    forget_service,
    rarest_sentences,
    search_web,
    service_of,
    set_service,
    web_installed,
)

from ..check.settings_form import templates
from ..components.lists import draw_table
from ..shared import jobs, open_checks, session
from ..shared.formatting import error_text, esc, note_text, short_date
from ..shared.libraries import library, library_to_fill
from ..shared.running import stage_text
from ..shared.session import t
from ..shared.tab import Fact
from ..shared.widgets import caution, figure_head, note, paragraph, write_html

JOB = "web"
_STAGES = ("web_ask", "web_pages")
_TICK = "web_sentence_{}"
_ADDRESS = "web_address"
_MOST_LISTED = 300  # lines, the latest


class Tab:
    """What a tab remembers."""

    #: of texts
    web_proposed: Fact[tuple[tuple[str, ...], tuple[Sentence, ...]]] = Fact(((), ()), of_files=True)
    #: what was sent, pages that were read
    web_found: Fact[Searched | None] = Fact(None, of_files=True)
    web_shown = Fact(False, of_files=True)  # whether the sentences are looked at
    web_refused: Fact[LeitongError | None] = Fact(None)  # why an address was not taken


tab = Tab()


def is_offered() -> bool:
    """Return whether pages of the web can be compared with at all.

    Not on a server for many: the address of the service may be one of its own network, which who
    signs in from elsewhere must not reach through it.
    """
    return web_installed() and department.find_department() is None


def draw(
    documents: Sequence[Document], *, n: int, take: Callable[[tuple[Document, ...]], None]
) -> None:
    """Draw the way from the sentences to the pages, as far as it has been gone.

    Parameters
    ----------
    n
        Pages that the check is compared with already.
    take
        Is called with the pages that were read.
    """
    if open_checks.keeps_nothing():
        note(t("check.web.keep_nothing"))
    else:
        _search(documents, take)
    if n and tab.web_found is None:  # before a reload
        note(t("check.against.read", n=n))


def _search(documents: Sequence[Document], take: Callable[[tuple[Document, ...]], None]) -> None:
    """Draw the address, the button that shows the sentences, and what came of them.

    All of it lies in the slot itself: a dialog above the slot and the slot would cover each other.
    """
    if tab.web_refused is None:  # else what was typed stays to be mended
        session.put(_ADDRESS, service())
    st.text_input(
        t("check.web.settings"),
        key=_ADDRESS,
        placeholder="http://localhost:8888",
        max_chars=500,
        help=t("check.web.settings_note"),
        on_change=_take_address,
    )
    if tab.web_refused is not None:
        caution(t("check.web.not_taken"), error_text(tab.web_refused))
    elif jobs.is_running(JOB):
        _watch()
    elif not service():
        note(t("check.web.off"))
        note(t("check.web.settings_text"))
    elif tab.web_shown and documents:
        _show_sentences(documents)
    else:
        st.button(
            t("check.web.look"),
            key="web_look",
            icon=":material/visibility:",
            width="stretch",
            disabled=not documents,
            on_click=_show,
            args=(True,),
        )
        _show_end(take)
    draw_log()


def _take_address() -> None:
    """Ask another service from now on; an empty address switches the web off."""
    address = str(session.get(_ADDRESS) or "").strip()
    tab.web_refused = None
    try:
        if address:
            set_service(folder(), address)
        else:
            forget_service(folder())
    except LeitongError as error:
        tab.web_refused = error


def _show(wanted: bool) -> None:
    tab.web_shown = wanted


# --------------------------------------------------------------------------- before it is sent


def _proposed(documents: Sequence[Document]) -> tuple[Sentence, ...]:
    """Return the rarest sentences of the texts, chosen once for the same texts."""
    sheets = templates()
    key = tuple(one.id for one in (*documents, *sheets))
    if tab.web_proposed[0] != key:
        private = [
            part for one in open_checks.class_list() for part in (one.person, one.number) if part
        ]
        chosen = rarest_sentences(
            documents, most=MOST_SENTENCES, statistics=_counts(), templates=sheets, private=private
        )
        tab.web_proposed = (key, chosen)
    return tab.web_proposed[1]


def _counts() -> CorpusStats | None:
    """Return how common words are in the library of this reader, None where nobody counted."""
    try:
        held = library()
        frozen = held.statistics if held is not None else None
    except LeitongError:
        return None
    return frozen.stats if frozen is not None else None


def _show_sentences(documents: Sequence[Document]) -> None:
    """Show every sentence as it would be sent; each can be struck out."""
    proposed = _proposed(documents)
    if not proposed:
        note(t("error.web_none"))
        return
    caution(t("check.web.only_these_lead"), t("check.web.only_these", address=service()))
    ticked = [one for number, one in enumerate(proposed, start=1) if _sentence(number, one)]
    note(t("check.web.may_stop"))
    with st.container(horizontal=True):
        if st.button(
            t("check.web.send", n=len(ticked)) if ticked else t("check.web.send_none"),
            key="web_send",
            type="primary",
            icon=":material/outbound:",
            disabled=not ticked,
        ):
            _start(ticked)
            _show(False)
            st.rerun()
        st.button(
            t("check.recent.cancel"), key="web_keep", type="tertiary", on_click=_show, args=(False,)
        )


def _sentence(number: int, one: Sentence) -> bool:
    """Draw one sentence with its tick; its words are text, not Markdown."""
    if session.hide_names():
        name = t("frame.text_number", number=f"{one.row + 1:02d}")
    else:
        name = one_line(one.name)
    with st.container(horizontal=True, vertical_alignment="top", key=f"web-row-{number}"):
        ticked = st.checkbox(t("check.web.number", n=number), value=True, key=_TICK.format(number))
        with st.container(width="stretch"):
            write_html(
                f'<p class="lt-text{"" if ticked else " lt-struck"}">{esc(one.words)} '
                f'<span class="dim">{esc(name)}</span></p>'
            )
    return bool(ticked)


# --------------------------------------------------------------------------- sent, read


def _start(sentences: Sequence[Sentence]) -> None:
    """Send sentences in the background, and keep what comes back in the library."""
    address, place, held = service(), folder(), library_to_fill()
    today = datetime.now().astimezone()
    collection = t("check.web.collection", date=f"{today:%Y-%m-%d}")
    del tab.web_found

    def work(progress: jobs.Progress) -> Searched:
        searched = search_web(sentences, service=address, folder=place, progress=progress)
        if searched.pages:
            import_documents(
                held,
                collection,
                searched.pages,
                progress=lambda *_: progress("web_pages", len(searched.pages), len(searched.pages)),
            )
        return searched

    jobs.start(JOB, work, stages=_STAGES, facts={"collection": collection})


@st.fragment(run_every=0.5)
def _watch() -> None:
    """Say how far it is, and offer to stop: what was not sent by then stays here."""
    job = jobs.find_latest(JOB)
    if job is None or job.state != "running":
        st.rerun()
    note(stage_text(job))
    if st.button(t("check.stop"), key="web_stop", icon=":material/stop:", on_click=job.stop):
        st.rerun()


def _show_end(take: Callable[[tuple[Document, ...]], None]) -> None:
    """Say what came of the search."""
    job = jobs.find_latest(JOB)
    if job is not None and job.error is not None:
        caution(t("check.web.failed"), error_text(job.error))
        return
    if job is not None and job.state == "stopped":
        note(t("check.web.stopped"))
        return
    if job is not None and job.state == "done" and tab.web_found is None:
        tab.web_found = job.value
        meta = {COLLECTION_KEY: t("check.web.collection_short")}
        pages = job.value.pages
        take(tuple(replace(page, meta={**page.meta, **meta}) for page in pages))
    searched = tab.web_found
    if searched is None:
        return
    for failure in searched.failures:
        caution(t("check.web.no_answer"), note_text(failure.code, failure.params))
    if searched.unsent:
        note(t("check.web.unsent", n=searched.unsent))
    collection = job.facts.get("collection", "") if job is not None else ""
    key = "check.web.read" if searched.pages else "check.web.read_none"
    note(t(key, n=len(searched.pages), sent=len(searched.asked), collection=collection))
    _pages(searched)
    if not searched.pages:
        note(t("check.web.means"))


def _pages(searched: Searched) -> None:
    """List the pages behind a fold, those that were not read with their reason."""
    lines = []
    for page in searched.pages:
        moment = page_moment(page)
        when = short_date(moment) if moment else ""
        title = page.meta.get("title", "") or page.name
        lines.append(f"<li><b>{esc(title)}</b> {esc(page.meta['url'])} · {esc(when)}</li>")
    lines += [
        f"<li>{esc(row.name)} · {esc(note_text(row.code, row.params))}</li>"
        for row in searched.skipped
    ]
    if not lines:
        return
    figure_head(t("check.web.pages"), level=3)
    summary = esc(t("check.web.pages_summary", n=len(searched.pages), m=len(searched.skipped)))
    write_html(
        f'<details class="lt-fold"><summary>{summary}</summary><ul>{"".join(lines)}</ul></details>'
    )


# --------------------------------------------------------------------------- address and log
def folder() -> Path:
    """Return where the address and the log of this reader lie."""
    return web_folder(open_checks.owner())


def service() -> str:
    """Return the address of the search service, "" where none was entered."""
    return service_of(folder())


def draw_log() -> None:
    """Draw the list of what left behind a fold; nothing where nothing ever did."""
    log = SentLog(folder())
    n = len(log.entries())
    if n:
        fold = st.expander(t("check.web.log", n=n), key="web_log", on_change="rerun")
        if fold.open:
            with fold:
                _list_sent(log)


def _list_sent(log: SentLog) -> None:
    """List what left, newest first, and offer to delete the list."""
    entries = log.entries()
    paragraph(t("check.web.log_text", n=len(entries)))
    heads = [(t(f"check.web.log.{column}"), "") for column in ("at", "kind", "to", "what")]
    rows = [
        [_when(one.at), t(f"cli.web_kind.{one.kind}"), one.to, one.what]
        for one in entries[: -_MOST_LISTED - 1 : -1]
    ]
    draw_table("web_log_table", t("check.web.log", n=len(entries)), heads, rows)
    if st.button(t("check.web.log_delete"), key="web_log_delete", icon=":material/delete:"):
        log.delete()
        st.rerun()


def _when(at: str) -> str:
    """Return a moment of the log in local time."""
    try:
        return short_date(datetime.fromisoformat(at).astimezone())
    except ValueError:
        return at
