"""What a worker process does: it answers pickled frames until its parent is gone."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import gc
import importlib
import json
import os
import pickle
import queue
import signal
import struct
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from typing import IO, Any

from ..errors import Unreadable

OVERRUN = 75  # exit status of a worker that computed for longer than its task may
_HEADER = struct.Struct(">Q")
_LOOK_SECONDS = 0.05  # between two looks at the clock of this process


def serve(given: str) -> None:
    """Answer chunks until the pipe to the parent closes. Runs in the worker only.

    `given` is JSON: `memory_mb` and `preload` as `WorkerPool` takes them.
    """
    options = json.loads(given)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    requests, replies = _private_pipes()
    try:
        list(map(importlib.import_module, options["preload"]))
        _limit_memory(options["memory_mb"])
    except Exception:
        send_frame(replies, pickle.dumps(("failed", traceback.format_exc())))
        return
    gc.collect()
    gc.freeze()
    inbox: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_watch, args=(requests, inbox), daemon=True).start()
    send_frame(replies, pickle.dumps(("ready", None)))
    answer = _Answers()
    while True:
        try:
            send_frame(replies, answer(inbox.get()))
        except MemoryError:
            gc.collect()
            send_frame(replies, pickle.dumps(("memory", None)))
            os._exit(1)  # the parent starts a new worker
        except OSError:  # the parent is gone
            os._exit(0)


def _watch(requests: IO[bytes], inbox: queue.SimpleQueue[bytes]) -> None:
    """Read requests; leave at once, even in the middle of a task, when the parent is gone."""
    while True:
        frame = None
        with contextlib.suppress(OSError, MemoryError):
            frame = receive_frame(requests)
        if frame is None:
            os._exit(0)
        inbox.put(frame)


class _Answers:
    """Answers requests. Where another kind of task begins, what the last one held is given back.

    A worker with the C library of GNU would else hold what its largest task took until it ends.
    """

    def __init__(self) -> None:
        self._kind: Callable[[Any], Any] | None = None
        self._trim: Callable[[int], object] = lambda _: None
        with contextlib.suppress(AttributeError, OSError, TypeError):  # other systems
            self._trim = ctypes.CDLL(None).malloc_trim

    def __call__(self, request: bytes) -> bytes:
        function, items = pickle.loads(request)
        if function is not self._kind:
            self._trim(0)
            self._kind = function
        outcome = [_attempt(function, item) for item in items]
        return pickle.dumps(("done", outcome), protocol=pickle.HIGHEST_PROTOCOL)


def _attempt(function: Callable[[Any], Any], item: Any) -> tuple[bool, Any]:
    try:
        return True, function(item)
    except MemoryError:
        raise
    except Unreadable as reason:
        return True, reason
    except Exception as error:
        if isinstance(error, OSError) and error.errno == errno.ENOMEM:
            raise MemoryError from error
        with contextlib.suppress(Exception):
            pickle.loads(pickle.dumps(error))
            return False, error
        return False, RuntimeError(repr(error))


@contextlib.contextmanager
def processor_limit(seconds: float) -> Iterator[None]:
    """End this process, a worker, where what is done inside computes for longer than `seconds`.

    Notes
    -----
    Processor time, so that a busy machine takes nothing from a task. A thread looks at it; a
    library that never lets go of the interpreter is ended by the wall clock of the pool alone.
    """
    done, end = threading.Event(), time.process_time() + seconds

    def watch() -> None:
        while not done.wait(_LOOK_SECONDS):
            if time.process_time() > end:
                os._exit(OVERRUN)

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        done.set()


def _private_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Move the two pipes to private handles; what a library prints is discarded."""
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    return requests, replies


def _limit_memory(megabytes: int) -> None:
    """Cap the address space at today's size plus `megabytes`, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:  # noqa: PTH123 - not a file
            held = int(statm.read().split()[0]) * resource.getpagesize()
    except OSError:  # macOS: no such file; its address space starts near 400 GB
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = held + megabytes * 2**20
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def send_frame(pipe: IO[bytes], frame: bytes) -> None:
    """Write a frame: its length, then its bytes."""
    pipe.write(_HEADER.pack(len(frame)))
    pipe.write(frame)
    pipe.flush()


def receive_frame(pipe: IO[bytes]) -> bytes | None:
    """Return the next frame, or None at the end of the pipe."""
    header = pipe.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return None
    (size,) = _HEADER.unpack(header)
    frame = pipe.read(size)
    return frame if len(frame) == size else None
