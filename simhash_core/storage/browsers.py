"""Which browsers see whose projects: every browser has a key of its own, and loses it alone.

The key stands in the storage of the page's origin, which ends with the port. Cookies do not know
ports: every program that the browser visits on this host is sent them. So the cookie is the hash
of the key, which opens nothing by itself, and only the hash of that is stored: it names the file
of the browser, touched when that was last seen. Without the file no access.

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
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from ..folders import data_folder, private_file, private_folder

_KEY = re.compile(r"[\w-]{32,64}", re.ASCII)


def owner_key() -> str:
    """Return the key of the user of this computer; made on first use."""
    path = private_folder(data_folder()) / "owner.key"
    with contextlib.suppress(FileExistsError), private_file(path, "xb") as file:
        file.write(new_owner().encode())
    held = path.read_text("ascii").strip()
    if _KEY.fullmatch(held):
        return held
    path.unlink()  # cut short while it was written: nothing can belong to it
    return owner_key()


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


def is_user(key: str) -> bool:
    """Return whether a key is that of the user of this computer."""
    return key == find_owner_key()


def new_owner() -> str:
    """Return a key for another owner."""
    return secrets.token_urlsafe(32)


_unstored_key = cache(new_owner)  # of the user, for as long as this process


def owned_folders(key: str) -> tuple[Path, ...]:
    """Return the folders of all that an owner stores; they may not exist."""
    return tuple(data_folder() / kind / _folder_name(key) for kind in ("projects", "libraries"))


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
    if not _KEY.fullmatch(key):
        raise ValueError("no key of an owner")
    return hashlib.sha256(key.encode("ascii")).hexdigest()[:32]


KEEP_DAYS = 400  # browsers forget a cookie after that, RFC 6265bis
IDLE_DAYS = 1  # for a browser that has never stored anything
_DAY = 86_400.0
_ID = re.compile(r"[0-9a-f]{64}")

#: records that could not be written: they hold for as long as this process
_unwritten: dict[str, Browser] = {}


@dataclass(frozen=True, slots=True)
class Browser:
    """One browser that sees the projects of `owner`."""

    id: str  # hash of its cookie
    owner: str
    name: str  # such as "Firefox", "" unknown
    made: datetime
    seen: datetime


def admit(owner: str, *, name: str = "") -> tuple[Browser, str]:
    """Make a key for a browser; return what is known of it, and the key."""
    key = secrets.token_urlsafe(32)
    now = datetime.now(UTC)
    browser = Browser(_hash(cookie_of(key)), owner, name[:40], now, now)
    record = {"owner": owner, "name": browser.name, "made": now.isoformat()}
    try:
        private_folder(_folder())
        _remove_idle()
        with private_file(_path(browser.id), "xb") as file:
            file.write(json.dumps(record).encode())
    except OSError:
        _unwritten[browser.id] = browser
    return _read(browser.id) or browser, key


def _remove_idle() -> None:
    """Remove what no browser can hold any more, or came to nothing."""
    for browser in _all():
        idle = (time.time() - browser.seen.timestamp()) / _DAY
        stored = any(folder.is_dir() for folder in owned_folders(browser.owner))
        empty = not stored and not is_user(browser.owner)
        if idle > (IDLE_DAYS if empty else KEEP_DAYS):
            revoke(browser.id)


def cookie_of(key: str) -> str:
    """Return what stands in the cookie of a browser; it does not tell the key."""
    return _hash(key)


def find(cookie: str) -> Browser | None:
    """Return the browser with a cookie; of a key it is `cookie_of(key)`."""
    return _read(_hash(cookie))


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


def _all() -> list[Browser]:
    stored = (path.stem for path in _folder().glob("*.json") if _ID.fullmatch(path.stem))
    read = map(_read, [*stored, *_unwritten])
    return [browser for browser in read if browser is not None]


def _read(identity: str) -> Browser | None:
    """Return a browser; None for one cut short while it was written, or removed meanwhile."""
    if identity in _unwritten:
        return _unwritten[identity]
    try:
        held = json.loads(_path(identity).read_text("utf-8"))
        owner, name, made = str(held["owner"]), str(held["name"]), held["made"]
        seen = datetime.fromtimestamp(_path(identity).stat().st_mtime, UTC)
        browser = Browser(identity, owner, name, datetime.fromisoformat(made), seen)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return browser if _KEY.fullmatch(owner) else None
