"""The loops of C and their readable twins: which of them runs, and how arrays reach C.

The library is built when the package is installed. Where that could not be done, the readable twins
do the same work, to the same results and some fifty times as slowly. Arrays are checked for type
and layout before their address is taken. Calls let go of the interpreter lock.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import os
from collections.abc import Callable
from ctypes import POINTER, Structure, byref
from functools import cache, cached_property
from types import ModuleType
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from . import building

TWIN = "LEITONG_TWIN"  # environment: "readable" runs the readable twins beside a library too


def _array(kind: type) -> Any:
    """Return a kind of argument, an array of C order; those of `numpy.ctypeslib` are slower."""
    dtype = np.dtype(kind)

    class Array:
        @classmethod
        def from_param(cls, value: Any) -> ctypes.c_void_p:
            if not isinstance(value, np.ndarray) or value.dtype != dtype:
                raise TypeError(f"an array of {dtype} is wanted")
            if not value.flags.c_contiguous:
                raise TypeError("an array of C order is wanted")
            return ctypes.c_void_p(value.__array_interface__["data"][0])

    return Array


NO_MEMORY = -1  # what a function of C gives where memory runs out

# kinds of arguments
INT, WORD, FLOAT = ctypes.c_int64, ctypes.c_uint64, ctypes.c_double
BYTES, BOOLS = _array(np.uint8), _array(np.bool_)
I32, I64, U16, U64, F64 = map(_array, (np.int32, np.int64, np.uint16, np.uint64, np.float64))


class Record(Structure):
    """A struct of C made of arrays and numbers; the arrays live as long as it does."""

    kinds: ClassVar[tuple[Any, ...]]

    def __init__(self, *values: Any) -> None:
        super().__init__()
        self._held = values
        for (name, *_), kind, value in zip(self._fields_, self.kinds, values, strict=True):
            setattr(self, name, kind.from_param(value) if isinstance(value, np.ndarray) else value)


def record(**kinds: Any) -> type[Record]:
    """Return a struct of C with these fields, each an array, a number or a struct."""
    plain = (ctypes._SimpleCData, Structure)
    fields = [
        (name, kind if issubclass(kind, plain) else ctypes.c_void_p) for name, kind in kinds.items()
    ]
    return type("Record", (Record,), {"_fields_": fields, "kinds": tuple(kinds.values())})


class Table(Structure):
    """Rows whose number only the called function knows."""

    _fields_: ClassVar = [
        ("row", ctypes.c_void_p),
        ("count", INT),
        ("room", INT),
        ("size", INT),
    ]

    def __init__(self, kind: type[np.generic], columns: int) -> None:
        super().__init__(None, 0, 0, columns * np.dtype(kind).itemsize)
        self._kind, self._columns = kind, columns

    def taken(self) -> NDArray[Any]:
        """Return the rows, and free what held them."""
        rows = np.empty((self.count, self._columns), self._kind)
        if self.count:
            ctypes.memmove(rows.ctypes.data, self.row, rows.nbytes)
        _loaded().leitong_release(ctypes.c_void_p(self.row))
        return rows


@cache
def library() -> ctypes.CDLL | None:
    """Return the library, if it is there and made of the sources that lie beside it."""
    with contextlib.suppress(OSError, AttributeError):
        loaded = ctypes.CDLL(str(building.LIBRARY))
        loaded.leitong_sources.restype = ctypes.c_char_p
        if loaded.leitong_sources().decode() == building.sources_digest():
            return loaded
    return None


def in_c() -> bool:
    """Return whether the loops of C run: they are built, and nobody asks for their twins."""
    return os.environ.get(TWIN) != "readable" and library() is not None


class Twins:
    """The loops of one room under one set of names: those of C where they run, else readable ones.

    Parameters
    ----------
    room
        A package within `simhash_core` that holds `native` and `readable`, with dots.

    Notes
    -----
    Either module is imported when its first function is asked for: so the modules whose loops they
    hold may themselves ask for loops.
    """

    def __init__(self, room: str) -> None:
        self._room = f"simhash_core.{room}"

    def __getattr__(self, name: str) -> Any:
        return getattr(self._native if in_c() else self._readable, name)

    @cached_property
    def _native(self) -> ModuleType:
        return importlib.import_module(f"{self._room}.native")

    @cached_property
    def _readable(self) -> ModuleType:
        return importlib.import_module(f"{self._room}.readable")


def _loaded() -> ctypes.CDLL:
    loaded = library()
    if loaded is None:
        raise ImportError("the library of C loops is not built")
    return loaded


def function(name: str, *kinds: Any) -> Callable[..., int]:
    """Return a function that gives a number, or fails: without memory, or on what it is given."""
    loop = _loaded()[name]
    loop.argtypes = [_passed(kind) for kind in kinds]
    loop.restype = INT
    loop.errcheck = cast(Any, _checked)
    return loop


def procedure(name: str, *kinds: Any) -> Callable[..., None]:
    """Return a function that gives nothing and cannot fail."""
    loop = _loaded()[name]
    loop.argtypes = [_passed(kind) for kind in kinds]
    loop.restype = None
    return loop


def _passed(kind: Any) -> Any:
    return POINTER(kind) if issubclass(kind, Structure) else kind


def _checked(result: int, _function: Any, _arguments: Any) -> int:
    if result == NO_MEMORY:
        raise MemoryError
    if result < 0:
        raise ValueError("what was given cannot be read")
    return result


def fresh_table(kind: type[np.generic], columns: int) -> tuple[Table, Any]:
    """Return an empty table and how it is passed."""
    table = Table(kind, columns)
    return table, byref(table)
