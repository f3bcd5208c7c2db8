"""Clusters: one group at a time, with the links between its members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from simhash_core import CheckResult, ThresholdView
from simhash_core.result import Cluster
from simhash_core.seen import ClusterState, cluster_states

from ..components.pictures import Graph, Opened, chosen_cluster, cluster_board
from ..shared import session
from ..shared.decided import progress
from ..shared.formatting import cluster_name, esc, number
from ..shared.session import find_naming, t
from ..shared.widgets import (
    figure_head,
    open_compare,
    open_document,
    paragraph,
    settle_threshold,
    threshold_slider,
    threshold_top,
    write_html,
)
from . import members as groups
from .members import GRAPH_UP_TO, Line, lines

STYLE = Path(__file__).parent / "clusters.css"
BOARD = "cluster_board"


def show(result: CheckResult) -> None:
    """Draw the page for the current threshold."""
    settle_threshold(result)
    view = session.view()
    assert view is not None
    st.html(STYLE)
    with st.container(key="noprint-clusters", horizontal=True):
        walk = st.button(
            t("clusters.open"),
            key="open_pairs",
            icon=":material/vertical_split:",
            disabled=not view.clusters,
        )
    if not view.clusters:
        threshold(result)
        say_none(result)
        return
    index = chosen_cluster(BOARD, len(view.clusters))
    cluster = view.clusters[index]
    communities = groups.communities_of(result, cluster)
    order = groups.number_members(result, cluster, communities)
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
        top = threshold_top(result)
        states = session.memo(("cluster states", top), lambda: cluster_states(result, top))
        drawn = session.memo(
            ("cluster changes", k, session.language(), session.hide_names()),
            lambda: _draw_map(states, k, top, len(result.documents)),
        )
        with above:
            write_html(drawn.above)
        write_html(drawn.below)


def say_none(result: CheckResult) -> None:
    """Say that nothing is grouped, and which pair comes nearest."""
    sentence = t("clusters.none")
    nearest = groups.nearest_pair(result)
    if nearest is not None:
        a, b, d = nearest
        names = {"a": find_naming().short(a), "b": find_naming().short(b)}
        sentence += " " + t("clusters.none_nearest", **names, d=d)
    paragraph(sentence)
    if nearest is not None and st.button(
        t("results.read_both"), key="open_nearest", icon=":material/vertical_split:"
    ):
        open_compare(nearest[0], nearest[1])


def board(
    result: CheckResult, view: ThresholdView, index: int, order: list[int], picture: Graph | None
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
    cluster, prefix = view.clusters[index], find_naming().prefix
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
    result = session.result()
    assert result is not None
    pairs = lines(result.table, view.within, view.listed, cluster.members)
    decided = progress((line.left, line.right) for line in pairs)
    many = len(set(cluster.centres)) > 1
    sentences = [t("clusters.graph.centres" if many else "clusters.graph.centre")]
    if len(cluster.bridges) == 1:
        sentences.append(t("clusters.graph.bridge"))
    return {
        **{name: t(key) for name, key in keys.items()},
        "name": cluster_name(index, title=True),
        "all_foot": t("clusters.list.foot", n=len(view.clusters)),
        "graph_note": note,
        "matrix_note": t("clusters.matrix.note", n=min(size, groups.IN_MATRIX)),
        "graph_foot": "\n".join(filter(None, [more, *sentences])),
        "matrix_foot": t("clusters.matrix.foot"),
        "members_note": " · ".join(filter(None, [t("clusters.members.note", n=size), decided])),
        "members_foot": t("frame.prefix", prefix=prefix) if prefix else "",
        "couple": t("clusters.couple", d=groups.bits_text(cluster.weakest[2])),
        "alt": t("clusters.graph.alt", name=cluster_name(index, title=True), members=size,
                 links=cluster.links, centre=session.doc_name(cluster.centre)),
    }  # fmt: skip


def open_first(result: CheckResult, view: ThresholdView, cluster: Cluster) -> None:
    """Open the closest pair of a cluster; previous and next then walk through all of them."""
    pairs = lines(result.table, view.within, view.listed, cluster.members)
    line = sort_by_closeness(pairs)[0]
    session.set_pair_order([(each.left, each.right) for each in sort_by_closeness(pairs)])
    open_compare(line.left, line.right)


def go_on(opened: Opened, order: list[int], drawn: list[Line]) -> None:
    """Open what was chosen on the board."""
    rows = [order[place] for place in opened.places]
    if opened.kind == "text":
        open_document(rows[0])
        return
    session.set_pair_order([(line.left, line.right) for line in sort_by_closeness(drawn)])
    open_compare(rows[0], rows[1])


def sort_by_closeness(drawn: list[Line]) -> list[Line]:
    """Return lines closest first."""
    return sorted(drawn, key=lambda line: (line.distance, line.left, line.right))


# --------------------------------------------------------------------------- changes
DRAWN = 6  # states with their groups, those nearest to the threshold
APART = 11.0  # percent of the axis between two of them
PILLS, DOTS, COUNTED = 4, 12, 40  # groups of a state; dots of a group, of a box; above, a number
NAMED = 2  # texts that are named


@dataclass(frozen=True, slots=True)
class ChangedMap:
    """What stands over the slider and under it, as HTML made of escaped parts."""

    above: str
    below: str


def _draw_map(states: Sequence[ClusterState], k: int, top: int, texts: int) -> ChangedMap:
    shown = set(chosen_change([state.threshold for state in states], k, top))
    in_force = max((state.threshold for state in states if state.threshold <= k), default=-1)
    columns, ticks, sentences = [], [], []
    for state in states:
        at, words = 100 * state.threshold / top, _words(state, texts)
        sentences.append(t("clusters.changes.at", k=state.threshold, words=words))
        if state.threshold not in shown:
            ticks.append(f'<i style="left:{at:.2f}%"></i>')
            continue
        now = " now" if state.threshold == in_force else ""
        changed = set(state.changed)
        ranked = sorted(range(len(state.groups)), key=lambda at: (at not in changed, at))
        pills = "".join(_pill(state, group) for group in sorted(ranked[:PILLS]))
        edge = " first" if at < APART / 2 else " last" if at > 100 - APART / 2 else ""
        columns.append(f'<div class="state{now}{edge}" style="left:{at:.2f}%">{pills}</div>')
        ticks.append(
            f'<i class="named{now}{edge}" style="left:{at:.2f}%"><b>{state.threshold}</b>'
            f"<span>{esc(words)}</span></i>"
        )
    label = esc(t("clusters.changes.label", n=len(states)) + " ".join(sentences[:COUNTED]))
    return ChangedMap(
        f'<div class="lt-states" role="img" aria-label="{label}">{"".join(columns)}</div>',
        f'<div class="lt-ticks" aria-hidden="true">{"".join(ticks)}</div>',
    )


def chosen_change(thresholds: Sequence[int], k: int, top: int) -> list[int]:
    """Return the thresholds drawn with their groups: near `k`, and `APART` from each other."""
    taken: list[int] = []
    for each in sorted(thresholds, key=lambda one: (abs(one - k), one)):
        if len(taken) == DRAWN:
            break
        if all(100 * abs(each - other) >= APART * top for other in taken):
            taken.append(each)
    return sorted(taken)


def _pill(state: ClusterState, group: int) -> str:
    n, kind = len(state.groups[group]), "new" if group in state.changed else ""
    if n > COUNTED:
        return f'<span class="pill {kind}">{number(n)}</span>'
    box = " box" if n > DOTS else ""
    return f'<span class="pill {kind}{box}">{"<i></i>" * n}</span>'


def _words(state: ClusterState, texts: int) -> str:
    """Say who joins, or what becomes one."""
    largest = len(state.groups[0])
    if 0 in state.changed and 2 * largest > texts and largest > DOTS:
        return t("clusters.changes.most", n=largest)
    if len(state.changed) > NAMED:
        return t("clusters.changes.many", clusters=len(state.changed), n=len(state.joined))
    if not state.joined:
        return t("clusters.changes.merged", n=state.merged)
    names = [find_naming().short(row) for row in state.joined[:NAMED]]
    rest = len(state.joined) - len(names)
    listed = t("clusters.changes.separator").join(names)
    if rest:
        listed = t("clusters.changes.and_more", names=listed, n=rest)
    return t("clusters.changes.joins", names=listed) if state.merged else listed
