"""The combined score and where its metadata comes from."""

from pathlib import Path

import pytest

from simhash_core import metadata
from simhash_core.checking.auxiliary import metadata_items
from simhash_core.errors import BadInput
from simhash_core.metadata import Score, metadata_similarity
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


def test_the_printed_rule_would_refuse_identical_texts() -> None:
    assert Score().of(0, *SETS[1.0]) == 1.0 > Score().threshold


def test_without_metadata_the_term_is_dropped() -> None:
    empty: frozenset[str] = frozenset()
    assert Score().of(0, empty, empty) == 1.0
    assert Score().of(0, empty, frozenset("a")) == 0.9


def test_three_content_terms() -> None:
    a, b = SETS[0.0]
    got = {term: Score(term=term, mu_content=1.0).of(16, a, b) for term in ("s2", "cos", "bits")}
    assert got == pytest.approx({"s2": 1 / 17, "cos": 0.70711, "bits": 0.75}, abs=1e-5)
    assert Score(term="cos", mu_content=1.0).of(40, a, b) == 0.0


def test_with_mu_08_fourteen_bits_pass() -> None:
    score = Score(mu_content=0.8)
    assert score.alike(score.of(14, *SETS[1.0]))


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
            metadata.from_names(["a"], pattern)
    with pytest.raises(BadInput):
        metadata.from_table("only\none\n", ["a"])
