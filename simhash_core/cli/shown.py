"""Texts as a terminal may show them: harmless, and no wider than there is room."""

from __future__ import annotations

import hashlib

from rich.cells import cell_len

NAME_CELLS = 80  # of a name: twice that and the numbers fit into a table for a pipe, nearly


def printable(text: str) -> str:
    """Make control characters harmless: a file name must not drive the terminal."""
    return "".join(c if c.isprintable() else "�" for c in text)


def shown_name(name: str) -> str:
    """Return a name for a terminal: harmless, and at most `NAME_CELLS` wide.

    A longer one is cut in the middle; letters from its hash tell it from others cut alike.
    """
    plain = printable(name)
    if len(plain) <= NAME_CELLS and cell_len(plain) <= NAME_CELLS:
        return plain
    mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    room = NAME_CELLS - len(mark) - 2
    end = _fitting(plain[::-1], room // 2)[::-1]
    return f"{_fitting(plain, room - room // 2)}…{mark}…{end}"


def cut(text: str, width: int) -> str:
    """Shorten to `width` cells of the terminal, of which a Chinese character takes two."""
    text = printable(text)
    if len(text) <= width and cell_len(text) <= width:
        return text
    return _fitting(text, width - 1) + "…"


def _fitting(text: str, cells: int) -> str:
    """Return the beginning of a text that is at most so many cells wide."""
    held = ""
    for character in text:
        cells -= cell_len(character)
        if cells < 0:
            break
        held += character
    return held
