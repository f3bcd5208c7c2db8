"""A pool of worker processes that can be killed without harm to the application.

Each worker is a fresh interpreter (never a fork, and never a second run of the caller's main
module) that talks pickled frames over its standard pipes. A task that hangs, crashes or exceeds
its memory ends its worker, which is replaced; the caller gets an `Unreadable` in its place.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import pickle
import queue
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from ..errors import Unreadable, WorkerFailed
from .isolation import child_command
from .memory import budget
from .serving import receive_frame, send_frame

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_WORKERS = 8  # more processes only compete for disk and memory
TASK_SECONDS = 20.0  # wall clock for one task
TASK_MEMORY_MB = 1024  # address space a worker may take beyond its own start-up size
WORKER_BYTES = 400e6  # that a worker holds in the middle of a check (benchmarks/memory.py)
WORKERS_SHARE = 0.5  # of the memory of a check that all workers may hold together
_START_SECONDS = 60.0  # wall clock for the first message of a new worker


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
    Workers start at the first `map` (or `warm`) and live until `close` or the end of the parent.
    A worker leaves as soon as its pipe to the parent closes, even if the parent was killed.
    Several threads may call `map` at once; they share the workers task by task.
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
        self._lock = threading.Lock()
        self._idle: queue.LifoQueue[_Worker] = queue.LifoQueue()
        self._all: set[_Worker] = set()
        self._closed = False

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
                worker = _Worker(self.memory_mb, self._preload)
                self._all.add(worker)
                self._idle.put(worker)
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

        Yields
        ------
        The result, or an `Unreadable` with code "timeout", "memory", "crashed", or any that the
        task itself raised. Every other exception of a task is raised here.
        """
        self.warm()
        job = _Job(self, function, items, seconds, max(1, chunk))
        try:
            yield from job.results()
        finally:
            job.stopped = True

    def _run(self, request: bytes, seconds: float) -> list[tuple[bool, Any]] | Unreadable:
        """Send one pickled chunk to the next idle worker and wait for its answer."""
        worker = self._idle.get()
        try:
            answer = worker.ask(request, seconds)
        finally:
            if worker.ended:
                worker = self._replace(worker)
            self._idle.put(worker)
        return answer

    def _replace(self, worker: _Worker) -> _Worker:
        worker.kill()
        with self._lock:
            self._all.discard(worker)
            if self._closed:
                return worker
            fresh = _Worker(self.memory_mb, self._preload)
            self._all.add(fresh)
        return fresh


@functools.cache
def shared_pool() -> WorkerPool:
    """Return the one pool that the application and the command line share.

    It has as many workers as the memory of a check allows (`memory.budget`).
    """
    affordable = max(1, int(WORKERS_SHARE * budget() / WORKER_BYTES))
    workers = min(os.cpu_count() or 1, MOST_WORKERS, affordable)
    pool = WorkerPool(workers, preload=("simhash_core.text.reading", "simhash_core.text.tokenize"))
    atexit.register(pool.close)
    return pool


class _Job:
    """One call of `map`: threads that feed workers, and a reader that restores the order."""

    def __init__(
        self,
        pool: WorkerPool,
        function: Callable[[Any], Any],
        items: Sequence[Any],
        seconds: float,
        chunk: int,
    ) -> None:
        self.stopped = False
        self._pool, self._function, self._seconds = pool, function, seconds
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
        answer = self._pool._run(request, self._seconds)
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
        self._ready = False
        self._memory_mb = memory_mb
        options = json.dumps({"memory_mb": memory_mb, "preload": list(preload)})
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
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
        if not self._ready:
            self._greet()
        reply, late = self._exchange(request, seconds)
        self.ended = late or reply is None
        if reply is None:
            return Unreadable("timeout", s=round(seconds)) if late else Unreadable("crashed")
        kind, value = pickle.loads(reply)
        if kind == "memory":
            self.ended = True
            return Unreadable("memory", mb=self._memory_mb)
        outcome: list[tuple[bool, Any]] = value
        return outcome

    def kill(self) -> None:
        """End the process and collect it."""
        self.ended = True
        self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=10)
        for pipe in filter(None, (self._process.stdin, self._process.stdout)):
            with contextlib.suppress(OSError):
                pipe.close()

    def _greet(self) -> None:
        reply, _ = self._exchange(None, _START_SECONDS)
        kind, value = pickle.loads(reply) if reply is not None else ("failed", "no answer")
        if kind != "ready":
            self.ended = True
            message = f"a worker process did not start: {value}"
            raise WorkerFailed(message, s=round(_START_SECONDS))
        self._ready = True

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
