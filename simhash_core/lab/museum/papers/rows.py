"""Rows of the sources: what is known, what comes out, and where each is registered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


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


def write_cell(values: object) -> str:
    """Write numbers for a cell: a list with single blanks between them."""
    items = values if isinstance(values, list | tuple) else [values]
    return " ".join(str(item) for item in items)
