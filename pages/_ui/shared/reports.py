"""The report that belongs to a page, made in the background and then offered as a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

import streamlit as st

from simhash_core.i18n import translator
from simhash_core.people import Place
from simhash_core.report import (
    FORMATS,
    MOST_TYPED,
    Course,
    Replacement,
    Wanted,
    file_name,
    list_wanted,
    replacements,
    report_of,
    write_archive,
    write_report,
)
from simhash_core.seen import kept_cases, list_answered_cases
from simhash_core.storage import COURSE_KEY

from . import exclusions, jobs, open_checks, session
from .formatting import error_text
from .jobs import Job
from .running import TICK
from .session import CurrentCheck, t
from .widgets import note, says, write_html

JOB = "report"
#: one archive with the reports for several readers, each of these kinds
READERS, FOR_READERS = "readers", ("person", "class", "confirmed")

Asked = tuple[str, tuple[int, ...], str, bool, str, int, frozenset[Place], Course, tuple[str, ...]]


def report_menu(kinds: Sequence[str], rows: Sequence[int] = ()) -> None:
    """Draw the menu of a page: which report, which format, and the file once it is made.

    Parameters
    ----------
    kinds
        Kinds of reports that belong to the page, the nearest first.
    rows
        The texts that it is about; a report of a class and one of confirmed cases take none.
    """
    current = session.check()
    if current is None:
        return
    st.fragment(_menu, run_every=TICK if jobs.is_running(JOB) else None)(
        current, tuple(kinds), tuple(rows)
    )


def _menu(current: CurrentCheck, kinds: tuple[str, ...], rows: tuple[int, ...]) -> None:
    offer_report(current, _choose_report(current, kinds, rows))


def ask_for_report(
    current: CurrentCheck, kind: str, name: str, hidden: bool, readers: tuple[str, ...] = ()
) -> Asked:
    """Return what asks for a report of the whole check, with the class and the task as typed."""
    project = session.project()
    decided = project.latest() if project is not None else 0
    state = f"{current.token} {session.threshold()} {session.language()}"
    return (kind, (), name, hidden, state, decided, frozenset(), find_course(), readers)


def find_course() -> Course:
    """Return the class, the task and the teacher that the project keeps."""
    project = session.project()
    return Course.from_data(project.get(COURSE_KEY) if project is not None else None)


def offer_report(current: CurrentCheck, asked: Asked) -> None:
    """Draw the button that makes a report, then how far it is, then its file."""
    job = jobs.find_latest(JOB)
    if job is None or job.facts.get("asked") != asked:
        if st.button(t("report.menu.make"), key="report_make", icon=":material/description:"):
            _start(current, asked)
            st.rerun()
        return
    if job.state == "running":
        job.facts["seen"] = True
        done = job.done / job.total if job.total else 0.0
        st.progress(min(done, 1.0), text=t("report.menu.running", done=job.done, total=job.total))
        write_html(says(t("report.menu.making")))
        if st.button(t("check.stop"), key="report_stop", icon=":material/stop:"):
            jobs.put_away(JOB)
            st.rerun()
        return
    if job.facts.pop("seen", False):
        st.rerun()  # the timer is not needed any more
    _offer(job, asked)


def _choose_report(current: CurrentCheck, kinds: tuple[str, ...], rows: tuple[int, ...]) -> Asked:
    """Draw the choices and return what they ask for."""
    kind = kinds[0]
    if len(kinds) > 1:
        kind = st.segmented_control(
            t("report.menu.kind"),
            kinds,
            format_func={name: t(f"report.kind.{name}") for name in kinds}.__getitem__,
            default=kind,
            required=True,
            key="report_kind",
        )
    rows = () if kind in ("class", "confirmed") else rows
    readers = _readers() if kind == READERS else ()
    name = st.segmented_control(
        t("report.menu.format"),
        tuple(FORMATS),
        format_func=str.upper,
        default="html",
        required=True,
        key="report_format",
    )
    course = _course(current)
    hidden = st.toggle(t("report.menu.hide"), value=session.hide_names(), key="report_hide")
    project = session.project()
    decided = project.latest() if project is not None else 0
    state = f"{current.token} {session.threshold()} {session.language()}"
    shown = "confirmed" if kind == READERS else kind
    overruled = _preview(current, shown, rows, decided, course) if hidden else frozenset()
    return (kind, rows, name, hidden, state, decided, overruled, course, readers)


def _readers() -> tuple[str, ...]:
    """Draw who is to get a report; return the kinds."""
    chosen = st.pills(
        t("report.menu.readers"),
        FOR_READERS,
        selection_mode="multi",
        default=FOR_READERS,
        format_func={name: t(f"report.kind.{name}") for name in FOR_READERS}.__getitem__,
        key="report_readers",
    )
    note(t("report.menu.readers_note"))
    return tuple(name for name in FOR_READERS if name in chosen) or FOR_READERS


def _course(current: CurrentCheck) -> Course:
    """Draw the fields for class, task and teacher; the project keeps what is typed."""
    project, stored = session.project(), find_course()
    with st.expander(t("report.menu.course")):
        typed = {
            name: st.text_input(
                t(f"report.menu.{name}"),
                value,
                max_chars=MOST_TYPED,
                key=f"report_{name}_{current.token}",
            ).strip()
            for name, value in asdict(stored).items()
        }
    if project is not None and not project.database.read_only and typed != asdict(stored):
        project.put(COURSE_KEY, typed)
    return Course(**typed)


def _preview(
    current: CurrentCheck, kind: str, rows: tuple[int, ...], decided: int, course: Course
) -> frozenset[Place]:
    """Draw what is replaced, place by place; return the places that the reader overrules."""
    wanted = replace(_wanted(current, kind, rows, hidden=True), course=course)
    key = ("replacements", kind, rows, session.language(), decided, course)
    with st.spinner(t("report.menu.looking")):
        listed = session.memo(key, lambda: replacements(current.result, wanted, t))
    if not listed:
        note(t("report.menu.nothing_replaced"))
        return frozenset()
    n = sum(one.replaced for one in listed)
    with st.expander(t("report.menu.replaced", n=n, doubtful=len(listed) - n)):
        note(t("report.menu.replaced_help"))
        columns: dict[str, list[Any]] = {
            "replace": [one.replaced for one in listed],
            "place": [_place_of(one) for one in listed],
            "before": [f"{one.left}[{one.before}]{one.right}" for one in listed],
            "after": [one.after for one in listed],
        }
        table = st.data_editor(
            columns,
            key=f"report_replaced_{kind}_{session.language()}",
            hide_index=True,
            height=240,
            disabled=["place", "before", "after"],
            column_config={
                "replace": st.column_config.CheckboxColumn(t("report.menu.column.replace")),
                **{
                    name: st.column_config.TextColumn(t(f"report.menu.column.{name}"))
                    for name in ("place", "before", "after")
                },
            },
        )
    wishes = zip(listed, table["replace"], strict=True)
    return frozenset(one.place for one, wish in wishes if one.replaced != bool(wish))


def _place_of(one: Replacement) -> str:
    text = one.called if one.source == "text" else t(f"report.replaced.{one.source}")
    return t("report.menu.place", text=text, line=one.line)


def _start(current: CurrentCheck, asked: Asked) -> None:
    """Start the work; the thread touches nothing of the page."""
    kind, rows, name, hidden, _, _, overruled, course, readers = asked
    result, view, language = current.result, session.view(), session.language()
    first = "confirmed" if kind == READERS else kind
    wanted = _wanted(current, first, rows, hidden=hidden)
    wanted = replace(wanted, overruled=overruled, course=course)

    def work(progress: jobs.Progress) -> tuple[bytes, str]:
        progress(JOB, 0, 1)
        # the texts of a check from which nothing is left out are read once for all its reports
        excluder = None if current.left_out else exclusions.texts_of(current)
        if kind == READERS:
            each = list_wanted(result, wanted, readers)
            return write_archive(
                result, each, name, language, view=view, excluder=excluder, progress=progress
            )
        report = report_of(
            result, wanted, translator(language), view=view, excluder=excluder, progress=progress
        )
        return write_report(report, name, language), file_name(report, name, language)

    jobs.start(JOB, work, stages=(JOB,), facts={"asked": asked})


def _wanted(current: CurrentCheck, kind: str, rows: tuple[int, ...], *, hidden: bool) -> Wanted:
    """Return what a report of the current check is asked to show."""
    project, view = session.project(), session.view()
    kept = kept_cases(project, current.result, view) if project and view else ({}, ())
    return Wanted(
        kind=kind,
        rows=rows,
        title=current.name,
        anonymous=hidden,
        members=open_checks.class_list(),
        made=datetime.now().astimezone(),
        checked=current.finished,
        decisions=project.pair_decisions() if project is not None else {},
        numbers=kept[0],
        lost=kept[1],
        exclusions=current.left_out,
        damage=project.damage if project is not None else (),
        passages=list_answered_cases(exclusions.find_original(current), project),
    )


def _offer(job: Job, asked: Asked) -> None:
    """Offer the file, or say why there is none."""
    if job.state == "done":
        name = "zip" if asked[0] == READERS else asked[2]
        data, file = job.value
        write_html(says(t("report.menu.made", name=file)))
        st.download_button(
            t("report.menu.save", format=name.upper()),
            data,
            file_name=file,
            mime="application/zip" if asked[0] == READERS else FORMATS[name].media_type,
            key="report_save",
            on_click="ignore",
            type="primary",
            icon=":material/download:",
        )
        return
    note(error_text(job.error) if job.error else t("report.menu.failed"))
    if st.button(t("report.menu.make"), key="report_again"):
        jobs.put_away(JOB)
        st.rerun()


def report_popover(kinds: Sequence[str], rows: Sequence[int] = ()) -> Any:
    """Draw the button that opens the menu; what follows inside belongs to the page."""
    opened = st.popover(t("report.menu.title"), icon=":material/ios_share:", key="export")
    with opened:
        report_menu(kinds, rows)
    return opened
