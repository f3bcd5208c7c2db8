"""The lines of a page in the order in which they are read: columns, rows, vertical writing.

The page may lie askew, on its side or upside down.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...model import U8
from . import Line, Recogniser

_TALL = 1.8  # times as tall as wide: a column of vertical writing, or a line of a page on its side
_SURELY = 0.85  # mean confidence of a page; upright ones have more
_BETTER = 1.1  # times the evidence: the page is taken as turned
_MOST_SLOPE = 0.3
_SAME_ROW = 0.55  # of the height of a line, between the middles of two pieces of one row
_GUTTER = 0.9  # least width of an empty band between columns, heights of a line
_BAND = 1.2  # the same between parts that stand above each other
_INDENT = (0.9, 3.5)  # heights of a line that the first line of a paragraph stands in
_NEAR = 4.0  # heights: rows of the same column begin within
_IDEOGRAPHIC = "\u3000"


@dataclass(frozen=True, slots=True)
class Page:
    """What was read on one picture.

    Attributes
    ----------
    width, height : int
        Pixels of the picture as the lines lie in it.
    turned : int
        Quarter turns to the left after which it was upright; the boxes are those after the turn.
    lines : tuple of Line
        Rows in reading order; an indented one begins with an ideographic space.
    """

    width: int
    height: int
    turned: int
    lines: tuple[Line, ...]

    @property
    def text(self) -> list[str]:
        """Return the lines as strings."""
        return [line.text for line in self.lines]


def read_page(recogniser: Recogniser, picture: U8) -> Page:
    """Return the rows of a page in reading order.

    Parameters
    ----------
    picture : uint8 (height, width)

    Notes
    -----
    A page most of whose lines are taller than wide lies on its side, or is written in columns
    from right to left: whichever way gives more evidence. One that is hardly readable may stand on
    its head. Such pages are read two or three times.
    """
    lines, turned = list(recogniser(picture)), 0
    tall = [line for line in lines if line.bottom - line.top > _TALL * (line.right - line.left)]
    if lines and 2 * len(tall) > len(lines):
        turned, lines = _best_turn(recogniser, picture, lines, (1, 3))
        if turned == 0:
            columns = sorted(lines, key=lambda line: (-line.right, line.top))
            return _make_page(picture, 0, columns)
    elif lines and statistics.fmean(line.confidence for line in lines) < _SURELY:
        turned, lines = _best_turn(recogniser, picture, lines, (2,))
    return _make_page(picture, turned, _join_rows(lines))


def _best_turn(
    recogniser: Recogniser, picture: U8, lines: list[Line], turns: Sequence[int]
) -> tuple[int, list[Line]]:
    """Return by how many quarters the page is turned, and its lines then."""
    best, turned = _weigh_evidence(lines), 0
    for turn in turns:
        other = list(recogniser(np.ascontiguousarray(np.rot90(picture, turn))))
        if _weigh_evidence(other) > best * _BETTER:
            best, turned, lines = _weigh_evidence(other), turn, other
    return turned, lines


def _make_page(picture: U8, turned: int, lines: Sequence[Line]) -> Page:
    height, width = picture.shape if turned % 2 == 0 else picture.shape[::-1]
    return Page(width, height, turned, tuple(lines))


def _weigh_evidence(lines: Sequence[Line]) -> float:
    """Return how much sense lines make: characters, by the fourth power of confidence."""
    return sum(len(line.text) * line.confidence**4 for line in lines)


# ------------------------------------------------------------------------------ order


@dataclass(frozen=True, slots=True)
class _Piece:
    """A line on the page turned level, with its place before that."""

    line: Line
    left: float
    top: float
    right: float
    bottom: float

    @property
    def x(self) -> float:
        return (self.left + self.right) / 2

    @property
    def y(self) -> float:
        return (self.top + self.bottom) / 2


def _join_rows(lines: Sequence[Line]) -> list[Line]:
    """Return the rows of a page in order; pieces of a row are one line."""
    pieces = _order_pieces(_level_lines(lines))
    if not pieces:
        return []
    height = _usual_height(pieces)
    rows: list[list[_Piece]] = []
    for piece in pieces:
        last = rows[-1][-1] if rows else None
        if last and abs(piece.y - last.y) < height * _SAME_ROW and piece.left > last.left:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    lefts = [row[0].left for row in rows]
    joined = []
    for row in rows:
        margin = min(left for left in lefts if abs(left - row[0].left) < height * _NEAR)
        indent = row[0].left - margin
        indented = _INDENT[0] * height < indent < _INDENT[1] * height
        joined.append(_join_row([piece.line for piece in row], _IDEOGRAPHIC if indented else ""))
    return joined


def _join_row(row: Sequence[Line], indent: str) -> Line:
    """Return the pieces of a row as one line."""
    text, unsure = indent, []
    for number, line in enumerate(row):
        text += " " if number else ""
        unsure += [(start + len(text), end + len(text)) for start, end in line.unsure]
        text += line.text
    letters = [max(len(line.text), 1) for line in row]
    confidence = float(np.average([line.confidence for line in row], weights=letters))
    return replace(
        row[0],
        text=text,
        left=min(line.left for line in row),
        top=min(line.top for line in row),
        right=max(line.right for line in row),
        bottom=max(line.bottom for line in row),
        confidence=confidence,
        unsure=tuple(unsure),
    )


def _level_lines(lines: Sequence[Line]) -> list[_Piece]:
    """Turn the middles of all lines back by the slope of the page, so that rows are level."""
    slopes = [line.slope for line in lines if abs(line.slope) < _MOST_SLOPE]
    angle = math.atan(statistics.median(slopes)) if slopes else 0.0
    cos, sin = math.cos(angle), math.sin(angle)
    pieces = []
    for line in lines:
        x, y = line.middle
        u, v = x * cos + y * sin, y * cos - x * sin
        width, height = line.right - line.left, line.bottom - line.top
        # the box around a sloping line is taller than the line
        w = width / 2
        h = max(height - abs(width * sin), height / 4) / 2
        pieces.append(_Piece(line, u - w, v - h, u + w, v + h))
    return pieces


def _usual_height(pieces: Sequence[_Piece]) -> float:
    return statistics.median(piece.bottom - piece.top for piece in pieces)


def _order_pieces(pieces: list[_Piece]) -> list[_Piece]:
    """Cut the page along its widest empty bands, upright ones first (a recursive XY cut)."""
    if len(pieces) < 2:
        return pieces
    height = _usual_height(pieces)
    cut = _find_gutter(pieces, height)
    if cut is not None:
        return _order_columns(pieces, cut, height)
    cut = _find_gap([(piece.top, piece.bottom) for piece in pieces], height * _BAND)
    if cut is not None:
        above = [piece for piece in pieces if piece.bottom <= cut]
        below = [piece for piece in pieces if piece.bottom > cut]
        if above and below:
            return _order_pieces(above) + _order_pieces(below)
    return _order_rows(pieces, height)


def _order_columns(pieces: list[_Piece], cut: float, height: float) -> list[_Piece]:
    """Return what stands left of a gutter before what stands right of it.

    A line across it, a title or two columns taken for one line, parts the page into bands.
    """
    across = [one for one in pieces if one.left < cut - height and one.right > cut + height]
    ordered: list[_Piece] = []
    above = -math.inf
    for border in [*sorted(one.y for one in across), math.inf]:
        band = [one for one in pieces if one not in across and above < one.y <= border]
        for side in (True, False):
            part = [one for one in band if (one.x < cut) is side]
            ordered += _order_pieces(part) if len(part) < len(pieces) else _order_rows(part, height)
        ordered += [one for one in across if one.y == border]
        above = border
    return ordered


def _find_gutter(pieces: Sequence[_Piece], height: float) -> float | None:
    """Return the middle of the widest upright band that hardly any line crosses, None for none."""
    starts, ends = (np.array([getattr(one, side) for one in pieces]) for side in ("left", "right"))
    x = np.arange(starts.min(), ends.max(), height / 8)
    crossed = ((starts < x[:, None]) & (ends > x[:, None])).sum(axis=1)
    free = crossed <= 1 + len(pieces) // 20
    edges = np.flatnonzero(np.diff(np.concatenate([[0], free.astype(np.int8), [0]])))
    middles, least = (starts + ends) / 2, max(3, len(pieces) // 6)
    best, place = height * _GUTTER, None
    for first, last in edges.reshape(-1, 2).tolist():
        middle = float(x[first] + x[last - 1]) / 2
        on_left = int((middles < middle).sum())
        if x[last - 1] - x[first] > best and min(on_left, len(pieces) - on_left) >= least:
            best, place = float(x[last - 1] - x[first]), middle
    return place


def _find_gap(spans: Sequence[tuple[float, float]], least: float) -> float | None:
    """Return the middle of the widest gap that no span touches, None below `least`."""
    spans = sorted(spans)
    reach, widest, place = spans[0][1], least, None
    for begin, end in spans[1:]:
        if begin - reach > widest:
            widest, place = begin - reach, (begin + reach) / 2
        reach = max(reach, end)
    return place


def _order_rows(pieces: Sequence[_Piece], height: float) -> list[_Piece]:
    rows: list[list[_Piece]] = []
    for piece in sorted(pieces, key=lambda one: one.y):
        if rows and piece.y - statistics.fmean(one.y for one in rows[-1]) < height * _SAME_ROW:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [piece for row in rows for piece in sorted(row, key=lambda one: one.left)]
