"""Mail (.eml, .msg of Outlook) and pages saved with their pictures (.mhtml).

The text is that of the message; what is attached are files like the members of an archive.

References
----------
RFC 5322, RFC 2046, RFC 2557 (MHTML), RFC 3676 (flowed text); [MS-OXMSG] 2.2 and 2.4;
[MS-OXRTFCP] 2.2 (compressed Rich Text).
"""

from __future__ import annotations

import email
import re
import struct
from collections.abc import Iterator
from email.errors import MessageError
from email.header import Header, decode_header
from email.message import Message
from itertools import islice

from ...errors import Unreadable
from ..decode import decode
from . import html
from .extracted import Extracted, drop_empty, limit_length, make_writable, whatever_is_wrong

_MOST_PARTS = 500
_SIGNATURES = frozenset(
    ("text/calendar", "application/pgp-signature", "application/pkcs7-signature")
)
_PAGES = frozenset(("text/html", "application/xhtml+xml"))
_SUPERSETS = {"gb2312": "gb18030", "gbk": "gb18030", "us-ascii": "", "big5": "cp950"}
_NAMELESS = "message"
_HEADS = re.compile(
    rb"^(?:content-[a-z-]{1,30}|subject|from|date):[^\n]*+(?:\n[ \t][^\n]*+)*+", re.M | re.I
)
_MOST_HEAD = 16_384  # bytes of one line of a head
#: what `email` raises for heads that no program wrote
_BROKEN_HEAD = (ValueError, LookupError, TypeError, AttributeError, MessageError)

#: name and bytes of an attached file
Attached = tuple[str, bytes]


def eml(data: bytes, *, encoding: str = "") -> Extracted:
    """Return the text of a message; subject, sender and date are its properties."""
    message = _parse(data)
    body = _read_body(message, encoding)
    meta = drop_empty(
        title=_decode_words(message.get("subject")),
        author=_decode_words(message.get("from")),
        date=_decode_words(message.get("date")),
    )
    return Extracted(limit_length(body.text), body.encoding, meta, body.notes)


def mhtml(data: bytes, *, encoding: str = "") -> Extracted:
    """Return the page that a .mhtml begins with, as its reader sees it.

    Raises
    ------
    Unreadable
        "damaged" where there is none.
    """
    for part in _walk_parts(_parse(data)):
        if part.get_content_type() in _PAGES:
            return html.extract(_read_bytes(part), encoding=encoding or _find_charset(part))
    raise Unreadable("damaged", detail="no page inside")


def list_attached_to_eml(data: bytes) -> list[Attached]:
    """Return what is attached to a message; pictures inside its text and signatures are not.

    Raises
    ------
    Unreadable
        "archive_limit" for more than some hundred parts, "damaged".
    """
    files: list[Attached] = []
    for part in _walk_parts(_parse(data), related=False):
        if part.get_content_type() == "message/rfc822":
            inner = part.get_payload(0)
            if isinstance(inner, Message):
                name = _decode_words(inner.get("subject")) or _NAMELESS
                with whatever_is_wrong():
                    content = inner.as_bytes()
                files.append((f"{name.replace('/', '-')}.eml", content))
        elif (name := _file_name(part)) and part.get_content_type() not in _SIGNATURES:
            files.append((name, _read_bytes(part)))
    return files


def _parse(data: bytes) -> Message:
    """Take a message apart; a head that is too long would keep the library busy for minutes."""
    if any(match.end() - match.start() > _MOST_HEAD for match in _HEADS.finditer(data)):
        raise Unreadable("damaged", detail="head")
    with whatever_is_wrong():
        return email.message_from_bytes(data)


def _walk_parts(message: Message, *, related: bool = True) -> Iterator[Message]:
    """Yield the parts of a message in their order, not those of messages inside it.

    Without `related`, of a page with its pictures the page alone.
    """
    waiting, count = [message], 0
    while waiting:
        part = waiting.pop()
        count += 1
        if count > _MOST_PARTS:
            raise Unreadable("archive_limit", limit="count")
        if part.get_content_type() == "message/rfc822" or not part.is_multipart():
            yield part
            continue
        inner = [one for one in part.get_payload() if isinstance(one, Message)]
        if part.get_content_type() == "multipart/related" and not related:
            inner = inner[:1]
        waiting += reversed(inner)


def _file_name(part: Message) -> str:
    try:
        return _decode_words(part.get_filename())
    except _BROKEN_HEAD:  # the part is no file
        return ""


def _decode_words(value: object) -> str:
    """Return words whose bytes are said in ASCII (RFC 2047), or are as they are."""
    try:
        parts = decode_header(value if isinstance(value, Header) else str(value or ""))
        words = ""
        for part, charset in parts:
            if isinstance(part, str):
                words += part
            elif charset and charset != "unknown-8bit":
                name = charset.lower()
                words += part.decode(_SUPERSETS.get(name, name) or "ascii", "replace")
            else:
                words += decode(part).text if part.strip() else " "
    except _BROKEN_HEAD:  # shown as it is
        words = str(value or "")
    return make_writable(" ".join(words.split()))


def _read_bytes(part: Message) -> bytes:
    with whatever_is_wrong():
        payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _find_charset(part: Message) -> str:
    """Return the encoding that a part states, where its bytes agree."""
    try:
        name = (part.get_content_charset() or "").lower()
        codec = _SUPERSETS.get(name, name)
        _read_bytes(part).decode(codec or "ascii")
    except (LookupError, ValueError):
        return ""
    return codec


def _read_body(message: Message, encoding: str) -> Extracted:
    """Return the text of a message: plain, or of its page where there is no plain one."""
    texts: list[Extracted] = []
    pages: list[Extracted] = []
    for part in _walk_parts(message):
        kind = part.get_content_type()
        if kind not in ("text/plain", *_PAGES) or _file_name(part):
            continue
        charset = encoding or _find_charset(part)
        if kind in _PAGES:
            pages.append(html.extract(_read_bytes(part), encoding=charset))
        else:
            decoded = decode(_read_bytes(part), encoding=charset)
            text = decoded.text.replace("\r\n", "\n")
            if str(part.get_param("format", "")).lower() == "flowed":
                # lines that were broken for the way only
                space = "" if str(part.get_param("delsp", "")).lower() == "yes" else " "
                text = re.sub(r"(?<!\n--) \n(?!\n)", space, text)
            texts.append(Extracted(text, decoded.encoding))
    text = "\n".join(one.text for one in texts if one.text.strip())
    if text:
        return Extracted(text, texts[0].encoding)
    return pages[0] if pages else Extracted("")


# --------------------------------------------------------------------------- Outlook

_SUBJECT, _SENDER, _TEXT, _PAGE, _RICH = "0037", "0c1a", "1000", "1013", "1009"
_LONG_NAME, _SHORT_NAME, _CONTENT, _CONTENT_ID = "3707", "3704", "3701", "3712"
_WIDE, _NARROW, _BINARY, _OBJECT = "001f", "001e", "0102", "000d"
_CODE_PAGES = (0x3FFD0003, 0x3FDE0003)  # of the message, of the page
_PROPERTIES = "__properties_version1.0"
_STORED = 0x414C454D  # "MELA"
_MOST_RICH = 16 * 2**20  # bytes
_WINDOW = 4096
_BEGINNING = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern "
    b"\\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0"
    b"\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)


class _Outlook:
    """One message of Outlook, which may lie in another one."""

    def __init__(self, data: bytes) -> None:
        from .compound import Compound, code_page

        self.file = Compound(data)
        raw = self.file.stream(_PROPERTIES)
        stated = {struct.unpack_from("<I", raw, at)[0]: at for at in range(32, len(raw) - 15, 16)}
        places = [stated[name] + 8 for name in _CODE_PAGES if name in stated]
        self.codec = code_page(struct.unpack_from("<I", raw, places[0])[0]) if places else "cp1252"

    def text(self, name: str, folder: str = "") -> str:
        """Return a property of a message or of what is attached to it."""
        for kind, codec in ((_WIDE, "utf-16-le"), (_NARROW, self.codec)):
            raw = self.file.stream(f"{folder}__substg1.0_{name}{kind}")
            if raw:
                return raw.decode(codec, "replace").rstrip("\0")
        return ""

    def binary(self, name: str, folder: str = "") -> bytes:
        return self.file.stream(f"{folder}__substg1.0_{name}{_BINARY}")

    def body(self, folder: str = "") -> str:
        """Return the text: plain, of a page, or of Rich Text."""
        plain = self.text(_TEXT, folder)
        if plain.strip():
            return plain.replace("\r\n", "\n")
        if page := self.binary(_PAGE, folder):
            return html.extract(page).text
        if rich := self.binary(_RICH, folder):
            from . import rtf

            return rtf.extract(expand_rich_text(rich)).text
        return ""

    def attached(self) -> Iterator[Attached]:
        """Yield what is attached; a message inside as its text."""
        folders = [path for path in self.file if re.fullmatch("__attach[^/]*", path)]
        page = self.binary(_PAGE).lower()
        for folder in islice(sorted(folders), _MOST_PARTS):
            place = f"{folder}/"
            inner = f"{place}__substg1.0_{_CONTENT}{_OBJECT}/"
            name = self.text(_LONG_NAME, place) or self.text(_SHORT_NAME, place)
            shown = self.text(_CONTENT_ID, place)
            if inner.rstrip("/") in self.file:
                name = self.text(_SUBJECT, inner) or name or _NAMELESS
                yield f"{name.replace('/', '-')}.txt", self.body(inner).encode()
            elif not (shown and b"cid:" + shown.lower().encode() in page):
                yield name or _NAMELESS, self.binary(_CONTENT, place)


def msg(data: bytes, *, encoding: str = "") -> Extracted:
    """Return the text of a message of Outlook."""
    message = _Outlook(data)
    meta = drop_empty(title=message.text(_SUBJECT), author=message.text(_SENDER))
    return Extracted(limit_length(message.body()), "", meta)


def list_attached_to_msg(data: bytes) -> list[Attached]:
    """Return what is attached to a message of Outlook; pictures inside its page are not."""
    return list(_Outlook(data).attached())


def expand_rich_text(data: bytes) -> bytes:
    """Expand Rich Text as Outlook keeps it.

    Raises
    ------
    Unreadable
        "damaged", or "too_long" beyond some megabytes.
    """
    if len(data) < 16:
        raise Unreadable("damaged", detail="rich text")
    _, length, kind, _ = struct.unpack_from("<4I", data)
    if kind == _STORED:
        return data[16 : 16 + length]
    out = bytearray(_BEGINNING)
    at = 16
    while at < len(data):
        flags = data[at]
        at += 1
        for bit in range(8):
            if not flags >> bit & 1:
                out += data[at : at + 1]
                at += 1
                continue
            token = data[at : at + 2]
            at += 2
            if len(token) < 2 or _copy_window(
                out, token[0] << 4 | token[1] >> 4, (token[1] & 15) + 2
            ):
                return bytes(out[len(_BEGINNING) :])
        if len(out) > _MOST_RICH:
            raise Unreadable("too_long", n=_MOST_RICH)
    return bytes(out[len(_BEGINNING) :])


def _copy_window(out: bytearray, place: int, length: int) -> bool:
    """Add what stands at a place of the window; whether the place is that of the end."""
    back = (len(out) - place) % _WINDOW
    if back == 0:
        return True
    begin = len(out) - back
    for at in range(begin, begin + length):
        out.append(out[at] if at >= 0 else 0)
    return False
