"""What stands in quotation marks, and quotations set as a block."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ..policy import BLOCK_QUOTE_INDENT, QUOTATION_MOST
from .citations import citations
from .lines import Line, paragraphs_of

_MARKS = {"“": "”", "‘": "’", "「": "」", "『": "』", "《": "》"}
_STRAIGHT = '"＂'
_OPENING = re.compile(f"[{''.join(_MARKS)}{_STRAIGHT}]")
_SENTENCE_END = re.compile(r"[。！？!?]|\.(?=\s|$)")

Place = tuple[int, int]


def quotations(text: str, lines: Sequence[Line]) -> list[tuple[int, int, str]]:
    """Return (start, end, reason) of the outermost quotations, their marks included.

    The reason is `cited` where a citation stands in the same sentence, `uncited` where none does,
    and `title` for the name of a work in 《》.

    Notes
    -----
    A mark closes in the same paragraph within `QUOTATION_MOST` characters, or it opened nothing:
    one forgotten mark never takes the rest of a text with it.
    """
    places = [
        place
        for start, end in paragraphs_of(lines)
        for place in _marked(text, start, end)
        if place[1] - place[0] > 2
    ]
    cited = [start for start, _, _ in citations(text)]
    zones = [
        (start, end, "title" if text[start] == "《" else _reason(text, start, end, cited))
        for start, end in places
    ]
    return zones + block_quotes(lines)


def block_quotes(lines: Sequence[Line]) -> list[tuple[int, int, str]]:
    """Return (start, end, `block`) of Markdown quotes and of paragraphs that are set back.

    Set back are lines indented by `BLOCK_QUOTE_INDENT` blanks in a text where most are not: after
    a colon, or at least two that stand between empty lines.
    """
    set_back = [line.indent >= BLOCK_QUOTE_INDENT for line in lines]
    usual = sum(set_back) * 2 > len(lines)
    marked = [
        "mark" if line.text.startswith(">") else "indent" if back and not usual else ""
        for line, back in zip(lines, set_back, strict=True)
    ]
    zones, first = [], 0
    bounds = [i + 1 for i, (a, b) in enumerate(pairwise(marked)) if a != b]
    for last in [*bounds, len(lines)] if lines else []:
        kind = marked[first] if first < len(lines) else ""
        introduced = first > 0 and lines[first - 1].text.endswith((":", "："))
        if kind == "mark" or (kind and (introduced or _stands_apart(lines, first, last))):
            zones.append((lines[first].start, lines[last - 1].end, "block"))
        first = last
    return zones


def _stands_apart(lines: Sequence[Line], first: int, last: int) -> bool:
    """Whether at least two lines stand between empty lines, with none among them."""
    ended = last == len(lines) or lines[last].after_blank
    together = not any(line.after_blank for line in lines[first + 1 : last])
    return last - first > 1 and lines[first].after_blank and ended and together


def _marked(text: str, start: int, end: int) -> list[Place]:
    """Return the outermost marked ranges of one paragraph."""
    places = []
    at = start
    while (opening := _OPENING.search(text, at, end)) is not None:
        first = opening.start()
        last = _closing(text, first, min(end, first + QUOTATION_MOST))
        if last > 0:
            places.append((first, last))
        at = max(last, first + 1)
    return places


def _closing(text: str, first: int, limit: int) -> int:
    """Return the place behind the closing mark, -1 without one."""
    mark = text[first]
    if mark in _STRAIGHT:
        return _closing_straight(text, first, limit)
    closer, depth = _MARKS[mark], 0
    for at in range(first, limit):
        if text[at] == mark:
            depth += 1
        elif text[at] == closer:
            if closer == "’" and text[at + 1 : at + 2].isalnum():
                continue  # don’t: an apostrophe
            depth -= 1
            if depth == 0:
                return at + 1
    return -1


def _closing_straight(text: str, first: int, limit: int) -> int:
    """Straight marks look alike: before a blank none opens, after a blank none closes."""
    before, after = text[first - 1 : first], text[first + 1 : first + 2]
    if not after or after.isspace() or (before.isascii() and before.isalnum()):
        return -1
    for at in range(first + 1, limit):
        if text[at] == text[first]:
            return -1 if text[at - 1].isspace() else at + 1
    return -1


def _reason(text: str, start: int, end: int, cited: Sequence[int]) -> str:
    """Say whether the sentence of a quotation names a source."""
    before = [m.end() for m in _SENTENCE_END.finditer(text, max(start - 200, 0), start)]
    first = max([text.rfind("\n", 0, start) + 1, start - 200, *before])
    after = _SENTENCE_END.search(text, end, end + 120)
    line_end = text.find("\n", end, end + 120)
    last = min(
        end + 120 if after is None else after.end(),
        len(text) if line_end < 0 else line_end,
    )
    near = any(first <= place < start or end <= place < last for place in cited)
    return "cited" if near else "uncited"
