"""The lines of pages, joined to paragraphs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..characters import HAN

# A hyphen at the end of a line: pdfium marks those it recognises as U+FFFE or U+0002, and
# often joins the two lines itself.
_MARKED = re.compile("[\x02\ufffe]$")
# each begins where a run of its characters does: a run is seen once
_MARKED_WORD = re.compile("((?<![A-Za-z])[A-Za-z]++|)[\x02\ufffe]([A-Za-z]*)")
_HYPHEN = re.compile("(?<=[a-z\u00df-\u00ff\u0430-\u044f])[-\u2010\u00ad]$")
_HYPHENATED = re.compile(r"(?<![A-Za-z])[A-Za-z]++(?:-[A-Za-z]++)+")
_LAST_WORD = re.compile(r"(?<![A-Za-z-])[A-Za-z-]++$")
_FIRST_WORD = re.compile(r"[A-Za-z-]+")
_FINAL = re.compile(r"[。！？…．!?.:：;；」』”’\"')）\]】]$")
_WIDE = re.compile(f"[{HAN}\u3000-\u303f\uff00-\uffef“”‘’…—]")
_BULLET = re.compile(
    r"\s*(?:[•·●○■□▪◆➢*–-]\s|\(?\d{1,3}[.)、]\s?\D|[（(]?[一二三四五六七八九十]{1,3}[)）、.]|第.{1,4}[章节条])"
)
_FULL = 0.85  # of the usual line length: a shorter line ends its paragraph if it can


def reflow(pages: Sequence[Sequence[str]]) -> str:
    """Return paragraphs, a line each.

    Parameters
    ----------
    pages
        The lines of every page.

    Notes
    -----
    A line ends its paragraph when an empty line follows, or the next begins a list item, or it
    is short and ends a sentence, or it is much shorter than the page's lines. Lines are joined
    without a space where Han or full-width characters meet. A marked hyphen goes, unless the
    same word is written with it elsewhere.
    """
    lines = [line.rstrip() for page in pages for line in page]
    keep = set(_HYPHENATED.findall("\n".join(lines)))
    lines = [_resolve_marks(line, keep) for line in lines]
    widths = sorted(map(_width, [line for line in lines if line]))
    usual = widths[len(widths) * 9 // 10] if widths else 0.0
    text: list[str] = []
    for line in lines:
        if not line.strip():
            _end_paragraph(text)
        elif text and text[-1] != "\n" and not _begins_paragraph(text[-1], line, usual):
            line = line.lstrip()
            previous = text[-1]
            if _MARKED.search(previous) or (_HYPHEN.search(previous) and line[:1].islower()):
                stem = _MARKED.sub("", previous) if _MARKED.search(previous) else previous[:-1]
                first, last = _LAST_WORD.search(stem), _FIRST_WORD.match(line)
                word = f"{first[0]}-{last[0]}" if first and last else ""
                text[-1] = stem + ("-" if word in keep else "")
            elif not (_WIDE.match(previous[-1]) and _WIDE.match(line[0])):
                text.append(" ")
            text.append(line)
        else:
            _end_paragraph(text)
            text.append(line.lstrip())
    return "".join(text)


def _resolve_marks(line: str, keep: set[str]) -> str:
    """Resolve the marks inside a line; one at its end is left for the join."""

    def whole(match: re.Match[str]) -> str:
        hyphenated = f"{match[1]}-{match[2]}"
        if match.end() == len(line) and not match[2]:
            return match[0]
        return hyphenated if hyphenated in keep else match[1] + match[2]

    return _MARKED_WORD.sub(whole, line)


def _end_paragraph(text: list[str]) -> None:
    if text and text[-1] != "\n":
        text.append("\n")


def _width(line: str) -> int:
    return len(line) + len(_WIDE.findall(line))


def _begins_paragraph(previous: str, line: str, usual: float) -> bool:
    """Whether a line begins a new paragraph after `previous`, the last line joined so far."""
    if _MARKED.search(previous):
        return False
    if _BULLET.match(line) or line.startswith(("\u3000", "    ")):
        return True
    width = _width(previous)
    if width < 0.5 * usual:
        return True
    return width < _FULL * usual and bool(_FINAL.search(previous))
