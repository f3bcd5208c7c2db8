"""The picture over the clusters: at which thresholds they change, and who joins there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simhash_core import CheckResult
from simhash_core.seen import ClusterState, cluster_states

from ..shared import session
from ..shared.formatting import esc, number
from ..shared.session import naming, t
from ..shared.widgets import threshold_top

DRAWN = 6  # states with their groups, those nearest to the threshold
APART = 11.0  # percent of the axis between two of them
PILLS, DOTS, COUNTED = 4, 12, 40  # groups of a state; dots of a group, of a box; above, a number
NAMED = 2  # texts that are named


@dataclass(frozen=True, slots=True)
class Picture:
    """What stands over the slider and under it, as HTML made of escaped parts."""

    above: str
    below: str


def picture(result: CheckResult, k: int) -> Picture:
    """Return what is drawn at a threshold."""
    top = threshold_top(result)
    states = session.memo(("cluster states", top), lambda: cluster_states(result, top))
    return session.memo(
        ("cluster changes", k, session.language(), session.hide_names()),
        lambda: _drawn(states, k, top, len(result.documents)),
    )


def _drawn(states: Sequence[ClusterState], k: int, top: int, texts: int) -> Picture:
    shown = set(chosen([state.threshold for state in states], k, top))
    in_force = max((state.threshold for state in states if state.threshold <= k), default=-1)
    columns, ticks, sentences = [], [], []
    for state in states:
        at, words = 100 * state.threshold / top, _words(state, texts)
        sentences.append(t("clusters.changes.at", k=state.threshold, words=words))
        if state.threshold not in shown:
            ticks.append(f'<i style="left:{at:.2f}%"></i>')
            continue
        now = " now" if state.threshold == in_force else ""
        pills = "".join(_pill(state, group) for group in _listed(state))
        edge = " first" if at < APART / 2 else " last" if at > 100 - APART / 2 else ""
        columns.append(f'<div class="state{now}{edge}" style="left:{at:.2f}%">{pills}</div>')
        ticks.append(
            f'<i class="named{now}{edge}" style="left:{at:.2f}%"><b>{state.threshold}</b>'
            f"<span>{esc(words)}</span></i>"
        )
    label = esc(t("clusters.changes.label", n=len(states)) + " ".join(sentences[:COUNTED]))
    return Picture(
        f'<div class="lt-states" role="img" aria-label="{label}">{"".join(columns)}</div>',
        f'<div class="lt-ticks" aria-hidden="true">{"".join(ticks)}</div>',
    )


def chosen(thresholds: Sequence[int], k: int, top: int) -> list[int]:
    """Return the thresholds drawn with their groups: near `k`, and `APART` from each other."""
    taken: list[int] = []
    for each in sorted(thresholds, key=lambda one: (abs(one - k), one)):
        if len(taken) == DRAWN:
            break
        if all(100 * abs(each - other) >= APART * top for other in taken):
            taken.append(each)
    return sorted(taken)


def _listed(state: ClusterState) -> list[int]:
    """Return the groups of a state that have room: what has changed first, then the largest."""
    changed = set(state.changed)
    ranked = sorted(range(len(state.groups)), key=lambda at: (at not in changed, at))
    return sorted(ranked[:PILLS])


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
    names = [naming().short(row) for row in state.joined[:NAMED]]
    rest = len(state.joined) - len(names)
    listed = t("clusters.changes.separator").join(names)
    if rest:
        listed = t("clusters.changes.and_more", names=listed, n=rest)
    return t("clusters.changes.joins", names=listed) if state.merged else listed
