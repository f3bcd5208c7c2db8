"""Tables, CSV and XLSX: the lists that people keep in them as rows, and what they wrote as text."""

from __future__ import annotations

import csv
import io
import re
import warnings
from collections.abc import Iterator
from itertools import islice
from typing import Any

from ...errors import Unreadable
from ..decode import decode
from .extracted import MOST_CHARACTERS, Extracted, without_empty
from .zipped import open_zip, with_usual_names

MOST_ROWS, MOST_COLUMNS = 20_000, 100
MOST_BYTES = 20 * 2**20  # of the file; a class list has some kilobytes
_SEPARATOR = re.compile(r"\s*sep=(.)\s*?\r?\n", re.I)
_LOOKED_AT = 20  # lines: titles above the headings have no marks between cells
_LEAST_CELL = 20  # characters; what is shorter is a name, a number, a heading


def table_rows(data: bytes, *, suffix: str) -> list[list[str]]:
    """Read a table.

    Parameters
    ----------
    suffix
        `xlsx`, or anything else for text with commas, semicolons or tabs between the cells.

    Returns
    -------
    list of list of str
        Rows that hold anything, at most `MOST_ROWS`.

    Raises
    ------
    Unreadable
        `too_large`, or `damaged` where it is no such file.
    """
    if len(data) > MOST_BYTES:
        raise Unreadable("too_large", mb=MOST_BYTES // 2**20)
    rows = _xlsx(data) if suffix.lower().lstrip(".") == "xlsx" else _text(data)
    return [_trimmed(row) for row in rows if any(cell.strip() for cell in row)]


def _text(data: bytes) -> list[list[str]]:
    text = decode(data).text.removeprefix("\ufeff")
    said = _SEPARATOR.match(text)  # Excel writes and reads it
    text = text[said.end() :] if said else text
    head = "".join(text.splitlines(keepends=True)[:_LOOKED_AT])
    mark = said[1] if said else max(",;\t，", key=head.count)
    try:
        return list(islice(csv.reader(io.StringIO(text), delimiter=mark), MOST_ROWS))
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
    book = _book(data)
    cells: list[str] = []
    length, seen = 0, set[object]()
    for sheet, named in enumerate(book.worksheets):
        part = getattr(named, "_worksheet_path", sheet)
        if part in seen:  # a broken file may name one sheet many times
            continue
        seen.add(part)
        for row in _sheet(book, sheet):
            for cell in row:
                if len(cell) >= _LEAST_CELL:
                    cells.append(f"{cell}\n")
                    length += len(cell)
            if length > MOST_CHARACTERS:
                raise Unreadable("too_long", n=MOST_CHARACTERS)
    properties = book.properties
    meta = without_empty(title=properties.title, author=properties.creator)
    return Extracted("".join(cells), "", meta)


def _xlsx(data: bytes) -> list[list[str]]:
    return list(_sheet(_book(data), 0))


def _book(data: bytes) -> Any:
    import openpyxl  # a quarter of a second, and few checks have a class list

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of extensions that hold no cell
            file = io.BytesIO(with_usual_names(data))
            return openpyxl.load_workbook(file, read_only=True, data_only=True)
    except (MemoryError, Unreadable):
        raise
    except Exception as error:  # of XML, zip and the library itself: more kinds than it names
        raise Unreadable("damaged", detail=type(error).__name__) from error


def _sheet(book: Any, number: int) -> Iterator[list[str]]:
    """Yield the first rows of a sheet that hold anything."""
    try:
        sheet = book.worksheets[number]
        for row in sheet.iter_rows(max_row=MOST_ROWS, max_col=MOST_COLUMNS, values_only=True):
            if row.count(None) < len(row):  # not those that the library fills in
                yield [_shown(cell) for cell in row]
    except MemoryError:
        raise
    except Exception as error:
        raise Unreadable("damaged", detail=type(error).__name__) from error


def _trimmed(row: list[str]) -> list[str]:
    """Return a row without the empty cells at its end."""
    last = max(at for at, cell in enumerate(row) if cell.strip())
    return row[: last + 1]


def _shown(cell: object) -> str:
    """Return a cell as a person reads it: a whole number without `.0`."""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return "" if cell is None else str(cell)
