"""Records of arrays, one a document: in memory as far as there is room, else in a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Sized
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar, overload

import numpy as np

from ..model import I64
from .memory import ALIGNED, Scratch

R = TypeVar("R", bound=Sized)
Place = tuple[int, tuple[int, ...]]  # where a record begins in the file, and its columns' lengths


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
        self._records: list[R | Place] = []
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
        """Read one record; its columns can be written to, as kernels expect."""
        sizes = [n * one.itemsize for n, one in zip(lengths, self._types, strict=True)]
        padded = [size + -size % ALIGNED for size in sizes]
        data = self.scratch.read(place, sum(padded))
        columns, at = [], 0
        for length, dtype, size in zip(lengths, self._types, padded, strict=True):
            columns.append(np.frombuffer(data, dtype, length, at) if length else _none(dtype))
            at += size
        return self._kind(*columns)


def sizes_of(records: Sequence[Sized]) -> I64:
    """Return the length of every record, int64 (n,)."""
    if isinstance(records, Stored):
        return records.sizes
    return np.array(list(map(len, records)), np.int64)


def _none(dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    return np.empty(0, dtype)


@cache
def _names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(spec.name for spec in fields(kind))
