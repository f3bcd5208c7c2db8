"""One text followed from words to bits: segmentation, hash, weight, votes, signs.

Nothing is computed a second time: bits, votes and margins are those of
`signatures.explain_document`, which are those of the fingerprint itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from ... import schemas
from ...checking.fingerprinting import collection_stats, explain_document
from ...model import F64, I64, Bools, CorpusStats, Document, Features
from ...result import BitExplanation, Block
from ...settings import Settings
from ...simhash.explain import explain, shared_terms
from ...simhash.fingerprint import cosine_interval, to_bits
from ...simhash.hashes import token_hashes
from ...simhash.search.blocks import block_spans
from ...text.normalize import normalize
from ...text.tokenize import count_features, tokenizer
from ...weighting import quantise, weighting_of
from ...weighting.registry import SCALE

STAND_IN = "\ufffc"  # object replacement character: no text holds the word that it begins


@dataclass(frozen=True, slots=True)
class Piece:
    """One word where it stands: `Document.text[start:end]`.

    `row` points into `Trace.explanation.tokens`, -1 for a word without a vote (a stop word, or
    one whose weight is 0).
    """

    token: str
    start: int
    end: int
    row: int


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """Everything between a text and its bits.

    Attributes
    ----------
    pieces : tuple of Piece       the words in the order of the text
    explanation : BitExplanation  weights, votes, sums, margins, bits; heaviest word first
    base : float64 (t,)           weight of one occurrence of each word; weight / base is what
                                  repeating the word does
    length : int                  tokens counted, repeats included
    """

    document: Document
    settings: Settings
    pieces: tuple[Piece, ...]
    explanation: BitExplanation
    base: F64
    length: int

    @property
    def hashes(self) -> Bools:
        """Bits of the hash of every word, bool (t, bits): the side it votes for."""
        return np.asarray(self.explanation.votes > 0)


@dataclass(frozen=True, slots=True, eq=False)
class WordInfluence:
    """The influence of one word on every bit.

    `side` is +1 where it votes for 1 and -1 where it votes for 0, int64 (bits,); `decisive` are
    the bits that would be other without it.
    """

    token: str
    weight: int
    side: I64
    decisive: Bools


@dataclass(frozen=True, slots=True)
class SimilarityMeasures:
    """Four measures of one pair, and the words that only one side has, heaviest first."""

    distance: int
    bits: int
    cosine: tuple[float, float, float]  # estimate, low, high (95 %)
    true_cosine: float
    jaccard: float
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EditSensitivity:
    """Bits that one replaced word flips in a text.

    `mean` and `deviation` are measured on this very text, each word replaced in turn; `expected`
    is bits * acos(1 - v) / pi averaged over the words, v the word's share of the squared weights.
    """

    distinct: int
    mean: float
    deviation: float
    expected: float


def trace(text: str, *, settings: Settings, stats: CorpusStats | None = None) -> Trace:
    """Follow one text; `stats` default to those of the text alone."""
    return traces((text,), settings=settings, stats=stats)[0]


def traces(
    texts: Sequence[str], *, settings: Settings, stats: CorpusStats | None = None
) -> tuple[Trace, ...]:
    """Follow several texts under the same statistics, by default those of these texts.

    Parameters
    ----------
    texts : sequence of str
    settings : Settings          bits, weighting and what else shapes a fingerprint
    stats : CorpusStats          document frequencies, for weightings that use them
    """
    documents = [_document(text) for text in texts]
    shared = stats if stats is not None else collection_stats(documents, settings=settings)
    return tuple(_trace(document, settings, shared) for document in documents)


def flipped(old: Trace | BitExplanation, new: Trace | BitExplanation) -> I64:
    """Return the bits whose value differs, int64; of different widths none can be compared."""
    before, after = _bits(old), _bits(new)
    if len(before) != len(after):
        return np.zeros(0, np.int64)
    return np.flatnonzero(before != after)


def word_influence(traced: Trace | BitExplanation, token: str) -> WordInfluence:
    """Return what one word does to every bit.

    Raises
    ------
    KeyError
        The text has no such word, or the word has no weight.
    """
    why = traced.explanation if isinstance(traced, Trace) else traced
    if token not in why.tokens:
        raise KeyError(token)
    row = why.tokens.index(token)
    votes = why.votes[row]
    return WordInfluence(
        token, int(why.weights[row]), np.sign(votes), ((why.sums - votes) > 0) != why.bits
    )


def similarity_measures(a: Trace, b: Trace) -> SimilarityMeasures:
    """Compare two traced texts by four measures.

    Raises
    ------
    ValueError
        Their fingerprints have different widths.
    """
    bits = len(a.explanation.bits)
    if len(b.explanation.bits) != bits:
        raise ValueError("fingerprints of different widths")
    distance = len(flipped(a, b))
    first, second = ({piece.token for piece in traced.pieces} for traced in (a, b))
    return SimilarityMeasures(
        distance=distance,
        bits=bits,
        cosine=cosine_interval(distance, bits),
        true_cosine=shared_terms(a.explanation, b.explanation).cosine,
        jaccard=len(first & second) / max(len(first | second), 1),
        only_a=_only(a, second),
        only_b=_only(b, first),
    )


def edit_sensitivity(traced: Trace) -> EditSensitivity:
    """Measure how many bits flip when one word of the text gives way to another.

    Notes
    -----
    The newcomer has the weight of the word it replaces and a hash of its own. Replacing a share v
    of the squared weights turns the weight vector by acos(1 - v), about sqrt(2 v), and a bit
    flips with probability angle / pi. Cost O(t bits).
    """
    why = traced.explanation
    if not why.tokens:
        return EditSensitivity(0, 0.0, 0.0, 0.0)
    bits = len(why.bits)
    hashes = token_hashes([STAND_IN + token for token in why.tokens], bits=bits)
    weight = why.weights[:, None]
    votes = np.where(to_bits(hashes, bits), weight, -weight)
    flips = ((why.sums - why.votes + votes > 0) != why.bits).sum(axis=1)
    squares = why.weights.astype(np.float64) ** 2
    expected = bits * np.arccos(1 - squares / squares.sum()) / math.pi
    return EditSensitivity(
        len(why.tokens), float(flips.mean()), float(flips.std()), float(expected.mean())
    )


def block_differences(
    a: Trace | BitExplanation, b: Trace | BitExplanation, k: int
) -> tuple[Block, ...]:
    """Cut the bits into k + 1 blocks: within k differing bits one of them must be equal."""
    first, second = _bits(a), _bits(b)
    differing = first != second
    return tuple(
        Block(start, width, int(differing[start : start + width].sum()))
        for start, width in block_spans(len(first), min(k + 1, len(first)))
    )


def trace_data(traced: Sequence[Trace]) -> dict[str, Any]:
    """Return traces as plain data, schema `schemas.TRACE`: words, weights, votes, bits."""
    return {
        "schema": schemas.TRACE,
        "bits": traced[0].settings.bits if traced else 0,
        "weighting": traced[0].settings.weighting if traced else "",
        "texts": [_text_data(each) for each in traced],
    }


def _text_data(traced: Trace) -> dict[str, Any]:
    why = traced.explanation
    return {
        "text": traced.document.text,
        "tokens": [[p.token, p.start, p.end] for p in traced.pieces],
        "words": [
            {
                "token": token,
                "count": int(why.counts[row]),
                "weight": int(why.weights[row]),
                "hash": "".join("1" if bit else "0" for bit in traced.hashes[row]),
            }
            for row, token in enumerate(why.tokens)
        ],
        "sums": why.sums.tolist(),
        "margin": [round(float(value), 6) for value in why.margin],
        "fingerprint": "".join("1" if bit else "0" for bit in why.bits),
    }


def _document(text: str) -> Document:
    return Document.from_text(text, name="")


def _trace(document: Document, settings: Settings, stats: CorpusStats) -> Trace:
    why, length = explain_document(document, settings=settings, stats=stats)
    normal = normalize(document.text, fold_variants=settings.fold_variants)
    features = count_features(tokenizer(settings.user_words, settings.stop_words), [normal.text])
    row_of = {token: row for row, token in enumerate(why.tokens)}
    pieces, at = [], 0
    for token in tokenizer(settings.user_words).tokens(normal.text):
        at = normal.text.index(token, at)
        end = at + len(token)
        span = int(normal.start[at]), int(normal.end[end - 1])
        pieces.append(Piece(token, *span, row_of.get(token, -1)))
        at = end
    return Trace(
        document, settings, tuple(pieces), why, _base(features, why, settings, stats), length
    )


def _base(features: Features, why: BitExplanation, settings: Settings, stats: CorpusStats) -> F64:
    """Weight that every word would have if it occurred once, float64 (t,)."""
    once = replace(features, count=np.ones_like(features.count))
    weights = quantise(weighting_of(settings.weighting)(once, stats, settings))
    single = {
        features.vocabulary[token]: w for token, w in zip(features.token, weights, strict=True)
    }
    return np.array([single[token] for token in why.tokens], np.float64)


def _bits(traced: Trace | BitExplanation) -> Bools:
    return traced.explanation.bits if isinstance(traced, Trace) else traced.bits


def _only(traced: Trace, other: set[str]) -> tuple[str, ...]:
    """Words that the other side does not have: with weight first, heaviest first."""
    heavy = [token for token in traced.explanation.tokens if token not in other]
    light = dict.fromkeys(p.token for p in traced.pieces if p.row < 0 and p.token not in other)
    return (*heavy, *light)


# --------------------------------------------------------------------------- worked examples
@dataclass(frozen=True, slots=True)
class Solution:
    """The result of an example; distances are those of every pair of `fingerprints`, in order."""

    sums: tuple[float, ...] = ()
    fingerprints: tuple[str, ...] = ()
    distances: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """One worked example. `code` names its title and note in the catalogue domain `lab`.

    Exactly one of `words` (token, hash, weight), `sums` and `fingerprints` is given.
    """

    code: str
    source: str
    expected: Solution
    words: tuple[tuple[str, str, float], ...] = ()
    sums: tuple[float, ...] = ()
    fingerprints: tuple[str, ...] = ()
    texts: tuple[str, ...] = field(default=())  # what the fingerprints were made of, if known

    @property
    def bits(self) -> int:
        """Width of the fingerprints."""
        given = (
            self.words[0][1]
            if self.words
            else self.fingerprints[0]
            if self.fingerprints
            else self.sums
        )
        return len(given)


#: three sentences of a tutorial, as the 32-bit numbers that it prints
_SENTENCES = (
    "the cat sat on the mat",
    "the cat sat on a mat",
    "we all scream for ice cream",
)

EXAMPLES: tuple[Example, ...] = (
    Example(
        "csdn",
        "S0",
        Solution((9, -9, 1, -1, 1, 9), ("101011",)),
        words=(("CSDN", "100101", 4), ("博客", "101011", 5)),
    ),
    Example(
        "six_bits",
        "S0",
        Solution((), ("101011", "101000"), (2,)),
        fingerprints=("101011", "101000"),
    ),
    Example(
        "seven_bits",
        "S0",
        Solution((), ("1011101", "1001001"), (2,)),
        fingerprints=("1011101", "1001001"),
    ),
    Example(
        "five_bits", "S4", Solution((), ("10101", "00110"), (3,)), fingerprints=("10101", "00110")
    ),
    Example(
        "one_word",
        "S1",
        Solution((1, -1, -1, -1, -1, -1, 1, -1), ("10000010",)),
        words=(("w", "10000010", 1),),
    ),
    Example(
        "eight_sums",
        "S1",
        Solution((0.1, 0.1, 0.1, 0.1, -0.8, -0.3, 0.4, 0.5), ("11110011",)),
        sums=(0.1, 0.1, 0.1, 0.1, -0.8, -0.3, 0.4, 0.5),
    ),
    Example(
        "cat_mat",
        "S0",
        Solution(
            (),
            (
                "00110010110000000011110001111110",
                "00110010100000000011100001111000",
                "00111010101101010110101110011000",
            ),
            (4, 16, 12),
        ),
        fingerprints=tuple(f"{value:032b}" for value in (851459198, 847263864, 984968088)),
        texts=_SENTENCES,
    ),
)


def example_votes(example: Example) -> BitExplanation:
    """Return the votes of an example whose words or sums are given.

    Raises
    ------
    ValueError
        The example gives finished fingerprints: there is nothing to vote on.
    """
    if example.words:
        tokens = [word for word, _, _ in example.words]
        hashes = np.array([[int(bits, 2)] for _, bits, _ in example.words], np.uint64)
        weights = np.array([round(w * SCALE) for _, _, w in example.words], np.int64)
        counts = np.ones(len(tokens), np.int32)
        return explain(tokens, counts, weights, hashes, bits=example.bits)
    if not example.sums:
        raise ValueError(f"example {example.code} has no votes")
    sums = np.array([round(value * SCALE) for value in example.sums], np.int64)
    none = np.zeros(0, np.int64)
    heaviest = max(int(np.abs(sums).max()), 1)
    votes = np.zeros((0, len(sums)), np.int64)
    margin = np.abs(sums) / heaviest
    return BitExplanation((), none.astype(np.int32), none, votes, sums, margin, sums > 0)


def solve_example(example: Example) -> Solution:
    """Compute an example."""
    if example.fingerprints:
        numbers = [int(bits, 2) for bits in example.fingerprints]
        distances = tuple((a ^ b).bit_count() for a, b in combinations(numbers, 2))
        return Solution((), example.fingerprints, distances)
    why = example_votes(example)
    sums = tuple(round(float(value) / SCALE, 4) for value in why.sums)
    return Solution(sums, ("".join("1" if bit else "0" for bit in why.bits),))
