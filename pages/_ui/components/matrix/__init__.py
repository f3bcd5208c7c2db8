"""Distances between texts as a shaded square; the pointer names both texts, a click opens them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simhash_core.model import NO_DISTANCE

from ...shared.palette import Palette
from ...shared.session import t
from .. import register

STEPS = (9, 8, 7, 6, 4, 3, 1, 0)  # of the sequence, from distance 0 on: closer is stronger
FAR = 0.47  # share of the bits from which a cell sinks into the page
SCRIPTS = ("shared/dom.js", "matrix/grid.js")

_mount = register("matrix", '<div class="matrix"></div>', scripts=SCRIPTS)


def matrix(
    distance: NDArray[np.uint16],
    *,
    key: str,
    names: Sequence[str],
    blocks: Sequence[tuple[int, int]],
    bits: int,
    label: str,
    colours: Palette,
) -> tuple[int, int] | None:
    """Draw uint16 (r, r) distances; return the row and column that the reader opens.

    `blocks` are (first, last + 1) rows of each cluster, outlined.
    """
    data = grid_data(distance, names=names, bits=bits, label=label, colours=colours)
    answer = _mount(key=key, data={**data, "blocks": blocks}, on_open_change=lambda: None)
    return None if answer.open is None else (int(answer.open[0]), int(answer.open[1]))


def grid_data(
    distance: NDArray[np.uint16],
    *,
    names: Sequence[str],
    bits: int,
    label: str,
    colours: Palette,
) -> dict[str, Any]:
    """Return what `grid.js` draws: the upper triangle row by row, -1 without a fingerprint."""
    upper = distance[np.triu_indices(len(distance), 1)].astype(np.int64)
    return {
        "n": len(distance),
        "distance": np.where(upper == NO_DISTANCE, -1, upper).tolist(),
        "far": round(bits * FAR),
        "share": None,
        "names": list(names),
        "blocks": [],
        "framed": None,
        "heads": False,
        "label": label,
        "words": {name: t(f"frame.matrix.{name}") for name in ("bits", "share", "none")},
        "colours": {
            "bg": colours.bg,
            "ink": colours.ink,
            "ink2": colours.ink2,
            "frame": colours.reworded,
            "steps": [colours.sequence[step] for step in STEPS],
        },
    }
