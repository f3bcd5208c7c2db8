"""A library in numbers: keys, fingerprints and counts of many texts at once, and of all.

Document frequencies are counted once and then fixed: weights that move age fingerprints.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import StoreError
from ...model import I64, U64, CorpusStats
from ..codec import compress, expand
from .rows import (
    CollectionRow,
    LibraryStats,
    counts_of,
    fingerprint_row,
    require_sealed,
    sealed,
    unescaped,
)
from .tables import LIBRARY, Places, Store, batches, columns_of
from .view import LIVE, View

_FINGERPRINTS = (
    "SELECT f.key, f.words, f.digest FROM fingerprint f JOIN document d ON d.key = f.key"
    " JOIN collection c ON c.id = d.collection WHERE c.owner = :owner"
    " AND d.removed = 0 AND f.key > :after AND f.key <= :upto AND length(f.words) > 0"
    " ORDER BY f.key"
)
_COUNTS = (
    f"SELECT d.key, {columns_of('counts', 'n')} FROM counts n JOIN document d"
    " ON d.body = n.key JOIN collection c ON c.id = d.collection WHERE c.owner = :owner"
    " AND d.removed = 0 AND d.key IN ({keys}) ORDER BY d.key"
)


def keys(
    view: View,
    collections: Sequence[str] | None,
    languages: Sequence[str],
    after: int,
    upto: int,
) -> I64:
    """Return the keys of live texts, of all collections or of some, int64 (n,).

    With `languages`, of texts in these and of those whose language is not stored. Ascending,
    greater than `after`, `upto` at most.
    """
    where, names = "", {f"language{n}": name for n, name in enumerate(("", *languages))}
    if collections is not None:
        numbers = [str(view.collection(name)) for name in collections]
        where = f"AND c.id IN ({', '.join(numbers) or 'NULL'})"
    if languages:
        where += f" AND d.language IN ({', '.join(f':{name}' for name in names)})"
    statement = f"SELECT d.key {LIVE} AND d.key > :after AND d.key <= :upto {where} ORDER BY d.key"
    rows = view.rows(statement, after=after, upto=upto, **(names if languages else {}))
    return np.fromiter((key for (key,) in rows), np.int64, len(rows))


def fingerprints(view: View, after: int, upto: int) -> tuple[I64, U64]:
    """Return the keys of texts with a fingerprint, (n,), and (n, W).

    Keys are greater than `after`, `upto` at most.

    Raises
    ------
    StoreError
        `store_damaged`, also where they are not of one width.
    """
    rows = view.rows(_FINGERPRINTS, after=after, upto=upto)
    require_sealed(rows)
    widths = {len(words) for _, words, _ in rows}
    if len(widths) > 1:
        raise StoreError("store_damaged")
    keys = np.fromiter((key for key, _, _ in rows), np.int64, len(rows))
    joined = np.frombuffer(b"".join(words for _, words, _ in rows), "<u8")
    width = widths.pop() // 8 if widths else 0
    return keys, joined.reshape(len(rows), width).astype(np.uint64)


def replace_fingerprints(view: View, prints: Mapping[int, U64 | None]) -> int:
    """Store other fingerprints of live texts; return how many."""
    live = prints.keys() & set(view.keys())
    for some in batches(sorted(live)):
        places = Places(some)
        view.session.run(f"DELETE FROM fingerprint WHERE key IN ({places.marks})", **places.values)
        view.session.append("fingerprint", [fingerprint_row(key, prints[key]) for key in some])
    return len(live)


def counts(view: View, wanted: Sequence[int]) -> list[Any]:
    """Return (key, *row of `counts`) of live texts, by key."""
    return list(view.each(_COUNTS, wanted))


def collections(view: View) -> list[CollectionRow]:
    """Return the collections of the owner by name."""
    statement = (
        "SELECT c.name, c.added, count(d.key), coalesce(sum(d.chars), 0),"
        " coalesce(max(d.added), c.added), coalesce(sum(length(b.data)), 0)"
        " FROM collection c LEFT JOIN document d ON d.collection = c.id AND d.removed = 0"
        " LEFT JOIN body b ON b.key = d.body WHERE c.owner = :owner AND c.removed = 0"
        " GROUP BY c.id, c.name, c.added"
    )
    rows = [
        CollectionRow(unescaped(name), texts, int(chars), int(size), added, changed)
        for name, added, texts, chars, changed, size in view.rows(statement)
    ]
    return sorted(rows, key=lambda row: row.name)


def stats(view: View, store: Store) -> LibraryStats:
    """Return everything at a glance."""
    (texts, chars), *_ = view.rows(f"SELECT count(*), coalesce(sum(d.chars), 0) {LIVE}")
    (removed,), *_ = view.rows(
        "SELECT count(*) FROM document d JOIN collection c ON c.id = d.collection"
        " WHERE c.owner = :owner AND d.removed > 0"
    )
    (count,), *_ = view.rows("SELECT count(*) FROM collection WHERE owner = :owner AND removed = 0")
    frozen = view.rows("SELECT frozen, texts FROM statistics WHERE owner = :owner")
    return LibraryStats(
        collections=count,
        texts=texts,
        removed=removed,
        chars=int(chars),
        size=store.size(),
        newest=view.last("document"),
        recipe=str(view.get(f"recipe {view.owner}", "")),
        frozen=frozen[0][0] if frozen else None,
        frozen_texts=frozen[0][1] if frozen else 0,
        place=store.place,
        version=LIBRARY.version,
    )


# --------------------------------------------------------------------------- document frequencies


_MOST = 2**30
_STORED = columns_of("counts", "n")


@dataclass(frozen=True, slots=True, eq=False)
class Frozen:
    """Statistics and when they were counted, in seconds since 1970."""

    stats: CorpusStats
    time: float


def count_statistics(view: View) -> CorpusStats:
    """Count in how many live texts of the owner each token occurs.

    Words of a single text are left out: statistics outlive a purge, and a name that one text
    alone holds must not stay. A word without a row counts as in one text wherever it is met.
    """
    frequencies: Counter[str] = Counter()
    n = 0
    bodies = f"SELECT d.body {LIVE} AND d.key IN ({{keys}})"
    statement = f"SELECT {_STORED} FROM counts n WHERE n.key IN ({bodies})"
    for row in view.each(statement, view.keys()):
        counts = counts_of(row)
        n += 1
        if counts is not None:
            frequencies.update(counts.tokens)
    return CorpusStats(n, {token: count for token, count in frequencies.items() if count > 1})


def fix_statistics(view: View, stats: CorpusStats) -> None:
    """Fix statistics in place of the ones before."""
    lines = "\n".join(f"{token}\t{count}" for token, count in sorted(stats.df.items()))
    data = lines.encode("utf-8", "surrogatepass")
    codec, small = compress(data)
    view.session.run("DELETE FROM statistics WHERE owner = :owner", owner=view.owner)
    row = (view.owner, time.time(), stats.n, codec, len(data), small)
    view.session.append("statistics", [sealed(row)])


def fixed_statistics(view: View) -> Frozen | None:
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
