"""Document: one text against all others: its numbers, its sources, and the text marked by them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from simhash_core import CheckResult, Document
from simhash_core.cases import few_holders, toned_ranges, tones_of
from simhash_core.i18n import in_chinese
from simhash_core.model import Difference, PagePicture
from simhash_core.notation import UNKNOWN
from simhash_core.numbers import divide_text, longest_run, replace_parts
from simhash_core.request import compare_other_reading
from simhash_core.result import TONES
from simhash_core.seen import (
    READ_BY_EYE,
    PastText,
    ReadLine,
    confidence,
    differences,
    read_lines,
    source_shares,
)
from simhash_core.text.lengths import unit_of

from ..check import uploads
from ..components.lists import Run, draw_table
from ..components.texts import Marked, PageRow, Source, page_view, shown_page, source_view
from ..shared import exclusions, jobs, open_checks, session
from ..shared.decided import sentence
from ..shared.formatting import (
    error_text,
    esc,
    length,
    notation,
    note_text,
    number,
    percent,
    short_date,
    text_language,
)
from ..shared.navigation import find_row, name_row
from ..shared.pairs import rank_texts, weak_list
from ..shared.reports import report_popover
from ..shared.running import watch_job
from ..shared.session import find_naming, t
from ..shared.widgets import (
    Figure,
    caution,
    figure_head,
    note,
    number_strip,
    open_compare,
    open_page,
    page_head,
    paragraph,
    tag,
    whole_bar,
    write_html,
)
from .way import draw_way


def show(result: CheckResult) -> None:
    """Draw the text that the link names."""
    row, link_is_valid = find_text(result)
    name, document = session.doc_name(row), result.documents[row]
    _draw_way_of(result, row)
    counted = divide_text(result, row)
    facts = [session.doc_line(row), notation().counted(counted)]
    with page_head(name, note=" · ".join(filter(None, facts)), announced=True):
        st.session_state[_ROW] = row
        names = session.doc_names(range(len(result.documents)))
        st.selectbox(
            t("document.choose"),
            range(len(names)),
            format_func=names.__getitem__,
            key=_ROW,
            label_visibility="collapsed",
            on_change=_follow_choice,
        )
        report_popover(("person", "sources"), (row,))
    if not link_is_valid:
        note(t("document.unknown"))
    view = _view(document)
    if is_checked_again():
        return
    if view == "seen":
        different = differences(document)
        caution(t("document.seen.caution", n=len(different)), t("document.seen.ask"))
        _which_is_compared(document, different)
        _draw(
            "page_seen", document, [_difference(document, one) for one in different], _words("seen")
        )
    elif view == "read":
        draw_read(document)
    else:
        _text(result, row)


def _text(result: CheckResult, row: int) -> None:
    """Draw the text marked by its sources, and behind a fold its numbers."""
    current, others = session.check(), len(result.documents) - 1
    assert current is not None
    name, document = session.doc_name(row), result.documents[row]
    listed = session.memo(
        ("sources", row, session.language(), session.hide_names()), lambda: sources(result, row)
    )
    if answer := _say_tones(result, row, listed):
        write_html(f'<p class="lt-headline">{esc(answer)}</p>')
    _before(row)
    sentences: set[str] = set()
    for finding in document.notes:
        hidden = {"name": "…"} if session.hide_names() and "name" in finding.params else {}
        sentence = note_text(finding.code, {**finding.params, **hidden})
        if finding.code == "excluded":  # shown where it stands
            continue
        if sentence not in sentences:  # one that has several places is said once
            caution(t("document.note"), sentence)
        sentences.add(sentence)
        words = str(finding.params.get("words", ""))
        if words:
            with st.expander(t("document.left_out")):
                paragraph(words)
    if not listed:
        note(t("document.nothing", n=others))
    wanted = source_view(
        document,
        listed[:_LISTED],
        held=toned_ranges(exclusions.find_original(current), row),
        key="sources",
        name=name,
        total=t("document.view.total", sum=notation().fraction(divide_text(result, row))),
    )
    weak_list(result, row)
    with st.expander(
        f"**{t('results.complete.title')}**", key="measured", on_change="rerun"
    ) as fold:
        if fold.open:
            number_strip(_figures(result, row, listed))
            whole_bar(divide_text(result, row))
    _term(document)
    if wanted is not None:
        open_compare(row, wanted)


def _view(document: Document) -> str:
    """Return how the text is looked at; the link names it in no language."""
    names = views(document)
    asked = st.query_params.get("show", "")
    shown = asked if asked in names else names[0]
    if len(names) == 1:
        return shown
    st.session_state[_SHOW] = shown
    st.segmented_control(
        t("document.shown.label"),
        names,
        format_func={one: t(f"document.shown.{one}") for one in names}.__getitem__,
        key=_SHOW,
        label_visibility="collapsed",
        required=True,
        on_change=_follow_view,
    )
    return shown


def _follow_view() -> None:
    shown = session.get(_SHOW)
    if shown == VIEWS[0]:
        st.query_params.pop("show", None)
    else:
        st.query_params["show"] = shown


def _term(document: Document) -> None:
    """Draw what other texts of the same person gave in the checks of the class, once asked for."""
    if not document.meta.get("person") or session.hide_names() or not open_checks.in_class():
        return
    figure_head(t("document.term.title"), t("document.term.note"))
    asked: dict[str, list[PastText]] = session.memo(("term", document.id), dict)
    if not asked and not st.button(t("document.term.show"), key="term", icon=":material/timeline:"):
        return
    if not asked:
        asked["rows"] = open_checks.term(document)
    _table(asked["rows"])
    group = open_checks.group()
    with st.popover(t("document.forget.open"), icon=":material/person_remove:", type="tertiary"):
        paragraph(t("document.forget.text", name=document.meta["person"], group=group))
        if st.button(t("document.forget.do"), key="forget", icon=":material/delete:"):
            open_checks.forget_author(document)
            open_page("check")


def _table(rows: Sequence[PastText]) -> None:
    write, columns = notation(), ("date", "check", "total", "confirmed")
    lines = [
        [
            short_date(one.moment.astimezone()),
            _link(one),
            write.total(one.division) if one.division else "—",
            number(one.confirmed),
        ]
        for one in rows
    ]
    heads = [(t(f"document.term.{name}"), "") for name in columns]
    draw_table("term_table", t("document.term.title"), heads, lines)


def _link(one: PastText) -> Run:
    name = session.name_of(one.summary)
    if one.division is None:
        return t("document.term.unread", name=name)
    address = f"results?check={one.summary.id}&text={one.row}"
    return {"as": "link", "text": name, "href": address}


def _before(row: int) -> None:
    """Say the total before anything was left out, and now, each with its denominator."""
    seen = exclusions.view()
    if seen is not None:
        write, before, now = (
            notation(),
            divide_text(seen.before, row),
            divide_text(seen.result, row),
        )
        note(
            t(
                "exclusions.of_text",
                before=write.total(before),
                before_of=write.fraction(before),
                after=write.total(now),
                after_of=write.fraction(now),
            )
        )


# --------------------------------------------------------------------------- what it shares


_LISTED = 60  # sources shown; the total overlap counts them all
_ROW, _SHOW = "document_row", "document_show"  # keys of widgets


def find_text(result: CheckResult) -> tuple[int, bool]:
    """Return the row that the link names, else the text with the highest total overlap.

    The second value is False where the link names no text of this check.
    """
    asked = st.query_params.get("text", "")
    row = find_row(result.documents, asked) if asked else None
    if row is None:
        return rank_texts(result, find_naming().whole)[0], not asked
    return row, True


def _follow_choice() -> None:
    row = session.get(_ROW)
    if row is not None:
        st.query_params["text"] = str(row)


def sources(result: CheckResult, row: int) -> list[Source]:
    """Return the texts that share parts of one text, those first that alone hold most of it."""
    whole, table = divide_text(result, row), result.table
    listed: list[tuple[list[int], Source]] = []
    for share in source_shares(result, row):
        side = int(table.pairs.right[share.table_row] == row)
        parts: list[int] = table.parts[share.table_row, side].tolist()
        tones = (
            table.tones[share.table_row, side].tolist() if len(table.tones) else [sum(parts), 0, 0]
        )
        facts = [
            t(f"document.source.{tone}", length=length(units, whole.unit))
            for tone, units in zip(TONES, tones, strict=True)
            if units
        ]
        if decided := sentence(row, share.row):
            facts.append(decided)
        source = Source(
            row=share.row,
            name=session.doc_name(share.row),
            division=replace_parts(whole, parts),
            facts=" · ".join(facts),
            spans=spans(result, share.table_row, row),
        )
        listed.append((tones, source))
    return [source for _, source in sorted(listed, key=lambda one: one[0], reverse=True)]


def _say_tones(result: CheckResult, row: int, listed: Sequence[Source]) -> str:
    """Say how much of a text one other holds, a few, and many; "" where nobody shares anything."""
    unit, tones = unit_of(result.documents[row].text), tones_of(result, row)
    pairs, own_rows = result.table.pairs, np.flatnonzero(result.table.own > 0)
    alone = {
        *pairs.left[own_rows[pairs.right[own_rows] == row]].tolist(),
        *pairs.right[own_rows[pairs.left[own_rows] == row]].tolist(),
    }
    own = [source for source in listed if source.row in alone]
    parts = []
    if tones["own"]:
        code = "own_one" if len(own) == 1 else "own"
        names = {"name": own[0].name} if len(own) == 1 else {}
        parts.append(t(f"document.tones.{code}", length=length(tones["own"], unit), **names))
    few = few_holders(len(result.documents))
    parts += [
        t(f"document.tones.{tone}", length=length(tones[tone], unit), n=few)
        for tone in ("few", "many")
        if tones[tone]
    ]
    return ("" if in_chinese(session.language()) else " ").join(parts)


def _draw_way_of(result: CheckResult, row: int) -> None:
    """Draw the way back, and the steps through the pupils in the order of their list."""
    order = rank_texts(result, find_naming().whole)
    at = order.index(row) if row in order else -1
    before, after = (
        {"text": name_row(result.documents, order[to])}
        if at >= 0 and 0 <= to < len(order)
        else None
        for to in (at - 1, at + 1)
    )
    place = t("document.place", at=at + 1, n=len(order)) if at >= 0 else ""
    draw_way(place, before, after)


def spans(result: CheckResult, table_row: int, row: int) -> tuple[tuple[int, int], ...]:
    """Return the ranges of one text that a pair of the table shares."""
    passages: Any = result.passages
    low, high = np.searchsorted(passages.pair, [table_row, table_row + 1]).tolist()
    mine = low + np.flatnonzero(~passages.weak[low:high])
    left = int(result.table.pairs.left[table_row]) == row
    starts, ends = (
        (passages.a_start, passages.a_end) if left else (passages.b_start, passages.b_end)
    )
    return tuple(zip(starts[mine].tolist(), ends[mine].tolist(), strict=True))


def _figures(result: CheckResult, row: int, listed: list[Source]) -> list[Figure]:
    """Return the number strip in the customary terms."""
    division, write = divide_text(result, row), notation()
    longest = longest_run(result, row)
    single = max((source.division for source in listed), key=lambda one: one.total, default=None)
    return [
        Figure(
            t("document.strip.total"),
            write.total(division),
            t("document.strip.total_help", same=write.part(division, "identical")),
        ),
        Figure(t("document.strip.single"), write.total(single) if single else percent(0)),
        Figure(
            t("document.strip.longest"),
            length(longest, division.unit) if longest else UNKNOWN,
            t("document.strip.longest_help"),
        ),
        Figure(t("document.strip.sources"), number(len(listed)), t("document.strip.sources_help")),
        Figure(
            t("document.strip.length"),
            length(division.counted, division.unit),
            t("document.strip.length_help"),
            t("document.strip.of_whole", length=length(division.whole, division.unit)),
        ),
    ]


# --------------------------------------------------------------------------- a text on its pages:

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
    opened = open_checks.find_current()
    if opened is None or opened.is_busy():
        return

    def work(progress: jobs.Progress) -> None:
        chosen = compare_other_reading(opened.project, text, progress=progress)
        uploads.take_reading(opened, text, chosen)
        opened.load()

    jobs.start(_JOB, work, stages=_STAGES)


def is_checked_again() -> bool:
    """Draw how far a text is that is checked again; whether there is one."""
    job = jobs.find_latest(_JOB)
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
        said=_mark_text(one.said + "…" * (len(one.said) >= _CUT), one.marks),
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


def _mark_text(text: str, marks: Sequence[tuple[int, int]]) -> Marked:
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
        seen=_mark_text(shown, marks),
        share=line.percent,
        doubtful=t("document.read.join").join(words),
    )
