"""How a check was measured: what its search is certain of, its numbers, the nearest pairs."""

from __future__ import annotations

import numpy as np
import streamlit as st

from simhash_core import CheckResult, ThresholdView, __version__
from simhash_core.model import NO_DISTANCE
from simhash_core.notation import UNKNOWN, total_percents
from simhash_core.numbers import divide_text, few_rows, highest_total, pairs_compared
from simhash_core.seen import expected_curve, headline_of

from ..components.lists import Column, Group, draw_list
from ..shared import charts, session
from ..shared.charts import palette
from ..shared.formatting import esc, notation, note_text, number
from ..shared.session import CurrentCheck, find_naming, t
from ..shared.widgets import (
    Figure,
    expected_text,
    figure_head,
    figure_over_slider,
    note,
    number_strip,
    open_compare,
    paragraph,
    write_html,
)

FEW = 4  # texts: below, a histogram says less than the pairs themselves
NEAREST = 10  # pairs that are listed
_FOLD = "measured"  # key of the widget


def draw(current: CurrentCheck, view: ThresholdView) -> None:
    """Draw the fold; what is in it is computed once it is opened."""
    result = current.result
    title = f"**{t('results.complete.title')}** {_answer(result)}"
    with st.expander(title, key=_FOLD, on_change="rerun") as fold:
        if not fold.open:
            return
        strip(result, view)
        sentences = "".join(f"<li>{esc(sentence)}</li>" for sentence in _sentences(result, view))
        write_html(f"<ul>{sentences}</ul>{_skipped(result)}")
        if len(result.documents) >= FEW:
            left, right = st.columns([1.9, 1], gap="large")
            with left:
                distances(current)
            with right:
                nearest_pairs(result)


def _answer(result: CheckResult) -> str:
    """Say in one line whether anything was left out."""
    facts = {fact.code: fact.params for fact in result.guarantees}
    rare = facts.get("passages_rare", {"pairs": 0, "possible": 0})
    parts = [t("results.complete.pairs", n=pairs_compared(result))]
    if not result.settings.passages:
        parts.append(t("results.complete.prints_only"))
    elif "not_aligned" in facts:
        parts.append(t("results.complete.not_aligned", n=facts["not_aligned"]["n"]))
    elif rare["pairs"] != rare["possible"]:
        parts.append(t("results.complete.likely", n=rare["pairs"]))
    else:
        parts.append(t("results.complete.passages"))
    if result.unread:
        parts.append(t("results.complete.skipped", n=len(result.unread)))
    return t("results.complete.separator").join(parts)


def _sentences(result: CheckResult, view: ThresholdView) -> list[str]:
    """Say what the search is certain of."""
    k = view.threshold
    sentences = [t(f"guarantee.{fact.code}", **fact.params) for fact in result.guarantees]
    sentences.append(f"{t('results.threshold_lead', k=k)} {expected_text(k)}")
    if view.batch_threshold >= 0:
        sentences.append(t("results.batch_note", k=view.batch_threshold))
    if result.distances.sampled:
        sentences.append(t("results.sampled_note"))
    recipe = t("frame.version_recipe", version=__version__, recipe=result.fingerprints.recipe)
    return [*sentences, t("results.total_note"), recipe]


def _skipped(result: CheckResult) -> str:
    """Return the files that took no part, as HTML made of escaped parts."""
    if not result.skipped:
        return ""
    hidden = session.hide_names()
    rows = "".join(
        f"<li><b>{esc(t('frame.file_number', number=place) if hidden else item.name)}</b> "
        f"{esc(note_text(item.code, item.params))}</li>"
        for place, item in enumerate(result.skipped, 1)
    )
    head = esc(t("results.skipped", n=len(result.skipped)))
    return f"<p><b>{head}</b></p><ul>{rows}</ul>"


def strip(result: CheckResult, view: ThresholdView) -> None:
    """The numbers of a check: two that answer the first question, three that follow."""
    texts = headline_of(result, view).texts
    number_strip(
        [
            Figure(
                t("results.strip.overlapping"),
                number(texts.sharing),
                t("results.strip.overlapping_help"),
                t("results.strip.of", n=texts.n),
            ),
            _highest(result),
            Figure(
                t("results.strip.pairs"),
                number(int(view.listed.sum())),
                t("results.strip.pairs_help", k=view.threshold),
            ),
            Figure(
                t("results.strip.clusters"),
                number(len(view.clusters)),
                t("results.strip.clusters_help"),
            ),
            Figure(
                t("results.strip.skipped"),
                number(len(result.unread)),
                t("results.strip.skipped_help") if result.unread else "",
            ),
        ]
    )


def _highest(result: CheckResult) -> Figure:
    """The highest total overlap, and how many texts show the same number."""
    label, meaning = t("results.strip.overlap"), t("results.strip.overlap_help")
    best = highest_total(result)
    if not result.settings.passages or best < 0:
        return Figure(label, UNKNOWN, meaning)
    asked = np.arange(result.checked)[~few_rows(result)[: result.checked]]
    parts, counted = result.division[asked, :3], result.division[asked, :4].sum(axis=1)
    shared = parts.sum(axis=1)
    highest = notation().total(divide_text(result, best))
    if not shared.any():
        return Figure(label, highest, meaning)
    percents = total_percents(parts, counted)
    written = np.where(percents > 0, percents, np.where(shared > 0, 0, -1))  # "<1 %" is not "0 %"
    same = int(np.count_nonzero(written == written[asked == best]))
    return Figure(label, highest, meaning, t("results.strip.texts", n=same))


def distances(current: CurrentCheck) -> None:
    """The histogram whose x axis is the threshold slider."""
    result = current.result
    n, compared = result.distances.total, pairs_compared(result)
    code = "" if n == compared else "_fewer" if n < compared else "_more"
    figure_head(
        t("results.distances"),
        t(f"results.distances_note{code}", n=n, all=compared, bits=result.fingerprints.bits),
    )
    drawing, k, top = figure_over_slider(result)
    with drawing:
        _histogram(current, k, top)
    note(t("results.slider_note"))


def _histogram(current: CurrentCheck, k: int, top: int) -> None:
    view, pairs = session.view(), current.result.distances.total
    within = int(view.within.sum()) if view else 0
    figure = charts.distance_figure(
        current.result.distances.counts,
        session.memo("expected", lambda: expected_curve(current.result)),
        threshold=k,
        top=top,
        labels={
            "threshold": t("results.mark.threshold", k=k),
            "within": t("results.mark.within", n=within),
            "background": t("results.mark.background"),
            "hover": t("results.mark.hover", k="%{x}", pairs="%{customdata}"),
        },
        colours=palette(),
    )
    st.plotly_chart(
        figure,
        theme=None,
        key="distance_chart",
        config={"displayModeBar": False, "responsive": True},
        alt=t("results.distances_alt", n=pairs, k=k, within=within),
    )


def nearest_pairs(result: CheckResult) -> None:
    """The pairs whose fingerprints differ in the fewest bits; a row opens its pair."""
    pairs, names = result.table.pairs, find_naming().stems
    known = np.flatnonzero(pairs.distance != NO_DISTANCE)
    nearest = known[np.argsort(pairs.distance[known], kind="stable")][:NEAREST]
    figure_head(t("results.nearest"), t("results.nearest_note"))
    if not len(nearest):
        paragraph(t("results.nearest_none"))
        return
    columns = (
        Column("pair", t("results.nearest.pair"), "names", card="title"),
        Column("bits", t("results.nearest.bits"), "num", "22%", "end"),
    )
    rows = [
        {
            "id": str(at),
            "pair": [
                {"as": "name", "text": names[pairs.left[at]]},
                {"as": "name", "text": names[pairs.right[at]]},
            ],
            "bits": int(pairs.distance[at]),
        }
        for at in nearest.tolist()
    ]
    act = draw_list("nearest", [Group(columns, rows)], caption=t("results.nearest"), opens=True)
    if act.action == "open":
        open_compare(int(pairs.left[int(act.row)]), int(pairs.right[int(act.row)]))
