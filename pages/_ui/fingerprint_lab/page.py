"""Fingerprint lab: a text becomes bits, two are held beside each other, and how near is near."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from simhash_core import CheckResult, Settings
from simhash_core.lab.laboratories import EXAMPLES, solve_example, traces

from ..shared import session
from ..shared.formatting import esc
from ..shared.session import t
from ..shared.widgets import figure_head, foot, page_head, paragraph, write_html
from . import blocks, near, state, steps

STYLE = Path(__file__).parents[1] / "shared" / "lab.css"


@st.fragment
def laboratory() -> None:
    """Everything on the page; an edit runs this and nothing else."""
    st.html(STYLE)
    _follow_address()
    chapter = str(session.get(state.CHAPTER_KEY))
    actions = page_head(t("fingerprint_lab.title"), note=t(f"fingerprint_lab.lead.{chapter}"))
    names = {name: t(f"fingerprint_lab.chapter.{name}") for name in state.CHAPTERS}
    with st.container(key="noprint-chapters", horizontal=True, vertical_alignment="bottom",
                      horizontal_alignment="distribute"):  # fmt: skip
        st.segmented_control(
            t("fingerprint_lab.chapters"),
            state.CHAPTERS,
            format_func=names.__getitem__,
            key=state.CHAPTER_KEY,
            required=True,
            label_visibility="collapsed",
            wrap=True,
            on_change=_turn_page,
            persist_state="session",
        )
        if chapter == "near":
            near.choose_width()
        elif state.tab.lab_example in ("", "csdn"):
            blocks.choose_weighting()
    traced = state.trace_texts()
    with actions:
        if chapter == "steps":
            with st.popover(t("fingerprint_lab.open.steps"), icon=":material/edit_note:",
                            key="lab_open"):  # fmt: skip
                blocks.box(0)
        elif chapter == "bits" and (result := session.result()) is not None:
            offer_pairs(result)
    {"steps": draw_steps, "bits": draw_bits, "near": near.draw_near}[chapter](traced)
    if chapter != "near":
        offer_presets()


def _follow_address() -> None:
    """Open the chapter and the example that the address names."""
    asked, chapter = st.query_params.get("example", ""), st.query_params.get("chapter", "")
    if asked in PRESETS and asked != state.tab.lab_example:
        open_preset(asked)
    elif chapter in state.CHAPTERS and state.CHAPTER_KEY not in st.session_state:
        st.session_state[state.CHAPTER_KEY] = chapter
    st.session_state.setdefault(state.CHAPTER_KEY, state.CHAPTERS[0])


def _turn_page() -> None:
    state.close_example()
    st.query_params.pop("step", None)
    st.query_params["chapter"] = str(session.get(state.CHAPTER_KEY))


def draw_steps(traced: Mapping[int, Any]) -> None:
    """The first chapter, on the first text or on the example that is open."""
    example = _EXAMPLES.get(state.tab.lab_example)
    if example is not None:
        _say_example(state.tab.lab_example)
    if example is not None and state.tab.lab_example != "csdn":
        steps.draw_example(example)
        return
    first = {0: traced[0]} if 0 in traced else {}
    if not blocks.say_nothing(first):
        steps.draw_text(traced[0], example)


def draw_bits(traced: Mapping[int, Any]) -> None:
    """The second chapter, on the two texts or on the fingerprints of an example."""
    name = state.tab.lab_example
    if name:
        _say_example(name)
        board = blocks.compare_fingerprints(_EXAMPLES[name], *PRESETS[name])
        blocks.draw_grids(board)
        blocks.draw_blocks(board)
        st.button(t("lab.back"), key="lab_back", icon=":material/arrow_back:",
                  on_click=state.close_example)  # fmt: skip
        return
    answer = st.container()
    blocks.boxes(traced)
    if blocks.say_nothing(traced):
        return
    with answer:
        blocks.sentence(traced)
    flips = state.flips(traced)
    left, right = st.columns([5, 2], gap="large") if len(traced) == 2 else (st.container(), None)
    with left:
        figure_head(t("fingerprint_lab.board.title", bits=state.settings().bits),
                    t("fingerprint_lab.board.note"))  # fmt: skip
    board = blocks.compare_texts(traced, flips)
    with left:
        bit = blocks.draw_grids(board)
        blocks.note_flips(flips)
    if right is not None:
        with right:
            blocks.draw_among_unrelated(traced)
        blocks.draw_blocks(board)
    blocks.short_text(min(traced.values(), key=lambda each: each.length))
    blocks.say_dominant(traced)
    blocks.voters(traced, bit)


def draw() -> None:
    """Draw the laboratory and the foot of the page."""
    laboratory()
    foot()


# --------------------------------------------------------------------------- worked examples
#: a sentence of a source, its eleven words and their weights
SENTENCE = "CSDN博客结构之法算法之道的作者July"
LEVELS = (("csdn", 4), ("博客", 5), ("结构", 3), ("之", 1), ("法", 2), ("算法", 3), ("道", 2),
          ("的", 1), ("作者", 5), ("july", 5))  # fmt: skip
#: jieba joins 之 and 道; these entries of a user dictionary keep them two words
WORDS = ("之 30000000", "道 30000000", "之道的 1")
_EXAMPLES = {example.code: example for example in EXAMPLES}
_EXAMPLES["scream"] = _EXAMPLES["cat_mat"]
#: example -> the two of its fingerprints that are compared; none in the first chapter
PRESETS: dict[str, tuple[int, ...]] = {
    "csdn": (), "cat_mat": (0, 1), "scream": (0, 2), "six_bits": (0, 1), "seven_bits": (0, 1),
    "five_bits": (0, 1), "one_word": (), "eight_sums": (),
}  # fmt: skip


def offer_presets() -> None:
    """Offer the examples of the sources, each with its known answer, and the reader's own texts."""
    figure_head(t("fingerprint_lab.examples.title"), t("fingerprint_lab.examples.note"))
    with st.container(key="lab_presets"):
        for place, name in enumerate((*PRESETS, "own")):
            if not place % 3:
                columns = st.columns(3, gap="large")
            label = f"**{name_preset(name)}**  \n{say_preset(name)}"
            columns[place % 3].button(
                label, key=f"lab_example_{name}", on_click=open_preset, args=(name,),
                type="primary" if name == state.tab.lab_example else "tertiary",
                width="stretch",
            )  # fmt: skip


def name_preset(name: str) -> str:
    """Return what an example is called; the sentence of a source stands as it is in any script."""
    return SENTENCE if name == "csdn" else t(f"lab.example.{name}.title")


def say_preset(name: str) -> str:
    """Return what comes out of an example, as it is computed here."""
    if name == "own":
        return t("lab.example.own.answer")
    solved = solve_example(_EXAMPLES[name])
    near, far, other = (*solved.distances, 0, 0, 0)[:3]
    told = {"n": near, "far": far, "other": other, "bits": _EXAMPLES[name].bits,
            "answer": solved.fingerprints[0]}  # fmt: skip
    if name == "csdn":
        levels = [level for _, level in LEVELS]
        settings = Settings(weighting="levels", levels=LEVELS, user_words=WORDS, min_tokens=1)
        words = traces((SENTENCE,), settings=settings)[0].pieces
        told |= {"n": len(words), "low": min(levels), "high": max(levels)}
    return t(f"lab.example.{name}.answer", **told)


def open_preset(name: str) -> None:
    """Open an example: its chapter, its texts, its weights; or the reader's own two sentences."""
    if st.query_params.get("example") != name:  # else a link names a step of this example
        st.query_params.pop("step", None)
    state.close_example()
    texts = _EXAMPLES[name].texts if name != "own" else ()
    if name == "own":
        state.set_texts(t("lab.sample.a"), t("lab.sample.b"))
        state.choose("background")
        return
    if name == "csdn":
        state.set_texts(SENTENCE, "", levels=LEVELS, user_words=WORDS)
        state.choose("levels")
    elif texts:
        first, second = (texts[row] for row in PRESETS[name])
        state.set_texts(first, second)
        state.choose("background")
    state.show_chapter("bits" if PRESETS[name] else "steps")
    state.tab.lab_example = st.query_params["example"] = name


def _say_example(name: str) -> None:
    """Say what is shown, what the source found, and what is found here."""
    example, solved = _EXAMPLES[name], solve_example(_EXAMPLES[name])
    figure_head(name_preset(name), t(f"lab.source.{example.source}"))
    paragraph(t(f"lab.example.{example.code}.note"))
    known, ours = (
        ", ".join(map(str, each.distances)) or each.fingerprints[0]
        for each in (example.expected, solved)
    )
    kind = "yes" if example.expected == solved else "no"
    write_html(f'<p class="lab-answer"><span class="{kind}">'
               f"{esc(t('lab.answer', known=known, ours=ours))}</span></p>")  # fmt: skip


# --------------------------------------------------------------------------- texts of the reader

_PAIR = "lab_open_pair"  # key of the widget
PAIRS_SHOWN = 40  # pairs of the check that are offered, nearest first


def offer_pairs(result: CheckResult) -> None:
    """Offer the nearest pairs of the current check."""
    names = session.doc_names(range(len(result.documents)))
    st.selectbox(
        t("fingerprint_lab.open.pair"), session.memo("lab_pairs", lambda: _find_pairs(result)),
        index=None, key=_PAIR, placeholder=t("fingerprint_lab.open.pair"), width=300,
        format_func=lambda pair: t("fingerprint_lab.open.pair_name", a=names[pair[0]],
                                   b=names[pair[1]], n=pair[2]),
        on_change=_take_pair, label_visibility="collapsed",
    )  # fmt: skip


def _find_pairs(result: CheckResult) -> list[tuple[int, int, int]]:
    """Return pairs of the check with how many of 64 bits differ, nearest first."""
    left, right = result.table.pairs.left, result.table.pairs.right
    word = result.fingerprints.words[:, 0]
    both = result.fingerprints.valid[left] & result.fingerprints.valid[right]
    left, right = left[both], right[both]
    distance = np.bitwise_count(word[left] ^ word[right])
    order = np.argsort(distance, kind="stable")[:PAIRS_SHOWN]
    return [(int(left[row]), int(right[row]), int(distance[row])) for row in order]


def _take_pair() -> None:
    pair, result = session.get(_PAIR), session.result()
    if pair is not None and result is not None:
        state.close_example()
        a, b = (result.documents[row].text for row in pair[:2])
        state.set_texts(a, b)
        state.choose("background")
