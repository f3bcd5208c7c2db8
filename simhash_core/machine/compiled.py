"""The loops of C: found in their sources, loaded once, called with numpy arrays.

    LOOPS = loops_of("passages/loops.c")
    LOOPS.count_common(values, indptr, left, right, len(left), shared)

What a function takes is read from its prototype in the source; arrays are checked for type and
layout before their address is taken. Calls let go of the interpreter lock. The library is built
when the package is installed; what each function does is said where it is called, and the same
function in plain Python judges it in tests/oracles.
"""

from __future__ import annotations

import contextlib
import ctypes
import re
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from ..errors import LoopsMissing
from . import building

NO_MEMORY = -1  # what a function of C gives where memory runs out


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


class Record(ctypes.Structure):
    """A struct of C made of arrays, numbers and structs; the arrays live as long as it does."""

    kinds: ClassVar[tuple[Any, ...]]

    def __init__(self, *values: Any) -> None:
        super().__init__()
        self._held = values
        for (name, *_), kind, value in zip(self._fields_, self.kinds, values, strict=True):
            setattr(self, name, kind.from_param(value) if isinstance(value, np.ndarray) else value)


class Table(ctypes.Structure):
    """Rows whose number only the called function knows."""

    _fields_: ClassVar = [
        ("row", ctypes.c_void_p),
        ("count", ctypes.c_int64),
        ("room", ctypes.c_int64),
        ("size", ctypes.c_int64),
    ]

    def __init__(self, kind: type[np.generic], columns: int) -> None:
        super().__init__(None, 0, 0, columns * np.dtype(kind).itemsize)
        self._kind, self._columns = kind, columns

    def taken(self) -> NDArray[Any]:
        """Return the rows, and free what held them."""
        rows = np.empty((self.count, self._columns), self._kind)
        if self.count:
            ctypes.memmove(rows.ctypes.data, self.row, rows.nbytes)
        library().leitong_release(ctypes.c_void_p(self.row))
        return rows


@cache
def library() -> ctypes.CDLL:
    """Return the library, made of the sources that lie beside it.

    Raises
    ------
    LoopsMissing
    """
    with contextlib.suppress(OSError, AttributeError):
        loaded = ctypes.CDLL(str(building.LIBRARY))
        loaded.leitong_sources.restype = ctypes.c_char_p
        if loaded.leitong_sources().decode() == building.sources_digest():
            return loaded
    raise LoopsMissing


_NUMBERS = {
    "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64,
    "double": ctypes.c_double,
    "int": ctypes.c_int,
}
_ARRAYS = {
    "int64_t": _array(np.int64),
    "int32_t": _array(np.int32),
    "uint32_t": _array(np.uint32),
    "int16_t": _array(np.int16),
    "int8_t": _array(np.int8),
    "uint64_t": _array(np.uint64),
    "uint16_t": _array(np.uint16),
    "uint8_t": _array(np.uint8),
    "double": _array(np.float64),
    "float": _array(np.float32),
    "bool": _array(np.bool_),
}
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_STRUCT = re.compile(r"typedef struct \{([^}]*)\} (\w+);")
_ROWS = re.compile(r"typedef (?:const )?(\w+) \(?(\*?)(\w+)\)?\[\d+\];")
_FUNCTION = re.compile(r"EXPORT (int64_t|void) (\w+?)_(\w+)\(([^{;]*)\) \{")
#: `const int64_t (*pairs)[2]`: type, whether a pointer, name
_VARIABLE = re.compile(r"(?:const )?(\w+) \(?(\**)(\w+)\)?((?:\[\w+\])*)")


class Loops:
    """The exported functions of one source, by their names without the prefix of the room.

    Parameters
    ----------
    source
        Relative to the package.

    Attributes
    ----------
    <name of a function>
        Returns what the function gives, or None. Raises MemoryError, and ValueError where the
        function says that it was given what cannot be read.
    <name of a struct>
        A `Record` that takes its fields in order.
    """

    def __init__(self, source: str) -> None:
        self._source = source

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        made = self._function(name) if name in self._functions else self._record(name)
        setattr(self, name, made)
        return made

    @cached_property
    def _text(self) -> str:
        return _COMMENT.sub("", (building.PACKAGE / self._source).read_text("utf-8"))

    @cached_property
    def _functions(self) -> Mapping[str, tuple[str, str, str]]:
        """Exported functions by short name: result, name, parameters."""
        found = _FUNCTION.findall(self._text)
        return {name: (gives, f"{room}_{name}", takes) for gives, room, name, takes in found}

    @cached_property
    def _structs(self) -> Mapping[str, str]:
        """Bodies of structs by their name."""
        return {name: body for body, name in _STRUCT.findall(self._text)}

    @cached_property
    def _rows(self) -> Mapping[str, str]:
        """Types that are named rows of numbers, and what they are rows of."""
        return {name: kind for kind, _, name in _ROWS.findall(self._text)}

    def _function(self, name: str) -> Callable[..., Any]:
        gives, full_name, takes = self._functions[name]
        loop = library()[full_name]
        loop.argtypes = [self._kind(one) for one in " ".join(takes.split()).split(", ")]
        loop.restype = ctypes.c_int64 if gives == "int64_t" else None
        if gives == "int64_t":
            loop.errcheck = cast(Any, _checked)
        return loop

    def _kind(self, parameter: str) -> Any:
        """Return what ctypes is told of a parameter."""
        matched = _VARIABLE.fullmatch(parameter)
        assert matched is not None, parameter
        kind, pointer, _, rows = matched.groups()
        if kind in self._rows:
            return _ARRAYS[self._rows[kind]]
        if pointer or rows:
            return _ARRAYS.get(kind) or ctypes.POINTER(
                Table if kind == "Table" else getattr(self, kind)
            )
        return _NUMBERS[kind]

    def _record(self, name: str) -> type[Record]:
        """Return the struct of a name; a pointer to one in it is an address."""
        if name not in self._structs:
            raise AttributeError(f"{self._source} has no {name}")
        kinds: dict[str, Any] = {}
        for line in filter(None, (" ".join(one.split()) for one in self._structs[name].split(";"))):
            first, *others = line.split(", ")
            kind = first.removeprefix("const ").partition(" ")[0]
            for variable in (first, *(f"{kind} {other}" for other in others)):
                matched = _VARIABLE.fullmatch(variable)
                assert matched is not None, variable
                _, pointer, field, _ = matched.groups()
                if kind in self._rows:
                    kinds[field] = _ARRAYS[self._rows[kind]]
                elif pointer:
                    kinds[field] = _ARRAYS.get(kind, ctypes.c_void_p)
                else:
                    kinds[field] = _NUMBERS.get(kind) or getattr(self, kind)
        plain = (ctypes._SimpleCData, ctypes.Structure)
        fields = [
            (field, kind if issubclass(kind, plain) else ctypes.c_void_p)
            for field, kind in kinds.items()
        ]
        return type(name, (Record,), {"_fields_": fields, "kinds": tuple(kinds.values())})


@cache
def loops_of(source: str) -> Loops:
    """Return the loops of a source, bound once in a process."""
    return Loops(source)


def _checked(result: int, _function: Any, _arguments: Any) -> int:
    if result == NO_MEMORY:
        raise MemoryError
    if result < 0:
        raise ValueError("what was given cannot be read")
    return result
