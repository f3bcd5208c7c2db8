"""A text on its pages: where the eye sees something else than the file says, and a scan's lines."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from simhash_core import Document
from simhash_core.model import Difference, PagePicture
from simhash_core.seen import (
    READ_BY_EYE,
    ReadLine,
    compare_other_reading,
    confidence,
    differences,
    read_lines,
)

from ..check import uploads
from ..components.texts import Marked, PageRow, page_view, shown_page
from ..shared import jobs, open_checks, session
from ..shared.formatting import error_text, esc, number, text_language
from ..shared.running import watch_job
from ..shared.session import t
from ..shared.widgets import caution, note, tag, write_html

VIEWS = ("text", "seen", "read")
_READINGS = ("eye", "file")
_JOB, _STAGES = "reading", ("tokens", "align", "clusters")
_READING = "reading_compared"  # key of the widget
_CUT = 240  # characters of a place that notes hold; more is left off
_POOR = 60.0  # per cent of confidence; below, the result is a hint


def views(document: Document) -> tuple[str, ...]:
    """Return how a text can be looked at."""
    others = {"seen": differences(document), "read": read_lines(document)}
    return ("text", *(name for name, there in others.items() if there))


def draw_seen(document: Document) -> None:
    """Draw the pages with what differs, and both readings of it."""
    different = differences(document)
    caution(t("document.seen.caution", n=len(different)), t("document.seen.ask"))
    _which_is_compared(document, different)
    _draw("page_seen", document, [_difference(document, one) for one in different], _words("seen"))


def draw_read(document: Document) -> None:
    """Draw the scan with the lines that were recognised on it."""
    lines, sure = read_lines(document), confidence(document) or 0.0
    unsure = sum(len(line.unsure) for line in lines)
    facts = [f"<b>{esc(t('document.read.sure', percent=f'{sure:.0f}'))}</b>"]
    if unsure:
        facts.append(esc(t("document.read.unsure", n=unsure)))
    facts.append(esc(t("document.read.compared")))
    write_html(f'<p class="lt-note">{tag(t("document.read.tag"), "ink")} {" · ".join(facts)}</p>')
    if sure < _POOR:
        caution(t("document.read.poor"), t("document.read.hint"))
    words = _words("read")
    words["only"] = t("document.read.only", n=sum(bool(line.unsure) for line in lines))
    asked = st.query_params.get("at", "")
    at = int(asked) if asked.isdecimal() else 0
    chosen = next((row for row, line in enumerate(lines) if line.end > at), 0)
    rows = [_line(document, line) for line in lines]
    _draw(f"page_read{at}", document, rows, words, chosen=chosen)


def _draw(
    key: str, document: Document, rows: Sequence[PageRow], words: dict[str, str], *, chosen: int = 0
) -> None:
    key = f"{key}_{document.id[:16]}"
    pages = sorted({row.page for row in rows})
    page = shown_page(key, pages, first=rows[chosen].page)
    words["page_note"] = words["page_note"].replace("{page}", number(page + 1))
    words["alt"] = words["alt"].replace("{page}", number(page + 1))
    picture = next((one for one in _pictures(document) if one.page == page), None)
    page_view(
        key,
        rows=rows,
        picture=picture,
        page=page,
        text=document.id,
        lang=text_language(document.text),
        chosen=chosen,
        words=words,
    )


def _pictures(document: Document) -> tuple[PagePicture, ...]:
    """Return the pages of a text that the project keeps."""
    project = session.project()
    if project is None:
        return ()
    return session.memo(("pictures", document.id), lambda: project.pictures(document.id))


_SHARED = ("turn", "no_picture", "alt")
_OWN = {
    "seen": ("page", "page_note", "rows", "rows_note", "previous", "next", "seen", "said", "blank"),
    "read": ("page", "page_note", "rows", "rows_note", "all", "chosen", "doubtful"),
}
#: names in braces that the component fills
_LEFT = {name: "{" + name + "}" for name in ("page", "n", "percent", "words")}


def _words(view: str) -> dict[str, str]:
    shared = {name: t(f"document.page.{name}", page="{page}") for name in _SHARED}
    return shared | {name: t(f"document.{view}.{name}", **_LEFT) for name in _OWN[view]}


# --------------------------------------------------------------------------- two readings


def _which_is_compared(document: Document, different: Sequence[Difference]) -> None:
    """Draw which reading is compared, as a switch where both are known."""
    compared = sorted({_compared(document, one) for one in different})
    sure = confidence(document)
    read = [] if sure is None else [t("document.seen.read", percent=f"{sure:.0f}")]
    if not _has_other_reading(document):
        parts = [t(f"document.seen.compared.{name}") for name in compared]
        note(" · ".join([*parts, *read]), lead=t("document.seen.compared"))
        return
    chosen = "file" if _is_as_written(document) else "eye"
    session.put(_READING, chosen)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        with st.container(width="content"):
            write_html(f'<p class="lt-note"><b>{esc(t("document.seen.compared"))}</b></p>')
        st.segmented_control(
            t("document.seen.compared"),
            _READINGS,
            format_func={one: t(f"document.seen.reading.{one}") for one in _READINGS}.__getitem__,
            key=_READING,
            label_visibility="collapsed",
            required=True,
            on_change=_compare_other,
            args=(document.id,),
        )
        with st.container(width="stretch"):
            note(" · ".join([*read, t("document.seen.again")]))


def _is_as_written(document: Document) -> bool:
    return any(note.code == "as_written" for note in document.notes)


def _has_other_reading(document: Document) -> bool:
    """Whether the check keeps how the file of a text reads in the other way."""
    project = session.project()
    if project is None:
        return False
    return session.memo(
        ("other_reading", document.id), lambda: project.other_reading(document.id) is not None
    )


def _compare_other(text: str) -> None:
    """Begin to check a text again by its other reading."""
    opened = open_checks.current()
    if opened is None or opened.is_busy():
        return

    def work(progress: jobs.Progress) -> None:
        chosen = compare_other_reading(opened.project, text, progress=progress)
        uploads.take_reading(opened, text, chosen)
        opened.load()

    jobs.start(_JOB, work, stages=_STAGES)


def is_checked_again() -> bool:
    """Draw how far a text is that is checked again; whether there is one."""
    job = jobs.current(_JOB)
    if job is None:
        return False
    if job.state == "running":
        watch_job(_JOB, t("document.seen.checking"), "", t("document.seen.checking_note"))
        return True
    jobs.put_away(_JOB)
    if job.error is not None:
        caution(t("document.seen.not_checked"), error_text(job.error))
    elif job.state == "done":
        st.rerun()  # with the result that is there now
    return False


def _compared(document: Document, one: Difference) -> str:
    """Return which reading is compared: that of the eye, or of the file."""
    by_file = any(note.code in ("hidden_text", "as_written") for note in document.notes)
    if by_file or (one.kind == "under_picture" and not one.seen):
        return "file"
    return "eye"


def _difference(document: Document, one: Difference) -> PageRow:
    woven = bool(one.marks)
    title = t("document.seen.kind.woven" if woven else f"document.seen.kind.{one.kind}")
    remark = t(f"document.seen.{'kind' if woven else 'remark'}.{one.kind}")
    hidden = not one.seen
    return PageRow(
        page=one.page,
        box=one.box,
        label=t("document.seen.box", kind=title, n=one.n),
        seen=[(one.seen, 0)] if one.seen else [],
        said=_marked(one.said + "…" * (len(one.said) >= _CUT), one.marks),
        title=title,
        remark=remark,
        meaning=_meaning(document, one),
        unseen=t("document.seen.unseen", n=one.n) if hidden and one.kind != "under_picture" else "",
    )


def _meaning(document: Document, one: Difference) -> str:
    """Say in a line what a difference means for the result."""
    if _is_as_written(document):
        return t("document.seen.means.written", n=one.n)
    if one.kind in READ_BY_EYE or (one.kind == "under_picture" and one.seen):
        return t("document.seen.means.eye", n=one.n)
    if _compared(document, one) == "file":
        unread = one.kind == "under_picture"
        return t("document.seen.means.unread" if unread else "document.seen.means.file", n=one.n)
    if one.marks:
        return t("document.seen.means.woven", times=number(one.times), n=one.n)
    return t("document.seen.means.left_out", n=one.n)


def _marked(text: str, marks: Sequence[tuple[int, int]]) -> Marked:
    runs: Marked = []
    at = 0
    for start, end in marks:
        runs += [(text[at:start], 0), (text[start:end], 1)]
        at = end
    return [(part, marked) for part, marked in (*runs, (text[at:], 0)) if part]


# --------------------------------------------------------------------------- recognised lines


def _line(document: Document, line: ReadLine) -> PageRow:
    text = document.text
    words = [text[start:end] for start, end in line.unsure]
    marks = [(start - line.start, end - line.start) for start, end in line.unsure]
    shown = " ".join(text[line.start : line.end].split("\n"))
    return PageRow(
        page=line.page,
        box=line.box,
        label=shown,
        seen=_marked(shown, marks),
        share=line.percent,
        doubtful=t("document.read.join").join(words),
    )
