"""Author, number, group and date from the names of files, by patterns that a person can read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from ..errors import BadInput
from ..policy import DISTINCT_SHARE, PATTERN_SHARE

#: what a pattern can name, in the order in which a table shows it
FIELDS = ("person", "number", "group", "date", "title")

_HAN_NAME = r"(?P<person>[\p{Han}·]{2,8})"
_NAME = r"(?P<person>\p{L}(?:[\p{L}'’·]|\.? )*\p{L})"
_NUMBER = r"(?P<number>[A-Za-z]{0,3}\d{5,15})"
_GROUP = r"(?P<group>[^/_—–-]*(?:班|级|組|组)|\p{L}{2,10}\d{2,6}(?:-\d{1,2}班)?)"
_BETWEEN = r"\s*[-_—–+＿－ ]\s*"
_TITLE = rf"(?:{_BETWEEN}(?P<title>[^/]+?))?"
_BEGIN, _END = r"(?:^|/)", r"(?:\.\w{1,5}$|/|$)"

#: name -> regular expression, searched in the path of a file; those with more fields come first
PATTERNS = {
    "moodle": r"(?:^|/)(?P<person>[^/_]+)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)_?/?"
    r"(?P<title>[^/]*?)(?:\.\w{1,5})?$",
    "canvas": r"(?:^|/)(?P<person>\p{L}[\p{L}'’-]*)(?:_(?:late|LATE))?_(?P<number>\d{2,})_\d{2,}_"
    r"(?P<title>[^/]+?)(?:\.\w{1,5})?$",
    "blackboard": r"(?:^|/)[^/]*?_(?P<number>[^/_]+)_attempt_"
    r"(?P<date>\d{4}-\d\d-\d\d)-\d\d-\d\d-\d\d"
    r"(?:_(?P<title>[^/]+?))?(?:\.\w{1,5})?$",
    "class_number_name": rf"{_BEGIN}{_GROUP}{_BETWEEN}{_NUMBER}{_BETWEEN}{_HAN_NAME}{_TITLE}{_END}",
    "class_name_number": rf"{_BEGIN}{_GROUP}{_BETWEEN}{_HAN_NAME}{_BETWEEN}{_NUMBER}{_TITLE}{_END}",
    "number_name_class": rf"{_BEGIN}{_NUMBER}{_BETWEEN}{_HAN_NAME}{_BETWEEN}{_GROUP}{_TITLE}{_END}",
    "number_name": rf"{_BEGIN}{_NUMBER}{_BETWEEN}{_NAME}{_TITLE}{_END}",
    "name_number": rf"{_BEGIN}{_NAME}{_BETWEEN}{_NUMBER}{_TITLE}{_END}",
    "group_folders": r"(?:^|/)(?P<group>[^/]+)/(?P<person>[^/]+)/[^/]+$",
    "folders": r"(?:^|/)(?P<person>[^/]+)/[^/]+$",
}
#: those that are never guessed: any folder may be called anything
_ONLY_WHEN_NAMED = ("group_folders", "folders")
#: those that other names fit by chance as well
_PLAIN = ("number_name", "name_number")
_SHOWN = 80  # characters of a pattern that a message repeats


@dataclass(frozen=True, slots=True)
class Authorship:
    """Who wrote one file, as far as its name or a class list says; empty where it does not."""

    person: str = ""
    number: str = ""
    group: str = ""
    date: str = ""
    title: str = ""

    def to_meta(self) -> dict[str, str]:
        """Return the fields that are there, as `Document.meta` keeps them."""
        pairs = ((name, getattr(self, name)) for name in FIELDS)
        return {name: value for name, value in pairs if value}


def recognise(names: Sequence[str]) -> str:
    """Return the name of the first pattern that fits the file names, "" where none does.

    A pattern fits where at least `PATTERN_SHARE` of the names match it and name two people; one
    that hardly fits by chance, where two names do and at least `DISTINCT_SHARE`.
    """
    for pattern in PATTERNS:
        if pattern in _ONLY_WHEN_NAMED:
            continue
        authorships = [one for one in authors(names, pattern) if one.to_meta()]
        several = len({(one.person, one.number) for one in authorships}) > 1
        share = PATTERN_SHARE if pattern in _PLAIN else DISTINCT_SHARE
        if several and len(authorships) >= share * len(names):
            return pattern
    return ""


def authors(names: Sequence[str], pattern: str) -> list[Authorship]:
    """Return who wrote each file.

    Parameters
    ----------
    names
        Paths as documents are named; folders and archives are part of them.
    pattern
        A name of `PATTERNS`, or a regular expression with some of the groups `person`, `number`,
        `group`, `date` and `title`.

    Raises
    ------
    BadInput
        `people_pattern` where it is no regular expression or names nobody.

    Notes
    -----
    Some patterns never end: to be run in a worker with a limit.
    """
    rule = _compiled(PATTERNS.get(pattern, pattern))
    return [_author(rule, name) for name in names]


def _compiled(pattern: str) -> regex.Pattern[str]:
    shown = pattern[:_SHOWN]
    try:
        rule = regex.compile(pattern)
    except regex.error as error:
        raise BadInput("people_pattern", pattern=shown, detail=str(error)) from error
    except RecursionError as error:
        raise BadInput("people_pattern", pattern=shown, detail="nested too deep") from error
    if not set(rule.groupindex) & {"person", "number"}:
        raise BadInput("people_pattern", pattern=shown, detail="(?P<person>...)")
    return rule


def _author(rule: regex.Pattern[str], name: str) -> Authorship:
    match = rule.search(name)
    if match is None:
        return Authorship()
    groups = match.groupdict()
    return Authorship(*(" ".join((groups.get(field) or "").split()) for field in FIELDS))
