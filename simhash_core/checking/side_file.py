"""The texts of an alignment in a temporary file: each crosses to the workers once.

A task then names the texts that it needs, and a worker reads just those: neither texts nor the
frequencies of the batch travel with every task, and no worker holds all of them.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import shutil
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from ..memory import temporary_file
from ..passages.align import Side

PREFIX = "leitong-texts-"
YOUNG = 60.0  # seconds in which a folder may not have its lock yet


@dataclass(frozen=True, slots=True)
class StoredSides:
    """Where some sides lie in a file: offset and length of each."""

    path: str
    places: tuple[tuple[int, int], ...]

    def read(self) -> list[Side]:
        """Return the sides; runs in a worker."""
        sides = []
        with open(self.path, "rb") as file:  # noqa: PTH123  seeks
            for offset, length in self.places:
                file.seek(offset)
                side: Side = pickle.loads(file.read(length))
                sides.append(side)
        return sides


class SideFile:
    """A file of sides that lives as long as its `with` block.

    Notes
    -----
    On Linux it lies in memory, or `on_disk`, and ends with the process, whatever ends that.
    Elsewhere it lies in a temporary folder that this user alone can read; what a killed process
    leaves behind is removed by the next one, since the system releases its lock.
    """

    def __init__(self, sides: Iterable[Side], *, on_disk: bool = False) -> None:
        self._places: list[tuple[int, int]] = []
        self._open = contextlib.ExitStack()
        try:
            if hasattr(os, "memfd_create"):
                made = temporary_file() if on_disk else os.fdopen(os.memfd_create(PREFIX), "wb")
                file = self._open.enter_context(made)
                self._path = f"/proc/{os.getpid()}/fd/{file.fileno()}"
            else:
                self._path = str(_folder(self._open) / "sides")
                file = self._open.enter_context(Path(self._path).open("wb"))  # noqa: SIM115
            for side in sides:
                data = pickle.dumps(side, protocol=pickle.HIGHEST_PROTOCOL)
                self._places.append((file.tell(), len(data)))
                file.write(data)
            file.flush()
        except BaseException:
            self._open.close()
            raise

    def __enter__(self) -> SideFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return sum(length for _, length in self._places)

    def stored(self, rows: Sequence[int]) -> StoredSides:
        """Return where some of the sides lie, by their order of writing."""
        return StoredSides(self._path, tuple(self._places[row] for row in rows))


def _folder(until: contextlib.ExitStack) -> Path:
    """Make a locked folder that is removed when `until` closes."""
    _remove_abandoned()
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    until.callback(shutil.rmtree, folder, ignore_errors=True)
    until.enter_context(FileLock(folder / "lock"))
    return folder


def _remove_abandoned() -> None:
    """Remove the folders of processes that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError, Timeout):
            if time.time() - folder.stat().st_mtime < YOUNG:
                continue
            with FileLock(folder / "lock", timeout=0):
                pass
            shutil.rmtree(folder, ignore_errors=True)
