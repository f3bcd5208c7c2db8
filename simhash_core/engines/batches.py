"""Arrow batches as numpy arrays and records, and back: what crosses between machines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar, get_args, get_type_hints

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..model import I64, U64, Fingerprints

Record = TypeVar("Record")
Batches = Iterable[pa.RecordBatch]

WORD = "word_"  # columns word_0, word_1, ... of a fingerprint: int64, the same bits


def join_batches(batches: Batches) -> pa.Table | None:
    """Return a partition as one table, None where it is empty."""
    filled = [batch for batch in batches if batch.num_rows]
    return pa.Table.from_batches(filled).combine_chunks() if filled else None


def array(table: pa.Table | pa.RecordBatch, name: str) -> NDArray[Any]:
    """Return a column of numbers or truth values as an array that can be written."""
    return np.array(table.column(name).to_numpy(zero_copy_only=False))


def batch_of(columns: Mapping[str, Any]) -> pa.RecordBatch:
    """Return a batch of arrays or Arrow arrays; unsigned words as signed ones of the same bits."""
    return pa.RecordBatch.from_pydict({name: _signed(held) for name, held in columns.items()})


def table_of(columns: Mapping[str, Any]) -> pa.Table:
    """Return a table of arrays or Arrow arrays; unsigned words as signed ones of the same bits."""
    return pa.table({name: _signed(held) for name, held in columns.items()})


def _signed(held: Any) -> Any:
    """Return what every engine reads: int64 is the widest integer that all of them have."""
    if isinstance(held, np.ndarray):
        if held.dtype == np.uint64:
            return pa.array(held.view(np.int64))
        if held.dtype in (np.uint8, np.uint16):
            return pa.array(held.astype(np.int32))
        return pa.array(held)
    return held


def word_columns(words: U64) -> dict[str, I64]:
    """Return the words of fingerprints, uint64 (n, W), as signed columns."""
    signed = np.ascontiguousarray(words).view(np.int64)
    return {f"{WORD}{at}": np.ascontiguousarray(signed[:, at]) for at in range(words.shape[1])}


def word_schema(words: int, *, prefix: str = "") -> str:
    """Return the columns of the words of a fingerprint as Spark writes a schema."""
    return ", ".join(f"{prefix}{WORD}{at} bigint" for at in range(words))


def fingerprint_columns(background: Fingerprints, batch: Fingerprints | None) -> dict[str, Any]:
    """Return both signatures of some texts as columns, those of the batch behind `batch_`."""
    columns = {"valid": background.valid, **word_columns(background.words)}
    if batch is not None:
        of_batch = {"valid": batch.valid, **word_columns(batch.words)}
        columns |= {f"batch_{name}": held for name, held in of_batch.items()}
    return columns


def words_in(table: pa.Table | pa.RecordBatch) -> U64:
    """Return the words of fingerprints in a table, uint64 (n, W)."""
    count = sum(name.startswith(WORD) for name in table.schema.names)
    columns = [array(table, f"{WORD}{at}").view(np.uint64) for at in range(count)]
    return np.ascontiguousarray(np.stack(columns, axis=1))


def records_to_columns(
    records: Sequence[Any], kind: type[Any], *, skip: str = "", prefix: str = ""
) -> dict[str, pa.Array]:
    """Return records of arrays as one binary column a field, but for the field `skip`."""
    return {
        prefix + name: pa.array(
            [np.ascontiguousarray(getattr(one, name), dtype).tobytes() for one in records],
            pa.binary(),
        )
        for name, dtype in _types(kind).items()
        if name != skip
    }


def records_in(
    table: pa.Table | pa.RecordBatch, kind: type[Record], *, skip: str = "", prefix: str = ""
) -> list[Record]:
    """Return the records that `records_to_columns` was given; the field `skip` is empty."""
    columns = [
        [np.empty(0, dtype)] * table.num_rows
        if name == skip
        else [np.frombuffer(held.as_buffer(), dtype).copy() for held in table.column(prefix + name)]
        for name, dtype in _types(kind).items()
    ]
    return [kind(*values) for values in zip(*columns, strict=True)]


def binary_fields(kind: type[Any]) -> str:
    """Return the columns of a kind of records as Spark writes a schema."""
    return ", ".join(f"{name} binary" for name in _types(kind))


def _types(kind: type[Any]) -> dict[str, Any]:
    """Return the type of number of each field."""
    hints = get_type_hints(kind)
    return {spec.name: get_args(get_args(hints[spec.name])[1])[0] for spec in fields(kind)}
