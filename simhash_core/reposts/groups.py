"""Versions of one text among the documents of a check, with their history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import networkx as nx
import numpy as np

from ..model import PASSAGE_KINDS, Bools
from ..policy import (
    CHANCE_MARKED,
    FURTHER_SHARE,
    FURTHER_WORDS,
    PASSAGE_LINK,
    REPOST_WORDS,
)
from ..result import CheckResult, could_be_formula
from .changes import Changes, changes_between
from .clues import Clue
from .dates import Moment
from .lineage import Ends, Lineage, Link, lineage
from .reading import Head, Overlap, Reading, overlap_of, read_versions
from .witnesses import Witness

#: versions of which every two are compared word by word; of more, each with its closest partners
MOST_COMPARED, PARTNERS = 60, 20


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
class Shared:
    """Two versions, as rows of the result, and the share of the words of each that the other has.

    Words in runs that the other has anywhere (`reading.overlap_of`), as in every share of a group.
    """

    a: int
    b: int
    of_a: float
    of_b: float


@dataclass(frozen=True, slots=True)
class Group:
    """Versions that go back to one text, in the order in which they most likely appeared.

    `versions[0]` is the likely original among these texts. `first` is its row where it is named
    first, and `reasons` say why; None where that is open. `words` and `dates` are the orders that
    both witnesses tell, as rows of the result; with `conflict` they name two versions first, and
    `check` is the one whose date is to be looked at. `certain` is True only where a second witness
    bears the dates out. `further` links versions to texts of other groups that they took passages
    from as well.
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
    first: int | None
    shares: tuple[Shared, ...]  # of versions that have any words in common

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


def worth_reading(result: CheckResult) -> Bools:
    """Return which rows of the pair table link a text to a reference worth looking at, bool (m,).

    Notes
    -----
    Of the references that share enough (`reused`) those are folded whose share chance could give
    (`CHANCE_MARKED`) and which add nothing: all but `FURTHER_WORDS` words, or `FURTHER_SHARE` of
    the text, of what they share stand in a likelier source too. A text that shares enough with
    anything is always linked to the likeliest, and one that is near by its fingerprint is never
    folded.
    """
    table = result.table
    begin = result.checked
    crossing = (table.pairs.left < begin) & (table.pairs.right >= begin)
    rows = np.flatnonzero(reused(result) & crossing)
    near = table.within(result.threshold, result.batch_threshold)
    doubtful = (table.chance > CHANCE_MARKED) & ~near
    chosen = np.zeros(len(table), np.bool_)
    explained: dict[int, Bools] = {}
    spans = _spans(result)
    for row in rows[np.argsort(-table.coverage_a[rows], kind="stable")].tolist():
        asked = int(table.pairs.left[row])
        length = len(result.documents[asked].text)
        held = explained.setdefault(asked, np.zeros(length, np.bool_))
        covered, words = np.zeros(length, np.bool_), 0
        for start, end, n in spans[row]:
            covered[start:end] = True
            words += n
        new = int((covered & ~held).sum())
        adds = new * words >= FURTHER_WORDS * int(covered.sum()) and new >= FURTHER_SHARE * length
        if adds or not doubtful[row]:
            chosen[row] = True
            held |= covered
    return chosen


def _spans(result: CheckResult) -> Mapping[int, list[tuple[int, int, int]]]:
    """Return what the passages of each pair cover of its first text, and their words."""
    passages = result.passages
    counted = ~passages.weak & (passages.kind != PASSAGE_KINDS.index("summary"))
    columns = (passages.pair, passages.a_start, passages.a_end, passages.words_a)
    spans: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for pair, *span in zip(*(column[counted].tolist() for column in columns), strict=True):
        spans[pair].append((span[0], span[1], span[2]))
    return spans


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
    overlaps: Mapping[Ends, Overlap],
    linked: Collection[Ends],
) -> list[Group]:
    """Return the groups of one component: one for each version without a source."""
    trees = _trees(readings, overlaps, linked)
    source = {link.version: link.source for tree in trees for link in tree.links}
    order = [at for tree in trees for at in tree.order]
    groups = []
    for tree in trees:
        others = [at for at in order if at not in tree.order]
        further = _further(readings, overlaps, source, tree.order[0], others)
        if len(tree.order) + len(further) > 1:
            groups.append(_group(rows, readings, overlaps, tree, further))
    return groups


def _trees(
    readings: Sequence[Reading], overlaps: Mapping[Ends, Overlap], linked: Collection[Ends]
) -> list[Lineage]:
    """Return a history for each version without a source, of those that go back to it.

    What the witnesses say of several originals at once is true of none: each is heard alone.
    """
    whole = lineage(readings, overlaps, linked)
    source = {link.version: link.source for link in whole.links}
    parts: dict[int, list[int]] = {}
    for version in whole.order:
        at = version
        while at in source:
            at = source[at]
        parts.setdefault(at, []).append(version)
    if len(parts) == 1:
        return [whole]
    return [tree for part in parts.values() for tree in _trees_of(part, readings, overlaps, linked)]


def _trees_of(
    part: Sequence[int],
    readings: Sequence[Reading],
    overlaps: Mapping[Ends, Overlap],
    linked: Collection[Ends],
) -> list[Lineage]:
    """Return the histories of some versions, with their places among all."""
    places = sorted(part)
    at = {place: new for new, place in enumerate(places)}
    inside = {ends: (at[ends[0]], at[ends[1]]) for ends in overlaps if at.keys() >= set(ends)}
    trees = _trees(
        [readings[place] for place in places],
        {new: overlaps[ends] for ends, new in inside.items()},
        {inside[ends] for ends in linked if ends in inside},
    )
    return [tree.placed(places) for tree in trees]


def _group(
    rows: Sequence[int],
    readings: Sequence[Reading],
    overlaps: Mapping[Ends, Overlap],
    tree: Lineage,
    further: Sequence[Link],
) -> Group:
    why = _why(readings, tree)
    history, first = tree.placed(rows), tree.order[0]
    links = {link.version: link for link in history.links}
    versions = []
    for at in tree.order:
        overlap = _overlap(overlaps, first, at)
        changes = None
        if at != first and overlap is not None:
            changes = changes_between(readings[first], readings[at], overlap)
        reading = readings[at]
        versions.append(
            Version(
                row=rows[at],
                moment=reading.moment,
                head=reading.head,
                words=len(reading),
                link=links.get(rows[at]),
                of_first=float(overlap.shared_b.mean()) if overlap and len(reading) else 0.0,
                from_first=float(overlap.shared_a.mean()) if overlap else 0.0,
                changes=changes,
            )
        )
    return Group(
        tuple(versions),
        history.links,
        tuple(link.placed(rows) for link in further),
        history.basis,
        why,
        history.certain,
        history.words,
        history.dates,
        history.conflict,
        history.check,
        history.first,
        tuple(_shares(rows, overlaps, set(tree.order))),
    )


def _shares(
    rows: Sequence[int], overlaps: Mapping[Ends, Overlap], inside: Collection[int]
) -> Iterator[Shared]:
    for (a, b), overlap in sorted(overlaps.items()):
        if a in inside and b in inside and overlap.shared_a.any():
            shares = float(overlap.shared_a.mean()), float(overlap.shared_b.mean())
            yield Shared(rows[a], rows[b], *shares)


def _overlap(overlaps: Mapping[Ends, Overlap], first: int, other: int) -> Overlap | None:
    overlap = overlaps.get((min(first, other), max(first, other)))
    if overlap is None or first < other:
        return overlap
    return overlap.turned()


def _why(readings: Sequence[Reading], tree: Lineage) -> tuple[Clue, ...]:
    """Return why the first version stands first."""
    original, reasons = tree.order[0], dict[str, Clue]()
    first = readings[original].moment
    if tree.dates.first == original and first is not None:
        reasons["date"] = Clue("date", 0, {"date": first.shown})
    for link in tree.links:
        if link.source == original:
            for clue in link.reasons:
                reasons.setdefault(clue.code, clue)
    return tuple(reasons.values())


def _further(
    readings: Sequence[Reading],
    overlaps: Mapping[Ends, Overlap],
    source: Mapping[int, int],
    original: int,
    others: Sequence[int],
) -> list[Link]:
    """Return the versions of other groups that have passages of this original as well."""
    links = []
    for version in others:
        overlap = _overlap(overlaps, original, version)
        if overlap is None:
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
