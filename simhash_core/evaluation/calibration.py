"""What a threshold finds and what it lets in, measured on collections with known relations.

Recall by edit similarity on the yearly states of a book, on successive versions of statutes,
and the expected number of false pairs against the observed one.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from ..model import F32, I64, U16, U64, Bools, Document, Fingerprints
from ..pipeline import gather, read
from ..settings import Settings
from ..signatures import sign
from ..simhash.false_alarms import false_alarms
from ..simhash.fingerprint import hamming
from ..simhash.search import distance_counts
from ..workers import shared_pool

BANDS = ((0.9, 0.995), (0.8, 0.9), (0.7, 0.8), (0.5, 0.7))
WIDTHS = (64, 128, 256)
UNRELATED_BELOW = 0.05  # shared 12-character shingles of the smaller text
FALSE_PAIRS = 1e-5  # of the unrelated pairs
LEVELS = (0.5, 5.0, 50.0)  # expected false pairs at which a batch is looked at
_SHINGLE, _KEEP = 12, 4
_YEAR = re.compile(r"__\d{4}-\d{2}-\d{2}$")
_CHAPTER = re.compile(r"^(?:[\w]*_src_)?(?:ch\d+-\d+-|appendix-\d+-)")


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """Documents with one background fingerprint and what is known about their pairs."""

    name: str
    documents: tuple[Document, ...]
    prints: Fingerprints  # 256 bits
    unrelated: Bools  # (n, n), upper triangle
    overlap: F32  # (n, n): shared shingles of the smaller text, estimated on a quarter of them
    related: Mapping[tuple[int, int], float]  # (left, right) -> edit similarity

    def distances(self, bits: int) -> U16:
        """Return uint16 (n, n)."""
        words = self.prints.prefix(bits).words
        found = np.empty((len(words), len(words)), np.uint16)
        for row, word in enumerate(words):
            found[row] = hamming(word[None, :], words)
        return found


def load_collection(root: Path, name: str, pairs: Sequence[Path]) -> Collection:
    """Read a folder and fingerprint it; every pair with little shared text is unrelated.

    Parameters
    ----------
    root : Path              folder of documents
    pairs : paths            tables with columns older, newer and normalized_edit_similarity
                             (or none: then 1.0)
    """
    settings = Settings.of("reposts", min_tokens=50)
    sources, _ = gather([root])
    documents, _ = read(sources, settings=settings)
    signed = sign(documents, settings=settings, pool=shared_pool(), step=lambda *_: None)
    names = [Path(document.name).name for document in documents]
    overlap = shingle_overlap([document.text for document in documents])
    usable = signed.background.valid
    unrelated = np.triu(overlap < UNRELATED_BELOW, 1) & usable[:, None] & usable[None, :]
    sections = np.array([section_of(name) for name in names])
    unrelated &= sections[:, None] != sections[None, :]
    row_of = {name: row for row, name in enumerate(names)}
    row_of |= {Path(name).stem: row for name, row in row_of.items()}
    related = dict(_related(pairs, row_of, usable))
    return Collection(name, tuple(documents), signed.background, unrelated, overlap, related)


def section_of(name: str) -> str:
    """Return what a file is about, whatever its year, translator and chapter number."""
    stem = _YEAR.sub("", Path(name).stem).partition("__")
    return _CHAPTER.sub("", stem[2] or stem[0])


def shingle_overlap(texts: Sequence[str]) -> F32:
    """Estimate the containment of 12-character shingles of every pair, float32 (n, n).

    A quarter of the shingles, chosen by their hash, stands for all: the standard error of a share
    of 0.05 between texts of 4,000 characters is 0.007.
    """
    prints = [_shingles(text) for text in texts]
    sizes = np.array([len(p) for p in prints], np.int64)
    _, column = np.unique(np.concatenate(prints), return_inverse=True)
    indptr = np.concatenate([[0], np.cumsum(sizes)])
    table = csr_matrix((np.ones(len(column), np.int32), column, indptr))
    shared = (table @ table.T).toarray().astype(np.float32)
    smaller = np.minimum(sizes[:, None], sizes[None, :])
    return np.asarray(shared / np.maximum(smaller, 1), np.float32)


def threshold_at(collection: Collection, bits: int, share: float = FALSE_PAIRS) -> int:
    """Return the largest k with at most `share` of the unrelated pairs within it; -1 if none."""
    unrelated = collection.distances(bits)[collection.unrelated]
    counts = np.cumsum(np.bincount(unrelated, minlength=bits + 1))
    fitting = np.flatnonzero(counts <= share * len(unrelated))
    return int(fitting[-1]) if len(fitting) else -1


def recall_by_band(collection: Collection, bits: int, k: int) -> list[tuple[float, int]]:
    """Return (recall, number of pairs) of each band of edit similarity."""
    distance = collection.distances(bits)
    rows = []
    for low, high in BANDS:
        found = [
            distance[pair] <= k for pair, value in collection.related.items() if low <= value < high
        ]
        rows.append((float(np.mean(found)) if found else float("nan"), len(found)))
    return rows


def recall_with_text_check(collection: Collection, *, net: int, containment: float) -> float:
    """Return the recall of all related pairs by the wide net and shared text together."""
    distance = collection.distances(256)
    hits = [
        distance[pair] <= net and collection.overlap[pair] >= containment
        for pair in collection.related
    ]
    return float(np.mean(hits)) if hits else float("nan")


def false_pairs(
    collection: Collection, bits: int, *, one_per_section: bool
) -> list[tuple[int, float, int]]:
    """Return (k, expected, observed) false pairs of a batch without copies, at three levels.

    The batch is the collection with one text a section, so that its pairs are unrelated; pairs
    that share text all the same are left out of both counts.
    """
    rows = _distinct(collection) if one_per_section else np.arange(len(collection.documents))
    prints = collection.prints.prefix(bits)
    counts = distance_counts(prints.words[rows], bits=bits, valid=prints.valid[rows])
    distance = collection.distances(bits)[np.ix_(rows, rows)]
    unrelated = collection.unrelated[np.ix_(rows, rows)]
    alarms = false_alarms(counts)
    found = []
    for level in LEVELS:
        k = alarms.widest(level, limit=bits)
        observed = int((distance[unrelated] <= k).sum())
        found.append((k, alarms.expected(k), observed))
    return found


def _distinct(collection: Collection) -> I64:
    """The latest text of each section, valid ones only."""
    latest: dict[str, int] = {}
    for row, document in enumerate(collection.documents):
        if collection.prints.valid[row]:
            latest[section_of(Path(document.name).name)] = row
    return np.array(sorted(latest.values()), np.int64)


def _related(
    tables: Sequence[Path], row_of: Mapping[str, int], usable: Bools
) -> list[tuple[tuple[int, int], float]]:
    found = []
    for table in tables:
        with table.open(encoding="utf-8", newline="") as file:
            for line in csv.DictReader(file, delimiter="\t"):
                a, b = row_of.get(line["older"]), row_of.get(line["newer"])
                if a is None or b is None or not (usable[a] and usable[b]):
                    continue
                value = float(line.get("normalized_edit_similarity") or 1.0)
                found.append(((min(a, b), max(a, b)), value))
    return found


def _shingles(text: str) -> U64:
    """Distinct hashed 12-character shingles of a text without white space, one in four."""
    code = np.frombuffer("".join(text.split()).encode("utf-32-le", "surrogatepass"), np.uint32)
    if len(code) < _SHINGLE:
        return np.zeros(0, np.uint64)
    windows = np.lib.stride_tricks.sliding_window_view(code.astype(np.uint64), _SHINGLE)
    weights = np.uint64(0x9E3779B97F4A7C15) ** np.arange(1, _SHINGLE + 1, dtype=np.uint64)
    hashed = (windows * weights).sum(axis=1, dtype=np.uint64)
    hashed ^= hashed >> np.uint64(29)
    hashed *= np.uint64(0xBF58476D1CE4E5B9)
    hashed ^= hashed >> np.uint64(32)
    return np.unique(hashed[hashed % np.uint64(_KEEP) == 0])
