"""The index of a library: segments that follow it, and can be made again from it.

New texts become a small segment; segments grow by merging, so that few are open. What is removed
from the library is never returned and leaves the segments when they are merged, or all at once when
it is deleted for good.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ..checking.fingerprinting import fingerprint_batch
from ..checking.tokenizing import (
    TASK_SECONDS,
    TokenizedBatch,
    concepts_for,
    prepare_dictionary,
    tokenize_batch,
    tokenize_texts,
)
from ..errors import StoreError, Unreadable
from ..folders import cache_folder
from ..machine.memory import cut_batches
from ..machine.workers import shared_pool
from ..model import I64, U64, Document, Progress, report_nothing
from ..passages.winnow import Rule
from ..settings import Settings
from ..storage.library import ROW_KEY, Library, Purged
from .folder import BROKEN, Entry, Manifest, SegmentFolder
from .retrieval import NewTexts
from .segments import SENTENCES, Archive, Segment

VERSION = 1  # raise when the segments of the same texts would differ
BATCH_TEXTS = 2_000  # of a new segment
BATCH_CHARACTERS = 3_000_000  # of a new segment: a second, and a hundred megabytes of a worker
READ_TEXTS = 500  # of the library at once
SMALL_TEXTS = 4_000  # merged at once, in a second; larger ones are merged in the background
LARGEST_TOKENS = 16_000_000  # of a merged segment: a bound of the memory that merging takes
GROWTH = 4  # a segment is merged with the next one unless it is so many times as large

#: keys of texts, int64 (n,), and the fingerprints that a library holds of them, uint64 (n, W)
Prints = tuple[I64, U64] | None


@dataclass(frozen=True, slots=True)
class Contents:
    """What an index holds beside fingerprints and words, of which texts.

    Attributes
    ----------
    shape : str
        Different where the same texts make other segments.
    languages : str
        Names with a space between them: only texts in these, and in unknown ones, are read.
    make : callable
        make(keys, documents): their segment; a text may be left out of it.
    batch : int
        Texts of a new segment: what is made twice where the making is stopped.
    """

    shape: str
    languages: str
    make: Callable[[I64, Sequence[Document]], Segment]
    batch: int = BATCH_TEXTS


class LibraryIndex:
    """What a library is searched by. Several processes may read while one writes.

    Parameters
    ----------
    library
        As one owner sees it; the segments hold the texts of this owner alone.
    settings
        Those that shape what texts are compared by. Other ones have segments of their own.
    folder
        Where the segments lie: by default beside the file of the library, in the user's cache
        where the library is no file.
    contents
        What the segments hold instead of fingerprints and words.
    """

    def __init__(
        self,
        library: Library,
        *,
        settings: Settings,
        folder: Path | None = None,
        contents: Contents | None = None,
    ) -> None:
        self.library = library
        self.contents = contents
        self._batch = contents.batch if contents else BATCH_TEXTS
        self.settings = _keep_shaping(settings)
        place = folder or default_folder(library)
        if place is None:  # it ends with this object, as the library does
            self._passing = TemporaryDirectory(prefix="leitong-index-")
            place = Path(self._passing.name)
        shape = contents.shape if contents else _shape(self.settings)
        self.folder = SegmentFolder(place / f"{library.owner[:12]}-{shape}")
        self._segments: dict[str, Segment] = {}
        self._state = (0, 0)  # newest key and latest removal at which keys were read
        self._admitted: dict[tuple[str, ...] | None, I64] = {}

    def fits(self, settings: Settings) -> bool:
        """Return whether these settings compare texts by what the segments hold."""
        return _shape(_keep_shaping(settings)) == _shape(self.settings)

    def refresh(self, step: Progress | None = None, *, most: int | None = None) -> int:
        """Take up what the library received since, `most` texts of it; return how many those are.

        Progress is reported as `index`; the index is complete up to a key at any time, so this may
        be stopped and goes on later.
        """
        newest, manifest = self.library.newest(), self.folder.manifest()
        if manifest.newest == newest and manifest.library == self.library.id:
            return 0
        total = len(self._keys(None)) if step else 0

        def waiting(other: Manifest) -> None:
            """Report how far another process is."""
            if step is not None:
                step("index", min(other.texts, total), total)

        with self.folder.writing(waiting):
            manifest, before = self._continue_manifest(), 0
            waiting_keys = self._waiting_keys(manifest.upto)
            keys = waiting_keys[:most]
            for upto, segment in self._make_segments(keys):
                entries = (self.folder.write(segment),) if len(segment) else ()
                manifest = replace(manifest, upto=upto, segments=(*manifest.segments, *entries))
                manifest = self._merge_neighbours(self.folder.put(manifest), SMALL_TEXTS)
                before += len(segment)
                if step is not None:
                    step("index", int(np.searchsorted(keys, upto, "right")), len(keys))
            if before > SMALL_TEXTS:
                manifest = self._merge_neighbours(manifest, None)
            if len(keys) == len(waiting_keys):
                self.folder.put(replace(manifest, newest=newest))
        return before

    def waiting(self) -> int:
        """Return how many texts of the library the index has not taken up."""
        return len(self._waiting_keys(self._continue_manifest().upto))

    def _continue_manifest(self) -> Manifest:
        """Return the manifest to go on from, an empty one where it is of another library."""
        manifest, library = self.folder.manifest(), self.library.id
        if manifest.library == library:
            return manifest
        return Manifest(generation=manifest.generation, library=library)

    def tidy(self, step: Progress | None = None) -> None:
        """Merge all segments that should be: the work that is left for the background."""
        with self.folder.writing():
            self._merge_neighbours(self.folder.manifest(), None, step)

    def verify(self) -> list[str]:
        """Read everything; make again the segments that are broken, and return their names."""
        broken = []
        for entry in self.folder.manifest().segments:
            try:
                self.folder.read(entry, whole=True)
            except BROKEN:
                broken.append(entry.name)
                self._mend(entry)
        return broken

    def archive(self, collections: Sequence[str] | None = None) -> Archive:
        """Return what can be searched: texts of all collections, or of some.

        Raises
        ------
        StoreError
            `store_missing`, with the name of a collection that does not exist.
        """
        return Archive(self._current(), self._keys(collections))

    def new_texts(
        self, documents: Sequence[Document], step: Progress, batch: TokenizedBatch | None = None
    ) -> NewTexts:
        """Return texts as this archive is searched for them; `batch` are their tokens."""
        settings, pool = self.settings, shared_pool()
        batch = batch or tokenize_batch(documents, settings=settings, pool=pool, step=step)
        made = fingerprint_batch(documents, batch.features, settings=settings, step=step).background
        return NewTexts(batch.texts, batch.winnowed, made.words, made.valid)

    def _keys(self, collections: Sequence[str] | None) -> I64:
        """Return the keys that may be found; read again when the library has changed.

        A hundred thousand keys take a tenth of a second to read.
        """
        state = self.library.newest(), self.library.removed(self._state[1])[0]
        if state != self._state:
            self._admitted, self._state = {}, state
        wanted = None if collections is None else tuple(collections)
        if wanted not in self._admitted:
            self._admitted[wanted] = self.library.keys(collections=collections)
        return self._admitted[wanted]

    def _current(self) -> list[Segment]:
        """Open the segments that count; a merge may take one away while the others are opened."""
        for _ in range(8):
            manifest = self.folder.manifest()
            try:
                opened = {entry.name: self._open_segment(entry) for entry in manifest.segments}
            except BROKEN:
                generation = self.folder.manifest().generation
                if generation == manifest.generation:
                    for entry in manifest.segments:
                        self._mend(entry)
                continue
            self._segments = opened
            return list(opened.values())
        raise StoreError("store_busy", name=self.library.name)

    def _open_segment(self, entry: Entry) -> Segment:
        held = self._segments.get(entry.name)
        return held if held is not None else self.folder.read(entry)

    def _mend(self, entry: Entry) -> None:
        """Make a segment again from the library, unless it can be read."""
        with self.folder.writing():
            manifest = self.folder.manifest()
            if entry not in manifest.segments:
                return  # another process has merged or mended it
            try:
                self.folder.read(entry, whole=True)
            except BROKEN:
                self._segments.pop(entry.name, None)
                keys = self._waiting_keys(entry.first - 1)
                parts = [
                    part for _, part in self._make_segments(keys[keys <= entry.last]) if len(part)
                ]
                made = (self.folder.write(reduce(Segment.merged, parts)),) if parts else ()
                at = manifest.segments.index(entry)
                others = (*manifest.segments[:at], *made, *manifest.segments[at + 1 :])
                self.folder.put(replace(manifest, segments=others))

    def _merge_neighbours(
        self, manifest: Manifest, most: int | None, step: Progress | None = None
    ) -> Manifest:
        """Merge neighbours until each is much larger than the next, the smallest two first.

        Only as long as the merged ones have at most `most` texts.
        """
        done = 0
        while (at := _next_merge(manifest.segments, most)) is not None:
            one, other = manifest.segments[at : at + 2]
            first, second = (self._open_segment(entry) for entry in (one, other))
            merged = first.merged(second)
            alive = self.library.keys(after=one.first - 1, upto=other.last)
            merged = merged.only(np.isin(merged.key, alive))
            entries = (self.folder.write(merged),) if len(merged) else ()
            for entry in (one, other):
                self._segments.pop(entry.name, None)
            segments = (*manifest.segments[:at], *entries, *manifest.segments[at + 2 :])
            manifest = self.folder.put(replace(manifest, segments=segments))
            done += 1
            if step is not None:
                step("index", done, done + len(manifest.segments) - 1)
        return manifest

    def _make_segments(self, keys: I64) -> Iterator[tuple[int, Segment]]:
        """Yield the segments of some texts, and the key up to which each has them.

        Texts that are damaged or removed are left out. Workers make them, several at once.
        """
        pool = shared_pool()
        tasks = self._cut_tasks(keys)
        while some := list(islice(tasks, 1 if self.contents else pool.workers)):
            made: Iterable[Segment | Unreadable]
            held = [
                np.array([int(one.meta[ROW_KEY]) for one in documents], np.int64)
                for _, _, documents in some
            ]
            if self.contents:
                made = [
                    self.contents.make(key, task[2]) for key, task in zip(held, some, strict=True)
                ]
            else:
                prepare_dictionary([one.text for task in some for one in task[2]], self.settings)
                same = self.library.recipe == self.settings.recipe()
                work = []
                for key, (after, upto, documents) in zip(held, some, strict=True):
                    prints = self.library.fingerprints(after, upto=upto) if same else None
                    work.append((key, documents, prints, self.settings))
                made = map(segment_of, work)
                if len(work) > 1:
                    made = pool.map(segment_of, work, seconds=TASK_SECONDS)
            for (_, upto, _), segment in zip(some, made, strict=True):
                if isinstance(segment, Unreadable):
                    raise segment
                yield upto, segment

    def _cut_tasks(self, keys: I64) -> Iterator[tuple[int, int, list[Document]]]:
        """Yield the texts of one segment each: those behind a key, up to another one."""
        parts = (keys[low : low + READ_TEXTS] for low in range(0, len(keys), READ_TEXTS))
        documents = (one for part in parts for one in self._documents(part.tolist()))
        after = int(keys[0]) - 1 if len(keys) else 0
        for some in cut_batches(
            documents, lambda one: len(one.text), most=self._batch, largest=BATCH_CHARACTERS
        ):
            upto = int(some[-1].meta[ROW_KEY])
            yield after, upto, some
            after = upto
        if len(keys) and after < keys[-1]:  # the last ones are damaged or removed
            yield after, int(keys[-1]), []

    def _waiting_keys(self, after: int) -> I64:
        """Return the keys after some key of the texts that segments hold."""
        languages = self.contents.languages if self.contents else ""
        return self.library.keys(languages=languages, after=after)

    def _documents(self, keys: Sequence[int]) -> list[Document]:
        try:
            return self.library.documents(keys)
        except StoreError as error:
            if error.code != "store_damaged" or len(keys) == 1:
                if error.code == "store_damaged":
                    return []  # `verify` of the library names it
                raise
        half = len(keys) // 2
        return [*self._documents(keys[:half]), *self._documents(keys[half:])]


def segment_of(task: tuple[I64, list[Document], Prints, Settings]) -> Segment:
    """Return the segment of some texts; runs in a worker.

    The fingerprints that a library holds are taken as they are; where one is missing of a text
    that is long enough, all are made.
    """
    key, documents, held, settings = task
    features, places = tokenize_texts([one.text for one in documents], settings)
    words, valid = None, np.zeros(len(key), np.bool_)
    if held is not None and held[1].shape[1] == settings.bits // 64:
        valid = np.isin(key, held[0])
        if not (~valid & (features.length >= settings.min_tokens)).any():
            words = np.zeros((len(key), settings.bits // 64), np.uint64)
            words[valid] = held[1][np.isin(held[0], key)]
    if words is None:
        made = fingerprint_batch(
            documents, features, settings=settings, step=report_nothing
        ).background
        words, valid = made.words, made.valid
    texts, winnowed = [text for text, _ in places], [hashes for _, hashes in places]
    return Segment.of(key, texts, winnowed, words, valid)


def _next_merge(segments: Sequence[Entry], most: int | None) -> int | None:
    """Return the first of the two neighbours to merge next, None where all is as it should be."""
    fitting = [
        (one.tokens + other.tokens, at)
        for at, (one, other) in enumerate(pairwise(segments))
        if one.tokens < GROWTH * other.tokens
        and one.tokens + other.tokens <= LARGEST_TOKENS
        and (most is None or one.texts + other.texts <= most)
    ]
    return min(fitting)[1] if fitting else None


def default_folder(library: Library) -> Path | None:
    """Return where the segments of a library lie, None for one in memory."""
    if (path := library.store.path) is not None:
        return path.with_name(f"{path.name}.index")
    if not library.name:
        return None
    name = hashlib.sha256(f"{library.name} {library.id}".encode()).hexdigest()[:12]
    return cache_folder() / "library" / name


def update_index(
    library: Library,
    *,
    settings: Settings = Settings(),  # noqa: B008  frozen
    progress: Progress | None = None,
) -> int:
    """Take up what an import added, and merge what should be merged.

    Returns how many texts were added. Without this the next check does all but the merging; what
    chance gives in the archive is measured by the first check that asks.
    """
    step = progress or report_nothing
    index = LibraryIndex(library, settings=settings)
    added = index.refresh(step)
    index.tidy(step)
    return added


def index_size(library: Library) -> int:
    """Return the bytes of what a library is searched by, of all owners; it can be made again."""
    folder = default_folder(library)
    if folder is None:
        return 0
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def purge_library(library: Library) -> Purged:
    """Delete every trace of what was removed from a library.

    The index of the usual settings and the vectors of sentences, which take long to make, are
    written anew without these texts; those of other settings and of stems are removed and made
    again when they are needed.
    """
    purged = library.purge()
    usual, place = LibraryIndex(library, settings=Settings()).folder.path, default_folder(library)
    for folder in sorted(place.glob(f"{library.owner[:12]}-*")) if place else []:
        kept = folder == usual or folder.name.partition("-")[2].startswith(SENTENCES)
        try:
            if kept:
                forget_removed(library, SegmentFolder(folder))
        except BROKEN:
            kept = False
        if not kept:
            shutil.rmtree(folder, ignore_errors=True)
    return purged


def forget_removed(library: Library, folder: SegmentFolder) -> int:
    """Write anew every segment that holds removed texts; return how many texts that were."""
    with folder.writing():
        manifest, alive, gone = folder.manifest(), library.keys(), 0
        entries: list[Entry] = []
        for entry in manifest.segments:
            segment = folder.read(entry)
            stays = np.isin(segment.key, alive)
            gone += int(np.count_nonzero(~stays))
            if stays.all():
                entries.append(entry)
            elif stays.any():
                entries.append(folder.write(segment.only(stays)))
        folder.put(replace(manifest, segments=tuple(entries)))
    return gone


def _keep_shaping(settings: Settings) -> Settings:
    """Return settings that differ from the defaults only where they shape what is compared."""
    names = ("bits", "weighting", "stop_words", "user_words", "levels", "fold_variants")
    shape = {name: getattr(settings, name) for name in names}
    dictionary = "off" if concepts_for(settings) is None else settings.dictionary
    return Settings(**shape, dictionary=dictionary, batch_signature=False)


def _shape(settings: Settings) -> str:
    parts = [VERSION, settings.recipe(), settings.dictionary != "off", repr(Rule.of())]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]
