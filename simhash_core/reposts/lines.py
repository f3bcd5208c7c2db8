"""The shortest way through all points: revisions of one text on a line."""

from __future__ import annotations

import numpy as np

from ..model import F64

MOST_EXACT = 12  # points; the exact way takes 2**n n**2 steps


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
