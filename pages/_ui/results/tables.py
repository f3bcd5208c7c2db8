"""The lists of a check: its cases or its pupils, with search, order, pages and hidden names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from simhash_core import CheckResult, ThresholdView
from simhash_core.cases import ends_of
from simhash_core.i18n import in_chinese
from simhash_core.notation import UNKNOWN
from simhash_core.numbers import CLASSES, divide_rows, divide_text, few_rows
from simhash_core.report import few_note, say_not_found
from simhash_core.report.names import Naming
from simhash_core.result import mark_folded

from ..components.lists import TextRow, pair_table, text_table
from ..shared import session
from ..shared.decided import Decided, read_decisions, states_of
from ..shared.formatting import cluster_name, length, notation, number
from ..shared.navigation import is_page
from ..shared.pairs import (
    PAIR_ORDERS,
    TEXT_ORDERS,
    Rows,
    TextRows,
    alike_places,
    list_pairs,
    mark_overlapping,
    pair_row,
    pair_words,
    rank_texts,
    tick,
    weak_pairs,
)
from ..shared.session import find_naming, t
from ..shared.widgets import figure_head, note, open_compare, open_document, open_page, paragraph
from .measured import FEW
from .tab import VIEWS, tab

PAGE = 25
_VIEW = "results_view"  # key of the widget
_ORDERS = {"cases": PAIR_ORDERS, "pupils": TEXT_ORDERS}


def shown_view() -> str:
    """Return which list of a check is shown; the link names it in no language."""
    asked = st.query_params.get("view", "")
    tab.shown_view = asked if asked in VIEWS else tab.shown_view
    return tab.shown_view


def _follow_view() -> None:
    tab.shown_view = st.query_params["view"] = str(session.get(_VIEW))
    session.put(session.PAIR_PAGE_KEY, None)


def draw_toolbar(counts: Mapping[str, int], shown: str) -> tuple[str, str]:
    """Draw the views with their `counts`, and the tools of a list; return the query and the order.

    The groups have no tools.
    """
    with st.container(key="noprint-tools", horizontal=True, vertical_alignment="center"):
        st.session_state[_VIEW] = shown
        st.segmented_control(
            t("results.by.label"),
            VIEWS,
            format_func={
                name: f"{t(f'results.by.{name}')} {number(counts[name])}" for name in VIEWS
            }.__getitem__,
            key=_VIEW,
            label_visibility="collapsed",
            required=True,
            on_change=_follow_view,
        )
        if shown not in _ORDERS:
            return "", ""
        query = st.text_input(
            t("results.search"),
            key=session.PAIR_QUERY_KEY,
            placeholder=t("results.search"),
            icon=":material/search:",
            label_visibility="collapsed",
            width=250,
        )
        names = _ORDERS[shown]
        order = st.segmented_control(
            t("results.order.label"),
            names,
            default=names[0],
            format_func={name: t(f"results.order.{name}") for name in names}.__getitem__,
            key=f"order_{shown}",
            label_visibility="collapsed",
            required=True,
            persist_state="session",
        )
        st.toggle(t("results.hide_names"), key=session.HIDE_NAMES_KEY, persist_state="session")
    return query or "", str(order)


def draw_cases(result: CheckResult, view: ThresholdView, query: str, order: str) -> None:
    """Draw the pairs that match the query, in order."""
    few = len(result.documents) < FEW
    with st.container(key="ranked", gap="small"):
        figure_head(t("results.pairs"), t("results.pairs_all" if few else "results.pairs_note"))
        names = find_naming().whole
        rows = list_pairs(result, view, names=names, query=query, order=order, everything=few)
        session.set_pair_order(ends_of(result, rows))
        _pairs(result, view, rows, query)


def draw_pupils(
    result: CheckResult, view: ThresholdView, texts: TextRows, query: str, order: str
) -> None:
    """Draw the texts that match the query, in order."""
    with st.container(key="ranked", gap="small"):
        figure_head(t("results.texts"), t("results.texts_note"))
        session.set_pair_order(ends_of(result, list_pairs(result, view, names=find_naming().whole)))
        _texts(result, view, texts, query, order)


def _texts(
    result: CheckResult, view: ThresholdView, texts: TextRows, query: str, order: str
) -> None:
    names = find_naming()
    everything = tab.all_texts or len(result.documents) < FEW
    ranked = rank_texts(texts, names=names.whole, query=query, order=order, everything=everything)
    if not len(ranked.row):
        _nothing(result, query)
        return
    part = _slice(len(ranked.row))
    shown = range(len(ranked.row))[part]
    decided = read_decisions()
    rest = 0 if query.strip() else len(texts.row) - int(mark_overlapping(texts).sum())
    columns = ("text", "total", "identical", "longest", "partner", "cluster")
    words = {name: t(f"results.column.{name}") for name in columns}
    words |= {f"key_{name}": t(f"frame.class.{name}") for name in CLASSES}
    words |= {"caption": t("results.texts"), "read": t("results.read")}
    if rest and everything:
        words |= {"rest": "", "list": t("results.hide_rest")}
    elif rest:
        words |= {"rest": t("results.rest", n=rest), "list": t("results.show_rest")}
    chosen = text_table(
        "texts_table",
        rows=[_text_row(result, view, ranked, at, names, decided) for at in shown],
        words=words,
    )
    few = int(few_rows(result)[ranked.row].sum())
    _under(len(ranked.row), len(shown), names.prefix, few_note(few, t, notation()))
    if chosen is not None and chosen.row < 0:
        tab.all_texts = not everything
        st.rerun()
    if chosen is not None and chosen.row < len(shown):
        open_document(int(ranked.row[shown[chosen.row]]))


def _text_row(
    result: CheckResult,
    view: ThresholdView,
    texts: TextRows,
    at: int,
    names: Naming,
    decided: Decided,
) -> TextRow:
    row, partner = int(texts.row[at]), int(texts.partner[at])
    division, write = divide_text(result, row), notation()
    aligned, longest = result.settings.passages, int(texts.longest[at])
    return TextRow(
        place=number(at + 1),
        name=names.stems[row],
        whole=names.whole[row],
        parts=tuple((name, getattr(division, name)) for name in CLASSES),
        counted=write.counted(division),
        bar=write.bar(division),
        total=write.total(division) if aligned else UNKNOWN,
        same=write.part(division, "identical") if aligned and division.shared else UNKNOWN,
        longest=length(longest, division.unit) if longest else UNKNOWN,
        partner=names.stems[partner] if partner >= 0 else "",
        partner_whole=names.whole[partner] if partner >= 0 else "",
        share=" · ".join(_shared_with(result, row, partner)) if texts.share[at] > 0 else "",
        cluster=cluster_name(int(view.cluster_of[row])),
        states=tuple((state, t(f"review.mark.{state}")) for state in states_of(row, decided)),
        tag=session.doc_ocr(row),
    )


def _shared_with(result: CheckResult, row: int, partner: int) -> list[str]:
    """Return how much of a text its partner shares, and what both only say in other words."""
    lines = [notation().total(divide_rows(result, row, partner)[0])]
    places = alike_places(result).get((min(row, partner), max(row, partner)), 0)
    return [*lines, t("results.alike", n=places)] if places else lines


def _pairs(result: CheckResult, view: ThresholdView, rows: Rows, query: str) -> None:
    if not len(rows):
        _nothing(result, query)
        return
    names, pairs = find_naming(), result.table.pairs
    lines = [] if query.strip() or tab.all_pairs else _folded(result, view, rows)
    rows = rows[~mark_folded(result, view)[rows]] if lines else rows
    shown = rows[_slice(len(rows))]
    decided = read_decisions()
    chosen = pair_table(
        "pairs_table",
        rows=[pair_row(result, view, int(row), names, decided=decided) for row in shown],
        words=pair_words(),
        tick=tick(result, view),
    )
    _under(len(rows), len(shown), names.prefix, [t("results.hollow_note")])
    if lines:
        with st.container(key="noprint-stock", horizontal=True, vertical_alignment="center"):
            with st.container(width="stretch"):
                note(" ".join(lines))
            if st.button(t("results.show_stock"), key="show_stock", type="tertiary"):
                tab.all_pairs = True
                st.rerun()
    if chosen is not None and chosen < len(shown):
        open_compare(int(pairs.left[shown[chosen]]), int(pairs.right[shown[chosen]]))


def _folded(result: CheckResult, view: ThresholdView, rows: Rows) -> list[str]:
    """Return what is said of the pairs that are no case: they share what others have too."""
    others = int(mark_folded(result, view)[rows].sum())
    return [t("results.no_case", n=others)] if others else []


def _slice(n: int) -> slice:
    last = max((n - 1) // PAGE, 0)
    page = min(int(session.get(session.PAIR_PAGE_KEY) or 1) - 1, last)
    return slice(page * PAGE, page * PAGE + PAGE)


def _under(n: int, shown: int, prefix: str, tail: Sequence[str] = ()) -> None:
    """Say what the table leaves out, and turn its pages."""
    sentences = [
        *([t("results.shown", n=n, shown=shown)] if shown < n else []),
        *([t("frame.prefix", prefix=prefix)] if prefix else []),
        *tail,
    ]
    if not sentences:
        return
    with st.container(
        key="noprint-pages", horizontal=True, vertical_alignment="center", gap="medium"
    ):
        with st.container(width="stretch"):
            note(("" if in_chinese(session.language()) else " ").join(sentences))
        if n > PAGE:
            st.pagination((n - 1) // PAGE + 1, key=session.PAIR_PAGE_KEY)


def _nothing(result: CheckResult, query: str) -> None:
    """Say that the table is empty, and why."""
    if query.strip():
        paragraph(t("results.not_found", query=query.strip()))
        if st.button(t("results.clear_search"), key="clear_search", on_click=_clear_search):
            st.rerun()
        return
    counted = np.flatnonzero(result.distances.counts)
    nearest = int(counted[0]) if len(counted) else -1
    looked = "none_close" if result.settings.passages else "none_close_prints"
    paragraph(t(f"results.{looked}", bits=nearest) if nearest >= 0 else t("results.none"))
    go = t("results.to_threshold")
    # no threshold changes what is weaker evidence
    helps = is_page("threshold_lab") and not weak_pairs(result)
    if helps and st.button(go, key="to_lab", icon=":material/tune:"):
        open_page("threshold_lab")
    note(say_not_found(result, t))


def _clear_search() -> None:
    session.put(session.PAIR_QUERY_KEY, "")
