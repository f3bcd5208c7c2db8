"""The measurement of rewordings: what is planted, and what counts as found."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from simhash_core.errors import BadInput
from simhash_core.lab.meaning import (
    Host,
    Row,
    Text,
    _apart,
    _read_lines,
    _shingles,
    evaluate_meaning,
    has_passage,
    hosts_of,
    plant,
    shorten_text,
    topics_table,
)
from simhash_core.lab.pan import Stretch
from simhash_core.meaning.units import size_of
from tests.prose import english

ROW = Row("polish", "one_book ch01", "The roof leaked. Nobody cared.", "A leak. For years.")


def test_a_rewording_and_its_source_stand_in_hosts_of_other_collections() -> None:
    pool = [Host("one_book", "own"), *(Host("other", f"{n} a\n\n{n} b\n\n{n} c") for n in "12")]

    case = plant(ROW, 0, pool, random.Random(1))

    assert case is not None
    a0, a1, b0, b1 = case.places
    assert case.texts[0][a0:a1] == ROW.text
    assert case.texts[1][b0:b1] == ROW.source
    assert {text[0] for text in case.texts} == {"1", "2"}
    assert plant(ROW, 0, pool[:2], random.Random(1)) is None


def test_passages_are_cut_at_sentences() -> None:
    text = english(1, 200)
    part = shorten_text(text, 60)

    assert text.startswith(part)
    assert part.endswith(".")
    assert 40 <= size_of(part) <= 75


def test_hosts_are_long_texts_in_their_latest_state(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name, seed in (("a__2020-12-31", 1), ("a__2021-12-31", 2), ("b", 3)):
        paragraphs = [english(10 * seed + n, 100) for n in range(8)]
        (tmp_path / "docs" / f"{name}.md").write_text("\n\n".join(paragraphs), "utf-8")
    (tmp_path / "docs" / "short.md").write_text(english(9, 50), "utf-8")

    hosts = hosts_of(tmp_path / "docs", 10)

    assert [host.collection for host in hosts] == [tmp_path.name] * 2
    assert hosts[0].text.startswith(english(20, 100)[:40])
    assert len(hosts_of(tmp_path / "docs" / "a__*", 10)) == 1
    assert len(hosts_of(tmp_path / "docs", 1)) == 1


def test_a_finding_meets_a_case_on_both_sides() -> None:
    case = Stretch("a0", 10, 20, "b0", 30, 40)

    assert has_passage(case, [Stretch("a0", 19, 25, "b0", 0, 31)])
    assert not has_passage(case, [Stretch("a0", 19, 25, "b0", 0, 30)])
    assert not has_passage(case, [Stretch("a1", 10, 20, "b0", 30, 40)])


def test_texts_that_share_text_are_related() -> None:
    texts = [english(seed, 200) for seed in (1, 2)]
    apart = _apart([_shingles(text) for text in (*texts, texts[0][:400] + texts[1])])

    assert (apart(0, 1), apart(0, 2)) == (True, False)


def test_without_texts_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "en.jsonl").write_text(json.dumps(ROW._asdict()), "utf-8")
    (tmp_path / "empty").mkdir()
    topics = {"reworded": None, "topics": tmp_path / "empty"}

    for given in ({"reworded": tmp_path, "hosts": [tmp_path]}, {"reworded": None}, topics):
        with pytest.raises(BadInput, match="no_corpora"):
            evaluate_meaning(**given)


# --------------------------------------------------------------------------- topics
SHIPPED = Path(__file__).parents[2] / "benchmarks" / "one_topic"


def texts_of(language: str) -> list[Text]:
    return [Text(*line) for line in _read_lines(SHIPPED / f"{language}.jsonl", Text._fields)]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_ten_events_and_ten_questions_stand_half_in_either_part(language: str) -> None:
    texts = texts_of(language)
    writers = Counter((one.kind, one.topic, one.part) for one in texts)

    assert set(writers.values()) == {2, 3}
    assert {n for (kind, *_), n in writers.items() if kind == "event"} == {2}
    assert Counter((kind, part) for kind, _, part in writers) == {
        (kind, part): 5 for kind in ("event", "question") for part in ("tune", "check")
    }


@pytest.mark.long
def test_pairs_of_one_topic_are_counted_apart_from_others(
    tmp_path: Path, sentence_vectors: None
) -> None:
    shipped = [one for one in texts_of("en") if one.part == "tune"][:2]
    same = Text("question", "x", "tune", "")
    said = [
        "The mill closed in 1908 because the river had changed its bed. Nobody in the valley had "
        "asked the owner to leave, and he went without a word. His daughters sold the wheel.",
        "Since the stream took another course, the mill was given up in 1908. The owner departed "
        "silently, although no one in the valley wanted that. The wheel was sold by his girls.",
    ]
    texts = [*shipped, *(same._replace(text=text) for text in said)]
    lines = [json.dumps(one._asdict()) for one in texts]
    (tmp_path / "en.jsonl").write_text("\n".join(lines), "utf-8")

    table = topics_table(tmp_path, lambda *_: None)
    rows = {row[2]: row[3:6] for row in table.rows}

    assert rows["question"] == (1, 1, 1)
    assert rows["event"] == (1, 0, 0)
    assert rows["other"] == (4, 0, 0)
