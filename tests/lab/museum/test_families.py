"""Families of edited copies: what they are, and the arithmetic of the comparison."""

import random

import numpy as np
import pytest

from simhash_core.lab.edited import edit_words
from simhash_core.lab.museum.papers.comparisons import (
    RATES,
    Families,
    families,
    fingerprints_of,
    measure,
    pairs_within,
    run_times,
)
from simhash_core.model import Document

TEXT = "学校应当为学生提供安全的教育环境。The teacher, however, decides about every lesson. " * 6
POOL = [TEXT, "教师有权参加培训，家长可以查询成绩。Parents may ask the school for records. " * 6]


@pytest.fixture(scope="module")
def small() -> Families:
    return families(seed=3)


def test_the_same_seed_gives_the_same_texts(small: Families) -> None:
    again, other = families(seed=3), families(seed=4)
    assert [d.id for d in again.documents] == [d.id for d in small.documents]
    assert [d.id for d in other.documents] != [d.id for d in small.documents]


def test_each_piece_of_a_topic_has_a_copy_at_every_rate(small: Families) -> None:
    rates = sorted(round(100 * rate) for rate in RATES)
    for family in set(small.family.tolist()):
        rows = np.flatnonzero(small.family == family)
        topics = {small.topic[row] for row in rows}
        assert len(topics) == 1
        expected = [0, *rates] if topics != {""} else [0]
        assert sorted(small.rate[rows].tolist()) == expected
        assert len(set(small.held_out[rows].tolist())) == 1


@pytest.mark.parametrize("rate", [0.0, 0.02, 0.1, 0.3])
def test_an_edit_replaces_the_share_it_says(rate: float) -> None:
    copy = edit_words(TEXT, rate, POOL, random.Random(1))
    own, new = TEXT.split(), copy.split()
    if rate == 0:
        assert copy == TEXT
    assert len(own) == len(new)
    changed = sum(a != b for a, b in zip(own, new, strict=True))
    assert (changed > 0) == (rate > 0)


def test_an_edit_finds_a_word_where_the_script_is_missing() -> None:
    assert edit_words("abc", 1.0, ["教育改革"], random.Random(1)) in ("教育", "改革")
    assert edit_words("abc", 1.0, ["。"], random.Random(1)) == "abc"


def collection() -> Families:
    """Two families in each half; numbers in the name are places on a line."""
    rows = [(family, rate) for family in range(4) for rate in (0, 2, 5, 10, 20, 30)]
    documents = tuple(Document(str(n), str(1000 * f + r), "") for n, (f, r) in enumerate(rows))
    family = np.array([f for f, _ in rows])
    rate = np.array([r for _, r in rows])
    return Families(documents, ("t",) * len(rows), family, rate, family % 2 == 1)


def near(collection: Families, threshold: int) -> np.ndarray:
    place = np.array([int(document.name) for document in collection.documents])
    return np.abs(place - place[:, None]) <= threshold


def test_measure_counts_pieces_with_their_copies_and_false_pairs() -> None:
    outcome = measure(collection(), near(collection(), 12))
    assert [cell.recall for cell in outcome.cells] == [1, 1, 1, 0, 0]
    assert [cell.precision for cell in outcome.cells[:3]] == [1, 1, 1]
    assert (outcome.false_pairs, outcome.unrelated) == (0, 36)
    everything = measure(collection(), near(collection(), 5000))
    assert everything.false_pairs == 36
    # one copy and its piece in each of two families, among (2 + 2 choose 2) - 2 strangers
    assert everything.cells[0].precision == pytest.approx(2 / (2 + 4))


@pytest.mark.parametrize("weighting", ["tf", "topic", "annotated"])
def test_every_method_finds_a_text_in_itself_only(weighting: str) -> None:
    texts = [POOL[0] * 2, POOL[1] * 2, POOL[0] * 2]
    documents = [Document(str(n), str(n), text) for n, text in enumerate(texts)]
    found = pairs_within(fingerprints_of(documents, weighting), 0)
    assert found.tolist() == [[True, False, True], [False, True, False], [True, False, True]]


def test_run_times_grow_with_the_volume(small: Families) -> None:
    times = run_times(small, "tf")
    assert [n for n, _ in times] == sorted({n for n, _ in times})
