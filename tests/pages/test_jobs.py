"""Jobs: progress, stopping, ownership and their end."""

from __future__ import annotations

import threading
import time

import pytest

from pages._ui.shared import jobs
from pages._ui.shared.jobs import GONE_SECONDS, Job, Turns
from simhash_core import LeitongError
from simhash_core.app.department import Limits
from simhash_core.errors import Cancelled


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


def begin(work) -> Job:
    """Run work in a thread, as `jobs.start` does."""
    job = Job("me", "check", ("tokens",))
    threading.Thread(target=job.run, args=(work,), daemon=True).start()
    return job


def test_a_job_keeps_its_value_or_its_error():
    job = begin(lambda progress: 42)
    wait_for(job, "done")
    assert job.value == 42

    # an error of the core is kept with its code
    def work(progress):
        raise LeitongError("no")

    job = begin(work)
    wait_for(job, "failed")
    assert job.error is not None
    assert job.error.code == "error"


def test_stopping_ends_the_work():
    begun, release = threading.Event(), threading.Event()

    def work(progress):
        progress("tokens", 1, 2)
        begun.set()
        release.wait(5)
        return "too late"

    job = begin(work)
    begun.wait(5)
    job.stop()
    assert job.state == "stopped"
    release.set()
    assert job.value is None
    # work ends at its next progress call
    endless = Endless()
    job = begin(endless)
    endless.begun.wait(5)
    job.stop()
    assert endless.ended.wait(1.0)


def test_jobs_end_with_their_session_unless_it_comes_back(monkeypatch):
    now, here = [1000.0], [True]
    monkeypatch.setattr("pages._ui.shared.jobs.time.monotonic", lambda: now[0])
    job = Job("me", "check", (), alive=lambda: here[0])
    job.progress("tokens", 0, 2)
    for seconds, alive in ((10, False), (GONE_SECONDS - 20, False), (10, True), (10, False)):
        now[0], here[0] = now[0] + seconds, alive
        job.progress("tokens", 1, 2)  # a reload may still come back
    now[0] += GONE_SECONDS - 1
    job.progress("tokens", 1, 2)
    now[0] += 1
    with pytest.raises(Cancelled):
        job.progress("tokens", 1, 2)


def test_what_ended_long_ago_for_a_library_is_forgotten(monkeypatch):
    held = {"library_export": Job("me", "library_export", (), state="done", ended=1.0)}
    monkeypatch.setattr(jobs, "_reader_jobs", lambda: {"me": held})
    jobs.forget_old(jobs.KEEP_SECONDS)
    assert held
    jobs.forget_old(jobs.KEEP_SECONDS + 1.0)
    assert not held


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
    job.progress("pairs", job.total, job.total)
    assert job.seconds_left() is None  # all is done


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


def limited(**limits: int) -> Turns:
    return Turns(Limits(**limits))


def begin_for(owner: str, turns: Turns, gauge: Gauge, name: str = "x") -> Job:
    job = Job(owner, "check", ())
    work = gauge.work(f"{owner} {name}")
    threading.Thread(target=turns.run, args=(job, work), daemon=True).start()
    return job


def test_ten_teachers_take_turns_two_at_a_time():
    turns, gauge = limited(checks=2, checks_a_person=1), Gauge()
    begun = []
    for number in range(10):
        begun.append(begin_for(f"teacher{number}", turns, gauge))
        wait_until(lambda at=number: sum(turns.counts()) == at + 1)

    wait_until(lambda: len(gauge.order) == 2)
    assert turns.counts() == (2, 8)
    assert [job.place for job in begun] == [0, 0, *range(2, 10)]
    gauge.release.set()
    for job in begun:
        wait_for(job, "done")
    assert gauge.most == 2
    assert gauge.order == [f"teacher{number} x" for number in range(10)]
    wait_until(lambda: turns.counts() == (0, 0))


def test_one_person_holds_up_nobody():
    turns, gauge = limited(checks=2, checks_a_person=1), Gauge()
    first, second = (begin_for("mei", turns, gauge) for _ in "ab")
    wait_until(lambda: turns.counts() == (1, 1))
    other = begin_for("tom", turns, gauge)
    wait_until(lambda: gauge.order == ["mei x", "tom x"])
    assert max(first.place, second.place) > 0
    gauge.release.set()
    for job in (first, second, other):
        wait_for(job, "done")


@pytest.mark.long
def test_one_who_is_stopped_in_the_line_leaves_it():
    turns, gauge = limited(checks=1), Gauge()
    first = begin_for("mei", turns, gauge)
    wait_until(lambda: turns.counts() == (1, 0))
    second = begin_for("tom", turns, gauge)
    wait_until(lambda: turns.counts() == (1, 1))
    second.stop()
    wait_until(lambda: turns.counts() == (1, 0))
    gauge.release.set()
    wait_for(first, "done")

    assert second.state == "stopped"
    assert gauge.order == ["mei x"]


def test_a_check_ends_with_the_time_of_the_server():
    def work(progress):
        job.started -= 61
        progress("tokens", 1, 2)

    job = Job("mei", "check", ())
    limited(minutes=1).run(job, work)

    assert (job.state, job.error.code, job.error.params) == ("failed", "check_minutes", {"n": 1})


def wait_until(condition) -> None:
    end = time.monotonic() + 60
    while not condition() and time.monotonic() < end:
        threading.Event().wait(0.005)
    assert condition()
