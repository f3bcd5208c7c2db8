"""The table of the Overview: pairs or texts, with search, order, pages and hidden names."""

from __future__ import annotations

import numpy as np
import streamlit as st

from simhash_core import CheckResult, ThresholdView

from ..components.pair_table import PairRow, TextRow, pair_table, text_table
from ..shared import session
from ..shared.formatting import cluster_name, length, percent
from ..shared.session import t
from ..shared.widgets import (
    axis_top,
    figure_head,
    note,
    open_compare,
    open_document,
    open_page,
    paragraph,
)
from .rows import FEW, PAIR_ORDERS, TEXT_ORDERS, listed_pairs, text_rows

PAGE = 20


def table(result: CheckResult, view: ThresholdView) -> None:
    """Pairs or texts, with search, order, pages and hidden names."""
    few = len(result.documents) < FEW
    figure_head(t("overview.pairs"), t("overview.pairs_all" if few else "overview.pairs_note"))
    by, query, order = _toolbar()
    names = [session.doc_name(row) for row in range(len(result.documents))]
    if by == "texts":
        _texts(result, view, names, query, order)
        return
    rows = listed_pairs(result, view, names=names, query=query, order=order)
    pairs = result.table.pairs
    session.set_pair_order(list(zip(pairs.left[rows], pairs.right[rows], strict=True)))
    if not len(rows):
        _nothing(result, query)
        return
    shown = rows[_slice(len(rows))]
    chosen = pair_table(
        "pairs_table",
        rows=[_pair_row(result, view, int(row), names) for row in shown],
        words={
            name: t(f"overview.column.{name}")
            for name in ("pair", "overlap", "longest", "distance", "evidence", "cluster")
        }
        | {"and": t("overview.and"), "caption": t("overview.pairs")},
        tick=min((view.threshold + 0.5) / axis_top(result), 1.0),
    )
    _pages(len(rows), len(shown), t("overview.hollow_note"))
    if chosen is not None and chosen < len(shown):
        open_compare(int(pairs.left[shown[chosen]]), int(pairs.right[shown[chosen]]))


def _toolbar() -> tuple[str, str, str]:
    """Draw the tools over the table; return what they say."""
    with st.container(key="noprint-tools", horizontal=True, vertical_alignment="center"):
        query = st.text_input(
            t("overview.search"),
            key="pair_query",
            placeholder=t("overview.search"),
            icon=":material/search:",
            label_visibility="collapsed",
            width=280,
        )
        kinds = {name: t(f"overview.by.{name}") for name in ("pairs", "texts")}
        by = st.segmented_control(
            t("overview.by.label"),
            list(kinds),
            default="pairs",
            format_func=kinds.__getitem__,
            key="by",
            label_visibility="collapsed",
            required=True,
            bind="query-params",
            persist_state="session",
        )
        names = TEXT_ORDERS if by == "texts" else PAIR_ORDERS
        orders = {name: t(f"overview.order.{name}") for name in names}
        order = st.segmented_control(
            t("overview.order.label"),
            names,
            default=names[0],
            format_func=orders.__getitem__,
            key=f"order_{by}",
            label_visibility="collapsed",
            required=True,
            persist_state="session",
        )
        st.toggle(t("overview.hide_names"), key=session.HIDE_NAMES_KEY, persist_state="session")
    return str(by), query or "", str(order)


def _pair_row(result: CheckResult, view: ThresholdView, row: int, names: list[str]) -> PairRow:
    pairs, found = result.table, view
    a, b = int(pairs.pairs.left[row]), int(pairs.pairs.right[row])
    distance, bits = int(pairs.pairs.distance[row]), result.fingerprints.bits
    share_a, share_b = float(pairs.coverage_a[row]), float(pairs.coverage_b[row])
    inside, passages = bool(found.within[row]), bool(pairs.passages[row])
    known = result.settings.passages
    kinds = {(True, True): "both", (True, False): "print", (False, True): "passages"}
    evidence = kinds.get((inside, passages), "none")
    cluster = int(found.cluster_of[a])
    same = cluster >= 0 and cluster == int(found.cluster_of[b])
    return PairRow(
        first=names[a],
        second=names[b],
        share_first=share_a if known else 0.0,
        share_second=share_b if known else 0.0,
        text_first=percent(share_a) if known else "—",
        text_second=percent(share_b) if known else "—",
        longest=_length(result, a, int(pairs.longest[row])) if passages else "—",
        distance=str(distance) if distance <= bits else "—",
        at=min(distance / axis_top(result), 1.0) if distance <= bits else -1.0,
        inside=inside,
        evidence=t(f"overview.evidence.{evidence}"),
        cluster=cluster_name(cluster) if same else "—",
    )


def _length(result: CheckResult, row: int, characters: int) -> str:
    return length(characters, result.documents[row].language)


def _texts(
    result: CheckResult, view: ThresholdView, names: list[str], query: str, order: str
) -> None:
    found = text_rows(result, view, names=names, query=query, order=order)
    if not len(found.row):
        _nothing(result, query)
        return
    part = _slice(len(found.row))
    rows = [
        TextRow(
            name=names[row],
            total=float(total),
            text_total=percent(float(total)),
            partner=names[partner] if partner >= 0 else "—",
            share=percent(float(share)) if partner >= 0 and share > 0 else "—",
            longest=_length(result, row, int(longest)) if longest else "—",
            cluster=cluster_name(int(view.cluster_of[row])),
        )
        for row, total, partner, share, longest in zip(
            found.row[part], found.total[part], found.partner[part], found.share[part],
            found.longest[part], strict=True,
        )
    ]  # fmt: skip
    chosen = text_table(
        "texts_table",
        rows=rows,
        words={
            name: t(f"overview.column.{name}")
            for name in ("text", "total", "partner", "share", "longest", "cluster")
        }
        | {"caption": t("overview.by.texts")},
    )
    _pages(len(found.row), len(rows), t("overview.total_note"))
    if chosen is not None and chosen < len(rows):
        open_document(int(found.row[part][chosen]))


def _slice(n: int) -> slice:
    """The rows of the page that is open."""
    last = max((n - 1) // PAGE, 0)
    page = min(int(session.get("pair_page") or 1) - 1, last)
    return slice(page * PAGE, page * PAGE + PAGE)


def _pages(n: int, shown: int, tail: str) -> None:
    with st.container(
        key="noprint-pages", horizontal=True, vertical_alignment="center", gap="medium"
    ):
        with st.container(width="stretch"):
            note(t("overview.shown", n=n, shown=shown) + tail)
        if n > PAGE:
            st.pagination((n - 1) // PAGE + 1, key="pair_page")


def _nothing(result: CheckResult, query: str) -> None:
    """Say that the table is empty, and why."""
    if query.strip():
        paragraph(t("overview.not_found", query=query.strip()))
        if st.button(t("overview.clear_search"), key="clear_search", on_click=_clear_search):
            st.rerun()
        return
    counted = np.flatnonzero(result.distances.counts)
    nearest = int(counted[0]) if len(counted) else -1
    looked = "none_close" if result.settings.passages else "none_close_prints"
    paragraph(t(f"overview.{looked}", bits=nearest) if nearest >= 0 else t("overview.none"))
    if st.button(t("overview.to_threshold"), key="to_lab", icon=":material/tune:"):
        open_page("threshold_lab")
    note(t("overview.not_original", n=len(result.documents)))


def _clear_search() -> None:
    session.put("pair_query", "")
