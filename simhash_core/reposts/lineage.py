"""The order of versions and where each one is from: by dates, by the words, and by both.

Revisions of one text lie on a line, the shortest way through all of them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from graphlib import TopologicalSorter
from itertools import pairwise

import numpy as np

from ..graphs import least_arborescence, spanning_tree, walk_tree
from ..model import F64
from ..storage.library import ADDED_KEY
from .clues import Clue, clues
from .dates import Moment
from .direction import Direction, direction
from .reading import RUN, Overlap, Reading, overlap_between
from .witnesses import (
    FAIR,
    FEWEST_KINDS,
    SPEAKS,
    SPEAKS_UP,
    Witness,
    find_doubted,
    find_to_check,
    level_of,
    order_by_dates,
    rate_by_words,
)

#: of a version: what was dropped costs so much of what is new, since cutting is easy
DROPPED = 0.25
#: words that are sure make their direction so much cheaper, and the other one dearer
TILT = 0.2
#: one line of revisions is believed where it is at most so much longer than the best tree
LINE = 1.15
#: words: a line that differs in any mark
WRITTEN = 0.1
#: two sources whose costs differ by less are equally likely
EQUAL = 0.02
#: log-odds from which words alone, or against a date, decide the direction of a link
DECIDES = math.log(FAIR / (1 - FAIR))
CONTRADICTS = 1.0
#: likelihood that the words leave to the first version of dates that the library bears out
NOT_AGAINST = 0.2

Ends = tuple[int, int]
_NOTHING = -1  # the source of a version that has none
_STRANGE = 4.0  # cost of a version without a source; dearer than any
_UNLIKELY = 8.0  # of a version without a source that is not the first

MOST_EXACT = 12  # points; the exact way takes 2**n n**2 steps


@dataclass(frozen=True, slots=True)
class Link:
    """A version and the most likely source of what it shares.

    `share` is that of the words of the version which the source has too. `certain` is False where
    another version explains it as well, or neither dates nor words say which of both came first.
    `kind` is `source`, `further` for one more source of a version, or `translation` for a text in
    the other language that it may be a translation of.
    """

    source: int
    version: int
    share: float
    certain: bool
    reasons: tuple[Clue, ...]  # `first` of each is 0: the source came first; `date` with dates
    kind: str = "source"

    def placed(self, places: Sequence[int]) -> Link:
        """Return the link with the place of each version in another list."""
        return replace(self, source=places[self.source], version=places[self.version])


@dataclass(frozen=True, slots=True)
class Lineage:
    """Rows of versions in the order in which they most likely appeared, and their links.

    `basis` is `dates` where every date is known and believed and none is shared by chance, `line`
    where the texts lie on one line of revisions, else `texts`. `words` and `dates` are the orders
    of both witnesses; with `conflict` they name two versions first, and `check` is the one whose
    date is to be looked at. `first` is the version that is named first, which then begins the
    order; None where that is open. `certain`: two witnesses agree on it.
    """

    order: tuple[int, ...]
    links: tuple[Link, ...]  # at most one a version
    basis: str
    words: Witness
    dates: Witness
    conflict: bool = False
    check: int | None = None
    first: int | None = None
    certain: bool = False

    def placed(self, places: Sequence[int]) -> Lineage:
        """Return the history with the place of each version in another list."""
        return replace(
            self,
            order=tuple(places[at] for at in self.order),
            links=tuple(link.placed(places) for link in self.links),
            words=self.words.placed(places),
            dates=self.dates.placed(places),
            check=None if self.check is None else places[self.check],
            first=None if self.first is None else places[self.first],
        )


class Versions:
    """Versions with everything that pairs of them say, computed once each.

    `moments` are the dates that are believed; `without` forgets some of them. `last` are versions
    without a date that came in after all others.
    """

    def __init__(
        self,
        readings: Sequence[Reading],
        overlaps: Mapping[Ends, Overlap],
        linked: Collection[Ends],
    ) -> None:
        self.readings = readings
        self.linked = linked
        self.overlaps = overlaps  # (a, b) with a < b
        self.moments: list[Moment | None] = [reading.moment for reading in readings]
        self.last: frozenset[int] = frozenset()
        self._directions: dict[Ends, Direction] = {}

    def __len__(self) -> int:
        return len(self.readings)

    def without(self, rows: Collection[int]) -> Versions:
        """Return the same versions, the dates of some not known."""
        other = Versions(self.readings, self.overlaps, self.linked)
        other._directions = self._directions
        other.moments = [None if row in rows else one for row, one in enumerate(self.moments)]
        other.last = self.last
        return other

    def dated(self, a: int, b: int) -> int:
        """Return 1 where a certainly came before b, -1 for the other way, 0 unknown."""
        if (a in self.last) != (b in self.last):
            return 1 if b in self.last else -1
        first, second = self.moments[a], self.moments[b]
        if first is None or second is None:
            return 0
        return 1 if first.before(second) else -1 if second.before(first) else 0

    def clues(self, a: int, b: int) -> tuple[Clue, ...]:
        """Return the clues of a pair; `first` is 0 where a came first."""
        ends = (min(a, b), max(a, b))
        overlap = self.overlaps.get(ends)
        if overlap is None:
            return ()
        clues_found = clues(self.readings[ends[0]], self.readings[ends[1]], overlap)
        if a < b:
            return tuple(clues_found)
        return tuple(Clue(clue.code, 1 - clue.first, clue.params) for clue in clues_found)

    def direction(self, a: int, b: int) -> Direction:
        """Return what the words say about which of two came first; dates play no part."""
        ends = (min(a, b), max(a, b))
        if ends not in self._directions:
            overlap = self.overlaps.get(ends)
            readings = self.readings[ends[0]], self.readings[ends[1]]
            nothing = Direction(0.0, {}, act=False)
            self._directions[ends] = direction(*readings, overlap) if overlap else nothing
        return self._directions[ends] if a < b else self._directions[ends].turned()

    def odds(self) -> F64:
        """Return the log-odds that the row came before the column, (n, n)."""
        n = len(self)
        odds = np.zeros((n, n))
        for a, b in self.overlaps:
            odds[a, b] = self.direction(a, b).log_odds
            odds[b, a] = -odds[a, b]
        return odds

    def only(self, a: int, b: int) -> tuple[float, float]:
        """Return which shares of a and of b the other does not have."""
        seen = overlap_between(self.overlaps, a, b)
        if seen is None:
            return 1.0, 1.0
        lengths = len(self.readings[a]), len(self.readings[b])
        return seen.only_a / max(lengths[0], 1), seen.only_b / max(lengths[1], 1)


def lineage(
    readings: Sequence[Reading],
    overlaps: Mapping[Ends, Overlap],
    linked: Collection[Ends] | None = None,
    asked: Collection[int] = (),
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
    asked
        Versions that were asked about, where others were known before. One without a date came in
        last, and words that put one before others are heard where they are fairly sure. One that
        is the earliest by a date that it alone claims stands last where the words leave that open,
        unless a person has looked at the dates and typed one.

    Notes
    -----
    The words say how likely each version is the first (`witnesses.rate_by_words`), the dates
    are weighed with where they are from (`witnesses.find_doubted`). A conflict is where others are
    dated before the version that the words name, unless that is little more than a guess.
    Revisions of one text lie on a line, the shortest way through all of them. Where the best
    tree is shorter, or dates are believed, each version gets the source with the least cost of
    a minimum spanning arborescence (Chu and Liu 1965, Edmonds 1967), from no later date.
    """
    versions = Versions(readings, overlaps, overlaps if linked is None else set(linked))
    n = len(versions)
    line = line_of(versions) if n > 1 else None
    likely = rate_by_words(versions.odds(), word_distances(versions), line) if n > 1 else np.ones(1)
    words = _by_words(versions, line, likely)
    versions.last = _find_last(words, versions, asked)
    heard = _limit_witness(words, versions, asked)
    dates = order_by_dates(versions.moments, versions.last)
    able = np.where([row in versions.last for row in range(n)], 0.0, likely)
    first, denied = find_doubted(heard, able, versions.moments)
    believed = versions.without(denied)
    earlier = any(
        heard.first is not None and versions.dated(at, heard.first) > 0 for at in range(n)
    )
    conflict = earlier and (heard.likelihood >= SPEAKS_UP or first == heard.first)
    named = dates.first if dates.level == "all" else None if earlier else heard.first
    seen = any(moment is not None and moment.source == "hand" for moment in versions.moments)
    bare = not conflict and not seen and heard.first != dates.first and len(asked) < n
    claim = dates.first if bare and _is_claim(versions, dates.first) else None
    if claim is not None:  # nothing bears it out
        believed.last |= {claim}
        named = None if named == claim else named
        first = max(set(range(n)) - believed.last, key=lambda row: (row == first, able[row], -row))
    dated = [believed.dated(a, b) for a in range(n) for b in range(a + 1, n)]
    on_line = line is not None and not any(dated)
    parents = _along(line, first) if line and on_line else _arborescence(believed, first)
    order = _in_time(believed, parents, first)
    received = [_received(reading) for reading in readings]
    return Lineage(
        tuple(order),
        tuple(_link(believed, parents[at], at) for at in order if at in parents),
        "line" if on_line else "dates" if all(dated) and not denied and claim is None else "texts",
        words,
        dates,
        conflict,
        find_to_check(words.order[0], dates.order[0], versions.moments, received)
        if conflict
        else None,
        None if conflict else named,
        not conflict and _agree(words, dates, order[0], likely, received),
    )


def _find_last(words: Witness, versions: Versions, asked: Collection[int]) -> frozenset[int]:
    """Return the versions that came in last: asked about, without a date, not fairly sure first."""
    undated = frozenset(row for row in asked if versions.moments[row] is None)
    older = words.order[0] in undated and words.level == "fair"
    return frozenset() if older or len(undated) == len(versions) else undated


def _limit_witness(words: Witness, versions: Versions, asked: Collection[int]) -> Witness:
    """Return what the words say; nothing where that is unsure, and against a text in question.

    Whoever offers a text as younger than others, or without a date, does not backdate it.
    """
    first = words.first
    later = any(versions.dated(row, first) > 0 for row in range(len(versions)) if first is not None)
    unsure = first in asked and later and words.level != "fair"
    return replace(words, level="open") if unsure else words


def _is_claim(versions: Versions, row: int | None) -> bool:
    """Return whether nobody but the text in question says when it appeared."""
    moment = versions.moments[row] if row is not None else None
    return moment is not None and moment.claimed


def _by_words(versions: Versions, line: Sequence[int] | None, likely: F64) -> Witness:
    """Return the order that the words tell, no date looked at."""
    first, n = int(np.argmax(likely)), len(versions)
    undated = versions.without(range(n))
    parents = _along(line, first) if line else _arborescence(undated, first)
    away = [versions.direction(first, row) for row in range(n) if row != first]
    unit = "characters" if versions.readings[first].k == RUN["characters"] else "words"
    level = level_of(float(likely[first]), away, min(map(len, versions.readings)), unit)
    return Witness(tuple(_in_time(undated, parents, first)), float(likely[first]), level)


def _agree(
    words: Witness, dates: Witness, first: int, likely: F64, received: Sequence[float]
) -> bool:
    """Return whether a second witness bears the dates out: the words, or when texts came in."""
    n = len(received)
    if dates.first != first or len(dates.order) < n:
        return False
    if words.first == first and words.level == "fair":
        return True
    came_first = all(received) and received[first] < min(
        received[row] for row in range(n) if row != first
    )
    return bool(came_first and likely[first] >= NOT_AGAINST)


def _received(reading: Reading) -> float:
    """Return when the library received a text, in seconds since 1970; 0 where it did not."""
    try:
        return float(reading.document.meta.get(ADDED_KEY, 0.0))
    except ValueError:
        return 0.0


# --------------------------------------------------------------------------- one line
def line_of(versions: Versions) -> list[int] | None:
    """Return the versions as one line of revisions, oldest first; None where a tree is better."""
    distance = word_distances(versions)
    line = shortest_line(distance)
    least = sum(distance[ends] for ends in spanning_tree(distance))
    length = sum(distance[a, b] for a, b in pairwise(line))
    linked = all((min(ends), max(ends)) in versions.linked for ends in pairwise(line))
    return line if linked and length <= LINE * least else None


def _along(line: Sequence[int], first: int) -> dict[int, int]:
    """Return the source of every version but the first along a line, from it to both ends."""
    at = list(line).index(first)
    forward = {line[to]: line[to - 1] for to in range(at + 1, len(line))}
    return forward | {line[to]: line[to + 1] for to in range(at - 1, -1, -1)}


def word_distances(versions: Versions) -> F64:
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


# --------------------------------------------------------------------------- a tree
def _cost(versions: Versions, source: int, version: int) -> float:
    """Return how unlikely a version is to be from a source: what is new, and some of what is gone.

    Where no date says which came first, both ways cost the same but for what the words say.
    """
    gone, new = versions.only(source, version)
    if versions.dated(source, version) > 0:
        return new + DROPPED * gone
    both = (1 + DROPPED) / 2 * (new + gone)
    return both * (1 - TILT * math.tanh(versions.direction(source, version).log_odds / 2))


def _arborescence(versions: Versions, first: int) -> dict[int, int]:
    """Return the most likely source of every version that has one; the first has none."""
    links = [
        (_NOTHING, version, _STRANGE if version == first else _UNLIKELY)
        for version in range(len(versions))
    ]
    for a, b in versions.linked:
        for source, version in ((a, b), (b, a)):
            if version != first and versions.dated(source, version) >= 0:
                links.append((source, version, 1.0 + _cost(versions, source, version)))
    while True:
        tree = [links[place][:2] for place in least_arborescence(links, _NOTHING)]
        impossible = _against_time(versions, tree)
        if impossible is None:
            return {version: source for source, version in tree if source != _NOTHING}
        links = [link for link in links if link[:2] != impossible]


def _against_time(versions: Versions, tree: Sequence[Ends]) -> Ends | None:
    """Return a link to a version that is older than what its source goes back to, if any."""
    oldest: dict[int, int] = {}  # the nearest version with a date on the way to each
    for source, version in walk_tree(tree, _NOTHING):
        held = oldest.get(source, _NOTHING)
        if held != _NOTHING and versions.dated(held, version) < 0:
            return source, version
        oldest[version] = version if versions.moments[version] is not None else held
    return None


def _link(versions: Versions, source: int, version: int) -> Link:
    _, new = versions.only(source, version)
    reasons = tuple(clue for clue in versions.clues(source, version) if clue.first == 0)
    by_date = versions.dated(source, version) > 0
    if by_date:
        code = "asked" if version in versions.last else "date"
        reasons = (Clue(code, 0), *(clue for clue in reasons if clue.code == "named"))
    words = versions.direction(source, version)
    speaking = sum(part >= SPEAKS for part in words.kinds.values())
    sure = words.log_odds >= DECIDES and speaking >= FEWEST_KINDS and not words.act
    decided = words.log_odds > -CONTRADICTS if by_date else sure
    cost = _cost(versions, source, version)
    rivals = [
        other
        for other in range(len(versions))
        if other not in (source, version)
        and (min(other, version), max(other, version)) in versions.linked
        and versions.dated(other, version) >= (1 if by_date else 0)
        and _cost(versions, other, version) <= cost + EQUAL
    ]
    claim = _is_claim(versions, source) or (version in versions.last and versions.moments[version])
    certain = decided and not (by_date and rivals) and not claim
    return Link(source, version, 1.0 - new, bool(certain), reasons)


def _in_time(versions: Versions, parents: Mapping[int, int], first: int) -> list[int]:
    """Order versions by date, behind the first; one without a date follows its source.

    The nearest comes first; without a source, it begins before the versions that are from it.
    """
    order = TopologicalSorter({version: [source] for version, source in parents.items()})
    for version in range(len(versions)):
        order.add(version)
    start: dict[int, float] = {}
    steps: dict[int, float] = {}
    for version in order.static_order():
        moment, source = versions.moments[version], parents.get(version)
        dated = moment.start.timestamp() if moment is not None else None
        dated = float("inf") if version in versions.last else dated
        if source is None:
            start[version], steps[version] = (float("-inf") if dated is None else dated), 0.0
            continue
        start[version] = start[source] if dated is None else max(dated, start[source])
        near = 1e-9 + sum(versions.only(source, version))
        late = dated is not None and dated > start[source]
        steps[version] = 0.0 if late else steps[source] + near
    return sorted(range(len(versions)), key=lambda row: (row != first, start[row], steps[row], row))


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
    if n <= MOST_EXACT:
        return _exact(distance)
    ways = [_reverse_parts(distance, _nearest(distance, start)) for start in range(n)]
    return min(ways, key=lambda way: float(distance[way[:-1], way[1:]].sum()))


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


def _nearest(distance: F64, start: int) -> list[int]:
    line, left = [start], set(range(len(distance))) - {start}
    while left:
        near = min(left, key=lambda point: (distance[line[-1], point], point))
        line.append(near)
        left.discard(near)
    return line


def _reverse_parts(distance: F64, line: list[int]) -> list[int]:
    """Turn parts round for as long as that makes the way shorter; two steps of it change."""
    n, better = len(line), True
    while better:
        better = False
        for low in range(n - 1):
            for high in range(low + 2, n + 1):
                gained = 0.0
                if low > 0:
                    gained += distance[line[low - 1], line[low]]
                    gained -= distance[line[low - 1], line[high - 1]]
                if high < n:
                    gained += distance[line[high - 1], line[high]]
                    gained -= distance[line[low], line[high]]
                if gained > 1e-9:
                    line, better = [*line[:low], *line[low:high][::-1], *line[high:]], True
    return line
