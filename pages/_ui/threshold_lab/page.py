"""Threshold lab: what a threshold means on the texts of the reader.

Beside the blocks of the page: another recipe on the same answers, checked once and then a further
column of the table; and what finding a near text costs from a million to ten billion texts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from simhash_core import CheckResult, LeitongError, check
from simhash_core.checking import weightings
from simhash_core.lab.labels import dump_labels, label_quality, relabel, suggest_threshold
from simhash_core.lab.laboratories import find_borderline
from simhash_core.lab.museum.structures import cost_tables
from simhash_core.settings import WEIGHTING_NAMES
from simhash_core.text.lines import blank_marks

from ..components.lists import Cell, pair_strip
from ..shared import session
from ..shared.formatting import error_text, esc, number, text_language
from ..shared.session import t
from ..shared.widgets import (
    figure_head,
    foot,
    no_result,
    note,
    page_head,
    paragraph,
    save_button,
    settle_threshold,
    write_html,
    write_table,
)
from . import curves, decided, judging

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
    says = decided.has_enough()
    open_all = bool(session.get(STATISTICS_KEY, not says))
    lead = t("threshold_lab.decided.lead", n=len(judging.read_decided())) if says else ""
    with page_head(t("threshold_lab.title"), current.name, lead or t("threshold_lab.lead")):
        if open_all:
            curves.offer_exports(result)
            export_files()
            curves.actions(result)
    if not result.distances.total:
        paragraph(t("threshold_lab.no_pairs"))
        foot()
        return
    if says:
        decided.draw_decided(result, slider=not open_all)
    else:
        decided.prompt()
    st.toggle(
        t("threshold_lab.decided.statistics"), not says, key=STATISTICS_KEY, persist_state="session"
    )
    if open_all:
        left, right = st.columns([9, 7], gap="large")
        with left:
            curves.distances(result)
        with right:
            curves.curves(result)
        other = _other_column(result, curves.aim())
        border_pairs(result, lambda: curves.compared_table(result, other))
        _other_recipe(result)
        curves.cost(result)
        _growth()
    foot()


# --------------------------------------------------------------------------- another recipe

BITS = (64, 128, 256)
SWITCHES = ("batch_signature", "stop_words", "fold_variants")


def _other_column(result: CheckResult, aim: str) -> list[tuple[Any, ...]] | None:
    """Return the column of the other recipe at its best threshold, None without one."""
    stored = judging.tab.rival
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
            judging.tab.rival = (current.token, other)
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
            rows = (
                "<tr>" + "".join(f"<td>{esc(_cell(value))}</td>" for value in row) + "</tr>"
                for row in table.rows
            )
            write_table(title, heads, rows)


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


# --------------------------------------------------------------------------- borderline
SIDE = 5  # pairs on either side of the threshold
EXCERPT = {"zh-CN": 90, "en": 210}  # characters of a shared passage, or from the beginning
BLIND_KEY = "lab_blind"
KEYS = {"s": True, "d": False, "u": None}
KINDS = {True: "same", False: "other", None: "unsure"}


def border_pairs(result: CheckResult, beside: Callable[[], None]) -> None:
    """The whole block: strip, excerpts, answers; `beside` draws what stands to their right."""
    figure_head(t("threshold_lab.border"), t("threshold_lab.border_note"))
    rows, inside = _rows()
    at, keys = 0, [judging.key_of(row) for row in rows]
    answers = judging.answers()
    if rows:
        at = _open_cell(keys, answers)
        clicked, pressed = pair_strip(
            [_text_cell(row, key, answers) for row, key in zip(rows, keys, strict=True)],
            key="lab_strip",
            inside=inside,
            selected=at,
            label=t("threshold_lab.border"),
            keys="".join(KEYS),
        )
        if pressed in KEYS:
            _answer(keys[at], KEYS[pressed])
            st.rerun()
        if clicked is not None and clicked != at:
            judging.tab.judging_open = keys[clicked]
            st.rerun()
    left, right = st.columns([13, 8], gap="large")
    with left:
        if rows:
            _excerpts(result, rows[at])
            _buttons(keys[at], all(key in answers for key in keys))
        else:
            paragraph(t("threshold_lab.border_none"))
    with right:
        beside()


def _rows() -> tuple[list[int], int]:
    k, stored = session.threshold(), judging.tab.judging_skip
    skip = stored[1] if stored[0] == k else 0
    inside, outside = find_borderline(judging.sweep_check(), k, count=SIDE, skip=skip)
    return [*map(int, inside), *map(int, outside)], len(inside)


def _open_cell(keys: list[judging.Key], answers: judging.Answers) -> int:
    """The cell that was clicked, else the first without an answer, else the first."""
    asked = judging.tab.judging_open
    if asked in keys:
        return keys.index(asked)
    return next((at for at, key in enumerate(keys) if key not in answers), 0)


def _text_cell(row: int, key: judging.Key, answers: judging.Answers) -> Cell:
    result = session.result()
    assert result is not None
    kind = KINDS[answers[key]] if key in answers else "open"
    blind = bool(session.get(BLIND_KEY, True)) and kind == "open"
    place = str(int(judging.sweep_check().entry[row]))
    names = [session.doc_name(int(side[row])) for side in _sides(result)]
    sentence = t(f"threshold_lab.cell.{kind}", a=names[0], b=names[1], k="?" if blind else place)
    return Cell(kind, "?" if blind else place, sentence)


def _sides(result: CheckResult) -> tuple[Any, Any]:
    return result.table.pairs.left, result.table.pairs.right


def _excerpts(result: CheckResult, row: int) -> None:
    """Where the two texts are most alike, or how they begin."""
    spans = session.memo(("spans", row), lambda: _spans(result, row))
    for column, side, span in zip(st.columns(2, gap="medium"), _sides(result), spans, strict=True):
        name = session.doc_name(int(side[row]))
        text = blank_marks(result.documents[int(side[row])].text)
        tag = text_language(text)
        with column:
            note(name)
            write_html(
                f'<p class="lab-excerpt" lang="{tag}">{_mark_words(text, *span, EXCERPT[tag])}</p>'
            )


def _spans(result: CheckResult, row: int) -> list[tuple[int, int, str]]:
    """The longest shared passage on both sides, or nothing at the beginning."""
    passages = result.passages
    rows = np.flatnonzero((passages.pair == row) & ~passages.weak)
    if not len(rows):
        return [(0, 0, ""), (0, 0, "")]
    best = rows[np.argmax(passages.a_end[rows] - passages.a_start[rows])]
    kind = "identical" if passages.kind[best] == 0 else "reworded"
    return [
        (int(passages.a_start[best]), int(passages.a_end[best]), kind),
        (int(passages.b_start[best]), int(passages.b_end[best]), kind),
    ]


def _mark_words(text: str, start: int, end: int, kind: str, length: int) -> str:
    """Return some `length` characters of a text with its passage marked."""
    end = min(end, start + length)
    spare = length - (end - start)
    first = max(start - spare // 2, 0)
    last = min(end + spare - (start - first), len(text))
    inside = esc(text[start:end])
    return (
        ("…" if first else "") + esc(text[first:start])
        + (f'<mark class="{kind}">{inside}</mark>' if kind else inside)
        + esc(text[end:last]) + ("…" if last < len(text) else "")
    )  # fmt: skip


def _buttons(key: judging.Key, complete: bool) -> None:
    with st.container(key="noprint-answers", horizontal=True, vertical_alignment="center"):
        icons = ("circle", "close", "question_mark")
        for (shortcut, same), icon in zip(KEYS.items(), icons, strict=True):
            name = KINDS[same]
            st.button(
                t(f"threshold_lab.{name}"),
                key=f"lab_{name}",
                icon=f":material/{icon}:",
                shortcut=shortcut,
                type="secondary" if same is not None else "tertiary",
                on_click=_answer,
                args=(key, same),
            )
        st.toggle(t("threshold_lab.blind"), value=True, key=BLIND_KEY, persist_state="session")
        st.button(
            t("threshold_lab.undo"),
            key="lab_undo",
            icon=":material/undo:",
            type="tertiary",
            disabled=not judging.can_undo(),
            on_click=judging.undo,
        )
        if complete:
            st.button(
                t("threshold_lab.further"),
                key="lab_further",
                icon=":material/arrow_outward:",
                type="tertiary",
                on_click=_further,
            )


def _answer(key: judging.Key, same: bool | None) -> None:
    judging.answer(key, same)
    judging.tab.judging_open = None


def _further() -> None:
    k, stored = session.threshold(), judging.tab.judging_skip
    judging.tab.judging_skip = (k, (stored[1] if stored[0] == k else 0) + SIDE)
    judging.tab.judging_open = None


def export_files() -> None:
    """Download the answers, upload others, or clear them."""
    with st.popover(t("threshold_lab.files"), icon=":material/label:", key="lab_files"):
        answers = judging.answers()
        note(t("threshold_lab.files_note", n=len(answers)))
        label, data = t("threshold_lab.files_save"), dump_labels(judging.labels())
        save_button(label, data, "leitong-labels.json", key="labels_save", disabled=not answers)
        st.file_uploader(
            t("threshold_lab.files_load"),
            type="json",
            key=judging.UPLOAD_KEY,
            on_change=judging.take_file,
        )
        outcome = judging.outcome()
        if outcome is not None:
            kind, facts = outcome
            if kind == "added":
                note(t("threshold_lab.files_added", n=facts[0], foreign=facts[1]))
            else:
                note(facts if kind == "error" else t("threshold_lab.files_unsaved"))
        st.button(
            t("threshold_lab.files_clear"),
            key="labels_clear",
            icon=":material/delete:",
            type="tertiary",
            disabled=not answers,
            on_click=judging.clear,
        )
