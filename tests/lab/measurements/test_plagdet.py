"""The PAN measures against counting characters one by one, and against an independent tool."""

import importlib.util
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.lab.measurements.pan import Stretch, score

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


def test_score_of_perfect_detections_is_one():
    cases = [Stretch("x", 0, 10, "s", 5, 20), Stretch("x", 30, 40, "s", 25, 30)]

    assert score(cases, cases)[:4] == (1.0, 1.0, 1.0, 1.0)


def test_score_of_a_case_found_in_two_halves_pays_for_it():
    case = Stretch("x", 0, 10, "s", 0, 10)
    halves = [Stretch("x", 0, 5, "s", 0, 5), Stretch("x", 5, 10, "s", 5, 10)]

    found = score([case], halves)

    assert (found.recall, found.precision, found.granularity) == (1, 1, 2)
    assert found.plagdet == pytest.approx(1 / math.log2(3))


@pytest.mark.corpora
@given(cases=LISTS, detections=LISTS)
def test_score_agrees_with_the_independent_tool(corpora, cases, detections):
    path = corpora.parent / "tools" / "plagdet.py"
    if not path.exists():
        pytest.skip("no independent measure beside the corpora")
    spec = importlib.util.spec_from_file_location("independent_plagdet", path)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)

    def rows(found):
        return [(s.document, s.start, s.end, s.source, s.source_start, s.source_end) for s in found]

    assert score(cases, detections)[:4] == pytest.approx(tool.score(rows(cases), rows(detections)))
