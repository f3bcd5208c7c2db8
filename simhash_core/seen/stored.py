"""Stored checks as they are seen by the rules that are stored with them.

seen_by(result, exclusions, project)   a check by some rules
cases_of(project, result, view)        the cases of a check under the numbers that they keep
lost_cases(project, result, listed)    what was decided about cases that it does not list
term(summaries, open_project, author)  what one person's texts gave in the checks of a class
given_out(result)                      the references that a result holds
holding(summaries, open_project, ids)  the checks that hold a copy of some texts
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath

import numpy as np

from ..cases import ListedCases, PassageCase, group_key, passage_cases, same_groups
from ..errors import LeitongError
from ..model import Decision, Division, Document, KeptVectors, pair_key
from ..numbers import divide_text
from ..people.authorship import is_same_person, read_author
from ..people.names import Authorship
from ..result import CheckResult, ThresholdView, list_rows
from ..review import GROUPS_KEY as GROUPS_KEY
from ..review import Case, cases
from ..storage import KnownCase, Project, Subject, Summary
from .exclusion_view import ExclusionView, exclude, given_ranges
from .exclusions import RULES_KEY, Exclusions
from .thresholds import view_at_threshold


def seen_by(
    result: CheckResult, exclusions: Exclusions, project: Project | None
) -> ExclusionView | None:
    """Return a check by the rules in force, None where everything counts."""
    rules, places = rules_in_force(result, exclusions, project), given_places(result, project)
    return exclude(result, rules, variants=places) if rules and result.documents else None


def rules_in_force(
    result: CheckResult, exclusions: Exclusions, project: Project | None
) -> Exclusions:
    """Return rules with the passages that do not count by their answers, whoever gave them."""
    return replace(exclusions, variants=bool(given_places(result, project)))


def given_places(result: CheckResult, project: Project | None) -> dict[int, list[tuple[int, int]]]:
    """Return the ranges of passages that do not count by their answers, by document row."""
    answered = list_answered_cases(result, project)
    return given_ranges(result, [one.group for one in answered if not one.counts])


def list_answered_cases(result: CheckResult, project: Project | None) -> list[PassageCase]:
    """Return the passages that several texts hold, with what a project says of them."""
    if project is None:
        return passage_cases(result)
    given = {
        subject.place: decision
        for subject, decision in project.decisions().items()
        if subject.kind == "group"
    }
    before = project.get(GROUPS_KEY, {})
    keys = [group_key(result, group) for group in range(len(result.common))]
    decisions = {key: given[held] for key in keys if (held := before.get(key, key)) in given}
    return passage_cases(result, decisions, numbers=_number_cases(project, result, ()))


def answer_by_pairs(project: Project, result: CheckResult) -> None:
    """Answer the passages whose pairs were all decided to be a common phrase, and nothing else.

    To be called where a check is opened or made again: what counts never changes under a reader.
    """
    of_pairs = project.pair_decisions()
    for one in list_answered_cases(result, project) if of_pairs else ():
        said = _decision_of_pairs(result, one.group, of_pairs)
        if one.decision is None and said is not None:
            key = project.get(GROUPS_KEY, {}).get(one.key, one.key)
            subject = Subject.group(key)
            project.decide(
                [subject], verdict=said.verdict, reason=said.reason, reviewer=said.reviewer
            )


def _decision_of_pairs(
    result: CheckResult, group: int, decisions: Mapping[tuple[str, str], Decision]
) -> Decision | None:
    """Return what was decided about every pair that shares a passage, None where they differ."""
    members = result.common.document[result.common.rows(group)]
    pairs, table = result.table.pairs, result.table
    inside = np.isin(pairs.left, members) & np.isin(pairs.right, members) & (table.passages > 0)
    ids = [one.id for one in result.documents]
    said = [
        decisions.get(pair_key(ids[left], ids[right]))
        for left, right in zip(pairs.left[inside], pairs.right[inside], strict=True)
    ]
    kinds = {one and (one.verdict, one.reason) for one in said}
    return said[0] if said and kinds <= {("no_problem", "common")} else None


def kept_listed_cases(
    project: Project | None, result: CheckResult, before: CheckResult
) -> ListedCases:
    """Return the cases of a check with the answers and under the numbers that a project keeps.

    `before` is the check before anything was left out: its passages are those that are asked about.
    """
    pairs = cases_of(project, result, view_at_threshold(result, result.threshold))
    numbers = {one.row: one.number for one in pairs if not one.alike}
    return ListedCases(list_answered_cases(before, project), numbers)


def keep_result(
    project: Project,
    result: CheckResult,
    before: CheckResult | None,
    *,
    seconds: float = 0.0,
    vectors: KeptVectors | None = None,
) -> None:
    """Store a result in place of the one before; what was said of its passages holds on.

    With it the vectors of its sentences, in place of those before: none of a text that is gone.
    """
    if before is not None:
        held = project.get(GROUPS_KEY, {})
        same = {new: held.get(old, old) for new, old in same_groups(before, result).items()}
        project.put(GROUPS_KEY, {**held, **same})
    project.save_result(result, seconds=seconds)
    project.save_vectors(vectors or KeptVectors())
    cases_of(project, result, view_at_threshold(result, result.threshold))  # each gets a number
    answer_by_pairs(project, result)


def cases_of(project: Project | None, result: CheckResult, view: ThresholdView) -> list[Case]:
    """Return the cases of a check with what was decided, under the numbers that they keep."""
    if project is None:
        return cases(result, view, {})
    listed = cases(result, view, project.pair_decisions())
    numbers = _number_cases(project, result, listed)[len(result.common) :]
    return [replace(case, number=number) for case, number in zip(listed, numbers, strict=True)]


def _number_cases(project: Project, result: CheckResult, listed: Sequence[Case]) -> list[int]:
    """Return the numbers that a project keeps for all passages, and behind them for some pairs."""
    present = [(one.id, one.name) for one in result.documents]
    before = project.get(GROUPS_KEY, {})
    keys = [group_key(result, group) for group in range(len(result.common))]
    passages = [KnownCase((before.get(key, key), ""), ("", "")) for key in keys]
    return project.number_cases([*passages, *list_known(result, listed)], present)


def list_known(result: CheckResult, listed: Sequence[Case]) -> list[KnownCase]:
    """Return cases as a project knows them."""
    sides = [
        (one.id, one.name, one.meta.get("person") or PurePosixPath(one.name).stem)
        for one in result.documents
    ]
    both = (sorted((sides[case.a], sides[case.b])) for case in listed)
    return [KnownCase((a[0], b[0]), (a[1], b[1]), (a[2], b[2])) for a, b in both]


#: number of each case by its `KnownCase.key`
CaseNumbers = Mapping[tuple[tuple[str, str], tuple[str, str]], int]


def kept_cases(
    project: Project, result: CheckResult, view: ThresholdView
) -> tuple[CaseNumbers, tuple[LostCase, ...]]:
    """Return what a report takes: the numbers of the cases, and the cases that are not listed."""
    listed = cases_of(project, result, view)
    keys = (one.key for one in list_known(result, listed))
    numbers = {key: case.number for key, case in zip(keys, listed, strict=True)}
    return numbers, tuple(lost_cases(project, result, listed))


@dataclass(frozen=True, slots=True)
class LostCase:
    """A case that was decided, or noted, and that the result at hand does not list."""

    number: int  # 0 where it never had one
    names: tuple[str, str]
    decision: Decision


def lost_cases(project: Project, result: CheckResult, listed: Sequence[Case]) -> list[LostCase]:
    """Return what was decided about cases that are not among those listed, by number.

    A pair of texts of which other files say the same is another case with the same decision.
    """
    decisions, here = project.pair_decisions(), {one.key for one in list_known(result, listed)}
    numbered = project.known_cases()
    lost = [
        LostCase(one.number, (min(one.names), max(one.names)), decisions[one.ids])
        for one in numbered
        if one.ids in decisions and one.key not in here
    ]
    keys = {case.key for case in listed} | {one.ids for one in numbered}
    for pair in decisions.keys() - keys:
        with project.folded() as fold:
            event = fold.event(Subject.pair(*pair))
        first, second = event.names if event else ("", "")
        a, b = sorted((PurePosixPath(first).stem, PurePosixPath(second).stem))
        lost.append(LostCase(0, (a, b), decisions[pair]))
    return sorted(lost, key=lambda one: (one.number, one.names))


@dataclass(frozen=True, slots=True)
class PastText:
    """One text of a person in one check; without `document` where the check cannot be read."""

    summary: Summary
    moment: datetime
    row: int = -1
    document: Document | None = None
    division: Division | None = None
    confirmed: int = 0  # pairs with this text that were confirmed


def term(
    summaries: Iterable[Summary], open_project: Callable[[str], Project], author: Authorship
) -> list[PastText]:
    """Return what the texts of one author gave in some checks, the earliest first.

    Nothing is stored: it is read from the checks, and goes with them.
    """
    listed: list[PastText] = []
    for summary in summaries:
        if summary.checked is None:
            continue
        try:
            listed += _read_check(summary, summary.checked, open_project(summary.id), author)
        except LeitongError:
            listed.append(PastText(summary, summary.checked))
    return sorted(listed, key=lambda one: one.moment)


def _read_check(
    summary: Summary, moment: datetime, project: Project, author: Authorship
) -> list[PastText]:
    try:
        result, rules = project.result(), Exclusions.from_data(project.get(RULES_KEY, {}))
        if result is None:
            return []
        asked = result.checked
        authors = map(read_author, result.documents[:asked])
        rows = [row for row, one in enumerate(authors) if is_same_person(one, author)]
        if not rows:
            return []
        view = seen_by(result, rules, project)
        seen = view.result if view else result
        confirmed = [
            key
            for key, decision in project.pair_decisions().items()
            if decision.verdict == "confirmed"
        ]
    finally:
        project.close()
    return [
        PastText(
            summary,
            moment,
            row,
            result.documents[row],
            divide_text(seen, row),
            sum(result.documents[row].id in key for key in confirmed),
        )
        for row in rows
    ]


def given_out(result: CheckResult) -> tuple[Document, ...]:
    """Return the references that a result holds, without the marks of its templates."""
    return tuple(
        replace(one, notes=tuple(note for note in one.notes if note.code != "template"))
        for one in result.documents[result.checked :]
    )


def find_holding(
    summaries: Iterable[Summary], open_project: Callable[[str], Project], ids: Collection[str]
) -> list[tuple[Summary, int]]:
    """Return the checks that hold a copy of some texts (sha-256), each with how many of them."""
    listed = []
    for summary in summaries if ids else ():
        try:
            project = open_project(summary.id)
        except LeitongError:
            continue  # it shows nobody any text
        try:
            if held := project.texts_among(ids):
                listed.append((summary, len(held)))
        finally:
            project.close()
    return listed


# --------------------------------------------------------------------------- what changed

Ends = tuple[Document, Document]


@dataclass(frozen=True, slots=True)
class ResultChanges:
    """Pairs that are listed now and were not, and pairs that were and are not any more.

    Each in the order in which its check lists them, the clearest evidence first.
    """

    new: tuple[Ends, ...]
    gone: tuple[Ends, ...]


def result_changes(before: CheckResult, now: CheckResult) -> ResultChanges:
    """Return what changed between two checks. A text is the same one by its content."""
    earlier, current = _list_ends(before), _list_ends(now)
    return ResultChanges(
        tuple(ends for key, ends in current.items() if key not in earlier),
        tuple(ends for key, ends in earlier.items() if key not in current),
    )


def _list_ends(result: CheckResult) -> dict[tuple[str, str], Ends]:
    """Return the listed pairs by the ids of their texts."""
    pairs: dict[tuple[str, str], Ends] = {}
    for row in list_rows(result).tolist():
        a = result.documents[int(result.table.pairs.left[row])]
        b = result.documents[int(result.table.pairs.right[row])]
        pairs.setdefault(pair_key(a.id, b.id), (a, b))
    return pairs
