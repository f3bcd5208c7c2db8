"""Sigla: the short names of witnesses, from surnames or initials where the names give them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set

from ..surnames import DOUBLE_SURNAMES, SURNAMES

STEMS = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_HAN_RUN = re.compile(r"[\u3400-\u9fff]+")
_WORD = re.compile(r"[A-Za-zÀ-ɏ]+")
_MOST_INITIALS = 3


def sigla(names: Sequence[str], *, han: bool, blind: bool = False) -> list[str]:
    """Return one short name for each witness, all different.

    Parameters
    ----------
    names
        Authors, or names of documents.
    han
        Whether the letters of those without a name of a person are 甲乙丙, else A B C.
    blind
        Give letters to all.

    Notes
    -----
    A Chinese name gives its surname; where two have the same, a character of the given name;
    a name in Latin letters its initials, then more of its first word. What stands in most names
    is not part of a person's.
    """
    people = [""] * len(names) if blind else _people([_stem(name) for name in names])
    choices = [_choices(person) for person in people]
    chosen: list[str] = [""] * len(names)
    for level in range(max(map(len, choices), default=0)):
        wanted = {
            row: of_row[level]
            for row, of_row in enumerate(choices)
            if not chosen[row] and level < len(of_row)
        }
        count = Counter(wanted.values())
        taken = set(chosen)
        for row, siglum in wanted.items():
            if count[siglum] == 1 and siglum not in taken:
                chosen[row] = siglum
    free = _letters(STEMS if han else LETTERS, set(chosen))
    return [siglum or next(free) for siglum in chosen]


def _stem(name: str) -> str:
    """Return a document's name without its folder and suffix."""
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    stem, dot, suffix = last.rpartition(".")
    return stem if dot and stem and len(suffix) <= 5 and suffix.isascii() else last


def _people(stems: Sequence[str]) -> list[str]:
    """Return the person in each name: Han of two to four, or Latin words, else nothing."""
    parts = [[*_HAN_RUN.findall(stem), *_WORD.findall(stem)] for stem in stems]
    count = Counter(part.casefold() for of_name in parts for part in set(of_name))
    common = {part for part, n in count.items() if n > 1 and 2 * n > len(stems)}
    people: list[str] = []
    for of_name in parts:
        left = [part for part in of_name if part.casefold() not in common]
        han = [part for part in left if _is_person(part)]
        latin = [part for part in left if part.isascii() or not _HAN_RUN.fullmatch(part)]
        people.append(han[0] if han else " ".join(latin))
    return people


def _is_person(part: str) -> bool:
    """Whether Han characters look like a person's name."""
    if not _HAN_RUN.fullmatch(part):
        return False
    if part.startswith(DOUBLE_SURNAMES):
        return 3 <= len(part) <= 4
    return 2 <= len(part) <= 3 and part[0] in SURNAMES


def _choices(person: str) -> list[str]:
    """Return short names of one person, shortest first."""
    if not person:
        return []
    if _HAN_RUN.fullmatch(person):
        surname = person[:2] if person.startswith(DOUBLE_SURNAMES) else person[0]
        return [surname, *person[len(surname) :], person]
    words = person.split()
    initials = "".join(word[0].upper() for word in words[:_MOST_INITIALS])
    first = words[0][:1].upper() + words[0][1:].lower()
    longer = [first[:size] + initials[1:] for size in (2, 3)]
    return [initials, *longer]


def _letters(alphabet: str, taken: Set[str]) -> Iterator[str]:
    """Yield free letters, then letters with a number."""
    lap = 1
    while True:
        for letter in alphabet:
            siglum = letter if lap == 1 else f"{letter}{lap}"
            if siglum not in taken:
                yield siglum
        lap += 1
