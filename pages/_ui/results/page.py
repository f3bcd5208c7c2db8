"""Results: who shares text with whom; a row opens its reader in the place of the lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from simhash_core import CheckResult, ThresholdView, to_json
from simhash_core.i18n import in_chinese, translator
from simhash_core.report import pairs_csv, say_not_looked_for
from simhash_core.review import Case
from simhash_core.seen import Headline, find_gaps, headline_of, list_answered_cases

from ..groups import page as groups
from ..groups.clusters import find_open_members
from ..reader import pair_page, text
from ..reader.passage import draw_passage
from ..reader.way import draw_way, draw_way_of_case
from ..review.state import is_left, list_cases
from ..shared import exclusions, navigation, open_checks, session
from ..shared.decided import say_lost
from ..shared.formatting import date_time, esc
from ..shared.pairs import weak_list
from ..shared.reports import report_popover
from ..shared.session import CurrentCheck, t
from ..shared.widgets import (
    foot,
    no_result,
    open_page,
    page_head,
    paragraph,
    save_button,
    says,
    settle_threshold,
    write_html,
)
from . import add, left_out, measured
from .tables import draw_cases, draw_pupils, draw_views, shown_view


def draw() -> None:
    """Draw what the address names of the current check, or the way to one."""
    current = session.check()
    if current is None:
        no_result(t("frame.nav.results"))
        return
    settle_threshold(current.result)
    asked = st.query_params
    if "pair" in asked:
        navigation.keep_only("pair", "show")
        pair_page.draw(current.result)
    elif "text" in asked and current.result.documents:
        navigation.keep_only("text", "show", "at")
        text.show(current.result)
    elif "case" in asked:
        navigation.keep_only("case", "show")
        _draw_case(current, asked["case"])
    else:
        navigation.keep_only("view", "k", "q", "filter")
        _draw_lists(current)
    foot()


def _draw_case(current: CurrentCheck, asked: str) -> None:
    """Draw the case that the address names by its number."""
    case = next((one for one in list_cases() if str(one.number) == asked), None)
    if case is None:
        draw_way("", None, None)
        paragraph(t("results.reader.no_case", number=asked))
    elif isinstance(case, Case):
        pair_page.show(current.result, case.a, case.b)
    else:
        draw_way_of_case(case.number)
        draw_passage(current, case)


def _draw_lists(current: CurrentCheck) -> None:
    """Draw the sentence of a check and one of its three lists."""
    result, view = current.result, session.view()
    assert view is not None
    with page_head(current.name, note=_facts(current)):
        if result.settings.passages:
            left_out.draw_button(current)
        add.draw_add_button()
        actions(current, view)
    if result.settings.passages:
        left_out.exclusions_line(current)
    say_lost()
    headline(result, view, exclusions.find_original(current))
    shown = shown_view()
    draw_views(
        {
            "cases": len(list_cases()),
            "pupils": result.checked,
            "groups": len(groups.list_groups(current)),
        },
        shown,
    )
    if shown == "groups":
        groups.draw(current)
    elif shown == "pupils":
        draw_pupils(result)
    else:
        draw_cases(current)
        weak_list(result)
    if shown != "groups":  # its fold has the slider of the threshold
        measured.draw(current, view)


def _facts(current: CurrentCheck) -> str:
    """Return how many texts were compared, with what else, and when."""
    result = current.result
    facts = t("results.facts", n=result.checked, date=date_time(current.finished))
    if result.references:
        facts = t("results.facts_references", n=result.references, facts=facts)
    return t("check.keeps_nothing", facts=facts) if open_checks.keeps_nothing() else facts


# --------------------------------------------------------------------------- sentence, actions


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
        for code, write, name, icon in (
            ("csv", pairs_csv, "leitong-pairs.csv", "table"),
            ("json", to_json, "leitong-check.json", "data_object"),
        ):
            data = partial(write_file, write, result, view, names, language)
            key = f"export_{code}"
            save_button(t(f"results.{key}"), data, name, key=key, icon=icon)
    n = sum(map(is_left, list_cases()))
    if n and st.button(
        t("results.review", n=n), key="review", type="primary", icon=":material/fact_check:"
    ):
        open_page("review")


# --------------------------------------------------------------------------- files

_HIDDEN = "…"


def write_file(
    write: Callable[..., str],
    result: CheckResult,
    view: ThresholdView,
    names: Sequence[str],
    language: str,
) -> bytes:
    """Return the pairs of a check at a threshold as `pairs_csv` or `to_json` writes them.

    Where other names are given, what the files say of their authors and the names of files that
    were not read go too.
    """
    if names:
        documents = tuple(
            replace(document, name=name, meta={})
            for document, name in zip(result.documents, names, strict=True)
        )
        skipped = tuple(
            replace(row, name=_HIDDEN, params={**row.params, "name": _HIDDEN})
            for row in result.skipped
        )
        result = replace(result, documents=documents, skipped=skipped)
    return write(result, translator(language), view=view).encode()
