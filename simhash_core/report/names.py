"""What texts are called: by who wrote them, else by their files, on one line.

Text from files is made safe to set: what drives a screen or a page becomes a visible sign.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from os.path import commonprefix

from ..i18n import Translate
from ..model import COLLECTION_KEY, FETCHED_KEY, Document
from ..signs import make_visible

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
            return cut_middle(stem, width)
        return mark[0] + cut_middle(stem[mark.end() :], width - columns(mark[0]))


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


def name_texts(documents: Sequence[Document], *, references: int = 0, mark: str = "") -> Naming:
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
    full = [one_line(name_with_collection(one)) for one in documents]
    paths = [*full[:asked], *(one_line(one.name) for one in documents[asked:])]
    persons = [one_line(one.meta.get("person", "")) for one in documents]
    people = [person for person in persons if person]
    if 2 * len(set(people)) < len(people):  # names do not tell texts apart
        persons = [""] * len(documents)
    plain = [row for row, person in enumerate(persons) if not person]
    of_files = name_files([paths[row] for row in plain])
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
        for person, number, path in zip(persons, numbers, full, strict=True)
    ]
    return Naming(tuple(names), tuple(stems), tuple(files), tuple(whole), of_files.prefix)


def name_files(whole: Sequence[str]) -> Naming:
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
    shown = []
    for stem, at in zip(stems, differs, strict=True):
        edge = columns(stem[at:]) < WIDE // 2 or columns(stem[:at]) < WIDE // 2
        if columns(stem) <= WIDE or edge:
            shown.append(cut_middle(stem, WIDE))
        else:
            head, part = _fitting(stem, WIDE // 3), _fitting(stem[max(at - 2, 0) :], WIDE // 2)
            shown.append(f"{head}…{part}…")
    return shown


def columns(text: str) -> int:
    """Return how wide a text is in columns of a Latin letter."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def cut_middle(text: str, width: int) -> str:
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
    if not text:
        return ""
    return " ".join(make_visible(unicodedata.normalize("NFC", text)).split())
