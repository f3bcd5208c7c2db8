"""The tables of the Overview: real <table>s whose rows can be focused and opened.

pair_table(key, rows=[PairRow, ...], words=...) -> index of the row to open, or None
text_table(key, rows=[TextRow, ...], words=...) -> index of the row to open, or None
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from .. import register

_table = register("pair_table", '<div class="wrap"></div>')


@dataclass(frozen=True, slots=True)
class PairRow:
    """One pair. Shares are 0..1; `at` is the distance as a share of the scale, -1 without one."""

    first: str
    second: str
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


@dataclass(frozen=True, slots=True)
class TextRow:
    """One text with its total overlap (0..1) and its best partner."""

    name: str
    total: float
    text_total: str
    partner: str
    share: str
    longest: str
    cluster: str


def pair_table(
    key: str, *, rows: Sequence[PairRow], words: Mapping[str, str], tick: float
) -> int | None:
    """Draw pairs; `tick` is the threshold as a share of the distance scale."""
    return _draw(key, {"kind": "pairs", "rows": [asdict(r) for r in rows], "tick": tick}, words)


def text_table(key: str, *, rows: Sequence[TextRow], words: Mapping[str, str]) -> int | None:
    """Draw texts."""
    return _draw(key, {"kind": "texts", "rows": [asdict(r) for r in rows]}, words)


def _draw(key: str, data: dict[str, object], words: Mapping[str, str]) -> int | None:
    answer = _table(key=key, data={**data, "words": dict(words)}, on_open_change=lambda: None)
    return None if answer.open is None else int(answer.open)
