"""Document: one text against all its sources."""

from __future__ import annotations

import streamlit as st

from pages._ui.components.texts import source_view
from pages._ui.document import sources
from pages._ui.shared import exclusions, session
from pages._ui.shared.formatting import notation, note_text
from pages._ui.shared.pairs import translated_list
from pages._ui.shared.reports import report_popover
from pages._ui.shared.session import t
from pages._ui.shared.widgets import (
    caution,
    figure_head,
    foot,
    no_result,
    note,
    number_strip,
    open_compare,
    page_head,
    paragraph,
    whole_bar,
)
from simhash_core import CheckResult
from simhash_core.model import Note
from simhash_core.numbers import of_text


def show(result: CheckResult) -> None:
    """Draw the text that the link names."""
    row, link_is_valid = sources.chosen(result)
    others = len(result.documents) - 1
    name, document = session.doc_name(row), result.documents[row]
    with page_head(t("document.title"), name, t("document.lead", n=others)):
        sources.chooser(result, row)
        report_popover(("person",), (row,))
    if not link_is_valid:
        note(t("document.unknown"))
    listed = session.memo(
        ("sources", row, session.language(), session.hide_names()),
        lambda: sources.sources(result, row),
    )
    number_strip(sources.figures(result, row, listed))
    whole_bar(of_text(result, row))
    _before(row)
    for finding in document.notes:
        if finding.code == "excluded":  # shown where it stands
            continue
        caution(t("document.note"), note_text(finding.code, sources.shown_params(finding.params)))
        _words(finding)
    figure_head(t("document.figure.title"), t("document.figure.note") if listed else "")
    if not listed:
        note(t("document.nothing", n=others))
    wanted = source_view(
        document.text,
        listed[: sources.LISTED],
        left_out=exclusions.left_out_of(document),
        key="sources",
        document=document.id,
        name=name,
    )
    translated_list(result, row)
    if wanted is not None:
        open_compare(row, wanted)


def _words(finding: Note) -> None:
    """Show the text that was left out, where a note holds it."""
    words = str(finding.params.get("words", ""))
    if words:
        with st.expander(t("document.left_out")):
            paragraph(words)


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
    if result is None:
        no_result(t("document.title"))
    else:
        show(result)
        foot()
