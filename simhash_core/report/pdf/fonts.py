"""Which font sets each character: the standard Latin ones, an installed Chinese one, or CID."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFError, TTFont

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
#: what stands for a character that many fonts lack
_INSTEAD = {"◂": "‹", "▸": "›", "⇅": "^", "−": "-"}
#: spaces of other widths: never of the Chinese font, where some are as wide as a character
_SPACES = {
    **dict.fromkeys("\u2007\u2009\u202f", "\u00a0"),  # between the digits of a number: no break
    **dict.fromkeys("\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u200a\u205f", " "),
}


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


def installed() -> Iterator[Path]:
    """Yield the installed fonts of `FILES`, the best first."""
    paths: dict[str, Path] = {}
    for folder in folders():
        for path in sorted(folder.rglob("*.tt[cf]")) if folder.is_dir() else ():
            paths.setdefault(path.name, path)
    return (paths[name] for name in FILES if name in paths)


@functools.cache
def chinese() -> str:
    """Return the name of the font for Chinese, registered on first use."""
    for path in installed():
        try:
            pdfmetrics.registerFont(TTFont(CHINESE, str(path), subfontIndex=0))
        except (TTFError, OSError, ValueError, KeyError):
            continue  # PostScript outlines, a damaged or an unreadable file
        return CHINESE
    return fallback()


@functools.cache
def fallback() -> str:
    """Return the name of the font that needs no file."""
    pdfmetrics.registerFont(UnicodeCIDFont(FALLBACK))
    return FALLBACK


@functools.lru_cache(maxsize=65536)
def face(character: str, *, serif: bool, bold: bool, wide: bool) -> Face:
    """Return what sets a character; `wide` takes a shared mark from the Chinese font.

    The fonts of the PDF standard set Latin letters, so these have a bold of their own.
    """
    if _in_latin(character) and not wide:
        return Face(_LATIN[serif, bold], False)
    return Face(chinese(), bold)


@functools.lru_cache(maxsize=65536)
def settable(character: str) -> str:
    """Return a character, or a box where the font has none for it; a space is one in any font."""
    character = _SPACES.get(character, character)
    if _in_latin(character):
        return character
    name, instead = chinese(), _INSTEAD.get(character, MISSING)
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
