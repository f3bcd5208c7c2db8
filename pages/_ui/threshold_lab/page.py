"""Threshold lab: what a threshold means on the texts of the reader.

Beside the blocks of the page: another recipe on the same answers, checked once and then a further
column of the table; and what finding a near text costs from a million to ten billion texts.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from simhash_core import CheckResult, LeitongError, Settings, check
from simhash_core.checking import weightings
from simhash_core.lab.laboratories.labels import label_quality, relabel, suggest_threshold
from simhash_core.lab.museum.structures.costs import cost_tables
from simhash_core.settings import WEIGHTING_NAMES

from ..shared import session
from ..shared.formatting import error_text, esc, number
from ..shared.session import t
from ..shared.tab import tab
from ..shared.widgets import (
    foot,
    no_result,
    note,
    page_head,
    paragraph,
    settle_threshold,
    write_html,
)
from . import borderline, curves, decided, judging

STATISTICS_KEY = "lab_statistics"
STYLE = Path(__file__).parents[1] / "shared" / "lab.css"


def draw() -> None:
    """Draw the laboratory on the current check, or the way to one."""
    current = session.check()
    if current is None:
        no_result(t("threshold_lab.title"))
        return
    st.html(STYLE)
    result = current.result
    settle_threshold(result)
    says = decided.enough()
    open_all = bool(session.get(STATISTICS_KEY, not says))
    lead = t("threshold_lab.decided.lead", n=len(judging.decided())) if says else ""
    with page_head(t("threshold_lab.title"), current.name, lead or t("threshold_lab.lead")):
        if open_all:
            curves.exporting(result)
            borderline.files()
            curves.actions(result)
    if not result.distances.total:
        paragraph(t("threshold_lab.no_pairs"))
        foot()
        return
    if says:
        decided.decided(result, slider=not open_all)
    else:
        decided.prompt()
    st.toggle(
        t("threshold_lab.decided.statistics"),
        not says,
        key=STATISTICS_KEY,
        persist_state="session",
    )
    if open_all:
        _statistics(result)
    foot()


def _statistics(result: CheckResult) -> None:
    """Draw what a statistician asks for: figures, questions at the border, costs."""
    left, right = st.columns([9, 7], gap="large")
    with left:
        curves.distances(result)
    with right:
        curves.curves(result)
    other = _other_column(result, curves.aim())
    borderline.border(result, lambda: curves.compared_table(result, other))
    _other_recipe(result)
    curves.cost(result)
    _growth()


# --------------------------------------------------------------------------- another recipe

BITS = (64, 128, 256)
SWITCHES = ("batch_signature", "stop_words", "fold_variants")


def _other_column(result: CheckResult, aim: str) -> list[tuple[Any, ...]] | None:
    """Return the column of the other recipe at its best threshold, None without one."""
    stored = tab.rival
    current = session.check()
    if stored is None or current is None or stored[0] != current.token:
        return None
    other = stored[1]
    judged = relabel(judging.labels(), other)
    best = suggest_threshold(judged, aim)
    k = best.threshold if best.threshold >= 0 else other.threshold
    name = t("threshold_lab.rival.column", bits=other.settings.bits, k=k,
             weighting=t(f"settings.weighting.{other.settings.weighting}"))  # fmt: skip
    return [(name, label_quality(judged, k), k, other, False)]


def _other_recipe(result: CheckResult) -> None:
    """Choose another recipe and run it on the same texts."""
    with st.expander(t("threshold_lab.rival.title"), key="lab_rival"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            bits = st.segmented_control(
                t("settings.bits.label"), BITS, default=64, key="rival_bits", required=True,
                persist_state="session",
            )  # fmt: skip
            # those of other packages have a name and no sentence; levels need a table
            names = {
                name: t(f"settings.weighting.{name}") if name in WEIGHTING_NAMES else name
                for name in weightings()
                if name != "levels" or result.settings.levels
            }
            weighting = st.selectbox(
                t("settings.weighting.label"), list(names), key="rival_weighting",
                format_func=names.__getitem__, persist_state="session", width=300,
            )  # fmt: skip
            changed: dict[str, Any] = {
                name: st.toggle(
                    t(f"settings.{name}.label"), getattr(result.settings, name),
                    key=f"rival_{name}", persist_state="session",
                )
                for name in SWITCHES
            }  # fmt: skip
            go = st.button(t("threshold_lab.rival.go"), key="rival_go", icon=":material/compare:")
        note(t("threshold_lab.rival.note"))
        if go:
            settings = replace(
                result.settings, bits=int(bits or 64), weighting=str(weighting),
                threshold=None, passages=False, text_check=False, **changed,
            )  # fmt: skip
            _check_again(result, settings)


def _check_again(result: CheckResult, settings: Settings) -> None:
    current = session.check()
    assert current is not None
    first_reference = len(result.documents) - result.references
    documents, against = result.documents[:first_reference], result.documents[first_reference:]
    with st.spinner(t("threshold_lab.rival.running")):
        try:
            other = check(documents, against=against, settings=settings)
        except LeitongError as error:
            note(error_text(error))
            return
    tab.rival = (current.token, other)
    st.rerun()


# --------------------------------------------------------------------------- costs


def _growth() -> None:
    """The table of all structures, and what the sources misprint; drawn once it is open."""
    fold = st.expander(t("threshold_lab.growth.title"), key="lab_growth", on_change="rerun")
    if not fold.open:
        return
    with fold:
        note(t("threshold_lab.growth.note"))
        for table in cost_tables():
            heads = "".join(
                f"<th>{esc(t(f'evaluate.column_{name}'))}</th>" for name in table.columns
            )
            rows = "".join(
                "<tr>" + "".join(f"<td>{esc(_cell(value))}</td>" for value in row) + "</tr>"
                for row in table.rows
            )
            write_html(
                f'<p class="lt-text"><b>{esc(t(f"evaluate.{table.code}"))}</b></p>'
                f'<div class="lt-scroll"><table class="lt-table"><tr>{heads}</tr>{rows}</table>'
                "</div>"
            )


def _cell(value: object) -> str:
    """Return one value as text; a key of the catalogue as its sentence."""
    if isinstance(value, int):
        return number(value)
    if isinstance(value, float):
        if 0 < value < 0.01:
            return "< 0.01"
        return number(round(value)) if value >= 100 else f"{value:.3g}"
    plain = type(value) is str  # its subclass `Code` is a key
    return str(value) if plain else t(f"evaluate.{value}")
