"""What a reviewer goes through: the cases of a check in order."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from .cases import case_rows, ends_of
from .model import Decision, Decisions, pair_key
from .result import ApartPair, CheckResult, ThresholdView, alike_pairs, list_rows, pair_cases

#: states of a case that was read and decided
DECIDED = ("confirmed", "no_problem")

Key = TypeVar("Key", bound=Hashable)  # of a case
#: under which a project keeps for a group of its result the key that it had in results before
GROUPS_KEY = "groups.before"


@dataclass(frozen=True, slots=True)
class Case:
    """One pair to decide about. Shares are 0..1, lengths in units of the first text."""

    number: int  # given once and for good by a project, else the place among the cases, from 1
    row: int  # row of the pair table; behind its end for a pair that is `alike`
    a: int  # rows of the documents
    b: int
    key: tuple[str, str]  # `pair_key` of both texts
    cluster: int  # index into the clusters of the view, -1 outside
    share_a: float
    share_b: float
    longest: int
    passages: int
    decision: Decision | None
    alike: int = 0  # places of the same meaning, of a pair that has no other evidence

    @property
    def state(self) -> str:
        """The verdict in force, "undecided" without."""
        return (self.decision.verdict if self.decision else "") or "undecided"

    @property
    def overlap(self) -> float:
        """The larger of both shares."""
        return max(self.share_a, self.share_b)


def cases(result: CheckResult, view: ThresholdView, decisions: Decisions) -> list[Case]:
    """Return every pair that is a case, or was decided.

    Parameters
    ----------
    view
        The result at the threshold in force.
    decisions
        What holds about pairs, by `pair_key`.

    Notes
    -----
    In the order of the evidence, except that the pairs inside one cluster follow its strongest one,
    so that they are read, and can be decided, together.
    """
    table, listed_all = result.table, list_rows(result, view)
    ids = [document.id for document in result.documents]
    wanted = pair_cases(result, view)[listed_all]
    alike = alike_pairs(result, listed_all[wanted])
    if decisions:  # what was decided by its meaning stays so
        keys = [pair_key(ids[a], ids[b]) for a, b in ends_of(result, listed_all)]
        decided = decisions.keys() - {pair_key(ids[one.left], ids[one.right]) for one in alike}
        wanted |= np.array([key in decided for key in keys], np.bool_)
    rows = listed_all[wanted]
    of_left, of_right = (
        view.cluster_of[end[rows]] for end in (table.pairs.left, table.pairs.right)
    )
    inside = np.where(of_left == of_right, of_left, -1)
    _, first, number = np.unique(inside, return_index=True, return_inverse=True)
    # those of one cluster where its first one stands
    order = np.argsort(np.where(inside >= 0, first[number], np.arange(len(rows))), kind="stable")
    ranked = rows[order]
    columns = (
        *(ranked, table.pairs.left[ranked], table.pairs.right[ranked], inside[order]),
        *(table.coverage_a[ranked].astype(np.float64), table.coverage_b[ranked].astype(np.float64)),
        *(table.longest[ranked], table.passages[ranked]),
    )
    listed = []
    before = len(result.common)  # passages that several hold have the first numbers
    for place, (row, a, b, cluster, share_a, share_b, longest, passages) in enumerate(
        zip(*(column.tolist() for column in columns), strict=True), before + 1
    ):
        key = pair_key(ids[a], ids[b])
        listed.append(
            Case(
                *(place, row, a, b, key, cluster, share_a, share_b, longest, passages),
                decision=decisions.get(key),
            )
        )
    return listed + _alike(result, alike, decisions, before + len(listed))


def case_keys(result: CheckResult, view: ThresholdView | None = None) -> list[tuple[str, str]]:
    """Return the key of each case; texts that are equal make several of one key.

    Parameters
    ----------
    view
        As in `cases`; by default at the threshold of the check.
    """
    rows = case_rows(result, view)
    pairs, ids = result.table.pairs, [document.id for document in result.documents]
    sides = zip(pairs.left[rows].tolist(), pairs.right[rows].tolist(), strict=True)
    alike = (one[:2] for one in alike_pairs(result, rows))
    return [pair_key(ids[a], ids[b]) for a, b in (*sides, *alike)]


def count_decided(keys: Iterable[Key], decisions: Mapping[Key, Decision]) -> int:
    """Return how many cases are decided: confirmed or no problem; what is put off is not."""
    decided = {key for key, decision in decisions.items() if decision.verdict in DECIDED}
    return sum(key in decided for key in keys)


def _alike(
    result: CheckResult, alike: Sequence[ApartPair], decisions: Decisions, before: int
) -> list[Case]:
    """Return pairs of the same meaning as cases, numbered behind the others."""
    made = []
    for at, one in enumerate(alike):
        key = pair_key(result.documents[one.left].id, result.documents[one.right].id)
        made.append(
            Case(
                *(before + at + 1, len(result.table) + at, one.left, one.right, key, -1),
                *(0.0, 0.0, 0, 0),  # shares, longest run, passages
                decision=decisions.get(key),
                alike=one.places,
            )
        )
    return made


def decide_anew(
    listed: list[Case], changed: Mapping[tuple[str, str], Decision | None]
) -> list[Case]:
    """Return the cases with what was decided meanwhile, by `pair_key`; the list itself without."""
    if not changed:
        return listed
    return [
        replace(case, decision=changed[case.key]) if case.key in changed else case
        for case in listed
    ]
