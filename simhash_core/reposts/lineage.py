"""The order of versions and where each one is from: by dates, and by the texts without them.

Revisions of one text lie on a line, the shortest way through all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import networkx as nx
import numpy as np

from ..model import F64
from .clues import DIRECT, ORDER, Clue, clues
from .reading import Overlap, Reading

#: of a version: what was dropped costs so much of what is new, since cutting is easy
DROPPED = 0.25
#: a clue makes its direction so much cheaper, and the other one dearer
TILT = 0.2
#: one line of revisions is believed where it is at most so much longer than the best tree
LINE = 1.15
#: words: a line that differs in any mark
WRITTEN = 0.1
#: two sources whose costs differ by less are equally likely
EQUAL = 0.02
#: clues that leave the direction open
WEAK = frozenset(("grew",))

Ends = tuple[int, int]
_NOTHING = -1  # the source of a version that has none

MOST_EXACT = 12  # points; the exact way takes 2**n n**2 steps


@dataclass(frozen=True, slots=True)
class Link:
    """A version and the most likely source of what it shares.

    `share` is that of the words of the version which the source has too. `certain` is False where
    another version explains it as well, or nothing but weak clues say which of both came first.
    """

    source: int
    version: int
    share: float
    certain: bool
    reasons: tuple[Clue, ...]  # `first` of each is 0: the source came first; `date` with dates


@dataclass(frozen=True, slots=True)
class Lineage:
    """Rows of versions in the order in which they most likely appeared, and their links.

    `basis` is `dates` where every date is known and none is shared by chance, `line` where
    the texts lie on one line of revisions, else `texts`.
    """

    order: tuple[int, ...]
    links: tuple[Link, ...]  # at most one a version
    basis: str


class Versions:
    """Versions with everything that pairs of them say, computed once each."""

    def __init__(
        self,
        readings: Sequence[Reading],
        overlaps: Mapping[Ends, Overlap],
        linked: Collection[Ends],
    ) -> None:
        self.readings = readings
        self.linked = linked
        self.overlaps = overlaps  # (a, b) with a < b
        self._clues: dict[Ends, tuple[Clue, ...]] = {}

    def __len__(self) -> int:
        return len(self.readings)

    def dated(self, a: int, b: int) -> int:
        """Return 1 where a certainly came before b, -1 for the other way, 0 unknown."""
        first, second = self.readings[a].moment, self.readings[b].moment
        if first is None or second is None:
            return 0
        return 1 if first.before(second) else -1 if second.before(first) else 0

    def clues(self, a: int, b: int) -> tuple[Clue, ...]:
        """Return the clues of a pair; `first` is 0 where a came first."""
        ends = (min(a, b), max(a, b))
        if ends not in self._clues:
            readings = self.readings[ends[0]], self.readings[ends[1]]
            overlap = self.overlaps.get(ends)
            self._clues[ends] = tuple(clues(*readings, overlap)) if overlap else ()
        if a < b:
            return self._clues[ends]
        return tuple(Clue(clue.code, 1 - clue.first, clue.params) for clue in self._clues[ends])

    def direction(self, a: int, b: int) -> int:
        """Return 1 where a most likely came before b, -1 for the other way, 0 unknown."""
        by_date = self.dated(a, b)
        if by_date:
            return by_date
        of_texts = self.clues(a, b)
        return 1 - 2 * of_texts[0].first if of_texts else 0

    def only(self, a: int, b: int) -> tuple[float, float]:
        """Return which shares of a and of b the other does not have."""
        overlap = self.overlaps.get((min(a, b), max(a, b)))
        if overlap is None:
            return 1.0, 1.0
        seen = overlap if a < b else overlap.turned()
        lengths = len(self.readings[a]), len(self.readings[b])
        return seen.only_a / max(lengths[0], 1), seen.only_b / max(lengths[1], 1)


def lineage(
    readings: Sequence[Reading],
    overlaps: Mapping[Ends, Overlap],
    linked: Collection[Ends] | None = None,
) -> Lineage:
    """Order versions and find the most likely source of each.

    Parameters
    ----------
    readings
        Read together (`read_versions`).
    overlaps
        Of pairs (a, b), a < b.
    linked
        Those of them that share enough for one to be the source of the other; by default all.

    Notes
    -----
    Without dates revisions of one text lie on a line: the shortest way through all of them, in
    the direction in which most pairs point by the strongest kind of clue that decides. Where the
    best tree is shorter, or some dates are known, each version gets the source with the least
    cost of a minimum spanning arborescence (Chu and Liu 1965, Edmonds 1967), from no later date.
    """
    versions = Versions(readings, overlaps, overlaps if linked is None else set(linked))
    n = len(versions)
    pairs = [(a, b) for a in range(n) for b in range(a + 1, n)]
    dated = [versions.dated(a, b) for a, b in pairs]
    line = _line(versions) if n > 1 and not any(dated) else None
    if line is not None:
        return _along(versions, line)
    parents = _arborescence(versions)
    order = _in_time(versions, parents)
    links = _links(versions, order, parents)
    return Lineage(tuple(order), links, "dates" if all(dated) else "texts")


# --------------------------------------------------------------------------- one line
def _line(versions: Versions) -> list[int] | None:
    """Return the versions as one line of revisions, oldest first; None where a tree is better."""
    distance = _distances(versions)
    line = shortest_line(distance)
    tree = nx.minimum_spanning_tree(nx.from_numpy_array(distance + 1.0))  # equal texts: no edge
    least = tree.size(weight="weight") - (len(versions) - 1)
    length = sum(distance[a, b] for a, b in pairwise(line))
    linked = all((min(ends), max(ends)) in versions.linked for ends in pairwise(line))
    return line if linked and length <= LINE * least else None


def _along(versions: Versions, line: Sequence[int]) -> Lineage:
    """Return the history along a line: from the end that clues point to, or from inside it.

    Both ends can be copies of a version between them: where every link of the line has a clue
    that speaks of its two texts alone, and all point away from that version.
    """
    direct = [_direct(versions, a, b) for a, b in pairwise(line)]
    first = 0 if _points_forward(versions, line) >= 0 else len(line) - 1
    for at in range(1, len(line) - 1):
        if all(way == -1 for way in direct[:at]) and all(way == 1 for way in direct[at:]):
            first = at
    links = [(line[at], line[at + 1]) for at in range(first, len(line) - 1)]
    links += [(line[at], line[at - 1]) for at in range(first, 0, -1)]
    parents = {version: source for source, version in links}
    order = _in_time(versions, parents)
    return Lineage(tuple(order), _links(versions, order, parents), "line")


def _direct(versions: Versions, a: int, b: int) -> int:
    """Return 1 where the strongest clue that speaks of two texts alone says that a came first."""
    speaking = [clue for clue in versions.clues(a, b) if clue.code in DIRECT]
    return 1 - 2 * speaking[0].first if speaking else 0


def _distances(versions: Versions) -> F64:
    """Return how many words only one of two versions has, (n, n).

    Lines that are written differently add a little, which parts versions of the same words.
    """
    n = len(versions)
    lengths = [len(reading) for reading in versions.readings]
    distance = np.add.outer(lengths, lengths).astype(float)
    np.fill_diagonal(distance, 0.0)
    for (a, b), overlap in versions.overlaps.items():
        lines = len(versions.readings[a].lines ^ versions.readings[b].lines)
        distance[a, b] = distance[b, a] = overlap.only_a + overlap.only_b + WRITTEN * lines
    assert distance.shape == (n, n)
    return distance


def _points_forward(versions: Versions, line: Sequence[int]) -> int:
    """Return for how many more pairs the strongest kind of clue that decides points forward."""
    votes: dict[str, int] = {}
    for at, a in enumerate(line):
        for b in line[at + 1 :]:
            for clue in versions.clues(a, b):
                votes[clue.code] = votes.get(clue.code, 0) + 1 - 2 * clue.first
    for code in ORDER:
        if votes.get(code):
            return votes[code]
    return len(versions.readings[line[0]]) - len(versions.readings[line[-1]])


def _links(
    versions: Versions, order: Sequence[int], parents: Mapping[int, int]
) -> tuple[Link, ...]:
    return tuple(_link(versions, parents[at], at) for at in order if at in parents)


# --------------------------------------------------------------------------- a tree
def _cost(versions: Versions, source: int, version: int) -> float:
    """Return how unlikely a version is to be from a source: what is new, and some of what is gone.

    Where no date says which came first, both ways cost the same but for the tilt of a clue, and
    for length: without any clue the longest version is taken for the source.
    """
    gone, new = versions.only(source, version)
    if versions.dated(source, version) > 0:
        return new + DROPPED * gone
    both = (1 + DROPPED) / 2 * (new + gone)
    lengths = [len(versions.readings[row]) for row in (source, version)]
    by_length = 1e-6 * (lengths[1] - lengths[0]) / max(*lengths, 1)
    return both * (1 - TILT * versions.direction(source, version)) + by_length


def _arborescence(versions: Versions) -> dict[int, int]:
    """Return the most likely source of every version that has one."""
    graph: nx.DiGraph = nx.DiGraph()
    for version in range(len(versions)):
        graph.add_edge(_NOTHING, version, weight=4.0)  # dearer than any source
    for a, b in versions.linked:
        for source, version in ((a, b), (b, a)):
            if versions.dated(source, version) >= 0:
                graph.add_edge(source, version, weight=1.0 + _cost(versions, source, version))
    while True:
        best = nx.minimum_spanning_arborescence(graph)
        impossible = _against_time(versions, best)
        if impossible is None:
            return {version: source for source, version in best.edges if source != _NOTHING}
        graph.remove_edge(*impossible)


def _against_time(versions: Versions, tree: nx.DiGraph) -> Ends | None:
    """Return a link to a version that is older than what its source goes back to, if any."""
    oldest: dict[int, int] = {}  # the nearest version with a date on the way to each
    for source, version in nx.bfs_edges(tree, _NOTHING):
        held = oldest.get(source, _NOTHING)
        if held != _NOTHING and versions.dated(held, version) < 0:
            return source, version
        oldest[version] = version if versions.readings[version].moment is not None else held
    return None


def _link(versions: Versions, source: int, version: int) -> Link:
    _, new = versions.only(source, version)
    reasons = tuple(clue for clue in versions.clues(source, version) if clue.first == 0)
    by_date = versions.dated(source, version) > 0
    if by_date:
        reasons = (Clue("date", 0), *(clue for clue in reasons if clue.code == "named"))
    decided = by_date or (versions.direction(source, version) > 0 and reasons[0].code not in WEAK)
    cost = _cost(versions, source, version)
    rivals = [
        other
        for other in range(len(versions))
        if other not in (source, version)
        and (min(other, version), max(other, version)) in versions.linked
        and versions.dated(other, version) >= (1 if by_date else 0)
        and _cost(versions, other, version) <= cost + EQUAL
    ]
    return Link(source, version, 1.0 - new, bool(decided and not (by_date and rivals)), reasons)


def _in_time(versions: Versions, parents: Mapping[int, int]) -> list[int]:
    """Order versions by date; one without a date follows its source, the nearest first.

    Without a source, it begins before the versions that are from it.
    """
    tree = nx.DiGraph([(source, version) for version, source in parents.items()])
    tree.add_nodes_from(range(len(versions)))
    start: dict[int, float] = {}
    steps: dict[int, float] = {}
    for version in nx.topological_sort(tree):
        moment, source = versions.readings[version].moment, parents.get(version)
        dated = moment.start.timestamp() if moment is not None else None
        if source is None:
            start[version], steps[version] = (float("-inf") if dated is None else dated), 0.0
            continue
        start[version] = start[source] if dated is None else max(dated, start[source])
        near = 1e-9 + sum(versions.only(source, version))
        late = dated is not None and dated > start[source]
        steps[version] = 0.0 if late else steps[source] + near
    return sorted(range(len(versions)), key=lambda row: (start[row], steps[row], row))


def shortest_line(distance: F64) -> list[int]:
    """Return the points in the order of a short way through all of them, either way round.

    Parameters
    ----------
    distance
        (n, n), symmetric.

    Notes
    -----
    The shortest of all ways up to `MOST_EXACT` points (Held and Karp 1962), O(2**n n**2); for
    more, the nearest point next from every start, made better by turning parts round.
    """
    n = len(distance)
    if n <= 2:
        return list(range(n))
    return _exact(distance) if n <= MOST_EXACT else _improved(distance)


def _exact(distance: F64) -> list[int]:
    n = len(distance)
    sets = 1 << n
    least = np.full((sets, n), np.inf)
    before = np.full((sets, n), -1, np.int64)
    least[1 << np.arange(n), np.arange(n)] = 0.0
    for chosen in range(1, sets):
        if chosen & (chosen - 1) == 0:
            continue
        for last in range(n):
            rest = chosen & ~(1 << last)
            if chosen >> last & 1:
                ways = least[rest] + distance[:, last]
                before[chosen, last] = int(np.argmin(ways))
                least[chosen, last] = float(ways[before[chosen, last]])
    chosen, last = sets - 1, int(np.argmin(least[-1]))
    line = [last]
    while before[chosen, last] >= 0:
        chosen, last = chosen & ~(1 << last), int(before[chosen, last])
        line.append(last)
    return line


def _improved(distance: F64) -> list[int]:
    ways = [_turned(distance, _nearest(distance, start)) for start in range(len(distance))]
    return min(ways, key=lambda way: _length(distance, way))


def _nearest(distance: F64, start: int) -> list[int]:
    line, left = [start], set(range(len(distance))) - {start}
    while left:
        near = min(left, key=lambda point: (distance[line[-1], point], point))
        line.append(near)
        left.discard(near)
    return line


def _turned(distance: F64, line: list[int]) -> list[int]:
    """Turn parts round for as long as that makes the way shorter."""
    better = True
    while better:
        better = False
        for low in range(len(line) - 1):
            for high in range(low + 2, len(line) + 1):
                turned = [*line[:low], *line[low:high][::-1], *line[high:]]
                if _length(distance, turned) < _length(distance, line) - 1e-9:
                    line, better = turned, True
    return line


def _length(distance: F64, line: list[int]) -> float:
    return float(distance[line[:-1], line[1:]].sum())
