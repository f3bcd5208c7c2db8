"""Files that are compressed as a whole (.gz, .bz2): read as they expand, some of it at a time."""

from __future__ import annotations

import bz2
import gzip
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path, PurePath
from typing import Any, BinaryIO

#: suffix without the dot -> what expands such a file; both read files of many parts as one
_OPENERS: dict[str, Callable[[BinaryIO], Any]] = {"gz": gzip.open, "bz2": bz2.open}
#: what reading a broken one raises
BROKEN = (OSError, EOFError, zlib.error)


def packing_of(path: str | PurePath) -> str:
    """Return how a file is compressed by its name: "gz", "bz2" or ""."""
    suffix = PurePath(path).suffix.lower().removeprefix(".")
    return suffix if suffix in _OPENERS else ""


def plain_suffix(path: str | PurePath) -> str:
    """Return the suffix of what a file holds, in lower case without the dot."""
    plain = PurePath(path)
    return (PurePath(plain.stem) if packing_of(plain) else plain).suffix.lower().removeprefix(".")


@contextmanager
def opened(path: Path) -> Iterator[tuple[BinaryIO, Callable[[], float]]]:
    """Open a file as its bytes, expanded, and what says which share of it was read, 0 to 1."""
    size = max(path.stat().st_size, 1)
    with path.open("rb") as raw:
        opener = _OPENERS.get(packing_of(path))
        file: BinaryIO = raw if opener is None else opener(raw)

        def share() -> float:
            return min(raw.tell() / size, 1.0)

        with closing(file):
            yield file, share
