"""Which browsers see whose projects: every browser has a key of its own, and loses it alone.

A key is two secrets. The browser keeps one in a cookie that no script reads; but cookies do not
know ports, so every program that the browser visits on this host is sent it. The other, the
`proof`, stands in the storage of the page's origin, which ends with the port. Whoever has one of
them has nothing. Both are made here, and only their hashes are stored: one file a browser, named
by the hash of the key, and touched when the browser was last seen. Without the file no access.

References
----------
RFC 6265, section 8.5: cookies do not provide isolation by port.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from ..folders import data_folder, private_file, private_folder

_KEY = re.compile(r"[\w-]{32,64}", re.ASCII)


def owner_key() -> str:
    """Return the key of the user of this computer; made on first use."""
    path = private_folder(data_folder()) / "owner.key"
    key = new_owner()
    try:
        with private_file(path, new=True) as file:
            file.write(key.encode("ascii"))
    except FileExistsError:
        held = path.read_text("ascii").strip()
        if _KEY.fullmatch(held):
            return held
        path.unlink()  # cut short while it was written: nothing can belong to it
        return owner_key()
    return key


def find_owner_key() -> str:
    """Return the key of the user of this computer, to read what is theirs.

    Where it cannot be stored, one that holds for as long as this process, and owns nothing.
    Raises `OSError` where it is stored and cannot be read.
    """
    try:
        return owner_key()
    except OSError:
        if (data_folder() / "owner.key").exists():
            raise
        return _unstored_key()


@cache
def _unstored_key() -> str:
    return new_owner()


def is_user(key: str) -> bool:
    """Return whether a key is that of the user of this computer; stores none."""
    try:
        return (data_folder() / "owner.key").read_text("ascii").strip() == key
    except (OSError, ValueError):
        return key == _unstored_key()


def new_owner() -> str:
    """Return a key for another owner."""
    return secrets.token_urlsafe(32)


def is_owner_key(text: str) -> bool:
    """Return whether a text could be the key of an owner."""
    return bool(_KEY.fullmatch(text))


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


KEEP_DAYS = 400  # browsers forget a cookie after that, RFC 6265bis
IDLE_DAYS = 1  # for a browser that has never stored anything
_DAY = 86_400.0
_SECRET = re.compile(r"[\w-]{43}", re.ASCII)  # token_urlsafe(32)
_ID = re.compile(r"[0-9a-f]{64}")

#: records that could not be written: they hold for as long as this process
_unwritten: dict[str, dict[str, str]] = {}


@dataclass(frozen=True, slots=True)
class Browser:
    """One browser that sees the projects of `owner`."""

    id: str  # hash of its key
    owner: str  # see `owners`
    name: str  # such as "Firefox", "" unknown
    made: datetime
    seen: datetime


def admit(owner: str, *, name: str = "") -> tuple[Browser, str, str]:
    """Make a key for a browser; return what is known of it, the key and its proof."""
    key, proof = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    made = datetime.now(UTC).isoformat()
    record = {"owner": owner, "proof": _hash(proof), "name": name[:40], "made": made}
    identity = _hash(key)
    try:
        private_folder(_folder())
        for browser in list(_all()):  # what no browser can hold any more, or came to nothing
            idle = (time.time() - browser.seen.timestamp()) / _DAY
            folders = (
                data_folder() / kind / _folder_name(browser.owner)
                for kind in ("projects", "libraries")
            )
            empty = not is_user(browser.owner) and not any(folder.is_dir() for folder in folders)
            if idle > (IDLE_DAYS if empty else KEEP_DAYS):
                revoke(browser.id)
        with private_file(_path(identity), new=True) as file:
            file.write(json.dumps(record).encode("ascii"))
    except OSError:
        _unwritten[identity] = record
    admitted = _read(identity)
    assert admitted is not None
    return admitted, key, proof


def find(key: str) -> Browser | None:
    """Return the browser of a key; enough for what cannot be asked for without more secrets."""
    return _read(_hash(key)) if _SECRET.fullmatch(key) else None


def recognise(key: str, proof: str) -> Browser | None:
    """Return the browser that has both secrets."""
    browser = find(key)
    if browser is None:
        return None
    held = (_record(browser.id) or {}).get("proof", "")
    return browser if secrets.compare_digest(held, _hash(proof)) else None


def is_admitted(identity: str) -> bool:
    """Return whether a browser still has access."""
    return identity in _unwritten or (bool(_ID.fullmatch(identity)) and _path(identity).exists())


def note_visit(browser: Browser) -> None:
    """Store that a browser was seen now."""
    with contextlib.suppress(OSError):
        os.utime(_path(browser.id))


def browsers_of(owner: str) -> list[Browser]:
    """Return the browsers that see the projects of an owner, the latest seen first."""
    listed = [browser for browser in _all() if browser.owner == owner]
    return sorted(listed, key=lambda browser: (browser.seen, browser.id), reverse=True)


def revoke(identity: str) -> None:
    """End the access of a browser; its open pages end within seconds, in every server."""
    if _unwritten.pop(identity, None) is None and _ID.fullmatch(identity):
        _path(identity).unlink(missing_ok=True)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _folder() -> Path:
    return data_folder() / "browsers"


def _path(identity: str) -> Path:
    return _folder() / f"{identity}.json"


def _record(identity: str) -> dict[str, Any] | None:
    if identity in _unwritten:
        return _unwritten[identity]
    try:
        held = json.loads(_path(identity).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return held if isinstance(held, dict) else None


def _read(identity: str) -> Browser | None:
    record = _record(identity)
    try:
        made = datetime.fromisoformat(str((record or {})["made"]))
        owner, name = str((record or {})["owner"]), str((record or {})["name"])
        seen = made
        if identity not in _unwritten:
            seen = datetime.fromtimestamp(_path(identity).stat().st_mtime, UTC)
    except (KeyError, ValueError, OSError):
        return None  # cut short while it was written, or removed meanwhile
    return Browser(identity, owner, name, made, seen) if is_owner_key(owner) else None


def _all() -> Iterator[Browser]:
    stored = [path.stem for path in _folder().glob("*.json") if _ID.fullmatch(path.stem)]
    for identity in (*stored, *list(_unwritten)):
        browser = _read(identity)
        if browser is not None:
            yield browser
