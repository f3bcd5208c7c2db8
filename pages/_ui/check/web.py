"""Pages of the web as what texts are compared with: sentences seen, ticked, sent; pages read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import streamlit as st

from simhash_core import Document
from simhash_core.app import department
from simhash_core.errors import LeitongError
from simhash_core.library import import_documents
from simhash_core.model import CorpusStats
from simhash_core.report import one_line, page_moment
from simhash_core.storage.library import COLLECTION_KEY, Library
from simhash_core.web import (
    MOST_SENTENCES,
    Searched,
    Sentence,
    expected_seconds,
    rarest_sentences,
    search_web,
    web_installed,
)

from ..shared import jobs, open_checks, session
from ..shared.formatting import error_text, esc, note_text, seconds, short_date
from ..shared.libraries import library, library_to_fill
from ..shared.running import stage_text
from ..shared.session import t
from ..shared.tab import tab
from ..shared.web import folder, log_button, service, settings_dialog
from ..shared.widgets import caution, figure_head, note, write_html
from .settings_form import templates

JOB = "web"
_STAGES = ("web_ask", "web_pages")
_TICK = "web_sentence_{}"


def offered() -> bool:
    """Return whether pages of the web can be compared with at all.

    Not on a server for many: the address of the service may be one of its own network, which who
    signs in from elsewhere must not reach through it.
    """
    return web_installed() and department.current() is None


def form(documents: Sequence[Document]) -> None:
    """Draw the way from the sentences to the pages, as far as it has been gone."""
    if open_checks.keeps_nothing():
        note(t("check.web.keep_nothing"))
        return
    address = service()
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            note(t("check.web.service", address=address) if address else t("check.web.off"))
        label = t("check.web.change" if address else "check.web.enter")
        if st.button(label, key="web_settings", icon=":material/dns:"):
            settings_dialog()
    if _running():
        _watch()
    elif address:
        if st.button(
            t("check.web.look"),
            key="web_look",
            icon=":material/visibility:",
            width="stretch",
            disabled=not documents,
        ):
            _sentences_dialog(documents)
        _ended()
    log_button()


def found() -> tuple[Document, ...]:
    """Return the pages that were read for the next check."""
    searched = tab.web_found
    if searched is None:
        return ()
    name = t("check.web.collection_short")
    return tuple(replace(page, meta={**page.meta, COLLECTION_KEY: name}) for page in searched.pages)


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
            documents,
            most=MOST_SENTENCES,
            statistics=_counts(),
            templates=sheets,
            private=private,
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


def _sentences_dialog(documents: Sequence[Document]) -> None:
    """Show every sentence as it would be sent; each can be struck out."""

    @st.dialog(t("check.web.look"), width="large")
    def ask() -> None:
        proposed = _proposed(documents)
        if not proposed:
            note(t("error.web_none"))
            return
        caution(t("check.web.only_these_lead"), t("check.web.only_these", address=service()))
        ticked = [one for number, one in enumerate(proposed, start=1) if _sentence(number, one)]
        takes = seconds(expected_seconds(len(ticked)))
        note(t("check.web.takes", time=takes))
        if st.button(
            t("check.web.send", n=len(ticked)) if ticked else t("check.web.send_none"),
            key="web_send",
            type="primary",
            icon=":material/outbound:",
            disabled=not ticked,
        ):
            _start(ticked)
            st.rerun()

    ask()


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
        _keep(held, collection, searched, progress)
        return searched

    jobs.start(JOB, work, stages=_STAGES, facts={"collection": collection})


def _keep(held: Library, collection: str, searched: Searched, progress: jobs.Progress) -> None:
    if searched.pages:
        import_documents(
            held,
            collection,
            searched.pages,
            progress=lambda *_: progress("web_pages", len(searched.pages), len(searched.pages)),
        )


def _running() -> bool:
    job = jobs.current(JOB)
    return job is not None and job.state == "running"


@st.fragment(run_every=0.5)
def _watch() -> None:
    """Say how far it is, and offer to stop: what was not sent by then stays here."""
    job = jobs.current(JOB)
    if job is None or job.state != "running":
        st.rerun()
    note(stage_text(job))
    if st.button(t("check.stop"), key="web_stop", icon=":material/stop:", on_click=job.stop):
        st.rerun()


def _ended() -> None:
    """Say what came of the search."""
    job = jobs.current(JOB)
    if job is not None and job.error is not None:
        caution(t("check.web.failed"), error_text(job.error))
        return
    if job is not None and job.state == "stopped":
        note(t("check.web.stopped"))
        return
    if job is not None and job.state == "done" and tab.web_found is None:
        tab.web_found = job.value
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
