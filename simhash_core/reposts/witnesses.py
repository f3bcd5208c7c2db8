"""What dates say and what words say about the order of versions, kept apart.

Each is a witness: an order, how likely its first version is the first, and what it rests on.
Where they disagree neither is called certain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import mul

import numpy as np

from ..graphs import spanning_tree, walk_tree
from ..model import F64
from .dates import Moment
from .direction import Direction

Rows = tuple[int, ...]

#: where a date comes from -> how often it is taken to be false. Assumptions, best source first:
#: nobody has measured it, and who backdates a copy does it in the name of a file
FALSE_DATE: Mapping[str, float] = {
    "hand": 0.01,
    **dict.fromkeys(("page", "table"), 0.05),
    **dict.fromkeys(("details", "text", "address"), 0.1),
    "name": 0.2,
}
#: of a date that only the text in question claims, wherever it is from: at least as often
CLAIMED = 0.2
#: words that a likelihood is called by, from which on
FAIR, UNSURE = 0.85, 0.60
#: of the first by the words: from there on they contradict dates that name another
SPEAKS_UP = 0.70
LEVELS = ("fair", "unsure", "open")
#: kinds of traces that must point to the first version: one alone is never more than unsure
FEWEST_KINDS = 2
SPEAKS = 0.3  # log-odds of a kind of trace: less says nothing
#: length of the shortest version from which words may be unsure, and fairly sure. Of those called
#: very likely first 84 % were right at 300 to 400 characters of Chinese and 92 % beyond, 69 % at 60
#: to 100 words of English and 92 % beyond; of those called likely 59 % below 200 characters. Fewer
#: than 40 words were not measured (`evaluate reposts` of commit 4a9efa0e, two seeds)
LONG_ENOUGH: Mapping[str, tuple[int, int]] = {"characters": (200, 400), "words": (40, 100)}
#: of the versions of one text, each as the first: what is weighed, and how much. Learnt by
#: `lab.measurements.orders.learn` of commit 4a9efa0e, together with `direction.WEIGHTS`
FIRST: Mapping[str, float] = {
    "mean": 0.29,
    "least": 0.203,
    "distance": 1.422,
    "end": 0.516,
    "hub": 1.323,
    "steps": 0.25,
}


@dataclass(frozen=True, slots=True)
class Measured:
    """How often the first version was right, of groups of known order that chose nothing."""

    right: int
    groups: int


#: level of the words -> what it was worth on chains kept aside, dates not looked at
#: (`leitong evaluate reposts`, table of levels)
MEASURED: Mapping[str, Measured] = {
    "fair": Measured(91, 102),
    "unsure": Measured(154, 207),
    "open": Measured(91, 193),
}


@dataclass(frozen=True, slots=True)
class Witness:
    """One order of versions, the first ones first.

    `order` holds only versions that the witness knows. `likelihood` is that of the first of them,
    0..1. `level` is `fair`, `unsure` or `open` for words. For dates it is `all` where every version
    has one, `some` where versions without one may be older, or `none` where none tells the first of
    two apart.
    """

    order: tuple[int, ...]
    likelihood: float
    level: str

    @property
    def first(self) -> int | None:
        """The version that it names first, None where it names none."""
        return self.order[0] if self.order and self.level not in ("open", "none") else None

    def placed(self, places: Sequence[int]) -> Witness:
        """Return the order with the place of each version in another list."""
        return replace(self, order=tuple(places[at] for at in self.order))


# --------------------------------------------------------------------------- words
def rate_by_words(odds: F64, distance: F64, line: Sequence[int] | None) -> F64:
    """Return how likely each version is the first, by the words alone: (n,), sum 1.

    Parameters
    ----------
    odds
        (n, n) log-odds that the row came before the column.
    distance
        (n, n) words that only one of two versions has.
    line
        The versions as one line of revisions, None where they are none.
    """
    measured = measures_of_first(odds, distance, line)
    scores = sum(FIRST[name] * values for name, values in measured.items())
    grown = np.exp(scores - np.max(scores))
    return np.asarray(grown / grown.sum(), float)


def measures_of_first(odds: F64, distance: F64, line: Sequence[int] | None) -> dict[str, F64]:
    """Return what is measured of each version as the first, each (n,)."""
    n = len(odds)
    tree = spanning_tree(distance)
    links = Counter(end for ends in tree for end in ends)
    ends = {line[0], line[-1]} if line is not None and n > 2 else set()
    others = [[odds[row, col] for col in range(n) if col != row] for row in range(n)]
    mean = distance.mean() or 1.0
    steps = [sum(odds[step] for step in walk_tree(tree, row)) for row in range(n)]
    return {
        "mean": np.array([np.mean(row) for row in others]),
        "least": np.array([min(row) for row in others]),
        "distance": distance.mean(axis=1) / mean,
        "end": np.array([float(row in ends) for row in range(n)]),
        "hub": np.array([float(links[row] > 2) for row in range(n)]),
        "steps": np.array(steps),
    }


def level_of(likelihood: float, away: Sequence[Direction], length: int, unit: str) -> str:
    """Return the word for a likelihood.

    Parameters
    ----------
    away
        The directions from the first to the others.
    length
        Of the shortest version, in `unit`s: `characters` or `words`.

    Notes
    -----
    A single kind of trace, or acts (eleven of known order were at hand), are never `fair`; nor are
    short texts, the shortest `open` unless another names the first as its source. So is a version
    that no trace speaks of: where it stands among the others tells nothing by itself.
    """
    if not any(part for one in away for part in one.kinds.values()):
        return "open"
    fewest, enough = LONG_ENOUGH[unit]
    named = any(one.kinds.get("named", 0.0) >= SPEAKS for one in away)
    kinds = {kind for one in away for kind in one.kinds}
    speaking = [
        kind
        for kind in kinds
        if sum(one.kinds.get(kind, 0.0) for one in away) >= SPEAKS * max(1, len(away))
    ]
    fair = len(speaking) >= FEWEST_KINDS and not any(one.act for one in away)
    if likelihood >= FAIR and fair and length >= enough:
        return "fair"
    return "unsure" if likelihood >= UNSURE and (named or length >= fewest) else "open"


# --------------------------------------------------------------------------- dates
def order_by_dates(moments: Sequence[Moment | None], last: Collection[int] = ()) -> Witness:
    """Return the order that the dates tell, of the versions that have one.

    Parameters
    ----------
    last
        Versions without a date that came in after all others.
    """
    starts = {row: moment.start for row, moment in enumerate(moments) if moment is not None}
    dated = sorted(starts, key=lambda row: (starts[row].timestamp(), row))
    order = (*dated, *sorted(last))
    first = moments[dated[0]] if dated else None
    if first is None or len(order) < 2:
        return Witness(tuple(dated), 0.0, "none")
    later = [moments[row] for row in dated[1:]]
    if not all(moment is not None and first.before(moment) for moment in later):
        return Witness(tuple(dated), 0.0, "none")
    level = "all" if len(order) == len(moments) else "some"
    return Witness(order, 1 - _doubt(first), level)


def find_doubted(words: Witness, likely: F64, moments: Sequence[Moment | None]) -> tuple[int, Rows]:
    """Return the version that is likely first by both witnesses, and the dates that it denies.

    Parameters
    ----------
    likely
        (n,) of each version as the first, by the words.

    Notes
    -----
    For a version with others dated before it either its own date is false or all of theirs are;
    the likelier of both counts (`FALSE_DATE`), times what the words say. Only the version that
    the words name can deny a date; where they leave it open, none is denied.
    """
    n = len(likely)
    weighed = np.maximum(likely, np.finfo(float).tiny)
    denied: list[Rows] = []
    for row in range(n):
        moment = moments[row]
        denied.append(())
        if moment is None:
            continue
        before = [at for at, one in enumerate(moments) if one is not None and one.before(moment)]
        if not before:
            continue
        theirs = reduce(mul, (_doubt(moments[at]) for at in before))
        mine = _doubt(moment)
        denied[row] = (row,) if mine > theirs else tuple(before)
        weighed[row] *= max(mine, theirs) if row == words.first else 0.0
    dated = [moment is not None for moment in moments]  # of equal ones that which has a date
    first = max(range(n), key=lambda row: (round(float(weighed[row]), 9), dated[row], -row))
    return first, denied[first]


def _doubt(moment: Moment | None) -> float:
    """Return how often such a date is taken to be false."""
    if moment is None:
        return FALSE_DATE["name"]
    return max(FALSE_DATE[moment.source], CLAIMED if moment.claimed else 0.0)


def find_to_check(
    words_first: int, dates_first: int, moments: Sequence[Moment | None], received: Sequence[float]
) -> int:
    """Return whose date is to be checked first, where two witnesses name two versions.

    That of the weaker source, a mere claim before all; of equal ones the earlier date, unless the
    library received that version earlier as well.
    """
    both = (moments[words_first], moments[dates_first])
    of_words, of_dates = ((one is not None and one.claimed, _doubt(one)) for one in both)
    if of_words > of_dates:
        return words_first
    both_received = received[words_first] and received[dates_first]
    earlier = both_received and received[dates_first] < received[words_first]
    return words_first if earlier and of_words == of_dates else dates_first
