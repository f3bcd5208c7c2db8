"""What a project file must hold, and its tables: one row of `meta` lists everything else.

SQLite has no check sums, and a row that is gone leaves no trace. So the row `contents` names every
other row of `meta` and every record with a check sum, and the number and check sum of the last
event. It changes in the transaction that changes what it lists, and has a check sum of its own. A
later write never mends what was damaged: only the lines of what it wrote change.

A released step of the tables is never edited; the next one is added.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from . import decisions
from .compression import digest
from .database import Schema
from .decisions import Event

NAME = "contents"
RECORDS = ("documents", "settings", "result")

#: name, codec, size, check sum of the expanded bytes, bytes
Record = tuple[str, int, int, bytes, bytes]

_FIRST = (
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
    # decisions, only ever added to; `content` is JSON, `digest` its sha-256
    "CREATE TABLE event (seq INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL,"
    " digest BLOB NOT NULL) STRICT",
)


@dataclass(frozen=True, slots=True)
class Damage:
    """One thing in a project file that is not as it was written.

    `code` is `file`, `contents`, `value` (with its `name`), one of `RECORDS`, `events` (all of
    them), `event` (with its `number`) or `missing` (`first` to `last` number of events).
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
        listed = asdict(self)
        value = json.dumps([_sum(json.dumps(listed)), listed])
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (NAME, value))


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
        _append(connection, now, added)
    if listed is not None:  # a list that is lost stays lost: what it named cannot be known
        now.write(connection)


def _append(connection: sqlite3.Connection, listed: Contents, added: Sequence[Event]) -> None:
    """Add events behind the last, each with the check sum of the one before.

    That one is as it was listed: where the row has another by now, the chain shows it.
    """
    (latest,) = connection.execute("SELECT coalesce(max(seq), 0) FROM event").fetchone()
    seq, before = max(latest, listed.last), bytes.fromhex(listed.head)
    for event in added:
        seq += 1
        row = decisions.write(event, seq, before)
        connection.execute("INSERT INTO event VALUES (?, ?, ?, ?)", row)
        before = row[-1]
    listed.last, listed.head = seq, before.hex()


def begin(connection: sqlite3.Connection, *, last: int, head: bytes) -> None:
    """List what a file holds that has no list yet."""
    listed = Contents(last=last, head=head.hex())
    listed.values = {_as_text(name): _line(name, data) for name, data in connection.execute(_VALUE)}
    listed.records = {_as_text(row[0]): _record_line(*row) for row in connection.execute(_RECORD)}
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
    """Return the names whose lines are not the same on both sides."""
    return sorted(
        name for name in listed.keys() | held.keys() if listed.get(name) != held.get(name)
    )


def _line(name: str | bytes, data: str | bytes | None) -> str:
    return _sum(f"{_as_text(name)}={_as_text(data)}")


def _record_line(name: str | bytes, codec: Any, size: Any, check: Any) -> str:
    return _sum(json.dumps([_as_text(name), codec, size, _as_text(check)], default=repr))


def _as_text(data: Any) -> str:
    """Return what a column holds, each value as another text."""
    return data.decode("utf-8", "backslashreplace") if isinstance(data, bytes) else str(data)


def _sum(text: str) -> str:
    return digest(text.encode("utf-8", "surrogatepass")).hex()[:32]


def _chain(connection: sqlite3.Connection) -> None:
    """Link the events of version 1, and list what the file holds.

    A row whose check sum did not fit stays as it is, so that its new one does not fit either; what
    was deleted leaves its number unused, the last number included.
    """
    before = decisions.START
    numbered = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'event_1'")
    last = max((seq for (seq,) in numbered), default=0)
    query = "SELECT seq, CAST(content AS BLOB), digest FROM event_1 ORDER BY seq"
    for seq, content, check in connection.execute(query).fetchall():
        data = content or b""
        held = check if isinstance(check, bytes) else b""
        if digest(data) == check:
            held = decisions.link(seq, before, data)
        row = (seq, before, data.decode("utf-8", "backslashreplace"), held)
        connection.execute("INSERT INTO event VALUES (?, ?, ?, ?)", row)
        before, last = held, max(last, seq)
    begin(connection, last=last, head=before)


_SECOND = (
    # a program of version 1 that has the file open adds nothing here: `before` has no default
    "ALTER TABLE event RENAME TO event_1",
    # `before` is the `digest` of the row before, `digest` that of number, `before` and `content`
    "CREATE TABLE event (seq INTEGER PRIMARY KEY, before BLOB NOT NULL, content TEXT NOT NULL,"
    " digest BLOB NOT NULL) STRICT",
    _chain,
    "DROP TABLE event_1",
)


PROJECT = Schema(application_id=int.from_bytes(b"LTpj", "big"), steps=(_FIRST, _SECOND))
