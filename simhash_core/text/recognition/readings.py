"""Pages of a PDF read twice: what the eye sees, and what the file says there.

Three lines of each font are read as pictures. Where they say something else than the file, the
pages of that font are recognised as a whole, and what was recognised is the text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...model import Difference, Note
from ..extract import pdf
from . import Line, LineReader
from .order import Page

KIND = "remapped"
_LEAST_ALIKE = 0.75  # honest lines are at least .9 alike, others at most .4
_HARDLY_ALIKE = 0.45  # one such line is enough
_SURE = 0.8  # confidence of a line that may testify
_FEWEST = 4  # letters of a line that is shown
_MOST_SHOWN = 240  # characters of one place
_MOST_PLACES = 40
_PER_MILLE = 1000


def misread_pages(data: bytes, reader: LineReader) -> list[str]:
    """Return the pages, by number, whose letters are not what the file says.

    Notes
    -----
    Cost: about .1 CPU s a line, three lines a font, thirty a file at most.
    """
    lettering = pdf.lettering(data)
    alike: dict[int, list[float]] = {}
    for sample in lettering.samples:
        seen, confidence = reader.line(sample.picture)
        if confidence >= _SURE:
            alike.setdefault(sample.font, []).append(_alike(sample.text, seen))
    pages: set[int] = set()
    for font, shares in alike.items():
        poor = sum(share < _LEAST_ALIKE for share in shares)
        if min(shares) < _HARDLY_ALIKE or (poor > 1 and 2 * poor >= len(shares)):
            pages.update(lettering.pages[font])
    return list(map(str, sorted(pages)))


def _alike(file_text: str, seen: str) -> float:
    """Return how alike two readings of a line are, 0 to 1."""
    from rapidfuzz import fuzz

    return fuzz.ratio(_key(file_text), _key(seen)) / 100


def _key(text: str) -> str:
    """Letters and digits only: recognisers disagree about marks."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(one for one in folded if one.isalnum() or unicodedata.category(one) == "Co")


def different_readings(data: bytes, pages: Mapping[str, Page]) -> tuple[Note, ...]:
    """Return notes on the lines of recognised pages for which the file says something else.

    Returns
    -------
    tuple of Note
        `remapped` and `under_picture`: `n` letters, `places` the lines, those in a row as one.
    """
    by_kind: dict[str, list[Difference]] = {}
    for part, page in pages.items():
        if page.turned or not page.lines:
            continue
        groups: list[list[_Read]] = []
        for one in _compare_page(data, part, page):
            last = groups[-1][-1] if groups else None
            if last and last.row + 1 == one.row and last.kind == one.kind:
                groups[-1].append(one)
            else:
                groups.append([one])
        for place in map(_join_group, groups):
            by_kind.setdefault(place.kind, []).append(place)
    return tuple(
        Note(
            kind,
            {"n": sum(one.n for one in places), "places": tuple(map(tuple, places[:_MOST_PLACES]))},
        )
        for kind, places in by_kind.items()
    )


@dataclass(frozen=True, slots=True)
class _Read:
    """A line, its place in the order of the page, and both readings."""

    row: int
    kind: str
    page: int
    line: Line
    box: tuple[int, int, int, int]
    file_text: str


def _compare_page(data: bytes, part: str, page: Page) -> Iterator[_Read]:
    """Yield the lines of a page that the file has otherwise."""
    scale = np.array([page.width, page.height] * 2, np.float64)
    boxes = np.array([(one.left, one.top, one.right, one.bottom) for one in page.lines]) / scale
    layers = pdf.said_in(data, part, boxes)
    for row, (line, box, (words, layered)) in enumerate(
        zip(page.lines, boxes, layers, strict=True)
    ):
        if len(_key(words)) >= _FEWEST and _alike(words, line.text) < _LEAST_ALIKE:
            left, top, right, bottom = np.clip(np.round(box * _PER_MILLE), 0, _PER_MILLE)
            place = int(left), int(top), int(right), int(bottom)
            kind = "under_picture" if layered else KIND
            yield _Read(row, kind, int(part), line, place, words)


def _join_group(group: Sequence[_Read]) -> Difference:
    lefts, tops, rights, bottoms = zip(*(one.box for one in group), strict=True)
    between = " " if group[0].line.text[-1:].isascii() else ""  # nothing where they are Chinese
    seen = between.join(one.line.text.strip() for one in group)
    text = between.join(one.file_text for one in group)
    n = sum(len(_key(one.file_text)) for one in group)
    box = min(lefts), min(tops), max(rights), max(bottoms)
    first = group[0]
    return Difference(first.kind, first.page, box, n, 1, seen[:_MOST_SHOWN], text[:_MOST_SHOWN])
