"""Names of texts in small places: one line, shortened in the middle, the whole kept beside it.

Text from files is made safe to set: what drives a screen or a page becomes a visible sign.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from os.path import commonprefix

from ..model import Document
from ..storage.library import COLLECTION_KEY

NARROW = 28  # columns; where every name fits into it nothing is left out
SHORTEST_PREFIX = 5  # characters that are worth leaving out
_ENDING = re.compile(r"(?<=.)\.[A-Za-z]\w{0,4}$")

#: marks that change the direction of what follows, and controls but tab and line ends
_DRIVING = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029"
    "\u2066-\u2069\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)


@dataclass(frozen=True, slots=True)
class Naming:
    """Names without the beginning and the ending that all of them share."""

    whole: tuple[str, ...]
    stems: tuple[str, ...]
    prefix: str

    def short(self, row: int, width: int = NARROW) -> str:
        """Return the name of a row for a sentence or a narrow place."""
        return middle(self.stems[row], width)


def name_with_collection(document: Document) -> str:
    """Return the name of a text; of one from an archive, behind the name of its collection."""
    collection = document.meta.get(COLLECTION_KEY)
    return f"{collection}: {document.name}" if collection else document.name


def named(whole: Sequence[str]) -> Naming:
    """Leave out endings that distinguish no two names, and a long beginning that all share."""
    bare = [_ENDING.sub("", name) for name in whole]
    stems = bare if len(set(bare)) == len(set(whole)) else list(whole)
    prefix = ""
    if len(whole) > 1 and max(map(columns, stems)) > NARROW:
        shared = commonprefix(stems)  # noqa: RUF071  of characters, not of path parts
        prefix = shared[: max(map(shared.rfind, "-_/ ")) + 1]
    if len(prefix) < SHORTEST_PREFIX:
        prefix = ""
    return Naming(tuple(whole), tuple(stem[len(prefix) :] for stem in stems), prefix)


def columns(text: str) -> int:
    """Return how wide a text is in columns of a Latin letter."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def middle(text: str, width: int) -> str:
    """Return a text of at most `width` columns: its beginning, an ellipsis, its end."""
    if columns(text) <= width:
        return text
    head, tail = (width - 1) // 2, width - 1 - (width - 1) // 2
    return f"{_fitting(text, head)}…{_fitting(text[::-1], tail)[::-1]}"


def _fitting(text: str, width: int) -> str:
    for at, character in enumerate(text):
        width -= columns(character)
        if width < 0:
            return text[:at]
    return text


def visible(text: str) -> str:
    """Return text in which control characters and marks of direction are written out.

    >>> visible("a\\u202eb")
    'a[U+202E]b'
    """
    return _DRIVING.sub(lambda match: f"[U+{ord(match.group()):04X}]", text)


def one_line(text: str) -> str:
    """Return a name or a title on one line."""
    return " ".join(visible(unicodedata.normalize("NFC", text)).split())
