"""Sentences of the same meaning as the reader of two texts shows them, and how close they are.

Alike(answers, evidence, traces, scale)   what a page says of them
said_of(alike, matches)                   the same as the component reads it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from simhash_core.model import Division
from simhash_core.notation import letters
from simhash_core.numbers import CLASSES, SHARED_CLASSES
from simhash_core.report.collation import reading
from simhash_core.report.collation.reading import Match
from simhash_core.seen import Answer
from simhash_core.text.lengths import count_units

from ..shared.session import t


@dataclass(frozen=True, slots=True)
class Disc:
    """One answer on the scale, if it is closer than every unrelated one."""

    at: float
    letter: str


@dataclass(frozen=True, slots=True)
class Scale:
    """How close unrelated sentences come, from `low` to 1, and how close those of a pair are."""

    title: str
    note: str
    low: float
    highest: float
    highest_label: str
    heights: tuple[int, ...]
    discs: tuple[Disc, ...]
    ends: tuple[str, str]  # what stands below the left and the right end
    table: tuple[tuple[str, str], ...]  # the same in words
    table_title: str


@dataclass(frozen=True, slots=True)
class Alike:
    """Sentences of the same meaning, in the order of the first text, and what is said of them.

    `evidence` of each are runs of text, each with whether it is bold.
    """

    answers: tuple[Answer, ...] = ()
    evidence: tuple[tuple[tuple[str, bool], ...], ...] = ()
    traces: str = ""
    scale: Scale | None = None
    small: str = ""  # where there is no scale


def closest(matches: Sequence[Match]) -> int:
    """Return the place of the closest sentences of the same meaning, -1 without any."""
    order = [one.score if one.kind == "meaning" else -1.0 for one in matches]
    return max(range(len(order)), key=order.__getitem__, default=-1)


def said_of(alike: Alike, matches: Sequence[Match]) -> dict[str, Any]:
    """Return what is said of sentences of the same meaning, each by its place among the matches."""
    first = len(matches) - len(alike.answers)
    behind = [sorted(one.b for one in alike.answers), sorted(one.a for one in alike.answers)]
    kind = t("compare.kind.meaning")
    return {
        "first": first,
        "evidence": alike.evidence,
        "traces": alike.traces,
        "scale": None if alike.scale is None else asdict(alike.scale),
        "small": alike.small,
        "names": [
            [
                t(
                    "compare.meaning.name",
                    letter=letters(place),
                    kind=kind,
                    side=t(f"compare.side.{'ba'[side]}"),
                    place=behind[side].index((one.b, one.a)[side]) + 1,
                )
                for side in (0, 1)
            ]
            for place, one in enumerate(alike.answers, 1)
        ],
    }


def whole_bar(
    text: str, division: Division, matches: Sequence[Match], side: int
) -> list[tuple[str, int]]:
    """Return a text by class, what the other one says in other words apart; [] without any."""
    spans = [(one.a, one.b)[side] for one in matches if one.kind == "meaning"]
    alike = sum(count_units(text[slice(*span)]) for span in reading.union(spans))
    if not spans:
        return []
    alike = min(alike, division.own)
    units = {name: getattr(division, name) for name in CLASSES}
    units |= {"meaning": alike, "own": division.own - alike}
    order = (*SHARED_CLASSES, "meaning", "own", "left_out")
    return [(name, units[name]) for name in order if units[name]]
