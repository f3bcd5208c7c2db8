"""Ten pairs at the border of a threshold; the heavy rule is the threshold.

pair_strip(cells, key, inside=) -> (cell that was clicked, key that was pressed on a slider)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from .. import register

_mount = register("pair_strip", '<div class="strip" role="group"></div>')


@dataclass(frozen=True, slots=True)
class Cell:
    """One pair: `kind` is same, other, unsure or open; `shown` is its place, or a question mark."""

    kind: str
    shown: str
    label: str


def pair_strip(
    cells: Sequence[Cell], *, key: str, inside: int, selected: int, label: str, keys: str
) -> tuple[int | None, str]:
    """Draw the cells, `inside` of them before the rule; return what was just clicked or pressed.

    `keys` are the letters of the answers; elsewhere on the page their buttons hear them.
    """
    state = _mount(
        key=key,
        data={
            "cells": [asdict(cell) for cell in cells],
            "inside": inside,
            "selected": selected,
            "label": label,
            "keys": keys,
        },
        on_open_change=lambda: None,
        on_key_change=lambda: None,
    )
    clicked = state.open
    is_cell = clicked is not None and 0 <= int(clicked) < len(cells)
    return int(clicked) if is_cell else None, str(state.key or "")
