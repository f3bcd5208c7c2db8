"""Whose projects are whose: a secret of the browser names a folder, and nothing else does.

The command line and the browser that `leitong app` opens hold the same secret, kept in a file that
only the user can read; any other browser gets a secret of its own, and so a shelf of its own.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from pathlib import Path

from ..folders import data_folder, private_folder

_KEY = re.compile(r"[\w-]{32,64}", re.ASCII)


def owner_key() -> str:
    """Return the secret of the user of this computer; made on first use."""
    folder = private_folder(data_folder())
    path = folder / "owner.key"
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        held = path.read_text("ascii").strip()
        if _KEY.fullmatch(held):
            return held
        path.unlink()  # cut short while it was written: nothing can belong to it
        return owner_key()
    with os.fdopen(descriptor, "w") as file:
        key = new_owner()
        file.write(key)
    return key


def new_owner() -> str:
    """Return a secret for a browser that has none."""
    return secrets.token_urlsafe(32)


def owner_folder(key: str) -> Path:
    """Return the folder of the projects of an owner. The name does not tell the secret."""
    return data_folder() / "projects" / _folder_name(key)


def library_address(key: str) -> str:
    """Return where the library of an owner is; `LEITONG_LIBRARY` names another one."""
    return os.environ.get("LEITONG_LIBRARY") or str(
        data_folder() / "libraries" / _folder_name(key) / "texts.library"
    )


def _folder_name(key: str) -> str:
    if not _KEY.fullmatch(key):
        raise ValueError("no key of an owner")
    return hashlib.sha256(key.encode("ascii")).hexdigest()[:32]
