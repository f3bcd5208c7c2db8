"""A folder against what a collection has of it, and the files of a folder as they come."""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import BadInput
from ..model import DATE_FROM, Document, Progress
from ..settings import Settings
from ..storage.library import Library
from ..text.gathering import Source
from .imports import Imported, Reading, import_sources
from .tables import detail_of

_QUIET = 1000  # milliseconds without a change, so that a copy that goes on is not cut in two
_LONGEST = 10_000  # milliseconds of changes without a pause
_STOP = 500  # milliseconds until a stop is noticed


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
    names: dict[str, list[str]] = {}  # what each text of the folder is called
    details: dict[str, dict[str, str]] = {}

    def note(documents: Sequence[Document]) -> None:
        """Take up some documents."""
        for document in documents:
            names.setdefault(document.id, []).append(document.name)
            if detail := detail_of(document, reading.details):
                source = {DATE_FROM: "table"} if detail.get("date") else {}
                details[document.id] = {**detail, **source}

    imported = import_sources(
        library,
        collection,
        given,
        settings=settings,
        reading=reading,
        progress=progress,
        noted=note,
    )
    rows = library.rows(collection=collection)
    called = {name for held in names.values() for name in held}
    here = called | {row.name for row in imported.skipped}
    missing = [row for row in rows if row.id not in names]
    earlier = [row for row in missing if row.name in called]
    gone = [row for row in missing if row.name not in here] if names else []
    renamed = {
        row.key: {"name": names[row.id][0]}
        for row in rows
        if row.id in names and row.name not in names[row.id]
    }
    described = {row.key: details[row.id] for row in rows if row.id in details}
    out = [*earlier, *(gone if remove_gone else ())]
    values = {
        key: {**described.get(key, {}), **renamed.get(key, {})} for key in described | renamed
    }
    changed = library.describe(values, gone=(row.key for row in out))
    return Updated(
        imported,
        len(earlier),
        len(renamed),
        max(changed - len(renamed), 0),
        tuple(row.name for row in gone),
        len(gone) if remove_gone else 0,
    )


def changed_files(folder: Path, *, stop: threading.Event) -> Iterator[list[Path]]:
    """Yield the folder once, then the files that were added or changed; ends once `stop` is set.

    What is put there while the caller is busy with an earlier answer comes with the next one.
    Links are not followed. Where the system announces no changes, as on network shares, the
    environment variable `WATCHFILES_FORCE_POLLING` makes it look by itself.

    Raises
    ------
    BadInput
        `watching` where the extra `library` is not installed.
    KeyboardInterrupt
    """
    if importlib.util.find_spec("watchfiles") is None:
        raise BadInput("watching")
    import watchfiles

    every = watchfiles.watch(
        folder,
        step=_QUIET,
        debounce=_LONGEST,
        rust_timeout=_STOP,
        stop_event=stop,
        yield_on_timeout=True,
    )
    begun = False
    for changes in every:
        if not begun:  # the watch is on: from here nothing is missed
            begun = True
            yield [folder]
            continue
        paths = (Path(path) for change, path in changes if change != watchfiles.Change.deleted)
        files = sorted(path for path in paths if path.is_file() and not path.is_symlink())
        if files:
            yield files
