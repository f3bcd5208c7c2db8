"""Long reworded passages in parts, paragraph by paragraph, so that a reader can walk through them.

Pure presentation: the passage, its number and its offsets stay those of the result; only what is
drawn, stepped through and compared word by word is smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ...text.lengths import count_units
from .reading import Match, paragraphs
from .word_diff import counterparts

LONG = 80  # characters or words; a shorter passage is not parted
NEAR = 40  # code points within which a border of the second text counts as the same place


def in_parts(passages: Sequence[Match], texts: tuple[str, str]) -> tuple[Match, ...]:
    """Part every long reworded passage where a paragraph of the first text ends."""
    borders = tuple([end for _, end in paragraphs(text)] for text in texts)
    return tuple(part for match in passages for part in _parts(match, texts, borders))


def _parts(match: Match, texts: tuple[str, str], borders: Sequence[Sequence[int]]) -> list[Match]:
    inner = [end for end in borders[0] if match.a[0] < end < match.a[1]]
    if match.kind != "reworded" or not inner or count_units(texts[0][slice(*match.a)]) < LONG:
        return [match]
    across = counterparts(
        texts[0][slice(*match.a)],
        texts[1][slice(*match.b)],
        [end - match.a[0] for end in inner],
    )
    other = [end for end in borders[1] if match.b[0] < end < match.b[1]]
    ends = [_border(match.b[0] + at, other) for at in across]
    left, right = [match.a[0]], [match.b[0]]
    for a, b in zip(inner, ends, strict=True):
        if a > left[-1] and right[-1] < b < match.b[1]:
            left.append(a)
            right.append(b)
    spans = zip(pairwise([*left, match.a[1]]), pairwise([*right, match.b[1]]), strict=True)
    parts = [
        replace(match, a=_trimmed(texts[0], a), b=_trimmed(texts[1], b), whole=(match.a, match.b))
        for a, b in spans
    ]
    if len(parts) < 2:
        return [match]
    return [replace(part, part=place) for place, part in enumerate(parts, 1)]


def _border(at: int, borders: Sequence[int]) -> int:
    """Return the end of a paragraph of the second text where one is near."""
    nearest = min(borders, key=lambda end: abs(end - at), default=at)
    return nearest if abs(nearest - at) <= NEAR else at


def _trimmed(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Return a range without the white space at its edges."""
    inside = text[slice(*span)]
    start = span[0] + len(inside) - len(inside.lstrip())
    return min(start, span[1]), max(span[1] - len(inside) + len(inside.rstrip()), start)
