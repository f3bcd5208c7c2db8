"""`Library`: texts that later texts are checked against."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Self

import simhash_core.storage.library
from simhash_core.errors import BadInput, StoreError
from simhash_core.folders import private_folder
from simhash_core.library import Imported, import_documents, import_sources, purge_library
from simhash_core.model import Document, Progress, Skipped
from simhash_core.storage import library_address, owner_key
from simhash_core.storage.library import ArchiveRow, Purged

from ._given import Columns, Given, paths_of, texts_of
from ._language import language_of, spoken
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
            key = owner_key()
            place = library_address(key) if address is None else os.fspath(address)
            if address is None and "://" not in place:
                private_folder(Path(place).parent)
            try:
                self.core = simhash_core.storage.library.Library.open(
                    place, owner=key, create=create or address is None
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
        progress: Progress | None = None,
    ) -> Imported:
        """Add texts to a collection, which is made where there is none.

        Parameters
        ----------
        collection : str
        given, text, name, meta
            As in `leitong.check`. A text that the collection has already is not added again.
        progress : callable, optional
            progress(stage, done, total)

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
        with spoken(self.language):
            if paths := paths_of(given):
                return import_sources(self.core, collection, paths, progress=progress)
            texts = texts_of(given, Columns(text, name, tuple(meta)))
            rows: list[Document | Skipped] = [*texts.documents, *texts.skipped]
            return import_documents(self.core, collection, rows, progress=progress)

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
            if words:
                held = self.core.find(words, collection=collection)
            else:
                held = self.core.rows(collection=collection)
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

    def purge(self) -> Purged:
        """Delete every trace of what was removed: from the file, its backups and its index.

        Checks that were stored before, and reports, still hold what they show.

        Examples
        --------
        >>> import leitong as lt
        >>> with lt.Library("none.library", create=True) as library:
        ...     library.purge().texts
        0
        """
        with spoken(self.language):
            return purge_library(self.core)
