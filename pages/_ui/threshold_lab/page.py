"""Threshold lab: one line moves, and what it finds is held against what was decided."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from simhash_core import CheckResult
from simhash_core.lab.labels import choose_thresholds, count_lacking, label_quality
from simhash_core.lab.laboratories import find_borderline
from simhash_core.model import pair_key

from ..components.lists import draw_table
from ..shared import session
from ..shared.formatting import esc
from ..shared.session import t
from ..shared.tab import tab as shared_tab
from ..shared.widgets import (
    caution,
    expected_text,
    figure_head,
    foot,
    note,
    open_page,
    page_head,
    paragraph,
    settle_threshold,
    threshold_top,
    write_html,
)
from . import curves, decided
from .decided import Answers

STYLE = Path(__file__).parents[1] / "shared" / "lab.css"
STEADY = 40  # decisions from which another class changes little
NAMED = 2  # missed cases that are named
SHOWN = 5  # pairs on either side of the line


def draw() -> None:
    """Draw the laboratory on the current check, or on the sample essays."""
    st.html(STYLE)
    current, result = session.check(), decided.find_result()
    head = st.container()
    if result is None:
        with head:
            page_head(t("threshold_lab.title"), note=t("threshold_lab.lead"))
        _offer_sample()
    elif not result.distances.total:
        with head:
            page_head(t("threshold_lab.title"), current.name if current else "")
        paragraph(t("threshold_lab.no_pairs"))
    else:
        settle_threshold(result)
        answers = decided.gather_answers(result)
        with head:
            _draw_head(current.name if current else "", answers)
        play(result, answers)
    foot()


def _draw_head(name: str, answers: Answers) -> None:
    """Say what the page judges by, and offer the decisions of other checks."""
    lead, said = name, t("threshold_lab.lead")
    if answers.enough:
        n = len(answers.labels.rows)
        lead, said = (
            t("threshold_lab.decided.of", n=n, checks=answers.checks),
            t("threshold_lab.decided.lead"),
        )
    with page_head(t("threshold_lab.title"), lead, said):
        decided.choose_checks()


def _offer_sample() -> None:
    """Offer the sample essays to those who have no check."""
    paragraph(t("threshold_lab.sample.text"))
    with st.container(horizontal=True):
        if st.button(t("threshold_lab.sample.open"), key="lab_sample", type="primary",
                     icon=":material/play_arrow:"):  # fmt: skip
            with st.spinner(t("threshold_lab.sample.running")):
                decided.check_sample()
            st.rerun()
        if st.button(t("frame.go_check"), key="empty_go", icon=":material/upload_file:"):
            open_page("check")
    caution(t("threshold_lab.whole.lead"), t("threshold_lab.whole.text"))


def play(result: CheckResult, answers: Answers) -> None:
    """Draw the line that moves, what comes and goes with it, and what the decisions say of it."""
    if session.result() is None:
        note(t("threshold_lab.sample.shown", n=len(result.documents)))
    answer = st.container()
    curves.draw_line(result, answers)
    k = session.threshold()
    if answers.enough:
        _judge_threshold(result, answers)
    elif session.result() is not None:
        note(expected_text(k), lead=t("results.threshold_lead", k=k))
        n = len(answers.labels.rows)
        paragraph(t("threshold_lab.decided.first", n=n, least=decided.LEAST))
        if st.button(t("threshold_lab.decided.go"), key="lab_desk", icon=":material/checklist:"):
            open_page("review")
    with answer:
        write_html(f'<p class="lab-say">{_say_line(result, answers)}</p>')
    _list_borderline(result, answers)
    caution(t("threshold_lab.whole.lead"), t("threshold_lab.whole.text"))
    if answers.enough:
        title = t("threshold_lab.decided.statistics")
        fold = st.expander(title, key="lab_statistics", on_change="rerun")
        if fold.open:
            with fold:
                curves.draw_statistics(result, answers)


def _say_line(result: CheckResult, answers: Answers) -> str:
    """Return what the line finds, or misses and shows in vain where enough was decided."""
    k = session.threshold()
    if answers.enough:
        at = label_quality(answers.labels, k)
        counts = {
            name: f"<b>{esc(t(f'threshold_lab.decided.{name}', n=n))}</b>"
            for name, n in (("missed", at.missed), ("vain", at.false))
        }
        return t("threshold_lab.decided.sentence", n=at.found + at.missed, **counts)
    swept = decided.sweep_check(result)
    at_line = min(k, swept.complete_up_to)
    pairs, texts = int(swept.pairs[at_line]), int(swept.documents[at_line])
    return esc(t("threshold_lab.play.say", k=k, pairs=pairs, texts=texts))


def _judge_threshold(result: CheckResult, answers: Answers) -> None:
    """Name what would be missed, and offer three thresholds and the next check."""
    labels, k = answers.labels, session.threshold()
    write_html(f'<p class="lt-note lab-rings">{_name_errors(result, answers, k)}</p>')
    offered = choose_thresholds(labels, threshold_top(result))
    for column, (aim, at) in zip(st.columns(len(offered)), offered.items(), strict=True):
        now = at.threshold == k
        label = t(
            f"threshold_lab.decided.choice.{'now' if now else 'other'}",
            aim=t(f"threshold_lab.decided.choice.{aim}"),
            missed=at.missed,
            vain=at.false,
            k=at.threshold,
        )
        column.button(
            label, key=f"lab_choice_{aim}", type="primary" if now else "secondary",
            width="stretch", on_click=session.set_threshold, args=(at.threshold,),
        )  # fmt: skip
    wanted_next = (result.settings.preset, result.settings.bits, k)
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(t("threshold_lab.decided.use"), key="lab_use", type="primary",
                     icon=":material/check:"):  # fmt: skip
            shared_tab.next_threshold = wanted_next
        used = shared_tab.next_threshold == wanted_next
        note(t("threshold_lab.decided.used" if used else "threshold_lab.decided.use_note", k=k))
        if lacking := count_lacking(labels):
            note(t("threshold_lab.decided.lacking", n=lacking))
        elif len(labels.rows) < STEADY:
            note(t("threshold_lab.decided.few", n=len(labels.rows), steady=STEADY))


def _name_errors(result: CheckResult, answers: Answers, k: int) -> str:
    """Return the legend of the rings: which cases would be missed, how many shown in vain."""
    parts, errors = [], label_quality(answers.labels, k)
    if errors.missed:
        missed = [one for one in answers.labels.rows if one.same and not 0 <= one.entry <= k]
        named = t("check.comma").join(answers.name_pair(result, one) for one in missed[:NAMED])
        if errors.missed > NAMED:
            named = t("threshold_lab.decided.more", named=named, n=errors.missed - NAMED)
        parts.append(f"<i></i>{esc(t('threshold_lab.decided.would_miss', named=named))}")
    if errors.false:
        vain = t("threshold_lab.decided.in_vain", n=errors.false)
        parts.append(f'<i class="vain"></i>{esc(vain)}')
    return " ".join(parts)


def _list_borderline(result: CheckResult, answers: Answers) -> None:
    """List the pairs nearest to the line on either side."""
    k, swept, table = session.threshold(), decided.sweep_check(result), result.table.pairs
    inside, outside = find_borderline(swept, k, count=SHOWN)
    names = ("pair", "bits", "side", *(["decided"] if answers.labels.rows else []))
    said = {one.key: curves.VERDICT[one.same] for one in answers.labels.rows}
    rows: list[list[str]] = []
    for row in map(int, (*inside, *outside)):
        sides = [int(side[row]) for side in (table.left, table.right)]
        a, b = (result.documents[side] for side in sides)
        shown = session.doc_names(sides) if session.result() is not None else [a.name, b.name]
        entry = int(swept.entry[row])
        side = t(f"threshold_lab.play.{'inside' if entry <= k else 'outside'}")
        verdict = said.get(pair_key(a.id, b.id))
        cells = [
            " / ".join(shown),
            str(entry),
            side,
            t(f"review.mark.{verdict}") if verdict else "",
        ]
        rows.append(cells[: len(names)])
    title = t("threshold_lab.play.title")
    figure_head(title, t("threshold_lab.play.note"))
    heads = [
        (t(f"threshold_lab.play.{name}"), "num" if at else "names") for at, name in enumerate(names)
    ]
    draw_table("lab_play", title, heads, rows, chosen=range(len(inside)))
