"""Where things lie: the folders of the user, and the application with its samples."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Literal

import platformdirs

from .errors import name_file

NAME = "leitong"
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
