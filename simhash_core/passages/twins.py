"""The loops of this room by whichever twin runs, and what they cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..machine.native import Twins, in_c

if TYPE_CHECKING:  # the same functions
    from . import readable

    loops = readable
else:
    loops = Twins("passages")


def align_seconds(tokens: float) -> float:
    """Return about how many seconds a core takes to align pairs of so many tokens in all.

    Measured by benchmarks/first_check.py (readable) and expected.py of 4a9efa0e: in C 1e-7 a token
    in the samples, 2e-7 to 4e-7 in batches of hundreds of texts.
    """
    return (3e-7 if in_c() else 1.2e-5) * tokens
