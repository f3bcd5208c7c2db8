"""The loops of this room in C, under the names of `readable`; what each does is said there."""

from __future__ import annotations

import numpy as np

from ..machine.native import BOOLS, BYTES, F64, I32, I64, INT, function
from ..model import F64 as Floats
from ..model import I32 as Ints
from ..model import I64 as Whole
from ..model import U8, Bools
from ..policy import MEANING_PASSAGES

_cells = function("meaning_cells", I32, INT, INT, F64, F64, BYTES, BYTES, BOOLS, BOOLS, I64)
_rectangles = function("meaning_rectangles", I64, INT, INT, INT, I64)


def cells(
    products: Ints,
    hub_a: Floats,
    hub_b: Floats,
    script_a: U8,
    script_b: U8,
    free_a: Bools,
    free_b: Bools,
) -> Whole:
    """See `readable.cells`."""
    ratios = np.empty(products.shape, np.int64)
    _cells(products, *products.shape, hub_a, hub_b, script_a, script_b, free_a, free_b, ratios)
    return ratios


def rectangles(ratios: Whole, least: int) -> Whole:
    """See `readable.rectangles`."""
    passages = np.empty((MEANING_PASSAGES, 5), np.int64)
    return passages[: _rectangles(ratios, *ratios.shape, least, passages)]
