"""What a text shares, by how it says so: as a quotation, with a citation, both or neither."""

from __future__ import annotations

from collections.abc import Sequence

from ..text.lengths import Units
from ..text.zones import zones
from .collation.reading import Span, union
from .content import MatchGroup

GROUPS = ("quoted_cited", "quoted", "cited", "neither")
MOSTLY = 0.5  # share of a stretch inside quotation marks from which it is a quotation
NEAR = 80  # code points behind a stretch within which a citation still belongs to it


def match_groups(text: str, shared: Sequence[Span], units: Units) -> tuple[MatchGroup, ...]:
    """Return the shared stretches of a text in four groups, each with its units.

    Notes
    -----
    A rule of layout, not of judgement: a citation counts as given whatever it names.
    """
    marked = zones(text, ("quotations", "citations"))
    quotations = [(zone.start, zone.end) for zone in marked if zone.kind == "quotations"]
    citations = [(zone.start, zone.end) for zone in marked if zone.kind == "citations"]
    counts = {code: [0, 0] for code in GROUPS}
    for span in union(shared):
        size = units.count(*span)
        inside = sum(units.count(*part) for part in _within(span, quotations))
        quoted = size > 0 and inside >= MOSTLY * size
        cited = bool(_within((span[0], span[1] + NEAR), citations))
        code = ("quoted_cited" if cited else "quoted") if quoted else (
            "cited" if cited else "neither"
        )  # fmt: skip
        counts[code][0] += 1
        counts[code][1] += size
    return tuple(MatchGroup(code, n, size) for code, (n, size) in counts.items())


def _within(span: Span, ranges: Sequence[Span]) -> list[Span]:
    """Return what of some ranges lies in a span."""
    cut = [(max(span[0], start), min(span[1], end)) for start, end in ranges]
    return [(start, end) for start, end in cut if start < end]
