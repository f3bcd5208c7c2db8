"""Whose projects are whose: the key of an owner names a folder, and nothing else does.

The command line and the browsers that `leitong app` opens act for the same owner, whose key is in
a file that only the user can read; any other browser acts for an owner of its own, and so has a
shelf of its own. The key of an owner opens nothing by itself: see `browsers`.
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
    """Return the key of the user of this computer; made on first use."""
    path = private_folder(data_folder()) / "owner.key"
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


def is_user(key: str) -> bool:
    """Return whether a key is that of the user of this computer; makes none."""
    try:
        return (data_folder() / "owner.key").read_text("ascii").strip() == key
    except (OSError, ValueError):
        return False


def new_owner() -> str:
    """Return a key for another owner."""
    return secrets.token_urlsafe(32)


def is_owner_key(text: str) -> bool:
    """Return whether a text could be the key of an owner."""
    return bool(_KEY.fullmatch(text))


def has_anything(key: str) -> bool:
    """Return whether there are projects or a library of an owner on this computer."""
    name = _folder_name(key)
    return any((data_folder() / kind / name).is_dir() for kind in ("projects", "libraries"))


def owner_folder(key: str) -> Path:
    """Return the folder of the projects of an owner. The name does not tell the secret."""
    return data_folder() / "projects" / _folder_name(key)


def library_address(key: str) -> str:
    """Return where the library of an owner is; `LEITONG_LIBRARY` names another one."""
    return os.environ.get("LEITONG_LIBRARY") or str(
        data_folder() / "libraries" / _folder_name(key) / "texts.library"
    )


def web_folder(key: str) -> Path:
    """Return the folder of what an owner entered and sent to search the web; it may not exist."""
    return data_folder() / "web" / _folder_name(key)


def _folder_name(key: str) -> str:
    if not is_owner_key(key):
        raise ValueError("no key of an owner")
    return hashlib.sha256(key.encode("ascii")).hexdigest()[:32]
