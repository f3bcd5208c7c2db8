"""Documents with their authors, and the pairs that one author or one group makes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path, PurePosixPath

import numpy as np

from .. import people
from ..errors import BadInput, LeitongError
from ..model import I64, Bools, Document, Skipped
from ..people import FIELDS as FIELDS
from ..people import PATTERNS as PATTERNS
from ..people import PLATFORM, assign, members
from ..people import Assigned as Assigned
from ..people import Authorship as Authorship
from ..people import Member as Member
from ..people import persons as persons
from ..policy import MOST_VERSIONS, PATTERN_SHARE, VERSION_RUN, VERSION_SHARE
from ..settings import Settings
from ..text.extract.rows import read_tables
from ..text.gathering import Source
from ..text.lengths import words_about
from ..weighting.background import background_idf
from .auxiliary import by_pattern, parsed
from .tokenizing import read_text

_FINAL = "终稿|定稿|最终|最新|修改稿|改后|final|revised|latest"
_DRAFT = "初稿|草稿|原稿|旧|draft|(?<![a-z])old(?![a-z])"
_VERSION = r"v(?:ersion)?[ _.-]?(\d{1,3})\b|第?([一二三四五六七八九])稿|[(（](\d{1,2})[)）]"
_NUMERALS = "零一二三四五六七八九"
_TOGETHER = re.compile(r"[、；;/&]")  # between the names of those who made one text together
#: guesses the pattern from the names
AUTOMATIC = "auto"
#: under this key a project keeps its class list, as `listed_data` writes it
CLASS_LIST_KEY = "class_list"
#: in the meta of a text: a person said that this version is compared
CHOSEN_VERSION = "chosen_version"


_LISTS = ("csv", "tsv", "xlsx", "xls")  # suffixes of class lists
_FEWEST_LISTED = 3  # members: a table of fewer is none
#: patterns of names that only a platform gives
_PLATFORMS = ("moodle", "canvas", "blackboard", "brightspace", "teams", "classroom", "sakai")
_FEW_WORDS = 50  # of the sentences in a table: more, and it is somebody's text


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


@dataclass(frozen=True, slots=True)
class HandIn:
    """What one person handed in: rows of the texts that were read, and of the files that were not.

    Both are empty for a member of a class list who handed nothing in.
    """

    member: Member
    texts: tuple[int, ...]
    unread: tuple[int, ...]
    listed: bool = False

    @property
    def state(self) -> str:
        """`read`, `unread` where something was handed in that could not be read, or `missing`."""
        return "read" if self.texts else "unread" if self.unread else "missing"


def hand_ins(
    documents: Sequence[Document], skipped: Sequence[Skipped], listed: Sequence[Member] = ()
) -> list[HandIn]:
    """Return who handed in what, in the order of the class list; then who is not on it, by name.

    A file that names nobody belongs to nobody, one of several people to each of them. Members of
    one name without numbers take its files in turn: as many are missing as files are.
    """
    names = [*(one.name for one in documents), *(one.name for one in skipped)]
    authors = people_of(names, bare=not listed)
    authors[: len(documents)] = [author_of(one) for one in documents]
    if listed:
        authors = list(assign(names, authors, listed).authors)
    keys = [_key(one.number or one.person) for one in listed]
    several = {key for key, n in Counter(keys).items() if n > 1}  # no file tells these apart
    members = {
        f"{key}\n{row}" if key in several else key: one
        for row, (key, one) in enumerate(zip(keys, listed, strict=True))
    }
    alike = {key: [one for one in members if one.startswith(f"{key}\n")] for key in several}
    rows: dict[str, list[int]] = {}
    others: dict[str, Member] = {}
    for row, made_by in enumerate(_makers(authors, members)):
        for key, member in made_by.items():
            if same := alike.get(key):
                key = same.pop(0) if len(same) > 1 else same[0]
            rows.setdefault(key, []).append(row)
            if key not in members:
                others.setdefault(key, member)
    n = len(documents)
    everybody = [
        *members.items(),
        *sorted(others.items(), key=lambda one: _alphabetical(one[1].person)),
    ]
    return [
        HandIn(
            member,
            tuple(row for row in rows.get(key, ()) if row < n),
            tuple(row - n for row in rows.get(key, ()) if row >= n),
            key in members,
        )
        for key, member in everybody
    ]


def pupils_of(documents: Sequence[Document]) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return the rows of the texts of each pupil, and the rows that name nobody.

    Who made a text together with others is a pupil too.
    """
    rows: dict[str, list[int]] = {}
    named: set[int] = set()
    for row, made_by in enumerate(_makers([author_of(one) for one in documents], {})):
        for key in made_by:
            rows.setdefault(key, []).append(row)
            named.add(row)
    every = [tuple(held) for held in rows.values()]
    return every, [row for row in range(len(documents)) if row not in named]


def without_person(document: Document, author: Authorship) -> Document | None:
    """Return a document without one of the people who made it; None where it is theirs alone."""
    names = [name.strip() for name in _TOGETHER.split(document.meta.get("person", ""))]
    others = [name for name in names if _key(name) != _key(author.person)]
    if len(names) > 1 and others != names:
        return replace(document, meta={**document.meta, "person": "、".join(others)})
    return None if same_person(author_of(document), author) else document


def _makers(
    authors: Sequence[Authorship], members: Mapping[str, Member]
) -> Iterator[dict[str, Member]]:
    """Yield who made each file, by key: that of a member where one alone is called so."""
    called = Counter(_key(one.person) for one in members.values())
    by_name = {
        _key(one.person): key for key, one in members.items() if called[_key(one.person)] == 1
    }
    for author, key in zip(authors, persons(authors), strict=True):
        names = [name.strip() for name in _TOGETHER.split(author.person) if name.strip()]
        if len(names) > 1:
            yield {by_name.get(_key(one), _key(one)): Member(one) for one in names}
            continue
        key = by_name.get(_key(author.person), key)  # a platform counts people its own way
        yield {key: Member(author.person, author.number, author.group)} if key else {}


def _key(name: str) -> str:
    return " ".join(name.split()).casefold()


def latest_versions(documents: Sequence[Document]) -> tuple[list[Document], list[Skipped]]:
    """Part the texts of which the same person handed in a later version.

    Returns
    -------
    latest, earlier
        The texts to be compared, in their order; and the others, `earlier_version`, each with the
        file that stands for it.

    Notes
    -----
    A version shares at least `VERSION_SHARE` of the `VERSION_RUN` words in a row of the shorter
    text. Who has more than `MOST_VERSIONS` texts has a portfolio: all are compared. Later is what
    a person chose, else what its name calls final, else the higher number, else the later date,
    else what was given later.
    """
    rows: dict[str, list[int]] = {}
    for row, person in enumerate(persons([author_of(document) for document in documents])):
        rows.setdefault(person, []).append(row)
    stands: dict[int, int] = {}
    for person, several in rows.items():
        if person and 1 < len(several) <= MOST_VERSIONS:
            stands |= _versions(documents, several)
    earlier = [
        Skipped(documents[row].name, "earlier_version", {"name": documents[by].name})
        for row, by in sorted(stands.items())
    ]
    return [one for row, one in enumerate(documents) if row not in stands], earlier


def _versions(documents: Sequence[Document], rows: Sequence[int]) -> dict[int, int]:
    """Return for each earlier version of one person the row that stands for it."""
    runs = {row: _runs(documents[row].text) for row in rows}
    ranked = sorted(rows, key=lambda row: (*_lateness(documents[row]), row), reverse=True)
    stands: dict[int, int] = {}
    for at, later in enumerate(ranked):
        for row in ranked[at + 1 :] if later not in stands else ():
            least = min(len(runs[row]), len(runs[later]))
            if least and len(runs[row] & runs[later]) >= VERSION_SHARE * least:
                stands.setdefault(row, later)
    return stands


def _runs(text: str) -> set[tuple[int, ...]]:
    token = read_text(text, Settings()).token.tolist()
    return set(zip(*(token[at:] for at in range(VERSION_RUN)), strict=False))


def _lateness(document: Document) -> tuple[bool, int, int, str]:
    """Return what a person, the name and the date of a file say of its place among versions."""
    stem = PurePosixPath(document.name).stem
    final, draft = (re.search(words, stem, re.IGNORECASE) for words in (_FINAL, _DRAFT))
    number = re.search(_VERSION, document.name, re.IGNORECASE)
    written = next(filter(None, number.groups()), "0") if number else "0"
    figure = _NUMERALS.find(written) if written in _NUMERALS else int(written)
    chosen = bool(document.meta.get(CHOSEN_VERSION))
    return chosen, bool(final) - bool(draft), figure, document.meta.get("date", "")


def _people(task: tuple[Sequence[str], str], *, bare: bool) -> list[Authorship]:
    """Return who wrote each of some files by a pattern; runs in a worker."""
    names, pattern = task
    if pattern != AUTOMATIC:
        return people.authors(names, pattern)
    authorships = [Authorship() for _ in names]
    rows = list(range(len(names)))
    while chosen := people.recognise([names[row] for row in rows], bare=bare):
        authors = people.authors([names[row] for row in rows], chosen)  # platforms may be mixed
        for row, author in _of_persons(
            dict(zip(rows, authors, strict=True)), sure=chosen not in people.BARE
        ):
            authorships[row] = author
        left = [row for row in rows if not authorships[row].to_meta()]
        if len(left) == len(rows):
            break
        rows = left
    mixed = people.in_several_ways([names[row] for row in rows], bare=bare)
    named = dict(_of_persons(dict(zip(rows, mixed, strict=True)), sure=False))
    recognised = len(names) - len(rows) + len(named)
    if recognised >= PATTERN_SHARE * len(names) and len({one.person for one in named.values()}) > 1:
        for row, author in named.items():
            authorships[row] = author
    return authorships


def _alphabetical(person: str) -> bytes:
    """Return a key that orders names; GB 2312 lists the common Chinese characters by Pinyin."""
    return person.casefold().encode("gb18030", "replace")


def _of_persons(
    authors: Mapping[int, Authorship], *, sure: bool
) -> Iterator[tuple[int, Authorship]]:
    """Yield the rows that name a person.

    A name that is a word as well (曹操, 李娜) does beside a title that another name has too.
    """
    titles = {one.title for one in authors.values() if _can_only_be_a_name(one)} - {""}
    for row, one in authors.items():
        titled = one.title in titles and people.is_name(one)
        if sure or one.number or titled or _can_only_be_a_name(one):
            yield row, one


def _can_only_be_a_name(author: Authorship) -> bool:
    """Whether two to four characters are a name: a common surname, and no word (方案)."""
    return people.is_name(author) and author.person not in background_idf()


def _recognised(task: tuple[Sequence[str], str]) -> str:
    return people.recognise(task[0])


def _members(data: bytes, *, suffix: str) -> list[Member]:
    tables = read_tables(data, suffix=suffix)
    for rows in tables[:-1]:
        with suppress(BadInput):
            return members(rows)
    return members(tables[-1])


def _titled(author: Authorship) -> dict[str, str]:
    return {"title": author.title} if author.title else {}


def _untitled(author: Authorship) -> dict[str, str]:
    return {name: value for name, value in author.to_meta().items() if name != "title"}


def _without(document: Document) -> dict[str, str]:
    """Return the meta of a document without an author that was given before."""
    given = ("person", "number", "class_name", "group", PLATFORM)
    return {name: value for name, value in document.meta.items() if name not in given}


def author_of(document: Document) -> Authorship:
    """Return who wrote a document, as its meta says."""
    return Authorship(*(document.meta.get(field, "") for field in (*FIELDS, PLATFORM)))


def named_by_files(documents: Sequence[Document]) -> list[Document]:
    """Return documents under their authors, as far as their names tell.

    One that says who wrote it keeps its author.
    """
    bare = [row for row, one in enumerate(documents) if not author_of(one).person]
    authorships = people_of([documents[row].name for row in bare])
    named, _ = with_authors([documents[row] for row in bare], authorships)
    under = dict(zip(bare, named, strict=True))
    return [under.get(row, one) for row, one in enumerate(documents)]


def same_person(first: Authorship, second: Authorship) -> bool:
    """Whether two authors are one person: one number, else one name."""
    if first.number and second.number:
        return _key(first.number) == _key(second.number)
    return bool(first.person) and _key(first.person) == _key(second.person)


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


def pairs_apart(
    documents: Sequence[Document], *, new: int, inside: bool, person: bool, group: bool
) -> int:
    """Return how many pairs that would be compared are not, since one author has written both.

    Parameters
    ----------
    documents
        The first `new` are asked about; the others are compared with these, never with each other.
    inside
        Whether new texts are compared with each other too.
    """
    who = {"person": person, "group": group}
    never = [documents[new:], *(() if inside else (documents[:new],))]
    return pairs_of_same_author(documents, **who) - sum(
        pairs_of_same_author(part, **who) for part in never
    )


def _pairs_within(keys: Sequence[object]) -> int:
    return sum(n * (n - 1) // 2 for key, n in Counter(keys).items() if key)


def _numbered(names: Sequence[str]) -> I64:
    """Return int64 (n,): the same number for the same name, -1 without one."""
    number: dict[str, int] = {}
    return np.array(
        [number.setdefault(name.casefold(), len(number)) if name else -1 for name in names],
        np.int64,
    )
