"""Sources to documents; a source that cannot be read becomes a `Skipped` row.

A document says which manipulations keep it from matching: letters disguised, spaced, interleaved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, repeat
from typing import TYPE_CHECKING, TypeVar, cast

from ..errors import Unreadable
from ..machine.memory import cut_batches
from ..machine.serving import processor_limit
from ..machine.workers import TASK_SECONDS, WorkerPool
from ..model import Document, Note, Progress, Skipped, text_id
from ..settings import Settings
from .characters import CONTROLS, LOOKALIKES
from .classes import SUSPECT, Characters, characters_of, characters_of_all, mark
from .disguises import hair_spaces, marked_letters, name_disguises, small_capitals
from .extract import PICTURED, extract, kind_of
from .extract.extracted import Extracted, finding, merge_ranges, whatever_is_wrong
from .gathering import Source, reading_seconds, refuse_source
from .language import LEAST_WORDS, guess_language, words_in
from .normalize import MAYBE_SPACED, SPACED, masked_words
from .recognition import demand, recognition_installed

if TYPE_CHECKING:
    from .recognition.stage import Recognised

T = TypeVar("T")
Outcome = Document | Unreadable
Places = tuple[tuple[object, ...], ...]  # each a `Difference`

_CHUNK_FILES = 256  # files sent to a worker at once, as long as they are small
_CHUNK_BYTES = 2**20

# where so many files of a batch take too long, as hundreds made for that do, the others get less
_FEW_LATE = 5
_LESS = 0.3  # of the time

#: notes on what pictures may hold
_IN_PICTURES = ("scanned_pages", "pictures")

#: formats whose reading is only decoding; others are sent to the workers one by one
_PLAIN = frozenset(("txt", "text", "md", "markdown", ""))

# Joiners and variation selectors belong to emoji and to Indic and Arabic script; a mark of byte
# order, a soft hyphen or a tag does not belong to any. Left out: \u200c \u200d \ufe00-\ufe0f.
_INVISIBLES = (
    f"{CONTROLS}\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\U000e0000-\U000e007f"
)
_FULLWIDTHS = "\uff21-\uff3a\uff41-\uff5a"
_INVISIBLE = re.compile(f"[{_INVISIBLES}]")
_FULLWIDTH = re.compile(f"[{_FULLWIDTHS}]")
_JOINER = re.compile("[\u200c\u200d](?<=[\u2e80-\u9fffA-Za-z].)(?=[\u2e80-\u9fffA-Za-z])")
# looked for first; nearly all texts hold none of these
mark(SUSPECT, _INVISIBLES, _FULLWIDTHS, "\u200c\u200d", *LOOKALIKES)


def read_sources(
    sources: Sequence[Source],
    *,
    pool: WorkerPool,
    settings: Settings,
    progress: Progress,
    main_text: bool = False,
    keep: bool = True,
) -> tuple[list[Document], list[Skipped]]:
    """Read every source in a worker process, each within its time and memory.

    Parameters
    ----------
    settings
        `encoding` overrides the detection for text formats; `ocr` says whether pictures of text
        are recognised.
    main_text
        Read of web pages the article alone, where the extra `library` is installed.
    keep
        Whether recognised pages are kept in the folder of caches.
    progress
        Called as progress("read", done, total), then as progress("ocr", pages done, pages).

    Returns
    -------
    documents, skipped
        In the order of the sources.

    Raises
    ------
    BadInput
        `ocr` where recognition is demanded and not installed.
    """
    demand(settings.ocr)
    how = _How(settings.encoding, main_text)
    outcomes = _read_once(sources, how, pool, progress)
    if settings.ocr != "off":
        rows = [row for row, one in enumerate(outcomes) if _is_pictured(one, settings.ocr)]
        outcomes = _recognise(sources, outcomes, rows, pool, progress, keep=keep)
    documents = [one for one in outcomes if isinstance(one, Document)]
    skipped = [
        refuse_source(source.name, one)
        for source, one in zip(sources, outcomes, strict=True)
        if isinstance(one, Unreadable)
    ]
    return documents, skipped


def _read_once(
    sources: Sequence[Source], how: _How, pool: WorkerPool, progress: Progress
) -> list[Outcome]:
    """Read every source, pictures aside."""
    read: list[Outcome] = []
    progress("read", 0, len(sources))
    tasks = [(group, how) for group in _group_sources(sources)]
    answers = pool.map(_read_all, tasks, seconds=TASK_SECONDS, here=_read_here)
    for task, answer in zip(tasks, answers, strict=True):
        if isinstance(answer, Unreadable) and len(task[0]) > 1:
            singles = [([source], task[1]) for source in task[0]]
            parts = pool.map(_read_all, singles, seconds=TASK_SECONDS)
            read += [part if isinstance(part, Unreadable) else part[0] for part in parts]
        else:
            read += [answer] if isinstance(answer, Unreadable) else answer
            how.late += isinstance(answer, Unreadable) and answer.code == "timeout"
        progress("read", len(read), len(sources))
    return read


def _recognise(
    sources: Sequence[Source],
    outcomes: Sequence[Outcome],
    rows: Sequence[int],
    pool: WorkerPool,
    progress: Progress,
    *,
    keep: bool,
) -> list[Outcome]:
    """Recognise the pictures of some sources."""
    merged = list(outcomes)
    if not recognition_installed():
        for row in rows:
            reason = merged[row]
            if isinstance(reason, Unreadable) and reason.code == "scanned":
                merged[row] = Unreadable("needs_ocr")
        return merged
    from .recognition import stage  # and all that pictures need

    chosen = [sources[row] for row in rows]
    pages = stage.recognise_pages(chosen, pool=pool, progress=progress, keep=keep)
    answers: dict[int, Recognised | Outcome] = dict(zip(rows, pages, strict=True))
    read = {
        row: one for row, one in answers.items() if isinstance(one, stage.Recognised) and one.pages
    }
    tasks = [(sources[row], one) for row, one in read.items()]
    documents = pool.map(_read_recognised, tasks, seconds=TASK_SECONDS)
    answers |= dict(zip(read, documents, strict=True))
    for row, answer in answers.items():
        # what was read before stands where recognition fails
        if isinstance(answer, Document) or (
            isinstance(answer, Unreadable) and isinstance(merged[row], Unreadable)
        ):
            merged[row] = answer
    return merged


def _is_pictured(outcome: Outcome, ocr: str) -> bool:
    """Whether pictures may hold the text of a source, or where that is asked for some of it."""
    if isinstance(outcome, Unreadable):
        return outcome.code in ("scanned", "unmapped")
    if ocr == "on":
        return outcome.format in PICTURED
    if outcome.format == "pdf" and recognition_installed():
        return True  # its fonts may say other words than it shows
    return any(note.code in _IN_PICTURES for note in outcome.notes)


def _read_recognised(task: tuple[Source, Recognised]) -> Document:
    """Read a source with the lines of its pictures; runs in a worker."""
    from .recognition.readings import different_readings
    from .recognition.stage import name_failures, pictures_of, recognition_notes

    source, recognised = task
    with name_failures():
        data = source.content()
        kind, extracted = extract(data, suffix=source.suffix, recognised=recognised.lines)
        if not any(map(str.isalnum, extracted.text)):
            raise Unreadable("nothing_recognised")
        notes = recognition_notes(extracted.text, recognised.pages)
        if kind == "pdf":
            notes = (*different_readings(data, recognised.pages), *notes)
        if recognised.lost and not any(note.code in _IN_PICTURES for note in extracted.notes):
            notes = (*notes, Note("scanned_pages", {"n": recognised.lost}))
        pictures = (*extracted.pictures, *pictures_of(data, kind, recognised.pages))
        extracted = replace(extracted, notes=(*extracted.notes, *notes), pictures=pictures)
        return document_of(extracted, name=source.name, kind=kind)


@dataclass(slots=True)
class _How:
    """How the files of a batch are read; a worker gets it as it is when a task is sent."""

    encoding: str
    main_text: bool
    late: int = 0  # files that took too long until then

    def seconds(self, size: int) -> float:
        """Return how long a worker may compute for `size` bytes."""
        seconds = reading_seconds(size)
        return seconds if self.late < _FEW_LATE else _LESS * seconds


def _group_sources(sources: Sequence[Source]) -> Iterator[list[Source]]:
    """Group small plain files; every other file is a separate task."""

    def is_small(source: Source) -> bool:
        return source.suffix in _PLAIN and source.size() <= _CHUNK_BYTES

    for small, some in groupby(sources, is_small):
        most = _CHUNK_FILES if small else 1
        yield from cut_batches(some, Source.size, most=most, largest=_CHUNK_BYTES)


def _read_all(task: tuple[list[Source], _How]) -> list[Document | Unreadable]:
    """Read a group of sources; runs in a worker."""
    with processor_limit(task[1].seconds(sum(source.size() for source in task[0]))):
        return _read_group(*task)


def _read_here(task: tuple[list[Source], _How]) -> list[Document | Unreadable] | None:
    """Read a group of sources in this process, None where more than decoding is needed."""

    def is_plain(source: Source) -> bool:
        kind = _or_reason(lambda: kind_of(source.content(), source.suffix))
        return kind in _PLAIN

    small = sum(map(Source.size, task[0])) <= 2 * _CHUNK_BYTES
    plain = small and all(one.suffix in _PLAIN and is_plain(one) for one in task[0])
    return _read_group(*task) if plain else None


def _read_group(sources: Sequence[Source], how: _How) -> list[Document | Unreadable]:
    read = [_or_reason(partial(_extract_source, source, how)) for source in sources]
    texts = [one[1].text for one in read if not isinstance(one, Unreadable)]
    counted = _or_reason(partial(characters_of_all, texts))
    characters = repeat(None) if isinstance(counted, Unreadable) else iter(counted)
    return [
        _or_reason(partial(document_of, one[1], name=source.name, kind=one[0], of=next(characters)))
        if not isinstance(one, Unreadable)
        else one
        for source, one in zip(sources, read, strict=True)
    ]


def _or_reason(step: Callable[[], T]) -> T | Unreadable:
    """Return what a step of reading gives, or why it does not."""
    try:
        with whatever_is_wrong():
            return step()
    except Unreadable as reason:
        return reason


def _extract_source(source: Source, how: _How) -> tuple[str, Extracted]:
    """Return the format that a source was read as, and its text."""
    data = source.content()
    return extract(data, suffix=source.suffix, encoding=how.encoding, main_text=how.main_text)


def read_one(source: Source, *, encoding: str = "", main_text: bool = False) -> Document:
    """Read one source in this process.

    Raises
    ------
    Unreadable
        With the reason why not.
    """
    kind, extracted = _extract_source(source, _How(encoding, main_text))
    return document_of(extracted, name=source.name, kind=kind)


def document_of(
    extracted: Extracted, *, name: str, kind: str, of: Characters | None = None
) -> Document:
    """Return what was read as a document with what it looks like.

    `of` are the characters of its text, where at hand.

    Raises
    ------
    Unreadable
        `empty`, `no_words`, `too_short`.
    """
    text = extracted.text
    words = words_in(text, LEAST_WORDS)
    if words == 0:
        raise Unreadable("no_words" if text.strip() else "empty")
    if words < LEAST_WORDS:
        raise Unreadable("too_short", n=LEAST_WORDS)
    characters = of or characters_of(text)
    return Document(
        id=text_id(text),
        name=name,
        text=text,
        format=kind,
        encoding=extracted.encoding,
        language=guess_language(text, characters.classes).kind,
        meta=dict(extracted.meta),
        notes=(*extracted.notes, *findings(text, characters)),
        pictures=extracted.pictures,
        other=_read_as_written(extracted, name=name, kind=kind),
    )


def _read_as_written(extracted: Extracted, *, name: str, kind: str) -> Document | None:
    """Return a file as it is written, None where it is known at no place to look different."""
    if not extracted.written:
        return None
    different = [note for note in extracted.notes if "places" in note.params]
    if not different:
        return None
    places = tuple(place for note in different for place in cast(Places, note.params["places"]))
    n = sum(cast(int, note.params["n"]) for note in different)
    chosen = Note("as_written", {"n": n, "places": places})
    try:
        return document_of(Extracted(extracted.written, notes=(chosen,)), name=name, kind=kind)
    except Unreadable:
        return None


def findings(text: str, characters: Characters | None = None) -> tuple[Note, ...]:
    """Return one note for each kind of manipulation found.

    Parameters
    ----------
    characters
        Those of `text`, where at hand.

    Returns
    -------
    tuple of Note
        Codes `invisible` (zero-width and control characters), `lookalikes` (letters of other
        scripts in Latin words), `spaced` (a b s t r a c t: at least six letters in a row),
        `fullwidth` (Latin letters), `marks`, `narrow_spaces` and those of
        `disguises.name_disguises`, which tell of the whole text. `params["n"]` counts characters,
        `params["spans"]` lists the first places.
    """
    characters = characters or characters_of(text)
    spaced = _find_spans(SPACED, text) if characters.spaced and MAYBE_SPACED.search(text) else []
    marked, hair = marked_letters(text, characters), hair_spaces(text)
    others = (
        *((Note("marks", {"n": marked}),) if marked else ()),
        *finding("narrow_spaces", hair, len(hair)),
        *(Note(code, {"n": n}) for code, n in name_disguises(text, characters)),
    )
    if not characters.held & SUSPECT:
        return (*_note_spans("spaced", spaced), *others)
    masked = sorted(
        [*masked_words(text), *((i, j, j - i) for i, j in small_capitals(text))],
        key=lambda span: span[0],
    )
    letters = sum(count for _, _, count in masked)
    return (
        *_note_spans(
            "invisible",
            merge_ranges(sorted(_find_spans(_INVISIBLE, text) + _find_spans(_JOINER, text))),
        ),
        *finding("lookalikes", [(start, end) for start, end, _ in masked], letters),
        *_note_spans("spaced", spaced),
        *_note_spans("fullwidth", _find_spans(_FULLWIDTH, text)),
        *others,
    )


def _find_spans(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    # single classes and the merging here: `re` leaps over text only for a pattern without "+"
    return merge_ranges(match.span() for match in pattern.finditer(text))


def _note_spans(code: str, spans: list[tuple[int, int]]) -> tuple[Note, ...]:
    return finding(code, spans, sum(end - start for start, end in spans))
