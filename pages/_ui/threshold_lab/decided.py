"""What the page judges by: the check or the sample essays, and what was decided about cases.

Decisions are those of the review desk; of other checks they count where the reader chooses them.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import streamlit as st

from simhash_core import CheckResult, LeitongError, check, gather, read, samples
from simhash_core.lab.labels import (
    Label,
    Labels,
    join_labels,
    label_rows,
    read_answers,
    read_labels,
)
from simhash_core.lab.laboratories import Sweep, sweep
from simhash_core.settings import Settings
from simhash_core.storage import Summary

from ..shared import open_checks, session
from ..shared.formatting import short_date
from ..shared.session import find_naming, t
from ..shared.tab import EMPTY, Fact
from ..shared.widgets import note

LEAST = 10  # decisions from which anything is said
CHOSEN_KEY = "lab_checks"


@dataclass(frozen=True, slots=True)
class Stored:
    """The decisions of another check, as they stood at an event of its project."""

    event: int
    summary: Summary
    labels: Labels | None


class Tab:
    """What a tab remembers: the sample essays, and the checks whose decisions count too."""

    sample: Fact[CheckResult | None] = Fact(None)
    stored: Fact[Mapping[str, Stored]] = Fact(EMPTY)


tab = Tab()


def find_result() -> CheckResult | None:
    """Return the current check, or the sample essays once they are played with."""
    return session.result() or tab.sample


def sweep_check(result: CheckResult) -> Sweep:
    """Return a result at every threshold."""
    return session.memo("sweep", lambda: sweep(result))


def check_sample() -> None:
    """Make fingerprints of the sample essays, for those who have no check; no passages."""
    sources, _ = gather(samples()["essays"])
    documents, _ = read([source for source in sources if not source.name.endswith("csv")])
    tab.sample = check(documents, settings=Settings(passages=False, text_check=False))
    session.set_threshold(tab.sample.threshold)


# --------------------------------------------------------------------------- whose decisions


def choose_checks() -> None:
    """Let the reader choose checks whose decisions count beside those of the current one."""
    fold = st.popover(
        t("threshold_lab.others"), icon=":material/checklist:", key="lab_others", on_change="rerun"
    )
    if not fold.open:
        return
    here, named = open_checks.address(), Counter[str]()
    offered: dict[str, str] = {}
    for one in open_checks.shelf().recent():
        if one.decided and one.id != here:
            moment = one.checked or one.created or datetime.now(UTC)
            label = t("threshold_lab.others.name", name=session.name_of(one), n=one.decided,
                      moment=short_date(moment.astimezone()))  # fmt: skip
            named[label] += 1  # Streamlit tells choices apart by what they are called
            offered[one.id] = label if named[label] == 1 else f"{label} ({named[label]})"
    with fold:
        if not offered:
            note(t("threshold_lab.others.none"))
            return
        st.multiselect(
            t("threshold_lab.others.label"), list(offered), key=CHOSEN_KEY, placeholder="",
            format_func=offered.__getitem__, persist_state="session",
        )  # fmt: skip


def read_chosen(bits: int) -> list[Stored]:
    """Return the decisions of the chosen checks; say which cannot be read or compared."""
    held, read_now = tab.stored, dict[str, Stored]()
    for key in session.get(CHOSEN_KEY) or []:
        if key == open_checks.address():  # it was chosen from another check
            continue
        try:
            with contextlib.closing(open_checks.shelf().open(key)) as project:
                event = project.latest()
                if key not in held or held[key].event != event:
                    read_now[key] = Stored(event, project.summary(), read_labels(project))
                else:
                    read_now[key] = held[key]
        except LeitongError:
            note(t("threshold_lab.others.unread"))
    tab.stored = read_now
    useful = []
    for one in read_now.values():
        if one.labels is not None and one.labels.bits == bits:
            useful.append(one)
        else:
            note(t("threshold_lab.others.width", name=session.name_of(one.summary), bits=bits))
    return useful


@dataclass(frozen=True, slots=True)
class Answers:
    """The decisions that count, of how many checks, and which check those of others are from."""

    labels: Labels
    checks: int
    elsewhere: Mapping[tuple[str, str], str]

    @property
    def enough(self) -> bool:
        """Whether they are enough to say anything."""
        return len(self.labels.rows) >= LEAST

    def name_pair(self, result: CheckResult, one: Label) -> str:
        """Return what a decided pair is called."""
        if (name := self.elsewhere.get(one.key)) is not None:
            return t("threshold_lab.others.pair", name=name)
        names = find_naming()
        rows = {document.id: row for row, document in enumerate(result.documents)}
        a, b = (names.short(rows[key]) if key in rows else "" for key in one.key)
        return t("threshold_lab.decided.pair", a=a, b=b)


def gather_answers(result: CheckResult) -> Answers:
    """Return the decisions of the current check and of those that are chosen."""
    project = session.project()
    given = read_answers(project) if project is not None else {}
    key, entry = ("labels", tuple(given.items())), sweep_check(result).entry
    own = session.memo(key, lambda: label_rows(result, given, entry=entry))
    chosen = read_chosen(own.bits)
    mine = {row.key for row in own.rows}
    elsewhere = {
        row.key: session.name_of(one.summary)
        for one in chosen
        for row in (one.labels.rows if one.labels is not None else ())
        if row.key not in mine
    }
    labels = join_labels(own, *(one.labels for one in chosen if one.labels is not None))
    return Answers(labels, len(chosen) + bool(given), elsewhere)
