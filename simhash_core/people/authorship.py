"""Who wrote which text: assigned to documents, handed in, compared or not; and who is named."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..model import I64, Bools, Document, Skipped
from ..text.characters import HAN
from ..text.normalize import normalize
from .names import (
    AUTOMATIC,
    FIELDS,
    LETTERS,
    PLATFORM,
    Authorship,
    fold_name,
    guess_authors,
    identify_persons,
    is_han,
    is_nobody,
    looks_like_name,
    read_authors,
    split_names,
    split_together,
)
from .roster import Member, assign_members


def read_author(document: Document) -> Authorship:
    """Return who wrote a document, as its meta says."""
    return Authorship(*(document.meta.get(field, "") for field in (*FIELDS, PLATFORM)))


def assign_authors(
    documents: Sequence[Document],
    authorships: Sequence[Authorship] | None = None,
    *,
    listed: Sequence[Member] = (),
) -> list[Document]:
    """Return documents that say who wrote them, as a class list spells it.

    What a file says of itself is left as it is: its `author`, and a `title` where it has one.

    Parameters
    ----------
    authorships
        One a document, by default those that the documents have.
    """
    found = [*map(read_author, documents)] if authorships is None else authorships
    if listed:
        found = assign_members([document.name for document in documents], found, listed)
    named = []
    for document, author in zip(documents, found, strict=True):
        known = author.to_meta()
        titled = {"title": known.pop("title")} if author.title else {}
        kept = {field: value for field, value in document.meta.items() if field not in _ASSIGNED}
        named.append(replace(document, meta={**titled, **kept, **known}))
    return named


#: what a document says of its author is replaced as a whole
_ASSIGNED = ("person", "number", "class_name", "group", PLATFORM)


def name_documents(
    documents: Sequence[Document],
    pattern: str = AUTOMATIC,
    *,
    listed: Sequence[Member] = (),
    among: Sequence[str] = (),
) -> list[Document]:
    """Return documents under the authors that their names tell, as `assign_authors` does.

    How names are built the names `among` tell too.
    """
    names = [*among, *(document.name for document in documents)]
    found = guess_authors(names, pattern, bare=not listed)
    return assign_authors(documents, found[len(among) :], listed=listed)


def name_unnamed(documents: Sequence[Document]) -> list[Document]:
    """Return documents under their authors; only those without one are read by their names."""
    bare = [row for row, one in enumerate(documents) if not read_author(one).person]
    named = name_documents([documents[row] for row in bare])
    under = dict(zip(bare, named, strict=True))
    return [under.get(row, one) for row, one in enumerate(documents)]


def adopt_author(document: Document) -> Document:
    """Take what a text says of its author for its author, where nothing better is known."""
    meta = document.meta
    if meta.get("number") or meta.get("person") or not meta.get("author"):
        return document
    return replace(document, meta={**meta, "person": meta["author"]})


def identify_author(document: Document) -> str:
    """Return a key of who wrote a text, as far as anything in it says so, else ""."""
    return identify_persons([read_author(adopt_author(document))])[0]


def is_same_person(first: Authorship | Member, second: Authorship) -> bool:
    """Whether two authors are one person: one number, else one name."""
    if first.number and second.number:
        return fold_name(first.number) == fold_name(second.number)
    return bool(first.person) and fold_name(first.person) == fold_name(second.person)


def remove_person(document: Document, author: Authorship) -> Document | None:
    """Return a document without one of the people who made it; None where it is theirs alone."""
    names = split_together(document.meta.get("person", ""))
    others = [name for name in names if fold_name(name) != fold_name(author.person)]
    if len(names) > 1 and others != names:
        return replace(document, meta={**document.meta, "person": "、".join(others)})
    alone = replace(read_author(document), person="、".join(names))
    return None if is_same_person(alone, author) else document


# --------------------------------------------------------------------------- hand-ins


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


def list_hand_ins(
    documents: Sequence[Document], skipped: Sequence[Skipped], listed: Sequence[Member] = ()
) -> list[HandIn]:
    """Return who handed in what, in the order of the class list; then who is not on it, by name.

    A file that names nobody belongs to nobody, one of several people to each of them. Members of
    one name without numbers take its files in turn: as many are missing as files are.
    """
    names = [*(one.name for one in documents), *(one.name for one in skipped)]
    authors = guess_authors(names, bare=not listed)
    authors[: len(documents)] = map(read_author, documents)
    if listed:
        authors = assign_members(names, authors, listed)
    keys = [fold_name(one.number or one.person) for one in listed]
    several = {key for key, n in Counter(keys).items() if n > 1}  # no file tells these apart
    members = {
        f"{key}\n{row}" if key in several else key: one
        for row, (key, one) in enumerate(zip(keys, listed, strict=True))
    }
    alike = {key: [one for one in members if one.startswith(f"{key}\n")] for key in several}
    rows: dict[str, list[int]] = {}
    others: dict[str, Member] = {}
    for row, makers in enumerate(_find_makers(authors, members)):
        for key, member in makers.items():
            if same := alike.get(key):
                key = same.pop(0) if len(same) > 1 else same[0]
            rows.setdefault(key, []).append(row)
            if key not in members:
                others.setdefault(key, member)
    n = len(documents)
    # GB 2312 lists the common Chinese characters by Pinyin
    by_name = sorted(
        others.items(), key=lambda one: one[1].person.casefold().encode("gb18030", "replace")
    )
    return [
        HandIn(
            member,
            tuple(row for row in rows.get(key, ()) if row < n),
            tuple(row - n for row in rows.get(key, ()) if row >= n),
            key in members,
        )
        for key, member in (*members.items(), *by_name)
    ]


def group_by_pupil(documents: Sequence[Document]) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return the rows of the texts of each pupil, and the rows that name nobody.

    Who made a text together with others is a pupil too.
    """
    rows: dict[str, list[int]] = {}
    nameless = []
    for row, makers in enumerate(_find_makers([read_author(one) for one in documents], {})):
        for key in makers:
            rows.setdefault(key, []).append(row)
        if not makers:
            nameless.append(row)
    return [tuple(held) for held in rows.values()], nameless


def _find_makers(
    authors: Sequence[Authorship], members: Mapping[str, Member]
) -> Iterator[dict[str, Member]]:
    """Yield who made each file, by key: that of a member where one alone is called so."""
    called = Counter(fold_name(one.person) for one in members.values())
    by_name = {
        name: key for key, one in members.items() if called[name := fold_name(one.person)] == 1
    }
    for author, key in zip(authors, identify_persons(authors), strict=True):
        names = split_together(author.person)
        if len(names) > 1:
            yield {by_name.get(fold_name(one), fold_name(one)): Member(one) for one in names}
            continue
        key = by_name.get(fold_name(author.person), key)  # a platform counts people its own way
        yield {key: Member(author.person, author.number, author.group)} if key else {}


# --------------------------------------------------------------------------- pairs of one author


def mark_same_author(
    documents: Sequence[Document], *, person: bool, group: bool
) -> Callable[[I64, I64], Bools]:
    """Return a function that marks the pairs of rows by one person, or by one group.

    A person is what `identify_persons` says; documents without one are alone.
    """
    keys = []
    for names in _key_authors(documents, person=person, group=group):
        number = {name: at for at, name in enumerate(dict.fromkeys(names))} | {"": -1}
        keys.append(np.array([number[name] for name in names], np.int64))

    def same(left: I64, right: I64) -> Bools:
        marked = np.zeros(len(left), np.bool_)
        for key in keys:
            marked |= (key[left] == key[right]) & (key[left] >= 0)
        return marked

    return same


def count_pairs_apart(
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
    people, groups = _key_authors(documents, person=person, group=group)
    both = [(a, b) if a and b else "" for a, b in zip(people, groups, strict=True)]

    def count(rows: slice) -> int:
        within = [
            sum(n * (n - 1) // 2 for key, n in Counter(keys[rows]).items() if key)
            for keys in (people, groups, both)
        ]
        return within[0] + within[1] - within[2]

    return count(slice(None)) - count(slice(new, None)) - (0 if inside else count(slice(new)))


def _key_authors(
    documents: Sequence[Document], *, person: bool, group: bool
) -> tuple[list[str], list[str]]:
    """Return keys of persons and of groups, one a document; "" where there is none, or unasked."""
    nobody = [""] * len(documents)
    people = identify_persons([read_author(one) for one in documents]) if person else nobody
    groups = [fold_name(one.meta.get("group", "")) for one in documents] if group else nobody
    return people, groups


# --------------------------------------------------------------------------- who is named

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


def find_person_names(
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
    authors_of = _list_authors(documents, skipped)
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
    for name in _read_metadata(documents, reviewers):
        full[name] = full.get(name, False) or looks_like_name(name)
    digits = [n for one in authors_of for n in (one.number, one.platform)]
    digits += [*(one for one in others if re.search(r"\d", one))]
    numbers = {normalize(one).text for one in digits}
    return PersonNames(full, frozenset(number for number in numbers if len(number) > 1))


def _list_authors(documents: Sequence[Document], skipped: Sequence[Skipped]) -> list[Authorship]:
    """Return who wrote each file as was given, else by its path.

    What was taken from the metadata of a file, for want of anything better, is not given.
    """
    given = [
        Authorship() if one.meta.get("person") == one.meta.get("author") else read_author(one)
        for one in documents
    ]
    rows = [row for row, one in enumerate(given) if not (one.person or one.number or one.platform)]
    paths = [*(documents[row].name for row in rows), *(one.name for one in skipped)]
    by_path = guess_authors(paths, bare=False)  # `_names_in_files` looks at them
    for at, (path, author) in enumerate(zip(paths, by_path, strict=True)):
        if not author.to_meta():
            by_pattern = (read_authors([path], pattern)[0] for pattern in _PLATFORMS)
            by_path[at] = next((one for one in by_pattern if one.to_meta()), author)
    found = dict(zip(rows, by_path, strict=False))
    return [*(found.get(row, one) for row, one in enumerate(given)), *by_path[len(rows) :]]


def _read_metadata(documents: Sequence[Document], reviewers: Iterable[str]) -> list[str]:
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
        names = [name for token in once for name in split_names(token) if looks_like_name(name)]
        enough = max(_FEWEST_FILES, _SCHEME_SHARE * len(paths), _NAMED_SHARE * len(tokens))
        listed += names if len(names) >= enough else []
    return listed
