"""Where a passage may have come from: what can be seen, each as a code with its numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..model import F64, I64, Bools

AHEAD = 1.2  # times the second: less is no difference between two texts
LEAST_JOINED = 0.1  # of the words of the passage that its surroundings use too
_DATE = re.compile(r"(\d{4})[-/.年](\d{1,2})(?:[-/.月](\d{1,2}))?")


@dataclass(frozen=True, slots=True)
class Clue:
    """One thing that points to where a passage came from: evidence, never a verdict.

    `code` names the sentence: `library` (a reference holds it), `task` (it borders on what
    everybody was given), `earliest` (the first by date), `agrees` (departs nowhere from the
    base), `longest` (shares more around the passage than the others), `joins` (its surroundings
    use the words of the passage most). `witnesses` are columns of the collation.
    """

    code: str
    witnesses: tuple[int, ...]
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Circumstances:
    """What is known of each witness, one row each; w witnesses."""

    reference: Bools  # (w,)
    beside_task: Bools  # (w,) borders on template text
    date: Sequence[str]  # "" where unknown
    departures: I64  # (w,)
    extent: I64  # (w,) characters around and with the passage shared with another witness
    joined: F64  # (w,) share of the words of the passage that the rest of the text uses too


def clues(of: Circumstances) -> list[Clue]:
    """Return what points to an origin, strongest kind of evidence first."""
    candidates = [_library(of), _task(of), _earliest(of), _agrees(of), _longest(of), _joins(of)]
    return [clue for clue in candidates if clue is not None]


def _library(of: Circumstances) -> Clue | None:
    rows = tuple(of.reference.nonzero()[0].tolist())
    return Clue("library", rows, {"n": len(rows)}) if rows else None


def _task(of: Circumstances) -> Clue | None:
    rows = tuple(of.beside_task.nonzero()[0].tolist())
    return Clue("task", rows, {"n": len(rows)}) if 2 * len(rows) >= len(of.beside_task) else None


def _earliest(of: Circumstances) -> Clue | None:
    """The first by date, where all dates are known and one comes before the others."""
    days = [day_of(date) for date in of.date]
    if not days or not all(days):
        return None
    first = min(days)
    rows = tuple(row for row, day in enumerate(days) if day == first)
    return Clue("earliest", rows, {"date": first}) if len(rows) == 1 else None


def _agrees(of: Circumstances) -> Clue | None:
    rows = tuple((of.departures == 0).nonzero()[0].tolist())
    if not rows or len(rows) == len(of.departures):
        return None
    return Clue("agrees", rows, {"n": len(rows)})


def _longest(of: Circumstances) -> Clue | None:
    """The text that shares most around the passage; always with another, so at least two."""
    most = int(of.extent.max(initial=0))
    rows = tuple((of.extent * AHEAD > most).nonzero()[0].tolist())
    if not most or 2 * len(rows) > len(of.extent):
        return None
    return Clue("longest", rows, {"n": len(rows), "characters": most})


def _joins(of: Circumstances) -> Clue | None:
    """The text whose other parts use the words of the passage more than any other text's."""
    if len(of.joined) < 2:
        return None
    order = of.joined.argsort(kind="stable")[::-1]
    best, second = (float(of.joined[row]) for row in order[:2])
    if best < LEAST_JOINED or best < AHEAD * second:
        return None
    return Clue("joins", (int(order[0]),), {"share": best})


def day_of(date: str) -> str:
    """Return a date as YYYY-MM-DD, "" where it cannot be read."""
    match = _DATE.search(date)
    if not match:
        return ""
    year, month, day = match.groups()
    return f"{year}-{int(month):02d}-{int(day or 1):02d}"
