"""The combined score and where its metadata comes from."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core import metadata
from simhash_core.auxiliary import metadata_items
from simhash_core.errors import BadInput
from simhash_core.metadata import PRIME, HashFamily, Score, metadata_similarity
from simhash_core.model import Document

TABLE = {
    0.0: [0.900, 0.450, 0.300, 0.225, 0.180, 0.150],
    0.5: [0.950, 0.500, 0.350, 0.275, 0.230, 0.200],
    1.0: [1.000, 0.550, 0.400, 0.325, 0.280, 0.250],
}
SETS = {
    0.0: (frozenset("ab"), frozenset("cd")),
    0.5: (frozenset("abc"), frozenset("abd")),
    1.0: (frozenset("ab"), frozenset("ab")),
}


@pytest.mark.parametrize("jaccard", TABLE)
def test_score_gives_the_table(jaccard: float) -> None:
    a, b = SETS[jaccard]
    assert metadata_similarity(a, b) == jaccard
    found = [Score().of(distance, a, b) for distance in range(6)]
    assert found == pytest.approx(TABLE[jaccard])


def test_above_a_quarter_means_at_most_4_bits() -> None:
    score = Score()
    accepted = {
        (distance, jaccard)
        for jaccard, (a, b) in SETS.items()
        for distance in range(6)
        if score.alike(score.of(distance, a, b))
    }
    always = {(distance, jaccard) for distance in range(3) for jaccard in SETS}
    assert accepted == always | {(3, 0.5), (3, 1.0), (4, 1.0)}  # 5 with all shared is 0.25 exactly


def test_scores_of_identical_texts_without_metadata_and_of_fourteen_bits() -> None:
    assert Score().of(0, *SETS[1.0]) == 1.0 > Score().threshold
    empty: frozenset[str] = frozenset()
    assert Score().of(0, empty, empty) == 1.0
    assert Score().of(0, empty, frozenset("a")) == 0.9
    score = Score(mu_content=0.8)
    assert score.alike(score.of(14, *SETS[1.0]))


def test_three_content_terms() -> None:
    a, b = SETS[0.0]
    got = {term: Score(term=term, mu_content=1.0).of(16, a, b) for term in ("s2", "cos", "bits")}
    assert got == pytest.approx({"s2": 1 / 17, "cos": 0.70711, "bits": 0.75}, abs=1e-5)
    assert Score(term="cos", mu_content=1.0).of(40, a, b) == 0.0


def test_minhash_stands_for_the_exact_similarity() -> None:
    a, b = frozenset(map(str, range(60))), frozenset(map(str, range(30, 90)))
    assert metadata_similarity(a, b, how="minhash") == pytest.approx(1 / 3, abs=0.15)
    assert 0 <= metadata_similarity(a, b, how="literal") <= 1
    with pytest.raises(ValueError, match="similarity"):
        metadata_similarity(a, b, how="other")


def test_metadata_comes_from_properties_names_and_tables(tmp_path: Path) -> None:
    documents = [
        Document("1", "class/2021-Li.txt", "", meta={"author": "Li", "keywords": "a; B，c"}),
        Document("2", "other.txt", ""),
    ]
    table = tmp_path / "table.csv"
    table.write_text("\ufeffname,group\n2021-Li.txt,7\nother.txt,8\n", "utf-8")
    found = metadata_items(documents, pattern=r"(?P<year>\d{4})", table=table)
    keywords = {"keywords=a", "keywords=b", "keywords=c"}
    assert found == [{"author=li", "year=2021", "group=7", *keywords}, {"group=8"}]


def test_what_is_no_pattern_or_table_is_refused() -> None:
    for pattern in ("(", r"\d+"):
        with pytest.raises(BadInput):
            metadata.read_from_names(["a"], pattern)
    with pytest.raises(BadInput):
        metadata.read_from_table("only\none\n", ["a"])


def random_sets(shared: int, only: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    items = np.random.default_rng(seed).integers(0, 2**64, shared + 2 * only, dtype=np.uint64)
    return np.sort(items[: shared + only]), np.sort(np.r_[items[:shared], items[shared + only :]])


@given(st.integers(1, PRIME - 1), st.integers(0, PRIME - 1), st.integers(0, 2**64 - 1))
def test_the_family_computes_its_formula_exactly(a: int, b: int, item: int) -> None:
    family = HashFamily(np.array([a], np.uint64), np.array([b], np.uint64))
    value = int(family.signature(np.array([item], np.uint64))[0])
    assert value == (a * item + b) % PRIME


@pytest.mark.parametrize(("shared", "only"), [(10, 10), (50, 5), (5, 40)])
def test_the_sound_family_is_unbiased(shared: int, only: int) -> None:
    truth = shared / (shared + 2 * only)
    found = []
    for seed in range(40):
        sets = random_sets(shared, only, seed)
        a, b = metadata.signatures(sets, functions=100, seed=seed + 1)
        found.append(metadata.minhash_estimate(a, b))
    error = np.sqrt(truth * (1 - truth) / (100 * len(found)))
    assert np.mean(found) == pytest.approx(truth, abs=4 * error)


def test_the_literal_family_reproduces_its_bias_and_empty_sets_are_like_nothing() -> None:
    literal = metadata.literal_signature
    assert (
        metadata.minhash_estimate(literal(range(10)), literal(range(5, 15))) == 0.05
    )  # truth 0.333
    assert metadata.minhash_estimate(literal([0, 1]), literal([100, 1])) == 1.0  # truth 0.333
    empty, full = metadata.signatures([np.zeros(0, np.uint64), np.arange(9, dtype=np.uint64)])
    assert np.isnan(metadata.minhash_estimate(empty, empty))
    assert metadata.minhash_estimate(empty, full) == 0.0
