"""Sources whose text lies in pictures: recognised page by page, each page a task of its own.

A page that hangs, crashes or takes too much memory is lost alone. Pages that were recognised are
kept, so a check that was stopped goes on where it was; unless nothing shall be kept.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from itertools import islice

import numpy as np
from PIL import Image

from ...errors import Unreadable
from ...folders import cache_folder, forget_unused, read_or_make
from ...machine.workers import WorkerPool
from ...model import U8, Note, PagePicture, Progress
from ..extract import PICTURED, kind_of
from ..extract.extracted import finding, whatever_is_wrong
from ..extract.picture import MOST_KEPT, limit_pages, page_picture
from ..gathering import Source
from . import Line, LineReader, Recogniser
from .order import Page, read_page
from .readings import misread_pages


def read_cached(recogniser: Recogniser, picture: U8) -> Page:
    """Return the rows of a page, uint8 (height, width), read now or before."""
    shape = ",".join(map(str, picture.shape)).encode()
    digest = hashlib.sha256(shape + b"\n" + picture.tobytes()).hexdigest()
    place = cache_folder() / STAGE / recogniser.recipe / digest
    stored = json.loads(
        read_or_make(place, lambda: json.dumps(asdict(read_page(recogniser, picture))).encode())
    )
    lines = tuple(
        Line(**{**line, "unsure": tuple((int(a), int(b)) for a, b in line["unsure"])})
        for line in stored.pop("lines")
    )
    return Page(**stored, lines=lines)


def misread_cached(reader: LineReader, data: bytes) -> list[str]:
    """Return the pages of a PDF whose letters are not what the file says, tested now or before.

    What draws the lines that are tested is part of the answer, so its version is asked too.
    """
    digest = hashlib.sha256(version("pypdfium2").encode() + b"\n" + data).hexdigest()
    place = cache_folder() / STAGE / reader.recipe / "fonts" / digest
    pages: list[str] = json.loads(
        read_or_make(place, lambda: json.dumps(misread_pages(data, reader)).encode())
    )
    return pages


STAGE = "ocr"
PAGE_SECONDS = 60.0  # wall clock for one page; it takes two to six
_MOST_WORDS = 200  # letters: a line shorter than that is looked for no farther ahead
_LONG_LINE = 8  # letters; shorter ones stand in many places
_PER_MILLE = 1000


@dataclass(frozen=True, slots=True)
class Recognised:
    """The pages of one source by part, in the order of the text, and how many could not be read."""

    pages: Mapping[str, Page]
    lost: int

    @property
    def lines(self) -> dict[str, list[str]]:
        """Return the lines of each part, as extractors take them."""
        return {part: page.text for part, page in self.pages.items()}


def recognise_pages(
    sources: Sequence[Source], *, pool: WorkerPool, progress: Progress, keep: bool
) -> list[Recognised | Unreadable]:
    """Recognise what the pictures of some sources show.

    Parameters
    ----------
    progress
        Called as progress("ocr", pages done, pages of all sources).
    keep
        Whether what was kept is used, and pages read and fonts tested now are kept.

    Returns
    -------
    list of Recognised or Unreadable
        For each source its pages; or why none could be read.
    """
    if not sources:
        return []
    forget_unused(cache_folder() / STAGE)
    listed = []
    progress(STAGE, 0, len(sources))
    files = [(source, keep) for source in sources]
    for names in pool.map(_name_parts, files, seconds=PAGE_SECONDS):
        listed.append(names)
        progress(STAGE, 0, len(sources))  # may stop the run; pages are counted when all are named
    tasks = [
        (source, part, keep)
        for source, names in zip(sources, listed, strict=True)
        for part in (() if isinstance(names, Unreadable) else names)
    ]
    progress(STAGE, 0, len(tasks))
    answers = enumerate(pool.map(_recognise_page, tasks, seconds=PAGE_SECONDS), 1)
    outcomes: list[Recognised | Unreadable] = []
    for names in listed:
        if isinstance(names, Unreadable):
            outcomes.append(names)
            continue
        read: dict[str, Page] = {}
        reasons: list[Unreadable] = []
        for name in names:
            done, page = next(answers)
            progress(STAGE, done, len(tasks))
            if isinstance(page, Unreadable):
                reasons.append(page)
            else:
                read[name] = page
        failed = reasons and not read
        outcomes.append(reasons[0] if failed else Recognised(read, len(reasons)))
    return outcomes


def _name_parts(task: tuple[Source, bool]) -> list[str]:
    """Name the pictures of a source, and its pages that show other words; runs in a worker."""
    from .models import models

    source, keep = task
    with name_failures():
        data = source.content()
        kind = kind_of(data, source.suffix)
        if kind not in PICTURED:
            return []
        named = PICTURED[kind].parts(data)
        if kind != "pdf":
            return named
        misread = misread_cached(models(), data) if keep else misread_pages(data, models())
        return limit_pages(sorted({*named, *misread}, key=int))


def _recognise_page(task: tuple[Source, str, bool]) -> Page:
    """Recognise one picture; runs in a worker."""
    from .models import models

    source, part, keep = task
    with name_failures():
        data = source.content()
        picture = PICTURED[kind_of(data, source.suffix)].picture(data, part)
        return (read_cached if keep else read_page)(models(), picture)


def pictures_of(data: bytes, kind: str, pages: Mapping[str, Page]) -> Iterator[PagePicture]:
    """Yield the recognised pages as they are kept to be looked at, upright, the first of them."""
    numbered = zip(page_numbers(pages), pages.items(), strict=True)
    for number, (part, page) in islice(numbered, MOST_KEPT):
        grey = np.rot90(PICTURED[kind].picture(data, part), page.turned)
        yield page_picture(number, Image.fromarray(np.ascontiguousarray(grey)))


@contextmanager
def name_failures() -> Iterator[None]:
    """Let no file stop the others, as `whatever_is_wrong`, and name a lack of memory as one."""
    with whatever_is_wrong():
        try:
            yield
        except (Unreadable, RecursionError):
            raise
        except Exception as error:
            if "alloc" in str(error).lower():  # how onnxruntime says that memory is short
                raise MemoryError from error
            raise


# ------------------------------------------------------------------------------ what is noted


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """A line of a picture in the text: `line` of `pages[page]` is text[start:end].

    `letters` are the places of its characters in the text, white space aside.
    """

    page: int
    line: int
    start: int
    end: int
    letters: tuple[int, ...]


def recognition_notes(text: str, named: Mapping[str, Page]) -> tuple[Note, ...]:
    """Return what a reader should know of a text that was recognised.

    Returns
    -------
    tuple of Note
        `ocr`: `n` pages, `percent` the mean confidence, `lines` a row a line found in the text:
        page, left, top, right, bottom in thousandths of the picture, start, end, confidence in
        per cent. `unsure`: the words that hold a character of little confidence, `n` of them,
        `spans` their places.
    """
    pages, numbers = list(named.values()), list(page_numbers(named))
    lines = [line for page in pages for line in page.lines]
    letters = sum(len(line.text) for line in lines)
    if not letters:
        return ()
    sure = sum(line.confidence * len(line.text) for line in lines) / letters
    placed = place_lines(text, pages)
    rows = tuple(
        (
            *(numbers[one.page], *_box(pages[one.page], one.line), one.start, one.end),
            round(100 * pages[one.page].lines[one.line].confidence),
        )
        for one in placed
    )
    unsure = sorted({word for one in placed for word in _find_unsure(text, pages, one)})
    return (
        Note("ocr", {"n": len(pages), "percent": round(100 * sure, 1), "lines": rows}),
        *finding("unsure", unsure, len(unsure)),
    )


def page_numbers(parts: Iterable[str]) -> Iterator[int]:
    """Yield the number of each part of a file: of a page its own, of a picture its place."""
    for place, part in enumerate(parts):
        yield int(part) if part.isdecimal() else place


def place_lines(text: str, pages: Sequence[Page]) -> list[PlacedLine]:
    """Find the lines of pages in the text that was made of them; running heads are not in it.

    Notes
    -----
    Compared without white space, from one line to the next. Cost O(length of the text) for each
    line that is not in it, at most.
    """
    places = [at for at, character in enumerate(text) if not character.isspace()]
    letters = "".join(text[at] for at in places)
    placed, reached = [], 0
    for number, page in enumerate(pages):
        for row, line in enumerate(page.lines):
            wanted = "".join(line.text.split()).rstrip("-")
            most = len(letters) if len(wanted) >= _LONG_LINE else reached + _MOST_WORDS
            at = letters.find(wanted, reached, most) if wanted else -1
            if at < 0:
                continue
            reached = at + len(wanted)
            words = tuple(places[at:reached])
            placed.append(PlacedLine(number, row, words[0], words[-1] + 1, words))
    return placed


def _box(page: Page, line: int) -> tuple[int, ...]:
    """Return the box of a line in thousandths of the picture."""
    one = page.lines[line]
    sides = (
        *((one.left, page.width), (one.top, page.height)),
        *((one.right, page.width), (one.bottom, page.height)),
    )
    return tuple(
        min(max(round(_PER_MILLE * value / whole), 0), _PER_MILLE) for value, whole in sides
    )


def _find_unsure(text: str, pages: Sequence[Page], placed: PlacedLine) -> Iterator[tuple[int, int]]:
    """Yield the words of a line that hold a character of little confidence."""
    line = pages[placed.page].lines[placed.line]
    for start, _ in line.unsure:
        before = len("".join(line.text[:start].split()))
        if before < len(placed.letters):
            yield _word_around(text, placed.letters[before])


def _word_around(text: str, at: int) -> tuple[int, int]:
    """Return the Latin word at a place, or the one character there."""
    start, end = at, at + 1
    if text[at].isascii() and text[at].isalnum():
        while start > 0 and text[start - 1].isascii() and text[start - 1].isalnum():
            start -= 1
        while end < len(text) and text[end].isascii() and text[end].isalnum():
            end += 1
    return start, end
