"""Graphs of pairs, judged by scipy and networkx."""

import math

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import minimum_spanning_tree

from simhash_core.graphs import (
    bridges,
    component_labels,
    least_arborescence,
    spanning_forest,
    spanning_tree,
    walk_tree,
)
from simhash_core.model import I64

N = 14
LINKS = st.dictionaries(
    st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)).filter(lambda ends: ends[0] < ends[1]),
    st.integers(1, 6),
)


def columns(links: dict[tuple[int, int], int]) -> tuple[I64, I64, I64]:
    rows = np.array([(*ends, weight) for ends, weight in links.items()], np.int64).reshape(-1, 3)
    return rows[:, 0], rows[:, 1], rows[:, 2]


@given(LINKS)
def test_components_are_those_of_networkx(links: dict[tuple[int, int], int]) -> None:
    left, right, _ = columns(links)
    graph = nx.Graph(list(links))
    graph.add_nodes_from(range(N))

    labels = component_labels(left, right, N)

    for rows in nx.connected_components(graph):
        assert {int(labels[row]) for row in rows} == {min(rows)}


@given(LINKS)
def test_a_forest_weighs_what_that_of_scipy_weighs(links: dict[tuple[int, int], int]) -> None:
    left, right, weight = columns(links)
    judge = minimum_spanning_tree(csr_matrix((weight, (left, right)), shape=(N, N)))

    forest = spanning_forest(left, right, weight, N)

    assert weight[forest].sum() == judge.sum() and len(forest) == judge.nnz
    assert np.array_equal(
        component_labels(left[forest], right[forest], N), component_labels(left, right, N)
    )


@given(LINKS)
def test_bridges_are_those_of_networkx(links: dict[tuple[int, int], int]) -> None:
    judge = nx.bridges(nx.Graph(list(links)))

    assert bridges(links) == tuple(sorted((min(ends), max(ends)) for ends in judge))


@given(st.lists(st.integers(0, 6), min_size=1, max_size=45))
def test_a_tree_through_points_is_that_of_networkx(lengths: list[int]) -> None:
    n = int((1 + math.sqrt(1 + 8 * len(lengths))) // 2)
    distance = np.zeros((n, n))
    distance[np.triu_indices(n, 1)] = lengths[: n * (n - 1) // 2]
    distance += distance.T
    judge = nx.minimum_spanning_tree(nx.from_numpy_array(distance + 1.0))
    tree = spanning_tree(distance)

    assert {*tree} == {(min(ends), max(ends)) for ends in judge.edges}
    for start in range(n):
        assert [*walk_tree(tree, start)] == [*nx.bfs_edges(judge, start)]


@given(LINKS, st.lists(st.integers(1, 6), min_size=N, max_size=N), st.integers(0, N - 1))
def test_an_arborescence_weighs_what_that_of_networkx_weighs(
    links: dict[tuple[int, int], int], back: list[int], turn: int
) -> None:
    every = [(-1, row, 6.5 + back[row]) for row in range(N)]
    for (a, b), weight in links.items():
        every += [(a, b, float(weight)), (b, a, float(back[(a + b + turn) % N]))]
    graph = nx.DiGraph()
    graph.add_weighted_edges_from(every)
    judge = nx.minimum_spanning_arborescence(graph)
    taken = [every[place] for place in least_arborescence(every, -1)]

    assert sum(weight for *_, weight in taken) == judge.size(weight="weight")
    assert sorted(target for _, target, _ in taken) == list(range(N))
    reached = {row for _, row in walk_tree([(a, b) for a, b, _ in taken], -1)}
    assert reached == set(range(N))


def test_components_of_a_chain_and_trees_of_one_row() -> None:
    labels = component_labels(np.array([5, 2]), np.array([7, 5]), 9)
    assert labels.tolist() == [0, 1, 2, 3, 4, 2, 6, 2, 8]
    way = np.random.default_rng(1).permutation(10_000)
    assert not component_labels(way[:-1], way[1:], len(way)).any()
    assert len(bridges(zip(way[:-1].tolist(), way[1:].tolist(), strict=True))) == len(way) - 1

    assert spanning_forest(*columns({}), 3).tolist() == []
    assert component_labels(*columns({})[:2], 2).tolist() == [0, 1]
    assert bridges([]) == ()
