"""Lines of mixed Chinese and Latin text: where they may break, what stands where, in which font.

A line breaks between words, and before and after a Chinese character, but never before a mark that
closes nor after one that opens. A character is set in a standard Latin font, in an installed
Chinese one, or by CID.

A paragraph is one string with one array: how far the pen has moved before each character. Lines are
found by bisection in it, and a run of one style and font is a slice.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFError, TTFont

#: never first on a line
CLOSING = frozenset("，。、；：？！…—·）】》〉」』〕”’％‰％,.;:?!)]}%ーゝゞ々")
#: never last on a line
OPENING = frozenset("（【《〈「『〔“‘([{￥$＄")

#: Chinese and Japanese characters and marks of full width; marks that Latin text shares with them
_HAN, _MARKS = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff", "“”‘’…—·"
_OPENS, _CLOSES = ("[" + re.escape("".join(some)) + "]" for some in (OPENING, CLOSING))
_BREAK = re.compile(
    rf"(?<= )|(?= )|(?<!{_OPENS})(?!{_CLOSES})(?:(?<=[{_HAN}{_MARKS}])|(?=[{_HAN}{_MARKS}]))"
)
#: what the fonts of the PDF standard have
_LATIN = {bytes((code,)).decode("cp1252", "ignore") for code in range(256)}
#: what is set in the Chinese font: all that the Latin ones lack, and shared marks beside it
_NOT_LATIN = re.compile(
    rf"(?:[^{re.escape(''.join(sorted(_LATIN)))}]"
    rf"|(?<=[{_HAN}])[{_MARKS}]+|(?<![{_MARKS}])[{_MARKS}]+(?=[{_HAN}]))+"
)

CHINESE = "LeitongChinese"
FALLBACK = "STSong-Light"  # not embedded: every viewer brings a substitute
MISSING = "\u25a1"  # a character that no font has

#: files with TrueType outlines, the most readable first; others cannot be embedded
FILES = (
    *("msyh.ttc", "msyh.ttf", "Deng.ttf", "STHeiti Light.ttc", "Hiragino Sans GB.ttc"),
    *("NotoSansSC-Regular.ttf", "NotoSansSC[wght].ttf", "SourceHanSansSC-Regular.ttf"),
    *("wqy-microhei.ttc", "wqy-zenhei.ttc", "simhei.ttf", "simsun.ttc", "Songti.ttc"),
    *("DroidSansFallbackFull.ttf", "DroidSansFallback.ttf", "uming.ttc", "Arial Unicode.ttf"),
)
_FACES = {
    (False, False): "Helvetica", (False, True): "Helvetica-Bold",
    (True, False): "Times-Roman", (True, True): "Times-Bold",
}  # fmt: skip
#: fonts are those of the process, and remember where in their file they read
writing = threading.Lock()
#: what stands for a character that many fonts lack
_INSTEAD = {"◂": "‹", "▸": "›", "⇅": "^", "−": "-"}
#: spaces of other widths: never of the Chinese font, where some are as wide as a character
_SPACES = {
    **dict.fromkeys("\u2007\u2009\u202f", "\u00a0"),  # between the digits of a number: no break
    **dict.fromkeys("\t\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u200a\u205f", " "),
}


class Style(NamedTuple):
    """How a run is set. `kind` is the kind of its passage, "" outside."""

    size: float = 8.6
    serif: bool = False
    bold: bool = False
    dim: bool = False
    kind: str = ""
    raised: bool = False
    link: str = ""
    wide: bool = False  # all of it in the Chinese font
    struck: bool = False  # a line through what does not count

    @property
    def points(self) -> float:
        """The size of its characters."""
        return self.size * 0.68 if self.raised else self.size


class Span(NamedTuple):
    """Text in one style."""

    text: str
    style: Style


class Glyphs(NamedTuple):
    """Characters of one style and one font at one place of a line; `x` in points."""

    x: float
    width: float
    text: str
    font: str
    style: Style

    @property
    def thicken(self) -> bool:
        """Whether bold is drawn by a thicker line: the Chinese font has one weight."""
        return self.style.bold and self.font in (CHINESE, FALLBACK)


Line = tuple[Glyphs, ...]


def width_of(line: Line) -> float:
    """Return where a line ends, in points from its left edge."""
    return line[-1].x + line[-1].width if line else 0.0


def break_lines(spans: Sequence[Span], width: float, *, indent: float = 0.0) -> list[Line]:
    """Set text on lines of at most `width` points, the first one indented."""
    text, pen, runs = paragraph = _set_in_one_line(spans)
    breaks: list[int] | None = None  # where a line may end: found once one is too long
    lines, low, first = list[Line](), 0, 0
    for part in text.split("\n"):
        end, before = low + len(part), len(lines)
        low = end - len(part.lstrip(" "))
        while low < end:
            x = 0.0 if lines else indent
            high = bisect_right(pen, pen[low] + width - x + 0.01, low, end + 1) - 1
            if high < end:
                breaks = _find_breaks(text, runs) if breaks is None else breaks
                last = breaks[bisect_right(breaks, high) - 1]
                high = last if last > low else max(high, low + 1)
            while runs[first].end <= low:
                first += 1
            lines.append(_cut_line(paragraph, first, low, high, x))
            low = high
            while low < end and text[low] == " ":
                low += 1
        if len(lines) == before and (end < len(text) or not lines):
            lines.append(())
        low = end + 1
    return lines


class _Run(NamedTuple):
    """Characters of a paragraph in one style and one font."""

    start: int
    end: int
    font: str
    style: Style


#: text as it is set, where each character and the end would stand on one long line, and its runs
_Paragraph = tuple[str, list[float], list[_Run]]


def _set_in_one_line(spans: Sequence[Span]) -> _Paragraph:
    """Set text on one line, however long it is."""
    fonts, moves, runs = load_fonts(), list[float](), list[_Run]()
    whole = fonts.make_settable("".join([span.text for span in spans]))
    start = 0
    for text, style in spans:
        shown = whole[start : start + len(text)]
        for low, high, font in _find_faces(shown, style, fonts.chinese):
            moves += fonts.measure(shown[low:high], font, style.points)
            runs.append(_Run(start + low, start + high, font, style))
        start += len(text)
    return whole, list(accumulate(moves, initial=0.0)), runs


def _find_breaks(text: str, runs: Sequence[_Run]) -> list[int]:
    """Return where lines may end; the number of a passage stays with its first character."""
    glued = {run.end for run in runs if run.style.raised}
    return [0, *(at for match in _BREAK.finditer(text) if (at := match.start()) not in glued)]


def _cut_line(paragraph: _Paragraph, first: int, low: int, high: int, x: float) -> Line:
    """Return the line from one character to another, without the spaces that end it.

    It begins at `x`, in the run with the number `first`.
    """
    text, pen, runs = paragraph
    while text[high - 1] == " ":
        high -= 1
    start, line = pen[low] - x, []
    for at in range(first, len(runs)):
        begin, end, font, style = runs[at]
        if begin >= high:
            break
        begin, end = max(begin, low), min(end, high)
        line.append(Glyphs(pen[begin] - start, pen[end] - pen[begin], text[begin:end], font, style))
    return tuple(line)


def _find_faces(text: str, style: Style, chinese: str) -> Iterator[tuple[int, int, str]]:
    """Yield which font sets which characters.

    The fonts of the PDF standard set Latin letters, so these have a bold of their own.
    """
    if style.wide:
        yield 0, len(text), chinese
        return
    low, latin = 0, _FACES[style.serif, style.bold]
    for match in () if text.isascii() else _NOT_LATIN.finditer(text):
        if match.start() > low:
            yield low, match.start(), latin
        yield *match.span(), chinese
        low = match.end()
    if low < len(text):
        yield low, len(text), latin


# --------------------------------------------------------------------------- fonts
class Fonts:
    """The fonts of this machine: which one sets Chinese, what it has, how wide characters are."""

    def __init__(self) -> None:
        self.chinese = _register_chinese()
        self._settable: dict[int, str] = {}  # code point -> what is set for it
        self._widths: dict[tuple[str, float], dict[str, float]] = {}  # by font and size

    def make_settable(self, text: str) -> str:
        """Return a text with a box for what no font has; a space is one in any font."""
        for code in set(map(ord, text)).difference(self._settable):
            shown = _SPACES.get(chr(code), chr(code))
            choices = (shown, _INSTEAD.get(shown, MISSING), "?")
            self._settable[code] = next(filter(self._has, choices))
        return text.translate(self._settable)

    def measure(self, text: str, font: str, size: float) -> list[float]:
        """Return how wide each character is, in points."""
        widths = self._widths.setdefault((font, size), {})
        try:
            return [widths[character] for character in text]
        except KeyError:
            for character in set(text).difference(widths):
                widths[character] = pdfmetrics.stringWidth(character, font, 1000) * size / 1000
            return [widths[character] for character in text]

    def _has(self, character: str) -> bool:
        """Whether the Latin fonts or the Chinese one have a character."""
        if character in _LATIN:
            return True
        if self.chinese == FALLBACK:
            return bool(character.encode("gbk", "ignore"))
        return ord(character) in pdfmetrics.getFont(self.chinese).face.charToGlyph


@cache
def load_fonts() -> Fonts:
    """Return the fonts of this machine, found on first use."""
    return Fonts()


def _register_chinese() -> str:
    """Return the name of the font for Chinese: an installed one, else one that needs no file."""
    paths: dict[str, Path] = {}
    for folder in folders():
        for path in sorted(folder.rglob("*.tt[cf]")) if folder.is_dir() else ():
            paths.setdefault(path.name, path)
    for name in filter(paths.__contains__, FILES):
        try:
            pdfmetrics.registerFont(TTFont(CHINESE, str(paths[name]), subfontIndex=0))
        except (TTFError, OSError, ValueError, KeyError):
            continue  # PostScript outlines, a damaged or an unreadable file
        return CHINESE
    pdfmetrics.registerFont(UnicodeCIDFont(FALLBACK))
    return FALLBACK


def folders() -> list[Path]:
    """Return where fonts are installed on this system."""
    home = Path.home()
    if sys.platform == "win32":
        system = Path(os.environ.get("WINDIR", r"C:\Windows")) / "Fonts"
        local = Path(os.environ.get("LOCALAPPDATA", str(home)))
        return [system, local / "Microsoft" / "Windows" / "Fonts"]
    if sys.platform == "darwin":
        return [Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library" / "Fonts"]
    shared = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
    return [*shared, home / ".local" / "share" / "fonts", home / ".fonts"]
