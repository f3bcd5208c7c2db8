"""Sources to documents; a source that cannot be read becomes a `Skipped` row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..errors import Unreadable
from ..model import Document, Progress, Skipped, text_id
from ..settings import Settings
from ..workers import TASK_SECONDS, WorkerPool
from .classes import classes_of
from .extract import extract
from .extract.extracted import Extracted
from .findings import findings
from .gathering import MEGABYTE, MOST_BYTES, Source, file_bytes, refused
from .language import language_of, words_in

LEAST_WORDS = 5  # Latin words or Han characters; fewer is no text to compare

_CHUNK_FILES = 256  # files sent to a worker at once, as long as they are small
_CHUNK_BYTES = 2**20

#: formats whose reading is only decoding; others are sent to the workers one by one
_PLAIN = frozenset(("txt", "text", "md", "markdown", ""))


def read_sources(
    sources: Sequence[Source],
    *,
    pool: WorkerPool,
    settings: Settings,
    progress: Progress,
    main_text: bool = False,
) -> tuple[list[Document], list[Skipped]]:
    """Read every source in a worker process, each within its time and memory.

    Parameters
    ----------
    settings
        `encoding` overrides the detection for text formats.
    main_text
        Read of web pages the article alone, where the extra `library` is installed.
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
    how = _How(settings.encoding, main_text)
    tasks = [(group, how) for group in _groups(sources)]
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
                skipped.append(refused(source.name, outcome))
            else:
                documents.append(outcome)
        done += len(task[0])
        progress("read", done, total)
    return documents, skipped


@dataclass(frozen=True, slots=True)
class _How:
    """How the files of a task are read."""

    encoding: str
    main_text: bool


def _groups(sources: Sequence[Source]) -> Iterator[list[Source]]:
    """Group small plain files; every other file is a separate task."""
    group: list[Source] = []
    held = 0
    for source in sources:
        size = source.size()
        if source.suffix not in _PLAIN or size > _CHUNK_BYTES:
            if group:
                yield group
                group, held = [], 0
            yield [source]
            continue
        group.append(source)
        held += size
        if len(group) >= _CHUNK_FILES or held >= _CHUNK_BYTES:
            yield group
            group, held = [], 0
    if group:
        yield group


def _read_all(task: tuple[list[Source], _How]) -> list[Document | Unreadable]:
    """Read a group of sources; runs in a worker."""
    sources, how = task
    outcomes: list[Document | Unreadable] = []
    for source in sources:
        try:
            outcomes.append(read_one(source, encoding=how.encoding, main_text=how.main_text))
        except Unreadable as reason:
            outcomes.append(reason)
        except MemoryError:
            raise
        except RecursionError:
            outcomes.append(Unreadable("damaged", detail="nested too deep"))
        except Exception as error:  # a file no test has seen must not stop the others
            outcomes.append(Unreadable("damaged", detail=type(error).__name__))
    return outcomes


def read_one(source: Source, *, encoding: str = "", main_text: bool = False) -> Document:
    """Read one source in this process.

    Raises
    ------
    Unreadable
        With the reason why not.
    """
    suffix = source.suffix
    kind, extracted = extract(_bytes(source), suffix=suffix, encoding=encoding, main_text=main_text)
    return document_of(extracted, name=source.name, kind=kind)


def document_of(extracted: Extracted, *, name: str, kind: str) -> Document:
    """Return what was read as a document with what it looks like.

    Raises
    ------
    Unreadable
        `empty`, `no_words`, `too_short`.
    """
    text = extracted.text
    words = words_in(text, LEAST_WORDS)
    if words == 0:
        raise Unreadable("no_words" if text.strip() else "empty")
    if words < LEAST_WORDS:
        raise Unreadable("too_short", n=LEAST_WORDS)
    classes = classes_of(text)
    notes = (*extracted.notes, *findings(text, classes))
    return Document(
        id=text_id(text),
        name=name,
        text=text,
        format=kind,
        encoding=extracted.encoding,
        language=language_of(text, classes),
        meta=dict(extracted.meta),
        notes=notes,
    )


def _bytes(source: Source) -> bytes:
    """Return the content, never more than the limit."""
    if source.path is not None:
        return file_bytes(source.path, most=MOST_BYTES)
    data = source.data or b""
    if len(data) > MOST_BYTES:
        raise Unreadable("too_large", mb=MOST_BYTES // MEGABYTE)
    return data
