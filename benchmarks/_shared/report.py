"""What a benchmark has measured: tables, pictures, sentences, and ratios for the gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

Cell = str | float | int | None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under heads; the first column names the row."""

    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines on two axes, logarithmic unless linear: name -> points (x, y)."""

    name: str  # of its file
    title: str
    x: str
    y: str
    lines: Mapping[str, Sequence[tuple[float, float]]]
    linear: bool = False  # both axes from zero


@dataclass(frozen=True, slots=True)
class Report:
    """What the page says of one question."""

    tables: Sequence[Table]
    notes: Sequence[str] = ()
    charts: Sequence[Chart] = ()
    ratios: Mapping[str, float] = field(default_factory=dict)  # of a gate: higher is better

    def to_json(self) -> dict[str, Any]:
        """Return what `from_json` reads."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Report:
        """Return the report that was stored."""
        return cls(
            [Table(**table) for table in data["tables"]],
            data["notes"],
            [Chart(**chart) for chart in data["charts"]],
            data["ratios"],
        )


def write(value: Cell) -> str:
    """Write a figure with three digits that count, a missing one as a dash."""
    if value is None or value == "":
        return "–"
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    if value and abs(value) < 1e-3:
        return f"{value:.1e}"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3
    return f"{value:,.{digits}f}"


def as_text(report: Report) -> str:
    """Return a report for a terminal."""
    blocks = []
    for table in report.tables:
        rows = [list(table.heads), *([write(cell) for cell in row] for row in table.rows)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = [
            "  ".join(
                cell.ljust(width) if not column else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in rows
        ]
        blocks.append("\n".join([*([table.title] if table.title else []), *lines]))
    return "\n\n".join([*blocks, *report.notes])
