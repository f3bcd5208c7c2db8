"""The loops over candidate pairs: compiled where that is in use, else the numpy twins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...compiled import Twins
from ...model import I64, Progress

#: seconds of the numpy twins on one core (benchmarks/first_check.py): to compare one word of two
#: fingerprints, to sort one row into a table, to look one query up in a table
COMPARE_WORD, SORT_ROW, PROBE = 1.5e-8, 1e-7, 1e-6

TWINS = Twins("search")
if TYPE_CHECKING:  # the same functions
    from . import readable

    loops = readable
else:
    loops = TWINS


def settle_scan(words: int, tiles: I64, progress: Progress | None = None) -> None:
    """Choose the loops that scan some tiles of fingerprints of `words` words."""
    pairs = ((tiles[:, 1] - tiles[:, 0]) * (tiles[:, 3] - tiles[:, 2])).sum()
    TWINS.settle(COMPARE_WORD * words * float(pairs), progress)


def settle_join(words: int, rows: int, tables: int, candidates: float) -> None:
    """Choose the loops that sort rows into tables and compare the candidates these make."""
    TWINS.settle(SORT_ROW * rows * tables + COMPARE_WORD * words * candidates)


def settle_probe(words: int, queries: int, tables: int, candidates: float) -> None:
    """Choose the loops that look queries up in tables and compare the candidates they meet."""
    TWINS.settle(queries * (PROBE * tables + COMPARE_WORD * words * candidates))
