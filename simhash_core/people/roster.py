"""The class list: read from a table, found among files, and held against them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path, PurePosixPath

import regex

from ..auxiliary import parse_in_worker
from ..errors import BadInput, LeitongError
from ..model import Document, Skipped
from ..text.extract.rows import read_tables
from ..text.gathering import Source
from ..text.lengths import words_about
from .names import WORK, Authorship, fold_name, guess_authors, strip_accents

#: under this key a project keeps its class list, as `members_to_data` writes it
CLASS_LIST_KEY = "class_list"

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
_HEAD_AMONG = 15  # first rows: a school, a class and a term may stand above the headings

#: rows of a gradebook that are no pupil, folded
_NOBODY = frozenset(
    (
        *("points possible", "student, test", "test student", "average", "class average"),
        *("overall average", "mean", "median", "total", "maximum", "minimum"),
        *("满分", "得分上限", "平均", "平均分", "班级平均", "合计", "总计", "最高分", "最低分"),
    )
)
#: the same where no number stands beside them: with one it may be somebody's name
_NOT_A_NAME = frozenset(
    ("date", "points", "datum", "punkte", "fecha", "puntos", "data", "punkty", "日期", "分数")
)
_OF_CANVAS = " " * 4  # before the points possible, in every language
_PREVIEW = "_previewuser"  # what Blackboard adds to the names of teachers who look on as pupils
_AFTER_COMMA = regex.compile(r"(?!(?:jr|sr|ii|iii|iv)\b)\p{L}[^,]*", regex.I)
_SHORTENED = regex.compile(r"\d(?:[.,]\d+)?E\+\d+", regex.I)  # 2.02601E+11
_EXACT_DIGITS = 15  # of a number in a spreadsheet; those behind are zeros
_MOST_WORDS = 8  # of a name, from which it may begin in a file name

_LISTS = ("csv", "tsv", "xlsx", "xls")  # suffixes of class lists
_FEWEST_LISTED = 3  # members: a table of fewer is none
_FEW_WORDS = 50  # of the sentences in a table: more, and it is somebody's text
#: patterns of names that only a platform gives
_PLATFORMS = ("moodle", "canvas", "blackboard", "brightspace", "teams", "classroom", "sakai")

#: what a class list says of the author of a file
_GIVEN = ("person", "number", "class_name", "group")
#: ("number" | "bare" | "rounded" | "login" | "person" | "plain", how it may be written)
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Member:
    """One row of a class list."""

    person: str
    number: str = ""
    group: str = ""
    login: str = ""
    class_name: str = ""


def read_class_list(source: bytes | Path, *, name: str) -> list[Member]:
    """Read a class list: the first table of a file that has columns of names or numbers.

    Raises
    ------
    Unreadable, BadInput
        Where it is no table, or has no column of names or numbers (`class_list`).
    """
    return parse_in_worker(source, partial(_parse_class_list, suffix=PurePosixPath(name).suffix))


def find_class_list(source: Source, read: Document | Skipped | None) -> list[Member]:
    """Return the members in a file that is a class list; none in what is none.

    What holds sentences is a text, and what a platform files under a name is a hand-in.
    """
    words = words_about(read.text) if isinstance(read, Document) else 0
    if source.suffix not in _LISTS or words >= _FEW_WORDS:
        return []
    if any(one.to_meta() for way in _PLATFORMS for one in guess_authors([source.name], way)):
        return []
    try:
        held = source.data if source.data is not None else Path(source.path or "")
        members = read_class_list(held, name=source.name)
    except (LeitongError, OSError):
        return []
    return members if len(members) >= _FEWEST_LISTED else []


def members_to_data(members: Sequence[Member]) -> list[dict[str, str]]:
    """Return a class list as plain values."""
    return [asdict(member) for member in members]


def members_from_data(data: object) -> tuple[Member, ...]:
    """Return the members of a stored class list; of anything else, none."""
    rows = data if isinstance(data, list) else []
    names = [one.name for one in fields(Member)]
    return tuple(
        Member(**{name: str(row.get(name, "")) for name in names})
        for row in rows
        if isinstance(row, dict)
    )


# --------------------------------------------------------------------------- rows of a table


def _parse_class_list(data: bytes, *, suffix: str) -> list[Member]:
    tables = read_tables(data, suffix=suffix)
    for rows in tables[:-1]:
        with suppress(BadInput):
            return read_members(rows)
    return read_members(tables[-1])


def read_members(rows: Sequence[Sequence[str]]) -> list[Member]:
    """Read the rows of a table; the first one that can names the columns.

    Rows of points and averages are nobody. A group that everybody is in is none: it is the class
    where no column names one. Names with the surname and a comma first are turned. A number that
    several names share is none, since spreadsheets round long ones.

    Raises
    ------
    BadInput
        `class_list`: no column of names or numbers.
    """
    heads = [_name_columns(row) for row in rows[:_HEAD_AMONG]]
    naming = {"person", "number", "first", "last"}
    at = next((at for at, head in enumerate(heads) if head.keys() & naming), None)
    if at is None:
        raise BadInput("class_list", columns=", ".join(rows[0] if rows else ())[:200])
    read = (_read_member(row, heads[at], rows[at]) for row in rows[at + 1 :])
    listed = [member for member in read if member is not None]
    groups = {member.group for member in listed}
    if len(groups) == 1:
        listed = [replace(one, group="", class_name=one.class_name or one.group) for one in listed]
    return _drop_repeated(_turn_names(listed))


def _name_columns(head: Sequence[str]) -> dict[str, int]:
    """Return the fields that a row of headings names, each with its column.

    A heading may name its field in two languages, or the first name and the surname together.
    """
    columns: dict[str, int] = {}
    for at, heading in enumerate(head):
        title = _REMARK.sub("", strip_accents(fold_name(heading))[0])
        parts = [title, *filter(str.strip, _JOINED.split(title))]
        field, *named = (_FIELD_OF.get(regex.sub(r"[^\p{L}]", "", part), "") for part in parts)
        if not field and named:
            whole = set(named) <= {"person", "first", "last"}
            field = named[0] if len(set(named)) == 1 else "person" if whole else ""
        if field:
            columns.setdefault(field, at)
    return columns


def _read_member(
    row: Sequence[str], columns: Mapping[str, int], head: Sequence[str]
) -> Member | None:
    """Read one row below the headings; None where it names nobody, or repeats them."""
    cells = {field: row[at] for field, at in columns.items() if at < len(row)}
    given = {field: _read_cell(cell) for field, cell in cells.items()}
    if all(fold_name(cell) == fold_name(head[columns[field]]) for field, cell in given.items()):
        return None
    first, last, person, number, login = (
        given.get(field, "") for field in ("first", "last", "person", "number", "login")
    )
    if "last" not in columns and first not in person:  # German lists call the surname Name
        last, person = person, ""
    han = bool(regex.search(r"\p{Han}", first + last))
    person = person or (f"{last}{first}" if han else f"{first} {last}".strip())
    points = cells.get("person", "").startswith(_OF_CANVAS) and "number" in columns and not number
    preview = _PREVIEW in fold_name(f"{person} {number} {login}")
    nobody = _NOBODY if number else _NOBODY | _NOT_A_NAME
    if points or preview or fold_name(person) in nobody or not (person or number):
        return None
    return Member(person, number, given.get("group", ""), login, given.get("class_name", ""))


def _read_cell(written: str) -> str:
    """Return a cell without what keeps a spreadsheet from changing a number: ="007", '007."""
    cell = " ".join(written.split())
    quoted = regex.fullmatch(r'="([^"]*)"|[\'’‘](?=\d)([^\'’]*)', cell)
    return (quoted[1] or quoted[2] or "").strip() if quoted else cell


def _turn_names(listed: list[Member]) -> list[Member]:
    """Return a list whose names are written `Miller, Anna` with `Anna Miller`."""
    parted = [member.person.split(", ") for member in listed]
    commas = [len(parts) == 2 and bool(_AFTER_COMMA.fullmatch(parts[1])) for parts in parted]
    if 2 * sum(commas) < len(listed):
        return listed
    return [
        replace(member, person=f"{parts[1]} {parts[0]}") if comma else member
        for member, parts, comma in zip(listed, parted, commas, strict=True)
    ]


def _drop_repeated(listed: list[Member]) -> list[Member]:
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


# --------------------------------------------------------------------------- files against a list


def assign_members(
    names: Sequence[str], authorships: Sequence[Authorship], listed: Sequence[Member]
) -> list[Authorship]:
    """Return who wrote each file, in the spelling of the class list where it lists them."""
    authors = list(authorships)
    for row, at in enumerate(match_members(names, authorships, listed)):
        if at is not None:
            given = {field: getattr(listed[at], field) for field in _GIVEN}
            known = {field: value for field, value in given.items() if value}
            authors[row] = replace(authors[row], **known)
    return authors


def match_members(
    names: Sequence[str], authorships: Sequence[Authorship], listed: Sequence[Member]
) -> list[int | None]:
    """Return the row of the member who wrote each file, None where the list has no such one.

    A file belongs to a member by number, by login, by name, else by what its path holds. A name
    that two members share decides nothing.
    """
    by: defaultdict[Key, list[int]] = defaultdict(list)
    for at, member in enumerate(listed):
        keys = (("login", fold_name(member.login)), *_spell_person(member.person))
        for key in (*_spell_number(member.number), *keys):
            by[key].append(at)
    single = {key: rows[0] for key, rows in by.items() if key[1] and len(rows) == 1}
    files = zip(names, authorships, strict=True)
    return [_find_member(name, author, single) for name, author in files]


def _find_member(name: str, author: Authorship, single: Mapping[Key, int]) -> int | None:
    """Return the one member that a file belongs to; `single` are the keys of one member alone."""
    folded = regex.sub(r"[\s,，_+＿－—–-]+", " ", fold_name(name))
    words = regex.findall(r"[\p{L}\p{N}]+", folded) + regex.findall(r"\S+@\S+", folded)
    keys = [*_spell_number(author.number), ("login", fold_name(author.number))]
    keys += _spell_person(author.person)
    for word in words:
        if word != author.platform:
            keys += [*_spell_number(word), ("login", word)]
    for key in keys:
        if key in single:
            return single[key]
    for wanted, paths in (("person", (folded,)), ("plain", strip_accents(folded))):
        held = set()
        for (kind, form), member in single.items():
            if kind == wanted and any(form in path for path in paths):
                # as words of its own, or in one with the title: 张三的作文
                alone = rf"(?:(?<!\p{{L}})|(?<=班)){regex.escape(form)}(?:(?!\p{{L}})|(?={WORK}))"
                if any(regex.search(alone, path) for path in paths):
                    held.add(member)
        if held:
            return held.pop() if len(held) == 1 else None
    return None


def _spell_number(number: str) -> list[Key]:
    """Return a number as it stands, and as a spreadsheet leaves it: without zeros, rounded."""
    folded = fold_name(number)
    keys = [("number", folded)]
    if folded.isdigit():
        keys.append(("bare", folded.lstrip("0")))
        if len(folded) > _EXACT_DIGITS:
            keys.append(("rounded", folded[:_EXACT_DIGITS]))
    return keys


def _spell_person(person: str) -> list[Key]:
    """Return a name as it may stand in a file name: from each of its words, without marks.

    The spellings without accents come last, as lists are typed.
    """
    written = fold_name(person).replace(",", " ")
    forms: dict[str, None] = {}
    for spelling in (written, regex.sub("['’.]", "", written.replace("-", " "))):
        words = spelling.split()
        for at in range(min(len(words), _MOST_WORDS)):
            order = words[at:] + words[:at]
            forms |= dict.fromkeys(mark.join(order) for mark in (" ", ""))
    plain = dict.fromkeys(bare for form in forms for bare in strip_accents(form))
    return [*(("person", form) for form in forms), *(("plain", form) for form in plain)]
