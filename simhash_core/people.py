"""Who wrote what: authors by the names of files, or by a class list."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import regex

from .errors import BadInput
from .policy import DISTINCT_SHARE, PATTERN_SHARE, SURNAME_SHARE
from .surnames import COMMONEST, DOUBLE_SURNAMES

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
_WORK = (
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
    rf"\s{{0,3}}(?P<title>(?:{_WORK}|《)[^/]{{0,100}}?)?{_FILE}",
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
    rf"(?:{_APART}(?P<title>[^/]{{1,200}}?)|(?P<title>(?:[（(《【“]|{_WORK})[^/]{{0,200}}?))?"
    rf"{_FILE}",
    "group_folders": r"(?:^|/)(?P<group>[^/]+)/(?P<person>[^/]+)/[^/]+$",
    "folders": r"(?:^|/)(?P<person>[^/]+)/[^/]+$",
}
#: the one that is never guessed: any folder may be called anything
_ONLY_WHEN_NAMED = ("group_folders",)
#: those that any short Chinese word fits
BARE = ("bare_name", "name_first", "folders")
#: those that tell a person by a Chinese name alone, which must begin with a common surname
_SURNAMED = ("glued", *BARE)
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
_HAN_ALONE = regex.compile(rf"{_HAN}{{2,4}}(?<![班级級组組校院系]|{_WORK})$")
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
    common surname; without `bare` these patterns never fit.
    """
    for pattern in PATTERNS:
        if pattern in _ONLY_WHEN_NAMED or (pattern in BARE and not bare):
            continue
        authorships = [one for one in authors(names, pattern) if one.to_meta()]
        plain = pattern in _PLAIN
        people = {one.person if plain else (one.person, one.number) for one in authorships}
        share = PATTERN_SHARE if plain else DISTINCT_SHARE
        if len(people) < 2 or len(authorships) < share * len(names):
            continue
        titles = Counter(one.title.casefold() for one in authorships)
        if pattern in _TITLED and max(titles.values()) < PATTERN_SHARE * len(authorships):
            continue
        if pattern == "folders" and len(people) < len(authorships) / 2:
            continue  # a folder that holds many texts is no person
        named = sum(is_name(one) for one in authorships)
        if pattern not in _SURNAMED or named >= SURNAME_SHARE * len(authorships):
            return pattern
    return ""


def in_several_ways(names: Sequence[str], *, bare: bool = True) -> list[Authorship]:
    """Return who wrote each file where everybody named theirs in another way.

    Each name is read by the first pattern that finds a Chinese name in it; where other names fit
    that pattern by chance as well, it must begin with a common surname.
    """
    patterns = [one for one in _CHINESE if bare or one not in BARE]
    authorships = [Authorship() for _ in names]
    for pattern in patterns:
        for row, author in enumerate(authors(names, pattern)):
            if not authorships[row].person and is_name(author, surname=pattern in _PLAIN):
                authorships[row] = author
    return authorships


def is_name(author: Authorship, *, surname: bool = True) -> bool:
    """Whether two to four Chinese characters can be a name: with a common surname, if so wanted."""
    fits = _HAN_ALONE.match(author.person) is not None
    return fits and (not surname or author.person.startswith((*COMMONEST, *DOUBLE_SURNAMES)))


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


# --------------------------------------------------------------------------- class lists
#: field -> headings of its column, in small letters without blanks, marks and accents
_HEADINGS = {
    "person": (
        *("name", "fullname", "student", "studentname", "pupil", "pupilname"),
        *("schuler", "schulerin", "schulername", "eleve", "etudiant", "nomcomplet", "nomprenom"),
        *("alumno", "alumna", "estudiante", "nombrecompleto", "uczen"),
        *("姓名", "学生姓名", "學生姓名", "名字"),
    ),
    "number": (
        *("number", "id", "studentid", "studentnumber", "studentno", "idnumber", "sisid"),
        *("matriculation", "matrikelnummer", "matrikelnr", "schulernummer", "matricule"),
        *("numeroetudiant", "matricula", "expediente", "numerodeexpediente"),
        *("numeralbumu", "nralbumu", "numerindeksu", "nrindeksu"),
        *("学号", "學號", "编号", "座号"),
    ),
    "class_name": (
        *("class", "classname", "section", "form", "klasse", "classe", "clase", "curso", "klasa"),
        *("班级", "班級", "班", "行政班", "教学班"),
    ),
    "group": (
        *("group", "groups", "team", "gruppe", "groupe", "grupo", "grupa"),
        *("小组", "小組", "组别", "组"),
    ),
    "login": (
        *("username", "login", "user", "sisloginid", "email", "emailaddress", "benutzername"),
        *("emailadresse", "courriel", "correo", "correoelectronico", "adresemail"),
        *("账号", "邮箱"),
    ),
    "first": ("firstname", "givenname", "vorname", "vor", "prenom", "nombre", "imie", "名"),
    "last": (
        *("lastname", "surname", "familyname", "nachname", "familienname", "nom"),
        *("apellido", "apellidos", "nazwisko", "姓"),
    ),
}
_FIELD_OF = {title: field for field, titles in _HEADINGS.items() for title in titles}
_REMARK = regex.compile(r"[(（\[].*?[)）\]]|[*:/](?:in|a)\b")  # (required), Schüler*in
_JOINED = regex.compile(r"[,，、/;&+|]|\s(?:and|und|et|y|i)\s|(?<=\p{Han})\s*(?!\p{Han})")

#: rows of a gradebook that are no pupil, folded
_NOBODY = frozenset(
    (
        *("points possible", "student, test", "test student", "average", "class average"),
        *("overall average", "mean", "median", "total", "maximum", "minimum"),
        *("满分", "得分上限", "平均", "平均分", "班级平均", "合计", "总计", "最高分", "最低分"),
    )
)
_MOST_WORDS = 8  # of a name, from which it may begin in a file name
#: the same where no number stands beside them: with one it may be somebody's name
_NOT_A_NAME = frozenset(
    ("date", "points", "datum", "punkte", "fecha", "puntos", "data", "punkty", "日期", "分数")
)
_OF_CANVAS = " " * 4  # before the points possible, in every language
_PREVIEW = "_previewuser"  # what Blackboard adds to the names of teachers who look on as pupils
_HEAD_AMONG = 15  # first rows: a school, a class and a term may stand above the headings
_AFTER_COMMA = regex.compile(r"(?!(?:jr|sr|ii|iii|iv)\b)\p{L}[^,]*", regex.I)
#: letters that no mark decomposes, and those that German writes as two
_PLAIN_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ı": "i", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th"}
)
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_SHORTENED = regex.compile(r"\d(?:[.,]\d+)?E\+\d+", regex.I)  # 2.02601E+11
_EXACT_DIGITS = 15  # of a number in a spreadsheet; those behind are zeros

#: what a class list says of a file's author
_GIVEN = ("person", "number", "class_name", "group")


@dataclass(frozen=True, slots=True)
class Member:
    """One row of a class list."""

    person: str
    number: str = ""
    group: str = ""
    login: str = ""
    class_name: str = ""


@dataclass(frozen=True, slots=True)
class Assigned:
    """Files put to the names of a class list."""

    authors: tuple[Authorship, ...]  # one a file
    missing: tuple[Member, ...]  # on the list, nothing handed in
    unlisted: tuple[int, ...]  # files whose author is not on the list, or not only once


def members(rows: Sequence[Sequence[str]]) -> list[Member]:
    """Read the rows of a table; the first one that can names the columns.

    Rows of points and averages are nobody. A group that everybody is in is none: it is the class
    where no column names one. Names with the surname and a comma first are turned. A number that
    several names share is none, since spreadsheets round long ones.

    Raises
    ------
    BadInput
        `class_list`: no column of names or numbers.
    """
    heads = [_columns(row) for row in rows[:_HEAD_AMONG]]
    naming = {"person", "number", "first", "last"}
    at = next((at for at, head in enumerate(heads) if head.keys() & naming), None)
    if at is None:
        raise BadInput("class_list", columns=", ".join(rows[0] if rows else ())[:200])
    head, *rest = rows[at:]
    read = (_member(row, heads[at], head) for row in rest)
    return _told_apart(_turned(_of_one_group([member for member in read if member is not None])))


def _columns(head: Sequence[str]) -> dict[str, int]:
    """Return the fields that a row of headings names, each with its column."""
    columns: dict[str, int] = {}
    for at, title in enumerate(head):
        if field := _field(title):
            columns.setdefault(field, at)
    return columns


def _field(title: str) -> str:
    """Return the field that a heading names, in one language or in two; "" for any other."""
    title = _REMARK.sub("", _plain(_folded(title))[0])
    parts = [title, *filter(str.strip, _JOINED.split(title))]
    whole, *fields = (_FIELD_OF.get(regex.sub(r"[^\p{L}]", "", part), "") for part in parts)
    if whole or not fields:
        return whole
    if len(set(fields)) == 1:
        return fields[0]
    return "person" if set(fields) <= {"person", "first", "last"} else ""


def _told_apart(listed: list[Member]) -> list[Member]:
    """Drop the numbers that a spreadsheet rounded, and all but the first row of one pupil."""
    called: defaultdict[str, set[str]] = defaultdict(set)
    for one in listed:
        called[one.number].add(one.person)
    members: dict[tuple[str, str | int], Member] = {}
    for row, one in enumerate(listed):
        rounded = len(called[one.number]) > 1 or _SHORTENED.fullmatch(one.number)
        if one.person and rounded:
            one = replace(one, number="")
        members.setdefault((one.person, one.number or one.login or row), one)
    return list(members.values())


def _turned(listed: list[Member]) -> list[Member]:
    """Return a list whose names are written `Miller, Anna` with `Anna Miller`."""
    parted = [member.person.split(", ") for member in listed]
    commas = [len(parts) == 2 and bool(_AFTER_COMMA.fullmatch(parts[1])) for parts in parted]
    if 2 * sum(commas) < len(listed):
        return listed
    return [
        replace(member, person=f"{parts[1]} {parts[0]}") if comma else member
        for member, parts, comma in zip(listed, parted, commas, strict=True)
    ]


def assign(
    names: Sequence[str], authorships: Sequence[Authorship], listed: Sequence[Member]
) -> Assigned:
    """Put each file to a member: by number, by login, by name, else by what its path holds.

    A name that two members share decides nothing: such a file stays as it was and is unlisted.
    """
    by: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for at, member in enumerate(listed):
        for key in (*_number_keys(member.number), ("login", _folded(member.login))):
            by[key].append(at)
        for key in _person_keys(member.person):
            by[key].append(at)
    authors: list[Authorship] = []
    taken: set[int] = set()
    unlisted: list[int] = []
    for row, (name, author) in enumerate(zip(names, authorships, strict=True)):
        chosen = _member_of(name, author, by)
        if chosen is None:
            authors.append(author)
            unlisted.append(row)
            continue
        member = listed[chosen]
        taken.add(chosen)
        fields = {name: getattr(member, name) for name in _GIVEN}
        authors.append(
            replace(author, **{field: value for field, value in fields.items() if value})
        )
    missing = tuple(member for at, member in enumerate(listed) if at not in taken)
    return Assigned(tuple(authors), missing, tuple(unlisted))


def _of_one_group(listed: list[Member]) -> list[Member]:
    """Take the group from a list on which all have the same one."""
    groups = {member.group for member in listed}
    if len(groups) != 1 or groups == {""}:
        return listed
    return [replace(one, group="", class_name=one.class_name or one.group) for one in listed]


def _member(row: Sequence[str], columns: Mapping[str, int], head: Sequence[str]) -> Member | None:
    """Read one row below the headings; None where it names nobody, or repeats them."""
    cells = {field: row[at] for field, at in columns.items() if at < len(row)}
    given = {field: _cell(cell) for field, cell in cells.items()}
    if all(_folded(cell) == _folded(head[columns[field]]) for field, cell in given.items()):
        return None
    first, last, person, number, login = (
        given.get(field, "") for field in ("first", "last", "person", "number", "login")
    )
    if "last" not in columns and first not in person:  # German lists call the surname Name
        last, person = person, ""
    han = bool(regex.search(r"\p{Han}", first + last))
    person = person or (f"{last}{first}" if han else f"{first} {last}".strip())
    points = cells.get("person", "").startswith(_OF_CANVAS) and "number" in columns and not number
    preview = _PREVIEW in _folded(f"{person} {number} {login}")
    nobody = _NOBODY if number else _NOBODY | _NOT_A_NAME
    if points or preview or _folded(person) in nobody or not (person or number):
        return None
    return Member(person, number, given.get("group", ""), login, given.get("class_name", ""))


def _member_of(
    name: str, author: Authorship, by: Mapping[tuple[str, str], list[int]]
) -> int | None:
    """Return the one member that a file belongs to."""
    keys = [*_number_keys(author.number), ("login", _folded(author.number))]
    keys += _person_keys(author.person)
    folded = regex.sub(r"[\s,，_+＿－—–-]+", " ", _folded(name))
    words = regex.findall(r"[\p{L}\p{N}]+", folded) + regex.findall(r"\S+@\S+", folded)
    words = [word for word in words if word != author.platform]
    keys += [key for word in words for key in (*_number_keys(word), ("login", word))]
    for key in keys:
        if key[1] and len(by.get(key, ())) == 1:
            return by[key][0]
    for wanted, paths in (("person", (folded,)), ("plain", _plain(folded))):
        held = {
            members_[0]
            for (kind, form), members_ in by.items()
            if kind == wanted and len(members_) == 1 and any(_holds(path, form) for path in paths)
        }
        if held:
            return held.pop() if len(held) == 1 else None
    return None


def _number_keys(number: str) -> list[tuple[str, str]]:
    """Return a number as it stands, and as a spreadsheet leaves it: without zeros, rounded."""
    folded = _folded(number)
    keys = [("number", folded)]
    if folded.isdigit():
        keys.append(("bare", folded.lstrip("0")))
        if len(folded) > _EXACT_DIGITS:
            keys.append(("rounded", folded[:_EXACT_DIGITS]))
    return keys


def _person_keys(person: str) -> list[tuple[str, str]]:
    """Return a name in its forms; last without accents, as lists are typed."""
    forms = _forms(person)
    plain = dict.fromkeys(bare for form in forms for bare in _plain(form))
    return [*(("person", form) for form in forms), *(("plain", form) for form in plain)]


def _plain(folded: str) -> tuple[str, ...]:
    """Return a folded text without accents: Müller is Muller, and Mueller."""
    spellings = dict.fromkeys((folded, folded.translate(_GERMAN)))
    decomposed = (unicodedata.normalize("NFKD", one) for one in spellings)
    return tuple(
        "".join(mark for mark in one if not unicodedata.combining(mark)).translate(_PLAIN_LETTERS)
        for one in decomposed
    )


def _cell(written: str) -> str:
    """Return a cell without what keeps a spreadsheet from changing a number: ="007", '007."""
    cell = " ".join(written.split())
    quoted = regex.fullmatch(r'="([^"]*)"|[\'’‘](?=\d)([^\'’]*)', cell)
    return (quoted[1] or quoted[2] or "").strip() if quoted else cell


def _holds(path: str, form: str) -> bool:
    """Whether a path holds a name as words of its own, or in one with the title: 张三的作文."""
    return bool(form) and bool(
        regex.search(
            rf"(?:(?<!\p{{L}})|(?<=班)){regex.escape(form)}(?:(?!\p{{L}})|(?={_WORK}))", path
        )
    )


def _forms(person: str) -> tuple[str, ...]:
    """Return a name as it may stand in a file name: from each of its words, without marks."""
    written = _folded(person).replace(",", " ")
    forms: dict[str, None] = {}
    for spelling in (written, regex.sub("['’.]", "", written.replace("-", " "))):
        if words := spelling.split():
            orders = [words[at:] + words[:at] for at in range(min(len(words), _MOST_WORDS))]
            forms |= dict.fromkeys(mark.join(order) for order in orders for mark in (" ", ""))
    return tuple(forms)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()
