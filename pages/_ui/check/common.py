"""Is this the task? Passages that many texts hold, answered before the check starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from simhash_core import Document, Settings
from simhash_core.checking import KINDS, Common, CommonPassages, as_templates
from simhash_core.text.lengths import unit_of

from ..components.lists import CommonRow, common_rows
from ..shared import jobs, open_checks
from ..shared.formatting import length, number, text_language
from ..shared.jobs import Job
from ..shared.running import TICK
from ..shared.session import t
from ..shared.widgets import figure_head, note
from .inbox import is_class
from .uploads import Batch

#: texts up to which they are looked for: an archive has no task
MOST_TEXTS = 500
MOST_ASKED = 6  # the rest is seen at the desk
JOB = "common"
ANSWERS_KEY = "check.common"  # in the project: {text of a passage: one of `KINDS`}
_AT_ONCE = 0.25  # seconds that the page waits for a small class before it goes on without


def common_texts(batch: Batch, given: Sequence[Document], settings: Settings) -> None:
    """Show the passages and take answers; nothing where the texts hold none in common."""
    job = _look(batch, given, settings)
    if job is None:
        return
    if not job.wait(_AT_ONCE):
        _watch()
    elif job.state == "done":
        _ask(job.value, batch, sheets=bool(given))


def left_out(
    batch: Batch, given: Sequence[Document], settings: Settings
) -> Callable[[], list[Document]]:
    """Return what gives the passages that count nowhere, as templates; it waits for the look."""
    job, answers = _look(batch, given, settings), _answers()
    labels = {kind: t(f"check.common.kind.{kind}") for kind in KINDS}

    def passages() -> list[Document]:
        if job is None:
            return []
        job.wait()
        if job.state != "done":
            return []
        held = job.value.passages
        documents = as_templates(held, [_answer(one, answers) for one in held])
        return [replace(one, name=labels[one.name]) for one in documents]

    return passages


def _look(batch: Batch, given: Sequence[Document], settings: Settings) -> Job | None:
    """Return the work that looks at the texts of a batch, once for the same texts."""
    texts = batch.compared
    if settings.preset != "essays" or not 3 <= len(texts) <= MOST_TEXTS:
        return None
    key = (tuple(one.id for one in texts), tuple(one.id for one in given))
    job = jobs.current(JOB)
    if job is None or job.facts["key"] != key:

        def work(progress: jobs.Progress) -> CommonPassages:
            return CommonPassages(texts, given, settings)

        job = jobs.start(JOB, work, facts={"key": key})
    return job


@st.fragment(run_every=TICK)
def _watch() -> None:
    """Say that the texts are being looked at; the page is drawn anew once at the end."""
    job = jobs.current(JOB)
    if job is None or job.state != "running":
        st.rerun()
    note(t("check.common.looking"))


def _answers() -> Mapping[str, str]:
    opened = open_checks.current()
    held: dict[str, str] = opened.project.get(ANSWERS_KEY, {}) if opened is not None else {}
    return {text: kind for text, kind in held.items() if kind in KINDS}


def _answer(one: Common, answers: Mapping[str, str]) -> str:
    """Return what a passage is taken for: as it was answered, else as rules take it.

    With a late text it can be a little longer or shorter than when it was answered.
    """
    if one.text in answers:
        return answers[one.text]
    near = [text for text in answers if text in one.text or one.text in text]
    closest = min(near, key=lambda text: abs(len(text) - len(one.text)), default="")
    shorter, longer = sorted((len(closest), len(one.text)))
    return answers[closest] if 2 * shorter > longer else one.kind


def _ask(common: CommonPassages, batch: Batch, *, sheets: bool) -> None:
    """Draw the question with its rows, and store what was answered."""
    if not _worth_asking(common, batch):
        return
    asked = _asked(common)
    figure_head(t("check.common.title"), t("check.common.note", n=len(asked)) if asked else "")
    as_given = [one for one in common.passages if one.reason == "as_given"]
    if as_given:
        most = max(len(one.rows) for one in as_given)
        note(t("check.common.as_given", n=most, of=len(batch.compared)))
    if not asked:
        return
    answers = _answers()
    answer = common_rows(
        "common",
        rows=[
            _row(one, _answer(one, answers), len(batch.compared), sheets=sheets) for one in asked
        ],
        kinds=KINDS,
        labels={kind: t(f"check.common.kind.{kind}") for kind in KINDS},
        id="-".join(one.id for one in batch.compared)[:64],
    )
    opened = open_checks.current()
    if opened is not None and answer is not None and answer[0] < len(asked) and answer[1] in KINDS:
        answers = {**answers, asked[answer[0]].text: answer[1]}
        opened.store(lambda project: project.put(ANSWERS_KEY, answers))
        st.rerun()  # the rows that were drawn hold the answers of before
    _total(common, answers)


def _worth_asking(common: CommonPassages, batch: Batch) -> bool:
    """Whether anything was given to all; in a class also what may be copied by several."""
    passages = common.passages
    return any(one.kind != "copied" for one in passages) or (bool(passages) and is_class(batch))


def _asked(common: CommonPassages) -> list[Common]:
    """Return the passages to be answered, most text first."""
    return [one for one in common.passages if one.reason != "as_given"][:MOST_ASKED]


def _row(one: Common, kind: str, of: int, *, sheets: bool) -> CommonRow:
    unit, n = unit_of(one.text), len(one.rows)
    reason = "body_alone" if one.reason == "body" and not sheets else one.reason
    return CommonRow(
        head=t("check.common.held", n=n, of=of),
        place=t(f"check.common.place.{one.place}"),
        length=length(one.units, unit),
        reason=t(f"check.common.reason.{reason}"),
        ticks=tuple(np.isin(np.arange(of), one.rows).tolist()),
        text=one.shared.strip(),
        lang=text_language(one.text),
        kind=kind,
        takes=t(
            "check.common.takes", n=n, length=number(one.units), all=length(n * one.units, unit)
        ),
        stays=t("check.common.stays", pairs=n * (n - 1) // 2),
    )


def _total(common: CommonPassages, answers: Mapping[str, str]) -> None:
    """Say how many pairs have something in common now, and without what is left out."""
    out = frozenset(
        row for row, one in enumerate(common.passages) if _answer(one, answers) != "copied"
    )
    if out:
        before, after = common.pairs(frozenset()), common.pairs(out)
        note(t("check.common.pairs", before=before, after=after))
