"""The strip of borderline pairs: ten cells, two excerpts, three answers; and labels as files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from simhash_core import CheckResult
from simhash_core.lab.laboratories import borderline
from simhash_core.lab.laboratories.labels import dump_labels

from ..components.lists import Cell, pair_strip
from ..shared import session
from ..shared.formatting import esc, text_language
from ..shared.session import t
from ..shared.tab import tab
from ..shared.widgets import figure_head, note, paragraph, write_html
from . import judging

SIDE = 5  # pairs on either side of the threshold
EXCERPT = {"zh-CN": 90, "en": 210}  # characters of a shared passage, or from the beginning
BLIND_KEY = "lab_blind"
KEYS = {"s": True, "d": False, "u": None}
KINDS = {True: "same", False: "other", None: "unsure"}


def border(result: CheckResult, beside: Callable[[], None]) -> None:
    """The whole block: strip, excerpts, answers; `beside` draws what stands to their right."""
    figure_head(t("threshold_lab.border"), t("threshold_lab.border_note"))
    rows, inside = _rows()
    at, keys = 0, [judging.key_of(row) for row in rows]
    answers = judging.answers()
    if rows:
        at = _open_cell(keys, answers)
        clicked, pressed = pair_strip(
            [_cell(row, key, answers) for row, key in zip(rows, keys, strict=True)],
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
            tab.judging_open = keys[clicked]
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
    """Return the table rows at the border and how many of them lie inside."""
    k, stored = session.threshold(), tab.judging_skip
    skip = stored[1] if stored[0] == k else 0
    inside, outside = borderline(judging.swept(), k, count=SIDE, skip=skip)
    return [*map(int, inside), *map(int, outside)], len(inside)


def _open_cell(keys: list[judging.Key], answers: judging.Answers) -> int:
    """The cell that was clicked, else the first without an answer, else the first."""
    asked = tab.judging_open
    if asked in keys:
        return keys.index(asked)
    return next((at for at, key in enumerate(keys) if key not in answers), 0)


def _cell(row: int, key: judging.Key, answers: judging.Answers) -> Cell:
    result = session.result()
    assert result is not None
    kind = KINDS[answers[key]] if key in answers else "open"
    blind = bool(session.get(BLIND_KEY, True)) and kind == "open"
    place = str(int(judging.swept().entry[row]))
    names = [session.doc_name(int(side[row])) for side in _sides(result)]
    sentence = t(f"threshold_lab.cell.{kind}", a=names[0], b=names[1], k="?" if blind else place)
    return Cell(kind, "?" if blind else place, sentence)


def _sides(result: CheckResult) -> tuple[Any, Any]:
    return result.table.pairs.left, result.table.pairs.right


def _excerpts(result: CheckResult, row: int) -> None:
    """Where the two texts are most alike, or how they begin."""
    spans = session.memo(("spans", row), lambda: _spans(result, row))
    for column, side, span in zip(st.columns(2, gap="medium"), _sides(result), spans, strict=True):
        name, text = session.doc_name(int(side[row])), result.documents[int(side[row])].text
        tag = text_language(text)
        with column:
            note(name)
            write_html(
                f'<p class="lab-excerpt" lang="{tag}">{_marked(text, *span, EXCERPT[tag])}</p>'
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


def _marked(text: str, start: int, end: int, kind: str, length: int) -> str:
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
    """Store the answer and go on to the next pair."""
    judging.answer(key, same)
    tab.judging_open = None


def _further() -> None:
    k, stored = session.threshold(), tab.judging_skip
    tab.judging_skip = (k, (stored[1] if stored[0] == k else 0) + SIDE)
    tab.judging_open = None


def files() -> None:
    """Download the answers, upload others, or clear them."""
    with st.popover(t("threshold_lab.files"), icon=":material/label:", key="lab_files"):
        answers = judging.answers()
        note(t("threshold_lab.files_note", n=len(answers)))
        st.download_button(
            t("threshold_lab.files_save"),
            dump_labels(judging.labels()),
            file_name="leitong-labels.json",
            mime="application/json",
            key="labels_save",
            on_click="ignore",
            icon=":material/download:",
            disabled=not answers,
        )
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
