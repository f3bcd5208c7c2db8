"""What a threshold does with the cases that were decided on the review desk, in one sentence.

What the page judges by: the check, or sample essays where there is none, and those decisions.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from simhash_core import CheckResult, check, gather, read, samples
from simhash_core.lab.labels import Label, Labels, choices, label_quality, label_rows
from simhash_core.lab.laboratories import sweep
from simhash_core.settings import Settings

from ..shared import session
from ..shared.formatting import esc
from ..shared.session import find_naming, t
from ..shared.tab import Fact
from ..shared.tab import tab as shared_tab
from ..shared.widgets import (
    figure_head,
    note,
    open_page,
    paragraph,
    threshold_slider,
    threshold_top,
    write_html,
)

Key = tuple[str, str]
LEAST = 10  # decisions from which anything is said
STEADY = 40  # decisions from which another class changes little
LEVELS, WIDTH = 4, 2.6  # rows of marks, and the width of one in percent of the axis
NAMED = 2  # missed cases that are named
_STATE = {True: "confirmed", False: "no_problem"}


class Tab:
    """What a tab remembers: the sample essays, another recipe, the best threshold."""

    sample: Fact[CheckResult | None] = Fact(None)
    rival: Fact[tuple[str, CheckResult] | None] = Fact(None)  # token of the check, the other result
    suggestion: Fact[Any] = Fact(None)  # labels, aim, best threshold


tab = Tab()


def sweep_check() -> Any:
    """Return the current check, or the sample essays, at every threshold."""
    result = session.result() or tab.sample
    assert result is not None
    return session.memo("sweep", lambda: sweep(result))


def check_sample() -> None:
    """Make fingerprints of the sample essays, for those who have no check; no passages."""
    sources, _ = gather(samples()["essays"])
    documents, _ = read([source for source in sources if not source.name.endswith("csv")])
    tab.sample = check(documents, settings=Settings(passages=False, text_check=False))
    session.set_threshold(tab.sample.threshold)


def read_decided() -> dict[Key, bool]:
    """Return what was decided on the review desk."""
    project = session.project()
    held = project.pair_decisions() if project is not None else {}
    same = {"confirmed": True, "no_problem": False}
    return {key: same[one.verdict] for key, one in held.items() if one.verdict in same}


def label_decisions() -> Labels:
    """Return the decisions with the threshold at which each pair enters."""
    given, result = read_decided(), session.result()
    if result is None:
        return Labels((), 0, "", sweep_check().pairs)
    key = ("labels", tuple(given.items()))
    return session.memo(key, lambda: label_rows(result, given, entry=sweep_check().entry))


def has_enough() -> bool:
    """Return whether enough cases are decided."""
    return len(read_decided()) >= LEAST


def prompt() -> None:
    """Say that the desk comes first."""
    n = len(read_decided())
    paragraph(t("threshold_lab.decided.first", n=n, least=LEAST))
    if st.button(t("threshold_lab.decided.go"), key="lab_desk", icon=":material/checklist:"):
        open_page("review")


def draw_decided(result: CheckResult, *, slider: bool) -> None:
    """Draw the sentence, the figure and the three thresholds; a `slider` for those between."""
    labels = label_decisions()
    k = session.threshold()
    at = label_quality(labels, k)
    words = {
        name: f"<b>{esc(t(f'threshold_lab.decided.{name}', n=n))}</b>"
        for name, n in (("missed", at.missed), ("vain", at.false))
    }
    key = "threshold_lab.decided.sentence"
    write_html(f'<p class="lab-say">{t(key, n=at.found + at.missed, **words)}</p>')
    figure_head(t("threshold_lab.decided.figure"), t("threshold_lab.decided.figure_note"))
    _figure(result, labels, k)
    if slider:
        with st.container(key="lab_between"):
            threshold_slider(result)
    _missed(result, labels, k)
    _choices(result, labels, k)
    wanted = (result.settings.preset, result.settings.bits, k)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(t("threshold_lab.decided.use"), key="lab_use", type="primary"):
            shared_tab.next_threshold = wanted
        used = shared_tab.next_threshold == wanted
        note(t("threshold_lab.decided.used" if used else "threshold_lab.decided.use_note", k=k))
    if len(labels.rows) < STEADY:
        note(t("threshold_lab.decided.few", n=len(labels.rows), steady=STEADY))


def _figure(result: CheckResult, labels: Labels, k: int) -> None:
    """Draw two rows of state marks; those that would cover each other stand above each other."""
    top = threshold_top(result)
    rows = []
    for same in (True, False):
        mine = sorted((one for one in labels.rows if one.same is same), key=lambda one: one.entry)
        label = esc(t(f"threshold_lab.decided.row.{_STATE[same]}", n=len(mine)))
        places = [(100 * min(one.entry, top) / top if one.entry >= 0 else 100.0) for one in mine]
        marks = "".join(
            _mark(result, one, k, at, height)
            for one, at, height in zip(mine, places, _heights(places), strict=True)
        )
        rows.append(f'<div class="lab-row"><span>{label}</span><div>{marks}</div></div>')
    edge = f"{100 * k / top:.2f}%"
    seen, unseen = (esc(t(f"threshold_lab.decided.{side}")) for side in ("seen", "unseen"))
    write_html(
        f'<div class="lab-decided" role="group" style="--k:{edge}">'
        f'<p class="lab-sides"><span>{seen}</span><span>{unseen}</span></p>{"".join(rows)}'
        f'<p class="lab-ends"><span>0</span><span>{top}</span>'
        f"<b>{esc(t('threshold_lab.decided.now', k=k))}</b></p></div>"
    )


def _heights(places: list[float]) -> list[int]:
    """Return the lowest level on which each rising place has room; the top one may be full."""
    last = [-WIDTH] * LEVELS
    heights = []
    for at in places:
        height = next((n for n, before in enumerate(last) if at - before >= WIDTH), LEVELS - 1)
        last[height] = at
        heights.append(height)
    return heights


def _mark(result: CheckResult, one: Label, k: int, at: float, height: int) -> str:
    within = 0 <= one.entry <= k
    ring = "missed" if one.same and not within else "vain" if within and not one.same else ""
    state = _STATE[bool(one.same)]
    sentence = t(
        f"threshold_lab.decided.mark.{ring or 'right'}",
        case=_name_pair(result, one),
        verdict=t(f"review.mark.{state}"),
        k=one.entry if one.entry >= 0 else "–",
    )
    place = f"left:{at:.2f}%;--up:{height}"
    names = f'role="img" title="{esc(sentence)}" aria-label="{esc(sentence)}"'
    return f'<i class="{state} {ring}" style="{place}" {names}></i>'


def _name_pair(result: CheckResult, one: Label) -> str:
    names, rows = find_naming(), {document.id: row for row, document in enumerate(result.documents)}
    a, b = (names.short(rows[key]) if key in rows else "" for key in (one.a_id, one.b_id))
    return t("threshold_lab.decided.pair", a=a, b=b)


def _missed(result: CheckResult, labels: Labels, k: int) -> None:
    """Name what would have been missed; a shared passage lists a pair whatever its distance."""
    missed = [one for one in labels.rows if one.same and not 0 <= one.entry <= k]
    if not missed:
        return
    named = t("check.comma").join(_name_pair(result, one) for one in missed[:NAMED])
    rest = len(missed) - NAMED
    text = named if rest <= 0 else t("threshold_lab.decided.more", named=named, n=rest)
    note(text, lead=t("threshold_lab.decided.missed_lead"))


def _choices(result: CheckResult, labels: Labels, k: int) -> None:
    top = threshold_top(result)
    offered = choices(labels)
    for column, (aim, wanted) in zip(st.columns(len(offered)), offered.items(), strict=True):
        at = label_quality(labels, min(wanted, top))
        now = at.threshold == k
        label = t(
            "threshold_lab.decided.choice.now" if now else "threshold_lab.decided.choice.other",
            aim=t(f"threshold_lab.decided.choice.{aim}"),
            missed=at.missed,
            vain=at.false,
            k=at.threshold,
        )
        column.button(
            label,
            key=f"lab_choice_{aim}",
            type="primary" if now else "secondary",
            width="stretch",
            on_click=session.set_threshold,
            args=(at.threshold,),
        )
