"""Versions of one text among the documents of a check, with their history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..graphs import component_labels
from ..model import F64, PASSAGE_KINDS, Bools
from ..policy import CHANCE_MARKED, FURTHER_SHARE, FURTHER_WORDS, PASSAGE_LINK, REPOST_WORDS
from ..result import CheckResult, could_be_formula, meanings_shown
from ..storage.library import ADDED_KEY
from .changes import Changes, changes_between
from .clues import Clue
from .dates import Moment, moment_in_head, moment_of
from .lineage import Ends, Lineage, Link, lineage
from .reading import Head, Overlap, Reading, overlap_between, overlap_of, read_versions
from .witnesses import Witness

#: versions of which every two are compared word by word; of more, each with its closest partners
MOST_COMPARED, PARTNERS = 60, 20


@dataclass(frozen=True, slots=True)
class Version:
    """One version. Rows are documents of the result.

    `changes` are told against the text of the row `compared`: the first version, of a text in
    question the one that it is nearest to; both None where there is no such text. `of_compared` is
    the share of its words that this text has too, `from_compared` of the words of that.
    """

    row: int
    moment: Moment | None
    head: Head
    words: int
    link: Link | None = None  # to its most likely source; rows of the result
    of_first: float = 0.0  # share of its words that the first version has too
    from_first: float = 0.0  # share of the words of the first version that it has
    changes: Changes | None = None
    compared: int | None = None
    of_compared: float = 0.0
    from_compared: float = 0.0


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
    bears the dates out. `others` are texts that are no versions, linked by `further`: from those a
    version has other passages, or it may be a translation of them.
    """

    versions: tuple[Version, ...]
    links: tuple[Link, ...]
    further: tuple[Link, ...]
    others: tuple[Version, ...]
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

    @property
    def every_row(self) -> tuple[int, ...]:
        """Rows of the versions and of the texts that they are linked to."""
        return (*self.rows, *(one.row for one in self.others))

    def further_of(self, row: int) -> list[Link]:
        """Return the links of a version to texts that are no versions, the largest share first."""
        return [link for link in self.further if link.version == row]


def repost_groups(result: CheckResult, asked: int = 0) -> list[Group]:
    """Sort the documents of a check into groups that go back to one text each.

    Parameters
    ----------
    result
        Of a check in which all documents were compared with each other.
    asked
        So many first documents are in question, all others were known; 0: all were given alike.

    Returns
    -------
    list of Group
        Of at least two texts; those in question first, then most versions first. A text that took
        passages from several others is in the group of the one that gave it most, which names the
        rest. Of texts in question only groups that hold one, or a further source of one.

    Notes
    -----
    Documents are versions of one text where they share a substantial part of one of them
    (`PASSAGE_LINK`), common text left out: words that three texts hold of which no two are alike,
    such as the opening of a series. A text in question that shares less with every other is put to
    the one that it shares most with. Cost: O(w log w) for each pair that shares enough; w words.
    """
    groups: list[Group] = []
    for component in _components(result):
        family = _Family.read(result, component, asked)
        groups += [group for tree in family.trees for group in family.group(tree)]
    groups = _with_translations(result, groups, asked)
    if asked:
        about = [group for group in groups if min(group.rows) < asked]
        sources = {link.source for group in about for link in group.further}
        groups = [one for one in groups if min(one.rows) < asked or sources & set(one.rows)]
    return sorted(
        groups, key=lambda one: (min(one.rows) >= asked, -len(one.versions), one.original)
    )


def mark_reused(result: CheckResult) -> Bools:
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


def mark_worth_reading(result: CheckResult) -> Bools:
    """Return which rows of the pair table link a text to a reference worth looking at, bool (m,).

    Notes
    -----
    Of the references that share enough (`mark_reused`) those are folded whose share chance could
    give (`CHANCE_MARKED`) and which add nothing: all but `FURTHER_WORDS` words, or `FURTHER_SHARE`
    of the text, of what they share stand in a likelier source too. A text that shares enough with
    anything is always linked to the likeliest, and one that is near by its fingerprint is never
    folded.
    """
    table = result.table
    begin = result.checked
    crossing = (table.pairs.left < begin) & (table.pairs.right >= begin)
    rows = np.flatnonzero(mark_reused(result) & crossing)
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


class _Component(NamedTuple):
    """Documents that share anything; pairs of them are places a < b."""

    rows: list[int]
    links: dict[Ends, int]  # rows of the pair table
    alike: set[Ends]  # those of all pairs of which one holds a substantial part of the other


def _components(result: CheckResult) -> list[_Component]:
    """Return the documents that share enough with any, by what connects them."""
    table = result.table
    shares = np.fmax(table.coverage_a, table.coverage_b)
    shared = np.flatnonzero(mark_reused(result))
    left, right = table.pairs.left[shared], table.pairs.right[shared]
    label = component_labels(left, right, len(result.documents))[left]
    parts: dict[int, list[tuple[int, int, int]]] = {}
    for of, *link in zip(*map(np.ndarray.tolist, (label, left, right, shared)), strict=True):
        parts.setdefault(of, []).append((link[0], link[1], link[2]))
    components = []
    for part in parts.values():
        rows = sorted({end for *ends, _ in part for end in ends})
        place = {row: at for at, row in enumerate(rows)}
        edges = {(place[a], place[b]): row for a, b, row in part}
        alike = {ends for ends, row in edges.items() if shares[row] >= PASSAGE_LINK}
        if len(rows) > MOST_COMPARED:
            edges = _keep_closest(edges, shares)
        components.append(_Component(rows, dict(sorted(edges.items())), alike))
    return components


def _keep_closest(edges: Mapping[Ends, int], shares: F64) -> dict[Ends, int]:
    """Return the links of every document with the partners that share most."""
    around: dict[int, list[Ends]] = {}
    for ends in sorted(edges, key=lambda ends: -shares[edges[ends]]):
        for end in ends:
            around.setdefault(end, []).append(ends)
    return {ends: edges[ends] for of_one in around.values() for ends in of_one[:PARTNERS]}


# --------------------------------------------------------------------------- common text
def _passages(
    result: CheckResult, readings: Sequence[Reading], links: Mapping[Ends, int]
) -> dict[Ends, Overlap]:
    """Return the words of linked texts that lie in their passages."""
    ends = {row: pair for pair, row in links.items()}
    held = {
        (a, b): Overlap(*(np.zeros(len(readings[at]), np.bool_) for at in (a, b))) for a, b in links
    }
    passages = result.passages
    counted = ~passages.weak & (passages.kind != PASSAGE_KINDS.index("summary"))
    counted &= np.isin(passages.pair, list(ends))
    columns = (passages.pair, passages.a_start, passages.a_end, passages.b_start, passages.b_end)
    for row, *span in zip(*(column[counted].tolist() for column in columns), strict=True):
        overlap = held[ends[row]]
        for at, marked, start, end in (
            (ends[row][0], overlap.shared_a, *span[:2]),
            (ends[row][1], overlap.shared_b, *span[2:]),
        ):
            low, high = np.searchsorted(readings[at].start, (start, end))
            marked[low:high] = True
    return held


def common_words(
    readings: Sequence[Reading], passages: Mapping[Ends, Overlap], alike: Collection[Ends]
) -> list[Bools]:
    """Mark the words of each text that three texts hold of which no two are alike.

    Parameters
    ----------
    passages
        Words in passages of the pairs (a, b), a < b, that share enough.
    alike
        Those of them that share a substantial part of one.

    Notes
    -----
    Two texts may have a paragraph from one another. What stands in three that have nothing else in
    common is an opening, a notice or a formula, and says of no two that one is from the other.
    """
    holders: dict[int, list[int]] = defaultdict(list)
    for a, b in passages:
        holders[a].append(b)
        holders[b].append(a)
    marked = [np.zeros(len(reading), np.bool_) for reading in readings]
    for row, others in holders.items():
        shared = {one: _words_of(passages, one, row) for one in others}
        texts = [row, *sorted(others, key=lambda one: -int(shared[one].sum()))[:MOST_COMPARED]]
        strange = np.array(
            [[a != b and (min(a, b), max(a, b)) not in alike for b in texts] for a in texts],
            np.int64,
        )
        held = np.array([shared.get(one, np.ones_like(marked[row])) for one in texts])
        patterns, at = np.unique(held, axis=1, return_inverse=True)
        apart = (strange[np.ix_(of, of)] for of in patterns.T)
        common = [((one @ one) * one).any() for one in apart]  # three, every two of them strange
        marked[row] = np.array(common, np.bool_)[at.reshape(-1)]
    return marked


def _words_of(passages: Mapping[Ends, Overlap], other: int, row: int) -> Bools:
    """Return the words of a text that lie in passages of another one."""
    return passages[other, row].shared_b if other < row else passages[row, other].shared_a


# --------------------------------------------------------------------------- one component
@dataclass(eq=False, slots=True)
class _Family:
    """Documents that share anything, by their places; `trees` are histories, also of one text.

    `linked` are pairs that share enough beside common text for one to be a source of the other.
    `asked` are the places in question where others were known, else none.
    """

    rows: Sequence[int]
    readings: Sequence[Reading]
    overlaps: Mapping[Ends, Overlap]
    passages: Mapping[Ends, Overlap]
    linked: set[Ends]
    asked: frozenset[int]
    common: Sequence[Bools]
    trees: list[Lineage] = field(default_factory=list)

    @classmethod
    def read(cls, result: CheckResult, component: _Component, asked: int) -> _Family:
        """Read documents, and sort them into histories."""
        rows, links, alike = component
        readings = readings_of(result, rows, asked)
        n = len(rows)
        compared = links if n > MOST_COMPARED else combinations(range(n), 2)
        overlaps = {(a, b): overlap_of(readings[a], readings[b]) for a, b in compared}
        passages = _passages(result, readings, links)
        common = common_words(readings, passages, alike)
        inside = frozenset(at for at, row in enumerate(rows) if row < asked)
        family = cls(rows, readings, overlaps, passages, set(links), inside, common)
        table = result.table
        shares = {
            ends: (float(table.coverage_a[row]), float(table.coverage_b[row]))
            for ends, row in links.items()
        }
        for part in family.parts(shares):
            family.trees += family.trees_of(part)
        return family

    def parts(self, shares: Mapping[Ends, tuple[float, float]]) -> Iterator[list[int]]:
        """Yield the places of texts that are versions of one; `shares` are those of each text."""
        links: list[Ends] = []
        own_words: dict[int, dict[int, int]] = defaultdict(dict)
        for (a, b), (of_a, of_b) in shares.items():
            overlap = self.passages[a, b]
            own_a, own_b = overlap.shared_a & ~self.common[a], overlap.shared_b & ~self.common[b]
            left = own_a.sum() / max(1, overlap.shared_a.sum())
            right = own_b.sum() / max(1, overlap.shared_b.sum())
            own = int(min(own_a.sum(), own_b.sum()))
            own_words[a][b] = own_words[b][a] = own
            if max(of_a * left, of_b * right) >= PASSAGE_LINK:
                links.append((a, b))
            elif own < REPOST_WORDS:
                self.linked.discard((a, b))
        n, linked = len(self.rows), {end for ends in links for end in ends}
        alone = [at for at in self.asked or range(n) if at not in linked]
        for at in alone:
            most = max(own_words[at], key=lambda other: own_words[at][other])
            if own_words[at][most] >= REPOST_WORDS:
                links.append((at, most))
        left, right = np.array(links, np.int64).reshape(-1, 2).T
        labels = component_labels(left, right, n)
        yield from (np.flatnonzero(labels == label).tolist() for label in np.unique(labels))

    def trees_of(self, part: Sequence[int]) -> list[Lineage]:
        """Return a history for each version without a source, of those that go back to it.

        What the witnesses say of several originals at once is true of none: each is heard alone.
        """
        at = {place: new for new, place in enumerate(part)}
        inside = {(a, b): (at[a], at[b]) for a, b in self.overlaps if a in at and b in at}
        tree = lineage(
            [self.readings[place] for place in part],
            {new: self.overlaps[ends] for ends, new in inside.items()},
            {new for ends, new in inside.items() if ends in self.linked},
            {at[place] for place in self.asked if place in at},
        ).placed(part)
        source = {link.version: link.source for link in tree.links}
        roots: dict[int, list[int]] = {}
        for version in tree.order:
            root = version
            while root in source:
                root = source[root]
            roots.setdefault(root, []).append(version)
        if len(roots) == 1:
            return [tree]
        return [one for of_root in roots.values() for one in self.trees_of(sorted(of_root))]

    def group(self, tree: Lineage) -> Iterator[Group]:
        """Yield the group of a history, where it holds more than one text."""
        further = [link for at in tree.order for link in self.further(tree, at)]
        if len(tree.order) + len(further) < 2:
            return
        others = dict.fromkeys(link.source for link in further)
        history = tree.placed(self.rows)
        yield Group(
            tuple(self.versions(tree, further)),
            history.links,
            tuple(link.placed(self.rows) for link in further),
            tuple(version_of(self.rows[at], self.readings[at]) for at in others),
            history.basis,
            _why(self.readings, tree),
            history.certain,
            history.words,
            history.dates,
            history.conflict,
            history.check,
            history.first,
            tuple(_shares(self.rows, self.overlaps, set(tree.order))),
        )

    def versions(self, tree: Lineage, further: Sequence[Link]) -> Iterator[Version]:
        """Yield the versions of a history with what each changed."""
        first = tree.order[0]
        links = {link.version: link.placed(self.rows) for link in tree.links}
        for at in tree.order:
            overlap = overlap_between(self.overlaps, first, at)
            compared = self.compared(tree, at, [one.source for one in further if one.version == at])
            against = None if compared is None else overlap_between(self.overlaps, compared, at)
            version = replace(version_of(self.rows[at], self.readings[at]), link=links.get(at))
            if overlap is not None and at != first:
                of_first, from_first = _both_shares(overlap)
                version = replace(version, of_first=of_first, from_first=from_first)
            if compared is not None and against is not None:
                of_compared, from_compared = _both_shares(against)
                version = replace(
                    version,
                    changes=changes_between(self.readings[compared], self.readings[at], against),
                    compared=self.rows[compared],
                    of_compared=of_compared,
                    from_compared=from_compared,
                )
            yield version

    def compared(self, tree: Lineage, at: int, further: Sequence[int]) -> int | None:
        """Return what a version is compared with: the first, of a text in question the nearest."""
        first = tree.order[0]
        if at not in self.asked:
            return None if at == first else first
        known = [one for one in (*tree.order, *further) if one not in self.asked]
        overlaps = {one: overlap_between(self.overlaps, one, at) for one in known}
        near = {
            one: [-round(share, 2) for share in _both_shares(overlap)]  # in percent, nearest first
            for one, overlap in overlaps.items()
            if overlap is not None
        }
        if not near:
            return None if at == first else first
        return min(near, key=lambda one: (*near[one], *self.when(one), one))

    def when(self, at: int) -> tuple[bool, float]:
        """Return what sorts texts by their dates, those without one last."""
        moment = self.readings[at].moment
        return moment is None, moment.start.timestamp() if moment else 0.0

    def further(self, tree: Lineage, version: int) -> list[Link]:
        """Return the texts outside of a history that a version has other passages from."""
        if self.asked and version not in self.asked:
            return []
        source = {link.version: link.source for link in tree.links}.get(version)
        main = None if source is None else overlap_between(self.overlaps, source, version)
        held = self.common[version].copy()
        held |= main.shared_b if main is not None else False
        found: list[tuple[float, int, Bools]] = []
        for other in self.trees:
            shares = [
                (_both_shares(overlap)[0], at, _words_of(self.passages, at, version))
                for at in other.order
                if other is not tree
                and (min(at, version), max(at, version)) in self.linked
                and self.could_be_earlier(at, version, rooted=source is not None)
                and (overlap := overlap_between(self.overlaps, at, version)) is not None
            ]
            found += sorted(shares, key=lambda one: (-one[0], one[1]))[:1]
        links = []
        for share, at, shared in sorted(found, key=lambda one: (-one[0], one[1])):
            if (shared & ~held).sum() >= max(FURTHER_WORDS, FURTHER_SHARE * len(shared)):
                links.append(Link(at, version, share, False, (), "further"))
                held |= shared
        return links

    def could_be_earlier(self, at: int, version: int, *, rooted: bool) -> bool:
        """Return whether a text may be a source of a version, by dates; a root needs them."""
        a, b = self.readings[at].moment, self.readings[version].moment
        if a is None or b is None or b.claimed:
            return rooted or version in self.asked
        return a.before(b) or (rooted and not b.before(a))


def readings_of(result: CheckResult, rows: Sequence[int], asked: int = 0) -> list[Reading]:
    """Read documents together; a date that only a text in question gives is a claim.

    One that it has in its head, as a known text has, came with the words and is none of its own.
    """
    readings = read_versions([result.documents[row] for row in rows])
    heads = [moment_in_head(result.documents[row]) for row in rows if row >= asked > 0]
    copied = {head.shown for head in heads if head is not None}

    def in_question(one: Reading) -> Reading:
        moment = one.moment
        if moment is None or moment.source == "hand" or ADDED_KEY in one.document.meta:
            return one
        own = moment.source != "text" or moment.shown not in copied
        return replace(one, moment=replace(moment, claimed=True) if own else None)

    return [
        in_question(one) if row < asked else one for row, one in zip(rows, readings, strict=True)
    ]


def version_of(row: int, reading: Reading) -> Version:
    """Return a text as one of a group, with nothing said of its history."""
    return Version(row, reading.moment, reading.head, len(reading))


def _both_shares(overlap: Overlap) -> tuple[float, float]:
    """Return the share of the second text that the first has, and of the first."""
    sides = overlap.shared_b, overlap.shared_a
    of_second, of_first = (float(side.mean()) if len(side) else 0.0 for side in sides)
    return of_second, of_first


def _shares(
    rows: Sequence[int], overlaps: Mapping[Ends, Overlap], inside: Collection[int]
) -> Iterator[Shared]:
    for (a, b), overlap in sorted(overlaps.items()):
        if a in inside and b in inside and overlap.shared_a.any():
            shares = float(overlap.shared_a.mean()), float(overlap.shared_b.mean())
            yield Shared(rows[a], rows[b], *shares)


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


# --------------------------------------------------------------------------- translations
def _with_translations(result: CheckResult, groups: Sequence[Group], asked: int) -> list[Group]:
    """Return groups with the texts that versions may be translations of; one may be such alone."""
    listed = list(groups)
    for source, version, share in _translated(result, asked):
        link = Link(source, version, share, False, (), "translation")
        other = version_of(source, *readings_of(result, [source], asked))
        at = next((at for at, one in enumerate(listed) if version in one.rows), None)
        if at is None:
            (reading,) = readings_of(result, [version], asked)
            tree = lineage([reading], {}).placed([version])
            one, nothing = version_of(version, reading), (False, None, None, ())
            listed.append(
                Group((one,), (), (link,), (other,), tree.basis, (), False, tree.words, tree.dates,
                      *nothing)
            )  # fmt: skip
        elif source not in listed[at].rows:
            group = listed[at]
            listed[at] = replace(
                group, further=(*group.further, link), others=(*group.others, other)
            )
    return listed


def _translated(result: CheckResult, asked: int) -> Iterator[tuple[int, int, float]]:
    """Yield possible translations: the source, the version, and the share of it that is one."""
    found = meanings_shown(result)
    if found is None:
        return
    for pair in found.pairs():
        chosen = found.of_pair(*pair)
        sides = (found.a_end - found.a_start)[chosen], (found.b_end - found.b_start)[chosen]
        of = [int(one.sum()) / max(1, len(result.documents[row].text))
              for one, row in zip(sides, pair, strict=True)]  # fmt: skip
        moments = [moment_of(result.documents[row]) for row in pair]
        turned = bool(moments[0] and moments[1] and moments[1].before(moments[0]))
        if asked and max(pair) >= asked:
            if min(pair) >= asked:
                continue
            turned = True  # the text in question is asked about as the translation
        source, version = pair[::-1] if turned else pair
        yield source, version, of[0] if turned else of[1]
