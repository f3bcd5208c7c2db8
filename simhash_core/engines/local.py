"""The tables of a check on this machine: what a cluster's are compared with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ..checking.pipeline import run_check
from ..errors import BadInput
from ..library.tables import is_table, rows_of
from ..model import Document, Progress, Skipped
from ..settings import Settings
from . import results
from .batches import table_of


def check(
    source: str, folder: str, *, settings: Settings, step: Progress | None = None
) -> dict[str, pa.Table]:
    """Check the texts of a table; write what is found as Parquet and return it.

    Parameters
    ----------
    source : str
        JSON Lines or Parquet with the columns name and text: a file, or a folder of them.
    folder : str
        Where the tables are written, one file each.

    Raises
    ------
    BadInput
        `engine_options`, or that the source is no table of texts.
    """
    results.refuse(settings)
    texts, skipped = documents(Path(source))
    result = run_check(texts, settings=settings, skipped=skipped, progress=step)
    tables = {
        "documents": document_table(texts),
        "skipped": table_of(
            {
                name: pa.array([getattr(one, name) for one in skipped], pa.string())
                for name in ("name", "code")
            }
        ),
        "fingerprints": results.fingerprint_table(result.fingerprints, result.batch_fingerprints),
        "overlap": results.overlap_table(
            np.arange(len(texts)), result.total_overlap, result.identical_overlap
        ),
        **results.tables_of(result.table, result.passages, result.limits, result.complete_up_to),
    }
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        pq.write_table(table, Path(folder) / f"{name}.parquet")
    return tables


def documents(source: Path) -> tuple[list[Document], list[Skipped]]:
    """Return the texts of a table sorted by name, byte by byte, and what is no text."""
    files = [source]
    if source.is_dir():
        files = sorted(path for path in source.rglob("*") if is_table(path))
    if not files:
        raise BadInput("table_damaged", name=source.name)
    read = [row for file in files for row in rows_of(file)]
    texts = [one for one in read if isinstance(one, Document)]
    skipped = [one for one in read if isinstance(one, Skipped)]
    texts.sort(key=lambda one: (one.name.encode("utf-8", "surrogatepass"), one.id))
    return texts, sorted(skipped, key=lambda one: one.name)


def document_table(texts: list[Document]) -> pa.Table:
    """Return the row, name and id of each text."""
    columns = {name: pa.array([getattr(one, name) for one in texts], pa.string())
               for name in ("name", "id")}  # fmt: skip
    return table_of({"row": np.arange(len(texts)), **columns})
