"""The class in one picture: who handed in, what could be read, how much of each text overlaps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..model import Bools
from ..numbers import of_text, unit_of_all
from ..people.authorship import list_hand_ins
from ..result import CheckResult, apart_pairs, meanings_shown
from ..translations.pairs import possible_translations
from .content import PairEntry, Roll, Seat, TextEntry, Wanted
from .left_out import UnitsOf, left_out_of
from .names import one_line


def roll_of(
    result: CheckResult,
    wanted: Wanted,
    texts: Sequence[TextEntry],
    pairs: Sequence[PairEntry],
    units_of: UnitsOf,
    *,
    shares: Bools,
    passages: int,
    of_pupils: bool,
) -> Roll:
    """Draw up the class: its members in the order of the class list, else in that of the texts.

    Texts of nobody stand for themselves; where the texts are no class, so do all, and files.
    `shares` marks the texts that share what only a few have.
    """
    rows = [text.row for text in texts if not text.reference]
    unread, draw = result.unread, _drawing(result, pairs, shares)
    every = []
    if of_pupils:
        every = list_hand_ins([result.documents[row] for row in rows], unread, wanted.members)
    if not wanted.members:
        every.sort(key=lambda one: (not one.texts, one.texts))
    seats = []
    for one in every:
        name = one_line(one.member.person or one.member.number)
        if one.texts:
            seats.append(draw([rows[at] for at in one.texts], name))
        else:
            reason = unread[one.unread[0]].code if one.unread else ""
            seats.append(Seat(name, (), one.state, reason))
    named = {row for seat in seats for row in seat.rows}
    seats += [
        replace(draw([row], texts[row].name), nameless=of_pupils)
        for row in rows
        if row not in named
    ]
    if not every:
        seats += [Seat(one_line(file.name), (), "unread", file.code) for file in unread]
    if wanted.anonymous:  # the place on the list would say who it is
        seats = [replace(one, name=texts[one.rows[0]].name if one.rows else "") for one in seats]
        seats.sort(key=lambda seat: (not seat.rows, seat.rows))
    divisions = [of_text(result, row) for row in rows]
    return Roll(
        seats=tuple(seats),
        counted=sum(one.counted for one in divisions),
        whole=sum(one.whole for one in divisions),
        unit=unit_of_all(result),
        left_out=left_out_of(result, wanted.exclusions, units_of, rows=rows),
        passages=passages,
    )


def _drawing(
    result: CheckResult, pairs: Sequence[PairEntry], shares: Bools
) -> Callable[[Sequence[int], str], Seat]:
    """Return what draws the seat of somebody by the rows of his texts, of several the highest."""
    possible = possible_translations(result)
    translated = {row for one in possible for row in (one.left, one.right)}
    same = apart_pairs(meanings_shown(result))
    alike = {row for one in same for row in (one.left, one.right)}
    confirmed = [pair for pair in pairs if pair.decision and pair.decision.verdict == "confirmed"]

    def seat(rows: Sequence[int], name: str) -> Seat:
        return Seat(
            name=name,
            rows=tuple(rows),
            state="read",
            division=max((of_text(result, row) for row in rows), key=lambda one: one.total),
            cases=tuple(sorted(pair.case for pair in confirmed if {pair.a, pair.b} & {*rows})),
            translated=not translated.isdisjoint(rows),
            alike=not alike.isdisjoint(rows),
            shares=bool(shares[list(rows)].any()),
        )

    return seat
