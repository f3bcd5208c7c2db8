"""Libraries that are stored open; those of other versions are refused as they are."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from pathlib import Path

import pytest
from library_texts import texts

from simhash_core.errors import StoreError
from simhash_core.storage.library import Library
from simhash_core.storage.library.tables import COLUMNS, LIBRARY

STORED = Path(__file__).parent / "stored"


def test_library_that_is_stored_opens(tmp_path):
    """The file holds `texts(5)` of the owner "editor"."""
    path = tmp_path / "texts.library"
    shutil.copy(STORED / "1.library", path)
    with Library.open(path, owner="editor") as library:
        assert [d.text for d in library.every_document()] == [t.document.text for t in texts(5)]
        assert library.recipe == "r" and len(library.fingerprints()[0]) == 5
        assert list(library.verify()) == [] and library.stats().version == LIBRARY.version


def test_library_with_an_import_opens(tmp_path):
    shutil.copy(STORED / "import.library", tmp_path / "texts.library")
    with Library.open(tmp_path / "texts.library", owner="editor") as library:
        assert [row.texts for row in library.collections()] == [9, 5]
        assert list(library.verify()) == []
        assert [item.state for item in library.jobs.items(1)] == ["added"] * 10 + [
            "skipped",
            "waiting",
        ]


@pytest.mark.parametrize(("version", "code"), [(0, "store_version"), (2, "store_newer")])
def test_library_of_another_version_is_refused_as_it_is(tmp_path, version, code):
    path = tmp_path / "texts.library"
    shutil.copy(STORED / "1.library", path)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version={version}")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=code):
        Library.open(path, owner="editor")
    assert path.read_bytes() == before


def test_columns_are_those_of_the_tables(library):
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        for statement in LIBRARY.statements:
            connection.execute(statement)
        for table, columns in COLUMNS.items():
            rows = connection.execute(f"PRAGMA table_info({table})").fetchall()
            assert tuple(row[1] for row in rows) == columns
