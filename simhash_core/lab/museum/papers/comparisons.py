"""Rows on what SimHash is compared with: other methods, the combined score, and experiments.

The experiments are families of edited copies by topic, run time and the use case. Both papers call
every text of a topic similar and print one pair of figures. Texts of a topic are not
near-duplicates, so the figures cannot come out again: what is asked here is that the experiment
runs and that both quantities are measured, at the papers' own setting (64 bits, k = 3). A family
is one piece of text and its edited copies; the other pieces of its topic, and those of none, are
the negatives.
"""

from __future__ import annotations

import math
import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np

from .... import metadata
from ....checking import check, gather, read, samples
from ....checking.fingerprinting import fingerprint_batch
from ....checking.tokenizing import tokenize_batch
from ....machine.workers import shared_pool
from ....metadata import Score
from ....model import I64, Bools, Document, Features, Fingerprints, report_nothing
from ....settings import Settings
from ....simhash.fingerprint import hamming
from ....text.characters import HAN
from ...edited import edit_words
from .. import baselines
from .rows import Answer, row, write_cell

RATES = (0.02, 0.05, 0.10, 0.20, 0.30)  # of the words replaced
PER_TOPIC, NOISE = 5, 150  # pieces taken of a topic, and of texts of none
K = 3
VOLUMES = (0.25, 0.5, 1.0)
#: what the two papers print for their own method: precision, recall
PUBLISHED = {"topic": (0.94, 0.92), "annotated": (0.953, 0.940)}
PIECE = {"zh": 900, "en": 2400}  # characters, some 400 words
NO_TOPIC = ""
UNRELATED_BELOW, SHINGLE = 0.05, 12  # share of the shingles of the smaller text; characters
TOY = ((0, 1), (1, 2, 3), (0, 3, 4), (3, 4))


# ---------------------------------------------------------------------- other methods and the score


@row(6, "simhash_core.lab.museum.baselines.digest")
def digests() -> Answer:
    """MD5 finds the copy and not the text with one more character."""
    text = "传统哈希只能判断完全相同。" * 20
    texts = [text, text + "。", text]
    groups = [baselines.equal_texts(texts, algorithm=name) for name in ("md5", "sha1")]
    got = f"{baselines.digest('abc')} {groups[0]} {groups[1]}"
    return Answer("900150983cd24fb0d6963f7d28e17f72 [(0, 2)] [(0, 2)]", got)


@row(7, "simhash_core.lab.museum.baselines.cosines")
def vector_distances() -> Answer:
    """Counts (2, 1, 0) and (0, 1, 1): Euclid, Hamming on words, cosine."""
    features = Features(
        ("a", "b", "c"),
        np.array([0, 2, 4]),
        np.array([0, 1, 1, 2], np.int32),
        np.array([2, 1, 1, 1], np.int32),
        np.array([3, 2]),
    )
    counts = features.count.astype(float)
    euclid = baselines.euclidean(features, counts)[0, 1]
    cosine = baselines.cosines(features, counts)[0, 1]
    words = baselines.word_hamming(features)[0, 1]
    return Answer("2.2361 2 0.3162", f"{euclid:.4f} {words} {cosine:.4f}")


@row(22, "simhash_core.lab.museum.baselines.signature_matrix")
def toy_matrix() -> Answer:
    """The signature matrix whose figure is lost, and the estimates it gives."""
    signatures = baselines.signature_matrix(TOY, [lambda x: (x + 1) % 5, lambda x: (2 * x + 1) % 5])
    pairs = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))
    estimates = [metadata.minhash_estimate(signatures[:, a], signatures[:, b]) for a, b in pairs]
    return Answer(
        "1 2 0 0; 1 0 1 2; 0.0 0.5 0.0 0.0 0.0 0.5",
        f"{write_cell(signatures[0].tolist())}; {write_cell(signatures[1].tolist())}; "
        f"{write_cell(estimates)}",
    )


@row(23, "simhash_core.metadata")
def hundred_functions() -> Answer:
    """(x + i) mod 100 with its bias, beside a sound family; the truth is 1/3 each time."""
    literal = metadata.literal_signature
    biased = [
        metadata.minhash_estimate(literal(range(10)), literal(range(5, 15))),
        metadata.minhash_estimate(literal([0, 1]), literal([100, 1])),
    ]
    runs = 40
    sets = [np.arange(100, 110, dtype=np.uint64), np.arange(105, 115, dtype=np.uint64)]
    hashed = [np.array([metadata.item_hash(str(item)) for item in one], np.uint64) for one in sets]
    sound = []
    for seed in range(runs):
        a, b = metadata.signatures(hashed, functions=100, seed=seed + 1)
        sound.append(metadata.minhash_estimate(a, b))
    mean = float(np.mean(sound))
    error = float(np.sqrt(1 / 3 * 2 / 3 / (100 * runs)))
    right = biased == [0.05, 1.0] and abs(mean - 1 / 3) < 4 * error
    return Answer(f"0.05 1.0; 0.333 +- {4 * error:.3f}", f"{write_cell(biased)}; {mean:.3f}", right)


@row(24, "simhash_core.metadata.Score")
def combined_score() -> Answer:
    """mu 0.9, HD 0 to 5, metadata Jaccard 0, 0.5 and 1; and up to which HD "> 0.25" accepts."""
    score = Score()
    sets = (("ab", "cd"), ("abc", "abd"), ("ab", "ab"))
    rows, widest = [], []
    for left, right in sets:
        a, b = frozenset(left), frozenset(right)
        values = [score.of(distance, a, b) for distance in range(6)]
        rows.append(write_cell([f"{value:.3f}" for value in values]))
        widest.append(max(d for d, value in enumerate(values) if score.alike(value)))
    expected = (
        "0.900 0.450 0.300 0.225 0.180 0.150; 0.950 0.500 0.350 0.275 0.230 0.200; "
        "1.000 0.550 0.400 0.325 0.280 0.250; accepts HD <= 2 3 4"
    )
    return Answer(expected, f"{'; '.join(rows)}; accepts HD <= {write_cell(widest)}")


@row(26, "simhash_core.lab.museum.baselines.shingles")
def shingling() -> Answer:
    """abcdab and bcd in pairs: 2 of 4; and a sample of one in eight of 6,000."""
    small = [baselines.shingles(list(text), width=2) for text in ("abcdab", "bcd")]
    words = [str(number) for number in range(6000)]
    large = [baselines.shingles(part) for part in (words[:4000], words[2000:])]
    truth = baselines.jaccard(*large)
    sampled = baselines.jaccard(*(baselines.sample(one, one_in=8) for one in large))
    near = abs(sampled - truth) < 4 * np.sqrt(truth * (1 - truth) * 8 / 6000)
    exactly = baselines.jaccard(*small)
    got = f"{exactly}; {sampled:.3f}"
    return Answer(f"0.5; {truth:.3f} +- 0.069", got, bool(exactly == 0.5 and near))


@row(27, "simhash_core.metadata, simhash_core.lab.museum.baselines.Bitmap")
def alternatives() -> Answer:
    """A Bloom filter: no false negatives, false positives at its rate; MinHash of equal sets."""
    held = baselines.Bitmap.sized(2000, false_positive=0.01)
    held.add(f"t{number}" for number in range(2000))
    forgotten = sum(f"t{number}" not in held for number in range(2000))
    wrong = sum(f"other {number}" in held for number in range(10_000)) / 10_000
    items = np.arange(50, dtype=np.uint64)
    equal = metadata.minhash_estimate(*metadata.signatures([items, items]))
    right = forgotten == 0 and abs(wrong - 0.01) < 0.005 and equal == 1.0
    return Answer(
        "0 forgotten, 0.010 wrong; 1.0", f"{forgotten} forgotten, {wrong:.3f} wrong; {equal}", right
    )


@row(31, "simhash_core.lab.museum.baselines.band_pairs")
def textreuse() -> Answer:
    """240 functions in 80 bands begin to catch at 0.232."""
    functions, bands = baselines.TEXTREUSE
    at = baselines.band_threshold(functions, bands)
    return Answer("240 80 0.232", f"{functions} {bands} {at:.3f}")


# --------------------------------------------------------------------------- experiments


@dataclass(frozen=True, slots=True, eq=False)
class Families:
    """Documents with what is true of them; rows are aligned."""

    documents: tuple[Document, ...]
    topic: tuple[str, ...]  # NO_TOPIC for noise
    family: I64  # (n,) equal for copies of one piece
    rate: I64  # (n,) per cent of words replaced; 0 for a piece as it was
    held_out: Bools  # (n,) True: it is counted

    def __len__(self) -> int:
        return len(self.documents)


def families(seed: int = 1) -> Families:
    """Build the collection of the samples: the same seed gives the same texts.

    Notes
    -----
    Of pieces that share 5 % of their 12-character shingles only the first is taken, so that no
    negative pair is a copy.
    """
    draw = random.Random(seed)
    texts = list(_pieces())
    draw.shuffle(texts)
    bases = _choose(texts)
    rows: list[tuple[str, str, int, int]] = []
    for number, (topic, text) in enumerate(bases):
        rows.append((text, topic, number, 0))
        if topic != NO_TOPIC:
            pool = [words for other, words in bases if other == topic]
            copies = ((edit_words(text, rate, pool, draw), round(100 * rate)) for rate in RATES)
            rows += [(copy, topic, number, percent) for copy, percent in copies]
    written, topics, numbers, percents = zip(*rows, strict=True)
    documents = [Document.from_text(text, name=str(row)) for row, text in enumerate(written)]
    family, rate = np.array(numbers, np.int64), np.array(percents, np.int64)
    return Families(tuple(documents), topics, family, rate, family % 2 == 1)


def _pieces() -> Iterator[tuple[str, str]]:
    """Yield topics and pieces of the sample texts; each family of reposts stands for one topic."""
    for name in ("reposts", "essays"):
        for path in samples().get(name, []):
            if path.suffix in (".md", ".txt"):
                topic = path.stem.partition("-")[0] if name == "reposts" else NO_TOPIC
                text = path.read_text("utf-8", errors="replace")
                text = re.sub(r"<!--.*?-->|[\u200b-\u200f\ufeff#*`>]", "", text, flags=re.DOTALL)
                text = re.sub(r"\s+", " ", text).strip()
                size = PIECE["zh" if len(re.findall(f"[{HAN}]", text)) * 5 > len(text) else "en"]
                for start in range(0, len(text) - size + 1, size):
                    yield topic, text[start : start + size]


def _choose(texts: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Choose pieces of every topic, none of them related to one before it."""
    left = {topic: PER_TOPIC if topic else NOISE for topic, _ in texts}
    looked = {topic: 2 * count for topic, count in left.items()}
    chosen: list[tuple[str, str]] = []
    held: list[set[str]] = []
    for topic, text in texts:
        looked[topic] -= 1
        plain = "".join(text.split())
        shingles = {plain[at : at + SHINGLE] for at in range(len(plain) - SHINGLE + 1)}
        related = (len(shingles & one) / min(len(shingles), len(one)) for one in held)
        wanted = left[topic] and looked[topic] >= 0
        if wanted and all(share < UNRELATED_BELOW for share in related):
            chosen.append((topic, text))
            held.append(shingles)
            left[topic] -= 1
    return chosen


@dataclass(frozen=True, slots=True)
class Cell:
    """One edit rate: shares of copies found, and of what is found that is a copy; nan for none."""

    rate: int  # per cent of words replaced
    recall: float
    precision: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the pairs within a threshold are."""

    cells: tuple[Cell, ...]
    false_pairs: int
    unrelated: int


def measure(collection: Families, near: Bools) -> Outcome:
    """Count the pairs of the held-out families that are near, bool (n, n).

    Notes
    -----
    Every edit rate is a collection of its own: the pieces, their copies at this rate, and the
    texts of no topic. Its positives are (piece, copy); its negatives are all pairs of different
    families.
    """
    held = np.flatnonzero(collection.held_out)
    rate, family = collection.rate[held], collection.family[held]
    later = np.triu(np.ones((len(held), len(held)), np.bool_), 1)
    found = near[np.ix_(held, held)] & later
    other = (family[:, None] != family[None, :]) & later
    cells = []
    for percent in (round(100 * rate) for rate in RATES):
        inside = np.isin(rate, (0, percent))
        wrong = int((found & other & inside[:, None] & inside[None, :]).sum())
        copies = later & ~other & (rate[:, None] == 0) & (rate[None, :] == percent)
        hits = int((found & copies).sum())
        shares = [hits / n if n else math.nan for n in (int(copies.sum()), hits + wrong)]
        cells.append(Cell(percent, shares[0], shares[1]))
    return Outcome(tuple(cells), int((found & other).sum()), int(other.sum()))


def fingerprints_of(documents: Sequence[Document], weighting: str) -> Fingerprints:
    """Return 64-bit fingerprints by a weighting."""
    settings = Settings.of("edited", weighting=weighting, bits=64, min_tokens=1)
    features = tokenize_batch(
        documents, settings=settings, pool=shared_pool(), step=report_nothing, places=False
    ).features
    return fingerprint_batch(documents, features, settings=settings, step=report_nothing).background


def pairs_within(made: Fingerprints, k: int) -> Bools:
    """Return which pairs of texts are within k bits, bool (n, n)."""
    distance = np.stack([hamming(word, made.words) for word in made.words])
    return np.asarray((distance <= k) & made.valid & made.valid[:, None])


def run_times(collection: Families, weighting: str) -> list[tuple[int, float]]:
    """Return texts, and seconds to fingerprint them and compare all pairs, at each volume."""
    times = []
    for share in VOLUMES:
        n = max(2, round(share * len(collection)))
        start = time.perf_counter()
        pairs_within(fingerprints_of(collection.documents[:n], weighting), K)
        times.append((n, time.perf_counter() - start))
    return times


@cache
def _collection() -> Families:
    return families()


def _experiment(name: str) -> Answer:
    """Measure the weights of one paper on the families."""
    collection = _collection()
    outcome = measure(collection, pairs_within(fingerprints_of(collection.documents, name), K))
    precision = min(cell.precision for cell in outcome.cells if cell.recall)
    topics = len(set(collection.topic) - {NO_TOPIC})
    recalls = write_cell([f"{cell.rate}%:{cell.recall:.2f}" for cell in outcome.cells])
    got = (
        f"{len(collection)} texts, {topics} topics, k=3: false pairs {outcome.false_pairs} of "
        f"{outcome.unrelated}; P {precision:.2f}, R {recalls}"
    )
    ran = all(0 <= cell.recall <= 1 for cell in outcome.cells) and outcome.unrelated > 0
    printed = "printed P {:.3f} R {:.3f}".format(*PUBLISHED[name])
    return Answer(printed, got, ran, measured=True)


@row(28, "leitong check --set weighting=topic")
def topic_experiment() -> Answer:
    """The weights of the 2019 paper."""
    return _experiment("topic")


@row(29, "leitong check --set weighting=annotated")
def annotated_experiment() -> Answer:
    """The weights of the 2020 paper."""
    return _experiment("annotated")


@row(30, "leitong check --set weighting=tf | topic")
def run_time() -> Answer:
    """Seconds against volume, for the classic weights and a paper's."""
    times = {"classic": run_times(_collection(), "tf"), "topic": run_times(_collection(), "topic")}
    shown = [
        f"{name} " + write_cell([f"{n}:{seconds:.2f}s" for n, seconds in rows])
        for name, rows in times.items()
    ]
    right = all(len(rows) == 3 and rows[0][0] < rows[-1][0] for rows in times.values())
    return Answer("curves, no figures printed", "; ".join(shown), right, measured=True)


@row(36, "leitong check sample_docs/reposts --preset reposts")
def reposts() -> Answer:
    """Yearly states of chapters: all families are found, and no unrelated text with them."""
    files = samples().get("reposts", [])
    sources, _ = gather(files)
    settings = Settings.of("reposts", passages=False)
    documents, _ = read(sources, settings=settings)
    result = check(documents, settings=settings)
    families_of = [Path(document.name).stem.rsplit("-", 1)[0] for document in documents]
    related = {(a, b) for a, b in combinations(range(len(documents)), 2)
               if families_of[a] == families_of[b]}  # fmt: skip
    pairs, near = result.table.pairs, result.table.pairs.distance <= result.threshold
    found = set(zip(pairs.left[near].tolist(), pairs.right[near].tolist(), strict=True))
    got = f"{len(found & related)} of {len(related)} pairs, {len(found - related)} others"
    right = bool(related) and len(found & related) >= 0.8 * len(related) and found <= related
    return Answer(f">= 80 % of {len(related)} pairs, 0 others", got, right)
