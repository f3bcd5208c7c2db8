"""Widgets of every page. Whatever enters markup goes through `esc` first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from simhash_core import CheckResult, __version__
from simhash_core.i18n import LANGUAGES, translator
from simhash_core.model import Division
from simhash_core.numbers import CLASSES
from simhash_core.seen import expected_false

from . import jobs, session
from .formatting import esc, notation, say_expected
from .navigation import name_pair, name_row, page
from .session import t

_MEDIA_TYPES = {
    "csv": "text/csv",
    "json": "application/json",
    "svg": "image/svg+xml",
    "py": "text/x-python",
    "zip": "application/zip",
}
LEADING = 2  # numbers of a strip that are set large


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of the strip; `tail` is what follows it in small type."""

    label: str
    value: str
    help: str = ""
    tail: str = ""


def write_html(markup: str) -> None:
    """Write markup whose every foreign part went through `esc`."""
    st.html(markup)


def page_head(
    title: str, lead: str = "", note: str = "", *, announced: bool = False
) -> DeltaGenerator:
    """Draw the head of a page and return the container for at most three actions.

    `announced`: a screen reader is told the title and what stands under it, when they change.
    """
    row = st.container(
        key="head",
        horizontal=True,
        vertical_alignment="bottom",
        horizontal_alignment="distribute",
        gap="medium",
    )
    line = f"<b>{esc(lead)}</b> " if lead else ""  # the space: a screen reader joins what touches
    line = f'<p class="lt-lead">{line}{esc(note)}</p>' if line or note else ""
    with row.container(width="stretch"):
        announcement = says(" ".join(filter(None, (title, lead, note)))) if announced else ""
        st.html(f'<h1 class="lt-h1">{esc(title)}</h1>{line}{announcement}')
    return row.container(
        key="noprint-actions", horizontal=True, width="content", vertical_alignment="bottom"
    )


def number_strip(figures: Iterable[Figure], *, leading: int = LEADING) -> None:
    """Draw the numbers of a page between two hairlines: the first ones large, the others small."""
    cells = "".join(
        f'<div class="{"big" if place < leading else "small"}"><dt>{esc(figure.label)}'
        f"{_help(figure.help)}</dt><dd>{esc(figure.value)}"
        + (f"<small>{esc(figure.tail)}</small>" if figure.tail else "")
        + "</dd></div>"
        for place, figure in enumerate(figures)
    )
    even = "" if leading else " even"
    write_html(f'<dl class="lt-strip{even}">{cells}</dl>')


def _help(text: str) -> str:
    """Return a mark that explains a number to the pointer, the keyboard and a screen reader."""
    if not text:
        return ""
    label = esc(text)
    return (
        f'<span class="lt-help" tabindex="0" role="img" aria-label="{label}">?'
        f'<span aria-hidden="true">{label}</span></span>'
    )


def figure_head(title: str, note: str = "", *, level: int = 2) -> None:
    """Draw the rule, title and note that begin a block."""
    tail = f"<span>{esc(note)}</span>" if note else ""
    st.html(f'<div class="lt-fig"><h{level}>{esc(title)}</h{level}>{tail}</div>')


def note(text: str, *, lead: str = "") -> None:
    """Write a grey sentence."""
    bold = f"<b>{esc(lead)}</b> " if lead else ""
    st.html(f'<p class="lt-note">{bold}{esc(text)}</p>')


def paragraph(text: str) -> None:
    """Write a plain sentence."""
    st.html(f'<p class="lt-text">{esc(text)}</p>')


def caution(lead: str, text: str) -> None:
    """Draw a note on the limits of a number."""
    st.html(f'<p class="lt-caution"><b>{esc(lead)}</b>{esc(text)}</p>')


def says(text: str) -> str:
    """Return markup that is not seen: a screen reader says the text when it changes."""
    return f'<span data-lt-says="{esc(text)}"></span>'


def tag(text: str, kind: str = "") -> str:
    """Return the markup of a small box; `kind` is "", "warn" or "bad"."""
    return f'<span class="lt-tag {esc(kind)}">{esc(text)}</span>'


def foot() -> None:
    """Draw the closing sentence and the version."""
    version = t("frame.version", version=__version__)
    st.html(
        f'<div class="lt-foot"><span><b>{esc(t("frame.foot.lead"))}</b> '
        f"{esc(t('frame.foot.rest'))}</span><span>{esc(version)}</span></div>"
    )


def empty_state(sentence: str, *, button: str = "", page: str = "check", icon: str = "") -> None:
    """Say what will be here and offer one way to it."""
    paragraph(sentence)
    if button and st.button(button, key="empty_go", icon=icon or None):
        open_page(page)


def no_result(title: str) -> None:
    """Draw a page that waits for a check."""
    page_head(title)
    empty_state(
        t("frame.no_result_yet" if jobs.is_running("check") else "frame.no_result"),
        button=t("frame.go_check"),
        page="check",
        icon=":material/upload_file:",
    )
    foot()


def language_switch() -> None:
    """Draw the languages; the chosen one holds for all pages of this browser."""
    key = "language_switch"

    def change() -> None:
        chosen = session.get(key)
        if chosen in LANGUAGES:
            session.set_language(chosen)

    session.put(key, session.language())
    st.segmented_control(
        t("frame.language"),
        LANGUAGES,
        format_func=lambda code: translator(code)("language.name"),
        key=key,
        label_visibility="collapsed",
        required=True,
        on_change=change,
    )


def open_page(name: str, query: Mapping[str, str] | None = None) -> None:
    """Go to another page of the frame."""
    st.switch_page(page(name), query_params=dict(query or {}))


def open_compare(a: int, b: int, **query: str) -> None:
    """Open two rows of the current check beside each other."""
    result = session.result()
    assert result is not None
    open_page("results", {"pair": name_pair(result.documents, (a, b)), **query})


def open_result() -> None:
    """Open what the check of this tab has found: of two texts alone, both beside each other."""
    result, project = session.result(), session.project()
    two = project is not None and project.get("door") == "two"
    if two and result is not None and len(result.documents) == 2:
        open_compare(0, 1)
    open_page("results")


def open_document(row: int, **query: str) -> None:
    """Open one row of the current check."""
    result = session.result()
    assert result is not None
    open_page("results", {"text": name_row(result.documents, row), **query})


def axis_top(result: CheckResult) -> int:
    """Return the last distance an axis shows: unrelated texts stand near half of the bits."""
    return max(result.fingerprints.bits * 5 // 8, 1)


def threshold_top(result: CheckResult) -> int:
    """Return the widest threshold for which the result holds every pair."""
    return max(1, min(result.complete_up_to, axis_top(result)))


def settle_threshold(result: CheckResult) -> None:
    """Bring the shared threshold into the range of this result, before anything is drawn by it."""
    session.set_threshold(min(session.threshold(), threshold_top(result)))


def threshold_slider(
    result: CheckResult, *, label_visibility: Literal["visible", "collapsed"] = "collapsed"
) -> int:
    """Draw the shared threshold and return it, in bits."""
    settle_threshold(result)
    return int(
        st.slider(
            t("frame.threshold.label"),
            0,
            threshold_top(result),
            key=session.THRESHOLD_KEY,
            label_visibility=label_visibility,
            # not bound to the URL: going back to an address without k would set it to 0
            persist_state="session",
        )
    )


def figure_over_slider(result: CheckResult) -> tuple[DeltaGenerator, int, int]:
    """Draw the threshold as the x axis of a figure; return its place, the threshold and the end.

    Both in bits; the slider stops where a threshold does, the figure may go on.
    """
    top = axis_top(result)
    with st.container(key="distance-figure", gap=None):
        drawing = st.container(gap=None)
        share = threshold_top(result) / top
        place = st.container() if share >= 1 else st.columns([share, 1 - share], gap=None)[0]
        with place:
            k = threshold_slider(result)
        step = next(s for s in (1, 2, 5, 10, 20, 50) if top / s <= 5)
        marks = "".join(
            f'<span style="left:{100 * value / top:.3f}%">{value}</span>'
            for value in range(0, top + 1, step)
        )
        write_html(f'<div class="lt-axis" aria-hidden="true">{marks}</div>')
    return drawing, k, top


def expected_text(k: int) -> str:
    """Return how many false pairs to expect in the current batch at a threshold."""
    result = session.result()
    if result is None:
        return ""
    return t("frame.threshold.expected", expected=say_expected(expected_false(result, k)))


def python_button(name: str, lines: str) -> None:
    """Offer the lines of Python that make again what is shown, as a file."""
    save_button(
        t("frame.python"), lines.encode(), name, key="python_lines", icon="code",
        help=t("frame.python_help"),
    )  # fmt: skip


def save_button(
    label: str, data: Any, name: str, *, key: str, icon: str = "download", **more: Any
) -> None:
    """Offer a file; `data` may be a function that makes it, `more` goes to Streamlit."""
    kind = _MEDIA_TYPES.get(name.rpartition(".")[2], "application/octet-stream")
    st.download_button(
        label, data, name, kind, key=key, icon=f":material/{icon}:", on_click="ignore", **more
    )


def whole_bar(division: Division, label: str = "") -> None:
    """Draw a whole text by class, what its shared part consists of, and how much counts."""
    write = notation()
    parts = "".join(
        f'<i class="{name}" style="flex-grow:{units}"></i>'
        for name in CLASSES
        if (units := getattr(division, name))
    )
    numbers = " · ".join(filter(None, (write.sum(division), write.counted(division))))
    write_html(
        f'<div class="lt-sum"><b>{esc(label)}</b><span class="lt-whole" role="img" '
        f'aria-label="{esc(write.bar(division))}">{parts}</span><span>{esc(numbers)}</span></div>'
    )
