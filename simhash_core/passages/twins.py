"""The loops of this room by whichever twin runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..machine.native import Twins

if TYPE_CHECKING:  # the same functions
    from . import readable

    loops = readable
else:
    loops = Twins("passages")
