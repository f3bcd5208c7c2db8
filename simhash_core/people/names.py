"""How a person's name is read and compared: folded, parted into persons, told from words."""

from __future__ import annotations

import re
import unicodedata

from ..surnames import has_surname
from ..text.characters import HAN
from ..text.normalize import normalize
from ..text.segment import UNKNOWN, tags
from ..weighting.background import background_idf

LETTERS = re.compile(rf"(?:(?![{HAN}])[^\W\d_])+")
_HAN_NAME = re.compile(rf"[{HAN}]{{2,6}}(?:[·•・][{HAN}]{{1,8}})*")
_TOGETHER = re.compile(r"[、；;/&]")  # between the names of those who made one text together
_BETWEEN = re.compile(r"[、;/&()<>|\d_\n]+|\s{1,99}and\s{1,99}")
#: what programs and class lists write where a name should be
_NOBODY = frozenset(
    (
        *("admin", "administrator", "apache", "apple", "asus", "author", "company", "default"),
        *("dell", "group", "guest", "home", "inc", "lenovo", "libreoffice", "ltd", "mac"),
        *("microsoft", "office", "openoffice", "owner", "participant", "pc", "python", "school"),
        *("student", "team", "teacher", "unknown", "user", "windows", "word", "wps"),
    )
)
_ORDINARY_IDF = 2.5  # nats: an English word below it is an ordinary word, also with a capital
_RARE_IDF = 4.2  # nats: one above it is hardly anything but a name, also without one
#: letters that no mark decomposes, and those that German writes as two
_PLAIN_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ı": "i", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th"}
)
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def fold_name(written: str) -> str:
    """Return what all spellings of one name share: small letters of one width, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", written).casefold().split())


def strip_accents(folded: str) -> tuple[str, ...]:
    """Return the spellings of a folded text without accents: Müller is Muller, and Mueller."""
    spellings = dict.fromkeys((folded, folded.translate(_GERMAN)))
    decomposed = (unicodedata.normalize("NFKD", one) for one in spellings)
    return tuple(
        "".join(mark for mark in one if not unicodedata.combining(mark)).translate(_PLAIN_LETTERS)
        for one in decomposed
    )


def split_together(person: str) -> list[str]:
    """Return the names of those who made one text together, as they are written: 张三、李四."""
    return [name.strip() for name in _TOGETHER.split(person) if name.strip()]


def split_names(written: str) -> list[str]:
    """Return the persons that a field of any file names, as normalised text."""
    listed = re.sub(rf"(?<=[{HAN}]{{2}})\s+(?=[{HAN}]{{2}})", "、", written)
    text = normalize(" ".join(listed.split())).text.replace("，", ",")
    names: list[str] = []
    for piece in _BETWEEN.split(text):
        parts = [part.strip(" .-'\"") for part in piece.split(",")]
        several = all(" " in part or is_han(part) for part in parts)
        for part in parts if several else [" ".join(parts)]:
            han = _HAN_NAME.search(part)
            if han is None:
                names.append(" ".join(LETTERS.findall(part)))
                continue
            name = han[0].removesuffix("同学")
            joined = (name.split(mark) for mark in "和与" if mark in name)  # 张三和李小四
            names += next((both for both in joined if all(map(has_surname, both))), [name])
    return [name for name in names if len(name) > 1]


def is_han(name: str) -> bool:
    """Whether a name is written in Chinese characters."""
    return _HAN_NAME.fullmatch(name) is not None


def is_word(word: str) -> bool:
    """Whether the dictionary of Chinese words holds a word."""
    return tags([word]) != [UNKNOWN]


def is_ordinary(word: str) -> bool:
    """Whether an English word says nothing of a person, also with a capital."""
    return background_idf().get(word, _ORDINARY_IDF) < _ORDINARY_IDF


def is_rare(word: str) -> bool:
    """Whether an English word is hardly anything but a name, also without a capital."""
    return background_idf().get(word, _RARE_IDF) >= _RARE_IDF


def is_nobody(name: str) -> bool:
    """Whether this is no name of a person: 第三小组, 教务处, Microsoft Office User."""
    if is_han(name):
        return "·" not in name and (len(name) > 4 or name[-1] in "组队班级处校院部")
    words = name.split()
    return not words or not _NOBODY.isdisjoint(words) or len(words) > 5


def looks_like_name(name: str) -> bool:
    """Whether what names somebody can only be a person: a surname, and no word in it."""
    if is_han(name):
        begins = any(is_word(name[:size]) for size in range(2, len(name) + 1))
        return "·" in name or (has_surname(name) and not begins)
    words = name.split()
    return 2 <= len(words) <= 4 and not all(map(is_ordinary, words))
