"""The files a reader has put in: what they are, what was read from each, what could not be read.

Belongs to one session. Files keep their order; every file ends as a document or as a reason.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from simhash_core import Document, Settings, read
from simhash_core.checking import uploads
from simhash_core.model import Skipped

from ..shared import jobs, session

MOST_FILES = 2000
MOST_BYTES = 300 * 1024 * 1024
_CHUNK = 64  # files read between two points at which stopping loses nothing
_KEY = "lt.batch"


@dataclass(slots=True)
class Entry:
    """One file: where it came from and what became of it."""

    name: str
    source: Any = None
    document: Document | None = None
    skipped: Skipped | None = None

    @property
    def cautions(self) -> tuple[Any, ...]:
        """Notes that deserve a look before the check."""
        return self.document.notes if self.document else ()


@dataclass(slots=True)
class Batch:
    """All files of the next check."""

    name: str = ""
    entries: list[Entry] = field(default_factory=list)
    size: int = 0
    waiting: list[Entry] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)  # ids of the uploads that were put in

    @property
    def documents(self) -> list[Document]:
        """What can take part, in the order of the files."""
        return [entry.document for entry in self.entries if entry.document is not None]

    @property
    def skipped(self) -> list[Skipped]:
        """What cannot, with reasons."""
        return [entry.skipped for entry in self.entries if entry.skipped is not None]

    @property
    def to_look_at(self) -> int:
        """How many readable files carry a caution."""
        return sum(bool(entry.cautions) for entry in self.entries)

    def in_order_of_need(self) -> list[int]:
        """Rows, files that need a look first: not read, then cautions, then the good ones."""
        rank = [0 if e.skipped else 1 if e.cautions else 2 for e in self.entries]
        return sorted(range(len(rank)), key=lambda row: rank[row])


def current() -> Batch | None:
    """Return the files of this session."""
    found = session.get(_KEY)
    return found if isinstance(found, Batch) else None


def clear() -> None:
    """Forget the files."""
    jobs.put_away("read")
    session.put(_KEY, None)


def queue(
    sources: Sequence[Any],
    skipped: Iterable[Skipped],
    *,
    name: str,
    size: int = 0,
    upload: str = "",
) -> None:
    """Put the sources of one upload beside the files that are there; `read_queue` reads them."""
    batch = current() or Batch(name)
    session.put(_KEY, batch)
    batch.taken.add(upload)
    taken = {entry.name for entry in batch.entries} | {entry.name for entry in batch.waiting}
    batch.size += size
    batch.waiting.extend(Entry(item.name, skipped=item) for item in skipped)
    for source in sources:
        named = _renamed(source, taken)
        batch.waiting.append(Entry(named.name, named))


def put_in(added: Sequence[Any]) -> None:
    """Queue uploads, each once.

    A run of the page ends wherever a newer request reaches it, so the zone can show the same
    uploads to the next run: what is in is known by the id of the upload.
    """
    batch = current()
    fresh = [file for file in added if batch is None or file.file_id not in batch.taken]
    name = name_of([file.name for file in added])
    for file in sorted(fresh, key=lambda file: file.name):  # a folder comes in the disk's order
        sources, skipped = uploads([(file.name, file.getvalue())])
        queue(sources, skipped, name=name, size=file.size, upload=file.file_id)
    read_queue()


def read_queue() -> None:
    """Begin to read what waits, in the background; stopping keeps what was read."""
    batch, running = current(), jobs.current("read")
    if batch is None or not batch.waiting or running is not None:
        return
    queued = list(batch.waiting)
    finished: list[Entry] = []

    def work(progress: jobs.Progress) -> None:
        for start in range(0, len(queued), _CHUNK):

            def step(stage: str, done: int, total: int, start: int = start) -> None:
                progress("read", start + done, len(queued))

            finished.extend(_read(queued[start : start + _CHUNK], Settings(), step))

    jobs.start("read", work, stages=("read",), facts={"n": len(queued), "entries": finished})
    del batch.waiting[: len(queued)]


def collect() -> Batch | None:
    """Take over what has been read, begin to read what waits; return the files."""
    job, batch = jobs.current("read"), current()
    if job is not None and batch is not None and job.state != "running":
        read_now, job.facts["entries"] = job.facts["entries"], []
        batch.entries.extend(read_now)
        jobs.put_away("read")
    read_queue()
    if batch is not None and not batch.entries and jobs.current("read") is None:
        session.put(_KEY, None)
    return current()


def remove(row: int) -> None:
    """Take one file out."""
    batch = current()
    if batch is not None:
        del batch.entries[row]
        if not batch.entries:
            clear()


def preview(entry: Entry, encoding: str) -> Entry:
    """Return what a file would be under another encoding."""
    return _read([entry], Settings(encoding=encoding), None)[0]


def name_of(names: Sequence[str]) -> str:
    """Return what to call a set of files: their folder, else the first of them."""
    parents = {PurePosixPath(name).parts[0] for name in names if "/" in name}
    if len(parents) == 1 and all("/" in name for name in names):
        return parents.pop()
    return PurePosixPath(names[0]).stem if names else ""


def _read(
    entries: Sequence[Entry], settings: Settings, progress: jobs.Progress | None
) -> list[Entry]:
    """Read files that wait; those that were refused before reading stay what they are."""
    sources = [entry.source for entry in entries if entry.skipped is None]
    documents, skipped = read(sources, settings=settings, progress=progress)
    found: dict[str, Document | Skipped] = {item.name: item for item in (*documents, *skipped)}
    finished = []
    for entry in entries:
        item = found.get(entry.name, entry.skipped)
        if isinstance(item, Document):
            finished.append(dataclasses.replace(entry, document=item, skipped=None))
        elif item is not None:
            finished.append(dataclasses.replace(entry, document=None, skipped=item))
    return finished


def _renamed(source: Any, taken: set[str]) -> Any:
    """Give a source a name that no other file has."""
    path = PurePosixPath(source.name)
    name, n = source.name, 2
    while name in taken:
        name, n = str(path.with_name(f"{path.stem} ({n}){path.suffix}")), n + 1
    taken.add(name)
    return source if name == source.name else dataclasses.replace(source, name=name)
