"""The metadata of a file as a set of items.

From the properties of a file, from its name by a pattern, or from a table; later ones win.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

import regex

from ..errors import BadInput
from ..model import DATE_FROM, Document

_SHOWN = 80  # characters of a pattern that a message repeats
#: columns of a table that may name the file
_NAME_COLUMNS = ("name", "file", "filename", "文件", "文件名")
_SEPARATORS = re.compile(r"[,;，；、|]\s*")


def items(columns: Mapping[str, str]) -> frozenset[str]:
    """Return `column=value` items; a value that lists several gives one item each.

    >>> sorted(items({"author": "Li", "keywords": "a, b"}))
    ['author=li', 'keywords=a', 'keywords=b']
    """
    return frozenset(
        f"{name}={value.strip().casefold()}"
        for name, text in columns.items()
        for value in _SEPARATORS.split(text)
        if value.strip()
    )


def from_names(names: Sequence[str], pattern: str) -> list[dict[str, str]]:
    """Return the named groups of a pattern for each file name without folder and suffix.

    Raises
    ------
    BadInput
        Code `name_pattern`: not a regular expression, or one without named groups.

    Notes
    -----
    Some patterns never end: to be run in a worker with a limit.
    """
    shown = pattern[:_SHOWN]
    try:
        rule = regex.compile(pattern)
    except regex.error as error:
        raise BadInput("name_pattern", pattern=shown, detail=str(error)) from error
    except RecursionError as error:
        raise BadInput("name_pattern", pattern=shown, detail="nested too deep") from error
    if not rule.groupindex:
        raise BadInput("name_pattern", pattern=shown, detail="?P<name>")
    return [_groups(rule, PurePosixPath(name).stem) for name in names]


def _groups(rule: regex.Pattern[str], stem: str) -> dict[str, str]:
    match = rule.search(stem)
    return {key: value for key, value in match.groupdict().items() if value} if match else {}


def from_table(text: str, names: Sequence[str]) -> list[dict[str, str]]:
    """Return what a CSV says of each file, nothing where no row names it.

    Its first column (or one called `name`) names the file, the others describe it.

    Raises
    ------
    BadInput
        Code `metadata_table`: fewer than two columns.
    """
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), skipinitialspace=True))
    columns = list(rows[0]) if rows else []
    if len(columns) < 2:
        raise BadInput("metadata_table", columns=len(columns))
    key = next((c for c in columns if c and c.strip().casefold() in _NAME_COLUMNS), columns[0])
    table = {
        (row[key] or "").strip(): {
            name: value.strip() for name, value in row.items() if name and name != key and value
        }
        for row in rows
    }
    return [dict(_row(table, name)) for name in names]


def of_documents(
    documents: Sequence[Document], given: Sequence[Mapping[str, str]]
) -> list[frozenset[str]]:
    """Return the metadata items of each document; what is given of it wins over what it says."""
    return [
        items({**_said(document), **columns})
        for document, columns in zip(documents, given, strict=True)
    ]


def _said(document: Document) -> dict[str, str]:
    """Return what a document says of itself, without where its date is from."""
    return {name: value for name, value in document.meta.items() if name != DATE_FROM}


def _row(table: Mapping[str, Mapping[str, str]], name: str) -> Mapping[str, str]:
    path = PurePosixPath(name)
    return table.get(name) or table.get(path.name) or table.get(path.stem) or {}
