"""Labels: files, intervals, three thresholds to choose from, and answers of several checks."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

import simhash_core as core
from simhash_core.cli import main
from simhash_core.errors import BadInput
from simhash_core.lab import laboratories
from simhash_core.lab.labels import (
    Label,
    Labels,
    choose_thresholds,
    count_lacking,
    dump_labels,
    join_labels,
    label_quality,
    label_rows,
    load_labels,
    parse_labels,
    read_labels,
    weighted_precision,
    wilson,
)
from simhash_core.model import pair_key
from simhash_core.storage import Project, Subject


def labels(same: list[int], other: list[int], reach: int = 80) -> Labels:
    rows = [Label(f"a{i}", f"b{i}", True, entry) for i, entry in enumerate(same)]
    rows += [Label(f"c{i}", f"d{i}", False, entry) for i, entry in enumerate(other)]
    return Labels(tuple(rows), 256, "recipe", np.ones(reach + 1, np.int64))


CLEAN = labels([0, 4, 11, 18, 20, 24, 35, 36, 38, 39], [43, 44, 45, 47, 50])


def test_labels_survive_a_file(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text(dump_labels(labels([3], [40, -1])), "utf-8")
    read = load_labels(path)

    assert read.rows == labels([3], [40, -1]).rows
    assert read.population.sum() == 81
    assert json.loads(path.read_text("utf-8"))["schema"] == "leitong.labels/1"


@pytest.mark.parametrize(
    "content",
    [
        b"", b"[]", b"null", b'{"schema": "other/1"}', b"\xff\xfe",
        b'{"schema": "leitong.labels/1"}',
        b'{"schema":"leitong.labels/1","bits":64,"recipe":"","labels":[{"a":"x","b":"y","same":2}]}',
        b'{"schema":"leitong.labels/1","bits":64,"recipe":"","labels":[],"population":[-1]}',
    ],
)  # fmt: skip
def test_a_foreign_file_is_refused_by_name(content: bytes) -> None:
    with pytest.raises(BadInput) as caught:
        parse_labels(content, name="answers.json")
    assert caught.value.code == "labels"
    assert caught.value.params == {"name": "answers.json"}


@pytest.mark.parametrize(("hits", "total"), [(0, 5), (5, 5), (11, 12), (7, 22), (1, 1)])
def test_wilson_is_the_known_interval(hits: int, total: int) -> None:
    known = binomtest(hits, total).proportion_ci(method="wilson")

    assert wilson(hits, total) == pytest.approx((hits / total, known.low, known.high), abs=1e-9)
    share, low, high = wilson(0, 0)
    assert math.isnan(share)
    assert (low, high) == (0.0, 1.0)


def test_quality_counts_both_kinds_on_both_sides() -> None:
    at = label_quality(labels([10, 20, 50], [15, 60, -1]), 30)
    assert (at.found, at.false, at.missed, at.rejected) == (2, 1, 1, 2)
    assert at.precision[0] == at.recall[0] == pytest.approx(2 / 3)
    assert at.f1[0] == pytest.approx(2 / 3)
    assert at.f1[1] < at.f1[0] < at.f1[2]
    assert label_quality(labels([-1], []), 80).missed == 1


def test_three_thresholds_miss_none_err_least_and_show_none_in_vain() -> None:
    mixed = labels([5, 10, 15, 20, 25, 30, 31, 44], [28, 40, 46, 50, 52, 55, 60, 61, 62, 63])
    chosen = choose_thresholds(mixed)
    assert {aim: at.threshold for aim, at in chosen.items()} == {
        "all": 44, "balanced": 31, "few": 25
    }  # fmt: skip
    assert chosen["all"].recall[0] == chosen["few"].precision[0] == 1.0
    assert {at.threshold for at in choose_thresholds(CLEAN).values()} == {39}
    assert choose_thresholds(labels([], []))["all"].threshold == 0


def test_a_choice_counts_with_three_answers_of_either_kind() -> None:
    assert count_lacking(labels([5, 6, 7, 8], [40])) == 2
    assert count_lacking(labels([], [])) == 6
    assert count_lacking(CLEAN) == 0


def test_weighted_precision_corrects_what_the_strip_prefers() -> None:
    random = np.random.default_rng(3)
    population = np.zeros(41, np.int64)
    population[0:20], population[36:40] = 50, 5
    truth = {**dict.fromkeys(range(20), 0.98), **dict.fromkeys(range(36, 40), 0.5)}
    rows = []
    for entry in [*random.integers(0, 20, 30), *random.integers(36, 40, 30)]:
        same = bool(random.random() < truth[int(entry)])
        rows.append(Label(f"a{len(rows)}", f"b{len(rows)}", same, int(entry)))
    judged = Labels(tuple(rows), 64, "", population)
    real = sum(population[e] * p for e, p in truth.items()) / population.sum()
    (share, low, high), covered = weighted_precision(judged, 40)
    plain = label_quality(judged, 40).precision
    assert covered == 1.0
    assert abs(share - real) < abs(plain[0] - real)
    assert low <= real <= high
    assert not plain[1] <= real <= plain[2]

    population = np.zeros(41, np.int64)
    population[[1, 39]] = 100, 100
    (share, _, _), covered = weighted_precision(
        Labels((Label("a", "b", True, 39),), 64, "", population), 40
    )
    assert (share, covered) == (1.0, 0.5)
    assert weighted_precision(labels([], []), 40)[1] == 0.0


@pytest.fixture(scope="module")
def documents() -> list[core.Document]:
    sources, _ = core.gather(core.samples()["essays"])
    return core.read([source for source in sources if not source.name.endswith("csv")])[0]


def test_answers_find_their_pairs_in_a_check(documents: list[core.Document]) -> None:
    result = core.check(documents)
    table = result.table
    row = int(np.argmin(table.pairs.distance))
    a, b = (result.documents[int(side[row])].id for side in (table.pairs.left, table.pairs.right))
    placed = label_rows(result, {(b, a): True, ("x" * 64, a): False})

    assert placed.rows[0].entry == laboratories.sweep(result).entry[row]
    assert placed.rows[1].entry == -1
    assert placed.population.sum() == laboratories.sweep(result).pairs[-1]
    project = Project.in_memory()
    assert read_labels(project) is None
    project.save_documents(result.documents)
    project.save_result(result)
    project.decide([Subject.pair(a, b)], verdict="confirmed")
    project.decide([Subject.pair("x" * 64, a)], verdict="later")
    stored = read_labels(project)

    assert stored is not None
    assert [(row.key, row.same, row.entry) for row in stored.rows] == [
        (pair_key(a, b), True, placed.rows[0].entry)
    ]


def test_answers_of_several_checks_are_joined_and_the_first_counts() -> None:
    first, other = labels([3], [40], reach=80), labels([9, 20], [], reach=60)
    joined = join_labels(first, other)

    assert {row.key: row.entry for row in joined.rows} == {
        ("a0", "b0"): 3, ("a1", "b1"): 20, ("c0", "d0"): 40
    }  # fmt: skip
    assert joined.population.tolist() == [2] * 61
    with pytest.raises(ValueError, match="widths"):
        join_labels(first, replace(other, bits=64))


def test_evaluate_labels_prints_thresholds_and_three_aims(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "labels.json"
    path.write_text(dump_labels(CLEAN), "utf-8")

    assert main(["--lang", "en", "evaluate", "labels", str(path), "--json"]) == 0
    curve, aims = json.loads(capsys.readouterr().out)
    assert [row[0] for row in curve["rows"]] == sorted({row.entry for row in CLEAN.rows})
    assert [row[:3] for row in aims["rows"]] == [
        ["aim_all", 39, 0],
        ["aim_balanced", 39, 0],
        ["aim_few", 39, 0],
    ]
    assert main(["--lang", "en", "evaluate", "labels", str(path)]) == 0
    assert "Best threshold" in capsys.readouterr().out
