"""Threshold lab: what a threshold means on the reader's own texts."""

from pages._ui import frame

frame.guard()

from pathlib import Path  # noqa: E402

import streamlit as st  # noqa: E402

from pages._ui import border_view, cost_view, rival_view, session  # noqa: E402
from pages._ui import threshold_view as blocks  # noqa: E402
from pages._ui.session import t  # noqa: E402
from pages._ui.widgets import (  # noqa: E402
    foot,
    no_result,
    page_head,
    paragraph,
    settle_threshold,
)

STYLE = Path(__file__).parent / "_ui" / "lab.css"


def main() -> None:
    """Draw the laboratory on the current check, or the way to one."""
    current = session.check()
    if current is None:
        no_result(t("threshold_lab.title"))
        return
    st.html(STYLE)
    result = current.result
    settle_threshold(result)
    with page_head(t("threshold_lab.title"), current.name, t("threshold_lab.lead")):
        border_view.files()
        blocks.actions(result)
    if not result.distances.total:
        paragraph(t("threshold_lab.no_pairs"))
        foot()
        return
    left, right = st.columns([9, 7], gap="large")
    with left:
        blocks.distances(result)
    with right:
        blocks.curves(result)
    rival = rival_view.rival(result, blocks.aim())
    border_view.border(result, lambda: blocks.compared_table(result, rival))
    rival_view.form(result)
    blocks.cost(result)
    cost_view.growth()
    foot()


main()
