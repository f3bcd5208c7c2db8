"""How much memory a check may take, and the temporary file for what goes beyond it."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
import threading
import weakref
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

import numpy as np
import psutil
from numpy.typing import NDArray

from ..errors import BadInput
from ..folders import cache_folder

VARIABLE = "LEITONG_MEMORY"  # environment: the budget, as `size_of` reads it
SHARE = 0.5  # of this machine's memory, where no budget is given: others use the machine too
ALIGNED = 8  # bytes: columns in a file begin at a multiple

_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(?:i?B)?\s*", re.IGNORECASE)
_UNITS = ("", "K", "M", "G", "T")
#: limits of the container that this process runs in
_GROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def size_of(written: str) -> int:
    """Return the bytes of a size as people write it; units are powers of 1024.

    >>> size_of("4GB") == size_of("4096 M") == 2**32
    True

    Raises
    ------
    BadInput
        `memory`
    """
    match = _SIZE.fullmatch(written)
    if match is None:
        raise BadInput("memory", value=written)
    size = float(match[1]) * 1024 ** _UNITS.index(match[2].upper())
    if size > sys.maxsize:
        raise BadInput("memory", value=written)
    return int(size)


def budget() -> int:
    """Return the bytes that a check and its workers may hold: as given, else half the machine's.

    Raises
    ------
    BadInput
        `memory`
    """
    given = os.environ.get(VARIABLE, "")
    return size_of(given) if given else int(SHARE * machine_memory())


def machine_memory() -> int:
    """Return the bytes of memory of this machine, or of the container that this process runs in."""
    total = psutil.virtual_memory().total
    for path in _GROUP_LIMITS:
        with contextlib.suppress(OSError, ValueError):
            total = min(total, int(Path(path).read_text("ascii")))
    return total


def resident(processes: Iterable[int]) -> int:
    """Return the bytes that some processes hold together; those that have ended hold nothing."""
    total = 0
    for process in processes:
        with contextlib.suppress(psutil.Error):
            total += psutil.Process(process).memory_info().rss
    return total


def temporary_file() -> IO[bytes]:
    """Open a file that ends with this process, whatever ends that.

    Notes
    -----
    It lies in `TMPDIR` where that is set, else below the cache: the usual folder for temporary
    files is memory on many systems. It has no name there (Windows: the system removes it).
    """
    folder = None if os.environ.get("TMPDIR") else cache_folder()
    with contextlib.suppress(OSError):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        return tempfile.TemporaryFile(dir=folder)
    return tempfile.TemporaryFile()


class Scratch:
    """What a check may hold in memory, and a temporary file for what goes beyond it.

    Parameters
    ----------
    room
        Bytes of what is offered to it that may stay in memory; None for no limit.

    Notes
    -----
    The file is made when something is written to it, and ends when nothing refers to it any more.
    """

    def __init__(self, room: int | None = None) -> None:
        self.limited = room is not None
        self.written = 0  # bytes of this file and of others that a limit led to
        self._end = 0
        self._room = float("inf") if room is None else float(room)
        self._file: IO[bytes] | None = None
        self._lock = threading.Lock()

    def admits(self, size: int) -> bool:
        """Whether so many bytes more may stay in memory; if so they count from now on.

        Once something went to disk, all that follows does.
        """
        if self._file is not None or size > self._room:
            return False
        self._room -= size
        return True

    def write(self, columns: Iterable[NDArray[Any]]) -> int:
        """Write columns one after the other, and return the place of the first."""
        with self._lock:
            if self._file is None:
                self._file = temporary_file()
                weakref.finalize(self, self._file.close)
            place = self._end
            self._file.seek(place)
            for column in columns:
                size = self._file.write(np.ascontiguousarray(column).data)
                self._end += size + self._file.write(bytes(-size % ALIGNED))
            self.written += self._end - place
            return place

    def read(self, place: int, size: int) -> bytearray:
        """Return so many bytes from a place."""
        data = bytearray(size)
        with self._lock:
            assert self._file is not None
            self._file.seek(place)
            self._file.readinto(data)  # type: ignore[attr-defined]
        return data
