"""Where things lie, and how a file is written: the user's folders, the application's, the cache."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Literal

import platformdirs

from .errors import name_file

NAME = "leitong"
UNUSED_SECONDS = 30 * 24 * 3600.0  # that a file stays in the cache after it was asked for last
_VARIABLES = ("LEITONG_DATA", "LEITONG_STATE", "LEITONG_CACHE")

_PACKAGE = Path(__file__).resolve().parent


def application_folder() -> Path:
    """Return the folder of `app.py`, pages, samples and documents: of a wheel or a checkout."""
    installed = _PACKAGE / "app" / "installed"
    return installed if installed.is_dir() else _PACKAGE.parent


def data_folder() -> Path:
    """Return the folder of what the user makes, the projects; `LEITONG_DATA` overrides it."""
    return _choose_folder("LEITONG_DATA", platformdirs.user_data_path(NAME, appauthor=False))


def state_folder() -> Path:
    """Return the folder for locks, logs and the browser profile; `LEITONG_STATE` overrides it."""
    return _choose_folder("LEITONG_STATE", platformdirs.user_state_path(NAME, appauthor=False))


def cache_folder() -> Path:
    """Return the folder for what can be made again; `LEITONG_CACHE` overrides it."""
    return _choose_folder("LEITONG_CACHE", platformdirs.user_cache_path(NAME, appauthor=False))


def private_folder(path: Path) -> Path:
    """Make a folder, and those above it that are missing, for its owner alone; return it.

    One that is there already is closed to others too, unless the user has named it.
    """
    for folder in reversed((path, *path.parents)):
        if not folder.exists():
            folder.mkdir(mode=0o700, exist_ok=True)
    if path not in [Path(os.environ[one]) for one in _VARIABLES if os.environ.get(one)]:
        with contextlib.suppress(OSError):  # made by someone else, who decides
            path.chmod(0o700)
    return path


@contextlib.contextmanager
def private_file(path: Path, mode: Literal["wb", "xb"] = "wb") -> Iterator[BinaryIO]:
    """Open a file to be written anew, which its owner alone can read; errors name it.

    With "xb" one that is there already raises `FileExistsError`.
    """
    with (
        name_file(path),
        open(path, mode, opener=lambda name, flags: os.open(name, flags, 0o600)) as file,
    ):
        path.chmod(0o600)  # one that was there before
        yield file


@contextlib.contextmanager
def write_whole(path: Path, *, private: bool = True) -> Iterator[Path]:
    """Yield an empty file to be filled; then it takes the place of `path` in one step.

    Until then, and where filling it fails, what was there stays as it is, and nothing is left
    beside it. After a power cut there is the earlier file or the new one. A link keeps its target;
    a device or a pipe is yielded itself.

    Parameters
    ----------
    private
        Its owner alone can read it. Otherwise it has the mode of the file before, or the usual one.

    Raises
    ------
    OSError
        It names `path`, not the file beside it.
    """
    before = path.stat().st_mode if path.exists() else None  # a pipe has no path to resolve
    target = path.resolve()
    if before is not None and not stat.S_ISREG(before):
        with name_file(path):
            yield path
        return
    fresh = target.with_name(f".{target.name}.{os.urandom(4).hex()}")
    mode = 0o600 if private else 0o666
    try:
        os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
        yield fresh
        with fresh.open("r+b") as file:
            os.fsync(file.fileno())
        if before is not None and not private:
            fresh.chmod(stat.S_IMODE(before))
        fresh.replace(target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            fresh.unlink()
        if not isinstance(error, OSError) or error.filename not in (None, str(fresh)):
            raise
        reason = error.strerror or str(error)
        raise OSError(error.errno or errno.EIO, reason, str(path)) from error


def read_or_make(place: Path, make: Callable[[], bytes]) -> bytes:
    """Return what lies in the cache; made, and stored there, where it is missing or damaged.

    A sha-256 stands before it. Where nothing can be stored, it is made each time.
    """
    with contextlib.suppress(OSError):
        stored = place.read_bytes()
        if hashlib.sha256(stored[_SUM:]).digest() == stored[:_SUM]:
            os.utime(place)  # as long as it is asked for, it stays
            return stored[_SUM:]
    content = make()
    with contextlib.suppress(OSError):
        private_folder(place.parent)
        with write_whole(place) as fresh:
            fresh.write_bytes(hashlib.sha256(content).digest() + content)
    return content


_SUM = 32  # bytes of a sha-256


def forget_unused(folder: Path) -> None:
    """Remove what lies in a folder of the cache and nobody has asked `read_or_make` for lately."""
    for place in folder.rglob("*"):
        with contextlib.suppress(OSError):
            if place.is_file() and time.time() - place.stat().st_mtime > UNUSED_SECONDS:
                place.unlink()


def is_private(path: Path) -> bool:
    """Return whether a secret in a file is kept from other users, as far as modes say.

    As ssh has it: of one's own file from everybody, of one that an administrator has laid down
    for a group, from all others. Windows has no modes.
    """
    if os.name == "nt":
        return True
    status = path.stat()
    others = 0o077 if status.st_uid == os.geteuid() else 0o007
    return not status.st_mode & others


def _choose_folder(variable: str, usual: Path) -> Path:
    return Path(os.environ[variable]) if os.environ.get(variable) else usual
