"""Tiles of a cluster, without one, against all texts at once."""

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


@given(SETS, st.sampled_from([2, 4, 50]), st.integers(1, 6))
def test_tiles_find_the_pairs_that_one_machine_finds(sets, many, chunk):
    texts = [np.array(sorted(one), np.uint64) for one in sets]
    held = [sum(p in s for s in sets) for p in set().union(*sets)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates, "MANY_HOLDERS", many)
        winnowed = [Winnowed(one, *[np.zeros(len(one), np.int32)] * 2) for one in texts]
        expected, _ = candidates.find_sharing(winnowed, queries=len(sets), share=0.05)
        limits = candidates.limit_holders(len(sets), *np.unique(held, return_counts=True))
    size = np.array([len(one) for one in texts])
    columns = {"row": np.repeat(np.arange(len(texts)), size), "hashes": np.repeat(size, size)}
    batch = batch_of({"value": np.concatenate(texts), **columns})
    grid = tiles.Grid(chunk, -(-len(sets) // chunk))
    sent = [*tiles.scatter_hashes(tiles.hold(iter([batch])), grid=grid)]
    if sent:  # in no order, as a cluster sends them
        sent = pa.Table.from_batches(sent).sort_by([("value", "descending")]).to_batches()
    found = tiles.share_tiles(iter(sent), share=0.05, limits=limits, grid=grid)

    pairs = [pair for one in found for pair in zip(*one.to_pydict().values(), strict=True)]
    assert sorted(pairs) == [tuple(pair) for pair in expected.tolist()]
