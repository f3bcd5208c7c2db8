"""The loops over candidate pairs: compiled where that is in use, else the numpy twins.

Compiled pieces of one search run side by side; they release the interpreter lock.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from ...machine.compiled import Twins
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

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST = 8  # every thread holds one table: 8 of them at 10 million words are 2 GB


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


def in_threads(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    progress: Progress | None = None,
) -> Iterator[Result]:
    """Yield function(item) in order, computed on all processors.

    `progress` is called as ("pairs", done, total) from the calling thread; an exception from it
    drops what has not started.
    """
    threads = min(MOST, os.cpu_count() or 1, len(items))
    if threads <= 1:
        for done, item in enumerate(items, 1):
            yield function(item)
            if progress:
                progress("pairs", done, len(items))
        return
    pool = ThreadPoolExecutor(threads)
    try:
        for done, result in enumerate(pool.map(function, items), 1):
            yield result
            if progress:
                progress("pairs", done, len(items))
    finally:
        pool.shutdown(cancel_futures=True)
