"""Damage: every changed byte of a text is noticed, the text is named, all others are read."""

from __future__ import annotations

import contextlib
import random
import sqlite3

import pytest
from library_texts import texts

from simhash_core.storage.library import Fault, Library
from simhash_core.storage.library.tables import COLUMNS

OWNER = "editor"


@pytest.fixture
def filled(tmp_path):
    path = tmp_path / "texts.library"
    with Library.open(path, owner=OWNER, create=True) as library:
        library.add("essays", texts(60))
        library.freeze_statistics()
        job = library.jobs.start("essays", ["a", "b"])
        library.add("more", texts(1, seed=3), job=job, items=[1])
        library.remove([5])
    return path


def verified(path) -> list[Fault]:
    with Library.open(path, owner=OWNER) as library:
        return list(library.verify())


def changed(path, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("UPDATE document SET author = 'x' WHERE key = 7", Fault(7, "0006.txt", "row")),
        ("UPDATE document SET added = added + 1 WHERE key = 7", Fault(7, "0006.txt", "row")),
        ("UPDATE document SET removed = 9 WHERE key = 7", Fault(7, "0006.txt", "row")),
        ("UPDATE document SET collection = 2 WHERE key = 7", Fault(7, "0006.txt", "row")),
        ("UPDATE body SET data = x'789c00' WHERE key = 7", Fault(7, "0006.txt", "text")),
        ("UPDATE body SET size = size + 1 WHERE key = 7", Fault(7, "0006.txt", "text")),
        ("UPDATE body SET codec = 7 WHERE key = 7", Fault(7, "0006.txt", "text")),
        ("DELETE FROM body WHERE key = 7", Fault(7, "0006.txt", "text")),
        ("UPDATE counts SET data = x'00' WHERE key = 7", Fault(7, "0006.txt", "counts")),
        ("DELETE FROM counts WHERE key = 7", Fault(7, "0006.txt", "counts")),
        ("DELETE FROM fingerprint WHERE key = 7", Fault(7, "0006.txt", "fingerprint")),
        ("UPDATE fingerprint SET words = x'00' WHERE key = 7", Fault(7, "0006.txt", "fingerprint")),
        ("UPDATE collection SET name = 'x' WHERE id = 1", Fault(0, "x", "collection")),
        ("UPDATE meta SET value = '\"x\"' WHERE name = 'id'", Fault(0, "", "meta")),
        ("UPDATE removal SET key = 6", Fault(0, "", "removal")),
        ("UPDATE statistics SET texts = 6", Fault(0, "", "statistics")),
        ("UPDATE job SET collection = 'x'", Fault(0, "", "job")),
        ("UPDATE item SET name = 'x'", Fault(0, "", "item")),
        ("UPDATE outcome SET state = 'skipped'", Fault(0, "", "outcome")),
    ],
)
def test_changed_field_is_noticed(filled, statement, fault):
    changed(filled, statement)
    assert verified(filled) == [fault]


@pytest.mark.parametrize("table", ["collection", "document", "body", "counts", "fingerprint"])
def test_string_that_became_bytes_is_noticed(filled, table):
    """One bit of a record's header makes another type of a field."""
    with contextlib.closing(sqlite3.connect(filled)) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute(
            "UPDATE sqlite_master SET sql = replace(sql, ' STRICT', '') WHERE name = ?", (table,)
        )
        connection.commit()
    before, row = filled.read_bytes(), 1 if table == "collection" else 2
    for column in COLUMNS[table][1:]:
        other = "TEXT" if column in ("text", "data", "words", "digest") else "BLOB"
        change = f"{column} = CAST({column} AS {other})"
        changed(filled, f"UPDATE {table} SET {change} WHERE rowid = {row}")
        assert verified(filled), column
        with Library.open(filled, owner=OWNER) as library:
            assert len(list(library.every_document())) >= 59
        filled.write_bytes(before)


def test_what_is_whole_is_read_past_the_damage(filled):
    changed(filled, "UPDATE body SET data = x'00' WHERE key = 7")
    changed(filled, "UPDATE document SET author = 'x' WHERE key = 9")
    with Library.open(filled, owner=OWNER) as library:
        held = list(library.every_document())

    assert len(held) == 60
    assert [one for one in held if isinstance(one, Fault)] == [
        Fault(7, "0006.txt", "text"),
        Fault(9, "0008.txt", "row"),
    ]


@pytest.mark.parametrize("seed", range(12))
def test_page_that_is_lost_takes_its_own_texts_alone(filled, seed):
    with Library.open(filled, owner=OWNER) as library:
        before = {document.meta["archive_key"]: document for document in library.every_document()}
    data = bytearray(filled.read_bytes())
    pages = len(data) // 4096
    page = random.Random(seed).sample(range(1, pages), 12)[seed]
    data[page * 4096 : page * 4096 + 4096] = bytes([0xA5]) * 4096
    filled.write_bytes(data)

    with Library.open(filled, owner=OWNER) as library:
        named = {fault.key for fault in library.verify()}
        after = {
            one.meta["archive_key"]: one
            for one in library.every_document()
            if not isinstance(one, Fault)
        }
    assert named
    lost = before.keys() - after.keys()
    assert {int(key) for key in lost} <= named
    assert all(after[key] == before[key] for key in after)
