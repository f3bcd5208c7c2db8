"""Work that goes on while the page is drawn, and after the reader leaves it.

A plain daemon thread that never touches `st.*` writes into a `Job`; pages read it. Stopping takes
effect at once: the thread ends at its next progress call and whatever it returns is dropped. A job
is held by what it belongs to, a check, a reader or a tab, and is forgotten with it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import streamlit as st

from simhash_core import LeitongError
from simhash_core.app import department
from simhash_core.errors import BadInput, Cancelled

from . import session
from .inside_streamlit import session_alive
from .tab import tab

KEEP_SECONDS = 3600.0  # what was done for a reader who did not come back for it
GONE_SECONDS = 120.0  # a session without a connection; Streamlit lets a reload find it for so long
LOOK_SECONDS = 1.0  # between two looks whether the session is still there
TURN_SECONDS = 1.0  # between two looks of one that waits for its turn
#: beginnings of the kinds of work that belong to a reader: for the library, and downloads
OF_READER = ("library_", "download_")
PACE_SECONDS = 2.0  # of a stage, after which its pace so far says something
CHECK = "check"  # the kind of work that takes turns on a server for many

Progress = Callable[[str, int, int], None]
Work = Callable[[Progress], Any]


@dataclass(slots=True, eq=False)
class Job:
    """One run. `state` is running, done, stopped or failed; times are seconds on one clock."""

    owner: str
    kind: str
    stages: tuple[str, ...]
    facts: dict[str, Any] = field(default_factory=dict)  # what the page wants to say about it
    state: str = "running"
    stage: str = ""
    done: int = 0
    total: int = 0
    started: float = field(default_factory=time.monotonic)
    ended: float = 0.0
    stage_started: dict[str, float] = field(default_factory=dict)
    value: Any = None
    error: LeitongError | None = None
    alive: Callable[[], bool] = lambda: True  # whether the session is still there
    looked: float = 0.0  # when that was asked last
    gone_since: float | None = None
    place: int = 0  # checks that come before this one, while it waits for its turn
    seconds_allowed: float = 0.0  # by the server, 0: as many as it takes
    _stop: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def progress(self, stage: str, done: int, total: int) -> None:
        """Note how far the work is; raises `Cancelled` where the reader stopped it or left."""
        now = time.monotonic()
        if now - self.looked >= LOOK_SECONDS:
            self.looked = now
            self.gone_since = None if self.alive() else self.gone_since or now
        gone = self.gone_since is not None and now - self.gone_since >= GONE_SECONDS
        if gone or self._stop.is_set():
            raise Cancelled
        if 0 < self.seconds_allowed < self.seconds:
            raise BadInput("check_minutes", n=round(self.seconds_allowed / 60))
        with self._lock:
            if stage != self.stage:
                self.stage_started[stage] = now
            self.stage, self.done, self.total = stage, done, total

    def stop(self) -> None:
        """Ask the work to end; the job counts as stopped from now on."""
        self._stop.set()
        self._finish("stopped")

    @property
    def is_stopped(self) -> bool:
        """Whether somebody has asked the work to end."""
        return self._stop.is_set()

    @property
    def seconds(self) -> float:
        """Seconds since the start, or of the whole run."""
        return (self.ended or time.monotonic()) - self.started

    def stage_seconds(self, stage: str) -> float | None:
        """Seconds a stage took; None while it runs or before it."""
        begun = self.stage_started.get(stage)
        if begun is None or stage == self.stage:
            return None
        later = [moment for moment in self.stage_started.values() if moment > begun]
        return min(later, default=self.ended or begun) - begun

    def seconds_left(self) -> float | None:
        """Seconds the current stage still needs at its pace; None before a tenth and at its end."""
        begun = self.stage_started.get(self.stage)
        if begun is None or not self.total <= self.done * 10 < self.total * 10:
            return None
        spent = time.monotonic() - begun
        return spent * (self.total - self.done) / self.done if spent > PACE_SECONDS else None

    def run(self, work: Work) -> None:
        """Do the work; called by the thread of the job."""
        try:
            value = work(self.progress)
        except Cancelled:
            self._finish("stopped")
        except LeitongError as error:
            self.error = error
            self._finish("failed")
        except BaseException:
            self.error = LeitongError("unexpected")
            self._finish("failed")
            raise  # the traceback belongs into the log of the server
        else:
            self._finish("done", value)

    def _finish(self, state: str, value: Any = None) -> None:
        with self._lock:
            if self.state != "running":
                return
            self.value, self.ended, self.state = value, time.monotonic(), state


class Turns:
    """Checks take turns where a server lets only some run at a time, the first to come first.

    One whose owner has as many running as one person may lets those behind it pass.
    """

    def __init__(self, limits: department.Limits) -> None:
        self._limits = limits
        self._waiting: list[Job] = []
        self._running: list[Job] = []
        self._changed = threading.Condition()

    def run(self, job: Job, work: Work) -> None:
        """Wait for the turn of a job and do its work; one that is stopped leaves the line."""
        if not self._has_turn(job):
            return
        job.started, job.seconds_allowed = time.monotonic(), 60.0 * self._limits.minutes
        try:
            job.run(work)
        finally:
            with self._changed:
                self._running = [one for one in self._running if one is not job]
                self._changed.notify_all()

    def _has_turn(self, job: Job) -> bool:
        """Wait for the turn of a job; return False where it was stopped before."""
        with self._changed:
            self._waiting.append(job)
            self._tell_places()
            while not job.is_stopped and self._next() is not job:
                self._changed.wait(TURN_SECONDS)
            self._waiting.remove(job)
            if not job.is_stopped:
                self._running.append(job)
            self._tell_places()
            self._changed.notify_all()
            return job in self._running

    def counts(self) -> tuple[int, int]:
        """Return how many run, and how many wait."""
        with self._changed:
            return len(self._running), len(self._waiting)

    def _next(self) -> Job | None:
        if self._limits.checks and len(self._running) >= self._limits.checks:
            return None
        each = self._limits.checks_a_person
        owners = [one.owner for one in self._running]
        may = (one for one in self._waiting if not each or owners.count(one.owner) < each)
        return next((one for one in may if not one.is_stopped), None)

    def _tell_places(self) -> None:
        for before, one in enumerate(self._waiting):
            one.place = before + len(self._running)
        for one in self._running:
            one.place = 0


@st.cache_resource(show_spinner=False)
def turns() -> Turns | None:
    """Return where checks take turns, None on a server that lets all run at once."""
    here = department.find_department()
    return Turns(here.limits) if here is not None else None


@st.cache_resource(show_spinner=False)
def _reader_jobs() -> dict[str, dict[str, Job]]:
    """Return the jobs of each owner that belong to no check; all tabs of an owner share them."""
    return {}


def start(
    kind: str,
    work: Work,
    *,
    stages: tuple[str, ...] = (),
    facts: dict[str, Any] | None = None,
    lasting: bool = False,
) -> Job:
    """Start work of one kind for the check of this tab, in place of what ran for it before.

    Kinds that begin as `OF_READER` says belong to the reader, whichever check is open.
    They, what runs for a stored check, and `lasting` work go on when the tab is closed.
    """
    put_away(kind)
    forget_old(time.monotonic())
    outlives = lasting or kind.startswith(OF_READER) or (tab.open is not None and session.is_kept())
    alive = (lambda: True) if outlives else session_alive()
    job = Job(tab.owner or "", kind, stages, facts or {}, alive=alive)
    _find_jobs(kind)[kind] = job  # first: a run of the page can end at any access
    run, here = job.run, turns()
    if here is not None and kind == CHECK:
        run = partial(here.run, job)
    threading.Thread(target=run, args=(work,), name=f"job-{kind}", daemon=True).start()
    return job


def forget_old(now: float) -> None:
    """Forget what ended long ago for a reader: nothing else ends it."""
    for held in list(_reader_jobs().values()):
        for kind, job in list(held.items()):
            if job.ended and now - job.ended >= KEEP_SECONDS:
                held.pop(kind, None)


def find_latest(kind: str) -> Job | None:
    """Return the latest job of a kind for the check of this tab that was not put away."""
    forget_old(time.monotonic())
    return _find_jobs(kind).get(kind)


def is_running(kind: str) -> bool:
    """Return whether work of a kind goes on for the check of this tab."""
    job = find_latest(kind)
    return job is not None and job.state == "running"


def put_away(kind: str) -> None:
    """Forget the job of a kind, and end it where it still runs."""
    job = _find_jobs(kind).pop(kind, None)
    if job is not None:
        job.stop()


def _find_jobs(kind: str) -> dict[str, Job]:
    """Return the jobs of the check that this tab looks at, which all its tabs share.

    Of kinds that belong to the reader, those of the reader; where no check is open, those of the
    tab.
    """
    if kind.startswith(OF_READER):
        return _reader_jobs().setdefault(tab.owner or "", {})
    if tab.open is not None:
        return tab.open.jobs
    if tab.jobs is None:
        tab.jobs = {}
    return tab.jobs
