"""Names of persons: compared, parted, and told from words."""

from __future__ import annotations

import re

from ..surnames import DOUBLE_SURNAMES, SURNAMES
from ..text.characters import HAN
from ..text.normalize import normalize
from ..text.segment import UNKNOWN, tags
from ..weighting.background import background_idf

LETTERS = re.compile(rf"(?:(?![{HAN}])[^\W\d_])+")


_HAN_NAME = re.compile(rf"[{HAN}]{{2,6}}(?:[·•・][{HAN}]{{1,8}})*")


_APART = re.compile(r"[、;/&()<>|\d_\n]+|\s{1,99}and\s{1,99}")


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


def split_names(written: str) -> list[str]:
    """Return the normalised names of the persons that one field names."""
    listed = re.sub(rf"(?<=[{HAN}]{{2}})\s+(?=[{HAN}]{{2}})", "、", written)
    text = normalize(" ".join(listed.split())).text.replace("，", ",")
    names = []
    for piece in _APART.split(text):
        parts = [part.strip(" .-'\"") for part in piece.split(",")]
        several = all(" " in part or _HAN_NAME.fullmatch(part) for part in parts)
        for part in parts if several else [" ".join(parts)]:
            han = _HAN_NAME.search(part)
            name = han[0].removesuffix("同学") if han else " ".join(LETTERS.findall(part))
            names += _and(name) if han else [name]
    return [name for name in names if len(name) > 1]


def _and(name: str) -> list[str]:
    """Part 张三和李小四: what stands on both sides of 和 or 与 must be a name."""
    for mark in "和与":
        parts = name.split(mark)
        if len(parts) > 1 and all(map(_has_surname, parts)):
            return parts
    return [name]


def _has_surname(name: str) -> bool:
    if name[:2] in DOUBLE_SURNAMES:
        return 3 <= len(name) <= 4
    return name[:1] in SURNAMES and 2 <= len(name) <= 3


def is_han(name: str) -> bool:
    return _HAN_NAME.fullmatch(name) is not None


def is_word(word: str) -> bool:
    """Whether the dictionary of Chinese words holds a word."""
    return tags([word]) != [UNKNOWN]


def is_ordinary(word: str) -> bool:
    return background_idf().get(word, _ORDINARY_IDF) < _ORDINARY_IDF


def is_rare(word: str) -> bool:
    return background_idf().get(word, _RARE_IDF) >= _RARE_IDF


def is_nobody(name: str) -> bool:
    """Whether this is no name of a person: 第三小组, 教务处, Microsoft Office User."""
    if is_han(name):
        return "·" not in name and (len(name) > 4 or name[-1] in "组队班级处校院部")
    words = name.split()
    return not words or not _NOBODY.isdisjoint(words) or len(words) > 5


def looks_like_a_name(name: str) -> bool:
    """Whether what names somebody can only be a person: a surname, and no word in it."""
    if is_han(name):
        begins = any(is_word(name[:size]) for size in range(2, len(name) + 1))
        return "·" in name or (_has_surname(name) and not begins)
    words = name.split()
    return 2 <= len(words) <= 4 and not all(map(is_ordinary, words))
