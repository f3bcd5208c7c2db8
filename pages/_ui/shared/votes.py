"""The words that voted on one bit: the strongest as bars, the rest as one sum, so it adds up."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import streamlit as st

from simhash_core.laboratory import SCALE
from simhash_core.palette import CLEAR

from .charts import base_figure, palette
from .formatting import esc
from .session import t
from .widgets import note, write_html

SHOWN = 12


def strongest(explanation: Any, bit: int) -> tuple[list[tuple[str, float]], float, int]:
    """Return the strongest (word, vote) of a bit, and the sum and number of all others.

    Words stand in order of their vote, 1 before 0; the votes and the rest add up to the sum.
    """
    column = explanation.votes[:, bit]
    order = sorted(range(len(column)), key=lambda i: (-abs(int(column[i])), i))
    top = sorted(order[:SHOWN], key=lambda i: (-int(column[i]), i))
    shown = [(explanation.tokens[i], int(column[i]) / SCALE) for i in top]
    rest = int(explanation.sums[bit]) - sum(int(column[i]) for i in top)
    return shown, rest / SCALE, len(column) - len(top)


def chart(explanation: Any, bit: int, *, side: str) -> None:
    """Draw the votes of one side."""
    shown, rest, others = strongest(explanation, bit)
    total = int(explanation.sums[bit]) / SCALE
    letter = t(f"compare.side.{side}")
    head = f"<b>{esc(letter)}</b> {esc(t('compare.votes.sum', sum=signed(total)))} "
    write_html(f'<p class="lt-text">{head}<b>{int(bool(explanation.bits[bit]))}</b></p>')
    st.plotly_chart(
        _figure(shown),
        theme=None,
        key=f"votes-{side}",
        config={"displayModeBar": False, "responsive": True},
        alt=t(
            "compare.votes.alt",
            side=letter,
            bit=bit,
            words=", ".join(f"{word} {signed(vote)}" for word, vote in shown),
        ),
    )
    key = "compare.votes.rest" if others else "compare.votes.all"
    note(t(key, n=others or len(shown), sum=signed(rest)))


def signed(value: float) -> str:
    """Return a number with its sign, a true minus included."""
    return f"{value:+.1f}".replace("-", "−")


def _figure(shown: list[tuple[str, float]]) -> go.Figure:
    colours = palette()
    values = [vote for _, vote in shown]
    reach = max(map(abs, values), default=1.0) * 1.08
    figure = base_figure(colours, height=26 * max(len(shown), 3) + 16)
    figure.add_bar(
        x=values,
        y=list(range(len(shown))),
        orientation="h",
        customdata=[signed(vote) for vote in values],
        hovertemplate="%{customdata}<extra></extra>",
        marker={
            "color": [colours.ink if vote > 0 else CLEAR for vote in values],
            "line": {"color": colours.ink, "width": 1.25},
        },
    )
    figure.update_layout(
        bargap=0.34,
        margin={"l": 110, "r": 8, "t": 4, "b": 8},
        font={"size": 13, "color": colours.ink},
    )
    figure.update_xaxes(
        range=[-reach, reach],
        showgrid=False,
        showticklabels=False,
        zeroline=True,
        zerolinecolor=colours.ink2,
        zerolinewidth=1,
        fixedrange=True,
    )
    figure.update_yaxes(
        autorange="reversed",
        tickvals=list(range(len(shown))),
        ticktext=[_label(word) for word, _ in shown],
        showgrid=False,
        zeroline=False,
        ticks="",
        fixedrange=True,
    )
    return figure


def _label(word: str) -> str:
    """Return a word as chart text: shortened, and without meaning in the markup of the chart."""
    return esc(word if len(word) <= 14 else word[:13] + "…")
