"""Word class, length, marker and title: every form by hand, and what the hall fills in."""

import numpy as np
import pytest
from oracles.tokenizing import count_features
from reference import features_of

from simhash_core.checking.fingerprinting import annotate, weights_of
from simhash_core.model import Document
from simhash_core.settings import Settings
from simhash_core.text.normalize import normalized_text
from simhash_core.text.tokenize import Tokenizer
from simhash_core.weighting import WEIGHTINGS, stats_of
from simhash_core.weighting.annotated import (
    ANNOTATED,
    DOMINANT,
    Annotations,
    Parts,
    class_of,
    combine_weights,
    dominance,
    relative_length,
)

# one text: 书 (1), 教育 (2), 互联网 (3), sorted as the vocabulary is
FEATURES = features_of([["书", "互联网", "教育"]])
ORDER = list(FEATURES.vocabulary)
FREQUENCY = np.ones(3)


def annotations(word_class: dict, title: str = "", marked: str = "", marker: str = ""):
    def flags(word: str) -> np.ndarray:
        return np.array([own == word for own in ORDER])

    classes = np.array([word_class.get(word, 3) for word in ORDER], np.uint8)
    return Annotations(classes, flags(title), flags(marked), flags(marker))


NOTES = annotations({"教育": 0, "书": 1}, title="教育", marked="互联网")


def by_word(parts: Parts, notes: Annotations = NOTES) -> dict[str, float]:
    weights = combine_weights(FEATURES, FREQUENCY, notes, parts=parts)
    return dict(zip(ORDER, weights.round(6).tolist(), strict=True))


def test_relative_length_runs_from_0_to_1_whatever_an_address() -> None:
    found = dict(zip(ORDER, relative_length(FEATURES).tolist(), strict=True))
    assert found == {"书": 0.0, "教育": 0.5, "互联网": 1.0}
    assert relative_length(features_of([["ab", "cd"]])).tolist() == [0.0, 0.0]
    features = features_of([["书", "四字成语", "x" * 300]])
    found = dict(zip(features.vocabulary, relative_length(features), strict=True))
    assert found["四字成语"] == pytest.approx(3 / 7)


def test_forms_give_their_exact_values() -> None:
    # class: 教育 noun 1, 书 verb .8, 互联网 other .4; length 0.5, 0, 1
    assert by_word(Parts()) == {"教育": 7.5, "书": 0.8, "互联网": 4.0}
    assert by_word(Parts(form="bare")) == {"教育": 2.5, "书": 0.0, "互联网": 2.0}
    assert by_word(Parts(form="sum")) == {"教育": 7.5, "书": 2.8, "互联网": 7.4}
    assert by_word(Parts(form="mixture")) == pytest.approx(
        {"教育": 1.7, "书": 0.76, "互联网": 1.68}
    )


def test_boosts_are_capped_and_forms_known() -> None:
    notes = annotations({"教育": 0}, title="教育", marked="教育")
    assert by_word(Parts(), notes)["教育"] == 7.5
    assert by_word(Parts(cap=25.0), notes)["教育"] == 37.5
    notes = annotations({}, marked="书", marker="书")
    assert by_word(Parts(), notes)["书"] == 0.4
    assert by_word(Parts(literal=True), notes)["书"] == 2.0
    with pytest.raises(ValueError, match="form"):
        combine_weights(FEATURES, FREQUENCY, NOTES, parts=Parts(form="other"))


def test_dominance_sees_the_single_word_and_tags_become_classes() -> None:
    features = features_of([["a", "b"], ["c"], []])
    found = dominance(np.array([3.0, 1.0, 2.0]), features.indptr)
    assert found.tolist() == pytest.approx([0.9, 1.0, 0.0])
    assert found[0] > DOMINANT
    assert [class_of(tag) for tag in ("nr", "vn", "ad", "uj", "", "x")] == [0, 1, 2, 3, 3, 3]


def test_without_annotations_the_registry_still_weighs() -> None:
    features = features_of([["书", "互联网"], ["教育"]])
    stats = stats_of(features)
    for name in ANNOTATED:
        weights = WEIGHTINGS[name](features, stats, Settings())
        assert weights.shape == features.token.shape and np.isfinite(weights).all()


TEXT = "教育改革\n学生需要更好的教育。总之，城市交通十分拥堵。我们步行回家。"


def counted(*texts: str):
    documents = [Document(str(row), str(row), text) for row, text in enumerate(texts)]
    return documents, count_features(Tokenizer(), [normalized_text(text) for text in texts])


def words_with(features, flags: np.ndarray) -> set[str]:
    return {features.vocabulary[token] for token in features.token[flags]}


def test_the_hall_finds_title_markers_and_classes() -> None:
    documents, features = counted(TEXT)
    notes = annotate(documents, features, settings=Settings())
    assert words_with(features, notes.in_title) == {"教育", "改革"}
    assert words_with(features, notes.marked) == {"总之", "城市交通", "十分", "拥堵"}
    assert words_with(features, notes.marker) == {"总之"}
    assert "步行" in words_with(features, notes.word_class == 0)


def test_a_title_of_the_file_comes_before_the_first_line() -> None:
    document = Document("1", "1", TEXT, meta={"title": "我们的交通"})
    _, features = counted(TEXT)
    notes = annotate([document], features, settings=Settings())
    assert words_with(features, notes.in_title) == {"我们", "的"}


def test_weights_of_uses_annotations_where_they_are_read() -> None:
    documents, features = counted(TEXT, "住房", "However, this matters. It rains.")
    stats = stats_of(features)
    annotated = weights_of(documents, features, stats, Settings(weighting="annotated"))
    blind = WEIGHTINGS["annotated"](features, stats, Settings())
    plain = weights_of(documents, features, stats, Settings(weighting="tfidf"))
    assert (annotated > blind).any()
    assert plain.tolist() == WEIGHTINGS["tfidf"](features, stats, Settings()).tolist()
