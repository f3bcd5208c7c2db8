"""What the Clusters page says: list, sentences under the picture, members, moves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from os.path import commonprefix
from pathlib import PurePath
from typing import Any

import numpy as np

from simhash_core import CheckResult, ThresholdView, at_threshold
from simhash_core.checking import distance_matrix

from ..compare.pair import memo
from ..components.choice_list import Choice
from ..shared import session
from ..shared.formatting import esc, percent
from ..shared.session import t
from ..shared.widgets import tag, threshold_top
from . import changes
from .constellation import NO_DISTANCE

LISTED = 100  # clusters; more are named by their number only
DOTS = 12
ROWS = 60  # members in the table
NUMERALS = "〇一二三四五六七八九"
LABEL = 18  # characters of a name beside a node


def cluster_name(index: int) -> str:
    """Return the name of a cluster: Cluster 3, 簇三."""
    number = chinese(index + 1) if session.language() == "zh" else str(index + 1)
    return t("clusters.name", number=number)


def chinese(n: int) -> str:
    """Return a number below one hundred in Chinese numerals, else in digits."""
    if not 0 < n < 100:
        return str(n)
    tens, ones = divmod(n, 10)
    head = ("" if tens == 1 else NUMERALS[tens]) + "十" if tens else ""
    return head + (NUMERALS[ones] if ones else "")


def short_name(row: int, *, length: int = 28) -> str:
    """Return a name for a small place: no ending, cut in the middle if it must be."""
    name = session.doc_name(row)
    stem = PurePath(name).stem if re.search(r"\.\w{1,5}$", name) else name
    if len(stem) <= length:
        return stem
    tail = length // 2
    return f"{stem[: length - tail - 1]}…{stem[-tail:]}"


def labels(rows: Sequence[int]) -> dict[int, str]:
    """Return names short enough for the picture; a long beginning that all share is left off."""
    whole = {row: short_name(row, length=200) for row in rows}
    shared = commonprefix(list(whole.values())) if len(rows) > 1 else ""  # noqa: RUF071  meant
    shared = shared[: max(map(shared.rfind, "-_/ "), default=-1) + 1]
    if len(shared) < 5 or max(map(len, whole.values())) <= LABEL:
        shared = ""
    names = {row: ("…" if shared else "") + name[len(shared) :] for row, name in whole.items()}
    return {row: name if len(name) <= LABEL else name[: LABEL - 1] + "…"
            for row, name in names.items()}  # fmt: skip


def choices(view: ThresholdView) -> list[Choice]:
    """Return the clusters for the list, largest first."""
    return [
        Choice(index, cluster_name(index), min(len(cluster.members), DOTS), facts(cluster))
        for index, cluster in enumerate(view.clusters[:LISTED])
    ]


def facts(cluster: Any) -> str:
    """Return the line of facts under the name of a cluster."""
    size = len(cluster.members)
    parts = [] if size <= DOTS else [t("clusters.list.members", n=size)]
    possible = size * (size - 1) // 2
    if cluster.links < possible:
        parts.append(t("clusters.list.links", links=cluster.links, possible=possible))
    weakest = cluster.weakest[2]
    if weakest == 0:
        parts.append(t("clusters.list.same"))
    elif weakest == NO_DISTANCE:
        parts.append(t("clusters.list.passages"))
    else:
        parts.append(t("clusters.list.weakest", d=weakest))
    return " · ".join(parts)


def lead(view: ThresholdView, documents: int) -> tuple[str, str]:
    """Return the two halves of the line under the title."""
    members = sum(len(cluster.members) for cluster in view.clusters)
    rest = documents - members
    if not rest:
        return t("clusters.lead", n=len(view.clusters)), t("clusters.lead_all", members=members)
    return (
        t("clusters.lead", n=len(view.clusters)),
        t("clusters.lead_rest", members=members, n=rest),
    )


def nearest_pair(result: CheckResult) -> tuple[int, int, int] | None:
    """Return the closest pair of the table, None where it is empty."""
    if not len(result.table):
        return None
    pairs = result.table.pairs
    best = int(np.argmin(pairs.distance))
    if int(pairs.distance[best]) == NO_DISTANCE:
        return None
    return int(pairs.left[best]), int(pairs.right[best]), int(pairs.distance[best])


def matrix(result: CheckResult, members: tuple[int, ...]) -> Any:
    """Return the distances among members, computed once a session."""
    return memo(("matrix", members), lambda: distance_matrix(result, members))


def notes(cluster: Any, undrawn: int, drawn: int) -> list[str]:
    """Return the sentences under the picture."""
    centres = set(cluster.centres)
    sentences = [t("clusters.graph.centre" if len(centres) == 1 else "clusters.graph.centres")]
    if undrawn:
        sentences.append(t("clusters.graph.folded", shown=drawn - 1, n=undrawn))
    pairs = [
        t("clusters.graph.pair", a=short_name(left), b=short_name(right))
        for left, right in cluster.bridges
    ]
    if len(cluster.members) > 2:
        sentences += _held(cluster, pairs)
    sentences.append(t("clusters.graph.hint"))
    return sentences


def _held(cluster: Any, pairs: Sequence[str]) -> list[str]:
    if len(pairs) == 1:
        left, right = cluster.bridges[0]
        return [t("clusters.graph.bridge", a=short_name(left), b=short_name(right))]
    if pairs:
        return [t("clusters.graph.bridges", n=len(pairs), pairs=listing(pairs, most=6))]
    if 0 < cluster.weakest[2] < NO_DISTANCE:
        return [t("clusters.graph.firm", d=cluster.weakest[2])]
    return []


def listing(words: Sequence[str], *, most: int = 8) -> str:
    """Return words as a list, the tail as a number."""
    separator = t("clusters.moves.separator")
    shown = separator.join(words[:most])
    rest = len(words) - most
    return f"{shown}{separator}{t('clusters.moves.and_more', n=rest)}" if rest > 0 else shown


def members_table(result: CheckResult, cluster: Any, order: Sequence[int]) -> str:
    """Return the table of members as HTML made of escaped parts, nearest to the centre first."""
    distances = matrix(result, cluster.members)
    at = {row: i for i, row in enumerate(cluster.members)}
    head = (
        f"<th scope=col>{esc(t('clusters.members.text'))}</th>"
        f"<th scope=col class=num>{esc(t('clusters.members.distance'))}</th>"
        f"<th scope=col class=num>{esc(t('clusters.members.total'))}</th>"
    )
    body = "".join(
        _member(result, row, int(distances[at[cluster.centre], at[row]]), row == cluster.centre)
        for row in order[:ROWS]
    )
    return (
        f'<div class="lt-scroll"><table class="lt-table"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _member(result: CheckResult, row: int, distance: int, centre: bool) -> str:
    mark = " " + tag(t("clusters.members.centre")) if centre else ""
    unknown = centre or distance == NO_DISTANCE
    shown = t("clusters.members.unknown") if unknown else str(distance)
    total = percent(float(result.total_overlap[row]))
    return (
        f"<tr><td>{esc(session.doc_name(row))}{mark}</td>"
        f"<td class=num>{esc(shown)}</td><td class=num>{esc(total)}</td></tr>"
    )


def moves_table(result: CheckResult, view: ThresholdView, index: int) -> str:
    """Return what a smaller and a larger threshold would do, as HTML made of escaped parts."""
    rows = memo(
        ("moves", view.threshold, index, session.language(), session.hide_names()),
        lambda: _moves(result, view, index),
    )
    body = "".join(
        f"<tr><td class=num><b>{esc(k)}</b></td><td>{esc(what)}</td></tr>" for k, what in rows
    )
    return f'<table class="lt-table"><tbody>{body}</tbody></table>'


def _moves(result: CheckResult, view: ThresholdView, index: int) -> list[tuple[str, str]]:
    members, k = view.clusters[index].members, view.threshold

    def at(threshold: int) -> ThresholdView:
        found: ThresholdView = memo(("view", threshold), lambda: at_threshold(result, threshold))
        return found

    rows = [
        (t("clusters.moves.at_most", k=split.threshold), _split(split))
        for split in changes.splits(members, k, at)
    ]
    if not rows:
        rows.append((t("clusters.moves.at_most", k=max(k - 1, 0)), t("clusters.moves.stays")))
    top = threshold_top(result)
    grown = changes.growth(members, k, top, result, at)
    if grown is not None:
        rows.append((t("clusters.moves.at_least", k=grown.threshold), _growth(grown)))
    elif k < top:
        rows.append((t("clusters.moves.at_least", k=k + 1), t("clusters.moves.still", k=top)))
    return rows


def _split(split: changes.Split) -> str:
    if not split.parts:
        return t("clusters.moves.dissolves")
    groups = " ".join(
        t("clusters.moves.group", names=listing([short_name(row) for row in part]))
        for part in split.parts
    )
    alone = listing([short_name(row) for row in split.alone])
    if not split.alone:
        return t("clusters.moves.splits", groups=groups)
    one = len(split.parts) == 1 and len(split.alone) == 1
    key = "clusters.moves.splits_one" if one else "clusters.moves.splits_alone"
    return t(key, groups=groups, alone=alone)


def _growth(grown: changes.Growth) -> str:
    if not grown.merged:
        return t("clusters.moves.grows", names=listing([short_name(row) for row in grown.joined]))
    names = listing([cluster_name(index) for index, _ in grown.merged], most=4)
    return t("clusters.moves.merges", name=names, via=short_name(grown.via))
