"""Texts and pairs ranked by what they share: array work over the result, no drawing.

listed_pairs(result, view, ...)  rows of the pair table that a list shows, in order
text_rows(result, view)          every text with its overlap and its best partner
ranked_texts(texts, ...)         those that a list shows, in order
most_overlapping(result, view)   the row that such a list begins with
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from simhash_core import CheckResult, ThresholdView
from simhash_core.result import by_evidence

Rows = NDArray[np.int64]

PAIR_ORDERS = ("overlap", "chance", "longest", "distance")
TEXT_ORDERS = ("overlap", "longest", "name")


def listed_pairs(
    result: CheckResult,
    view: ThresholdView,
    *,
    names: Sequence[str],
    query: str = "",
    order: str = "overlap",
    everything: bool = False,
) -> Rows:
    """Return rows of the pair table that match the query, in order.

    Rows with evidence, or all that the result holds.
    """
    table = result.table
    keep = view.listed | everything
    if query.strip():
        hit = matching(names, query)
        keep &= hit[table.pairs.left] | hit[table.pairs.right]
    rows = np.flatnonzero(keep)
    if order == "overlap":
        return by_evidence(result, rows, view)
    overlap = -np.fmax(table.coverage_a[rows], table.coverage_b[rows])
    distance = table.pairs.distance[rows].astype(np.int64)
    longest = -table.longest[rows].astype(np.int64)
    keys = {
        "chance": (longest, overlap, -table.strength[rows], table.chance[rows]),
        "longest": (distance, overlap, longest),
        "distance": (longest, overlap, distance),
    }[order]
    ranked: Rows = rows[np.lexsort((rows, *keys))]
    return ranked


def matching(names: Sequence[str], query: str) -> NDArray[np.bool_]:
    """Return which names contain the query, ignoring case."""
    needle = query.strip().casefold()
    return np.array([needle in name.casefold() for name in names], dtype=bool)


@dataclass(frozen=True, slots=True, eq=False)
class TextRows:
    """One row a text: its overlap, its best partner (-1: none) and what they share."""

    row: Rows
    total: NDArray[np.float32]
    identical: NDArray[np.float32]
    partner: Rows
    share: NDArray[np.float32]
    longest: NDArray[np.int32]


def text_rows(result: CheckResult, view: ThresholdView) -> TextRows:
    """Return every text in the order of the check, each with the partner that shares most of it."""
    n, table = len(result.documents), result.table
    listed = np.flatnonzero(view.listed)
    left, right = table.pairs.left[listed], table.pairs.right[listed]
    mine = np.concatenate([left, right])
    other = np.concatenate([right, left])
    share = np.concatenate([table.coverage_a[listed], table.coverage_b[listed]])
    closeness = -np.tile(table.pairs.distance[listed].astype(np.int64), 2)
    partner = np.full(n, -1, np.int64)
    best = np.zeros(n, np.float32)
    ranked = np.lexsort((closeness, share))  # the last write of a text is its best partner
    partner[mine[ranked]], best[mine[ranked]] = other[ranked], share[ranked]
    longest = np.zeros(n, np.int32)
    np.maximum.at(longest, mine, np.tile(table.longest[listed], 2))
    return TextRows(
        np.arange(n), result.total_overlap, result.identical_overlap, partner, best, longest
    )


def overlapping(texts: TextRows) -> NDArray[np.bool_]:
    """Return which texts share something with another: passages, or a near fingerprint."""
    return np.asarray((texts.total > 0) | (texts.partner >= 0))


def ranked_texts(
    texts: TextRows, *, names: Sequence[str], query: str, order: str, everything: bool = False
) -> TextRows:
    """Return the texts that match the query, in order; without one, those that overlap another."""
    if query.strip():
        keep = np.flatnonzero(matching(names, query))
    else:
        keep = np.flatnonzero(overlapping(texts) | everything)
    by_name = np.argsort(np.argsort(np.array(names, dtype=object)[keep], kind="stable"))
    total, longest = texts.total[keep], texts.longest[keep]
    keys = {
        "overlap": (by_name, -longest, -texts.identical[keep], -total),
        "longest": (by_name, -total, -longest),
        "name": (by_name,),
    }[order]
    rows = keep[np.lexsort(keys)]
    return TextRows(*(getattr(texts, spec.name)[rows] for spec in fields(texts)))


def most_overlapping(result: CheckResult, view: ThresholdView) -> int:
    """Return the text with the highest total overlap, the first one where none overlaps."""
    texts = text_rows(result, view)
    names = [document.name for document in result.documents]
    ranked = ranked_texts(texts, names=names, query="", order="overlap", everything=True)
    return int(ranked.row[0])
