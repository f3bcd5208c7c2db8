"""Many records of arrays as a few long arrays: what crosses between processes quickly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..model import I64

Record = TypeVar("Record")


@dataclass(frozen=True, slots=True, eq=False)
class Packed(Generic[Record]):
    """n records of one kind, whose fields are arrays of one dimension.

    Field f of record i is column[f][ends[f][i]:ends[f][i + 1]].
    """

    kind: type[Record]
    column: tuple[NDArray[Any], ...]
    ends: tuple[I64, ...]

    @classmethod
    def of(cls, kind: type[Record], records: Sequence[Record]) -> Packed[Record]:
        """Join the fields of some records."""
        columns, ends = [], []
        for field in fields(kind):  # type: ignore[arg-type]
            parts = [getattr(record, field.name) for record in records]
            columns.append(np.concatenate(parts) if parts else np.empty(0))
            ends.append(np.concatenate([[0], np.cumsum([len(part) for part in parts])]))
        return cls(kind, tuple(columns), tuple(end.astype(np.int64) for end in ends))

    def records(self) -> list[Record]:
        """Return the records; their arrays are views of the long ones."""
        columns = [
            [column[a:b] for a, b in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)]
            for column, ends in zip(self.column, self.ends, strict=True)
        ]
        return [self.kind(*parts) for parts in zip(*columns, strict=True)]
