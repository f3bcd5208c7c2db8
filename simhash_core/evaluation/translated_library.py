"""Planted translations whose source is one of thousands of texts of a library."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..library.translated import archive_translations
from ..machine.workers import shared_pool
from ..model import Document, Progress
from ..settings import Settings
from ..storage.library import Library, NewText
from ..translations.search import align_rows, stems_of
from .bilingual_texts import Case, Texts
from .tables import Code

COLUMNS = ("direction", "length", "cases", "library_texts", "found_told", "found_in_library")
PIECE = (1_000, 2_500)  # characters of a text of the library, Chinese and English
OF_CASES = 3  # one in so many planted passages is looked for in the library


class Planted(NamedTuple):
    """Passages of one length: planted in Chinese texts (0) or in English ones (1)."""

    side: int
    length: str
    cases: Sequence[Case]


def library_rows(
    groups: Sequence[Planted],
    texts: Sequence[Texts],
    other: Sequence[Sequence[str]],
    *,
    size: int,
    draw: random.Random,
    step: Progress,
) -> Iterator[tuple[object, ...]]:
    """Yield how many passages are found, by direction and length.

    The library holds the sources and pieces of texts of another subject, `size` texts in all.
    `found_told` are those found where the source is named.
    """
    for side, direction in enumerate(("zh_en", "en_zh")):
        mine = [
            Planted(side, one.length, one.cases[: max(1, len(one.cases) // OF_CASES)])
            for one in groups
            if one.side == side
        ]
        if not mine or not other[1 - side]:
            continue
        sources = [text.english if side == 0 else text.chinese for text in texts]
        pieces = _pieces(other[1 - side], PIECE[1 - side])
        pieces = draw.sample(pieces, min(len(pieces), max(size - len(sources), 0)))
        cases = [case for one in mine for case in one.cases]
        seen = _seen_in_library(cases, [*sources, *pieces], step)
        named = _seen_when_named(cases, side, step)
        first = 0
        for one in mine:
            rows = range(first, first + len(one.cases))
            first = rows.stop
            shares = (sum(row in hits for row in rows) / len(rows) for hits in (named, seen))
            counts = len(rows), len(sources) + len(pieces)
            yield Code(direction), one.length, *counts, *(round(share, 3) for share in shares)


def _pieces(texts: Sequence[str], length: int) -> list[str]:
    """Return texts cut into pieces of one length, the rest left out."""
    return [
        text[low : low + length]
        for text in texts
        for low in range(0, len(text) - length + 1, length)
    ]


def _seen_in_library(cases: Sequence[Case], held: Sequence[str], step: Progress) -> set[int]:
    """Return the cases whose passage is found in a library of these texts."""
    with Library.in_memory() as library:
        library.add("texts", [NewText(Document.from_text(text)) for text in held])
        documents = [Document.from_text(case.host) for case in cases]
        translations = archive_translations(
            documents,
            library,
            collections=None,
            settings=Settings(translated=True),
            by_author=False,
            step=step,
        )
        keys = [library.keys_of(Document.from_text(case.source).id) for case in cases]
    return {
        row
        for row, key, *places, _ in translations.rows
        if key in keys[row] and _meets(cases[row], places)
    }


def _seen_when_named(cases: Sequence[Case], side: int, step: Progress) -> set[int]:
    """Return the cases whose passage is found between host and source alone."""
    documents = [Document.from_text(text) for case in cases for text in (case.host, case.source)]
    hosts, sources = range(0, len(documents), 2), range(1, len(documents), 2)
    chinese, english = (hosts, sources) if side == 0 else (sources, hosts)
    stemmed = stems_of(documents, chinese, english, step)
    pairs = np.stack([np.array(chinese), np.array(english)], axis=1).astype(np.int64)
    aligned = align_rows(pairs, stemmed, pool=shared_pool(), step=step)
    return {
        one.pair
        for one in aligned.passages
        if _meets(cases[one.pair], one.places if side == 0 else one.places[2:] + one.places[:2])
    }


def _meets(case: Case, places: Sequence[int]) -> bool:
    """Whether places of a host and a source touch what was planted."""
    a0, a1, b0, b1 = places
    in_host = a0 < case.in_host[1] and case.in_host[0] < a1
    return in_host and b0 < case.in_source[1] and case.in_source[0] < b1
