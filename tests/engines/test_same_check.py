"""One body of tests for every engine: its tables are what a check of the same texts says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from engines import texts

from simhash_core import CheckResult, Settings, check
from simhash_core.engines import local
from simhash_core.model import Passages

Engine = Callable[[str, str, Settings], Mapping[str, pa.Table]]

ROWS = texts.rows(30)
SETTINGS = {
    "passages": Settings(dictionary="off", strength=5.4),  # no second look, which one machine takes
    "text check alone": Settings(passages=False, text_check=True),
    "fingerprints alone": Settings(passages=False, text_check=False),
}


@pytest.fixture(
    params=["local", pytest.param("spark", marks=[pytest.mark.spark, pytest.mark.timeout(1800)])]
)
def engine(request: pytest.FixtureRequest) -> Engine:
    if request.param == "local":
        return lambda source, folder, settings: local.check(source, folder, settings=settings)
    session = request.getfixturevalue("spark")
    from simhash_core.engines import spark as cluster

    def on_cluster(source: str, folder: str, settings: Settings) -> Mapping[str, pa.Table]:
        options: dict[str, Any] = {"spark": session, "partitions": 3, "chunk": 10}
        return cluster.check(source, folder, settings=settings, **options)

    return on_cluster


@pytest.mark.parametrize("name", SETTINGS)
def test_tables_are_what_a_check_says(engine: Engine, name: str, tmp_path: Path) -> None:
    source = texts.write(tmp_path / "texts.jsonl", ROWS)
    documents, skipped = local.documents(source)
    result = check(documents, settings=SETTINGS[name])
    tables = engine(str(source), str(tmp_path / "out"), SETTINGS[name])

    assert column(tables["documents"], "name") == [document.name for document in documents]
    assert column(tables["skipped"], "name") == [one.name for one in skipped]
    assert column(tables["facts"], "threshold") == [result.threshold]
    for field in ("left", "right", "distance"):
        assert column(tables["pairs"], field) == getattr(result.table.pairs, field).tolist(), field
    for field in ("batch_distance", "coverage_a", "coverage_b", "longest", "passages"):
        assert column(tables["pairs"], field) == getattr(result.table, field).tolist(), field
    np.testing.assert_array_equal(  # nan where texts were not compared
        tables["pairs"].column("containment").to_numpy(), result.table.containment
    )
    assert passages_of(tables["passages"]) == passages_in(result)
    unsearched = column(tables["not_searched"], "code")
    assert unsearched[:1] == (["meaning"] if name == "passages" else [])
    shared = np.flatnonzero(result.total_overlap > 0)
    assert column(tables["overlap"], "row") == shared.tolist()
    assert column(tables["overlap"], "total") == result.total_overlap[shared].tolist()


def test_no_engine_makes_what_its_tables_do_not_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[str] = []

    def watch(documents: object, *, settings: Settings, **given: Any) -> CheckResult:
        searched.append(settings.meaning)
        return run_check(documents, settings=settings, **given)

    run_check = local.run_check
    monkeypatch.setattr(local, "run_check", watch)
    local.check(
        str(texts.write(tmp_path / "texts.jsonl", ROWS[:4])), str(tmp_path), settings=Settings()
    )

    assert searched == ["off"]


def test_the_texts_of_these_tests_are_listed_by_each_kind_of_evidence(tmp_path: Path) -> None:
    documents, _ = local.documents(texts.write(tmp_path / "texts.jsonl", ROWS))
    result = check(documents, settings=SETTINGS["passages"])

    assert len(result.passages) > 10
    assert (result.table.pairs.distance == 0).any()
    assert (result.total_overlap > 0).sum() > 10


def column(table: pa.Table, name: str) -> list[Any]:
    return list(table.column(name).to_pylist())


def passages_of(table: pa.Table) -> set[tuple[int, ...]]:
    """Return rows of both texts, places and kind of each passage of a table."""
    names = ("left", "right", "a_start", "a_end", "b_start", "b_end", "kind")
    return set(zip(*(column(table, name) for name in names), strict=True))


def passages_in(result: CheckResult) -> set[tuple[int, ...]]:
    """Return the same of a result."""
    pairs, passages = result.table.pairs, result.passages
    assert isinstance(passages, Passages)
    ends = pairs.left[passages.pair], pairs.right[passages.pair]
    places = (getattr(passages, name) for name in ("a_start", "a_end", "b_start", "b_end", "kind"))
    return set(zip(*(one.tolist() for one in (*ends, *places)), strict=True))
