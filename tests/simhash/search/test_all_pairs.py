"""All pairs: every plan is brute force."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hamming_judge import (
    close_arrays,
    close_pairs,
    fingerprints,
    first_rows,
    flipped,
    skewed,
    uniform,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simhash_core.errors import BadInput, Cancelled
from simhash_core.model import U64
from simhash_core.simhash.search import (
    Plan,
    SearchResult,
    all_pairs,
    block_plan,
    join,
    linear_plan,
    pairing,
    plan,
)
from simhash_core.simhash.search import words as words_room
from simhash_core.simhash.search.blocks import Reach
from simhash_core.simhash.search.linear import pairs_of

generated = settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def reach_plan(bits: int, k: int, *, blocks: int) -> Plan:
    """Return the plan with so many blocks, each with a radius."""
    return Plan("blocks", bits, k, Reach.of(k, blocks))


def plans(bits: int, k: int) -> list[Plan | None]:
    """Return every way to search."""
    found: list[Plan | None] = [None, linear_plan(bits, k)]
    found += [block_plan(bits, k, choose=choose) for choose in (1, 2) if k + choose <= bits]
    found += [reach_plan(bits, k, blocks=m) for m in (2, 3, 5) if (k + 1) // 4 <= m <= k < bits]
    return found


def triples(result: SearchResult) -> list[tuple[int, int, int]]:
    found = result.pairs
    return list(
        zip(found.left.tolist(), found.right.tolist(), found.distance.tolist(), strict=True)
    )


def judged(words: U64, k: int) -> list[tuple[int, int, int]]:
    """Return the close pairs between first rows of groups."""
    first = first_rows(words)
    return [
        (i, j, distance)
        for i, j, distance in close_pairs(words, k)
        if first[i] == i and first[j] == j
    ]


@pytest.mark.long
@generated
@given(fingerprints(), st.data())
def test_all_pairs_is_brute_force(drawn: tuple[U64, int], data: st.DataObject) -> None:
    words, bits = drawn
    k = data.draw(st.integers(0, min(bits, 12)) | st.sampled_from([bits - 1, bits]))
    plan = data.draw(
        st.sampled_from([p for p in plans(bits, k) if k <= 12 or not p or not p.scheme])
    )

    result = all_pairs(words, bits=bits, k=k, plan=plan)

    assert result.group.tolist() == first_rows(words)
    assert triples(result) == judged(words, k)


@pytest.mark.long
@pytest.mark.parametrize("families", [False, True])
@generated
@given(fingerprints(), st.data())
def test_all_pairs_splits_overloaded_buckets_without_loss(
    monkeypatch: pytest.MonkeyPatch, families: bool, drawn: tuple[U64, int], data: st.DataObject
) -> None:
    """With free or cheap sorting every bucket is split again, down to the last level."""
    words, bits = drawn
    k = data.draw(st.integers(1, min(bits - 2, 8)))
    if families:
        set_families_apart(monkeypatch)
    monkeypatch.setattr(plan, "SORT_ROW", data.draw(st.sampled_from([0.0, 3e-8])))

    result = all_pairs(words, bits=bits, k=k, plan=block_plan(bits, k, choose=1))

    assert triples(result) == judged(words, k)


@generated
@given(fingerprints(), st.integers(0, 7))
def test_all_pairs_grow_with_k(drawn: tuple[U64, int], k: int) -> None:
    words, bits = drawn

    narrow = set(triples(all_pairs(words, bits=bits, k=k)))
    wide = set(triples(all_pairs(words, bits=bits, k=k + 1)))
    assert narrow <= wide
    assert all(distance == k + 1 for *_, distance in wide - narrow)


@pytest.mark.long
@generated
@given(fingerprints(most=30), st.data())
def test_all_pairs_ignore_rows_without_fingerprint(
    drawn: tuple[U64, int], data: st.DataObject
) -> None:
    words, bits = drawn
    valid = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words))), bool
    )
    rows = np.flatnonzero(valid)

    result = all_pairs(words, bits=bits, k=3, valid=valid)

    expected = [(rows[i], rows[j], d) for i, j, d in judged(words[rows], 3)]
    assert triples(result) == expected
    assert result.group[~valid].tolist() == np.flatnonzero(~valid).tolist()
    assert result.group[rows].tolist() == rows[first_rows(words[rows])].tolist()
    covered = sum(fact.params.get("pairs", 0) for fact in result.guarantees)
    assert covered == len(rows) * (len(rows) - 1) // 2


def test_all_pairs_of_a_known_chain_and_of_one_huge_group() -> None:
    words = np.array([[0b0000], [0b0001], [0b0011], [0b0001], [0b1111]], np.uint64)

    result = all_pairs(words, bits=8, k=1)

    assert triples(result) == [(0, 1, 1), (1, 2, 1)]
    assert result.group.tolist() == [0, 1, 2, 1, 4]
    result = all_pairs(np.full((100_000, 2), 7, np.uint64), bits=128, k=10)
    assert len(result.pairs) == 0
    assert not result.group.any()


def test_all_pairs_overloaded_block_is_split_and_cheaper() -> None:
    """One 16-bit block value shared by 20,000 of 60,000 words (the seeds' overloaded bucket)."""
    words = uniform(60_000, 64, 3)
    words[:20_000] &= np.uint64(0x0000_FFFF_FFFF_FFFF)

    result = all_pairs(words, bits=64, k=3, plan=block_plan(64, 3))
    scanned = all_pairs(words, bits=64, k=3, plan=linear_plan(64, 3))

    assert triples(result) == triples(scanned)
    assert result.largest_bucket >= 19_000
    assert result.split_buckets >= 1
    assert result.candidates < 20_000 * 19_999 // 20


def test_all_pairs_says_what_it_did() -> None:
    result = all_pairs(uniform(5000, 64, 1), bits=64, k=3)

    assert result.guarantees[0].code == f"complete_{result.plan.kind}"
    assert result.guarantees[0].params["scheme"] == result.plan.name
    assert result.guarantees[0].params["candidates"] == result.candidates
    assert result.plan.name in result.plan.seconds
    assert result.plan.seconds[result.plan.name] == min(result.plan.seconds.values())


@pytest.mark.parametrize("k", [-1, 65])
def test_all_pairs_refuses_k_out_of_range(k: int) -> None:
    with pytest.raises(BadInput, match="bad_distance"):
        all_pairs(np.zeros((2, 1), np.uint64), bits=64, k=k)


@pytest.mark.parametrize(
    ("words", "bits"),
    [
        (np.zeros((2, 1), np.uint64), 128),
        (np.zeros((2, 1), np.int64), 64),
        (np.zeros(2, np.uint64), 64),
        (np.full((2, 1), 256, np.uint64), 8),
        (np.zeros((2, 1), np.uint64), 100),
    ],
)
def test_all_pairs_refuses_words_and_plans_that_do_not_fit(words: U64, bits: int) -> None:
    with pytest.raises(ValueError):
        all_pairs(words, bits=bits, k=1)
    with pytest.raises(ValueError, match="plan"):
        all_pairs(np.zeros((2, 1), np.uint64), bits=64, k=3, plan=linear_plan(64, 4))


def test_all_pairs_report_progress_and_stop_when_it_raises() -> None:
    def stop(stage: str, done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        all_pairs(uniform(5000, 64, 2), bits=64, k=20, progress=stop)
    seen = []
    all_pairs(
        uniform(5000, 64, 2),
        bits=64,
        k=3,
        plan=block_plan(64, 3),
        progress=lambda *step: seen.append(step),
    )
    assert seen == [("pairs", done, 4) for done in range(1, 5)]


def test_group_equal_is_exact_when_every_digest_collides(monkeypatch: pytest.MonkeyPatch) -> None:
    def same(columns: U64) -> U64:
        return np.zeros(columns.shape[1], np.uint64)

    monkeypatch.setattr(words_room, "_digest", same)
    words = uniform(300, 128, 4, planted=0.5)

    assert words_room.group_equal(words_room.to_columns(words)).tolist() == first_rows(words)


@pytest.mark.long
@pytest.mark.parametrize("data", [uniform, skewed])
@pytest.mark.parametrize(("bits", "k"), [(64, 3), (128, 8), (256, 12)])
def test_all_pairs_is_brute_force_on_3000(data: object, bits: int, k: int) -> None:
    assert_brute_force(data(3000, bits, 5), bits, range(k, k + 1))  # type: ignore[operator]


def set_families_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set families apart however few the tables and the members; large ones only when dense."""
    monkeypatch.setattr(pairing, "TABLES", 1)
    monkeypatch.setattr(pairing, "WORTHWHILE", 10**9)
    monkeypatch.setattr(pairing, "SMALL", 100)


def crowded(n: int, bits: int, seed: int) -> U64:
    """Return skewed words, a tenth of them one chain of single bits, a twentieth equal."""
    words, random = skewed(n, bits, seed), np.random.default_rng(seed)
    chain = np.arange(n // 10)
    for row in chain[1:]:
        words[row] = words[row - 1]
        words[row] = flipped(words[row : row + 1], np.zeros(1, np.int64), 1, random)[0]
    words[random.choice(n, n // 20, replace=False)] = words[n // 2]
    return words


@pytest.mark.long
@pytest.mark.parametrize("data", [uniform, skewed, crowded])
@pytest.mark.parametrize("bits", [64, 256])
def test_all_pairs_with_families_is_brute_force(
    monkeypatch: pytest.MonkeyPatch, data: object, bits: int
) -> None:
    set_families_apart(monkeypatch)
    assert_brute_force(data(500, bits, 6), bits, range(13))  # type: ignore[operator]


@pytest.mark.long
def test_all_pairs_of_families_are_compared_once() -> None:
    """400 members of one family meet in most of 45 tables; their pairs are compared in none."""
    words = np.repeat(uniform(10, 64, 7), 400, axis=0)
    words = np.concatenate([flipped(words, np.arange(4000), 4, np.random.default_rng(7)),
                            uniform(4000, 64, 8)])  # fmt: skip

    together = all_pairs(words, bits=64, k=8, plan=block_plan(64, 8, choose=2))
    alone = all_pairs(words, bits=64, k=8, plan=linear_plan(64, 8))

    assert triples(together) == triples(alone)
    assert len(together.pairs) < together.candidates < 3 * len(together.pairs)


def test_families_that_fall_apart_leave_the_others_in_order() -> None:
    """A loose family between two tight ones; the loops look families up by their number."""
    words = np.concatenate([
        flipped(np.repeat(uniform(1, 64, 1), 3000, axis=0), np.arange(3000), 1,
                np.random.default_rng(1)),
        uniform(3000, 64, 2),
        flipped(np.repeat(uniform(1, 64, 3), 50, axis=0), np.arange(50), 1,
                np.random.default_rng(3)),
    ])  # fmt: skip
    family = np.repeat(np.arange(3), [3000, 3000, 50]).astype(np.int32)
    made = pairing.Families(words.T.copy(), np.arange(6050), family)._without_loose(3)

    assert np.array_equal(made.family, np.sort(made.family))
    assert np.unique_counts(made.family).counts.tolist() == [3000, 3000, 50]
    assert np.array_equal(made.columns[0], words[made.order, 0])


def test_buckets_of_a_family_and_of_singles_are_compared() -> None:
    columns = np.array([[0, 0, 0, 0, 7 << 40, 7 << 40, 7 << 40, 1, 1]], np.uint64)
    order = np.array([7, 8, 4, 5, 6])  # as `Families` has them: singles first
    family = np.array([0, 0, 0, 0, -1, -1, 0, 0, 0], np.int32)

    left, _, distance = join.loops.across(
        np.ascontiguousarray(columns[:, [0, 1, 2, 3, *order]]), np.array([[0, 4, 4, 9]]), family, 3
    )

    assert left.tolist() == sorted([*range(4)] * 2)
    assert set(distance.tolist()) == {1}


@given(st.lists(st.tuples(*[st.integers(0, 12)] * 4), max_size=5))
def test_pairs_of_tiles_are_counted(drawn: list[tuple[int, int, int, int]]) -> None:
    tiles = np.array([(min(a, b), max(a, b), min(c, d), max(c, d)) for a, b, c, d in drawn])
    counted = [
        sum(i < j for i in range(a, b) for j in range(c, d)) for a, b, c, d in tiles.tolist()
    ]

    assert pairs_of(tiles.reshape(-1, 4).astype(np.int64)).tolist() == counted


@pytest.mark.parametrize("blocks", [2, 3, 4])
def test_comparisons_are_not_counted_twice(blocks: int) -> None:
    """One family: each of its pairs is compared inside it, in no bucket and in no two of them."""
    words = np.repeat(uniform(1, 64, 5), 1500, axis=0)
    words = flipped(words, np.arange(1500), 3, np.random.default_rng(5))
    distinct = len(np.unique(words))

    result = all_pairs(words, bits=64, k=8, plan=reach_plan(64, 8, blocks=blocks))

    assert len(result.pairs) <= result.candidates <= 1.1 * distinct * (distinct - 1) / 2


@pytest.mark.parametrize("many", [0, 1 << 20])
def test_pairs_are_in_order_however_many(monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    monkeypatch.setattr(words_room, "MANY", many)
    random = np.random.default_rng(1)
    names = random.permutation(5000)
    drawn = random.integers(0, 5000, (2, 3000))
    distance = random.integers(1, 257, 3000).astype(np.uint16)
    parts = [(*drawn[:, :1000], distance[:1000]), (*drawn[:, 1000:], distance[1000:])]

    pairs = words_room.sort_named(parts, names, 5000)

    a, b = names[drawn[0]], names[drawn[1]]
    expected = sorted(zip(np.minimum(a, b), np.maximum(a, b), distance, strict=True))
    assert list(zip(pairs.left, pairs.right, pairs.distance, strict=True)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("data", [uniform, skewed, crowded])
@pytest.mark.parametrize(("bits", "most"), [(64, 12), (128, 24)])
def test_all_pairs_is_brute_force_on_20000(data: object, bits: int, most: int) -> None:
    """Every k, by both block schemes, the scan and the planner's choice."""
    began = time.perf_counter()
    pairs = assert_brute_force(data(20_000, bits, 5), bits, range(most + 1))  # type: ignore[operator]
    print(f"{bits} bits, k = 0..{most}: {pairs} pairs, {time.perf_counter() - began:.1f} s")


def assert_brute_force(words: U64, bits: int, distances: range) -> int:
    """Compare every plan with the distance matrix; return the pairs at the largest k."""
    left, right, distance = close_arrays(words, max(distances))
    group = np.array(first_rows(words))
    whole = (group[left] == left) & (group[right] == right)
    for k in distances:
        near = whole & (distance <= k)
        for way in plans(bits, k):
            result = all_pairs(words, bits=bits, k=k, plan=way)
            assert np.array_equal(result.group, group)
            assert np.array_equal(result.pairs.left, left[near])
            assert np.array_equal(result.pairs.right, right[near])
            assert np.array_equal(result.pairs.distance, distance[near])
    return int(whole.sum())
