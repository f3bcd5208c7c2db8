"""The figures of the Overview: distances with the threshold in them, and the similarity matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from .formatting import number
from .palette import SANS, Palette

TICKS = (1, 10, 50, 200, 1000, 5000, 20_000, 100_000, 1_000_000)
NO_FINGERPRINT = 0xFFFF


def base_figure(colours: Palette, *, height: int) -> go.Figure:
    """Return an empty figure in the manner of the house: no frame, no legend, no title."""
    figure = go.Figure()
    figure.update_layout(
        template=None,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": SANS, "size": 12.5, "color": colours.ink2},
        margin={"l": 6, "r": 6, "t": 6, "b": 16},
        height=height,
        showlegend=False,
        bargap=0.12,
        dragmode=False,
        hoverlabel={
            "bgcolor": colours.ink,
            "bordercolor": colours.ink,
            "font": {"family": SANS, "size": 13, "color": colours.bg},
        },
    )
    figure.update_xaxes(
        showgrid=False, zeroline=False, linecolor=colours.hair, fixedrange=True, automargin=False
    )
    figure.update_yaxes(
        gridcolor=colours.grid,
        zeroline=False,
        showline=False,
        ticks="",
        tickfont={"color": colours.ink2},
        fixedrange=True,
        automargin=False,
    )
    return figure


def distance_figure(
    counts: NDArray[np.int64],
    expected: NDArray[np.float64],
    *,
    threshold: int,
    top: int,
    labels: dict[str, str],
    colours: Palette,
    height: int = 346,
) -> go.Figure:
    """Draw how many pairs stand at each distance.

    Parameters
    ----------
    counts : int64 (bits + 1,)        pairs at each distance
    expected : float64 (bits + 1,)    the same if all texts were unrelated: the pale area
    threshold, top : int              bits; the axis ends at `top`, as the slider below it does
    labels : dict                     threshold, within, background, hover
    """
    root, pale = np.sqrt(counts[: top + 1]), np.sqrt(expected[: top + 1])
    highest = float(max(root.max(initial=1.0), pale.max(initial=1.0))) * 1.22
    figure = base_figure(colours, height=height)
    _distance_bars(figure, counts[: top + 1], pale, threshold, labels["hover"], colours)
    ticks = [tick for tick in TICKS if np.sqrt(tick) < 0.9 * highest][-3:]
    figure.update_xaxes(range=[0, top], showticklabels=False, showline=False)
    figure.update_yaxes(
        range=[0, highest],
        tickvals=np.sqrt(ticks).tolist(),
        ticktext=[number(tick) for tick in ticks],
        ticklabelposition="inside top",
        showgrid=True,
    )
    # bars on an axis of their own, over the pale area
    figure.update_layout(
        yaxis2={"overlaying": "y", "range": [0, highest], "visible": False, "fixedrange": True}
    )
    _threshold_mark(figure, threshold, top, labels, colours)
    return figure


def _distance_bars(
    figure: go.Figure,
    counts: NDArray[np.int64],
    pale: NDArray[np.float64],
    threshold: int,
    hover: str,
    colours: Palette,
) -> None:
    """Draw the pale expectation and one bar a bit, square roots both."""
    x = np.arange(len(counts))
    figure.add_scatter(
        x=x,
        y=pale,
        mode="lines",
        line={"width": 0, "shape": "spline"},
        fill="tozeroy",
        fillcolor=colours.back,
        hoverinfo="skip",
    )
    inside = [colours.accent if distance <= threshold else colours.bulk for distance in x]
    figure.add_bar(
        x=x,
        y=np.sqrt(counts),
        yaxis="y2",
        customdata=counts,
        hovertemplate=hover,
        marker={"color": inside, "line": {"width": 0}},
    )


def _threshold_mark(
    figure: go.Figure, threshold: int, top: int, labels: dict[str, str], colours: Palette
) -> None:
    """Draw the line of the threshold half a bit to the right, and name the pale area."""
    at = threshold + 0.5
    figure.add_shape(
        type="line", x0=at, x1=at, y0=0, y1=1, yref="paper",
        line={"width": 1.25, "color": colours.ink},
    )  # fmt: skip
    left = at > 0.3 * top
    figure.add_annotation(
        x=at, y=1, yref="paper", xanchor="right" if left else "left", yanchor="top",
        xshift=-8 if left else 8, showarrow=False, align="right" if left else "left",
        text=f"<b>{labels['threshold']}</b><br>"
        f"<span style='color:{colours.accent}'>{labels['within']}</span>",
        font={"color": colours.ink, "size": 13},
    )  # fmt: skip
    figure.add_annotation(
        x=1, y=1, xref="paper", yref="paper", xanchor="right", yanchor="top", showarrow=False,
        align="right", text=labels["background"], font={"color": colours.ink2, "size": 12},
    )  # fmt: skip


def matrix_spec(
    distance: NDArray[np.uint16],
    *,
    names: Sequence[str],
    blocks: Sequence[tuple[int, int]],
    far: int,
    unit: str,
    colours: Palette,
) -> dict[str, Any]:
    """Return the similarity matrix as an ECharts option.

    Parameters
    ----------
    distance : uint16 (r, r)   bits; 65535 without a fingerprint
    names : one a row          never part of a formatter, which would be HTML
    blocks : (first, last + 1) rows of each cluster, outlined
    far : int                  bits from which a cell sinks into the page
    """
    rows, columns = _known(distance)
    cells = np.stack([columns, rows, distance[rows, columns].astype(np.int64)], axis=1)
    return {
        "animation": False,
        "grid": {"left": 1, "right": 1, "top": 1, "bottom": 1},
        "tooltip": {
            "backgroundColor": colours.ink,
            "borderWidth": 0,
            "textStyle": {"color": colours.bg, "fontSize": 13},
            "formatter": "{@[2]} " + unit,
        },
        "xAxis": _matrix_axes(names),
        "yAxis": [{**axis, "inverse": True} for axis in _matrix_axes(names)],
        "visualMap": {
            "show": False,
            "seriesIndex": 0,
            "dimension": 2,
            "min": 0,
            "max": far,
            "inRange": {"color": [colours.sequence[step] for step in MATRIX_STEPS]},
        },
        "series": [
            _matrix_cells(cells.tolist(), colours),
            *(_outline(first, last, colours) for first, last in blocks),
        ],
    }


def _matrix_axes(names: Sequence[str]) -> list[dict[str, Any]]:
    """A category axis for the cells, and a value axis for outlines between them."""
    return [
        {"type": "category", "data": list(names), "show": False},
        {"type": "value", "min": 0, "max": len(names), "show": False},
    ]


def _matrix_cells(cells: list[list[int]], colours: Palette) -> dict[str, Any]:
    marked = {"itemStyle": {"borderColor": colours.ink, "borderWidth": 1.5}}
    return {
        "type": "heatmap",
        "data": cells,
        "selectedMode": "single",
        "itemStyle": {"borderWidth": 0.5, "borderColor": colours.bg},
        "emphasis": marked,
        "select": marked,
    }


def _outline(first: int, last: int, colours: Palette) -> dict[str, Any]:
    corners = [[first, first], [last, first], [last, last], [first, last], [first, first]]
    return {
        "type": "line",
        "xAxisIndex": 1,
        "yAxisIndex": 1,
        "silent": True,
        "symbol": "none",
        "lineStyle": {"color": colours.ink, "width": 1.5},
        "z": 5,
        "data": corners,
    }


#: steps of the sequence from distance 0 to far: closer is stronger in both modes
MATRIX_STEPS = (9, 8, 7, 6, 4, 3, 1, 0, 0)


def matrix_cell(distance: NDArray[np.uint16], index: int) -> tuple[int, int]:
    """Return (row, column) of the cell with this index in `matrix_spec`."""
    rows, columns = _known(distance)
    return int(rows[index]), int(columns[index])


def _known(distance: NDArray[np.uint16]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns of the cells that are drawn: no diagonal, no missing fingerprint."""
    rows, columns = np.nonzero(~np.eye(len(distance), dtype=bool) & (distance != NO_FINGERPRINT))
    return rows, columns
