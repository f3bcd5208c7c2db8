"""A pool of worker processes that can be killed without harm to the application.

Each worker is a fresh interpreter (never a fork, and never a second run of the caller's main
module) that talks pickled frames over its standard pipes. A task that hangs, crashes or exceeds
its memory ends its worker, which is replaced; the caller gets an `Unreadable` in its place.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from ..errors import Unreadable, WorkerFailed
from .compiled import library
from .isolation import child_command
from .memory import budget
from .once import once
from .serving import OVERRUN, receive_frame, send_frame

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_WORKERS = 8  # more processes only compete for disk and memory
TASK_SECONDS = 20.0  # wall clock for one task
TASK_MEMORY_MB = 1024  # address space a worker may take beyond its own start-up size
#: that a worker holds in the middle of a check (benchmarks/memory.py of 4a9efa0e)
WORKER_BYTES = 400e6
WORKERS_SHARE = 0.5  # of the memory of a check that all workers may hold together
#: of a worker. The last two make the C library of GNU give large arrays back when they are freed:
#: 113 MB and not 155 are held while statutes are aligned, which takes a fortieth longer
ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_MMAP_THRESHOLD_": "2000000",
    "MALLOC_TRIM_THRESHOLD_": "16000000",
}
#: of the memory a worker may take; one that a signal ended while it held more died for want of it
_WANTING = 0.4
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes in which a system counts what is held
_START_SECONDS = 60.0  # wall clock for the first message of a new worker
#: of a job, by workers that run already, before it gets another one: twice what starting one takes
_PATIENCE = 1.0
#: of processor time that a pool without workers works itself first, where it may. A worker takes
#: .45 until it is ready and the second one waits, so two are ahead by the clock from 2.5 on; what
#: 300 essays of 2,000 characters need is 2.5 to 2.9
_ALONE_SECONDS = 3.0


class WorkerPool:
    """Spawned, killable, reusable processes.

    Parameters
    ----------
    workers
        Number of processes; by default one a processor, at most `MOST_WORKERS`.
    memory_mb
        Limit of address space for one worker beyond what it holds after start-up. Enforced by
        the system on Linux (and as far as macOS honours `RLIMIT_AS`); Windows has no such
        limit, there only the wall clock protects.
    preload
        Names of modules a worker imports before its first task.

    Notes
    -----
    The first worker starts at the first `map` that needs one, the others when a job takes longer
    than starting one does, or all at `warm`. They live until `close` or the end of the parent. A
    worker leaves as soon as its pipe to the parent closes, even if the parent was killed. Several
    threads may call `map` at once; they share the workers task by task.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        memory_mb: int = TASK_MEMORY_MB,
        preload: Sequence[str] = (),
    ) -> None:
        self.workers = workers or min(os.cpu_count() or 1, MOST_WORKERS)
        self.memory_mb = memory_mb
        self._preload = tuple(preload)
        self._lock = threading.Condition()  # told of idle workers
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._closed = False
        self._alone = 0.0  # seconds that this process has worked itself

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def processes(self) -> list[int]:
        """Return the numbers of the processes that run now."""
        with self._lock:
            return [worker.process for worker in self._all]

    def warm(self) -> WorkerPool:
        """Start the workers now, without waiting for them."""
        with self._lock:
            if self._closed:
                raise RuntimeError("the pool is closed")
            while len(self._all) < self.workers:
                self._idle.append(self._started())
            self._lock.notify_all()
        return self

    def close(self) -> None:
        """End every worker; running tasks are abandoned."""
        with self._lock:
            self._closed = True
            for worker in self._all:
                worker.kill()
            self._all.clear()

    def map(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        *,
        seconds: float = TASK_SECONDS,
        chunk: int = 1,
        here: Callable[[Item], Result | None] | None = None,
    ) -> Iterator[Result | Unreadable]:
        """Yield `function(item)` for every item, in order.

        Parameters
        ----------
        function
            A module-level function of an importable module; its result must pickle.
        seconds
            Wall clock for one task. A chunk gets no more than one task does; if it fails, its
            items are tried again one by one, so only the one that fails is lost.
        chunk
            Items sent to a worker at once. Larger chunks cost less overhead.
        here
            Does in this process what `function` does, or returns None where it must not. It has to
            end by itself: no clock stops it. Asked as long as no worker runs and little was done.

        Yields
        ------
        The result, or an `Unreadable` with code "timeout", "memory", "crashed", or any that the
        task itself raised. Every other exception of a task is raised here.
        """
        if self._closed:
            raise RuntimeError("the pool is closed")
        done = 0
        for answer in self._work_alone(here, items) if here else ():
            yield answer
            done += 1
        patience = _Patience(waits=not done or self._alone < _ALONE_SECONDS)
        job = _Job(self, function, items[done:], seconds, max(1, chunk), patience)
        try:
            yield from job.results()
        finally:
            job.stopped = True

    def _work_alone(
        self, here: Callable[[Item], Result | None], items: Sequence[Item]
    ) -> Iterator[Result | Unreadable]:
        """Yield what this process does itself, up to the first item that a worker shall do."""
        for item in items:
            if self._all or self._alone >= _ALONE_SECONDS:
                return
            began = time.thread_time()
            answer: Result | Unreadable | None = None
            try:
                answer = here(item)
            except Unreadable as reason:
                answer = reason
            except MemoryError:  # a worker may still have it
                pass
            self._alone += time.thread_time() - began
            if answer is None:
                return
            yield answer

    def _run(
        self, request: bytes, seconds: float, patience: _Patience
    ) -> list[tuple[bool, Any]] | Unreadable:
        """Send one pickled chunk to the next idle worker and wait for its answer."""
        worker = self._taken(patience)
        try:
            if not worker.ready:
                worker.greet()
                with self._lock:
                    self._lock.notify_all()
            answer = worker.ask(request, seconds)
        finally:
            if worker.ended:
                worker = self._replace(worker)
            with self._lock:
                self._idle.append(worker)
                self._lock.notify()
        return answer

    def _taken(self, patience: _Patience) -> _Worker:
        """Wait for an idle worker, or start one where waiting has taken too long."""
        with self._lock:
            while not self._idle:
                left = None
                if not self._all:
                    left = 0.0
                elif len(self._all) < self.workers and any(one.ready for one in self._all):
                    left = patience.left()
                if left is not None and left <= 0:
                    return self._started()
                self._lock.wait(left)
            return self._idle.pop()

    def _started(self) -> _Worker:
        if self._closed:
            raise RuntimeError("the pool is closed")
        worker = _Worker(self.memory_mb, self._preload)
        self._all.add(worker)
        return worker

    def _replace(self, worker: _Worker) -> _Worker:
        worker.kill()
        with self._lock:
            self._all.discard(worker)
            return worker if self._closed else self._started()


@once
def shared_pool() -> WorkerPool:
    """Return the one pool that the application and the command line share.

    It has as many workers as the memory of a check allows (`memory.budget`).

    Raises
    ------
    LoopsMissing
        The loops of C are not there: whatever is done would fail.
    """
    library()
    affordable = max(1, int(WORKERS_SHARE * budget() / WORKER_BYTES))
    workers = min(os.cpu_count() or 1, MOST_WORKERS, affordable)
    pool = WorkerPool(workers, preload=("simhash_core.text.reading", "simhash_core.text.tokenize"))
    atexit.register(pool.close)
    return pool


class _Patience:
    """How long one job waits before it gets another worker, from when the first one is ready.

    One that has shown already that it is long does not wait.
    """

    def __init__(self, *, waits: bool) -> None:
        self._end = 0.0 if waits else time.monotonic()

    def left(self) -> float:
        """Return the seconds that are left; the first call begins the waiting."""
        self._end = self._end or time.monotonic() + _PATIENCE
        return self._end - time.monotonic()


class _Job:
    """One call of `map`: threads that feed workers, and a reader that restores the order."""

    def __init__(
        self,
        pool: WorkerPool,
        function: Callable[[Any], Any],
        items: Sequence[Any],
        seconds: float,
        chunk: int,
        patience: _Patience,
    ) -> None:
        self.stopped = False
        self._pool, self._function, self._seconds = pool, function, seconds
        self._patience = patience
        self._chunks = [items[i : i + chunk] for i in range(0, len(items), chunk)]
        self._todo = deque(range(len(self._chunks)))
        self._done: queue.SimpleQueue[tuple[int, list[tuple[bool, Any]]]] = queue.SimpleQueue()

    def results(self) -> Iterator[Any]:
        for _ in range(min(self._pool.workers, len(self._chunks))):
            threading.Thread(target=self._feed, daemon=True).start()
        waiting: dict[int, list[tuple[bool, Any]]] = {}
        for index in range(len(self._chunks)):
            while index not in waiting:
                number, outcome = self._done.get()
                waiting[number] = outcome
            for good, value in waiting.pop(index):
                if not good:
                    raise value
                yield value

    def _feed(self) -> None:
        while not self.stopped:
            try:
                index = self._todo.popleft()
            except IndexError:
                return
            try:
                outcome = self._chunk(self._chunks[index])
            except Exception as error:  # handed to the caller of `map`, who must not wait for ever
                outcome = [(False, error)]
            self._done.put((index, outcome))

    def _chunk(self, items: Sequence[Any]) -> list[tuple[bool, Any]]:
        request = pickle.dumps((self._function, list(items)), protocol=pickle.HIGHEST_PROTOCOL)
        answer = self._pool._run(request, self._seconds, self._patience)
        if not isinstance(answer, Unreadable):
            return answer
        if len(items) == 1:
            return [(True, answer)]
        parts: list[tuple[bool, Any]] = []
        for item in items:
            if self.stopped:
                break
            parts += self._chunk([item])
        return parts


class _Worker:
    """The parent's end of one process."""

    def __init__(self, memory_mb: int, preload: Sequence[str]) -> None:
        self.ended = False
        self.ready = False
        self._memory_mb = memory_mb
        options = json.dumps({"memory_mb": memory_mb, "preload": list(preload)})
        environment = {**os.environ, **ENVIRONMENT}
        self._process = subprocess.Popen(
            child_command("simhash_core.machine.serving:serve", options),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )

    @property
    def process(self) -> int:
        """The number of the process."""
        return self._process.pid

    def ask(self, request: bytes, seconds: float) -> list[tuple[bool, Any]] | Unreadable:
        """Run one chunk. Anything but a full answer ends the worker."""
        began = time.monotonic()
        reply, late = self._exchange(request, seconds)
        self.ended = late or reply is None
        if reply is None:
            return Unreadable("timeout", s=round(seconds)) if late else self._cause(began)
        kind, value = pickle.loads(reply)
        if kind == "memory":
            self.ended = True
            return Unreadable("memory", mb=self._memory_mb)
        outcome: list[tuple[bool, Any]] = value
        return outcome

    def _cause(self, began: float) -> Unreadable:
        """Return why the process ended by itself.

        A library of C that gets no memory mostly ends its process; what that had held tells, unless
        this process holds more: a system counts what a process held before it became another.
        """
        status, held = _collected(self._process)
        if status == OVERRUN:
            return Unreadable("timeout", s=max(1, round(time.monotonic() - began)))
        if status < 0 and held > max(_WANTING * self._memory_mb * 2**20, _most_held()):
            return Unreadable("memory", mb=self._memory_mb)
        return Unreadable("crashed")

    def kill(self) -> None:
        """End the process and collect it."""
        self.ended = True
        self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=10)
        for pipe in filter(None, (self._process.stdin, self._process.stdout)):
            with contextlib.suppress(OSError):
                pipe.close()

    def greet(self) -> None:
        """Wait until the worker has started."""
        reply, _ = self._exchange(None, _START_SECONDS)
        kind, value = pickle.loads(reply) if reply is not None else ("failed", "no answer")
        if kind != "ready":
            self.ended = True
            message = f"a worker process did not start: {value}"
            raise WorkerFailed(message, s=round(_START_SECONDS))
        self.ready = True

    def _exchange(self, request: bytes | None, seconds: float) -> tuple[bytes | None, bool]:
        """Send, wait for one frame; returns it, and whether the clock ran out."""
        late = threading.Event()

        def expire() -> None:
            late.set()
            self._process.kill()

        requests, replies = self._process.stdin, self._process.stdout
        assert requests is not None
        assert replies is not None
        timer = threading.Timer(seconds, expire)
        timer.daemon = True
        timer.start()
        try:
            if request is not None:
                send_frame(requests, request)
            return receive_frame(replies), late.is_set()
        except (OSError, ValueError):  # the pipe broke, or `close` closed it
            return None, late.is_set()
        finally:
            timer.cancel()


def _collected(process: subprocess.Popen[bytes]) -> tuple[int, int]:
    """Collect a process that ends; return its status, and the most bytes that it held."""
    if not hasattr(os, "wait4"):  # Windows
        process.kill()  # of no effect on one that ends
        return process.wait(timeout=10), 0
    try:
        os.kill(process.pid, signal.SIGKILL)  # `Popen.kill` may collect it: what it held is lost
        _, status, usage = os.wait4(process.pid, 0)
    except (ChildProcessError, ProcessLookupError):  # the pool was closed meanwhile
        return 0, 0
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss * _RSS_UNIT


def _most_held() -> int:
    """Return the most bytes that this process held; only where `os.wait4` tells of others."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT
