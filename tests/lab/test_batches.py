"""Random batches of corpora in PAN layout."""

import json

import pytest
from prose import english, write

from simhash_core.cli import main
from simhash_core.lab.pan import evaluate_batches
from simhash_core.settings import Settings
from tests.lab.pan_layout import truth

PLANTED, CLEAN = 8, 4


@pytest.fixture
def corpus(tmp_path):
    """Pairs that share a paragraph, and clean ones whose texts are in no other pair."""
    for row in range(PLANTED + CLEAN):
        copied = english(1000 + row, 80) if row < PLANTED else ""
        write(tmp_path, f"susp/{row}.txt", english(row, 100) + "\n\n" + copied)
        write(tmp_path, f"src/{row}.txt", copied + "\n\n" + english(100 + row, 100))
        if copied:
            start, name = len(english(row, 100)) + 2, f"{row}.txt"
            listed = truth(name, start, name, len(copied))
            write(tmp_path, f"02-planted/{row}-{row}.xml", listed)
    for folder, rows in (
        ("02-planted", range(PLANTED)),
        ("01-clean", range(PLANTED, PLANTED + CLEAN)),
    ):
        write(tmp_path, f"{folder}/pairs", "".join(f"{row}.txt {row}.txt\n" for row in rows))
    return tmp_path


def drawn(roots, **given):
    return evaluate_batches(roots, settings=Settings(), **given)


def rows_of(table):
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_pairs_of_the_check_are_counted_by_batch_and_by_class(corpus):
    batches, classes = drawn([corpus], count=3, size=(10, 14), seed=5)

    *each, entire = rows_of(batches)
    assert [row["batch"] for row in each] == [1, 2, 3]
    assert all(10 <= row["documents"] <= 14 for row in each)
    assert all(0 < row["pairs"] <= row["documents"] // 2 for row in each)
    assert entire["pairs"] == sum(row["pairs"] for row in each)
    assert entire["aligned"] == entire["listed"] == entire["pairs"]
    (of_class,) = rows_of(classes)
    assert of_class["class"] == f"{corpus.name}/02-planted"
    assert of_class["listed"] == entire["listed"]


def test_the_same_seed_draws_the_same_batches(corpus):
    first, again = (drawn([corpus], count=2, size=(10, 14), seed=3) for _ in range(2))

    assert [table.rows for table in first] == [table.rows for table in again]


def test_texts_of_several_corpora_stay_apart(corpus, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    for path in corpus.rglob("*.*"):
        write(other, str(path.relative_to(corpus)), path.read_text())
    for path in corpus.glob("0*/pairs"):
        write(other, str(path.relative_to(corpus)), path.read_text())

    batches, classes = drawn([corpus, other], count=1, size=(44, 48))

    assert rows_of(batches)[0]["documents"] > 40
    assert len(classes.rows) == 2


def test_command_prints_the_tables(corpus, capsys):
    arguments = ["evaluate", "batches", str(corpus), "--count", "1", "--size", "10-12", "--json"]
    assert main(arguments) == 0

    codes = [table["code"] for table in json.loads(capsys.readouterr().out)]
    assert codes == ["batches", "batches_classes"]


@pytest.mark.parametrize("size", ["1-5", "9-3", "x"])
def test_a_size_that_is_no_range_is_refused(corpus, size, capsys):
    assert main(["evaluate", "batches", str(corpus), "--size", size]) == 2
    assert "--size" in capsys.readouterr().err
