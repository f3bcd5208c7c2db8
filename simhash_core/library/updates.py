"""A folder against what a collection has of it: new, changed, renamed and gone texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..machine.workers import WorkerPool
from ..model import DATE_FROM, Document, Progress
from ..settings import Settings
from ..storage.library import ArchiveRow, Library
from ..text.gathering import Source
from .imports import Imported, Reading, import_sources
from .tables import detail_of


@dataclass(frozen=True, slots=True)
class Updated:
    """What an update came to.

    Attributes
    ----------
    imported : Imported
        New texts and new versions; `present` are those that were there before.
    changed : int
        Names whose text is another now: the earlier one was taken out.
    renamed : int
        Texts whose file is called otherwise now.
    described : int
        Texts of which the table says other things now.
    gone : tuple of str
        Names that the collection has and the folder has not.
    removed : int
        How many of these were taken out.
    """

    imported: Imported
    changed: int = 0
    renamed: int = 0
    described: int = 0
    gone: tuple[str, ...] = ()
    removed: int = 0


def update_sources(
    library: Library,
    collection: str,
    given: Sequence[str | Path | Source],
    *,
    remove_gone: bool = False,
    settings: Settings = Settings(),  # noqa: B008  frozen
    reading: Reading = Reading(),  # noqa: B008  frozen
    pool: WorkerPool | None = None,
    progress: Progress | None = None,
) -> Updated:
    """Make a collection what a folder is now.

    A text is known by its content, then by its name: a file with a known text and another name was
    renamed, a known name with another text was changed. What a table of `reading.details` says of
    a text wins over what is stored; what it does not say stays.

    Parameters
    ----------
    given
        All that the collection shall hold; where it was filled from several places, all of these.
    remove_gone
        Take out texts that are not there any more. They stay until they are purged. A file that
        is there and cannot be read is not gone; where nothing at all can be read, nothing is gone.

    Raises
    ------
    BadInput, Cancelled, RecipeMismatch, StoreError, FileNotFoundError
        As `import_sources`. What was added until then stays, nothing was taken out, and another
        update finishes.
    """
    held = _Held(reading.details)
    imported = import_sources(
        library,
        collection,
        given,
        settings=settings,
        reading=reading,
        pool=pool,
        progress=progress,
        noted=held.note,
    )
    rows = library.rows(collection=collection)
    earlier, gone = held.without(rows, {row.name for row in imported.skipped})
    renamed = {row.key: {"name": held.names[row.id][0]} for row in rows if held.renames(row)}
    details = held.details(rows)
    out = [*earlier, *(gone if remove_gone else ())]
    values = {key: {**details.get(key, {}), **renamed.get(key, {})} for key in details | renamed}
    changed = library.describe(values, gone=(row.key for row in out))
    return Updated(
        imported,
        len(earlier),
        len(renamed),
        max(changed - len(renamed), 0),
        tuple(row.name for row in gone),
        len(gone) if remove_gone else 0,
    )


class _Held:
    """What a folder holds: the names of each text."""

    def __init__(self, details: Mapping[str, Mapping[str, str]]) -> None:
        self.names: dict[str, list[str]] = {}
        self._called: set[str] = set()
        self._details = details
        self._detail_of: dict[str, Mapping[str, str]] = {}

    def note(self, documents: Sequence[Document]) -> None:
        """Take up some documents."""
        for document in documents:
            self.names.setdefault(document.id, []).append(document.name)
            self._called.add(document.name)
            if detail := detail_of(document, self._details):
                self._detail_of[document.id] = detail

    def renames(self, row: ArchiveRow) -> bool:
        """Whether a text is here under other names alone."""
        return row.id in self.names and row.name not in self.names[row.id]

    def without(
        self, rows: Sequence[ArchiveRow], unread: set[str]
    ) -> tuple[list[ArchiveRow], list[ArchiveRow]]:
        """Return the texts whose name has another one now, and those that are not there."""
        missing = [row for row in rows if row.id not in self.names]
        earlier = [row for row in missing if row.name in self._called]
        if not self.names:
            return earlier, []
        here = self._called | unread
        return earlier, [row for row in missing if row.name not in here]

    def details(self, rows: Sequence[ArchiveRow]) -> dict[int, dict[str, str]]:
        """Return what a table says of texts, by key."""
        return {
            row.key: {**self._detail_of[row.id], **_with_source(self._detail_of[row.id])}
            for row in rows
            if row.id in self._detail_of
        }


def _with_source(detail: Mapping[str, str]) -> dict[str, str]:
    return {DATE_FROM: "table"} if detail.get("date") else {}
