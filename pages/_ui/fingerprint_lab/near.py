"""The third chapter: how many bits may differ, what it costs to look, and MinHash beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from simhash_core.lab.laboratories import count_chance_pairs, plan_search, similarity_measures
from simhash_core.model import F64

from ..components.lists import Run, draw_table
from ..shared import session
from ..shared.charts import base_figure, palette
from ..shared.formatting import esc, number
from ..shared.session import t
from ..shared.widgets import figure_head, note, write_html

WIDTHS = (64, 128, 256)
CLASS, SCHOOL, WEB = 34, 5_000, 1_000_000  # texts
STORED = 10_000_000  # texts whose index is reckoned
CLASSIC, FIRST, FAR = 3, 9, 16  # of 64 bits: the classic rule, what is chosen first, far off
SAFE = 0.01  # false pairs a check
TICKS = {-6: "millionth", -3: "thousandth", 0: "one", 3: "thousand", 6: "million", 9: "milliard"}
NEVER = 1e-15  # of which nobody can say how often it happens
DASHES = ("solid", "dash", "dot")


def choose_width() -> None:
    """Let the reader choose how wide fingerprints are."""
    names = {width: t("fingerprint_lab.board.title", bits=width) for width in WIDTHS}
    st.segmented_control(
        t("fingerprint_lab.bits"), WIDTHS, default=WIDTHS[0], key="lab_near_bits", required=True,
        persist_state="session", label_visibility="collapsed", format_func=names.__getitem__,
    )  # fmt: skip


def draw_near(traced: Mapping[int, Any]) -> None:
    """Draw the false pairs to expect at each threshold, the cost of an index, and MinHash."""
    result = session.result()
    bits = int(session.get("lab_near_bits") or WIDTHS[0])
    sizes = {"class": result.checked if result else CLASS, "school": SCHOOL, "web": WEB}
    expected = {name: count_chance_pairs(n, bits) for name, n in sizes.items()}
    headline = st.container()
    figure_head(t("fingerprint_lab.near.title"), t("fingerprint_lab.near.note"))
    top = bits // 2
    with st.container(key="distance-figure", gap=None):
        drawing = st.container(gap=None)
        k = int(st.slider(
            t("fingerprint_lab.near.slider"), 0, top, FIRST * bits // 64,
            key=f"lab_near_{bits}", persist_state="session", label_visibility="collapsed",
        ))  # fmt: skip
        marks = "".join(
            f'<span style="left:{100 * at / top:.3f}%">{at}</span>'
            for at in sorted({0, CLASSIC * bits // 64, *range(top // 4, top + 1, top // 4)})
        )
        write_html(f'<div class="lt-axis" aria-hidden="true">{marks}</div>')
    told = {name: say_odds(float(curve[k]), "say_") for name, curve in expected.items()}
    sentence = t(
        "fingerprint_lab.near.say",
        k=f"<b>{esc(t('fingerprint_lab.near.bits', n=k))}</b>",
        web=f"<b>{esc(told['web'])}</b>",
        room=esc(told["class"]),
    )
    headline.html(f'<p class="lab-say">{sentence}</p>')
    names = {
        name: t(f"fingerprint_lab.near.{name}", n=n, count=number(n)) for name, n in sizes.items()
    }
    with drawing:
        st.plotly_chart(
            chance_figure({names[name]: curve for name, curve in expected.items()}, k, top),
            theme=None, key="lab_chance", config={"displayModeBar": False, "responsive": True},
            alt=t("fingerprint_lab.near.alt", k=k, web=told["web"], room=told["class"]),
        )  # fmt: skip
    _draw_table(names, sizes, expected, k)
    note(t("fingerprint_lab.near.ideal"))
    _draw_cost(k, bits)
    if len(traced) == 2:
        _draw_rulers(traced)


def say_odds(expected: float, kind: str = "") -> str:
    """Return an expected number of false pairs: how many, or one in how many checks.

    `kind` is "say_" within a sentence, "" in a table.
    """
    if expected < NEVER:
        return t(f"fingerprint_lab.near.{kind}never")
    if expected >= 1:
        return t(f"fingerprint_lab.near.{kind}about", n=number(round_number(expected)))
    return t(f"fingerprint_lab.near.{kind}one_in", n=number(round_number(1 / expected)))


def round_number(value: float) -> int:
    """Round to two digits, as far as an estimate carries."""
    return int(round(value, 1 - math.floor(math.log10(value))))


def chance_figure(curves: Mapping[str, F64], k: int, top: int) -> go.Figure:
    """Draw expected false pairs against the threshold, on a logarithmic scale with words."""
    colours = palette()
    figure = base_figure(colours, height=330)
    low, high = min(TICKS) - 0.6, 12.6
    x = np.arange(top + 1)
    figure.add_shape(
        type="rect", x0=0, x1=k, y0=0, y1=1, yref="paper", layer="below",
        fillcolor=colours.surf, line={"width": 0},
    )  # fmt: skip
    figure.add_shape(type="line", x0=k, x1=k, y0=0, y1=1, yref="paper",
                     line={"width": 1.5, "color": colours.ink})  # fmt: skip
    classic = CLASSIC * (2 * top) // 64
    figure.add_shape(type="line", x0=classic, x1=classic, y0=0, y1=1, yref="paper",
                     line={"width": 1.25, "color": colours.ink2, "dash": "dot"})  # fmt: skip
    figure.add_annotation(
        x=classic, y=1, yref="paper", xanchor="left", yanchor="top", xshift=4, showarrow=False,
        text=t("fingerprint_lab.near.classic", n=classic, bits=2 * top), font={"size": 12},
    )  # fmt: skip
    for (name, curve), dash in zip(curves.items(), DASHES, strict=True):
        y = np.log10(np.maximum(curve[: top + 1], 1e-300))
        figure.add_scatter(
            x=x, y=np.where(y >= low, y, np.nan), mode="lines",
            customdata=[say_odds(float(value)) for value in curve[: top + 1]],
            hovertemplate=f"{esc(name)}: %{{customdata}}<extra></extra>",
            line={"color": colours.accent, "dash": dash, "width": 2.25},
        )  # fmt: skip
        figure.add_annotation(
            x=1, xref="paper", y=float(y[-1]), xanchor="right", yanchor="bottom", yshift=3,
            showarrow=False, text=esc(name), font={"color": colours.ink, "size": 13},
        )  # fmt: skip
        if y[k] >= low:
            figure.add_scatter(
                x=[k], y=[float(y[k])], mode="markers", hoverinfo="skip", cliponaxis=False,
                marker={"size": 9, "color": colours.bg, "line": {"width": 2, "color": colours.ink}},
            )  # fmt: skip
    figure.update_xaxes(range=[0, top], showticklabels=False, showline=False)
    figure.update_yaxes(
        range=[low, high], tickvals=list(TICKS),
        ticktext=[t(f"fingerprint_lab.near.tick.{name}") for name in TICKS.values()],
        ticklabelposition="inside top", showgrid=True,
    )  # fmt: skip
    return figure


def _draw_table(
    names: Mapping[str, str], sizes: Mapping[str, int], expected: Mapping[str, F64], k: int
) -> None:
    """Draw the same in numbers, with the check that is open as it was measured."""
    bits = len(expected["web"]) - 1
    columns = sorted({CLASSIC * bits // 64, k, FAR * bits // 64})
    heads = [(t("fingerprint_lab.near.texts"), "names"), (t("fingerprint_lab.near.pairs"), "num")]
    heads += [(t("fingerprint_lab.near.at", n=at), "num") for at in columns]
    heads.append((t("fingerprint_lab.near.safe"), "num"))
    rows = [
        (names[name], number(sizes[name] * (sizes[name] - 1) // 2), expected[name])
        for name in sizes
    ]
    result = session.result()
    if result is not None and result.fingerprints.bits == bits:
        measured = np.array([result.limits.expected(at) for at in range(bits + 1)])
        rows.append(
            (t("fingerprint_lab.near.measured"), number(result.limits.background.pairs), measured)
        )
    shown: list[list[Run]] = []
    for name, pairs, curve in rows:
        within = np.flatnonzero(curve <= SAFE)
        safe = t("fingerprint_lab.near.bits", n=int(within[-1])) if len(within) else "—"
        odds = [
            {"text": say_odds(float(curve[at])), "style": "chosen" if at == k else ""}
            for at in columns
        ]
        shown.append([name, pairs, *odds, safe])
    draw_table("lab_near", t("fingerprint_lab.near.title"), heads, shown)
    note(t("fingerprint_lab.near.safe_note"))


def _draw_cost(k: int, bits: int) -> None:
    """Draw what each way to all pairs of ten million texts would cost, as the planner reckons."""
    plan = plan_search(STORED, k, bits)
    figure_head(
        t("fingerprint_lab.cost.title", n=number(STORED)),
        t("fingerprint_lab.cost.note", k=k, bits=bits),
    )
    if not plan.seconds:
        note(t("fingerprint_lab.cost.equal"))
        return
    best = sorted(plan.seconds, key=plan.seconds.__getitem__)
    listed = [*best[:3], *(["linear"] if "linear" not in best[:3] else [])]
    rows = []
    for name in listed:
        way = (
            t("fingerprint_lab.cost.linear")
            if name == "linear"
            else t("fingerprint_lab.cost.blocks", name=name)
        )
        compared = number(round_number(max(plan.candidates[name], 1)))
        rows.append([way, compared, _say_time(plan.seconds[name])])
    heads = [(t(f"fingerprint_lab.cost.{name}"), kind) for name, kind in
             (("way", "names"), ("compared", "num"), ("time", "num"))]  # fmt: skip
    title = t("fingerprint_lab.cost.title", n=number(STORED))
    draw_table("lab_cost", title, heads, rows, chosen=[listed.index(plan.name)])
    memory = number(round(STORED * bits / 8 / 1e6))
    note(t("fingerprint_lab.cost.exact", memory=memory))


def _say_time(seconds: float) -> str:
    """Return a duration in the unit that suits it."""
    for name, length in (("hours", 3600), ("minutes", 60)):
        if seconds >= 1.5 * length:
            return t(f"fingerprint_lab.cost.{name}", n=number(round_number(seconds / length)))
    return t("fingerprint_lab.cost.seconds", n=f"{seconds:.1f}")


def _draw_rulers(traced: Mapping[int, Any]) -> None:
    """Draw the two texts of the second chapter by SimHash and by MinHash, each beside the truth."""
    measured = similarity_measures(*traced.values())
    figure_head(t("fingerprint_lab.rulers.title"), t("fingerprint_lab.rulers.note"))
    estimate, low, high = measured.cosine
    rows = [
        (
            "hamming",
            measured.distance / measured.bits,
            f"{measured.distance} / {measured.bits}",
            "",
        ),
        ("cosine", estimate, f"{estimate:.2f}", f"{low:.2f}–{high:.2f}"),
        ("true", measured.true_cosine, f"{measured.true_cosine:.2f}", ""),
        ("minhash", measured.minhash, f"{measured.minhash:.2f}", ""),
        ("jaccard", measured.jaccard, f"{measured.jaccard:.2f}", ""),
    ]
    shown: list[list[Run]] = [
        [
            f"{t(f'fingerprint_lab.ruler.{name}')} {between}",
            {"as": "bar", "parts": [("hold-2", max(share, 0))], "whole": 1, "text": value},
        ]
        for name, share, value, between in rows
    ]
    draw_table("lab_rulers", t("fingerprint_lab.rulers.title"), [("", "names"), ("", "")], shown)
    note(t("fingerprint_lab.rulers.difference"))
