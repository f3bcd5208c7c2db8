"""Imports: files and documents become texts of a library, once each, whatever stops them."""

from __future__ import annotations

import bz2
import gzip
import json
from dataclasses import asdict, replace
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
from prose import chinese, english

from simhash_core import Document, Settings, check
from simhash_core.errors import BadInput, Cancelled, RecipeMismatch, StoreError
from simhash_core.library import (
    Reading,
    import_documents,
    import_paths,
    import_sources,
    imports,
    is_running,
    preparing,
    reindex,
    resume,
)
from simhash_core.library.tables import details_of
from simhash_core.model import Skipped, text_id
from simhash_core.storage.database import Database
from simhash_core.storage.library import Library


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "essays"
    folder.mkdir()
    for n in range(6):
        (folder / f"{n}.txt").write_text(english(n, 200) if n % 2 else chinese(n, 300), "utf-8")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    (folder / "empty.txt").write_text("")
    return folder


def stopping(stage, done, total):
    """Stop an import at its first step."""
    raise Cancelled


def test_a_folder_becomes_a_collection_once_with_the_fingerprints_of_a_check(library, folder):
    imported = import_sources(library, "essays", [folder])
    assert (imported.added, imported.present) == (6, 0)
    assert sorted((row.name, row.code) for row in imported.skipped) == [
        ("broken.pdf", "damaged"),
        ("empty.txt", "empty"),
    ]
    assert [row.name for row in library.rows()] == [f"{n}.txt" for n in range(6)]
    assert {row.language for row in library.rows()} == {"zh", "en"}
    (job,) = library.jobs.listed()
    assert (job.state, job.items, job.skipped, job.waiting) == ("done", 8, 2, 0)
    assert list(library.verify()) == []

    import_sources(library, "essays", [folder])
    keys, words = library.fingerprints()
    result = check(library.documents(keys.tolist()), settings=Settings(passages=False))
    assert words.tolist() == result.fingerprints.words.tolist()
    assert library.recipe == result.fingerprints.recipe
    counts = dict(library.counts(keys.tolist()))
    assert [int(counts[key].count.sum()) for key in keys.tolist()] == result.lengths.tolist()
    again = import_sources(library, "essays", [folder])
    assert (again.added, again.present) == (0, 6) and len(library.rows()) == 6


def test_cancelled_import_is_resumed_and_texts_of_a_program_are_given_again(library, folder):
    with pytest.raises(Cancelled):
        import_sources(library, "essays", [folder], progress=stopping)
    (job,) = library.jobs.listed()
    assert job.state == "cancelled" and job.waiting == 8
    (folder / "5.txt").unlink()
    imported = resume(library, job.id)

    assert {row.name: row.code for row in imported.skipped}["5.txt"] == "vanished"
    assert imported.added == 5 == len(library.rows())
    assert library.jobs.listed()[0].state == "done" and library.jobs.listed()[0].waiting == 0
    with pytest.raises(StoreError, match="store_missing"):
        resume(library, 99)

    job = library.jobs.start("press", ["a"])
    with pytest.raises(BadInput, match="import_again"):
        resume(library, job)


def test_cancelling_from_elsewhere_stops_an_import(library, folder):
    def progress(stage, done, total):
        library.jobs.set_state(library.jobs.listed()[0].id, "cancelled")

    with pytest.raises(Cancelled):
        import_sources(library, "essays", [folder], progress=progress)
    assert library.jobs.listed()[0].state == "cancelled" and library.rows() == []


def test_a_table_that_is_refused_leaves_nothing(library, tmp_path):
    """Nothing was stored: there is no import to go on with."""
    table = tmp_path / "news.csv"
    table.write_text("name,title\na,b\n", "utf-8")
    with pytest.raises(BadInput, match="table_columns"):
        import_paths(library, "press", [table])

    assert library.jobs.listed() == [] and library.rows() == []


def test_a_table_that_breaks_in_the_middle_is_no_interrupted_import(library, tmp_path, monkeypatch):
    monkeypatch.setattr(imports, "_WINDOW", 2)
    table = tmp_path / "news.jsonl"
    rows = [json.dumps({"text": english(n, 80)}) for n in range(4)]
    table.write_text("\n".join([*rows, "{broken"]), "utf-8")
    with pytest.raises(BadInput, match="table_damaged"):
        import_paths(library, "press", [table])

    (job,) = library.jobs.listed()
    assert (job.state, job.added, is_running(library, job)) == ("refused", 4, False)
    with pytest.raises(BadInput, match="import_again"):
        resume(library, job.id)


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "jsonl.bz2", "parquet"])
def test_a_stopped_table_goes_on_behind_what_was_stored(library, tmp_path, monkeypatch, suffix):
    """Whatever had been stored: nothing twice, nothing left out."""
    monkeypatch.setattr(imports, "_WINDOW", 3)
    monkeypatch.setattr(preparing, "_CHUNK_TEXTS", 2)
    rows = [{"name": f"n{n}", "text": english(n, 80) if n != 5 else "short"} for n in range(8)]
    table = written(tmp_path / f"news.{suffix}", rows)
    for stop_at in (1, 2, 4):

        def stopping(stage, done, total, least=stop_at):
            assert total >= done
            if done >= least:
                raise Cancelled

        with pytest.raises(Cancelled):
            if library.jobs.listed():
                resume(library, library.jobs.listed()[0].id, progress=stopping)
            else:
                import_paths(library, "press", [table], progress=stopping)
    done = resume(library, library.jobs.listed()[0].id)

    assert (done.added, done.present, [row.name for row in done.skipped]) == (7, 0, ["n5"])
    assert [row.name for row in library.rows()] == [f"n{n}" for n in range(8) if n != 5]
    (job,) = library.jobs.listed()
    assert (job.items, job.waiting, job.state) == (8, 0, "done")


def written(path: Path, rows: list[dict[str, str]]) -> Path:
    """Write a table, compressed where its name says so."""
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
        return path
    if ".csv" in path.name:
        lines = ["name,text", *(f'{row["name"]},"{row["text"]}"' for row in rows)]
    else:
        lines = [json.dumps(row) for row in rows]
    data = "\n".join(lines).encode()
    packers = {".gz": gzip.compress, ".bz2": bz2.compress}
    path.write_bytes(packers.get(path.suffix, bytes)(data))
    return path


def test_a_broken_compressed_table_is_refused(library, tmp_path):
    table = written(tmp_path / "news.csv.gz", [{"name": "a", "text": english(1, 80)}])
    table.write_bytes(table.read_bytes()[:-20])

    with pytest.raises(BadInput, match="table_damaged"):
        import_paths(library, "press", [table])
    assert library.jobs.listed() == []


def test_an_import_elsewhere_counts_as_running_as_long_as_it_says_so(library, monkeypatch):
    """Where no lock tells: a lease of ten minutes, renewed every minute."""
    monkeypatch.setattr(Database, "place", "server")
    job = library.jobs.start("press", ["a"])
    row = library.jobs.listed()[0]
    assert is_running(library, row)
    assert not is_running(library, replace(row, changed=row.changed - 601))
    library.jobs.renew(job)
    assert library.jobs.listed()[0].changed >= row.changed
    library.jobs.set_state(job, "cancelled")
    with pytest.raises(Cancelled):
        library.jobs.renew(job)


def test_documents_come_one_by_one(library):
    def documents():
        for n in range(5):
            yield Document.from_text(english(n, 120), name=f"row {n}", date=f"2024-01-0{n + 1}")
        yield Skipped("row 5", "empty")

    imported = import_documents(library, "archive", documents())
    assert imported.added == 5 and [row.name for row in imported.skipped] == ["row 5"]
    assert [row.date for row in library.rows()][:2] == ["2024-01-01", "2024-01-02"]
    again = import_documents(library, "archive", documents())
    assert (again.added, again.present) == (0, 5)


def test_other_settings_ask_for_a_reindex(library, folder):
    import_sources(library, "essays", [folder])
    other = Settings(bits=128)
    with pytest.raises(RecipeMismatch):
        import_sources(library, "essays", [folder], settings=other)

    assert reindex(library, settings=other) == 6
    assert library.fingerprints()[1].shape == (6, 2)
    assert import_sources(library, "essays", [folder], settings=other).present == 6
    fresh = Settings(passages=False, bits=128)
    result = check(library.documents(library.keys().tolist()), settings=fresh)
    assert library.fingerprints()[1].tolist() == result.fingerprints.words.tolist()


def test_weights_that_read_the_collection_stand_on_frozen_statistics(library, folder):
    settings = Settings(weighting="tfidf")
    import_sources(library, "essays", [folder], settings=settings)
    frozen, (keys, words) = library.statistics, library.fingerprints()
    assert frozen.stats.n == 6 and len(keys) == 6 and library.recipe
    late = Document.from_text(english(77, 200), name="late")
    assert import_documents(library, "essays", [late], settings=settings).added == 1

    assert library.statistics.time == frozen.time and len(library.fingerprints()[0]) == 7
    assert library.fingerprints()[1][:6].tolist() == words.tolist()


def test_table_says_what_files_are(tmp_path: Path) -> None:
    """By name with or without folder and suffix, or by id; it wins over the first heading."""
    folder = tmp_path / "press"
    folder.mkdir()
    texts = {
        name: f"# Heading of {name}\n\n{english(len(name), 200)} {name}"
        for name in ("a.md", "b.md", "c.md")
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    table = tmp_path / "table.csv"
    by_id = text_id(texts["b.md"])
    table.write_text(
        f"file,标题,作者,date\na,Told,王某,2026-03-02\n{by_id},By id,,\nnobody,X,,\n", "utf-8"
    )
    with Library.open(tmp_path / "own.leitong", owner="a", create=True) as held:
        details = details_of(table)
        import_sources(held, "press", [folder], reading=Reading(details=details))
        rows = {Path(row.name).name: row for row in held.rows(collection="press")}
        (document,) = [
            one for one in held.documents(held.keys().tolist()) if one.name.endswith("a.md")
        ]

    assert (rows["a.md"].title, rows["a.md"].author, rows["a.md"].date) == (
        *("Told", "王某", "2026-03-02"),
    )
    assert rows["b.md"].title == "By id"
    assert rows["c.md"].title == "Heading of c.md"
    assert document.meta["date_from"] == "table"
    assert Reading.from_data(json.loads(json.dumps(asdict(Reading(details=details))))) == Reading(
        details=details
    )


@pytest.mark.parametrize("content", ["", "file\na\n", "file,shoe size\na,43\n"])
def test_table_without_fields_is_refused(tmp_path: Path, content: str) -> None:
    table = tmp_path / "table.csv"
    table.write_text(content, "utf-8")

    with pytest.raises(BadInput, match="metadata_table"):
        details_of(table)
