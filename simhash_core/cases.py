"""The cases of a check: passages that several texts hold, and pairs that own text together.

A passage that three or more texts hold is one case with one answer, however many pairs share it. A
pair is a case where only its two texts hold enough (`result.pair_cases`).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from .model import I64, Decision
from .passages.holders import few_holders as few_holders  # pages take it from here
from .policy import CASE_UNITS, TEMPLATE_HOLDERS, TEMPLATE_SHARE
from .result import (
    TONES,
    CheckResult,
    ThresholdView,
    VariantGroups,
    list_rows,
    pair_cases,
    preset_of,
)
from .text.lengths import count_units


@dataclass(frozen=True, slots=True)
class PassageCase:
    """One passage that three or more texts hold: one question, with one answer."""

    number: int  # as of `Case`
    group: int  # of `CheckResult.common`
    members: tuple[int, ...]  # rows of the documents that hold it
    units: int  # its length in the text that has most of it
    key: str  # `group_key`
    decision: Decision | None
    automatic: bool = False  # nobody answered; nearly all hold it, so it is the template

    @property
    def answer(self) -> str:
        """One of `ANSWERS`, "" where nobody answered."""
        if self.decision is None or not self.decision.verdict:
            return "template" if self.automatic else ""
        if self.decision.verdict == "confirmed":
            return "copied"
        return _ANSWER_OF.get(self.decision.reason, "")

    @property
    def counts(self) -> bool:
        """Whether its words go on counting."""
        return self.answer in ("", "copied")


#: what a passage that several hold is: the task, a quotation or source, a template, or copied from
#: one another; with the verdict and reason under which a decision says so
ANSWERS = {
    "task": ("no_problem", "task_sheet"),
    "source": ("no_problem", "quotation"),
    "template": ("no_problem", "common"),
    "copied": ("confirmed", ""),
}
SAME_PLACE = 0.1  # of a text, within which a passage stands at the same place
_OPENING = "《〈“‘「『（【([«‹"
_ANSWER_OF = {reason: answer for answer, (_, reason) in ANSWERS.items() if reason}


def passage_cases(
    result: CheckResult,
    decisions: Mapping[str, Decision] | None = None,
    *,
    numbers: Sequence[int] = (),
) -> list[PassageCase]:
    """Return the passages that several texts hold, most holders first.

    Parameters
    ----------
    decisions
        What holds about passages, by `group_key`.
    numbers
        Those that a project gave them; by default from 1.

    Notes
    -----
    What at least `TEMPLATE_SHARE` of a class hold, and `TEMPLATE_HOLDERS`, is answered template by
    itself, unless somebody says otherwise, or nothing is left of most texts that hold it: then
    everybody handed in one text. No other answer is given for anybody.
    """
    groups, listed = result.common, list[PassageCase]()
    # by how much what is counted of each text beside what many hold reaches a case
    beside = np.full(len(result.documents), -1, np.int64)
    if len(result.tones) == len(beside):
        cases = [CASE_UNITS[preset_of(one)] for one in result.documents]
        many = result.tones[:, TONES.index("many")]
        beside = result.division[:, :4].sum(axis=1) - many - np.array(cases, np.int64)
    least = max(TEMPLATE_HOLDERS, TEMPLATE_SHARE * result.checked)
    numbers = numbers or range(1, len(groups) + 1)
    for group in range(len(groups)):
        places = _places(groups, group)
        document, start, end = max(places, key=lambda one: one[2] - one[1])
        key = group_key(result, group)
        members = tuple(place[0] for place in places)
        listed.append(
            PassageCase(
                numbers[group],
                group,
                members,
                count_units(result.documents[document].text[start:end]),
                key,
                (decisions or {}).get(key),
                automatic=sum(row < result.checked for row in members) >= least
                and bool(np.median(beside[list(members)]) >= 0),
            )
        )
    return listed


class Use(NamedTuple):
    """How one text uses a passage of several."""

    row: int  # of the document
    start: int
    end: int
    quoted: bool  # in quotation marks, or set back as a quotation


def list_uses(result: CheckResult, group: int) -> list[Use]:
    """Return the texts that hold a passage, those that quote it first."""
    from .text.zones import zones

    uses = []
    for row, start, end in _places(result.common, group):
        marked = zones(result.documents[row].text, ("quotations",))
        inside = sum(max(min(end, one.end) - max(start, one.start), 0) for one in marked)
        uses.append(Use(row, start, end, 2 * inside > end - start))
    return sorted(uses, key=lambda one: not one.quoted)


def guess_answer(result: CheckResult, uses: Sequence[Use]) -> str:
    """Return which of `ANSWERS` a passage looks like, "" where nothing speaks for one.

    What half of the texts quote is a source; what many have, `TEMPLATE_SHARE` of them in one place,
    a template.
    """
    if 2 * sum(one.quoted for one in uses) >= len(uses):
        return "source"
    if len(uses) <= few_holders(len(result.documents)):
        return ""
    places = [one.start / max(len(result.documents[one.row].text), 1) for one in uses]
    near = np.abs(np.array(places) - np.median(places)) < SAME_PLACE
    return "template" if near.mean() >= TEMPLATE_SHARE else ""


def toned_ranges(result: CheckResult, row: int) -> list[tuple[int, int, int]]:
    """Return what of a text more than two texts hold: start, end, 1 for a few and 2 for many."""
    groups, few = result.common, few_holders(len(result.documents))
    at = np.flatnonzero(groups.document == row)
    holders = np.diff(groups.first)[np.searchsorted(groups.first, at, "right") - 1]
    columns = groups.start[at], groups.end[at], np.where(holders <= few, 1, 2)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def beginning_of(result: CheckResult, group: int, most: int) -> tuple[int, int, int]:
    """Return where a passage of several begins in the first text that has it: row, start, end.

    At most `most` characters, and the marks that open a title or a quotation there.
    """
    at = int(result.common.rows(group).start)
    row, start = int(result.common.document[at]), int(result.common.start[at])
    text, end = result.documents[row].text, int(result.common.end[at])
    while start and text[start - 1] in _OPENING:
        start -= 1
    return row, start, min(end, start + most)


class ListedCases(NamedTuple):
    """The cases of a check under their numbers."""

    passages: list[PassageCase]
    numbers: dict[int, int]  # of the pairs that are cases, by row of the pair table


def listed_cases(result: CheckResult, view: ThresholdView | None = None) -> ListedCases:
    """Return the cases of a check that no project numbers: passages first, then pairs."""
    passages, rows = passage_cases(result), case_rows(result, view).tolist()
    return ListedCases(passages, dict(zip(rows, count(len(passages) + 1), strict=False)))


def case_rows(result: CheckResult, view: ThresholdView | None = None) -> I64:
    """Return the rows of the pair table that are cases, in the order of `list_rows`."""
    rows = list_rows(result, view)
    return rows[pair_cases(result, view)[rows]]


def own_units(result: CheckResult, row: int) -> tuple[int, int]:
    """Return the units of both texts of a pair that only these two hold."""
    tones = result.table.tones
    counted = tones[row, :, 0] if len(tones) else result.table.parts[row].sum(axis=1)
    return int(counted[0]), int(counted[1])


def tones_of(result: CheckResult, row: int) -> dict[str, int]:
    """Return the units of a text that one other holds, a few, and many."""
    counted = result.tones[row].tolist() if row < len(result.tones) else [0] * len(TONES)
    return dict(zip(TONES, counted, strict=True))


def case_of_pairs(
    result: CheckResult, view: ThresholdView | None = None, listed: ListedCases | None = None
) -> dict[int, int]:
    """Return the number of the case of each pair, by its row: its own, or that of a passage.

    A pair that is no case belongs to the passage with most holders that both its texts have.
    """
    passages, of_pairs = listed or listed_cases(result, view)
    numbers = dict(of_pairs)
    members = [frozenset(one.members) for one in passages]
    shown = list_rows(result, view)
    for row, texts in zip(shown.tolist(), ends_of(result, shown), strict=True):
        if row not in numbers:
            both = zip(passages, members, strict=True)
            held = (one.number for one, of in both if of.issuperset(texts))
            if (number := next(held, None)) is not None:
                numbers[row] = number
    return numbers


def case_records(
    result: CheckResult, view: ThresholdView | None = None, listed: ListedCases | None = None
) -> list[dict[str, Any]]:
    """Return the cases in the order of the desk: passages that several hold, then pairs."""
    passages, numbers = listed or listed_cases(result, view)
    names, few = [one.name for one in result.documents], few_holders(len(result.documents))
    records: list[dict[str, Any]] = []
    for one in passages:
        at = result.common.rows(one.group)
        tone = "few" if len(one.members) <= few else "many"
        records.append(
            {
                "number": one.number,
                "kind": "passage",
                "members": [names[row] for row in one.members],
                "holders": len(one.members),
                **{name: one.units if name == tone else 0 for name in TONES},
                "longest": one.units,
                "places": [
                    {"name": names[row], "start": int(start), "end": int(end)}
                    for row, start, end in zip(
                        one.members, result.common.start[at], result.common.end[at], strict=True
                    )
                ],
                "answer": one.answer or None,
            }
        )
    table = result.table
    rows = np.array([row for row in list_rows(result, view) if row in numbers], np.int64)
    for row, texts in zip(rows.tolist(), ends_of(result, rows), strict=True):
        side = int(np.argmin(own_units(result, row)))
        tones = table.tones[row, side] if len(table.tones) else (own_units(result, row)[side], 0, 0)
        records.append(
            {
                "number": numbers[row],
                "kind": "pair",
                "members": [names[text] for text in texts],
                "holders": 2,
                **{name: int(units) for name, units in zip(TONES, tones, strict=True)},
                "longest": int(table.longest[row]),
                "places": [],
                "answer": None,
            }
        )
    return records


def ends_of(result: CheckResult, rows: I64 | Sequence[int]) -> list[tuple[int, int]]:
    """Return the rows of both texts of each pair."""
    pairs, at = result.table.pairs, np.asarray(rows, np.int64)
    return list(zip(pairs.left[at].tolist(), pairs.right[at].tolist(), strict=True))


def group_key(result: CheckResult, group: int) -> str:
    """Return a key of the content of a passage: which texts hold it and where."""
    lines = sorted(
        f"{result.documents[document].id} {start} {end}"
        for document, start, end in _places(result.common, group)
    )
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def same_groups(before: CheckResult, after: CheckResult) -> dict[str, str]:
    """Return for the key of a passage the one that it had in the result before.

    It is the same passage where most of the places it had, in texts that are still there, are
    places of it now: a late text joins it, and its ends can move a little.
    """
    old, new = before.common, after.common
    rows = {document.id: row for row, document in enumerate(after.documents)}
    now: dict[int, list[tuple[int, int, int]]] = {}
    for group in range(len(new)):
        for row, start, end in _places(new, group):
            now.setdefault(row, []).append((start, end, group))
    same = {}
    for group in range(len(old)):
        found: Counter[int] = Counter()
        places = [
            (rows[before.documents[row].id], start, end)
            for row, start, end in _places(old, group)
            if before.documents[row].id in rows
        ]
        for row, start, end in places:
            near = {
                other
                for first, last, other in now.get(row, ())
                if 2 * (min(end, last) - max(start, first)) > end - start
            }
            found.update(near)
        if found and 2 * found.most_common(1)[0][1] > len(places):
            was = group_key(before, group)
            key = group_key(after, found.most_common(1)[0][0])
            if was != key:
                same[key] = was
    return same


def _places(groups: VariantGroups, group: int) -> list[tuple[int, int, int]]:
    at = groups.rows(group)
    columns = (groups.document[at], groups.start[at], groups.end[at])
    return list(zip(*(column.tolist() for column in columns), strict=True))
