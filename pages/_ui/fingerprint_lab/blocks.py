"""The blocks of the fingerprint laboratory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from simhash_core.lab.laboratories import (
    block_differences,
    edit_sensitivity,
    similarity_measures,
    word_influence,
)
from simhash_core.seen import dominance_of
from simhash_core.weighting import SCALE

from ..components.pictures import BitBoard, Bits, bit_board, first_bit, square_sizes
from ..components.texts import chosen_word, live_text, word_line
from ..shared import charts, session
from ..shared.formatting import esc, percent, text_language
from ..shared.session import t
from ..shared.widgets import caution, figure_head, note, paragraph, write_html
from . import state
from .state import BITS, BITS_KEY, LAB_WEIGHTINGS, SIDES, WEIGHTING_KEY

UNSTEADY = 200  # tokens; below this one edit moves the distance by several bits
WORDS_SHOWN = 600  # words a line draws; a longer text is cut with a note
ROWS_SHOWN = 60  # words the table lists
LINE_KEY = "lab_line_{}"
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def letter(side: int) -> str:
    """Return the name of a side."""
    return t(f"compare.side.{SIDES[side]}")


def boxes() -> None:
    """The two text boxes; typing answers by itself."""
    columns = st.columns(2, gap="medium")
    for side, text in enumerate(state.texts()):
        with columns[side]:
            live_text(
                state.box_key(side),
                label=letter(side),
                value=text,
                version=state.version(),
                limit=state.LONGEST,
                on_change=state.make_edit_handler(side),
            )


def controls() -> None:
    """Bits and weighting."""
    with st.container(key="noprint-lab", horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            t("fingerprint_lab.bits"),
            BITS,
            default=64,
            format_func=str,
            key=BITS_KEY,
            required=True,
            on_change=state.forget,
            persist_state="session",
        )
        names = {name: t(f"settings.weighting.{name}") for name in LAB_WEIGHTINGS}
        st.selectbox(
            t("settings.weighting.label"),
            LAB_WEIGHTINGS,
            format_func=names.__getitem__,
            key=WEIGHTING_KEY,
            on_change=state.forget,
            persist_state="session",
            width=300,
        )


def sentence(traced: Mapping[int, Any]) -> None:
    """Say how many words and bits differ, and whether that is little; nothing of one text."""
    if len(traced) < 2:
        return
    measured = similarity_measures(*traced.values())
    d, bits = measured.distance, measured.bits
    words = max(len(measured.only_a), len(measured.only_b))
    if not d and not words:
        sentence_html = esc(t("fingerprint_lab.say.same", bits=bits))
    else:
        usual = bits // 2
        closeness = "close" if 3 * d <= usual else "near" if 3 * d <= 2 * usual else "far"
        verdict = t(f"fingerprint_lab.say.verdict.{closeness}")
        sentence_html = t(
            f"fingerprint_lab.say.{'far' if closeness == 'far' else 'close'}",
            words=esc(t("fingerprint_lab.say.words", n=words)),
            flips=f"<b>{d}</b>",
            bits=bits,
            usual=usual,
            verdict=f"<b>{esc(verdict)}</b>",
        )
    write_html(f'<p class="lab-say">{sentence_html}</p>')


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
        f"<p><span>0</span><span>{bits // 2}</span><span>{bits}</span></p></div>"
    )
    note(text)


def steps(side: int, traced: Any) -> None:
    """The five steps in a row, with the three heaviest words of one text."""
    why, bits = traced.explanation, len(traced.explanation.bits)
    heavy = range(min(3, len(why.tokens)))
    printed = "".join("1" if bit else "0" for bit in why.bits)
    cells = [
        (t("fingerprint_lab.step.split.note", side=letter(side),
           n=len({p.token for p in traced.pieces})),
         [f"{_cut(why.tokens[i])} ×{why.counts[i]}" for i in heavy]),
        (t("fingerprint_lab.step.weigh.note"), [_weight_line(traced, i) for i in heavy]),
        (t("fingerprint_lab.step.hash.note", bits=bits),
         [_beginning("".join("1" if bit else "0" for bit in traced.hashes[i])) for i in heavy]),
        (t("fingerprint_lab.step.vote.note"),
         [f"Σ{str(i).translate(_SUBSCRIPTS)} = {charts.format_signed(why.sums[i] / SCALE)}"
          for i in range(min(3, bits))]),
        (t("fingerprint_lab.step.sign.note"),
         [printed[at : at + 16] for at in range(0, min(bits, 48), 16)]),
    ]  # fmt: skip
    names = ("split", "weigh", "hash", "vote", "sign")
    shown = "".join(
        f"<li><b><i>{number}</i>{esc(t(f'fingerprint_lab.step.{name}.title'))}</b>"
        f"<span>{esc(caption)}</span>"
        + "".join(f"<code>{esc(line)}</code>" for line in lines)
        + "</li>"
        for number, (name, (caption, lines)) in enumerate(zip(names, cells, strict=True), 1)
    )
    write_html(f'<ol class="lab-steps">{shown}</ol>')


def _weight_line(traced: Any, row: int) -> str:
    weight, base = traced.explanation.weights[row] / SCALE, traced.base[row] / SCALE
    word = _cut(traced.explanation.tokens[row])
    if traced.explanation.counts[row] == 1 or not base:
        return f"{weight:.2f} {word}"
    return f"{weight:.2f} = {base:.2f}×{weight / base:.2f} {word}"


def _beginning(bits: str) -> str:
    return bits if len(bits) <= 16 else bits[:14] + "…"


def _cut(word: str) -> str:
    return word if len(word) <= 14 else word[:13] + "…"


def lines(traced: Mapping[int, Any]) -> None:
    """Every word where it stands, as heavy as it is underlined."""
    figure_head(t("fingerprint_lab.words.title"), t("fingerprint_lab.words.note"))
    columns = st.columns(2, gap="large") if len(traced) > 1 else [st.container()]
    for column, (side, each) in zip(columns, traced.items(), strict=True):
        with column:
            _line(side, each)


def _line(side: int, traced: Any) -> None:
    text, why = traced.document.text, traced.explanation
    shown = traced.pieces[:WORDS_SHOWN]
    heaviest = int(why.weights.max(initial=1))
    ends = [0, *(piece.end for piece in shown)]
    words = [
        (text[before : piece.start], text[piece.start : piece.end], piece.token,
         round(float(why.weights[piece.row]) / heaviest, 3) if piece.row >= 0 else -1.0)
        for before, piece in zip(ends, shown, strict=False)
    ]  # fmt: skip
    token = word_line(
        LINE_KEY.format(side),
        words=words,
        tail=text[ends[-1] :] if len(shown) == len(traced.pieces) else "…",
        label=t("fingerprint_lab.words.label", side=letter(side)),
        silent=t("fingerprint_lab.words.silent"),
        language=text_language(text)[:2],
    )
    if len(shown) < len(traced.pieces):
        note(t("fingerprint_lab.words.cut", n=len(shown), all=len(traced.pieces)))
    if token:
        pushed = word_influence(traced, token)
        up, total = int((pushed.side > 0).sum()), len(pushed.side)
        sentence = t("fingerprint_lab.words.pushed", weight=f"{pushed.weight / SCALE:.2f}", up=up,
                     down=total - up, n=int(pushed.decisive.sum()))  # fmt: skip
        note(sentence, lead=t("fingerprint_lab.words.chosen", word=token))


def board(traced: Mapping[int, Any], flips: Mapping[int, list[int]], k: int) -> int:
    """The grids with the block stripe; returns the selected bit."""
    whys = [each.explanation for each in traced.values()]
    top = max(float(why.margin.max(initial=0.0)) for why in whys)
    pair = len(whys) == 2
    distance = int((whys[0].bits != whys[-1].bits).sum())
    blocks = block_differences(whys[0], whys[1], k) if pair else ()
    drawn = BitBoard(
        grids=tuple(_grid(side, each, flips.get(side, []), top) for side, each in traced.items()),
        difference=t("fingerprint_lab.differ", n=distance),
        first=first_bit(whys[0].bits, whys[-1].bits, whys[0].margin, whys[-1].margin),
        blocks=[(block.start, block.width, block.differing) for block in blocks],
        blocks_title=_blocks_title(blocks),
        blocks_note=_blocks_note(blocks, distance, k) if pair else "",
    )
    return bit_board(drawn, key=f"lab_board_{len(whys[0].bits)}")


def _grid(side: int, traced: Any, flips: list[int], top: float) -> Bits:
    why, token = traced.explanation, chosen_word(LINE_KEY.format(side))
    pushed = word_influence(traced, token) if token in why.tokens else None
    return Bits(
        letter=letter(side),
        name="",
        bits=why.bits.astype(int).tolist(),
        sizes=square_sizes(why.margin, top),
        flipped=flips,
        push=pushed.side.tolist() if pushed else (),
        decisive=np.flatnonzero(pushed.decisive).tolist() if pushed else (),
    )


def _blocks_title(blocks: Any) -> str:
    widths = {block.width for block in blocks}
    if len(widths) == 1:
        return t("fingerprint_lab.blocks.even", m=len(blocks), width=widths.pop())
    return t("fingerprint_lab.blocks.title", m=len(blocks))


def _blocks_note(blocks: Any, distance: int, k: int) -> str:
    n = sum(block.differing == 0 for block in blocks)
    name = "found" if distance <= k else "luck" if n else "none"
    return t(f"fingerprint_lab.blocks.{name}", n=n, m=len(blocks), d=distance, k=k)


def reach() -> int:
    """Let the reader choose how many bits the index guarantees; 3 of 64 at first."""
    bits = state.settings().bits
    return int(
        st.slider(
            t("fingerprint_lab.blocks.reach"),
            0,
            min(bits - 1, 80),
            max(3 * bits // 64, 1),
            key=f"lab_reach_{bits}",
            persist_state="session",
        )
    )


def measures(traced: Mapping[int, Any]) -> None:
    """Draw the four similarity measures one above the other, and what limits them."""
    a, b = traced.values()
    measured = similarity_measures(a, b)
    distance, bits = measured.distance, measured.bits
    estimate, low, high = measured.cosine
    interval = f"<small>{low:.2f}–{high:.2f}</small>"
    rows = [
        ("hamming", distance / bits, f"{distance} / {bits}", ""),
        ("cosine", estimate, f"{estimate:.2f}", interval),
        ("true", measured.true_cosine, f"{measured.true_cosine:.2f}", ""),
        ("jaccard", measured.jaccard, f"{measured.jaccard:.2f}", ""),
    ]
    shown = "".join(
        f'<tr><th scope="row">{esc(t(f"fingerprint_lab.ruler.{name}"))}{small}</th>'
        f'<td class="bar"><span><i class="{name}" style="width:{100 * max(share, 0):.1f}%"></i>'
        f"</span></td><td>{esc(value)}</td></tr>"
        for name, share, value, small in rows
    )
    name = esc(t("fingerprint_lab.rulers.title"))
    write_html(f'<table class="lab-measures" aria-label="{name}"><tbody>{shown}</tbody></table>')
    short_text(min(traced.values(), key=lambda each: each.length))
    for side, words in zip(traced, (measured.only_a, measured.only_b), strict=True):
        listing = t("fingerprint_lab.listing").join(words[:12]) + ("…" if len(words) > 12 else "")
        note(listing or "—", lead=t("fingerprint_lab.only", side=letter(side)))


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
            sentence = t("compare.dominant.text", side=letter(side), word=_cut(dominance.token),
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


def word_table(traced: Mapping[int, Any]) -> None:
    """All words with what each step made of them, folded."""
    with st.expander(t("fingerprint_lab.table.title"), key="lab_table"):
        for side, each in traced.items():
            why = each.explanation
            head = "".join(
                f"<th>{esc(t(f'fingerprint_lab.table.{name}'))}</th>"
                for name in ("word", "count", "base", "factor", "weight", "hash")
            )
            rows = "".join(_table_row(each, row) for row in range(min(len(why.tokens), ROWS_SHOWN)))
            write_html(
                f'<p class="lt-text"><b>{esc(letter(side))}</b></p><div class="lt-scroll">'
                f'<table class="lt-table lab-table"><tr>{head}</tr>{rows}</table></div>'
            )
            if len(why.tokens) > ROWS_SHOWN:
                note(t("fingerprint_lab.table.cut", n=ROWS_SHOWN, all=len(why.tokens)))


def _table_row(traced: Any, row: int) -> str:
    why = traced.explanation
    weight, base = why.weights[row] / SCALE, traced.base[row] / SCALE
    printed = "".join("1" if bit else "0" for bit in traced.hashes[row])
    digits = f"{int(printed, 2):0{max(len(printed) // 4, 1)}x}"
    cells = (why.tokens[row], why.counts[row], f"{base:.2f}",
             f"{weight / base:.2f}" if base else "—", f"{weight:.2f}")  # fmt: skip
    return (
        "<tr>" + "".join(f"<td>{esc(cell)}</td>" for cell in cells)
        + f"<td><code>{digits}</code></td></tr>"
    )  # fmt: skip


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
