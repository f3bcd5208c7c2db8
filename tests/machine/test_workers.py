"""The pool survives what its tasks do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from simhash_core.errors import Unreadable
from simhash_core.machine import workers
from simhash_core.machine.serving import processor_limit
from simhash_core.machine.workers import WorkerPool, _most_held

ROOT = Path(__file__).resolve().parents[2]


def square(n: int) -> int:
    return n * n


def behave(what: str) -> str:
    if what == "hang":
        while True:
            pass
    if what == "compute":
        with processor_limit(0.1):
            while True:
                pass
    if what == "crash":
        os._exit(3)
    if what == "abort":
        os.abort()
    if what == "starve":  # as a library of C that gets no more memory
        held = bytearray(400 * 2**20)
        held[:: 2**12] = b"x" * (len(held) >> 12)
        os.abort()
    if what == "memory":
        return str(len(bytearray(2**34)))
    if what == "refuse":
        raise Unreadable("scanned")
    if what == "bug":
        raise ZeroDivisionError("a bug")
    if what == "print":
        print("noise on standard output")
        os.write(1, b"more noise")
    return what


def identity(_: object) -> int:
    return os.getpid()


def work_and_name(seconds: float) -> int:
    """Compute so long; return which process did."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
    return os.getpid()


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(2, memory_mb=512) as made:
        yield made


@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_map_keeps_the_order(pool: WorkerPool, chunk: int) -> None:
    assert list(pool.map(square, range(100), chunk=chunk)) == [n * n for n in range(100)]


def test_map_of_nothing_yields_nothing_and_workers_are_reused(pool: WorkerPool) -> None:
    assert list(pool.map(square, [])) == []
    first = set(pool.map(identity, range(8)))
    second = set(pool.map(identity, range(8)))
    assert os.getpid() not in first | second
    assert len(first | second) <= 2


@pytest.mark.long
@pytest.mark.parametrize("chunk", [1, 5])
def test_map_names_what_went_wrong_and_goes_on(pool: WorkerPool, chunk: int) -> None:
    if sys.platform != "linux":
        pytest.skip("the memory limit is the system's; only Linux enforces it")
    tasks = ["a", "hang", "b", "crash", "memory", "refuse", "print", "c"]
    results = list(pool.map(behave, tasks, seconds=5, chunk=chunk))
    codes = [r.code if isinstance(r, Unreadable) else r for r in results]
    assert codes == ["a", "timeout", "b", "crashed", "memory", "scanned", "print", "c"]
    assert isinstance(results[4], Unreadable)
    assert results[4].params == {"mb": 512}


@pytest.mark.long
def test_process_that_ends_itself_is_named_by_its_cause(pool: WorkerPool) -> None:
    if sys.platform == "win32":
        pytest.skip("what a process held is not told there when it has ended")
    computed, aborted, starved, after = pool.map(behave, ["compute", "abort", "starve", "a"])
    assert isinstance(computed, Unreadable) and computed.code == "timeout"
    assert isinstance(aborted, Unreadable) and aborted.code == "crashed"
    assert isinstance(starved, Unreadable)
    assert starved.code == "memory" or _most_held() > 300e6  # then what it held is not told
    assert after == "a"


def test_a_pool_raises_bugs_survives_abandoning_and_refuses_once_closed(pool: WorkerPool) -> None:
    with pytest.raises(ZeroDivisionError):
        list(pool.map(behave, ["a", "bug"]))
    assert list(pool.map(behave, ["a"])) == ["a"]
    running = pool.map(square, range(1000))
    assert next(running) == 0
    running.close()  # type: ignore[attr-defined]
    assert list(pool.map(square, range(10))) == [n * n for n in range(10)]
    other = WorkerPool(1)
    other.close()
    with pytest.raises(RuntimeError):
        list(other.map(square, [1]))


def mine(what: str) -> str | None:
    """Do a task in this process, but for what only a worker may do."""
    if what == "memory":
        raise MemoryError
    return None if what == "compute" else f"{behave(what)} here"


def test_little_work_starts_no_worker() -> None:
    with WorkerPool(2) as made:
        answers = list(made.map(behave, ["a", "refuse", "b"], here=mine))

        assert made.processes == []
    assert answers[::2] == ["a here", "b here"]
    assert isinstance(answers[1], Unreadable) and answers[1].code == "scanned"


@pytest.mark.parametrize("what", ["compute", "memory"])
def test_what_must_not_be_done_here_goes_to_workers_with_all_that_follows(what: str) -> None:
    with WorkerPool(1, memory_mb=512) as made:
        answers = list(made.map(behave, ["a", what, "b"], here=mine))
        again = list(made.map(behave, ["c"], here=mine))

    assert answers[::2] + again == ["a here", "b", "c"]
    assert isinstance(answers[1], Unreadable)


def test_much_work_is_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_ALONE_SECONDS", 0.05)
    with WorkerPool(1) as made:
        answers = list(made.map(work_and_name, [0.06, 0.0], here=work_and_name))

    assert answers[0] == os.getpid()
    assert answers[1] != os.getpid()


UNGUARDED = """
import sys
print("main ran")
sys.path.insert(0, sys.argv[1])
from simhash_core.machine.workers import WorkerPool
import math
with WorkerPool(2) as pool:
    print(list(pool.map(math.factorial, [3, 4])))
"""


def test_a_script_without_a_main_guard_runs_once(tmp_path: Path) -> None:
    script = tmp_path / "app.py"
    script.write_text(UNGUARDED, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script, ROOT], capture_output=True, text=True, timeout=240, check=True
    )
    assert done.stdout.split("\n") == ["main ran", "[6, 24]", ""]


BUSY = """
import os, signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever started the tests may ignore it
sys.path[:0] = sys.argv[1:]
from tests.machine.test_workers import identity, behave
from simhash_core.machine.workers import WorkerPool
pool = WorkerPool(2).warm()
pids = set()
while len(pids) < 2:
    pids.update(pool.map(identity, range(50)))
threading.Thread(target=lambda: list(pool.map(behave, ["hang", "hang"])), daemon=True).start()
print(*pids, flush=True)
try:
    while True:  # a wait without an end can miss a signal that comes just as it begins
        threading.Event().wait(1)
except KeyboardInterrupt:
    sys.exit(0)
"""


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_no_worker_outlives_its_parent(how: signal.Signals) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", BUSY, ROOT],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert parent.stdout is not None
    pids = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(pids) == 2
    parent.send_signal(how)
    parent.wait(timeout=120)
    parent.stdout.close()
    deadline = time.monotonic() + 120
    while any(map(alive, pids)) and time.monotonic() < deadline:
        threading.Event().wait(0.01)
    assert not any(map(alive, pids))
