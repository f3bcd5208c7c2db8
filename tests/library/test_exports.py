"""An export holds everything, and what is read back from it is what was in the library."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simhash_core.errors import BadInput
from simhash_core.library.exports import MANIFEST, TEXTS, collections_of, export_library, texts_of
from simhash_core.model import Document, Note, Skipped, text_id
from simhash_core.storage.library import ADDED_KEY, COLLECTION_KEY, ROW_KEY, Library, prepare

WORDS = st.text(max_size=30)  # halves of surrogate pairs and zeros among them
NAMES = st.text(min_size=1, max_size=12)
FIELDS = st.sampled_from(["title", "author", "date", "url", "person", "group"])


@st.composite
def documents(draw: Any) -> Document:
    text = draw(st.text(min_size=1, max_size=200))
    notes = tuple(
        Note(code, {"n": draw(st.integers(0, 9))}, 0, 1)
        for code in draw(st.lists(st.sampled_from(["short", "marks"]), max_size=2))
    )
    meta = {name: value for name, value in draw(st.dictionaries(FIELDS, WORDS)).items() if value}
    return Document(text_id(text), draw(NAMES), text, "txt", "gb18030", "zh", meta, notes)


def held(library: Library) -> dict[str, list[Document]]:
    """Return the texts of each collection, without the number that each has in its library."""
    return {
        row.name: [
            replace(
                text, meta={k: v for k, v in text.meta.items() if k not in (ROW_KEY, ADDED_KEY)}
            )
            for text in library.every_document(row.name)
            if isinstance(text, Document)
        ]
        for row in library.collections()
    }


@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(content=st.dictionaries(NAMES, st.lists(documents(), max_size=6), max_size=3))
def test_export_holds_what_the_library_holds(content, tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    with Library.in_memory() as library:
        for name, texts in content.items():
            library.add_collection(name)
            library.add(name, [prepare(text) for text in texts])
        done = export_library(library, folder)
        wanted = held(library)
    read: dict[str, list[Document]] = {name: [] for name in collections_of(folder)}
    for name, text in texts_of(folder):
        read[name].append(replace(text, meta={**text.meta, COLLECTION_KEY: name}))

    assert read == wanted
    assert done.texts == sum(map(len, wanted.values()))


@pytest.fixture
def folder(tmp_path) -> Path:
    """An export of two collections."""
    with Library.in_memory() as library:
        for name, words in (("2024", "one two"), ("2025", "three four")):
            texts = [Document.from_text(f"{words} {n}", name=f"{n}.txt") for n in range(3)]
            library.add(name, [prepare(text) for text in texts])
        export_library(library, tmp_path / "out")
        export_library(library, tmp_path / "one", collections=["2025"])
    return tmp_path / "out"


def test_manifest_lists_every_row_of_all_or_some_collections(folder) -> None:
    whole, *rows = map(json.loads, (folder / MANIFEST).read_text("utf-8").splitlines())
    table = pyarrow.parquet.read_table(folder / TEXTS).to_pylist()
    assert (whole["schema"], whole["texts"]) == ("leitong.library/1", 6)
    assert whole["collections"] == ["2024", "2025"]
    assert [(row["id"], row["name"], row["collection"]) for row in rows] == [
        (row["id"], row["name"], row["collection"]) for row in table
    ]
    assert [row["row"] for row in rows] == list(range(6))
    assert collections_of(folder.parent / "one") == ["2025"]
    assert {name for name, _ in texts_of(folder.parent / "one")} == {"2025"}


def test_changed_text_is_named_and_left_out(folder):
    path = folder / TEXTS
    rows = pyarrow.parquet.read_table(path).to_pylist()
    rows[1]["text"] += " added by hand"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    read = [text for _, text in texts_of(folder)]

    assert [type(text) for text in read].count(Document) == 5
    assert isinstance(read[1], Skipped)
    assert (read[1].name, read[1].code) == ("1.txt", "damaged")


def test_folder_that_holds_anything_is_not_written_to(folder):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with Library.in_memory() as library, pytest.raises(BadInput, match="export_exists"):
        export_library(library, folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("first", ["{}", '{"schema": "leitong.library/9"}', "no json", ""])
def test_other_folder_is_no_export(first, folder):
    (folder / MANIFEST).write_text(first, "utf-8")

    with pytest.raises(BadInput, match="export_foreign"):
        list(texts_of(folder))
