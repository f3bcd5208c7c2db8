"""Groups of a check: the texts that cases join, and the passages that hold them together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from .. import graphs
from ..cases import ListedCases, PassageCase, own_units
from ..checking.misread import read_document
from ..checking.templates import blank_templates
from ..model import PASSAGE_KINDS
from ..passages.holders import few_holders
from ..passages.tokenized import TokenizedText
from ..policy import CASE_UNITS
from ..result import CheckResult, VariantGroups, preset_of
from ..text.lengths import count_units
from ..text.lines import blank_marks
from ..variants.collation import Collation, collate
from ..variants.witness import Witness

MARGIN = 12  # tokens around a passage that are aligned too: its borders are never exact
_SUMMARY = PASSAGE_KINDS.index("summary")

Span = tuple[int, int]  # code points of a text


@dataclass(frozen=True, slots=True)
class Group:
    """Texts that cases join.

    Attributes
    ----------
    members
        Document rows; who shares most comes first.
    pairs
        Rows of the pair table that are cases, most words that only those two hold first.
    passages
        That a few of the members hold, most holders first.
    units
        Of all these: words of the pairs, and of each passage once.
    """

    members: tuple[int, ...]
    pairs: tuple[int, ...]
    passages: tuple[PassageCase, ...]
    units: int


def join_groups(result: CheckResult, listed: ListedCases) -> list[Group]:
    """Join the texts of pair cases, and of passages that few hold.

    Parameters
    ----------
    listed
        The cases of the check. A passage that many hold joins nobody, nor does one whose words
        stopped counting.

    Returns
    -------
    list of Group
        Most members first, then most words. Each text is in one group at most; a group without a
        text that was asked about is none.

    Notes
    -----
    The groups are the connected parts of a graph. O(texts + cases).
    """
    n, table = len(result.documents), result.table
    few = [one for one in listed.passages if one.counts and len(one.members) <= few_holders(n)]
    rows = np.array(sorted(listed.numbers), np.int64)
    chained = [link for one in few for link in zip(one.members[:-1], one.members[1:], strict=True)]
    of_passages = np.array(chained, np.int64).reshape(-1, 2)
    left = np.concatenate([table.pairs.left[rows], of_passages[:, 0]])
    right = np.concatenate([table.pairs.right[rows], of_passages[:, 1]])
    label = graphs.component_labels(left, right, n)
    own = dict(zip(rows.tolist(), table.own[rows].tolist(), strict=True))
    shared = np.zeros(n, np.int64)  # words that a text shares with members
    pairs: dict[int, list[int]] = defaultdict(list)
    for row, units in own.items():
        shared[[table.pairs.left[row], table.pairs.right[row]]] += units
        pairs[int(label[table.pairs.left[row]])].append(row)
    passages: dict[int, list[PassageCase]] = defaultdict(list)
    for one in few:
        shared[list(one.members)] += one.units
        passages[int(label[one.members[0]])].append(one)
    members: dict[int, list[int]] = defaultdict(list)
    for text in np.argsort(-shared, kind="stable").tolist():
        members[int(label[text])].append(text)
    groups = [
        Group(
            tuple(members[name]),
            tuple(sorted(pairs[name], key=lambda row: (-own[row], row))),
            tuple(sorted(passages[name], key=lambda one: (-len(one.members), -one.units))),
            sum(own[row] for row in pairs[name]) + sum(one.units for one in passages[name]),
        )
        for name in np.unique(label[left]).tolist()
        if name < result.checked  # the smallest row of the group
    ]
    return sorted(groups, key=lambda one: (-len(one.members), -one.units, one.members))


# --------------------------------------------------------------------------- passages of a group


@dataclass(frozen=True, slots=True)
class Wording:
    """Some texts write one thing where most write another; either can be empty."""

    usual: str
    instead: str
    rows: tuple[int, ...]  # of the texts that write `instead`


@dataclass(frozen=True, slots=True)
class HeldPassage:
    """A passage that holds a group together.

    Attributes
    ----------
    number
        Of its case.
    units
        Words that no more texts hold than these.
    places
        Where each holder has it, by document row: what of it no more texts hold.
    reworded
        Rows of the texts that word it otherwise than most; of two, both.
    wordings
        In which words they differ; none where they differ too much to be told apart by words.
    """

    number: int
    units: int
    places: Mapping[int, Span]
    reworded: frozenset[int]
    wordings: tuple[Wording, ...]


def list_held(
    result: CheckResult,
    group: Group,
    numbers: Mapping[int, int],
    *,
    common: VariantGroups,
    most: int | None = None,
) -> tuple[list[HeldPassage], int]:
    """Return the passages that hold a group together, most holders first, and how many there are.

    Parameters
    ----------
    numbers
        Of the cases, by row of the pair table.
    common
        The passages of several texts of the check before anything was left out.
    most
        Passages that are returned; by default all.

    Notes
    -----
    A passage of a pair is told without what more texts hold, and only where enough of it for a case
    is left. Texts are read and aligned for the passages that are returned alone.
    """
    spread = _SpreadRanges(common)
    found: list[tuple[int, int, dict[int, Span], bool]] = []  # case, units, places, summary
    for one in group.passages:
        at = common.rows(one.group)
        columns = (common.document[at], common.start[at], common.end[at])
        places = {
            row: (start, end)
            for row, start, end in zip(*(column.tolist() for column in columns), strict=True)
        }
        found.append((one.number, one.units, places, False))
    of_pairs = []
    for row in group.pairs:
        of_pairs += [(numbers[row], *place) for place in _places_of_pair(result, row, spread)]
    found += sorted(of_pairs, key=lambda one: -one[1])

    @cache
    def read(row: int) -> TokenizedText:
        return read_document(blank_templates(result.documents[row]), result.settings, words=True)

    held = []
    for number, units, places, summary in found[:most]:
        reworded, wordings = frozenset(places), tuple[Wording, ...]()
        if not summary:
            reworded, wordings = _tell_wordings(result, places, read)
        held.append(HeldPassage(number, units, places, reworded, wordings))
    return held, len(found)


class _SpreadRanges:
    """What of each text three texts or more hold."""

    def __init__(self, common: VariantGroups) -> None:
        self.ranges: dict[int, list[Span]] = {}
        columns = (common.document, common.start, common.end)
        for row, start, end in zip(*(column.tolist() for column in columns), strict=True):
            self.ranges.setdefault(row, []).append((start, end))

    def longest_free(self, row: int, span: Span) -> Span:
        """Return the longest part of a span that lies outside of them."""
        free, at = [], span[0]
        for start, end in sorted(self.ranges.get(row, ())):
            free.append((at, min(start, span[1])))
            at = max(at, end)
        free.append((at, span[1]))
        return max(free, key=lambda one: one[1] - one[0])


def _places_of_pair(
    result: CheckResult, row: int, spread: _SpreadRanges
) -> Iterable[tuple[int, dict[int, Span], bool]]:
    """Yield units and places of the passages of a pair, and whether each is a summary."""
    passages, pairs = result.passages, result.table.pairs
    sides = int(pairs.left[row]), int(pairs.right[row])
    low, high = np.searchsorted(passages.pair, [row, row + 1])
    for at in range(int(low), int(high)):
        spans = (
            (int(passages.a_start[at]), int(passages.a_end[at])),
            (int(passages.b_start[at]), int(passages.b_end[at])),
        )
        places = {}
        for side, span in zip(sides, spans, strict=True):
            text, (start, end) = result.documents[side].text, spread.longest_free(side, span)
            while start < end and not text[start].isalnum():
                start += 1
            places[side] = start, end
        units = min(
            min(own_units(result, row)),  # where others hold single words of it
            *(
                count_units(result.documents[one].text[slice(*span)])
                for one, span in places.items()
            ),
        )
        least = CASE_UNITS[preset_of(result.documents[sides[0]])]
        if units >= least and not passages.weak[at]:
            yield units, places, int(passages.kind[at]) == _SUMMARY


def _tell_wordings(
    result: CheckResult, places: Mapping[int, Span], read: Callable[[int], TokenizedText]
) -> tuple[frozenset[int], tuple[Wording, ...]]:
    """Return the texts that word a passage otherwise than most, and in which words."""
    rows = [row for row in places if read(row).start.size]
    witnesses = [_cut_witness(result.documents[row].text, read(row), places[row]) for row in rows]
    if any(one.low == one.high for one in witnesses):
        return frozenset(), ()
    collation = collate(witnesses)
    differ = {rows[at] for at in collation.apart.tolist()}
    columns = [rows[at] for at in collation.witnesses.tolist()]
    differ |= {columns[at] for at in np.flatnonzero(collation.departures).tolist()}
    if differ and len(rows) == 2:
        differ = set(rows)  # neither is what the other was changed from
    return frozenset(differ), tuple(_list_wordings(collation, columns))


def _list_wordings(collation: Collation, columns: Sequence[int]) -> Iterable[Wording]:
    for place in collation.places:
        for reading in place.readings[1:]:
            rows = tuple(columns[at] for at in reading.witnesses)
            yield Wording(place.readings[0].text, reading.text, rows)


def _cut_witness(raw: str, text: TokenizedText, span: Span) -> Witness:
    """Return the tokens of a passage and some around it."""
    low = int(np.searchsorted(text.start, span[0]))
    high = max(low, int(np.searchsorted(text.end, span[1], side="right")))
    first, last = max(0, low - MARGIN), min(len(text), high + MARGIN)
    border = text.border[first:last] > 0
    border[1:] |= text.end_attached[first : last - 1] > text.end[first : last - 1]
    part = slice(first, last)
    return Witness(
        blank_marks(raw),
        text.token[part],
        text.start[part],
        text.end[part],
        text.end_attached[part],
        text.word[part],
        border,
        low - first,
        high - first,
    )
