"""Overview: where to look first."""

from __future__ import annotations

import streamlit as st

from pages._ui.overview import completeness, figures, leaving_out
from pages._ui.overview.rows import FEW
from pages._ui.overview.tables import ranked_list
from pages._ui.shared import navigation, session
from pages._ui.shared.formatting import date_time, seconds
from pages._ui.shared.pairs import text_rows, translated_list
from pages._ui.shared.session import t
from pages._ui.shared.widgets import foot, no_result, page_head, settle_threshold


def draw() -> None:
    """Draw the current check, or the way to one."""
    current = session.check()
    if current is None:
        no_result(t("overview.title"))
        return
    navigation.keep_only("by", "k")
    settle_threshold(current.result)
    view = session.view()
    assert view is not None
    n = len(current.result.documents)
    facts = t(
        "overview.facts", n=n, date=date_time(current.finished), time=seconds(current.seconds)
    )
    with page_head(t("overview.title"), current.name, facts):
        figures.actions(current, view)
    if current.result.settings.passages:
        leaving_out.line(current)
    texts = text_rows(current.result, view)
    figures.strip(current.result, view, texts)
    figures.shared_by_many(current.result)
    ranked_list(current.result, view, texts)
    translated_list(current.result)
    if n >= FEW:
        left, right = st.columns([1.9, 1], gap="large")
        with left:
            figures.distances(current)
        with right:
            figures.matrix(current, view)
    completeness.show(current.result, view)
    foot()
