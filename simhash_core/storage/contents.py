"""What a project file must hold, its tables, and its records with their texts.

One row of `meta` lists everything else. SQLite has no check sums, and a row that is gone leaves no
trace. So the row `contents` names every other row of `meta` and every record with a check sum, and
the number and check sum of the last event. It changes in the transaction that changes what it
lists, and has a check sum of its own. A later write never hides what was damaged: only the lines of
what it wrote change, and a project notes what of that was damaged.

Records are settings, what was read, what lies beside it, a result. Texts are stored once, by the
sha-256 of their content, whichever records need them. The parts of a stored result have to fit each
other, so that no page meets a row that is not there.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

from ..errors import StoreError
from ..model import text_id
from ..result import CheckResult, VariantGroups
from . import decisions
from .codec import compress, digest, expand, pack, unpack
from .database import Database, Schema
from .decisions import Event

NAME = "contents"
RECORDS = ("documents", "beside", "settings", "result")

Kind = TypeVar("Kind")
#: name, codec, size, check sum of the expanded bytes, bytes
Record = tuple[str, int, int, bytes, bytes]


@dataclass(frozen=True, slots=True)
class Damage:
    """One thing in a project file that is not as it was written.

    `code` is `file`, `contents`, `value` (with its `name`), one of `RECORDS`, `events` (all of
    them), `event` (with its `number`), `missing` (`first` to `last` number of events) or `replaced`
    (the `name` of a value or record that was damaged and has been written anew).
    """

    code: str
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Contents:
    """Check sums of what lies in a file."""

    values: dict[str, str] = field(default_factory=dict)
    records: dict[str, str] = field(default_factory=dict)
    last: int = 0  # number of the latest event
    head: str = decisions.START.hex()  # its check sum

    @classmethod
    def read(cls, connection: sqlite3.Connection) -> Contents | None:
        """Return what a file lists; None where the list itself is damaged."""
        rows = connection.execute(f"{_VALUE} WHERE name = ?", (NAME,)).fetchall()
        try:
            check, listed = json.loads(rows[0][1])
            if check != _sum(json.dumps(listed)):
                return None
            return cls(**listed)
        except (IndexError, ValueError, TypeError, RecursionError):
            return None

    def write(self, connection: sqlite3.Connection) -> None:
        """Store the list."""
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (NAME, self.as_value()))

    def as_value(self) -> str:
        """Return what is stored of the list: its check sum, and the list."""
        listed = asdict(self)
        return json.dumps([_sum(json.dumps(listed)), listed])


def store(
    connection: sqlite3.Connection,
    values: Mapping[str, Any],
    *,
    record: Record | None = None,
    added: Sequence[Event] = (),
) -> None:
    """Write plain values, and with them a record or events, and list them.

    JSON in ASCII, so that any name can be stored.
    """
    listed = Contents.read(connection)
    now = listed or Contents()
    for name, value in values.items():
        data = json.dumps(value)
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, data))
        now.values[name] = _line(name, data)
    if record is not None:
        connection.execute("INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?)", record)
        now.records[record[0]] = _record_line(*record[:4])
    if added:
        # behind the last as it was listed: where the row has another sum by now, the chain shows it
        (latest,) = connection.execute("SELECT coalesce(max(seq), 0) FROM event").fetchone()
        _append(connection, now, added, after=max(latest, now.last))
    if listed is not None:  # a list that is lost stays lost: what it named cannot be known
        now.write(connection)


def _append(
    connection: sqlite3.Connection, listed: Contents, added: Sequence[Event], *, after: int
) -> None:
    """Add events behind number `after`, each with the check sum of the one before."""
    for seq, event in enumerate(added, start=after + 1):
        row = decisions.write(event, seq, bytes.fromhex(listed.head))
        connection.execute("INSERT INTO event VALUES (?, ?, ?, ?)", row)
        listed.last, listed.head = seq, row[-1].hex()


def write_again(connection: sqlite3.Connection, events: Sequence[Event]) -> None:
    """Write the log anew, its events numbered from 1 without a gap, and list it."""
    listed = replace(Contents.read(connection) or Contents(), head=decisions.START.hex())
    connection.execute("DELETE FROM event")
    _append(connection, listed, events, after=0)
    listed.write(connection)


def values(connection: sqlite3.Connection, name: str | None = None) -> dict[str, Any]:
    """Return the plain values, or one of them, by name; those that are damaged are left out."""
    listed = Contents.read(connection)
    query, given = (f"{_VALUE} WHERE name = ?", (name,)) if name else (_VALUE, ())
    held = {}
    for key, data in connection.execute(query, given):
        line = _as_text(key)
        if line != NAME and (listed is None or listed.values.get(line) == _line(key, data)):
            with contextlib.suppress(ValueError, TypeError, RecursionError):
                held[line] = json.loads(data)
    return held


def faults(connection: sqlite3.Connection) -> list[Damage]:
    """Return which values and records are not what is listed, or are not there."""
    listed = Contents.read(connection)
    if listed is None:
        return [Damage("contents")]
    values = {_as_text(name): _line(name, data) for name, data in connection.execute(_VALUE)}
    records = {_as_text(row[0]): _record_line(*row) for row in connection.execute(_RECORD)}
    del values[NAME]
    named = [Damage("value", {"name": name}) for name in _differing(listed.values, values)]
    changed = _differing(listed.records, records)
    return named + [Damage(name if name in RECORDS else "file") for name in changed]


# as bytes: a changed bit can make UTF-8 of something else, which ends a query
_VALUE = "SELECT CAST(name AS BLOB), CAST(value AS BLOB) FROM meta"

_RECORD = "SELECT CAST(name AS BLOB), codec, size, digest FROM record"


def _differing(listed: Mapping[str, str], held: Mapping[str, str]) -> list[str]:
    return sorted(
        name for name in listed.keys() | held.keys() if listed.get(name) != held.get(name)
    )


def _line(name: str | bytes, data: str | bytes | None) -> str:
    return _sum(f"{_as_text(name)}={_as_text(data)}")


def _record_line(name: str | bytes, codec: Any, size: Any, check: Any) -> str:
    return _sum(json.dumps([_as_text(name), codec, size, _as_text(check)], default=repr))


def _as_text(data: Any) -> str:
    return data.decode("utf-8", "backslashreplace") if isinstance(data, bytes) else str(data)


def _sum(text: str) -> str:
    return digest(text.encode("utf-8", "surrogatepass")).hex()[:32]


PROJECT = Schema(
    application_id=int.from_bytes(b"LTpj", "big"),
    version=2,
    statements=(
        # one value a name, as JSON: id, name, created, changed, state ...
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
        # texts, once each, by sha-256; `size` is bytes of UTF-8
        "CREATE TABLE body (id TEXT PRIMARY KEY, codec INTEGER NOT NULL, size INTEGER NOT NULL,"
        " data BLOB NOT NULL) STRICT",
        # records: documents, settings, result; `digest` is the sha-256 of the expanded bytes
        "CREATE TABLE record (name TEXT PRIMARY KEY, codec INTEGER NOT NULL, size INTEGER NOT NULL,"
        " digest BLOB NOT NULL, data BLOB NOT NULL) STRICT",
        # which record needs which text
        "CREATE TABLE use (record TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (record, body))"
        " STRICT, WITHOUT ROWID",
        # decisions, only ever added to; `content` is JSON, `before` the `digest` of the row before,
        # `digest` that of number, `before` and `content`
        "CREATE TABLE event (seq INTEGER PRIMARY KEY, before BLOB NOT NULL, content TEXT NOT NULL,"
        " digest BLOB NOT NULL) STRICT",
        f"INSERT INTO meta VALUES ('{NAME}', '{Contents().as_value()}')",
    ),
)


# --------------------------------------------------------------------------- records


MOST_TEXT = 256 * 2**20  # bytes of one text
MOST_TEXTS = 4 * 2**30  # bytes of all texts
MOST_RECORD = 2**30 - 2**20  # bytes of one record

HELD = "SELECT id FROM body"
_BODY = (
    "INSERT INTO body (id, codec, size, data) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE"
    " SET codec = excluded.codec, size = excluded.size, data = excluded.data"
)
_STORED = "SELECT codec, size, digest, data FROM record WHERE name = ?"
_TOTAL = "SELECT coalesce(sum(size), 0) FROM body JOIN use ON body = id WHERE record = ?"
_TEXTS = "SELECT id, codec, size, data FROM body JOIN use ON body = id WHERE record = ?"


def save(
    database: Database, name: str, value: Any, notes: Mapping[str, Any], *, damaged: bool = False
) -> None:
    """Store a record in place of the one before, and plain values with it.

    Texts that no record needs any more are removed. In a `damaged` file no text is trusted that is
    there already: each is written again.
    """
    packed, texts = pack(value)
    bodies = {key: text.encode("utf-8", "surrogatepass") for key, text in texts.items()}
    largest = max(map(len, bodies.values()), default=0)
    total = sum(map(len, bodies.values()))
    if len(packed) > MOST_RECORD or largest > MOST_TEXT or total > MOST_TEXTS:
        raise StoreError("store_too_large", name=database.name)
    with database.reading() as connection:
        held = set() if damaged else {key for (key,) in connection.execute(HELD)}
    ready = [_row(key, bodies[key]) for key in bodies.keys() - held]  # compressed before writing
    codec, small = compress(packed)
    record = (name, codec, len(packed), digest(packed), small)
    with database.writing() as connection:
        connection.executemany(_BODY, ready)
        # another process may have removed what was there a moment ago
        lost = bodies.keys() - {key for (key,) in connection.execute(HELD)}
        rows = [_row(key, bodies[key]) for key in lost]
        connection.executemany("INSERT INTO body VALUES (?, ?, ?, ?)", rows)
        connection.execute("DELETE FROM use WHERE record = ?", (name,))
        connection.executemany("INSERT INTO use VALUES (?, ?)", [(name, key) for key in bodies])
        store(connection, notes, record=record)
        connection.execute("DELETE FROM body WHERE id NOT IN (SELECT body FROM use)")


def load(database: Database, name: str, kind: type[Kind]) -> Kind | None:
    """Return a record, None where there is none.

    Raises
    ------
    StoreError
        `store_unfit`, `store_damaged` or `store_too_large`.
    """
    with database.reading() as connection:
        row = connection.execute(_STORED, (name,)).fetchone()
        if row is None:
            listed = Contents.read(connection)
            if listed is not None and name in listed.records:  # a damaged page hides its row
                raise StoreError("store_damaged", name=database.name)
            return None
        if connection.execute(_TOTAL, (name,)).fetchone()[0] > MOST_TEXTS:
            raise StoreError("store_too_large", name=database.name)
        bodies = connection.execute(_TEXTS, (name,)).fetchall()
    codec, size, check, data = row
    held = {key: stored for key, *stored in bodies}

    def text_of(key: str) -> str:
        """Expand a text, and check it against its id."""
        if key not in held:
            raise StoreError("store_damaged")
        codec, size, data = held[key]
        text = expand(codec, data, size=size, most=MOST_TEXT).decode("utf-8", "surrogatepass")
        if text_id(text) != key:
            raise StoreError("store_damaged")
        return text

    try:
        packed = expand(codec, data, size=size, most=MOST_RECORD)
        if digest(packed) != check:
            raise StoreError("store_damaged")
        record: Kind = unpack(packed, kind, texts=text_of)
        return record
    except StoreError as error:
        raise StoreError(error.code, name=database.name) from error
    except (TypeError, ValueError) as error:  # a changed bit makes another type of a field
        raise StoreError("store_damaged", name=database.name) from error


def _row(key: str, body: bytes) -> tuple[str, int, int, bytes]:
    codec, data = compress(body)
    return key, codec, len(body), data


def is_sound(result: CheckResult) -> bool:
    """Return whether sizes agree and every row that is named exists."""
    n, m = len(result.documents), len(result.table)
    pairs, passages = result.table.pairs, result.passages
    names = [name for name in result.table.__dataclass_fields__ if name != "pairs"]
    beside = [getattr(result.table, name) for name in names]
    sizes = (
        (n, (result.fingerprints.words, result.fingerprints.valid, result.lengths)),
        (n, (result.total_overlap, result.identical_overlap)),
        (n, (result.division,)),
        (n if len(result.tones) else 0, (result.tones,)),
        (m, (result.table.parts,)),
        (m if len(result.table.tones) else 0, (result.table.tones,)),
        (m, (pairs.left, pairs.right, pairs.distance)),
        (m, tuple(held for held in beside if getattr(held, "ndim", 0) == 1 and len(held))),
        (len(passages), passages.columns()),
    )
    if any(len(column) != size for size, columns in sizes for column in columns):
        return False
    if result.batch_fingerprints is not None and len(result.batch_fingerprints) != n:
        return False
    if not (_below(pairs.left, n) and _below(pairs.right, n) and _below(passages.pair, m)):
        return False
    for cluster in result.clusters:
        rows = {*cluster.members, cluster.centre, *cluster.centres, *cluster.weakest[:2]}
        rows.update(row for bridge in cluster.bridges for row in bridge)
        if len(cluster.members) != len(cluster.centres) or not all(0 <= row < n for row in rows):
            return False
    if not 0 <= result.references <= n:
        return False
    if len(result.distances.counts) != result.distances.bits + 1:
        return False
    return _fits(result.variant_groups, n) and _fits(result.common, n)


def _below(rows: Any, n: int) -> bool:
    return len(rows) == 0 or bool(rows.min() >= 0 and rows.max() < n)


def _fits(groups: VariantGroups, n: int) -> bool:
    """Whether the groups cut the rows of their witnesses, and every witness is a document."""
    columns = (groups.document, groups.start, groups.end, groups.part)
    first = groups.first
    cut = len(first) > 0 and first[0] == 0 and all(len(column) == first[-1] for column in columns)
    return bool(cut) and bool((first[1:] >= first[:-1]).all()) and _below(groups.document, n)
