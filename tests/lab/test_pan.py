"""A run over a corpus in PAN layout: files in, detections and figures out."""

import math
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.tokenizing import tokenize
from prose import english, write

from simhash_core.lab.pan import (
    PanPair,
    Score,
    Stretch,
    evaluate_pan,
    read_pairs,
    read_stretches,
    read_text,
    score,
)
from simhash_core.passages.align import align
from simhash_core.settings import Settings
from simhash_core.text.normalize import normalize
from tests.lab.pan_layout import truth


@pytest.fixture
def corpus(tmp_path):
    """One clean pair and one copied paragraph, with CRLF before it."""
    copied = english(9, 80)
    before = english(1, 200) + "\r\n\r\n"
    write(tmp_path, "susp/a.txt", before + copied + "\r\n\r\n" + english(2, 100))
    write(tmp_path, "src/b.txt", copied + "\n\n" + english(3, 300))
    write(tmp_path, "src/c.txt", english(4, 300))
    write(tmp_path, "01-clean/pairs", "a.txt c.txt\n")
    write(tmp_path, "01-clean/a-c.xml", '<document reference="a.txt"/>')
    write(tmp_path, "02-none/pairs", "a.txt b.txt\n")
    write(tmp_path, "02-none/a-b.xml", truth("a.txt", len(before), "b.txt", len(copied)))
    return tmp_path


def evaluated(root, output=None, **given):
    """Return the figures by (class, part), and pairs and detections of the clean classes."""
    figures, clean = evaluate_pan(root, output, settings=Settings(), **given)
    return {row[:2]: Score(*row[3:]) for row in figures.rows}, clean.rows[0]


def test_a_copied_paragraph_scores_one_and_progress_is_told(corpus) -> None:
    figures, clean = evaluated(corpus)
    assert figures["entire", "all"] == (1.0, 1.0, 1.0, 1.0)
    assert ("01-clean", "all") not in figures
    assert clean == (1, 0)
    stages = []
    evaluated(corpus, progress=lambda stage, done, total: stages.append(stage))
    assert set(stages) == {"tokens", "align"}


def test_detections_are_written_one_file_a_pair(corpus, tmp_path):
    out = tmp_path / "out"
    evaluated(corpus, str(out))

    (found,) = read_stretches(out / "02-none" / "a-b.xml", "detected-plagiarism")
    (case,) = read_stretches(corpus / "02-none" / "a-b.xml", "plagiarism")
    assert found == case
    assert ElementTree.parse(out / "01-clean" / "a-c.xml").getroot().get("reference") == "a.txt"


def test_a_folder_without_classes_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        evaluated(tmp_path)


def test_about_a_fifth_of_all_pairs_is_kept_aside():
    parts = [PanPair("g", f"susp{i}.txt", f"src{i}.txt").part for i in range(2000)]

    assert 0.15 < parts.count("check") / len(parts) < 0.25
    assert PanPair("g", "a", "b").part == PanPair("other group", "a", "b").part


FLOORS = {
    False: {"entire": 0.94, "02": 0.98, "03": 0.94, "04": 0.94, "05": 0.75},
    True: {"entire": 0.935, "02": 0.975, "03": 0.93, "04": 0.935, "05": 0.75},
}


@pytest.mark.corpora
@pytest.mark.slow
@pytest.mark.parametrize("frequencies", [False, True])
def test_pan_floors(corpora, frequencies):
    figures, (_, false) = evaluated(corpora / "pan13_dev", frequencies=frequencies)

    for (group, part), score_of in figures.items():
        if part == "all":
            floor = FLOORS[frequencies][group if group == "entire" else group[:2]]
            assert score_of.plagdet >= floor, group
    assert false <= 1
    assert figures["entire", "check"].plagdet >= figures["entire", "tune"].plagdet - 0.03


@pytest.mark.corpora
@pytest.mark.slow
@pytest.mark.parametrize("frequencies", [False, True])
def test_chinese_floors(corpora, frequencies):
    figures, (_, false) = evaluated(corpora / "zh_pan_constructed", frequencies=frequencies)

    assert figures["entire", "all"].plagdet >= 0.98
    assert all(s.plagdet >= 0.95 for (_, part), s in figures.items() if part == "all")
    assert false == 0


@pytest.mark.corpora
@pytest.mark.slow
def test_figures_agree_with_the_independent_tool(corpora, tmp_path):
    tool = corpora.parent / "tools" / "plagdet.py"
    if not tool.exists():
        pytest.skip("no independent measure beside the corpora")
    root = corpora / "zh_pan_constructed"
    figures, _ = evaluated(root, str(tmp_path))

    told = subprocess.run(
        [sys.executable, tool, root, tmp_path], capture_output=True, text=True, check=True
    ).stdout

    for line in told.splitlines():
        if "plagdet" in line:
            words = line.split()
            score_of = figures[words[0], "all"]
            names = ("plagdet", "recall", "precision", "granularity")
            given = [words[words.index(name) + 1] for name in names]
            assert given == [f"{getattr(score_of, name):.5f}" for name in names]
    assert len(read_pairs(root)) == 240


# --------------------------------------------------------------------------- offsets
def tokens_inside(seen, start, end):
    first = np.searchsorted(seen.start, start)
    last = np.searchsorted(seen.end, end, side="right")
    return seen.token[first:last].tolist()


@pytest.mark.corpora
@pytest.mark.slow
@pytest.mark.parametrize("name", ["pan13_dev", "zh_pan_constructed"])
def test_the_text_at_every_range_is_the_text_that_was_compared(corpora, name):
    """Not a sample: every passage of every pair, weak ones included."""
    root = corpora / name
    texts, tokenized, passages_seen = {}, {}, 0
    for pair in read_pairs(root):
        for folder, file in (("susp", pair.suspicious), ("src", pair.source)):
            if file not in texts:
                texts[file] = read_text(root / folder / file)
                tokenized[file] = tokenize(normalize(texts[file]), texts[file])
        found = align(tokenized[pair.suspicious], tokenized[pair.source])
        for row in range(len(found)):
            passages_seen += 1
            for file, start, end in (
                (pair.suspicious, found.a_start[row], found.a_end[row]),
                (pair.source, found.b_start[row], found.b_end[row]),
            ):
                shown = texts[file][start:end]
                assert shown == shown.strip()
                assert tokenize(normalize(shown), shown).token.tolist() == tokens_inside(
                    tokenized[file], start, end
                )
    assert passages_seen > 200


# --------------------------------------------------------------------------- plagdet
SPAN = st.tuples(st.integers(0, 30), st.integers(1, 15))


@st.composite
def stretches(draw):
    name = draw(st.sampled_from("xy"))
    (start, length), (source, other) = draw(SPAN), draw(SPAN)
    return Stretch(name, start, start + length, "s", source, source + other)


LISTS = st.lists(stretches(), max_size=6)


def characters(one, other):
    """Characters of `one` that `other` covers, both sides."""
    if one.document != other.document:
        return set()
    left = set(range(one.start, one.end)) & set(range(other.start, other.end))
    right = set(range(one.source_start, one.source_end))
    right &= set(range(other.source_start, other.source_end))
    if not left or not right:
        return set()
    return {("a", p) for p in left} | {("b", p) for p in right}


def share(one, others):
    covered = set().union(*(characters(one, other) for other in others))
    return len(covered) / (one.end - one.start + one.source_end - one.source_start)


@pytest.mark.long
@given(LISTS, LISTS)
def test_score_equals_counting_characters(cases, detections):
    found = score(cases, detections)

    recall = sum(share(c, detections) for c in cases) / len(cases) if cases else 0
    precision = sum(share(d, cases) for d in detections) / len(detections) if detections else 0
    hits = [sum(bool(characters(c, d)) for d in detections) for c in cases]
    hits = [n for n in hits if n]
    granularity = sum(hits) / len(hits) if hits else 1
    f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0
    assert found.recall == pytest.approx(recall)
    assert found.precision == pytest.approx(precision)
    assert found.granularity == pytest.approx(granularity)
    assert found.plagdet == pytest.approx(f1 / math.log2(1 + granularity))


def test_score_of_perfect_detections_is_one_and_halves_pay() -> None:
    cases = [Stretch("x", 0, 10, "s", 5, 20), Stretch("x", 30, 40, "s", 25, 30)]
    assert score(cases, cases)[:4] == (1.0, 1.0, 1.0, 1.0)

    case = Stretch("x", 0, 10, "s", 0, 10)
    halves = [Stretch("x", 0, 5, "s", 0, 5), Stretch("x", 5, 10, "s", 5, 10)]
    found = score([case], halves)
    assert (found.recall, found.precision, found.granularity) == (1, 1, 2)
    assert found.plagdet == pytest.approx(1 / math.log2(3))
