"""What a caller gives, as documents: files, texts, pairs, a table. What is neither is refused.

Nothing is guessed where a guess could check something else than what was meant: a table without a
column of texts and a single string that is no file are errors. No message holds a text.
"""

from __future__ import annotations

import glob
import os
import re
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias, cast

from simhash_core import gather, read
from simhash_core.checking import Source, formats, formats_with_advice
from simhash_core.errors import BadInput
from simhash_core.library import arrow_rows, document_of_row, headed_columns, is_table, rows_of
from simhash_core.model import Document as Document
from simhash_core.model import Note, Progress, Skipped
from simhash_core.people import name_unnamed
from simhash_core.report import one_line
from simhash_core.settings import Settings


class Frame(Protocol):
    """A table with named columns: a DataFrame of pandas, or anything that is used like one."""

    @property
    def columns(self) -> Any:
        """The names of the columns."""

    def __getitem__(self, name: Any, /) -> Any:
        """Return a column."""


Item: TypeAlias = "str | os.PathLike[str] | Document | tuple[Hashable, str] | Mapping[str, Any]"
#: what can be checked; a Series is an `Iterable` of texts, too
Given: TypeAlias = "str | os.PathLike[str] | Document | Mapping[Any, str] | Iterable[Item] | Frame"

_LONGEST_PATH = 4096
_LONGEST_SHOWN = 60  # characters of a text in a sentence
_SHOWN = 3  # names in one sentence
_COLUMNS_SHOWN = 20  # in one sentence

# A text is HTML where it says so, or where it begins and ends with a tag and holds blocks: an
# article about HTML begins and ends with words.
_PAGE = re.compile(
    r"(?is)(?:<!--.{0,2000}?-->|<\?xml[^>]{0,200}>)?\s{0,99}<(?:!doctype html|html|head|body)\b"
)
_BLOCK_ENDS = re.compile(r"(?i)</(?:p|div|li|ul|ol|h[1-6]|table|tr|section|article|main|span)>")
_FEWEST_BLOCKS = 2
# Other tags count as text, and that is said where they are this many and this share of it.
_TAG = re.compile(
    r"(?i)</?(?:p|br|div|span|a|li|ul|ol|h[1-6]|table|t[rdh]|img|b|i|em|strong|blockquote)"
    r"(?:\s[^<>]{0,300})?/?>"
)
_FEWEST_TAGS, _SHARE_OF_TAGS = 5, 0.03


class Key(NamedTuple):
    """What a caller calls a text, as it was given, and its place among what was given.

    `place` counts from 0; it is -1 of files and of references.
    """

    label: Hashable
    place: int = -1


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
    """Documents, the key of each, and what takes no part."""

    documents: tuple[Document, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    keys: tuple[Key, ...] = ()

    @classmethod
    def of(cls, rows: Iterable[tuple[Key, Document | Skipped]]) -> Texts:
        """Sort rows into both kinds.

        Raises
        ------
        BadInput
            `given_missing`: there is a place for each text, and no text.
        """
        listed = list(rows)
        kept = [(key, row) for key, row in listed if isinstance(row, Document)]
        skipped = tuple(row for _, row in listed if isinstance(row, Skipped))
        if skipped and not kept and all(row.code == "missing" for row in skipped):
            raise BadInput("given_missing", n=len(skipped))
        return cls(tuple(row for _, row in kept), skipped, tuple(key for key, _ in kept))


def keys_of(documents: Iterable[Document], *given: Texts) -> tuple[Key, ...]:
    """Return the key of each document of a result: some were skipped, some come from a library.

    Of documents with the same name and text the first that was given is the first of the result.
    """
    waiting: dict[tuple[str, str], deque[Key]] = {}
    for texts in given:
        for document, key in zip(texts.documents, texts.keys, strict=True):
            waiting.setdefault((document.name, document.id), deque()).append(key)
    return tuple(
        held.popleft() if (held := waiting.get((one.name, one.id))) else Key(one.name)
        for one in documents
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
    given = _plain(given)
    if is_frame(given):
        rows = _rows(cast(Frame, given), columns)
        return Texts.of(_with_pages(rows, settings, articles=articles))
    paths = paths_of(given)
    if columns and not any(map(_is_table_file, paths)):
        raise BadInput("given_no_table", kind=_kind(given))
    if paths:
        return _read(paths, columns, settings, progress, articles=articles)
    return Texts.of(_with_pages(_name_rows(_pairs(given)), settings, articles=articles))


def takes_columns(given: object) -> bool:
    """Return whether `text`, `name` and `meta` can choose columns of what is given."""
    return (isinstance(given, str | os.PathLike) and is_table(os.fspath(given))) or is_frame(given)


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
        found = _find(given) or _matching(given)
        if found:
            return found
        if _is_like_a_path(given):
            raise _not_there([given])
        raise BadInput("given_string", text=shown(str(given)))
    if _is_file(given):
        return _find(given)
    if not isinstance(given, Iterable) or isinstance(given, Iterator):
        return []
    items = list(given)
    named = [_find(item) or (_matching(item) if _is_like_a_path(item) else []) for item in items]
    paths = [path for found in named for path in found]
    files = sum(map(bool, named))
    if 0 < files < len(items):
        raise BadInput("given_mixed", files=files, n=len(items), name=str(paths[0]))
    meant = [item for item in items if _is_like_a_path(item)]
    is_path = any(isinstance(item, os.PathLike) for item in meant)
    if not paths and meant and (len(meant) == len(items) or is_path):
        raise _not_there(meant)
    return paths


def names_file(text: str) -> bool:
    """Return whether a string is, or looks like, the name of a file or folder."""
    return bool(_find(text)) or _is_like_a_path(text)


def is_frame(given: object) -> bool:
    """Return whether something has named columns."""
    if _gives_rows(given):
        return True
    if isinstance(given, list | tuple):
        return bool(given) and isinstance(given[0], Mapping)
    return hasattr(given, "columns") and hasattr(given, "__getitem__")


# --------------------------------------------------------------------------- other packages


class _Records:
    """Rows by their columns, used like a DataFrame; what a row does not have is None."""

    def __init__(self, rows: Sequence[Mapping[Any, Any]]) -> None:
        self.columns = list(dict.fromkeys(head for row in rows for head in row))
        self._rows = rows

    def __getitem__(self, name: Any, /) -> list[Any]:
        return [row.get(name) for row in self._rows]


def _is_lazy(given: object) -> bool:
    """Return whether something is a LazyFrame of polars; a DataFrame cannot be collected."""
    return hasattr(given, "collect_schema") and hasattr(given, "collect")


def _gives_rows(given: object) -> bool:
    """Return whether something is a table of another package: Arrow, a lazy one, a query."""
    return (
        _is_lazy(given)
        or (hasattr(given, "to_pylist") and hasattr(given, "column_names"))
        or (hasattr(given, "fetchall") and hasattr(given, "description"))
        or (hasattr(given, "__arrow_c_stream__") and not hasattr(given, "__getitem__"))
    )


def _plain(given: Any) -> Any:
    """Return what other packages hold as a table, a list or a mapping; the rest as it is.

    They are known by what they can do, so that none of them is imported.
    """
    if _is_lazy(given):
        given = given.collect()
    if hasattr(given, "to_pylist"):  # Table, ChunkedArray, RecordBatch
        given = given.to_pylist()
    elif hasattr(given, "fetchall") and hasattr(given, "description"):  # of a database
        heads = [column[0] for column in given.description or ()]
        given = [dict(zip(heads, row, strict=True)) for row in given.fetchall()]
    elif hasattr(given, "__arrow_c_stream__") and not hasattr(given, "__getitem__"):
        given = arrow_rows(given)
    if isinstance(given, Iterator) and not _is_file(given):
        given = list(given)
    if isinstance(given, list | tuple) and given and isinstance(given[0], Mapping):
        for number, one in enumerate(given, 1):
            if not isinstance(one, Mapping):
                raise BadInput("given_value", name=f"text {number}", n=number, kind=_kind(one))
        return _Records(given)
    return given


# --------------------------------------------------------------------------- lists


def _is_file(given: object) -> bool:
    """Return whether something is an open file, which would be read line by line."""
    return hasattr(given, "read")


def _pairs(given: object) -> Iterator[tuple[Hashable, Hashable, Any]]:
    """Yield (key, name, text) of what is no file; a text without a name has a number."""
    if isinstance(given, Document):
        yield given.name, given.name, given
    elif isinstance(given, Mapping):
        yield from ((key, key, value) for key, value in given.items())
    elif hasattr(given, "items") and hasattr(given, "index"):  # a Series: its labels are names
        yield from ((label, label, value) for label, value in given.items())
    elif (
        not isinstance(given, Iterable)
        or isinstance(given, bytes | bytearray | memoryview)
        or _is_file(given)
    ):
        raise BadInput("given_kind", kind=_kind(given))
    else:
        for number, value in enumerate(given, 1):
            if isinstance(value, tuple) and len(value) == 2 and _is_key(value[0]):
                yield value[0], value[0], value[1]
            else:
                yield number - 1, f"text {number}", value


#: a text before it is known what it is
_Row = tuple[Key, "Document | Skipped | _Page"]


def _name_rows(given: Iterable[tuple[Hashable, Hashable, Any]]) -> Iterator[_Row]:
    """Yield each text as a document."""
    for place, (key, name, value) in enumerate(given):
        if isinstance(value, Document):
            yield Key(value.name if isinstance(key, int) else key, place), value
        else:
            yield Key(key, place), _document(name, value, number=place + 1)


def _is_key(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return not isinstance(value, Document)


@dataclass(frozen=True, slots=True)
class _Page:
    """A text that is HTML."""

    name: str
    text: str
    meta: Mapping[str, Any]


def _document(
    name: Hashable, value: object, *, number: int, meta: Mapping[str, Any] | None = None
) -> Document | Skipped | _Page:
    called = one_line(str(name))
    if is_missing(value):
        return Skipped(called, "missing")
    if len(called) > _LONGEST_SHOWN:  # may be the text, where pairs are the other way round
        called = f"text {number}"
    if isinstance(value, bytes | bytearray | memoryview):
        raise BadInput("given_bytes", name=called, n=number)
    if not isinstance(value, str):
        raise BadInput("given_value", name=called, n=number, kind=_kind(value))
    row = document_of_row({**(meta or {}), "text": str(value), "name": name}, place=str(name))
    if is_html(value):
        kept = row.meta if isinstance(row, Document) else {}
        return _Page(row.name, value, kept)
    if isinstance(row, Document):
        tags = _TAG.findall(value)
        if len(tags) >= _FEWEST_TAGS and sum(map(len, tags)) >= _SHARE_OF_TAGS * len(value):
            return replace(row, notes=(*row.notes, Note("html_tags", {"n": len(tags)})))
    return row


def is_html(text: str) -> bool:
    """Return whether a text is a page or a piece of one, and not one about HTML."""
    bare = text.strip()
    if _PAGE.match(bare):
        return True
    if not (bare.startswith("<") and bare.endswith(">")):
        return False
    return len(_BLOCK_ENDS.findall(bare)) >= _FEWEST_BLOCKS


def _with_pages(
    rows: Iterable[_Row], settings: Settings, *, articles: bool
) -> Iterator[tuple[Key, Document | Skipped]]:
    """Yield each row; HTML is read as files of it are, by a worker, without what is hidden."""
    listed = list(rows)
    pages = {f"{at}.html": row for at, (_, row) in enumerate(listed) if isinstance(row, _Page)}
    # the mark of byte order tells the encoding, whatever the page says of itself
    sources = [
        Source(name, data=page.text.encode("utf-8-sig", "replace")) for name, page in pages.items()
    ]
    texts = read(sources, settings=settings, main_text=articles) if pages else ([], [])
    found: dict[str, Document | Skipped] = {}
    for kind in texts:
        found |= {one.name: one for one in kind}
    for at, (key, row) in enumerate(listed):
        if not isinstance(row, _Page):
            yield key, row
            continue
        made = found[f"{at}.html"]
        if isinstance(made, Document):
            notes = (Note("html_text"), *made.notes)
            yield key, replace(made, name=row.name, meta={**made.meta, **row.meta}, notes=notes)
        else:
            yield key, replace(made, name=row.name)


def is_missing(value: object) -> bool:
    """Return whether a value stands for none: None, NaN of any kind, NaT, pandas.NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, str | Document):
        return False
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # an array has many answers
        return False


def shown(text: str) -> str:
    """Return the beginning of a text, on one line."""
    plain = one_line(text[: 2 * _LONGEST_SHOWN])
    return plain if len(plain) <= _LONGEST_SHOWN else plain[:_LONGEST_SHOWN] + "…"


def _kind(value: object) -> str:
    """Return what a value is, as its type is called."""
    return type(value).__name__


# --------------------------------------------------------------------------- files


def _find(item: object) -> list[Path]:
    """Return the path that an item names, none where there is nothing; an open file has a name.

    It is absolute: worker processes stand where the caller stood when they started.
    """
    if _is_file(item):
        item = getattr(item, "name", None)
    if not isinstance(item, str | os.PathLike):
        return []
    plain = os.fspath(item)
    if not isinstance(plain, str) or not 0 < len(plain) <= _LONGEST_PATH or "\n" in plain:
        return []
    for path in (Path(plain), *([Path(os.path.expanduser(plain))] if plain[0] == "~" else [])):  # noqa: PTH111
        try:
            path.stat()
        except (OSError, ValueError):
            continue
        return [path.absolute()]
    return []


def _matching(item: object) -> list[Path]:
    """Return the files that a pattern names, such as csv/*.csv."""
    plain = os.fspath(cast("str | os.PathLike[str]", item))
    if len(plain) > _LONGEST_PATH or "\n" in plain or not glob.has_magic(plain):
        return []
    names = glob.glob(os.path.expanduser(plain), recursive=True)  # noqa: PTH111, PTH207
    return [Path(name).absolute() for name in sorted(names)]


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


def _not_there(items: Sequence[Any]) -> BadInput:
    """Return the error of paths that do not exist."""
    listed = [one_line(str(os.fspath(item))) for item in items[:_SHOWN]]
    return BadInput("given_no_file", name=", ".join(listed) + (" …" if len(items) > _SHOWN else ""))


def _is_table_file(path: Path) -> bool:
    return is_table(path) and path.is_file()


def _read(
    paths: Sequence[Path],
    columns: Columns,
    settings: Settings,
    progress: Progress | None,
    *,
    articles: bool,
) -> Texts:
    """Read files, folders and archives; of a table of texts, every row."""
    tables = [path for path in paths if _is_table_file(path)]
    sources, refused = gather([path for path in paths if path not in tables])
    documents, unread = read(sources, settings=settings, progress=progress, main_text=articles)
    choose = (lambda heads: _fields(heads, columns)) if columns else None
    rows = [row for path in tables for row in rows_of(path, choose=choose)]
    held = (*name_unnamed(documents), *(row for row in rows if isinstance(row, Document)))
    left = (row for row in rows if isinstance(row, Skipped))
    keys = tuple(Key(document.name) for document in held)
    return Texts(held, (*refused, *unread, *left), keys)


# --------------------------------------------------------------------------- tables


def _rows(frame: Frame, columns: Columns) -> Iterator[_Row]:
    """Yield each row of a table; a row without a name is called by its label."""
    fields = _fields([str(head) for head in frame.columns], columns)
    held = {  # by their places: two columns may have one heading
        field: list(frame.iloc[:, at] if hasattr(frame, "iloc") else frame[frame.columns[at]])
        for at, field in fields.items()
    }
    labels = getattr(frame, "index", range(len(held["text"])))
    names = held.pop("name", None) or [None] * len(held["text"])
    for place, (label, name, text) in enumerate(zip(labels, names, held.pop("text"), strict=True)):
        key = label if is_missing(name) or not _is_key(name) else name
        meta = {field: column[place] for field, column in held.items()}
        meta = {field: value for field, value in meta.items() if not is_missing(value)}
        yield Key(key, place), _document(key, text, number=place + 1, meta=meta)


def _fields(heads: Sequence[str], columns: Columns) -> dict[int, str]:
    """Return which column is which field: as the caller says, else as the headings do.

    Raises
    ------
    BadInput
        `given_no_column`; `given_columns` where no heading says which column holds the texts.
    """
    for wanted in filter(None, (columns.text, columns.name, *columns.meta)):
        if wanted not in heads:
            raise BadInput("given_no_column", name=shown(str(wanted)), columns=_list_heads(heads))
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
        raise BadInput("given_columns", columns=_list_heads(heads))
    return fields


def _list_heads(heads: Sequence[str]) -> str:
    """Return headings for a sentence; a first row of texts in their place is not repeated."""
    more = " …" if len(heads) > _COLUMNS_SHOWN else ""
    return ", ".join(map(shown, heads[:_COLUMNS_SHOWN])) + more
