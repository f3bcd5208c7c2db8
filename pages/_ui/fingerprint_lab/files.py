"""Files of the fingerprint laboratory: texts that are opened, and what it shows as a download."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from simhash_core import LeitongError, read
from simhash_core.checking import uploads
from simhash_core.lab.laboratories import fingerprint_lines, similarity_measures, trace_data
from simhash_core.palette import LIGHT
from simhash_core.schemas import json_text

from ..components.pictures import bit_columns, square_sizes
from ..shared import session
from ..shared.formatting import error_text, esc, note_text
from ..shared.session import t
from ..shared.widgets import note, python_button
from . import state
from .blocks import letter

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
    if state.tab.lab_read:
        note(state.tab.lab_read)


def _take_row(side: int) -> None:
    row, result = session.get(_ROW), session.result()
    if row is not None and result is not None:
        _put(side, result.documents[row].text)


def _take_file(side: int) -> None:
    """Read one file as a check would; show the reason where it cannot be read."""
    given = session.get(_FILE)
    del state.tab.lab_read
    if given is None:
        return
    try:
        sources, refused = uploads([(given.name, given.getvalue())])
        documents, skipped = read(sources, keep=False)
    except LeitongError as error:
        state.tab.lab_read = error_text(error)
        return
    if documents:
        _put(side, documents[0].text)
    for row in (*refused, *skipped):
        state.tab.lab_read = note_text(row.code, row.params)


def _put(side: int, text: str) -> None:
    now = list(state.texts())
    now[side] = text
    st.query_params.pop("example", None)
    state.set_texts(now[0], now[1])


def exporting(traced: Mapping[int, Any]) -> None:
    """Offer the picture, the data, and the lines of Python that make them again."""
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
        lambda: json_text(trace_data(list(traced.values()))).encode(),
        file_name="leitong-fingerprint.json",
        mime="application/json",
        key="lab_json",
        on_click="ignore",
        icon=":material/data_object:",
    )
    lines = fingerprint_lines([one.document.text for one in traced.values()], state.settings())
    python_button("leitong-fingerprint.py", lines)


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


# --------------------------------------------------------------------------- the picture
# An SVG made here, without any request.

CELL, GAP, MARGIN = 18, 48, 24
_FONT = "font-family='sans-serif'"


def svg(
    traced: Mapping[int, Any],
    *,
    letters: Mapping[int, str],
    title: str,
    lines: Sequence[str],
    difference: str,
) -> bytes:
    """Return the grids of one or two texts, their difference, and lines of text below.

    `traced` maps a side to its trace; the picture is for paper, so it is always light.
    """
    whys = [each.explanation for each in traced.values()]
    bits = len(whys[0].bits)
    columns = bit_columns(bits)
    rows = -(-bits // columns)
    side, down = columns * CELL, rows * CELL
    top = max(float(why.margin.max(initial=0.0)) for why in whys)
    count = len(whys) + (len(whys) == 2)
    wide = max(2 * MARGIN + count * side + (count - 1) * GAP, 480)
    high = MARGIN + 64 + down + 24 + 20 * len(lines) + MARGIN
    parts = [_text(MARGIN, MARGIN + 16, title, size=18, weight=600)]
    for at, (number, why) in enumerate(zip(traced, whys, strict=True)):
        x = MARGIN + at * (side + GAP)
        parts.append(_text(x, MARGIN + 48, letters[number], size=14, weight=600))
        other = whys[1 - at].bits if len(whys) == 2 else why.bits
        parts.append(_grid(x, MARGIN + 58, why, other, square_sizes(why.margin, top), columns))
    if len(whys) == 2:
        x = MARGIN + 2 * (side + GAP)
        parts.append(_text(x, MARGIN + 48, difference, size=14))
        parts.append(_difference(x, MARGIN + 58, whys, columns))
    below = MARGIN + 58 + down + 28
    parts += [_text(MARGIN, below + 20 * n, line, size=13) for n, line in enumerate(lines)]
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{wide}' height='{high}' "
        f"viewBox='0 0 {wide} {high}'><title>{esc(title)}</title>"
        f"<rect width='100%' height='100%' fill='{LIGHT.bg}'/>"
    )
    return (head + "".join(parts) + "</svg>").encode()


def _text(x: float, y: float, text: str, *, size: int, weight: int = 400) -> str:
    style = f"{_FONT} font-size='{size}' font-weight='{weight}' fill='{LIGHT.ink}'"
    return f"<text x='{x}' y='{y}' {style}>{esc(text)}</text>"


def _frame(x: float, y: float, columns: int, bits: int) -> str:
    rows = -(-bits // columns)
    return (
        f"<rect x='{x}' y='{y}' width='{columns * CELL}' height='{rows * CELL}' fill='none' "
        f"stroke='{LIGHT.hair}'/>"
    )


def _grid(x: float, y: float, why: Any, other: Any, sizes: Sequence[int], columns: int) -> str:
    """Filled squares are 1, hollow ones 0; the side is the root of the margin."""
    marks = [_frame(x, y, columns, len(sizes))]
    for bit, percent in enumerate(sizes):
        size = CELL * percent / 100
        left = x + (bit % columns) * CELL + (CELL - size) / 2
        top = y + (bit // columns) * CELL + (CELL - size) / 2
        colour = LIGHT.reworded if why.bits[bit] != other[bit] else LIGHT.ink
        fill = colour if why.bits[bit] else "none"
        marks.append(
            f"<rect x='{left:.2f}' y='{top:.2f}' width='{size:.2f}' height='{size:.2f}' "
            f"fill='{fill}' stroke='{colour}' stroke-width='1.2'/>"
        )
    return "".join(marks)


def _difference(x: float, y: float, whys: Sequence[Any], columns: int) -> str:
    marks = [_frame(x, y, columns, len(whys[0].bits))]
    for bit, differ in enumerate(whys[0].bits != whys[1].bits):
        middle = x + (bit % columns + 0.5) * CELL, y + (bit // columns + 0.5) * CELL
        if differ:
            place = f"translate({middle[0]:.1f} {middle[1]:.1f}) rotate(45)"
            shape = f"<rect x='-5' y='-5' width='10' height='10' transform='{place}' "
            marks.append(shape + f"fill='{LIGHT.reworded}'/>")
        else:
            marks.append(
                f"<circle cx='{middle[0]:.1f}' cy='{middle[1]:.1f}' r='1.4' fill='{LIGHT.bulk}'/>"
            )
    return "".join(marks)
