"""Families of edited copies: what they are, and the arithmetic of the comparison."""

import random
from pathlib import Path

import numpy as np
import pytest

from simhash_core.cli import main
from simhash_core.errors import BadInput
from simhash_core.i18n import translator
from simhash_core.lab import Code
from simhash_core.lab.measurements.experiment import (
    FAR,
    METHODS,
    Method,
    Share,
    families_tables,
    measure,
    run_times,
)
from simhash_core.lab.measurements.families import RATES, Families, edited, families
from simhash_core.model import Document

TEXT = "学校应当为学生提供安全的教育环境。The teacher, however, decides about every lesson. " * 6
POOL = [TEXT, "教师有权参加培训，家长可以查询成绩。Parents may ask the school for records. " * 6]


@pytest.fixture(scope="module")
def small() -> Families:
    return families(None, scale=0.02, seed=3)


def test_the_same_seed_gives_the_same_texts(small: Families) -> None:
    again, other = families(None, scale=0.02, seed=3), families(None, scale=0.02, seed=4)
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
    copy = edited(TEXT, rate, POOL, random.Random(1))
    own, new = TEXT.split(), copy.split()
    if rate == 0:
        assert copy == TEXT
    assert len(own) == len(new)
    changed = sum(a != b for a, b in zip(own, new, strict=True))
    assert (changed > 0) == (rate > 0)


def test_an_edit_finds_a_word_where_the_script_is_missing() -> None:
    assert edited("abc", 1.0, ["教育改革"], random.Random(1)) in ("教育", "改革")
    assert edited("abc", 1.0, ["。"], random.Random(1)) == "abc"


def collection() -> Families:
    """Two families in each half; numbers in the name are places on a line."""
    rows = [(family, rate) for family in range(4) for rate in (0, 2, 5, 10, 20, 30)]
    documents = tuple(Document(str(n), str(1000 * f + r), "") for n, (f, r) in enumerate(rows))
    family = np.array([f for f, _ in rows])
    rate = np.array([r for _, r in rows])
    return Families(documents, ("t",) * len(rows), family, rate, family % 2 == 1)


def line(documents):
    place = np.array([int(document.name) for document in documents])
    return lambda at: np.minimum(np.abs(place - place[at]), FAR)


def test_measure_counts_pieces_with_their_copies() -> None:
    outcome = measure(collection(), Method("line", line, 8, threshold=12))
    assert [cell.recall.value for cell in outcome.cells] == [1, 1, 1, 0, 0]
    assert [cell.precision.value for cell in outcome.cells[:3]] == [1, 1, 1]
    assert (outcome.false_pairs, outcome.unrelated) == (0, 36)
    assert outcome.f1 == pytest.approx(0.6)


def test_the_threshold_keeps_the_rate_on_the_other_half() -> None:
    outcome = measure(collection(), Method("line", line, 8))
    # nearest strangers of the half it is chosen on: 2000 - 30
    assert outcome.threshold == 1969
    everything = measure(collection(), Method("line", line, 8, threshold=5000))
    assert everything.false_pairs == 36
    # one copy and its piece in each of two families, among (2 + 2 choose 2) - 2 strangers
    assert everything.cells[0].precision.value == pytest.approx(2 / (2 + 4))


def test_shares_have_wilson_intervals() -> None:
    share = Share.of(8, 10)
    assert (share.value, round(share.low, 3), round(share.high, 3)) == (0.8, 0.49, 0.943)
    assert np.isnan(Share.of(0, 0).value)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_method_finds_a_text_in_itself_only(method: Method) -> None:
    texts = [POOL[0] * 2, POOL[1] * 2, POOL[0] * 2]
    rows = method.prepare([Document(str(n), str(n), text) for n, text in enumerate(texts)])
    distance = rows(0)
    assert distance[0] == distance[2] == 0 < distance[1]


def test_run_times_grow_with_the_volume(small: Families) -> None:
    times = run_times(small, METHODS[-1])
    assert [n for n, _, _ in times] == sorted({n for n, _, _ in times})


@pytest.mark.long
def test_tables_are_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEITONG_CORPORA", "nowhere")
    tables = {table.code: table for table in families_tables(scale=0.02)}
    assert set(tables) == {"families", "families_summary", "families_rates", "families_times"}
    assert len(tables["families_summary"].rows) == len(METHODS)
    assert len(tables["families_rates"].rows) == len(METHODS) * len(RATES)
    assert all(len(row) == len(t.columns) for t in tables.values() for row in t.rows)
    shown = [Code(f"method_{method.name}") for method in METHODS]
    t = translator("en")
    assert not any(t(f"evaluate.{code}").startswith("evaluate.") for code in shown)


def test_a_folder_without_texts_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadInput):
        families(tmp_path)
    assert main(["evaluate", "families", str(tmp_path), "--lang", "en"]) != 0
    assert str(tmp_path.name) in capsys.readouterr().err


@pytest.mark.corpora
def test_two_steps_and_the_default_beat_the_papers(corpora: Path) -> None:
    real = families(corpora, scale=0.05, seed=2)
    by_name = {method.name: method for method in METHODS}
    f1 = {
        name: measure(real, by_name[name]).f1
        for name in ("two_steps", "default_256", "classic", "topic", "annotated")
    }
    assert f1["two_steps"] >= f1["default_256"]
    assert f1["default_256"] > max(f1["classic"], f1["topic"], f1["annotated"])
