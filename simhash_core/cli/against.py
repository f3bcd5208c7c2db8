"""`check --against`: folders of references, or a library that is searched."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..errors import BadInput
from ..i18n import Translate
from ..library import LibraryScope, sentences_made_now, waiting_sentences
from ..meaning.vectors import meaning_installed
from ..model import Document
from ..seen.changes import ResultChanges
from ..settings import Settings
from ..signs import make_printable
from ..storage import USER_LIBRARY, Beside, find_owner_key, library_address
from ..storage.library import COLLECTION_KEY, is_library
from .libraries import open_library, require_collection, warn_of_damage
from .output import fit_name, remark


@dataclass(slots=True)
class NamedLibrary:
    """A library, some of its collections, and whether new texts are compared with each other.

    `further` are other libraries that are searched in the same check.
    """

    path: Path | str
    inside: bool
    same_author: bool = True
    collections: list[str] | None = field(default_factory=list)
    further: list[NamedLibrary] = field(default_factory=list)
    quiet: bool = False

    @contextmanager
    def opened(self, settings: Settings, t: Translate) -> Iterator[LibraryScope]:
        """Open the libraries as what new texts are compared with."""
        with ExitStack() as stack:
            first, *others = [
                stack.enter_context(one._open(settings, t)) for one in (self, *self.further)
            ]
            yield replace(first, inside=self.inside, same_author=self.same_author, further=others)

    @contextmanager
    def _open(self, settings: Settings, t: Translate) -> Iterator[LibraryScope]:
        with open_library(self.path) as library:
            warn_of_damage(library, t)
            for name in self.collections or ():
                require_collection(library, name)
            if settings.meaning == "auto" and settings.passages and not meaning_installed():
                print(t("cli.library_words_alone"), file=sys.stderr)
            if not self.quiet and (now := sentences_made_now(library, settings)):
                counts = {"now": now, "n": waiting_sentences(library)}
                print(t("cli.library_vectors", **counts), file=sys.stderr, flush=True)
            yield LibraryScope(library=library, collections=self.collections)

    def named(self, path: Path | str) -> NamedLibrary:
        """Return the one of these libraries that lies there, a further one where none does."""
        for one in (self, *self.further):
            if one.path == path:
                return one
        self.further.append(NamedLibrary(path, self.inside, quiet=self.quiet))
        return self.further[-1]


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


def library_scope(beside: Beside, *, quiet: bool) -> NamedLibrary | None:
    """Return the libraries that are searched, None without any."""
    scope = None
    for given in beside.libraries:
        path, collection = _library(given)
        if path is None:
            raise BadInput("no_library", name=make_printable(given))
        scope = scope or NamedLibrary(path, beside.inside, beside.same_author, quiet=quiet)
        one = scope.named(path)
        if not collection:
            one.collections = None
        elif one.collections is not None:
            one.collections.append(collection)
    return scope


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
