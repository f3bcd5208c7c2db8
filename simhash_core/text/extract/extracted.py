"""What every extractor returns, and the limits every extractor keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ...errors import Unreadable
from ...model import Note

MOST_CHARACTERS = 2_000_000  # of one document, about four thousand printed pages
_MOST_SPANS = 200  # places listed in one note


@dataclass(frozen=True, slots=True)
class Extracted:
    """The text of one file with its properties and notes."""

    text: str
    encoding: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()


def within_limits(text: str) -> str:
    """Return the text, or raise `Unreadable("too_long")` beyond `MOST_CHARACTERS`."""
    if len(text) > MOST_CHARACTERS:
        raise Unreadable("too_long", n=MOST_CHARACTERS)
    return text


def finding(code: str, spans: Sequence[tuple[int, int]], n: int) -> tuple[Note, ...]:
    """Return one note for all places of a kind, none for none.

    `params["spans"]` lists the first places, `start` and `end` are the very first.
    """
    if not spans:
        return ()
    listed = tuple(spans[:_MOST_SPANS])
    return (Note(code, {"n": n, "spans": listed}, *listed[0]),)


def joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merge neighbouring ranges; the input is sorted."""
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def without_empty(**meta: str | None) -> dict[str, str]:
    """Drop empty values, and white space around the others."""
    return {key: value.strip() for key, value in meta.items() if value and value.strip()}
