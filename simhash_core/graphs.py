"""Graphs of pairs: what hangs together, which links hold it together, and trees."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from .model import F64, I64


def component_labels(left: I64, right: I64, n: int) -> I64:
    """Return int64 (n,): the component of each row, named by its smallest row."""
    return _join_components(np.asarray(left, np.int64), np.asarray(right, np.int64), np.arange(n))


def spanning_forest(left: I64, right: I64, weight: I64 | F64, n: int) -> I64:
    """Return which links, by their place, make a spanning forest of least weight; ascending.

    Parameters
    ----------
    left, right : int64 (m,)
    weight : int64 or float64 (m,)
        Of links that weigh the same, the first is taken.

    Notes
    -----
    In every round each component takes its lightest link to another one, so that at most log2 n
    rounds leave nothing to take [1]_. O(m log m), a sort of the links.

    References
    ----------
    .. [1] Borůvka, "O jistém problému minimálním", Práce Moravské přírodovědecké společnosti 3
       (1926).
    """
    order = np.argsort(weight, kind="stable")
    a, b = np.asarray(left, np.int64)[order], np.asarray(right, np.int64)[order]
    component = np.arange(n)
    open_links = np.arange(len(order))  # by rank: no two weigh the same
    taken = []
    while True:
        ends = component[a[open_links]], component[b[open_links]]
        apart = ends[0] != ends[1]
        open_links = open_links[apart]
        if not len(open_links):
            break
        lightest = np.full(n, len(order), np.int64)
        for end in ends:
            np.minimum.at(lightest, end[apart], open_links)
        fresh = np.unique(lightest[lightest < len(order)])
        taken.append(fresh)
        component = _join_components(component[a[fresh]], component[b[fresh]], component)
    return np.sort(order[np.concatenate(taken)]) if taken else np.zeros(0, np.int64)


def _join_components(left: I64, right: I64, component: I64) -> I64:
    """Return the components that links between components make, each named by its smallest row.

    Names only fall, and each row takes that of the row it is named by, until nothing changes.
    """
    name = np.arange(len(component))
    while True:
        low = np.minimum(name[left], name[right])
        before = name.copy()
        for end in (left, right):
            np.minimum.at(name, before[end], low)
        while True:
            shorter = name[name]
            if np.array_equal(shorter, name):
                break
            name = shorter
        if np.array_equal(before, name):
            return name[component]


def bridges(links: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the links without which their ends would hang together no more, sorted, a < b.

    Parameters
    ----------
    links
        Each pair of rows once.

    Notes
    -----
    A link is a bridge where nothing below it reaches back above it [1]_. O(n + m).

    References
    ----------
    .. [1] Tarjan, "A note on finding the bridges of a graph", Inf. Process. Lett. 2 (1974).
    """
    around: dict[int, list[int]] = {}
    for a, b in links:
        around.setdefault(a, []).append(b)
        around.setdefault(b, []).append(a)
    when: dict[int, int] = {}  # each row was come to as the when-th
    low: dict[int, int] = {}  # the earliest row that it, or one below it, has a link to
    cut = []
    for start in around:
        if start in when:
            continue
        when[start] = low[start] = len(when)
        way = [(start, start, iter(around[start]))]
        while way:
            row, above, rest = way[-1]
            other = next(rest, None)
            if other is None:
                way.pop()
                low[above] = min(low[above], low[row])
                if row != above and low[row] > when[above]:
                    cut.append((min(row, above), max(row, above)))
            elif other not in when:
                when[other] = low[other] = len(when)
                way.append((other, row, iter(around[other])))
            elif other != above:
                low[row] = min(low[row], when[other])
    return tuple(sorted(cut))


# --------------------------------------------------------------------------- trees


def spanning_tree(distance: F64) -> list[tuple[int, int]]:
    """Return the links of a tree of least length through all points, the shortest first.

    Parameters
    ----------
    distance : float64 (n, n)
        Symmetric.
    """
    left, right = np.triu_indices(len(distance), 1)
    length = distance[left, right]
    taken = spanning_forest(left, right, length, len(distance))
    taken = taken[np.argsort(length[taken], kind="stable")]
    return list(zip(left[taken].tolist(), right[taken].tolist(), strict=True))


def walk_tree(links: Iterable[tuple[int, int]], start: int) -> Iterator[tuple[int, int]]:
    """Yield the links of a tree as they lead away from a row, level by level."""
    around: defaultdict[int, list[int]] = defaultdict(list)
    for a, b in links:
        around[a].append(b)
        around[b].append(a)
    waiting = deque([(start, start)])
    while waiting:
        above, row = waiting.popleft()
        for other in around[row]:
            if other != above:
                yield row, other
                waiting.append((row, other))


def least_arborescence(links: Sequence[tuple[int, int, float]], root: int) -> list[int]:
    """Return which links, by their place, lead from a root to all other rows and weigh least.

    Parameters
    ----------
    links
        (source, target, weight); of links that weigh the same, the first is taken. A way leads
        from the root to every row.

    Notes
    -----
    Each row takes the lightest link to it. Rows that form a circle become one row, which a link
    reaches for what it weighs more than the link of the circle that it replaces [1]_. O(n m).

    References
    ----------
    .. [1] Edmonds, "Optimum branchings", J. Res. Natl. Bur. Stand. 71B (1967).
    """
    lightest: dict[int, int] = {}
    for place, (source, target, weight) in enumerate(links):
        if source != target and target != root:
            held = lightest.setdefault(target, place)
            if weight < links[held][2]:
                lightest[target] = place
    circle = _find_circle({target: links[place][0] for target, place in lightest.items()})
    if not circle:
        return list(lightest.values())
    one = min(circle)
    left, places = [], []
    for place, (source, target, weight) in enumerate(links):
        above, row = (one if end in circle else end for end in (source, target))
        if above != row:
            saved = links[lightest[target]][2] if target in circle else 0.0
            left.append((above, row, weight - saved))
            places.append(place)
    taken = [places[at] for at in least_arborescence(left, root)]
    entered = {links[place][1] for place in taken}
    return [*taken, *(lightest[row] for row in circle if row not in entered)]


def _find_circle(above: Mapping[int, int]) -> set[int]:
    """Return the rows of a circle among rows that each have one row above, none where none is."""
    seen: dict[int, int] = {}  # row -> where the way began that came to it
    for start in above:
        row = start
        while row in above and row not in seen:
            seen[row] = start
            row = above[row]
        if seen.get(row) == start:
            circle = {row}
            while (row := above[row]) not in circle:
                circle.add(row)
            return circle
    return set()
