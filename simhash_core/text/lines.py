"""The lines and paragraphs of a text by their places, and the lines that repeat on every page."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..policy import RUNNING_LINE_GAP, RUNNING_LINE_TIMES

#: lines longer than this were not wrapped by hand: each is a paragraph
LONGEST_WRAPPED = 100
LONGEST_RUNNING = 100  # characters of a header or footer

_LINE = re.compile(r"[^\n\r\f\v\x85\u2028\u2029]+")
_FINAL = re.compile(r"[。！？…．!?.:：;；」』”’\"'）)\]】》]\s*$")
_PAGE = re.compile(
    r"第\s*\d+\s*页(?:\s*[,，/]?\s*共\s*\d+\s*页)?|page\s+\d+(?:\s*(?:of|/)\s*\d+)?|[-–—]\s*\d+\s*[-–—]",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")
#: what Markdown sets at the beginning of a line, and what it sets elsewhere
_MARKS = re.compile(
    r"(?m)^[ \t]*(?:>[ \t]*)*(?:#{1,6}[ \t]+|[-*+][ \t]+|```\w*$)?|<br[ \t]*/?>|\*\*"
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is not blank, [start, end) without its white space at both ends.

    `indent` counts the blanks before it (a tab is 4), `after_blank` says whether an empty
    line or nothing comes before it, `first` and `last` bound the whole line.
    """

    start: int
    end: int
    text: str
    indent: int
    after_blank: bool
    first: int
    last: int


def lines_of(text: str) -> list[Line]:
    """Return the lines that are not blank."""
    lines: list[Line] = []
    reached = -1
    for match in _LINE.finditer(text):
        line = match.group()
        content = line.strip()
        if not content:
            continue
        before = len(line) - len(line.lstrip())
        start = match.start() + before
        between = text[max(reached, 0) : match.start()].replace("\r\n", "\n")
        blank = not lines or len(re.findall(r"[\n\r\f\v\x85\u2028\u2029]", between)) > 1
        indent = sum(4 if mark == "\t" else 1 for mark in line[:before])
        lines.append(
            Line(start, start + len(content), content, indent, blank, match.start(), match.end())
        )
        reached = match.end()
    return lines


def paragraphs_of(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield the range of each paragraph.

    Notes
    -----
    A paragraph ends before an empty or an indented line, and after a line that ends a sentence or
    is too long to have been wrapped: rather two paragraphs of one than one of two.
    """
    if not lines:
        return
    start = lines[0].start
    for line, following in pairwise(lines):
        alone = line.last - line.first > LONGEST_WRAPPED or _FINAL.search(line.text)
        if alone or following.after_blank or following.indent > line.indent:
            yield start, line.end
            start = following.start
    yield start, lines[-1].end


def running_lines(lines: Sequence[Line]) -> list[tuple[int, int, str]]:
    """Return (start, end, reason) of page numbers and of the headers and footers of pages.

    Notes
    -----
    A header is a short line that comes again, digits apart, `RUNNING_LINE_TIMES` times with at
    least `RUNNING_LINE_GAP` characters between; a bare number is that of a page where such
    numbers grow from one to the next.
    """
    zones = [(one.start, one.end, "page_number") for one in lines if _PAGE.fullmatch(one.text)]
    places: defaultdict[str, list[Line]] = defaultdict(list)
    for line in lines:
        if len(line.text) <= LONGEST_RUNNING:
            places[_DIGITS.sub("0", line.text)].append(line)
    for form, repeated in places.items():
        apart = all(b.start - a.end >= RUNNING_LINE_GAP for a, b in pairwise(repeated))
        if len(repeated) < RUNNING_LINE_TIMES or not apart:
            continue
        if form == "0":
            numbers = [int(line.text) for line in repeated]
            if any(a >= b for a, b in pairwise(numbers)):
                continue
        reason = "page_number" if form == "0" else "repeated"
        zones += [(line.start, line.end, reason) for line in repeated]
    return zones


def blank_marks(text: str) -> str:
    """Return a text with blanks in the place of the marks of Markdown, to be shown to a person."""
    return _MARKS.sub(lambda mark: " " * len(mark[0]), text)
