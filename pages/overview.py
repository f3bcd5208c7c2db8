"""Overview: where to look first."""

from pages._ui import frame

frame.guard()

import streamlit as st  # noqa: E402

from pages._ui import overview_view as blocks  # noqa: E402
from pages._ui import session  # noqa: E402
from pages._ui.overview_table import table  # noqa: E402
from pages._ui.pair_rows import FEW  # noqa: E402
from pages._ui.session import t  # noqa: E402
from pages._ui.widgets import foot, no_result, page_head, settle_threshold  # noqa: E402
from pages._ui.words import date_time, seconds  # noqa: E402


def main() -> None:
    """Draw the current check, or the way to one."""
    current = session.check()
    if current is None:
        no_result(t("overview.title"))
        return
    blocks.open_clicked()
    settle_threshold(current.result)
    view = session.view()
    assert view is not None
    n = len(current.result.documents)
    facts = t(
        "overview.facts", n=n, date=date_time(current.finished), time=seconds(current.seconds)
    )
    with page_head(t("overview.title"), current.name, facts):
        blocks.actions(current, view)
    blocks.strip(current.result, view)
    if n >= FEW:
        left, right = st.columns([9, 7], gap="large")
        with left:
            blocks.distances(current)
        with right:
            blocks.matrix(current, view)
    table(current.result, view)
    blocks.guarantees(current.result)
    blocks.skipped_list(current.result)
    foot()


main()
