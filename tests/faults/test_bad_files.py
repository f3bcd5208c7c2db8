"""Files that cannot be read among those that can: each is named, every other one is taken in."""

from __future__ import annotations

import io
import json
import resource
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from command_line import ROOT
from faults.mutants import seeds
from PIL import Image
from prose import english
from text.handmade import page_of, pdf

from simhash_core import gather, read
from simhash_core.storage import owner_key
from simhash_core.storage.library import Library

pytestmark = pytest.mark.timeout(1800)
GOOD = BAD = 1000


def kinds_of_bad() -> dict[str, bytes]:
    """Return file name -> bytes that hold no text for a person."""
    sound, picture = seeds(), io.BytesIO()
    Image.new("RGB", (5, 5)).save(picture, "png")
    return {
        "empty.txt": b"",
        "blank.md": b" \n" * 50,
        "short.txt": b"two words",
        "binary.txt": bytes(range(256)) * 20,
        "cut.docx": sound["docx"][0][:900],
        "cut.zip": sound["zip"][0][:300],
        "garbage.pdf": b"%PDF-1.7\n" + bytes(range(256)) * 9,
        "renamed.pdf": english(1, 200).encode(),
        "old.doc": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "WordDocument".encode("utf-16-le"),
        "picture.txt": picture.getvalue(),
    }


@pytest.mark.promise(9)
def test_every_good_file_is_taken_and_every_bad_one_named(tmp_path: Path, record_property) -> None:
    folder, bad = tmp_path / "essays", list(kinds_of_bad().items())
    folder.mkdir()
    for number in range(GOOD):
        (folder / f"{number:04}-good.txt").write_text(english(number, 60), "utf-8")
    for number in range(BAD):
        name, data = bad[number % len(bad)]
        (folder / f"{number:04}-{name}").write_bytes(data)
    path = tmp_path / "texts.library"
    command = ["library", "add", "essays", str(folder), "--library", str(path), "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "simhash_core", *command], cwd=ROOT, capture_output=True, text=True
    )
    said = json.loads(done.stdout)

    assert done.returncode == 3, done.stderr
    assert said["added"] == GOOD
    named = {row["name"]: row["code"] for row in said["skipped"]}
    assert len(named) == BAD
    record_property("outcome", f"{GOOD} taken, {BAD} named: {sorted(set(named.values()))}")


@pytest.mark.promise(8)
def test_two_imports_of_one_folder_take_each_text_once(tmp_path: Path, record_property) -> None:
    folder, path = tmp_path / "essays", tmp_path / "texts.library"
    folder.mkdir()
    for number in range(400):
        (folder / f"{number:04}.txt").write_text(english(number, 60), "utf-8")
    command = ["library", "add", "essays", str(folder), "--library", str(path), "--json"]
    both = [
        subprocess.Popen(
            [sys.executable, "-m", "simhash_core", *command],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    outputs = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    answers = [json.loads(output) for output, _ in outputs]
    with Library.open(path, owner=owner_key()) as library:
        assert sorted(row.name for row in library.rows()) == [f"{n:04}.txt" for n in range(400)]
        assert list(library.verify()) == []
    added = [answer["added"] for answer in answers]
    assert sum(added) == 400
    record_property("outcome", f"400 texts, {added[0]} by one and {added[1]} by the other")


@pytest.mark.promise(10)
def test_file_of_five_gigabytes_is_refused_unread(tmp_path: Path, record_property) -> None:
    for name in ("large.txt", "large.zip", "large.pdf"):
        with (tmp_path / name).open("wb") as file:
            file.truncate(5 * 2**30)  # sparse: no disk holds it
    (tmp_path / "good.txt").write_text(english(1, 60), "utf-8")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sources, refused = gather([tmp_path])
    documents, unread = read(sources)
    risen = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024

    assert [document.name for document in documents] == ["good.txt"]
    codes = {row.name: row.code for row in (*refused, *unread)}
    assert codes == {
        "large.pdf": "too_large",
        "large.txt": "too_large",
        "large.zip": "archive_limit",
    }
    assert risen < 100
    record_property("outcome", f"3 files of 5 GB refused, memory rises by {risen:.0f} MB")


# --------------------------------------------------------------------------- PDF


def bomb() -> bytes:
    """Return 1 GB of blanks, compressed twice."""
    packer = zlib.compressobj(9)
    parts = [packer.compress(b" " * 2**20) for _ in range(1024)]
    return zlib.compress(b"".join([*parts, packer.flush()]), 9)


def forms(*targets: int) -> bytes:
    """Return a PDF of forms that each call one of the others twice, from object 5 on."""
    call = b"/X Do /X Do "
    return pdf(
        "<</Type /Catalog /Pages 2 0 R>>",
        "<</Type /Pages /Kids [3 0 R] /Count 1>>",
        "<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R "
        "/Resources <</XObject <</X 5 0 R>>>>>>",
        b"<</Length %d>>\nstream\n%s\nendstream" % (len(call), call),
        *(
            b"<</Type /XObject /Subtype /Form /BBox [0 0 300 300] /Resources <</XObject "
            b"<</X %d 0 R>>>> /Length %d>>\nstream\n%s\nendstream" % (target, len(call), call)
            for target in targets
        ),
    )


HOSTILE = {
    "form of itself": lambda: forms(5),
    "forms in a circle": lambda: forms(6, 5),
    "forms of forms": lambda: forms(*range(6, 40)),
    "bomb": lambda: page_of(bomb(), "FlateDecode", "FlateDecode"),
    "operators": lambda: page_of(zlib.compress(b"q Q 0 0 m 1 1 l S " * 400_000), "FlateDecode"),
    "nested": lambda: page_of(b"[" * 2_000_000),
    "loop of pages": lambda: pdf(
        "<</Type /Catalog /Pages 2 0 R>>", "<</Type /Pages /Kids [2 0 R 2 0 R] /Count 9999999>>"
    ),
    "own parent": lambda: pdf("<</Type /Catalog /Pages 1 0 R /Kids [1 0 R]>>"),
    "no pages": lambda: pdf("<</Type /Catalog>>"),
    "cut": lambda: seeds()["pdf"][1][:1500],
    "garbage": lambda: b"%PDF-1.7\n" + bytes(range(256)) * 40,
}


@pytest.mark.promise(15)
def test_hostile_pdf_is_named_and_the_next_file_is_read(tmp_path: Path, record_property) -> None:
    for number, make in enumerate(HOSTILE.values()):
        (tmp_path / f"{2 * number:02}.pdf").write_bytes(make())
        (tmp_path / f"{2 * number + 1:02}.txt").write_text(english(number, 60), "utf-8")
    sources, refused = gather([tmp_path])
    documents, unread = read(sources)
    codes = {int(row.name[:2]) // 2: row.code for row in (*refused, *unread)}

    assert [d.name for d in documents] == [f"{2 * n + 1:02}.txt" for n in range(len(HOSTILE))]
    assert sorted(codes) == list(range(len(HOSTILE)))
    assert "crashed" not in codes.values()
    record_property(
        "outcome", str(dict(zip(HOSTILE, (codes[n] for n in sorted(codes)), strict=True)))
    )
