"""Every method, example and experiment of the source documents, run with its known answer.

Each module of this folder registers its rows; `load_rows` has them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ....model import Progress, silent
from ... import Code, Table

COLUMNS = ("number", "what", "command", "expected", "got", "result")
COUNT = 36


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known, what came out, and whether that is right (default: equal).

    `measured`: the source prints a figure of something it does not define. Ours stands beside it,
    and `right` says no more than that the experiment ran.
    """

    expected: str
    got: str
    right: bool | None = None
    measured: bool = False

    @property
    def result(self) -> str:
        """Return the code of the result."""
        right = self.expected == self.got if self.right is None else self.right
        return "wrong" if not right else "measured" if self.measured else "right"


Compute = Callable[[], Answer]

#: number -> how a user meets it (a command, a setting, or the function), what computes it
ROWS: dict[int, tuple[str, Compute]] = {}


def row(number: int, command: str) -> Callable[[Compute], Compute]:
    """Register the computation of one row; a number that is taken raises ValueError."""

    def register(compute: Compute) -> Compute:
        if number in ROWS:
            raise ValueError(f"row {number} is computed twice")
        ROWS[number] = (command, compute)
        return compute

    return register


def listed(values: object) -> str:
    """Write numbers for a cell: a list with single blanks between them."""
    items = values if isinstance(values, list | tuple) else [values]
    return " ".join(str(item) for item in items)


def load_rows() -> Mapping[int, tuple[str, Compute]]:
    """Return all rows."""
    from . import comparisons, fingerprints, search  # noqa: F401  each registers its own

    return ROWS


def seeds_table(progress: Progress = silent) -> list[Table]:
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
