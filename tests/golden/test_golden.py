"""What a check lists in batches of 25, 120 and 350 texts, pair by pair (see README.md)."""

from __future__ import annotations

import pytest
from golden import snapshot
from golden.collection import EDGE, SIZES, collection


@pytest.mark.parametrize("size", SIZES)
def test_a_check_lists_what_is_stored(size: int) -> None:
    batch = collection(size)
    taken = snapshot.snapshot(batch, snapshot.checked(batch))
    changes = snapshot.differences(snapshot.load(size), taken)

    assert not changes, "\n".join(["if this is meant, see README.md:", *changes])


@pytest.mark.parametrize("size", SIZES)
def test_every_planted_relation_is_listed(size: int) -> None:
    listed = {(pair["a"], pair["b"]) for pair in snapshot.load(size)["pairs"]}
    planted = collection(size).relations.items()
    promised = {key: relation for key, relation in planted if relation not in EDGE}

    assert {key: relation for key, relation in promised.items() if key not in listed} == {}


def test_no_unrelated_pair_of_the_small_batch_is_listed() -> None:
    pairs = snapshot.load(min(SIZES))["pairs"]

    assert [pair for pair in pairs if pair["planted"] == snapshot.UNRELATED] == []
