"""`leitong library`: texts in collections that later checks are compared with.

What asks the database alone stands here and answers at once; the rest is in `library_texts`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ..errors import BadInput, Cancelled
from ..i18n import Translate
from ..signs import make_printable
from ..storage.library import ArchiveRow, Library
from . import library_output as output
from .entry import INTERRUPTED
from .libraries import (
    DONE,
    FAILED,
    Action,
    open_library,
    open_own_library,
    require_collection,
    require_import,
    warn_of_damage,
)


def library(options: argparse.Namespace, t: Translate) -> int:
    """`leitong library ACTION`"""
    with _open_library(options) as opened:
        if options.action != "verify":
            warn_of_damage(opened, t)
        try:
            return _action(options.action)(opened, options, t)
        except Cancelled:  # by `library cancel`, in another process
            print(t("cli.library_stopped"), file=sys.stderr)
            return INTERRUPTED


def _action(name: str) -> Action:
    """Return what does one thing with a library."""
    if name in _ACTIONS:
        return _ACTIONS[name]
    from .library_texts import ACTIONS

    return ACTIONS[name]


def _open_library(options: argparse.Namespace) -> Any:
    """Open the library of the options; what puts texts in makes one where there is none."""
    makes = options.action in ("add", "update", "watch", "import")
    if options.library is None and not makes:
        return open_own_library()  # without texts yet it is empty, not missing
    return open_library(options.library, create=makes)


def _list(library: Library, options: argparse.Namespace, t: Translate) -> int:
    if options.collection is None:
        output.collections(library.collections(), options.json, t)
    else:
        output.rows(_rows(library, options.collection), options.json, t)
    return DONE


def _search(library: Library, options: argparse.Namespace, t: Translate) -> int:
    collections = options.collection or [None]
    for name in collections:
        require_collection(library, name)
    if options.text:
        from .library_texts import search_texts

        return search_texts(library, options, t)
    matches = [
        row
        for name in collections
        for row in library.rows(words=options.words, collection=name, limit=options.limit)
    ]
    output.rows(matches[: options.limit], options.json, t)
    return DONE


def _verify(library: Library, options: argparse.Namespace, t: Translate) -> int:
    from .library_texts import sentences_again

    faults = list(library.verify())
    output.faults(faults, options.json, t)
    sentences_again(library, options, t)
    return FAILED if faults else DONE


def _rows(library: Library, collection: str) -> list[ArchiveRow]:
    require_collection(library, collection)
    return library.rows(collection=collection)


def _remove(library: Library, options: argparse.Namespace, t: Translate) -> int:
    """Take a collection, or texts by their numbers, out of every answer.

    Purging them is a command of its own. The first word is a collection where one is called so,
    also one that is called by a number.
    """
    name, *numbers = options.what
    if name.isdecimal() and name not in {row.name for row in library.collections()}:
        of_number = next((row for row in library.rows() if str(row.key) == name), None)
        if of_number is not None:  # whether a number or a year is meant, nobody but the user knows
            collection = make_printable(of_number.collection)
            raise BadInput("remove_from", key=name, name=collection)
    rows = _rows(library, name)
    keys = {str(row.key) for row in rows}
    unknown = [word for word in numbers if word not in keys]
    if unknown:
        key = make_printable(unknown[0])
        raise BadInput("no_text", name=make_printable(name), key=key)
    if numbers:
        count = library.remove([int(word) for word in numbers])
    else:
        count = library.remove_collection(name)
    output.count("removed", count, options, t)
    return DONE


def _backup(library: Library, options: argparse.Namespace, t: Translate) -> int:
    library.backup(Path(options.file))
    return DONE


def _cancel(library: Library, options: argparse.Namespace, t: Translate) -> int:
    require_import(library, options.job)
    library.jobs.set_state(options.job, "cancelled")
    return DONE


_ACTIONS: dict[str, Action] = {
    "list": _list,
    "search": _search,
    "verify": _verify,
    "remove": _remove,
    "backup": _backup,
    "cancel": _cancel,
}
