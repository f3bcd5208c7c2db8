"""The first chapter: one text, or an example of a source, in five steps from words to bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simhash_core.lab.laboratories import Example, example_votes
from simhash_core.weighting import SCALE

from ..components.pictures import Frame, Votes, walk
from ..shared.formatting import text_language
from ..shared.session import t
from ..shared.widgets import note

VOTERS = 60  # words that vote one by one; of a longer text the others follow together
WORDS_SHOWN = 400  # words that the sentence draws
NAMES = ("segment", "hash", "weight", "merge", "reduce")
NEXT_TO_LAST = 3  # the step at which sums stand that a source gives


def draw_example(example: Example) -> None:
    """Draw an example of a source that has no text: its hashes and weights, or its sums."""
    start = 0 if example.words else NEXT_TO_LAST
    walk(_frame_example(example, [(word, weight) for word, _, weight in example.words]), None,
         start=start, opened=example.code)  # fmt: skip


def draw_text(traced: Any, example: Example | None) -> None:
    """Draw a text; the frames are those of an example of a source where one gives its hashes."""
    why = traced.explanation
    order = list(dict.fromkeys(piece.row for piece in traced.pieces if piece.row >= 0))
    text, shown = traced.document.text, traced.pieces[:WORDS_SHOWN]
    as_it_stands = {piece.row: text[piece.start : piece.end] for piece in reversed(traced.pieces)}
    weights = [(as_it_stands[row], why.weights[row] / SCALE) for row in order]
    frames = (
        _frame_example(example, weights)
        if example is not None
        else _frame_words(traced, order[:2], weights)
    )
    place = {row: at for at, row in enumerate(order)}
    heaviest, seen, sentence, before = max(int(why.weights.max(initial=1)), 1), set(), [], 0
    for piece in shown:
        first = piece.row >= 0 and piece.row not in seen
        weight = _write_numbers([why.weights[piece.row] / SCALE])[0] if first else ""
        share = round(float(why.weights[piece.row]) / heaviest, 3) if piece.row >= 0 else 0.0
        sentence.append((text[before : piece.start], text[piece.start : piece.end],
                         place.get(piece.row, -1), weight, share))  # fmt: skip
        seen.add(piece.row)
        before = piece.end
    cut = len(shown) < len(traced.pieces)
    walk(
        frames,
        _count_votes(traced, order, [word for word, _ in weights]),
        sentence=sentence,
        tail="…" if cut else text[before:],
        meaning=_explain_weights(traced),
        opened=example.code if example else "",
        language=text_language(text)[:2],
    )
    repeated = [token for token, count in zip(why.tokens, why.counts, strict=True) if count > 1]
    if repeated:
        words = t("fingerprint_lab.listing").join(repeated[:8])
        note(t("lab.walk.repeated", words=words, n=len(repeated)))


def _explain_weights(traced: Any) -> str:
    """Say what the lines under the words mean."""
    weighting = traced.settings.weighting
    by_hand = weighting == "levels" and traced.settings.levels
    return t(f"lab.walk.weights.{'by_hand' if by_hand else weighting}")


def _frame_example(example: Example, weights: Sequence[tuple[str, float]]) -> list[Frame]:
    """Return the frames of a source's own hashes, weights and sums."""
    why = example_votes(example)
    rows = [why.tokens.index(word) for word, _, _ in example.words]
    hashes = [list(printed) for _, printed, _ in example.words]
    votes = [why.votes[row] / SCALE for row in rows]
    names = [word for word, _, _ in example.words]
    told = {"n": example.bits, "bits": example.bits}
    return _build_frames(weights, names, hashes, votes, why.sums / SCALE, told)


def _frame_words(
    traced: Any, rows: Sequence[int], weights: Sequence[tuple[str, float]]
) -> list[Frame]:
    """Return the frames of the first words of a text, with as many bits as there is room for."""
    why = traced.explanation
    whole = all(float(weight).is_integer() for _, weight in weights)
    width = min(6 if whole else 3, len(why.bits))
    hashes = [["1" if bit else "0" for bit in traced.hashes[row][:width]] for row in rows]
    votes = [why.votes[row, :width] / SCALE for row in rows]
    sums = why.votes[list(rows), :width].sum(axis=0) / SCALE
    names = [word for word, _ in weights[:2]]
    return _build_frames(
        weights, names, hashes, votes, sums, {"n": width, "bits": len(why.bits)}
    )  # fmt: skip


def _build_frames(
    weights: Sequence[tuple[str, float]],
    names: Sequence[str],
    hashes: Sequence[Sequence[str]],
    votes: Sequence[Any],
    sums: Any,
    told: dict[str, int],
) -> list[Frame]:
    listed = [("", word, _write_numbers([weight])) for word, weight in weights[:3]]
    if len(weights) > len(listed):
        listed.append(("", "…", [""]))
    cast = [("", name, _write_numbers(row)) for name, row in zip(names, votes, strict=True)]
    rows: list[list[tuple[str, str, Sequence[str]]]] = [
        [*listed],
        [("", name, row) for name, row in zip(names, hashes, strict=True)],
        [*cast],
        [*cast, ("sum", t("lab.sum"), _write_numbers(sums))],
        [("answer", t("lab.walk.print"), ["1" if value > 0 else "0" for value in sums])],
    ]
    whole = told["n"] == told["bits"]
    texts = {name: t(f"lab.walk.{name}.text", **told) for name in NAMES}
    texts |= {"hash": t("lab.walk.hash.whole", **told)} if whole else {}
    return [
        Frame(t(f"lab.walk.{name}.title"), texts[name], each)
        for name, each in zip(NAMES, rows, strict=True)
    ]


def _write_numbers(values: Sequence[float]) -> list[str]:
    """Return numbers with a true minus, all whole or all with one decimal."""
    digits = 0 if all(float(value).is_integer() for value in values) else 1
    return [f"{value:.{digits}f}".replace("-", "−") for value in values]


def _count_votes(traced: Any, order: Sequence[int], words: Sequence[str]) -> Votes:
    """Return the sums of all bits after each word."""
    why = traced.explanation
    names = [*words[:VOTERS]]
    sums = np.cumsum(why.votes[list(order)], axis=0)
    shown = sums[:VOTERS]
    if len(order) > VOTERS:
        names.append(t("lab.walk.others", n=len(order) - VOTERS))
        shown = np.concatenate([shown, sums[-1:]])
    top = max(int(np.abs(shown).max(initial=0)), 1)
    heights = np.rint(100 * shown / top).astype(int).tolist()
    bits = len(why.bits)
    written = _write_numbers([round(float(value) / SCALE, 1) for value in why.sums])
    return Votes(
        title=t("lab.walk.votes.title", bits=bits),
        label=t("lab.walk.votes.label", bits=bits, words=len(order), ones=int(why.bits.sum())),
        note=t("lab.walk.votes.note"),
        names=names,
        heights=heights,
        bits=["".join("1" if value > 0 else "0" for value in row) for row in shown],
        end=heights[-1],
        titles=[
            t("lab.walk.votes.column", bit=bit, sum=value, value=int(why.bits[bit]))
            for bit, value in enumerate(written)
        ],
    )
