"""Opening a library that the command line names."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from ..errors import BadInput, StoreError
from ..folders import data_folder, private_folder
from ..i18n import Translate
from ..signs import make_printable
from ..storage import find_owner_key, library_address, owner_key
from ..storage.library import Library
from .options.values import find_nearest

DONE, SKIPPED, FAILED = 0, 3, 4
Action = Callable[[Library, argparse.Namespace, Translate], int]

#: what an error calls a file that is no check, but should be a library
_NOUNS = {"store_missing": "no_library", "store_foreign": "library_foreign"}


@contextmanager
def open_library(address: str | Path | None, *, create: bool = False) -> Iterator[Library]:
    """Open a library by its address, by default that of this user.

    Raises
    ------
    BadInput
        `no_library`, `library_foreign`.
    StoreError
    """
    owner = owner_key() if create else find_owner_key()
    address = str(address or library_address(owner))
    if create:
        _make_folder(address)
    try:
        opened = Library.open(address, owner=owner, create=create)
    except StoreError as error:
        if error.code not in _NOUNS:
            raise
        raise BadInput(_NOUNS[error.code], name=make_printable(Path(address).name)) from error
    try:
        yield opened
    finally:
        opened.close()


def _make_folder(address: str) -> None:
    """Make the folder of a library file; who may read one that the user named is left to them."""
    if "://" in address:
        return
    folder = Path(address).parent
    if folder.is_relative_to(data_folder()):
        private_folder(folder)
    else:
        folder.mkdir(parents=True, exist_ok=True)


def open_own_library() -> AbstractContextManager[Library]:
    """Open the library of this user to look into it; an empty one where none can be made."""
    owner = find_owner_key()
    try:
        _make_folder(library_address(owner))
        owner_key()
    except OSError:
        return nullcontext(Library.in_memory(owner=owner))
    return open_library(None, create=True)


def require_collection(library: Library, name: str | None) -> None:
    """Raise where a collection does not exist: a typing error is no empty answer.

    Raises
    ------
    BadInput
        `no_collection`; `no_collection_meant` where one has a name like it.
    """
    if name is None:
        return
    held = [row.name for row in library.collections()]
    if name in held:
        return
    if meant := find_nearest(name, held):
        raise BadInput(
            "no_collection_meant", name=make_printable(name), meant=make_printable(meant)
        )
    raise BadInput("no_collection", name=make_printable(name))


def require_import(library: Library, number: int) -> None:
    """Raise `BadInput` (`no_import`) where no import has this number."""
    if number not in {row.id for row in library.jobs.listed()}:
        raise BadInput("no_import", number=number)


def warn_of_damage(library: Library, t: Translate) -> None:
    """Say on standard error that some of the file is damaged."""
    if not library.is_sound:
        print(t("cli.library_unsound", name=make_printable(library.name)), file=sys.stderr)
