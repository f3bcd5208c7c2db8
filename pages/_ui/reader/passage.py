"""One passage that several texts hold: the passage, its answer, and where each text has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from simhash_core import CheckResult
from simhash_core.cases import ANSWERS, PassageCase
from simhash_core.storage import Subject

from ..review.case import passage_data
from ..review.state import reviewer
from ..shared import exclusions, open_checks, session
from ..shared.formatting import esc
from ..shared.session import CurrentCheck, t
from ..shared.widgets import figure_head, note, page_head, write_html

FIRST = 5  # uses of a kind that are shown at once


def draw_passage(current: CurrentCheck, one: PassageCase) -> None:
    """Draw a passage case."""
    result = exclusions.find_original(current)
    shown = passage_data(result, one)
    page_head(shown["title"], note=" · ".join(shown["facts"]), announced=True)
    lang, words = esc(shown["lang"]), esc(shown["words"])
    write_html(f'<blockquote class="lt-passage" lang="{lang}">{words}</blockquote>')
    _draw_answers(result, one)
    note(" · ".join(shown["why"]))
    for uses in shown["uses"]:
        if uses["n"]:
            _draw_uses(uses, lang)


def _draw_uses(uses: Mapping[str, Any], lang: str) -> None:
    """Draw how texts use the passage, those that quote it or those that do not."""
    lines = []
    for name, before, inside, after in (map(esc, row) for row in uses["rows"]):
        text = f"{before}<mark>{inside}</mark>{after}"
        lines.append(f"<li><b>{name}</b><span>{text}</span></li>")
    figure_head(uses["title"])
    first, rest = "".join(lines[:FIRST]), lines[FIRST:]
    more = esc(t("results.reader.more_uses", n=len(rest)))
    fold = f"<details><summary>{more}</summary>{''.join(rest)}</details>" if rest else ""
    write_html(f'<ul class="lt-uses" lang="{lang}">{first}{fold}</ul>')


def _draw_answers(result: CheckResult, one: PassageCase) -> None:
    """Draw the answers; the one that is given is pressed."""
    key = f"passage_{one.key[:16]}"
    st.session_state[key] = one.answer or None
    st.segmented_control(
        t("results.questions.is"),
        list(ANSWERS),
        key=key,
        format_func={name: t(f"results.questions.{name}") for name in ANSWERS}.__getitem__,
        label_visibility="collapsed",
        disabled=session.project() is None,
        on_change=_keep_answer,
        args=(result, one, key),
    )


def _keep_answer(result: CheckResult, one: PassageCase, key: str) -> None:
    """Keep the answer; what it leaves out counts nowhere from now on."""
    opened, chosen = open_checks.find_current(), st.session_state.get(key)
    if opened is None or not opened.project.is_open:
        return
    verdict, reason = ANSWERS.get(str(chosen), ("", ""))
    subject, who = Subject.group(exclusions.kept_key(result, one)), reviewer()
    opened.store(
        lambda project: project.decide([subject], verdict=verdict, reason=reason, reviewer=who)
    )
    exclusions.apply(exclusions.rules())
