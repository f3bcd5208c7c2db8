"""Text from files made safe to set: what drives a screen or a page becomes a visible sign."""

from __future__ import annotations

import re
import unicodedata

#: marks that change the direction of what follows, and controls but tab and line ends
_DRIVING = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029"
    "\u2066-\u2069\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)


def visible(text: str) -> str:
    """Return text in which control characters and marks of direction are written out.

    >>> visible("a\\u202eb")
    'a[U+202E]b'
    """
    return _DRIVING.sub(lambda match: f"[U+{ord(match.group()):04X}]", text)


def one_line(text: str) -> str:
    """Return a name or a title on one line."""
    return " ".join(visible(unicodedata.normalize("NFC", text)).split())
