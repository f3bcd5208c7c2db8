"""Author, number, class, group and date from the names of files, by patterns one can read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import regex

from ..errors import BadInput
from ..policy import DISTINCT_SHARE, PATTERN_SHARE, SURNAME_SHARE
from ..surnames import COMMONEST, DOUBLE_SURNAMES

#: what a pattern can name, in the order in which a table shows it
FIELDS = ("person", "number", "class_name", "group", "date", "title")
#: what tells persons of one name apart and is never shown: the number that a platform gave
PLATFORM = "platform"

_HAN = r"[\p{Han}·]"
_HAN_NAME = rf"(?P<person>{_HAN}{{2,8}})"
_SHORT_NAME = rf"(?P<person>{_HAN}{{2,4}})"
_NAME = r"(?P<person>\p{L}(?:[\p{L}'’·]|\.? )*\p{L})"
_NUMBER = r"(?P<number>[A-Za-z]{0,3}\d{5,15})"
_CLASS = (
    r"(?:(?P<class_name>[^/_—–-]*(?:班|级)|\p{L}{2,10}\d{2,6}(?:-\d{1,2}班)?)"
    r"|(?P<group>[^/_—–-]*(?:組|组)))"
)
_BETWEEN = r"\s*[-_—–+＿－ ]\s*"
_APART = r"[-_—–+＿－ ]{1,3}"
_TITLE = rf"(?:{_BETWEEN}(?P<title>[^/]+?))?"
_BEGIN, _END = r"(?:^|/)", r"(?:\.\w{1,5}$|/|$)"
_FILE = r"(?:\s?\(\d{1,2}\))?\.\w{1,5}$"  # WeChat and browsers add (1) to a second copy

#: name -> regular expression, searched in the path of a file; those with more fields come first
PATTERNS = {
    # a participant whose name Moodle hides is a number alone
    "moodle": r"(?:^|/)"
    r"(?:(?:Participant|参与者)_(?P<number>\d+)|(?P<person>[^/_]+)_(?P<platform>\d+))"
    r"_assignsubmission_(?:file|onlinetext)_?/?(?P<title>[^/]*?)(?:\.\w{1,5})?$",
    "canvas": r"(?:^|/)(?P<person>\p{L}[\p{L}'’-]*)(?:_(?:late|LATE))?_(?P<number>\d{2,})_\d{2,}_"
    r"(?P<title>[^/]+?)(?:\.\w{1,5})?$",
    "blackboard": r"(?:^|/)[^/]*?_(?P<number>[^/_]+)_attempt_"
    r"(?P<date>\d{4}-\d\d-\d\d)-\d\d-\d\d-\d\d"
    r"(?:_(?P<title>[^/]+?))?(?:\.\w{1,5})?$",
    "brightspace": r"(?:^|/)\d{3,12}-\d{3,12} - (?P<person>[^/]{1,80}?) - "
    r"(?P<date>\p{L}{3,9} \d{1,2}, \d{4}) \d{3,4} [AP]M"
    r"(?:(?: - |/)(?P<title>[^/]{1,200}?)\.\w{1,5})?$",
    "teams": r"(?:^|/)(?P<person>[^/]+)/(?P<title>[^/]+)/Version \d+/[^/]+$",
    "classroom": r"(?:^|/)(?P<title>[^/]{1,100})/(?P<person>\p{L}[^/]{0,60}?) - (?P=title)"
    rf"{_FILE}",
    "sakai": r"(?:^|/)(?P<person>[^/,]+, ?[^/( ][^/(]*)\((?P<number>[^/)]+)\)/"
    r"(?:Submission attachment|[^/]+$)",
    "class_number_name": rf"{_BEGIN}{_CLASS}{_BETWEEN}{_NUMBER}{_BETWEEN}{_HAN_NAME}{_TITLE}{_END}",
    "class_name_number": rf"{_BEGIN}{_CLASS}{_BETWEEN}{_HAN_NAME}{_BETWEEN}{_NUMBER}{_TITLE}{_END}",
    "number_name_class": rf"{_BEGIN}{_NUMBER}{_BETWEEN}{_HAN_NAME}{_BETWEEN}{_CLASS}{_TITLE}{_END}",
    "class_seat_name": rf"{_BEGIN}(?P<class_name>[^/]{{1,12}}?班)\s{{0,3}}"
    rf"(?:(?P<number>\d{{1,3}})\s?号)?\s{{0,3}}(?P<person>{_HAN}{{2,3}}?)"
    rf"\s{{0,3}}(?P<title>的?(?:作文|作业|报告|论文|随笔|周记)[^/]{{0,100}}?)?{_FILE}",
    "name_class": rf"{_BEGIN}{_SHORT_NAME}{_APART}"
    r"(?:(?P<class_name>[^/_—–-]{1,20}(?:班|级))|(?P<group>[^/_—–-]{1,20}(?:組|组)))"
    rf"(?:{_APART}(?P<title>[^/]{{1,200}}?))?{_FILE}",
    "name_in_brackets_number": rf"{_BEGIN}{_HAN_NAME}[(（]{_NUMBER}[)）]",
    "number_name": rf"{_BEGIN}{_NUMBER}{_BETWEEN}{_NAME}{_TITLE}{_END}",
    "name_number": rf"{_BEGIN}{_NAME}{_BETWEEN}{_NUMBER}{_TITLE}{_END}",
    "glued": rf"{_BEGIN}(?:{_SHORT_NAME}(?P<number>\d{{5,15}})|(?P<number>\d{{5,15}}){_SHORT_NAME})"
    rf"(?:{_APART}(?P<title>[^/]{{1,200}}?))?{_FILE}",
    "bare_name": rf"{_BEGIN}(?:序号\d+[-_]{_SHORT_NAME}[-_](?P<title>[^/]{{1,200}}?)"
    rf"|[【\[]{_SHORT_NAME}[】\]](?P<title>[^/]{{0,200}}?)"
    rf"|(?:(?P<title>[^/]{{1,200}}?){_APART})?{_SHORT_NAME}){_FILE}",
    "group_folders": r"(?:^|/)(?P<group>[^/]+)/(?P<person>[^/]+)/[^/]+$",
    "folders": r"(?:^|/)(?P<person>[^/]+)/[^/]+$",
}
#: those that are never guessed: any folder may be called anything
_ONLY_WHEN_NAMED = ("group_folders", "folders")
#: the one that any short Chinese word fits
BARE = "bare_name"
#: those that other names fit by chance as well
_PLAIN = ("number_name", "name_number", "glued", BARE)
_SHOWN = 80  # characters of a pattern that a message repeats


@dataclass(frozen=True, slots=True)
class Authorship:
    """Who wrote one file, as far as its name or a class list says; empty where it does not."""

    person: str = ""
    number: str = ""
    class_name: str = ""
    group: str = ""
    date: str = ""
    title: str = ""
    platform: str = ""

    def to_meta(self) -> dict[str, str]:
        """Return the fields that are there, as `Document.meta` keeps them."""
        pairs = ((name, getattr(self, name)) for name in (*FIELDS, PLATFORM))
        return {name: value for name, value in pairs if value}


def persons(authorships: Sequence[Authorship]) -> list[str]:
    """Return one key a person for each file, "" where nobody is named.

    A person is a number where there is one, else a name; a name to which a platform gave several
    numbers is several persons.
    """
    numbers: defaultdict[str, set[str]] = defaultdict(set)
    for author in authorships:
        numbers[author.person.casefold()].add(author.platform)
    keys = []
    for author in authorships:
        name = author.person.casefold()
        several = name and len(numbers[name] - {""}) > 1
        keys.append(author.number.casefold() or (f"{name}/{author.platform}" if several else name))
    return keys


def recognise(names: Sequence[str], *, bare: bool = True) -> str:
    """Return the name of the first pattern that fits the file names, "" where none does.

    A pattern fits where at least `PATTERN_SHARE` of the names match it and name two people; one
    that hardly fits by chance, where two names do and at least `DISTINCT_SHARE`. Where nothing
    but a Chinese name stands for a person, `SURNAME_SHARE` of those that match must begin with a
    common surname; without `bare` that pattern never fits.
    """
    for pattern in PATTERNS:
        if pattern in _ONLY_WHEN_NAMED or (pattern == BARE and not bare):
            continue
        authorships = [one for one in authors(names, pattern) if one.to_meta()]
        plain = pattern in _PLAIN
        people = {one.person if plain else (one.person, one.number) for one in authorships}
        share = PATTERN_SHARE if plain else DISTINCT_SHARE
        if len(people) < 2 or len(authorships) < share * len(names):
            continue
        named = sum(has_surname(one) for one in authorships)
        if pattern not in ("glued", BARE) or named >= SURNAME_SHARE * len(authorships):
            return pattern
    return ""


def has_surname(author: Authorship) -> bool:
    """Whether a name begins with one of the commonest Chinese surnames."""
    return author.person.startswith((*COMMONEST, *DOUBLE_SURNAMES))


def authors(names: Sequence[str], pattern: str) -> list[Authorship]:
    """Return who wrote each file.

    Parameters
    ----------
    names
        Paths as documents are named; folders and archives are part of them.
    pattern
        A name of `PATTERNS`, or a regular expression with some of the groups `person`, `number`,
        `class_name`, `group`, `date`, `title` and `platform`.

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
    fields = (*FIELDS, PLATFORM)
    return Authorship(*(" ".join((groups.get(field) or "").split()) for field in fields))
