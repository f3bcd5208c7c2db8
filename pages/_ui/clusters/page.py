"""Clusters: one group at a time, with the evidence that holds it together."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages._ui.clusters import constellation, groups
from pages._ui.clusters.constellation import DRAWN, Line
from pages._ui.components.choice_list import choice_list
from pages._ui.shared import session
from pages._ui.shared.palette import palette
from pages._ui.shared.session import t
from pages._ui.shared.widgets import (
    figure_head,
    foot,
    no_result,
    note,
    open_compare,
    open_document,
    page_head,
    paragraph,
    settle_threshold,
    threshold_slider,
    write_html,
)
from simhash_core import CheckResult, ThresholdView

CLICKED = "lt.clusters.clicked"


def show(result: CheckResult) -> None:
    """Draw the page for the current threshold."""
    open_clicked()
    settle_threshold(result)
    view = session.view()
    if view is None:
        return
    head = groups.lead(view, len(result.documents)) if view.clusters else ("", "")
    with page_head(t("clusters.title"), *head), st.container(width=300):
        threshold_slider(result, label_visibility="visible")
    if not view.clusters:
        none(result)
        return
    left, middle, right = st.columns([3, 7, 5], gap="large")
    with left:
        index = listing(view)
    cluster = view.clusters[index]
    order = constellation.by_distance(
        groups.matrix(result, cluster.members), cluster.members, cluster.centre
    )
    with middle:
        drawn = picture(result, view, index, order)
    with right:
        beside(result, view, index, order, drawn)


def none(result: CheckResult) -> None:
    """Say that nothing is grouped, and which pair comes nearest."""
    sentence = t("clusters.none")
    nearest = groups.nearest_pair(result)
    if nearest is not None:
        a, b, d = nearest
        names = {"a": session.doc_name(a), "b": session.doc_name(b)}
        sentence += " " + t("clusters.none_nearest", **names, d=d)
    paragraph(sentence)
    if nearest is not None and st.button(
        t("frame.nav.compare"), key="open_nearest", icon=":material/vertical_split:"
    ):
        open_compare(nearest[0], nearest[1])


def listing(view: ThresholdView) -> int:
    """Draw the list of clusters and return the open one."""
    figure_head(t("clusters.list.title"))
    index = choice_list(groups.choices(view), key="cluster", label=t("clusters.list.title"))
    note(t("clusters.list.note"))
    if len(view.clusters) > groups.LISTED:
        note(t("clusters.list.more", shown=groups.LISTED, n=len(view.clusters)))
    return index


def picture(result: CheckResult, view: ThresholdView, index: int, order: list[int]) -> list[Line]:
    """Draw the cluster and its sentences; return the lines that are drawn."""
    cluster: Any = view.clusters[index]
    name = groups.cluster_name(index)
    figure_head(name, t("clusters.graph.note"))
    shown = sorted(order[:DRAWN])
    distances = groups.matrix(result, tuple(shown))
    placed = constellation.places(distances, shown, cluster.centre)
    drawn = constellation.lines(result.table, view.within, view.listed, shown)
    spec = constellation.spec(
        drawn,
        placed,
        groups.labels(shown),
        centres=cluster.centres,
        weakest=cluster.weakest[:2] if cluster.links > 1 else (-1, -1),
        weakest_label=t("clusters.graph.weakest", d=cluster.weakest[2]),
        colours=palette(),
    )
    key = f"graph-{view.threshold}-{index}"
    st.echarts_chart(
        spec,
        theme=None,
        height=420,
        key=key,
        on_select=lambda: note_click(key, list(placed), drawn),
        alt=t(
            "clusters.graph.alt",
            name=name,
            members=len(cluster.members),
            links=cluster.links,
            centre=session.doc_name(cluster.centre),
        ),
    )
    for sentence in groups.notes(cluster, len(order) - len(shown), len(shown)):
        note(sentence)
    return drawn


def note_click(key: str, rows: list[int], drawn: list[Line]) -> None:
    """Remember what was clicked: a line is a pair, a circle is a text."""
    chart: Any = session.get(key)
    for item in chart.selection.selected if chart else ():
        for at in item["data_indices"]:
            if item["data_type"] == "edge" and at < len(drawn):
                session.put(CLICKED, (drawn, drawn[at]))
            elif item["data_type"] == "node" and at < len(rows):
                session.put(CLICKED, rows[at])


def open_clicked() -> None:
    """Open what was clicked in the picture."""
    clicked = session.get(CLICKED)
    session.put(CLICKED, None)
    if isinstance(clicked, int):
        open_document(clicked)
    elif clicked is not None:
        open_pairs(*clicked)


def open_pairs(drawn: list[Line], line: Line) -> None:
    """Open a pair; previous and next then walk through the pairs of this cluster."""
    session.set_pair_order([(each.left, each.right) for each in by_closeness(drawn)])
    open_compare(line.left, line.right)


def by_closeness(drawn: list[Line]) -> list[Line]:
    """Return lines closest first."""
    return sorted(drawn, key=lambda line: (line.distance, line.left, line.right))


def beside(
    result: CheckResult, view: ThresholdView, index: int, order: list[int], drawn: list[Line]
) -> None:
    """Draw the members and what a moved threshold would do."""
    figure_head(t("clusters.members.title"), t("clusters.members.note"))
    write_html(groups.members_table(result, view.clusters[index], order))
    if len(order) > groups.ROWS:
        note(t("clusters.members.more", n=len(order) - groups.ROWS))
    figure_head(t("clusters.moves.title"))
    write_html(groups.moves_table(result, view, index))
    if drawn and st.button(t("clusters.open"), key="open_pairs", icon=":material/vertical_split:"):
        open_pairs(drawn, by_closeness(drawn)[0])


def draw() -> None:
    """Draw the page, or the way to a first check."""
    result = session.result()
    if result is None:
        no_result(t("clusters.title"))
    else:
        show(result)
        foot()
