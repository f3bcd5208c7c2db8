"""Texts into a library, as a job: what is acknowledged stays, what is not is asked for again.

Every batch is one transaction with what became of its items, so a stop at any point leaves whole
batches; a text that is there already is `present`, so that running again adds nothing twice. How
files are read is plain values, that a stopped import is resumed by.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..checking.fingerprinting import recipe_of
from ..errors import BadInput, Cancelled, InvalidSettings, RecipeMismatch, StoreError, Unreadable
from ..folders import cache_folder, private_folder
from ..machine.memory import cut_batches
from ..machine.workers import shared_pool
from ..model import DATE_FROM, U64, CorpusStats, Document, Progress, Skipped, report_nothing
from ..people.authorship import name_documents
from ..people.roster import Member
from ..settings import Settings
from ..storage.library import JobItem, JobRow, Library, Prepared
from ..text.gathering import Source, gather_sources
from ..text.reading import read_sources
from ..weighting import FROZEN
from ..weighting.annotated import ANNOTATED
from .preparing import features_of_counts, fingerprints_of, prepare_rows
from .streams import Stream, kind_of
from .tables import Entry, detail_of

if TYPE_CHECKING:
    from filelock import FileLock


@dataclass(frozen=True, slots=True)
class Reading:
    """What is taken from files.

    Attributes
    ----------
    main_text
        Of saved web pages the article alone, where the extra `library` is installed.
    people
        How file names tell who wrote what: "auto", or a pattern; "" for not at all.
    listed
        Members of a class list, whose spelling names are given.
    details
        What a table says of texts, by name or id (`tables.details_of`): it wins over the file.
    """

    main_text: bool = True
    people: str = ""
    listed: tuple[Member, ...] = ()
    details: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def named(self, documents: Sequence[Document]) -> list[Document]:
        """Return documents that say who wrote them, and what a table says of them.

        One without a title takes it from the heading in its first line.

        Raises
        ------
        BadInput
            `people_pattern`, `people_slow`.
        """
        detailed = [_with_details(document, self.details) for document in documents]
        if not self.people:
            return detailed
        return name_documents(detailed, self.people, listed=self.listed)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Reading:
        """Return what its fields as plain values say."""
        listed = tuple(Member(**row) for row in data["listed"])
        return cls(**{**data, "listed": listed})


_HEADING = re.compile(r"\s*#{1,6}\s+(\S.*?)\s*#*\s*$")


def _with_details(document: Document, details: Mapping[str, Mapping[str, str]]) -> Document:
    """Return a document with what a table says of it, and its first heading for a title."""
    detail = detail_of(document, details) if details else {}
    meta = {**document.meta, **detail}
    first = next((line for line in document.text[:2000].splitlines() if line.strip()), "")
    heading = _HEADING.match(first)
    if heading and not meta.get("title"):
        meta["title"] = heading[1][:_LONGEST_TITLE]
    if detail.get("date"):
        meta[DATE_FROM] = "table"
    return replace(document, meta=meta) if meta != document.meta else document


_LONGEST_TITLE = 200  # characters of a heading
_WINDOW = 2000  # texts that are read before the first of them is stored
_WINDOW_SIZE = 64 * 2**20  # of them, in bytes of files or in characters of texts
_RENEWED = 60.0  # seconds between two signs of life of an import
_LEASE = 600.0  # seconds without one, after which it counts as interrupted
_REINDEX_TEXTS = 2000
#: statistics of a recipe that reads none
_NO_STATISTICS = CorpusStats(0, {})


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to; of several the sum, with the number of the last."""

    job: int = 0
    added: int = 0
    present: int = 0  # the collection had them before
    skipped: tuple[Skipped, ...] = ()
    passed: int = 0  # entries of a dump that are no articles: redirects, talk pages and the like

    def __add__(self, other: Imported) -> Imported:
        return Imported(
            other.job,
            self.added + other.added,
            self.present + other.present,
            (*self.skipped, *other.skipped),
            self.passed + other.passed,
        )


def import_paths(
    library: Library,
    collection: str,
    given: Sequence[str | Path | Source],
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
    reading: Reading = Reading(),
    progress: Progress | None = None,
) -> Imported:
    """Read what holds many texts as a stream, and all other paths as `import_sources` does.

    A stream is a table, a dump of a wiki, an archive of the web. What of it is in memory is
    bounded, whatever the size of the file; a stopped import goes on with `resume` behind the last
    text that it stored.

    Raises
    ------
    BadInput
        What `Stream.entries` raises. Where nothing was stored until then, nothing is left of it.
    Cancelled, StoreError
        What was stored until then stays.
    """
    streams = [Path(one) for one in given if not isinstance(one, Source) and kind_of(Path(one))]
    others = [one for one in given if isinstance(one, Source) or Path(one) not in streams]
    done = Imported()
    for path in streams:
        run = _Run(library, collection, settings, progress, reading)
        origin = {"stream": str(path.absolute()), "reading": asdict(reading)}
        with run.job(library.jobs.start(collection, [], origin=origin)):
            run.consume(Stream(path, reading.main_text, settings.encoding).entries())
        done += run.finish()
    if streams and not others:
        return done
    return done + import_sources(
        library, collection, others, settings=settings, reading=reading, progress=progress
    )


def import_sources(
    library: Library,
    collection: str,
    given: Sequence[str | Path | Source],
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
    reading: Reading = Reading(),
    progress: Progress | None = None,
    noted: Callable[[Sequence[Document]], None] | None = None,
) -> Imported:
    """Read files, folders and archives into a collection.

    Parameters
    ----------
    reading
        What is taken from the files; a resumed import goes by it too.
    progress
        progress("import", done, total); may raise `Cancelled`.
    noted
        Called with the documents that were read, some at a time, before they are stored.

    Returns
    -------
    Imported
        A file that cannot be read is one named row of `skipped` and stops nothing.

    Raises
    ------
    Cancelled
        What was stored until then stays, and `resume` goes on.
    RecipeMismatch
        The library holds fingerprints of other settings: `reindex` first.
    StoreError
        Such as `store_full`: the job can be resumed.
    FileNotFoundError
        A path does not exist.
    """
    run = _Run(library, collection, settings, progress, reading)
    run.noted = noted
    sources, skipped = gather_sources(given, pool=shared_pool())
    paths = [str(Path(item).absolute()) for item in given if not isinstance(item, Source)]
    names = [*(source.name for source in sources), *(row.name for row in skipped)]
    origin = {"paths": paths, "reading": asdict(reading)}
    with run.job(library.jobs.start(collection, names, origin=origin)):
        run.skip(enumerate(skipped, start=len(sources) + 1))
        run.read(list(enumerate(sources, start=1)))
    return run.finish()


def import_documents(
    library: Library,
    collection: str,
    documents: Iterable[Document | Skipped],
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
    progress: Progress | None = None,
) -> Imported:
    """Add documents that come one by one, such as rows of a table, to a collection.

    After a stop, the same documents are given again: those that are stored are `present`.
    """
    run = _Run(library, collection, settings, progress)
    with run.job(library.jobs.start(collection, [])):
        # a stream without an end in sight
        run.consume(Entry(number, 0.0, one) for number, one in enumerate(documents, start=1))
    return run.finish()


def resume(
    library: Library,
    job: int,
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
    progress: Progress | None = None,
) -> Imported:
    """Go on with an import of files that was stopped: only what waits is read.

    Raises
    ------
    BadInput
        `import_again`: its texts did not come from files, or it was refused.
    StoreError
        `store_missing`: no such job.
    FileNotFoundError
        A path that was given then does not exist any more.
    """
    row = job_row(library, job)
    if row.state == "refused" or not {"paths", "stream"} & row.origin.keys():
        raise BadInput("import_again", number=job)
    reading = Reading.from_data(row.origin["reading"])
    run = _Run(library, row.collection, settings, progress, reading)
    if "stream" in row.origin:
        library.jobs.set_state(job, "running")
        with run.job(job):
            # on from where it was stopped
            entries, items, last = library.jobs.reached(job)
            left = {item.number for item in library.jobs.items(job, "waiting")}
            before = frozenset(range(items + 1, last + 1)) - left
            run.done = last - len(left)
            stream = Stream(Path(row.origin["stream"]), reading.main_text, settings.encoding)
            run.consume(stream.entries(after=entries), items=items, before=before)
        return run.finish()
    waiting = {item.name: item.number for item in library.jobs.items(job, "waiting")}
    paths = [Path(path) for path in row.origin["paths"]]
    sources, skipped = gather_sources(paths, pool=shared_pool())
    present = {*(source.name for source in sources), *(row.name for row in skipped)}
    gone = [Skipped(name, "vanished") for name in waiting if name not in present]
    library.jobs.set_state(job, "running")
    with run.job(job):
        refused = (item for item in (*skipped, *gone) if item.name in waiting)
        run.skip((waiting[item.name], item) for item in refused)
        run.read([(waiting[item.name], item) for item in sources if item.name in waiting])
    return run.finish()


def reindex(
    library: Library,
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
    progress: Progress | None = None,
) -> int:
    """Make all fingerprints anew from the stored counts; return how many texts have one.

    Weightings that read the collection take statistics that are frozen now.
    """
    stats = _NO_STATISTICS if settings.weighting in FROZEN else library.freeze_statistics()
    prints = _fingerprints(
        library, library.keys().tolist(), settings, stats, progress or report_nothing
    )
    library.replace_fingerprints(prints.items(), recipe_of(settings, stats))
    return sum(words is not None for words in prints.values())


def require_recipe(library: Library, settings: Settings) -> None:
    """Raise where fingerprints of these settings must not be compared with those in a library.

    Raises
    ------
    RecipeMismatch
    """
    held, frozen = library.recipe, library.statistics
    stats = frozen.stats if frozen and settings.weighting not in FROZEN else _NO_STATISTICS
    if held and held != recipe_of(settings, stats):
        raise RecipeMismatch


def job_row(library: Library, job: int) -> JobRow:
    """Return what is said about a job.

    Raises
    ------
    StoreError
        `store_missing`.
    """
    rows = [row for row in library.jobs.listed() if row.id == job]
    if not rows:
        raise StoreError("store_missing", name=str(job))
    return rows[0]


def is_running(library: Library, job: JobRow) -> bool:
    """Whether a process is at work on an import.

    On this computer it holds a lock, which the system takes from a process that ends. Of a library
    that others reach too, it says every minute that it goes on; ten without a word, and it does
    not.
    """
    if job.state != "running":
        return False
    if library.store.place not in ("local", "memory"):
        return time.time() - job.changed < _LEASE
    from filelock import Timeout

    try:
        with _lock(library, job.id).acquire(timeout=0):
            return False
    except Timeout:
        return True


def _lock(library: Library, job: int) -> FileLock:
    """Return what the process that runs an import holds; the system lets go when it ends."""
    from filelock import FileLock

    folder = private_folder(cache_folder() / "imports")
    return FileLock(folder / f"{library.id}-{job}", mode=0o600)


class _Run:
    """One import while it runs."""

    def __init__(
        self,
        library: Library,
        collection: str,
        settings: Settings,
        step: Progress | None,
        reading: Reading = Reading(),
    ) -> None:
        require_recipe(library, settings)
        self.library, self.collection = library, collection
        self.settings, self.reading = settings, reading
        self.step = step or report_nothing
        self.number, self._newest = 0, library.newest()
        self.done, self._total, self._passed = 0, 0, 0
        self._renewed = time.monotonic()
        self.noted: Callable[[Sequence[Document]], None] | None = None

    @contextlib.contextmanager
    def job(self, number: int) -> Iterator[None]:
        """Run as one job: a stop that was asked for is noted, any other leaves it to be resumed.

        What cannot be used is refused: of a job that came to nothing, nothing is left.
        """
        self.number = number
        try:
            with _lock(self.library, number):
                yield
        except Cancelled:
            self.library.jobs.set_state(number, "cancelled")
            raise
        except (BadInput, InvalidSettings, Unreadable):
            row = job_row(self.library, number)
            if row.added or row.present:
                self.library.jobs.set_state(number, "refused")
            else:
                self.library.jobs.drop(number)
            raise

    def consume(
        self, entries: Iterable[Entry], *, items: int = 0, before: frozenset[int] = frozenset()
    ) -> None:
        """Store what a stream holds, a window at a time, and note how far it was read.

        `items` of the job come from earlier entries; of those that follow, some were stored
        `before` the window they stand in was whole.
        """
        *_, held = self.library.jobs.reached(self.number)
        for window in cut_batches(
            entries,
            lambda entry: len(getattr(entry.content, "text", "")),
            most=_WINDOW,
            largest=_WINDOW_SIZE,
        ):
            texts = [one.content for one in window if one.content is not None]
            self._passed += len(window) - len(texts)
            numbered = list(enumerate(texts, start=items + 1))
            items += len(texts)
            if fresh := [one.name for n, one in numbered if n > held]:
                self.library.jobs.extend(self.number, fresh)
            held = max(held, items)
            share = window[-1].share  # so the stream will have held so many
            self._total = round(items / share) if share else items
            todo = [(n, one) for n, one in numbered if n not in before]
            self.skip((n, one) for n, one in todo if isinstance(one, Skipped))
            documents = [(n, one) for n, one in todo if isinstance(one, Document)]
            named = self.reading.named([one for _, one in documents])
            self.store([(n, one) for (n, _), one in zip(documents, named, strict=True)])
            self.library.jobs.note_reached(self.number, window[-1].number, items)

    def skip(self, items: Iterable[tuple[int, Skipped]]) -> None:
        """Note what takes no part."""
        outcomes = [JobItem(n, "", "skipped", row.code, row.params) for n, row in items]
        if outcomes:
            self.library.jobs.mark(self.number, outcomes)
            self.done += len(outcomes)

    def read(self, items: Sequence[tuple[int, Source]]) -> None:
        """Read sources in limited processes, and store what they hold."""
        self._total = self.done + len(items)
        for window in cut_batches(
            items, lambda item: item[1].size(), most=_WINDOW, largest=_WINDOW_SIZE
        ):
            numbers = {source.name: n for n, source in window}
            documents, skipped = read_sources(
                [source for _, source in window],
                pool=shared_pool(),
                settings=self.settings,
                progress=lambda *_: self._report(),
                main_text=self.reading.main_text,
                keep=False,  # what is deleted from a library is nowhere else
            )
            documents = self.reading.named(documents)
            if self.noted is not None:
                self.noted(documents)
            self.skip((numbers[row.name], row) for row in skipped)
            self.store([(numbers[document.name], document) for document in documents])

    def store(self, items: Sequence[tuple[int, Document]]) -> None:
        """Store documents, one transaction a batch."""
        numbers = iter([n for n, _ in items])
        documents = [document for _, document in items]
        for batch in prepare_rows(documents, settings=self.settings, pool=shared_pool()):
            mine = [(next(numbers), outcome) for outcome in batch]
            ready = [(n, one) for n, one in mine if isinstance(one, Prepared)]
            self.skip((n, one) for n, one in mine if isinstance(one, Skipped))
            self.library.add(
                self.collection,
                [one for _, one in ready],
                job=self.number,
                items=[n for n, _ in ready],
            )
            self.done += len(ready)
            self._report()

    def _report(self) -> None:
        """Report progress, and now and then that this process is at work."""
        self.step("import", self.done, max(self._total, self.done))
        if time.monotonic() - self._renewed > _RENEWED:
            self._renewed = time.monotonic()
            self.library.jobs.renew(self.number)

    def finish(self) -> Imported:
        """Close the job; a library without a recipe takes this one."""
        library, settings = self.library, self.settings
        if settings.weighting in FROZEN:
            if not library.recipe:
                library.set_recipe(recipe_of(settings, _NO_STATISTICS))
        elif (frozen := library.statistics) is None:
            reindex(library, settings=settings, progress=self.step)
        else:
            fresh = library.keys(after=self._newest).tolist()
            prints = _fingerprints(library, fresh, settings, frozen.stats, self.step)
            library.replace_fingerprints(prints.items(), recipe_of(settings, frozen.stats))
        library.jobs.note_reached(self.number, 0, 0)
        library.jobs.set_state(self.number, "done")
        row, skipped = job_row(library, self.number), library.jobs.items(self.number, "skipped")
        rows = (Skipped(item.name, item.reason, item.params) for item in skipped)
        return Imported(self.number, row.added, row.present, tuple(rows), self._passed)


def _fingerprints(
    library: Library, keys: Sequence[int], settings: Settings, stats: CorpusStats, step: Progress
) -> dict[int, U64 | None]:
    """Return a fingerprint, or None, of texts by their stored counts."""
    prints: dict[int, U64 | None] = {}
    for start in range(0, len(keys), _REINDEX_TEXTS):
        step("reindex", start, len(keys))
        rows = list(library.counts(keys[start : start + _REINDEX_TEXTS]))
        documents = []
        if settings.weighting in ANNOTATED:
            documents = library.documents([key for key, _ in rows])
        features = features_of_counts([counts for _, counts in rows])
        made = fingerprints_of(documents, features, stats, settings)
        for n, (key, _) in enumerate(rows):
            prints[key] = made.words[n] if made.valid[n] else None
    step("reindex", len(keys), len(keys))
    return prints
