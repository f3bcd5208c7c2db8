"""`Library`: texts that later texts are checked against."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self, TypeAlias, cast

import simhash_core.storage.library
from simhash_core.errors import BadInput, StoreError
from simhash_core.folders import private_folder
from simhash_core.library import (
    Exported,
    Imported,
    LibraryScope,
    Reading,
    Updated,
    details_of,
    export_library,
    import_documents,
    import_export,
    import_paths,
    make_sentences,
    places_of,
    purge_library,
    update_sources,
    verify_sentences,
)
from simhash_core.model import Document, Skipped
from simhash_core.request import forget_texts
from simhash_core.seen import find_holding
from simhash_core.storage import Shelf, find_owner_key, library_address, owner_folder, owner_key
from simhash_core.storage.library import ArchiveRow, Purged

from ._given import Given, Item, choose_fields, paths_of, texts_of
from ._language import language_of, spoken
from ._progress import Follow, followed
from ._tables import Record, Table, table_of

_OF_PLACE = ("collection", "start", "end", "count")


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

    Examples
    --------
    >>> library, len(library)
    (<leitong.Library 'press.library': 1 collection, 1 text>, 1)
    >>> lt.check({"new": "They say: " + rain}, against=library)
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

        Examples
        --------
        >>> done, again = (library.add("class", "essays/") for _ in range(2))
        >>> done.added, again.added, again.present
        (4, 0, 4)
        """
        with spoken(self.language), followed(progress, self.language) as step:
            columns = choose_fields(text, name, meta)
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

        `Updated` says what was `imported` (as by `add`), `changed`, `renamed`, `described`,
        `removed`, and the names of what is `gone`.

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

        Examples
        --------
        >>> first, again = (library.update("class", "essays/") for _ in range(2))
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

    def collections(self) -> Table[Record]:
        """Return one row a collection, by name: `name`, `texts`, `chars` (of all texts).

        >>> library.collections()
        [{'name': '2024', 'texts': 1, 'chars': 74}]
        """
        return table_of(self.core.collections(), ("name", "texts", "chars"))

    def texts(self, words: str = "", *, collection: str | None = None) -> Table[Record]:
        """Return one row a text, of all or of those whose name or metadata hold some words.

        Columns: `key` (a number that is never given twice), `id` (sha-256), `collection`, `name`,
        `title`, `author`, `date`, `url`, `chars`, `language`, `added` (seconds since 1970).

        >>> library.texts("flood")[0]["chars"]
        74
        """
        with spoken(self.language):
            held = self.core.rows(words=words, collection=collection)
        return table_of(held, ArchiveRow.__slots__)

    def search(
        self,
        phrase: str,
        *,
        collection: str | None = None,
        limit: int | None = None,
        progress: Follow = None,
    ) -> Table[Record]:
        """Return one row a text that holds a phrase, word for word; every text is read.

        What may be reworded is found by `leitong.check(phrase, against=library)`.

        Columns: `id`, `name`, `collection` of the text; `start`, `end`: where it first stands, a
        half-open range of characters; `count`: how often; `excerpt`: what stands around it.

        >>> [(row["name"], row["start"]) for row in library.search("all night, and")]
        [('flood', 10)]
        """
        with spoken(self.language), followed(progress, self.language) as step:
            found = places_of(self.core, phrase, collection=collection, limit=limit, progress=step)
            held = list(found)
        columns = {
            "id": [one.document.id for one in held],
            "name": [one.document.name for one in held],
            **{name: [getattr(one, name) for one in held] for name in _OF_PLACE},
            "excerpt": ["".join(one.around()) for one in held],
        }
        return Table(columns)

    def export(
        self,
        folder: str | os.PathLike[str],
        *,
        collections: Sequence[str] = (),
        progress: Follow = None,
    ) -> Exported:
        """Write texts as Parquet and JSON Lines into a new or empty folder; by default all.

        Needs the extra `library`. `Exported` says how many `texts`, and which are damaged.

        >>> library.export("exported").texts
        1
        """
        with spoken(self.language), followed(progress, self.language) as step:
            return export_library(self.core, Path(folder), collections=collections, progress=step)

    def import_export(self, folder: str | os.PathLike[str], *, progress: Follow = None) -> Imported:
        """Take in what `export` wrote, into collections of the same names; returns as `add`.

        >>> exported = library.export("exported")
        >>> library.import_export("exported").present
        1
        """
        with spoken(self.language), followed(progress, self.language) as step:
            # workers stand elsewhere
            return import_export(self.core, Path(folder).absolute(), progress=step)

    def verify(self) -> Table[Record]:
        """Read everything and return one row a damage: `key` and `name` of its text, and `what`.

        Damaged vectors of sentences are made again.

        >>> library.verify()
        []
        """
        with spoken(self.language):
            faults = list(self.core.verify())
            verify_sentences(self.core)
        return table_of(faults, ("key", "name", "what"))

    def backup(self, path: str | os.PathLike[str]) -> None:
        """Write the whole library into a new file, as it is at this moment.

        >>> library.backup("copy.library")
        >>> len(lt.Library("copy.library"))
        1
        """
        with spoken(self.language):
            self.core.backup(Path(path))

    def make_sentences(self, *, progress: Follow = None) -> int:
        """Make the vectors of sentences that texts lack, and return of how many texts.

        A check makes those of some texts by itself. Needs the extra `meaning`.

        >>> try:
        ...     made = library.make_sentences()
        ... except lt.LeitongError as error:
        ...     assert error.code == "meaning"
        """
        with spoken(self.language), followed(progress, self.language) as step:
            return make_sentences(self.core, step=step)

    def remove(self, keys: Iterable[int]) -> int:
        """Take texts out of every answer and return how many; `purge` deletes them for good.

        >>> library.remove(row["key"] for row in library.texts("flood"))
        1
        >>> library.purge().texts, len(library)
        (1, 0)
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
        >>> library.purge().texts
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

    def checks_holding(self, ids: Iterable[str]) -> Table[Record]:
        """Return one row a stored check of this user that holds a copy of some texts.

        Columns: `id`, `name`, `texts` (how many of these it holds).

        Parameters
        ----------
        ids : iterable of str
            sha-256 of texts, as `purge` returns them and `texts` lists them.

        Examples
        --------
        >>> library.checks_holding(row["id"] for row in library.texts())
        []
        """
        shelf = _shelf()
        held = find_holding(shelf.recent(), shelf.open, frozenset(ids))
        rows = [(one.id, one.name, n) for one, n in held]
        return Table(
            {name: [row[at] for row in rows] for at, name in enumerate(("id", "name", "texts"))}
        )


#: what texts are checked against: other texts, a library, or several
Against: TypeAlias = "Given | Library | Iterable[Item | Library]"


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
