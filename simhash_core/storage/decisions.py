"""Decisions as events: written once, never changed, folded into what holds now.

Two reviewers on one file each add rows; for each field of a subject the latest row counts and the
earlier ones stay in the history. Undo is a row too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self

from ..errors import BadInput
from ..model import REASONS, VERDICTS, Decision, pair_key

SUBJECTS = ("pair", "passage", "group", "exclusion")
FIELDS = ("verdict", "reason", "note")
MOST_WORDS = 20_000  # characters of one value: a note is no document

Span = tuple[int, int]


@dataclass(frozen=True, slots=True, order=True)
class Subject:
    """What is decided about: a pair of texts by their content, a passage of it, a group, a rule.

    `a <= b` are ids of texts, "" where the subject is no pair; `place` says what of it.
    """

    kind: str  # one of SUBJECTS
    a: str = ""
    b: str = ""
    place: str = ""

    @property
    def texts(self) -> tuple[str, str]:
        """The ids of both texts."""
        return self.a, self.b

    @classmethod
    def pair(cls, a: str, b: str) -> Self:
        """Return the pair of two texts, whichever way round their ids are given."""
        return cls("pair", *pair_key(a, b))

    @classmethod
    def passage(cls, a: str, b: str, in_a: Span, in_b: Span) -> Self:
        """Return one passage of a pair: half-open ranges of code points into both texts."""
        first, second = sorted([(a, in_a), (b, in_b)])
        place = f"{first[1][0]}-{first[1][1]}:{second[1][0]}-{second[1][1]}"
        return cls("passage", first[0], second[0], place)

    @classmethod
    def group(cls, key: str) -> Self:
        """Return a passage that many texts share, by a key of its content."""
        return cls("group", place=key)

    @classmethod
    def exclusion(cls, rule: str, key: str = "") -> Self:
        """Return a rule of exclusion, or what one rule says about one thing."""
        return cls("exclusion", place=f"{rule}:{key}")


@dataclass(frozen=True, slots=True)
class Event:
    """One field of one subject set by one reviewer, or an action undone (`undoes`).

    Of a `damaged` event no field is known. Its `subject` says which decisions it may have been
    about: those of the same kind and texts, whatever their place, or any at all (None).
    """

    action: str  # events of one click share it
    subject: Subject | None  # None: an undo, or damaged
    field: str
    value: str
    reviewer: str
    time: datetime  # UTC
    names: tuple[str, str] = ("", "")  # what both texts were called then
    undoes: str = ""
    seq: int = 0  # place in the log of the project, from 1
    damaged: bool = False

    def concerns(self, subject: Subject) -> bool:
        """Return whether this damaged event may have been about a subject."""
        own = self.subject
        return own is None or (own.kind, own.texts) == (subject.kind, subject.texts)


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """A decision that no longer applies: a text of the same name has another content now."""

    names: tuple[str, str]  # sorted
    subject: Subject
    decision: Decision


def validate(subject: Subject, values: Mapping[str, str]) -> None:
    """Raise `BadInput("decision")` for a field, a verdict or a subject that does not exist."""
    for name, value in values.items():
        allowed: Iterable[str] | None = {"verdict": ("", *VERDICTS)}.get(name)
        if name == "reason" and subject.kind == "pair":
            allowed = ("", *REASONS)
        if name not in FIELDS or len(value) > MOST_WORDS or (allowed and value not in allowed):
            raise BadInput("decision", field=name)
    if subject.kind not in SUBJECTS:
        raise BadInput("decision", field="kind")


def in_force(events: Iterable[Event]) -> list[Event]:
    """Return the events that no undo took back, in their order. An undo can be undone.

    Damaged events stay: nobody knows what they were.
    """
    listed = list(events)
    undone: set[str] = set()
    for event in reversed(listed):  # a later undo decides about an earlier one
        if event.undoes and event.action not in undone:
            undone.add(event.undoes)
    return [event for event in listed if not event.undoes and event.action not in undone]


def fold(events: Iterable[Event]) -> dict[Subject, Decision]:
    """Return what holds for each subject: for every field the latest event.

    What a damaged event may have been about is undecided until it is decided again: the decision
    before it was perhaps withdrawn.
    """
    current: dict[Subject, Decision] = {}
    for event in in_force(events):
        if event.damaged:
            current = {key: one for key, one in current.items() if not event.concerns(key)}
            continue
        assert event.subject is not None
        before = current.get(event.subject, Decision(""))
        values: dict[str, Any] = {event.field: event.value}
        current[event.subject] = replace(before, reviewer=event.reviewer, time=event.time, **values)
    return {subject: one for subject, one in current.items() if one.verdict or one.note}
