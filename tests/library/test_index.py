"""The index follows its library, on disk, and is made again where it is broken."""

import os
import sys
import threading
from itertools import pairwise

import numpy as np
import pytest

from simhash_core import Document
from simhash_core.errors import Cancelled
from simhash_core.library import index as room
from simhash_core.library.index import LibraryIndex, forget_removed, update_index
from simhash_core.settings import Settings
from simhash_core.storage.library import Library, prepare
from tests.library_texts import opened_index
from tests.prose import chinese, english

TEXTS = [
    *(Document.from_text(english(seed, 120), name=f"{seed}.txt") for seed in range(9)),
    *(Document.from_text(chinese(seed, 200), name=f"中{seed}.txt") for seed in range(4)),
]


def add(library, documents, collection="2025"):
    return [one.key for one in library.add(collection, [prepare(one) for one in documents])]


def arrays(index, collections=None):
    """Everything that is searched, as if it were one segment."""
    segments = index.archive(collections).segments
    whole = segments[0]
    for one in segments[1:]:
        whole = whole.merged(one)
    return whole.to_arrays()


def assert_same(first, second):
    assert first.keys() == second.keys()
    for name in first:
        np.testing.assert_array_equal(first[name], second[name], name)


def test_texts_are_searched_as_soon_as_they_are_added(library, tmp_path):
    add(library, TEXTS[:5])
    index = opened_index(library)
    for one in TEXTS[5:]:
        add(library, [one], "2026")

        assert index.refresh() == 1

    assert index.refresh() == 0
    assert len(index.archive()) == len(TEXTS)
    assert len(index.archive(["2026"])) == len(TEXTS) - 5
    afresh = opened_index(library, folder=tmp_path / "other")
    assert len(afresh.folder.manifest().segments) == 1
    assert_same(arrays(index), arrays(afresh))
    assert_same(arrays(opened_index(library)), arrays(afresh))


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files are another thing there")
def test_nobody_else_can_read_the_index(library, tmp_path):
    add(library, TEXTS)
    old = os.umask(0)
    try:
        update_index(library, settings=Settings())
    finally:
        os.umask(old)
    made = [path for path in tmp_path.rglob("*") if not path.name.startswith("texts.library-")]

    assert len(made) > 5
    assert [path.name for path in made if path.stat().st_mode & 0o077] == []


@pytest.mark.long
def test_few_segments_are_open_however_texts_arrive(library):
    index = opened_index(library)
    for number in range(40):
        add(library, [Document.from_text(english(100 + number, 60))])
        index.refresh()

    sizes = [entry.tokens for entry in index.folder.manifest().segments]
    assert len(sizes) <= 5
    assert all(one >= 4 * other for one, other in pairwise(sizes))
    folders = [path for path in index.folder.path.iterdir() if path.is_dir()]
    assert len(folders) == len(sizes)


def test_removed_texts_are_not_searched_and_can_be_forgotten(library):
    keys = add(library, TEXTS)
    index = opened_index(library)
    library.remove(keys[2:4])

    assert len(index.archive()) == len(TEXTS) - 2
    assert forget_removed(index.library, index.folder) == 2
    assert [key for one in index.archive().segments for key in one.key.tolist()] == [
        *keys[:2],
        *keys[4:],
    ]
    assert forget_removed(index.library, index.folder) == 0


@pytest.mark.parametrize("harm", ["gone", "cut", "changed", "manifest"])
def test_what_is_broken_is_made_again(library, harm):
    add(library, TEXTS)
    whole = arrays(opened_index(library))
    index = opened_index(library)
    (entry,) = index.folder.manifest().segments
    file = index.folder.path / entry.name / "zh.data.npy"
    if harm == "gone":
        file.unlink()
    elif harm == "cut":
        file.write_bytes(file.read_bytes()[:-3])
    elif harm == "changed":
        data = bytearray(file.read_bytes())
        data[-2] ^= 1
        file.write_bytes(bytes(data))
    else:
        (index.folder.path / "manifest.json").write_text("{", "utf-8")

    assert_same(arrays(opened_index(library)), whole)


def test_verify_finds_what_opening_does_not_read(library, monkeypatch):
    add(library, TEXTS)
    whole = arrays(opened_index(library))
    monkeypatch.setattr("simhash_core.library.folder.MAPPED_FROM", 0)  # everything is mapped
    index = opened_index(library)
    (entry,) = index.folder.manifest().segments
    file = index.folder.path / entry.name / "en.data.npy"
    data = bytearray(file.read_bytes())
    data[-2] ^= 1
    file.write_bytes(bytes(data))
    index.archive()

    assert index.verify() == [entry.name]
    assert index.verify() == []
    assert_same(arrays(opened_index(library)), whole)


def test_update_takes_up_and_merges_everything(library, monkeypatch):
    monkeypatch.setattr(room, "BATCH_TEXTS", 4)
    monkeypatch.setattr(room, "SMALL_TEXTS", 0)
    add(library, TEXTS[:5])
    opened_index(library)
    add(library, TEXTS[5:])

    assert update_index(library) == len(TEXTS) - 5

    sizes = [entry.tokens for entry in opened_index(library).folder.manifest().segments]
    assert all(one >= 4 * other for one, other in pairwise(sizes))
    assert update_index(library) == 0


def test_owners_and_settings_of_another_shape_have_indexes_of_their_own(library, tmp_path) -> None:
    add(library, TEXTS[:3])
    opened_index(library)
    with Library.open(tmp_path / "texts.library", owner="b") as other:
        add(other, TEXTS[3:5])

        assert opened_index(other).archive().key.tolist() == other.keys().tolist()
        assert len(opened_index(library).archive()) == 3
    narrow = opened_index(library, settings=Settings(bits=64))
    assert narrow.archive().segments[0].words.shape == (3, 1)
    assert opened_index(library).archive().segments[0].words.shape == (3, 4)


@pytest.mark.long
def test_readers_see_whole_segments_while_others_write(library, monkeypatch):
    monkeypatch.setattr(room, "SMALL_TEXTS", 3)
    add(library, TEXTS[:2])
    reader, writer, faults = opened_index(library), opened_index(library), []

    def read():
        while not done.is_set():
            held = len(reader.archive())
            if held < 2:
                faults.append(held)

    done = threading.Event()
    thread = threading.Thread(target=read)
    thread.start()
    for one in TEXTS[2:]:
        add(library, [one])
        writer.refresh()
        writer.tidy()
    done.set()
    thread.join()

    assert not faults
    assert len(reader.archive()) == len(TEXTS)


def test_one_that_waits_for_another_says_so_and_may_stop(library, monkeypatch):
    monkeypatch.setattr("simhash_core.library.folder.WAIT", 0.01)
    add(library, TEXTS[:3])
    index, told = opened_index(library), []
    add(library, TEXTS[3:])

    def stop(stage, done, total):
        told.append((stage, done, total))
        raise Cancelled

    with index.folder.writing(), pytest.raises(Cancelled):
        LibraryIndex(library, settings=Settings()).refresh(stop)

    assert told == [("index", 3, len(TEXTS))]
    assert index.refresh() == len(TEXTS) - 3


def test_index_of_a_library_in_memory_leaves_nothing():
    library = Library.in_memory()
    add(library, TEXTS[:3])

    index = opened_index(library)

    assert len(index.archive()) == 3
    assert index.folder.path.exists()
    place = index.folder.path
    del index
    assert not place.exists()


def test_index_of_a_library_that_was_deleted_is_not_taken_for_that_of_a_new_one(tmp_path):
    path = tmp_path / "texts.library"
    for name, texts in (("first", TEXTS[:5]), ("second", TEXTS[5:10])):
        with Library.open(path, owner="editor", create=True) as library:
            add(library, texts, name)

            index = opened_index(library)

            afresh = opened_index(library, folder=tmp_path / name)
            assert_same(arrays(index), arrays(afresh))
        for file in tmp_path.glob("texts.library*"):
            if file.is_file():
                file.unlink()
