"""Documents with their authors, and the pairs that one author or one group makes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..model import I64, Bools, Document, Skipped
from ..text.characters import HAN
from ..text.normalize import normalize
from .file_names import FIELDS, PLATFORM, Authorship, authors, people_of, persons
from .names import LETTERS, is_han, is_nobody, looks_like_a_name, split_names
from .roster import Assigned, Member, assign

_TOGETHER = re.compile(r"[、；;/&]")  # between the names of those who made one text together


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


def _alphabetical(person: str) -> bytes:
    """Return a key that orders names; GB 2312 lists the common Chinese characters by Pinyin."""
    return person.casefold().encode("gb18030", "replace")


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


#: what tells one person from all others
_TELLING = ("person", "number", "platform")


#: platforms whose names of files fit by chance in no other class
_PLATFORMS = ("moodle", "canvas", "blackboard")


_TITLES = re.compile("(?:老师|教师|教授|主任)$")


_FEWEST_FILES = 3  # whose names show that the place in them holds the name of a person


_SCHEME_SHARE = 0.2  # of the files of a check, for the same


_NAMED_SHARE = 0.8  # of these files, of which the place holds what looks like a name


@dataclass(frozen=True, slots=True)
class PersonNames:
    """Who is named in a check, as normalised text. The value tells whether the name is certain."""

    full: Mapping[str, bool]
    numbers: frozenset[str]


def person_names(
    documents: Sequence[Document],
    *,
    skipped: Sequence[Skipped] = (),
    others: Iterable[str] = (),
    reviewers: Iterable[str] = (),
) -> PersonNames:
    """Gather the persons of a check.

    Parameters
    ----------
    documents, skipped
        Who wrote a text is what the class list or a pattern said, else what the path says on the
        platforms that name persons, else its author by its own metadata.
    others
        Names and numbers of further persons: members of a class list or of a group without a file
        of their own.
    reviewers
        Who decided: an author of that name in metadata is the teacher's template.
    """
    authors_of = _given_authors(documents, skipped)
    others = tuple(others)
    written = [*((one.person, True) for one in authors_of), *((one, True) for one in others)]
    paths = [*(one.name for one in documents), *(one.name for one in skipped)]
    written += [(name, is_han(name)) for name in _names_in_files(paths)]
    full: dict[str, bool] = {}
    for field, certain in written:
        for name in split_names(field):
            nobody = is_nobody(name)
            if certain or not nobody:
                full[name] = full.get(name, False) or (certain and not nobody)
    for name in _in_metadata(documents, reviewers):
        full[name] = full.get(name, False) or looks_like_a_name(name)
    digits = [n for one in authors_of for n in (one.number, one.platform)]
    digits += [*(one for one in others if re.search(r"\d", one))]
    numbers = {normalize(one).text for one in digits}
    return PersonNames(full, frozenset(number for number in numbers if len(number) > 1))


def _given_authors(documents: Sequence[Document], skipped: Sequence[Skipped]) -> list[Authorship]:
    """Return who wrote each file as was given, else by its path.

    What was taken from the metadata of a file, for want of anything better, is not given.
    """
    given = [
        Authorship()
        if one.meta.get("person") == one.meta.get("author")
        else Authorship(**{field: one.meta.get(field, "") for field in _TELLING})
        for one in documents
    ]
    rows = [row for row, author in enumerate(given) if not author.to_meta()]
    paths = [*(documents[row].name for row in rows), *(one.name for one in skipped)]
    by_path = people_of(paths, bare=False)  # `_names_in_files` looks at them
    for at, (path, author) in enumerate(zip(paths, by_path, strict=True)):
        if not author.to_meta():
            by_pattern = (authors([path], pattern)[0] for pattern in _PLATFORMS)
            by_path[at] = next((one for one in by_pattern if one.to_meta()), author)
    for row, author in zip(rows, by_path, strict=False):
        given[row] = author
    return [*given, *by_path[len(rows) :]]


def _in_metadata(documents: Sequence[Document], reviewers: Iterable[str]) -> list[str]:
    """Return the persons that files name as their authors, without teachers and programs."""
    teachers = {name for reviewer in reviewers for name in split_names(reviewer)}
    fields = [one.meta.get(key, "") for one in documents for key in ("author", "editor")]
    named = dict.fromkeys(name for field in dict.fromkeys(fields) for name in split_names(field))
    return [
        name
        for name in named
        if name not in teachers and not is_nobody(name) and not _TITLES.search(name)
    ]


def _names_in_files(paths: Sequence[str]) -> list[str]:
    """Return the names in files that are called one way: 01-刘子墨.txt, 02-郑可欣.txt.

    One place of the name of a file holds persons where it does in most files of the same form,
    three at least and a fifth of all: a file that is called by a word says nothing. Two words in
    Latin letters can be anything, so that these names are not certain.
    """
    columns: dict[tuple[str, int], list[str]] = {}
    for path in paths:
        file = path.replace("\\", "/").rpartition("/")[2]
        stem = normalize("_".join(file.rpartition(".")[0].split())).text
        shape = re.sub(r"\d+", "0", LETTERS.sub("a", re.sub(f"[{HAN}]+", "字", stem)))
        for at, token in enumerate(re.findall(f"[{HAN}]+", stem)):
            columns.setdefault((shape, at), []).append(token)
        latin = re.search(r"(?<![^\W_])([^\W\d_]+[-_. ][^\W\d_]+)$", stem)
        if latin:
            columns.setdefault((shape, -1), []).append(latin[1])
    listed = []
    for tokens in columns.values():
        once = [token for token in tokens if tokens.count(token) == 1]
        names = [name for token in once for name in split_names(token) if looks_like_a_name(name)]
        enough = max(_FEWEST_FILES, _SCHEME_SHARE * len(paths), _NAMED_SHARE * len(tokens))
        listed += names if len(names) >= enough else []
    return listed
