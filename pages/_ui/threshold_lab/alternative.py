"""Another recipe on the same answers: checked once, then a further column of the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from simhash_core import CheckResult, LeitongError, Settings, check
from simhash_core.evaluation.labels import label_quality, relabel, suggest_threshold

from ..fingerprint_lab.state import LAB_WEIGHTINGS
from ..shared import session
from ..shared.formatting import error_text
from ..shared.session import t
from ..shared.tab import tab
from ..shared.widgets import note
from . import judging

BITS = (64, 128, 256)


def column(result: CheckResult, aim: str) -> list[tuple[Any, ...]] | None:
    """Return the column of the other recipe at its best threshold, None without one."""
    stored = tab.rival
    current = session.check()
    if stored is None or current is None or stored[0] != current.token:
        return None
    other = stored[1]
    judged = relabel(judging.labels(), other)
    best = suggest_threshold(judged, aim)
    k = best.threshold if best.threshold >= 0 else other.threshold
    name = t("threshold_lab.rival.column", bits=other.settings.bits, k=k,
             weighting=t(f"settings.weighting.{other.settings.weighting}"))  # fmt: skip
    return [(name, label_quality(judged, k), k, other, False)]


def form(result: CheckResult) -> None:
    """Choose another recipe and run it on the same texts."""
    with st.expander(t("threshold_lab.rival.title"), key="lab_rival"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            bits = st.segmented_control(
                t("settings.bits.label"), BITS, default=64, key="rival_bits", required=True,
                persist_state="session",
            )  # fmt: skip
            names = {name: t(f"settings.weighting.{name}") for name in LAB_WEIGHTINGS}
            weighting = st.selectbox(
                t("settings.weighting.label"), LAB_WEIGHTINGS, key="rival_weighting",
                format_func=names.__getitem__, persist_state="session", width=300,
            )  # fmt: skip
            batch = st.toggle(
                t("settings.batch_signature.label"), value=False, key="rival_batch",
                persist_state="session",
            )  # fmt: skip
            go = st.button(t("threshold_lab.rival.go"), key="rival_go", icon=":material/compare:")
        note(t("threshold_lab.rival.note"))
        if go:
            settings = replace(
                result.settings, bits=int(bits or 64), weighting=str(weighting),
                batch_signature=batch, threshold=None, passages=False, text_check=False,
            )  # fmt: skip
            _run(result, settings)


def _run(result: CheckResult, settings: Settings) -> None:
    current = session.check()
    assert current is not None
    first_reference = len(result.documents) - result.references
    documents, against = result.documents[:first_reference], result.documents[first_reference:]
    with st.spinner(t("threshold_lab.rival.running")):
        try:
            other = check(documents, against=against, settings=settings)
        except LeitongError as error:
            note(error_text(error))
            return
    tab.rival = (current.token, other)
    st.rerun()
