"""The blocks of the page Overview: its numbers, distances, matrix, and the files of its menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from simhash_core import CheckResult, ThresholdView, to_json
from simhash_core.i18n import in_chinese, translator
from simhash_core.report import pairs_csv, say_not_looked_for
from simhash_core.seen import Headline, find_gaps, headline_of, list_answered_cases

from ..groups.clusters import find_open_members
from ..review.state import is_left, list_cases
from ..shared import session
from ..shared.formatting import esc
from ..shared.reports import report_popover
from ..shared.session import CurrentCheck, t
from ..shared.widgets import open_page, save_button, says, write_html


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
        sentences = [t("results.headline.single")]
    else:
        sentences = [t(f"results.headline.{who}.{code}", n=over or weak or n, all=n, weak=weak)]
    if close:
        sentences.append(t(f"results.headline.{who}.close", n=close))
    if (over or weak or close) and n > over + weak + close:
        sentences.append(t(f"results.headline.{who}.rest", n=n - over - weak - close))
    if head.passages:
        sentences.append(t("results.headline.passages", n=head.passages))
    if head.nameless.n:
        found = head.nameless.sharing
        sentences.append(t("results.headline.nameless", n=head.nameless.n, found=found))
    return sentences


def actions(current: CurrentCheck, view: ThresholdView) -> None:
    """Run again, the result as files, and the first pair to read."""
    result = current.result
    names = session.doc_names(range(len(result.documents))) if session.hide_names() else ()
    language = session.language()
    members = find_open_members(view)
    kinds = ("class", "confirmed", *(("cluster",) if members else ()))
    with report_popover(kinds, members):
        data = csv_file(result, view, names=names, language=language)
        save_button(
            t("results.export_csv"), data, "leitong-pairs.csv", key="export_csv", icon="table"
        )
        data = json_file(result, view, names=names, language=language)
        save_button(
            t("results.export_json"), data, "leitong-check.json", key="export_json",
            icon="data_object",
        )  # fmt: skip
    n = sum(map(is_left, list_cases()))
    if n and st.button(
        t("results.review", n=n), key="review", type="primary", icon=":material/fact_check:"
    ):
        open_page("review")


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
