"""What texts are called: by who wrote them, else by their files, on one line.

Text from files is made safe to set: what drives a screen or a page becomes a visible sign.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from os.path import commonprefix

from ..checking.authorship import people_of
from ..i18n import Translate
from ..model import FETCHED_KEY, Document, Skipped
from ..people import Authorship, authors
from ..signs import visible
from ..storage.library import COLLECTION_KEY
from ..surnames import DOUBLE_SURNAMES, SURNAMES
from ..text.characters import HAN
from ..text.normalize import normalize
from ..text.segment import UNKNOWN, tags
from ..weighting.background import background_idf

NARROW = 28  # columns; where every name fits into it nothing is left out
WIDE = 56  # columns of a name in a list
SHORTEST_PREFIX = 5  # characters that are worth leaving out
_MARKED = re.compile(r"\[[^\]]+\] ")  # a name behind where its text comes from
_ENDING = re.compile(r"(?<=.)\.[A-Za-z]\w{0,4}$")


@dataclass(frozen=True, slots=True)
class Naming:
    """What the texts of a check are called: by who wrote them, else by their files.

    Attributes
    ----------
    names
        In a heading: a person, with a number or a file where one name stands for several texts;
        else the whole name of the file.
    stems
        In a list: the same, files without the beginning and the ending that all of them share.
    files
        What stands beside a person: the shortest end of the path that tells files apart; "" where
        the name is the file.
    whole
        What a search looks through and a pointer shows: person, number and path.
    prefix
        What the stems leave out.
    """

    names: tuple[str, ...]
    stems: tuple[str, ...]
    files: tuple[str, ...]
    whole: tuple[str, ...]
    prefix: str

    def short(self, row: int, width: int = NARROW) -> str:
        """Return the name of a row for a sentence or a narrow place.

        A mark in brackets before a name, which tells where the text comes from, stays whole where
        it leaves half of the width to the name.
        """
        stem = self.stems[row]
        mark = _MARKED.match(stem)
        if mark is None or 2 * columns(mark[0]) > width:
            return middle(stem, width)
        return mark[0] + middle(stem[mark.end() :], width - columns(mark[0]))


def name_with_collection(document: Document) -> str:
    """Return the name of a text; of one from an archive, behind the name of its collection."""
    collection = document.meta.get(COLLECTION_KEY)
    return f"{collection}: {document.name}" if collection else document.name


def page_moment(document: Document) -> datetime | None:
    """Return when a page of the web was fetched, in local time; None of any other text."""
    try:
        return datetime.fromisoformat(document.meta.get(FETCHED_KEY, "")).astimezone()
    except ValueError:
        return None


def page_line(document: Document, t: Translate) -> str:
    """Return the address of a page of the web, and as of when; "" of any other text."""
    moment = page_moment(document)
    if moment is None:
        return ""
    url = one_line(document.meta.get("url", ""))
    return t("frame.page_as_of", url=url, moment=f"{moment:%Y-%m-%d %H:%M}")


def called(documents: Sequence[Document], *, references: int = 0, mark: str = "") -> Naming:
    """Name the texts of a check.

    Parameters
    ----------
    references, mark
        How many texts at the end are only compared with, and what they are called where they come
        from no collection: it stands in brackets before their names.

    Notes
    -----
    Persons are shown where they tell texts apart: in an archive where each wrote many texts, files
    are. A title that a file gives itself is no name: programs and templates write it.
    """
    asked = len(documents) - references
    paths = [one_line(name_with_collection(one)) for one in documents[:asked]]
    paths += [one_line(one.name) for one in documents[asked:]]
    persons = _persons(documents)
    plain = [row for row, person in enumerate(persons) if not person]
    of_files = named([paths[row] for row in plain])
    names, stems = list(paths), list(paths)
    for row, stem in zip(plain, of_files.stems, strict=True):
        stems[row] = stem
    files = [""] * len(paths)
    for row, (name, file) in _of_persons(documents, persons, paths).items():
        names[row] = stems[row] = name
        files[row] = file
    for row in range(asked, len(paths)):
        shown = one_line(documents[row].meta.get(COLLECTION_KEY, mark))
        names[row], stems[row] = f"[{shown}] {names[row]}", f"[{shown}] {stems[row]}"
    numbers = [one_line(one.meta.get("number", "")) for one in documents]
    whole = [
        " · ".join(filter(None, (person, number, path))) if person else path
        for person, number, path in zip(
            persons, numbers, map(one_line, map(name_with_collection, documents)), strict=True
        )
    ]
    return Naming(tuple(names), tuple(stems), tuple(files), tuple(whole), of_files.prefix)


def named(whole: Sequence[str]) -> Naming:
    """Name files: leave out endings that distinguish no two of them, and what all begin with.

    Of paths the shortest end that tells each from all others is shown.
    """
    bare = [_ENDING.sub("", name) for name in whole]
    stems = bare if len(set(bare)) == len(set(whole)) else list(whole)
    prefix = ""
    if len(whole) > 1 and max(map(columns, stems)) > NARROW:
        shared = commonprefix(stems)  # noqa: RUF071  of characters, not of path parts
        prefix = shared[: max(map(shared.rfind, "-_/ ")) + 1]
    if len(prefix) < SHORTEST_PREFIX:
        prefix = ""
    stems = _cut_apart(_ends([stem[len(prefix) :] for stem in stems]))
    return Naming(tuple(whole), tuple(stems), ("",) * len(whole), tuple(whole), prefix)


def _persons(documents: Sequence[Document]) -> list[str]:
    """Return who wrote each text, "" where nobody is named or names do not tell texts apart."""
    persons = [one_line(one.meta.get("person", "")) for one in documents]
    people = [person for person in persons if person]
    return persons if 2 * len(set(people)) >= len(people) else [""] * len(documents)


def _of_persons(
    documents: Sequence[Document], persons: Sequence[str], paths: Sequence[str]
) -> dict[int, tuple[str, str]]:
    """Return (name, file) of each text that a person wrote, by its row."""
    alike: dict[str, list[int]] = {}
    for row, person in enumerate(persons):
        if person:
            alike.setdefault(person.casefold(), []).append(row)
    every: dict[int, tuple[str, str]] = {}
    for rows in alike.values():
        marks = [persons[rows[0]]] * len(rows)
        numbers = [one_line(documents[row].meta.get("number", "")) for row in rows]
        if len(set(numbers)) > 1:
            marks = [f"{marks[0]} {number}".strip() for number in numbers]
        for mark in dict.fromkeys(marks):
            texts = [row for row, other in zip(rows, marks, strict=True) if other == mark]
            files = _ends([paths[row] for row in texts])
            for row, file in zip(texts, files, strict=True):
                bare = _ENDING.sub("", file)
                every[row] = (f"{mark} · {bare}" if len(texts) > 1 else mark, file)
    return every


def _ends(paths: Sequence[str]) -> list[str]:
    """Return the fewest last parts of each path that no other path ends in."""
    parts = [path.split("/") for path in paths]
    ends = [path[-1] for path in parts]
    for depth in range(2, max(map(len, parts), default=0) + 1):
        counts = Counter(ends)
        ends = [
            end if counts[end] == 1 else "/".join(path[-depth:])
            for end, path in zip(ends, parts, strict=True)
        ]
    return ends


def _cut_apart(stems: Sequence[str]) -> list[str]:
    """Shorten long names so that none loses the place where it differs from the one most alike."""
    ranked = sorted(range(len(stems)), key=stems.__getitem__)
    differs = [0] * len(stems)
    for before, after in pairwise(ranked):
        at = len(commonprefix([stems[before], stems[after]]))  # noqa: RUF071
        differs[before], differs[after] = max(differs[before], at), max(differs[after], at)
    return [_around(stem, at) for stem, at in zip(stems, differs, strict=True)]


def _around(text: str, at: int) -> str:
    """Return a name of at most `WIDE` columns in which the character at a place is seen."""
    if columns(text) <= WIDE or columns(text[at:]) < WIDE // 2 or columns(text[:at]) < WIDE // 2:
        return middle(text, WIDE)
    head, part = _fitting(text, WIDE // 3), _fitting(text[max(at - 2, 0) :], WIDE // 2)
    return f"{head}…{part}…"


def columns(text: str) -> int:
    """Return how wide a text is in columns of a Latin letter."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def middle(text: str, width: int) -> str:
    """Return a text of at most `width` columns: its beginning, an ellipsis, its end."""
    if columns(text) <= width:
        return text
    head, tail = (width - 1) // 2, width - 1 - (width - 1) // 2
    return f"{_fitting(text, head)}…{_fitting(text[::-1], tail)[::-1]}"


def _fitting(text: str, width: int) -> str:
    for at, character in enumerate(text):
        width -= columns(character)
        if width < 0:
            return text[:at]
    return text


def one_line(text: str) -> str:
    """Return a name or a title on one line."""
    return " ".join(visible(unicodedata.normalize("NFC", text)).split())


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
        for name in _split(field):
            nobody = _is_nobody(name)
            if certain or not nobody:
                full[name] = full.get(name, False) or (certain and not nobody)
    for name in _in_metadata(documents, reviewers):
        full[name] = full.get(name, False) or _looks_like_a_name(name)
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
