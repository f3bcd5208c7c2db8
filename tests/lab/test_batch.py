"""A whole check of a corpus in PAN layout, scored."""

import json

import pytest
from prose import chinese, english, replaced, write

from simhash_core.cli import main
from simhash_core.lab.pan import evaluate_batch
from simhash_core.settings import Settings
from tests.lab.pan_layout import truth


@pytest.fixture
def corpus(tmp_path):
    """A copied paragraph, one that nothing finds, a clean pair, and a copy nobody listed."""
    copied, lost = english(9, 80), english(10, 80)
    before = english(1, 200) + "\r\n\r\n"
    write(tmp_path, "susp/a.txt", before + copied + "\r\n\r\n" + english(2, 100))
    write(tmp_path, "susp/d.txt", lost + "\n\n" + english(5, 100))
    write(tmp_path, "susp/e.txt", english(11, 100) + "\n\n" + copied)
    write(tmp_path, "src/b.txt", copied + "\n\n" + english(3, 300))
    write(tmp_path, "src/c.txt", english(4, 300))
    write(tmp_path, "src/f.txt", replaced(lost, 0.9, 333) + "\n\n" + chinese(6, 100))
    write(tmp_path, "01-clean/pairs", "a.txt c.txt\n")
    write(tmp_path, "02-none/pairs", "a.txt b.txt\nd.txt f.txt\n")
    write(tmp_path, "02-none/a-b.xml", truth("a.txt", len(before), "b.txt", len(copied)))
    write(tmp_path, "02-none/d-f.xml", truth("d.txt", 0, "f.txt", len(lost)))
    return tmp_path


@pytest.mark.parametrize("against", [False, True])
def test_figures_are_those_of_the_check(corpus, against):
    figures, others = evaluate_batch(corpus, against=against, settings=Settings())

    row = dict(zip(figures.columns, figures.rows[-1], strict=True))
    assert [line[0] for line in figures.rows] == ["02-none", "entire"]
    assert (row["pairs"], row["recall"], row["precision"]) == (2, 0.5, 1.0)
    assert row["without_finding"] == row["without_finding_told"] == 0.5
    counts = dict(zip(others.columns, others.rows[0], strict=True))
    assert counts == {"clean": 1, "clean_listed": 0, "beyond_across": 1, "beyond_within": 1}


def test_command_prints_the_tables(corpus, capsys):
    assert main(["evaluate", "batch", str(corpus), "--json"]) == 0

    codes = [table["code"] for table in json.loads(capsys.readouterr().out)]
    assert codes == ["batch", "batch_others"]


CLASSES = {"pan13_dev": 0.938, "zh_pan_constructed": 0.99}


@pytest.mark.corpora
@pytest.mark.slow
@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("against", [False, True], ids=["one batch", "against sources"])
def test_a_check_finds_what_the_aligner_can_find(corpora, name, against):
    figures, others = evaluate_batch(corpora / name, against=against, settings=Settings())

    for line in figures.rows:
        row = dict(zip(figures.columns, line, strict=True))
        assert row["without_finding"] <= row["without_finding_told"] + 0.01, row
        assert row["class"] != "entire" or row["plagdet"] >= CLASSES[name]
    assert others.rows[0][1] == 0
