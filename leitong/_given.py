"""What a caller gives, as documents: files, texts, pairs, a table. What is neither is refused.

Nothing is guessed where a guess could check something else than what was meant: a table without a
column of texts and a single string that is no file are errors. No message holds a text.
"""

from __future__ import annotations

import glob
import itertools
import os
import re
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeAlias, cast

from simhash_core.checking import Source, TextReader, formats, formats_with_advice, gather, read
from simhash_core.errors import BadInput
from simhash_core.library import arrow_rows, document_of_row, headed_columns, is_table, rows_of
from simhash_core.model import Document as Document
from simhash_core.model import Note, Progress, Skipped
from simhash_core.report import one_line
from simhash_core.settings import Settings


class Frame(Protocol):
    """A table with named columns: of pandas, Polars, Arrow, DuckDB, or used like one of these."""

    @property
    def columns(self) -> object:
        """The names of the columns."""


_Record: TypeAlias = "Mapping[str, object] | Mapping[Hashable, object]"
Item: TypeAlias = "str | os.PathLike[str] | Document | tuple[Hashable, str | None] | _Record | None"
#: what can be checked; a Series is an `Iterable` of texts, too
Given: TypeAlias = (
    "str | os.PathLike[str] | Document | Mapping[Any, str | None] | Iterable[Item] | Frame"
)
#: column of a table by what it holds: text, name, or metadata under its own name
Fields = Mapping[str, str]

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
    """What a caller calls a text, as it was given, and its row among what was given, from 0."""

    label: Hashable
    row: int


def choose_fields(text: str | None, name: str | None, meta: Sequence[str]) -> Fields:
    """Return the columns that a caller chose; none where the headings are to tell."""
    chosen = {**{column: column for column in meta}, "text": text, "name": name}
    return {field: column for field, column in chosen.items() if column}


@dataclass(frozen=True, slots=True)
class Texts:
    """Documents, the key of each, and what takes no part."""

    documents: tuple[Document, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    keys: tuple[Key, ...] = ()


def keys_of(documents: Iterable[Document], *given: Texts) -> tuple[Key, ...]:
    """Return the key of each document of a result: some were skipped, some come from a library.

    Rows are counted through all that was given, and then through what a library gave out. Of
    documents with the same name and text the first that was given is the first of the result.
    """
    waiting: dict[tuple[str, str], deque[Key]] = {}
    before = 0
    for texts in given:
        for document, key in zip(texts.documents, texts.keys, strict=True):
            counted = key._replace(row=before + key.row)
            waiting.setdefault((document.name, document.id), deque()).append(counted)
        before += len(texts.documents) + len(texts.skipped)
    further = itertools.count(before)
    return tuple(
        held.popleft()
        if (held := waiting.get((one.name, one.id)))
        else Key(one.name, next(further))
        for one in documents
    )


def texts_of(
    given: Given,
    columns: Fields = MappingProxyType({}),
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
    rows, paths = _rows_or_paths(given, columns)
    if paths:
        return _read(paths, columns, settings, progress, articles=articles)
    return _texts_of_rows(rows, settings, articles=articles)


def bare_texts_of(
    given: Given, columns: Fields, progress: Progress | None
) -> tuple[list[tuple[Key, str]], Callable[[int], str]]:
    """Return key and name of each text, and what reads one by its row; raises as `texts_of`.

    Plain files are read whenever their texts are asked for. What is unreadable is an empty text.
    """
    found, paths = _rows_or_paths(given, columns)
    rows, sources = list(found), list[Source]()
    if paths:
        sources, listed, refused = _gather(paths, columns)
        if not (sources or listed or refused):
            raise BadInput("given_nothing")
        of_tables = ((one.name, one if isinstance(one, Document) else None) for one in listed)
        rows = [(name, name, document, {}) for name, document in of_tables]
    elif not rows or all(is_missing(row[2]) for row in rows):
        raise BadInput("given_missing" if rows else "given_nothing", n=len(rows))
    pages = _read_pages([row[2] for row in rows], Settings(), articles=False)
    texts = list[str]()
    for at, (_, name, value, _) in enumerate(rows):
        if not isinstance(value, str) or at in pages:
            one = pages.get(at) or _document(name, value, number=at + 1, meta={})
            value = getattr(one, "text", "")
        texts.append(value)
    reader, pages_of_files = TextReader(sources, progress=progress), dict[int, str]()

    def text_of(row: int) -> str:
        if row >= len(sources):
            return texts[row - len(sources)]
        text = reader.read_text(row)
        if not is_html(text):
            return text
        if row not in pages_of_files:
            page = _read_pages([text], Settings(), articles=False)[0]
            pages_of_files[row] = page.text if isinstance(page, Document) else ""
        return pages_of_files[row]

    called = [(one.name, one.name) for one in sources] + [(row[0], str(row[1])) for row in rows]
    return [(Key(key, at), name) for at, (key, name) in enumerate(called)], text_of


def _rows_or_paths(given: Given, columns: Fields) -> tuple[Iterable[_Row], list[Path]]:
    """Return the rows of what is no file, or the files and folders that are given."""
    given = _plain(given)
    if is_frame(given):
        return _rows(given, columns), []
    paths = paths_of(given)
    if columns and not any(map(_is_table_file, paths)):
        raise BadInput("given_no_table", kind=_kind(given))
    return ((), paths) if paths else (_pairs(given), [])


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
    return given


# --------------------------------------------------------------------------- lists


def _is_file(given: object) -> bool:
    """Return whether something is an open file, which would be read line by line."""
    return hasattr(given, "read")


#: the key of a text, what it is called, the text before it is known what it is, its metadata
_Row = tuple[Hashable, Hashable, Any, Mapping[str, Any]]


def _pairs(given: object) -> Iterator[_Row]:
    """Yield each text of what is no file; one without a name has a number."""
    if isinstance(given, Document):
        yield given.name, given.name, given, {}
    elif isinstance(given, Mapping) or (hasattr(given, "items") and hasattr(given, "index")):
        yield from ((key, key, value, {}) for key, value in given.items())  # of a Series: labels
    elif (
        not isinstance(given, Iterable)
        or isinstance(given, bytes | bytearray | memoryview)
        or _is_file(given)
    ):
        raise BadInput("given_kind", kind=_kind(given))
    else:
        for number, value in enumerate(given, 1):
            if isinstance(value, tuple) and len(value) == 2 and _is_key(value[0]):
                yield value[0], value[0], value[1], {}
            elif isinstance(value, Document):
                yield value.name, value.name, value, {}
            else:
                yield number - 1, f"text {number}", value, {}


def _is_key(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return not isinstance(value, Document)


def _texts_of_rows(rows: Iterable[_Row], settings: Settings, *, articles: bool) -> Texts:
    """Return rows as documents, and what takes no part.

    Raises
    ------
    BadInput
        `given_missing`: there is a place for each text, and no text.
    """
    listed = list(rows)
    pages = _read_pages([row[2] for row in listed], settings, articles=articles)
    kept: list[tuple[Key, Document]] = []
    skipped: list[Skipped] = []
    for at, (key, name, value, meta) in enumerate(listed):
        one = _document(name, value, number=at + 1, meta=meta)
        if page := pages.get(at):
            kept_meta = one.meta if isinstance(one, Document) else {}
            one = replace(page, name=one.name)
            if isinstance(one, Document):
                notes = (Note("html_text"), *one.notes)
                one = replace(one, meta={**one.meta, **kept_meta}, notes=notes)
        if isinstance(one, Document):
            kept.append((Key(key, at), one))
        else:
            skipped.append(one)
    if skipped and not kept and all(row.code == "missing" for row in skipped):
        raise BadInput("given_missing", n=len(skipped))
    return Texts(tuple(one for _, one in kept), tuple(skipped), tuple(key for key, _ in kept))


def _document(
    name: Hashable, value: object, *, number: int, meta: Mapping[str, Any]
) -> Document | Skipped:
    called = one_line(str(name))
    if isinstance(value, Document):
        return value
    if is_missing(value):
        return Skipped(called, "missing")
    if len(called) > _LONGEST_SHOWN:  # may be the text, where pairs are the other way round
        called = f"text {number}"
    if isinstance(value, bytes | bytearray | memoryview):
        raise BadInput("given_bytes", name=called, n=number)
    if not isinstance(value, str):
        raise BadInput("given_value", name=called, n=number, kind=_kind(value))
    row = document_of_row({**meta, "text": str(value), "name": name}, place=str(name))
    if isinstance(row, Document) and not is_html(value):
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


def _read_pages(
    values: Iterable[object], settings: Settings, *, articles: bool
) -> dict[int, Document | Skipped]:
    """Return what is HTML by its place, read as files of it are: without what is hidden."""
    # the mark of byte order tells the encoding, whatever the page says of itself
    sources = {
        at: Source(f"{at}.html", data=value.encode("utf-8-sig", "replace"))
        for at, value in enumerate(values)
        if isinstance(value, str) and is_html(value)
    }
    if not sources:
        return {}
    documents, skipped = read(list(sources.values()), settings=settings, main_text=articles)
    found: dict[str, Document | Skipped] = {one.name: one for one in documents}
    found |= {one.name: one for one in skipped}
    return {at: found[source.name] for at, source in sources.items()}


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
    columns: Fields,
    settings: Settings,
    progress: Progress | None,
    *,
    articles: bool,
) -> Texts:
    """Read files, folders and archives; of a table of texts, every row."""
    from simhash_core.people import name_unnamed  # and with it patterns of names

    sources, rows, refused = _gather(paths, columns)
    documents, unread = read(sources, settings=settings, progress=progress, main_text=articles)
    listed = list(enumerate((*name_unnamed(documents), *rows)))
    held = [(at, row) for at, row in listed if isinstance(row, Document)]
    left = (*refused, *unread, *(row for _, row in listed if isinstance(row, Skipped)))
    keys = tuple(Key(one.name, at) for at, one in held)
    return Texts(tuple(one for _, one in held), left, keys)


def _gather(
    paths: Sequence[Path], columns: Fields
) -> tuple[list[Source], list[Document | Skipped], list[Skipped]]:
    """Return what is to be read of some paths, the rows of tables of texts, and what is refused."""
    tables = [path for path in paths if _is_table_file(path)]
    sources, refused = gather([path for path in paths if path not in tables])
    choose = (lambda heads: _fields(heads, columns)) if columns else None
    return sources, [row for path in tables for row in rows_of(path, choose=choose)], refused


# --------------------------------------------------------------------------- tables


def _rows(frame: Any, columns: Fields) -> Iterator[_Row]:
    """Yield each row of a table; a row without a name is called by its label."""
    records = isinstance(frame, list | tuple)
    heads = list(dict.fromkeys(h for row in frame for h in row) if records else frame.columns)
    fields = _fields(list(map(str, heads)), columns)

    def cells(at: int) -> list[Any]:
        if records:
            return [row.get(heads[at]) for row in frame]
        # by its place: two columns may have one heading
        return list(frame.iloc[:, at] if hasattr(frame, "iloc") else frame[heads[at]])

    held = {field: cells(at) for at, field in fields.items()}
    count = len(held["text"])
    labels = getattr(frame, "index", ()) if hasattr(frame, "iloc") else range(count)
    names = held.pop("name", None) or [None] * count
    for place, (label, name, text) in enumerate(zip(labels, names, held.pop("text"), strict=True)):
        key = label if is_missing(name) or not _is_key(name) else name
        meta = {field: column[place] for field, column in held.items()}
        yield key, key, text, {one: cell for one, cell in meta.items() if not is_missing(cell)}


def _fields(heads: Sequence[str], columns: Fields) -> dict[int, str]:
    """Return which column is which field: as the caller says, else as the headings do.

    Raises
    ------
    BadInput
        `given_no_column`; `given_columns` where no heading says which column holds the texts.
    """
    for wanted in columns.values():
        if wanted not in heads:
            raise BadInput("given_no_column", name=shown(str(wanted)), columns=_list_heads(heads))
    chosen = {heads.index(column): field for field, column in columns.items()}
    fields = chosen | {
        at: field
        for at, field in headed_columns(heads).items()
        if at not in chosen and field not in chosen.values()
    }
    if "text" not in fields.values():
        raise BadInput("given_columns", columns=_list_heads(heads))
    return fields


def _list_heads(heads: Sequence[str]) -> str:
    """Return headings for a sentence; a first row of texts in their place is not repeated."""
    more = " …" if len(heads) > _COLUMNS_SHOWN else ""
    return ", ".join(map(shown, heads[:_COLUMNS_SHOWN])) + more
