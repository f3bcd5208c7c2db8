"""Readable functions made into machine code: numba's side of `compiled`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

from numba import config, njit, types
from numba.extending import intrinsic

from .compiled import room_folder

F = TypeVar("F", bound=Callable[..., Any])
Signature = tuple[Any, ...]

# types of arguments; arrays are contiguous
BOOL, INT, WORD, FLOAT = types.boolean, types.int64, types.uint64, types.float64
BYTES, BOOLS = types.uint8[::1], types.boolean[::1]
I32, I64, U16, U64, F64 = (
    kind[::1] for kind in (types.int32, types.int64, types.uint16, types.uint64, types.float64)
)
I32_2 = types.int32[:, ::1]
I64_2, U64_2, F64_2 = types.int64[:, ::1], types.uint64[:, ::1], types.float64[:, ::1]
I64_3 = types.int64[:, :, ::1]
SPAN, RECT = cast(Any, types).UniTuple(INT, 2), cast(Any, types).UniTuple(INT, 4)


def three(kind: Any) -> Any:
    """Return the type of three values of one type."""
    return cast(Any, types).UniTuple(kind, 3)


def named(names: type, *kinds: Any) -> Any:
    """Return the type of a named tuple whose fields have these types."""
    return cast(Any, types).NamedTuple(kinds, names)


class Kernels:
    """The compiled functions of one room.

    Notes
    -----
    Only entries are kept in the cache: their machine code holds the functions they call.
    """

    def __init__(self, room: str) -> None:
        self._folder = room_folder(room)
        self._names: dict[str, Any] = {}
        self._steps: list[tuple[Any, tuple[Signature, ...], bool]] = []
        self._tables: list[Callable[[Path], None]] = []

    def inner(self, *signatures: Signature, **options: Any) -> Callable[[F], F]:
        """Return the decorator of a function that others call, for these types of arguments."""
        return self._decorator(signatures, entry=False, **options)

    def entry(self, *signatures: Signature, **options: Any) -> Callable[[F], F]:
        """Return the decorator of a function that Python calls, for these types of arguments."""
        return self._decorator(signatures, entry=True, **options)

    def keep(self, write: Callable[[Path], None]) -> None:
        """Have tables written into the folder of the room, before the first function."""
        self._tables.append(write)

    def _decorator(
        self, signatures: tuple[Signature, ...], *, entry: bool, **options: Any
    ) -> Callable[[F], F]:
        def decorate(function: F) -> F:
            source = cast(FunctionType, function)
            # a copy that calls the compiled forms; the readable one goes on calling readable ones
            names = {**source.__globals__, **self._names}
            copy = FunctionType(source.__code__, names, source.__name__, source.__defaults__)
            settings = cast(Any, config)
            before, settings.CACHE_DIR = settings.CACHE_DIR, str(self._folder or "")
            try:
                cached = entry and self._folder is not None
                dispatcher = njit(nogil=True, cache=cached, **options)(copy)
            finally:
                settings.CACHE_DIR = before  # other code of this process keeps its own place
            self._names[source.__name__] = dispatcher
            self._steps.append((dispatcher, signatures, entry))
            return cast(F, dispatcher)

        return decorate

    def prepare(self) -> Iterator[tuple[int, int]]:
        """Compile everything for the types it was declared with; yield how far it is.

        Notes
        -----
        An inner function takes no other types after that: where a caller passes a constant,
        numba would compile it once more for that very value.
        """
        if self._folder is not None:
            for write in self._tables:
                write(self._folder)
        for done, (dispatcher, signatures, entry) in enumerate(self._steps):
            yield done, len(self._steps)
            for signature in signatures:
                dispatcher.compile(signature)
            if signatures and not entry:
                dispatcher.disable_compile()


@intrinsic
def popcount(_context: Any, _word: Any) -> Any:
    """Return the number of one bits of a uint64 (compiled)."""

    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        _widen(builder)
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), generate


@intrinsic
def wide_vectors(_context: Any) -> Any:
    """Let the function in which this stands, and what is compiled into it, use wide vectors."""

    def generate(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
        _widen(builder)
        return context.get_dummy_value()

    return types.void(), generate


def _widen(builder: Any) -> None:
    """Ask for vectors of 512 bits: LLVM takes half of that by itself, at 0.6 times the speed.

    An attribute that llvmlite does not know; a processor without such vectors ignores it.
    """
    set.add(builder.function.attributes, '"prefer-vector-width"="512"')
