"""The files a reader has put in: what they are, what was read from each, what could not be read.

Belongs to one check, and is stored with it as it is read. Files keep their order; every file ends
as a document or as a reason.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from simhash_core import Document, Settings, read
from simhash_core.app.uploads import MOST_BYTES as MOST_BYTES
from simhash_core.checking import (
    CHOSEN_VERSION,
    collection_name,
    keep_latest_versions,
    recognition_installed,
    uploads,
)
from simhash_core.model import REMARKS, Skipped
from simhash_core.people import Member, find_class_list
from simhash_core.storage import Project
from simhash_core.text.lengths import Length, length_of, unit_of, words_about

from ..shared import jobs, open_checks, session
from ..shared.open_checks import OpenCheck
from ..shared.tab import Fact
from .settings_form import find_settings, give_to_all, take_from_all

MOST_FILES = 2000
MOST_NAME = 80  # characters of the name of a check
TEXT_FORMATS = ("txt", "md", "html", "htm")  # those that can be decoded in another way
_CHUNK = 64  # files read between two points at which stopping loses nothing
STEPS_BACK = 10  # files that can be taken in again
_WORDS, _HAN = 5, 12  # by which a pasted text is called
_NO_PATH = str.maketrans("/\\.", "   ")  # a name is no path, and ends in no format


class Tab:
    """What a tab remembers: the drop zone."""

    #: id of the check that goes on once what was added is read, and how many texts it had
    goes_on: Fact[tuple[str, int] | None] = Fact(None, of_files=True)

    uploader = Fact(0)  # turn of the drop zone; another one is empty
    refused: Fact[tuple[int, int] | None] = Fact(None)  # files and bytes that were too many
    #: files whose names were looked at for authors
    authors_of: Fact[tuple[str, ...]] = Fact((), of_files=True)


tab = Tab()


@dataclass(slots=True)
class Entry:
    """One file: where it came from and what became of it."""

    name: str
    source: Any = None
    document: Document | None = None
    skipped: Skipped | None = None
    members: tuple[Member, ...] = ()  # of what is no hand-in but a class list
    words: int = 0  # about how many the fingerprint can count
    _length: Length | None = None

    @property
    def length(self) -> Length:
        """How long its text is; read once."""
        if self._length is None:
            self._length = length_of(self.document.text if self.document else "")
        return self._length


@dataclass(frozen=True, slots=True)
class Caution:
    """What deserves a look before the check: a code of the `notes` catalogue."""

    code: str
    params: dict[str, object]


@dataclass(slots=True)
class Batch:
    """All files of the next check."""

    given: str = ""  # the name that the reader gave, "" for none
    begun: datetime = field(default_factory=lambda: datetime.now().astimezone())
    entries: list[Entry] = field(default_factory=list)
    size: int = 0
    waiting: list[Entry] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)  # ids of the uploads that were put in
    removed: list[tuple[int, Entry]] = field(default_factory=list)  # taken out, by place

    @property
    def documents(self) -> list[Document]:
        """What can take part, in the order of the files."""
        return [entry.document for entry in self.entries if entry.document is not None]

    @property
    def compared(self) -> list[Document]:
        """What a check compares: of the versions that one person handed in, the latest."""
        return keep_latest_versions(self.documents)[0]

    @property
    def lengths(self) -> list[Length]:
        """How long each of the documents is."""
        return [entry.length for entry in self.entries if entry.document is not None]

    @property
    def skipped(self) -> list[Skipped]:
        """What cannot, with reasons."""
        return [entry.skipped for entry in self.entries if entry.skipped is not None]

    @property
    def scans(self) -> int:
        """Files that recognition would read."""
        return sum(one.code in ("scanned", "needs_ocr") for one in self.skipped)

    @property
    def name(self) -> str:
        """What the check will be called."""
        return self.given or session.first_name(len(self.compared), self.begun)

    @property
    def is_class(self) -> bool:
        """Whether most of the files name a person, or there is a class list."""
        texts = self.documents
        named = sum(bool(one.meta.get("person") or one.meta.get("number")) for one in texts)
        return 2 * named > len(texts) or bool(open_checks.class_list())

    def cautions(self) -> list[tuple[Caution, ...]]:
        """Return what deserves a look, for every file."""
        first: dict[str, str] = {}  # the first file with a text, by the hash of the text
        rows: list[tuple[Caution, ...]] = []
        for entry in self.entries:
            document = entry.document
            if document is None:
                rows.append(())
                continue
            cautions = [
                Caution(note.code, dict(note.params))
                for note in document.notes
                if note.code not in REMARKS
            ]
            same = first.setdefault(document.id, entry.name)
            if same != entry.name:
                cautions.insert(0, Caution("same_text", {"name": same}))
            cautions.extend(_of_length(entry, document))
            rows.append(tuple(cautions))
        return rows

    def in_order_of_need(self, cautions: Sequence[tuple[Caution, ...]]) -> list[int]:
        """Rows, files that need a look first: not read, then cautions, then the good ones."""
        rank = [
            0 if entry.skipped else 1 if of_entry else 2
            for entry, of_entry in zip(self.entries, cautions, strict=True)
        ]
        return sorted(range(len(rank)), key=lambda row: rank[row])


def _of_length(entry: Entry, document: Document) -> list[Caution]:
    """Say where a text is too short for a steady fingerprint, or is in no language for one."""
    least = Settings().min_tokens
    if document.language == "other":
        return [Caution("other_language", {})]
    if entry.words < least:
        return [Caution("no_fingerprint", {"n": least})]
    return []


def find_batch() -> Batch | None:
    """Return the files of the check that this tab looks at."""
    opened = open_checks.find_current()
    if opened is None:
        return None
    if opened.batch is None:
        opened.batch = _read_stored(opened.project)
    return opened.batch if isinstance(opened.batch, Batch) else None


def clear() -> None:
    """Look at no files; those of a kept check stay with it."""
    open_checks.leave()
    tab.uploader += 1


def save(opened: OpenCheck, entries: Sequence[Entry], *, state: str = "read") -> None:
    """Store what was read with the check."""
    documents = [entry.document for entry in entries if entry.document is not None]
    skipped = [entry.skipped for entry in entries if entry.skipped is not None]
    opened.store(lambda project: project.save_documents(documents, skipped=skipped, state=state))


def _read_stored(project: Project) -> Batch | None:
    """Return the files of a check that was opened again; their sources are gone."""
    texts = project.texts()
    if not texts.documents and not texts.skipped:
        return None
    entries = [
        Entry(document.name, document=document, words=words_about(document.text))
        for document in texts.documents
    ]
    entries += [Entry(item.name, skipped=item) for item in texts.skipped]
    created = project.summary().created
    begun = created.astimezone() if created else datetime.now().astimezone()
    return Batch(given=project.name, begun=begun, entries=entries)


def queue(
    sources: Sequence[Any], skipped: Iterable[Skipped], *, size: int = 0, upload: str = ""
) -> None:
    """Put the sources of one upload beside the files that are there; `read_queue` reads them."""
    batch = find_batch()
    if batch is None:
        batch = Batch()
        (open_checks.find_current() or open_checks.begin()).batch = batch
    batch.taken.add(upload)
    taken = {entry.name for entry in batch.entries} | {entry.name for entry in batch.waiting}
    batch.size += size
    batch.waiting.extend(Entry(item.name, skipped=item) for item in skipped)
    for source in sources:
        path = PurePosixPath(source.name)
        name, n = source.name, 2
        while name in taken:
            name, n = str(path.with_name(f"{path.stem} ({n}){path.suffix}")), n + 1
        taken.add(name)
        named = source if name == source.name else dataclasses.replace(source, name=name)
        batch.waiting.append(Entry(named.name, named))


def put_in(added: Sequence[Any], door: str = "") -> None:
    """Queue uploads, each once; a new check notes the door that they came through.

    A run of the page ends wherever a newer request reaches it, so the zone can show the same
    uploads to the next run: the id of an upload tells whether it was queued before.
    """
    batch = find_batch()
    fresh = [file for file in added if batch is None or file.file_id not in batch.taken]
    first = batch is None or not (batch.entries or batch.waiting)
    if door != "two":  # a folder comes in the disk's order
        fresh.sort(key=lambda file: file.name)
    for file in fresh:
        sources, skipped = uploads([(file.name, file.getvalue())])
        queue(sources, skipped, size=file.size, upload=file.file_id)
    if first:
        name_after([file.name for file in fresh])
    go_through(door)
    read_queue()


def paste(texts: Sequence[str]) -> None:
    """Put pasted texts in, called by their first words, as two texts."""
    clear()
    named = [(_first_words(text), text.encode()) for text in texts]
    queue(*uploads(named))
    go_through("two")
    read_queue()


def go_through(door: str) -> None:
    """Note through which door the texts of a check came, where they came through one."""
    opened = open_checks.find_current()
    if door and opened is not None:
        opened.store(lambda project: project.put("door", door))


def _first_words(text: str) -> str:
    """Return how a text begins: its first 12 characters in Chinese, else its first 5 words."""
    begins = " ".join(text.translate(_NO_PATH).split()[:_WORDS])
    return begins[:MOST_NAME] if unit_of(text) == "words" else begins[:_HAN]


def name_after(given: Sequence[str]) -> None:
    """Call a check that nobody has named after the archive or folder that its files come from."""
    batch, opened = find_batch(), open_checks.find_current()
    name = collection_name(given)
    if name and batch is not None and opened is not None and not batch.given:
        opened.rename(name[:MOST_NAME])


def read_queue() -> None:
    """Begin to read what waits, in the background; stopping keeps what was read."""
    batch, opened, running = find_batch(), open_checks.find_current(), jobs.find_latest("read")
    if batch is None or opened is None or not batch.waiting or running is not None:
        return
    queued, before = list(batch.waiting), list(batch.entries)
    finished: list[Entry] = []
    settings, keep = find_settings(), not open_checks.keeps_nothing()
    stages = ("read", "ocr") if recognition_installed() and settings.ocr != "off" else ("read",)

    def work(progress: jobs.Progress) -> None:
        opened.store(lambda project: project.put("waiting", len(queued)))
        for start in range(0, len(queued), _CHUNK):

            def step(stage: str, done: int, total: int, start: int = start) -> None:
                if stage == "read":
                    done, total = start + done, len(queued)
                progress(stage, done, total)

            finished.extend(_read(queued[start : start + _CHUNK], settings, step, keep=keep))
            rest = len(queued) - start - _CHUNK
            save(opened, [*before, *finished], state="reading" if rest > 0 else "read")

    jobs.start("read", work, stages=stages, facts={"n": len(queued), "entries": finished})
    del batch.waiting[: len(queued)]


def collect() -> Batch | None:
    """Take over what has been read, begin to read what waits; return the files."""
    job, batch, opened = jobs.find_latest("read"), find_batch(), open_checks.find_current()
    if job is not None and batch is not None and opened is not None and job.state != "running":
        batch.entries.extend(job.facts.pop("entries", []))  # once, whichever tab comes first
        jobs.put_away("read")
        if job.state != "done":
            del tab.goes_on  # stopped: its reader decides
            save(opened, batch.entries)
    read_queue()
    if batch is not None and not batch.entries and jobs.find_latest("read") is None:
        _give_up()
    return find_batch()


def read_scans(batch: Batch) -> None:
    """Read again what was left because pictures could not be read."""
    left = [one for one in batch.entries if one.skipped is not None and one.source is not None]
    batch.entries = [one for one in batch.entries if one.skipped is None or one.source is None]
    batch.waiting += [Entry(one.name, one.source) for one in left]
    read_queue()


def remove(row: int) -> None:
    """Take one file out."""
    batch, opened = find_batch(), open_checks.find_current()
    if batch is not None and opened is not None:
        batch.removed = [*batch.removed, (row, batch.entries.pop(row))][-STEPS_BACK:]
        save(opened, batch.entries)
        if not batch.entries:
            _give_up()


def keep_only(rows: Sequence[int]) -> None:
    """Take all files out but some."""
    batch = find_batch()
    for row in range(len(batch.entries) - 1, -1, -1) if batch is not None else ():
        if row not in rows:
            remove(row)


def take_as_task(row: int) -> None:
    """Take one file out and count its text nowhere, as one that everybody was given."""
    batch = find_batch()
    document = batch.entries[row].document if batch is not None else None
    if document is not None:
        give_to_all([document])
        remove(row)


def put_back() -> None:
    """Take the file in again that was taken out last; nobody was given it then."""
    batch, opened = find_batch(), open_checks.find_current()
    if batch is not None and opened is not None and batch.removed:
        row, entry = batch.removed.pop()
        batch.entries.insert(row, entry)
        take_from_all(entry.document)
        save(opened, batch.entries)


def use_version(row: int, versions: Sequence[int]) -> None:
    """Compare one of several versions of a text in the place of the others."""
    batch, opened = find_batch(), open_checks.find_current()
    if batch is None or opened is None:
        return
    for each in versions:
        document = batch.entries[each].document
        if document is not None:
            meta = {name: held for name, held in document.meta.items() if name != CHOSEN_VERSION}
            chosen = {CHOSEN_VERSION: "yes"} if each == row else {}
            batch.entries[each].document = dataclasses.replace(document, meta={**meta, **chosen})
    save(opened, batch.entries)


def replace(row: int, entry: Entry) -> None:
    """Put another reading of a file in its place."""
    batch, opened = find_batch(), open_checks.find_current()
    if batch is not None and opened is not None:
        batch.entries[row] = entry
        save(opened, batch.entries)


def take_reading(opened: OpenCheck, text: str, chosen: Document) -> None:
    """Take over that a text, by its id, is compared in its other reading; it is stored already."""
    batch = opened.batch
    for entry in batch.entries if isinstance(batch, Batch) else ():
        held = entry.document
        if held is not None and held.id == text:
            entry.document = dataclasses.replace(chosen, name=held.name, meta=held.meta)
            entry.words, entry._length = words_about(chosen.text), None


def _give_up() -> None:
    """Leave a check without files; where it never had a result, nothing of it stays."""
    opened = open_checks.find_current()
    clear()
    if opened is not None and opened.key and opened.current is None:
        open_checks.remove(opened.key)


def preview(entry: Entry, encoding: str) -> Entry:
    """Return what a file would be under another encoding."""
    return _read([entry], Settings(encoding=encoding), None, keep=False)[0]


def _read(
    entries: Sequence[Entry], settings: Settings, progress: jobs.Progress | None, *, keep: bool
) -> list[Entry]:
    """Read files that wait; those that were refused before reading stay what they are."""
    sources = [entry.source for entry in entries if entry.skipped is None]
    documents, skipped = read(sources, settings=settings, progress=progress, keep=keep)
    outcomes: dict[str, Document | Skipped] = {document.name: document for document in documents}
    outcomes |= {row.name: row for row in skipped}
    finished = []
    for entry in entries:
        item = outcomes.get(entry.name, entry.skipped)
        members = tuple(find_class_list(entry.source, item)) if entry.source else ()
        if members:
            row = Skipped(entry.name, "class_list", {"n": len(members)})
            finished.append(Entry(entry.name, skipped=row, members=members))
        elif isinstance(item, Document):
            source = entry.source if item.format in TEXT_FORMATS else None  # to be decoded anew
            finished.append(Entry(entry.name, source, item, words=words_about(item.text)))
        elif item is not None:
            source = entry.source if item.code == "needs_ocr" else None  # until that is downloaded
            finished.append(Entry(entry.name, source, skipped=item))
    return finished
