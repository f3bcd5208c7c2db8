"""Tables in and tables out on the command line, without a cluster."""

from __future__ import annotations

import json
import sys

import pytest

from simhash_core.cli import main

pytest.importorskip("pyarrow")


@pytest.fixture
def table(tmp_path):
    """Two texts, one of them a copy."""
    text = " ".join(f"word{number} of a text that is copied" for number in range(40))
    rows = [{"name": name, "text": text} for name in ("b", "a")]
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


@pytest.mark.long
def test_check_writes_tables(table, tmp_path, capsys):
    import pyarrow.parquet as pq

    out = tmp_path / "out"

    assert main(["check", str(table), "--engine", "local", "-o", str(out), "--lang", "en"]) == 0
    said = capsys.readouterr().err
    assert "2 texts, 1 pair" in said
    assert "not searched: the same meaning in other words" in said
    assert "second look" not in said
    assert pq.read_table(out / "documents.parquet").column("name").to_pylist() == ["a", "b"]
    assert pq.read_table(out / "pairs.parquet").column("distance").to_pylist() == [0]


@pytest.mark.parametrize(
    ("more", "says"),
    [([], "folder of -o"), (["-o", "out", "--against", "x"], "--against")],
    ids=["no folder", "references"],
)
def test_what_an_engine_lacks_is_refused(table, more, says, capsys):
    assert main(["check", str(table), "--engine", "local", "--lang", "en", *more]) == 2
    assert says in capsys.readouterr().err


def test_missing_spark_is_named(table, monkeypatch, capsys):
    for name in [name for name in sys.modules if name.startswith("simhash_core.engines")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspark", None)
    command = ["check", str(table), "--engine", "spark", "-o", "out", "--lang", "en"]

    assert main(command) == 4
    assert "leitong[spark]" in capsys.readouterr().err
