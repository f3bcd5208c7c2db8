"""The figures of the threshold laboratory: distances with decisions, and what thresholds find."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from simhash_core import CheckResult
from simhash_core.lab.labels import (
    AIMS,
    Label,
    choices,
    dump_labels,
    label_quality,
    suggest_threshold,
    weighted_precision,
)
from simhash_core.lab.laboratories import sweep_csv
from simhash_core.model import I64
from simhash_core.report import threshold_lines
from simhash_core.seen import expected_curve, expected_false

from ..components.lists import Run, draw_table
from ..shared import session
from ..shared.charts import base_figure, distance_figure, palette
from ..shared.formatting import esc, percent, say_expected
from ..shared.session import t
from ..shared.widgets import (
    expected_text,
    figure_head,
    figure_over_slider,
    note,
    python_button,
    save_button,
    threshold_top,
)
from .decided import Answers, sweep_check

CHART = {
    "displayModeBar": "hover",
    "modeBarButtons": [["toImage"]],
    "displaylogo": False,
    "toImageButtonOptions": {"format": "svg", "filename": "leitong-thresholds"},
    "responsive": True,
}
VERDICT = {True: "confirmed", False: "no_problem"}
HEIGHT = 330  # pixels of the bars
LEVELS, LEVEL, WIDTH = 4, 20, 0.02  # marks above each other, pixels of one, share of the axis


def draw_distances(result: CheckResult, answers: Answers) -> None:
    """Draw the distances with the decisions under them; the slider is the x axis."""
    judged, total = len(answers.labels.rows), result.distances.total
    key = "threshold_lab.distances_note"
    figure_head(t("threshold_lab.distances"), t(key, n=total, judged=judged) if judged else "")
    drawing, k, top = figure_over_slider(result)
    labels = {
        "threshold": t("threshold_lab.mark.now", k=k),
        "within": "",
        "background": t("results.mark.background"),
        "hover": t("threshold_lab.mark.hover", k="%{x}", pairs="%{customdata}") + "<extra></extra>",
    }
    expected = session.memo("expected", lambda: expected_curve(result))
    figure = distance_figure(
        result.distances.counts, expected, threshold=k, top=top, labels=labels, colours=palette(),
        height=HEIGHT,
    )  # fmt: skip
    if judged:
        _mark_answers(figure, result, answers, k, top)
    with drawing:
        st.plotly_chart(
            figure, theme=None, key="lab_distances", config=CHART,
            alt=t("threshold_lab.distances_alt", n=total, k=k, judged=judged),
        )  # fmt: skip
    if session.result() is not None:
        note(expected_text(k), lead=t("results.threshold_lead", k=k))


def _mark_answers(
    figure: go.Figure, result: CheckResult, answers: Answers, k: int, top: int
) -> None:
    """Draw a row of marks for either verdict under the bars, with a ring where the line errs."""
    colours = palette()
    high = float(figure.layout.yaxis.range[1])
    level = high * LEVEL / HEIGHT  # of the axis
    y = 0.0
    for same, sign in ((True, "✓"), (False, "╱")):
        rows = [one for one in answers.labels.rows if one.same is same]
        rows.sort(key=lambda one: _place_mark(one, top))
        x = [_place_mark(one, top) for one in rows]
        heights = _stack_marks([at / top for at in x])
        y -= level * (max(heights, default=0) + 2.2)
        errs = [(0 <= one.entry <= k) is not same for one in rows]
        said = [_say_mark(result, answers, one, k) for one in rows]
        place = [y + level * (0.6 + height) for height in heights]
        figure.add_scatter(
            x=x, y=place, yaxis="y2", mode="markers+text", text=sign, customdata=said,
            hovertemplate="%{customdata}<extra></extra>", cliponaxis=False,
            textfont={"color": colours.bg if same else colours.ink, "size": 11},
            marker={"symbol": "square" if same else "square-open", "size": 14,
                    "color": colours.ink, "line": {"width": 1.25, "color": colours.ink}},
        )  # fmt: skip
        figure.add_scatter(
            x=[at for at, err in zip(x, errs, strict=True) if err],
            y=[at for at, err in zip(place, errs, strict=True) if err],
            yaxis="y2", mode="markers", hoverinfo="skip", cliponaxis=False,
            marker={"symbol": "circle-open", "size": 22,
                    "line": {"width": 1.75, "color": colours.warn}},
        )  # fmt: skip
        figure.add_annotation(
            x=0, xref="paper", y=y + level * (max(heights, default=0) + 1.7), yref="y2",
            xanchor="left", showarrow=False, font={"color": colours.ink, "size": 12.5},
            text=esc(t(f"threshold_lab.decided.row.{VERDICT[same]}", n=len(rows))),
        )  # fmt: skip
    figure.update_layout(yaxis2={"range": [y, high]}, height=HEIGHT * (1 - y / high))
    figure.update_yaxes(range=[y, high], zeroline=False)


def _place_mark(one: Label, top: int) -> int:
    """Return where a decision stands; what no threshold finds is at the right end."""
    return min(one.entry, top) if one.entry >= 0 else top


def _stack_marks(places: list[float]) -> list[int]:
    """Return the lowest level on which each rising place has room; the top one may be full."""
    last, heights = [-1.0] * LEVELS, []
    for at in places:
        height = next((n for n, before in enumerate(last) if at - before >= WIDTH), LEVELS - 1)
        last[height] = at
        heights.append(height)
    return heights


def _say_mark(result: CheckResult, answers: Answers, one: Label, k: int) -> str:
    within = 0 <= one.entry <= k
    name = "right" if within is one.same else "vain" if within else "missed"
    return esc(t(
        f"threshold_lab.decided.mark.{name}",
        case=answers.name_pair(result, one),
        verdict=t(f"review.mark.{VERDICT[bool(one.same)]}"),
        k=one.entry if one.entry >= 0 else "–",
    ))  # fmt: skip


# --------------------------------------------------------------------------- for statisticians


def draw_statistics(result: CheckResult, answers: Answers) -> None:
    """Draw how good thresholds are on the decisions, what each finds, and the data of both."""
    if answers.enough:
        _draw_quality(result, answers)
    _draw_curves(result)
    with st.container(horizontal=True):
        top = threshold_top(result)
        save_button(
            t("threshold_lab.export_data"),
            lambda: sweep_csv(result, sweep_check(result), top).encode(),
            "leitong-thresholds.csv", key="lab_csv", icon="table",
        )  # fmt: skip
        python_button("leitong-thresholds.py", threshold_lines(result.settings, top))
        save_button(t("threshold_lab.files_save"), dump_labels(answers.labels),
                    "leitong-labels.json", key="labels_save")  # fmt: skip


def _draw_quality(result: CheckResult, answers: Answers) -> None:
    """Draw precision and recall of the threshold and of the three that are offered."""
    labels, k = answers.labels, session.threshold()
    title = t("threshold_lab.table.title")
    figure_head(title)
    measured = [(t("threshold_lab.table.now", k=k), label_quality(labels, k))]
    for aim, wanted in choices(labels).items():
        head = t(
            "threshold_lab.table.choice", aim=t(f"threshold_lab.decided.choice.{aim}"), k=wanted
        )
        measured.append((head, label_quality(labels, wanted)))
    heads = [(t("threshold_lab.table.measure"), "names")]
    heads += [(head, "num") for head, _ in measured]
    rows: list[list[Run]] = [
        [
            t(f"threshold_lab.table.{name}"),
            *(_say_interval(getattr(at, name)) for _, at in measured),
        ]
        for name in ("precision", "recall", "f1")
    ]
    false = [say_expected(expected_false(result, at.threshold)) for _, at in measured]
    rows.append([t("threshold_lab.table.false"), *false])
    draw_table("lab_compared", title, heads, rows)
    found = suggest_threshold(labels, AIMS[0])
    note(t(f"threshold_lab.verdict.{found.verdict}", n=found.more, k=found.threshold))
    share, covered = weighted_precision(labels, k)
    if covered:
        between = _say_interval(share)
        note(t("threshold_lab.weighted", k=k, share=between, covered=percent(covered)))


def _say_interval(measured: tuple[float, float, float]) -> str:
    share, low, high = measured
    return "—" if share != share else f"{share:.2f} ({low:.2f}–{high:.2f})"


def _draw_curves(result: CheckResult) -> None:
    """Draw pairs, texts and clusters against the threshold on a logarithmic scale."""
    swept, top = sweep_check(result), threshold_top(result)
    k = min(session.threshold(), top)
    lines = {name: getattr(swept, name)[: top + 1] for name in ("pairs", "documents", "clusters")}
    at_line = {name: int(line[k]) for name, line in lines.items()}
    sentence = t("threshold_lab.curves_note", k=k, **at_line)
    figure_head(t("threshold_lab.curves"), sentence)
    st.plotly_chart(curves_figure(lines, k), theme=None, key="lab_curves", config=CHART,
                    alt=sentence)  # fmt: skip


def curves_figure(lines: Mapping[str, I64], k: int) -> go.Figure:
    """Draw numbers against the threshold on a logarithmic scale, each line with its name."""
    colours = palette()
    figure = base_figure(colours, height=HEIGHT)
    dress = ((colours.accent, "solid"), (colours.reworded, "dash"), (colours.moved, "dot"))
    for (name, line), (colour, dash) in zip(lines.items(), dress, strict=True):
        called = t(f"threshold_lab.curve.{name}")
        figure.add_scatter(
            x=np.arange(len(line)), y=np.where(line > 0, line, np.nan), mode="lines", name=called,
            customdata=line, hovertemplate=called + " %{customdata}<extra></extra>",
            line={"color": colour, "dash": dash, "width": 2, "shape": "hv"},
        )  # fmt: skip
    figure.add_vline(k, line={"width": 1.25, "color": colours.ink})
    figure.update_layout(showlegend=True, legend={"orientation": "h", "y": 1.12, "x": 0},
                         margin={"l": 52, "b": 26})  # fmt: skip
    figure.update_yaxes(type="log", dtick=1)
    figure.update_xaxes(range=[0, max(len(lines["pairs"]) - 1, 1)], nticks=6)
    return figure
