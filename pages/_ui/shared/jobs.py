"""Work that goes on while the page is drawn, and after the reader leaves it.

A plain daemon thread that never touches `st.*` writes into a `Job`; pages read it. Stopping takes
effect at once: the thread ends at its next progress call and whatever it returns is dropped.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from simhash_core import LeitongError
from simhash_core.app import department
from simhash_core.errors import BadInput, Cancelled

from . import session
from .inside_streamlit import session_alive
from .tab import tab

KEEP_SECONDS = 3600.0  # a finished job that nobody came back for, in a session that goes on
GONE_SECONDS = 120.0  # a session without a connection; Streamlit lets a reload find it for so long
SWEEP_SECONDS = 30.0  # between two looks at the sessions
TURN_SECONDS = 1.0  # between two looks of one that waits for its turn
LIBRARY = "library_"  # beginning of the kinds of work that belong to a library
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
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
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
    gone_since: float | None = None
    place: int = 0  # checks that come before this one, while it waits for its turn
    seconds_allowed: float = 0.0  # by the server, 0: as many as it takes
    _stop: threading.Event = field(default_factory=threading.Event)
    _ended: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def progress(self, stage: str, done: int, total: int) -> None:
        """Note how far the work is; raises `Cancelled` once the reader has asked to stop."""
        if self._stop.is_set():
            raise Cancelled
        if 0 < self.seconds_allowed < self.seconds:
            raise BadInput("check_minutes", n=round(self.seconds_allowed / 60))
        with self._lock:
            if stage != self.stage:
                self.stage_started[stage] = time.monotonic()
            self.stage, self.done, self.total = stage, done, total

    def stop(self) -> None:
        """Ask the work to end; the job counts as stopped from now on."""
        self._stop.set()
        self._finish("stopped")

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it has ended, at most `timeout` seconds; return whether it has."""
        return self._ended.wait(timeout)

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
        """Seconds that the current stage still needs at its pace so far; None before a tenth."""
        begun = self.stage_started.get(self.stage)
        if begun is None or self.total <= 0 or self.done * 10 < self.total:
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
        self._ended.set()


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


class JobManager:
    """All jobs of this process; a session finds only jobs that it started."""

    def __init__(
        self,
        *,
        keep_seconds: float = KEEP_SECONDS,
        sweep_seconds: float = SWEEP_SECONDS,
        limits: department.Limits | None = None,
    ) -> None:
        self.turns = Turns(limits) if limits is not None else None
        self._jobs: dict[str, Job] = {}
        self._keep, self._sweep_every = keep_seconds, sweep_seconds
        self._lock = threading.Lock()
        self._sweeping = False

    def start(self, job: Job, work: Work) -> Job:
        """Start a job in a new thread."""
        with self._lock:
            self._jobs[job.id] = job
        self._sweep_later()
        name = f"job-{job.kind}"
        threading.Thread(target=self._run, args=(job, work), name=name, daemon=True).start()
        return job

    def find_any(self, job_id: str) -> Job | None:
        """Return a job of whatever owner; for what looks after open checks."""
        return self._jobs.get(job_id)

    def find(self, owner: str, job_id: str) -> Job | None:
        """Return a job of this owner; another session's id finds nothing."""
        job = self._jobs.get(job_id)
        return job if job is not None and job.owner == owner else None

    def drop(self, job: Job) -> None:
        """Forget a job with the texts it holds, and end it where it still runs."""
        job.stop()
        with self._lock:
            self._jobs.pop(job.id, None)
        job.value = None
        job.facts = {}

    def sweep(self, now: float) -> None:
        """Drop jobs of sessions that ended `GONE_SECONDS` ago, and old ones nobody came for."""
        with self._lock:
            jobs = list(self._jobs.values())
        for job in jobs:
            if job.alive():
                job.gone_since = None
            elif job.gone_since is None:
                job.gone_since = now
            gone = job.gone_since is not None and now - job.gone_since >= GONE_SECONDS
            if gone or (job.ended and now - job.ended >= self._keep):
                self.drop(job)

    def _sweep_later(self) -> None:
        """Sweep at intervals for as long as there are jobs."""
        with self._lock:
            if self._sweeping or not self._jobs:
                return
            self._sweeping = True
        timer = threading.Timer(self._sweep_every, self._sweep_and_go_on)
        timer.daemon = True
        timer.start()

    def _sweep_and_go_on(self) -> None:
        self.sweep(time.monotonic())
        with self._lock:
            self._sweeping = False
        self._sweep_later()

    def _run(self, job: Job, work: Work) -> None:
        if self.turns is not None and job.kind == CHECK:
            self.turns.run(job, work)
        else:
            job.run(work)


@st.cache_resource(show_spinner=False)
def manager() -> JobManager:
    """Return the jobs of this process."""
    here = department.find_department()
    return JobManager(limits=here.limits if here is not None else None)


@st.cache_resource(show_spinner=False)
def _library_jobs() -> dict[str, dict[str, str]]:
    """Return the jobs of the libraries by owner: kind -> id. All tabs of an owner share them."""
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

    Kinds that begin with `LIBRARY` belong to the library of the reader, whichever check is open.
    They, what runs for a stored check, and `lasting` work go on when the tab is closed.
    """
    previous = find_latest(kind)
    if previous is not None:
        previous.stop()
        manager().drop(previous)
    of_library = kind.startswith(LIBRARY)
    outlives = lasting or of_library or (_find_jobs(kind) is not None and session.is_kept())
    alive = (lambda: True) if outlives else session_alive()
    job = Job(_owner(), kind, stages, facts or {}, alive=alive)
    _note(kind, job.id)  # first: a run of the page can end at any access
    return manager().start(job, work)


def find_latest(kind: str) -> Job | None:
    """Return the latest job of a kind for the check of this tab that was not put away."""
    held = _find_jobs(kind)
    job_id = tab.jobs.get(kind) if held is None else held.get(kind)
    return manager().find(_owner(), job_id) if job_id else None


def is_running(kind: str) -> bool:
    """Return whether work of a kind goes on for the check of this tab."""
    job = find_latest(kind)
    return job is not None and job.state == "running"


def put_away(kind: str) -> None:
    """Forget the job of a kind."""
    job = find_latest(kind)
    if job is not None:
        manager().drop(job)
    _note(kind, None)


def _find_jobs(kind: str) -> dict[str, str] | None:
    """Return the jobs of the check that this tab looks at, which all its tabs share.

    Of kinds that belong to the library, the jobs of the library of this reader.
    """
    if kind.startswith(LIBRARY):
        return _library_jobs().setdefault(_owner(), {})
    return tab.open.jobs if tab.open is not None else None


def _note(kind: str, job_id: str | None) -> None:
    held = _find_jobs(kind)
    if held is None:
        others = {name: held for name, held in tab.jobs.items() if name != kind}
        tab.jobs = others if job_id is None else {**others, kind: job_id}
    elif job_id is None:
        held.pop(kind, None)
    else:
        held[kind] = job_id


def _owner() -> str:
    if tab.owner is None:
        tab.owner = secrets.token_urlsafe(32)
    return tab.owner
