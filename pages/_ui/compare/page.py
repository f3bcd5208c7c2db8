"""Compare: two texts beside each other, what they share, and why their fingerprints agree."""

from __future__ import annotations

import streamlit as st

from pages._ui.compare import pair, translations
from pages._ui.compare.leaving_out import leave_out
from pages._ui.components.pictures import bit_board
from pages._ui.components.texts import prepare, reader
from pages._ui.shared import charts, decided, exclusions, session
from pages._ui.shared.formatting import notation
from pages._ui.shared.reports import report_popover
from pages._ui.shared.session import t
from pages._ui.shared.widgets import (
    caution,
    figure_head,
    foot,
    no_result,
    note,
    number_strip,
    open_page,
    page_head,
    paragraph,
    whole_bar,
)
from simhash_core import CheckResult, Comparison


def show(result: CheckResult, a: int, b: int) -> None:
    """Draw one pair."""
    names = session.doc_name(a), session.doc_name(b)
    actions = page_head(
        t("compare.title"), t("compare.lead", a=names[0], b=names[1]), pair.place(a, b)
    )
    with actions:
        pair.actions(a, b)
        report_popover(("pair",), (min(a, b), max(a, b)))
    _decided(a, b)
    compared = pair.compared(result, a, b)
    number_strip(pair.figures(compared, result))
    for side, division in zip("ab", compared.division, strict=True):
        whole_bar(division, t(f"compare.side.{side}"))
    before = exclusions.before(a, b)
    if before is not None:
        shares = {side: notation().total(one) for side, one in zip("ab", before, strict=True)}
        note(t("exclusions.of_pair", **shares))
    if said := pair.likelihood_sentence(result, (a, b)):
        note(said)
    for sentence in pair.cautions(compared):
        caution(t("compare.short.lead"), sentence)
    may_translate = bool(translations.rows_of(result, a, b))
    view = pair.views(compared, translated=may_translate)
    prints_view = view == "prints"
    for sentence in pair.dominant(compared) if prints_view else ():
        caution(t("compare.dominant.lead"), sentence)
    if view == pair.TRANSLATED:
        translations.show(result, a, b, names)
    elif prints_view:
        prints(compared, names)
    else:
        texts(compared, names, (a, b))
        leave_out(compared, (a, b))


def _decided(a: int, b: int) -> None:
    """Say what was decided about the pair, and lead to where it is decided."""
    decision = decided.sentence(a, b)
    with st.container(key="noprint-decided", horizontal=True, vertical_alignment="center"):
        with st.container(width="content"):
            note(decision or t("review.mark.undecided"), lead=t("compare.decided"))
        if st.button(t("compare.decide"), key="decide", type="tertiary"):
            open_page("review", {"a": str(a), "b": str(b)})


def texts(compared: Comparison, names: tuple[str, str], rows: tuple[int, int]) -> None:
    """The reading view."""
    nothing = pair.nothing_sentence(compared)
    sheet = session.memo(
        ("sheet", *rows, *names, session.language(), nothing),
        lambda: prepare(compared, names, titles=not session.hide_names(), nothing=nothing),
    )
    reader(sheet, key="reader", **pair.how_read())


def prints(compared: Comparison, names: tuple[str, str]) -> None:
    """The fingerprint view: bits, blocks, votes of the chosen bit."""
    figure_head(t("compare.bits.title"), t("compare.bits.note"))
    if compared.explain_a is None or compared.explain_b is None:
        paragraph(t("compare.bits.none"))
        return
    key = f"bits-{compared.a.id[:12]}-{compared.b.id[:12]}"
    bit = bit_board(pair.bits(compared, names), key=key)
    note(pair.evidence_sentence(compared), lead=t("compare.found.label"))
    figure_head(t("compare.votes.title", bit=bit), t("compare.votes.note"))
    sides = st.columns(2, gap="large")
    explained = (compared.explain_a, compared.explain_b)
    for column, explanation, side in zip(sides, explained, "ab", strict=True):
        with column:
            charts.votes(explanation, bit, side=side)


def draw() -> None:
    """Draw the page of the pair that the link names, or let the reader choose one."""
    result = session.result()
    if result is None:
        no_result(t("compare.title"))
        return
    chosen = pair.chosen(result)
    if chosen is None:
        page_head(t("compare.title"))
        pair.chooser(result)
    else:
        show(result, *chosen)
    foot()
