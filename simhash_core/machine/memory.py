"""How much memory a check may take, and the records that lie in a file where it is not enough."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import fields
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput
from ..folders import cache_folder
from ..model import I64

VARIABLE = "LEITONG_MEMORY"  # environment: the budget, as `size_of` reads it
SHARE = 0.5  # of this machine's memory, where no budget is given: others use the machine too
_ALIGNED = 8  # bytes: columns in a file begin at a multiple

R = TypeVar("R", bound=Sized)
Item = TypeVar("Item")
_Place = tuple[int, tuple[int, ...]]  # where a record begins in the file, and its columns' lengths

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
    import psutil

    total = psutil.virtual_memory().total
    for path in _GROUP_LIMITS:
        with contextlib.suppress(OSError, ValueError):
            total = min(total, int(Path(path).read_text("ascii")))
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
                self._end += size + self._file.write(bytes(-size % _ALIGNED))
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


# --------------------------------------------------------------------------- records


class Stored(Sequence[R]):
    """A list of records that reads those in the file when they are asked for.

    A record of the file is a fresh copy each time.

    Parameters
    ----------
    kind
        Class of the records: a dataclass whose fields are all one-dimensional arrays.
    scratch
        Decides which records stay in memory.
    """

    def __init__(self, kind: type[R], scratch: Scratch) -> None:
        self.scratch = scratch
        self._kind = kind
        self._records: list[R | _Place] = []
        self._sizes: list[int] = []
        self._types: tuple[np.dtype[Any], ...] = ()

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, row: int) -> R: ...
    @overload
    def __getitem__(self, row: slice) -> Stored[R]: ...
    def __getitem__(self, row: int | slice) -> R | Stored[R]:
        if isinstance(row, slice):
            return self.take(range(*row.indices(len(self))))
        record = self._records[row]
        return self._read(*record) if isinstance(record, tuple) else record

    @property
    def sizes(self) -> I64:
        """Length of every record, int64 (n,), without reading one."""
        return np.array(self._sizes, np.int64)

    def take(self, rows: Sequence[int]) -> Stored[R]:
        """Return some of the records, without reading them."""
        part = Stored(self._kind, self.scratch)
        part._records = [self._records[row] for row in rows]
        part._sizes = [self._sizes[row] for row in rows]
        part._types = self._types
        return part

    def extend(self, records: Iterable[R]) -> None:
        """Add records at the end."""
        for record in records:
            columns = [getattr(record, name) for name in _names(self._kind)]
            self._types = self._types or tuple(column.dtype for column in columns)
            self._sizes.append(len(record))
            if self.scratch.admits(sum(column.nbytes for column in columns)):
                self._records.append(record)
            else:
                lengths = tuple(map(len, columns))
                self._records.append((self.scratch.write(columns), lengths))

    def _read(self, place: int, lengths: tuple[int, ...]) -> R:
        """Read one record; its columns can be written to."""
        sizes = [n * one.itemsize for n, one in zip(lengths, self._types, strict=True)]
        padded = [size + -size % _ALIGNED for size in sizes]
        data = self.scratch.read(place, sum(padded))
        columns, at = [], 0
        for length, dtype, size in zip(lengths, self._types, padded, strict=True):
            columns.append(np.ndarray(length, dtype, data, at))
            at += size
        return self._kind(*columns)


def sizes_of(records: Sequence[Sized]) -> I64:
    """Return the length of every record, int64 (n,)."""
    if isinstance(records, Stored):
        return records.sizes
    return np.array(list(map(len, records)), np.int64)


def split_by_size(sizes: I64, most: float) -> list[tuple[int, int]]:
    """Cut rows into runs whose sizes add up to about `most`: first and last row of each."""
    cuts = np.flatnonzero(np.diff(np.cumsum(sizes) // int(most))) + 1
    return list(pairwise([0, *cuts.tolist(), len(sizes)])) if len(sizes) else []


def cut_batches(
    items: Iterable[Item], size_of: Callable[[Item], int], *, most: int, largest: int
) -> Iterator[list[Item]]:
    """Cut items into batches of `most` of them, or of the size `largest`, whichever is first."""
    batch: list[Item] = []
    size = 0
    for item in items:
        batch.append(item)
        size += size_of(item)
        if size >= largest or len(batch) >= most:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


@cache
def _names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(spec.name for spec in fields(kind))
