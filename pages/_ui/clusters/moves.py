"""The sentence over the picture of a cluster: how it changes when the threshold moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simhash_core import CheckResult, ThresholdView
from simhash_core.seen import cluster_growth, cluster_splits

from ..shared import session
from ..shared.formatting import cluster_name, esc
from ..shared.session import naming, t
from ..shared.widgets import threshold_top

NAMED = 6  # members of one part that are named by their number


@dataclass(frozen=True, slots=True)
class Move:
    """A change at `threshold`, described by `head` and `body`; -1: nothing changes."""

    threshold: int
    head: str
    body: str


def moves(
    result: CheckResult, view: ThresholdView, index: int, order: Sequence[int]
) -> tuple[Move, ...]:
    """Return what a smaller and a larger threshold would do; `order` numbers the members."""
    key = ("moves", view.threshold, index, session.language(), session.hide_names())
    return session.memo(key, lambda: _moves(result, view, index, order))


def sentence(listed: Sequence[Move]) -> str:
    """Return the moves as HTML made of escaped parts."""
    parts = [f"<b>{esc(move.head)}</b>{esc(move.body)}" for move in listed]
    tail = f'<span class="dim"> {esc(t("clusters.moves.ticks"))}</span>' if marks(listed) else ""
    return f'<p class="lt-moves">{" ".join(parts)}{tail}</p>'


def marks(listed: Sequence[Move]) -> list[int]:
    """Return the thresholds at which something changes."""
    return sorted({move.threshold for move in listed if move.threshold >= 0})


def _moves(
    result: CheckResult, view: ThresholdView, index: int, order: Sequence[int]
) -> tuple[Move, ...]:
    members, k = view.clusters[index].members, view.threshold
    number = {row: str(place) for place, row in enumerate(order, 1)}

    def at(threshold: int) -> ThresholdView:
        return session.view_at(result, threshold)

    below = [
        Move(split.threshold, t("clusters.moves.at_most", k=split.threshold),
             _split(split.parts, split.alone, number))
        for split in cluster_splits(members, k, at)
    ]  # fmt: skip
    if not below and k > 0:
        stays = t("clusters.moves.stays")
        below.append(Move(-1, t("clusters.moves.at_most", k=k - 1), stays))
    top = threshold_top(result)
    above = []
    for grown in cluster_growth(members, k, top, result, at):
        # named by their numbers at the current threshold, even where they merge before this one
        clusters = sorted({int(view.cluster_of[row]) for row in grown.joined} - {-1})
        body = _growth(grown.joined, clusters, grown.member, grown.newcomer, number)
        above.append(Move(grown.threshold, t("clusters.moves.at_least", k=grown.threshold), body))
    if not above and k < top:
        above.append(Move(-1, t("clusters.moves.beyond"), t("clusters.moves.still", k=top)))
    return (*below, *above)


def _split(parts: Sequence[Sequence[int]], alone: Sequence[int], number: dict[int, str]) -> str:
    if not parts:
        return t("clusters.moves.dissolves")
    groups = t("clusters.moves.and").join(
        t("clusters.moves.group", names=_listing([number[row] for row in part], len(part)))
        for part in parts[:NAMED]
    )
    if not alone:
        return t("clusters.moves.splits", groups=groups)
    left = _listing([number[row] for row in alone], len(alone))
    one = len(parts) == 1
    return t("clusters.moves.leaves" if one else "clusters.moves.splits_alone",
             groups=groups, alone=left, n=len(alone))  # fmt: skip


def _growth(
    joined: Sequence[int],
    clusters: Sequence[int],
    member: int,
    newcomer: int,
    number: dict[int, str],
) -> str:
    via = t(
        "clusters.moves.via",
        a=number.get(member) or naming().short(member),
        b=naming().short(newcomer),
    )
    if clusters:
        names = _listing([cluster_name(index) for index in clusters[:4]], len(clusters))
        return t("clusters.moves.merges", name=names, via=via)
    if len(joined) == 1:
        return t("clusters.moves.grows_one", via=via)
    return t("clusters.moves.grows", n=len(joined), via=via)


def _listing(words: Sequence[str], total: int) -> str:
    """Return words as a list; what is left out is a number."""
    shown = t("clusters.moves.separator").join(words[:NAMED])
    rest = total - len(words[:NAMED])
    return f"{shown}{t('clusters.moves.and_more', n=rest)}" if rest > 0 else shown
