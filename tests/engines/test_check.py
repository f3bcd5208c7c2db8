"""The check on a cluster gives what it gives on this machine, table by table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from engines import texts

from simhash_core.checking import own_runs
from simhash_core.engines import local
from simhash_core.errors import BadInput
from simhash_core.settings import Settings

#: an empty partition for most tasks, and no pair
APART = {
    "a": "The tide went out before dawn and left the boats on the grey sand of the harbour.",
    "b": "春天的茶园里，采茶的人天不亮就上了山，篓子里装着露水和新芽。",
}

pytestmark = [pytest.mark.spark, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(texts.write(tmp_path_factory.mktemp("texts") / "texts.jsonl", texts.rows(60)))


@pytest.fixture(autouse=True)
def one_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a check of more than `OWN_TOKENS` words, for which a cluster is: no second look."""
    monkeypatch.setattr(own_runs, "OWN_TOKENS", 0)


def same(left: dict[str, pa.Table], right: dict[str, pa.Table]) -> None:
    """Compare tables column by column, so that a difference has a name."""
    assert left.keys() == right.keys()
    for name in left.keys() - {"not_searched"}:  # a machine looks again where texts are few
        assert left[name].column_names == right[name].column_names, name
        for column in left[name].column_names:
            held = [tables[name].column(column).to_numpy() for tables in (left, right)]

            assert data_of(held[0]) == data_of(held[1]), f"{name}.{column}"


def data_of(values: np.ndarray) -> bytes:
    return "\n".join(values).encode() if values.dtype == object else values.tobytes()


def test_check_gives_the_tables_of_one_machine(spark: Any, source: str, tmp_path: Path) -> None:
    from simhash_core.engines import spark as cluster

    settings = Settings()
    here = local.check(source, str(tmp_path / "here"), settings=settings)
    stages: list[str] = []

    def step(name: str, done: int, total: int) -> None:
        stages.append(name)

    options = {"settings": settings, "spark": spark, "chunk": 20, "step": step}
    there = cluster.check(source, str(tmp_path / "there"), partitions=3, **options)

    same(here, there)
    codes = [tables["not_searched"].column("code").to_pylist() for tables in (here, there)]
    assert codes == [["meaning"], ["meaning", "second_look", "holders"]]
    assert here["passages"].num_rows > 20
    assert here["components"].num_rows > 10

    words = cluster.fingerprints(source, str(tmp_path / "there"), settings=settings, spark=spark)
    assert words.count() == here["fingerprints"].num_rows
    near = cluster.pairs(str(tmp_path / "there" / "fingerprints"), str(tmp_path), k=3, spark=spark)
    equal = near["equal"].count()
    assert equal > 1

    before = len(stages)
    again = cluster.check(source, str(tmp_path / "there"), partitions=5, **options)

    same(here, again)
    assert len(stages) == before  # every stage was complete


def test_join_of_blocks_gives_the_candidates_of_one_machine(
    spark: Any, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from simhash_core.engines import spark as cluster
    from simhash_core.passages import candidates

    # texts so few are all aligned; without that budget they are joined by words and hashes
    monkeypatch.setattr(candidates, "AFFORDABLE_TOKENS", 10_000)
    settings = Settings(preset="reposts")
    here = local.check(source, str(tmp_path / "here"), settings=settings)
    there = cluster.check(
        source, str(tmp_path / "there"), settings=settings, spark=spark, partitions=4, chunk=15
    )

    same(here, there)
    assert list((tmp_path / "there").glob("stages-*/rare_words"))
    assert list((tmp_path / "there").glob("stages-*/alike"))


def test_texts_that_share_nothing_leave_empty_tables(spark: Any, tmp_path: Path) -> None:
    from simhash_core.engines import spark as cluster

    rows = [{"name": name, "text": text} for name, text in APART.items()]
    source = str(texts.write(tmp_path / "apart.jsonl", rows))
    settings = Settings(preset="strict")
    here = local.check(source, str(tmp_path / "here"), settings=settings)
    there = cluster.check(source, str(tmp_path / "there"), settings=settings, spark=spark)

    same(here, there)
    assert not here["passages"].num_rows
    assert not here["overlap"].num_rows


def test_weights_that_read_the_collection_are_refused(spark: Any, source: str) -> None:
    from simhash_core.engines import spark as cluster

    with pytest.raises(BadInput) as refused:
        cluster.check(source, "unused", settings=Settings(weighting="tfidf"), spark=spark)

    assert refused.value.code == "engine_weighting"
