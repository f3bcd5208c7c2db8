"""The loops of this room by whichever twin is in use, what they cost, and exact runs by them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ..compiled import Twins
from ..model import I64
from . import exact
from .options import AlignOptions
from .tokenized import TokenizedText

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


def runs_of(a: TokenizedText, b: TokenizedText, options: AlignOptions) -> I64:
    """Return the exact runs of two texts, int64 (r, 3): a, b, length."""
    k = options.gram
    grams = grams_of_text(a, k), grams_of_text(b, k)
    runs: I64 = loops.find_runs(a.token, b.token, *grams, k, options.gram_repeats)
    return runs


@lru_cache(maxsize=4)  # a template is compared with many texts
def grams_of_text(text: TokenizedText, k: int) -> I64:
    """Return the grams of a text."""
    return exact.grams_of(text.token, k)
