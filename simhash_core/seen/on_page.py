"""Places on the pages of a text: where two readings differ, and where recognised lines stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..model import Difference, Document, Note

Box = tuple[int, int, int, int]

#: kinds of differences for which what the eye sees is known, and compared
READ_BY_EYE = frozenset({"remapped"})


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A recognised line.

    Attributes
    ----------
    page : int
    box : tuple of int
        Left, top, right, bottom in thousandths of the page.
    start, end : int
        Its place in the text.
    percent : int
        Confidence.
    unsure : tuple of (start, end)
        Words of little confidence, places in the text.
    """

    page: int
    box: Box
    start: int
    end: int
    percent: int
    unsure: tuple[tuple[int, int], ...]


def differences(document: Document) -> list[Difference]:
    """Return where the eye sees something else than the file says, in the order of the pages."""
    listed = [
        Difference(*place)
        for note in document.notes
        for place in note.params.get("places", ())  # type: ignore[attr-defined]
    ]
    return sorted(listed, key=lambda one: (one.page, one.box[1]))


def unseen_kinds(params: Mapping[str, object]) -> tuple[str, ...]:
    """Return why nobody sees what a note tells of, each kind once."""
    return tuple(dict.fromkeys(place[0] for place in params.get("places", ())))  # type: ignore[attr-defined]


def confidence(document: Document) -> float | None:
    """Return how sure recognition was of a text, per cent; None where it was not recognised."""
    note = _note(document, "ocr")
    return None if note is None else float(str(note.params.get("percent", 0)))


def read_lines(document: Document) -> list[ReadLine]:
    """Return the recognised lines of a text."""
    note, unsure = _note(document, "ocr"), _note(document, "unsure")
    words: Iterable[tuple[int, int]] = unsure.params.get("spans", ()) if unsure else ()  # type: ignore[assignment]
    rows: Iterable[tuple[int, ...]] = note.params.get("lines", ()) if note else ()  # type: ignore[assignment]
    lines = []
    for page, left, top, right, bottom, start, end, percent in rows:
        inside = tuple((a, b) for a, b in words if start <= a and b <= end)
        lines.append(ReadLine(page, (left, top, right, bottom), start, end, percent, inside))
    return lines


def _note(document: Document, code: str) -> Note | None:
    return next((note for note in document.notes if note.code == code), None)
