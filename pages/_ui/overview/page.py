"""Overview: where to look first; and at its foot, how complete this is."""

from __future__ import annotations

import streamlit as st

from simhash_core import CheckResult, ThresholdView

from ..shared import navigation, session
from ..shared.formatting import date_time, esc, note_text, seconds
from ..shared.pairs import text_rows, weak_list, without_references
from ..shared.session import t
from ..shared.widgets import expected_text, foot, no_result, page_head, settle_threshold, write_html
from . import figures, leaving_out
from .figures import FEW
from .tables import ranked_list


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
        "overview.facts",
        n=n - current.result.references,
        date=date_time(current.finished),
        time=seconds(current.seconds),
    )
    if current.result.references:
        facts = t("overview.facts_references", n=current.result.references, facts=facts)
    with page_head(t("overview.title"), current.name, facts):
        if current.result.settings.passages:
            leaving_out.opener(current)
        figures.actions(current, view)
    if current.result.settings.passages:
        leaving_out.line(current)
    texts = without_references(current.result, text_rows(current.result, view))
    figures.headline(current.result, texts)
    figures.strip(current.result, view, texts)
    figures.shared_by_many(current.result)
    ranked_list(current.result, view, texts)
    weak_list(current.result)
    if n >= FEW:
        left, right = st.columns([1.9, 1], gap="large")
        with left:
            figures.distances(current)
        with right:
            figures.matrix(current, view)
    completeness(current.result, view)
    foot()


# --------------------------------------------------------------------------- how complete is this?


def completeness(result: CheckResult, view: ThresholdView) -> None:
    """Draw the fold."""
    sentences = "".join(f"<li>{esc(sentence)}</li>" for sentence in _sentences(result, view))
    write_html(
        f'<details class="lt-fold" name="complete"><summary><b>{esc(t("overview.complete.title"))}'
        f"</b><span>{esc(_answer(result))}</span></summary>"
        f"<ul>{sentences}</ul>{_skipped(result)}</details>"
    )


def _answer(result: CheckResult) -> str:
    """Say in one line whether anything was left out."""
    lost = next((fact.params["n"] for fact in result.guarantees if fact.code == "not_aligned"), 0)
    n = len(result.documents)
    parts = [t("overview.complete.pairs", n=n * (n - 1) // 2)]
    if not result.settings.passages:
        parts.append(t("overview.complete.prints_only"))
    elif lost:
        parts.append(t("overview.complete.not_aligned", n=lost))
    else:
        parts.append(t("overview.complete.passages"))
    if result.unread:
        parts.append(t("overview.complete.skipped", n=len(result.unread)))
    return t("overview.complete.separator").join(parts)


def _sentences(result: CheckResult, view: ThresholdView) -> list[str]:
    k = view.threshold
    sentences = [t(f"guarantee.{fact.code}", **fact.params) for fact in result.guarantees]
    sentences.append(f"{t('overview.threshold_lead', k=k)} {expected_text(k)}")
    if view.batch_threshold >= 0:
        sentences.append(t("overview.batch_note", k=view.batch_threshold))
    if result.distances.sampled:
        sentences.append(t("overview.sampled_note"))
    return [*sentences, t("overview.total_note")]


def _skipped(result: CheckResult) -> str:
    """Return the files that took no part, as HTML made of escaped parts."""
    if not result.skipped:
        return ""
    hidden = session.hide_names()
    rows = "".join(
        f"<tr><td>{esc(t('frame.file_number', number=place) if hidden else item.name)}</td>"
        f"<td class='dim'>{esc(note_text(item.code, item.params))}</td></tr>"
        for place, item in enumerate(result.skipped, 1)
    )
    head = esc(t("overview.skipped", n=len(result.skipped)))
    return (
        f'<p><b>{head}</b></p><div class="lt-scroll"><table class="lt-table">{rows}</table></div>'
    )
