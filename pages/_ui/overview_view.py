"""The blocks of the page Overview."""

from __future__ import annotations

import numpy as np
import streamlit as st

from simhash_core import CheckResult, ThresholdView, distance_matrix, expected_curve

from . import charts, export, frame, session
from .components.pair_table import PairRow, TextRow, pair_table, text_table
from .pair_rows import (
    FEW,
    PAIR_ORDERS,
    TEXT_ORDERS,
    listed_pairs,
    matrix_rows,
    text_rows,
)
from .palette import palette
from .session import CurrentCheck, t
from .widgets import (
    Figure,
    axis_top,
    expected_text,
    figure_head,
    note,
    number_strip,
    open_compare,
    open_document,
    open_page,
    paragraph,
    threshold_slider,
    threshold_top,
    write_html,
)
from .words import cluster_name, esc, length, note_text, number, percent

PAGE = 20
MOST_IN_MATRIX = 150


def strip(result: CheckResult, view: ThresholdView) -> None:
    """The six numbers of a check."""
    counted = np.flatnonzero(result.distances.counts)
    closest = str(int(counted[0])) if len(counted) else "—"
    overlap = float(result.total_overlap.max(initial=0.0))
    number_strip(
        [
            Figure(t("overview.strip.texts"), number(len(result.documents))),
            Figure(
                t("overview.strip.pairs"),
                number(int(view.within.sum())),
                t("overview.strip.pairs_help", k=view.threshold),
            ),
            Figure(
                t("overview.strip.clusters"),
                number(len(view.clusters)),
                t("overview.strip.clusters_help"),
            ),
            Figure(t("overview.strip.closest"), closest, t("overview.strip.closest_help")),
            Figure(
                t("overview.strip.overlap"),
                percent(overlap) if result.settings.passages else "—",
                t("overview.strip.overlap_help"),
            ),
            Figure(
                t("overview.strip.skipped"),
                number(len(result.skipped)),
                t("overview.strip.skipped_help") if result.skipped else "",
            ),
        ]
    )


def skipped_list(result: CheckResult) -> None:
    """The files that took no part, folded."""
    if not result.skipped:
        return
    with st.expander(t("overview.skipped", n=len(result.skipped)), key="skipped"):
        rows = "".join(
            f"<tr><td>{esc(item.name)}</td><td class='dim'>"
            f"{esc(note_text(item.code, item.params))}</td></tr>"
            for item in result.skipped
        )
        write_html(f'<div class="lt-scroll"><table class="lt-table">{rows}</table></div>')


def distances(current: CurrentCheck) -> None:
    """The histogram whose x axis is the threshold slider."""
    result, bits = current.result, current.result.fingerprints.bits
    figure_head(
        t("overview.distances"),
        t("overview.distances_note", n=result.distances.total, bits=bits),
    )
    chart = st.container(key="distance-figure", gap=None)
    top, reach = axis_top(result), threshold_top(result)
    with chart:
        drawing = st.container(gap=None)
        share = reach / top
        place = st.container() if share >= 1 else st.columns([share, 1 - share], gap=None)[0]
        with place:
            k = threshold_slider(result)
        write_html(_axis(top))
    view = session.view()
    within = int(view.within.sum()) if view else 0
    with drawing:
        st.plotly_chart(
            charts.distance_figure(
                result.distances.counts,
                _expected(current),
                threshold=k,
                top=top,
                labels={
                    "threshold": t("overview.mark.threshold", k=k),
                    "within": t("overview.mark.within", n=within),
                    "background": t("overview.mark.background"),
                    "hover": t("overview.mark.hover"),
                },
                colours=palette(),
            ),
            theme=None,
            key="distance_chart",
            config={"displayModeBar": False, "responsive": True},
            alt=t("overview.distances_alt", n=result.distances.total, k=k, within=within),
        )
    note(expected_text(k), lead=t("overview.threshold_lead", k=k))
    if view is not None and view.batch_threshold >= 0:
        note(t("overview.batch_note", k=view.batch_threshold))
    note(t("overview.slider_note"))
    if result.distances.sampled:
        note(t("overview.sampled_note"))


def _expected(current: CurrentCheck) -> np.ndarray:
    if "expected" not in current.memo:
        current.memo["expected"] = expected_curve(current.result)
    curve: np.ndarray = current.memo["expected"]
    return curve


def _axis(top: int) -> str:
    """The numbers under the slider."""
    step = next(s for s in (1, 2, 5, 10, 20, 50) if top / s <= 5)
    marks = "".join(
        f'<span style="left:{100 * value / top:.3f}%">{value}</span>'
        for value in range(0, top + 1, step)
    )
    return f'<div class="lt-axis" aria-hidden="true">{marks}</div>'


def matrix(current: CurrentCheck, view: ThresholdView) -> None:
    """The similarity matrix in cluster order; a cell opens its pair."""
    result = current.result
    rows, blocks, cut = matrix_rows(result, view, MOST_IN_MATRIX)
    figure_head(
        t("overview.matrix"),
        t("overview.matrix_cut", n=len(rows)) if cut else t("overview.matrix_note"),
    )
    if len(rows) < 2:
        paragraph(t("overview.matrix_none"))
        return
    distance = distance_matrix(result, rows)
    bits = result.fingerprints.bits
    far, colours = round(bits * 0.47), palette()
    st.echarts_chart(
        charts.matrix_spec(
            distance,
            names=[session.doc_name(row) for row in rows],
            blocks=blocks,
            far=far,
            unit=t("overview.bits"),
            colours=colours,
        ),
        theme=None,
        key="matrix",
        height=424,
        on_select=lambda: _matrix_click(rows, distance),
        alt=t("overview.matrix_alt", n=len(rows), clusters=len(blocks)),
    )
    steps = "".join(
        f'<i style="background:{colours.sequence[step]}"></i>' for step in charts.MATRIX_STEPS[:-1]
    )
    write_html(
        f'<div class="lt-key"><span>{esc(t("overview.matrix_key"))}</span><span>'
        f"{esc(t('overview.matrix_near'))} <b>{steps}</b> {esc(t('overview.matrix_far', far=far))}"
        "</span></div>"
    )


def _matrix_click(rows: list[int], distance: np.ndarray) -> None:
    """Remember the pair of the cell that was clicked; the page opens it."""
    selected = session.get("matrix")["selection"]["selected"]
    if selected and selected[0]["data_indices"]:
        i, j = charts.matrix_cell(distance, selected[0]["data_indices"][0])
        session.put("lt.open", tuple(sorted((rows[i], rows[j]))))


def open_clicked() -> None:
    """Open the pair that was clicked in the matrix."""
    pair = session.get("lt.open")
    if pair is not None:
        session.put("lt.open", None)
        open_compare(*pair)


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
    lab = frame.has_page("threshold_lab")
    if lab and st.button(t("overview.to_threshold"), key="to_lab", icon=":material/tune:"):
        open_page("threshold_lab")
    note(t("overview.not_original", n=len(result.documents)))


def _clear_search() -> None:
    session.put("pair_query", "")


def actions(current: CurrentCheck, view: ThresholdView) -> None:
    """Run again, and the result as files."""
    result = current.result
    if st.button(t("overview.again"), key="again", icon=":material/refresh:"):
        open_page("check")
    names = [session.doc_name(row) for row in range(len(result.documents))]
    rows = listed_pairs(result, view, names=names, query="", order="overlap")
    head = [t(f"overview.csv.{c}") for c in ("a", "b", "distance", "ab", "ba", "longest", "number")]
    with st.popover(t("overview.export"), icon=":material/ios_share:", key="export"):
        st.download_button(
            t("overview.export_csv"),
            export.pairs_csv(result, rows, names=names, head=head),
            file_name="leitong-pairs.csv",
            mime="text/csv",
            key="export_csv",
            on_click="ignore",
            icon=":material/table:",
        )
        st.download_button(
            t("overview.export_json"),
            export.json_file(result, names, session.language()),
            file_name="leitong-check.json",
            mime="application/json",
            key="export_json",
            on_click="ignore",
            icon=":material/data_object:",
        )
