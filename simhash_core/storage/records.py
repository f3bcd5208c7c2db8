"""Records with their texts in a file: settings, what was read, a result.

Texts are stored once, by the sha-256 of their content, whichever records need them. The parts of a
stored result have to fit each other, so that no page meets a row that is not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import StoreError
from ..model import text_id
from ..result import CheckResult, Cluster, VariantGroups
from . import contents
from .codec import pack, unpack
from .compression import compress, digest, expand
from .database import Database

MOST_TEXT = 256 * 2**20  # bytes of one text
MOST_TEXTS = 4 * 2**30  # bytes of all texts
MOST_RECORD = 2**30 - 2**20  # bytes of one record

_HELD = "SELECT id FROM body"
_RECORD = "SELECT codec, size, digest, data FROM record WHERE name = ?"
_TOTAL = "SELECT coalesce(sum(size), 0) FROM body JOIN use ON body = id WHERE record = ?"
_TEXTS = "SELECT id, codec, size, data FROM body JOIN use ON body = id WHERE record = ?"

Row = tuple[str, int, int, bytes]


def save(database: Database, name: str, value: Any, notes: Mapping[str, Any]) -> None:
    """Store a record in place of the one before, and plain values with it.

    Texts that no record needs any more are removed.
    """
    packed, texts = pack(value)
    bodies = {key: text.encode("utf-8", "surrogatepass") for key, text in texts.items()}
    largest = max(map(len, bodies.values()), default=0)
    total = sum(map(len, bodies.values()))
    if len(packed) > MOST_RECORD or largest > MOST_TEXT or total > MOST_TEXTS:
        raise StoreError("store_too_large", name=database.name)
    with database.reading() as connection:
        held = {key for (key,) in connection.execute(_HELD)}
    ready = [_row(key, bodies[key]) for key in bodies.keys() - held]  # compressed before writing
    codec, small = compress(packed)
    record = (name, codec, len(packed), digest(packed), small)
    with database.writing() as connection:
        connection.executemany("INSERT OR IGNORE INTO body VALUES (?, ?, ?, ?)", ready)
        # another process may have removed what was there a moment ago
        lost = bodies.keys() - {key for (key,) in connection.execute(_HELD)}
        rows = [_row(key, bodies[key]) for key in lost]
        connection.executemany("INSERT INTO body VALUES (?, ?, ?, ?)", rows)
        connection.execute("DELETE FROM use WHERE record = ?", (name,))
        connection.executemany("INSERT INTO use VALUES (?, ?)", [(name, key) for key in bodies])
        contents.store(connection, notes, record=record)
        connection.execute("DELETE FROM body WHERE id NOT IN (SELECT body FROM use)")


def load(database: Database, name: str, kind: Any) -> Any:
    """Return a record, None where there is none.

    Raises
    ------
    StoreError
        `store_unfit`, `store_damaged` or `store_too_large`.
    """
    with database.reading() as connection:
        row = connection.execute(_RECORD, (name,)).fetchone()
        if row is None:
            listed = contents.Contents.read(connection)
            if listed is not None and name in listed.records:  # a damaged page hides its row
                raise StoreError("store_damaged", name=database.name)
            return None
        if connection.execute(_TOTAL, (name,)).fetchone()[0] > MOST_TEXTS:
            raise StoreError("store_too_large", name=database.name)
        bodies = connection.execute(_TEXTS, (name,)).fetchall()
    codec, size, check, data = row
    try:
        packed = expand(codec, data, size=size, most=MOST_RECORD)
        if digest(packed) != check:
            raise StoreError("store_damaged")
        return unpack(packed, kind, texts=_Bodies(bodies).text)
    except StoreError as error:
        raise StoreError(error.code, name=database.name) from error
    except (TypeError, ValueError) as error:  # a changed bit makes another type of a field
        raise StoreError("store_damaged", name=database.name) from error


class _Bodies:
    """The texts of a record, expanded when asked for and checked against their id."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._rows = {key: (codec, size, data) for key, codec, size, data in rows}

    def text(self, key: str) -> str:
        if key not in self._rows:
            raise StoreError("store_damaged")
        codec, size, data = self._rows[key]
        text = expand(codec, data, size=size, most=MOST_TEXT).decode("utf-8", "surrogatepass")
        if text_id(text) != key:
            raise StoreError("store_damaged")
        return text


def _row(key: str, body: bytes) -> Row:
    codec, data = compress(body)
    return key, codec, len(body), data


def is_sound(result: CheckResult) -> bool:
    """Return whether sizes agree and every row that is named exists."""
    n, m = len(result.documents), len(result.table)
    pairs, passages = result.table.pairs, result.passages
    sizes = (
        (n, (result.fingerprints.words, result.fingerprints.valid, result.lengths)),
        (n, (result.total_overlap, result.identical_overlap)),
        (n if len(result.division) else 0, (result.division,)),  # none in files of earlier versions
        (m if len(result.table.parts) else 0, (result.table.parts,)),
        (m, (pairs.left, pairs.right, pairs.distance)),
        (m, tuple(column for column in _columns(result.table) if column.ndim == 1)),
        (len(passages), passages.columns()),
    )
    if any(len(column) != size for size, columns in sizes for column in columns):
        return False
    if result.batch_fingerprints is not None and len(result.batch_fingerprints) != n:
        return False
    if not (_below(pairs.left, n) and _below(pairs.right, n) and _below(passages.pair, m)):
        return False
    inside = (
        0 <= result.references <= n and len(result.distances.counts) == result.distances.bits + 1
    )
    whole = all(_is_whole(cluster, n) for cluster in result.clusters)
    return inside and whole and _fits(result.variant_groups, n)


def _columns(table: Any) -> list[Any]:
    """Return the arrays of a pair table, those of later versions included."""
    held = (getattr(table, name) for name in table.__dataclass_fields__ if name != "pairs")
    return [column for column in held if hasattr(column, "ndim")]


def _below(rows: Any, n: int) -> bool:
    return len(rows) == 0 or bool(rows.min() >= 0 and rows.max() < n)


def _fits(groups: VariantGroups, n: int) -> bool:
    """Whether the groups cut the rows of their witnesses, and every witness is a document."""
    columns = (groups.document, groups.start, groups.end, groups.part)
    first = groups.first
    cut = len(first) > 0 and first[0] == 0 and all(len(column) == first[-1] for column in columns)
    return bool(cut) and bool((first[1:] >= first[:-1]).all()) and _below(groups.document, n)


def _is_whole(cluster: Cluster, n: int) -> bool:
    rows = {*cluster.members, cluster.centre, *cluster.centres, *cluster.weakest[:2]}
    rows |= {row for bridge in cluster.bridges for row in bridge}
    return len(cluster.members) == len(cluster.centres) and all(0 <= row < n for row in rows)
