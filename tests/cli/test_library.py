"""leitong library: texts in, questions, out again and away, with the exit codes of the house."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

import pytest
from command_line import ROOT
from ngrams import NgramEncoder
from prose import english

from simhash_core import Document
from simhash_core.checking.pipeline import run_check
from simhash_core.cli.entry import run
from simhash_core.library import LibraryScope, Reading, sentences
from simhash_core.library.imports import _lock
from simhash_core.storage import Shelf, library_address, owner_folder, owner_key
from simhash_core.storage.database import files_of
from simhash_core.storage.library import Library

HEADLINE = "Harbour closes"


@pytest.fixture
def folder(tmp_path):
    """Three texts."""
    made = tmp_path / "class"
    made.mkdir()
    for number in range(3):
        (made / f"{number}.txt").write_text(english(number, 200), "utf-8")
    return made


@pytest.fixture
def table(tmp_path):
    """Two articles as a table."""
    rows = [
        {"title": HEADLINE, "author": "Doe", "date": "2024-01-02", "text": english(7, 150)},
        {"title": "Other", "author": "", "date": "", "text": "short"},
    ]
    path = tmp_path / "news.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


def command(*arguments: object) -> int:
    return run(["library", *map(str, arguments), "--lang", "en"])


def answer(capsys, *arguments: object):
    """Run a command that succeeds; return its JSON."""
    capsys.readouterr()
    assert command(*arguments, "--json") == 0
    return json.loads(capsys.readouterr().out)


def test_folder_is_added_once_and_what_is_not_read_is_named(folder, capsys):
    (folder / "bad.docx").write_bytes(b"PK\x03\x04")
    assert command("add", "2025", folder) == 3
    said = capsys.readouterr()
    assert "3 texts added, 0 already there, 1 not read" in said.out
    assert said.err.startswith("bad.docx: ")
    (folder / "bad.docx").unlink()

    again = answer(capsys, "add", "2025", folder)
    assert (again["added"], again["present"], again["skipped"]) == (0, 3, [])
    (row,) = answer(capsys, "list")
    assert (row["name"], row["texts"]) == ("2025", 3)
    names = [row["name"] for row in answer(capsys, "list", "2025")]
    assert names == ["0.txt", "1.txt", "2.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_folder_of_a_library_file_stays_open_to_whom_it_was(folder, tmp_path, capsys):
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)

    command("add", "2025", folder, "--library", shared / "press.library")
    assert shared.stat().st_mode & 0o777 == 0o755


def test_table_brings_title_author_and_date_and_is_listed_once(table, capsys):
    assert command("add", "news", table) == 3
    assert "news.jsonl#2 Other: " in capsys.readouterr().err
    (row,) = answer(capsys, "search", "harbour")
    assert (row["title"], row["author"], row["date"]) == (HEADLINE, "Doe", "2024-01-02")
    assert answer(capsys, "search", "nobody") == []
    # title of a row of a table is listed once
    command("add", "news", table)
    capsys.readouterr()
    command("list", "news")
    listed = capsys.readouterr().out
    assert "news.jsonl#1" in listed
    assert listed.count(HEADLINE) == 1


def test_saved_page_gives_its_article_unless_the_whole_is_wanted(tmp_path, capsys):
    menu = "<li>Section of our site</li>" * 40
    article = "".join(f"<p>{english(seed, 80)}</p>" for seed in range(3))
    page = tmp_path / "page.html"
    page.write_text(
        f"<html><head><title>{HEADLINE}</title></head><body><nav><ul>{menu}</ul></nav>"
        f"<main><article><h1>{HEADLINE}</h1>{article}</article></main>"
        f"<div class='sidebar'><ul>{menu}</ul></div></body></html>",
        "utf-8",
    )
    command("add", "articles", page)
    command("add", "pages", page, "--whole-pages")
    sections = {
        place["collection"]: place["count"]
        for place in answer(capsys, "search", "--text", "Section of our site")
    }

    assert sections == {"pages": 40}


def test_class_list_gives_its_spelling(folder, tmp_path, capsys):
    (folder / "1.txt").rename(folder / "Doe_Jane_77_essay.txt")
    listed = tmp_path / "list.csv"
    listed.write_text("name,number\nJane Doe,77\n", "utf-8")
    command("add", "2025", folder, "--class-list", listed)
    with Library.open(library_address(owner_key()), owner=owner_key()) as library:
        texts = library.documents(library.keys().tolist())

    people = {document.name: document.meta.get("person") for document in texts}
    assert people["Doe_Jane_77_essay.txt"] == "Jane Doe"


def test_phrases_are_found_checked_against_and_removed_by_number(folder, capsys):
    command("add", "2025", folder)
    words = (folder / "1.txt").read_text("utf-8").split()[20:26]
    (place,) = answer(capsys, "search", "--text", " ".join(words).upper())
    assert (place["name"], place["collection"]) == ("1.txt", "2025")
    whole = (folder / "1.txt").read_text("utf-8")[place["start"] : place["end"]]
    assert whole.split() == words
    # check searches the library of the user by its usual name
    chosen = ("--against", "library:2025", "--only-against", "--format", "json", "--lang", "en")
    assert run(["check", str(folder / "1.txt"), *chosen]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    assert pair["coverage_a"] == 1.0
    assert run(["check", str(folder / "1.txt"), "--against", "library:2019"]) == 2
    # a library searched by words alone says so in one line
    capsys.readouterr()
    chosen = ("check", str(folder / "1.txt"), "--against", "library", "--format", "json")
    assert run([*chosen, "--lang", "en"]) == 0
    assert capsys.readouterr().err.count("leitong[meaning]") == 1
    assert run([*chosen, "--lang", "en", "--set", "meaning=off"]) == 0
    assert "leitong[meaning]" not in capsys.readouterr().err
    # every answer is given in chinese too
    for action in ("list", "stats", "jobs", "verify"):
        capsys.readouterr()
        assert run(["library", action, "--lang", "zh"]) == 0
        said = capsys.readouterr().out
        assert any("\u4e00" <= char <= "\u9fff" for char in said), action
    # one text is removed by its number
    key = answer(capsys, "list", "2025")[1]["key"]
    assert command("remove", "2025", key) == 0
    assert [row["name"] for row in answer(capsys, "list", "2025")] == ["0.txt", "2.txt"]
    assert command("remove", "2025", key) == 2
    assert f"2025 has no text number {key}" in capsys.readouterr().err
    # a number alone says where it is; a collection that is called by a number is meant first
    key = answer(capsys, "list", "2025")[1]["key"]
    assert command("remove", key) == 2
    assert f'leitong library remove "2025" {key}' in capsys.readouterr().err
    assert [row["name"] for row in answer(capsys, "list", "2025")] == ["0.txt", "2.txt"]
    assert command("remove", "2025") == 0
    assert command("list", "2025") == 2
    command("add", "clippings", folder)
    assert command("list", "cliping") == 2
    assert "no collection called cliping; did you mean clippings?" in capsys.readouterr().err


def test_export_comes_back_as_it_was(folder, tmp_path, capsys):
    command("add", "2025", folder)
    command("export", tmp_path / "out")
    before = answer(capsys, "list", "2025")
    other = tmp_path / "other.library"
    assert command("import", tmp_path / "out", "--library", other) == 0
    after = answer(capsys, "list", "2025", "--library", other)

    for row in (*before, *after):
        del row["added"]
    assert after == before
    held = [
        Library.open(where, owner=owner_key()) for where in (library_address(owner_key()), other)
    ]
    prints = [library.fingerprints()[1].tolist() for library in held]
    assert prints[0] == prints[1]
    assert held[0].recipe == held[1].recipe
    assert command("export", tmp_path / "out") == 4  # nothing is written over


def test_removed_collection_is_purged_from_every_file(folder, data, capsys):
    command("add", "2025", folder)
    command("backup", data / "copy.library")
    assert command("remove", "2025") == 0
    assert answer(capsys, "list") == []
    assert "3 removed texts still lie in the file" in _stats(capsys)
    assert command("purge") == 0
    assert "3 texts deleted, here and in 1 backup" in capsys.readouterr().out
    assert answer(capsys, "stats")["removed"] == 0


def _stats(capsys) -> str:
    capsys.readouterr()
    command("stats")
    return str(capsys.readouterr().out)


def test_flipped_bit_is_named_and_the_rest_is_exported(folder, tmp_path, capsys):
    command("add", "2025", folder)
    assert command("verify") == 0
    path = Path(library_address(owner_key()))
    with Library.open(path, owner=owner_key()):
        pass  # the journal goes into the file
    path.write_bytes(path.read_bytes().replace(b"1.txt", b"0.txt"))  # one bit, where it stands

    capsys.readouterr()
    assert command("list") == 0
    assert "some of this library is damaged" in capsys.readouterr().err
    assert command("verify", "--json") == 4
    assert json.loads(capsys.readouterr().out)
    assert command("export", tmp_path / "out", "--json") == 3
    exported = json.loads(capsys.readouterr().out)
    assert exported["texts"] + len(exported["damaged"]) == 3


def test_check_searches_several_libraries(folder, tmp_path, capsys):
    wiki = tmp_path / "wiki.library"
    command("add", "2025", folder / "1.txt")
    command("add", "articles", folder / "2.txt", "--library", wiki)
    new = tmp_path / "new.txt"
    texts = [(folder / name).read_text("utf-8") for name in ("1.txt", "2.txt")]
    new.write_text("\n\n".join(texts), "utf-8")
    capsys.readouterr()
    both = ("--against", "library", "--against", f"{wiki}:articles", "--format", "json")
    assert run(["check", str(new), *both, "--lang", "en"]) == 0
    found = json.loads(capsys.readouterr().out)

    assert sorted(one.get("collection", "") for one in found["documents"]) == [
        *("", "texts: 2025"),
        "wiki: articles",
    ]
    assert {pair["coverage_b"] for pair in found["pairs"]} == {1.0}
    assert run(["check", str(new), "--against", "library", "--against", str(folder)]) == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("list", "2019"), "no collection called 2019"),
        (("search", "x", "--collection", "2019"), "no collection called 2019"),
        (("search", "--text", "x"), "A phrase to look for needs 2 characters or more"),
        (("resume", "77"), "No import has the number 77"),
        (("cancel", "77"), "No import has the number 77"),
        (("verify", "--library", "nowhere.library"), "No such library: nowhere.library"),
        (("list", "--library", "nowhere.library"), "No such library: nowhere.library"),
        (("add", "2025", "nowhere"), "nowhere"),
    ],
)
def test_mistake_is_one_line_and_two(arguments, sentence, capsys):
    assert command(*arguments) == 2
    said = capsys.readouterr()

    assert said.err.startswith("leitong: ")
    assert said.err.count("\n") == 1
    assert sentence in said.err


def test_a_file_that_is_no_library_is_called_so(capsys):
    assert command("list", "--library", "README.md") == 4
    assert "README.md is not a library of Leitong" in capsys.readouterr().err


def test_interrupted_import_is_listed_and_goes_on(folder, capsys):
    """What a process that was killed leaves: items without an outcome."""
    command("add", "2025", folder / "0.txt")
    paths = [str(folder / f"{n}.txt") for n in (1, 2)]
    with Library.open(library_address(owner_key()), owner=owner_key()) as library:
        origin = {"paths": paths, "reading": asdict(Reading())}
        job = library.jobs.start("2025", ["1.txt", "2.txt"], origin=origin)
    (row, _) = answer(capsys, "jobs")
    assert (row["id"], row["state"], row["waiting"]) == (job, "running", 2)
    assert row["interrupted"] is True
    command("jobs")
    shown = capsys.readouterr().out
    assert "interrupted" in shown and "goes on with an interrupted import" in shown
    done = answer(capsys, "resume", job)

    assert (done["added"], done["skipped"]) == (2, [])
    assert [row["interrupted"] for row in answer(capsys, "jobs")] == [False, False]


def test_an_import_that_was_cancelled_elsewhere_says_what_stays(folder, capsys, monkeypatch):
    def cancelled(library, collection, given, **_):
        job = library.jobs.start(collection, ["a"])
        library.jobs.set_state(job, "cancelled")
        library.jobs.renew(job)

    monkeypatch.setattr("simhash_core.cli.library_texts.import_paths", cancelled)

    assert command("add", "2025", folder) == 130
    assert "what was added until then stays" in capsys.readouterr().err


def test_import_that_another_process_runs_is_not_called_interrupted(folder, capsys):
    command("add", "2025", folder / "0.txt")
    with Library.open(library_address(owner_key()), owner=owner_key()) as library:
        job = library.jobs.start("2025", ["1.txt"])
        with _lock(library, job):
            assert answer(capsys, "jobs")[0]["interrupted"] is False
            command("jobs")

    shown = capsys.readouterr().out
    assert "running" in shown and "interrupted" not in shown


def test_update_tells_what_changed_and_takes_out_only_when_asked(folder, tmp_path, capsys):
    command("update", "2025", folder)
    (folder / "0.txt").unlink()
    (folder / "1.txt").write_text(english(31, 200), "utf-8")
    table = tmp_path / "details.csv"
    table.write_text("file,title\n2.txt,Third\n", "utf-8")
    capsys.readouterr()
    assert command("update", "2025", folder, "--metadata", table) == 0
    said = capsys.readouterr().out

    assert "1 text added, 1 of them in place of an earlier one; 0 renamed, 1 described anew" in said
    assert "1 text of the collection is not there any more" in said
    assert "0.txt" in said
    assert [row["title"] for row in answer(capsys, "search", "third")] == ["Third"]
    done = answer(capsys, "update", "2025", folder, "--remove-gone")
    assert (done["added"], done["changed"], done["gone"], done["removed"]) == (0, 0, ["0.txt"], 1)
    assert [row["name"] for row in answer(capsys, "list", "2025")] == ["2.txt", "1.txt"]


def test_refused_table_leaves_no_import(tmp_path, capsys):
    """A CSV without a column of texts: said in one line, and nothing is ever said again."""
    table = tmp_path / "meta.csv"
    table.write_text("name,title\na.txt,b\n", "utf-8")

    assert command("add", "press", table) == 4
    assert capsys.readouterr().err.count("\n") == 1
    assert answer(capsys, "jobs") == []


def test_purge_names_the_checks_that_hold_a_copy_and_cleans_them(folder, tmp_path, capsys):
    command("add", "2025", folder)
    shelf = Shelf(owner_folder(owner_key()))
    texts = {n: (folder / f"{n}.txt").read_text("utf-8") for n in range(3)}
    copies = [Document.from_text(texts[0] + english(50 + n, 90), name=f"new{n}") for n in (0, 1)]
    for name, new in (("of the press", copies[0]), ("of others", copies[1])):
        with Library.open(library_address(owner_key()), owner=owner_key()) as library:
            result = run_check([new], LibraryScope(library=library))
        project = shelf.create(name=name)
        project.save_documents([new])
        project.save_result(result)
        project.close()
    keys = {row["name"]: row["key"] for row in answer(capsys, "list", "2025")}

    command("remove", "2025", keys["1.txt"])
    assert answer(capsys, "purge")["checks"] == []
    command("remove", "2025", keys["0.txt"])
    capsys.readouterr()
    assert command("purge") == 0
    said = capsys.readouterr().out
    assert "2 stored checks still hold copies" in said
    assert "of the press" in said

    command("add", "2025", folder / "0.txt")
    command("remove", "2025")
    done = answer(capsys, "purge", "--checks")
    assert (len(done["checks"]), done["checks_cleaned"]) == (2, True)
    for summary in shelf.recent():
        project = shelf.open(summary.id)
        again = project.result()
        assert [one.name for one in again.documents] in (["new0"], ["new1"])
        assert len(again.passages) == 0
        assert project.verify() == []
        project.close()
        held = b"".join(path.read_bytes() for path in files_of(summary.path))
        assert texts[0][:40].encode() not in held
    assert answer(capsys, "purge")["checks"] == []


def test_sizes_say_what_they_are_of(folder, capsys):
    command("add", "2025", folder / "0.txt")
    stats = answer(capsys, "stats")
    command("stats")
    said = capsys.readouterr().out
    command("list")

    files = Path(f"{library_address(owner_key())}.index").rglob("*")
    assert stats["index_size"] == sum(path.stat().st_size for path in files if path.is_file()) > 0
    assert "MB for the index that can be made again" in said
    whole = (stats["size"] + stats["index_size"]) / 1e6
    assert f"{max(whole, 0.1):.1f} MB on disk" in said
    assert "texts, compressed" in capsys.readouterr().out.splitlines()[0]


@pytest.mark.long
def test_watched_folder_takes_what_is_put_there_and_ends_cleanly(folder, tmp_path, capsys):
    process = subprocess.Popen(
        [sys.executable, "-m", "simhash_core", "library", "watch", "2025", folder, "--lang", "en"],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    first = process.stderr.readline()
    (folder / "later.txt").write_text(english(9, 200), "utf-8")
    end = time.monotonic() + 60
    while "later.txt" not in _names() and time.monotonic() < end:
        pass
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=60)

    assert first == "Watching class; Ctrl-C ends.\n"
    assert "later.txt" in _names()
    assert process.returncode == 0, said
    assert said[1].endswith("Stopped watching; what was added stays.\n")


def _names() -> set[str]:
    with Library.open(library_address(owner_key()), owner=owner_key()) as library:
        return {row.name for row in library.rows()}


def test_listing_loads_nothing_that_reads_or_compares_texts():
    code = (
        "import sys; from simhash_core.cli import main; main(['library', 'list'])\n"
        "print([name for name in ('scipy', 'simhash_core.checking', 'simhash_core.library')\n"
        "       if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert done.stderr == "[]\n"


def test_sentences_are_read_where_vectors_can_be_made(folder, capsys, monkeypatch):
    command("add", "2025", folder)
    capsys.readouterr()
    assert command("sentences") == 4
    assert 'pip install "leitong[meaning]"' in capsys.readouterr().err

    monkeypatch.setattr(sentences, "UNIVERSAL", NgramEncoder())
    monkeypatch.setattr(sentences, "meaning_installed", lambda: True)
    assert answer(capsys, "sentences") == {"sentences_read": 3}
    assert answer(capsys, "sentences") == {"sentences_read": 0}
    (path,) = Path(library_address(owner_key())).parent.rglob("sentences.rows.npy")
    path.write_bytes(b"")
    capsys.readouterr()
    assert command("verify") == 0
    assert f"made again: {path.parent.name}" in capsys.readouterr().err
