"""What `leitong library` does with texts: reads, compares, writes them. Loaded when asked for."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import threading
from collections.abc import Sequence
from operator import itemgetter
from pathlib import Path

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
from ..library.updates import changed_files
from ..model import Progress
from ..people.names import AUTOMATIC
from ..people.roster import Member, read_class_list
from ..request import forget_texts
from ..seen.stored import find_holding
from ..settings import Settings
from ..signs import make_printable
from ..storage import Shelf, find_owner_key, owner_folder
from ..storage.library import Library
from ..text.gathering import Source
from . import library_output as output
from .inputs import list_given
from .libraries import DONE, SKIPPED, Action, require_collection, require_import
from .output import progress, remark
from .projects import say_damage


def _add(library: Library, options: argparse.Namespace, t: Translate) -> int:
    paths = [Path(one) if isinstance(one, str) else one for one in list_given(options)]
    with progress(t, options) as step:
        done = _take_in(library, paths, options, step)
        update_index(library, progress=step)
    output.say_imported(done, options, t)
    return SKIPPED if done.skipped else DONE


def _take_in(
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
    paths = [Path(one) if isinstance(one, str) else one for one in list_given(options)]
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
    output.say_updated(done, options, t)
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
    return () if name is None else tuple(read_class_list(Path(name), name=name))


def _watch(library: Library, options: argparse.Namespace, t: Translate) -> int:
    """Add what lies in a folder, then what is put there, until Ctrl-C or SIGTERM."""
    folder, stop = Path(options.folder), threading.Event()
    folder.stat()
    skipped = False
    try:
        for paths in changed_files(folder, stop=stop):
            done = _take_in(library, paths, options, None)
            skipped = skipped or bool(done.skipped)
            output.say_imported(done, options, t)
            remark(t("cli.library_watching", name=make_printable(folder.name)), options)
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
    output.say_imported(done, options, t)
    return SKIPPED if done.skipped else DONE


def _resume(library: Library, options: argparse.Namespace, t: Translate) -> int:
    require_import(library, options.job)
    with progress(t, options) as step:
        done = resume(library, options.job, progress=step)
        update_index(library, progress=step)
    output.say_imported(done, options, t)
    return SKIPPED if done.skipped else DONE


def _jobs(library: Library, options: argparse.Namespace, t: Translate) -> int:
    listed = [(row, is_running(library, row)) for row in library.jobs.listed()]
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
    shelf = Shelf(owner_folder(find_owner_key()))
    held = find_holding(shelf.recent(), shelf.open, purged.ids)
    if options.checks:
        for summary, _ in held:
            with (
                progress(t, options) as step,
                contextlib.closing(shelf.open(summary.id)) as project,
            ):
                say_damage(project, options, t)
                forget_texts(project, purged.ids, progress=step)
    output.say_purged(purged, held, options, t)
    return SKIPPED if purged.unreached else DONE


def _export(library: Library, options: argparse.Namespace, t: Translate) -> int:
    for name in options.collection or ():
        require_collection(library, name)
    with progress(t, options) as step:
        done = export_library(
            library, Path(options.folder), collections=options.collection or (), progress=step
        )
    output.say_exported(done, options, t)
    return SKIPPED if done.faults else DONE


def _reindex(library: Library, options: argparse.Namespace, t: Translate) -> int:
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
