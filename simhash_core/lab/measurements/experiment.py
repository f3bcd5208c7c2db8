"""Methods on families of edited copies: precision, recall, and time against volume.

Each method turns documents into a function row -> distance to every document, as small integers, so
that thresholds and counts are the same arithmetic for all.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ... import metadata
from ...checking.fingerprinting import fingerprint_batch
from ...checking.tokenizing import read_text, tokenize_batch
from ...machine.workers import shared_pool
from ...model import I64, U64, Document, Fingerprints, Progress, silent
from ...passages.tokenize import winnow_many
from ...passages.winnow import Rule, containment_of_pairs
from ...policy import WIDE_NET
from ...settings import Settings
from ...simhash.fingerprint import hamming, wilson
from ...text.normalize import normalized_text
from ...text.tokenize import tokenizer
from .. import Code, Table
from ..museum import baselines
from .families import RATES, Families, corpora, families

# --------------------------------------------------------------------------- methods


FAR = 1 << 14  # farther than any threshold
CONTAINED = 0.10
SHINGLE_WIDTH = 3  # words
SAMPLE_ONE_IN = 8

#: distances of one row to every row, int64 (n,)
Rows = Callable[[int], I64]


@dataclass(frozen=True, slots=True)
class Method:
    """One way to tell copies.

    `threshold` is fixed by the source of the method, or None: chosen at the wanted false-pair
    rate. `size` is bytes a text (0: grows with the text).
    """

    name: str
    prepare: Callable[[Sequence[Document]], Rows]
    size: int
    threshold: int | None = None


def _fingerprints(documents: Sequence[Document], weighting: str, bits: int) -> Fingerprints:
    settings = Settings.of("edited", weighting=weighting, bits=bits, min_tokens=1)
    features = tokenize_batch(
        documents, settings=settings, pool=shared_pool(), step=silent, places=False
    ).features
    fingerprinted = fingerprint_batch(documents, features, settings=settings, step=silent)
    return fingerprinted.background


def _simhash(weighting: str, bits: int) -> Callable[[Sequence[Document]], Rows]:
    def prepare(documents: Sequence[Document]) -> Rows:
        made = _fingerprints(documents, weighting, bits)

        def row(at: int) -> I64:
            distance = hamming(made.words[at], made.words).astype(np.int64)
            return np.where(made.valid & made.valid[at], distance, FAR)

        return row

    return prepare


def _word_shingles(documents: Sequence[Document]) -> list[U64]:
    cut = tokenizer()
    return [
        baselines.shingles(cut.tokens(normalized_text(document.text)), width=SHINGLE_WIDTH)
        for document in documents
    ]


def _minhash(functions: int, bits: int) -> Callable[[Sequence[Document]], Rows]:
    def prepare(documents: Sequence[Document]) -> Rows:
        made = metadata.signatures(_word_shingles(documents), functions=functions)
        short = baselines.shortened(made, bits=bits).astype(np.uint32)
        return lambda at: (short != short[at]).sum(axis=1)

    return prepare


def _shingled(documents: Sequence[Document]) -> Rows:
    """Jaccard of sampled shingles, in thousandths below 1."""
    sets = [baselines.sample(one, one_in=SAMPLE_ONE_IN) for one in _word_shingles(documents)]
    sizes = np.array([len(one) for one in sets], np.int64)
    flat = np.concatenate(sets) if sets else np.zeros(0, np.uint64)
    owner = np.repeat(np.arange(len(sets)), sizes)

    def row(at: int) -> I64:
        shared = np.bincount(owner[np.isin(flat, sets[at])], minlength=len(sets))
        either = np.maximum(sizes + sizes[at] - shared, 1)
        return np.asarray(np.rint(1000 * (1 - shared / either)).astype(np.int64))

    return row


def _two_steps(documents: Sequence[Document]) -> Rows:
    """A wide Hamming net, then the containment of winnowed hashes of the pairs inside it."""
    near = _simhash("background", 256)(documents)
    texts = [read_text(document.text, Settings()) for document in documents]
    of = winnow_many(texts, rule=Rule.of())

    def row(at: int) -> I64:
        distance = near(at)
        caught = np.flatnonzero(distance <= WIDE_NET[256])
        contained = containment_of_pairs(of, np.full(len(caught), at), caught)
        score = np.full(len(distance), FAR)
        score[caught[contained >= CONTAINED]] = 0
        return score

    return row


def _digests(documents: Sequence[Document]) -> Rows:
    values = np.array([baselines.digest(document.text) for document in documents])
    return lambda at: np.where(values == values[at], 0, FAR)


METHODS: tuple[Method, ...] = (
    Method("two_steps", _two_steps, 32, 0),
    Method("default_256", _simhash("background", 256), 32),
    Method("default_128", _simhash("background", 128), 16),
    Method("default_64", _simhash("background", 64), 8),
    Method("classic_k3", _simhash("tf", 64), 8, 3),
    Method("classic", _simhash("tf", 64), 8),
    Method("tfidf", _simhash("tfidf", 64), 8),
    Method("topic", _simhash("topic", 64), 8),
    Method("annotated", _simhash("annotated", 64), 8),
    Method("minhash_32", _minhash(32, 8), 32),
    Method("minhash_512", _minhash(128, 32), 512),
    Method("shingles", _shingled, 0),
    Method("digest", _digests, 16, 0),
)

#: what the two papers print for their own method: precision, recall
PUBLISHED: Mapping[str, tuple[float, float]] = {"topic": (0.94, 0.92), "annotated": (0.953, 0.940)}


# --------------------------------------------------------------------------- the experiment


FALSE_PAIRS = 1e-5  # of the unrelated pairs that thresholds are chosen on
VOLUMES = (0.25, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Share:
    """A proportion with its 95 % interval by Wilson's formula; nan where nothing was counted."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, hits: int, trials: int) -> Share:
        """Return hits / trials."""
        return cls(*wilson(hits, trials))


@dataclass(frozen=True, slots=True)
class Cell:
    """One method at one edit rate, on held-out families."""

    method: str
    rate: int  # per cent of words replaced
    recall: Share
    precision: Share

    @property
    def f1(self) -> float:
        """Return 2 p r / (p + r); 0 where nothing is found."""
        product = self.recall.value and self.precision.value
        if not product or math.isnan(product):
            return 0.0
        both = self.recall.value + self.precision.value
        return 2 * self.recall.value * self.precision.value / both


@dataclass(frozen=True, slots=True)
class Outcome:
    """One method: its threshold, what it finds, and how long it takes."""

    method: Method
    threshold: int
    false_pairs: int
    unrelated: int
    cells: tuple[Cell, ...]
    seconds: float

    @property
    def f1(self) -> float:
        """Return the mean over the edit rates."""
        return sum(cell.f1 for cell in self.cells) / len(self.cells)


def measure(collection: Families, method: Method, *, rate: float = FALSE_PAIRS) -> Outcome:
    """Choose the threshold on one half of the families and count on the other.

    Notes
    -----
    Every edit rate is a collection of its own: the pieces, their copies at this rate, and the
    texts of no topic. Its positives are (piece, copy); its negatives are all pairs of different
    families.
    """
    start = time.perf_counter()
    rows = method.prepare(collection.documents)
    chosen, held_out = ~collection.held_out, collection.held_out
    threshold = method.threshold
    if threshold is None:
        counts = _histogram(collection, rows, np.flatnonzero(chosen))
        fitting = np.flatnonzero(np.cumsum(counts) <= rate * counts.sum())
        threshold = int(fitting[-1]) if len(fitting) else -1
    cells, wrong, unrelated = _count(collection, rows, np.flatnonzero(held_out), threshold, method)
    seconds = time.perf_counter() - start
    return Outcome(method, threshold, wrong, unrelated, tuple(cells), seconds)


def _histogram(collection: Families, rows: Rows, subset: I64) -> I64:
    """Count the distances of pairs of different families, int64 (FAR + 1,)."""
    counts = np.zeros(FAR + 1, np.int64)
    for at in subset:
        later = subset[(subset > at) & (collection.family[subset] != collection.family[at])]
        counts += np.bincount(np.minimum(rows(int(at))[later], FAR), minlength=FAR + 1)
    return counts


def _count(
    collection: Families, rows: Rows, subset: I64, threshold: int, method: Method
) -> tuple[list[Cell], int, int]:
    percents = [round(100 * rate) for rate in RATES]
    hits, copies, wrong = dict.fromkeys(percents, 0), dict.fromkeys(percents, 0), dict.fromkeys(
        percents, 0
    )  # fmt: skip
    false_pairs = unrelated = 0
    for at in subset:
        own_rate, family = int(collection.rate[at]), collection.family[at]
        later = subset[subset > at]
        near = rows(int(at))[later] <= threshold
        other, rate = collection.family[later] != family, collection.rate[later]
        false_pairs += int((near & other).sum())
        unrelated += int(other.sum())
        for percent in percents:
            if own_rate in (0, percent):
                wrong[percent] += int((near & other & np.isin(rate, (0, percent))).sum())
            if own_rate == 0:
                copy = ~other & (rate == percent)
                copies[percent] += int(copy.sum())
                hits[percent] += int((near & copy).sum())
    cells = [
        Cell(
            method.name,
            percent,
            Share.of(hits[percent], copies[percent]),
            Share.of(hits[percent], hits[percent] + wrong[percent]),
        )
        for percent in percents
    ]
    return cells, false_pairs, unrelated


def run_times(collection: Families, method: Method) -> list[tuple[int, float, float]]:
    """Return (texts, seconds to prepare, seconds to compare all pairs) at each volume."""
    times = []
    for share in VOLUMES:
        n = max(2, round(share * len(collection)))
        start = time.perf_counter()
        rows = method.prepare(collection.documents[:n])
        ready = time.perf_counter()
        for at in range(n):
            rows(at)
        times.append((n, ready - start, time.perf_counter() - ready))
    return times


def outcomes(
    collection: Families,
    *,
    methods: Sequence[Method] = METHODS,
    rate: float = FALSE_PAIRS,
    step: Progress | None = None,
) -> list[Outcome]:
    """Measure methods on one collection, best mean F1 first."""
    measured = []
    for done, method in enumerate(methods):
        if step:
            step("families", done, len(methods))
        measured.append(measure(collection, method, rate=rate))
    return sorted(measured, key=lambda outcome: -outcome.f1)


def families_tables(
    root: Path | None = None,
    *,
    scale: float = 0.2,
    seed: int = 1,
    rate: float = FALSE_PAIRS,
    step: Progress | None = None,
) -> list[Table]:
    """Run the experiment and return its tables."""
    collection = families(root or corpora(), scale=scale, seed=seed)
    results = outcomes(collection, rate=rate, step=step)
    summary = [
        (
            Code(f"method_{o.method.name}"), o.method.size, o.threshold, o.false_pairs,
            o.unrelated, round(o.f1, 3), *PUBLISHED.get(o.method.name, ("", "")),
        )
        for o in results
    ]  # fmt: skip
    cells = [
        (Code(f"method_{o.method.name}"), cell.rate, *_shown(cell.recall),
         *_shown(cell.precision), round(cell.f1, 3))
        for o in results
        for cell in o.cells
    ]  # fmt: skip
    times = [
        (Code(f"method_{o.method.name}"), n, round(prepare, 2), round(compare, 2))
        for o in results
        for n, prepare, compare in run_times(collection, o.method)
    ]
    sizes = [
        (
            Code(f"topic_{topic or 'none'}") if topic in _KNOWN else topic,
            collection.topic.count(topic),
        )
        for topic in sorted(set(collection.topic))
    ]
    return [
        Table("families", ("topic", "documents"), sizes),
        Table("families_summary", _SUMMARY, summary),
        Table("families_rates", _RATES, cells),
        Table("families_times", ("method", "documents", "prepare", "compare"), times),
    ]


_KNOWN = ("", "education", "housing", "medicine", "finance", "transport")
_SUMMARY = ("method", "bytes", "k", "false_found", "unrelated", "f1", "printed_p", "printed_r")
_RATES = ("method", "rate", "recall", "recall_low", "recall_high",
          "precision", "precision_low", "precision_high", "f1")  # fmt: skip


def _shown(share: Share) -> tuple[float, float, float]:
    return round(share.value, 3), round(share.low, 3), round(share.high, 3)
