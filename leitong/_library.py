"""`Library`: texts that later texts are checked against."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self, TypeAlias, cast

import simhash_core.storage.library
from simhash_core.errors import BadInput, StoreError
from simhash_core.folders import private_folder
from simhash_core.library import (
    Imported,
    LibraryScope,
    Reading,
    Updated,
    details_of,
    import_documents,
    import_paths,
    purge_library,
    update_sources,
)
from simhash_core.model import Document, Skipped
from simhash_core.request import forget_texts
from simhash_core.seen import find_holding
from simhash_core.storage import Shelf, find_owner_key, library_address, owner_folder, owner_key
from simhash_core.storage.library import ArchiveRow, Purged

from ._given import Columns, Frame, Given, Item, paths_of, texts_of
from ._language import language_of, spoken
from ._progress import Follow, followed
from ._tables import Table, table

_TEXT_COLUMNS = tuple(ArchiveRow.__slots__)


class Library:
    """Texts that are kept, in collections: `leitong.check(new, against=library)`.

    A library is a file on this computer, or a server that a team shares. `len(library)` is the
    number of its texts. Use it in a `with` statement, or call `close`.

    Parameters
    ----------
    address : str or Path, optional
        A file, or `postgresql://user:password@host/database?team=NAME`. By default the library of
        the user of this computer, which the application and the command line use too.
    create : bool
        Make the file where there is none. That of the user is made by itself.
    language : str, optional
        "zh" or "en".

    Attributes
    ----------
    core : simhash_core.storage.library.Library
        The whole interface.

    Raises
    ------
    LeitongError
        `BadInput` where there is no such library; `StoreError` where it cannot be used.

    Examples
    --------
    >>> import leitong as lt
    >>> rain = "It rained all night, and in the morning the river stood at the third step."
    >>> with lt.Library("press.library", create=True) as library:
    ...     added = library.add("2024", {"flood": rain})
    ...     print(library, len(library))
    ...     print(lt.check({"new": "They say: " + rain}, against=library))
    <leitong.Library 'press.library': 1 collection, 1 text> 1
    <leitong.Result: 2 texts, 1 pair, 1 cluster>
    """

    def __init__(
        self,
        address: str | os.PathLike[str] | None = None,
        *,
        create: bool = False,
        language: str | None = None,
    ) -> None:
        with spoken(language):
            self.language = language_of(language)
            makes = create or address is None
            key = owner_key() if makes else find_owner_key()
            place = library_address(key) if address is None else os.fspath(address)
            if address is None and "://" not in place:
                private_folder(Path(place).parent)
            try:
                self.core = simhash_core.storage.library.Library.open(
                    place, owner=key, create=makes
                )
            except StoreError as error:
                if error.code != "store_missing":
                    raise
                raise BadInput("library_absent", name=Path(place).name) from error

    def __repr__(self) -> str:
        held = self.core.collections()
        collections = f"{len(held)} collection" + ("" if len(held) == 1 else "s")
        texts = f"{len(self):,} text" + ("" if len(self) == 1 else "s")
        return f"<leitong.Library {Path(self.core.name).name!r}: {collections}, {texts}>"

    def __len__(self) -> int:
        return sum(row.texts for row in self.core.collections())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close it; what was added is stored.

        Examples
        --------
        >>> import leitong as lt
        >>> lt.Library("closed.library", create=True).close()
        """
        self.core.close()

    def add(
        self,
        collection: str,
        given: Given,
        *,
        text: str | None = None,
        name: str | None = None,
        meta: Sequence[str] = (),
        metadata: str | os.PathLike[str] | None = None,
        progress: Follow = None,
    ) -> Imported:
        """Add texts to a collection, which is made where there is none.

        Parameters
        ----------
        collection : str
        given, text, name, meta
            As in `leitong.check`; paths may also be dumps of a wiki (`.xml`, `.xml.bz2`) and web
            archives (`.warc.gz`). A text that the collection has already is not added again.
        metadata : str or Path, optional
            A CSV about the files: title, author, date, url by file name, or by sha-256 of the text.
        progress : bool or callable, optional
            As in `leitong.check`.

        Returns
        -------
        Imported
            How many were `added` and `present`, and what was `skipped`, with its reason.

        Raises
        ------
        LeitongError
            `BadInput` for what is no collection of texts; `StoreError`, such as a full disk: what
            was added until then stays.

        Examples
        --------
        >>> import leitong as lt
        >>> with lt.Library("class.library", create=True) as library:
        ...     done = library.add("2024", "essays/")
        ...     again = library.add("2024", "essays/")
        >>> done.added, again.added, again.present
        (4, 0, 4)
        """
        with spoken(self.language), followed(progress, self.language) as step:
            columns = Columns(text, name, tuple(meta))
            if (paths := paths_of(given)) and not columns:
                reading = _reading(metadata)
                return import_paths(self.core, collection, paths, reading=reading, progress=step)
            texts = texts_of(given, columns)
            rows: list[Document | Skipped] = [*texts.documents, *texts.skipped]
            return import_documents(self.core, collection, rows, progress=step)

    def update(
        self,
        collection: str,
        folder: str | os.PathLike[str],
        *,
        metadata: str | os.PathLike[str] | None = None,
        remove_gone: bool = False,
        progress: Follow = None,
    ) -> Updated:
        """Make a collection what a folder is now: new, changed, renamed and gone texts.

        Parameters
        ----------
        collection : str
            Made where there is none.
        folder : str or Path
            All that the collection shall hold.
        metadata : str or Path, optional
            As in `add`. What it says of a text wins over what is stored.
        remove_gone : bool
            Take out texts that are not there any more; otherwise they are only named.
        progress : bool or callable, optional

        Returns
        -------
        Updated
            `imported` (as `add` returns it), `changed`, `renamed`, `described`, `removed`, `gone`
            (names).

        Raises
        ------
        LeitongError
            As `add`.

        Examples
        --------
        >>> import leitong as lt
        >>> with lt.Library("kept.library", create=True) as library:
        ...     first = library.update("2024", "essays/")
        ...     again = library.update("2024", "essays/")
        >>> first.imported.added, again.imported.present, again.changed, again.gone
        (4, 4, 0, ())
        """
        with spoken(self.language), followed(progress, self.language) as step:
            reading = _reading(metadata)
            return update_sources(
                self.core,
                collection,
                [Path(folder)],
                remove_gone=remove_gone,
                reading=reading,
                progress=step,
            )

    def collections(self, *, rows: bool = False) -> Table:
        """Return one row a collection, by name.

        Returns
        -------
        pandas.DataFrame, or list of dict
            `name`, `texts`, `chars` (characters of all texts).

        Examples
        --------
        >>> import leitong as lt
        >>> with lt.Library("some.library", create=True) as library:
        ...     added = library.add("2024", ["one two three four five six"])
        ...     library.collections(rows=True)
        [{'name': '2024', 'texts': 1, 'chars': 27}]
        """
        held = self.core.collections()
        columns = {key: [getattr(row, key) for row in held] for key in ("name", "texts", "chars")}
        return table(columns, rows=rows)

    def texts(self, words: str = "", *, collection: str | None = None, rows: bool = False) -> Table:
        """Return one row a text, of all or of those whose name or metadata hold some words.

        Returns
        -------
        pandas.DataFrame, or list of dict
            `key` (a number that is never given twice), `id` (sha-256), `collection`, `name`,
            `title`, `author`, `date`, `url`, `chars`, `language`, `added` (seconds since 1970).

        Examples
        --------
        >>> import leitong as lt
        >>> with lt.Library("more.library", create=True) as library:
        ...     added = library.add("2024", {"a": "one two three four five", "b": "1 2 3 4 5 six"})
        ...     [row["name"] for row in library.texts("a", rows=True)]
        ['a']
        """
        with spoken(self.language):
            held = self.core.rows(words=words or "", collection=collection)
        columns = {key: [getattr(row, key) for row in held] for key in _TEXT_COLUMNS}
        return table(columns, rows=rows)

    def remove(self, keys: Iterable[int]) -> int:
        """Take texts out of every answer and return how many; `purge` deletes them for good.

        Examples
        --------
        >>> import leitong as lt
        >>> with lt.Library("less.library", create=True) as library:
        ...     added = library.add("2024", ["one two three four five six"])
        ...     keys = [row["key"] for row in library.texts(rows=True)]
        ...     library.remove(keys), library.purge().texts, len(library)
        (1, 1, 0)
        """
        with spoken(self.language):
            return self.core.remove(int(key) for key in keys)

    def purge(self, *, checks: bool = False, progress: Follow = None) -> Purged:
        """Delete every trace of what was removed: from the file, its backups and its index.

        Parameters
        ----------
        checks : bool
            From the stored checks of this user too, which are made again without these texts.
            Otherwise they still hold what they show, as reports do: `checks_holding` names them.
        progress : bool or callable, optional

        Returns
        -------
        Purged
            `texts`, `backups` and `unreached` (files), `ids` (sha-256 of the texts).

        Examples
        --------
        >>> import leitong as lt
        >>> with lt.Library("none.library", create=True) as library:
        ...     library.purge().texts
        0
        """
        with spoken(self.language), followed(progress, self.language) as step:
            purged = purge_library(self.core)
            shelf = _shelf()
            for summary, _ in (
                find_holding(shelf.recent(), shelf.open, purged.ids) if checks else ()
            ):
                with contextlib.closing(shelf.open(summary.id)) as project:
                    forget_texts(project, purged.ids, progress=step)
            return purged

    def checks_holding(self, ids: Iterable[str], *, rows: bool = False) -> Table:
        """Return one row a stored check of this user that holds a copy of some texts.

        Parameters
        ----------
        ids : iterable of str
            sha-256 of texts, as `purge` returns them and `texts` lists them.

        Returns
        -------
        pandas.DataFrame, or list of dict
            `id`, `name`, `texts` (how many of these it holds).

        Examples
        --------
        >>> import leitong as lt
        >>> with lt.Library("away.library", create=True) as library:
        ...     library.checks_holding(library.purge().ids, rows=True)
        []
        """
        shelf = _shelf()
        held = find_holding(shelf.recent(), shelf.open, frozenset(ids))
        columns = {
            "id": [one.id for one, _ in held],
            "name": [one.name for one, _ in held],
            "texts": [n for _, n in held],
        }
        return table(columns, rows=rows)


#: what texts are checked against: other texts, a library, or several
Against: TypeAlias = "_One | Mapping[str, str] | Iterable[Item | Library] | Frame | Library"
_One: TypeAlias = "str | os.PathLike[str] | Document"


def libraries_of(against: Against | None) -> tuple[list[Library], Given | None]:
    """Return the libraries that were given, or the texts."""
    given = list(against) if isinstance(against, list | tuple) else [against]
    held = [one for one in given if isinstance(one, Library)]
    if held and len(held) == len(given):
        return held, None
    return [], cast("Given | None", against)


def scope_of(libraries: Sequence[Library], collections: Sequence[str] | None) -> LibraryScope:
    """Return what is searched of some libraries; one without any of these collections is not.

    Raises
    ------
    StoreError
        `store_missing`: a collection that none of them has.
    """
    scopes = [LibraryScope(library=one.core) for one in libraries]
    if collections is not None:
        held = [{row.name for row in one.core.collections()} for one in libraries]
        for name in collections:
            if not any(name in names for names in held):
                raise StoreError("store_missing", name=name)
        chosen = [[name for name in collections if name in names] for names in held]
        scopes = [
            replace(scope, collections=names)
            for scope, names in zip(scopes, chosen, strict=True)
            if names or len(libraries) == 1
        ]
    return replace(scopes[0], further=scopes[1:])


def _shelf() -> Shelf:
    return Shelf(owner_folder(find_owner_key()))


def _reading(metadata: str | os.PathLike[str] | None) -> Reading:
    return Reading() if metadata is None else Reading(details=details_of(Path(metadata)))
