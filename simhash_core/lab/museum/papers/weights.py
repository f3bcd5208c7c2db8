"""Rows on weights: TF-IDF and the formulas of two papers."""

from __future__ import annotations

import numpy as np

from ....model import CorpusStats, Features
from ....settings import Settings
from ....weighting import WEIGHTINGS
from ....weighting.annotated import Annotations, Parts, combined, dominance
from ....weighting.topic import length_factor, relevance
from .row import Answer, listed, row

LENGTHS = np.arange(1, 11)


def _features(vocabulary: tuple[str, ...], count: tuple[int, ...]) -> Features:
    """Count one text with every word of a vocabulary."""
    n = len(vocabulary)
    numbers = np.array(count, np.int32)
    return Features(
        vocabulary,
        np.array([0, n]),
        np.arange(n, dtype=np.int32),
        numbers,
        np.array([int(numbers.sum())]),
    )


@row(18, "leitong check --weighting tfidf")
def tfidf() -> Answer:
    """n ln(N / df), clamped at 0 where every text has the word."""
    features = _features(("教育", "改革", "的"), (2, 1, 9))
    stats = CorpusStats(4, {"教育": 1, "改革": 2, "的": 4})
    names = ("tfidf", "tfidf_plus_one", "tfidf_smooth")
    got = [WEIGHTINGS[name](features, stats, Settings()).round(4).tolist() for name in names]
    by_hand = [
        [round(2 * np.log(4 / 1), 4), round(np.log(4 / 2), 4), 0.0],
        [round(2 * np.log(4 / 2), 4), round(np.log(4 / 3), 4), 0.0],
        [round(2 * (np.log(5 / 2) + 1), 4), round(np.log(5 / 3) + 1, 4), 9.0],
    ]
    return Answer(_tables(by_hand), _tables(got))


@row(19, "simhash_core.weighting.topic.relevance")
def topic_relevance() -> Answer:
    """len(x) of 1 to 10 characters, variants a and b, to four digits."""
    a = ".2823 .5238 .7913 .9737 .9757 .7962 .5292 .2864 .1263 .0453"
    b = ".0530 .0983 .1485 .1827 .1830 .1494 .0993 .0537 .0237 .0085"
    got = (relevance(LENGTHS, variant=variant) for variant in "ab")
    shown = (listed([f"{value:.4f}"[1:] for value in values]) for values in got)
    return Answer(f"{a}; {b}", "; ".join(shown))


@row(20, "leitong check --weighting topic | topic_sum | topic_density")
def topic_weight() -> Answer:
    """1 + len(x) for 1 to 6 Chinese characters and a Latin word; the whole weight of one word."""
    words = (*("字" * n for n in range(1, 7)), "word")
    features = _features(words, (1,) * 7)
    factors = [f"{value:.2f}" for value in length_factor(features)]
    stats = CorpusStats(8, dict.fromkeys(words, 2))
    weight = WEIGHTINGS["topic"](_features(("教育",), (3,)), stats, Settings())[0]
    expected = 3 * np.log(8) * 1.523831
    return Answer(
        f"1.28 1.52 1.79 1.97 1.98 1.80 1.00; {expected:.3f}", f"{listed(factors)}; {weight:.3f}"
    )


@row(21, "leitong check --weighting annotated | annotated_bare | _sum | _mixture | _literal")
def annotated() -> Answer:
    """教育 (noun, in the title), 书 (verb), 互联网 (other, in a marked sentence); TF-IDF 1."""
    features = _features(("教育", "书", "互联网"), (1, 1, 1))
    notes = Annotations(
        np.array([0, 1, 3], np.uint8),
        np.array([True, False, False]),
        np.array([False, False, True]),
        np.zeros(3, np.bool_),
    )
    got = [
        combined(features, np.ones(3), notes, parts=Parts(form=form)).round(4).tolist()
        for form in ("product", "bare", "sum", "mixture")
    ]
    share = dominance(np.array(got[0]), features.indptr)[0]
    expected = "7.5 0.8 4.0; 2.5 0.0 2.0; 7.5 2.8 7.4; 1.7 0.76 1.68; dominance 0.772"
    return Answer(expected, f"{_tables(got)}; dominance {share:.3f}")


def _tables(rows: list[list[float]]) -> str:
    return "; ".join(listed([float(value) for value in row]) for row in rows)
