"""Files whose text lies in pictures: what is noted, what is said without the extra, what is read.

Tests that recognise run where the extra `ocr` is installed.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import docx
import numpy as np
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from simhash_core.errors import BadInput, Cancelled, Unreadable
from simhash_core.folders import UNUSED_SECONDS, forget_unused
from simhash_core.i18n import translator
from simhash_core.machine.workers import WorkerPool
from simhash_core.model import U8, Document, Note, Skipped
from simhash_core.settings import Settings
from simhash_core.text import reading, recognition
from simhash_core.text.extract import extract, picture
from simhash_core.text.gathering import Source
from simhash_core.text.reading import read_sources
from simhash_core.text.recognition import Line, recognition_installed
from simhash_core.text.recognition.order import Page
from simhash_core.text.recognition.stage import (
    misread_cached,
    name_failures,
    place_lines,
    read_cached,
    recognition_notes,
)

needs_extra = pytest.mark.skipif(not recognition_installed(), reason="needs leitong[ocr]")
WORDS = ["Before", "the", "picture.", "What", "it", "shows.", "Behind", "it."]
TEXT = "Only words that lie in a picture can be read here."


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where pages are kept, here and in the workers."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEITONG_CACHE", str(folder))
        yield folder / "ocr"


@pytest.fixture(scope="module")
def pool(kept: Path) -> Iterator[WorkerPool]:
    with WorkerPool(2, preload=["simhash_core.text.reading"]) as made:
        yield made.warm()  # while the folder is named: each test has one of its own


def read(
    pool: WorkerPool, *sources: Source, ocr: str = "auto"
) -> tuple[list[Document], list[Skipped]]:
    settings = Settings(ocr=ocr)
    return read_sources(sources, pool=pool, settings=settings, progress=lambda *_: None)


def scan(samples: Path) -> bytes:
    return (samples / "sources" / "class" / "zh" / "scan.jpg").read_bytes()


def blank(kind: str = "PNG", size: tuple[int, int] = (60, 40), **options: object) -> bytes:
    buffer = io.BytesIO()
    Image.new("L", size, 255).save(buffer, kind, **options)
    return buffer.getvalue()


def page(*rows: tuple[str, tuple[tuple[int, int], ...]]) -> Page:
    lines = [
        Line(text, 10, 20 * n, 190, 20 * n + 18, 0.9, unsure)
        for n, (text, unsure) in enumerate(rows)
    ]
    return Page(200, 400, 0, tuple(lines))


# ---------------------------------------------------------------------------------- notes


def test_lines_are_found_in_the_text_that_was_made_of_them() -> None:
    first = page(("Running head 1", ()), ("A line that ends with a hy-", ()), ("phen. 中 文", ()))
    second = page(("Running head 2", ()), ("字。The end", ()))
    text = "A line that ends with a hyphen. 中文字。The end"
    found = place_lines(text, [first, second])

    assert [(one.page, one.line, text[one.start : one.end]) for one in found] == [
        (0, 1, "A line that ends with a hy"),
        (0, 2, "phen. 中文"),
        (1, 1, "字。The end"),
    ]


def test_notes_give_confidence_boxes_pages_and_unsure_words() -> None:
    text = "one modem word\n令天"
    ocr, unsure = recognition_notes(
        text, {"0": page(("one modem word", ((6, 7),)), ("令天", ((0, 1),)))}
    )
    assert (ocr.code, ocr.params["n"], ocr.params["percent"]) == ("ocr", 1, 90.0)
    assert ocr.params["lines"] == ((0, 50, 0, 950, 45, 0, 14, 90), (0, 50, 50, 950, 95, 15, 17, 90))
    assert unsure == Note("unsure", {"n": 2, "spans": ((4, 9), (15, 16))}, 4, 9)

    pages = {"4": page(("the fifth page", ()))}
    pictures = {"word/media/a.png": page(("first", ())), "word/media/b.png": page(("second", ()))}
    (paged,) = recognition_notes("the fifth page", pages)
    (pictured,) = recognition_notes("first second", pictures)
    assert [line[0] for line in paged.params["lines"]] == [4]
    assert [line[0] for line in pictured.params["lines"]] == [0, 1]
    assert recognition_notes("typed", {"0": page()}) == ()


# ---------------------------------------------------------------------------------- pictures


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP"])
def test_a_picture_is_told_by_its_bytes(kind: str) -> None:
    data = blank(kind, comment="x" if kind == "GIF" else None)
    suffix = "bmp" if kind == "BMP" else "txt"

    with pytest.raises(Unreadable) as caught:
        extract(data, suffix=suffix)
    assert caught.value.code == "scanned"
    assert picture.picture(data, "0").shape == (40, 60)


def test_pictures_are_shown_upright_white_scaled_and_by_frames() -> None:
    turned = Image.new("L", (4000, 1000), 128)
    exif = turned.getexif()
    exif[0x0112] = 6  # turn right by a quarter
    buffer = io.BytesIO()
    turned.save(buffer, "JPEG", exif=exif)
    assert picture.picture(buffer.getvalue(), "0").shape == (2000, 500)
    buffer = io.BytesIO()
    Image.new("RGBA", (9, 9), (0, 0, 0, 0)).save(buffer, "PNG")
    assert (picture.picture(buffer.getvalue(), "0") == 255).all()
    buffer = io.BytesIO()
    Image.new("I;16", (9, 9), 40_000).save(buffer, "TIFF")
    assert (picture.picture(buffer.getvalue(), "0") == 255).all()

    pages = [Image.new("L", (9, 9), n) for n in (10, 20, 30)]
    buffer = io.BytesIO()
    pages[0].save(buffer, "TIFF", save_all=True, append_images=pages[1:])
    assert picture.parts(buffer.getvalue()) == ["0", "1", "2"]
    assert int(picture.picture(buffer.getvalue(), "2")[0, 0]) == 30


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x89PNG\r\n\x1a\n", "damaged"),
        (blank("JPEG")[:300], "damaged"),
        (blank("PNG", (9000, 9000)), "too_many_pixels"),
        (blank("PNG", (20_000, 20_000)), "too_many_pixels"),
    ],
)
def test_a_picture_that_cannot_be_shown_says_why(data: bytes, code: str) -> None:
    with pytest.raises(Unreadable) as caught:
        picture.picture(data, "0")

    assert caught.value.code == code


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "TIFF", "WEBP", "BMP"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_damaged_picture_is_shown_or_named(kind: str) -> None:
    data, chance = blank(kind), random.Random(kind)
    for number in range(60):
        broken = bytearray(data)
        for _ in range(1 if number % 2 else 40):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        del broken[chance.randrange(1, len(broken)) if number % 3 == 0 else len(broken) :]
        with contextlib.suppress(Unreadable):
            for part in picture.parts(bytes(broken))[:2]:
                picture.picture(bytes(broken), part)


def test_too_many_pages_are_refused() -> None:
    with pytest.raises(Unreadable) as caught:
        picture.limit_pages(["0"] * (picture.MOST_PAGES + 1))

    assert (caught.value.code, caught.value.params) == ("too_many_pages", {"n": picture.MOST_PAGES})


def test_recognised_lines_take_the_place_of_a_picture_in_a_document(samples: Path) -> None:
    made = docx.Document()
    made.add_paragraph("Before the picture.")
    made.add_picture(io.BytesIO(scan(samples)))
    made.add_paragraph("Behind it.")
    buffer = io.BytesIO()
    made.save(buffer)
    _, plain = extract(buffer.getvalue(), suffix="docx")
    (part,) = reading.PICTURED["docx"].parts(buffer.getvalue())
    _, found = extract(buffer.getvalue(), suffix="docx", recognised={part: ["What it", "shows."]})

    assert [note.code for note in plain.notes] == ["pictures"]
    assert [note.code for note in found.notes] == []
    assert found.text.split() == WORDS


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (Unreadable("too_long", n=1), "too_long"),
        (RecursionError(), "damaged"),
        (KeyError("xref"), "damaged"),
    ],
)
def test_no_failure_of_a_page_stops_the_others(error: Exception, said: str) -> None:
    with pytest.raises(Unreadable) as caught, name_failures():
        raise error

    assert caught.value.code == said
    with pytest.raises(MemoryError), name_failures():  # told by its words
        raise RuntimeError("Failed to allocate memory for requested buffer of size 99")


# ---------------------------------------------------------------------------------- the extra


def test_without_the_extra_the_terminal_names_it(
    pool: WorkerPool, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "recognition_installed", lambda: False)
    documents, skipped = read(pool, Source("scan.jpg", data=scan(samples)))

    assert (documents, skipped) == ([], [Skipped("scan.jpg", "needs_ocr")])
    for language in ("en", "zh"):
        assert "pip" not in translator(language)("notes.needs_ocr")
        assert 'pip install "leitong[ocr]"' in translator(language)("cli.ocr_missing")


def test_off_leaves_pictures_unread(pool: WorkerPool, samples: Path) -> None:
    source = Source("scan.jpg", data=scan(samples))

    assert read(pool, source, ocr="off") == ([], [Skipped("scan.jpg", "scanned")])


def test_on_without_the_extra_is_refused(pool: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognition, "recognition_installed", lambda: False)
    with pytest.raises(BadInput) as caught:
        read(pool, Source("a.txt", data=TEXT.encode()), ocr="on")

    assert caught.value.code == "ocr"


@needs_extra
def test_a_scan_is_read_the_same_twice(pool: WorkerPool, samples: Path) -> None:
    source = Source("scan.jpg", data=scan(samples))
    (first,), skipped = read(pool, source)
    (again,), _ = read(pool, source)

    assert skipped == []
    assert first == again
    assert first.format == "jpg"
    (ocr,) = (note for note in first.notes if note.code == "ocr")
    assert float(str(ocr.params["percent"])) > 90


@needs_extra
def test_stopping_keeps_the_pages_that_were_read(
    pool: WorkerPool, samples: Path, kept: Path
) -> None:

    def count_pages() -> int:
        return sum(path.is_file() for path in kept.glob("*/*"))

    before = count_pages()
    pages = [Image.open(io.BytesIO(scan(samples))).convert("L").rotate(n) for n in range(3)]
    buffer = io.BytesIO()
    pages[0].save(buffer, "PDF", save_all=True, append_images=pages[1:])
    source = Source("scan.pdf", data=buffer.getvalue())

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "ocr" and done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_sources([source], pool=pool, settings=Settings(), progress=stop)
    assert before < count_pages() <= before + 3
    seen: list[tuple[str, int, int]] = []
    (document,), _ = read_sources(
        [source], pool=pool, settings=Settings(), progress=lambda *step: seen.append(step)
    )

    assert seen[-1] == ("ocr", 3, 3)
    assert count_pages() == before + 3
    assert [note.params["n"] for note in document.notes if note.code == "ocr"] == [3]


@needs_extra
def test_a_picture_without_text_says_so(pool: WorkerPool) -> None:
    source = Source("white.png", data=blank(size=(600, 400)))

    assert read(pool, source) == ([], [Skipped("white.png", "nothing_recognised")])


def with_picture(data: bytes, *words: str) -> bytes:
    """A Word document of a few paragraphs with a picture behind the first."""
    made = docx.Document()
    for number, paragraph in enumerate(words):
        made.add_paragraph(paragraph)
        if number == 0:
            made.add_picture(io.BytesIO(data))
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


@needs_extra
def test_pictures_of_a_document_are_read_where_it_has_little_text(
    pool: WorkerPool, samples: Path
) -> None:
    few = Source("few.docx", data=with_picture(scan(samples), "Name: 罗天佑", "The end."))
    much = Source("much.docx", data=with_picture(scan(samples), *[TEXT] * 150))
    (first, second), _ = read(pool, few, much)
    (_, everything), _ = read(pool, few, much, ocr="on")
    noted = [{note.code for note in one.notes} for one in (first, second, everything)]

    assert [sorted(codes & {"ocr", "pictures"}) for codes in noted] == [["ocr"], [], ["ocr"]]
    assert first.text.startswith("Name: 罗天佑")
    assert first.text.rstrip().endswith("The end.")
    assert "闰土" in first.text
    assert "闰土" in everything.text
    assert "闰土" not in second.text


def with_typed_page(*pictures: bytes) -> bytes:
    """A PDF of one typed page, and a page of each picture."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    for line in range(20):
        canvas.drawString(72, 760 - 14 * line, f"{TEXT} Line number {line} of the typed page.")
    canvas.showPage()
    for data in pictures:
        canvas.drawImage(ImageReader(io.BytesIO(data)), 0, 0, 595, 513)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


@needs_extra
def test_pages_of_a_pdf_that_are_pictures_join_the_others(pool: WorkerPool, samples: Path) -> None:
    data = with_typed_page(scan(samples))
    (document,), _ = read(pool, Source("mixed.pdf", data=data))

    assert document.text.index("Line number 19") < document.text.index("闰土")
    assert [note.params["n"] for note in document.notes if note.code == "ocr"] == [1]
    assert not any(note.code == "scanned_pages" for note in document.notes)


# ------------------------------------------------------------------ pages read before
PICTURE = np.arange(2000, dtype=np.uint8).reshape(40, 50)


@dataclass
class Counting:
    """Sees one line, and counts how often it was asked."""

    recipe: str = "first"
    asked: list[U8] = field(default_factory=list)

    def line(self, picture: U8) -> tuple[str, float]:
        self.asked.append(picture)
        return "雷同 twice", 0.9

    def __call__(self, picture: U8) -> list[Line]:
        self.asked.append(picture)
        return [Line("雷同 twice", 1, 2, 30, 12, 0.9, ((0, 1),), 0.0)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEITONG_CACHE", str(tmp_path))
    return tmp_path / "ocr"


def test_a_page_is_recognised_once_and_again_where_it_is_another_or_damaged(folder: Path) -> None:
    recogniser, newer = Counting(), Counting("second")
    page = read_cached(recogniser, PICTURE)
    assert read_cached(recogniser, PICTURE) == page
    assert len(recogniser.asked) == 1
    (file,) = (path for path in folder.rglob("*") if path.is_file())
    for broken in (b"", b"[]", b'{"lines": [{}]}', b"\xff"):
        file.write_bytes(broken)
        assert read_cached(recogniser, PICTURE) == page
    assert len(recogniser.asked) == 5
    # other pixels and other recipes are other pages
    for other in (PICTURE.T.copy(), PICTURE.reshape(50, 40)):
        read_cached(recogniser, other)
    read_cached(newer, PICTURE)
    assert (len(recogniser.asked), len(newer.asked)) == (7, 1)


def test_fonts_of_a_file_are_tested_once_and_what_is_kept_holds_no_word(folder: Path) -> None:
    reader, newer = Counting(), Counting("second")
    data = with_typed_page()
    assert misread_cached(reader, data) == misread_cached(reader, data) == ["0"]
    assert len(reader.asked) == 3

    (file,) = (path for path in folder.rglob("*") if path.is_file())
    assert file.read_bytes().endswith(b'["0"]')
    misread_cached(reader, data + b"%")  # another file
    misread_cached(newer, data)
    assert (len(reader.asked), len(newer.asked)) == (6, 3)


@pytest.mark.skipif(sys.platform == "win32", reason="no modes")
def test_kept_pages_are_for_their_owner_alone(folder: Path) -> None:
    read_cached(Counting(), PICTURE)
    (file,) = (path for path in folder.rglob("*") if path.is_file())

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_pages_that_nobody_asks_for_are_forgotten(folder: Path) -> None:
    recogniser = Counting()
    read_cached(recogniser, PICTURE)
    (file,) = (path for path in folder.rglob("*") if path.is_file())
    forget_unused(folder)
    assert file.exists()

    long_ago = file.stat().st_mtime - UNUSED_SECONDS - 1
    os.utime(file, (long_ago, long_ago))
    assert read_cached(recogniser, PICTURE)  # asked for: it stays
    forget_unused(folder)
    assert file.exists()
    os.utime(file, (long_ago, long_ago))
    forget_unused(folder)
    assert not file.exists()
