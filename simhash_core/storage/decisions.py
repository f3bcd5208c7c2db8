"""Decisions as events: written once, never changed, folded into what holds now.

Two reviewers on one file each add rows; for each field of a subject the latest row counts and the
earlier ones stay in the history. Undo is a row too.

A row is JSON and holds the check sum of the one before, and the file lists number and check sum of
the last (`contents`). So a changed row is noticed, and so is one that is missing, at the end too,
or stands in another place. The sums hold no secret: they show what befell a file, not a forger who
makes all of them anew.
"""

from __future__ import annotations

import contextlib
import json
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Self

from ..errors import BadInput
from ..model import REASONS, VERDICTS, Decision, pair_key
from .codec import digest

SUBJECTS = ("pair", "group")
FIELDS = ("verdict", "reason", "note")
MOST_WORDS = 20_000  # characters of one value: a note is no document

_WORDS = ("action", "field", "value", "reviewer", "undoes")  # of an event as they are stored
START = bytes(32)  # what stands before the first event
_NEVER = datetime.fromtimestamp(0, UTC)
_NOTHING = "-"  # no action is called so: what undoes it does nothing

#: number, check sum of the row before, content, check sum of these three
Row = tuple[int, bytes, str, bytes]
#: a row as it is found, the content as bytes; in a damaged file anything but the number
Found = Sequence[Any]


@dataclass(frozen=True, slots=True, order=True)
class Subject:
    """What is decided about: a pair of texts by their content, or a passage that many share.

    `a <= b` are ids of texts, "" where the subject is no pair; `place` is the key of a group.
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
    def group(cls, key: str) -> Self:
        """Return a passage that many texts share, by a key of its content."""
        return cls("group", place=key)


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
        mine = self.subject
        return mine is None or (mine.kind, mine.texts) == (subject.kind, subject.texts)


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


@dataclass(frozen=True, slots=True)
class Action:
    """One click: what an undo names, and what it is about."""

    id: str  # what `undo` takes
    events: tuple[Event, ...]  # what was set; of an undo: what it took back


@dataclass(slots=True, eq=False)
class _Node:
    """An action in the log: what it set, or which actions it takes back."""

    born: int  # place among the actions
    id: str
    reviewer: str
    events: list[Event] = field(default_factory=list)
    undoes: list[_Node] = field(default_factory=list)
    undone: int = 0  # undos in force that take it back
    first: Subject | None = None  # the first one that it gave a verdict
    together: bool = False  # it gave several a verdict

    @property
    def channel(self) -> str:
        """Which undo takes it back, `verdict` or `note`; "" where it is not about pairs alone.

        A note is never taken back as a verdict.
        """
        if not all(event.subject and event.subject.kind == "pair" for event in self.events):
            return ""
        return "note" if any(event.field == "note" for event in self.events) else "verdict"


class Fold:
    """What holds after the events so far, for each field of a subject the latest in force.

        fold = Fold()
        fold.advance(project.history(fold.number))
        fold.decisions[subject]

    Notes
    -----
    An action holds while no undo that itself holds takes it back, so an undo can be undone. An undo
    counts only for an action that began before its own, which leaves no circle whatever a file
    says. What a damaged event may have been about is undecided until it is decided again: the
    decision before it was perhaps withdrawn. An event costs what it changes: a new one O(1), an
    undo the events of the subjects that it gives another value.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.number = 0  # of the latest event
        self.decisions: dict[Subject, Decision] = {}
        self._held: dict[Subject, Decision] = {}  # also where neither verdict nor note is left
        self._of: dict[Subject, list[tuple[Event, _Node]]] = {}  # since anything was damaged
        self._actions: dict[str, _Node] = {}
        self._changed: list[tuple[int, Subject]] = []  # numbers rise
        self.advance(events)

    def advance(self, events: Iterable[Event]) -> None:
        """Take in the events that came after those before."""
        for event in events:
            self.number = event.seq
            if event.damaged:
                for subject in [one for one in self._of if event.concerns(one)]:
                    self._of[subject].clear()
                    self._settle(subject)
                continue
            node = self._actions.get(event.action)
            if node is None:
                node = _Node(len(self._actions), event.action, event.reviewer)
                self._actions[event.action] = node
            if event.subject is not None:
                self._set(node, event, event.subject)
                continue
            target = self._actions.get(event.undoes)
            if target is not None and target.born < node.born:
                node.undoes.append(target)
                for subject in {} if node.undone else _undo(target):
                    self._settle(subject)

    def changed(self, since: int) -> set[Subject]:
        """Return the subjects of which something may have changed after an event."""
        first = bisect_right(self._changed, since, key=lambda entry: entry[0])
        return {subject for _, subject in self._changed[first:]}

    def event(self, subject: Subject, name: str = "") -> Event | None:
        """Return the event that gives a field its value, or the latest one; None without any."""
        for event, node in reversed(self._of.get(subject, ())):
            if name in ("", event.field) and not node.undone:
                return event
        return None

    def last(self, channel: str, *, reviewer: str | None = None) -> Action | None:
        """Return the latest action in force that set verdicts, or notes, of pairs."""
        for node in reversed(self._actions.values()):
            mine = reviewer in (None, node.reviewer) and node.events and not node.undone
            if mine and node.channel == channel:
                return Action(node.id, tuple(node.events))
        return None

    def _set(self, node: _Node, event: Event, subject: Subject) -> None:
        node.events.append(event)
        self._of.setdefault(subject, []).append((event, node))
        if event.field == "verdict":
            node.first = node.first or subject
            if subject != node.first and not node.together:  # of the first one too
                node.together = True
                self._settle(node.first)
        if not node.undone:
            self._hold(subject, _after(self._held.get(subject, Decision("")), event, node))

    def _settle(self, subject: Subject) -> None:
        """Fold the events of one subject anew."""
        decision = Decision("")
        for event, node in self._of[subject]:
            if not node.undone:
                decision = _after(decision, event, node)
        self._hold(subject, decision)

    def _hold(self, subject: Subject, decision: Decision) -> None:
        self._held[subject] = decision
        self._changed.append((self.number, subject))
        if decision.verdict or decision.note:
            self.decisions[subject] = decision
        else:
            self.decisions.pop(subject, None)


def _after(before: Decision, event: Event, node: _Node) -> Decision:
    value: dict[str, Any] = {event.field: event.value}
    if event.field == "verdict":
        value["together"] = node.together
    return replace(before, reviewer=event.reviewer, time=event.time, **value)


def _undo(node: _Node) -> dict[Subject, None]:
    """Count an undo of an action; return the subjects that it changes.

    What that action took back has its force again.
    """
    subjects: dict[Subject, None] = {}
    waiting = [(node, 1)]
    while waiting:
        one, step = waiting.pop()
        one.undone += step
        if one.undone == (1 if step > 0 else 0):  # it has just lost its force, or has it again
            subjects |= {event.subject: None for event in one.events if event.subject is not None}
            waiting += [(below, -step) for below in one.undoes]
    return subjects


def write(event: Event, seq: int, before: bytes) -> Row:
    """Return the row of an event."""
    subject, words = event.subject, {name: getattr(event, name) for name in _WORDS}
    about = subject and [subject.kind, subject.a, subject.b, subject.place]
    others = {"subject": about, "time": event.time.isoformat(), "names": list(event.names)}
    content = json.dumps(words | others, sort_keys=True)
    return seq, before, content, link(seq, before, content.encode("ascii"))


def silence_event(event: Event, ids: Collection[str], files: Collection[str]) -> Event:
    """Return an event; one about a text of these ids or files as an event that says nothing."""
    about = set(event.subject.texts) if event.subject else set()
    if about.isdisjoint(ids) and set(event.names).isdisjoint(files):
        return event
    return Event(event.action, None, "", "", "", event.time, undoes=_NOTHING, seq=event.seq)


def link(seq: int, before: bytes, content: bytes) -> bytes:
    """Return the check sum of a row."""
    return digest(b"%d\n%b%b" % (seq, before, content))


def read(
    rows: Iterable[Found], *, after: int, last: int | None, head: bytes, texts: Iterable[str] = ()
) -> list[Event]:
    """Return events, each checked by itself and as a link of the chain.

    Parameters
    ----------
    rows
        Those numbered `after` and more; the first is looked at, not returned.
    last, head
        Number and check sum of the last event, as the file lists them; None where it lists none.
    texts
        Ids of texts that a decision can be about, beside those of the rows.

    Returns
    -------
    list of Event
        By number. A damaged row is an event that says so, and what is missing is one event with
        the last missing number. A whole row accuses the one before, where it names another.
    """
    ordered = sorted((row for row in rows if row[0] >= max(after, 1)), key=lambda row: int(row[0]))
    whole = [_read(*row) for row in ordered]
    keys = {"", *texts}
    keys.update(key for one in whole if one and one.subject for key in one.subject.texts)
    events: list[Event] = []
    number = after
    sums: set[bytes | None] | None = {START} if after == 0 else None
    for event, row in zip(whole, ordered, strict=True):
        if row[0] > after:
            if row[0] > number + 1:
                events.append(make_unknown(row[0] - 1))
            elif event and sums and row[1] not in sums:
                # before the first there is nothing to accuse
                event, events = (
                    (event, [*events[:-1], make_unknown(number)]) if events else (None, [])
                )
            events.append(event or _damaged(row[0], row[2], keys))
        number, sums = row[0], {row[3]}
        if _are_bytes(*row[1:3]):
            sums.add(link(*row[:3]))
    if last is None:
        return events
    if number < last:
        return [*events, make_unknown(last)]
    if number == last and events and sums and head not in sums:
        events[-1] = make_unknown(number)
    return [event if event.seq <= last else make_unknown(event.seq) for event in events]


def _are_bytes(*values: Any) -> bool:
    return all(isinstance(value, bytes) for value in values)


def _read(seq: int, before: Any, content: Any, check: Any) -> Event | None:
    """Return the event of a row; None where it is not as it was written."""
    if not _are_bytes(before, content) or link(seq, before, content) != check:
        return None
    try:
        held = json.loads(content)
        subject = None if held["subject"] is None else Subject(*map(str, held["subject"]))
        first, second = map(str, held["names"])
        action, field, value, reviewer, undoes = (str(held[name]) for name in _WORDS)
        moment = datetime.fromisoformat(held["time"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if (subject is None) != bool(undoes) or (subject and subject.kind not in SUBJECTS):
        return None
    return Event(action, subject, field, value, reviewer, moment, (first, second), undoes, seq)


def _damaged(seq: int, content: Any, texts: set[str]) -> Event:
    """Return a damaged row as an event that decides nothing.

    It names its subject where that can still be read and is about texts that are known: no few
    changed bits make one sha-256 of another. Places are never trusted.
    """
    with contextlib.suppress(ValueError, TypeError, KeyError, RecursionError):
        kind, a, b, _ = json.loads(content)["subject"]
        if kind in SUBJECTS and all(isinstance(key, str) and key in texts for key in (a, b)):
            return make_unknown(seq, Subject(kind, a, b))
    return make_unknown(seq)


def make_unknown(seq: int, subject: Subject | None = None) -> Event:
    """Return an event of which nothing is known but its number, and perhaps its subject."""
    return Event("", subject, "", "", "", _NEVER, seq=seq, damaged=True)
