"""What holds after decisions, notes, undo and redo: event by event as from the whole log."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simhash_core.model import Decision
from simhash_core.storage import Subject
from simhash_core.storage.decisions import Event, Fold

SUBJECTS = [Subject.pair("a", "b"), Subject.pair("a", "c"), Subject.group("given")]
START = datetime(2026, 11, 22, tzinfo=UTC)
VALUES = {
    "verdict": ("confirmed", "no_problem", ""),
    "reason": ("quotation", ""),
    "note": ("x", ""),
}

steps = st.lists(
    st.tuples(
        st.sampled_from(["decide", "note", "add", "undo", "redo", "undo any", "damage"]),
        st.sampled_from(["Wu", "Lin"]),
        st.lists(st.sampled_from(SUBJECTS), min_size=1, max_size=3, unique=True),
        st.integers(0, 1000),
    ),
    max_size=40,
)


def written(chosen) -> list[Event]:
    """Two writers work on one log; each names what it saw in its own fold of it."""
    log: list[Event] = []
    for at, (kind, reviewer, subjects, dice) in enumerate(chosen):
        seen, moment = Fold(log), START + timedelta(seconds=at)
        new = f"action {at}"
        if kind in ("decide", "note", "add"):
            last = seen.last("verdict", reviewer=reviewer)
            action = last.id if last and kind == "add" else new
            fields = {"decide": ("verdict", "reason"), "note": ("note",), "add": ("reason",)}[kind]
            for one, name in product(subjects, fields):
                value = VALUES[name][dice % len(VALUES[name])]
                seq = len(log) + 1
                log.append(Event(action, one, name, value, reviewer, moment, seq=seq))
            continue
        if kind == "damage":
            subject = (*SUBJECTS, None)[dice % 4]
            damaged = Event("", subject, "", "", "", moment, seq=len(log) + 1, damaged=True)
            log.append(damaged)
            continue
        target = None
        if kind == "undo":
            target = seen.last("verdict", reviewer=reviewer)
        name = target.id if target else log[dice % len(log)].action if log else "nothing"
        seq = len(log) + 1
        log.append(Event(new, None, "", "", reviewer, moment, undoes=name, seq=seq))
    return log


def judged(log: list[Event]) -> dict[Subject, Decision]:
    """Read the whole log the slow way: does an action hold? Does any undo of it hold?"""
    born = {event.action: at for at, event in reversed(list(enumerate(log)))}

    def holds(action: str) -> bool:
        return not any(
            event.undoes == action and born[action] < born[event.action] and holds(event.action)
            for event in log
        )

    def with_verdict(action: str) -> set[Subject | None]:
        return {one.subject for one in log if (one.action, one.field) == (action, "verdict")}

    fields: dict[Subject, dict[str, object]] = {}
    for event in log:
        if event.damaged:
            fields = {one: held for one, held in fields.items() if not event.concerns(one)}
        elif event.subject is not None and holds(event.action):
            held = fields.setdefault(event.subject, {"verdict": ""})
            held |= {event.field: event.value, "reviewer": event.reviewer, "time": event.time}
            if event.field == "verdict":
                held["together"] = len(with_verdict(event.action)) > 1
    decisions = {subject: Decision(**held) for subject, held in fields.items()}
    return {subject: one for subject, one in decisions.items() if one.verdict or one.note}


@given(steps, st.lists(st.integers(1, 7), min_size=1))
def test_event_by_event_is_as_from_the_whole_log(chosen, sizes):
    log = written(chosen)
    fold, at, known = Fold(), 0, dict[Subject, Decision]()
    while at < len(log):
        size = sizes[at % len(sizes)]
        before = fold.number
        fold.advance(log[at : at + size])
        at += size
        for subject in fold.changed(before):
            known.pop(subject, None)
            if subject in fold.decisions:
                known[subject] = fold.decisions[subject]

        assert fold.decisions == judged(log[:at])
        assert known == fold.decisions  # who follows the changes alone is never behind


@given(steps)
def test_undo_names_what_stands_in_the_log(chosen):
    log = written(chosen)
    fold = Fold(log)
    for reviewer in ("Wu", "Lin"):
        decided = fold.last("verdict", reviewer=reviewer)
        noted = fold.last("note", reviewer=reviewer)
        for action, notes in ((decided, False), (noted, True)):
            for event in action.events if action else ():
                assert event.subject is not None
                assert event.subject.kind == "pair"
                assert (event.field == "note") == notes


def event(action: str, field: str = "verdict", value: str = "confirmed", **rest) -> Event:
    subject = None if "undoes" in rest else SUBJECTS[0]
    return Event(action, subject, field, value, "Wu", START, **rest)


def numbered(log, first: int = 1) -> list[Event]:
    return [replace(event, seq=seq) for seq, event in enumerate(log, first)]


def fold_of(*log: Event) -> Fold:
    return Fold(numbered(log))


@pytest.mark.parametrize(
    "log",
    [
        [event("a"), event("u", undoes="u")],
        [event("a"), event("u", undoes="later"), event("later", undoes="u")],
        [event("a"), event("u", undoes="v"), event("v", undoes="u"), event("v", undoes="v")],
        [event("a"), event("u", undoes="nothing")],
    ],
)
def test_undos_in_a_circle_end(log):
    """No program writes them; a file from elsewhere may hold them."""
    assert fold_of(*log).decisions == judged(log) != {}


@pytest.mark.long
def test_a_long_chain_of_undos_is_followed():
    log = [event("0"), *(event(str(n), undoes=str(n - 1)) for n in range(1, 1501))]

    assert fold_of(*log).decisions[SUBJECTS[0]].verdict == "confirmed"
    assert fold_of(*log[:-1]).decisions == {}


def test_what_is_added_to_an_action_goes_with_it():
    log = [event("a", value="no_problem"), event("a", "reason", "quotation")]
    fold = fold_of(*log, event("u", undoes="a"))
    assert fold.decisions == {}
    fold.advance(numbered([event("r", undoes="u")], 4))

    assert fold.decisions[SUBJECTS[0]] == Decision("no_problem", "quotation", "", "Wu", START)


def test_undo_leaves_notes_alone() -> None:
    fold = fold_of(event("note", "note", "look"), event("c"))
    assert fold.last("verdict").id == "c"
    fold.advance(numbered([event("u", undoes="c")], 3))
    assert fold.last("verdict") is None
    assert fold.last("note").id == "note"
