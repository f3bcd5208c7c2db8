"""The projects of one owner in one folder: list, open, duplicate, delete with time to undo.

A project's file is named by its id. Deleting sets a mark beside it; until `UNDO_SECONDS` have
passed the mark can be taken away, then the file and everything that belongs to it are removed.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterator
from pathlib import Path

from ..errors import StoreError
from .database import files_of
from .project import Project, Summary

SUFFIX = ".leitong"
UNDO_SECONDS = 30.0
_MARK = ".deleted"
_ID = re.compile(r"[\w-]{16,64}", re.ASCII)


class Shelf:
    """The projects in one folder; it and what lies in it are readable by its owner alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def create(self, *, name: str = "") -> Project:
        """Make a project."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        key = secrets.token_urlsafe(16)
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
        foreign = Project.open(path)
        try:
            if foreign.verify():
                raise StoreError("store_damaged", name=path.name)
            return self.take_over(foreign)
        finally:
            foreign.close()

    def take_over(self, project: Project, *, name: str | None = None) -> Project:
        """Put a copy of an open project, one in memory included, onto this shelf."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        key = secrets.token_urlsafe(16)
        project.copy_to(self._path(key), name=name, same_id=True)
        copy = self.open(key)
        copy.put("id", key)
        return copy

    def duplicate(self, key: str, *, name: str | None = None) -> Project:
        """Copy a project with everything in it."""
        project = self.open(key)
        try:
            return self.take_over(project, name=name)
        finally:
            project.close()

    def delete(self, key: str) -> None:
        """Mark a project as deleted: it is not listed any more and goes after `UNDO_SECONDS`."""
        if self._path(key).exists():
            self._mark(key).touch(mode=0o600)

    def remove(self, key: str) -> None:
        """Remove a project with everything that belongs to it, at once."""
        remove(self._path(key))
        self._mark(key).unlink(missing_ok=True)

    def undelete(self, key: str) -> None:
        """Take the mark away."""
        self._mark(key).unlink(missing_ok=True)

    def deleted(self) -> list[str]:
        """Return the ids that can still be undeleted, the latest first."""
        marked = [key for key in self._ids() if self._mark(key).exists()]
        return sorted(marked, key=lambda key: -self._mark(key).stat().st_mtime)

    def sweep(self, *, after: float = UNDO_SECONDS) -> None:
        """Remove what was deleted long enough ago."""
        for key in self._ids():
            mark = self._mark(key)
            if mark.exists() and time.time() - mark.stat().st_mtime >= after:
                self.remove(key)

    def _summary(self, key: str) -> Summary:
        path = self._path(key)
        try:
            project = Project.open(path)
            try:
                summary = project.summary()
            finally:
                project.close()
        except StoreError as error:
            size = sum(item.stat().st_size for item in files_of(path))
            return Summary(path, key, size=size, fault=error.code)
        return summary

    def _ids(self) -> Iterator[str]:
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            if _ID.fullmatch(path.stem):
                yield path.stem

    def _path(self, key: str) -> Path:
        if not _ID.fullmatch(key):
            raise StoreError("store_missing", name="")
        return self.folder / f"{key}{SUFFIX}"

    def _mark(self, key: str) -> Path:
        return self._path(key).with_suffix(_MARK)


def remove(path: Path) -> None:
    """Remove a project file with its journal and the copies made before a migration."""
    for item in files_of(path):
        item.unlink(missing_ok=True)
