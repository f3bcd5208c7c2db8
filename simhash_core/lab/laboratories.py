"""What two pages show: a text followed from words to bits, and a result at every threshold.

Nothing is computed a second time: bits, votes and margins are those of
`fingerprinting.explain_document`, which are those of the fingerprint itself.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, combinations

import numpy as np

from ..checking.fingerprinting import collection_stats, explain_document
from ..checking.tokenizing import count_texts
from ..metadata import metadata_similarity
from ..model import F64, I64, Bools, CorpusStats, Document, Features
from ..result import BitExplanation, Block, CheckResult
from ..seen.thresholds import entry_of
from ..settings import Settings
from ..simhash.explain import explain, shared_terms
from ..simhash.fingerprint import cosine_interval, to_bits
from ..simhash.hashes import token_hashes
from ..simhash.search.blocks import block_spans
from ..simhash.search.plan import SAMPLE, Plan, choose_plan
from ..text.normalize import normalize
from ..text.tokenize import tokenizer
from ..weighting import quantise, weighting_of
from ..weighting.registry import SCALE

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


@dataclass(frozen=True, slots=True)
class SimilarityMeasures:
    """Five measures of one pair, and the words of which one side has more, heaviest first.

    `minhash` is the share of equal minima: an estimate of `jaccard`, as `cosine` is of
    `true_cosine`.
    """

    distance: int
    bits: int
    cosine: tuple[float, float, float]  # estimate, low, high (95 %)
    true_cosine: float
    jaccard: float
    minhash: float
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


def traces(
    texts: Sequence[str], *, settings: Settings, stats: CorpusStats | None = None
) -> tuple[Trace, ...]:
    """Follow several texts under the same statistics, by default those of these texts."""
    documents = [Document.from_text(text, name="") for text in texts]
    shared = stats if stats is not None else collection_stats(documents, settings=settings)
    return tuple(_trace(document, settings, shared) for document in documents)


def find_flipped(old: BitExplanation, new: BitExplanation) -> I64:
    """Return the bits whose value differs, int64; of different widths none can be compared."""
    if len(old.bits) != len(new.bits):
        return np.zeros(0, np.int64)
    return np.flatnonzero(old.bits != new.bits)


def similarity_measures(a: Trace, b: Trace) -> SimilarityMeasures:
    """Compare two traced texts by five measures.

    Raises
    ------
    ValueError
        Their fingerprints have different widths.
    """
    bits = len(a.explanation.bits)
    if len(b.explanation.bits) != bits:
        raise ValueError("fingerprints of different widths")
    distance = len(find_flipped(a.explanation, b.explanation))
    first, second = (Counter(piece.token for piece in traced.pieces) for traced in (a, b))
    return SimilarityMeasures(
        distance=distance,
        bits=bits,
        cosine=cosine_interval(distance, bits),
        true_cosine=shared_terms(a.explanation, b.explanation).cosine,
        jaccard=len(first & second) / max(len(first | second), 1),
        minhash=metadata_similarity(set(first), set(second), how="minhash"),
        only_a=_sort_by_weight(first - second, a),
        only_b=_sort_by_weight(second - first, b),
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


def block_differences(a: Bools, b: Bools, k: int) -> tuple[Block, ...]:
    """Cut the bits into k + 1 blocks: within k differing bits one of them must be equal."""
    differing = a != b
    return tuple(
        Block(start, width, int(differing[start : start + width].sum()))
        for start, width in block_spans(len(a), min(k + 1, len(a)))
    )


def count_chance_pairs(texts: int, bits: int) -> F64:
    """Return how many pairs of unrelated texts are within each distance, float64 (bits + 1,).

    Notes
    -----
    As if every bit were a fair coin: n (n - 1) / 2 times P(Binomial(bits, 1/2) <= k).
    """
    within = accumulate(math.comb(bits, differing) for differing in range(bits + 1))
    pairs = texts * (texts - 1) // 2
    return np.array([pairs * ways / 2**bits for ways in within], np.float64)


def plan_search(texts: int, k: int, bits: int) -> Plan:
    """Plan the search for all pairs of so many evenly spread texts, with the cost of each way."""
    drawn = np.random.default_rng(1).integers(2**64, size=(bits // 64, SAMPLE), dtype=np.uint64)
    return choose_plan(drawn, bits=bits, k=k, texts=texts)


def _trace(document: Document, settings: Settings, stats: CorpusStats) -> Trace:
    why, length = explain_document(document, settings=settings, stats=stats)
    normal = normalize(document.text, fold_variants=settings.fold_variants)
    features = count_texts([document.text], settings)
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


def _sort_by_weight(words: Counter[str], traced: Trace) -> tuple[str, ...]:
    """Return words of a text, heaviest first; those without a vote come last."""
    heavy = [token for token in traced.explanation.tokens if token in words]
    return (*heavy, *(token for token in words if token not in heavy))


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
        given = self.words[0][1] if self.words else (self.fingerprints or (self.sums,))[0]
        return len(given)


#: sums that a source prints
_SUMS = (0.1, 0.1, 0.1, 0.1, -0.8, -0.3, 0.4, 0.5)
#: three sentences of a tutorial, and the 32-bit numbers that it prints for them
_SENTENCES = ("the cat sat on the mat", "the cat sat on a mat", "we all scream for ice cream")
_PRINTED = tuple(f"{value:032b}" for value in (851459198, 847263864, 984968088))


def _of_prints(
    code: str,
    source: str,
    fingerprints: tuple[str, ...],
    *distances: int,
    texts: tuple[str, ...] = (),
) -> Example:
    """Return an example that gives finished fingerprints."""
    expected = Solution((), fingerprints, distances)
    return Example(code, source, expected, fingerprints=fingerprints, texts=texts)


EXAMPLES: tuple[Example, ...] = (
    Example(
        "csdn",
        "S0",
        Solution((9, -9, 1, -1, 1, 9), ("101011",)),
        words=(("CSDN", "100101", 4), ("博客", "101011", 5)),
    ),
    _of_prints("six_bits", "S0", ("101011", "101000"), 2),
    _of_prints("seven_bits", "S0", ("1011101", "1001001"), 2),
    _of_prints("five_bits", "S4", ("10101", "00110"), 3),
    Example(
        "one_word",
        "S1",
        Solution((1, -1, -1, -1, -1, -1, 1, -1), ("10000010",)),
        words=(("w", "10000010", 1),),
    ),
    Example("eight_sums", "S1", Solution(_SUMS, ("11110011",)), sums=_SUMS),
    _of_prints("cat_mat", "S0", _PRINTED, 4, 16, 12, texts=_SENTENCES),
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
    counts, none = np.zeros(0, np.int32), np.zeros(0, np.int64)
    margin = np.abs(sums) / max(int(np.abs(sums).max()), 1)
    return BitExplanation(
        (), counts, none, np.zeros((0, len(sums)), np.int64), sums, margin, sums > 0
    )


def solve_example(example: Example) -> Solution:
    """Compute an example."""
    if example.fingerprints:
        numbers = [int(bits, 2) for bits in example.fingerprints]
        distances = tuple((a ^ b).bit_count() for a, b in combinations(numbers, 2))
        return Solution((), example.fingerprints, distances)
    why = example_votes(example)
    sums = tuple(round(float(value) / SCALE, 4) for value in why.sums)
    return Solution(sums, ("".join("1" if bit else "0" for bit in why.bits),))


# --------------------------------------------------------------------------- thresholds


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """What every threshold 0..limit finds, `limit` being `complete_up_to`.

    Attributes
    ----------
    entry : int64 (m,)       smallest threshold at which a row of the pair table is found by
                             fingerprint, by either signature; limit + 1 where none is
    order : int64 (m,)       rows of the table by entry
    pairs, documents : int64 (limit + 1,)   pairs within, and documents in at least one of them
    """

    entry: I64
    order: I64
    pairs: I64
    documents: I64

    @property
    def complete_up_to(self) -> int:
        """Largest threshold for which every pair is known."""
        return len(self.pairs) - 1


def sweep(result: CheckResult) -> Sweep:
    """See a result at every threshold.

    Notes
    -----
    Agrees with `at_threshold` at each k; all thresholds together cost one sort of the pairs.
    """
    table, limit = result.table, result.complete_up_to
    entry = entry_of(result)
    within = entry <= limit
    pairs = np.cumsum(np.bincount(entry[within], minlength=limit + 1)[: limit + 1])
    n, order = len(result.documents), np.argsort(entry, kind="stable")
    ends = table.pairs.left[within], table.pairs.right[within]
    documents = _linked(*ends, entry[within], n, limit)
    return Sweep(entry, order, pairs, documents)


def find_borderline(sweep: Sweep, k: int, *, count: int = 5) -> tuple[I64, I64]:
    """Return table rows just inside and just outside a threshold, each nearest last and first.

    Parameters
    ----------
    k : int         bits
    count : int     rows a side
    """
    order, last = sweep.order, int(sweep.pairs[-1])
    cut = int(sweep.pairs[min(k, sweep.complete_up_to)])
    return order[max(cut - count, 0) : cut], order[cut : min(cut + count, last)]


def _linked(left: I64, right: I64, at: I64, n: int, limit: int) -> I64:
    """Number of texts with a link at every threshold; `at` is that from which a link holds."""
    first = np.full(n, limit + 1, np.int64)
    for side in (left, right):
        np.minimum.at(first, side, at)
    return np.cumsum(np.bincount(first, minlength=limit + 2)[: limit + 1])
