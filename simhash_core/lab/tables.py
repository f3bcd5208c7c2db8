"""What an evaluation returns: tables of plain values, written by whoever shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class Code(str):
    """A cell that is a key of the catalogue domain `evaluate`, not a value."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Table:
    """One table; `code` and the column names are keys of the catalogue domain `evaluate`."""

    code: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[object, ...]]
    ok: bool = True  # False: something that has a known answer came out different
