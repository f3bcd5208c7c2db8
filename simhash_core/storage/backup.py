"""One file with all that is stored, and the way back.

A backup is a tar file, compressed, of the data folder: databases are copied by SQLite while they
are in use, everything else as it is. It holds texts and the keys of browsers: keep it as secret
as the folder itself.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from ..errors import BadInput
from ..folders import data_folder, private_file, private_folder
from .shelf import SUFFIX

_DATABASES = (SUFFIX, ".library")  # files that SQLite alone may open
_BESIDE = ("-wal", "-shm", "-journal")  # of a database in use; its copy needs none
_MARK = "leitong-backup"  # first member; its content is the version of the layout
_LAYOUT = b"1"


def back_up(target: Path) -> tuple[int, int]:
    """Write everything that is stored into a new file; return how many files, and bytes.

    Raises
    ------
    BadInput
        `backup_exists`.
    OSError, sqlite3.Error
        Something cannot be read or written; nothing is left at `target`.
    """
    if target.exists():
        raise BadInput("backup_exists", name=str(target))
    folder, count, size = data_folder(), 0, 0
    try:
        with (
            private_file(target) as out,
            tarfile.open(fileobj=out, mode="w:gz") as archive,
            tempfile.TemporaryDirectory(prefix="leitong") as held,
        ):
            archive.addfile(_mark(), BytesIO(_LAYOUT))
            for path in _files(folder):
                with _still(path, Path(held)) as copy:
                    archive.add(copy, str(path.relative_to(folder)), recursive=False)
                    count, size = count + 1, size + copy.stat().st_size
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    return count, size


def restore(source: Path) -> tuple[int, int]:
    """Read a backup into the data folder, which must be empty; return how many files, and bytes.

    Raises
    ------
    BadInput
        `backup_full`, `backup_foreign`.
    OSError
        The file cannot be read, or the folder not written.
    """
    folder = private_folder(data_folder())
    if any(folder.iterdir()):
        raise BadInput("backup_full", folder=str(folder))
    try:
        with tarfile.open(source, mode="r:gz") as archive:
            first = archive.next()
            mark = archive.extractfile(first) if first and first.name == _MARK else None
            if mark is None or mark.read(len(_LAYOUT) + 1) != _LAYOUT:
                raise BadInput("backup_foreign", name=str(source))
            members = [one for one in archive if one.isfile() and one.name != _MARK]
            os.umask(0o077)
            archive.extractall(folder, members, filter="data")
    except (tarfile.TarError, EOFError) as error:
        raise BadInput("backup_foreign", name=str(source)) from error
    return len(members), sum(one.size for one in members)


def _mark() -> tarfile.TarInfo:
    mark = tarfile.TarInfo(_MARK)
    mark.size = len(_LAYOUT)
    return mark


def _files(folder: Path) -> Iterator[Path]:
    """Yield what is worth keeping, in the order of names."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and not path.name.endswith(_BESIDE):
            yield path


@contextlib.contextmanager
def _still(path: Path, held: Path) -> Iterator[Path]:
    """Yield a file that nobody writes to: of a database a copy by SQLite, else the file itself."""
    if path.suffix not in _DATABASES:
        yield path
        return
    copy = held / "database"
    reading = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    with contextlib.closing(reading), contextlib.closing(sqlite3.connect(copy)) as writing:
        reading.backup(writing)
    yield copy
    copy.unlink()
