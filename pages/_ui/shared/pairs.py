"""Lists of pairs and texts: which stand in them, in which order, and what each row says."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from simhash_core import CheckResult
from simhash_core.result import ApartPair, alike_pairs, pair_cases
from simhash_core.seen import FoundBy, found_by

from . import session
from .decided import read_decisions, verdict
from .formatting import esc
from .session import t
from .tab import tab
from .widgets import figure_head, note, open_compare, write_html


def rank_texts(result: CheckResult, names: Sequence[str]) -> list[int]:
    """Return the rows of the texts that were asked about, those that share most of them first.

    Of equal ones most that is identical, the longest run, then by name.
    """
    asked, pairs = result.checked, result.table.pairs
    by_name = np.argsort(np.argsort(np.array(names[:asked], dtype=object), kind="stable"))
    longest = np.zeros(len(result.documents), np.int64)
    for ends in (pairs.left, pairs.right):
        np.maximum.at(longest, ends, result.table.longest)
    keys = (by_name, -longest[:asked], -result.identical_overlap[:asked])
    ranked: list[int] = np.lexsort((*keys, -result.total_overlap[:asked])).tolist()
    return ranked


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
    """Return the pairs that say the same in other words and are no case otherwise.

    All that do where `everything` is wanted.
    """
    rows = np.flatnonzero(pair_cases(result, session.view()) & (not everything))
    return alike_pairs(result, rows)


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
