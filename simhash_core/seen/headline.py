"""How many share text: what the first sentence about a check counts, wherever it stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..cases import PassageCase, passage_cases
from ..errors import SCANS
from ..model import FETCHED_KEY
from ..passages.holders import few_holders
from ..people.authorship import group_by_pupil
from ..result import CheckResult, ThresholdView, apart_pairs, meanings_shown, pair_cases

#: what was found of a text, of several texts of one pupil the last of these
EVIDENCE = ("nothing", "close", "weak", "sharing")


@dataclass(frozen=True, slots=True)
class Tally:
    """Pupils, or texts, by the best evidence there is of each.

    Attributes
    ----------
    sharing
        Have text that only one other text has, or a few, or a passage that somebody said is from
        one another; where passages were not looked for, a
        fingerprint close to another one.
    weak
        Of the others, those that may say the same in other words.
    close
        Of the others, those with a close fingerprint and nothing else.
    """

    n: int
    sharing: int
    weak: int
    close: int

    @classmethod
    def of(cls, evidence: Iterable[int]) -> Tally:
        """Count places in `EVIDENCE`."""
        held = list(evidence)
        close, weak, sharing = (held.count(EVIDENCE.index(name)) for name in EVIDENCE[1:])
        return cls(len(held), sharing, weak, close)


@dataclass(frozen=True, slots=True)
class Headline:
    """What was found of whom.

    Attributes
    ----------
    pupils
        Persons who handed in at least one text that was compared; nobody where the texts are no
        class: fewer than half name a person, or each wrote many. References, task sheets and files
        that could not be read are no pupils.
    texts
        All texts that were asked about.
    nameless
        Those of a class that name nobody: they are in no number of pupils.
    passages
        That three or more of the texts hold, and that nobody has answered.
    sharing
        Rows of the texts that share what only a few have.
    """

    pupils: Tally
    texts: Tally
    nameless: Tally
    passages: int
    sharing: frozenset[int]


def headline_of(
    result: CheckResult, view: ThresholdView, answered: Sequence[PassageCase] = ()
) -> Headline:
    """Count who shares text that few have in a check, at a threshold and as far as it counts.

    `answered` are the passages that several hold: who has one from another shares it, however many.
    """
    evidence = evidence_of(result, view, answered)
    pupils, nameless = group_by_pupil(result.documents[: result.checked])
    named = result.checked - len(nameless)
    if 2 * named < result.checked or 2 * len(pupils) < named:
        pupils, nameless = [], []
    return Headline(
        Tally.of(int(evidence[list(rows)].max()) for rows in pupils),
        Tally.of(evidence.tolist()),
        Tally.of(evidence[nameless].tolist()),
        _count_open_passages(result),
        frozenset(np.flatnonzero(evidence == EVIDENCE.index("sharing")).tolist()),
    )


def _count_open_passages(result: CheckResult) -> int:
    """Return how many passages of several texts still count, in the first text of each."""
    groups = result.common
    first = groups.first[:-1]
    places = zip(groups.document[first].tolist(), groups.start[first].tolist(), strict=True)
    return sum(
        not any(
            note.code == "excluded" and note.start <= start < note.end
            for note in result.documents[row].notes
        )
        for row, start in places
    )


def evidence_of(
    result: CheckResult, view: ThresholdView, answered: Sequence[PassageCase] = ()
) -> NDArray[np.int64]:
    """Return for each text that was asked about the place of its evidence in `EVIDENCE`."""
    pairs, n = result.table.pairs, result.checked
    alone = view.within & (result.table.passages == 0)
    near = np.concatenate([pairs.left[alone], pairs.right[alone]])
    apart = apart_pairs(meanings_shown(result))
    weak = np.array([row for one in apart for row in (one.left, one.right)], np.int64)
    evidence = np.zeros(len(result.documents), np.int64)
    evidence[near] = EVIDENCE.index("close" if result.settings.passages else "sharing")
    evidence[weak] = np.maximum(evidence[weak], EVIDENCE.index("weak"))
    rows, few = pair_cases(result, view), few_holders(len(result.documents))
    evidence[np.concatenate([pairs.left[rows], pairs.right[rows]])] = EVIDENCE.index("sharing")
    for one in passage_cases(result):
        if len(one.members) <= few and one.counts:
            evidence[list(one.members)] = EVIDENCE.index("sharing")
    for one in answered:
        if one.answer == "copied":
            evidence[list(one.members)] = EVIDENCE.index("sharing")
    return evidence[:n]


def find_gaps(result: CheckResult) -> list[tuple[str, dict[str, int]]]:
    """Return what a check did not look for or could not read, as codes with their numbers.

    `passages`, `both` (other words and translations), `meaning` (other words alone); what was
    looked at outside its texts, one of `alone`, `library`, `web`; and `scans` that were not read.
    """
    gaps: list[tuple[str, dict[str, int]]] = []
    if not result.settings.passages:
        gaps.append(("passages", {}))
    if result.meanings is None:
        gaps.append(("both", {}))
    elif not result.meanings.by_sentences:
        gaps.append(("meaning", {}))
    pages = sum(FETCHED_KEY in document.meta for document in result.documents)
    if any(fact.code == "archive_searched" for fact in result.guarantees):
        gaps.append(("library", {}))
    else:
        gaps.append(("web", {"n": pages}) if pages else ("alone", {}))
    scans = sum(row.code in SCANS for row in result.unread)
    return [*gaps, *([("scans", {"n": scans})] if scans else [])]
