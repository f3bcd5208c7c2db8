"""`check --against`: folders of references, or a library that is searched."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import BadInput
from ..i18n import Translate
from ..meaning.vectors import meaning_installed
from ..model import Document
from ..seen.stored import ResultChanges
from ..settings import Settings
from ..signs import make_printable
from ..storage import USER_LIBRARY, Beside, find_owner_key, library_address
from ..storage.library import COLLECTION_KEY, is_library
from .output import fit_name, remark

if TYPE_CHECKING:
    from ..library import LibraryScope


@contextmanager
def open_libraries(
    beside: Beside, settings: Settings, t: Translate, *, quiet: bool
) -> Iterator[LibraryScope | None]:
    """Open the libraries that are named as what new texts are compared with, None without any."""
    if not beside.libraries:
        yield None
        return
    from ..library import LibraryScope
    from .libraries import open_library

    named: dict[Path | str, list[str] | None] = {}
    for given in beside.libraries:
        path, collection = _library(given)
        if path is None:
            raise BadInput("no_library", name=make_printable(given))
        collections = named.setdefault(path, [])
        named[path] = [*collections, collection] if collection and collections is not None else None
    with ExitStack() as stack:
        scopes = [
            LibraryScope(library=stack.enter_context(open_library(path)), collections=collections)
            for path, collections in named.items()
        ]
        for scope in scopes:
            _say_state(scope, settings, t, quiet=quiet)
        yield replace(scopes[0], further=scopes[1:])


def _say_state(scope: LibraryScope, settings: Settings, t: Translate, *, quiet: bool) -> None:
    """Say what is damaged in a library, and what has no vectors; refuse a wrong collection."""
    from ..library import sentences_made_now, waiting_sentences
    from .libraries import require_collection, warn_of_damage

    warn_of_damage(scope.library, t)
    for name in scope.collections or ():
        require_collection(scope.library, name)
    if settings.meaning == "auto" and settings.passages and not meaning_installed():
        print(t("cli.library_words_alone"), file=sys.stderr)
    if not quiet and (now := sentences_made_now(scope.library, settings)):
        counts = {"now": now, "n": waiting_sentences(scope.library)}
        print(t("cli.library_vectors", **counts), file=sys.stderr, flush=True)


def choose_beside(against: Sequence[str], held: Beside, *, only: bool = False) -> Beside:
    """Return what `--against` asks for; without it what the project holds that texts are added to.

    The references are not read yet.

    Raises
    ------
    BadInput
        `library_alone`: a library and paths; `only_against` without either.
    """
    if only and not (against or held):
        raise BadInput("only_against")
    if not against:
        return replace(held, inside=held.inside and not only)
    libraries = []
    for given in against:
        path, collection = _library(given)
        if path is not None:
            own = path == library_address(find_owner_key())
            name = USER_LIBRARY if own else str(Path(path).absolute())
            libraries.append(f"{name}:{collection}" if collection else name)
    if libraries and len(libraries) < len(against):
        raise BadInput("library_alone")
    return Beside(libraries=tuple(libraries), inside=not only)


def report_changes(changes: ResultChanges, options: argparse.Namespace, t: Translate) -> None:
    """Say what a check lists that the one before did not, and the other way round."""
    remark(t("cli.changes", new=len(changes.new), gone=len(changes.gone)), options)
    for sign, pairs in (("+", changes.new), ("-", changes.gone)):
        for a, b in pairs:
            remark(f"  {sign} {_name_document(a)}  {_name_document(b)}", options)


def _name_document(document: Document) -> str:
    collection = document.meta.get(COLLECTION_KEY)
    return fit_name(f"{collection}: {document.name}" if collection else document.name)


def _library(given: str) -> tuple[Path | str | None, str]:
    """Return a library and a collection, "" for all; None for another path.

    `library` is that of this user, unless a file or folder is called so.
    """
    name, _, collection = given.partition(":")
    if name.casefold() == USER_LIBRARY and not Path(given).exists():
        return library_address(find_owner_key()), collection
    if _names_library(given):
        return Path(given), ""
    file, colon, collection = given.rpartition(":")
    while colon:  # names of collections may hold colons too
        if _names_library(file):
            return Path(file), collection
        file, colon, more = file.rpartition(":")
        collection = f"{more}:{collection}"
    return None, ""


def _names_library(given: str) -> bool:
    """Whether a path is a library; a pipe or a device is not opened to see."""
    return Path(given).is_file() and is_library(Path(given))
