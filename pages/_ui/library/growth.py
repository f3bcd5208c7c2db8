"""How the library grew: the number of texts at the end of each day, as one line."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta

from simhash_core.storage.library import Library

from ..shared.formatting import esc, number
from ..shared.session import t
from ..shared.tab import tab
from ..shared.widgets import write_html

_WIDTH, _HEIGHT = 640, 44


def growth(held: Library) -> None:
    """Draw the line and what it begins and ends with."""
    days = _days(held)
    if len(days) < 2:
        return
    first, last = min(days), max(days)
    span = max((last - first).days, 1)
    total = sum(days.values())
    points, count = [(0.0, float(_HEIGHT))], 0
    for day in sorted(days):
        x = _WIDTH * (day - first).days / span
        points.append((x, points[-1][1]))
        count += days[day]
        points.append((x, _HEIGHT * (1 - count / total)))
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    lately = sum(n for day, n in days.items() if day > last - timedelta(days=30))
    text = t("library.growth", first=first.isoformat(), n=lately, all=number(total))
    write_html(
        f'<figure class="lt-growth"><svg viewBox="0 -2 {_WIDTH} {_HEIGHT + 4}" role="img"'
        f' aria-label="{esc(text)}" preserveAspectRatio="none"><polyline points="{path}"/></svg>'
        f"<figcaption>{esc(text)}</figcaption></figure>"
    )


def _days(held: Library) -> dict[date, int]:
    """Return how many texts were added on each day, counted once for each state of the library."""
    state = (held.newest(), held.removed()[0])
    remembered = tab.library_growth
    if remembered is None or remembered[0] != state:
        days = Counter(datetime.fromtimestamp(row.added).date() for row in held.rows())
        remembered = (state, dict(days))
        tab.library_growth = remembered
    return remembered[1]
