"""Parts of a text that a reader may not want to count: quotations, references, headings, ..."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from .citations import citations
from .lines import Line, lines_of, running_lines
from .quotations import quotations
from .sections import acknowledgements, contents, cover, headings_of, references


@dataclass(frozen=True, slots=True)
class Zone:
    """A half-open range of code points of one kind; `reason` codes what it was recognised by."""

    start: int
    end: int
    kind: str
    reason: str


_Recognise = Callable[[str, Sequence[Line]], list[tuple[int, int, str]]]
_RULES: dict[str, _Recognise] = {
    "quotations": quotations,
    "references": lambda _, lines: references(lines),
    "citations": lambda text, _: citations(text),
    "headings": lambda _, lines: headings_of(lines),
    "cover": lambda _, lines: cover(lines),
    "contents": lambda _, lines: contents(lines),
    "acknowledgements": lambda _, lines: acknowledgements(lines),
    "running_lines": lambda _, lines: running_lines(lines),
}
#: every kind of zone
ZONE_KINDS = tuple(_RULES)


def zones(text: str, kinds: Iterable[str] = ZONE_KINDS) -> tuple[Zone, ...]:
    """Recognise the zones of a text.

    Parameters
    ----------
    text
        Any text; offsets of the result index exactly this.
    kinds
        Some of `ZONE_KINDS`.

    Returns
    -------
    tuple of Zone
        Kind after kind; those of one kind are sorted, do not overlap and are not empty. Zones of
        different kinds may: a quotation in the list of references is both.

    Notes
    -----
    Rules over lines and marks, none of which reaches beyond its paragraph or section, so that a
    mark that is never closed takes nothing with it. About linear in the length of the text.
    """
    lines = lines_of(text)
    return tuple(
        zone for kind in kinds for zone in _disjoint(sorted(_RULES[kind](text, lines)), kind)
    )


def _disjoint(places: list[tuple[int, int, str]], kind: str) -> list[Zone]:
    """Return the zones of one kind, each ending where the next begins at the latest."""
    apart: list[Zone] = []
    reached = 0
    for start, end, reason in places:
        if end > max(start, reached):
            apart.append(Zone(max(start, reached), end, kind, reason))
            reached = end
    return apart
