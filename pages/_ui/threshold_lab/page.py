"""Threshold lab: what a threshold means on the texts of the reader.

Beside the blocks of the page: another recipe on the same answers, checked once and then a further
column of the table; and what finding a near text costs from a million to ten billion texts.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import streamlit as st

from simhash_core import CheckResult, LeitongError, check
from simhash_core.checking import weightings
from simhash_core.lab.labels import label_quality, relabel, suggest_threshold
from simhash_core.lab.laboratories import find_borderline
from simhash_core.lab.museum.structures import cost_tables
from simhash_core.settings import WEIGHTING_NAMES

from ..components.lists import draw_table
from ..shared import session
from ..shared.formatting import error_text, esc, number
from ..shared.session import t
from ..shared.widgets import (
    caution,
    figure_head,
    foot,
    note,
    open_page,
    page_head,
    paragraph,
    settle_threshold,
    write_html,
)
from . import curves, decided

STATISTICS_KEY = "lab_statistics"
STYLE = Path(__file__).parents[1] / "shared" / "lab.css"


def draw() -> None:
    """Draw the laboratory on the current check, or on the sample essays."""
    st.html(STYLE)
    current = session.check()
    if current is None:
        draw_sample()
        return
    result = current.result
    settle_threshold(result)
    says = decided.has_enough()
    open_all = bool(session.get(STATISTICS_KEY, False))
    lead = t("threshold_lab.decided.lead", n=len(decided.read_decided())) if says else ""
    with page_head(t("threshold_lab.title"), current.name, lead or t("threshold_lab.lead")):
        if open_all:
            curves.offer_exports(result)
            if says:
                curves.actions(result)
    if not result.distances.total:
        paragraph(t("threshold_lab.no_pairs"))
        foot()
        return
    if says:
        decided.draw_decided(result, slider=not open_all)
        caution(t("threshold_lab.whole.lead"), t("threshold_lab.whole.text"))
    else:
        play(result)
        decided.prompt()
    st.toggle(t("threshold_lab.decided.statistics"), key=STATISTICS_KEY, persist_state="session")
    if open_all:
        _draw_statistics(result, says)
    foot()


def _draw_statistics(result: CheckResult, says: bool) -> None:
    """Draw curves and costs; with enough decisions how good a threshold is, and another recipe."""
    if says:
        curves.distances(result)
    curves.curves(result)
    if says:
        figure_head(t("threshold_lab.table.title"))
        curves.compared_table(result, _other_column(result, curves.aim()))
        _other_recipe(result)
    curves.cost(result)
    _growth()


# --------------------------------------------------------------------------- another recipe

BITS = (64, 128, 256)
SWITCHES = ("batch_signature", "stop_words", "fold_variants")


def _other_column(result: CheckResult, aim: str) -> list[tuple[Any, ...]] | None:
    """Return the column of the other recipe at its best threshold, None without one."""
    stored = decided.tab.rival
    current = session.check()
    if stored is None or current is None or stored[0] != current.token:
        return None
    other = stored[1]
    judged = relabel(decided.label_decisions(), other)
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
            current = session.check()
            assert current is not None
            first_reference = result.checked
            documents, against = (
                result.documents[:first_reference],
                result.documents[first_reference:],
            )
            with st.spinner(t("threshold_lab.rival.running")):
                try:
                    other = check(documents, against=against, settings=settings)
                except LeitongError as error:
                    note(error_text(error))
                    return
            decided.tab.rival = (current.token, other)
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
            title = t(f"evaluate.{table.code}")
            write_html(f'<p class="lt-text"><b>{esc(title)}</b></p>')
            heads = [(t(f"evaluate.column_{name}"), "") for name in table.columns]
            rows = ([_cell(value) for value in row] for row in table.rows)
            draw_table(f"growth_{table.code}", title, heads, rows)


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


# --------------------------------------------------------------------------- one line moves
SHOWN = 5  # pairs on either side of the line


def play(result: CheckResult) -> None:
    """Draw the distances over the line that moves, and the pairs that come and go with it."""
    answer = st.container()
    curves.distances(result)
    k, swept = session.threshold(), decided.sweep_check()
    inside, outside = find_borderline(swept, k, count=SHOWN)
    pairs, texts = (
        int(held[min(k, swept.complete_up_to)]) for held in (swept.pairs, swept.documents)
    )
    sentence = t("threshold_lab.play.say", k=k, pairs=pairs, texts=texts)
    answer.html(f'<p class="lab-say">{esc(sentence)}</p>')
    figure_head(t("threshold_lab.play.title"), t("threshold_lab.play.note"))
    table = result.table.pairs
    rows: list[list[str]] = []
    for row in map(int, (*inside, *outside)):
        within = int(swept.entry[row]) <= k
        names = (
            result.documents[int(side[row])].name
            if session.result() is None
            else session.doc_name(int(side[row]))
            for side in (table.left, table.right)
        )
        side = t(f"threshold_lab.play.{'inside' if within else 'outside'}")
        rows.append([" / ".join(names), str(int(swept.entry[row])), side])
    heads = [(t(f"threshold_lab.play.{name}"), kind) for name, kind in
             (("pair", "names"), ("bits", "num"), ("side", "num"))]  # fmt: skip
    title = t("threshold_lab.play.title")
    draw_table("lab_play", title, heads, rows, chosen=range(len(inside)))
    caution(t("threshold_lab.whole.lead"), t("threshold_lab.whole.text"))


def draw_sample() -> None:
    """Offer the sample essays to those who have no check, and play with them."""
    page_head(t("threshold_lab.title"), note=t("threshold_lab.lead"))
    if decided.tab.sample is None:
        paragraph(t("threshold_lab.sample.text"))
        with st.container(horizontal=True):
            if st.button(t("threshold_lab.sample.open"), key="lab_sample", type="primary",
                         icon=":material/play_arrow:"):  # fmt: skip
                with st.spinner(t("threshold_lab.rival.running")):
                    decided.check_sample()
                st.rerun()
            if st.button(t("frame.go_check"), key="empty_go", icon=":material/upload_file:"):
                open_page("check")
        caution(t("threshold_lab.whole.lead"), t("threshold_lab.whole.text"))
    else:
        note(t("threshold_lab.sample.shown", n=len(decided.tab.sample.documents)))
        play(decided.tab.sample)
    foot()
