"""Two texts compared at a threshold that moves."""

from __future__ import annotations

from simhash_core import compare, gather, read, samples
from simhash_core.checking import with_threshold


def test_another_threshold_cuts_other_blocks_of_the_same_bits() -> None:
    documents, _ = read(gather(samples()["essays"][:2])[0])
    compared = compare(*documents)

    moved = with_threshold(compared, 3)

    assert (moved.threshold, len(moved.blocks)) == (3, 4)
    assert sum(block.width for block in moved.blocks) == compared.settings.bits
    assert sum(block.differing for block in moved.blocks) == moved.distance == compared.distance
    assert with_threshold(moved, compared.threshold).blocks == compared.blocks
