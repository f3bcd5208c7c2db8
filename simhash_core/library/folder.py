"""Segments on disk: a folder that can be made again, and a manifest that names what counts.

Whoever writes holds a lock; readers need none. A segment is complete before the manifest names
it, and the manifest is replaced at once: a process that ends in between leaves only files that
nobody reads.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import xxhash
from numpy.typing import NDArray

from ..folders import private_file, private_folder, write_whole
from .segments import Segment

MAPPED_FROM = 1 << 18  # bytes of an array; smaller ones are read, and checked, at once
MANIFEST, LOCK = "manifest.json", "lock"
WAIT = 1.0  # seconds between two looks at what another process writes
#: what makes a segment unreadable
BROKEN = (OSError, ValueError, KeyError, EOFError)


@dataclass(frozen=True, slots=True)
class Entry:
    """One segment: its folder, its keys, its size, and a hash of each array."""

    name: str
    first: int
    last: int
    texts: int
    tokens: int
    arrays: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Manifest:
    """What counts in a folder.

    Attributes
    ----------
    generation
        Grows with every change.
    newest
        The newest key of the library when it was last read, whoever owns it.
    upto
        Every text up to this key is in a segment.
    library
        Id of the library whose texts these are: a file of the same name may be another one.
    segments
        In the order of their keys.
    tails
        How strong findings between unrelated texts are, by language, and of how many texts that
        was measured.
    """

    generation: int = 0
    newest: int = 0
    upto: int = 0
    library: str = ""
    segments: tuple[Entry, ...] = ()
    tails: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    measured: int = 0

    @property
    def texts(self) -> int:
        """Texts of all segments, removed ones included."""
        return sum(entry.texts for entry in self.segments)


class SegmentFolder:
    """The segments of one library, as one owner sees it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextlib.contextmanager
    def writing(self, waiting: Callable[[Manifest], None] | None = None) -> Iterator[None]:
        """Be the only process that writes.

        While another one does, `waiting` is told how far that is, every second; it may raise.
        """
        from filelock import FileLock, Timeout

        lock = FileLock(private_folder(self.path) / LOCK, mode=0o600)
        while not lock.is_locked:
            try:
                lock.acquire(timeout=WAIT)
            except Timeout:
                if waiting is not None:
                    waiting(self.manifest())
        try:
            yield
        finally:
            lock.release()

    def manifest(self) -> Manifest:
        """Return what counts; an empty one where there is none that can be read."""
        try:
            data = json.loads((self.path / MANIFEST).read_text("utf-8"))
            entries = tuple(Entry(**entry) for entry in data.pop("segments"))
            return Manifest(segments=entries, **data)
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return Manifest()

    def put(self, manifest: Manifest) -> Manifest:
        """Make this what counts from now on, and remove what does not; return it."""
        manifest = replace(manifest, generation=self.manifest().generation + 1)
        with write_whole(self.path / MANIFEST) as fresh:
            fresh.write_text(json.dumps(asdict(manifest)), "utf-8")
        counting = {entry.name for entry in manifest.segments}
        for other in self.path.iterdir():
            if other.is_dir() and other.name not in counting:
                # on Windows a reader may hold it open: then the next writer removes it
                shutil.rmtree(other, ignore_errors=True)
        return manifest

    def write(self, segment: Segment) -> Entry:
        """Write a segment that no manifest names yet; raises `OSError` where there is no room."""
        first, last = int(segment.key[0]), segment.last
        name = f"{first:012}-{last:012}-{secrets.token_hex(4)}"
        place = self.path / name
        place.mkdir(mode=0o700)
        arrays = {
            key: _write_array(place / f"{key}.npy", a) for key, a in segment.to_arrays().items()
        }
        return Entry(name, first, last, len(segment), int(segment.tokens.sum()), arrays)

    def read(self, entry: Entry, *, whole: bool = False) -> Segment:
        """Open a segment; large arrays are mapped and read when they are needed.

        Raises
        ------
        OSError, ValueError, KeyError, EOFError
            Where a file is missing, cut off or not what was written. Of mapped arrays that is
            only seen in their length, unless the `whole` of them is to be read.
        """
        place = self.path / entry.name
        return Segment.from_arrays(
            {
                name: _read_array(place / f"{name}.npy", digest, whole)
                for name, digest in entry.arrays.items()
            }
        )


def _write_array(path: Path, array: NDArray[Any]) -> str:
    with private_file(path) as file:
        np.save(file, np.ascontiguousarray(array))
        if array.nbytes >= MAPPED_FROM:  # its content is not checked when it is opened
            file.flush()
            os.fsync(file.fileno())
    return _hash(array)


def _read_array(path: Path, expected: str, whole: bool) -> NDArray[Any]:
    if path.stat().st_size < MAPPED_FROM or whole:
        array = np.load(path)
        if _hash(array) != expected:
            raise ValueError(f"{path.name} is not what was written")
        return np.asarray(array)
    # copy-on-write: compiled loops take arrays that may be written to, none of them writes
    return np.asarray(np.load(path, mmap_mode="c"))


def _hash(array: NDArray[Any]) -> str:
    return xxhash.xxh3_64_hexdigest(np.ascontiguousarray(array).data)
