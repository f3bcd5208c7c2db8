"""Texts alike as a whole: the clusters by fingerprint, one with the links between its members."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from simhash_core import CheckResult, ThresholdView
from simhash_core.model import NO_DISTANCE
from simhash_core.numbers import divide_text
from simhash_core.report import cluster_lines
from simhash_core.result import Cluster
from simhash_core.seen import distance_matrix

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
from .map import COLUMNS_MOST, MOST_DRAWN, Line, draw_map, find_chosen, lay_map, list_heads

_KEY, _FOLD = "clusters", "alike_as_whole"  # keys


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
            _draw_clusters(result, view)
            kind = t("report.kind.cluster")
            note(t("clusters.report", menu=t("report.menu.title"), kind=kind))
        else:
            _say_none(result)
        python_button("leitong-clusters.py", cluster_lines(result.settings, k))


def find_open_members(view: ThresholdView) -> tuple[int, ...]:
    """Return the members of the cluster that is looked at, nobody while the fold is closed."""
    if not session.get(_FOLD) or not view.clusters:
        return ()
    return view.clusters[find_chosen(_KEY, len(view.clusters))[0]].members


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


def _draw_clusters(result: CheckResult, view: ThresholdView) -> None:
    """Draw the clusters and the distances inside the chosen one; open what is chosen there."""
    chosen, every = find_chosen(_KEY, len(view.clusters))
    look = view.threshold, session.language(), session.hide_names()
    order = sort_by_distance(result, view.clusters[chosen])
    words = {
        "title": t("clusters.list.title"),
        "lead": t("clusters.list.note"),
        "map": t("clusters.list.title"),
        "passages": t("clusters.members.title"),
    }
    by_passages = any(cluster.passage_links for cluster in view.clusters)
    opened = draw_map(
        _KEY,
        {
            "groups": session.memo(
                ("cluster maps", *look),
                lambda: [_lay_cluster(result, view, at) for at in range(len(view.clusters))],
            ),
            "sheet": session.memo(
                ("cluster", chosen, every, *look),
                lambda: _sheet(result, chosen, order, every=every),
            ),
            "outside": 0,
            "outside_said": "",
            "foot": t("clusters.by_passages") if by_passages else "",
            "kinds": {},
            "words": words,
        },
    )
    if opened is None:
        return
    kind, place = opened
    if kind == "text":
        open_document(int(place))
    else:
        tab.pair_order = tuple(ends for ends, _ in list_links(result, view, order))
        open_compare(*map(int, place))


def _say_bits(distance: int) -> str:
    """Return a distance, or a dash where a text has no fingerprint."""
    return t("clusters.members.unknown") if distance == NO_DISTANCE else str(distance)


def sort_by_distance(result: CheckResult, cluster: Cluster) -> list[int]:
    """Return the members, the one in the middle first, then the nearest to it."""
    rest = [row for row in cluster.members if row != cluster.centre]
    apart = session.memo(
        ("to centre", cluster.members), lambda: distance_matrix(result, (cluster.centre, *rest))[0]
    )
    return [cluster.centre, *(rest[at] for at in np.argsort(apart[1:], kind="stable").tolist())]


# --------------------------------------------------------------------------- map and table


def list_links(
    result: CheckResult, view: ThresholdView, members: Sequence[int]
) -> list[tuple[tuple[int, int], bool]]:
    """Return the pairs among members, closest first, and whether the fingerprints join each."""
    pairs, rows = result.table.pairs, np.flatnonzero(view.listed)
    inside = np.isin(pairs.left[rows], members) & np.isin(pairs.right[rows], members)
    rows = rows[inside][np.argsort(pairs.distance[rows[inside]], kind="stable")]
    ends = zip(pairs.left[rows].tolist(), pairs.right[rows].tolist(), strict=True)
    return list(zip(ends, view.within[rows].tolist(), strict=True))


def hold_together(
    links: Sequence[tuple[tuple[int, int], bool]],
) -> list[tuple[tuple[int, int], bool]]:
    """Return the closest links that join as much as all of them do: one less than members."""
    group_of: dict[int, int] = {}
    kept = []
    for (a, b), near in links:
        one, other = group_of.setdefault(a, a), group_of.setdefault(b, b)
        if one != other:
            group_of |= {row: one for row, group in group_of.items() if group == other}
            kept.append(((a, b), near))
    return kept


def _lay_cluster(result: CheckResult, view: ThresholdView, at: int) -> dict[str, Any]:
    """Return one cluster as the map draws it: the links that hold it together, with their bits."""
    cluster, bits = view.clusters[at], result.fingerprints.bits
    order = sort_by_distance(result, cluster)
    lines = []
    for ends, near in hold_together(list_links(result, view, order[:MOST_DRAWN])):
        distance = int(distance_matrix(result, ends)[0, 1])
        unknown, far = distance == NO_DISTANCE, min(distance, bits)
        said = t("frame.matrix.none") if unknown else t("frame.matrix.bits").format(d=distance)
        names = " – ".join(map(find_naming().short, ends))
        width = round(1.5 + 4 * max(1 - 4 * far / bits, 0), 1)
        kind = "own" if near else "few"
        lines.append(
            Line(ends, 1 + bits - far, width, _say_bits(distance), f"{names}: {said}", kind)
        )
    weakest = cluster.weakest[2]
    words = "" if weakest == NO_DISTANCE else t("frame.matrix.bits").format(d=weakest)
    return lay_map(at, order, lines, words=words, label="clusters.label")


def _sheet(result: CheckResult, at: int, order: Sequence[int], *, every: bool) -> dict[str, Any]:
    """Return the members of a cluster, each with its distance to every other one."""
    names, size = find_naming(), len(order)
    shown = order if every else order[:COLUMNS_MOST]
    heads, apart = list_heads(order), distance_matrix(result, shown)
    rows = []
    for place, row in enumerate(shown):
        overlap, distance = notation().total(divide_text(result, row)), int(apart[0, place])
        key = "facts" if place else "facts_centre"
        facts = t(f"clusters.members.{key}", d=_say_bits(distance), share=overlap)
        others = range(size) if heads else ()
        cells = ["" if one == place else _say_bits(int(apart[place, one])) for one in others]
        rows.append(
            {
                "case": t("clusters.board.compare_centre" if place else "clusters.board.read"),
                "kind": "pair" if place else "text",
                "place": (order[0], row) if place else row,
                "text": f"{place + 1} {names.stems[row]}",
                "lang": "",
                "facts": f" · {facts}",
                "cells": cells,
                "who": "",
            }
        )
    return {
        "title": cluster_name(at, title=True),
        "note": t("clusters.members.note", n=size),
        "review": "",
        "heads": heads,
        "numbered": True,
        "rows": rows,
        "more": t("check.show_rest", n=size - len(shown)) if size > len(shown) else "",
    }
