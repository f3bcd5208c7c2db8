"""The tables of the Overview: real <table>s whose rows can be focused and opened.

pair_table(key, rows=[PairRow, ...], words=...) -> index of the row to open, or None
text_table(key, rows=[TextRow, ...], words=...) -> Choice, or None
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .. import register

_table = register(
    "pair_table",
    '<div class="wrap"></div>',
    styles_of=("shared", "whole"),
    scripts=("shared/dom.js",),
)


@dataclass(frozen=True, slots=True)
class PairRow:
    """One pair. Shares are 0..1; `at` is the distance as a share of the scale, -1 without one."""

    first: str
    second: str
    first_whole: str
    second_whole: str
    share_first: float
    share_second: float
    text_first: str
    text_second: str
    longest: str
    distance: str
    at: float
    inside: bool
    evidence: str
    cluster: str
    state: str = ""  # what was decided, "" where no case was made of it
    state_label: str = ""


@dataclass(frozen=True, slots=True)
class TextRow:
    """One text: its units by class, as the bar draws them, and its best partner.

    `whole` is the full name behind a shortened one; "" for what does not exist.
    """

    place: str
    name: str
    whole: str
    parts: tuple[tuple[str, int], ...]  # class, units
    counted: str
    bar: str  # the bar in words
    total: str
    same: str
    longest: str
    partner: str
    partner_whole: str
    share: str
    cluster: str
    states: tuple[tuple[str, str], ...] = ()  # verdicts about its pairs, each with its label


@dataclass(frozen=True, slots=True)
class Choice:
    """What the reader opens: a row with its partner or the text `alone`; -1 asks for the list."""

    row: int
    alone: bool = False


def pair_table(
    key: str, *, rows: Sequence[PairRow], words: Mapping[str, str], tick: float
) -> int | None:
    """Draw pairs; `tick` is the threshold as a share of the distance scale."""
    answer = _draw(key, {"kind": "pairs", "rows": [asdict(r) for r in rows], "tick": tick}, words)
    return None if answer.open is None else int(answer.open["row"])


def text_table(key: str, *, rows: Sequence[TextRow], words: Mapping[str, str]) -> Choice | None:
    """Draw texts."""
    answer = _draw(key, {"kind": "texts", "rows": [asdict(r) for r in rows]}, words)
    if answer.list:
        return Choice(-1)
    return None if answer.open is None else Choice(int(answer.open["row"]), answer.open["alone"])


def _draw(key: str, data: dict[str, object], words: Mapping[str, str]) -> Any:
    return _table(
        key=key,
        data={**data, "words": dict(words)},
        on_open_change=lambda: None,
        on_list_change=lambda: None,
    )
