"""How a person's name is read and compared: in names of files, in fields, as a word or a name."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import regex

from ..auxiliary import run_pattern
from ..errors import BadInput
from ..metadata import compile_pattern
from ..policy import DISTINCT_SHARE, PATTERN_SHARE, SURNAME_SHARE
from ..surnames import COMMONEST, DOUBLE_SURNAMES, has_surname
from ..text.characters import HAN
from ..text.normalize import normalize
from ..text.segment import UNKNOWN, tags
from ..weighting.background import background_idf

#: what a pattern can name, in the order in which a table shows it
FIELDS = ("person", "number", "class_name", "group", "date", "title")
#: what tells persons of one name apart and is never shown: the number that a platform gave
PLATFORM = "platform"

_HAN = r"[\p{Han}·]"
_HAN_NAME = rf"(?P<person>{_HAN}{{2,8}})"
_SHORT_NAME = rf"(?P<person>{_HAN}{{2,4}})"
#: a Chinese name ends at a blank: what follows is the title
_NAME = rf"(?P<person>{_HAN}{{2,8}}(?!\p{{L}})|\p{{L}}(?:[\p{{L}}'’·]|\.? )*\p{{L}})"
_NUMBER = r"(?P<number>[A-Za-z]{0,3}\d{5,15})"
#: two words or more, or a Chinese name with a common surname
_FULL_NAME = (
    r"(?P<person>\p{Lu}[\p{Latin}'’]*+(?:\.?[ -]\p{Latin}[\p{Latin}'’]*+){1,4}"
    rf"|(?:[{COMMONEST}]|{'|'.join(DOUBLE_SURNAMES)})\p{{Han}}{{1,2}})"
)
_DASH = r"(?: ?[_—–] ?| - )"
_CLASS = (
    r"(?:(?P<class_name>[^/_—–-]*(?:班|级)|\p{L}{2,10}\d{2,6}(?:-\d{1,2}班)?)"
    r"|(?P<group>[^/_—–-]*(?:組|组)))"
)
_BETWEEN = r"\s*[-_—–+＿－ ]\s*"
_APART = r"[-_—–+＿－ ]{1,3}"
_TITLE = rf"(?:{_BETWEEN}(?P<title>[^/]+?))?"
_BEGIN, _END = r"(?:^|/)", r"(?:\.\w{1,5}$|/|$)"
#: what pupils call their texts, in one word with their name: 张三的作文.docx
WORK = (
    r"的?(?:作文|作业|作業|报告|報告|论文|論文|随笔|隨筆|周记|週記|日记|日記|练笔|習作|习作|读后感|讀後感|"
    r"读书报告|读书笔记|期中|期末|初稿|终稿|定稿|最终)"
)
_FILE = r"(?:\s?\(\d{1,2}\))?\.\w{1,5}$"  # WeChat and browsers add (1) to a second copy

#: name -> regular expression, searched in the path of a file; those with more fields come first
PATTERNS = {
    # a participant whose name Moodle hides is a number alone
    "moodle": r"(?:^|/)"
    r"(?:(?:Participant|参与者)_(?P<number>\d+)|(?P<person>[^/_]+)_(?P<platform>\d+))"
    r"_assignsubmission_(?:file|onlinetext)_?/?(?P<title>[^/]*?)(?:\.\w{1,5})?$",
    # what was typed into Canvas has no number of a file
    "canvas": r"(?:^|/)(?P<person>\p{L}[\p{L}'’-]*)(?:_(?:late|LATE))?_(?P<number>\d{2,})_"
    r"(?:\d{2,}_(?P<title>[^/]+?)(?:\.\w{1,5})?|text\.html?)$",
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
    rf"\s{{0,3}}(?P<title>(?:{WORK}|《)[^/]{{0,100}}?)?{_FILE}",
    "name_class": rf"{_BEGIN}{_SHORT_NAME}{_APART}"
    r"(?:(?P<class_name>[^/_—–-]{1,20}(?:班|级))|(?P<group>[^/_—–-]{1,20}(?:組|组)))"
    rf"(?:{_APART}(?P<title>[^/]{{1,200}}?))?{_FILE}",
    "name_in_brackets_number": rf"{_BEGIN}{_HAN_NAME}[(（]{_NUMBER}[)）]",
    "number_name": rf"{_BEGIN}{_NUMBER}{_BETWEEN}{_NAME}{_TITLE}{_END}",
    "name_number": rf"{_BEGIN}{_NAME}{_BETWEEN}{_NUMBER}{_TITLE}{_END}",
    "name_title": rf"{_BEGIN}{_FULL_NAME}{_DASH}(?P<title>[^/]{{1,200}}?){_FILE}",
    "title_name": rf"{_BEGIN}(?P<title>[^/]{{1,200}}?){_DASH}{_FULL_NAME}{_FILE}",
    "glued": rf"{_BEGIN}(?:{_SHORT_NAME}(?P<number>\d{{5,15}})|(?P<number>\d{{5,15}}){_SHORT_NAME})"
    rf"(?:{_APART}(?P<title>[^/]{{1,200}}?))?{_FILE}",
    "bare_name": rf"{_BEGIN}(?:序号\d+[-_]{_SHORT_NAME}[-_](?P<title>[^/]{{1,200}}?)"
    rf"|[【\[]{_SHORT_NAME}[】\]](?P<title>[^/]{{0,200}}?)"
    rf"|(?:(?P<title>[^/]{{1,200}}?){_APART})?{_SHORT_NAME}"
    rf"|(?P<title>[^/]{{1,200}}?)[（(]{_SHORT_NAME}[）)]){_FILE}",
    "name_first": rf"{_BEGIN}"
    rf"(?:(?P<class_name>[^/]{{1,12}}?班){_APART}|\d{{1,3}}[.、．号_+ -]{{0,2}})?"
    rf"(?P<person>{_HAN}{{2,4}}?)"
    rf"(?:{_APART}(?P<title>[^/]{{1,200}}?)|(?P<title>(?:[（(《【“]|{WORK})[^/]{{0,200}}?))?"
    rf"{_FILE}",
    "group_folders": r"(?:^|/)(?P<group>[^/]+)/(?P<person>[^/]+)/[^/]+$",
    "folders": r"(?:^|/)(?P<person>[^/]+)/[^/]+$",
}
#: the one that is never guessed: any folder may be called anything
_ONLY_WHEN_NAMED = ("group_folders",)
#: those that any short Chinese word fits
_BARE = ("bare_name", "name_first", "folders")
#: those that tell a person by a Chinese name alone, which must begin with a common surname
_SURNAMED = ("glued", *_BARE)
#: those whose titles must be one title
_TITLED = ("name_title", "title_name")
#: those that other names fit by chance as well
_PLAIN = ("number_name", "name_number", *_TITLED, *_SURNAMED)
#: those that read the names of a folder to which each gave a name of another kind
_CHINESE = (
    "class_number_name",
    "class_name_number",
    "number_name_class",
    "class_seat_name",
    "name_class",
    "name_in_brackets_number",
    *_PLAIN,
)
_HAN_ALONE = regex.compile(rf"{_HAN}{{2,4}}(?<![班级級组組校院系]|{WORK})$")
#: characters of a name, and names, that `PATTERNS` read without a limit: 255 characters of any two
#: things that they look at, repeated, took none of them .2 ms; 300 usual names take all .03 s
_SHORT, _FEW = 255, 1_000
#: guesses the pattern from the names
AUTOMATIC = "auto"
_NAMED = ("person", "number")  # what a pattern of names may tell


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


def identify_persons(authorships: Sequence[Authorship]) -> list[str]:
    """Return one key a person for each file, "" where nobody is named.

    A person is a number where there is one, else a name; a name to which a platform gave several
    numbers is several persons.
    """
    numbers: defaultdict[str, set[str]] = defaultdict(set)
    for author in authorships:
        numbers[fold_name(author.person)].add(author.platform)
    keys = []
    for author in authorships:
        name = fold_name(author.person)
        several = name and len(numbers[name] - {""}) > 1
        keys.append(fold_name(author.number) or (f"{name}/{author.platform}" if several else name))
    return keys


def guess_authors(
    names: Sequence[str], pattern: str = AUTOMATIC, *, bare: bool = True
) -> list[Authorship]:
    """Return who wrote each file by its name; nobody where no pattern is recognised.

    A Chinese name that stands alone (张三.docx) is taken for one where most of these begin with a
    common surname; without `bare` it never is, since a class list will say who is who.

    Raises
    ------
    BadInput
        `people_pattern`, `people_slow`: see `read_authors`.
    """
    short = len(names) <= _FEW and max(map(len, names), default=0) <= _SHORT
    here = short and pattern == AUTOMATIC
    try:
        return run_pattern(partial(_guess_authors, bare=bare), names, pattern, here=here)
    except BadInput:
        if pattern != AUTOMATIC:
            raise
        return [Authorship() for _ in names]  # names that no pattern gets through in its time


def guess_pattern(names: Sequence[str]) -> str:
    """Return the pattern of `PATTERNS` that most file names fit, "" where none does."""
    try:
        return run_pattern(_guess_pattern, names, AUTOMATIC)
    except BadInput:  # names that no pattern gets through in its time
        return ""


def read_authors(names: Sequence[str], pattern: str) -> list[Authorship]:
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
    rule = compile_pattern(PATTERNS.get(pattern, pattern), error="people_pattern", groups=_NAMED)
    found = []
    for match in map(rule.search, names):
        groups = match.groupdict() if match else {}
        fields = ((groups.get(field) or "").split() for field in (*FIELDS, PLATFORM))
        found.append(Authorship(*map(" ".join, fields)))
    return found


def find_pattern(names: Sequence[str], *, bare: bool = True) -> str:
    """Return the name of the first pattern that fits the file names, "" where none does.

    A pattern fits where at least `PATTERN_SHARE` of the names match it and name two people; one
    that hardly fits by chance, where two names do and at least `DISTINCT_SHARE`. Where nothing
    but a Chinese name stands for a person, `SURNAME_SHARE` of those that match must begin with a
    common surname; without `bare` these patterns never fit.
    """
    for pattern in PATTERNS:
        if pattern in _ONLY_WHEN_NAMED or (pattern in _BARE and not bare):
            continue
        found = [one for one in read_authors(names, pattern) if one.to_meta()]
        plain = pattern in _PLAIN
        people = {one.person if plain else (one.person, one.number) for one in found}
        share = PATTERN_SHARE if plain else DISTINCT_SHARE
        if len(people) < 2 or len(found) < share * len(names):
            continue
        titles = Counter(one.title.casefold() for one in found)
        if pattern in _TITLED and max(titles.values()) < PATTERN_SHARE * len(found):
            continue
        if pattern == "folders" and len(people) < len(found) / 2:
            continue  # a folder that holds many texts is no person
        if pattern not in _SURNAMED or sum(map(_is_name, found)) >= SURNAME_SHARE * len(found):
            return pattern
    return ""


# --------------------------------------------------------------------------- run in a worker


def _guess_pattern(task: tuple[Sequence[str], str]) -> str:
    return find_pattern(task[0])


def _guess_authors(task: tuple[Sequence[str], str], *, bare: bool) -> list[Authorship]:
    """Return who wrote each file by a pattern; by several where platforms are mixed."""
    names, pattern = task
    if pattern != AUTOMATIC:
        return read_authors(names, pattern)
    named: dict[int, Authorship] = {}
    left = dict(enumerate(names))
    while chosen := find_pattern([*left.values()], bare=bare):
        found = dict(zip(left, read_authors([*left.values()], chosen), strict=True))
        persons = _keep_persons(found, sure=chosen not in _BARE)
        if not persons:
            break
        named |= persons
        left = {row: name for row, name in left.items() if row not in named}
    mixed = _keep_persons(_read_each(left, bare=bare), sure=False)
    enough = len(named) + len(mixed) >= PATTERN_SHARE * len(names)
    if enough and len({one.person for one in mixed.values()}) > 1:
        named |= mixed
    return [named.get(row, Authorship()) for row in range(len(names))]


def _read_each(names: Mapping[int, str], *, bare: bool) -> dict[int, Authorship]:
    """Return who wrote each file where everybody named theirs in another way.

    Each name is read by the first pattern that finds a Chinese name in it; where other names fit
    that pattern by chance as well, it must begin with a common surname.
    """
    found: dict[int, Authorship] = {}
    for pattern in _CHINESE:
        if bare or pattern not in _BARE:
            read = zip(names, read_authors([*names.values()], pattern), strict=True)
            fitting = (one for one in read if _is_name(one[1], surname=pattern in _PLAIN))
            found = dict(fitting) | found
    return found


def _keep_persons(authors: Mapping[int, Authorship], *, sure: bool) -> dict[int, Authorship]:
    """Return the rows that name a person.

    A name that is a word as well (曹操, 李娜) does beside a title that another name has too.
    """
    certain = {  # a common surname, and no word (方案)
        row: one
        for row, one in authors.items()
        if _is_name(one) and one.person not in background_idf()
    }
    titles = {one.title for one in certain.values()} - {""}
    return {
        row: one
        for row, one in authors.items()
        if (sure and one.to_meta())
        or one.number
        or row in certain
        or (one.title in titles and _is_name(one))
    }


def _is_name(author: Authorship, *, surname: bool = True) -> bool:
    """Whether two to four Chinese characters can be a name: with a common surname, if so wanted."""
    fits = _HAN_ALONE.match(author.person) is not None
    return fits and (not surname or author.person.startswith((*COMMONEST, *DOUBLE_SURNAMES)))


# --------------------------------------------------------------------------- names as words

LETTERS = re.compile(rf"(?:(?![{HAN}])[^\W\d_])+")
_ALL_HAN = re.compile(rf"[{HAN}]{{2,6}}(?:[·•・][{HAN}]{{1,8}})*")
_TOGETHER = re.compile(r"[、；;/&]")  # between the names of those who made one text together
_SEPARATORS = re.compile(r"[、;/&()<>|\d_\n]+|\s{1,99}and\s{1,99}")
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
    for piece in _SEPARATORS.split(text):
        parts = [part.strip(" .-'\"") for part in piece.split(",")]
        several = all(" " in part or is_han(part) for part in parts)
        for part in parts if several else [" ".join(parts)]:
            han = _ALL_HAN.search(part)
            if han is None:
                names.append(" ".join(LETTERS.findall(part)))
                continue
            name = han[0].removesuffix("同学")
            joined = (name.split(mark) for mark in "和与" if mark in name)  # 张三和李小四
            names += next((both for both in joined if all(map(has_surname, both))), [name])
    return [name for name in names if len(name) > 1]


def is_han(name: str) -> bool:
    """Whether a name is written in Chinese characters."""
    return _ALL_HAN.fullmatch(name) is not None


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
