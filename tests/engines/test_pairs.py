"""Pairs of fingerprints on a cluster are those of the search on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from simhash_core.errors import BadInput
from simhash_core.simhash.search import all_pairs

pytestmark = [pytest.mark.spark, pytest.mark.timeout(1800)]


def skewed(n: int, words: int = 1) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return near-duplicates, equal ones, one crowded bucket, all zeros and all ones."""
    draw = np.random.default_rng(words)
    made = draw.integers(0, 2**64, (n, words), dtype=np.uint64)
    made[: n // 2, 0] = (made[: n // 2, 0] >> np.uint64(16)) | np.uint64(0xABCD << 48)
    flips = np.uint64(1) << draw.integers(0, 64, (2, n // 3), dtype=np.uint64)
    made[1 : n // 3 * 3 : 3] = made[: n // 3 * 3 : 3]
    made[1 : n // 3 * 3 : 3, -1] ^= flips[0] | flips[1]
    made[::40] = made[0]
    made[5], made[6], made[7] = 0, 2**64 - 1, 1  # 1: one bit from zero
    return made


@pytest.mark.parametrize(
    ("words", "k", "hot_rows"),
    [(1, 3, 100), (1, 0, 100), (1, 12, 100), (2, 7, 50), (4, 80, 100)],
    ids=["hot bucket", "equal", "tiles", "128 bits", "256 bits, wide net"],
)
def test_pairs_are_those_of_one_machine(
    spark: Any, tmp_path: Path, words: int, k: int, hot_rows: int
) -> None:
    from simhash_core.engines import spark as cluster

    made = skewed(1500, words)
    here = all_pairs(made, bits=64 * words, k=k)
    folder = str(tmp_path)
    group, pairs = cluster.pairs_of_words(
        made, folder, k=k, spark=spark, partitions=4, hot_rows=hot_rows
    )

    assert np.array_equal(group, here.group)
    for name in ("left", "right", "distance"):
        assert np.array_equal(getattr(pairs, name), getattr(here.pairs, name)), name


def test_components_are_the_same_by_rounds(spark: Any, tmp_path: Path) -> None:
    from simhash_core.engines.pairs import components
    from simhash_core.engines.stages import Stages, fetch_table

    chain = np.arange(100)  # the longest way to the smallest row
    left, right = np.append(chain, [300, 400, 400]), np.append(chain + 1, [301, 402, 401])
    stages = Stages(spark, str(tmp_path), {}, partitions=2, step=lambda *_: None)
    links = stages.of({"left": left, "right": right})
    here = fetch_table(components(stages, links, name="driver-"), "row")
    there = fetch_table(components(stages, links, name="rounds-", most=0), "row")

    assert here.equals(there)
    assert here.column("component").to_pylist()[:101] == [0] * 101


def test_unsigned_words_are_refused(spark: Any, tmp_path: Path) -> None:
    import pyarrow as pa

    from simhash_core.engines import spark as cluster

    words = pa.array(np.array([2**64 - 1, 1], np.uint64))
    pq.write_table(pa.table({"row": [0, 1], "word_0": words}), tmp_path / "words.parquet")
    with pytest.raises(BadInput) as refused:
        cluster.pairs(str(tmp_path / "words.parquet"), str(tmp_path), k=3, spark=spark)

    assert refused.value.code == "fingerprints_columns"
