"""Results: who shares text with whom; a row opens its reader in the place of the lists."""

from __future__ import annotations

import streamlit as st

from simhash_core.review import Case

from ..groups import page as groups
from ..reader import pair_page, text
from ..reader.passage import draw_passage
from ..reader.way import draw_way, draw_way_of_case
from ..review.state import list_cases
from ..shared import exclusions, navigation, session
from ..shared.decided import say_lost
from ..shared.formatting import date_time
from ..shared.pairs import weak_list
from ..shared.session import CurrentCheck, t
from ..shared.widgets import foot, no_result, page_head, paragraph, settle_threshold
from . import add, figures, left_out, measured
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
    elif "text" in asked:
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
        figures.actions(current, view)
    if result.settings.passages:
        left_out.exclusions_line(current)
    say_lost()
    figures.headline(result, view, exclusions.find_original(current))
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
        draw_pupils(result, view)
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
    return facts
