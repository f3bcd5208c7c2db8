"""What the Compare page says about one pair: which pair, its numbers, its sentences."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import streamlit as st

from simhash_core import CheckResult, Comparison, compare
from simhash_core.cases import own_units
from simhash_core.i18n import in_chinese
from simhash_core.numbers import likelihood
from simhash_core.report.collation.reading import count_evidence, find_left_out
from simhash_core.result import TONES, pair_cases
from simhash_core.seen import change_threshold, dominance_of, expected_curve

from ..components.pictures import BitBoard, Bits, first_bit, square_sizes
from ..shared import exclusions, session
from ..shared.formatting import length, notation, note_text, number, percent
from ..shared.navigation import find_row, name_pair
from ..shared.session import t
from ..shared.tab import tab
from ..shared.widgets import Figure
from . import meaning
from .way import draw_way, draw_way_of_case

UNSTEADY = 200  # tokens; below this one edit moves the distance by several bits
VIEWS = ("read", "prints")
MEANING = "meaning"  # of pairs with sentences of the same meaning
EXTENTS = ("all", "matches")
#: keys of the widgets
_VIEW, _EXTENT, _DIFF, _STRIKE = "compare_view", "extent", "diff", "strike"


def find_pair(result: CheckResult) -> tuple[int, int] | None:
    """Return the two rows that the link names."""
    asked = st.query_params.get("pair", "").split(",")
    rows = [find_row(result.documents, name) for name in asked]
    if len(rows) != 2 or rows[0] is None or rows[1] is None or rows[0] == rows[1]:
        return None
    return rows[0], rows[1]


def compare_rows(result: CheckResult, a: int, b: int) -> Comparison:
    """Return two documents of the current check compared, at the threshold in force."""
    documents = result.documents[a], result.documents[b]
    comparison = session.memo(
        ("comparison", a, b),
        lambda: exclusions.apply_to_pair(
            compare(*documents, settings=result.settings, result=result), a, b
        ),
    )
    return change_threshold(comparison, session.threshold())


def place(a: int, b: int, *, alone: bool = False) -> str:
    """Say which pair of the table this is, and whether it rests on the same meaning `alone`."""
    order = tab.pair_order
    at = next((i for i, pair in enumerate(order) if pair in ((a, b), (b, a))), -1)
    position = [t("compare.place", at=at + 1, n=len(order))] if at >= 0 else []
    return " · ".join([*position, t("review.alike")] if alone else position)


def draw_way_of(result: CheckResult, rows: tuple[int, int], *, alone: bool) -> None:
    """Draw the way back, and the steps through the list of pairs that the reader came from."""
    if "case" in st.query_params:
        draw_way_of_case(int(st.query_params["case"]))
        return
    before, after = (
        None if pair is None else {"pair": name_pair(result.documents, pair)}
        for pair in session.neighbours(*rows)
    )
    draw_way(place(*rows, alone=alone), before, after)


def swap_button(result: CheckResult, a: int, b: int) -> None:
    """Draw the button that turns both sides round."""
    st.button(
        t("compare.swap"),
        key="swap",
        icon=":material/swap_horiz:",
        on_click=st.query_params.update,
        kwargs={"pair": name_pair(result.documents, (b, a))},
    )


@dataclass(frozen=True, slots=True)
class MoreViews:
    """The views of a pair: those that it has beside `VIEWS`, and the one that the link names."""

    offered: tuple[str, ...]
    first: str  # where the link names none
    wanted: str
    alone: bool  # the same meaning is the only evidence


def find_views(result: CheckResult, compared: Comparison, rows: tuple[int, int]) -> MoreViews:
    """Return the views of a pair; one that is a case by the same meaning opens with that."""
    alike = bool(meaning.answers_between(result, *rows))
    by_meaning = alike and not _is_case(result, rows)
    alone = by_meaning and not count_evidence(compared.passages)
    offered = (*VIEWS, MEANING) if alike else VIEWS
    first = MEANING if by_meaning else VIEWS[0]
    named = st.query_params.get("show", first)
    return MoreViews(offered, first, named if named in offered else first, alone)


def _is_case(result: CheckResult, rows: tuple[int, int]) -> bool:
    pairs = result.table.pairs
    of_pair = (pairs.left == min(rows)) & (pairs.right == max(rows))
    return bool((of_pair & pair_cases(result, session.view())).any())


def views(compared: Comparison, more: MoreViews) -> str:
    """Draw the switches and return the view; the link names it.

    Not a bound widget: a binding writes the translated word into the link, which another language
    would not understand.
    """
    offered = more.offered
    st.session_state[_VIEW] = more.wanted
    with st.container(horizontal=True, key="noprint-views", vertical_alignment="center"):
        view = st.segmented_control(
            t("compare.view.label"),
            offered,
            format_func={name: t(f"compare.view.{name}") for name in offered}.__getitem__,
            required=True,
            key=_VIEW,
            on_change=_follow_view,
            args=(more.first,),
            label_visibility="collapsed",
        )
        if view in (VIEWS[0], MEANING):
            extents = {"all": t("compare.extent.all"), "matches": t("compare.extent.matches")}
            if view == MEANING:
                extents["matches"] = t("compare.extent.meaning")
            st.segmented_control(
                t("compare.extent.label"),
                EXTENTS,
                format_func=extents.__getitem__,
                default="all",
                required=True,
                key=_EXTENT,
                label_visibility="collapsed",
                persist_state="session",
            )
            if view == VIEWS[0]:
                st.toggle(t("compare.diff"), value=True, key=_DIFF, persist_state="session")
            if find_left_out(compared.a.notes) or find_left_out(compared.b.notes):
                st.toggle(t("compare.strike"), value=True, key=_STRIKE, persist_state="session")
    return view or more.first


def read_switches() -> dict[str, bool]:
    """Return how the reader wants the two texts to be shown."""
    return {
        "fold": session.get(_EXTENT) == "matches",
        "diff": bool(session.get(_DIFF, True)),
        "strike": bool(session.get(_STRIKE, True)),
    }


def _follow_view(first: str) -> None:
    view = session.get(_VIEW)
    if view == first:
        st.query_params.pop("show", None)
    else:
        st.query_params["show"] = view


def figures(compared: Comparison, result: CheckResult) -> list[Figure]:
    """Return the numbers of the strip, each with its limit in its help."""
    write, (first, second) = notation(), compared.division
    same = write.part(first, "identical")
    parts = [t("compare.strip.distance_help", k=session.threshold())]
    usual = usual_distances(result)
    if usual is not None:
        parts.append(t("compare.strip.distance_usual", lo=usual[0], hi=usual[1]))
    if compared.batch_distance >= 0:
        parts.append(t("compare.strip.distance_batch", n=compared.batch_distance))
    return [
        Figure(
            t("compare.strip.a_in_b"),
            write.total(first),
            t("compare.strip.coverage_help", counted=write.counted(first), same=same),
        ),
        Figure(
            t("compare.strip.b_in_a"),
            write.total(second),
            t("compare.strip.coverage_back_help", counted=write.counted(second)),
        ),
        Figure(
            t("compare.strip.longest"),
            length(compared.longest, first.unit),
            t("compare.strip.longest_help"),
        ),
        Figure(t("compare.strip.passages"), number(count_evidence(compared.passages))),
        Figure(
            t("compare.strip.distance", bits=compared.settings.bits),
            number(compared.distance) if compared.comparable else t("compare.strip.unknown"),
            " ".join(parts),
        ),
        _cosine(compared),
    ]


def say_shared(result: CheckResult, compared: Comparison, rows: tuple[int, int]) -> str:
    """Say how much two texts share: in a class, by how few hold it; "" where it is nothing."""
    first, second = compared.division
    longest = length(compared.longest, first.unit)
    pairs, tones = result.table.pairs, result.table.tones
    at = np.flatnonzero((pairs.left == min(rows)) & (pairs.right == max(rows)))
    if len(result.documents) > 2 and len(at) and len(tones):
        side = int(np.argmin(own_units(result, int(at[0]))))  # as every list counts a pair
        counts = dict(zip(TONES, tones[at[0], side].tolist(), strict=True))
        parts = [
            t(f"compare.shared.{name}", length=length(units, first.unit), longest=longest)
            for name, units in counts.items()
            if units
        ]
        return ("" if in_chinese(session.language()) else " ").join(parts)
    if not first.shared:
        return ""
    write, shared = notation(), length(first.shared, first.unit)
    shares = {"of_a": write.total(first), "of_b": write.total(second)}
    return t("compare.shared.two", length=shared, longest=longest, **shares)


def likelihood_sentence(result: CheckResult, rows: tuple[int, int]) -> str:
    """Say what chance means for a pair, "" where nothing can be said."""
    pairs = result.table.pairs
    listed = np.flatnonzero((pairs.left == min(rows)) & (pairs.right == max(rows)))
    return notation().likelihood(likelihood(result, int(listed[0]))) if len(listed) else ""


def _cosine(compared: Comparison) -> Figure:
    label = t("compare.strip.cosine")
    if not compared.comparable:
        return Figure(label, t("compare.strip.unknown"))
    estimate, low, high = (f"{value:.2f}" for value in compared.cosine)
    true = f"{compared.true_cosine:.2f}"
    return Figure(label, estimate, t("compare.strip.cosine_help", low=low, high=high, true=true))


def usual_distances(result: CheckResult) -> tuple[int, int] | None:
    """Return the middle 95 % of the distances expected between unrelated texts."""
    curve = expected_curve(result)
    total = float(curve.sum())
    if not math.isfinite(total) or total <= 0:
        return None
    share = np.cumsum(curve) / total
    return int(np.searchsorted(share, 0.025)), int(np.searchsorted(share, 0.975))


def cautions(compared: Comparison) -> list[str]:
    """Return what limits the distance."""
    shorter = min(compared.tokens_a, compared.tokens_b)
    if not compared.comparable:
        if "other" in (compared.a.language, compared.b.language):
            return [t("compare.short.foreign")]
        return [t("compare.short.no_print", n=shorter, least=compared.settings.min_tokens)]
    if shorter < UNSTEADY:
        return [t("compare.short.unsteady", n=shorter)]
    return []


def say_recognised(compared: Comparison) -> list[tuple[str, str]]:
    """Say of each text that came from pictures how sure that is, and what is compared as meant."""
    return [
        (t("compare.recognised.lead", side=t(f"compare.side.{side}")), sentence)
        for document, side in ((compared.a, "a"), (compared.b, "b"))
        if (
            sentence := t("compare.recognised.join").join(
                note_text(note.code, note.params)
                for note in document.notes
                if note.code in ("ocr", "misread")
            )
        )
    ]


def longest_start(compared: Comparison, side: int) -> int:
    """Return where the longest passage begins in one of both texts, 0 without any."""
    passages = compared.passages
    starts, ends = ((passages.a_start, passages.a_end), (passages.b_start, passages.b_end))[side]
    return int(starts[(ends - starts).argmax()]) if len(starts) else 0


def say_dominant(compared: Comparison) -> list[str]:
    """Say of each text whether one word decides its fingerprint."""
    sentences = []
    for explanation, side in ((compared.explain_a, "a"), (compared.explain_b, "b")):
        if explanation is None or not compared.comparable:
            continue
        dominance = dominance_of(explanation, weighting=compared.settings.weighting)
        if dominance.above:
            letter, share = t(f"compare.side.{side}"), percent(dominance.share)
            sentences.append(
                t("compare.dominant.text", side=letter, word=dominance.token, share=share)
            )
    return sentences


def nothing_sentence(compared: Comparison) -> str:
    """Return the sentence for a pair without passages, "" where there are some."""
    if len(compared.passages):
        return ""
    if not compared.comparable:
        return t("compare.nothing.no_print")
    k, distance = session.threshold(), compared.distance
    result = session.result()
    usual = usual_distances(result) if result else None
    far = usual is None or distance >= usual[0]
    name = "near" if distance <= k else "far" if far else "between"
    return t(f"compare.nothing.{name}", n=distance, k=k)


def bits(compared: Comparison, names: tuple[str, str]) -> BitBoard:
    """Return both fingerprints bit by bit, their difference, and the blocks of the index."""
    a, b = compared.explain_a, compared.explain_b
    if a is None or b is None:
        raise ValueError("a text without words has no bits")
    differing = int(np.sum(a.bits != b.bits))
    top = max(float(a.margin.max()), float(b.margin.max()))
    grids = [
        Bits(
            letter=t(f"compare.bits.letter_{side}"),
            name=name,
            bits=explained.bits.astype(int).tolist(),
            sizes=square_sizes(explained.margin, top),
        )
        for side, name, explained in zip("ab", names, (a, b), strict=True)
    ]
    return BitBoard(
        grids=tuple(grids),
        difference=t("compare.bits.counts", n=differing, agree=len(a.bits) - differing),
        first=first_bit(a.bits, b.bits, a.margin, b.margin),
        blocks=[(block.start, block.width, block.differing) for block in compared.blocks],
        blocks_title=t("compare.bits.blocks"),
        blocks_note=blocks_sentence(compared),
    )


def blocks_sentence(compared: Comparison) -> str:
    """Say how many blocks are equal, and whether the index would find the pair."""
    m, d, k = len(compared.blocks), compared.distance, compared.threshold
    n = sum(block.differing == 0 for block in compared.blocks)
    if not compared.comparable:
        return t("compare.blocks.no_print")
    if d <= k and n:
        return t("compare.blocks.found", m=m, n=n)
    return t("compare.blocks.outside" if n else "compare.blocks.none", m=m, n=n, d=d, k=k)


def evidence_sentence(compared: Comparison) -> str:
    """Say by which evidence the pair is listed at the current threshold."""
    view = session.view()
    near = compared.comparable and compared.distance <= session.threshold()
    limit = view.batch_threshold if view else -1
    by_batch = 0 <= compared.batch_distance <= limit
    shared = count_evidence(compared.passages) > 0
    name = "neither"
    if near:
        name = "both" if shared else "print"
    elif by_batch:
        name = "batch"
    elif shared:
        name = "passages"
    return t(f"compare.found.{name}", d=compared.distance, n=compared.batch_distance)
