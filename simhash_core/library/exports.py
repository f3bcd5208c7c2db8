"""A library in open formats and back: `texts.parquet`, and `manifest.jsonl` that describes it.

The first line of the manifest describes the whole, each further line one text: its sha-256,
collection, names and row. The Parquet file holds the same rows with the texts.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from typing import Any

from .. import schemas
from ..errors import BadInput, name_file
from ..machine.memory import cut_batches
from ..model import Document, Note, Progress, Skipped, text_id
from ..storage.library import ADDED_KEY, COLLECTION_KEY, ROW_KEY, Fault, Library
from ..storage.library.rows import escape_text, unescape_text
from ..text.extract.extracted import MOST_CHARACTERS
from .imports import Imported, import_documents
from .tables import parquet_rows, require_parquet

TEXTS, MANIFEST = "texts.parquet", "manifest.jsonl"
_NAMED = ("title", "author", "date", "url")
_BESIDE = frozenset((*_NAMED, ROW_KEY, COLLECTION_KEY, ADDED_KEY))
_ABOUT = ("id", "collection", "name", *_NAMED, "language", "format", "encoding")
_COLUMNS = (*_ABOUT, "chars", "meta", "notes", "text")
#: of a row group, whichever is first, so that one is read within the memory of one worker
_GROUP_ROWS, _GROUP_CHARACTERS = 1000, 8_000_000


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written; `faults` are texts that are damaged and so were left out."""

    texts: int
    faults: tuple[Fault, ...]


def export_library(
    library: Library,
    folder: Path,
    *,
    collections: Sequence[str] = (),
    progress: Progress | None = None,
) -> Exported:
    """Write the texts of some collections, by default of all, into a new or empty folder.

    Damaged texts are left out and named. Where it ends before the manifest is written, the folder
    is no export.

    Raises
    ------
    BadInput
        `export_exists` where something is in the folder; `table_parquet`.
    OSError
    """
    require_parquet()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput("export_exists", name=folder.name)
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [row for row in library.collections() if not collections or row.name in collections]
    total = sum(row.texts for row in chosen)
    faults: list[Fault] = []
    listed: list[dict[str, Any]] = []

    def rows() -> Iterator[dict[str, Any]]:
        for collection in chosen:
            for text in library.every_document(collection.name):
                if isinstance(text, Fault):
                    faults.append(text)
                    continue
                row = _row(text)
                about = {name: row[name] for name in (*_ABOUT, "chars")}
                listed.append({**about, "row": len(listed)})
                yield row
                if progress is not None:
                    progress("export", len(listed), total)

    import pyarrow
    import pyarrow.parquet

    kinds = {"chars": pyarrow.int64()}
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in _COLUMNS])
    groups = cut_batches(
        rows(), lambda row: int(row["chars"]), most=_GROUP_ROWS, largest=_GROUP_CHARACTERS
    )
    writing = pyarrow.parquet.ParquetWriter
    with name_file(folder / TEXTS), writing(folder / TEXTS, schema, compression="zstd") as file:
        for group in groups:
            file.write_table(pyarrow.Table.from_pylist(group, schema=schema))
    whole = {
        "schema": schemas.LIBRARY,
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "recipe": library.recipe,
        "collections": [escape_text(row.name) for row in chosen],
        "texts": len(listed),
        "damaged": len(faults),
    }
    lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in (whole, *listed))
    with name_file(folder / MANIFEST):
        (folder / MANIFEST).write_text(lines + "\n", "utf-8")
    return Exported(len(listed), tuple(faults))


def collections_of(folder: Path) -> list[str]:
    """Return the collections of an export.

    Raises
    ------
    BadInput
        `export_foreign`: it is none, or of a newer version.
    """
    if not (folder / MANIFEST).is_file() or not (folder / TEXTS).is_file():
        raise BadInput("export_foreign", name=folder.name)
    try:
        with (folder / MANIFEST).open("rb") as file:
            whole = json.loads(file.readline(1 << 20))
        if whole["schema"] != schemas.LIBRARY:
            raise ValueError(whole["schema"])
        return [unescape_text(str(name)) for name in whole["collections"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput("export_foreign", name=folder.name) from error


def texts_of(folder: Path) -> Iterator[tuple[str, Document | Skipped]]:
    """Yield collection and text of each row of an export; damaged rows are named and left out.

    Raises
    ------
    BadInput
        `export_foreign`, `table_damaged`, `table_parquet`.
    """
    collections = set(collections_of(folder))
    for row in parquet_rows(folder / TEXTS, _COLUMNS):
        try:
            collection, document = _restored(row)
        except (ValueError, TypeError, KeyError):
            collection = unescape_text(str(row.get("collection") or ""))
            yield collection, Skipped(str(row.get("name") or ""), "damaged", {"detail": "sha-256"})
            continue
        if collection in collections:
            yield collection, document


def import_export(library: Library, folder: Path, *, progress: Progress | None = None) -> Imported:
    """Take the texts of an export into collections of the same names.

    Raises
    ------
    BadInput
        As `texts_of`.
    """
    done = Imported()
    for name in collections_of(folder):
        library.add_collection(name)
    for name, rows in itertools.groupby(texts_of(folder), key=itemgetter(0)):
        done += import_documents(library, name, (text for _, text in rows), progress=progress)
    return done


def _row(document: Document) -> dict[str, Any]:
    """Return a document as one row of the table."""
    meta = document.meta
    rest = {name: meta[name] for name in meta if name not in _BESIDE}
    words = {"collection": meta[COLLECTION_KEY], "name": document.name, "text": document.text}
    words |= {name: meta.get(name, "") for name in _NAMED}
    return {
        **{name: getattr(document, name) for name in ("id", "language", "format", "encoding")},
        **{name: escape_text(value) for name, value in words.items()},
        "chars": len(document.text),
        "meta": json.dumps(rest),
        "notes": json.dumps([[n.code, dict(n.params), n.start, n.end] for n in document.notes]),
    }


def _restored(row: Mapping[str, Any]) -> tuple[str, Document]:
    """Return collection and document of a row; raises `ValueError` where it was changed."""
    words = {
        name: unescape_text(str(row[name])) for name in ("collection", "name", *_NAMED, "text")
    }
    if text_id(words["text"]) != row["id"] or len(words["text"]) > MOST_CHARACTERS:
        raise ValueError("not the text that was exported")
    meta = {str(name): str(value) for name, value in json.loads(row["meta"]).items()}
    meta |= {name: words[name] for name in _NAMED if words[name]}
    notes = tuple(
        Note(str(code), dict(params), int(start), int(end))
        for code, params, start, end in json.loads(row["notes"])
    )
    document = Document(
        str(row["id"]),
        words["name"],
        words["text"],
        str(row["format"]),
        str(row["encoding"]),
        str(row["language"]),
        meta,
        notes,
    )
    return words["collection"], document
