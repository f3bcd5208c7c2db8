"""The figures of the threshold laboratory: distances with decisions, and what thresholds find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from simhash_core import CheckResult
from simhash_core.lab.labels import (
    Label,
    Labels,
    choose_thresholds,
    dump_labels,
    label_quality,
    weighted_precision,
)
from simhash_core.model import F64
from simhash_core.report import threshold_lines
from simhash_core.seen import expected_curve, expected_false

from ..components.lists import Run, draw_table
from ..shared import session
from ..shared.charts import base_figure, distance_figure, palette
from ..shared.formatting import esc, percent, say_expected
from ..shared.session import t
from ..shared.widgets import (
    axis_top,
    figure_head,
    figure_over_slider,
    note,
    python_button,
    save_button,
    threshold_top,
)
from .decided import Answers

CHART = {
    "displayModeBar": "hover",
    "modeBarButtons": [["toImage"]],
    "displaylogo": False,
    "toImageButtonOptions": {"format": "svg", "filename": "leitong-thresholds"},
    "responsive": True,
}
VERDICT = {True: "confirmed", False: "no_problem"}
HEIGHT = 330  # pixels of the bars
LEVELS, LEVEL, WIDTH = 4, 24, 0.024  # marks above each other, pixels of one, share of the axis
RING = 11  # pixels, the radius of the ring around a mark


def draw_line(result: CheckResult, answers: Answers) -> None:
    """Draw the line that moves over the decided cases, or over all pairs where few are decided."""
    judged, total = len(answers.labels.rows), result.distances.total
    figure_head(
        t(f"threshold_lab.{'cases' if answers.enough else 'distances'}"),
        t("threshold_lab.axis_note"),
    )
    drawing, k, top = figure_over_slider(result)
    figure = (
        answers_figure(result, answers, k, top) if answers.enough else pairs_figure(result, k, top)
    )
    with drawing:
        st.plotly_chart(
            figure, theme=None, key="lab_distances", config=CHART,
            alt=t("threshold_lab.distances_alt", n=total, k=k, judged=judged),
        )  # fmt: skip


def pairs_figure(result: CheckResult, k: int, top: int) -> go.Figure:
    """Draw how many pairs stand at each distance, beside what unrelated texts would do."""
    labels = {
        "threshold": t("threshold_lab.mark.now", k=k),
        "within": "",
        "background": t("results.mark.background"),
        "hover": t("threshold_lab.mark.hover", k="%{x}", pairs="%{customdata}") + "<extra></extra>",
    }
    expected = session.memo("expected", lambda: expected_curve(result))
    return distance_figure(
        result.distances.counts, expected, threshold=k, top=top, labels=labels, colours=palette(),
        height=HEIGHT,
    )  # fmt: skip


def answers_figure(result: CheckResult, answers: Answers, k: int, top: int) -> go.Figure:
    """Draw a row of marks for either verdict, with a ring where the line errs.

    The y axis counts pixels downwards, so that marks stand above each other without a gap.
    """
    colours = palette()
    figure = base_figure(colours, height=HEIGHT)
    depth = 0.0
    for same in (True, False):
        rows = [one for one in answers.labels.rows if one.same is same]
        rows.sort(key=lambda one: _place_mark(one, top))
        said = [_say_mark(result, answers, one, k) for one in rows]
        depth = _draw_row(figure, rows, said, k=k, top=top, depth=depth, same=same)
    figure.update_layout(height=depth + 40, margin={"t": 24})
    figure.update_xaxes(range=[0, top], showticklabels=False, showline=False)
    figure.update_yaxes(range=[-depth, 0], showticklabels=False, showgrid=False)
    figure.add_vrect(0, k + 0.5, fillcolor=colours.surf, line_width=0, layer="below")
    figure.add_vline(k + 0.5, line={"width": 1.25, "color": colours.ink})
    for side, anchor in (("inside", "right"), ("outside", "left")):
        figure.add_annotation(
            x=k + 0.5, y=1, yref="paper", yanchor="bottom", xanchor=anchor, showarrow=False,
            xshift=8 if anchor == "left" else -8, text=t(f"threshold_lab.side.{side}"),
        )  # fmt: skip
    return figure


def _draw_row(
    figure: go.Figure, rows: Sequence[Label], said: Sequence[str], *,
    k: int, top: int, depth: float, same: bool,
) -> float:  # fmt: skip
    """Draw the answers of one verdict, sorted by place, below `depth`; return the new depth."""
    colours = palette()
    x = [_place_mark(one, top) for one in rows]
    heights = _stack_marks([at / top for at in x])
    figure.add_annotation(
        x=0, xref="paper", y=-depth, xanchor="left", yanchor="top", showarrow=False,
        font={"color": colours.ink, "size": 13},
        text=esc(t(f"threshold_lab.decided.row.{VERDICT[same]}", n=len(rows))),
    )  # fmt: skip
    depth += LEVEL * (max(heights, default=0) + 2)
    y = [LEVEL * (height + 0.5) - depth for height in heights]
    figure.add_scatter(
        x=x, y=y, mode="markers+text", text="✓" if same else "╱", cliponaxis=False,
        customdata=said, hovertemplate="%{customdata}<extra></extra>",
        textfont={"color": colours.bg if same else colours.ink, "size": 11},
        marker={"symbol": "square" if same else "square-open", "size": 14,
                "color": colours.ink, "line": {"width": 1.25, "color": colours.ink}},
    )  # fmt: skip
    rings = [
        {"type": "circle", "xsizemode": "pixel", "ysizemode": "pixel", "xanchor": at,
         "yanchor": high, "x0": -RING, "x1": RING, "y0": -RING, "y1": RING,
         "line": {"width": 1.75, "color": colours.warn, "dash": "solid" if same else "dot"}}
        for one, at, high in zip(rows, x, y, strict=True)
        if (0 <= one.entry <= k) is not same
    ]  # fmt: skip
    figure.update_layout(shapes=[*figure.layout.shapes, *rings])
    return depth


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
    """Say which case a mark is, what was decided, and where the line puts it."""
    within = 0 <= one.entry <= k
    name = "right" if within is one.same else "vain" if within else "missed"
    return esc(t(
        f"threshold_lab.decided.mark.{name}",
        case=answers.name_pair(result, one),
        verdict=t(f"review.mark.{VERDICT[one.same]}"),
        k=one.entry if one.entry >= 0 else "–",
    ))  # fmt: skip


# --------------------------------------------------------------------------- for statisticians


def draw_statistics(result: CheckResult, answers: Answers) -> None:
    """Draw how good thresholds are on the decisions, beside all distances, and offer the data."""
    top, k = threshold_top(result), session.threshold()
    _draw_quality(result, answers)
    _draw_curves(answers.labels, top)
    figure_head(t("threshold_lab.distances"))
    figure = pairs_figure(result, k, axis_top(result))
    figure.update_xaxes(showticklabels=True, nticks=6)
    alt = t("threshold_lab.distances_alt", n=result.distances.total, k=k,
            judged=len(answers.labels.rows))  # fmt: skip
    st.plotly_chart(figure, theme=None, key="lab_pairs", config=CHART, alt=alt)
    with st.container(horizontal=True):
        python_button("leitong-thresholds.py", threshold_lines(result.settings, top))
        save_button(t("threshold_lab.files_save"), dump_labels(answers.labels),
                    "leitong-labels.json", key="labels_save")  # fmt: skip


def _draw_quality(result: CheckResult, answers: Answers) -> None:
    """Draw precision and recall of the threshold and of the three that are offered."""
    labels, k = answers.labels, session.threshold()
    title = t("threshold_lab.table.title")
    figure_head(title)
    measured = [(t("threshold_lab.table.now", k=k), label_quality(labels, k))]
    for aim, at in choose_thresholds(labels, threshold_top(result)).items():
        name = t(f"threshold_lab.decided.choice.{aim}")
        measured.append((t("threshold_lab.table.choice", aim=name, k=at.threshold), at))
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
    share, covered = weighted_precision(labels, k)
    if covered:
        between = _say_interval(share)
        note(t("threshold_lab.weighted", k=k, share=between, covered=percent(covered)))


def _say_interval(measured: tuple[float, float, float]) -> str:
    """Write a share with the interval that few answers leave."""
    share, low, high = measured
    return "—" if share != share else f"{share:.2f} ({low:.2f}–{high:.2f})"


def _draw_curves(labels: Labels, top: int) -> None:
    """Draw precision and recall on the decisions against the threshold."""
    curve = [label_quality(labels, k) for k in range(top + 1)]
    lines = {
        name: np.array([getattr(at, name)[0] for at in curve]) for name in ("precision", "recall")
    }
    figure_head(t("threshold_lab.curves"), t("threshold_lab.curves_note"))
    k = session.threshold()
    now = {name: _say_interval(getattr(curve[min(k, top)], name)) for name in lines}
    st.plotly_chart(curves_figure(lines, k), theme=None, key="lab_curves", config=CHART,
                    alt=t("threshold_lab.curves_alt", k=k, **now))  # fmt: skip


def curves_figure(lines: Mapping[str, F64], k: int) -> go.Figure:
    """Draw shares of 1 against the threshold, each line with its name; nan leaves a gap."""
    colours = palette()
    figure = base_figure(colours, height=HEIGHT)
    dress = ((colours.accent, "solid"), (colours.reworded, "dash"))
    for (name, line), (colour, dash) in zip(lines.items(), dress, strict=True):
        called = t(f"threshold_lab.table.{name}")
        figure.add_scatter(
            x=np.arange(len(line)), y=line, mode="lines", name=called,
            hovertemplate=called + " %{y:.2f}<extra></extra>",
            line={"color": colour, "dash": dash, "width": 2, "shape": "hv"},
        )  # fmt: skip
    figure.add_vline(k, line={"width": 1.25, "color": colours.ink})
    figure.update_layout(showlegend=True, legend={"orientation": "h", "y": 1.12, "x": 0},
                         margin={"l": 36, "b": 26})  # fmt: skip
    figure.update_yaxes(range=[0, 1.03], dtick=0.25)
    figure.update_xaxes(range=[0, max(len(lines["recall"]) - 1, 1)], nticks=6)
    return figure
