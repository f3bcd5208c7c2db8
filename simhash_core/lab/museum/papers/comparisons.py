"""Rows on what SimHash is compared with: other methods, the combined score, and experiments.

The experiments are families of edited copies by topic, run time and the use case. Both papers call
every text of a topic similar and print one pair of figures. Texts of a topic are not
near-duplicates, so the figures cannot come out again: what is asked here is that the experiment
runs and that both quantities are measured, at the papers' own setting (64 bits, k = 3).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np

from .... import metadata
from ....checking.pipeline import check, gather, read, samples
from ....metadata import Score
from ....model import Features
from ....result import CheckResult
from ....settings import Settings
from ...measurements.experiment import METHODS, PUBLISHED, Outcome, measure, run_times
from ...measurements.families import Families, corpora, families
from .. import baselines
from .rows import Answer, listed, row

# ---------------------------------------------------------------------- other methods and the score


TOY = ((0, 1), (1, 2, 3), (0, 3, 4), (3, 4))


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
        f"{listed(signatures[0].tolist())}; {listed(signatures[1].tolist())}; {listed(estimates)}",
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
    return Answer(f"0.05 1.0; 0.333 +- {4 * error:.3f}", f"{listed(biased)}; {mean:.3f}", right)


@row(24, "simhash_core.metadata.Score")
def combined_score() -> Answer:
    """mu 0.9, HD 0 to 5, metadata Jaccard 0, 0.5 and 1; and up to which HD "> 0.25" accepts."""
    score = Score()
    sets = (("ab", "cd"), ("abc", "abd"), ("ab", "ab"))
    rows, widest = [], []
    for left, right in sets:
        a, b = frozenset(left), frozenset(right)
        values = [score.of(distance, a, b) for distance in range(6)]
        rows.append(listed([f"{value:.3f}" for value in values]))
        widest.append(max(d for d, value in enumerate(values) if score.alike(value)))
    expected = (
        "0.900 0.450 0.300 0.225 0.180 0.150; 0.950 0.500 0.350 0.275 0.230 0.200; "
        "1.000 0.550 0.400 0.325 0.280 0.250; accepts HD <= 2 3 4"
    )
    return Answer(expected, f"{'; '.join(rows)}; accepts HD <= {listed(widest)}")


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


SCALE = 0.03  # a quick one; `leitong evaluate families` is the full experiment
K = 3
_BY_NAME = {method.name: method for method in METHODS}


@cache
def _collection() -> Families:
    return families(corpora(), scale=SCALE)


@cache
def _outcome(name: str) -> Outcome:
    return measure(_collection(), replace(_BY_NAME[name], threshold=K))


def _experiment(name: str) -> Answer:
    printed = "P {:.3f} R {:.3f}".format(*PUBLISHED[name])
    outcome = _outcome(name)
    cells = [f"{cell.rate}%:{cell.recall.value:.2f}" for cell in outcome.cells]
    precision = min(cell.precision.value for cell in outcome.cells if cell.recall.value)
    topics = len(set(_collection().topic) - {""})
    got = (
        f"{len(_collection())} texts, {topics} topics, k=3: false pairs {outcome.false_pairs} of "
        f"{outcome.unrelated}; P {precision:.2f}, R {listed(cells)}"
    )
    measured = all(0 <= cell.recall.value <= 1 for cell in outcome.cells)
    ran = measured and outcome.unrelated > 0
    return Answer(f"printed {printed}", got, ran, measured=True)


@row(28, "leitong evaluate families")
def topic_experiment() -> Answer:
    """The weights of the 2019 paper."""
    return _experiment("topic")


@row(29, "leitong evaluate families")
def annotated_experiment() -> Answer:
    """The weights of the 2020 paper."""
    return _experiment("annotated")


@row(30, "leitong evaluate families")
def run_time() -> Answer:
    """Seconds against volume, for both papers' weights and the classic ones."""
    listed_rows = {name: run_times(_collection(), _BY_NAME[name]) for name in ("classic", "topic")}
    shown = [
        f"{name} " + listed([f"{n}:{prepare + compare:.2f}s" for n, prepare, compare in times])
        for name, times in listed_rows.items()
    ]
    right = all(len(times) == 3 and times[0][0] < times[-1][0] for times in listed_rows.values())
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
    listed_rows = _within(result)
    got = (
        f"{len(listed_rows & related)} of {len(related)} pairs, {len(listed_rows - related)} others"
    )
    right = (
        bool(related)
        and len(listed_rows & related) >= 0.8 * len(related)
        and listed_rows <= related
    )
    return Answer(f">= 80 % of {len(related)} pairs, 0 others", got, right)


def _within(result: CheckResult) -> set[tuple[int, int]]:
    pairs = result.table.pairs
    near = pairs.distance <= result.threshold
    return set(zip(pairs.left[near].tolist(), pairs.right[near].tolist(), strict=True))
