"""`leitong library`: texts in collections that later checks are compared with.

What asks the database alone stands here and answers at once; the rest is in `library_texts`.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import sys
import threading
from collections.abc import Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

from ..checking.authorship import AUTOMATIC, Member, class_list
from ..errors import BadInput, Cancelled
from ..i18n import Translate
from ..library import (
    Imported,
    Reading,
    details_of,
    export_library,
    import_documents,
    import_paths,
    index_size,
    is_running,
    make_sentences,
    places_of,
    purge_library,
    reindex,
    resume,
    update_index,
    update_sources,
    verify_sentences,
)
from ..library.exports import collections_of, texts_of
from ..library.imports import changed_files
from ..model import Progress
from ..seen.stored import forget_texts, holding
from ..settings import Settings
from ..storage import Shelf, owner_folder, owner_key
from ..storage.library import ArchiveRow, Library
from ..text.gathering import Source
from . import INTERRUPTED
from . import library_output as output
from .inputs import named
from .libraries import (
    DONE,
    FAILED,
    SKIPPED,
    Action,
    open_library,
    require_collection,
    require_import,
    warn_of_damage,
)
from .output import printable, progress, remark


def library(options: argparse.Namespace, t: Translate) -> int:
    """`leitong library ACTION`"""
    with _opened(options) as opened:
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
    # joined

    return ACTIONS[name]


def _opened(options: argparse.Namespace) -> Any:
    """Open the library of the options; what puts texts in makes one where there is none."""
    makes = options.action in ("add", "update", "watch", "import")
    usual = options.library is None  # without texts yet, the own library is empty, not missing
    return open_library(options.library, create=makes or usual)


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
        # joined

        return search_texts(library, options, t)
    matches = [
        row
        for name in collections
        for row in library.find(options.words, collection=name, limit=options.limit)
    ]
    output.rows(matches[: options.limit], options.json, t)
    return DONE


def _verify(library: Library, options: argparse.Namespace, t: Translate) -> int:
    # joined

    faults = list(library.verify())
    output.faults(faults, options.json, t)
    sentences_again(library, options, t)
    return FAILED if faults else DONE


def _rows(library: Library, collection: str) -> list[ArchiveRow]:
    require_collection(library, collection)
    return library.rows(collection=collection)


def _remove(library: Library, options: argparse.Namespace, t: Translate) -> int:
    """Take texts out of every answer; purging them is a command of its own."""
    (name,) = options.collection
    rows = _rows(library, name)
    if options.key is None:
        count = library.remove_collection(name)
    else:
        keys = {row.key for row in rows}
        unknown = sorted(set(options.key) - keys)
        if unknown:
            raise BadInput("no_text", name=printable(name), key=unknown[0])
        count = library.remove(options.key)
    output.count("removed", count, options, t)
    return DONE


def _backup(library: Library, options: argparse.Namespace, t: Translate) -> int:
    library.backup(Path(options.file))
    return DONE


def _cancel(library: Library, options: argparse.Namespace, t: Translate) -> int:
    require_import(library, options.job)
    library.cancel(options.job)
    return DONE


_ACTIONS: dict[str, Action] = {
    "list": _list,
    "search": _search,
    "verify": _verify,
    "remove": _remove,
    "backup": _backup,
    "cancel": _cancel,
}


# --------------------------------------------------------------------------- texts
def _add(library: Library, options: argparse.Namespace, t: Translate) -> int:
    paths = [Path(one) if isinstance(one, str) else one for one in named(options)]
    with progress(t, options) as step:
        done = _taken_in(library, paths, options, step)
        update_index(library, progress=step)
    output.imported(done, options, t)
    return SKIPPED if done.skipped else DONE


def _taken_in(
    library: Library,
    given: Sequence[Path | Source],
    options: argparse.Namespace,
    step: Progress | None,
) -> Imported:
    """Add what files, folders, archives, tables and dumps hold."""
    (collection,) = options.collection
    return import_paths(
        library,
        collection,
        given,
        settings=_settings(options),
        reading=_reading(options),
        progress=step,
    )


def _update(library: Library, options: argparse.Namespace, t: Translate) -> int:
    """Make a collection what a folder is now."""
    (collection,) = options.collection
    paths = [Path(one) if isinstance(one, str) else one for one in named(options)]
    with progress(t, options) as step:
        done = update_sources(
            library,
            collection,
            paths,
            remove_gone=options.remove_gone,
            settings=_settings(options),
            reading=_reading(options),
            progress=step,
        )
        update_index(library, progress=step)
    output.updated(done, options, t)
    return SKIPPED if done.imported.skipped else DONE


def _settings(options: argparse.Namespace) -> Settings:
    return Settings(encoding=options.encoding, ocr=options.ocr)


def _reading(options: argparse.Namespace) -> Reading:
    return Reading(
        main_text=not options.whole_pages,
        people=options.people or (AUTOMATIC if options.class_list else ""),
        listed=_members(options.class_list),
        details=details_of(Path(options.metadata)) if options.metadata else {},
    )


def _members(name: str | None) -> tuple[Member, ...]:
    return () if name is None else tuple(class_list(Path(name), name=name))


def _watch(library: Library, options: argparse.Namespace, t: Translate) -> int:
    """Add what lies in a folder, then what is put there, until Ctrl-C or SIGTERM."""
    folder, stop = Path(options.folder), threading.Event()
    folder.stat()
    skipped = False
    try:
        for paths in changed_files(folder, stop=stop):
            done = _taken_in(library, paths, options, None)
            skipped = skipped or bool(done.skipped)
            output.imported(done, options, t)
            remark(t("cli.library_watching", name=printable(folder.name)), options)
    except KeyboardInterrupt:  # the usual end; a batch that was under way goes on with `resume`
        stop.set()
        remark(t("cli.library_watched"), options)
    return SKIPPED if skipped else DONE


def _import(library: Library, options: argparse.Namespace, t: Translate) -> int:
    folder = Path(options.folder)
    folder.stat()
    done = Imported()
    with progress(t, options) as step:
        for name in collections_of(folder):
            library.add_collection(name)
        for name, rows in itertools.groupby(texts_of(folder), key=itemgetter(0)):
            texts = (text for _, text in rows)
            done += import_documents(library, name, texts, progress=step)
        update_index(library, progress=step)
    output.imported(done, options, t)
    return SKIPPED if done.skipped else DONE


def _resume(library: Library, options: argparse.Namespace, t: Translate) -> int:
    require_import(library, options.job)
    with progress(t, options) as step:
        done = resume(library, options.job, progress=step)
        update_index(library, progress=step)
    output.imported(done, options, t)
    return SKIPPED if done.skipped else DONE


def _jobs(library: Library, options: argparse.Namespace, t: Translate) -> int:
    listed = [(row, is_running(library, row)) for row in library.jobs()]
    output.jobs(listed, options.json, t)
    return DONE


def _stats(library: Library, options: argparse.Namespace, t: Translate) -> int:
    output.stats(library.stats(), index_size(library), options.json, t)
    return DONE


def _purge(library: Library, options: argparse.Namespace, t: Translate) -> int:
    """Delete what was removed, and a collection that is named, without a trace."""
    if options.collection is not None:
        require_collection(library, options.collection)
        library.remove_collection(options.collection)
    purged = purge_library(library)
    shelf = Shelf(owner_folder(owner_key()))
    held = holding(shelf.recent(), shelf.open, purged.ids)
    if options.checks:
        for summary, _ in held:
            with (
                progress(t, options) as step,
                contextlib.closing(shelf.open(summary.id)) as project,
            ):
                forget_texts(project, purged.ids, progress=step)
    output.purged(purged, held, options, t)
    return SKIPPED if purged.unreached else DONE


def _export(library: Library, options: argparse.Namespace, t: Translate) -> int:
    for name in options.collection or ():
        require_collection(library, name)
    with progress(t, options) as step:
        done = export_library(
            library, Path(options.folder), collections=options.collection or (), progress=step
        )
    output.exported(done, options, t)
    return SKIPPED if done.faults else DONE


def _reindex(library: Library, options: argparse.Namespace, t: Translate) -> int:
    if options.freeze:
        library.freeze_statistics()
    with progress(t, options) as step:
        count = reindex(library, settings=Settings.of(options.preset), progress=step)
    output.count("reindexed", count, options, t)
    return DONE


def _sentences(library: Library, options: argparse.Namespace, t: Translate) -> int:
    with progress(t, options) as step:
        count = make_sentences(library, step=step)
    output.count("sentences_read", count, options, t)
    return DONE


def sentences_again(library: Library, options: argparse.Namespace, t: Translate) -> None:
    """`library verify`: make damaged vectors of sentences again, and name their files."""
    names = verify_sentences(library)
    if names:
        remark(t("cli.library_sentences_again", n=len(names), names=", ".join(names)), options)


def search_texts(library: Library, options: argparse.Namespace, t: Translate) -> int:
    """`library search --text`: the texts that hold a phrase."""
    with progress(t, options) as step:
        places = [
            place
            for name in options.collection or [None]
            for place in places_of(
                library, options.words, collection=name, limit=options.limit, progress=step
            )
        ]
    output.places(places[: options.limit], options.json, t)
    return DONE


ACTIONS: dict[str, Action] = {
    "add": _add,
    "update": _update,
    "watch": _watch,
    "import": _import,
    "resume": _resume,
    "jobs": _jobs,
    "stats": _stats,
    "purge": _purge,
    "export": _export,
    "reindex": _reindex,
    "sentences": _sentences,
}
