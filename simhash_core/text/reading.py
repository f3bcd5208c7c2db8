"""Files, folders and archives to documents; whatever cannot be read becomes a named row."""

from __future__ import annotations

import hashlib
import os
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..errors import Unreadable
from ..model import Document, Note, Progress, Skipped
from ..settings import Settings
from ..workers import TASK_SECONDS, WorkerPool
from .extract import extract
from .extract.zipped import member_name, open_zip, read_member
from .findings import findings
from .language import language_of, words_in

MOST_BYTES = 50 * 2**20  # of one file
LEAST_WORDS = 5  # Latin words or Han characters; fewer is no text to compare
_MB = 2**20

_CHUNK_FILES = 256  # files sent to a worker at once, as long as they are small
_CHUNK_BYTES = 2**20

_NOT_DOCUMENTS = frozenset(("thumbs.db", "desktop.ini", "__macosx", "icon\r"))
_NOT_PREFIXES = (".", "~$")
#: formats whose reading is only decoding; others are sent to the workers one by one
_PLAIN = frozenset(("txt", "text", "md", "markdown", ""))

Read = tuple[str, str, str, str, str, str, dict[str, str], tuple[Note, ...]]


@dataclass(frozen=True, slots=True)
class Source:
    """Something to read: a file by its path, or bytes in memory, under a name of its own.

    Files of a folder have their path as a string: making a `Path` costs more than opening it.
    """

    name: str
    path: str | Path | None = None
    data: bytes | None = None

    @property
    def suffix(self) -> str:
        """Suffix in lower case without the dot."""
        return posixpath.splitext(self.name)[1].lower().removeprefix(".")

    def size(self) -> int:
        """Size in bytes; 0 for a file that is not there."""
        if self.data is not None:
            return len(self.data)
        try:
            return os.stat(self.path).st_size if self.path is not None else 0  # noqa: PTH116
        except OSError:
            return 0


# ------------------------------------------------------------------------------- gathering


def gather_sources(given: Iterable[str | Path | Source]) -> tuple[list[Source], list[Skipped]]:
    """List the documents in files, folders and zip archives.

    Parameters
    ----------
    given
        Paths, or sources in memory. Folders are walked; names are POSIX paths relative to the
        folder (with its own name in front when several things are given), members of an archive
        are `archive.zip/member`. Hidden files and what systems leave behind (`.DS_Store`,
        `~$essay.docx`, `__MACOSX`, `Thumbs.db`) are no documents and are not mentioned.

    Returns
    -------
    sources, skipped
        Sources with unique names in a stable order; what was refused before it was read.

    Raises
    ------
    FileNotFoundError
        If a path does not exist.
    """
    listed = list(given)
    sources: list[Source] = []
    skipped: list[Skipped] = []
    seen: dict[tuple[int, int], str] = {}
    names: set[str] = set()
    for source in _flat(listed):
        if source.name in names:
            source = replace(source, name=_unique(source.name, names))
        place = _identity(source)
        if place is not None and place in seen:
            skipped.append(Skipped(source.name, "duplicate", {"name": seen[place]}))
            continue
        names.add(source.name)
        if place is not None:
            seen[place] = source.name
        if source.size() > MOST_BYTES and source.suffix != "zip":
            skipped.append(Skipped(source.name, "too_large", {"mb": MOST_BYTES // _MB}))
        elif source.suffix == "zip":
            inside, refused = _members(source)
            sources += inside
            skipped += refused
        else:
            sources.append(source)
    return sources, skipped


def _flat(given: Sequence[str | Path | Source]) -> Iterator[Source]:
    """Yield files in order, folders walked in the order of their names."""
    for item in given:
        if isinstance(item, Source):
            if not _is_clutter(item.name):
                yield replace(item, name=_harmless(item.name))
            continue
        path = Path(item)
        if not path.is_dir():
            if not path.exists():
                raise FileNotFoundError(str(path))
            yield Source(path.name, path)
            continue
        prefix = f"{path.resolve().name}/" if len(given) > 1 else ""
        yield from _walk(path, prefix)


def _walk(folder: str | Path, prefix: str) -> Iterator[Source]:
    """Yield the files below a folder, in the order of their names; links are not followed."""
    with os.scandir(folder) as listing:
        entries = sorted(listing, key=lambda entry: entry.name)
    for entry in entries:
        if _is_clutter(entry.name):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path, f"{prefix}{entry.name}/")
        elif entry.is_file():
            yield Source(prefix + entry.name, entry.path)


def _identity(source: Source) -> tuple[int, int] | None:
    """Return what two names of the very same file share."""
    if source.path is None:
        return None
    found = os.stat(source.path)  # noqa: PTH116
    return (found.st_dev, found.st_ino) if found.st_ino else None


def _is_clutter(name: str) -> bool:
    """Whether a path leads through something that is no document."""
    parts = name.replace("\\", "/").split("/")
    return any(
        part.lower() in _NOT_DOCUMENTS or (part.startswith(_NOT_PREFIXES) and part.strip("."))
        for part in parts
    )


def _harmless(name: str) -> str:
    """Return a relative path that cannot point out of anything. It is only ever a label."""
    name = name.replace("\\", "/").replace("\0", "")
    parts = [part for part in name.split("/") if part not in ("", ".", "..")]
    return "/".join(parts) or "unnamed"


def _unique(name: str, taken: set[str]) -> str:
    """Return the name, numbered if it is taken."""
    stem, suffix = posixpath.splitext(name)
    number = 1
    while name in taken:
        number += 1
        name = f"{stem} ({number}){suffix}"
    return name


def _members(source: Source) -> tuple[list[Source], list[Skipped]]:
    """Take the members out of an archive that is within the limits.

    Archives inside an archive are not opened: one level is what people send.
    """
    sources: list[Source] = []
    skipped: list[Skipped] = []
    names: set[str] = set()
    try:
        data = source.data
        if data is None and source.path is not None:
            if source.size() > 10 * MOST_BYTES:
                raise Unreadable("archive_limit", limit="size")
            data = Path(source.path).read_bytes()
        archive = open_zip(data or b"")
    except (Unreadable, OSError) as error:
        return [], [_skipped(source.name, error)]
    with archive:
        for info in archive.infolist():
            name = _harmless(member_name(info))
            if info.is_dir() or _is_clutter(name):
                continue
            name = _unique(f"{source.name}/{name}", names)
            names.add(name)
            try:
                if name.lower().endswith(".zip"):
                    raise Unreadable("nested_archive")
                sources.append(Source(name, None, read_member(archive, info, MOST_BYTES)))
            except Unreadable as error:
                skipped.append(_skipped(name, error))
    return sources, skipped


def _skipped(name: str, error: Exception) -> Skipped:
    if isinstance(error, Unreadable):
        return Skipped(name, error.code, error.params)
    return Skipped(name, "damaged", {"detail": type(error).__name__})


# --------------------------------------------------------------------------------- reading


def read_sources(
    sources: Sequence[Source],
    *,
    pool: WorkerPool,
    settings: Settings,
    progress: Progress,
) -> tuple[list[Document], list[Skipped]]:
    """Read every source in a worker process, each within its time and memory.

    Parameters
    ----------
    settings
        `encoding` overrides the detection for text formats.
    progress
        Called as progress("read", done, total).

    Returns
    -------
    documents, skipped
        In the order of the sources.
    """
    documents: list[Document] = []
    skipped: list[Skipped] = []
    total = len(sources)
    progress("read", 0, total)
    tasks = list(_tasks(sources, settings.encoding))
    done = 0
    answers = pool.map(_read_all, tasks, seconds=TASK_SECONDS)
    for task, answer in zip(tasks, answers, strict=True):
        if isinstance(answer, Unreadable) and len(task[0]) > 1:
            singles = [([source], task[1]) for source in task[0]]
            parts = pool.map(_read_all, singles, seconds=TASK_SECONDS)
            outcomes = [part if isinstance(part, Unreadable) else part[0] for part in parts]
        else:
            outcomes = [answer] if isinstance(answer, Unreadable) else answer
        for source, outcome in zip(task[0], outcomes, strict=True):
            if isinstance(outcome, Unreadable):
                skipped.append(_skipped(source.name, outcome))
            else:
                documents.append(Document(*outcome))
        done += len(task[0])
        progress("read", done, total)
    return documents, skipped


def _tasks(sources: Sequence[Source], encoding: str) -> Iterator[tuple[list[Source], str]]:
    """Group small plain files; every other file is a task of its own."""
    group: list[Source] = []
    held = 0
    for source in sources:
        size = source.size()
        if source.suffix not in _PLAIN or size > _CHUNK_BYTES:
            if group:
                yield group, encoding
                group, held = [], 0
            yield [source], encoding
            continue
        group.append(source)
        held += size
        if len(group) >= _CHUNK_FILES or held >= _CHUNK_BYTES:
            yield group, encoding
            group, held = [], 0
    if group:
        yield group, encoding


def _read_all(task: tuple[list[Source], str]) -> list[Read | Unreadable]:
    """Read a group of sources; runs in a worker."""
    sources, encoding = task
    outcomes: list[Read | Unreadable] = []
    for source in sources:
        try:
            outcomes.append(read_one(source, encoding=encoding))
        except Unreadable as reason:
            outcomes.append(reason)
        except MemoryError:
            raise
        except RecursionError:
            outcomes.append(Unreadable("damaged", detail="nested too deep"))
        except Exception as error:  # a file no test has seen must not stop the others
            outcomes.append(Unreadable("damaged", detail=type(error).__name__))
    return outcomes


def read_one(source: Source, *, encoding: str = "") -> Read:
    """Read one source here and now; returns the fields of a `Document` in order.

    Raises
    ------
    Unreadable
        With the reason why not.
    """
    suffix = source.suffix
    kind, found = extract(_bytes(source), suffix=suffix, encoding=encoding)
    text = found.text
    words = words_in(text, LEAST_WORDS)
    if words == 0:
        raise Unreadable("empty")
    if words < LEAST_WORDS:
        raise Unreadable("too_short", n=LEAST_WORDS)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    notes = (*found.notes, *findings(text))
    return (
        digest,
        source.name,
        text,
        kind,
        found.encoding,
        language_of(text),
        dict(found.meta),
        notes,
    )


def _bytes(source: Source) -> bytes:
    """Return the content, never more than the limit."""
    if source.data is not None:
        data = source.data
    elif source.path is not None:
        try:
            with open(source.path, "rb", buffering=0) as file:  # noqa: PTH123
                held = os.fstat(file.fileno()).st_size
                data = file.read(min(held, MOST_BYTES) + 1) or b""
        except OSError as error:
            raise Unreadable("damaged", detail=type(error).__name__) from error
    else:
        data = b""
    if len(data) > MOST_BYTES:
        raise Unreadable("too_large", mb=MOST_BYTES // _MB)
    return data
