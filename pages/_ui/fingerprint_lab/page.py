"""Fingerprint lab: one text, or two, followed from words to bits."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages._ui.fingerprint_lab import blocks, files, state
from pages._ui.shared.formatting import esc
from pages._ui.shared.session import t
from pages._ui.shared.widgets import figure_head, foot, note, page_head, paragraph, write_html
from simhash_core.lab.laboratories import EXAMPLES, example_votes, solve_example
from simhash_core.weighting import SCALE

STYLE = Path(__file__).parents[1] / "shared" / "lab.css"


@st.fragment
def laboratory() -> None:
    """Everything on the page; an edit runs this and nothing else."""
    st.html(STYLE)
    example = chosen_example()
    actions = page_head(t("fingerprint_lab.title"), note=t("fingerprint_lab.lead"))
    with actions:
        with action("open", "folder_open"):
            files.opening()
        with action("examples", "book_2"):
            example_menu()
    if example is not None:
        show_example(example)
        return
    answer = st.container()
    blocks.boxes()
    blocks.controls()
    traced = state.followed()
    if blocks.nothing(traced):
        return
    with answer:
        blocks.sentence(traced)
    with actions, action("export", "ios_share"):
        files.exporting(traced)
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
            blocks.so_what(traced)
        figure_head(t(f"fingerprint_lab.rulers.{'title' if pair else 'one'}"))
        if pair:
            blocks.measures(traced)
        else:
            note(t("fingerprint_lab.rulers.alone"))
            blocks.short_text(next(iter(traced.values())))
        blocks.dominant(traced)
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


def chosen_example() -> Any:
    """Return the example that the link names, None for the texts of the reader."""
    name = st.query_params.get(QUERY, "")
    return next((example for example in EXAMPLES if example.code == name), None)


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


def show_example(example: Any) -> None:
    """Draw one example: what is given, every step, the published answer and ours."""
    figure_head(t(f"lab.example.{example.code}.title"), t(f"lab.source.{example.source}"))
    paragraph(t(f"lab.example.{example.code}.note"))
    solution = solve_example(example)
    shown = _fingerprints(example) if example.fingerprints else _votes(example)
    write_html(f'<div class="lt-scroll">{shown}</div>')
    _answer(example.expected, solution)
    st.button(t("lab.back"), key="lab_back", icon=":material/arrow_back:", on_click=close_example)


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
