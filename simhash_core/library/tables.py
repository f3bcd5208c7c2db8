"""Tables of texts: CSV, JSON and Parquet with columns title, author, date, url and text.

A table is read row by row, so that its size does not matter; Parquet is read in limited processes.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import importlib.util
import io
import itertools
import json
import re
import stat
import unicodedata
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from pathlib import Path, PurePath, PurePosixPath
from typing import Any, BinaryIO

from ..errors import BadInput, Unreadable
from ..machine.workers import shared_pool
from ..model import Document, Skipped
from ..text.decode import decode
from ..text.extract.extracted import MOST_CHARACTERS, Extracted, drop_empty, limit_length
from ..text.gathering import MEGABYTE, MOST_BYTES
from ..text.reading import document_of

#: suffix without the dot -> what expands such a file; both read files of many parts as one
_OPENERS: dict[str, Callable[[BinaryIO], Any]] = {"gz": gzip.open, "bz2": bz2.open}
#: what reading a broken one raises
BROKEN = (OSError, EOFError, zlib.error)
#: suffix without the dot -> format
TABLES = {
    **dict.fromkeys(("csv", "tsv"), "csv"),
    **dict.fromkeys(("jsonl", "ndjson", "json"), "jsonl"),
    "parquet": "parquet",
}
_ID = "#"  # field of what a table calls a row; a caller may call a column of metadata id
#: column -> its headings, folded and without blanks
_HEADINGS: Mapping[str, tuple[str, ...]] = {
    "text": (
        *("text", "body", "content", "article", "fulltext"),
        *("正文", "内容", "內容", "文本", "全文"),
    ),
    "title": ("title", "headline", "heading", "标题", "標題", "题目", "题名"),
    "author": ("author", "authors", "byline", "creator", "作者", "记者", "記者", "姓名"),
    "date": (
        *("date", "published", "publishedat", "publicationdate", "pubdate"),
        *("日期", "发布日期", "发布时间", "發布時間", "时间"),
    ),
    "site": (
        *("site", "source", "publisher", "newspaper", "paper", "outlet"),
        *("媒体", "媒體", "报纸", "報紙", "报刊", "来源", "來源"),
    ),
    "url": ("url", "link", "address", "链接", "連結", "网址", "網址"),
    "name": ("name", "file", "filename", "文件", "文件名", "檔名"),
    _ID: ("id", "articleid", "docid", "编号", "編號"),
    "class_name": ("class", "班级", "班級"),
    "group": ("group", "section", "栏目", "小组"),
}
_SAMPLE = 2**20  # bytes that show the encoding
_MOST_LINE = 4 * MOST_CHARACTERS  # characters between two line ends
_WINDOW_ROWS, _WINDOW_BYTES = 20_000, 32 * 2**20  # of Parquet in one answer, whichever is first
_RECORDS = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\[\s*\{|\{[^\n]*\}\s*\n\s*\{)")
_MARKS = ",;\t，"

#: one row by its columns, as the file has it
Row = Mapping[str, Any]
#: headings of a table -> which column is which field
Choose = Callable[[Sequence[str]], dict[int, str]]
#: a row, and which share of the table was read up to it
Placed = tuple[Row, float]


@dataclass(frozen=True, slots=True)
class Entry:
    """One text of a file that holds many.

    Attributes
    ----------
    number : int
        Place in the file, from 1.
    share : float
        How much of the file was read up to it, 0 to 1.
    content : Document, Skipped or None
        None for what is no text and has no name either, such as a redirect of a wiki.
    """

    number: int
    share: float
    content: Document | Skipped | None


def is_table(path: str | Path) -> bool:
    """Whether a file is a table of texts by its name, compressed (.gz, .bz2) or not.

    Of JSON, which holds anything, one that begins as records do.
    """
    kind = TABLES.get(plain_suffix(path), "")
    if plain_suffix(path) == "json":
        try:
            with open_expanded(Path(path)) as (file, _):
                return bool(_RECORDS.match(file.read(_SAMPLE)))
        except BROKEN:
            return False
    return bool(kind) and not (kind == "parquet" and packing_of(path))


def rows_of(path: Path, *, choose: Choose | None = None) -> Iterator[Document | Skipped]:
    """Yield each row of a table as a document, or why it is none.

    A row is called by its column `name`, otherwise by the file, its id or number, and its title.
    Without `choose` the headings say which column is which.

    Raises as `table_entries`.
    """
    for entry in table_entries(path, choose=choose):
        if entry.content is not None:
            yield entry.content


def table_entries(path: Path, *, after: int = 0, choose: Choose | None = None) -> Iterator[Entry]:
    """Yield the rows of a table behind row `after`, as `rows_of` does.

    Raises
    ------
    BadInput
        `table_columns` without a column of texts; `table_damaged`; `table_parquet` where the
        extra `library` is not installed.
    Unreadable
        `special`: no regular file.
    OSError
    """
    if not stat.S_ISREG(path.stat().st_mode):  # a pipe would wait for who writes to it
        raise Unreadable("special").of_file(path.name)
    kind = TABLES[plain_suffix(path)]
    choose = choose or partial(named_columns, file=path.name)
    rows = {"csv": _csv, "jsonl": _json_rows, "parquet": _parquet}[kind](path, choose)
    numbered = enumerate(rows, start=1)
    try:
        for number, (row, share) in itertools.islice(numbered, after, None):
            place = f"{path.name}#{_plain(row.get(_ID)) or number}"
            yield Entry(number, share, document_of_row(row, place=place))
    except BROKEN as error:
        if not packing_of(path):
            raise
        raise BadInput("table_damaged", name=path.name) from error


def document_of_row(row: Row, *, place: str) -> Document | Skipped:
    """Return the document of a row, or why there is none. `place` names a row without a name."""
    fields = {name: _plain(value) for name, value in row.items() if name != _ID}
    name = fields.pop("name", "") or " ".join(filter(None, (place, fields.get("title", "")[:80])))
    text = fields.pop("text", "")
    try:
        whole = Extracted(limit_length(text), meta=drop_empty(**fields))
        return document_of(whole, name=name, kind="txt")
    except Unreadable as reason:
        return Skipped(name, reason.code, reason.params)


def named_columns(columns: Sequence[str], *, file: str) -> dict[int, str]:
    """Return which column of a table is which field.

    Raises
    ------
    BadInput
        `table_columns`: none of them holds texts.
    """
    named = headed_columns(columns)
    if "text" not in named.values():
        raise BadInput("table_columns", name=file, columns=", ".join(columns)[:200])
    return named


def headed_columns(columns: Sequence[str]) -> dict[int, str]:
    """Return which columns are fields of a text by their headings, Chinese or English."""
    named: dict[int, str] = {}
    for at, title in enumerate(columns):
        plain = "".join(unicodedata.normalize("NFKC", title).casefold().split())
        plain = plain.replace("_", "").replace("-", "").removeprefix("\ufeff")
        for field, titles in _HEADINGS.items():
            if plain in titles and field not in named.values():
                named[at] = field
    return named


def details_of(path: Path) -> dict[str, dict[str, str]]:
    """Return what a CSV or TSV says of texts that lie elsewhere: by name, or by id.

    The column that names the text is `name`, `file` or `id` (sha-256 of the text), else the first;
    the others are fields by their headings. A name counts with and without folder and suffix.

    Raises
    ------
    BadInput
        `metadata_table`: no CSV, or no column that is a field; `table_damaged`.
    OSError
    """
    if not is_table(path) or TABLES[plain_suffix(path)] != "csv":
        raise BadInput("metadata_table", columns=0)
    with _open_csv(path) as (columns, rows, _):
        fields = headed_columns(columns)
        named = [at for at, field in fields.items() if field == "name"]
        named += [at for at, title in enumerate(columns) if title.strip().casefold() == "id"]
        key = named[0] if named else 0
        described = {
            at: field for at, field in fields.items() if at != key and field not in ("text", _ID)
        }
        if not described:
            raise BadInput("metadata_table", columns=len(columns))
        details = {}
        for cells in rows:
            if len(cells) > key:
                held = {described[at]: cells[at].strip() for at in described if at < len(cells)}
                details[cells[key].strip()] = drop_empty(**held)
    return details


def describes(path: Path) -> bool:
    """Whether a CSV or TSV says something of texts that lie elsewhere: it has none itself."""
    if not is_table(path) or TABLES[plain_suffix(path)] != "csv":
        return False
    with _open_csv(path) as (columns, _, _):
        fields = {*headed_columns(columns).values()} - {_ID}
    return "text" not in fields and "name" in fields and len(fields) > 1


def detail_of(document: Document, details: Mapping[str, Mapping[str, str]]) -> Mapping[str, str]:
    """Return what a table says of a text: by id, name, or name without folder or suffix."""
    path = PurePosixPath(document.name)
    keys = (document.id, document.name, path.name, path.stem)
    return next((details[key] for key in keys if key in details), {})


# --------------------------------------------------------------------------- bytes of a file


def packing_of(path: str | PurePath) -> str:
    """Return how a file is compressed by its name: "gz", "bz2" or ""."""
    suffix = PurePath(path).suffix.lower().removeprefix(".")
    return suffix if suffix in _OPENERS else ""


def plain_suffix(path: str | PurePath) -> str:
    """Return the suffix of what a file holds, in lower case without the dot."""
    plain = PurePath(path)
    return (PurePath(plain.stem) if packing_of(plain) else plain).suffix.lower().removeprefix(".")


@contextmanager
def open_expanded(path: Path) -> Iterator[tuple[BinaryIO, Callable[[], float]]]:
    """Open a file as its bytes, expanded, and what says which share of it was read, 0 to 1."""
    size = max(path.stat().st_size, 1)
    with path.open("rb") as raw:
        opener = _OPENERS.get(packing_of(path))
        file: BinaryIO = raw if opener is None else opener(raw)

        def share() -> float:
            return min(raw.tell() / size, 1.0)

        with closing(file):
            yield file, share


# --------------------------------------------------------------------------- CSV, JSON Lines


def _csv(path: Path, choose: Choose) -> Iterator[Placed]:
    csv.field_size_limit(max(csv.field_size_limit(), _MOST_LINE))
    with _open_csv(path) as (columns, rows, share):
        named = choose(columns)
        for cells in rows:
            if any(cells):
                yield {named[at]: cell for at, cell in enumerate(cells) if at in named}, share()


@contextmanager
def _open_csv(path: Path) -> Iterator[tuple[list[str], Iterator[list[str]], Callable[[], float]]]:
    """Open a table as its headings, the cells of each row, and which share of it was read."""
    with _lines(path) as (lines, share):
        head = next(lines, "")
        mark = "\t" if plain_suffix(path) == "tsv" else max(_MARKS, key=head.count)
        columns = next(csv.reader([head], delimiter=mark), [])
        try:
            yield columns, csv.reader(lines, delimiter=mark), share
        except csv.Error as error:
            raise BadInput("table_damaged", name=path.name) from error


def _json_rows(path: Path, choose: Choose) -> Iterator[Placed]:
    """Yield the records of a file, one a line or all in one array."""
    fields: dict[str, str] = {}  # heading -> field, of all headings that were there
    titles: list[str] = []
    for row, share in _json_values(path):
        if not isinstance(row, dict):
            raise BadInput("table_damaged", name=path.name)
        if not set(row) <= fields.keys():
            titles += [title for title in row if title not in titles]
            named = choose(titles)
            fields = {title: named.get(at, "") for at, title in enumerate(titles)}
        yield {fields[title]: value for title, value in row.items() if fields[title]}, share


def _json_values(path: Path) -> Iterator[tuple[Any, float]]:
    """Yield each value of JSON Lines, or of the array that a file is."""
    with _lines(path) as (lines, share):
        filled = (line for line in lines if line.strip())
        first = next(filled, "")
        try:
            if first.lstrip().startswith("["):
                if path.stat().st_size > MOST_BYTES:
                    raise Unreadable("too_large", mb=MOST_BYTES // MEGABYTE).of_file(path.name)
                values = json.loads("".join((first, *filled)))
                for number, value in enumerate(values, 1):
                    yield value, number / len(values)
                return
            for line in itertools.chain([first] if first else [], filled):
                yield json.loads(line), share()
        except (ValueError, RecursionError) as error:
            raise BadInput("table_damaged", name=path.name) from error


@contextmanager
def _lines(path: Path) -> Iterator[tuple[Iterator[str], Callable[[], float]]]:
    """Open a text file in the encoding that its beginning shows, as its lines with their ends.

    With them goes what says which share of the file was read.
    """
    with open_expanded(path) as (file, _):
        sample = file.read(_SAMPLE)
    whole = sample[: sample.rfind(b"\n") + 1] if len(sample) == _SAMPLE else sample
    encodings = decode(whole or sample).encoding if sample else ""
    encoding = encodings.partition(",")[0] or "utf-8"  # of a file of several the first
    with open_expanded(path) as (file, share):
        text = io.TextIOWrapper(file, encoding, "replace", newline="")

        def lines() -> Iterator[str]:
            """Yield lines; one beyond the limit is no table."""
            first = True
            while line := text.readline(_MOST_LINE + 1):
                if len(line) > _MOST_LINE:
                    raise BadInput("table_damaged", name=path.name)
                yield line.removeprefix("\ufeff") if first else line
                first = False

        yield lines(), share


# --------------------------------------------------------------------------- Parquet


def _parquet(path: Path, choose: Choose) -> Iterator[Placed]:
    require_parquet()
    path.stat()
    ((columns, groups),) = _run_in_workers(_described, [str(path)], path)
    named = choose(columns)
    wanted = [columns[at] for at in named]
    windows = []
    for group, (rows, size) in enumerate(groups):
        step = min(max(_WINDOW_BYTES * rows // max(size, 1), 1), _WINDOW_ROWS)
        windows += [(str(path), group, start, step, wanted) for start in range(0, rows, step)]
    total = max(sum(rows for rows, _ in groups), 1)
    rows = itertools.chain.from_iterable(_run_in_workers(_window, windows, path))
    for number, values in enumerate(rows, start=1):
        yield dict(zip(named.values(), values, strict=True)), number / total


def parquet_rows(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    """Yield some columns of every row, read in processes that can be ended.

    Raises
    ------
    BadInput
        `table_damaged`, also where a column is missing; `table_parquet`.
    """

    def choose(held: Sequence[str]) -> dict[int, str]:
        """Return the places of the columns."""
        if not set(columns) <= set(held):
            raise BadInput("table_damaged", name=path.name)
        return {held.index(name): name for name in columns}

    return (row for row, _ in _parquet(path, choose))


def arrow_rows(stream: Any) -> list[dict[str, Any]]:
    """Return the rows of a stream of Arrow (`__arrow_c_stream__`), of any package.

    Raises
    ------
    BadInput
        `table_parquet` without the extra `library`; `given_kind` for a stream without columns.
    """
    require_parquet()
    import pyarrow

    try:
        table = pyarrow.RecordBatchReader.from_stream(stream).read_all()
    except pyarrow.ArrowException as error:
        raise BadInput("given_kind", kind=type(stream).__name__) from error
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


def require_parquet() -> None:
    """Raise `BadInput("table_parquet")` where Parquet cannot be read and written."""
    if importlib.util.find_spec("pyarrow") is None:
        raise BadInput("table_parquet")


def _run_in_workers(task: Callable[[Any], Any], items: Sequence[Any], path: Path) -> Iterator[Any]:
    for answer in shared_pool().map(task, items):
        if isinstance(answer, Unreadable):
            raise BadInput("table_damaged", name=path.name) from answer
        yield answer


def _described(path: str) -> tuple[list[str], list[tuple[int, int]]]:
    """Return the columns of a file, and rows and bytes of its groups; runs in a worker."""
    import pyarrow
    import pyarrow.parquet

    try:
        meta = pyarrow.parquet.read_metadata(path)
        groups = [meta.row_group(at) for at in range(meta.num_row_groups)]
        sizes = [(group.num_rows, group.total_byte_size) for group in groups]
        return list(meta.schema.to_arrow_schema().names), sizes
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise Unreadable("damaged", detail=type(error).__name__) from error


def _window(task: tuple[str, int, int, int, list[str]]) -> list[list[Any]]:
    """Return some rows of one group; runs in a worker."""
    import pyarrow
    import pyarrow.parquet

    path, group, start, step, columns = task
    try:
        with pyarrow.parquet.ParquetFile(path, pre_buffer=False) as file:
            read = file.iter_batches(step, row_groups=[group], columns=columns, use_threads=False)
            for at, batch in enumerate(read):
                if at * step == start:
                    held = [batch.column(name).to_pylist() for name in columns]
                    return [list(row) for row in zip(*held, strict=True)]
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise Unreadable("damaged", detail=type(error).__name__) from error
    return []


def _plain(value: object) -> str:
    """Return a value as a person writes it."""
    if value is None:
        return ""
    if isinstance(value, datetime) and value.time() != datetime.min.time():
        return value.isoformat(" ", "minutes")
    if isinstance(value, date):
        return value.strftime("%Y-%m-%d")
    if isinstance(value, list):
        return ", ".join(map(_plain, value))
    return str(value)
