"""A ticket makes one browser the user's own, once, within minutes.

A ticket is a file that only the user can write: a page that leads to the application, with the
secret behind the `#`. So a browser is started with the name of a file, and no command line and no
environment says the secret; a fragment is not sent to servers, so no log does either. Handing the
ticket in removes the file, and of two who hand it in at once one succeeds.
"""

from __future__ import annotations

import contextlib
import hashlib
import html
import secrets
import time
from dataclasses import dataclass
from pathlib import Path

from ..folders import private_file, private_folder, state_folder

GOOD_SECONDS = 300.0  # a browser may start slowly, and a person copies an address by hand

_PAGE = """<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url={url}"><title>Leitong 雷同</title>
<a href="{url}">Leitong 雷同</a>
"""


@dataclass(frozen=True, slots=True)
class Ticket:
    """An address that is good once, and a page on disk that leads there."""

    url: str
    page: Path


def issue(address: str) -> Ticket:
    """Make a ticket for a page of the application; raises `OSError` where nothing can be stored."""
    folder = private_folder(_folder())
    _sweep(folder, GOOD_SECONDS)
    secret = secrets.token_urlsafe(32)
    url = f"{address}#ticket={secret}"
    page = _page(secret)
    with private_file(page, new=True) as file:
        file.write(_PAGE.format(url=html.escape(url)).encode())
    return Ticket(url, page)


def redeem(secret: str) -> bool:
    """Hand a ticket in; False where it was handed in before, is too old or was never made."""
    page = _page(secret)
    try:
        age = time.time() - page.stat().st_mtime
        page.unlink()
    except OSError:
        return False
    return abs(age) <= GOOD_SECONDS  # a clock that was set back makes no ticket last


def clear() -> None:
    """Take back the tickets that nobody has handed in."""
    _sweep(_folder(), -1.0)


def _sweep(folder: Path, seconds: float) -> None:
    for page in folder.glob("*.html"):
        with contextlib.suppress(OSError):
            if abs(time.time() - page.stat().st_mtime) > seconds:
                page.unlink()


def _page(secret: str) -> Path:
    return (
        _folder()
        / f"{hashlib.sha256(secret.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}.html"
    )


def _folder() -> Path:
    return state_folder() / "tickets"
