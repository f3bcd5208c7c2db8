"""What a reviewer goes through: the cases of a check in order, and a search over them."""

from __future__ import annotations

import operator
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice, pairwise
from statistics import median
from typing import TypeVar

import numpy as np

from .cases import case_rows, ends_of
from .errors import BadInput
from .model import I64, Decision, Decisions, pair_key
from .result import CheckResult, ThresholdView, alike_pairs, list_rows, meanings_shown, pair_cases

#: state of a case: the verdict in force, or none
STATES = ("confirmed", "no_problem", "later", "undecided")
#: states of a case that was read and decided
DECIDED = ("confirmed", "no_problem")
#: seconds between two decisions above which the reviewer did something else
LONGEST_PAUSE = 300
#: decisions from which a pace is stated, and the latest ones that it is stated of
ENOUGH, PACE_OF = 5, 20

Key = TypeVar("Key", bound=Hashable)  # of a case
#: half-open range of code points
Span = tuple[int, int]

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
        """One of `STATES`."""
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
    decided = [pair_key(ids[a], ids[b]) in decisions for a, b in ends_of(result, listed_all)]
    rows = listed_all[pair_cases(result, view)[listed_all] | np.array(decided, np.bool_)]
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
    return listed + _alike(result, list_rows(result, view), decisions, before + len(listed))


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
    alike = (one[:2] for one in alike_pairs(result, list_rows(result, view)))
    return [pair_key(ids[a], ids[b]) for a, b in (*sides, *alike)]


def count_decided(keys: Iterable[Key], decisions: Mapping[Key, Decision]) -> int:
    """Return how many cases are decided: confirmed or no problem; what is put off is not."""
    decided = {key for key, decision in decisions.items() if decision.verdict in DECIDED}
    return sum(key in decided for key in keys)


def _alike(result: CheckResult, rows: I64, decisions: Decisions, before: int) -> list[Case]:
    """Return those pairs as cases, numbered from behind the others."""
    made = []
    for at, one in enumerate(alike_pairs(result, rows)):
        key = pair_key(result.documents[one.left].id, result.documents[one.right].id)
        made.append(
            Case(
                number=before + at + 1,
                row=len(result.table) + at,
                a=one.left,
                b=one.right,
                key=key,
                cluster=-1,
                share_a=0.0,
                share_b=0.0,
                longest=0,
                passages=0,
                decision=decisions.get(key),
                alike=one.places,
            )
        )
    return made


def excerpt(result: CheckResult, case: Case) -> Span | None:
    """Return where the first text has the longest passage of a case, None without any.

    A range of code points; of weak passages only where there is no other. Of a pair that is `alike`
    the longest passage of the same meaning.
    """
    if case.alike:
        meanings = meanings_shown(result)
        assert meanings is not None  # the case rests on them
        mine = meanings.of_pair(case.a, case.b)
        widest = mine[np.argmax((meanings.a_end - meanings.a_start)[mine])]
        return int(meanings.a_start[widest]), int(meanings.a_end[widest])
    passages = result.passages
    low, high = np.searchsorted(passages.pair, [case.row, case.row + 1]).tolist()
    if low == high:
        return None
    start, end = passages.a_start[low:high], passages.a_end[low:high]
    at = low + int(np.lexsort((end - start, ~passages.weak[low:high]))[-1])
    return int(passages.a_start[at]), int(passages.a_end[at])


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


def counts(listed: Sequence[Case]) -> dict[str, int]:
    """Return how many cases are in each of `STATES`."""
    verdicts = [case.decision.verdict for case in listed if case.decision]
    tally = Counter(verdict or "undecided" for verdict in verdicts)
    tally["undecided"] += len(listed) - len(verdicts)
    return {state: tally[state] for state in STATES}


def remaining_seconds(times: Sequence[datetime], open_cases: int) -> float | None:
    """Return how long the open cases take at the pace of the latest decisions.

    Parameters
    ----------
    times
        When decisions were made, one entry an action, in order.

    Returns
    -------
    seconds, None where too few decisions say anything
    """
    gaps = (
        (after - before).total_seconds()
        for after, before in pairwise(reversed(times))  # what is long ago is not read
    )
    steady = list(islice((gap for gap in gaps if 0 < gap <= LONGEST_PAUSE), PACE_OF))
    return median(steady) * open_cases if len(steady) >= ENOUGH else None


# --------------------------------------------------------------------------- the search over them
#: field -> the words that stand for it
FIELDS = {
    "overlap": ("overlap", "重合"),
    "longest": ("longest", "run", "最长", "最長"),
    "passages": ("passages", "处", "處"),
    "name": ("name", "by", "person", "人", "名"),
    "group": ("group", "组", "組", "班"),
    "cluster": ("cluster", "簇"),
    "passage": ("passage", "段"),  # number of a variant group
}
FLAGS = {
    "confirmed": ("confirmed", "确认", "已确认", "確認", "已確認"),
    "no_problem": ("ok", "no-problem", "无问题", "無問題"),
    "later": ("later", "稍后", "稍後"),
    "undecided": ("undecided", "未判"),
    "decided": ("decided", "已判"),
    "noted": ("noted", "批注", "有批注", "批註", "有批註"),
    "alike": ("meaning", "alike", "同义", "只有同义", "同義", "只有同義"),
}
_FIELD_OF = {word: name for name, words in FIELDS.items() for word in words}
_FLAG_OF = {word: name for name, words in FLAGS.items() for word in words}
_NUMBERS = ("overlap", "longest", "passages")
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    ":": operator.ge,
    "=": operator.eq,
}
_TERM = re.compile(r'(-?)([^\s:<>=]+)(>=|<=|[:<>=])("[^"]*"|\S*)')
_WORDS = re.compile(r'-?(?:[^\s:<>="]+(?:>=|<=|[:<>=])(?:"[^"]*"|\S*)|"[^"]*"|\S+)')
_LONGEST = 400  # characters of a query that are read


@dataclass(frozen=True, slots=True)
class Term:
    """One condition. `field` is one of `FIELDS`, a flag, or "word"."""

    field: str
    compare: str
    value: str
    turned: bool


@dataclass(frozen=True, slots=True)
class Query:
    """Conditions that all have to hold; without any, everything matches."""

    terms: tuple[Term, ...] = ()

    def matches(self, case: Case, batch: Batch) -> bool:
        """Return whether a case fulfils every condition."""
        return all(_holds(term, case, batch) != term.turned for term in self.terms)


@dataclass(frozen=True, slots=True)
class Batch:
    """What is searched beside the case itself; names, classes and groups by row."""

    names: Sequence[str]
    groups: Sequence[str]
    witnesses: Sequence[frozenset[int]] = ()  # document rows of each variant group


def parse(text: str, *, blind: bool = False) -> Query:
    """Read a query.

    Parameters
    ----------
    blind
        Names are hidden: a term that asks for one is refused, else it would tell who is who.

    Raises
    ------
    BadInput
        `bad_query`: a term that cannot be read, or one that a hidden name answers.
    """
    plain = unicodedata.normalize("NFKC", text)[:_LONGEST]
    terms = [_term(word) for word in _WORDS.findall(plain)]
    for term in terms:
        if blind and term.field in ("name", "group", "word"):
            raise BadInput("bad_query", term=term.value)
    return Query(tuple(terms))


def _term(word: str) -> Term:
    shape = _TERM.fullmatch(word)
    turned, bare = word.startswith("-") and len(word) > 1, word.removeprefix("-").casefold()
    if shape is None or shape[2].casefold() not in _FIELD_OF:
        flag = _FLAG_OF.get(bare)
        return Term(flag or "word", "", bare.strip('"'), turned)
    name, value = _FIELD_OF[shape[2].casefold()], shape[4].strip('"').casefold()
    number = name in (*_NUMBERS, "cluster", "passage")
    if not value or (number and not re.fullmatch(r"\d{1,9}(\.\d+)?%?", value)):
        raise BadInput("bad_query", term=word)
    if not number and shape[3] not in ":=":
        raise BadInput("bad_query", term=word)
    return Term(name, shape[3], value.rstrip("%") if number else value, turned)


def _holds(term: Term, case: Case, batch: Batch) -> bool:
    if term.field in _NUMBERS:
        number = {
            "overlap": round(100 * case.overlap, 2),
            "longest": case.longest,
            "passages": case.passages,
        }
        return _COMPARE[term.compare](number[term.field], float(term.value))
    if term.field == "cluster":
        return case.cluster + 1 == int(float(term.value))
    if term.field == "passage":
        at = int(float(term.value)) - 1
        return 0 <= at < len(batch.witnesses) and {case.a, case.b} <= batch.witnesses[at]
    if term.field in ("name", "word", "group"):
        searched = batch.groups if term.field == "group" else batch.names
        return any(term.value in searched[row].casefold() for row in (case.a, case.b))
    if term.field == "noted":
        return bool(case.decision and case.decision.note)
    if term.field == "alike":
        return bool(case.alike)
    if term.field == "decided":
        return case.state in DECIDED
    assert term.field in STATES
    return case.state == term.field
