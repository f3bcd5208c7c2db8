"""The sample collections are what their truth says, and a check finds exactly that."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from simhash_core import CheckResult, Document, Settings, check, gather, read
from simhash_core import samples as collections

Pair = frozenset[str]


def truth(folder: Path) -> dict[Pair, dict[str, str]]:
    path = folder.parent / "truth" / f"{folder.name}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return {frozenset((row["a"], row["b"])): row for row in csv.DictReader(file)}


def documents(name: str) -> list[Document]:
    sources, skipped = gather(collections()[name])
    found, unread = read(sources)

    assert [*skipped, *unread] == []
    return found


@pytest.fixture(scope="module")
def essays() -> CheckResult:
    return check(documents("essays"))


@pytest.fixture(scope="module")
def reposts() -> CheckResult:
    return check(documents("reposts"), settings=Settings.of("reposts"))


def found(result: CheckResult) -> set[Pair]:
    names = [document.name for document in result.documents]
    pairs = result.table.pairs
    shared = result.table.coverage_a + result.table.coverage_b > 0
    near = pairs.distance <= result.threshold
    return {
        frozenset((names[left], names[right]))
        for left, right, row in zip(pairs.left, pairs.right, near | shared, strict=True)
        if row
    }


@pytest.mark.parametrize("name", ["essays", "reposts"])
def test_truth_names_files_that_exist(samples: Path, name: str) -> None:
    names = {path.name for path in (samples / name).iterdir()}

    for pair in truth(samples / name):
        assert len(pair) == 2
        assert pair <= names


def test_every_essay_reads_as_its_source(samples: Path, essays: CheckResult) -> None:
    """Word, PDF and GB18030 give back the characters of the plain source, spaces aside."""
    sources = {
        "".join(path.read_text("utf-8").split()) for path in (samples / "sources").glob("*.txt")
    }
    for document in essays.documents:
        if document.name != "17-許文軒.docx":  # converted to traditional characters on the way
            assert "".join(document.text.split()) in sources, document.name


def test_a_check_of_the_essays_finds_the_copies_and_nothing_else(
    samples: Path, essays: CheckResult
) -> None:
    assert found(essays) == set(truth(samples / "essays"))


def test_copies_are_within_the_threshold_by_fingerprint_alone(
    samples: Path, essays: CheckResult
) -> None:
    names = [document.name for document in essays.documents]
    pairs = essays.table.pairs
    distance = {
        frozenset((names[left], names[right])): int(d)
        for left, right, d in zip(pairs.left, pairs.right, pairs.distance, strict=True)
    }
    for pair, row in truth(samples / "essays").items():
        if row["relation"] != "patchwork":
            assert distance[pair] <= essays.threshold, row
    verbatim = [p for p, row in truth(samples / "essays").items() if row["relation"] == "verbatim"]

    assert [distance[pair] for pair in verbatim] == [0]


def test_a_check_of_the_reposts_finds_every_revision_and_nothing_else(
    samples: Path, reposts: CheckResult
) -> None:
    assert found(reposts) == set(truth(samples / "reposts"))
