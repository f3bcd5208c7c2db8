"""The projects of one owner in one folder: list, open, duplicate, delete with time to undo.

A project's file is named by its id; a file elsewhere that is opened in place, such as one that two
reviewers share, is named by a link. Deleting sets a mark beside it; until `UNDO_SECONDS` have
passed the mark can be taken away, then the file and everything that belongs to it are removed.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import re
import sqlite3
import tarfile
import tempfile
import time
import zlib
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from ..errors import BadInput, StoreError, name_file
from ..folders import data_folder, private_folder, write_whole
from .database import faults, files_of
from .project import Project, Summary, new_id

SUFFIX = ".leitong"
UNDO_SECONDS = 30.0
_MARK, _LINK = ".deleted", ".link"
_ID = re.compile(r"[\w-]{16,64}", re.ASCII)


class Shelf:
    """The projects in one folder; it and what lies in it are readable by its owner alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def create(self, *, name: str = "") -> Project:
        """Make a project."""
        private_folder(self.folder)
        key = new_id()
        project = Project.create(self._path(key), name=name)
        project.put("id", key)
        return project

    def open(self, key: str) -> Project:
        """Open the project of an id; another owner's id is as unknown as one that never was."""
        path = self._path(key)
        if self._mark(key).exists():
            raise StoreError("store_missing", name=key)
        return Project.open(path)

    def recent(self) -> list[Summary]:
        """List the projects, the latest change first; what cannot be opened says why."""
        self.sweep()
        listed = [self._summary(key) for key in self._ids() if not self._mark(key).exists()]
        return sorted(listed, key=lambda one: one.changed.timestamp() if one.changed else 0.0)[::-1]

    def take_in(self, path: Path) -> Project:
        """Copy a project file from elsewhere onto this shelf; it must be whole.

        Raises
        ------
        StoreError
            As for `Project.open`, and `store_damaged`.
        """
        with contextlib.closing(Project.open(path)) as foreign:
            foreign.verify()
            if foreign.damage:
                raise StoreError("store_damaged", name=path.name)
            return self.take_over(foreign)

    def link(self, path: Path) -> str:
        """List a project file where it lies; return its id here. Raises as `Project.open`."""
        Project.open(path).close()
        target = str(path.resolve())
        for key in self._ids():
            if str(self._path(key)) == target:
                return key
        private_folder(self.folder)
        key = new_id()
        with write_whole(self._mark(key, _LINK)) as fresh:
            fresh.write_text(target, "utf-8", "surrogateescape")
        return key

    def take_over(self, project: Project, *, name: str | None = None) -> Project:
        """Put a copy of an open project, one in memory included, onto this shelf."""
        private_folder(self.folder)
        key = new_id()
        project.copy_to(self._path(key), name=name, same_id=True)
        copy = self.open(key)
        copy.put("id", key)
        return copy

    def duplicate(self, key: str, *, name: str | None = None) -> Project:
        """Copy a project with everything in it."""
        with contextlib.closing(self.open(key)) as project:
            return self.take_over(project, name=name)

    def delete(self, key: str) -> None:
        """Mark a project as deleted: it is not listed any more and goes after `UNDO_SECONDS`."""
        if self._path(key).exists() or self._mark(key, _LINK).exists():
            self._mark(key).touch(mode=0o600)

    def remove(self, key: str) -> None:
        """Remove a project with everything that belongs to it, at once; of a link, the link."""
        if self._mark(key, _LINK).exists():
            self._mark(key, _LINK).unlink()
        else:
            for item in files_of(self._path(key)):
                item.unlink(missing_ok=True)
        self._mark(key).unlink(missing_ok=True)

    def undelete(self, key: str) -> None:
        """Take the mark away."""
        self._mark(key).unlink(missing_ok=True)

    def deleted(self) -> list[str]:
        """Return the ids that can still be undeleted, the latest first."""
        marked = [key for key in self._ids() if self._mark(key).exists()]
        return sorted(marked, key=lambda key: -self._mark(key).stat().st_mtime)

    def sweep(self, *, after: float = UNDO_SECONDS) -> None:
        """Remove what was deleted long enough ago.

        A mark of the future says that the clock was set back: its time to undo begins again, so
        that what was deleted does not stay until the clock has come that far.
        """
        for key in self._ids():
            mark = self._mark(key)
            if not mark.exists():
                continue
            age = time.time() - mark.stat().st_mtime
            if age < 0:
                mark.touch()
            elif age >= after:
                self.remove(key)

    def _summary(self, key: str) -> Summary:
        path = self._path(key)
        try:
            with contextlib.closing(Project.open(path)) as project:
                return replace(project.summary(), id=key)
        except StoreError as error:
            size = sum(item.stat().st_size for item in files_of(path))
            return Summary(path, key, size=size, fault=error.code)

    def _ids(self) -> Iterator[str]:
        for ending in (SUFFIX, _LINK):
            for path in sorted(self.folder.glob(f"*{ending}")):
                if _ID.fullmatch(path.stem):
                    yield path.stem

    def _path(self, key: str) -> Path:
        link = self._mark(key, _LINK)
        if link.is_file():
            return Path(link.read_text("utf-8", "surrogateescape"))
        return self.folder / f"{key}{SUFFIX}"

    def _mark(self, key: str, ending: str = _MARK) -> Path:
        if not _ID.fullmatch(key):
            raise StoreError("store_missing", name="")
        return self.folder / f"{key}{ending}"


def shelves() -> list[Shelf]:
    """Return the shelves of all owners on this computer, for what a server does at its start."""
    folder = data_folder() / "projects"
    return [Shelf(each) for each in sorted(folder.glob("*/"))]


# --------------------------------------------------------------------------- backups
_DATABASES = (SUFFIX, ".library")  # files that SQLite alone may open
_BESIDE = ("-wal", "-shm", "-journal")  # of a database in use; its copy needs none
_FIRST_MEMBER = "leitong-backup"  # first member; its content is the version of the layout
_LAYOUT = b"1"


def back_up(target: Path) -> tuple[int, int]:
    """Write everything that is stored into a new file; return how many files, and bytes.

    Raises
    ------
    BadInput
        `backup_exists`.
    OSError, StoreError
        Something cannot be read or written, and is named; nothing is left at `target`.
    """
    if target.exists():
        raise BadInput("backup_exists", name=str(target))
    folder, count, size = data_folder(), 0, 0
    with (
        write_whole(target) as fresh,
        tarfile.open(fresh, mode="w:gz") as archive,
        tempfile.TemporaryDirectory(prefix="leitong") as held,
    ):
        first = tarfile.TarInfo(_FIRST_MEMBER)
        first.size = len(_LAYOUT)
        archive.addfile(first, BytesIO(_LAYOUT))
        for path in sorted(folder.rglob("*")):
            if not path.is_file() or path.is_symlink() or path.name.endswith(_BESIDE):
                continue
            with _hold_still(path, Path(held)) as copy:
                archive.add(copy, str(path.relative_to(folder)), recursive=False)
                count, size = count + 1, size + copy.stat().st_size
    return count, size


def restore(source: Path) -> tuple[int, int]:
    """Read a backup into the data folder, which must be empty; return how many files, and bytes.

    Raises
    ------
    BadInput
        `backup_full`, `backup_foreign`.
    OSError
        The file cannot be read, or the folder not written; nothing is left in the folder.
    """
    folder = private_folder(data_folder())
    if any(folder.iterdir()):
        raise BadInput("backup_full", folder=str(folder))
    with name_file(folder), tempfile.TemporaryDirectory(prefix=".restored-", dir=folder) as fresh:
        try:
            with tarfile.open(source, mode="r:gz") as archive:
                first = archive.next()
                mark = archive.extractfile(first) if first and first.name == _FIRST_MEMBER else None
                if mark is None or mark.read(len(_LAYOUT) + 1) != _LAYOUT:
                    raise BadInput("backup_foreign", name=str(source))
                members = [one for one in archive if one.isfile() and one.name != _FIRST_MEMBER]
                mask = os.umask(0o077)
                try:
                    archive.extractall(fresh, members, filter="data")
                finally:
                    os.umask(mask)
                while archive.fileobj and archive.fileobj.read(1 << 20):
                    pass  # on to the check sum of the whole
        except (tarfile.TarError, EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise BadInput("backup_foreign", name=str(source)) from error
        for item in Path(fresh).iterdir():
            item.rename(folder / item.name)
    return len(members), sum(one.size for one in members)


@contextlib.contextmanager
def _hold_still(path: Path, held: Path) -> Iterator[Path]:
    """Yield a file that nobody writes to: of a database a copy by SQLite, else the file itself."""
    if path.suffix not in _DATABASES:
        yield path
        return
    copy = held / path.name
    with (
        faults(path),
        contextlib.closing(
            sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        ) as reading,
        contextlib.closing(sqlite3.connect(copy)) as writing,
    ):
        reading.backup(writing)
    yield copy
    copy.unlink()
