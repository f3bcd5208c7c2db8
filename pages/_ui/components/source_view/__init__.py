"""One text against all its sources: position strip, marked text, ranked list."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simhash_core.model import Division
from simhash_core.report.collation import reading

from ...shared.formatting import notation, text_language
from ...shared.session import language, t
from .. import register

STYLES = 8  # sources with a separate colour; the rest share one and have letters

_mount = register("source_view", '<div class="sources"></div>')


@dataclass(frozen=True, slots=True)
class Source:
    """One other text that shares parts of this one."""

    row: int
    name: str
    division: Division  # of this text, by what the other one shares
    facts: str
    spans: tuple[tuple[int, int], ...]  # ranges of this text


def source_view(
    text: str,
    sources: Sequence[Source],
    *,
    left_out: Sequence[tuple[int, int, str]] = (),
    key: str,
    document: str,
    name: str,
) -> int | None:
    """Draw the text with its sources in rank order; return the row the reader wants to open.

    A pick shows one source alone; double click or Enter on it asks for the comparison. `left_out`
    are ranges that do not count, each with its reason.
    """
    words = ("strip", "start", "middle", "end", "sources", "hint", "open", "foot", "none")
    identity = (document, language(), [(s.row, s.name, s.spans) for s in sources], left_out)
    state = _mount(
        key=key,
        data={
            "digest": hashlib.sha256(repr(identity).encode()).hexdigest()[:16],
            "document": document,
            "lang": text_language(text),
            "words": {
                **{word: t(f"document.view.{word}") for word in words},
                "text": t("document.view.text", name=name),
            },
            **layout(text, sources, left_out),
        },
        on_open_change=lambda: None,
    )
    wanted: int | None = state.get("open")
    return wanted


def layout(
    text: str, sources: Sequence[Source], left_out: Sequence[tuple[int, int, str]] = ()
) -> dict[str, Any]:
    """Return strip, runs and list as the component reads them.

    Notes
    -----
    Where sources overlap the character belongs to the better source of the ranking, so that the
    colours of the strip add up to the total overlap.
    """
    spans = [span for source in sources for span in source.spans]
    of = np.array([i for i, source in enumerate(sources) for _ in source.spans], np.int32)
    owner = reading.owners(len(text), spans, [-int(i) for i in of])
    source = np.where(owner == reading.PLAIN, reading.PLAIN, of[owner] if len(of) else owner)
    out = np.zeros(len(source), np.int32)
    for at, (start, end, _) in enumerate(left_out, 1):
        out[start:end] = at
    drawn = source + 1 + out * (len(sources) + 1)  # one number for what is drawn alike
    size = max(1, len(text))
    ranges = reading.paragraphs(text)
    best = max((s.division.total for s in sources), default=0.0)
    return {
        "paragraphs": [
            [
                _run(text, start, end, source, out, left_out)
                for start, end in reading.runs(drawn, low, high)
            ]
            for low, high in ranges
        ],
        "tight": reading.tight(text, ranges),
        "strip": [
            [int(source[start]), _percent_of(start, size), _percent_of(end - start, size), start]
            for start, end in reading.runs(source, 0, len(text))
            if source[start] != reading.PLAIN
        ],
        "sources": [
            {
                "row": s.row,
                "name": s.name,
                "share": notation().total(s.division),
                "width": round(100 * s.division.total / best, 2) if best else 0,
                "facts": s.facts,
                "chip": chip(rank),
                "style": f"s{min(rank, STYLES) + 1}",
            }
            for rank, s in enumerate(sources)
        ],
    }


def chip(rank: int) -> str:
    """Return the mark of a source: 1 to 8 for those with a colour, then a, b, ... z, aa, ab."""
    if rank < STYLES:
        return str(rank + 1)
    letters, rest = "", rank - STYLES + 1
    while rest:
        rest, digit = divmod(rest - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


def _run(
    text: str,
    start: int,
    end: int,
    source: NDArray[np.int32],
    out: NDArray[np.int32],
    left_out: Sequence[tuple[int, int, str]],
) -> list[Any]:
    owner, at = int(source[start]), int(out[start])
    if owner == reading.PLAIN:
        if not at:
            return [text[start:end]]
        _, last, reason = left_out[at - 1]
        return [text[start:end], -1, 0, -1, reason if end == last else 1]
    first = start == 0 or int(source[start - 1]) != owner
    return [text[start:end], owner, int(first), start if first else -1]


def _percent_of(part: int, whole: int) -> float:
    return round(100 * part / whole, 3)
