"""Clusters: one group at a time, with the links between its members."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages._ui.clusters import changes, groups
from pages._ui.clusters.constellation import GRAPH_UP_TO, Line, lines
from pages._ui.components.pictures import Graph, Opened, chosen_cluster, cluster_board
from pages._ui.shared import navigation, session
from pages._ui.shared.decided import progress
from pages._ui.shared.formatting import cluster_name
from pages._ui.shared.reports import report_popover
from pages._ui.shared.session import naming, t
from pages._ui.shared.widgets import (
    figure_head,
    foot,
    no_result,
    open_compare,
    open_document,
    page_head,
    paragraph,
    python_button,
    settle_threshold,
    threshold_slider,
    write_html,
)
from simhash_core import CheckResult, ThresholdView
from simhash_core.report import cluster_lines
from simhash_core.result import Cluster

STYLE = Path(__file__).parent / "clusters.css"
BOARD = "cluster_board"


def show(result: CheckResult) -> None:
    """Draw the page for the current threshold."""
    settle_threshold(result)
    view = session.view()
    assert view is not None
    head = groups.lead(view, len(result.documents)) if view.clusters else ("", "")
    with page_head(t("clusters.title"), *head):
        walk = st.button(
            t("clusters.open"),
            key="open_pairs",
            icon=":material/vertical_split:",
            disabled=not view.clusters,
        )
        if view.clusters:
            opened_cluster = view.clusters[chosen_cluster(BOARD, len(view.clusters))]
            with report_popover(("cluster",), opened_cluster.members):
                lines = cluster_lines(result.settings, view.threshold)
                python_button("leitong-clusters.py", lines)
    if not view.clusters:
        threshold(result)
        none(result)
        return
    index = chosen_cluster(BOARD, len(view.clusters))
    cluster = view.clusters[index]
    communities = groups.communities_of(result, cluster)
    order = groups.numbered(result, cluster, communities)
    threshold(result)
    picture = groups.graph(result, view, cluster, communities)
    opened = board(result, view, index, order, picture[0] if picture else None)
    if walk:
        open_first(result, view, cluster)
    elif opened is not None:
        go_on(opened, order, picture[1] if picture else [])


def threshold(result: CheckResult) -> None:
    """Draw the slider between the states of the clusters and who joins at each."""
    figure_head(t("clusters.changes.title"), t("clusters.changes.note"))
    with st.container(key="cluster-threshold", gap=None):
        above = st.container(gap=None)
        k = threshold_slider(result)
        drawn = changes.picture(result, k)
        with above:
            write_html(drawn.above)
        write_html(drawn.below)


def none(result: CheckResult) -> None:
    """Say that nothing is grouped, and which pair comes nearest."""
    sentence = t("clusters.none")
    nearest = groups.nearest_pair(result)
    if nearest is not None:
        a, b, d = nearest
        names = {"a": naming().short(a), "b": naming().short(b)}
        sentence += " " + t("clusters.none_nearest", **names, d=d)
    paragraph(sentence)
    if nearest is not None and st.button(
        t("frame.nav.compare"), key="open_nearest", icon=":material/vertical_split:"
    ):
        open_compare(nearest[0], nearest[1])


def board(
    result: CheckResult,
    view: ThresholdView,
    index: int,
    order: list[int],
    picture: Graph | None,
) -> Opened | None:
    """Draw list, picture and members; return what the reader opens."""
    cluster = view.clusters[index]
    return cluster_board(
        key=BOARD,
        entries=groups.entries(view),
        selected=index,
        members=groups.members(result, cluster, order),
        graph=picture,
        matrix=groups.matrix(result, cluster, order),
        matrix_first=len(cluster.members) > GRAPH_UP_TO,
        words=words(view, index, len(picture.places) if picture else 0),
    )


def words(view: ThresholdView, index: int, drawn: int) -> dict[str, str]:
    """Return what the board says."""
    cluster, prefix = view.clusters[index], naming().prefix
    size = len(cluster.members)
    keys = {
        **{name: f"clusters.list.{name}" for name in ("no", "who", "texts", "weakest")},
        **{name: f"clusters.board.{name}" for name in (
            "graph", "matrix", "read", "compare", "compare_centre", "text", "to_centre", "overlap",
        )},
        "all": "clusters.list.title",
        "all_note": "clusters.list.note",
        "members": "clusters.members.title",
    }  # fmt: skip
    possible = size * (size - 1) // 2
    note = t("clusters.graph.note", links=cluster.links, possible=possible)
    more = t("clusters.graph.folded", shown=drawn - 1, n=size - drawn) if size > drawn else ""
    return {
        **{name: t(key) for name, key in keys.items()},
        "name": cluster_name(index, title=True),
        "all_foot": t("clusters.list.foot", n=len(view.clusters)),
        "graph_note": note,
        "matrix_note": t("clusters.matrix.note", n=min(size, groups.IN_MATRIX)),
        "graph_foot": "\n".join(filter(None, [more, *_held(cluster)])),
        "matrix_foot": t("clusters.matrix.foot"),
        "members_note": " · ".join(
            filter(None, [t("clusters.members.note", n=size), _decided(view, cluster)])
        ),
        "members_foot": t("frame.prefix", prefix=prefix) if prefix else "",
        "couple": t("clusters.couple", d=groups.bits_text(cluster.weakest[2])),
        "alt": t("clusters.graph.alt", name=cluster_name(index, title=True), members=size,
                 links=cluster.links, centre=session.doc_name(cluster.centre)),
    }  # fmt: skip


def _decided(view: ThresholdView, cluster: Cluster) -> str:
    result = session.result()
    assert result is not None
    pairs = lines(result.table, view.within, view.listed, cluster.members)
    return progress((line.left, line.right) for line in pairs)


def _held(cluster: Cluster) -> list[str]:
    """Return sentences on the centre of the cluster, and on its bridge."""
    many = len(set(cluster.centres)) > 1
    sentences = [t("clusters.graph.centres" if many else "clusters.graph.centre")]
    if len(cluster.bridges) == 1:
        sentences.append(t("clusters.graph.bridge"))
    return sentences


def open_first(result: CheckResult, view: ThresholdView, cluster: Cluster) -> None:
    """Open the closest pair of a cluster; previous and next then walk through all of them."""
    pairs = lines(result.table, view.within, view.listed, cluster.members)
    open_pair(pairs, by_closeness(pairs)[0])


def go_on(opened: Opened, order: list[int], drawn: list[Line]) -> None:
    """Open what was chosen on the board."""
    rows = [order[place] for place in opened.places]
    if opened.kind == "text":
        open_document(rows[0])
        return
    session.set_pair_order([(line.left, line.right) for line in by_closeness(drawn)])
    open_compare(rows[0], rows[1])


def open_pair(drawn: list[Line], line: Line) -> None:
    """Open one line among others."""
    session.set_pair_order([(each.left, each.right) for each in by_closeness(drawn)])
    open_compare(line.left, line.right)


def by_closeness(drawn: list[Line]) -> list[Line]:
    """Return lines closest first."""
    return sorted(drawn, key=lambda line: (line.distance, line.left, line.right))


def draw() -> None:
    """Draw the page, or the way to a first check."""
    result = session.result()
    if result is None:
        no_result(t("clusters.title"))
        return
    navigation.keep_only("k")
    st.html(STYLE)
    show(result)
    foot()
