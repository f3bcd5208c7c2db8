"""Tiles of a cluster, without one, against all texts at once."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.engines import tiles
from simhash_core.engines.batches import batch_of
from simhash_core.passages import candidates
from simhash_core.passages.winnow import Winnowed

SETS = st.lists(st.sets(st.integers(1, 40), max_size=12), min_size=1, max_size=14)


def told(sets: list[set[int]]) -> pa.RecordBatch:
    rows = [(value, row, len(one)) for row, one in enumerate(sets) for value in sorted(one)]
    value, row, size = np.array(rows, np.int64).reshape(-1, 3).T.copy()
    return batch_of({"value": value, "row": row, "hashes": size.astype(np.int32)})


def by_tile(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Send rows of one tile together, as a cluster does, in no order."""
    sent = [batch for batch in batches if batch.num_rows]
    if sent:
        yield from pa.Table.from_batches(sent).sort_by([("value", "descending")]).to_batches()


@given(SETS, st.sampled_from([2, 4, 50]), st.integers(1, 6))
def test_tiles_find_the_pairs_that_one_machine_finds(
    sets: list[set[int]], many: int, chunk: int
) -> None:
    values = [np.array(sorted(one), np.uint64) for one in sets]
    winnowed = [Winnowed(one, *[np.zeros(len(one), np.int32)] * 2) for one in values]
    held = [sum(p in s for s in sets) for p in set().union(*sets)]
    grid = tiles.Grid(chunk, -(-len(sets) // chunk))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates, "MANY_HOLDERS", many)
        expected, _ = candidates.find_sharing(winnowed, queries=len(sets), share=0.05)
        limits = candidates.limit_holders(len(sets), *np.unique(held, return_counts=True))
    scattered = tiles.scatter_hashes(tiles.hold(iter([told(sets)])), grid=grid)
    found = tiles.share_tiles(by_tile(scattered), share=0.05, limits=limits, grid=grid)

    pairs = [pair for batch in found for pair in zip(*batch.to_pydict().values(), strict=True)]
    assert sorted(pairs) == [tuple(pair) for pair in expected.tolist()]
