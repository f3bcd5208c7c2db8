"""The other weightings, batch statistics and the batch signature's weights."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference import features_of

from simhash_core.errors import InvalidSettings
from simhash_core.model import CorpusStats, Features
from simhash_core.settings import Settings
from simhash_core.weighting import WEIGHTINGS, drop_shared, quantise, stats_of, weighting

DOCUMENTS = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=12), max_size=8)


def by_word(features: Features, values: np.ndarray, row: int) -> dict[str, float]:
    part = slice(features.indptr[row], features.indptr[row + 1])
    words = [features.vocabulary[token] for token in features.token[part]]
    return dict(zip(words, values[part].tolist(), strict=True))


def weigh(name: str, documents: Sequence[Sequence[str]], **changes: object) -> dict[str, float]:
    """Weights of the first document."""
    features = features_of(documents)
    weights = WEIGHTINGS[name](features, stats_of(features), Settings(**changes))
    return by_word(features, weights, 0)


def test_the_registry_holds_the_family_once_by_listed_names() -> None:
    assert set(WEIGHTINGS) >= {"background", "uniform", "levels", "tf", "tfidf", "logtfidf"}
    with pytest.raises(ValueError, match="twice"):
        weighting("tf")(WEIGHTINGS["tf"])
    with pytest.raises(ValueError, match="WEIGHTING_NAMES"):
        weighting("entropy")(WEIGHTINGS["tf"])


@given(DOCUMENTS, st.sampled_from(sorted(WEIGHTINGS)))
def test_every_weighting_gives_finite_weights_for_any_batch(
    documents: list[list[str]], name: str
) -> None:
    features = features_of(documents)
    weights = WEIGHTINGS[name](features, stats_of(features), Settings())
    assert weights.shape == features.token.shape
    assert quantise(weights).dtype == np.int64


def test_uniform_tf_and_tfidf_follow_their_formulas() -> None:
    documents = [["a", "b", "a"], ["b"]]
    assert weigh("uniform", documents) == {"a": 1.0, "b": 1.0}
    assert weigh("tf", documents) == {"a": 2.0, "b": 1.0}

    documents = [["a", "a", "b", "c"], ["b", "c"], ["c"], ["c"]]
    expected = {"a": 2 * np.log(4), "b": np.log(2), "c": 0.0}
    assert weigh("tfidf", documents) == pytest.approx(expected)
    expected["a"] = (1 + np.log(2)) * np.log(4)
    assert weigh("logtfidf", documents) == pytest.approx(expected)
    features = features_of([["all", "unknown"]])
    stats = CorpusStats(10, {"all": 12})
    weights = by_word(features, WEIGHTINGS["tfidf"](features, stats, Settings()), 0)
    assert weights == pytest.approx({"all": 0.0, "unknown": np.log(10)})


def test_levels_come_from_the_table_or_are_fifths_of_tfidf() -> None:
    words = {"CSDN": 4, "博客": 5, "结构": 3, "之": 1, "法": 2, "算法": 3, "道": 2, "的": 1}
    weights = weigh("levels", [list(words)], levels=tuple(words.items()))
    assert weights == words
    document = [word for count, word in enumerate("abcdefghij", 1) for _ in range(count)]
    weights = weigh("levels", [document, ["z"]])
    assert [weights[word] for word in "abcdefghij"] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert weigh("levels", [["a", "b", "c"], []]) == {"a": 1.0, "b": 1.0, "c": 1.0}


@pytest.mark.parametrize("level", [0, 6, -1])
def test_levels_outside_1_to_5_are_refused(level: int) -> None:
    with pytest.raises(InvalidSettings):
        weigh("levels", [["a"]], levels=(("a", level),))


@given(DOCUMENTS, st.integers(0, 8))
def test_stats_of_parts_add_to_the_whole(documents: list[list[str]], cut: int) -> None:
    whole = stats_of(features_of(documents))
    parts = stats_of(features_of(documents[:cut])) + stats_of(features_of(documents[cut:]))
    assert (parts.n, dict(parts.df)) == (whole.n, dict(whole.df))
    for token, df in whole.df.items():
        assert df == sum(token in document for document in documents)


def test_quantise_rounds_to_65536ths() -> None:
    assert quantise(np.array([0.0, 1.0, 0.1, 1 / 3])).tolist() == [0, 65536, 6554, 21845]


@pytest.mark.parametrize("bad", [-0.5, np.nan, np.inf, 2.0**36])
def test_quantise_refuses_what_cannot_vote(bad: float) -> None:
    with pytest.raises(ValueError):
        quantise(np.array([1.0, bad]))


def shared_out(documents: list[list[str]], weight: dict[str, int]) -> tuple[list[dict], list[bool]]:
    features = features_of(documents)
    weights = np.array([weight.get(features.vocabulary[token], 1) for token in features.token])
    kept, affected = drop_shared(features, weights, stats_of(features))
    rows = [by_word(features, kept, row) for row in range(len(features))]
    return rows, affected.tolist()


def test_words_of_more_than_half_the_batch_weigh_0_within_a_guard() -> None:
    documents = [["prompt", "a"], ["prompt", "b"], ["prompt", "c"], ["d"]]
    rows, affected = shared_out(documents, {})
    assert rows == [{"prompt": 0, "a": 1}, {"prompt": 0, "b": 1}, {"prompt": 0, "c": 1}, {"d": 1}]
    assert affected == [True, True, True, False]
    rows, affected = shared_out([["half"], ["half", "a"], ["b"], ["c"]], {})
    assert rows[1] == {"half": 1, "a": 1}
    assert not any(affected)

    documents = [["copy", "a"], ["copy", "b"], ["copy"], ["c"]]
    rows, affected = shared_out(documents, {"copy": 6, "a": 4, "b": 3})
    assert rows[0] == {"copy": 0, "a": 4}  # loses exactly 60 %
    assert rows[1] == {"copy": 6, "b": 3}  # would lose 67 %
    assert rows[2] == {"copy": 6}
    assert affected == [True, False, False, False]


@given(DOCUMENTS)
def test_the_guard_holds_for_any_features_of(documents: list[list[str]]) -> None:
    features = features_of(documents)
    weights = features.count.astype(np.int64)
    kept, affected = drop_shared(features, weights, stats_of(features))
    for row in range(len(features)):
        part = slice(features.indptr[row], features.indptr[row + 1])
        assert 10 * kept[part].sum() >= 4 * weights[part].sum()
        assert affected[row] == (kept[part].sum() < weights[part].sum())


@pytest.mark.long
@given(DOCUMENTS)
def test_the_batch_rule_commutes_with_quantising(documents: list[list[str]]) -> None:
    features = features_of(documents)
    stats = stats_of(features)
    weights = WEIGHTINGS["tf"](features, stats, Settings())
    before, touched = drop_shared(features, weights, stats)
    after, same = drop_shared(features, quantise(weights), stats)
    assert np.array_equal(quantise(before), after)
    assert np.array_equal(touched, same)
