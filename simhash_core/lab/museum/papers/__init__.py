"""Every method, example and experiment of the source documents, run with its known answer."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from ....model import Progress
from ...tables import Code, Table
from .row import ROWS, SeedRow

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

COUNT = 36


def seeds(step: Progress | None = None) -> list[SeedRow]:
    """Compute all rows, in order. About a minute, most of it for the experiments."""
    computed = []
    for done, number in enumerate(sorted(ROWS)):
        if step:
            step("seeds", done, len(ROWS))
        command, compute = ROWS[number]
        answer = compute()
        what = f"seed_{number:02d}"
        computed.append(SeedRow(number, what, command, answer.expected, answer.got, answer.result))
    return computed


def seeds_table(step: Progress | None = None) -> Table:
    """Return the rows as a table; it is `ok` where all 36 are there and right."""
    rows = seeds(step)
    cells = [
        (row.number, Code(row.what), row.command, row.expected, row.got,
         Code(row.result))
        for row in rows
    ]  # fmt: skip
    complete = [row.number for row in rows] == list(range(1, COUNT + 1))
    columns = ("number", "what", "command", "expected", "got", "result")
    return Table("seeds", columns, cells, ok=complete and all(row.ok for row in rows))


__all__ = ["SeedRow", "seeds", "seeds_table"]
