"""Tables: the lists that people keep in them as rows, and what they wrote into cells as text."""

from __future__ import annotations

import csv
import io
import re
import warnings
from collections.abc import Iterator
from itertools import islice
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from ...errors import Unreadable
from ..decode import decode
from .compound import MAGIC, Compound
from .extracted import MOST_CHARACTERS, Extracted, drop_empty, whatever_is_wrong
from .names import decode_names
from .zipped import open_zip, use_usual_names

MOST_ROWS, MOST_COLUMNS = 20_000, 100
MOST_BYTES = 20 * 2**20  # of the file; a class list has some kilobytes
_SEPARATOR = re.compile(r"\s*sep=(.)\s*?\r?\n", re.I)
_LOOKED_AT = 20  # lines, by which the mark between cells is chosen
_MARKS = "\t;|,，"  # between cells; the first ones stand in no title and in no name
#: encodings that `decode` tells by the bytes alone, or by their common characters
_WITHOUT_CHARDET = ("utf", "gb18030", "cp950", "big5", "iso2022")
_LEAST_CELL = 20  # characters; what is shorter is a name, a number, a heading


def read_tables(data: bytes, *, suffix: str) -> list[list[list[str]]]:
    """Read the tables of a file: the sheets of a workbook, or the one of a text.

    Parameters
    ----------
    suffix
        `xlsx`; anything else is told by its first bytes, since platforms call pages with a table
        and texts with tabs `.xls`.

    Returns
    -------
    list of list of list of str
        The rows of each that hold anything, at most `MOST_ROWS`; one table or more.

    Raises
    ------
    Unreadable
        `too_large`, `legacy_xls`, `encrypted`, or `damaged` where it is no such file.
    """
    if len(data) > MOST_BYTES:
        raise Unreadable("too_large", mb=MOST_BYTES // 2**20)
    if suffix.lower().lstrip(".") == "xlsx" or data.startswith(b"PK\3\4"):
        book = _open_book(data)
        tables = [list(_read_sheet(book, number)) for number in range(len(book.worksheets))]
    elif data.startswith(MAGIC):
        Compound(data).kind("xls")
        raise Unreadable("legacy_xls")
    else:
        tables = _tables_of_text(_decode_list(data))
    # without empty rows, and without the empty cells at the end of the others
    held = [
        [
            row[: max(at for at, cell in enumerate(row) if cell.strip()) + 1]
            for row in rows
            if any(cell.strip() for cell in row)
        ]
        for rows in tables
    ]
    return [rows for rows in held if rows] or [[]]


def _decode_list(data: bytes) -> str:
    """Decode a list; as names are decoded where only chardet knows, which needs sentences."""
    read = decode(data)
    if not read.guessed or read.encoding.startswith(_WITHOUT_CHARDET):
        return read.text.removeprefix("\ufeff")
    return "\n".join(decode_names(data.splitlines()))


def _tables_of_text(text: str) -> list[list[list[str]]]:
    """Read a page with tables, or a text with marks between its cells."""
    if text.lstrip().startswith("<"):
        page = LexborHTMLParser(text)
        return [
            [
                [cell.text(separator=" ", strip=True) for cell in row.css("th, td")]
                for row in table.css("tr")[:MOST_ROWS]
            ]
            for table in page.css("table")
        ]
    said = _SEPARATOR.match(text)  # Excel writes and reads it
    text = io.StringIO(text[said.end() :] if said else text, newline=None).read()
    try:

        def count_rows(mark: str) -> int:
            """Count the first rows that the mark parts into several cells."""
            rows = islice(csv.reader(io.StringIO(text), delimiter=mark), _LOOKED_AT)
            return sum(sum(bool(cell.strip()) for cell in row) > 1 for row in rows)

        mark = said[1] if said else max(_MARKS, key=count_rows)
        return [list(islice(csv.reader(io.StringIO(text), delimiter=mark), MOST_ROWS))]
    except csv.Error as error:
        raise Unreadable("damaged", detail="csv") from error


def extract(data: bytes, *, encoding: str = "") -> Extracted:
    """Return the sentences of an .xlsx: the cells of all sheets that are long enough, a line each.

    Raises
    ------
    Unreadable
        "too_long", "damaged", "archive_limit".
    """
    open_zip(io.BytesIO(data)).close()  # the limits
    book = _open_book(data)
    cells: list[str] = []
    length, seen = 0, set[object]()
    for sheet, named in enumerate(book.worksheets):
        part = getattr(named, "_worksheet_path", sheet)
        if part in seen:  # a broken file may name one sheet many times
            continue
        seen.add(part)
        for row in _read_sheet(book, sheet):
            for cell in row:
                if len(cell) >= _LEAST_CELL:
                    cells.append(f"{cell}\n")
                    length += len(cell)
            if length > MOST_CHARACTERS:
                raise Unreadable("too_long", n=MOST_CHARACTERS)
    properties = book.properties
    meta = drop_empty(title=properties.title, author=properties.creator)
    return Extracted("".join(cells), "", meta)


def _open_book(data: bytes) -> Any:
    import openpyxl  # a quarter of a second, and few checks have a class list

    with whatever_is_wrong(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of extensions that hold no cell
        file = io.BytesIO(use_usual_names(data))
        return openpyxl.load_workbook(file, read_only=True, data_only=True)


def _read_sheet(book: Any, number: int) -> Iterator[list[str]]:
    """Yield the first rows of a sheet that hold anything."""
    with whatever_is_wrong():
        sheet = book.worksheets[number]
        for row in sheet.iter_rows(max_row=MOST_ROWS, max_col=MOST_COLUMNS, values_only=True):
            if row.count(None) < len(row):  # not those that the library fills in
                yield [_show_cell(cell) for cell in row]


def _show_cell(cell: object) -> str:
    """Return a cell as a person reads it: a whole number without `.0`."""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return "" if cell is None else str(cell)
