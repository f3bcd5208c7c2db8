"""The blocks of the page Overview: its numbers, distances, matrix, and the files of its menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from simhash_core import CheckResult, ThresholdView, to_json
from simhash_core.i18n import in_chinese, translator
from simhash_core.notation import UNKNOWN, total_percents
from simhash_core.numbers import divide_text, few_rows, highest_total, pairs_compared
from simhash_core.report import pairs_csv, say_not_looked_for
from simhash_core.review import case_keys
from simhash_core.seen import (
    Headline,
    distance_matrix,
    expected_curve,
    find_gaps,
    headline_of,
    list_answered_cases,
)

from ..components import pictures
from ..components.pictures import FAR, STEPS
from ..shared import charts, session
from ..shared.charts import palette
from ..shared.formatting import esc, notation, number
from ..shared.reports import report_popover
from ..shared.session import CurrentCheck, find_naming, t
from ..shared.widgets import (
    Figure,
    figure_head,
    figure_over_slider,
    note,
    number_strip,
    open_compare,
    open_page,
    paragraph,
    save_button,
    says,
    write_html,
)

MOST_IN_MATRIX = 150


def headline(result: CheckResult, view: ThresholdView, original: CheckResult) -> None:
    """Answer in one sentence: how many share text, how many have only weaker evidence.

    `original` is the check before anything was left out: its passages are those that are answered.
    """
    answered = list_answered_cases(original, session.project())
    said = tuple(one.answer for one in answered)
    head = session.memo(
        ("headline", view.threshold, said), lambda: headline_of(result, view, answered)
    )
    space = "" if in_chinese(session.language()) else " "
    answer, gaps = space.join(_answer(head)), space.join(say_not_looked_for(find_gaps(result), t))
    gap_line = f'<p class="lt-note">{esc(gaps)}</p>' if gaps else ""
    write_html(f'<p class="lt-headline">{esc(answer)}</p>{gap_line}{says(answer)}')


def _answer(head: Headline) -> list[str]:
    """Return what was found of whom, and who is no pupil of it."""
    who, held = ("people", head.pupils) if head.pupils.n else ("texts", head.texts)
    n, over, weak, close = held.n, held.sharing, held.weak, held.close
    code = "both" if over and weak else "n" if over else "weak" if weak else "none"
    if n == over == 1:
        sentences = [t("overview.headline.single")]
    else:
        sentences = [t(f"overview.headline.{who}.{code}", n=over or weak or n, all=n, weak=weak)]
    if close:
        sentences.append(t(f"overview.headline.{who}.close", n=close))
    if (over or weak or close) and n > over + weak + close:
        sentences.append(t(f"overview.headline.{who}.rest", n=n - over - weak - close))
    if head.passages:
        sentences.append(t("overview.headline.passages", n=head.passages))
    if head.nameless.n:
        found = head.nameless.sharing
        sentences.append(t("overview.headline.nameless", n=head.nameless.n, found=found))
    return sentences


def strip(result: CheckResult, view: ThresholdView) -> None:
    """The numbers of a check: two that answer the first question, three that follow."""
    texts = headline_of(result, view).texts
    number_strip(
        [
            Figure(
                t("overview.strip.overlapping"),
                number(texts.sharing),
                t("overview.strip.overlapping_help"),
                t("overview.strip.of", n=texts.n),
            ),
            _highest(result),
            Figure(
                t("overview.strip.pairs"),
                number(int(view.listed.sum())),
                t("overview.strip.pairs_help", k=view.threshold),
            ),
            Figure(
                t("overview.strip.clusters"),
                number(len(view.clusters)),
                t("overview.strip.clusters_help"),
            ),
            Figure(
                t("overview.strip.skipped"),
                number(len(result.unread)),
                t("overview.strip.skipped_help") if result.unread else "",
            ),
        ]
    )


def _highest(result: CheckResult) -> Figure:
    """The highest total overlap, and how many texts show the same number."""
    label, meaning = t("overview.strip.overlap"), t("overview.strip.overlap_help")
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
    return Figure(label, highest, meaning, t("overview.strip.texts", n=same))


def distances(current: CurrentCheck) -> None:
    """The histogram whose x axis is the threshold slider."""
    result = current.result
    n, compared = result.distances.total, pairs_compared(result)
    code = "" if n == compared else "_fewer" if n < compared else "_more"
    figure_head(
        t("overview.distances"),
        t(f"overview.distances_note{code}", n=n, all=compared, bits=result.fingerprints.bits),
    )
    drawing, k, top = figure_over_slider(result)
    with drawing:
        _histogram(current, k, top)
    note(t("overview.slider_note"))


def _histogram(current: CurrentCheck, k: int, top: int) -> None:
    view, pairs = session.view(), current.result.distances.total
    within = int(view.within.sum()) if view else 0
    figure = charts.distance_figure(
        current.result.distances.counts,
        session.memo("expected", lambda: expected_curve(current.result)),
        threshold=k,
        top=top,
        labels={
            "threshold": t("overview.mark.threshold", k=k),
            "within": t("overview.mark.within", n=within),
            "background": t("overview.mark.background"),
            "hover": t("overview.mark.hover", k="%{x}", pairs="%{customdata}"),
        },
        colours=palette(),
    )
    st.plotly_chart(
        figure,
        theme=None,
        key="distance_chart",
        config={"displayModeBar": False, "responsive": True},
        alt=t("overview.distances_alt", n=pairs, k=k, within=within),
    )


def matrix(current: CurrentCheck, view: ThresholdView) -> None:
    """The similarity matrix in cluster order; a cell opens its pair."""
    result, names = current.result, find_naming()
    rows, blocks, cut = matrix_rows(result, view, MOST_IN_MATRIX)
    figure_head(
        t("overview.matrix"),
        t("overview.matrix_cut", n=len(rows)) if cut else t("overview.matrix_note"),
    )
    if len(rows) < 2:
        paragraph(t("overview.matrix_none"))
        return
    bits, colours = result.fingerprints.bits, palette()
    chosen = pictures.matrix(
        distance_matrix(result, rows),
        key="matrix",
        names=[names.whole[row] for row in rows],
        blocks=blocks,
        bits=bits,
        label=t("overview.matrix_alt", n=len(rows), clusters=len(blocks)),
        colours=colours,
    )
    steps = "".join(f'<i style="background:{colours.sequence[step]}"></i>' for step in STEPS)
    far = t("overview.matrix_far", far=round(bits * FAR))
    write_html(
        f'<div class="lt-key"><span>{esc(t("overview.matrix_key"))}</span><span>'
        f"{esc(t('overview.matrix_near'))} <b>{steps}</b> {esc(far)}</span></div>"
    )
    if chosen is not None:
        open_compare(rows[chosen[0]], rows[chosen[1]])


def actions(current: CurrentCheck, view: ThresholdView) -> None:
    """Run again, the result as files, and the first pair to read."""
    result = current.result
    if st.button(t("overview.again"), key="again", icon=":material/refresh:"):
        open_page("check")
    names = session.doc_names(range(len(result.documents))) if session.hide_names() else ()
    language = session.language()
    with report_popover(("class", "confirmed")):
        data = csv_file(result, view, names=names, language=language)
        save_button(
            t("overview.export_csv"), data, "leitong-pairs.csv", key="export_csv", icon="table"
        )
        data = json_file(result, view, names=names, language=language)
        save_button(
            t("overview.export_json"), data, "leitong-check.json", key="export_json",
            icon="data_object",
        )  # fmt: skip
    n = len(case_keys(result, view))
    if n and st.button(
        t("overview.review", n=n), key="review", type="primary", icon=":material/fact_check:"
    ):
        open_page("review")


def say_shared_by_many(result: CheckResult) -> None:
    """Say how many passages stand in many texts, and lead to them."""
    n = len(result.variant_groups)
    if not n or len(result.common):  # those are asked about above
        return
    most = int(np.diff(result.variant_groups.first).max())
    with st.container(key="shared-by-many", horizontal=True, vertical_alignment="center"):
        with st.container(width="content"):
            note(t("overview.many", n=n, most=most))
        if st.button(t("overview.many_go"), key="to_variants", type="tertiary"):
            open_page("variants")


# --------------------------------------------------------------------------- rows of the matrix

FEW = 4  # texts: below, a histogram says less than the pairs themselves


def matrix_rows(
    result: CheckResult, view: ThresholdView, most: int
) -> tuple[list[int], list[tuple[int, int]], bool]:
    """Return the rows of the matrix in cluster order, the blocks, and whether rows are left out.

    All texts up to `most`; above it only the first of those in clusters, largest first.
    """
    rows: list[int] = []
    blocks: list[tuple[int, int]] = []
    for cluster in view.clusters:
        members = cluster.members[: most - len(rows)]
        if len(members) < 2:
            break
        blocks.append((len(rows), len(rows) + len(members)))
        rows.extend(members)
    n = len(result.documents)
    if n > most:
        return rows, blocks, True
    inside = set(rows)
    return rows + [row for row in range(n) if row not in inside], blocks, False


# --------------------------------------------------------------------------- files
# At the threshold in force, under the names that the page shows.

_HIDDEN = "…"


def _with_names(result: CheckResult, names: Sequence[str]) -> CheckResult:
    """Return the same result under other names, or as it is where there are none.

    What the files say of their authors and the names of files that were not read go too.
    """
    if not names:
        return result
    documents = tuple(
        replace(document, name=name, meta={})
        for document, name in zip(result.documents, names, strict=True)
    )
    skipped = tuple(
        replace(row, name=_HIDDEN, params={**row.params, "name": _HIDDEN}) for row in result.skipped
    )
    return replace(result, documents=documents, skipped=skipped)


def json_file(
    result: CheckResult, view: ThresholdView, *, names: Sequence[str], language: str
) -> Callable[[], bytes]:
    """Return what makes the JSON when it is asked for."""
    t = translator(language)
    return lambda: to_json(_with_names(result, names), t, view=view).encode()


def csv_file(
    result: CheckResult, view: ThresholdView, *, names: Sequence[str], language: str
) -> Callable[[], bytes]:
    """Return what makes the CSV when it is asked for."""
    t = translator(language)
    return lambda: pairs_csv(_with_names(result, names), t, view=view).encode()
