"""Document: one text against all others: its numbers, its sources, and the text marked by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st

from simhash_core import CheckResult, Document
from simhash_core.model import Note
from simhash_core.notation import UNKNOWN
from simhash_core.numbers import expected_pairs, longest_run, of_text, with_parts
from simhash_core.report.collation.reading import unsure
from simhash_core.seen import PastText, source_shares
from simhash_core.text.lengths import unit_of

from ..components.texts import Source, source_view
from ..shared import exclusions, open_checks, session
from ..shared.decided import sentence
from ..shared.formatting import esc, length, notation, note_text, number, percent, short_date
from ..shared.navigation import find_row
from ..shared.pairs import most_overlapping, weak_list
from ..shared.reports import report_popover
from ..shared.session import t
from ..shared.widgets import (
    Figure,
    caution,
    figure_head,
    foot,
    no_result,
    note,
    number_strip,
    open_compare,
    open_page,
    page_head,
    paragraph,
    whole_bar,
    write_html,
)
from . import on_page


def show(result: CheckResult) -> None:
    """Draw the text that the link names."""
    row, link_is_valid = chosen(result)
    others = len(result.documents) - 1
    name, document = session.doc_name(row), result.documents[row]
    with page_head(t("document.title"), name, t("document.lead", n=others)):
        _chooser(result, row)
        report_popover(("person", "sources"), (row,))
    if not link_is_valid:
        note(t("document.unknown"))
    view = _view(document)
    if on_page.is_checked_again():
        return
    if view == "seen":
        on_page.draw_seen(document)
    elif view == "read":
        on_page.draw_read(document)
    else:
        _text(result, row)


def _text(result: CheckResult, row: int) -> None:
    """Draw the numbers of a text, its sources, and the text marked by them."""
    others = len(result.documents) - 1
    name, document = session.doc_name(row), result.documents[row]
    listed = session.memo(
        ("sources", row, session.language(), session.hide_names()),
        lambda: sources(result, row),
    )
    number_strip(_figures(result, row, listed))
    whole_bar(of_text(result, row))
    _before(row)
    sentences: set[str] = set()
    for finding in document.notes:
        sentence = note_text(finding.code, _shown_params(finding.params))
        if finding.code == "excluded":  # shown where it stands
            continue
        if sentence not in sentences:  # one that has several places is said once
            caution(t("document.note"), sentence)
        sentences.add(sentence)
        _words(finding)
    figure_head(t("document.figure.title"), t("document.figure.note") if listed else "")
    if not listed:
        note(t("document.nothing", n=others))
    wanted = source_view(
        document.text,
        listed[:_LISTED],
        left_out=exclusions.left_out_of(document),
        unsure=unsure(document.notes),
        key="sources",
        document=document.id,
        name=name,
    )
    weak_list(result, row)
    _term(document)
    if wanted is not None:
        open_compare(row, wanted)


def _view(document: Document) -> str:
    """Return how the text is looked at; the link names it in no language."""
    names = on_page.views(document)
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
    if shown == on_page.VIEWS[0]:
        st.query_params.pop("show", None)
    else:
        st.query_params["show"] = shown


def _words(finding: Note) -> None:
    """Show the text that was left out, where a note holds it."""
    words = str(finding.params.get("words", ""))
    if words:
        with st.expander(t("document.left_out")):
            paragraph(words)


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
    _forget(document)


def _forget(document: Document) -> None:
    """Offer to delete the author of a text from the checks of the class."""
    group = open_checks.group()
    with st.popover(t("document.forget.open"), icon=":material/person_remove:", type="tertiary"):
        paragraph(t("document.forget.text", name=document.meta["person"], group=group))
        if st.button(t("document.forget.do"), key="forget", icon=":material/delete:"):
            open_checks.forget_author(document)
            open_page("check")


def _table(rows: Sequence[PastText]) -> None:
    write, heads = notation(), ("date", "check", "total", "confirmed")
    head = "".join(f"<th>{esc(t(f'document.term.{name}'))}</th>" for name in heads)
    lines = "".join(
        f"<tr><td>{esc(short_date(one.moment.astimezone()))}</td>"
        f"<td>{_link(one)}</td>"
        f"<td class='num'>{esc(write.total(one.division)) if one.division else '—'}</td>"
        f"<td class='num'>{number(one.confirmed)}</td></tr>"
        for one in rows
    )
    write_html(
        f'<div class="lt-scroll"><table class="lt-table"><thead><tr>{head}</tr></thead>'
        f"<tbody>{lines}</tbody></table></div>"
    )


def _link(one: PastText) -> str:
    name = one.summary.name or session.automatic_name_of(one.summary)
    if one.division is None:
        return esc(t("document.term.unread", name=name))
    address = f"document?check={one.summary.id}&d={one.row}"
    return f'<a href="{esc(address)}" target="_self">{esc(name)}</a>'


def _before(row: int) -> None:
    """Say the total before anything was left out, and now, each with its denominator."""
    seen = exclusions.view()
    if seen is not None:
        write, before, now = notation(), of_text(seen.before, row), of_text(seen.result, row)
        note(
            t(
                "exclusions.of_text",
                before=write.total(before),
                before_of=write.fraction(before),
                after=write.total(now),
                after_of=write.fraction(now),
            )
        )


def draw() -> None:
    """Draw the page, or the way to a first check."""
    result = session.result()
    if result is None or not result.documents:
        no_result(t("document.title"))
    else:
        show(result)
        foot()


# --------------------------------------------------------------------------- what it shares


_LISTED = 60  # sources shown; the total overlap counts them all
_ROW, _SHOW = "document_row", "document_show"  # keys of widgets


def chosen(result: CheckResult) -> tuple[int, bool]:
    """Return the row that the link names, else the text with the highest total overlap.

    The second value is False where the link names no text of this check.
    """
    asked = st.query_params.get("d", "")
    row = find_row(result.documents, asked) if asked else None
    if row is None:
        view = session.view()
        assert view is not None
        return most_overlapping(result, view), not asked
    return row, True


def _chooser(result: CheckResult, row: int) -> None:
    """Draw the box that changes the text; it follows the link, and the link follows it."""
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


def _follow_choice() -> None:
    row = session.get(_ROW)
    if row is not None:
        st.query_params["d"] = str(row)


def sources(result: CheckResult, row: int) -> list[Source]:
    """Return the texts that share parts of one text, largest share first."""
    unit = unit_of(result.documents[row].text)
    whole = of_text(result, row)
    listed = []
    for share in source_shares(result, row):
        longest = length(share.longest, unit)
        facts = t("document.source.facts", n=share.passages, longest=longest)
        if share.distance <= result.fingerprints.bits:
            facts += " · " + t("document.source.distance", d=share.distance)
        expected = expected_pairs(result, share.table_row)
        if expected is not None:
            facts += " · " + _chance(expected)
        decided = sentence(row, share.row)
        if decided:
            facts += " · " + decided
        listed.append(
            Source(
                row=share.row,
                name=session.doc_name(share.row),
                division=with_parts(whole, parts_of(result, share.table_row, row)),
                facts=facts,
                spans=spans(result, share.table_row, row),
            )
        )
    return listed


def parts_of(result: CheckResult, table_row: int, row: int) -> list[int]:
    """Return how many units of one text a pair of the table shares, by classes."""
    side = int(result.table.pairs.right[table_row] == row)
    parts: list[int] = result.table.parts[table_row, side].tolist()
    return parts


def _chance(expected: float) -> str:
    """Say how many pairs chance would give, up to 1; above, such pairs are common."""
    if expected > 1:
        return t("document.source.common")
    return t("document.source.chance", pairs=notation().expected_pairs(expected))


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


def _shown_params(params: Mapping[str, object]) -> dict[str, object]:
    """Return the parameters of a note; without names of other files while names are hidden."""
    hidden = {"name": "…"} if session.hide_names() and "name" in params else {}
    return {**params, **hidden}


def _figures(result: CheckResult, row: int, listed: list[Source]) -> list[Figure]:
    """Return the number strip in the customary terms."""
    division, write = of_text(result, row), notation()
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
