"""The class list: read from a table, found among files, and held against them."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path, PurePosixPath

import regex

from ..auxiliary import parsed
from ..errors import BadInput, LeitongError
from ..model import Document, Skipped
from ..text.extract.rows import read_tables
from ..text.gathering import Source
from ..text.lengths import words_about
from .file_names import WORK, Authorship, people_of

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
            rf"(?:(?<!\p{{L}})|(?<=班)){regex.escape(form)}(?:(?!\p{{L}})|(?={WORK}))", path
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


#: under this key a project keeps its class list, as `listed_data` writes it
CLASS_LIST_KEY = "class_list"


_LISTS = ("csv", "tsv", "xlsx", "xls")  # suffixes of class lists


_FEWEST_LISTED = 3  # members: a table of fewer is none


#: patterns of names that only a platform gives
_PLATFORMS = ("moodle", "canvas", "blackboard", "brightspace", "teams", "classroom", "sakai")


_FEW_WORDS = 50  # of the sentences in a table: more, and it is somebody's text


def class_list(source: bytes | Path, *, name: str) -> list[Member]:
    """Read a class list: the first table of a file that has columns of names or numbers.

    Raises
    ------
    Unreadable, BadInput
        Where it is no table, or has no column of names or numbers (`class_list`).
    """
    return parsed(source, partial(_members, suffix=PurePosixPath(name).suffix))


def listed_in(source: Source, read: Document | Skipped | None) -> list[Member]:
    """Return the members in a file that is a class list; none in what is none.

    What holds sentences is a text, and what a platform files under a name is a hand-in.
    """
    words = words_about(read.text) if isinstance(read, Document) else 0
    if source.suffix not in _LISTS or words >= _FEW_WORDS:
        return []
    if any(one.to_meta() for way in _PLATFORMS for one in people_of([source.name], way)):
        return []
    try:
        held = source.data if source.data is not None else Path(source.path or "")
        members = class_list(held, name=source.name)
    except (LeitongError, OSError):
        return []
    return members if len(members) >= _FEWEST_LISTED else []


def listed_data(members: Sequence[Member]) -> list[dict[str, str]]:
    """Return a class list as plain values."""
    return [asdict(member) for member in members]


def listed_from(data: object) -> tuple[Member, ...]:
    """Return the members of a stored class list; of anything else, none."""
    rows = data if isinstance(data, list) else []
    names = [one.name for one in fields(Member)]
    return tuple(
        Member(**{name: str(row.get(name, "")) for name in names})
        for row in rows
        if isinstance(row, dict)
    )


def _members(data: bytes, *, suffix: str) -> list[Member]:
    tables = read_tables(data, suffix=suffix)
    for rows in tables[:-1]:
        with suppress(BadInput):
            return members(rows)
    return members(tables[-1])
