"""Pages that were recognised before, by the hash of their pixels and the recipe that read them.

A page takes seconds: a check that is stopped goes on where it was, and one that is repeated waits
for nothing. What is kept is text of documents: it lies in the folder of caches, for its owner
alone, and goes after a month in which nobody asked for it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from ...folders import cache_folder, private_folder
from ...model import U8
from . import Line, Recogniser
from .order import Page, read_page

CACHED_SECONDS = 30 * 24 * 3600  # that a page stays after it was asked for last
_FOLDER = "ocr"


def read_cached(recogniser: Recogniser, picture: U8) -> Page:
    """Return the rows of a page, uint8 (height, width), read now or before."""
    place = _place(recogniser.recipe, picture)
    page = _stored(place)
    if page is None:
        page = read_page(recogniser, picture)
        with contextlib.suppress(OSError):  # a full disk costs the next check some seconds
            _store(place, page)
    return page


def forget_old(now: float | None = None) -> None:
    """Remove pages that nobody asked for in a month."""
    oldest = (time.time() if now is None else now) - CACHED_SECONDS
    for place in (cache_folder() / _FOLDER).glob("*/*.json"):
        with contextlib.suppress(OSError):
            if place.stat().st_mtime < oldest:
                place.unlink()


def _place(recipe: str, picture: U8) -> Path:
    shape = ",".join(map(str, picture.shape)).encode()
    digest = hashlib.sha256(shape + b"\n" + picture.tobytes()).hexdigest()
    return cache_folder() / _FOLDER / recipe / f"{digest}.json"


def _stored(place: Path) -> Page | None:
    """Return a stored page, None where there is none or it is damaged."""
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
        stored = json.loads(place.read_text("utf-8"))
        lines = tuple(
            Line(**{**line, "unsure": tuple((int(a), int(b)) for a, b in line["unsure"])})
            for line in stored.pop("lines")
        )
        page = Page(**stored, lines=lines)
        os.utime(place)
        return page
    return None


def _store(place: Path, page: Page) -> None:
    """Write a page in one step."""
    private_folder(place.parent)
    handle, fresh = tempfile.mkstemp(dir=place.parent, suffix=".new")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(asdict(page), file, ensure_ascii=False)
    Path(fresh).replace(place)
