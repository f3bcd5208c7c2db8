"""The questions for the class: passages that several texts hold, each with one answer."""

from __future__ import annotations

import streamlit as st

from simhash_core import CheckResult
from simhash_core.cases import ANSWERS, PassageCase, beginning_of
from simhash_core.numbers import unit_of
from simhash_core.seen import list_answered_cases
from simhash_core.storage import Project, Subject

from ..review.case import masks_of
from ..review.state import reviewer
from ..shared import exclusions, session
from ..shared.formatting import esc, length
from ..shared.session import CurrentCheck, t
from ..shared.widgets import figure_head, note, write_html
from .tab import tab

FIRST = 5  # that are asked before the others are
SHOWN = 160  # characters of a passage on its line
_QUESTION_KEY = "passage_"


def draw_questions(current: CurrentCheck) -> None:
    """Draw the questions for the class: the passages that three or more texts hold."""
    result, project = exclusions.find_original(current), session.project()
    listed = list_answered_cases(result, project)
    if not listed:
        return
    with st.container(key="questions"):
        figure_head(t("results.questions.title", n=len(listed)), t("results.questions.lead"))
        every = tab.all_pairs or len(listed) <= FIRST
        for one in listed if every else listed[:FIRST]:
            draw_question(result, one, project)
        if not every and st.button(
            t("results.questions.more", n=len(listed) - FIRST),
            key="more_questions",
            type="tertiary",
        ):
            tab.all_pairs = True
            st.rerun()


def draw_question(result: CheckResult, one: PassageCase, project: Project | None) -> None:
    """Draw one passage with who holds it, and its answers."""
    row, start, end = beginning_of(result, one.group, SHOWN)
    document = result.documents[row]
    words = " ".join(masks_of(result)(document.text).cut(start, end).split())
    more = "…" if end - start == SHOWN else ""
    held = t(
        "results.questions.held",
        number=one.number,
        n=len(one.members),
        of=len(result.documents),
        length=length(one.units, unit_of(document.text)),
    )
    text, answer = st.columns([1.2, 1], vertical_alignment="center", gap="medium")
    with text:
        quoted = f"<q lang='{esc(document.language)}'>{esc(words + more)}</q>"
        write_html(f"<p><b>{esc(held)}</b><br>{quoted}</p>")
        if one.automatic and one.decision is None:
            note(t("results.questions.automatic"))
    with answer:
        key = f"{_QUESTION_KEY}{one.key[:16]}"
        st.session_state[key] = one.answer or None
        st.segmented_control(
            t("results.questions.is"),
            list(ANSWERS),
            key=key,
            format_func={name: t(f"results.questions.{name}") for name in ANSWERS}.__getitem__,
            label_visibility="collapsed",
            disabled=project is None,
            on_change=_keep_answer,
            args=(result, one, key),
        )


def _keep_answer(result: CheckResult, one: PassageCase, key: str) -> None:
    """Keep the answer; what it leaves out counts nowhere from now on."""
    project, chosen = session.project(), st.session_state.get(key)
    if project is None:
        return
    verdict, reason = ANSWERS.get(str(chosen), ("", ""))
    subject = Subject.group(exclusions.kept_key(result, one))
    project.decide([subject], verdict=verdict, reason=reason, reviewer=reviewer())
    exclusions.apply(exclusions.rules())
