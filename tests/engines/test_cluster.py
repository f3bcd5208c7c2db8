"""A real cluster: a master and two workers, of which one is killed in the middle of a stage."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from engines.cluster import Cluster, select_wait, started
from engines.test_pairs import skewed

from simhash_core.simhash.search import all_pairs

pytestmark = [pytest.mark.spark, pytest.mark.timeout(1800)]
ROWS = 200_000


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("pyspark")
    with started(tmp_path) as running:
        yield running


def command(cluster: Cluster, source: Path, out: Path) -> list[str]:
    return [
        *(sys.executable, "-m", "simhash_core", "pairs", str(source), "-k", "3"),
        *("--engine", "spark", "--master", cluster.url, "-o", str(out)),
    ]


def test_pairs_survive_the_loss_of_a_worker(cluster: Cluster, tmp_path: Path) -> None:
    """The same pairs from two workers, from one of which one is killed, and from this process."""
    words = skewed(ROWS)
    source = tmp_path / "words"
    write_words(source, words)
    whole, began = tmp_path / "whole", time.monotonic()
    subprocess.run(command(cluster, source, whole), check=True, timeout=900)
    alone = time.monotonic() - began

    broken, began = tmp_path / "broken", time.monotonic()
    running = subprocess.Popen(command(cluster, source, broken))
    while not list(broken.glob("stages-*/near/_temporary")):
        assert running.poll() is None
        select_wait()
    complete = list(broken.glob("stages-*/near/_SUCCESS"))
    cluster.kill(0)

    assert not complete
    assert running.wait(timeout=900) == 0
    print(f"time ratio {(time.monotonic() - began) / alone:.2f}")
    here = all_pairs(words, bits=64, k=3)
    for folder in (whole, broken):
        left, right, distance = pairs_in(folder)
        assert np.array_equal(left, here.pairs.left)
        assert np.array_equal(right, here.pairs.right)
        assert np.array_equal(distance, here.pairs.distance)


def write_words(folder: Path, words: np.ndarray) -> None:  # type: ignore[type-arg]
    """Write fingerprints as Parquet in several files."""
    import pyarrow.parquet as pq

    from simhash_core.engines.batches import table_of, word_columns

    folder.mkdir()
    rows = np.arange(len(words))
    for number, part in enumerate(np.array_split(rows, 4)):
        table = table_of({"row": part, **word_columns(words[part])})
        pq.write_table(table, folder / f"{number}.parquet")


def pairs_in(folder: Path) -> tuple[np.ndarray, ...]:  # type: ignore[type-arg]
    """Read the pairs that a run has written."""
    import pyarrow.parquet as pq

    table = pq.read_table(folder / "pairs").sort_by([("left", "ascending"), ("right", "ascending")])
    return tuple(table.column(name).to_numpy() for name in ("left", "right", "distance"))
