"""The table of the sources: a row for each method, example and experiment with a known answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ....model import Progress
from ... import Code, Table


@dataclass(frozen=True, slots=True)
class SeedRow:
    """One method, example or experiment of the sources, computed by the product."""

    number: int
    what: str  # code: `evaluate.<what>` names it in both languages
    command: str  # how a user meets it: a command, a setting, or the function
    expected: str
    got: str
    result: str  # code: right | wrong | measured (a printed figure that cannot come out again)

    @property
    def ok(self) -> bool:
        """Whether the row is right, or only measured and not contradicted."""
        return self.result != "wrong"


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


# --------------------------------------------------------------------------- the whole table


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
