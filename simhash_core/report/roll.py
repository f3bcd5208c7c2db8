"""The class in one picture: who handed in, what could be read, how much of each text overlaps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ..checking.authorship import people_of
from ..model import Document
from ..numbers import of_text
from ..result import CheckResult
from ..translations.pairs import possible_translations
from .content import PairEntry, Roll, Seat, TextEntry, Wanted
from .left_out import UnitsOf, left_out_of
from .names import one_line
from .person import author_of

_NO_NAME = re.compile(r"[\d@]")  # of a class list: a number or an address
_TOGETHER = re.compile(r"[、；;/&]")  # between the names of those who wrote one text together


def roll_of(
    result: CheckResult,
    wanted: Wanted,
    texts: Sequence[TextEntry],
    pairs: Sequence[PairEntry],
    units_of: UnitsOf,
) -> Roll:
    """Draw up the class: its members in the order of the class list, else in that of the texts.

    A file that could not be read stands for a member where its name tells whose it is, and where
    no text says who wrote it.
    """
    rows = [text.row for text in texts if not text.reference]
    present = {_key(one) for row in rows for one in _persons(result.documents[row].meta)}
    listed = [one for one in map(one_line, wanted.others) if one and not _NO_NAME.search(one)]
    unread = _unread(result, present)
    present |= {_key(seat.name) for seat in unread}
    missing = [
        Seat(one, (), "missing") for one in dict.fromkeys(listed) if _key(one) not in present
    ]
    seats = [*_read(result, rows, texts, pairs), *unread, *missing]
    if wanted.anonymous:  # the place on the list would say who it is
        seats = [seat if seat.rows else replace(seat, name="") for seat in seats]
    else:
        seats = _in_order(seats, listed)
    divisions = [of_text(result, row) for row in rows]
    words = all(one.unit == "words" for one in divisions)
    return Roll(
        seats=tuple(seats),
        counted=sum(one.counted for one in divisions),
        whole=sum(one.whole for one in divisions),
        unit="words" if words else "characters",
        left_out=left_out_of(result, wanted.exclusions, units_of, rows=rows),
    )


def _read(
    result: CheckResult, rows: Sequence[int], texts: Sequence[TextEntry], pairs: Sequence[PairEntry]
) -> list[Seat]:
    """Return those who handed in a text that was read; several texts of one are one seat."""
    by_author: dict[object, list[int]] = {}
    for row in rows:
        by_author.setdefault(author_of(result.documents[row]) or row, []).append(row)
    possible = possible_translations(result)
    translated = {row for one in possible for row in (one.left, one.right)}
    confirmed = [pair for pair in pairs if pair.decision and pair.decision.verdict == "confirmed"]
    return [
        Seat(
            name=_name(result.documents[own[0]], texts[own[0]]),
            rows=tuple(own),
            state="read",
            division=max((of_text(result, row) for row in own), key=lambda one: one.total),
            cases=tuple(sorted(pair.case for pair in confirmed if {pair.a, pair.b} & {*own})),
            translated=not translated.isdisjoint(own),
        )
        for own in by_author.values()
    ]


def _name(document: Document, entry: TextEntry) -> str:
    """Return who handed in a text; the name of the file where only the file names an author."""
    return entry.author if entry.author and document.meta.get("person") else entry.name


def _unread(result: CheckResult, present: set[str]) -> list[Seat]:
    """Return those of whom nothing could be read; each person once."""
    files = [one for one in result.skipped if one.code != "duplicate"]
    paths = [*(document.name for document in result.documents), *(one.name for one in files)]
    authors = people_of(paths)[len(result.documents) :]
    seats: dict[str, Seat] = {}
    for file, author in zip(files, authors, strict=True):
        name = one_line(author.person) or ("" if present else one_line(file.name))
        if name and _key(name) not in present:
            seats.setdefault(_key(name), Seat(name, (), "unread", file.code))
    return list(seats.values())


def _persons(meta: Mapping[str, str]) -> Iterable[str]:
    """Yield who wrote a text, each of those who wrote it together."""
    return filter(None, _TOGETHER.split(meta.get("person") or meta.get("author") or ""))


def _key(name: str) -> str:
    """Return a name as names are compared."""
    return "".join(one_line(name).split()).casefold()


def _in_order(seats: Sequence[Seat], listed: Sequence[str]) -> list[Seat]:
    """Return the members in the order of the class list, where all who handed in are on it."""
    places = {_key(name): at for at, name in enumerate(listed)}
    known = [
        [places[_key(one)] for one in _TOGETHER.split(seat.name) if _key(one) in places]
        for seat in seats
    ]
    if not all(known):
        return list(seats)
    order = sorted(range(len(seats)), key=lambda at: min(known[at]))
    return [seats[at] for at in order]
