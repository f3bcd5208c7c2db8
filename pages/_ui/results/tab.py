"""What a tab remembers of the lists of a check."""

from __future__ import annotations

from ..shared.tab import Fact

VIEWS = ("cases", "pupils", "groups")


class Tab:
    """Which list is shown, and how much of it."""

    shown_view = Fact(VIEWS[0])


tab = Tab()
