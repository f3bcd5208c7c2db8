"""Jobs: progress, stopping, ownership and their end."""

from __future__ import annotations

import threading
import time

import pytest

from pages._ui.shared.jobs import GONE_SECONDS, Job, JobManager
from simhash_core import LeitongError
from simhash_core.app.department import Limits


def wait_for(job: Job, state: str) -> None:
    """Wait on the clock that the job itself keeps, at most a minute."""
    end = time.monotonic() + 60
    while job.state != state and time.monotonic() < end:
        threading.Event().wait(0.005)
    assert job.state == state


class Endless:
    """Work that only ends when it is stopped."""

    def __init__(self) -> None:
        self.begun, self.ended = threading.Event(), threading.Event()

    def __call__(self, progress):
        try:
            while True:
                progress("tokens", 1, 2)
                self.begun.set()
        finally:
            self.ended.set()


def test_a_job_keeps_its_value_or_its_error_for_its_session():
    manager = JobManager()
    job = manager.start(Job("me", "check", ("tokens",)), lambda progress: 42)
    wait_for(job, "done")
    assert job.value == 42

    # an error of the core is kept with its code
    def work(progress):
        raise LeitongError("no")

    job = JobManager().start(Job("me", "check", ()), work)
    wait_for(job, "failed")
    assert job.error is not None
    assert job.error.code == "error"
    # another session finds nothing
    manager = JobManager()
    job = manager.start(Job("me", "check", ()), lambda progress: 1)
    assert manager.find("me", job.id) is job
    assert manager.find("you", job.id) is None


def test_stopping_and_dropping_end_the_work():
    manager, begun, release = JobManager(), threading.Event(), threading.Event()

    def work(progress):
        progress("tokens", 1, 2)
        begun.set()
        release.wait(5)
        return "too late"

    job = manager.start(Job("me", "check", ("tokens",)), work)
    begun.wait(5)
    job.stop()
    assert job.state == "stopped"
    release.set()
    assert job.value is None
    # work ends at its next progress call
    manager, endless = JobManager(), Endless()
    job = manager.start(Job("me", "check", ()), endless)
    endless.begun.wait(5)
    job.stop()
    assert endless.ended.wait(1.0)
    # dropping a running job ends it
    manager, endless = JobManager(), Endless()
    job = manager.start(Job("me", "check", ()), endless)
    manager.drop(job)
    assert endless.ended.wait(10)
    assert job.state == "stopped"


def test_finished_jobs_are_forgotten_after_their_time_or_kept_by_their_session():
    manager = JobManager(keep_seconds=10.0)
    first = manager.start(Job("me", "check", ()), lambda progress: "a text")
    wait_for(first, "done")
    manager.sweep(first.ended + 9.9)
    assert manager.find("me", first.id) is first
    manager.sweep(first.ended + 10.0)
    assert manager.find("me", first.id) is None
    assert first.value is None
    # a session that comes back keeps its jobs
    manager, here = JobManager(), [False]
    job = manager.start(Job("me", "check", (), alive=lambda: here[0]), lambda progress: 1)
    wait_for(job, "done")
    now = time.monotonic()
    manager.sweep(now)
    here[0] = True
    manager.sweep(now + 60)
    here[0] = False
    manager.sweep(now + 120)
    manager.sweep(now + 180)
    assert manager.find("me", job.id) is job
    # sessions are looked at while there are jobs
    manager, looked = JobManager(sweep_seconds=0.0), threading.Event()
    sweep, job = manager.sweep, Job("me", "check", ())
    manager.sweep = lambda now: (sweep(now), looked.set(), manager.drop(job))
    manager.start(job, lambda progress: 1)
    assert looked.wait(10)


def test_jobs_end_with_their_session():
    manager, endless, here = JobManager(), Endless(), [True]
    job = Job("me", "check", (), {"name": "secret"}, alive=lambda: here[0])
    running = manager.start(job, endless)
    done = manager.start(Job("me", "read", (), alive=lambda: here[0]), lambda progress: "a text")
    wait_for(done, "done")
    assert endless.begun.wait(10)
    now = time.monotonic()
    manager.sweep(now)
    here[0] = False
    manager.sweep(now + 1)
    manager.sweep(now + GONE_SECONDS)  # a reload may still come back
    assert manager.find("me", done.id) is done
    manager.sweep(now + 1 + GONE_SECONDS)

    assert endless.ended.wait(10)
    assert manager.find("me", running.id) is manager.find("me", done.id) is None
    assert (done.value, running.facts) == (None, {})


def test_stage_times_add_up_and_time_left_follows_the_pace(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("pages._ui.shared.jobs.time.monotonic", lambda: now[0])
    job = Job("me", "check", ("tokens", "pairs"))
    job.progress("tokens", 0, 10)
    now[0] = 102.0
    job.progress("pairs", 0, 4)
    now[0] = 103.0
    job.progress("pairs", 1, 4)

    assert job.stage_seconds("tokens") == pytest.approx(2.0)
    assert job.stage_seconds("pairs") is None
    assert job.seconds_left() is None  # after so little nothing is known
    now[0] = 105.0
    assert job.seconds_left() == pytest.approx(9.0)


class Gauge:
    """What runs at a time, and in which order it began."""

    def __init__(self) -> None:
        self.lock, self.now, self.most, self.order = threading.Lock(), [], 0, []
        self.release = threading.Event()

    def work(self, name: str):
        owner = name.partition(" ")[0]

        def at_work(progress):
            with self.lock:
                self.now.append(owner)
                self.most = max(self.most, len(self.now))
                assert self.now.count(owner) == 1
                self.order.append(name)
            self.release.wait(60)
            with self.lock:
                self.now.remove(owner)
            return name

        return at_work


def limited(**limits: int) -> JobManager:
    return JobManager(limits=Limits(**limits))


def test_ten_teachers_take_turns_two_at_a_time():
    manager, gauge = limited(checks=2, checks_a_person=1), Gauge()
    jobs = []
    for number in range(10):
        name = f"teacher{number} first"
        jobs.append(manager.start(Job(f"teacher{number}", "check", ()), gauge.work(name)))
        wait_until(lambda at=number: sum(manager.turns.counts()) == at + 1)

    wait_until(lambda: len(gauge.order) == 2)
    assert manager.turns.counts() == (2, 8)
    assert [job.place for job in jobs] == [0, 0, *range(2, 10)]
    gauge.release.set()
    for job in jobs:
        wait_for(job, "done")
    assert gauge.most == 2
    assert gauge.order == [f"teacher{number} first" for number in range(10)]
    assert manager.turns.counts() == (0, 0)


def test_one_person_and_other_work_hold_up_nobody():
    manager, gauge = limited(checks=2, checks_a_person=1), Gauge()
    first, second = (manager.start(Job("mei", "check", ()), gauge.work("mei x")) for _ in "ab")
    wait_until(lambda: manager.turns.counts() == (1, 1))
    other = manager.start(Job("tom", "check", ()), gauge.work("tom x"))
    wait_until(lambda: gauge.order == ["mei x", "tom x"])
    assert second.place > 0
    gauge.release.set()
    for job in (first, second, other):
        wait_for(job, "done")
    # other work waits for nobody
    manager, gauge = limited(checks=1), Gauge()
    manager.start(Job("mei", "check", ()), gauge.work("mei x"))
    report = manager.start(Job("mei", "report", ()), lambda progress: 1)
    wait_for(report, "done")
    gauge.release.set()


@pytest.mark.long
def test_one_who_is_stopped_in_the_line_leaves_it():
    manager, gauge = limited(checks=1), Gauge()
    first = manager.start(Job("mei", "check", ()), gauge.work("mei x"))
    wait_until(lambda: manager.turns.counts() == (1, 0))
    second = manager.start(Job("tom", "check", ()), gauge.work("tom x"))
    wait_until(lambda: manager.turns.counts() == (1, 1))
    second.stop()
    wait_until(lambda: manager.turns.counts() == (1, 0))
    gauge.release.set()
    wait_for(first, "done")

    assert second.state == "stopped"
    assert gauge.order == ["mei x"]


def test_a_check_ends_with_the_time_of_the_server():
    manager = limited(minutes=1)

    def work(progress):
        job.started -= 61
        progress("tokens", 1, 2)

    job = Job("mei", "check", ())
    manager.start(job, work)
    wait_for(job, "failed")

    assert (job.error.code, job.error.params) == ("check_minutes", {"n": 1})


def wait_until(condition) -> None:
    end = time.monotonic() + 60
    while not condition() and time.monotonic() < end:
        threading.Event().wait(0.005)
    assert condition()
