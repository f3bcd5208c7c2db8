"""Members of zip archives, read in worker processes and within one budget.

An archive is never opened in the caller's process: its directory and its members are read by
workers, which a broken or hostile file may hang, fill or end.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

from ..errors import Unreadable, of_system
from ..workers import WorkerPool
from .extract.zipped import MOST_EXPANDED, MOST_MEMBERS, member_name, open_zip, read_member

MOST_ARCHIVE = 500 * 2**20  # bytes of one archive as it lies
_GROUP_MEMBERS = 256  # read by one task
_GROUP_BYTES = 32 * 2**20

Archive = str | Path | bytes
Content = bytes | Unreadable


@dataclass(slots=True)
class Budget:
    """Bytes and members that all archives of one check may still expand to."""

    members: int = MOST_MEMBERS
    bytes: int = MOST_EXPANDED

    def spend(self, members: int, expanded: int) -> None:
        """Take from the budget, or raise `Unreadable("archive_limit")` and leave it unchanged."""
        if members > self.members:
            raise Unreadable("archive_limit", limit="count")
        if expanded > self.bytes:
            raise Unreadable("archive_limit", limit="size")
        self.members -= members
        self.bytes -= expanded


def read_archive(
    archive: Archive,
    *,
    pool: WorkerPool,
    budget: Budget,
    most: int,
    is_document: Callable[[str], bool],
) -> Iterator[tuple[str, Content]]:
    """Yield the name of every document in an archive, with its bytes or why there are none.

    Parameters
    ----------
    archive
        Path, or the bytes of the archive.
    most
        Bytes of one member; a larger one is `too_large`.
    is_document
        Whether a name is one; other members are passed over.

    Raises
    ------
    Unreadable
        For the archive as a whole, before the first member.
    """
    (listed,) = pool.map(_directory, [archive])
    if isinstance(listed, Unreadable):
        raise listed
    wanted: list[tuple[int, int]] = []
    contents: dict[int, Content] = {}
    for index, (name, size) in enumerate(listed):
        if name is None or not is_document(name):
            continue
        if name.lower().endswith(".zip"):
            contents[index] = Unreadable("nested_archive")
        elif size > most:
            contents[index] = Unreadable("too_large", mb=most // 2**20)
        else:
            wanted.append((index, size))
    budget.spend(len(wanted), sum(size for _, size in wanted))
    for group in _groups(wanted):
        contents.update(zip(group, _contents(archive, group, pool), strict=True))
    for index in sorted(contents):
        yield listed[index][0] or "", contents[index]


def _groups(wanted: list[tuple[int, int]]) -> Iterator[list[int]]:
    """Cut members (index, size) into tasks."""
    group: list[int] = []
    held = 0
    for index, size in wanted:
        if group and (len(group) == _GROUP_MEMBERS or held + size > _GROUP_BYTES):
            yield group
            group, held = [], 0
        group.append(index)
        held += size
    if group:
        yield group


def _contents(archive: Archive, group: list[int], pool: WorkerPool) -> list[Content]:
    """Read some members; where that ends a worker, each in a separate task."""
    (together,) = pool.map(_read_members, [(archive, group)])
    if not isinstance(together, Unreadable):
        return together
    alone = pool.map(_read_members, [(archive, [index]) for index in group])
    return [part if isinstance(part, Unreadable) else part[0] for part in alone]


def _directory(archive: Archive) -> list[tuple[str | None, int]]:
    """Return name (None for a folder) and stated size of every member; runs in a worker."""
    with _opened(archive) as opened:
        members = opened.infolist()
        # `ZipInfo.is_dir` fails on an empty name
        folders = (info.filename.endswith("/") for info in members)
        return [
            (None if folder else member_name(info), info.file_size)
            for folder, info in zip(folders, members, strict=True)
        ]


def _read_members(task: tuple[Archive, list[int]]) -> list[Content]:
    """Read members by their index; runs in a worker."""
    archive, group = task
    contents: list[Content] = []
    with _opened(archive) as opened:
        for index in group:
            info = opened.infolist()[index]
            try:
                contents.append(read_member(opened, info, info.file_size))
            except Unreadable as reason:
                contents.append(reason)
    return contents


@contextmanager
def _opened(archive: Archive) -> Iterator[ZipFile]:
    if isinstance(archive, bytes):
        with open_zip(io.BytesIO(archive)) as opened:
            yield opened
        return
    try:
        with Path(archive).open("rb") as file, open_zip(file) as opened:
            yield opened
    except OSError as error:
        raise of_system(error) from error
