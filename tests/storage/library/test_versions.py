"""Libraries of released versions open; those of later versions are refused as they are."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from pathlib import Path

import pytest
from library_texts import texts

from simhash_core.errors import StoreError
from simhash_core.storage.database import Database, Schema
from simhash_core.storage.library import Library
from simhash_core.storage.library.tables import COLUMNS, LIBRARY, SqliteStore

RELEASED = Path(__file__).parent / "released"


@pytest.mark.parametrize("version", range(1, LIBRARY.version + 1))
def test_library_of_every_released_version_opens(tmp_path, version):
    """Each file was written by its version: `texts(5)` of the owner "editor"."""
    path = tmp_path / "texts.library"
    shutil.copy(RELEASED / f"{version}.library", path)
    with Library.open(path, owner="editor") as library:
        assert [d.text for d in library.every_document()] == [t.document.text for t in texts(5)]
        assert library.recipe == "r" and len(library.fingerprints()[0]) == 5
        assert list(library.verify()) == [] and library.stats().version == LIBRARY.version


def test_older_library_goes_forward_after_a_copy(tmp_path):
    path = tmp_path / "texts.library"
    shutil.copy(RELEASED / "1.library", path)
    later = Schema(LIBRARY.application_id, (*LIBRARY.steps, ("CREATE TABLE later (n INTEGER)",)))
    with Library(SqliteStore(Database.open(path, later)), owner="editor") as library:
        assert len(library.rows()) == 5

    copy = path.with_name(f"{path.name}.version-{LIBRARY.version}")
    with Library.open(copy, owner="editor") as before:
        assert len(before.rows()) == 5
    changed = path.read_bytes()
    with pytest.raises(StoreError, match="store_newer"):
        Library.open(path, owner="editor")
    assert path.read_bytes() == changed


def test_columns_are_those_of_the_tables(library):
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        for step in LIBRARY.steps:
            for statement in step:
                connection.execute(statement)
        for table, columns in COLUMNS.items():
            rows = connection.execute(f"PRAGMA table_info({table})").fetchall()
            assert tuple(row[1] for row in rows) == columns
