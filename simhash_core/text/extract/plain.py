"""Text: the decoded characters, every line end kept, without what is encoded in them."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from string import ascii_letters, digits

from ...errors import Unreadable
from ...model import Note
from ..decode import Decoded, decode
from .extracted import Extracted, limit_length

# Share of control characters. Random bytes and programs hold 11 % and more; text holds none but
# where it was decoded wrongly once: encyclopedia articles with foreign names, 1 to 2 %.
_MOST_CONTROLS = 0.05
_CONTROL = re.compile("[\x00-\x08\x0e-\x19\x1c-\x1f\x7f-\x84\x86-\x9f]")
_CONTROL_BYTES = bytes(filter(lambda byte: _CONTROL.match(chr(byte)), range(0x80)))
_FEW_KINDS = 3  # somebody who puts controls between the words of a text takes one or two
_LOOKED_AT = 20_000
_ENTITY = re.compile("&#(?:[0-9]{2,7}|[xX][0-9A-Fa-f]{2,6});")
_FEWEST_ENTITIES = 20
_MOST_ENTITIES = 0.1  # of the text in numeric codes: it is no text about HTML


# a picture in a text: an address that holds its bytes, or lines of them
_DATA = re.compile(
    r"data:[\w.+-]{1,60}/[\w.+-]{1,60}(?:;[\w.+=-]{1,60})*+,"
    r"[^\s\"'<>()\[\]]{40,}+(?:\r?\n[A-Za-z0-9+/]{20,}+={0,2})*+"
)
_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{60,}+(?:\r?\n[A-Za-z0-9+/]{60,}+)*+"
    r"(?:\r?\n[A-Za-z0-9+/]{4,}+)?={0,2}(?=\s|\Z)"
)
_FEWEST_ENCODED = 400  # characters
#: makes all its letters one, so that a line of them is found by a search for one string
_OF_BASE64 = bytes.maketrans(f"{ascii_letters}{digits}+/".encode(), b"1" * 64)
_LINE_OF_BASE64 = b"1" * 60
_DIGITS = (0.05, 0.4)  # share in random bytes: 10 of 64 signs


def extract(data: bytes, *, encoding: str = "") -> Extracted:
    """Decode a text file. Raises `Unreadable("binary")` for bytes that are no text."""
    return extract_with(decode(data, encoding=encoding), drop_data)


def extract_with(decoded: Decoded, shown: Callable[[str], str]) -> Extracted:
    """Return what is `shown` of a decoded text, as `extract` does."""
    if _is_binary(decoded):
        raise Unreadable("binary")
    text, notes = shown(decoded.text), encoding_notes(decoded)
    coded = _ENTITY.findall(text)
    if len(coded) >= _FEWEST_ENTITIES and sum(map(len, coded)) >= _MOST_ENTITIES * len(text):
        text = html.unescape(text)
        notes = (*notes, Note("entities", {"n": len(coded)}))
    return Extracted(limit_length(text), decoded.encoding, {}, notes)


def drop_data(text: str) -> str:
    """Return a text without the bytes of pictures: encoded data are no words."""
    if "data:" in text:
        text = _DATA.sub("", text)

    def without_bytes(match: re.Match[str]) -> str:
        """Keep lines of letters and digits that are words without spaces."""
        run, (few, many) = match[0], _DIGITS
        numerals, mixed = sum(map(str.isdigit, run)), run.upper() != run != run.lower()
        encoded = mixed and few * len(run) <= numerals <= many * len(run)
        return "" if encoded and len(run) >= _FEWEST_ENCODED else run

    if _LINE_OF_BASE64 not in text.encode("utf-8", "surrogatepass").translate(_OF_BASE64):
        return text  # at a tenth of the search's cost
    return _BASE64.sub(without_bytes, text)


def encoding_notes(decoded: Decoded) -> tuple[Note, ...]:
    """Return notes on a guessed encoding and on bytes that could not be decoded."""
    guess = (Note("encoding_guess", {"enc": decoded.encoding}),) if decoded.guessed else ()
    if not decoded.broken:
        return guess
    first = decoded.text.find("\ufffd")
    return (*guess, Note("undecodable", {"n": decoded.broken}, first, first + 1))


def _is_binary(decoded: Decoded) -> bool:
    head = decoded.text[:_LOOKED_AT]
    encoded = head.encode("utf-8", "surrogatepass")
    few = len(encoded) - len(encoded.translate(None, _CONTROL_BYTES)) + encoded.count(b"\xc2")
    if few <= _MOST_CONTROLS * len(head):  # at most so many controls: those beyond ASCII begin so
        return False
    controls = _CONTROL.findall(head)
    wide = decoded.encoding.startswith("utf-16")  # a guess at random bytes, with few controls left
    many = wide or len(set(controls)) > _FEW_KINDS
    return many and len(controls) > _MOST_CONTROLS * len(head)
