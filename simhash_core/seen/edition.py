"""Variant groups of a result: one of them as a critical edition shows a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..checking.misread import read_document
from ..checking.templates import blank_templates
from ..model import F64, I64
from ..passages.tokenized import TokenizedText, words_of
from ..result import CheckResult
from ..text.lines import blank_marks
from ..variants.agreement import Agreement, agreement
from ..variants.collation import Collation, collate
from ..variants.source import Circumstances, Clue, clues
from ..variants.witness import Witness, sigla

LEAST_WORD = {True: 2, False: 4}  # letters of a word of Han, or of others, that names something
AUTHOR = ("person", "author")  # fields of `Document.meta` that name who wrote it
MOST_HAVE = 0.5  # of the witnesses: a word that more of them use elsewhere too says nothing
MARGIN = 12  # tokens around a stretch that are aligned too: its borders are never exact
BESIDE = 3  # code points between a passage and template text


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """One variant group, everything a page shows of it.

    `collation.witnesses` and `collation.apart` are document rows; every other number of a
    witness (in readings, branches and clues) is a column of `collation.table`.
    """

    group: int
    collation: Collation
    sigla: tuple[str, ...]  # a short name for each column
    agreement: Agreement
    clues: tuple[Clue, ...]  # to where it came from


def edition(result: CheckResult, group: int, *, blind: bool = False) -> Edition:
    """Collate one variant group, and say who agrees with whom.

    Parameters
    ----------
    result, group
        A group is a row of `result.variant_groups`.
    blind
        Letters instead of names.

    Notes
    -----
    Computed when asked: a check can have many groups, and a person looks at one.
    """
    groups = result.variant_groups
    rows = groups.rows(group)
    documents = groups.document[rows]
    stretches = list(zip(groups.start[rows].tolist(), groups.end[rows].tolist(), strict=True))
    texts = [
        read_document(blank_templates(result.documents[row]), result.settings, words=True)
        for row in documents.tolist()
    ]
    places = []  # tokens that lie in the stretch of each text
    for text, (start, end) in zip(texts, stretches, strict=True):
        low = int(np.searchsorted(text.start, start))
        places.append((low, max(low, int(np.searchsorted(text.end, end, side="right")))))
    filled = np.array([row for row, (low, high) in enumerate(places) if low < high], np.int64)
    witnesses = [
        _witness(blank_marks(result.documents[documents[row]].text), texts[row], *places[row])
        for row in filled.tolist()
    ]
    collated = collate(witnesses)
    columns = filled[collated.witnesses]
    collated = replace(
        collated,
        witnesses=documents[columns],
        apart=documents[np.setdiff1d(np.arange(len(documents)), columns)],
    )
    held = [result.documents[row] for row in collated.witnesses.tolist()]
    beside_task = [
        any(
            note.code == "template" and note.start <= end + BESIDE and note.end >= start - BESIDE
            for note in one.notes
        )
        for one, (start, end) in zip(held, (stretches[row] for row in columns), strict=True)
    ]
    circumstances = Circumstances(
        reference=collated.witnesses >= result.checked,
        beside_task=np.array(beside_task, np.bool_),
        date=[one.meta.get("date", "") for one in held],
        departures=collated.departures,
        extent=_extents(result, collated.witnesses, [stretches[row] for row in columns]),
        joined=_join_texts([texts[row] for row in columns], [places[row] for row in columns]),
    )
    names = [next(filter(None, map(one.meta.get, AUTHOR)), one.name) for one in held]
    chinese = sum(one.language == "zh" for one in held)
    return Edition(
        group,
        collated,
        tuple(sigla(names, han=2 * chinese >= len(held), blind=blind)),
        agreement(collated.table),
        tuple(clues(circumstances)),
    )


def _witness(raw: str, text: TokenizedText, low: int, high: int) -> Witness:
    """Return tokens [low, high) of a text and some around them as a witness."""
    first, last = max(0, low - MARGIN), min(len(text), high + MARGIN)
    border = text.border[first:last] > 0
    border[1:] |= text.end_attached[first : last - 1] > text.end[first : last - 1]
    part = slice(first, last)
    return Witness(
        raw,
        text.token[part],
        text.start[part],
        text.end[part],
        text.end_attached[part],
        text.word[part],
        border,
        low - first,
        high - first,
    )


def _extents(result: CheckResult, documents: I64, stretches: Sequence[tuple[int, int]]) -> I64:
    """Return how long the longest passage is that touches each stretch, code points.

    Only passages between witnesses count.
    """
    pairs, passages = result.table.pairs, result.passages
    left, right = pairs.left[passages.pair], pairs.right[passages.pair]
    chosen = np.zeros(len(result.documents), np.bool_)
    chosen[documents] = True
    among = np.flatnonzero(chosen[left] & chosen[right] & ~passages.weak)
    ends = np.concatenate([left[among], right[among]])
    order = np.argsort(ends, kind="stable")
    starts = np.concatenate([passages.a_start[among], passages.b_start[among]])[order]
    finishes = np.concatenate([passages.a_end[among], passages.b_end[among]])[order]
    of_document = np.searchsorted(ends[order], np.stack([documents, documents + 1]))
    extents = np.zeros(len(documents), np.int64)
    for row, (low, high) in enumerate(of_document.T.tolist()):
        start, end = stretches[row]
        lengths = finishes[low:high] - starts[low:high]
        touching = (starts[low:high] < end) & (finishes[low:high] > start)
        extents[row] = lengths[touching].max(initial=0)
    return extents


def _join_texts(texts: Sequence[TokenizedText], places: Sequence[tuple[int, int]]) -> F64:
    """Return which share of the words of the passage the rest of each text uses too, (w,).

    Of words that name something, and that not most witnesses use elsewhere.
    """
    inside, around = [], []
    for text, (low, high) in zip(texts, places, strict=True):
        words, first = words_of(text)
        letters = np.where(text.single[first[:-1]], np.diff(first), words.end - words.start)
        han = text.single[first[:-1]]
        names = letters >= np.where(han, LEAST_WORD[True], LEAST_WORD[False])
        here = (first[:-1] >= low) & (first[:-1] < high)
        inside.append(np.unique(words.feature[names & here]))
        around.append(np.unique(words.feature[names & ~here]))
    word, count = np.unique(np.concatenate(around), return_counts=True)
    common = word[count > max(1.0, MOST_HAVE * len(texts))]
    shares = []
    for of_passage, rest in zip(inside, around, strict=True):
        telling = np.setdiff1d(of_passage, common)
        both = np.intersect1d(telling, rest, assume_unique=True)
        shares.append(len(both) / len(telling) if len(telling) else 0.0)
    return np.array(shares)
