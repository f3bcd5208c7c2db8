"""The blocks of the page Overview."""

from __future__ import annotations

import numpy as np
import streamlit as st

from simhash_core import CheckResult, ThresholdView
from simhash_core.checking import distance_matrix, expected_curve

from ..shared import charts, session
from ..shared.formatting import esc, note_text, number, percent
from ..shared.palette import palette
from ..shared.session import CurrentCheck, t
from ..shared.widgets import (
    Figure,
    axis_top,
    expected_text,
    figure_head,
    note,
    number_strip,
    open_compare,
    open_page,
    paragraph,
    threshold_slider,
    threshold_top,
    write_html,
)
from . import export
from .rows import matrix_rows

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


def guarantees(result: CheckResult) -> None:
    """Say what the search is certain to have found, and how much it looked at."""
    said = [t(f"guarantee.{fact.code}", **fact.params) for fact in result.guarantees]
    note(("" if session.language() == "zh" else " ").join(said))


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
    result = current.result
    figure_head(
        t("overview.distances"),
        t(
            "overview.distances_note",
            n=result.distances.total,
            bits=result.fingerprints.bits,
        ),
    )
    top = axis_top(result)
    with st.container(key="distance-figure", gap=None):
        drawing = st.container(gap=None)
        share = threshold_top(result) / top
        place = st.container() if share >= 1 else st.columns([share, 1 - share], gap=None)[0]
        with place:
            k = threshold_slider(result)
        write_html(_axis(top))
    with drawing:
        _histogram(current, k, top)
    note(expected_text(k), lead=t("overview.threshold_lead", k=k))
    view = session.view()
    if view is not None and view.batch_threshold >= 0:
        note(t("overview.batch_note", k=view.batch_threshold))
    note(t("overview.slider_note"))
    if result.distances.sampled:
        note(t("overview.sampled_note"))


def _histogram(current: CurrentCheck, k: int, top: int) -> None:
    view, pairs = session.view(), current.result.distances.total
    within = int(view.within.sum()) if view else 0
    figure = charts.distance_figure(
        current.result.distances.counts,
        _expected(current),
        threshold=k,
        top=top,
        labels={
            "threshold": t("overview.mark.threshold", k=k),
            "within": t("overview.mark.within", n=within),
            "background": t("overview.mark.background"),
            "hover": t("overview.mark.hover", k="%{x}", pairs="%{customdata}"),
        },
        colours=palette(),
    )
    st.plotly_chart(
        figure,
        theme=None,
        key="distance_chart",
        config={"displayModeBar": False, "responsive": True},
        alt=t("overview.distances_alt", n=pairs, k=k, within=within),
    )


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


def actions(current: CurrentCheck, view: ThresholdView) -> None:
    """Run again, and the result as files."""
    result = current.result
    if st.button(t("overview.again"), key="again", icon=":material/refresh:"):
        open_page("check")
    names = [session.doc_name(row) for row in range(len(result.documents))]
    language = session.language()
    with st.popover(t("overview.export"), icon=":material/ios_share:", key="export"):
        st.download_button(
            t("overview.export_csv"),
            export.csv_file(result, view, names=names, language=language),
            file_name="leitong-pairs.csv",
            mime="text/csv",
            key="export_csv",
            on_click="ignore",
            icon=":material/table:",
        )
        st.download_button(
            t("overview.export_json"),
            export.json_file(result, view, names=names, language=language),
            file_name="leitong-check.json",
            mime="application/json",
            key="export_json",
            on_click="ignore",
            icon=":material/data_object:",
        )
