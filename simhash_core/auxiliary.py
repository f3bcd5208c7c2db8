"""What a check is given beside its texts: class lists, tables, lists of words, patterns.

It is trusted no more than a text is. A file passes the same gate (a regular file, not too large),
and whatever is parsed is parsed in a worker, within its time and its memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from .errors import BadInput, Unreadable
from .machine.workers import TASK_SECONDS, shared_pool
from .metadata import collect_items, read_from_names, read_from_table
from .model import Document
from .policy import PATTERN_SECONDS
from .text.decode import decode
from .text.extract.plain import extract
from .text.gathering import file_bytes

MOST_BYTES = 20 * 2**20  # of one file; a class list has some kilobytes
MOST_LIST = 2 * 2**20  # of a list of words: more than any dictionary of a subject has
_SHOWN = 80  # characters of a pattern or a line that a message repeats

Item = TypeVar("Item")
Value = TypeVar("Value")


def parse_in_worker(
    source: bytes | Path, parse: Callable[[bytes], Value], *, most: int = MOST_BYTES
) -> Value:
    """Return what `parse` makes of a file, or of the bytes of an upload, in a worker.

    Parameters
    ----------
    parse
        A module-level function, or a `partial` of one.
    most
        Bytes of the file.

    Raises
    ------
    Unreadable
        With the `file`, where it is no regular file, too large, or not to be parsed within the
        time and the memory of a worker; whatever `parse` raises.
    OSError
        There is no such file.
    """
    if isinstance(source, Path):
        source.stat()  # a missing file is a mistake of the caller, not an unreadable one
    # workers of an earlier call stand in the folder of that call
    named = source.absolute() if isinstance(source, Path) else source
    try:
        return run_within(TASK_SECONDS, _parsed, (named, parse, most))
    except Unreadable as reason:
        raise reason.of_file(source.name if isinstance(source, Path) else "") from reason


def run_within(
    seconds: float, task: Callable[[Item], Value], item: Item, *, here: bool = False
) -> Value:
    """Return `task(item)` as a worker gives it; one that takes too long or too much is ended.

    `here`: it is known to end by itself, so that this process may do it, as in `WorkerPool.map`.

    Raises
    ------
    Unreadable
        `timeout`, `memory`, `crashed`; whatever the task raises.
    """
    mine = task if here else None
    (answer,) = shared_pool().map(task, [item], seconds=seconds, here=mine)
    if isinstance(answer, Unreadable):
        raise answer
    return answer


def run_pattern(
    task: Callable[[tuple[Sequence[str], str]], Value],
    names: Sequence[str],
    pattern: str,
    *,
    here: bool = False,
) -> Value:
    """Return what `task` makes of (names, pattern), within one limit for all names together.

    Raises
    ------
    BadInput
        `people_slow`: the pattern takes longer than `PATTERN_SECONDS`, or too much memory.
    """
    try:
        return run_within(PATTERN_SECONDS, task, (tuple(names), pattern), here=here)
    except Unreadable as reason:
        seconds = f"{PATTERN_SECONDS:g}"
        raise BadInput("people_slow", pattern=pattern[:_SHOWN], s=seconds) from reason


def word_list(source: bytes | Path) -> tuple[str, ...]:
    """Return the words of a list, one a line."""
    return parse_in_worker(source, _words, most=MOST_LIST)


def level_list(path: Path) -> tuple[tuple[str, int], ...]:
    """Return the rows of a list of `word<TAB>level` lines.

    Raises
    ------
    BadInput
        `levels`: a line that is none.
    """
    return parse_in_worker(path, partial(_levels, name=path.name), most=MOST_LIST)


def metadata_items(
    documents: Sequence[Document], *, pattern: str = "", table: Path | None = None
) -> list[frozenset[str]]:
    """Return the metadata items of each document: of its file, of its name, of a table.

    Raises
    ------
    BadInput
        `name_pattern`, `people_slow`, `metadata_table`.
    """
    names = [document.name for document in documents]
    rows = (
        parse_in_worker(table, partial(_rows, names=names))
        if table is not None
        else [{} for _ in names]
    )
    named = run_pattern(_name_parts, names, pattern) if pattern else [{} for _ in names]
    both = ({**by_name, **row} for by_name, row in zip(named, rows, strict=True))
    return collect_items(documents, list(both))


# --------------------------------------------------------------------------- run in a worker


def _parsed(task: tuple[bytes | Path, Callable[[bytes], Value], int]) -> Value:
    source, parse, most = task
    if isinstance(source, Path):
        return parse(file_bytes(source, most=most))
    if len(source) > most:
        raise Unreadable("too_large", mb=most // 2**20)
    return parse(source)


def _words(data: bytes) -> tuple[str, ...]:
    lines = extract(data).text.splitlines()
    return tuple(line.strip() for line in lines if line.strip())


def _levels(data: bytes, *, name: str) -> tuple[tuple[str, int], ...]:
    rows = []
    for line in _words(data):
        word, _, level = line.rpartition("\t")
        if not word or not level.isdigit():
            raise BadInput("levels", name=name, line=line[:_SHOWN])
        rows.append((word, int(level)))
    return tuple(rows)


def _rows(data: bytes, *, names: Sequence[str]) -> list[dict[str, str]]:
    """Return the row of each name, so that no other leaves the worker."""
    return read_from_table(decode(data).text, names)


def _name_parts(task: tuple[Sequence[str], str]) -> list[dict[str, str]]:
    return read_from_names(*task)
