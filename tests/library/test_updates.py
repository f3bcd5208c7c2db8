"""A folder against what a collection has of it: new, changed, renamed, gone, described anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from prose import english

from simhash_core.errors import Cancelled
from simhash_core.library import Reading, update_sources
from simhash_core.library.tables import details_of
from simhash_core.storage.library import Library


@pytest.fixture
def folder(tmp_path) -> Path:
    """Four texts that are in the collection already."""
    folder = tmp_path / "press"
    folder.mkdir()
    for n in range(4):
        write(folder, f"{n}.txt", n)
    return folder


def write(folder: Path, name: str, seed: int) -> None:
    (folder / name).write_text(english(seed, 150), "utf-8")


def names(library: Library) -> list[str]:
    return sorted(row.name for row in library.rows())


def test_a_second_update_changes_nothing_and_other_collections_stay_as_they_are(library, folder):
    first = update_sources(library, "press", [folder])
    before = library.rows()
    again = update_sources(library, "press", [folder])

    assert (first.imported.added, again.imported.added, again.imported.present) == (4, 0, 4)
    assert (again.changed, again.renamed, again.described, again.gone) == (0, 0, 0, ())
    assert library.rows() == before

    update_sources(library, "other", [folder])
    (folder / "0.txt").unlink()
    update_sources(library, "press", [folder], remove_gone=True)

    assert len(library.rows(collection="press")) == 3
    assert len(library.rows(collection="other")) == 4


def test_what_is_new_changed_renamed_and_gone_is_told_apart(library, folder):
    update_sources(library, "press", [folder])
    kept = {row.name: row.key for row in library.rows()}
    write(folder, "1.txt", 11)  # changed
    (folder / "2.txt").rename(folder / "two.txt")  # renamed
    (folder / "3.txt").unlink()  # gone
    write(folder, "new.txt", 12)
    done = update_sources(library, "press", [folder])

    assert (done.imported.added, done.imported.present) == (2, 2)
    assert (done.changed, done.renamed, done.gone, done.removed) == (1, 1, ("3.txt",), 0)
    assert names(library) == ["0.txt", "1.txt", "3.txt", "new.txt", "two.txt"]
    rows = {row.name: row.key for row in library.rows()}
    assert rows["two.txt"] == kept["2.txt"]
    assert rows["1.txt"] != kept["1.txt"]
    (text,) = library.documents([rows["1.txt"]])
    assert text.text == english(11, 150)

    gone = update_sources(library, "press", [folder], remove_gone=True)
    assert (gone.gone, gone.removed) == (("3.txt",), 1)
    assert names(library) == ["0.txt", "1.txt", "new.txt", "two.txt"]
    assert list(library.verify()) == []


def test_two_names_that_change_places_lose_nothing(library, folder):
    update_sources(library, "press", [folder])
    (folder / "0.txt").rename(folder / "x")
    (folder / "1.txt").rename(folder / "0.txt")
    (folder / "x").rename(folder / "1.txt")
    done = update_sources(library, "press", [folder], remove_gone=True)

    assert (done.imported.added, done.changed, done.renamed, done.gone) == (0, 0, 2, ())
    held = {one.name: one.text for one in library.documents(library.keys().tolist())}
    assert held["0.txt"] == english(1, 150)
    assert held["1.txt"] == english(0, 150)


def test_a_file_that_cannot_be_read_and_an_empty_folder_take_nothing_out(library, folder):
    update_sources(library, "press", [folder])
    (folder / "1.txt").write_text("")
    unread = update_sources(library, "press", [folder], remove_gone=True)
    assert (unread.gone, unread.changed, len(names(library))) == ((), 0, 4)

    for path in folder.iterdir():
        path.unlink()
    empty = update_sources(library, "press", [folder], remove_gone=True)
    assert (empty.gone, empty.removed, len(names(library))) == ((), 0, 4)


def test_a_table_says_other_things_of_texts_that_are_there(library, folder, tmp_path):
    update_sources(library, "press", [folder])
    table = tmp_path / "table.csv"
    table.write_text("name,title,date,class\n0.txt,Flood,2024-05-01,3B\n1,Storm,,\n", "utf-8")
    reading = Reading(details=details_of(table))
    done = update_sources(library, "press", [folder], reading=reading)
    again = update_sources(library, "press", [folder], reading=reading)
    rows = {row.name: row for row in library.rows()}

    assert (done.described, again.described) == (2, 0)
    assert (rows["0.txt"].title, rows["0.txt"].date, rows["1.txt"].title) == (
        *("Flood", "2024-05-01"),
        "Storm",
    )
    (document,) = library.documents([rows["0.txt"].key])
    assert (document.meta["date"], document.meta["date_from"]) == ("2024-05-01", "table")
    assert document.meta["class_name"] == "3B"
    assert [row.name for row in library.rows(words="flood")] == ["0.txt"]
    update_sources(library, "press", [folder])
    assert {row.name: row for row in library.rows()} == rows, (
        "without a table nothing is taken away"
    )


def test_a_stopped_update_takes_nothing_out(library, folder):
    update_sources(library, "press", [folder])
    write(folder, "0.txt", 21)

    def stop(stage, done, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        update_sources(library, "press", [folder], remove_gone=True, progress=stop)
    assert {row.name for row in library.rows()} >= {f"{n}.txt" for n in range(4)}
    assert update_sources(library, "press", [folder]).changed == 1
