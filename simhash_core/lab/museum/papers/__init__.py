"""Every method, example and experiment of the source documents, run with its known answer.

Each module of this folder registers its rows; `load_rows` has them all.
"""

from __future__ import annotations

from collections.abc import Mapping

from ....model import Progress, report_nothing
from ... import Code, Table
from .rows import ROWS, Compute

COLUMNS = ("number", "what", "command", "expected", "got", "result")
COUNT = 36


def load_rows() -> Mapping[int, tuple[str, Compute]]:
    """Return all rows."""
    from . import comparisons, fingerprints, search  # noqa: F401  each registers its own

    return ROWS


def seeds_table(progress: Progress = report_nothing) -> list[Table]:
    """Compute all rows, in order; the table is `ok` where all 36 are there and none is wrong."""
    rows, cells, ok = load_rows(), [], True
    for done, (number, (command, compute)) in enumerate(sorted(rows.items())):
        progress("seeds", done, len(rows))
        answer = compute()
        ok = ok and answer.result != "wrong"
        what, result = Code(f"seed_{number:02d}"), Code(answer.result)
        cells.append((number, what, command, answer.expected, answer.got, result))
    complete = sorted(rows) == list(range(1, COUNT + 1))
    return [Table("seeds", COLUMNS, cells, ok=ok and complete)]
