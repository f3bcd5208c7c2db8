"""The readable loops of this room, compiled: one source, two speeds.

`grow` and `grow_one` are those of `rectangles`, compiled for sides of several stems a word.
"""

from __future__ import annotations

from typing import Any, cast

from numba import types

from ..machine.kernels import (
    BOOLS,
    BYTES,
    F64,
    F64_2,
    FLOAT,
    I32,
    I64,
    I64_2,
    INT,
    RECT,
    SPAN,
    Kernels,
)
from ..passages import rectangles
from . import growth

ROOM = Kernels("translated")

SIDE = cast(Any, types).Tuple((I64, I32, F64_2))
_COUNTS = (I64, I64, I64)

# callees first
worth = ROOM.inner((FLOAT, FLOAT, FLOAT))(growth.worth)
set_values = ROOM.inner((F64_2, INT, FLOAT, FLOAT))(growth.set_values)
mask_runs = ROOM.inner((I64, I32, BYTES, F64_2, I32, F64_2, INT, INT))(growth.mask_runs)
two_sides = ROOM.entry((I64, I32, BYTES, I32, BYTES, F64, F64, F64))(growth.two_sides)

tally = ROOM.inner((SIDE, INT, INT, I64, INT))(growth.tally)
take_word = ROOM.inner((I64, I32, F64_2, INT, *_COUNTS, FLOAT, FLOAT))(growth.take_word)
give_back = ROOM.inner((INT, INT, I64, I64))(growth.give_back)
max_sum_segment = ROOM.inner((SIDE, *_COUNTS, FLOAT, FLOAT, INT, INT))(growth.max_sum_segment)
extend_border = ROOM.inner((SIDE, *_COUNTS, FLOAT, FLOAT, FLOAT, INT, INT))(growth.extend_border)
better_span = ROOM.inner((SIDE, SIDE, I64, I64, F64, FLOAT, FLOAT, SPAN, SPAN))(growth.better_span)
grow_one = ROOM.inner((SIDE, SIDE, F64, I64, I64, FLOAT, FLOAT, INT, RECT))(rectangles.grow_one)
holds_centre = ROOM.inner((I64_2, INT, INT, INT))(rectangles.holds_centre)
is_repeated = ROOM.inner((I64_2, INT))(rectangles.is_repeated)
grow = ROOM.entry((SIDE, SIDE, SPAN, F64, I64_2, INT, FLOAT, FLOAT, INT, INT, INT))(rectangles.grow)
evidence = ROOM.entry((SIDE, SIDE, INT, BOOLS, FLOAT, I64_2))(growth.evidence)
lone_stems = ROOM.entry((SIDE, SIDE, INT, I64))(growth.lone_stems)
surprise_of = ROOM.inner((FLOAT, INT, FLOAT))(growth.surprise_of)
window_postings = ROOM.inner((SIDE, INT, INT, INT, FLOAT))(growth.window_postings)
window_seeds = ROOM.entry((SIDE, SIDE, INT, INT, INT, FLOAT, FLOAT, INT))(growth.window_seeds)
