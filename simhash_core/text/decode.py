"""Bytes to text: in which encoding, and whether that is certain or a guess.

No byte is dropped. What cannot be decoded becomes U+FFFD in the text and is counted.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_SAMPLE = 1 << 16  # bytes looked at to choose an encoding; the choice then decodes everything

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

#: names that in practice stand for a superset (WHATWG Encoding Standard, section 4.2)
_SUPERSETS = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "gb18030": "gb18030",
    "hz": "hz",
    "big5": "cp950",
    **dict.fromkeys(("iso8859-1", "latin-1", "ascii"), "cp1252"),
}

# The 300 characters that lead jieba's dict.txt (60 % of its counts), and their traditional forms.
COMMON_HAN = frozenset(
    "一是人了不在有大中国和为这上他个地年来我会以到时要出的生学说道民家子也成行下们于后就发自之对得主"
    "长可过天作分方用多你着部能市等业全里工公经本都而高政法面门动日进区事代那去心小同北定开产前其军还"
    "然起种所如现理机体表力好外与文当两实重新三么只山水关明从化平建又制南内西没此将员名手最东头者月间"
    "无安看见各城十相但已些正口通想度加第她合院物性战由位常点海意场武使次二向治因立数样身情入原问把路"
    "被并利石老教万知级量任江及应省资委务元美特期世湖回系比气汉总展电科金先声提品设或义王社很统处四首"
    "共马形己儿司太目基领队直计别女权话少流命至报米给打变果书清活几州华解议更称程今决张导术府才保交放"
    "管结师便走达族反再题色五國爲為這個來會時學說們於後發對長過業裏裡經門動進區開產軍還種現機體與當兩"
    "實麼關從內没沒將員東頭間無見戰點場數樣問並萬級應資務氣漢總電聲設義統處馬兒領隊計別權話報給變書幾"
    "華議稱決張導術結師達題，。、：；？！“”（）《》\u3000"
)
_ENOUGH_COMMON = 0.22  # share of the characters beyond ASCII; wrong decodings stay below 0.08
_FEW_BROKEN = 0.02  # share of broken characters that still looks like damaged UTF-8
_HIGH = re.compile(r"[^\x00-\x7f]")
_NO_BYTE = re.compile(r"[\u2123-\U0010ffff]")  # in no encoding of one byte that is undone
_ENOUGH_UTF8 = 6  # characters in one line; text of another encoding is not UTF-8 by chance so long
_FEWEST_TWICE = 3  # characters that were encoded twice
_FEWEST_ALONE = 3  # bytes beyond ASCII, none beside another; fewer are damage
_ADJACENT = re.compile(rb"[\x80-\xff]{2}")
# of three bytes and more: those of two are also Chinese punctuation and rare characters of GBK
_UTF8_RUN = re.compile(
    rb"((?:[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){%d,}+)" % _ENOUGH_UTF8
)
#: what switches the set of characters in seven bits -> codec
_SWITCHING = {b"\x1b$)C": "iso2022_kr", b"\x1b$": "iso2022_jp_2"}
_BOM_INSIDE = re.compile("(?<=\n)\ufeff+")  # files that were joined, each with its mark


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text and its encoding. `broken` counts the U+FFFD that stand for undecodable bytes."""

    text: str
    encoding: str
    guessed: bool
    broken: int = 0


def decode(data: bytes, *, encoding: str = "", declared: str = "") -> Decoded:
    """Turn bytes into text.

    Parameters
    ----------
    encoding
        The user's choice; obeyed whatever the bytes look like.
    declared
        The encoding that the file declares (HTML); obeyed when the bytes agree.

    Raises
    ------
    LookupError
        If `encoding` names no codec.

    Notes
    -----
    Order: the user's choice, byte order mark, strict UTF-8, the declaration, UTF-16 without a
    mark, then the best of GB18030 and Big5 by the share of common Chinese characters, then
    chardet. "gb2312" and "gbk" are always read as GB18030, which contains them.
    """
    if encoding:
        return _decode_replacing(data, _look_up_codec(encoding), guessed=False)
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _decode_replacing(data[len(mark) :], name, guessed=False)
    if b"\0" not in data:
        for mark, codec in _SWITCHING.items():  # seven bits, as mails in Japanese have them
            if mark in data and (text := decode_strictly(data, codec)) is not None:
                return Decoded(text, codec, True)
        text = decode_strictly(data, "utf-8")
        if text is not None:
            once = _undo_double_encoding(text)
            if once is not None:
                return Decoded(once, "utf-8 (twice)", True)
            inside = "\ufeff" in text
            return Decoded(_BOM_INSIDE.sub("", text) if inside else text, "utf-8", False)
        if declared and (as_declared := _decode_declared(data, declared)) is not None:
            return as_declared
        if mixed := _decode_mixed_lines(data):
            return mixed
    return _decode_replacing(data, _guess_codec(data), guessed=True)


def _look_up_codec(name: str) -> str:
    """Return the codec for a name people use."""
    codec = codecs.lookup(name.strip()).name
    return _SUPERSETS.get(codec, codec)


def _decode_declared(data: bytes, name: str) -> Decoded | None:
    try:
        codec = _widen_big5(data, _look_up_codec(name))
        text = decode_strictly(data, codec)
    except (LookupError, ValueError):
        return None
    return None if text is None else Decoded(text, codec, False)


def _widen_big5(data: bytes, codec: str) -> str:
    """Return the Big5 that holds the characters of Hong Kong where only it fits the bytes."""
    if codec != "cp950" or decode_strictly(data, "cp950") is not None:
        return codec
    return "big5hkscs" if decode_strictly(data, "big5hkscs") is not None else codec


def decode_strictly(data: bytes, codec: str) -> str | None:
    """Return the text of some bytes, None where they are not of this encoding."""
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        return None


def _decode_replacing(data: bytes, codec: str, *, guessed: bool) -> Decoded:
    codec = _widen_big5(data, codec)
    text = decode_strictly(data, codec)
    if text is not None:
        return Decoded(text.removeprefix("\ufeff"), codec, guessed)
    text = data.decode(codec, "replace")
    return Decoded(text, codec, guessed, text.count("\ufffd"))


def _undo_double_encoding(text: str) -> str | None:
    """Undo UTF-8 that was taken for Latin letters and encoded again; None for any other text."""
    if text.isascii() or _NO_BYTE.search(text):
        return None
    try:
        data = b"".join(
            part.encode("latin-1" if "\x80" <= part <= "\x9f" else "cp1252")
            for part in re.split("([\x80-\x9f])", text)
        )
        once = data.decode("utf-8")
    except UnicodeError:
        return None
    return once if len(_HIGH.findall(once)) >= _FEWEST_TWICE else None


def _decode_mixed_lines(data: bytes) -> Decoded | None:
    """Decode lines of UTF-8 among others, each by its own encoding; None where there are none."""
    lines = data.splitlines(keepends=True)
    pieces = [
        piece
        for line in lines
        for piece in (
            [line] if decode_strictly(line, "utf-8") is not None else _UTF8_RUN.split(line)
        )
    ]
    texts = [decode_strictly(piece, "utf-8") for piece in pieces]
    others = b"".join(piece for piece, text in zip(pieces, texts, strict=True) if text is None)
    counts = [len(_HIGH.findall(text)) for text in texts if text is not None]
    # letters of Latin alphabets stand alone: what is UTF-8 in one line is so by no chance
    alone = not _ADJACENT.search(others)
    if max(counts, default=0) < (1 if alone else _ENOUGH_UTF8) or not others:
        return None
    codec = _guess_codec(others)
    if codec == "utf-8" or codec.startswith("utf-16"):
        codec = "gb18030" if _common_share(others, "gb18030") >= _ENOUGH_COMMON else ""
    least = _FEWEST_ALONE if alone else _ENOUGH_UTF8
    if not codec or len(_HIGH.findall(others.decode("latin-1"))) < least:
        return _decode_replacing(data, "utf-8", guessed=True)  # some broken bytes and no encoding
    read = [
        piece.decode(codec, "replace") if text is None else text
        for piece, text in zip(pieces, texts, strict=True)
    ]
    text = _BOM_INSIDE.sub("", "".join(read))
    return Decoded(text, f"utf-8, {codec}", True, text.count("\ufffd"))


def _guess_codec(data: bytes) -> str:
    """Choose a codec for bytes that are neither marked nor strict UTF-8."""
    sample = data[:_SAMPLE]
    text = sample.decode("utf-8", "replace")
    high = len(_HIGH.findall(text))
    if text.count("\ufffd") <= max(1, _FEW_BROKEN * high) and high > 3:
        return "utf-8"
    names = ["gb18030", "cp950"] if b"\0" not in sample else []
    if not names or len(sample) % 2 == 0:
        names += ["utf-16-le", "utf-16-be"]
    scores = {name: _common_share(sample, name) for name in names}
    best = max(scores, key=scores.__getitem__)
    if scores[best] >= _ENOUGH_COMMON:
        return best
    # UTF-16 shows its Latin letters, digits and line ends as zeros on one parity; after the score,
    # as the character U+4E00 has a zero byte on the wrong side
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    most, least = max(even, odd), min(even, odd)
    if most >= max(1, len(sample) // 100) and least <= most // 10:
        return "utf-16-le" if odd > even else "utf-16-be"
    return _ask_chardet(data) or "cp1252"


def _common_share(sample: bytes, codec: str) -> float:
    """Share of common Chinese characters among all beyond ASCII; broken ones count against."""
    text = sample.decode(codec, "replace")
    high = _HIGH.findall(text)
    if not high:
        return 0.0
    return sum(character in COMMON_HAN for character in high) / len(high)


def _ask_chardet(data: bytes) -> str:
    """Ask chardet; its answer counts only when the whole file decodes by it."""
    import chardet  # slow to import and rarely needed

    name = chardet.detect(data[:_SAMPLE])["encoding"]
    if not name:
        return ""
    try:
        codec = _look_up_codec(name)
        return codec if decode_strictly(data, codec) is not None else ""
    except (LookupError, ValueError):
        return ""
