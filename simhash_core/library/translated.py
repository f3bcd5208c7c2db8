"""Texts of a library that may be translations of new ones: Chinese of English, English of Chinese.

The library has an index of its own for this, one for each language, by stems of English words. It
is made when translations are first looked for, of the language that is looked for alone, and
follows the library as the other index does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import xxhash

from ..machine.workers import shared_pool
from ..model import I32, I64, Document, Progress, StemmedText, report_nothing
from ..people.authorship import adopt_author, mark_same_author
from ..policy import TRANSLATED_ARCHIVE, TRANSLATED_ARCHIVE_ALONE
from ..settings import Settings
from ..storage.library import ROW_KEY, Library
from ..text import dictionary
from ..translations.likely import WIDTH, likely_pairs, stem_postings
from ..translations.search import (
    STAGE,
    ArchiveTranslations,
    align_rows,
    rows_of_languages,
    stems_of,
)
from .index import Contents, LibraryIndex
from .segments import STEMS, Archive, Segment, UnitPostings

VERSION = 1  # raise when the stems of the same texts would differ
_LANGUAGES = {"en": "en mixed", "zh": "zh mixed"}  # in which texts of each are stored
BATCH = 100  # new texts whose likely translations are read at once: a bound of memory


def archive_translations(
    documents: Sequence[Document],
    library: Library,
    *,
    collections: Sequence[str] | None,
    settings: Settings,
    by_author: bool,
    step: Progress,
) -> ArchiveTranslations:
    """Return the passages of a library that may be translations of new texts, or the other way.

    Each new text is aligned with `TRANSLATED_ARCHIVE` texts of the other language, those that
    share the most rare stems in one place; with as many more as are left of
    `TRANSLATED_ARCHIVE_ALONE` where few texts are new.

    Notes
    -----
    Where either side has no text of the other language, neither a dictionary is loaded nor an
    index made.
    """
    most = _most(documents)
    chinese, english = rows_of_languages(documents)
    parts = []
    for rows, language in ((chinese, "en"), (english, "zh")):
        if rows and len(library.keys(collections=collections, languages=_LANGUAGES[language])):
            index = stem_index(library, language, step=step)
            index.refresh(step)
            archive = index.archive(collections)
            for low in range(0, len(rows), BATCH):
                some = rows[low : low + BATCH]
                pairs = _likely([documents[row] for row in some], archive, language, most)
                references = library.documents(np.unique(archive.key[pairs[:, 1]]).tolist())
                if by_author:  # leave out pairs by what texts say of their author
                    references = [adopt_author(document) for document in references]
                new = {row: documents[row] for row in some}
                parts.append(_align(new, references, pairs, archive, language, settings))
                step(STAGE, min(low + BATCH, len(rows)), len(rows))
    return ArchiveTranslations.of(parts)


def _most(documents: Sequence[Document]) -> int:
    return max(TRANSLATED_ARCHIVE, TRANSLATED_ARCHIVE_ALONE // max(len(documents), 1))


def stem_index(library: Library, language: str, *, step: Progress) -> LibraryIndex:
    """Return the index of the texts in one language by their stems, not yet brought up to date."""
    loaded = dictionary.load(step)
    version = f"{VERSION} {WIDTH} {loaded.version if loaded else ''}"
    shape = f"{STEMS}-{language}-{hashlib.sha256(version.encode()).hexdigest()[:12]}"
    contents = Contents(shape, _LANGUAGES[language], partial(_segment, language))
    return LibraryIndex(library, settings=Settings(), contents=contents)


def _segment(language: str, keys: I64, documents: Sequence[Document]) -> Segment:
    rows = rows_of_languages(documents)[language == "en"]
    texts, feature = _stemmed([documents[row] for row in rows], language)
    words = np.array([len(text) for text in texts], np.int32)
    postings = UnitPostings.of(np.arange(len(rows), dtype=np.int32), stem_postings(texts, feature))
    return Segment.of_others(keys[rows], words, units={STEMS: postings})


def _stemmed(documents: Sequence[Document], language: str) -> tuple[list[StemmedText], I32]:
    """Return texts read in one language, and a number of each of their stems that is always its."""
    rows, none = range(len(documents)), range(0)
    chinese, english = (rows, none) if language == "zh" else (none, rows)
    stemmed = stems_of(documents, chinese, english, report_nothing)
    texts = stemmed.chinese if language == "zh" else stemmed.english
    hashes = [xxhash.xxh32_intdigest(stem.encode()) >> 1 for stem in stemmed.stems]
    return list(texts.values()), np.array(hashes, np.int32)


def _align(
    new: Mapping[int, Document],
    references: Sequence[Document],
    pairs: I64,
    archive: Archive,
    language: str,
    settings: Settings,
) -> ArchiveTranslations:
    """Align new texts, by their rows, with those of the archive, in `language`."""
    keys = np.array([int(document.meta[ROW_KEY]) for document in references], np.int64)
    there = np.isin(archive.key[pairs[:, 1]], keys)  # others were removed meanwhile
    number = np.searchsorted(keys, archive.key[pairs[there, 1]])
    pairs = np.stack([pairs[there, 0], number + len(new)], axis=1)
    every = [*new.values(), *references]
    apart = mark_same_author(
        every, person=settings.skip_same_person, group=settings.skip_same_group
    )
    pairs = pairs[~apart(pairs[:, 0], pairs[:, 1])]
    asked, others = range(len(new)), range(len(new), len(every))
    turned = language == "zh"  # the new texts are English
    chinese, english = (others, asked) if turned else (asked, others)
    stemmed = stems_of(every, chinese, english, report_nothing)
    oriented = pairs[:, ::-1] if turned else pairs
    aligned = align_rows(oriented, stemmed, pool=shared_pool(), step=report_nothing)
    query, key = np.array(list(new), np.int64), np.concatenate([np.zeros(len(new), np.int64), keys])
    return ArchiveTranslations(
        tuple(
            (
                int(query[pairs[one.pair, 0]]),
                int(key[pairs[one.pair, 1]]),
                *((*one.places[2:], *one.places[:2]) if turned else one.places),
                one.score,
            )
            for one in aligned.passages
        ),
        aligned.best,
        len(new) * len(archive),
    )


def _likely(new: Sequence[Document], archive: Archive, language: str, most: int) -> I64:
    if len(archive) <= most:
        every = np.meshgrid(range(len(new)), np.flatnonzero(archive.admitted), indexing="ij")
        return np.stack(every, axis=-1).reshape(-1, 2).astype(np.int64)
    texts, feature = _stemmed(new, "en" if language == "zh" else "zh")
    stored = [
        (one.postings, archive.admitted_of(number))
        for number, one in enumerate(archive.units(STEMS))
    ]
    return likely_pairs(stem_postings(texts, feature), stored, most=most)
