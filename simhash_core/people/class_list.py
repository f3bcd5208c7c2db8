"""A class list against the files that were handed in: who is who, and who is missing."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import regex

from ..errors import BadInput
from .patterns import Authorship

#: field -> headings of its column, in small letters without blanks
_HEADINGS = {
    "person": (
        "name",
        "fullname",
        "student",
        "studentname",
        "姓名",
        "学生姓名",
        "學生姓名",
        "名字",
    ),
    "number": (
        *("number", "id", "studentid", "studentnumber", "idnumber", "sisid", "matriculation"),
        *("学号", "學號", "编号", "座号"),
    ),
    "class_name": (
        *("class", "classname", "section", "form"),
        *("班级", "班級", "班", "行政班", "教学班"),
    ),
    "group": ("group", "groups", "team", "小组", "小組", "组别", "组"),
    "login": ("username", "login", "user", "sisloginid", "email", "emailaddress", "账号", "邮箱"),
    "first": ("firstname", "givenname", "名"),
    "last": ("lastname", "surname", "familyname", "姓"),
}

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
    """Read the rows of a table; the first one names the columns.

    A group that everybody is in is none: it is the class where no column names one.

    Raises
    ------
    BadInput
        `class_list`: no column of names or numbers.
    """
    head = rows[0] if rows else ()
    columns: dict[str, int] = {}
    for at, title in enumerate(head):
        plain = "".join(_folded(title).split()).replace("_", "").replace("-", "")
        for field, titles in _HEADINGS.items():
            if plain in titles:
                columns.setdefault(field, at)
    if not columns.keys() & {"person", "number", "last"}:
        raise BadInput("class_list", columns=", ".join(head)[:200])
    read = (_member(row, columns) for row in rows[1:])
    return _of_one_group([member for member in read if member is not None])


def assign(
    names: Sequence[str], authorships: Sequence[Authorship], listed: Sequence[Member]
) -> Assigned:
    """Put each file to a member: by number, by login, by name, else by what its path holds.

    A name that two members share decides nothing: such a file stays as it was and is unlisted.
    """
    by: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for at, member in enumerate(listed):
        for kind, value in (("number", member.number), ("login", member.login)):
            if value:
                by[kind, _folded(value)].append(at)
        for form in _forms(member.person):
            by["person", form].append(at)
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


def _member(row: Sequence[str], columns: Mapping[str, int]) -> Member | None:
    """Read one row; None where it names nobody."""

    def cell(field: str) -> str:
        at = columns.get(field, -1)
        return " ".join(row[at].split()) if 0 <= at < len(row) else ""

    first, last = cell("first"), cell("last")
    han = bool(regex.search(r"\p{Han}", first + last))
    composed = f"{last}{first}" if han else f"{first} {last}".strip()
    person = cell("person") or composed
    return (
        Member(person, cell("number"), cell("group"), cell("login"), cell("class_name"))
        if person or cell("number")
        else None
    )


def _member_of(
    name: str, author: Authorship, by: Mapping[tuple[str, str], list[int]]
) -> int | None:
    """Return the one member that a file belongs to."""
    keys = [("number", _folded(author.number)), ("login", _folded(author.number))]
    keys += [("person", form) for form in _forms(author.person)]
    folded = regex.sub(r"[\s,，_+＿－—–-]+", " ", _folded(name))
    words = regex.findall(r"[\p{L}\p{N}]+", folded) + regex.findall(r"\S+@\S+", folded)
    words = [word for word in words if word != author.platform]
    keys += [(kind, word) for word in words for kind in ("number", "login")]
    for key in keys:
        if key[1] and len(by.get(key, ())) == 1:
            return by[key][0]
    held = {
        members_[0]
        for (kind, form), members_ in by.items()
        if kind == "person" and len(members_) == 1 and _holds(folded, form)
    }
    return held.pop() if len(held) == 1 else None


def _holds(path: str, form: str) -> bool:
    """Whether a path holds a name as words of its own."""
    return bool(form) and bool(
        regex.search(rf"(?<![\p{{L}}]){regex.escape(form)}(?![\p{{L}}])", path)
    )


def _forms(person: str) -> tuple[str, ...]:
    """Return a name as it may stand in a file name: in order, turned, without blanks and marks."""
    written = _folded(person).replace(",", " ")
    forms: dict[str, None] = {}
    for spelling in (written, regex.sub("['’.]", "", written.replace("-", " "))):
        if words := spelling.split():
            orders = words, [*words[1:], words[0]], [words[-1], *words[:-1]]
            forms |= dict.fromkeys(mark.join(order) for order in orders for mark in (" ", ""))
    return tuple(forms)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()
