"""Fingerprints as a picture: an SVG made here, without any request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simhash_core.palette import LIGHT

from ..components.pictures import bit_columns, square_sizes
from ..shared.formatting import esc

CELL, GAP, MARGIN = 18, 48, 24
_FONT = "font-family='sans-serif'"


def svg(
    traced: Mapping[int, Any],
    *,
    letters: Mapping[int, str],
    title: str,
    lines: Sequence[str],
    difference: str,
) -> bytes:
    """Return the grids of one or two texts, their difference, and lines of text below.

    `traced` maps a side to its trace; the picture is for paper, so it is always light.
    """
    whys = [each.explanation for each in traced.values()]
    bits = len(whys[0].bits)
    columns = bit_columns(bits)
    rows = -(-bits // columns)
    side, down = columns * CELL, rows * CELL
    top = max(float(why.margin.max(initial=0.0)) for why in whys)
    count = len(whys) + (len(whys) == 2)
    wide = max(2 * MARGIN + count * side + (count - 1) * GAP, 480)
    high = MARGIN + 64 + down + 24 + 20 * len(lines) + MARGIN
    parts = [_text(MARGIN, MARGIN + 16, title, size=18, weight=600)]
    for at, (number, why) in enumerate(zip(traced, whys, strict=True)):
        x = MARGIN + at * (side + GAP)
        parts.append(_text(x, MARGIN + 48, letters[number], size=14, weight=600))
        other = whys[1 - at].bits if len(whys) == 2 else why.bits
        parts.append(_grid(x, MARGIN + 58, why, other, square_sizes(why.margin, top), columns))
    if len(whys) == 2:
        x = MARGIN + 2 * (side + GAP)
        parts.append(_text(x, MARGIN + 48, difference, size=14))
        parts.append(_difference(x, MARGIN + 58, whys, columns))
    below = MARGIN + 58 + down + 28
    parts += [_text(MARGIN, below + 20 * n, line, size=13) for n, line in enumerate(lines)]
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{wide}' height='{high}' "
        f"viewBox='0 0 {wide} {high}'><title>{esc(title)}</title>"
        f"<rect width='100%' height='100%' fill='{LIGHT.bg}'/>"
    )
    return (head + "".join(parts) + "</svg>").encode()


def _text(x: float, y: float, text: str, *, size: int, weight: int = 400) -> str:
    style = f"{_FONT} font-size='{size}' font-weight='{weight}' fill='{LIGHT.ink}'"
    return f"<text x='{x}' y='{y}' {style}>{esc(text)}</text>"


def _frame(x: float, y: float, columns: int, bits: int) -> str:
    rows = -(-bits // columns)
    return (
        f"<rect x='{x}' y='{y}' width='{columns * CELL}' height='{rows * CELL}' fill='none' "
        f"stroke='{LIGHT.hair}'/>"
    )


def _grid(x: float, y: float, why: Any, other: Any, sizes: Sequence[int], columns: int) -> str:
    """Filled squares are 1, hollow ones 0; the side is the root of the margin."""
    marks = [_frame(x, y, columns, len(sizes))]
    for bit, percent in enumerate(sizes):
        size = CELL * percent / 100
        left = x + (bit % columns) * CELL + (CELL - size) / 2
        top = y + (bit // columns) * CELL + (CELL - size) / 2
        colour = LIGHT.reworded if why.bits[bit] != other[bit] else LIGHT.ink
        fill = colour if why.bits[bit] else "none"
        marks.append(
            f"<rect x='{left:.2f}' y='{top:.2f}' width='{size:.2f}' height='{size:.2f}' "
            f"fill='{fill}' stroke='{colour}' stroke-width='1.2'/>"
        )
    return "".join(marks)


def _difference(x: float, y: float, whys: Sequence[Any], columns: int) -> str:
    marks = [_frame(x, y, columns, len(whys[0].bits))]
    for bit, differ in enumerate(whys[0].bits != whys[1].bits):
        middle = x + (bit % columns + 0.5) * CELL, y + (bit // columns + 0.5) * CELL
        if differ:
            place = f"translate({middle[0]:.1f} {middle[1]:.1f}) rotate(45)"
            shape = f"<rect x='-5' y='-5' width='10' height='10' transform='{place}' "
            marks.append(shape + f"fill='{LIGHT.reworded}'/>")
        else:
            marks.append(
                f"<circle cx='{middle[0]:.1f}' cy='{middle[1]:.1f}' r='1.4' fill='{LIGHT.bulk}'/>"
            )
    return "".join(marks)
