"""The methods that are compared on families of edited copies, behind one signature.

Each turns documents into a function row -> distance to every document, as small integers, so that
thresholds and counts are the same arithmetic for all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..checking.fingerprinting import fingerprint_batch
from ..checking.tokenizing import tokenize_batch
from ..machine.workers import shared_pool
from ..metadata import minhash
from ..model import I64, U64, Document, Fingerprints
from ..passages.tokenized import tokenize
from ..passages.winnow import containment_of_pairs, winnow
from ..policy import WIDE_NET
from ..settings import Settings
from ..simhash.fingerprint import hamming
from ..text.normalize import normalize, normalized_text
from ..text.tokenize import tokenizer
from .baselines import shingles
from .baselines.exact import digest

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
        documents, settings=settings, pool=shared_pool(), step=_silent, places=False
    ).features
    fingerprinted = fingerprint_batch(documents, features, settings=settings, step=_silent)
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
        shingles.shingles(cut.tokens(normalized_text(document.text)), width=SHINGLE_WIDTH)
        for document in documents
    ]


def _minhash(functions: int, bits: int) -> Callable[[Sequence[Document]], Rows]:
    def prepare(documents: Sequence[Document]) -> Rows:
        made = minhash.signatures(_word_shingles(documents), functions=functions)
        short = minhash.shortened(made, bits=bits).astype(np.uint32)
        return lambda at: (short != short[at]).sum(axis=1)

    return prepare


def _shingled(documents: Sequence[Document]) -> Rows:
    """Jaccard of sampled shingles, in thousandths below 1."""
    sets = [shingles.sample(one, one_in=SAMPLE_ONE_IN) for one in _word_shingles(documents)]
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
    of = [winnow(tokenize(normalize(document.text), document.text)) for document in documents]

    def row(at: int) -> I64:
        distance = near(at)
        caught = np.flatnonzero(distance <= WIDE_NET[256])
        contained = containment_of_pairs(of, np.full(len(caught), at), caught)
        score = np.full(len(distance), FAR)
        score[caught[contained >= CONTAINED]] = 0
        return score

    return row


def _digests(documents: Sequence[Document]) -> Rows:
    values = np.array([digest(document.text) for document in documents])
    return lambda at: np.where(values == values[at], 0, FAR)


def _silent(stage: str, done: int, total: int) -> None:
    """No-op progress callback."""


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
