"""What was excluded from a check, and how much of it, by kind."""

from __future__ import annotations

from collections import Counter

from ..checking.exclusion_view import ExclusionView
from ..text.lengths import count_units
from .content import LeftOut


def left_out_of(view: ExclusionView) -> tuple[LeftOut, ...]:
    """Return what a view of exclusions leaves out, the most first."""
    units, texts = Counter[str](), Counter[str]()
    for document, zones in zip(view.before.documents, view.spans, strict=True):
        texts.update({zone.kind for zone in zones})
        for zone in zones:
            units[zone.kind] += count_units(document.text[zone.start : zone.end])
    whole = sum(count_units(document.text) for document in view.before.documents)
    return tuple(
        LeftOut(kind, texts[kind], n, n / whole if whole else 0.0)
        for kind, n in units.most_common()
    )
