"""What a server adds: addresses, turns of writers, and libraries that are not there."""

from __future__ import annotations

import threading

import pytest
from library_texts import texts
from postgres_server import without_library

from simhash_core.errors import StoreError
from simhash_core.storage.library import Library
from simhash_core.storage.library.store import is_server
from simhash_core.storage.library.tables import COLUMNS, LIBRARY
from simhash_core.storage.library.view import View


@pytest.fixture
def empty(postgres):
    """Return the address of a server without a library."""
    return without_library(postgres)


def test_addresses_of_servers_are_recognised():
    assert is_server("postgresql://a@b/c") and is_server("postgres://a@b/c")
    assert not is_server("folder/postgresql.library")


def test_server_without_a_library_is_missing_one(empty):
    with pytest.raises(StoreError, match="store_missing"):
        Library.open(empty, owner="editor")
    with Library.open(empty, owner="editor", create=True) as library:
        assert library.stats().place == "server" and library.store.path is None
    with Library.open(empty.replace("postgresql", "postgres"), owner="editor") as library:
        assert library.rows() == []


def test_team_shares_its_collections_and_nothing_else(empty):
    def opened(owner, team=""):
        return Library.open(f"{empty}{team}", owner=owner, create=True)

    with opened("a", "?team=history") as a, opened("b", "?team=history") as b, opened("a") as alone:
        keys = [one.key for one in a.add("2025", texts(3))]
        alone.add("drafts", texts(1, seed=1))

        assert [row.key for row in b.rows()] == keys and b.documents(keys) == a.documents(keys)
        assert [row.collection for row in alone.rows()] == ["drafts"]
    with opened("a", "?team=law") as other, opened("team history") as pretending:
        assert other.rows() == []
        assert pretending.rows() == []


def test_later_version_is_refused(empty):
    from simhash_core.storage.library.postgres import PostgresStore

    with Library.open(empty, owner="editor", create=True) as library:
        library.add("essays", texts(3))
    store = PostgresStore.open(empty)
    with store.writing() as session:
        View(session, "").put("schema_version", LIBRARY.version + 1)
    store.close()

    with pytest.raises(StoreError, match="store_newer"):
        Library.open(empty, owner="editor")


def test_nobody_there_is_said_without_the_password():
    with pytest.raises(StoreError, match="store_unreachable") as caught:
        Library.open("postgresql://tests:secret@127.0.0.1:1/none", owner="editor")
    assert "secret" not in str(caught.value.params) and "none" in str(caught.value.params["name"])


def test_columns_are_those_of_the_tables(empty):
    from simhash_core.storage.library.postgres import PostgresStore

    store = PostgresStore.open(empty, create=True)
    with store.reading() as session:
        for table, columns in COLUMNS.items():
            rows = session.rows(
                "SELECT column_name FROM information_schema.columns WHERE table_schema = 'leitong'"
                " AND table_name = :table ORDER BY ordinal_position",
                table=table,
            )
            assert tuple(name for (name,) in rows) == columns
    store.close()


@pytest.mark.long
def test_keys_become_visible_in_their_order(empty):
    """Four writers, and a reader that asks for what is newer: it misses none."""
    with Library.open(empty, owner="editor", create=True) as library:
        done, seen = threading.Event(), []

        def read():
            while not done.is_set() or (seen and library.newest() > seen[-1]):
                seen.extend(library.keys(after=seen[-1] if seen else 0).tolist())

        def write(seed):
            for part in range(5):
                library.add("essays", texts(10, seed=100 * seed + part, words=10))

        reader = threading.Thread(target=read)
        writers = [threading.Thread(target=write, args=(seed,)) for seed in range(4)]
        for thread in (reader, *writers):
            thread.start()
        for thread in writers:
            thread.join()
        done.set()
        reader.join()

        assert seen == library.keys().tolist() and len(seen) == 200
        assert list(library.verify()) == []
