"""What a caller gives, as documents: files, texts, pairs, a table. What is neither is refused.

Nothing is guessed where a guess could check something else than what was meant: a table without a
column of texts, a single string that is no file, a gap in a column are errors.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias, cast

from simhash_core import gather, read
from simhash_core.checking import formats, formats_with_advice, named_by_files
from simhash_core.errors import BadInput
from simhash_core.library import document_of_row, headed_columns, is_table, rows_of
from simhash_core.model import Document as Document
from simhash_core.model import Progress, Skipped
from simhash_core.report import one_line
from simhash_core.settings import Settings


class Frame(Protocol):
    """A table with named columns: a DataFrame of pandas, or anything that is used like one."""

    @property
    def columns(self) -> Any:
        """The names of the columns."""

    def __getitem__(self, name: Any, /) -> Any:
        """Return a column."""


Item: TypeAlias = "str | os.PathLike[str] | Document | tuple[str, str]"
#: what can be checked; a Series is an `Iterable` of texts, too
Given: TypeAlias = "str | os.PathLike[str] | Document | Mapping[str, str] | Iterable[Item] | Frame"

_LONGEST_PATH = 4096
_LONGEST_SHOWN = 60  # characters of a text in a sentence
_SHOWN = 3  # names in one sentence


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns of a table are what; None and () where the headings are to tell."""

    text: str | None = None
    name: str | None = None
    meta: Sequence[str] = ()

    def __bool__(self) -> bool:
        return bool(self.text or self.name or self.meta)


@dataclass(frozen=True, slots=True)
class Texts:
    """Documents, and what takes no part."""

    documents: tuple[Document, ...] = ()
    skipped: tuple[Skipped, ...] = ()

    @classmethod
    def of(cls, rows: Iterable[Document | Skipped]) -> Texts:
        """Sort rows into both kinds."""
        listed = list(rows)
        return cls(
            tuple(row for row in listed if isinstance(row, Document)),
            tuple(row for row in listed if isinstance(row, Skipped)),
        )


def texts_of(
    given: Given,
    columns: Columns = Columns(),
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
    progress: Progress | None = None,
    articles: bool = False,
) -> Texts:
    """Return what a caller gave as documents, of web pages with `articles` these alone.

    Raises
    ------
    BadInput
        `given_...`: what it is instead, and what to pass.
    """
    if is_frame(given):
        return Texts.of(_rows(cast(Frame, given), columns))
    if columns:
        raise BadInput("given_no_table", kind=_kind(given))
    if isinstance(given, Iterator) and not _is_file(given):
        given = list(given)
    paths = paths_of(given)
    return (
        _read(paths, settings, progress, articles=articles)
        if paths
        else Texts.of(_named(_pairs(given)))
    )


def paths_of(given: object) -> list[Path]:
    """Return the files and folders that are given; none where texts are.

    Raises
    ------
    BadInput
        `given_no_file`, `given_string`, `given_mixed`.
    """
    if isinstance(given, Mapping | Document | bytes | bytearray | memoryview) or is_frame(given):
        return []
    if isinstance(given, str | os.PathLike):
        path = _existing(given)
        if path is not None:
            return [path]
        if _is_like_a_path(given):
            raise _not_there([given])
        raise BadInput("given_string", text=shown(str(given)))
    if not isinstance(given, Iterable) or isinstance(given, Iterator):
        return []
    items = list(given)
    paths = [path for path in map(_existing, items) if path is not None]
    if 0 < len(paths) < len(items):
        raise BadInput("given_mixed", files=len(paths), n=len(items), name=str(paths[0]))
    meant = [item for item in items if _is_like_a_path(item)]
    if not paths and meant and (len(meant) == len(items) or _holds_a_path(meant)):
        raise _not_there(meant)
    return paths


def names_file(text: str) -> bool:
    """Return whether a string is, or looks like, the name of a file or folder."""
    return _existing(text) is not None or _is_like_a_path(text)


def is_frame(given: object) -> bool:
    """Return whether something has named columns."""
    return hasattr(given, "columns") and hasattr(given, "__getitem__")


# --------------------------------------------------------------------------- lists


def _is_file(given: object) -> bool:
    """Return whether something is an open file, which would be read line by line."""
    return hasattr(given, "read")


def _pairs(given: object) -> Iterator[tuple[str, Any]]:
    """Yield (name, text) of what is no file; a text without a name has a number."""
    if isinstance(given, Document):
        yield given.name, given
    elif isinstance(given, Mapping):
        yield from given.items()
    elif hasattr(given, "items") and hasattr(given, "index"):  # a Series: its labels are names
        yield from ((str(label), value) for label, value in given.items())
    elif (
        not isinstance(given, Iterable)
        or isinstance(given, bytes | bytearray | memoryview)
        or _is_file(given)
    ):
        raise BadInput("given_kind", kind=_kind(given))
    else:
        yield from ((f"text {number}", value) for number, value in enumerate(given, 1))


def _named(pairs: Iterable[tuple[Any, Any]]) -> Iterator[Document | Skipped]:
    """Yield each text as a document; a text may be a pair (name, text) itself."""
    for number, (name, value) in enumerate(pairs, 1):
        if isinstance(value, Document):
            yield value
            continue
        if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str):
            name, value = value
        yield _document(str(name), value, number=number)


def _document(
    name: str, value: object, *, number: int, meta: Mapping[str, Any] | None = None
) -> Document | Skipped:
    if is_missing(value):
        raise BadInput("given_missing", name=name, n=number)
    if isinstance(value, bytes | bytearray | memoryview):
        raise BadInput("given_bytes", name=name, n=number)
    if not isinstance(value, str):
        raise BadInput("given_value", name=name, n=number, kind=_kind(value))
    return document_of_row({**(meta or {}), "text": str(value), "name": name}, place=name)


def is_missing(value: object) -> bool:
    """Return whether a value stands for none: None, NaN, NaT, pandas.NA."""
    if isinstance(value, float):
        return math.isnan(value)
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def shown(text: str) -> str:
    """Return the beginning of a text, on one line."""
    plain = one_line(text[: 2 * _LONGEST_SHOWN])
    return plain if len(plain) <= _LONGEST_SHOWN else plain[:_LONGEST_SHOWN] + "…"


def _kind(value: object) -> str:
    """Return what a value is, as its type is called."""
    return type(value).__name__


# --------------------------------------------------------------------------- files


def _existing(item: object) -> Path | None:
    """Return the path that an item names, None where there is nothing.

    It is absolute: worker processes stand where the caller stood when they started.
    """
    if not isinstance(item, str | os.PathLike):
        return None
    plain = os.fspath(item)
    if not isinstance(plain, str) or not 0 < len(plain) <= _LONGEST_PATH or "\n" in plain:
        return None
    try:
        Path(plain).stat()
    except (OSError, ValueError):
        return None
    return Path(plain).absolute()


def _is_like_a_path(item: object) -> bool:
    """Return whether a string that names no file looks as if it were meant to."""
    if isinstance(item, os.PathLike):
        return True
    if not isinstance(item, str) or "\n" in item or len(item) > _LONGEST_PATH:
        return False
    if item.endswith(("/", os.sep)) or is_table(item):
        return True
    ending = Path(item).suffix[1:].lower()
    named = (suffix for suffixes in formats_with_advice().values() for suffix in suffixes)
    return bool(ending) and ending in (*formats(), *named)


def _holds_a_path(items: Sequence[object]) -> bool:
    return any(isinstance(item, os.PathLike) for item in items)


def _not_there(items: Sequence[Any]) -> BadInput:
    """Return the error of paths that do not exist."""
    listed = [one_line(str(os.fspath(item))) for item in items[:_SHOWN]]
    return BadInput("given_no_file", name=", ".join(listed) + (" …" if len(items) > _SHOWN else ""))


def _read(
    paths: Sequence[Path], settings: Settings, progress: Progress | None, *, articles: bool
) -> Texts:
    """Read files, folders and archives; of a table of texts, every row."""
    tables = [path for path in paths if is_table(path) and path.is_file()]
    sources, refused = gather([path for path in paths if path not in tables])
    documents, unread = read(sources, settings=settings, progress=progress, main_text=articles)
    rows = Texts.of(row for path in tables for row in rows_of(path))
    return Texts((*named_by_files(documents), *rows.documents), (*refused, *unread, *rows.skipped))


# --------------------------------------------------------------------------- tables


def _rows(frame: Frame, columns: Columns) -> Iterator[Document | Skipped]:
    """Yield each row of a table; a row without a name is called by its label."""
    heads = [str(head) for head in frame.columns]
    fields = _fields(heads, columns)
    held = {field: list(frame[frame.columns[at]]) for at, field in fields.items()}
    labels = getattr(frame, "index", range(len(held["text"])))
    names = held.pop("name", None) or [None] * len(held["text"])
    for number, (label, name, text) in enumerate(
        zip(labels, names, held.pop("text"), strict=True), 1
    ):
        called = str(label if is_missing(name) else name)
        meta = {field: column[number - 1] for field, column in held.items()}
        meta = {field: value for field, value in meta.items() if not is_missing(value)}
        yield _document(called, text, number=number, meta=meta)


def _fields(heads: Sequence[str], columns: Columns) -> dict[int, str]:
    """Return which column is which field: as the caller says, else as the headings do.

    Raises
    ------
    BadInput
        `given_no_column`; `given_columns` where no heading says which column holds the texts.
    """
    for wanted in filter(None, (columns.text, columns.name, *columns.meta)):
        if wanted not in heads:
            raise BadInput("given_no_column", name=wanted, columns=", ".join(heads))
    chosen = {heads.index(name): name for name in columns.meta}
    for field in ("text", "name"):
        if column := getattr(columns, field):
            chosen[heads.index(column)] = field
    by_head = headed_columns(heads)
    fields = chosen | {
        at: field
        for at, field in by_head.items()
        if at not in chosen and field not in chosen.values()
    }
    if "text" not in fields.values():
        raise BadInput("given_columns", columns=", ".join(heads))
    return fields
