"""Clusters: components against networkx, star cover by its promise."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.clustering import clusters, membership, star_cover
from simhash_core.model import Pairs

NODES = 12
edge = st.tuples(st.integers(0, NODES - 1), st.integers(0, NODES - 1), st.integers(0, 60))
edges = st.lists(edge.filter(lambda e: e[0] < e[1]), max_size=30, unique_by=lambda e: e[:2])
WORDS = np.random.default_rng(3).integers(0, 2**63, (NODES, 4), dtype=np.uint64)


def _pairs(rows: list[tuple[int, int, int]]) -> Pairs:
    columns = np.array(sorted(rows), np.int64).reshape(-1, 3).T
    return Pairs(columns[0], columns[1], columns[2].astype(np.uint16))


@given(edges)
def test_members_are_the_connected_components(rows: list[tuple[int, int, int]]) -> None:
    graph = nx.Graph([row[:2] for row in rows])

    found = clusters(_pairs(rows), NODES, WORDS)

    assert {c.members for c in found} == {
        tuple(sorted(part)) for part in nx.connected_components(graph)
    }


@given(edges)
def test_every_member_has_direct_evidence_for_its_centre(rows: list[tuple[int, int, int]]) -> None:
    linked = {row[:2] for row in rows}
    for cluster in clusters(_pairs(rows), NODES, WORDS):
        for member, centre in zip(cluster.members, cluster.centres, strict=True):
            assert member == centre or (min(member, centre), max(member, centre)) in linked
        assert cluster.centre in cluster.centres


@given(edges, st.randoms())
def test_order_of_pairs_changes_nothing(rows: list[tuple[int, int, int]], random) -> None:
    shuffled = rows.copy()
    random.shuffle(shuffled)
    columns = np.array(shuffled, np.int64).reshape(-1, 3).T
    other = Pairs(columns[0], columns[1], columns[2].astype(np.uint16))

    assert clusters(other, NODES, WORDS) == clusters(_pairs(rows), NODES, WORDS)


@given(edges)
def test_bridges_are_the_links_that_hold_two_parts_together(
    rows: list[tuple[int, int, int]],
) -> None:
    for cluster in clusters(_pairs(rows), NODES, WORDS):
        graph = nx.Graph([row[:2] for row in rows if row[0] in cluster.members])
        bridges = {(min(link), max(link)) for link in nx.bridges(graph)}

        assert set(cluster.bridges) == (bridges if cluster.links > 1 else set())


def test_a_triangle_with_a_tail() -> None:
    found = clusters(_pairs([(0, 1, 3), (0, 2, 5), (1, 2, 9), (2, 3, 40)]), NODES, WORDS)

    (cluster,) = found
    assert cluster.members == (0, 1, 2, 3)
    assert cluster.centre == 2
    assert cluster.weakest == (2, 3, 40)
    assert cluster.bridges == ((2, 3),)
    assert cluster.links == 4 and cluster.density == 4 / 6
    assert membership(found, 5).tolist() == [0, 0, 0, 0, -1]


def test_links_by_passages_are_counted_apart_and_couples_say_what_groups_would() -> None:
    found = clusters(_pairs([(0, 1, 3), (1, 2, 90)]), 3, WORDS, by_passages=np.array([False, True]))
    assert found[0].passage_links == 1

    apart = int(np.bitwise_count(WORDS[2] ^ WORDS[5]).sum())
    (couple,) = clusters(_pairs([(2, 5, 7)]), NODES, WORDS, by_passages=np.array([True]))
    whole = clusters(_pairs([(2, 5, 7), (2, 9, 1), (5, 9, 1)]), NODES, WORDS)[0]
    assert couple.members == couple.weakest[:2] == whole.weakest[:2] == (2, 5)
    assert (couple.centre, couple.centres) == (2, (2, 2))
    assert (couple.links, couple.passage_links, couple.density) == (1, 1, 1.0)
    assert couple.weakest[2] == whole.weakest[2] == 7
    assert couple.diameter == apart
    assert couple.bridges == ()


def test_a_satellite_stays_with_the_star_that_took_it_first() -> None:
    """1 has five links, 4 has three; both reach 3, which belongs to the larger star."""
    links = [(0, 1), (1, 2), (1, 3), (1, 6), (1, 7), (3, 4), (4, 5), (4, 8)]
    left, right = np.array(links).T

    assert star_cover(left, right, np.ones(len(links), np.int64), 9).tolist() == [
        *(1, 1, 1, 1),
        *(4, 4),
        *(1, 1),
        4,
    ]
