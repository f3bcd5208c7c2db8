"""Files, folders and archives to a list of what is to be read, and what is not.

Nothing that lies in a folder ends the walk: what cannot be listed, is no regular file or is gone
becomes a named row. An archive is never opened in the caller's process: its directory and its
members are read by workers, within one budget, which a broken or hostile file may hang, fill or
end.
"""

from __future__ import annotations

import io
import os
import posixpath
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from zipfile import ZipFile

from ..errors import Unreadable, of_system
from ..machine.workers import WorkerPool
from ..model import Skipped
from .extract.zipped import MOST_EXPANDED, MOST_MEMBERS, member_name, open_zip, read_member

MOST_BYTES = 50 * 2**20  # of one file
MEGABYTE = 2**20
_BINARY = getattr(os, "O_BINARY", 0)  # Windows

_NOT_DOCUMENTS = frozenset(("thumbs.db", "desktop.ini", "__macosx", "icon\r"))
_NOT_PREFIXES = (".", "~$")

MOST_ARCHIVE = 500 * 2**20  # bytes of one archive as it lies
_GROUP_MEMBERS = 256  # read by one task
_GROUP_BYTES = 32 * 2**20

Archive = str | Path | bytes
Content = bytes | Unreadable


@dataclass(frozen=True, slots=True)
class Source:
    """Something to read: a file by its path, or bytes in memory, and the name it is shown under.

    Files of a folder have their path as a string: making a `Path` costs more than opening it.
    """

    name: str
    path: str | Path | None = None
    data: bytes | None = None

    @property
    def suffix(self) -> str:
        """Suffix in lower case without the dot."""
        return posixpath.splitext(self.name)[1].lower().removeprefix(".")

    def size(self) -> int:
        """Size in bytes; 0 for a file that is not there."""
        if self.data is not None:
            return len(self.data)
        try:
            return os.stat(self.path).st_size if self.path is not None else 0  # noqa: PTH116
        except OSError:
            return 0

    def content(self) -> bytes:
        """Return the bytes, never more than the limit; raises `Unreadable`."""
        if self.path is not None:
            return file_bytes(self.path, most=MOST_BYTES)
        data = self.data or b""
        if len(data) > MOST_BYTES:
            raise Unreadable("too_large", mb=MOST_BYTES // MEGABYTE)
        return data


def gather_sources(
    given: Iterable[str | Path | Source], *, pool: WorkerPool
) -> tuple[list[Source], list[Skipped]]:
    """List the documents in files, folders and zip archives.

    Parameters
    ----------
    given
        Paths, or sources in memory. Folders are walked; names are POSIX paths relative to the
        folder (behind its name when several things are given), members of an archive
        are `archive.zip/member`. Hidden files and what systems leave behind (`.DS_Store`,
        `~$essay.docx`, `__MACOSX`, `Thumbs.db`) are no documents and are not mentioned.
    pool
        Archives are opened in its workers, all of them within one `Budget`.

    Returns
    -------
    sources, skipped
        Sources with unique names in a stable order; what was refused before it was read. Links
        in a folder are not followed, named ones are.

    Raises
    ------
    FileNotFoundError
        If a given path does not exist.
    """
    sources: list[Source] = []
    skipped: list[Skipped] = []
    seen: dict[tuple[int, int], str] = {}
    names, budget = Names(), Budget()
    for entry in _flat(list(given)):
        if isinstance(entry, Skipped):
            skipped.append(entry)
            continue
        source = replace(entry, name=names.unique(entry.name))
        place = _identity(source)
        if place is not None and place in seen:
            names.free(source.name)
            skipped.append(Skipped(entry.name, "duplicate", {"name": seen[place]}))
            continue
        if place is not None:
            seen[place] = source.name
        if source.size() > MOST_BYTES and source.suffix != "zip":
            skipped.append(Skipped(source.name, "too_large", {"mb": MOST_BYTES // MEGABYTE}))
        elif source.suffix == "zip":
            inside, refused = _members(source, pool, budget)
            sources += inside
            skipped += refused
        else:
            sources.append(source)
    return sources, skipped


def file_bytes(path: str | Path, *, most: int) -> bytes:
    """Return the content of a regular file of at most `most` bytes.

    Nothing is waited for: a pipe or a device is told before anything is read from it.

    Raises
    ------
    Unreadable
        `special`, `too_large`, or why the system does not let it be read.
    """
    waiting = getattr(os, "O_NONBLOCK", 0)  # the opening of a pipe waits for who writes to it
    try:
        with open(os.open(path, os.O_RDONLY | waiting | _BINARY), "rb", 0) as file:  # noqa: PTH123
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise Unreadable("special")
            data = file.read(min(status.st_size, most) + 1) or b""
    except OSError as error:
        raise of_system(error) from error
    if len(data) > most:
        raise Unreadable("too_large", mb=most // MEGABYTE)
    return data


def refused(name: str, reason: Unreadable) -> Skipped:
    """Return the row of something that takes no part."""
    return Skipped(name, reason.code, reason.params)


class Names:
    """Names given out so far, each once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._number: dict[str, int] = {}

    def unique(self, name: str) -> str:
        """Return the name, numbered if it is taken, and take it."""
        stem, suffix = posixpath.splitext(name)
        number, free = self._number.get(name, 1), name
        while free in self._taken:
            number += 1
            free = f"{stem} ({number}){suffix}"
        self._number[name] = number
        self._taken.add(free)
        return free

    def free(self, name: str) -> None:
        """Give a name back."""
        self._taken.discard(name)


def _flat(given: Sequence[str | Path | Source]) -> Iterator[Source | Skipped]:
    """Yield files in order, folders walked in the order of their names."""
    for item in given:
        if isinstance(item, Source):
            if not _is_clutter(item.name):
                yield replace(item, name=harmless(item.name))
            continue
        path = Path(item)
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            prefix = f"{path.resolve().name}/" if len(given) > 1 else ""
            yield from _walk(str(path), prefix)
        elif stat.S_ISREG(mode):
            yield Source(path.name, path)
        else:
            yield Skipped(path.name, "special")


def _walk(folder: str, prefix: str) -> Iterator[Source | Skipped]:
    """Yield what lies below a folder, in the order of the names; links are not followed."""
    open_folders = [_listing(folder, prefix)]
    while open_folders:
        for item in open_folders[-1]:
            if isinstance(item, tuple):
                open_folders.append(_listing(*item))
                break
            yield item
        else:
            open_folders.pop()


def _listing(folder: str, prefix: str) -> Iterator[Source | Skipped | tuple[str, str]]:
    """Yield the files of one folder, and (folder, prefix) of every folder inside."""
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as error:
        yield refused(prefix or folder, of_system(error))
        return
    for entry in entries:
        if _is_clutter(entry.name):
            continue
        name = prefix + entry.name
        try:
            if entry.is_symlink():
                yield Skipped(name, "link")
            elif entry.is_dir(follow_symlinks=False):
                yield entry.path, f"{name}/"
            elif entry.is_file(follow_symlinks=False):
                yield Source(name, entry.path)
            else:
                yield Skipped(name, "special")
        except OSError as error:
            yield refused(name, of_system(error))


def _identity(source: Source) -> tuple[int, int] | None:
    """Return what two names of the very same file share; None where there is no telling."""
    if source.path is None:
        return None
    try:
        status = os.stat(source.path)  # noqa: PTH116
    except OSError:  # reading it will say why
        return None
    return (status.st_dev, status.st_ino) if status.st_ino else None


def _is_clutter(name: str) -> bool:
    """Whether any part of a path is hidden or is left behind by a system."""
    parts = name.replace("\\", "/").split("/")
    return any(
        part.lower() in _NOT_DOCUMENTS or (part.startswith(_NOT_PREFIXES) and part.strip("."))
        for part in parts
    )


def harmless(name: str) -> str:
    """Return a relative path that cannot leave a folder. It is used as a label only."""
    name = name.replace("\\", "/").replace("\0", "")
    parts = [part for part in name.split("/") if part not in ("", ".", "..")]
    return "/".join(parts) or "unnamed"


def _members(
    source: Source, pool: WorkerPool, budget: Budget
) -> tuple[list[Source], list[Skipped]]:
    """Take the documents out of an archive, one level deep."""
    sources: list[Source] = []
    skipped: list[Skipped] = []
    names = Names()
    archive = source.data if source.path is None else source.path
    try:
        if source.size() > MOST_ARCHIVE:
            raise Unreadable("archive_limit", limit="size")
        members = read_archive(
            archive or b"",
            pool=pool,
            budget=budget,
            most=MOST_BYTES,
            is_document=lambda name: not _is_clutter(harmless(name)),
        )
        for member, content in members:
            name = names.unique(f"{source.name}/{harmless(member)}")
            if isinstance(content, Unreadable):
                skipped.append(refused(name, content))
            else:
                sources.append(Source(name, None, content))
    except Unreadable as reason:
        return [], [refused(source.name, reason)]
    return sources, skipped


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
