"""What is good once, for minutes, to whoever knows its secret: a file that only the user can write.

- A ticket makes one browser the user's own. It is a page that leads to the application, with the
  secret behind the `#`. So a browser is started with the name of a file, and no command line and
  no environment says the secret; a fragment is not sent to servers, so no log does either.
- Files and folders that a start was given reach the page Check by a secret in its address: by
  their paths any other page could have files read.

Handing a secret in removes the file, and of two who hand it in at once one succeeds.
"""

from __future__ import annotations

import contextlib
import hashlib
import html
import json
import os
import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..folders import private_file, private_folder, state_folder
from ..i18n import tag

GOOD_SECONDS = 300.0  # a browser may start slowly, and a person copies an address by hand
_TICKETS, _PATHS = "tickets", "handed"  # folders

_PAGE = """<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url={url}"><title>Leitong 雷同</title>
<a href="{url}">Leitong 雷同</a>
"""

_STYLE = "body{max-width:36rem;margin:15vh auto;padding:0 1rem;font:1.0625rem/1.6 system-ui}"


@dataclass(frozen=True, slots=True)
class Ticket:
    """An address that is good once, and a page on disk that leads there."""

    url: str
    page: Path


def issue(address: str) -> Ticket:
    """Make a ticket for a page of the application; raises `OSError` where nothing can be stored."""
    secret = secrets.token_urlsafe(32)
    url = f"{address}#ticket={secret}"
    return Ticket(url, _leave(_TICKETS, secret, _PAGE.format(url=html.escape(url))))


def redeem(secret: str) -> bool:
    """Hand a ticket in; False where it was handed in before, is too old or was never made."""
    return _take(_TICKETS, secret) is not None


def clear() -> None:
    """Take back the tickets that nobody has handed in."""
    _sweep(state_folder() / _TICKETS, -1.0)


def hand_over(paths: Sequence[str | Path]) -> str:
    """Leave paths for the page; return the secret. Raises `OSError` where nothing can be stored."""
    secret = secrets.token_urlsafe(32)
    _leave(_PATHS, secret, json.dumps([os.path.abspath(path) for path in paths]))  # noqa: PTH100
    return secret


def take_over(secret: str) -> list[Path]:
    """Return the paths that are still there, once; none for a secret that is used or too old."""
    held = _take(_PATHS, secret)
    return [path for path in map(Path, json.loads(held or "[]")) if path.exists()]


def _leave(folder: str, secret: str, text: str) -> Path:
    """Write a file for whoever has its secret, and remove those that are too old."""
    _sweep(private_folder(state_folder() / folder), GOOD_SECONDS)
    file = _file(folder, secret)
    with private_file(file, "xb") as written:
        written.write(text.encode())
    return file


def _take(folder: str, secret: str) -> str | None:
    """Return what was left for a secret, once."""
    file = _file(folder, secret)
    try:
        age = time.time() - file.stat().st_mtime
        text = file.read_text("utf-8")
        file.unlink()
    except OSError:
        return None
    return text if abs(age) <= GOOD_SECONDS else None  # a clock set back makes nothing last


def _sweep(folder: Path, seconds: float) -> None:
    for file in folder.glob("*"):
        with contextlib.suppress(OSError):
            if abs(time.time() - file.stat().st_mtime) > seconds:
                file.unlink()


def _file(folder: str, secret: str) -> Path:
    name = hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return state_folder() / folder / (f"{name}.html" if folder == _TICKETS else name)


def draw_plain_page(parts: Iterable[tuple[str, str, Sequence[str]]], link: str = "") -> str:
    """Return a page: of each part the code of its language, a title and sentences.

    Text is escaped; `link` is HTML, and stands at the end.
    """
    drawn = "".join(
        f'<section lang="{tag(code)}"><h1>{html.escape(title)}</h1>'
        + "".join(f"<p>{html.escape(sentence)}</p>" for sentence in sentences)
        + "</section>"
        for code, title, sentences in parts
    )
    return (
        '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        '<meta name="color-scheme" content="light dark"><title>Leitong 雷同</title>'
        f"<style>{_STYLE}</style>{drawn}{link}"
    )
