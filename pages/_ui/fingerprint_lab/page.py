"""Fingerprint lab: one text, or two, followed from words to bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from simhash_core import LeitongError, read
from simhash_core.checking import uploads
from simhash_core.lab.laboratories import (
    EXAMPLES,
    example_votes,
    fingerprint_lines,
    similarity_measures,
    solve_example,
    trace_data,
)
from simhash_core.palette import LIGHT
from simhash_core.schemas import json_text
from simhash_core.weighting import SCALE

from ..components.pictures import bit_columns, square_sizes
from ..shared import session
from ..shared.formatting import error_text, esc, note_text
from ..shared.session import t
from ..shared.widgets import (
    figure_head,
    foot,
    note,
    page_head,
    paragraph,
    python_button,
    save_button,
    write_html,
)
from . import blocks, state
from .blocks import letter

STYLE = Path(__file__).parents[1] / "shared" / "lab.css"


@st.fragment
def laboratory() -> None:
    """Everything on the page; an edit runs this and nothing else."""
    st.html(STYLE)
    name = st.query_params.get(QUERY, "")
    example = next((example for example in EXAMPLES if example.code == name), None)
    actions = page_head(t("fingerprint_lab.title"), note=t("fingerprint_lab.lead"))
    with actions:
        with action("open", "folder_open"):
            offer_texts()
        with action("examples", "book_2"):
            example_menu()
    if example is not None:
        figure_head(t(f"lab.example.{example.code}.title"), t(f"lab.source.{example.source}"))
        paragraph(t(f"lab.example.{example.code}.note"))
        solution = solve_example(example)
        shown = _fingerprints(example) if example.fingerprints else _votes(example)
        write_html(f'<div class="lt-scroll">{shown}</div>')
        _answer(example.expected, solution)
        st.button(
            t("lab.back"), key="lab_back", icon=":material/arrow_back:", on_click=close_example
        )
        return
    answer = st.container()
    blocks.boxes()
    blocks.controls()
    traced = state.trace_texts()
    if blocks.say_nothing(traced):
        return
    with answer:
        blocks.sentence(traced)
    with actions, action("export", "ios_share"):
        offer_exports(traced)
    follow(traced)


def action(name: str, icon: str) -> DeltaGenerator:
    """One menu of the head."""
    title = t(f"fingerprint_lab.{name}.title")
    return st.popover(title, icon=f":material/{icon}:", key=f"lab_{name}")


def follow(traced: dict[int, Any]) -> None:
    """The words and the bits of the texts in the boxes, and the steps from one to the other."""
    flips = state.flips(traced)
    blocks.lines(traced)
    pair = len(traced) == 2
    bits = state.settings().bits
    left, right = st.columns([5, 2], gap="large")
    with left:
        figure_head(t("fingerprint_lab.board.title", bits=bits), t("fingerprint_lab.board.note"))
        place = st.container()
        k = blocks.reach() if pair else 0
        with place:
            bit = blocks.board(traced, flips, k)
        blocks.note_flips(flips)
    with right:
        if pair:
            blocks.draw_among_unrelated(traced)
        figure_head(t(f"fingerprint_lab.rulers.{'title' if pair else 'one'}"))
        if pair:
            blocks.measures(traced)
        else:
            note(t("fingerprint_lab.rulers.alone"))
            blocks.short_text(next(iter(traced.values())))
        blocks.say_dominant(traced)
    with st.expander(t("fingerprint_lab.steps.title"), key="lab_steps_fold"):
        blocks.steps(*next(iter(traced.items())))
    blocks.voters(traced, bit)
    blocks.word_table(traced)


def draw() -> None:
    """Draw the laboratory and the foot of the page."""
    laboratory()
    foot()


# --------------------------------------------------------------------------- worked examples
QUERY = "example"
#: texts with levels by hand: the sentence of a source, its eleven words and their weights
SENTENCE = "CSDN博客结构之法算法之道的作者July"
LEVELS = (("csdn", 4), ("博客", 5), ("结构", 3), ("之", 1), ("法", 2), ("算法", 3), ("道", 2),
          ("的", 1), ("作者", 5), ("july", 5))  # fmt: skip
#: jieba joins 之 and 道; these entries of a user dictionary keep them two words
WORDS = ("之 30000000", "道 30000000", "之道的 1")
CATS = ("the cat sat on the mat", "the cat sat on a mat", "we all scream for ice cream")
#: name -> (text A, text B, weighting): examples that open in the two boxes
TEXTS = {
    "near": (CATS[0], CATS[1], "tf"),
    "far": (CATS[0], CATS[2], "tf"),
    "levels": (SENTENCE, "", "levels"),
}


def example_menu() -> None:
    """Offer everything that can be opened with one click."""
    note(t("lab.menu.live"))
    st.button(t("lab.text.sample"), key="lab_text_sample", on_click=_sample, width="stretch")
    for name in TEXTS:
        label = t(f"lab.text.{name}")
        st.button(label, key=f"lab_text_{name}_go", on_click=_load, args=(name,), width="stretch")
    note(t("lab.menu.worked"))
    for example in EXAMPLES:
        st.button(
            t(f"lab.example.{example.code}.title"),
            key=f"lab_example_{example.code}",
            on_click=_open,
            args=(example.code,),
            width="stretch",
        )


def _open(code: str) -> None:
    st.query_params[QUERY] = code


def close_example() -> None:
    """Go back to the texts of the reader."""
    st.query_params.pop(QUERY, None)


def _sample() -> None:
    close_example()
    state.set_texts(t("lab.sample.a"), t("lab.sample.b"))
    state.choose(64, "background")


def _load(name: str) -> None:
    close_example()
    a, b, weighting = TEXTS[name]
    by_hand = name == "levels"
    state.set_texts(a, b, levels=LEVELS if by_hand else (), user_words=WORDS if by_hand else ())
    state.choose(64, weighting)


def _votes(example: Any) -> str:
    why = example_votes(example)
    bits = range(example.bits)
    head = "".join(f"<th>{bit}</th>" for bit in bits)
    rows = []
    for word, printed, weight in example.words:  # in the order of the source
        votes = _signed(why.votes[why.tokens.index(word)])
        rows.append(_row(t("lab.hash_of", word=word), list(printed)))
        rows.append(_row(t("lab.votes_of", word=word, weight=f"{weight:g}"), votes))
    rows.append(_row(t("lab.sum"), _signed(why.sums), "sum"))
    rows.append(_row(t("lab.sign"), [str(int(bit)) for bit in why.bits]))
    return (
        f'<table class="lab-votes"><thead><tr><th>{esc(t("lab.bit"))}</th>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _signed(values: Any) -> list[str]:
    return [f"{value / SCALE:+g}".replace("-", "−") for value in values.tolist()]


def _row(name: str, cells: Sequence[str], kind: str = "") -> str:
    shown = "".join(
        f'<td class="{"minus" if cell.startswith("−") else ""}">{esc(cell)}</td>' for cell in cells
    )
    return f'<tr class="{kind}"><th scope="row">{esc(name)}</th>{shown}</tr>'


def _fingerprints(example: Any) -> str:
    """The given fingerprints under each other; bits that are not the same in all stand out."""
    bits = range(example.bits)
    mixed = [len({printed[bit] for printed in example.fingerprints}) > 1 for bit in bits]
    head = "".join(f"<th>{bit}</th>" for bit in bits)
    names = example.texts or [t("lab.print", n=n) for n in range(1, len(example.fingerprints) + 1)]
    rows = "".join(
        f'<tr><th scope="row">{esc(name)}</th>'
        + "".join(
            f'<td class="{"differ" if mixed[bit] else ""}">{printed[bit]}</td>' for bit in bits
        )
        + "</tr>"
        for name, printed in zip(names, example.fingerprints, strict=True)
    )
    return (
        f'<table class="lab-votes"><thead><tr><th>{esc(t("lab.bit"))}</th>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _answer(expected: Any, computed: Any) -> None:
    """Draw the published answer beside the computed one."""
    lines = []
    if computed.distances:
        pairs = combinations(range(1, len(computed.fingerprints) + 1), 2)
        for (i, j), published, ours in zip(
            pairs, expected.distances, computed.distances, strict=True
        ):
            lines.append((t("lab.distance_of", i=i, j=j), str(published), str(ours)))
    else:
        lines.append((t("lab.sum"), _plain(expected.sums), _plain(computed.sums)))
        lines.append((t("lab.sign"), *(side.fingerprints[0] for side in (expected, computed))))
    for name, published, ours in lines:
        kind = "yes" if published == ours else "no"
        answer = t("lab.answer", known=published, ours=ours)
        write_html(
            f'<p class="lab-answer"><b>{esc(name)}</b> '
            f'<span class="{kind}">{esc(answer)}</span></p>'
        )


def _plain(values: Sequence[float]) -> str:
    return " ".join(f"{value:g}".replace("-", "−") for value in values)


# --------------------------------------------------------------------------- files of the fingerp

_ROW, _FILE = "lab_open_row", "lab_open_file"  # keys of the widgets


def offer_texts() -> None:
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
        _put_text(side, result.documents[row].text)


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
        _put_text(side, documents[0].text)
    for row in (*refused, *skipped):
        state.tab.lab_read = note_text(row.code, row.params)


def _put_text(side: int, text: str) -> None:
    now = list(state.texts())
    now[side] = text
    st.query_params.pop("example", None)
    state.set_texts(now[0], now[1])


def offer_exports(traced: Mapping[int, Any]) -> None:
    """Offer the picture, the data, and the lines of Python that make them again."""
    label, data = t("fingerprint_lab.export.picture"), _picture(traced)
    save_button(label, data, "leitong-fingerprint.svg", key="lab_svg", icon="image")
    save_button(
        t("fingerprint_lab.export.data"),
        lambda: json_text(trace_data(list(traced.values()))).encode(),
        "leitong-fingerprint.json",
        key="lab_json",
        icon="data_object",
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
