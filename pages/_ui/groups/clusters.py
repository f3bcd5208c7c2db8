"""Texts alike as a whole: the clusters by fingerprint, one with the links between its members."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from simhash_core import CheckResult, ThresholdView
from simhash_core.model import NO_DISTANCE
from simhash_core.numbers import divide_text
from simhash_core.report import cluster_lines
from simhash_core.result import Cluster
from simhash_core.seen import distance_matrix

from ..components.pictures import Entry, Graph, Link, Member, chosen_cluster, cluster_board
from ..shared import session
from ..shared.formatting import cluster_name, notation
from ..shared.session import find_naming, t
from ..shared.tab import tab
from ..shared.widgets import (
    expected_text,
    note,
    open_compare,
    open_document,
    paragraph,
    python_button,
    threshold_slider,
)

_BOARD, _FOLD = "cluster_board", "alike_as_whole"  # keys
DRAWN = 31  # the middle and its 30 nearest; with more the labels overlap
STEP = 27.0  # between two neighbours on the circle, in units of the picture
MARGIN = 26.0
NAMED = 3  # members of a cluster that its line in the list names

Place = tuple[float, float]


def draw_fold(result: CheckResult) -> None:
    """Draw the fold; what is in it is computed once it is opened."""
    view = session.view()
    assert view is not None
    title = f"**{t('clusters.title')}** {t('clusters.lead', n=len(view.clusters))}"
    with st.expander(title, key=_FOLD, on_change="rerun") as fold:
        if not fold.open:
            return
        paragraph(t("clusters.meaning", bits=result.fingerprints.bits))
        k = threshold_slider(result, label_visibility="visible")
        note(expected_text(k))
        if view.clusters:
            _draw_board(result, view)
            kind = t("report.kind.cluster")
            note(t("clusters.report", menu=t("report.menu.title"), kind=kind))
        else:
            _say_none(result)
        python_button("leitong-clusters.py", cluster_lines(result.settings, k))


def find_open_members(view: ThresholdView) -> tuple[int, ...]:
    """Return the members of the cluster that is looked at, nobody while the fold is closed."""
    if not session.get(_FOLD) or not view.clusters:
        return ()
    return view.clusters[chosen_cluster(_BOARD, len(view.clusters))].members


def _say_none(result: CheckResult) -> None:
    """Say that nothing is close enough, and which pair comes nearest."""
    sentence, pairs = t("clusters.none"), result.table.pairs
    best = int(np.argmin(pairs.distance)) if len(result.table) else -1
    if best < 0 or int(pairs.distance[best]) == NO_DISTANCE:
        paragraph(sentence)
        return
    a, b = int(pairs.left[best]), int(pairs.right[best])
    names = {"a": find_naming().short(a), "b": find_naming().short(b)}
    paragraph(f"{sentence} {t('clusters.none_nearest', **names, d=int(pairs.distance[best]))}")
    if st.button(t("results.read_both"), key="open_nearest", icon=":material/vertical_split:"):
        open_compare(a, b)


def _draw_board(result: CheckResult, view: ThresholdView) -> None:
    """Draw list, picture and members; open what is chosen there."""
    index = chosen_cluster(_BOARD, len(view.clusters))
    cluster = view.clusters[index]
    order = sort_by_distance(result, cluster)
    drawn = draw_graph(result, view, cluster, order)
    opened = cluster_board(
        key=_BOARD,
        entries=[_entry(at, one) for at, one in enumerate(view.clusters)],
        selected=index,
        members=_members(result, cluster, order),
        graph=drawn,
        words=_words(view, index),
    )
    if opened is None:
        return
    rows = [order[place] for place in opened.places]
    if opened.kind == "text":
        open_document(rows[0])
    else:
        tab.pair_order = tuple(ends for ends, _ in list_links(result, view, cluster.members))
        open_compare(rows[0], rows[1])


def _words(view: ThresholdView, index: int) -> dict[str, str]:
    """Return what the board says."""
    cluster, prefix = view.clusters[index], find_naming().prefix
    size, name = len(cluster.members), cluster_name(index, title=True)
    listed = ("no", "who", "texts", "weakest")
    board = ("read", "compare", "compare_centre", "text", "to_centre", "overlap")
    feet = [t("clusters.graph.centre")]
    if cluster.passage_links:
        feet.append(t("clusters.graph.by_passages"))
    if size > DRAWN:
        feet.append(t("clusters.graph.folded", shown=DRAWN - 1, n=size - DRAWN))
    return {
        **{key: t(f"clusters.list.{key}") for key in listed},
        **{key: t(f"clusters.board.{key}") for key in board},
        "all": t("clusters.list.title"),
        "all_note": t("clusters.list.note"),
        "all_foot": t("clusters.list.foot"),
        "members": t("clusters.members.title"),
        "members_note": t("clusters.members.note", n=size),
        "members_foot": t("frame.prefix", prefix=prefix) if prefix else "",
        "name": name,
        "graph_note": t("clusters.graph.note", n=cluster.links),
        "graph_foot": "\n".join(feet),
        "couple": t("clusters.couple", d=_bits(cluster.weakest[2])),
        "alt": t("clusters.graph.alt", name=name, members=size, links=cluster.links),
    }


def _entry(index: int, cluster: Cluster) -> Entry:
    centre, size = cluster.centre, len(cluster.members)
    named = [centre, *(row for row in cluster.members if row != centre)][:NAMED]
    return Entry(
        " · ".join(map(find_naming().short, named)),
        size,
        _bits(cluster.weakest[2]),
        t("clusters.list.entry", name=cluster_name(index), n=size),
    )


def _bits(distance: int) -> str:
    """Return a distance, or a dash where a text has no fingerprint."""
    return t("clusters.members.unknown") if distance == NO_DISTANCE else str(distance)


def _to_centre(result: CheckResult, cluster: Cluster, rows: Sequence[int]) -> NDArray[np.uint16]:
    """Return the distance of each row to the text in the middle."""
    asked = (cluster.centre, *rows)
    square: NDArray[np.uint16] = session.memo(
        ("to centre", asked), lambda: distance_matrix(result, asked)
    )
    return square[0, 1:]


def sort_by_distance(result: CheckResult, cluster: Cluster) -> list[int]:
    """Return the members, the one in the middle first, then the nearest to it."""
    rest = [row for row in cluster.members if row != cluster.centre]
    order = np.argsort(_to_centre(result, cluster, rest), kind="stable")
    return [cluster.centre, *(rest[at] for at in order.tolist())]


def _members(result: CheckResult, cluster: Cluster, order: Sequence[int]) -> list[Member]:
    names, rows = find_naming(), []
    for row, distance in zip(order, _to_centre(result, cluster, order).tolist(), strict=True):
        centre, overlap = row == cluster.centre, notation().total(divide_text(result, row))
        facts = t("clusters.members.facts", d=_bits(distance), share=overlap)
        if centre:
            facts = t("clusters.members.facts_centre", share=overlap)
        shown = t("clusters.members.unknown") if centre else _bits(distance)
        rows.append(Member(names.stems[row], names.whole[row], shown, overlap, facts, centre))
    return rows


# --------------------------------------------------------------------------- the picture


def list_links(
    result: CheckResult, view: ThresholdView, members: Sequence[int]
) -> list[tuple[tuple[int, int], bool]]:
    """Return the pairs among members, closest first, and whether the fingerprints join each."""
    pairs, rows = result.table.pairs, np.flatnonzero(view.listed)
    inside = np.isin(pairs.left[rows], members) & np.isin(pairs.right[rows], members)
    rows = rows[inside][np.argsort(pairs.distance[rows[inside]], kind="stable")]
    ends = zip(pairs.left[rows].tolist(), pairs.right[rows].tolist(), strict=True)
    return list(zip(ends, view.within[rows].tolist(), strict=True))


def draw_graph(
    result: CheckResult, view: ThresholdView, cluster: Cluster, order: Sequence[int]
) -> Graph | None:
    """Return the picture; None for two members, whom a sentence describes."""
    if len(order) < 3:
        return None
    drawn = list(order[:DRAWN])
    at, apart = {row: place for place, row in enumerate(drawn)}, distance_matrix(result, drawn)
    top = int(apart[apart != NO_DISTANCE].max(initial=0)) or 1  # copies are no bit apart
    links = []
    for ends, near in list_links(result, view, drawn):
        a, b = at[ends[0]], at[ends[1]]
        distance = int(apart[a, b])
        unknown, weakest = distance == NO_DISTANCE, {*ends} == {*cluster.weakest[:2]}
        said = t("frame.matrix.none") if unknown else t("frame.matrix.bits").format(d=distance)
        links.append(
            Link(
                a,
                b,
                label=f"{a + 1} – {b + 1}: {said}",
                closeness=0.0 if unknown else round(1 - distance / (top * 1.1), 3),
                dashed=not near,
                weakest=_bits(distance) if weakest and cluster.links > 1 else "",
            )
        )
    spots, size = place_around(len(drawn) - 1)
    return Graph(spots, size, size, links)


def place_around(count: int) -> tuple[list[Place], float]:
    """Place one text in the middle and so many around it; return them and the size of the picture.

    No line between two of them runs through the middle; many stand on two circles by turns.
    """
    slots = max(count if count % 2 else count + 1, 3)
    reach = max(170.0, slots * STEP / (2 * math.pi))
    start = math.pi / 6 if count == 2 else -math.pi / 2  # two stand below the middle
    middle = reach + MARGIN
    spots = [(middle, middle)]
    for turn in range(count):
        angle = start + 2 * math.pi * turn / slots
        far = reach * (0.68 if count > 12 and turn % 2 else 1.0)
        spots.append(
            (round(middle + far * math.cos(angle), 1), round(middle + far * math.sin(angle), 1))
        )
    return spots, 2 * middle
