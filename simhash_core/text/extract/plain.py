"""Text and Markdown: the decoded characters, every line end kept."""

from __future__ import annotations

import re

from ...errors import Unreadable
from ...model import Note
from ..decode import Decoded, decode
from .extracted import Extracted, within_limits

# Share of control characters. Random bytes and programs hold 11 % and more; text holds none but
# where it was decoded wrongly once: encyclopedia articles with foreign names, 1 to 2 %.
_MOST_CONTROLS = 0.05
_CONTROL = re.compile("[\x00-\x08\x0e-\x19\x1c-\x1f\x7f-\x84\x86-\x9f]")
_LOOKED_AT = 20_000


def extract(data: bytes, *, encoding: str = "") -> Extracted:
    """Decode a text file. Raises `Unreadable("damaged")` for bytes that are no text."""
    found = decode(data, encoding=encoding)
    if _is_binary(found.text):
        raise Unreadable("damaged", detail="binary")
    return Extracted(within_limits(found.text), found.encoding, {}, encoding_notes(found))


def encoding_notes(found: Decoded) -> tuple[Note, ...]:
    """Return what a reader should know about the decoding."""
    guess = (Note("encoding_guess", {"enc": found.encoding}),) if found.guessed else ()
    if not found.broken:
        return guess
    first = found.text.find("\ufffd")
    return (*guess, Note("undecodable", {"n": found.broken}, first, first + 1))


def _is_binary(text: str) -> bool:
    head = text[:_LOOKED_AT]
    return len(_CONTROL.findall(head)) > _MOST_CONTROLS * len(head)
