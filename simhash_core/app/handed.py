"""Files and folders that a start was given, on their way to the page Check.

The page cannot be told a path by its address: any other page could then have files read. The
start writes a file that only the user can write, and the address names it by a secret, which is
good once.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import time
from collections.abc import Sequence
from pathlib import Path

from ..folders import private_file, private_folder, state_folder
from .tickets import GOOD_SECONDS


def hand(paths: Sequence[str | Path]) -> str:
    """Leave paths for the page; return the secret. Raises `OSError` where nothing can be stored."""
    folder = private_folder(_folder())
    for old in folder.glob("*.json"):
        with contextlib.suppress(OSError):
            if abs(time.time() - old.stat().st_mtime) > GOOD_SECONDS:
                old.unlink()
    secret = secrets.token_urlsafe(32)
    whole = json.dumps([os.path.abspath(path) for path in paths])  # noqa: PTH100
    with private_file(_file(secret), new=True) as file:
        file.write(whole.encode("ascii"))  # a name that is no UTF-8, too
    return secret


def take(secret: str) -> list[Path]:
    """Return the paths that are still there, once; none for a secret that is used or too old."""
    file = _file(secret)
    try:
        age = time.time() - file.stat().st_mtime
        paths = [Path(path) for path in json.loads(file.read_text("ascii"))]
        file.unlink()  # of two who ask at once one succeeds
    except (OSError, ValueError):
        return []
    return [path for path in paths if abs(age) <= GOOD_SECONDS and path.exists()]


def _file(secret: str) -> Path:
    return (
        _folder()
        / f"{hashlib.sha256(secret.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}.json"
    )


def _folder() -> Path:
    return state_folder() / "handed"
