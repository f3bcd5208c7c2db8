"""Texts of a library that may say the same as new ones in other words.

The first components of the vectors of all sentences lie beside the index, a byte each. They are
made when a check first asks for them, some texts with each check or all at once, and follow the
library as the other indexes do. New texts are compared with all of them; what is nearest is read,
and its vectors are made again in full.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..errors import BadInput
from ..machine.memory import cut_batches
from ..machine.workers import shared_pool
from ..meaning.align import FEWEST
from ..meaning.likely import coarse, nearest_texts, strength
from ..meaning.search import NearReferences, find_kept_vectors, vectors_of
from ..meaning.units import units_of
from ..meaning.vectors import UNIVERSAL, meaning_installed, wants_meaning
from ..model import I16, I64, Document, KeptVectors, Progress, report_nothing
from ..policy import (
    MEANING_ARCHIVE,
    MEANING_ARCHIVE_ALONE,
    MEANING_ARCHIVE_MADE,
    MEANING_ARCHIVE_WAITING,
    MEANING_SHORT,
)
from ..settings import Settings
from ..storage.library import Library
from .index import Contents, LibraryIndex
from .segments import SENTENCES, Archive, Segment, SentenceVectors

VERSION = 1  # raise when the same texts would have other rows
STAGE, VECTORS = "sentences", "vectors"
BATCH = 64  # texts between two of which the making may be stopped: some 7 s of one core
READING, LOOKING = (0, 50), (50, 100)  # percent of the stage
CELLS = 16_000_000  # of units of new texts times texts of the library that lie in memory at once


def near_references(
    documents: Sequence[Document],
    library: Library,
    *,
    collections: Sequence[str] | None,
    most: int | None,
    kept: KeptVectors,
    step: Progress,
) -> NearReferences:
    """Return the texts of a library whose sentences are nearest to those of new texts.

    Of each new text `MEANING_ARCHIVE`, and as many more as are left of `MEANING_ARCHIVE_ALONE`
    where few texts are new.

    Parameters
    ----------
    most
        Texts of the library whose vectors are made now, None for all that are missing; none where
        more than `MEANING_ARCHIVE_WAITING` are. They are counted under a stage of their own.
    kept
        Vectors of an earlier check of some of the new texts.

    Raises
    ------
    StoreError
        `store_missing`, with the name of a collection that does not exist.
    BadInput
        What the encoder raises.
    """
    index = sentence_index(library)
    if now := _count_due_sentences(index, most):
        step(VECTORS, 0, now)
        index.refresh(_count_steps(step), most=now)
    archive, waiting = index.archive(collections), index.waiting()
    units = [units_of(document.text) for document in documents]
    able = [row for row, one in enumerate(units) if len(one) >= FEWEST]
    if not able or not len(archive):
        return NearReferences(np.zeros((0, 2), np.int64), len(archive), waiting, {})
    read = find_kept_vectors(kept, units, UNIVERSAL)
    rows = vectors_of(units, UNIVERSAL, pool=shared_pool(), step=_within(step, READING), read=read)
    each = max(MEANING_ARCHIVE, MEANING_ARCHIVE_ALONE // len(documents))
    pairs = np.concatenate(list(_nearest(rows, able, archive, each, _within(step, LOOKING))))
    read = {units[row].sentences: rows[row] for row in able}
    return NearReferences(pairs, len(archive), waiting, read)


def make_sentences(library: Library, *, step: Progress | None = None) -> int:
    """Make the vectors of all texts of a library that have none; return how many texts those are.

    Raises
    ------
    BadInput
        `meaning`.
    """
    if not meaning_installed():
        raise BadInput("meaning")
    return sentence_index(library).refresh(_count_steps(step or report_nothing))


def waiting_sentences(library: Library) -> int:
    """Return how many texts of a library have no vectors yet; 0 where none can be made."""
    return sentence_index(library).waiting() if meaning_installed() else 0


def sentences_made_now(library: Library, settings: Settings) -> int:
    """Return for how many texts of a library a check makes vectors first, since they have none."""
    if not wants_meaning(settings):
        return 0
    return _count_due_sentences(sentence_index(library), most_made(settings))


def most_made(settings: Settings) -> int | None:
    """Return for how many texts of a library one check makes vectors; None for all."""
    return None if settings.meaning == "on" else MEANING_ARCHIVE_MADE


def _count_due_sentences(index: LibraryIndex, most: int | None) -> int:
    waiting = index.waiting()
    if most is None:
        return waiting
    return 0 if waiting > MEANING_ARCHIVE_WAITING else min(waiting, most)


def verify_sentences(library: Library) -> list[str]:
    """Read all vectors; make again those whose files are damaged, and return what these are called.

    Nothing is read where none can be made.
    """
    return sentence_index(library).verify() if meaning_installed() else []


def sentence_index(library: Library) -> LibraryIndex:
    """Return the index of a library by its sentences, not yet brought up to date."""
    shape = f"{SENTENCES}-{VERSION}-{MEANING_SHORT}-{UNIVERSAL.recipe}"  # what the rows follow from
    return LibraryIndex(
        library, settings=Settings(), contents=Contents(shape, "", _make_segment, BATCH)
    )


def _make_segment(keys: I64, documents: Sequence[Document]) -> Segment:
    """Index the texts that have sentences enough."""
    units = [units_of(document.text) for document in documents]
    rows = vectors_of(units, UNIVERSAL, pool=shared_pool(), step=report_nothing)
    held = [row for row, one in enumerate(rows) if len(one)]
    sizes = np.array([len(rows[row]) for row in held], np.int32)
    vectors = SentenceVectors.of([coarse(rows[row]) for row in held]) if held else None
    return Segment.of_others(keys[held], sizes, vectors=vectors)


# --------------------------------------------------------------------------- the nearest texts


def _nearest(
    rows: Sequence[I16], able: Sequence[int], archive: Archive, each: int, step: Progress
) -> Iterator[I64]:
    """Yield the row of each new text with the keys of the texts nearest to it, int64 (m, 2)."""
    admitted = np.flatnonzero(archive.admitted)
    done, most = 0, CELLS // len(archive.key)
    for some in cut_batches(able, lambda row: len(rows[row]), most=len(able), largest=most):
        queries = [coarse(rows[row]) for row in some]
        every = np.concatenate(queries)
        held = [one.vectors for one in archive.segments if one.vectors]
        nearest = [nearest_texts(every, one.rows, one.first) for one in held]
        products = np.concatenate(nearest, axis=1)[:, admitted]
        ends = np.cumsum([len(one) for one in queries])[:-1]
        for row, of_text in zip(some, np.split(products, ends), strict=True):
            score = strength(of_text)
            best = np.argsort(-score, kind="stable")[:each]
            best = best[score[best] > 0]
            yield np.stack([np.full(len(best), row), archive.key[admitted[best]]], axis=1)
        done += len(some)
        step(STAGE, done, len(able))


def _within(step: Progress, percent: tuple[int, int]) -> Progress:
    """Return a progress that reports a part of the stage, in percent."""
    low, high = percent

    def report(_: str, done: int, total: int) -> None:
        step(STAGE, low + (high - low) * done // max(total, 1), 100)

    return report


def _count_steps(step: Progress) -> Progress:
    return lambda _, done, total: step(VECTORS, done, total)
