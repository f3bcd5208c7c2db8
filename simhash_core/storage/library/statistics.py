"""Document frequencies of a library, counted once and then fixed: weights that move age prints."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass

from ...model import CorpusStats
from ..compression import compress, expand
from .rows import counts_of, require_sealed, sealed
from .sessions import columns_of
from .view import LIVE, View

_MOST = 2**30
_COUNTS = columns_of("counts", "n")


@dataclass(frozen=True, slots=True, eq=False)
class Frozen:
    """Statistics and when they were counted, in seconds since 1970."""

    stats: CorpusStats
    time: float


def counted(view: View) -> CorpusStats:
    """Count in how many live texts of the owner each token occurs.

    Words of a single text are left out: statistics outlive a purge, and a name that one text
    alone holds must not stay. A word without a row counts as in one text wherever it is met.
    """
    frequencies: Counter[str] = Counter()
    n = 0
    bodies = f"SELECT d.body {LIVE} AND d.key IN ({{keys}})"
    statement = f"SELECT {_COUNTS} FROM counts n WHERE n.key IN ({bodies})"
    for row in view.each(statement, view.keys()):
        counts = counts_of(row)
        n += 1
        if counts is not None:
            frequencies.update(counts.tokens)
    return CorpusStats(n, {token: count for token, count in frequencies.items() if count > 1})


def store(view: View, stats: CorpusStats) -> None:
    """Fix statistics in place of the ones before."""
    lines = "\n".join(f"{token}\t{count}" for token, count in sorted(stats.df.items()))
    data = lines.encode("utf-8", "surrogatepass")
    codec, small = compress(data)
    view.session.run("DELETE FROM statistics WHERE owner = :owner", owner=view.owner)
    row = (view.owner, time.time(), stats.n, codec, len(data), small)
    view.session.append("statistics", [sealed(row)])


def load(view: View) -> Frozen | None:
    """Return the fixed statistics, None before the first.

    Raises
    ------
    StoreError
        `store_damaged`.
    """
    rows = view.rows(
        f"SELECT {columns_of('statistics', 's')} FROM statistics s WHERE s.owner = :owner"
    )
    if not rows:
        return None
    require_sealed(rows)
    _, frozen, texts, codec, size, data, _ = rows[0]
    lines = expand(codec, data, size=size, most=_MOST).decode("utf-8", "surrogatepass")
    pairs = (line.rpartition("\t") for line in lines.split("\n") if line)
    return Frozen(CorpusStats(texts, {token: int(count) for token, _, count in pairs}), frozen)
