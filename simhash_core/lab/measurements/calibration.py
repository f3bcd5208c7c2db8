"""What a threshold finds and what it lets in, measured on collections with known relations.

Recall by edit similarity on the yearly states of a book, on successive versions of statutes,
and the expected number of false pairs against the observed one. The same for findings by chance.
Held out: the tail is fitted on some random pairs, and the findings of others are counted. In a
check: what it lists among texts that have nothing to do with each other.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ...checking.chance import aligned_sample, unrelated_pairs
from ...checking.fingerprinting import fingerprint_batch
from ...checking.pipeline import check, gather, read, samples
from ...checking.tokenizing import TokenizedBatch, read_text, tokenize_batch
from ...limits import tail_of
from ...machine.workers import shared_pool
from ...model import F32, I64, U16, U64, Bools, Distances, Document, Fingerprints
from ...passages.options import AlignOptions
from ...passages.tokenize import winnow_many
from ...passages.tokenized import document_frequencies, languages_of
from ...passages.winnow import Rule, containment
from ...policy import (
    BATCH_FROM,
    CHANCE_MARKED,
    CONTAINMENT,
    MIN_TOKENS,
    SAMPLED_PAIRS,
    SHORT_TOKENS,
    WIDE_NET,
)
from ...result import CheckResult, could_be_formula
from ...settings import Settings
from ...simhash.false_alarms import false_alarms
from ...simhash.fingerprint import hamming
from .. import Table

# --------------------------------------------------------------------------- thresholds


BANDS = ((0.9, 0.995), (0.8, 0.9), (0.7, 0.8), (0.5, 0.7))
WIDTHS = (64, 128, 256)
UNRELATED_BELOW = 0.05  # shared 12-character shingles of the smaller text
FALSE_PAIRS = 1e-5  # of the unrelated pairs
LEVELS = (0.5, 5.0, 50.0)  # expected false pairs at which a batch is looked at
_SHINGLE, _KEEP = 12, 4
_BOOKS = ("zh_rust_book", "en_rust_book")
#: collection -> the folder of its documents
_BATCHES = {
    "zh_rust_book": "docs",
    "en_rust_book": "docs",
    "zh_laws_dev": "docs",
    "pan13_dev": "src",
    "zh_pan_constructed": "src",
    "zh_paraphrase_dev": "src",
}
_YEAR = re.compile(r"__\d{4}-\d{2}-\d{2}$")
_CHAPTER = re.compile(r"^(?:[\w]*_src_)?(?:ch\d+-\d+-|appendix-\d+-)")


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """Documents with one background fingerprint and what is known about their pairs."""

    name: str
    documents: tuple[Document, ...]
    fingerprints: Fingerprints  # 256 bits
    unrelated: Bools  # (n, n), upper triangle
    overlap: F32  # (n, n): shared shingles of the smaller text, estimated on a quarter of them
    related: Mapping[tuple[int, int], float]  # (left, right) -> edit similarity

    def distances(self, bits: int) -> U16:
        """Return uint16 (n, n)."""
        words = self.fingerprints.prefix(bits).words
        matrix = np.empty((len(words), len(words)), np.uint16)
        for row, word in enumerate(words):
            matrix[row] = hamming(word[None, :], words)
        return matrix


def load_collection(
    root: Path, name: str, pairs: Sequence[Path], *, least_tokens: int = SHORT_TOKENS
) -> Collection:
    """Read a folder and fingerprint it; every pair with little shared text is unrelated.

    Parameters
    ----------
    root : Path              folder of documents
    pairs : paths            tables with columns older, newer and normalized_edit_similarity
                             (or none: then 1.0)
    least_tokens : int       shorter documents take no part
    """
    settings = Settings.of("reposts")
    sources, _ = gather([root])
    documents, _ = read(sources, settings=settings)
    features = tokenize_batch(
        documents, settings=settings, pool=shared_pool(), step=lambda *_: None, places=False
    ).features
    fingerprinted = fingerprint_batch(documents, features, settings=settings, step=lambda *_: None)
    names = [Path(document.name).name for document in documents]
    overlap = shingle_overlap([document.text for document in documents])
    usable = fingerprinted.background.valid & (fingerprinted.lengths >= least_tokens)
    unrelated = np.triu(overlap < UNRELATED_BELOW, 1) & usable[:, None] & usable[None, :]
    sections = np.array([section_of(name) for name in names])
    unrelated &= sections[:, None] != sections[None, :]
    row_of = {name: row for row, name in enumerate(names)}
    row_of |= {Path(name).stem: row for name, row in row_of.items()}
    related = dict(_related(pairs, row_of, usable))
    fingerprints = replace(fingerprinted.background, valid=usable)
    return Collection(name, tuple(documents), fingerprints, unrelated, overlap, related)


def section_of(name: str) -> str:
    """Return what a file is about, whatever its year, translator and chapter number."""
    stem = _YEAR.sub("", Path(name).stem).partition("__")
    return _CHAPTER.sub("", stem[2] or stem[0])


def shingle_overlap(texts: Sequence[str]) -> F32:
    """Estimate the containment of 12-character shingles of every pair, float32 (n, n).

    A quarter of the shingles, chosen by their hash, stands for all: the standard error of a share
    of 0.05 between texts of 4,000 characters is 0.007.
    """
    shingles = [_shingles(text) for text in texts]
    sizes = np.array([len(p) for p in shingles], np.int64)
    _, column, held = np.unique(np.concatenate(shingles), return_inverse=True, return_counts=True)
    holders = np.repeat(np.arange(len(texts)), sizes)[np.argsort(column, kind="stable")]
    start = np.concatenate([[0], np.cumsum(held)])
    shared = np.zeros((len(texts), len(texts)), np.float32)
    for row, of_text in enumerate(np.split(column, np.cumsum(sizes)[:-1])):
        inside = [holders[start[one] : start[one + 1]] for one in of_text.tolist()]
        shared[row] = np.bincount(np.concatenate([[], *inside]).astype(int), minlength=len(texts))
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
        within = [
            distance[pair] <= k for pair, value in collection.related.items() if low <= value < high
        ]
        rows.append((float(np.mean(within)) if within else float("nan"), len(within)))
    return rows


def recall_with_text_check(collection: Collection, *, net: int) -> float:
    """Return the recall of related pairs by the wide net and shared winnowed hashes together."""
    near = collection.distances(256)
    hits = []
    for left, right in collection.related:
        a, b = (collection.documents[row].text for row in (left, right))
        hits.append(near[left, right] <= net and _shared_winnowed(a, b) >= CONTAINMENT)
    return float(np.mean(hits)) if hits else float("nan")


def _shared_winnowed(a: str, b: str) -> float:
    """Return the containment of the winnowed hashes of two raw texts."""
    texts = [read_text(text, Settings()) for text in (a, b)]
    return containment(*winnow_many(texts, rule=Rule.of()))


def false_pairs(collection: Collection, bits: int) -> list[tuple[int, float, int]]:
    """Return (k, expected, observed) false pairs of a batch at three levels of expectation.

    The batch is the latest text of each section. As in a check, pairs that the text check
    confirms are taken out before the estimate; observed are the unrelated pairs within k.
    """
    rows = _distinct(collection)
    distance = collection.distances(bits)[np.ix_(rows, rows)]
    upper = np.triu(np.ones(distance.shape, bool), 1)
    unconfirmed = distance[upper & (collection.overlap[np.ix_(rows, rows)] < CONTAINMENT)]
    alarms = false_alarms(Distances(np.bincount(unconfirmed, minlength=bits + 1), bits))
    unrelated = distance[collection.unrelated[np.ix_(rows, rows)]]
    levels = []
    for level in LEVELS:
        k = alarms.widest(level, limit=bits)
        levels.append((k, alarms.expected(k), int((unrelated <= k).sum())))
    return levels


def _distinct(collection: Collection) -> I64:
    """The latest text of each section, valid ones only."""
    latest: dict[str, int] = {}
    for row, document in enumerate(collection.documents):
        if collection.fingerprints.valid[row]:
            latest[section_of(Path(document.name).name)] = row
    return np.array(sorted(latest.values()), np.int64)


def _related(
    tables: Sequence[Path], row_of: Mapping[str, int], usable: Bools
) -> list[tuple[tuple[int, int], float]]:
    related = []
    for table in tables:
        with table.open(encoding="utf-8", newline="") as file:
            for line in csv.DictReader(file, delimiter="\t"):
                a, b = row_of.get(line["older"]), row_of.get(line["newer"])
                if a is None or b is None or not (usable[a] and usable[b]):
                    continue
                value = float(line.get("normalized_edit_similarity") or 1.0)
                related.append(((min(a, b), max(a, b)), value))
    return related


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


def calibration(root: Path) -> list[Table]:
    """Measure recall and false pairs on the development corpora below `root`."""
    collections = {name: _collection(root, name) for name in _BATCHES if (root / name).is_dir()}
    recall, versions, alarms = [], [], []
    for name, collection in collections.items():
        for bits in WIDTHS:
            k = threshold_at(collection, bits)
            if name in _BOOKS:
                settings = [(3, "k3"), (k, "rate")] if bits == 64 else [(k, "rate")]
                for threshold, kind in settings:
                    bands = recall_by_band(collection, bits, threshold)
                    recall.append((name, bits, threshold, kind, *(r for r, _ in bands)))
            elif collection.related:
                versions.append((name, bits, k, recall_of_all(collection, bits, k)))
            for k, expected, observed in false_pairs(collection, bits):
                alarms.append((name, bits, k, expected, observed))
    net = [
        (name, WIDE_NET[256], CONTAINMENT, recall_with_text_check(c, net=WIDE_NET[256]))
        for name, c in collections.items()
        if c.related
    ]
    sizes = [(n, len(c.documents), int(c.unrelated.sum()), len(c.related))
             for n, c in collections.items()]  # fmt: skip
    texts = [
        Texts(name, c.documents, c.unrelated).chosen(_distinct(c))
        for name, c in collections.items()
    ]
    texts.append(_essays())
    band_names = tuple(f"band_{int(low * 100)}" for low, _ in BANDS)
    return [
        Table("collections", ("collection", "documents", "unrelated", "related"), sizes),
        Table("recall", ("collection", "bits", "k", "chosen_by", *band_names), recall),
        Table("versions", ("collection", "bits", "k", "recall"), versions),
        Table("text_check", ("collection", "net", "containment", "recall"), net),
        Table("false_pairs", ("collection", "bits", "k", "expected", "observed"), alarms),
        *chance_tables(texts),
    ]


def recall_of_all(collection: Collection, bits: int, k: int) -> float:
    """Return the share of all related pairs within k."""
    distance = collection.distances(bits)
    return float(np.mean([distance[pair] <= k for pair in collection.related]))


def _collection(root: Path, name: str) -> Collection:
    pairs = sorted(path for path in (root / name).glob("*.tsv") if "_pairs" in path.stem)
    return load_collection(root / name / _BATCHES[name], name, pairs)


def _essays() -> Texts:
    """The sample essays, and their pairs that share little."""
    root = samples()["essays"][0].parent
    collection = load_collection(root, "essays", [], least_tokens=MIN_TOKENS)
    return Texts(collection.name, collection.documents, collection.unrelated)


# --------------------------------------------------------------------------- findings by chance


CHANCE_LEVELS = (50.0, 5.0, 0.5)  # expected findings at which the others are counted
OBSERVED = 8_500  # random pairs beside those of the fit
MOST_CHECKED = 150  # texts of one check: 11,175 pairs
HELD_OUT_COLUMNS = (
    *("collection", "documents", "fitted", "anchor", "pairs"),
    *(f"observed_{level:g}" for level in CHANCE_LEVELS),
)
CHECK_COLUMNS = (
    *("collection", "documents", "unrelated", "expected", "observed"),
    *("expected_1000", "observed_1000", "within_5", "within_05", "marked", "unmarked_1000"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """A collection: documents, and which pairs have nothing to do with each other, (n, n)."""

    name: str
    documents: Sequence[Document]
    unrelated: Bools

    def chosen(self, rows: I64) -> Texts:
        """Return some of the texts."""
        documents = [self.documents[row] for row in rows.tolist()]
        return Texts(self.name, documents, self.unrelated[np.ix_(rows, rows)])


def held_out(texts: Texts, *, settings: Settings) -> tuple[object, ...]:
    """Return one row: the anchor of the fitted pairs, and findings of the others at each level.

    A finding of the others is counted at a level where no more than that many are expected to be
    as strong. nan where the fitted pairs have no tail.
    """
    batch = _tokenized(texts.documents, settings)
    pairs = unrelated_pairs(
        batch.texts,
        batch.winnowed,
        queries=len(batch.texts),
        most=SAMPLED_PAIRS + OBSERVED,
        tokens=np.inf,
    )
    pairs = pairs[_main_language(batch, pairs)]
    sample = aligned_sample(
        batch.texts,
        pairs,
        document_frequencies(batch.texts),
        settings=settings,
        pool=shared_pool(),
        step=lambda *_: None,
    )
    fitted = min(SAMPLED_PAIRS, len(pairs) // 2)
    others = sample[0, fitted:].astype(np.float64)
    tail = tail_of(sample[0, :fitted], sample[1, :fitted], pairs=len(others))
    if tail is None or not tail.estimated:
        counts: tuple[float, ...] = tuple(np.nan for _ in CHANCE_LEVELS)
    else:
        expected = tail.expected(others)
        counts = tuple(float((expected <= level).sum()) for level in CHANCE_LEVELS)
    anchor = tail.anchor if tail else np.nan
    return (texts.name, len(texts.documents), fitted, anchor, len(others), *counts)


def in_check(texts: Texts, *, settings: Settings) -> tuple[object, ...]:
    """Return one row: pairs with findings among the unrelated ones of one check."""
    rows = np.random.default_rng(1).permutation(len(texts.documents))[:MOST_CHECKED]
    batch = texts.chosen(np.sort(rows))
    return (texts.name, len(batch.documents), *unrelated_findings(check(batch.documents), batch))


def unrelated_findings(result: CheckResult, batch: Texts) -> tuple[object, ...]:
    """Count the findings of a check among unrelated pairs, beside what it expects."""
    table = result.table
    unrelated = batch.unrelated | batch.unrelated.T
    n = int(np.triu(unrelated, 1).sum())
    rows = (table.passages > 0) & unrelated[table.pairs.left, table.pairs.right]
    marked = could_be_formula(result) & rows
    expected = _expected(result) * n / max(len(batch.documents) * (len(batch.documents) - 1) / 2, 1)
    findings = int(rows.sum())
    return (
        n,
        expected,
        findings,
        1000 * expected / max(n, 1),
        1000 * findings / max(n, 1),
        int((rows & (table.chance <= CHANCE_MARKED)).sum()),
        int((rows & (table.chance <= CHANCE_LEVELS[-1])).sum()),
        int(marked.sum()),
        1000 * (findings - int(marked.sum())) / max(n, 1),
    )


def chance_tables(
    collections: Sequence[Texts],
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
) -> list[Table]:
    """Measure both on every collection of at least as many texts as a check needs."""
    large = [one for one in collections if len(one.documents) >= BATCH_FROM]
    return [
        Table("chance_held_out", HELD_OUT_COLUMNS, [held_out(c, settings=settings) for c in large]),
        Table("chance_in_check", CHECK_COLUMNS, [in_check(c, settings=settings) for c in large]),
    ]


def _expected(result: CheckResult) -> float:
    """Return how many findings of the least strength that counts chance gives; nan if unknown."""
    tails = result.significance.tails
    least = {name: AlignOptions.for_language(name, frequencies=True).strength for name in tails}
    expected = [float(one.expected(np.array([least[name]]))[0]) for name, one in tails.items()]
    return float(np.nansum(expected)) if result.significance.state == "estimated" else np.nan


def _tokenized(documents: Sequence[Document], settings: Settings) -> TokenizedBatch:
    return tokenize_batch(
        documents, settings=settings, pool=shared_pool(), step=lambda *_: None, places=True
    )


def _main_language(batch: TokenizedBatch, pairs: I64) -> Bools:
    """Return which pairs are of the language of most: each has a tail of its own."""
    languages = languages_of(batch.texts, pairs)
    names, counts = np.unique(languages, return_counts=True)
    return np.asarray(languages == names[counts.argmax()])
