"""The loops over candidate pairs: those of C, or their twins in numpy.

Pieces of one search run side by side; C lets go of the interpreter lock.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from ...machine.native import Twins
from ...model import Progress

if TYPE_CHECKING:  # the same functions
    from . import readable

    loops = readable
else:
    loops = Twins("simhash.search")

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST = 8  # every thread holds one table: 8 of them at 10 million words are 2 GB


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
