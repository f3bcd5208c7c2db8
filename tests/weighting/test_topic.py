"""Term length as topic relevance, and the other readings of tf and df."""

import numpy as np
import pytest
from reference import features_of

from simhash_core.model import CorpusStats
from simhash_core.settings import Settings
from simhash_core.weighting import WEIGHTINGS, stats_of
from simhash_core.weighting.topic import length_factor, relevance

TABLE = {
    "a": [0.2823, 0.5238, 0.7913, 0.9737, 0.9757, 0.7962, 0.5292, 0.2864, 0.1263, 0.0453],
    "b": [0.0530, 0.0983, 0.1485, 0.1827, 0.1830, 0.1494, 0.0993, 0.0537, 0.0237, 0.0085],
}


@pytest.mark.parametrize("variant", ["a", "b"])
def test_relevance_gives_the_table_to_four_digits(variant: str) -> None:
    found = relevance(np.arange(1, 11), variant=variant)
    assert found.round(4).tolist() == TABLE[variant]


def test_the_density_peaks_at_0_1808_and_latin_words_keep_factor_1() -> None:
    lengths = np.arange(1, 11)
    density = relevance(lengths, variant="c")
    assert density / relevance(lengths) == pytest.approx(0.1808, abs=5e-5)
    assert relevance(lengths, variant="b").sum() == pytest.approx(1.0)
    with pytest.raises(ValueError, match="variant"):
        relevance(np.arange(3), variant="d")
    features = features_of([["教育", "education", "中华人民", "书"]])
    factor = dict(zip(features.vocabulary, length_factor(features).round(2), strict=True))
    assert factor == {"education": 1.0, "书": 1.28, "教育": 1.52, "中华人民": 1.97}


@pytest.mark.parametrize(("name", "variant"), [("topic", "a"), ("topic_sum", "b"),
                                               ("topic_density", "c")])  # fmt: skip
def test_topic_multiplies_tfidf(name: str, variant: str) -> None:
    features = features_of([["教育", "教育", "互联网"], ["互联网"], ["a"]])
    weights = WEIGHTINGS[name](features, stats_of(features), Settings())
    row = [features.vocabulary[token] for token in features.token[: features.indptr[1]]]
    got = dict(zip(row, weights.tolist(), strict=False))
    length = relevance(np.array([2, 3]), variant=variant)
    assert got["教育"] == pytest.approx(2 * np.log(3) * (1 + length[0]))
    assert got["互联网"] == pytest.approx(np.log(3 / 2) * (1 + length[1]))


def test_readings_of_idf_follow_their_formulas_and_are_never_negative() -> None:
    features = features_of([["a", "b"], ["a"]])
    for name in ("tfidf", "tfidf_plus_one", "tfidf_smooth"):
        weights = WEIGHTINGS[name](features, CorpusStats(2, {"a": 2, "b": 1}), Settings())
        assert weights.min() >= 0

    features = features_of([["a", "b", "b"], ["a"], ["c"], ["d"]])
    stats = stats_of(features)
    plus, smooth, squared = (
        WEIGHTINGS[name](features, stats, Settings())[:2].tolist()
        for name in ("tfidf_plus_one", "tfidf_smooth", "tf_squared")
    )
    assert plus == pytest.approx([np.log(4 / 3), 2 * np.log(4 / 2)])
    assert smooth == pytest.approx([np.log(5 / 3) + 1, 2 * (np.log(5 / 2) + 1)])
    assert squared == [1.0, 4.0]
