"""The second chapter: how far two fingerprints are apart, and why an index finds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any

import numpy as np
import streamlit as st

from simhash_core.lab.laboratories import (
    Example,
    block_differences,
    count_chance_pairs,
    edit_sensitivity,
    similarity_measures,
)
from simhash_core.seen import dominance_of

from ..components.pictures import BitBoard, Bits, bit_board, first_bit, square_sizes
from ..components.texts import live_text
from ..shared import charts, session
from ..shared.formatting import esc, number, percent
from ..shared.session import t
from ..shared.widgets import caution, figure_head, note, paragraph, write_html
from . import state
from .near import round_number
from .state import LAB_WEIGHTINGS, SIDES, WEIGHTING_KEY

UNSTEADY = 200  # tokens; below this one edit moves the distance by several bits
REACH = 3  # bits within which the index of four blocks finds every pair
LEAST_BLOCKS = 16  # bits from which blocks are drawn
PLAIN = 62  # percent: the side of a bit whose votes are not known
COMPARED = 600  # words; in longer texts those that differ are not marked


def letter(side: int) -> str:
    """Return the name of a side."""
    return t(f"compare.side.{SIDES[side]}")


def box(side: int, marks: Sequence[tuple[int, int]] = ()) -> None:
    """One text box; typing answers by itself."""
    live_text(
        state.box_key(side),
        label=letter(side),
        value=state.texts()[side],
        version=state.version(),
        limit=state.LONGEST,
        on_change=state.make_edit_handler(side),
        marks=marks,
    )


def boxes(traced: Mapping[int, Any]) -> None:
    """The two text boxes, in which the words that differ are marked."""
    marks: tuple[list[tuple[int, int]], ...] = ([], [])
    if len(traced) == 2 and max(len(each.pieces) for each in traced.values()) <= COMPARED:
        pieces = [each.pieces for each in traced.values()]
        tokens = [[piece.token for piece in row] for row in pieces]
        matcher = SequenceMatcher(None, tokens[0], tokens[1], autojunk=False)
        for kind, a_start, a_end, b_start, b_end in matcher.get_opcodes():
            if kind != "equal":
                marks[0].extend((one.start, one.end) for one in pieces[0][a_start:a_end])
                marks[1].extend((one.start, one.end) for one in pieces[1][b_start:b_end])
    for side, column in enumerate(st.columns(2, gap="medium")):
        with column:
            box(side, marks[side])


def choose_weighting() -> None:
    """Let the reader choose what a word weighs."""
    names = {name: t(f"settings.weighting.{name}") for name in LAB_WEIGHTINGS}
    st.selectbox(
        t("settings.weighting.label"), LAB_WEIGHTINGS, format_func=names.__getitem__,
        key=WEIGHTING_KEY, on_change=state.forget, persist_state="session", width=300,
        label_visibility="collapsed",
    )  # fmt: skip


def sentence(traced: Mapping[int, Any]) -> None:
    """Say how many words and bits differ, and whether that is little; nothing of one text."""
    if len(traced) < 2:
        return
    measured = similarity_measures(*traced.values())
    d, bits = measured.distance, measured.bits
    words = max(len(measured.only_a), len(measured.only_b))
    usual = bits // 2
    closeness = "close" if 3 * d <= usual else "near" if 3 * d <= 2 * usual else "far"
    name = "far" if closeness == "far" else "close"
    if not d:
        name = "silent" if words else "same"
    sentence_html = t(
        f"fingerprint_lab.say.{name}",
        words=esc(t("fingerprint_lab.say.words", n=words)),
        flips=f"<b>{d}</b>",
        bits=bits,
        usual=usual,
        verdict=f"<b>{esc(t(f'fingerprint_lab.say.verdict.{closeness}'))}</b>",
    )
    write_html(f'<p class="lab-say">{sentence_html}</p>')
    if name == "silent":
        _explain_silence(traced, {*measured.only_a, *measured.only_b})


def _explain_silence(traced: Mapping[int, Any], words: set[str]) -> None:
    """Say why words that differ flip no bit, and offer a weighting in which they would."""
    voters = {token for each in traced.values() for token in each.explanation.tokens}
    listing = t("fingerprint_lab.listing").join(
        t("fingerprint_lab.quoted", word=word) for word in sorted(words)[:8]
    )
    name = "light" if words & voters else "weightless"
    with st.container(key="lab_silence", horizontal=True, vertical_alignment="center"):
        note(t(f"fingerprint_lab.silence.{name}", words=listing, n=len(words)))
        if state.settings().weighting != "uniform":
            st.button(
                t("fingerprint_lab.silence.uniform"), key="lab_uniform",
                icon=":material/balance:", on_click=state.choose,
                args=("uniform",),
            )  # fmt: skip


def draw_among_unrelated(traced: Mapping[int, Any]) -> None:
    """Draw where the two lie among unrelated texts, whose bits agree by chance."""
    measured = similarity_measures(*traced.values())
    d, bits = measured.distance, measured.bits
    usual, spread = bits / 2, bits**0.5 / 2
    figure_head(t("fingerprint_lab.so_what.title"))
    text = t(
        "fingerprint_lab.so_what.note",
        low=max(round(usual - 2 * spread), 0),
        high=min(round(usual + 2 * spread), bits),
        d=d,
    )
    places = np.linspace(0, bits, 97)
    heights = 100 * np.exp(-(((places - usual) / spread) ** 2) / 2)
    hill = ",".join(
        f"{100 * x / bits:.1f}% {100 - y:.1f}%" for x, y in zip(places, heights, strict=True)
    )
    edge = " first" if 8 * d < bits else " last" if 8 * d > 7 * bits else ""
    write_html(
        f'<div class="lab-ruler" role="img" aria-label="{esc(text)}">'
        f'<i style="clip-path:polygon(0% 100%,{hill},100% 100%)"></i>'
        f"<span>{esc(t('fingerprint_lab.so_what.unrelated'))}</span>"
        f'<b class="{edge}" style="left:{100 * d / bits:.1f}%">'
        f"{esc(t('fingerprint_lab.so_what.these'))}</b>"
        f'<em style="left:{100 * REACH / bits:.1f}%">{REACH}</em>'
        f"<p><span>0</span><span>{bits // 2}</span><span>{bits}</span></p></div>"
    )
    note(text)
    odds = number(round_number(1 / float(count_chance_pairs(2, bits)[REACH])))
    note(t("fingerprint_lab.so_what.chance", k=REACH, bits=bits, odds=odds))


def compare_texts(traced: Mapping[int, Any], flipped: Mapping[int, list[int]]) -> BitBoard:
    """Return the grids of one text or two; bits of the second may be flipped by hand."""
    whys = [each.explanation for each in traced.values()]
    top = max(float(why.margin.max(initial=0.0)) for why in whys)
    hand = np.array(state.tab.lab_flipped, np.int64)
    values = [why.bits.copy() for why in whys]
    if len(values) == 2:
        values[1][hand] ^= True
    grids = tuple(
        Bits(
            letter=letter(side),
            name="",
            bits=bits.astype(int).tolist(),
            sizes=square_sizes(each.explanation.margin, top),
            flipped=(hand.tolist() if side else []) if len(hand) else flipped.get(side, []),
        )
        for (side, each), bits in zip(traced.items(), values, strict=True)
    )
    distance = int((values[0] != values[-1]).sum())
    first = first_bit(whys[0].bits, whys[-1].bits, whys[0].margin, whys[-1].margin)
    return BitBoard(grids, t("fingerprint_lab.differ", n=distance), first)


def compare_fingerprints(example: Example, first: int, second: int) -> BitBoard:
    """Return the grids of two fingerprints that a source prints; bits may be flipped by hand."""
    printed = [example.fingerprints[row] for row in (first, second)]
    values = [np.array([mark == "1" for mark in each]) for each in printed]
    values[1][np.array(state.tab.lab_flipped, np.int64)] ^= True
    grids = tuple(
        Bits(
            letter(side),
            example.texts[row] if example.texts else printed[side],
            values[side].astype(int).tolist(),
            [PLAIN] * example.bits,
            state.tab.lab_flipped if side else (),
        )
        for side, row in enumerate((first, second))
    )
    differing = values[0] != values[1]
    difference = t("fingerprint_lab.differ", n=int(differing.sum()))
    return BitBoard(grids, difference, int(np.argmax(differing)), opened=state.tab.lab_example)


def draw_grids(board: BitBoard) -> int:
    """Draw one grid, or two and their difference; return the selected bit."""
    return bit_board(board, key=f"lab_board_{len(board.grids[0].bits)}")[0]


def draw_blocks(board: BitBoard) -> None:
    """Draw the four blocks of an index that reaches `REACH` bits, and let the reader flip bits."""
    a, b = (np.array(grid.bits, np.bool_) for grid in board.grids)
    if len(a) < LEAST_BLOCKS:
        return
    blocks, distance = block_differences(a, b, REACH), int((a != b).sum())
    empty = [block for block in blocks if not block.differing]
    name = "same" if not distance else "luck" if empty else "missed"
    name = "sure" if 0 < distance <= REACH else name
    drawn = replace(
        board,
        blocks=[(block.start, block.width, block.differing) for block in blocks],
        blocks_title=t("fingerprint_lab.blocks.title"),
        blocks_note=t(f"fingerprint_lab.blocks.{name}_so", n=distance),
        boxes=t("fingerprint_lab.blocks.note", bits=len(a), width=len(a) // len(blocks)),
        pigeon=t(f"fingerprint_lab.blocks.{name}", n=distance),
    )
    _, flip = bit_board(drawn, key=f"lab_blocks_{len(a)}")
    if flip is not None:
        state.flip_bits([int(flip)])
        st.rerun(scope="fragment")
    target = empty[0] if empty else blocks[0]
    free = target.start + np.flatnonzero(~(a != b)[target.start : target.start + target.width])
    with st.container(key="noprint-flips", horizontal=True, vertical_alignment="center"):
        st.button(
            t("fingerprint_lab.blocks.flip"), key="lab_flip", icon=":material/contrast_square:",
            disabled=not len(free), on_click=state.flip_bits,
            args=(free[len(free) // 2 :][:1].tolist(),),
        )  # fmt: skip
        hand = state.tab.lab_flipped
        if hand:
            st.button(
                t("fingerprint_lab.blocks.restore"), key="lab_restore", icon=":material/undo:",
                type="tertiary", on_click=state.flip_bits, args=(hand,),
            )  # fmt: skip
            listing = t("fingerprint_lab.listing").join(map(str, hand))
            note(listing, lead=t("fingerprint_lab.blocks.by_hand"))


def short_text(traced: Any) -> None:
    """Say how many bits one changed word flips in a short text."""
    if traced.length >= UNSTEADY or not traced.explanation.tokens:
        return
    measured = edit_sensitivity(traced)
    caution(
        t("fingerprint_lab.short.lead"),
        t("fingerprint_lab.short.text", n=measured.distinct, mean=f"{measured.mean:.0f}",
          deviation=f"{measured.deviation:.0f}", expected=f"{measured.expected:.1f}"),
    )  # fmt: skip


def say_dominant(traced: Mapping[int, Any]) -> None:
    """Say where one word decides a fingerprint; in a short text every word weighs much."""
    weighting = state.settings().weighting
    for side, each in traced.items():
        dominance = dominance_of(each.explanation, weighting=weighting)
        if dominance.above:
            sentence = t("compare.dominant.text", side=letter(side), word=dominance.token[:14],
                         share=percent(dominance.share))  # fmt: skip
            caution(t("compare.dominant.lead"), sentence)


def note_flips(flips: Mapping[int, list[int]]) -> None:
    """Say which bits the last edit flipped."""
    for side, bits in flips.items():
        if bits:
            listing = t("fingerprint_lab.listing").join(map(str, bits[:16]))
            tail = "…" if len(bits) > 16 else ""
            note(listing + tail, lead=t("fingerprint_lab.flipped", side=letter(side), n=len(bits)))


def voters(traced: Mapping[int, Any], bit: int) -> None:
    """The words for and against the selected bit."""
    figure_head(t("compare.votes.title", bit=bit), t("compare.votes.note"))
    columns = st.columns(2, gap="large") if len(traced) > 1 else [st.container()]
    for column, (side, each) in zip(columns, traced.items(), strict=True):
        with column:
            charts.votes(each.explanation, bit, side=SIDES[side])


def say_nothing(traced: Mapping[int, Any]) -> bool:
    """Say why there is nothing to draw, and return whether that is so."""
    if not traced:
        paragraph(t("fingerprint_lab.empty"))
        return True
    if all(each.explanation.tokens for each in traced.values()):
        return False
    by_collection = state.settings().weighting in state.BY_COLLECTION
    key = "collection" if by_collection and session.result() is None else "words"
    paragraph(t(f"fingerprint_lab.no_weight.{key}"))
    return True
