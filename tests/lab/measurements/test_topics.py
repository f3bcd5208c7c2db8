"""Several people on one topic: the texts that ship, and what is counted of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from simhash_core.errors import BadInput
from simhash_core.lab.measurements.meaning import Text, _texts, evaluate_meaning, topics_table

SHIPPED = Path(__file__).parents[3] / "benchmarks" / "one_topic"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_ten_events_and_ten_questions_stand_half_in_either_part(language: str) -> None:
    texts = _texts(SHIPPED / f"{language}.jsonl")
    writers = Counter((one.kind, one.topic, one.part) for one in texts)

    assert set(writers.values()) == {2, 3}
    assert {n for (kind, *_), n in writers.items() if kind == "event"} == {2}
    assert Counter((kind, part) for kind, _, part in writers) == {
        (kind, part): 5 for kind in ("event", "question") for part in ("tune", "check")
    }


def test_pairs_of_one_topic_are_counted_apart_from_others(
    tmp_path: Path, sentence_vectors: None
) -> None:
    shipped = [one for one in _texts(SHIPPED / "en.jsonl") if one.part == "tune"][:2]
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


def test_a_folder_without_topics_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no_corpora"):
        evaluate_meaning(None, topics=tmp_path)
