"""Variant groups of a result: their collation, sigla, likely origin, and what they amount to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..model import Document
from ..passages.tokenized import TokenizedText, tokenize
from ..result import CheckResult
from ..settings import Settings
from ..text.normalize import normalize
from ..variants.agreement import Agreement, agreement
from ..variants.collation import Collation
from ..variants.collation import collate as collate_witnesses
from ..variants.sigla import sigla as sigla_of
from ..variants.witness import Witness
from .templates import counted
from .tokenizing import word_segmenter


def collate(result: CheckResult, group: int) -> Collation:
    """Collate the witnesses of one variant group; `witnesses` and `apart` are document rows.

    Notes
    -----
    Computed when asked: a check has many groups and a person looks at one. Some milliseconds a
    witness of a paragraph.
    """
    groups = result.variant_groups
    rows = groups.rows(group)
    columns = (groups.document, groups.start, groups.end)
    stretches = list(zip(*(column[rows].tolist() for column in columns), strict=True))
    witnesses = [
        witness_of(result.documents[document], start, end, result.settings)
        for document, start, end in stretches
    ]
    documents = groups.document[rows]
    filled = np.array([row for row, one in enumerate(witnesses) if len(one)], np.int64)
    collated = collate_witnesses([witnesses[row] for row in filled.tolist()])
    empty = np.setdiff1d(np.arange(len(witnesses)), filled)
    return replace(
        collated,
        witnesses=documents[filled[collated.witnesses]],
        apart=documents[np.sort(np.concatenate([filled[collated.apart], empty]))],
    )


def witness_of(document: Document, start: int, end: int, settings: Settings) -> Witness:
    """Return the tokens of a stretch of a document; offsets stay those of the document."""
    tokens, first = _tokens(document, start, end, settings)
    places = (tokens.start + first, tokens.end + first, tokens.end_attached + first)
    columns = (column.astype(np.int32) for column in places)
    text = document.text
    border = tokens.border[:-1] > 0
    border[1:] |= tokens.end_attached[:-1] > tokens.end[:-1]
    return Witness(text, tokens.token, *columns, tokens.word, border)


def _tokens(
    document: Document, start: int, end: int, settings: Settings
) -> tuple[TokenizedText, int]:
    stretch = counted(document).text[start:end]
    normalised = normalize(stretch, fold_variants=settings.fold_variants)
    return tokenize(normalised, stretch, segment=word_segmenter(settings)), start


def agree(collation: Collation) -> Agreement:
    """Group the witnesses of a collation by the departures they share."""
    return agreement(collation.table)


def sigla(result: CheckResult, collation: Collation, *, blind: bool = False) -> list[str]:
    """Return a short name for each witness of a collation, in the order of its columns."""
    documents = [result.documents[row] for row in collation.witnesses.tolist()]
    names = [one.meta.get("author") or one.name for one in documents]
    han = sum(one.language == "zh" for one in documents) * 2 >= len(documents)
    return sigla_of(names, han=han, blind=blind)
