"""Who is named in a check: names of persons and student numbers, never the words of file names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..checking.authorship import people_of
from ..model import Document, Skipped
from ..people.patterns import Authorship, authors
from ..surnames import DOUBLE_SURNAMES, SURNAMES
from ..text.characters import HAN
from ..text.normalize import normalize
from ..text.segment import UNKNOWN, tags
from ..weighting.background import background_idf

#: what tells one person from all others
_TELLING = ("person", "number", "platform")
#: platforms whose names of files fit by chance in no other class
_PLATFORMS = ("moodle", "canvas", "blackboard")
#: what programs and class lists write where a name should be
_NOBODY = frozenset(
    (
        *("admin", "administrator", "apache", "apple", "asus", "author", "company", "default"),
        *("dell", "group", "guest", "home", "inc", "lenovo", "libreoffice", "ltd", "mac"),
        *("microsoft", "office", "openoffice", "owner", "participant", "pc", "python", "school"),
        *("student", "team", "teacher", "unknown", "user", "windows", "word", "wps"),
    )
)
_TITLES = re.compile("(?:老师|教师|教授|主任)$")
LETTERS = re.compile(rf"(?:(?![{HAN}])[^\W\d_])+")
_HAN_NAME = re.compile(rf"[{HAN}]{{2,6}}(?:[·•・][{HAN}]{{1,8}})*")
_APART = re.compile(r"[、;/&()<>|\d_\n]+|\s{1,99}and\s{1,99}")
_FEWEST_FILES = 3  # whose names show that the place in them holds the name of a person
_SCHEME_SHARE = 0.2  # of the files of a check, for the same
_NAMED_SHARE = 0.8  # of these files, of which the place holds what looks like a name
_ORDINARY_IDF = 2.5  # nats: an English word below it is an ordinary word, also with a capital
_RARE_IDF = 4.2  # nats: one above it is hardly anything but a name, also without one


@dataclass(frozen=True, slots=True)
class Names:
    """Who is named in a check, as normalised text. The value tells whether the name is certain."""

    full: Mapping[str, bool]
    numbers: frozenset[str]


def names_of(
    documents: Sequence[Document],
    *,
    skipped: Sequence[Skipped] = (),
    others: Iterable[str] = (),
    reviewers: Iterable[str] = (),
) -> Names:
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
    authors_of = _said(documents, skipped)
    others = tuple(others)
    written = [*((one.person, True) for one in authors_of), *((one, True) for one in others)]
    paths = [*(one.name for one in documents), *(one.name for one in skipped)]
    written += [(name, is_han(name)) for name in _names_in_files(paths)]
    full: dict[str, bool] = {}
    for field, certain in written:
        for name in _split(field):
            nobody = _is_nobody(name)
            if certain or not nobody:
                full[name] = full.get(name, False) or (certain and not nobody)
    for name in _in_metadata(documents, reviewers):
        full[name] = full.get(name, False) or _looks_like_a_name(name)
    digits = [n for one in authors_of for n in (one.number, one.platform)]
    digits += [*(one for one in others if re.search(r"\d", one))]
    numbers = {normalize(one).text for one in digits}
    return Names(full, frozenset(number for number in numbers if len(number) > 1))


def _said(documents: Sequence[Document], skipped: Sequence[Skipped]) -> list[Authorship]:
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
    teachers = {name for reviewer in reviewers for name in _split(reviewer)}
    fields = [one.meta.get(key, "") for one in documents for key in ("author", "editor")]
    named = dict.fromkeys(name for field in dict.fromkeys(fields) for name in _split(field))
    return [
        name
        for name in named
        if name not in teachers and not _is_nobody(name) and not _TITLES.search(name)
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
        names = [name for token in once for name in _split(token) if _looks_like_a_name(name)]
        enough = max(_FEWEST_FILES, _SCHEME_SHARE * len(paths), _NAMED_SHARE * len(tokens))
        listed += names if len(names) >= enough else []
    return listed


def _split(written: str) -> list[str]:
    """Return the normalised names of the persons that one field names."""
    listed = re.sub(rf"(?<=[{HAN}]{{2}})\s+(?=[{HAN}]{{2}})", "、", written)
    text = normalize(" ".join(listed.split())).text.replace("，", ",")
    names = []
    for piece in _APART.split(text):
        parts = [part.strip(" .-'\"") for part in piece.split(",")]
        several = all(" " in part or _HAN_NAME.fullmatch(part) for part in parts)
        for part in parts if several else [" ".join(parts)]:
            han = _HAN_NAME.search(part)
            name = han[0].removesuffix("同学") if han else " ".join(LETTERS.findall(part))
            names += _and(name) if han else [name]
    return [name for name in names if len(name) > 1]


def _and(name: str) -> list[str]:
    """Part 张三和李小四: what stands on both sides of 和 or 与 must be a name."""
    for mark in "和与":
        parts = name.split(mark)
        if len(parts) > 1 and all(map(_has_surname, parts)):
            return parts
    return [name]


def _has_surname(name: str) -> bool:
    if name[:2] in DOUBLE_SURNAMES:
        return 3 <= len(name) <= 4
    return name[:1] in SURNAMES and 2 <= len(name) <= 3


def is_han(name: str) -> bool:
    return _HAN_NAME.fullmatch(name) is not None


def is_word(word: str) -> bool:
    """Whether the dictionary of Chinese words holds a word."""
    return tags([word]) != [UNKNOWN]


def is_ordinary(word: str) -> bool:
    return background_idf().get(word, _ORDINARY_IDF) < _ORDINARY_IDF


def is_rare(word: str) -> bool:
    return background_idf().get(word, _RARE_IDF) >= _RARE_IDF


def _is_nobody(name: str) -> bool:
    """Whether this is no name of a person: 第三小组, 教务处, Microsoft Office User."""
    if is_han(name):
        return "·" not in name and (len(name) > 4 or name[-1] in "组队班级处校院部")
    words = name.split()
    return not words or not _NOBODY.isdisjoint(words) or len(words) > 5


def _looks_like_a_name(name: str) -> bool:
    """Whether what names somebody can only be a person: a surname, and no word in it."""
    if is_han(name):
        begins = any(is_word(name[:size]) for size in range(2, len(name) + 1))
        return "·" in name or (_has_surname(name) and not begins)
    words = name.split()
    return 2 <= len(words) <= 4 and not all(map(is_ordinary, words))
