"""The blocks of the threshold laboratory: figures, curves, cost of an index, now and suggested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from simhash_core import CheckResult
from simhash_core.lab.labels import (
    AIMS,
    dump_labels,
    judged_entries,
    label_quality,
    suggest_threshold,
    weighted_precision,
)
from simhash_core.lab.laboratories import index_cost, index_costs, sweep_csv
from simhash_core.palette import Palette
from simhash_core.report import threshold_lines
from simhash_core.seen import expected_curve, expected_false

from ..components.lists import Run, draw_table
from ..shared import session
from ..shared.charts import base_figure, distance_figure, palette
from ..shared.formatting import number, percent, say_expected
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
from . import decided

AIM_KEY = "lab_aim"
CHART = {
    "displayModeBar": "hover",
    "modeBarButtons": [["toImage"]],
    "displaylogo": False,
    "toImageButtonOptions": {"format": "svg", "filename": "leitong-thresholds"},
    "responsive": True,
}


def aim() -> str:
    """Return the aim that the reader has chosen."""
    return str(session.get(AIM_KEY) or AIMS[1])


def suggestion() -> Any:
    """Return the best threshold for the aim, from the answers so far."""
    labels, wish = decided.label_decisions(), aim()
    cached = decided.tab.suggestion
    if cached is None or cached[0] is not labels or cached[1] != wish:
        cached = (labels, wish, suggest_threshold(labels, wish))
        decided.tab.suggestion = cached
    return cached[2]


def offer_exports(result: CheckResult) -> None:
    """Offer what each threshold finds as data, and the lines of Python that find it again."""
    top = threshold_top(result)
    with st.popover(t("threshold_lab.export"), icon=":material/ios_share:", key="lab_export"):
        save_button(
            t("threshold_lab.export_data"),
            lambda: sweep_csv(result, decided.sweep_check(), top).encode(),
            "leitong-thresholds.csv",
            key="lab_csv",
            icon="table",
        )
        python_button("leitong-thresholds.py", threshold_lines(result.settings, top))
        answers = decided.label_decisions()
        save_button(t("threshold_lab.files_save"), dump_labels(answers), "leitong-labels.json",
                    key="labels_save", disabled=not answers.rows)  # fmt: skip


def actions(result: CheckResult) -> None:
    """The aim, and the suggestion as a button with its number."""
    st.segmented_control(
        t("threshold_lab.aim.label"),
        AIMS,
        default=AIMS[1],
        format_func={name: t(f"threshold_lab.aim.{name}") for name in AIMS}.__getitem__,
        key=AIM_KEY,
        required=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    suggested = suggestion()
    k = min(suggested.threshold, threshold_top(result))
    usable = suggested.threshold >= 0
    label = t("threshold_lab.take", k=k) if usable else t("threshold_lab.no_suggestion")
    st.button(
        label,
        key="lab_take",
        type="primary",
        icon=":material/check:",
        disabled=not usable or k == session.threshold(),
        on_click=session.set_threshold,
        args=(k,),
    )


def distances(result: CheckResult) -> None:
    """The distances with the answers under them; the slider is the x axis."""
    labels = decided.label_decisions()
    judged = sum(row.same is not None for row in labels.rows)
    figure_head(
        t("threshold_lab.distances"),
        t("threshold_lab.distances_note", n=result.distances.total, judged=judged)
        if judged
        else "",
    )
    suggested = suggestion()
    drawing, k, top = figure_over_slider(result)
    with drawing:
        st.plotly_chart(
            answered_figure(
                result.distances.counts,
                session.memo("expected", lambda: expected_curve(result)),
                threshold=k,
                suggested=suggested.threshold,
                top=top,
                answers=judged_entries(labels),
                labels={
                    "threshold": t("threshold_lab.mark.now", k=k),
                    "within": "",
                    "background": t("results.mark.background"),
                    "hover": t("threshold_lab.mark.hover", k="%{x}", pairs="%{customdata}")
                    + "<extra></extra>",
                    "same": "● " + t("threshold_lab.same"),
                    "other": "× " + t("threshold_lab.other"),
                    "suggested": t("threshold_lab.mark.suggested", k=suggested.threshold),
                },
                colours=palette(),
            ),
            theme=None,
            key="lab_distances",
            config=CHART,
            alt=t("threshold_lab.distances_alt", n=result.distances.total, k=k, judged=judged),
        )
    if session.result() is not None:
        note(expected_text(k), lead=t("results.threshold_lead", k=k))


def curves(result: CheckResult) -> None:
    """Pairs, texts and clusters against the threshold."""
    swept, k = decided.sweep_check(), session.threshold()
    at = min(k, swept.complete_up_to)
    values = {name: int(getattr(swept, name)[at]) for name in ("pairs", "documents", "clusters")}
    sentence = t("threshold_lab.curves_note", k=k, **values)
    figure_head(t("threshold_lab.curves"), sentence)
    top = threshold_top(result)
    lines = {name: getattr(swept, name)[: top + 1] for name in values}
    st.plotly_chart(
        curves_figure(
            lines,
            threshold=min(k, top),
            names={name: t(f"threshold_lab.curve.{name}") for name in values},
            colours=palette(),
        ),
        theme=None,
        key="lab_curves",
        config=CHART,
        alt=sentence,
    )


def compared_table(result: CheckResult, other: Any) -> None:
    """The current threshold beside the suggested one, and another recipe on the same answers."""
    labels, suggested, k = decided.label_decisions(), suggestion(), session.threshold()
    columns = [(t("threshold_lab.table.now", k=k), label_quality(labels, k), k, result, False)]
    if suggested.quality is not None:
        head = t("threshold_lab.table.suggested", k=suggested.threshold)
        columns.append((head, suggested.quality, suggested.threshold, result, True))
    if other is not None:
        columns += other
    measure = t("threshold_lab.table.measure")
    heads = [(measure, "names"), *((head, "num") for head, *_ in columns)]
    rows = [
        _measures(t(f"threshold_lab.table.{name}"), [
            (getattr(at, name), best) for _, at, _, _, best in columns
        ])
        for name in ("precision", "recall", "f1")
    ]  # fmt: skip
    false = [
        _stress(say_expected(expected_false(whole, at)), best) for _, _, at, whole, best in columns
    ]
    rows.append([t("threshold_lab.table.false"), *false])
    draw_table("lab_compared", measure, heads, rows)
    verdict(suggested)
    (share, low, high), covered = weighted_precision(labels, k)
    if share == share:
        sentence = t("threshold_lab.weighted", k=k, share=f"{share:.2f}", low=f"{low:.2f}",
                     high=f"{high:.2f}", covered=percent(covered))  # fmt: skip
        note(sentence)


def _measures(name: str, cells: list[tuple[tuple[float, float, float], bool]]) -> list[Run]:
    shown = [
        _stress("—" if share != share else f"{share:.2f} ({low:.2f}–{high:.2f})", best)
        for (share, low, high), best in cells
    ]
    return [name, *shown]


def _stress(text: str, best: bool) -> Run:
    return {"text": text, "style": "named" if best else ""}


def verdict(suggested: Any) -> None:
    """Draw what the answers allow to conclude, and what they do not."""
    note(t(f"threshold_lab.verdict.{suggested.verdict}", n=suggested.more, k=suggested.threshold))
    if suggested.verdict in ("clean", "mixed") and suggested.more:
        note(t("threshold_lab.few", judged=suggested.judged, n=suggested.more))


def cost(result: CheckResult) -> None:
    """What finding every pair within k costs, with blocks and without; drawn once it is open."""
    k = session.threshold()
    n = int(result.fingerprints.valid.sum())
    fold = st.expander(t("threshold_lab.cost_fold"), key="lab_cost_fold", on_change="rerun")
    if not fold.open:
        return
    with fold:
        note(t("threshold_lab.cost_note", n=n))
        _cost(result, k, n)


def _cost(result: CheckResult, k: int, n: int) -> None:
    left, right = st.columns([3, 2], gap="large")
    pairs = n * (n - 1) / 2
    costs = [
        each
        for each in session.memo("index_costs", lambda: index_costs(result))
        if each.candidates == each.candidates
    ]
    with left:
        st.plotly_chart(
            cost_figure(
                costs,
                pairs=pairs,
                threshold=k,
                scan=t("threshold_lab.cost_scan", pairs=int(pairs)),
                hover=[
                    t("threshold_lab.cost_hover", k=c.k, n=int(c.candidates), tables=c.tables)
                    for c in costs
                ],
                colours=palette(),
            ),
            theme=None,
            key="lab_cost",
            config=CHART,
            alt=t("threshold_lab.cost_note", n=n),
        )
    with right:
        _cost_table(session.memo(("cost", k), lambda: index_cost(result, k)))
        note(t("threshold_lab.cost_exact"))


def _cost_table(costs: Any) -> None:
    columns = (("way", "names"), ("tables", "num"), ("candidates", "num"), ("memory", "num"))
    heads = [(t(f"threshold_lab.cost_column.{name}"), kind) for name, kind in columns]
    rows = []
    for each in costs:
        linear = each.scheme == "linear"
        name = t("threshold_lab.cost_linear") if linear else each.scheme
        counted = each.candidates == each.candidates
        tables = "—" if linear else number(each.tables)
        candidates = number(int(each.candidates)) if counted else "—"
        rows.append([name, tables, candidates, _size(each.memory)])
    draw_table("lab_cost_table", t("threshold_lab.cost"), heads, rows)


def _size(size: int) -> str:
    power = min(int(np.log10(max(size, 1)) // 3), 4)
    value = size / 1000**power
    return f"{value:.3g} {('B', 'kB', 'MB', 'GB', 'TB')[power]}"


# --------------------------------------------------------------------------- charts
_ROWS = (-0.075, -0.15)  # of the height: where answers stand under the bars


def answered_figure(
    counts: NDArray[np.int64],
    expected: NDArray[np.float64],
    *,
    threshold: int,
    suggested: int,
    top: int,
    answers: Sequence[tuple[int, bool]],
    labels: dict[str, str],
    colours: Palette,
) -> go.Figure:
    """Draw the distances with the reader's answers under them and the suggestion beside the line.

    `answers` are (threshold at which the pair enters, same); `suggested` is -1 for none; `labels`
    has also same, other, suggested.
    """
    figure = distance_figure(
        counts, expected, threshold=threshold, top=top, labels=labels, colours=colours, height=330
    )
    if not answers:
        return figure
    high = float(figure.layout.yaxis.range[1])
    low = _ROWS[1] * 1.5 * high
    figure.update_layout(yaxis2={"range": [low, high]})
    figure.update_yaxes(range=[low, high], zeroline=False)
    kinds = ((True, "circle", colours.identical), (False, "x-thin", colours.reworded))
    for place, (kind, symbol, colour) in zip(_ROWS, kinds, strict=True):
        x = [entry for entry, same in answers if same is kind and entry <= top]
        figure.add_scatter(
            x=x, y=[place * high] * len(x), yaxis="y2", mode="markers", hoverinfo="x",
            marker={"symbol": symbol, "size": 9, "color": colour,
                    "line": {"width": 2, "color": colour}},
        )  # fmt: skip
        figure.add_annotation(
            x=1, xref="paper", y=place * high, yref="y2", xanchor="right", showarrow=False,
            text=labels["same" if kind else "other"], font={"color": colour, "size": 12},
        )  # fmt: skip
    if suggested >= 0:
        _suggestion(figure, suggested, threshold, labels["suggested"], colours)
    return figure


def _suggestion(
    figure: go.Figure, suggested: int, threshold: int, label: str, colours: Palette
) -> None:
    at = suggested + 0.5
    figure.add_shape(
        type="line", x0=at, x1=at, y0=0, y1=0.84, yref="paper",
        line={"width": 1.75, "color": colours.moved, "dash": "dot"},
    )  # fmt: skip
    right = suggested >= threshold
    figure.add_annotation(
        x=at, y=0.84, yref="paper", xanchor="left" if right else "right", yanchor="top",
        xshift=8 if right else -8, showarrow=False, text=label,
        font={"color": colours.moved, "size": 13},
    )  # fmt: skip


def curves_figure(
    lines: Mapping[str, NDArray[np.int64]], *, threshold: int, names: Mapping[str, str],
    colours: Palette,
) -> go.Figure:  # fmt: skip
    """Draw pairs, documents and clusters against the threshold on a logarithmic scale."""
    figure = base_figure(colours, height=330)
    top = len(next(iter(lines.values()))) - 1
    dress = {
        "pairs": (colours.accent, "solid"),
        "documents": (colours.reworded, "dash"),
        "clusters": (colours.moved, "dot"),
    }
    places = [float(np.log10(max(int(line[-1]), 1))) for line in lines.values()]
    order = np.argsort(places, kind="stable")
    gap = max(0.085 * (max(places) + 0.2), 0.05)
    ends = list(places)
    for before, after in pairwise(order):
        ends[after] = max(ends[after], ends[before] + gap)
    for (name, line), end in zip(lines.items(), ends, strict=True):
        colour, dash = dress[name]
        shown = np.where(line > 0, line, np.nan)
        figure.add_scatter(
            x=np.arange(top + 1), y=shown, mode="lines", customdata=line,
            line={"color": colour, "dash": dash, "width": 2, "shape": "hv"},
            hovertemplate=names[name] + " %{customdata}<extra></extra>",
        )  # fmt: skip
        if line[threshold] > 0:
            figure.add_scatter(
                x=[threshold], y=[int(line[threshold])], mode="markers", hoverinfo="skip",
                marker={"symbol": "circle-open", "size": 9, "color": colour, "line": {"width": 2}},
            )  # fmt: skip
        figure.add_annotation(
            x=1, xref="paper", y=end, yref="y", xanchor="right", yanchor="bottom", xshift=-2,
            showarrow=False, text=names[name], font={"color": colour, "size": 13},
        )  # fmt: skip
    _scale(figure, max(int(line.max()) for line in lines.values()), top)
    _threshold_line(figure, threshold, colours)
    return figure


def cost_figure(
    costs: Sequence[Any], *, pairs: float, threshold: int, scan: str, hover: Sequence[str],
    colours: Palette,
) -> go.Figure:  # fmt: skip
    """Draw the pairs that an index with k + 1 blocks compares, beside those of a plain scan."""
    figure = base_figure(colours, height=250)
    top = max((cost.k for cost in costs), default=1)
    figure.add_scatter(
        x=[cost.k for cost in costs], y=[max(cost.candidates, 0.5) for cost in costs],
        mode="lines+markers", line={"color": colours.accent, "width": 2},
        marker={"size": 6, "color": colours.accent}, hovertext=hover, hoverinfo="text",
    )  # fmt: skip
    figure.add_shape(
        type="line", x0=0, x1=1, xref="paper", y0=pairs, y1=pairs,
        line={"color": colours.ink2, "width": 1.5, "dash": "dash"},
    )  # fmt: skip
    figure.add_annotation(
        x=0, xref="paper", xanchor="left", y=float(np.log10(max(pairs, 1))), yanchor="bottom",
        showarrow=False, text=scan, font={"color": colours.ink2, "size": 12},
    )  # fmt: skip
    highest = max([pairs, *(cost.candidates for cost in costs)])
    _scale(figure, highest, top)
    _threshold_line(figure, threshold, colours)
    return figure


def _scale(figure: go.Figure, highest: float, top: int) -> None:
    """A logarithmic y axis from below 1, and an x axis with some five numbers."""
    high = float(np.log10(max(highest, 10))) * 1.08 + 0.1
    step = max(round(high / 4), 1)
    ticks = [10**power for power in range(0, int(high) + 1, step)]
    figure.update_layout(margin={"l": 52, "r": 6, "t": 6, "b": 26})
    figure.update_yaxes(
        type="log", range=[-0.12, high], tickvals=ticks, ticktext=[f"{tick:,}" for tick in ticks]
    )
    figure.update_xaxes(range=[0, max(top, 1)], nticks=6, ticks="outside", ticklen=4)


def _threshold_line(figure: go.Figure, threshold: int, colours: Palette) -> None:
    figure.add_shape(
        type="line", x0=threshold, x1=threshold, y0=0, y1=1, yref="paper",
        line={"width": 1.25, "color": colours.ink},
    )  # fmt: skip
