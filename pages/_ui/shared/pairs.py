"""Lists of pairs and texts: which stand in them, in which order, and what each row says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from simhash_core import CheckResult, ThresholdView
from simhash_core.result import (
    ApartPair,
    alike_pairs,
    apart_pairs,
    meanings_shown,
    sort_by_evidence,
)
from simhash_core.seen import FoundBy, found_by

from . import session
from .decided import read_decisions, verdict
from .formatting import esc
from .session import t
from .tab import tab
from .widgets import figure_head, note, open_compare, write_html

Rows = NDArray[np.int64]

PAIR_ORDERS = ("overlap", "chance", "longest", "distance")
TEXT_ORDERS = ("overlap", "longest", "name")


def list_pairs(
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
        hit = match_names(names, query)
        keep &= hit[table.pairs.left] | hit[table.pairs.right]
    rows = np.flatnonzero(keep)
    if order == "overlap":
        return sort_by_evidence(result, rows, view)
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


def match_names(names: Sequence[str], query: str) -> NDArray[np.bool_]:
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


def mark_overlapping(texts: TextRows) -> NDArray[np.bool_]:
    """Return which texts share something with another: passages, or a near fingerprint."""
    return np.asarray((texts.total > 0) | (texts.partner >= 0))


def drop_references(result: CheckResult, texts: TextRows) -> TextRows:
    """Return the rows of the texts that were asked about, not those only compared with."""
    asked = result.checked
    return TextRows(*(getattr(texts, spec.name)[:asked] for spec in fields(texts)))


def rank_texts(
    texts: TextRows, *, names: Sequence[str], query: str, order: str, everything: bool = False
) -> TextRows:
    """Return the texts that match the query, in order; without one, those that overlap another."""
    if query.strip():
        keep = np.flatnonzero(match_names(names, query))
    else:
        keep = np.flatnonzero(mark_overlapping(texts) | everything)
    keep = keep[keep < len(texts.row)]  # names are of all texts of a check
    by_name = np.argsort(np.argsort(np.array(names, dtype=object)[keep], kind="stable"))
    total, longest = texts.total[keep], texts.longest[keep]
    keys = {
        "overlap": (by_name, -longest, -texts.identical[keep], -total),
        "longest": (by_name, -total, -longest),
        "name": (by_name,),
    }[order]
    rows = keep[np.lexsort(keys)]
    return TextRows(*(getattr(texts, spec.name)[rows] for spec in fields(texts)))


def find_most_overlapping(result: CheckResult, view: ThresholdView) -> int:
    """Return the text with the highest total overlap, the first one where none overlaps."""
    texts = text_rows(result, view)
    names = [document.name for document in result.documents]
    ranked = rank_texts(texts, names=names, query="", order="overlap", everything=True)
    return int(ranked.row[0])


# --------------------------------------------------------------------------- weaker evidence

WEAK_SHOWN = 10  # pairs before the reader asks for all


def means_of(result: CheckResult) -> FoundBy:
    """Return by which means passages across languages were found."""
    return session.memo(("found_by",), lambda: found_by(result))


def weak_sentence(result: CheckResult, one: ApartPair) -> str:
    """Say in how many places a pair says the same, and by which means in two languages."""
    by = means_of(result).pairs.get((one.left, one.right))
    if not by:
        return t("results.alike", n=one.places)
    return t("results.alike_translated", n=one.places, by=t(f"report.alike.by.{by}"))


def weak_pairs(result: CheckResult, *, everything: bool = False) -> list[ApartPair]:
    """Return the pairs that say the same in other words and are not listed otherwise.

    All that do where `everything` is wanted.
    """
    view = session.view()
    rows: list[int] = []
    if view is not None and not everything:
        rows = np.flatnonzero(view.listed).tolist()
    return alike_pairs(result, rows)


def alike_places(result: CheckResult) -> dict[tuple[int, int], int]:
    """Return how many places of the same meaning each pair has."""
    pairs = session.memo(("alike",), lambda: apart_pairs(meanings_shown(result)))
    return {(one.left, one.right): one.places for one in pairs}


def weak_list(result: CheckResult, row: int | None = None) -> None:
    """List pairs with weaker evidence, all or those of one text; nothing where there are none."""
    listed = weak_pairs(result, everything=row is not None)
    if row is not None:
        listed = [one for one in listed if row in (one.left, one.right)]
    if not listed:
        return
    figure_head(t("results.weak.alike"), t("results.weak_note"))
    everything = tab.all_weak
    decided = read_decisions()
    with st.container(key="weak", gap="small"):
        for one in listed if everything else listed[:WEAK_SHOWN]:
            _weak_row(result, one, row, verdict(one.left, one.right, decided))
    more = len(listed) > WEAK_SHOWN and not everything
    if more and st.button(t("results.weak_all", n=len(listed)), key="all_weak"):
        tab.all_weak = True
        st.rerun()
    note(t("results.alike_limits"))


def _weak_row(result: CheckResult, one: ApartPair, row: int | None, state: str) -> None:
    """Draw one pair, the text whose page this is first."""
    ends = [one.left, one.right]
    if row == one.right:
        ends.reverse()
    names = " · ".join(esc(session.doc_name(end)) for end in ends)
    facts = [weak_sentence(result, one)]
    if state != "undecided":
        facts.append(t(f"review.mark.{state}"))
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            line = esc(" · ".join(facts))
            write_html(f'<p class="lt-text">{names}</p><p class="lt-note">{line}</p>')
        key = f"weak-{one.left}-{one.right}"
        if st.button(t("results.read_both"), key=key, icon=":material/compare_arrows:"):
            open_compare(ends[0], ends[1], show="meaning")
