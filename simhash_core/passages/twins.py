"""The loops of this room by whichever twin is in use, and what they cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..machine.compiled import Twins

#: seconds of the readable loops on one core (benchmarks/first_check.py): a token of either side
#: of an aligned pair, a document that holds a winnowed hash of another, a hash by which two texts
#: are compared, a token where exact runs are looked for, a block visited by the block join
ALIGN_TOKEN, FOLLOWED_HASH, COMPARED_HASH, RUN_TOKEN, VISIT = 1.2e-5, 6e-7, 3.5e-7, 2e-6, 5e-7
#: the first of them compiled (benchmarks/expected.py): 1e-7 in the samples, 2e-7 to 4e-7 in batches
#: of hundreds of texts
ALIGN_TOKEN_COMPILED = 3e-7

TWINS = Twins("passages")
if TYPE_CHECKING:  # the same functions
    from . import readable

    loops = readable
else:
    loops = TWINS
