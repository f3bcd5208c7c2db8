"""Names in an archive or a list that does not say how they are written: one encoding for all.

A zip without the UTF-8 flag holds bytes of the code page of whoever packed it, as does a list that
an old program saved. One name says little: in GBK "M\\x81ller" is a rare character between Latin
letters. All names together say which code page they are of.
"""

from __future__ import annotations

import re
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Sequence
from itertools import pairwise

from ..decode import COMMON_HAN, decode_strictly

_UTF8 = 0x800  # general purpose flag bit (APPNOTE.TXT 4.4.4)
_UNICODE_PATH = 0x7075  # extra field of Info-ZIP (APPNOTE.TXT 4.6.9)

#: code pages by how they write; of two that fit as well the first is taken
_EASTERN = {
    "gb18030": ("gb2312", range(0xB0, 0xD8)),  # lead bytes of the common half of its characters
    "cp950": ("cp950", range(0xA4, 0xC7)),
    "cp932": ("cp932", range(0x88, 0x99)),
    "cp949": ("euc_kr", range(0xB0, 0xC9)),
}
_LATIN = ("cp437", "cp850", "cp1252", "cp852", "cp857", "cp1250", "cp1254", "mac_roman")
_OTHER = {
    **dict.fromkeys(("cp866", "cp1251", "koi8-r"), "CYRILLIC"),
    **dict.fromkeys(("cp737", "cp1253"), "GREEK"),
    **dict.fromkeys(("cp862", "cp1255"), "HEBREW"),
    **dict.fromkeys(("cp720", "cp1256"), "ARABIC"),
}
#: letters of western names, and those of the east of Europe and of Turkey
_WESTERN = frozenset("äöüßéèêëàâáãåæçñóòôõøúùûíìîœ")
_FURTHER = frozenset("łśżźćńąęőűřšžčěďťňůýđğışțșăï")
#: what each language has of them, from Danish to Turkish: who are in one list are mostly of one
_LANGUAGES = tuple(
    frozenset(letters)
    for letters in (
        *("åæøéäö", "äöüßé", "àâçéèêëîïôùûœ", "áéíóúñü", "áâãàéêíóôõúç"),
        *("áéíóöőúüű", "áčďéěíňóřšťúůýž", "ąćęłńóśźż", "čćđšž", "ăâîșțşţ", "çğıöşü"),
    )
)
_RARE, _POSSIBLE = 0.1, 0.4
_ONE_LANGUAGE = 0.15
#: syllables of Korean names and of titles of homework
_COMMON_HANGUL = frozenset(
    "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민지수현영"
    "준은희진경미숙상호철동재원선혜과제보고국어학생년반번호독후감기말사회일삼최종"
)
_WORD = re.compile(r"[^\W\d_]+")
#: a dash or a quotation mark where one stands: beside a space, a digit or the edge
_MARK = re.compile(r"(?<![^\s\d])[\u2010-\u201f«»‹›]|[\u2010-\u201f«»‹›](?![^\s\d])")


def member_names(members: Sequence[zipfile.ZipInfo]) -> list[str]:
    """Return the names of the members of a zip as their author wrote them, in NFC.

    The name in Unicode that Info-ZIP adds counts first, then the UTF-8 flag; all other names are
    read by the one encoding that fits them best together.
    """
    known: list[str | None] = []
    for info in members:
        said = info.flag_bits & _UTF8 or info.filename.isascii()
        known.append(_unicode_path(info) or (info.filename if said else None))
    raw = [_raw_name(info) for info, name in zip(members, known, strict=True) if name is None]
    read = iter(decode_names(raw))
    names = [next(read) if name is None else name for name in known]
    return [unicodedata.normalize("NFC", name) for name in names]


def decode_names(raw: Sequence[bytes]) -> list[str]:
    """Return names by the encoding in which most of them are likely; what does not fit by 437."""
    foreign = [name for name in raw if not name.isascii()]
    encoding = "utf-8"
    if any(decode_strictly(name, "utf-8") is None for name in foreign):
        encodings = ("utf-8", *_EASTERN, *_LATIN, *_OTHER)
        encoding = max(encodings, key=lambda one: _likelihood(foreign, one))
    return [decode_strictly(name, encoding) or name.decode("cp437") for name in raw]


def _raw_name(info: zipfile.ZipInfo) -> bytes:
    """Return the bytes of a name: `zipfile` has read them by code page 437, where each stands."""
    return info.orig_filename.encode("cp437", "replace")


def _unicode_path(info: zipfile.ZipInfo) -> str | None:
    """Return the name in the extra field of Info-ZIP, where it belongs to the name in bytes."""
    extra = info.extra
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        body, extra = extra[4 : 4 + size], extra[4 + size :]
        if kind != _UNICODE_PATH or len(body) < 6 or body[0] != 1:
            continue
        said = info.flag_bits & _UTF8
        raw = info.orig_filename.encode("utf-8") if said else _raw_name(info)
        if struct.unpack_from("<L", body, 1)[0] == zlib.crc32(raw):
            return decode_strictly(body[5:], "utf-8")
    return None


def _likelihood(names: Sequence[bytes], encoding: str) -> float:
    """Return how likely the characters beyond ASCII are in an encoding, on average, 0 to 1."""
    marks: list[float] = []
    for raw in names:
        name = decode_strictly(raw, encoding)
        foreign = len(raw) - sum(byte < 0x80 for byte in raw)
        marks += [0.0] * foreign if name is None else _judge_name(name, encoding)
    text = b"".join(names).decode(encoding, "replace") if encoding in _LATIN else ""
    letters = {letter for letter in text.lower() if letter > "\x7f"}
    one = encoding in _LATIN and any(letters <= language for language in _LANGUAGES)
    return sum(marks) / max(len(marks), 1) + _ONE_LANGUAGE * one


def _judge_name(name: str, encoding: str) -> list[float]:
    """Return how likely each character of a name is that is not ASCII."""
    if encoding in _EASTERN:
        return [_judge_eastern(character, encoding) for character in name if character > "\x7f"]
    if encoding == "utf-8":
        return [1.0 for character in name if character > "\x7f"]
    words = [word for word in _WORD.findall(name) if not word.isascii()]
    marks = [match[0] for match in _MARK.finditer(name)]
    outside = [0.9 if mark in marks else 0.0 for mark in _WORD.sub("", name) if mark > "\x7f"]
    of_word = (
        _judge_latin if encoding in _LATIN else lambda word: _judge_script(word, _OTHER[encoding])
    )
    return [*(mark for word in words for mark in of_word(word)), *outside]


def _judge_eastern(character: str, encoding: str) -> float:
    if unicodedata.category(character) in ("Co", "Cn"):
        return -1.0  # what nobody writes
    if "\uff61" <= character <= "\uff9f":
        return _RARE  # half a katakana is any byte
    if "\u3000" <= character <= "\u30ff" or "\uff01" <= character <= "\uff5e":
        return 0.8 if encoding == "cp932" or not "\u3040" <= character <= "\u30ff" else _RARE
    standard, leads = _EASTERN[encoding]
    try:
        lead = character.encode(standard)[0]
    except UnicodeEncodeError:
        return _RARE
    hangul = "\uac00" <= character <= "\ud7a3"
    if (encoding == "cp949") != hangul:
        return _RARE
    common = character in (_COMMON_HANGUL if hangul else COMMON_HAN)
    return (0.7 if lead in leads else _POSSIBLE) + 0.3 * common


def _judge_latin(word: str) -> list[float]:
    """Return how likely the accented letters of a word are: few, and alone among plain ones."""
    latin = all(_script(letter) == "LATIN" for letter in word)
    likely = latin and _is_cased(word)
    together = any(a > "\x7f" and b > "\x7f" for a, b in pairwise(word))
    alone = 0.7 if together or word[0] + word[-1:] == word else 1.0
    return [
        _judge_letter(letter, before) * alone if likely else 0.0
        for before, letter in pairwise(f" {word}")
        if letter > "\x7f"
    ]


def _judge_letter(letter: str, before: str) -> float:
    """Return how likely an accented Latin letter is; "ï" parts two vowels."""
    low = letter.lower()
    if low in _WESTERN:
        return 0.9
    likely = low in _FURTHER and (low != "ï" or before in "aeouAEOU")
    return 0.75 if likely else _POSSIBLE


def _judge_script(word: str, script: str) -> list[float]:
    likely = len(word) > 1 and all(_script(one) == script for one in word) and _is_cased(word)
    return [0.9 if likely else 0.0 for letter in word if letter > "\x7f"]


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def _is_cased(word: str) -> bool:
    """Return whether capitals stand where a name has them: at its beginning, or everywhere."""
    rest = word[1:]
    return rest == rest.lower() or word.replace("ß", "") == word.replace("ß", "").upper()
