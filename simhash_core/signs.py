"""Signs that drive a terminal, or turn the direction of what follows, made harmless in names.

On a terminal each becomes one replacement sign, so that columns keep their width; in files it is
written out, so that two names stay two; in JSON it is escaped, which says the same to a program.
"""

from __future__ import annotations

import re

#: marks that change the direction of what follows, and controls but tab and line ends
_DRIVING = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029"
    "\u2066-\u2069\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)
_LINE_ENDS = re.compile("[\t\r\n]")


def make_printable(text: str) -> str:
    """Return a name for a terminal, which it must not drive."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


def make_visible(text: str) -> str:
    """Return text in which control characters and marks of direction are written out.

    >>> make_visible("a\\u202eb")
    'a[U+202E]b'
    """
    return _DRIVING.sub(_write_sign, text)


def visible_name(name: str) -> str:
    """Return a name in which also tabs and line ends are written out.

    >>> visible_name("a\\nb")
    'a[U+000A]b'
    """
    return _LINE_ENDS.sub(_write_sign, make_visible(name))


def escape_json(text: str) -> str:
    """Return JSON in which such signs, which stand in its strings only, are escaped.

    >>> escape_json('["a\\u202eb"]')
    '["a\\\\u202eb"]'
    """
    return _DRIVING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _write_sign(found: re.Match[str]) -> str:
    return f"[U+{ord(found[0]):04X}]"
