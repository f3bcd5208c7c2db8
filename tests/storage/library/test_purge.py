"""A purged text is in no file any more: not raw, not compressed, not in a backup."""

from __future__ import annotations

import zlib

import pytest
from library_texts import Given, text, texts

from simhash_core.errors import StoreError
from simhash_core.storage.library import Library

SECRET = " ".join(f"confidential{n} sentence{n * 7}" for n in range(120))
SHORT = "a secret too short to compress"


def traces(path, given: Given) -> list[str]:
    """Return what is left of a text in the files beside a library."""
    words = given.document.text
    raw = words.encode()
    counts = "\n".join(given.counted.tokens).encode()
    needles = {
        "text": raw[:40],
        "end": raw[-40:],
        "compressed": zlib.compress(raw, 6)[20:60],
        "counts": counts[:40],
        "packed counts": zlib.compress(counts, 6)[20:60],
        "name": given.document.name.encode(),
        "sha-256": bytes.fromhex(given.document.id),
    }
    left = []
    for item in path.parent.rglob("*"):
        data = item.read_bytes() if item.is_file() else b""
        left += [f"{item.name}: {what}" for what, part in needles.items() if part and part in data]
    return left


@pytest.fixture
def secrets(tmp_path):
    path = tmp_path / "texts.library"
    given = [
        text(SECRET, name="Wu Qiang, confidential.txt", author="吴强"),
        text(SHORT, name="short, confidential.txt"),
    ]
    with Library.open(path, owner="editor", create=True) as library:
        job = library.jobs.start("essays", [one.document.name for one in given])
        library.add("essays", texts(200, words=30))
        keys = [one.key for one in library.add("essays", given, job=job, items=[1, 2])]
        library.add("essays", texts(200, seed=1, words=300))
        yield path, library, keys, given


@pytest.mark.long
def test_traces_are_there_before(secrets):
    path, library, keys, given = secrets
    assert traces(path, given[0]) and traces(path, given[1])
    library.remove(keys)
    assert traces(path, given[0]) and traces(path, given[1])


@pytest.mark.long
def test_purge_leaves_no_trace(secrets):
    path, library, keys, given = secrets
    before = len(library.rows())
    purged = library.purge(keys)

    assert (purged.texts, purged.shared, purged.unreached) == (2, 0, ())
    assert traces(path, given[0]) == [] == traces(path, given[1])
    assert len(library.rows()) == before - 2 and library.removed()[1] == keys
    assert list(library.verify()) == [] and len(list(library.every_document())) == before - 2
    assert library.jobs.items(library.jobs.listed()[0].id) == []
    with Library.open(path, owner="editor") as again:
        assert len(again.rows()) == before - 2
    assert traces(path, given[0]) == []


@pytest.mark.long
def test_purge_of_what_was_removed_long_ago(secrets):
    path, library, keys, given = secrets
    library.remove(keys)
    library.add("essays", texts(300, seed=2, words=40))
    with Library.open(path, owner="editor") as other:
        assert other.purge().texts == 2

    assert traces(path, given[0]) == [] == traces(path, given[1])
    assert library.stats().removed == 0 and library.purge().texts == 0


@pytest.mark.long
def test_purge_reaches_the_backups(secrets, tmp_path):
    path, library, keys, given = secrets
    (tmp_path / "safe").mkdir()
    for name in ("one", "two", "gone"):
        library.backup(tmp_path / "safe" / name)
    (tmp_path / "safe" / "gone").unlink()
    with Library.open(tmp_path / "elsewhere", owner="editor", create=True) as other:
        other.add("x", texts(500, seed=9))
    (tmp_path / "elsewhere").replace(tmp_path / "safe" / "two")

    purged = library.purge(keys)
    assert sorted(item.name for item in purged.backups) == ["one"]
    assert sorted(item.name for item in purged.unreached) == ["gone", "two"]
    assert traces(path, given[0]) == []
    with Library.open(tmp_path / "safe" / "one", owner="editor") as backup:
        assert len(backup.rows()) == len(library.rows()) and list(backup.verify()) == []
    with Library.open(tmp_path / "safe" / "two", owner="editor") as replaced:
        assert len(replaced.rows()) == 500


def test_text_of_another_collection_stays_for_it(library):
    (one,), (two,) = library.add("a", [text(SECRET)]), library.add("b", [text(SECRET)])
    purged = library.purge([one.key])

    assert (purged.texts, purged.shared) == (1, 1)
    assert [document.text for document in library.documents([one.key, two.key])] == [SECRET]
    assert library.purge([two.key]).shared == 0 and library.rows() == []


def test_backup_is_the_library(library, tmp_path):
    keys = [one.key for one in library.add("essays", texts(30))]
    library.set_recipe("r")
    library.freeze_statistics()
    library.jobs.start("essays", ["a"])
    library.remove(keys[:1])
    library.backup(tmp_path / "copy")

    with Library.open(tmp_path / "copy", owner="editor") as copy:
        assert copy.rows() == library.rows() and copy.documents(keys) == library.documents(keys)
        assert copy.fingerprints()[1].tolist() == library.fingerprints()[1].tolist()
        assert copy.jobs.listed() == library.jobs.listed() and copy.removed() == library.removed()
        assert copy.recipe == "r" and copy.statistics.stats.n == 30
        assert copy.newest() == library.newest() and list(copy.verify()) == []
    with pytest.raises(StoreError, match="store_exists"):
        library.backup(tmp_path / "copy")
