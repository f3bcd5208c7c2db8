"""Threshold lab: what a threshold means on the texts of the reader."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages._ui.shared import session
from pages._ui.shared.session import t
from pages._ui.shared.widgets import foot, no_result, page_head, paragraph, settle_threshold
from pages._ui.threshold_lab import alternative, borderline, costs, curves

STYLE = Path(__file__).parents[1] / "shared" / "lab.css"


def draw() -> None:
    """Draw the laboratory on the current check, or the way to one."""
    current = session.check()
    if current is None:
        no_result(t("threshold_lab.title"))
        return
    st.html(STYLE)
    result = current.result
    settle_threshold(result)
    with page_head(t("threshold_lab.title"), current.name, t("threshold_lab.lead")):
        borderline.files()
        curves.actions(result)
    if not result.distances.total:
        paragraph(t("threshold_lab.no_pairs"))
        foot()
        return
    left, right = st.columns([9, 7], gap="large")
    with left:
        curves.distances(result)
    with right:
        curves.curves(result)
    other = alternative.column(result, curves.aim())
    borderline.border(result, lambda: curves.compared_table(result, other))
    alternative.form(result)
    curves.cost(result)
    costs.growth()
    foot()
