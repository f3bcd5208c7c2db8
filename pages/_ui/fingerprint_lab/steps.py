"""The first chapter: one text, or an example of a source, in five steps from words to bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from simhash_core.lab.laboratories import Example, example_votes
from simhash_core.weighting import SCALE

from ..components import draw
from ..shared.formatting import text_language
from ..shared.session import t
from ..shared.widgets import note

VOTERS = 60  # words that vote one by one; of a longer text the others follow together
WORDS_SHOWN = 400  # words that the sentence draws
FRAMES = ("segment", "hash", "weight", "merge", "reduce")
MERGE = 4  # the frame at which sums stand that a source gives
_TEXTS = (
    *("label", "silent", "back", "next", "play", "stop", "position", "where", "controls", "space"),
    *("space_does", "arrows_do", "up_down", "none_voted", "voted", "voted_all", "print", "column"),
    *(f"bit_{frame}" for frame in range(1, 6)),
)
_PLACES = (
    *("n", "all", "word", "bit", "sum", "value", "ones", "zeros", "plus", "minus"),
    *("block", "place", "width"),
)

#: as it stands in the text, weight, hash
Word = tuple[str, int, str]


def draw_example(example: Example) -> None:
    """Draw an example of a source that has no text: its hashes and weights, or its sums."""
    source = _read_source(example)
    _draw_walk(source, example.bits, first=1 if example.words else MERGE, opened=example.code)


def draw_text(traced: Any, example: Example | None) -> None:
    """Draw a text; the frames begin with a source's own hashes where an example gives them."""
    why, text = traced.explanation, traced.document.text
    order = list(dict.fromkeys(piece.row for piece in traced.pieces if piece.row >= 0))
    spelt = {piece.row: text[piece.start : piece.end] for piece in reversed(traced.pieces)}
    words = [(spelt[row], int(why.weights[row]), _write_bits(traced.hashes[row])) for row in order]
    rest = order[VOTERS:]
    _draw_walk(
        _read_source(example) if example is not None else _cut_words(words),
        example.bits if example is not None else len(why.bits),
        opened=example.code if example else "",
        words=words[:VOTERS],
        others=why.votes[rest].sum(axis=0).tolist() if rest else [],
        told={
            "votes_title": t("lab.walk.votes.title", bits=len(why.bits)),
            "votes_label": t("lab.walk.votes.label", bits=len(why.bits), words=len(order),
                             ones=int(why.bits.sum())),
            "others": t("lab.walk.others", n=len(rest)),
        },
        meaning=_explain_weights(traced),
        language=text_language(text)[:2],
        **_lay_sentence(traced, {row: at for at, row in enumerate(order)}),
    )  # fmt: skip
    repeated = [token for token, count in zip(why.tokens, why.counts, strict=True) if count > 1]
    if repeated:
        listing = t("fingerprint_lab.listing").join(repeated[:8])
        note(t("lab.walk.repeated", words=listing, n=len(repeated)))


def _explain_weights(traced: Any) -> str:
    """Say what the lines under the words mean."""
    weighting = traced.settings.weighting
    by_hand = weighting == "levels" and traced.settings.levels
    return t(f"lab.walk.weights.{'by_hand' if by_hand else weighting}")


def _lay_sentence(traced: Any, place: dict[int, int]) -> dict[str, Any]:
    """Return the words of a text with what stands between them, and what follows the last.

    A word is (text before, word, place among the voters or -1, weight, share of the heaviest); one
    that stands again has no weight of its own.
    """
    text, weights = traced.document.text, traced.explanation.weights
    heaviest, seen, sentence, before = max(int(weights.max(initial=1)), 1), set(), [], 0
    for piece in traced.pieces[:WORDS_SHOWN]:
        first = piece.row >= 0 and piece.row not in seen
        weight = f"{weights[piece.row] / SCALE:.1f}".removesuffix(".0") if first else ""
        share = round(float(weights[piece.row]) / heaviest, 3) if piece.row >= 0 else 0.0
        sentence.append((text[before : piece.start], text[piece.start : piece.end],
                         place.get(piece.row, -1), weight, share))  # fmt: skip
        seen.add(piece.row)
        before = piece.end
    cut = len(traced.pieces) > WORDS_SHOWN
    return {"sentence": sentence, "tail": "…" if cut else text[before:]}


def _read_source(example: Example) -> dict[str, Any]:
    """Return the words that a source gives, with its own hashes, and its sums."""
    words = [(word, round(weight * SCALE), printed) for word, printed, weight in example.words]
    return {"words": words, "sums": example_votes(example).sums.tolist()}


def _cut_words(words: list[Word]) -> dict[str, Any]:
    """Return the first two words with as many bits as there is room for, and their sums."""
    width = 6 if all(weight % SCALE == 0 for _, weight, _ in words) else 3
    shown = [(word, weight, printed[:width]) for word, weight, printed in words[:2]]
    votes = [[w if bit == "1" else -w for bit in printed] for _, w, printed in shown]
    return {"words": shown, "sums": np.sum(votes, axis=0).tolist()}


def _write_bits(bits: Any) -> str:
    return "".join("1" if bit else "0" for bit in bits)


def _draw_walk(
    source: dict[str, Any],
    bits: int,
    *,
    opened: str,
    first: int = 1,
    words: list[Word] | tuple[()] = (),
    told: dict[str, str] | None = None,
    language: str = "en",
    **more: Any,
) -> None:
    """Draw how a text becomes a fingerprint: it plays, or goes step by step.

    Parameters
    ----------
    source
        The words and the sums of the frames as long as no bit is followed.
    bits
        Of the whole hash.
    opened
        The example that is shown: the page goes to its top when another one opens.
    first
        The frame that is shown first, where the address names none.
    """
    width = len(source["sums"])
    texts = {name: t(f"lab.walk.{name}.text", n=width, bits=bits) for name in FRAMES}
    if width == bits:
        texts["hash"] = t("lab.walk.hash.whole", bits=bits)
    places = {name: "{" + name + "}" for name in _PLACES}
    asked = st.query_params.get("step", "")
    shown = {
        "frames": [(t(f"lab.walk.{name}.title"), texts[name]) for name in FRAMES],
        "texts": {name: t(f"lab.walk.{name}", **places) for name in _TEXTS}
        | {"sum": t("lab.sum"), "votes_note": t("lab.walk.votes.note")}
        | (told or {}),
        "source": source,
        "words": words,
        "scale": SCALE,
        "lang": language,
        "opened": opened,
        "start": int(asked) if asked in map(str, range(1, len(FRAMES) + 1)) else first,
    }
    draw("walk", {"sentence": [], "tail": "", "meaning": "", "others": [], **shown, **more},
         key="lab_walk")  # fmt: skip
