"""Stored checks as they are seen by the rules that are stored with them.

seen_by(result, exclusions, project)   a check by some rules
term(summaries, open_project, person)  what one person's texts gave in the checks of a class
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from ..checking.authorship import same_person
from ..errors import LeitongError
from ..model import Division, Document
from ..numbers import of_text
from ..result import CheckResult
from ..review.cases import GIVEN_KEY, groups_of_keys
from ..storage import Project, Summary
from .exclusion_view import ExclusionView, exclude, given_ranges, measured_again
from .exclusions import RULES_KEY, Exclusions


def seen_by(result: CheckResult, exclusions: Exclusions, project: Project | None) -> ExclusionView:
    """Return a check by some rules, with the variant groups that a project holds as given."""
    keys = project.get(GIVEN_KEY, []) if project is not None and exclusions.variants else []
    ranges = given_ranges(result, groups_of_keys(result, keys))
    return exclude(result, exclusions, variants=ranges)


@dataclass(frozen=True, slots=True)
class PastText:
    """One text of a person in one check; `division` is None where the check cannot be read."""

    summary: Summary
    moment: datetime
    row: int = -1
    division: Division | None = None
    confirmed: int = 0  # pairs with this text that were confirmed


def term(
    summaries: Iterable[Summary], open_project: Callable[[str], Project], author: Document
) -> list[PastText]:
    """Return what the texts of the author of `author` gave in some checks, the earliest first.

    Nothing is stored: it is read from the checks, and goes with them.
    """
    listed: list[PastText] = []
    for summary in summaries:
        if summary.checked is None:
            continue
        try:
            listed += _of_check(summary, summary.checked, open_project(summary.id), author)
        except LeitongError:
            listed.append(PastText(summary, summary.checked))
    return sorted(listed, key=lambda one: one.moment)


def _of_check(
    summary: Summary, moment: datetime, project: Project, author: Document
) -> list[PastText]:
    try:
        result, rules = project.result(), Exclusions.from_data(project.get(RULES_KEY, {}))
        if result is None:
            return []
        asked = len(result.documents) - result.references
        rows = [row for row in range(asked) if same_person(result.documents[row], author)]
        if not rows:
            return []
        result = measured_again(result)
        seen = seen_by(result, rules, project).result if rules else result
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
            of_text(seen, row),
            sum(result.documents[row].id in key for key in confirmed),
        )
        for row in rows
    ]
