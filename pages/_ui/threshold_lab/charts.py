"""The figures of the threshold laboratory: distances with answers, curves, the cost of an index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from simhash_core.palette import Palette

from ..shared.charts import base_figure, distance_figure

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
    ends = _ends([float(np.log10(max(int(line[-1]), 1))) for line in lines.values()])
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


def _ends(places: Sequence[float]) -> list[float]:
    """Move names at the end of the lines apart, so that none covers another."""
    order = np.argsort(places, kind="stable")
    gap = max(0.085 * (max(places) + 0.2), 0.05)
    moved = list(places)
    for before, after in pairwise(order):
        moved[after] = max(moved[after], moved[before] + gap)
    return moved


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
