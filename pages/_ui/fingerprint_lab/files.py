"""Opening texts in the fingerprint laboratory, and downloading what it shows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import streamlit as st

from simhash_core import LeitongError, read
from simhash_core.checking import uploads
from simhash_core.laboratory import similarity_measures, trace_data

from ..shared import session
from ..shared.formatting import error_text, note_text
from ..shared.session import t
from ..shared.tab import tab
from ..shared.widgets import note
from . import state
from .blocks import letter
from .picture import svg

_ROW, _FILE = "lab_open_row", "lab_open_file"  # keys of the widgets


def opening() -> None:
    """Offer texts of the current check and a file, for either side."""
    side = st.segmented_control(
        t("fingerprint_lab.open.side"),
        (0, 1),
        default=0,
        format_func=letter,
        key="lab_open_side",
        required=True,
    )
    result = session.result()
    if result is not None:
        rows = range(len(result.documents))
        names = session.doc_names(rows)
        st.selectbox(
            t("fingerprint_lab.open.check"),
            rows,
            index=None,
            format_func=names.__getitem__,
            placeholder="",
            key=_ROW,
            on_change=_take_row,
            args=(side,),
        )
    st.file_uploader(t("fingerprint_lab.open.file"), key=_FILE, on_change=_take_file, args=(side,))
    if tab.lab_read:
        note(tab.lab_read)


def _take_row(side: int) -> None:
    row, result = session.get(_ROW), session.result()
    if row is not None and result is not None:
        _put(side, result.documents[row].text)


def _take_file(side: int) -> None:
    """Read one file as a check would; show the reason where it cannot be read."""
    given = session.get(_FILE)
    del tab.lab_read
    if given is None:
        return
    try:
        sources, refused = uploads([(given.name, given.getvalue())])
        documents, skipped = read(sources)
    except LeitongError as error:
        tab.lab_read = error_text(error)
        return
    if documents:
        _put(side, documents[0].text)
    for row in (*refused, *skipped):
        tab.lab_read = note_text(row.code, row.params)


def _put(side: int, text: str) -> None:
    now = list(state.texts())
    now[side] = text
    st.query_params.pop("example", None)
    state.set_texts(now[0], now[1])


def exporting(traced: Mapping[int, Any]) -> None:
    """Offer the picture and the data."""
    st.download_button(
        t("fingerprint_lab.export.picture"),
        _picture(traced),
        file_name="leitong-fingerprint.svg",
        mime="image/svg+xml",
        key="lab_svg",
        on_click="ignore",
        icon=":material/image:",
    )
    st.download_button(
        t("fingerprint_lab.export.data"),
        lambda: json.dumps(
            trace_data(list(traced.values())), ensure_ascii=False, indent=1
        ).encode(),
        file_name="leitong-fingerprint.json",
        mime="application/json",
        key="lab_json",
        on_click="ignore",
        icon=":material/data_object:",
    )


def _picture(traced: Mapping[int, Any]) -> bytes:
    each = list(traced.values())
    letters = {side: letter(side) for side in traced}
    lines = [
        f"{letters[side]}  " + "".join("1" if bit else "0" for bit in one.explanation.bits)
        for side, one in traced.items()
    ]
    difference = ""
    if len(each) == 2:
        measured = similarity_measures(*each)
        difference = t("fingerprint_lab.differ", n=measured.distance)
        measures = (
            (t("fingerprint_lab.ruler.hamming"), f"{measured.distance} / {measured.bits}"),
            (t("fingerprint_lab.ruler.cosine"), f"{measured.cosine[0]:.2f}"),
            (t("fingerprint_lab.ruler.true"), f"{measured.true_cosine:.2f}"),
            (t("fingerprint_lab.ruler.jaccard"), f"{measured.jaccard:.2f}"),
        )
        lines.append("   ".join(f"{name} {value}" for name, value in measures))
    title = t("fingerprint_lab.export.heading", bits=len(each[0].explanation.bits))
    return svg(traced, letters=letters, title=title, lines=lines, difference=difference)
