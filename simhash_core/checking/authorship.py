"""Documents with their authors, and the pairs that one author or one group makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath

import numpy as np

from ..errors import BadInput
from ..model import I64, Bools, Document
from ..people import patterns
from ..people.class_list import Assigned as Assigned
from ..people.class_list import Member as Member
from ..people.class_list import assign, members
from ..people.patterns import FIELDS as FIELDS
from ..people.patterns import PATTERNS as PATTERNS
from ..people.patterns import PLATFORM
from ..people.patterns import Authorship as Authorship
from ..people.patterns import persons as persons
from ..text.extract.rows import table_rows
from ..weighting.background import background_idf
from .auxiliary import by_pattern, parsed

#: guesses the pattern from the names
AUTOMATIC = "auto"
#: under this key a project keeps `named_by` the members of a class list who handed nothing in
WITHOUT_TEXT_KEY = "people_without_text"


def people_of(
    names: Sequence[str], pattern: str = AUTOMATIC, *, bare: bool = True
) -> list[Authorship]:
    """Return who wrote each file by its name; nobody where no pattern is recognised.

    A Chinese name that stands alone (张三.docx) is taken for one where most of these begin with a
    common surname; without `bare` it never is, since a class list will say who is who.

    Raises
    ------
    BadInput
        `people_pattern`, `people_slow`: see `people.patterns.authors`.
    """
    try:
        return by_pattern(partial(_people, bare=bare), names, pattern)
    except BadInput:
        if pattern != AUTOMATIC:
            raise
        return [Authorship() for _ in names]  # names that no pattern gets through in its time


def recognise(names: Sequence[str]) -> str:
    """Return the pattern of `PATTERNS` that most file names fit, "" where none does."""
    try:
        return by_pattern(_recognised, names, AUTOMATIC)
    except BadInput:  # names that no pattern gets through in its time
        return ""


def class_list(source: bytes | Path, *, name: str) -> list[Member]:
    """Read a class list, CSV or XLSX by its name.

    Raises
    ------
    Unreadable, BadInput
        Where it is no table, or has no column of names or numbers (`class_list`).
    """
    return parsed(source, partial(_members, suffix=PurePosixPath(name).suffix))


def with_authors(
    documents: Sequence[Document],
    authorships: Sequence[Authorship],
    *,
    listed: Sequence[Member] = (),
) -> tuple[list[Document], Assigned]:
    """Return documents that say who wrote them, and what a class list makes of them.

    What a file says of itself is left as it is: its `author`, and a `title` where it has one.
    """
    names = [document.name for document in documents]
    assigned = (
        assign(names, authorships, listed) if listed else Assigned(tuple(authorships), (), ())
    )
    named = [
        replace(document, meta={**_titled(author), **_without(document), **_untitled(author)})
        for document, author in zip(documents, assigned.authors, strict=True)
    ]
    return named, assigned


def _people(task: tuple[Sequence[str], str], *, bare: bool) -> list[Authorship]:
    """Return who wrote each of some files by a pattern; runs in a worker."""
    names, pattern = task
    if pattern != AUTOMATIC:
        return patterns.authors(names, pattern)
    authorships = [Authorship() for _ in names]
    rows = list(range(len(names)))
    while chosen := patterns.recognise([names[row] for row in rows], bare=bare):
        found = patterns.authors([names[row] for row in rows], chosen)  # platforms may be mixed
        for row, author in zip(rows, found, strict=True):
            if chosen != patterns.BARE or _can_only_be_a_name(author):
                authorships[row] = author
        rows = [row for row in rows if not authorships[row].to_meta()]
    return authorships


def _can_only_be_a_name(author: Authorship) -> bool:
    """Whether two to four characters are a name: a common surname, and no word (方案)."""
    return patterns.has_surname(author) and author.person not in background_idf()


def _recognised(task: tuple[Sequence[str], str]) -> str:
    return patterns.recognise(task[0])


def _members(data: bytes, *, suffix: str) -> list[Member]:
    return members(table_rows(data, suffix=suffix))


def _titled(author: Authorship) -> dict[str, str]:
    return {"title": author.title} if author.title else {}


def _untitled(author: Authorship) -> dict[str, str]:
    return {name: value for name, value in author.to_meta().items() if name != "title"}


def _without(document: Document) -> dict[str, str]:
    """Return the meta of a document without an author that was given before."""
    given = ("person", "number", "class_name", "group", PLATFORM)
    return {name: value for name, value in document.meta.items() if name not in given}


def named_by(listed: Sequence[Member]) -> list[str]:
    """Return the names and the numbers of some members of a class list."""
    return [one for member in listed for one in (member.person, member.number) if one]


def author_of(document: Document) -> Authorship:
    """Return who wrote a document, as its meta says."""
    return Authorship(*(document.meta.get(field, "") for field in (*FIELDS, PLATFORM)))


def with_person(document: Document) -> Document:
    """Take what a text says of its author for its author, where nothing better is known."""
    meta = document.meta
    if meta.get("number") or meta.get("person") or not meta.get("author"):
        return document
    return replace(document, meta={**meta, "person": meta["author"]})


def same_author(
    documents: Sequence[Document], *, person: bool, group: bool
) -> Callable[[I64, I64], Bools]:
    """Return a function that marks the pairs of rows by one person, or by one group.

    A person is what `persons` says; documents without one are alone.
    """
    keys = []
    if person:
        keys.append(_numbered(persons([author_of(document) for document in documents])))
    if group:
        keys.append(_numbered([document.meta.get("group", "") for document in documents]))

    def same(left: I64, right: I64) -> Bools:
        marked = np.zeros(len(left), np.bool_)
        for key in keys:
            marked |= (key[left] == key[right]) & (key[left] >= 0)
        return marked

    return same


def outside(new: int, apart: Callable[[I64, I64], Bools]) -> Callable[[I64, I64], Bools]:
    """Return a function that marks what `apart` does and all pairs of the first `new` rows."""
    return lambda left, right: np.asarray(apart(left, right) | (right < new))


def pairs_of_same_author(documents: Sequence[Document], *, person: bool, group: bool) -> int:
    """Return how many pairs one person or one group makes."""
    authors = [author_of(document) if person else Authorship() for document in documents]
    people = persons(authors)
    groups = [document.meta.get("group", "").casefold() if group else "" for document in documents]
    both = [(a, b) if a and b else "" for a, b in zip(people, groups, strict=True)]
    return _pairs_within(people) + _pairs_within(groups) - _pairs_within(both)


def _pairs_within(keys: Sequence[object]) -> int:
    return sum(n * (n - 1) // 2 for key, n in Counter(keys).items() if key)


def _numbered(names: Sequence[str]) -> I64:
    """Return int64 (n,): the same number for the same name, -1 without one."""
    number: dict[str, int] = {}
    return np.array(
        [number.setdefault(name.casefold(), len(number)) if name else -1 for name in names],
        np.int64,
    )
