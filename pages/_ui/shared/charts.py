"""Charts in the style of the pages: the distances with the threshold, the votes on a bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from numpy.typing import NDArray

from simhash_core.palette import CLEAR, DARK, LIGHT, Palette
from simhash_core.weighting import SCALE

from .formatting import esc, number
from .session import t
from .widgets import note, write_html

TICKS = (1, 10, 50, 200, 1000, 5000, 20_000, 100_000, 1_000_000)
SANS = (
    "-apple-system, 'Segoe UI', 'Inter', 'Noto Sans', 'Liberation Sans', 'PingFang SC', "
    "'Microsoft YaHei UI', 'Noto Sans CJK SC', 'Source Han Sans SC', 'WenQuanYi Zen Hei', "
    "sans-serif"
)


def palette() -> Palette:
    """Return the colours of the mode that the reader looks at."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def base_figure(colours: Palette, *, height: int) -> go.Figure:
    """Return an empty figure in the common style: no frame, no legend, no title."""
    figure = go.Figure()
    figure.update_layout(
        template=None,
        paper_bgcolor=CLEAR,
        plot_bgcolor=CLEAR,
        font={"family": SANS, "size": 12.5, "color": colours.ink2},
        margin={"l": 6, "r": 6, "t": 6, "b": 16},
        height=height,
        showlegend=False,
        bargap=0.12,
        dragmode=False,
        modebar={"bgcolor": CLEAR, "color": colours.ink2, "activecolor": colours.ink},
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
    # bars on a second axis, over the pale area
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


# --------------------------------------------------------------------------- votes

VOTES_SHOWN = 12  # words with a bar of their own


def find_strongest(explanation: Any, bit: int) -> tuple[list[tuple[str, float]], float, int]:
    """Return the strongest (word, vote) of a bit, and the sum and number of all others.

    Words stand in order of their vote, 1 before 0; the votes and the rest add up to the sum.
    """
    column = explanation.votes[:, bit]
    order = sorted(range(len(column)), key=lambda i: (-abs(int(column[i])), i))
    top = sorted(order[:VOTES_SHOWN], key=lambda i: (-int(column[i]), i))
    shown = [(explanation.tokens[i], int(column[i]) / SCALE) for i in top]
    rest = int(explanation.sums[bit]) - sum(int(column[i]) for i in top)
    return shown, rest / SCALE, len(column) - len(top)


def votes(explanation: Any, bit: int, *, side: str) -> None:
    """Draw the votes of one side."""
    shown, rest, others = find_strongest(explanation, bit)
    total = int(explanation.sums[bit]) / SCALE
    letter = t(f"compare.side.{side}")
    head = f"<b>{esc(letter)}</b> {esc(t('compare.votes.sum', sum=format_signed(total)))} "
    write_html(f'<p class="lt-text">{head}<b>{int(bool(explanation.bits[bit]))}</b></p>')
    reach = max((abs(vote) for _, vote in shown), default=1.0)
    bars = "".join(
        f'<li class="{"for" if vote > 0 else "against"}" style="--share:{abs(vote) / reach:.3f}">'
        f"<span>{esc(word)}</span><i></i><b>{format_signed(vote)}</b></li>"
        for word, vote in shown
    )
    label = esc(t("compare.votes.alt", side=letter, bit=bit))
    write_html(f'<ul class="lt-votes" aria-label="{label}">{bars}</ul>')
    key = "compare.votes.rest" if others else "compare.votes.all"
    note(t(key, n=others or len(shown), sum=format_signed(rest)))


def format_signed(value: float) -> str:
    """Return a number with its sign, a true minus included."""
    return f"{value:+.1f}".replace("-", "−")
