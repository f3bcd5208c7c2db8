"""Lines of mixed Chinese and Latin text: where they may break, what stands where, in which font.

A line breaks between words, and before and after a Chinese character, but never before a mark that
closes nor after one that opens. A character is set in a standard Latin font, in an installed
Chinese one, or by CID.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from ...machine.once import once

#: never first on a line
CLOSING = frozenset("，。、；：？！…—·）】》〉」』〕”’％‰％,.;:?!)]}%ーゝゞ々")
#: never last on a line
OPENING = frozenset("（【《〈「『〔“‘([{￥$＄")

#: marks that Chinese and Latin text share
MARKS = frozenset("“”‘’…—·")
_CHINESE = (("\u2e80", "\u9fff"), ("\uf900", "\ufaff"), ("\uff00", "\uffef"),
            ("\U00020000", "\U0003ffff"))  # fmt: skip

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
_LATIN = {
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
    **dict.fromkeys("\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u200a\u205f", " "),
}


@dataclass(frozen=True, slots=True)
class Style:
    """How a run is set. `kind` is the kind of its passage, "" outside."""

    size: float = 8.6
    serif: bool = False
    bold: bool = False
    dim: bool = False
    kind: str = ""
    raised: bool = False
    link: str = ""
    wide: bool = False  # a mark beside a Chinese character: full width
    struck: bool = False  # a line through what does not count


@dataclass(frozen=True, slots=True)
class Span:
    """Text in one style."""

    text: str
    style: Style


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Characters of one style and one font at one place of a line; `x` in points."""

    x: float
    width: float
    text: str
    font: str
    thicken: bool
    style: Style


Letter = tuple[str, Style]


def break_lines(
    spans: Sequence[Span], width: float, *, indent: float = 0.0
) -> list[tuple[Glyphs, ...]]:
    """Set text on lines of at most `width` points, the first one indented."""
    lines: list[tuple[Glyphs, ...]] = []
    line: list[Letter] = []
    used = indent
    for word in _words(spans):
        if word[0][0] == "\n":
            lines.append(_set(line, indent if not lines else 0.0))
            line, used = [], 0.0
            continue
        wide = sum(map(advance, word))
        if line and used + wide > width + 0.01:
            lines.append(_set(line, indent if not lines else 0.0))
            line, used = [], 0.0
        for letter in word if wide > width else ():
            if used + advance(letter) > width and line:
                lines.append(_set(line, indent if not lines else 0.0))
                line, used = [], 0.0
            line.append(letter)
            used += advance(letter)
        if wide <= width and (line or word[0][0] != " "):
            line += word
            used += wide
    if line or not lines:
        lines.append(_set(line, indent if not lines else 0.0))
    return lines


def advance(letter: Letter) -> float:
    """Return how far a letter moves the pen, in points."""
    character, style = letter
    face = face_of(character, serif=style.serif, bold=style.bold, wide=style.wide)
    return width(character, face.font) * (style.size * 0.68 if style.raised else style.size)


def _words(spans: Sequence[Span]) -> Iterator[list[Letter]]:
    """Yield what stays together on a line; a space or a line end alone."""
    word: list[Letter] = []
    for span in spans:
        whole = span.text.replace("\t", " ")
        for at, character in enumerate(whole):
            style = span.style
            if character in MARKS and _is_beside_chinese(whole, at):
                style = replace(style, wide=True)
            letter = (character if character == "\n" else make_settable(character), style)
            if letter[0] in " \n":
                if word:
                    yield word
                yield [letter]
                word = []
                continue
            if word:
                before, after = word[-1], letter[0]
                # the number of a passage stays with its first character
                stays = before[1].raised or after in CLOSING or before[0] in OPENING
                if not stays and (_is_single(before[0]) or _is_single(after)):
                    yield word
                    word = []
            word.append(letter)
    if word:
        yield word


def _is_beside_chinese(text: str, at: int) -> bool:
    """Whether a mark, with the marks that it touches, stands beside a Chinese character."""
    low = high = at
    while low > 0 and text[low - 1] in MARKS:
        low -= 1
    while high + 1 < len(text) and text[high + 1] in MARKS:
        high += 1
    return any(map(is_chinese, (text[max(low - 1, 0)], text[min(high + 1, len(text) - 1)])))


def _is_single(character: str) -> bool:
    """Whether a line may break before and after this character."""
    return is_chinese(character) or character in MARKS


def is_chinese(character: str) -> bool:
    """Whether a character is Chinese or Japanese, or a mark of full width."""
    return any(low <= character <= high for low, high in _CHINESE)


def _set(letters: Sequence[Letter], x: float) -> tuple[Glyphs, ...]:
    """Join letters of one style and one font."""
    placed: list[Glyphs] = []
    while letters and letters[-1][0] == " ":
        letters = letters[:-1]
    for character, style in letters:
        face = face_of(character, serif=style.serif, bold=style.bold, wide=style.wide)
        wide = advance((character, style))
        last = placed[-1] if placed else None
        if last and (last.style, last.font) == (style, face.font):
            placed[-1] = replace(last, text=last.text + character, width=last.width + wide)
        else:
            placed.append(Glyphs(x, wide, character, face.font, face.thicken, style))
        x += wide
    return tuple(placed)


@dataclass(frozen=True, slots=True)
class Face:
    """What sets one character: a font, and whether bold must be drawn by a thicker line."""

    font: str
    thicken: bool


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


def find_fonts() -> Iterator[Path]:
    """Yield the installed fonts of `FILES`, the best first."""
    paths: dict[str, Path] = {}
    for folder in folders():
        for path in sorted(folder.rglob("*.tt[cf]")) if folder.is_dir() else ():
            paths.setdefault(path.name, path)
    return (paths[name] for name in FILES if name in paths)


@once
def register_chinese() -> str:
    """Return the name of the font for Chinese, registered on first use."""
    for path in find_fonts():
        try:
            pdfmetrics.registerFont(TTFont(CHINESE, str(path), subfontIndex=0))
        except (TTFError, OSError, ValueError, KeyError):
            continue  # PostScript outlines, a damaged or an unreadable file
        return CHINESE
    return fallback()


@once
def fallback() -> str:
    """Return the name of the font that needs no file."""
    pdfmetrics.registerFont(UnicodeCIDFont(FALLBACK))
    return FALLBACK


@functools.lru_cache(maxsize=65536)
def face_of(character: str, *, serif: bool, bold: bool, wide: bool) -> Face:
    """Return what sets a character; `wide` takes a shared mark from the Chinese font.

    The fonts of the PDF standard set Latin letters, so these have a bold of their own.
    """
    if _in_latin(character) and not wide:
        return Face(_LATIN[serif, bold], False)
    return Face(register_chinese(), bold)


@functools.lru_cache(maxsize=65536)
def make_settable(character: str) -> str:
    """Return a character, or a box where the font has none for it; a space is one in any font."""
    character = _SPACES.get(character, character)
    if _in_latin(character):
        return character
    name, instead = register_chinese(), _INSTEAD.get(character, MISSING)
    if name == FALLBACK:
        return character if _encodable(character, "gbk") else instead
    glyphs = pdfmetrics.getFont(name).face.charToGlyph
    if ord(character) in glyphs:
        return character
    return instead if _in_latin(instead) or ord(instead) in glyphs else "?"


@functools.lru_cache(maxsize=65536)
def width(character: str, font: str) -> float:
    """Return how wide a character is at a size of 1 point."""
    return float(pdfmetrics.stringWidth(character, font, 1000)) / 1000


def _in_latin(character: str) -> bool:
    return _encodable(character, "cp1252")


def _encodable(character: str, encoding: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
