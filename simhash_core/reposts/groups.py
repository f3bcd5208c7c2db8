"""Versions of one text among the documents of a check, with their history."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import networkx as nx
import numpy as np

from ..model import PASSAGE_KINDS, Bools
from ..policy import PASSAGE_LINK, REPOST_WORDS
from ..result import CheckResult, could_be_formula
from .changes import Changes, changes_between
from .clues import Clue
from .dates import Moment
from .lineage import Ends, Lineage, Link, lineage
from .reading import Head, Overlap, Reading, overlap_of, read_versions
from .witnesses import Witness

#: versions of which every two are compared word by word; of more, each with its closest partners
MOST_COMPARED, PARTNERS = 60, 20
#: a further source must give a version at least so much that its main source does not have
FURTHER_SHARE, FURTHER_WORDS = 0.1, 30


@dataclass(frozen=True, slots=True)
class Version:
    """One version. Rows are documents of the result."""

    row: int
    moment: Moment | None
    head: Head
    words: int
    link: Link | None  # to its most likely source; rows of the result
    of_first: float  # share of its words that the first version has too
    from_first: float  # share of the words of the first version that it has
    changes: Changes | None  # against the first version; None for that itself


@dataclass(frozen=True, slots=True)
class Group:
    """Versions that go back to one text, in the order in which they most likely appeared.

    `versions[0]` is the likely original among these texts; `reasons` say why it stands first.
    `words` and `dates` are the orders that both witnesses tell, as rows of the result; with
    `conflict` they name two versions first, and `check` is the one whose date is to be looked at.
    `certain` is True only where a second witness bears the dates out. `further` links versions
    to texts of other groups that they took passages from as well.
    """

    versions: tuple[Version, ...]
    links: tuple[Link, ...]
    further: tuple[Link, ...]
    basis: str  # of the order, as in `Lineage`
    reasons: tuple[Clue, ...]
    certain: bool
    words: Witness
    dates: Witness
    conflict: bool
    check: int | None

    @property
    def original(self) -> int:
        """Row of the likely original."""
        return self.versions[0].row

    @property
    def rows(self) -> tuple[int, ...]:
        """Rows of the versions, first ones first."""
        return tuple(version.row for version in self.versions)


def repost_groups(result: CheckResult) -> list[Group]:
    """Sort the documents of a check into groups that go back to one text each.

    Parameters
    ----------
    result
        Of a check in which all documents were compared with each other.

    Returns
    -------
    list of Group
        Of at least two versions; most versions first. A text that took passages from several
        others is in the group of the one that gave it most, and among `further` of the rest.

    Notes
    -----
    Documents belong together where they share enough (`reused`).
    Cost: O(w log w) for each pair with such a passage; w words.
    """
    groups: list[Group] = []
    for rows, ends in _components(result):
        readings = read_versions([result.documents[row] for row in rows])
        n = len(rows)
        compared = ends if n > MOST_COMPARED else combinations(range(n), 2)
        overlaps = {(a, b): overlap_of(readings[a], readings[b]) for a, b in compared}
        groups += _groups_of(rows, readings, overlaps, ends)
    return sorted(groups, key=lambda group: (-len(group.versions), group.original))


def reused(result: CheckResult) -> Bools:
    """Return which rows of the pair table share enough text to be versions, bool (m,).

    Passages of `REPOST_WORDS` words in all, or as much of one text as links two documents; no
    summaries, and nothing that could be a formula of the batch.
    """
    table, passages = result.table, result.passages
    counted = ~passages.weak & (passages.kind != PASSAGE_KINDS.index("summary"))
    words = np.zeros(len(table), np.int64)
    np.add.at(
        words, passages.pair[counted], np.minimum(passages.words_a, passages.words_b)[counted]
    )
    alike = np.fmax(table.coverage_a, table.coverage_b) >= PASSAGE_LINK
    enough = (words >= REPOST_WORDS) | (alike & (words > 0))
    return np.asarray(enough & ~could_be_formula(result))


def _components(result: CheckResult) -> list[tuple[list[int], list[Ends]]]:
    """Return the connected documents, and their pairs as places in that list, a < b."""
    table = result.table
    whole = np.fmax(table.coverage_a, table.coverage_b)
    graph: nx.Graph = nx.Graph()
    for row in np.flatnonzero(reused(result)).tolist():
        ends = int(table.pairs.left[row]), int(table.pairs.right[row])
        graph.add_edge(*ends, share=float(whole[row]))
    components = []
    for members in nx.connected_components(graph):
        rows = sorted(members)
        part = graph.subgraph(rows)
        place = {row: at for at, row in enumerate(rows)}
        edges = part.edges if len(rows) <= MOST_COMPARED else _closest(part)
        linked = {(min(place[a], place[b]), max(place[a], place[b])) for a, b in edges}
        components.append((rows, sorted(linked)))
    return components


def _closest(graph: nx.Graph) -> Iterable[Ends]:
    """Return the links of every document with the partners that share most."""
    for row in graph:
        partners = sorted(graph[row], key=lambda other: -graph[row][other]["share"])
        for other in partners[:PARTNERS]:
            yield row, other


def _groups_of(
    rows: Sequence[int],
    readings: Sequence[Reading],
    overlaps: dict[Ends, Overlap],
    linked: Sequence[Ends],
) -> list[Group]:
    """Return the groups of one component: one for each version without a source."""
    history = lineage(readings, overlaps, linked)
    first: dict[int, int] = {}
    source = {link.version: link.source for link in history.links}
    for version in history.order:
        at = version
        while at in source:
            at = source[at]
        first[version] = at
    groups = []
    for original in dict.fromkeys(first[version] for version in history.order):
        order = [version for version in history.order if first[version] == original]
        further = _further(readings, overlaps, history, first, original)
        if len(order) + len(further) > 1:
            groups.append(_group(rows, readings, overlaps, history, order, further))
    return groups


def _group(
    rows: Sequence[int],
    readings: Sequence[Reading],
    overlaps: dict[Ends, Overlap],
    history: Lineage,
    order: Sequence[int],
    further: Sequence[Link],
) -> Group:
    links = {link.version: link for link in history.links if link.version in order}
    turned = {version: _turned(link, rows) for version, link in links.items()}
    versions = []
    for at in order:
        overlap = _overlap(overlaps, order[0], at)
        changes = None
        if at != order[0] and overlap is not None:
            changes = changes_between(readings[order[0]], readings[at], overlap)
        reading = readings[at]
        versions.append(
            Version(
                row=rows[at],
                moment=reading.moment,
                head=reading.head,
                words=len(reading),
                link=turned.get(at),
                of_first=float(overlap.shared_b.mean()) if overlap and len(reading) else 0.0,
                from_first=float(overlap.shared_a.mean()) if overlap else 0.0,
                changes=changes,
            )
        )
    whole = len(order) == len(readings)
    return Group(
        tuple(versions),
        tuple(turned[at] for at in order if at in turned),
        tuple(_turned(link, rows) for link in further),
        history.basis,
        _why(readings, history, order),
        history.certain and whole,
        _witness(history.words, rows, order),
        _witness(history.dates, rows, order),
        history.conflict and whole,
        rows[history.check] if history.check is not None and whole else None,
    )


def _turned(link: Link, rows: Sequence[int]) -> Link:
    """Return a link with rows of the result in place of places in a component."""
    return Link(rows[link.source], rows[link.version], link.share, link.certain, link.reasons)


def _overlap(overlaps: dict[Ends, Overlap], first: int, other: int) -> Overlap | None:
    overlap = overlaps.get((min(first, other), max(first, other)))
    if overlap is None or first < other:
        return overlap
    return overlap.turned()


def _witness(witness: Witness, rows: Sequence[int], order: Sequence[int]) -> Witness:
    """Return what a witness says of the versions of one group, with rows of the result."""
    order_of_rows = tuple(rows[at] for at in witness.order if at in order)
    return replace(witness, order=order_of_rows)


def _why(readings: Sequence[Reading], history: Lineage, order: Sequence[int]) -> tuple[Clue, ...]:
    """Return why the first version stands first."""
    of_links = [link for link in history.links if link.source == order[0]]
    reasons: dict[str, Clue] = {}
    first = readings[order[0]].moment
    if history.dates.first == order[0] and first is not None:
        reasons["date"] = Clue("date", 0, {"date": first.shown})
    for link in of_links:
        for clue in link.reasons:
            reasons.setdefault(clue.code, clue)
    return tuple(reasons.values())


def _further(
    readings: Sequence[Reading],
    overlaps: dict[Ends, Overlap],
    history: Lineage,
    first: dict[int, int],
    original: int,
) -> list[Link]:
    """Return the versions of other groups that have passages of this original as well."""
    source = {link.version: link.source for link in history.links}
    links = []
    for version in history.order:
        overlap = _overlap(overlaps, original, version)
        if first[version] == original or overlap is None:
            continue
        new = overlap.shared_b.copy()
        main = _overlap(overlaps, source[version], version) if version in source else None
        if main is not None:
            new &= ~main.shared_b
        moments = readings[original].moment, readings[version].moment
        earlier = not (moments[0] and moments[1]) or not moments[1].before(moments[0])
        if earlier and new.sum() >= max(FURTHER_WORDS, FURTHER_SHARE * len(new)):
            links.append(Link(original, version, float(overlap.shared_b.mean()), False, ()))
    return links
