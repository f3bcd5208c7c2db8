"""What this reader has on the first page: its checks, and the browsers that see them.

A check is opened, renamed, duplicated, handed over or deleted; a browser is shut out.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from simhash_core import LeitongError
from simhash_core.storage import UNDO_SECONDS, Summary, browsers, is_user

from ..components.lists import CheckAnswer, CheckRow, recent_checks
from ..shared import jobs, open_checks, session
from ..shared.formatting import error_text, file_size, short_date
from ..shared.running import say_ended, stage_text, take_result
from ..shared.session import t
from ..shared.tab import Fact
from ..shared.widgets import caution, figure_head, note, open_result, save_button

AT_ONCE = 20  # rows shown before the rest is asked for
SEARCHED = 8  # checks from which a search is worth its place
LOOK_SECONDS = 2.0  # between two looks at a check that runs


class Tab:
    """What a tab remembers: the list of checks."""

    not_opened: Fact[LeitongError | None] = Fact(None)
    checks_drawn = Fact(0.0)  # moment
    undo_delete = Fact(("", 0.0))  # check, moment
    shut_out: Fact[tuple[str, ...]] = Fact(())  # browsers that the reader is asked about


tab = Tab()


def say_forgotten() -> None:
    """Say how the deletion of a person ended."""

    def say(job: jobs.Job) -> None:
        touched = [n for n in job.value if n]
        counts = {"n": sum(touched), "checks": len(touched)}
        about = {"name": job.facts["name"], "group": job.facts["group"]}
        caution(t("check.forget.lead"), t("check.forget.done", **about, **counts))

    say_ended("forget", t("check.forget.failed"), say)


def draw_checks(summaries: Sequence[Summary]) -> None:
    """Draw the checks and do what is asked of one."""
    total = file_size(sum(summary.size for summary in summaries))
    with st.container(key="recent-head", horizontal=True, vertical_alignment="bottom"):
        figure_head(t("check.recent.title"), t("check.recent.note", size=total))
    rows = [_row(summary) for summary in summaries]
    names = ("name", "texts", "date", "review", "size", "act", "open", "rename", "duplicate")
    more = ("copy", "delete")
    answer = recent_checks(
        "recent",
        rows=rows,
        words={
            "caption": t("check.recent.title"),
            **{name: t(f"check.recent.{name}") for name in (*names, *more)},
        },
        search=t("check.recent.search") if len(rows) >= SEARCHED else "",
        first=AT_ONCE,
    )
    _foot(len(summaries))
    tab.checks_drawn = time.time()
    if answer.action:
        _do(answer)
    if any(row.state == "running" for row in rows):
        _look_again()


@st.fragment(run_every=LOOK_SECONDS)
def _look_again() -> None:
    if time.time() - tab.checks_drawn >= LOOK_SECONDS / 2:
        st.rerun()


def say_refused() -> None:
    """Say why a check could not be opened, and offer to take back a deletion."""
    if tab.not_opened is not None:
        caution(t("check.recent.not_opened"), error_text(tab.not_opened))
    undo()


@st.fragment(run_every=UNDO_SECONDS / 3)
def undo() -> None:
    """Offer to take back the latest deletion while that is possible."""
    key, moment = tab.undo_delete
    if not key:
        return
    if time.time() - moment >= UNDO_SECONDS:
        del tab.undo_delete
        open_checks.shelf().sweep()
        return
    with st.container(key="undo-delete", horizontal=True, vertical_alignment="center"):
        note(t("check.recent.deleted"))
        if st.button(t("check.recent.undo"), key="undelete", icon=":material/undo:"):
            open_checks.shelf().undelete(key)
            del tab.undo_delete
            st.rerun()


def _name(summary: Summary) -> str:
    moment = summary.checked or summary.created
    if summary.fault or moment is None:
        return t("check.recent.damaged_name")
    return session.name_of(summary)


def _row(summary: Summary) -> CheckRow:
    """Return what the table says about one check."""
    size, moment = file_size(summary.size), summary.checked or summary.created
    if summary.fault or moment is None:
        reason = t(
            "check.recent.newer" if summary.fault == "store_newer" else "check.recent.damaged"
        )
        return CheckRow(summary.id, _name(summary), "", "", "damaged", 0.0, reason, "", size)
    state, share, review, done = _review(summary)
    done = t("check.recent.partly_damaged") if summary.damage else done
    texts = t("check.recent.texts_of", n=summary.texts)
    date = short_date(moment.astimezone())
    name = _name(summary)
    given = summary.name if name == summary.name else ""
    return CheckRow(summary.id, name, texts, date, state, share, review, done, size, given)


def _review(summary: Summary) -> tuple[str, float, str, str]:
    """Return how far the review is: state, share, numbers, and what is said behind them."""
    running = _running(summary.id)
    if running is not None:
        share = running.done / running.total if running.total else 0.0
        return "running", share, stage_text(running), ""
    if summary.state != "checked":
        interrupted = summary.state in ("checking", "reading")
        return "none", 0.0, t(f"check.recent.{'interrupted' if interrupted else 'unchecked'}"), ""
    if not summary.cases:
        return "all", 1.0, t("check.recent.nothing"), ""
    numbers = f"{summary.decided} / {summary.cases}"
    if summary.decided >= summary.cases:
        return "all", 1.0, numbers, t("check.recent.done")
    if not summary.decided:
        return "none", 0.0, t("check.recent.not_begun", n=summary.cases), ""
    return "some", summary.decided / summary.cases, numbers, ""


def _running(key: str) -> jobs.Job | None:
    opened = open_checks.registry().peek(open_checks.owner(), key)
    listed = list(opened.jobs.values()) if opened else []
    return next((job for job in listed if job.state == "running"), None)


def _foot(count: int) -> None:
    with st.container(key="recent-foot", horizontal=True, vertical_alignment="center"):
        note(t("check.recent.foot"))
        note(t("check.recent.count", n=count))
        with st.popover(t("check.recent.delete_all"), type="tertiary"):
            note(t("check.recent.delete_all_note", n=count))
            if st.button(t("check.recent.delete_all_now"), key="delete_all"):
                for summary in open_checks.shelf().recent():
                    open_checks.remove(summary.id)
                st.rerun()


def _do(answer: CheckAnswer) -> None:
    """Do what the reader asked of one check."""
    tab.not_opened = None
    shelf = open_checks.shelf()
    try:
        if answer.action == "open":
            open_checks.open_check(answer.id)
            job = jobs.find_latest("check")
            if job is not None and job.state == "done":
                take_result()
            if session.check() is not None and jobs.find_latest("check") is None:
                open_result()
        elif answer.action == "rename":
            _rename(answer.id, answer.name)
        elif answer.action == "duplicate":
            summary = next(one for one in open_checks.shelf().recent() if one.id == answer.id)
            shelf.duplicate(answer.id, name=t("check.recent.copy_of", name=_name(summary))).close()
        elif answer.action == "copy":
            _hand_over(answer.id)
            return
        elif answer.action == "delete":
            open_checks.delete(answer.id)
            tab.undo_delete = (answer.id, time.time())
    except LeitongError as error:
        tab.not_opened = error
    st.rerun()


def _rename(key: str, name: str) -> None:
    opened = open_checks.registry().peek(open_checks.owner(), key)
    if opened is not None:
        opened.rename(name)
        return
    project = open_checks.shelf().open(key)
    project.put("name", name)
    project.close()


def _hand_over(key: str) -> None:
    """Offer the file of a check as a download."""
    project = open_checks.shelf().open(key)
    with tempfile.TemporaryDirectory("leitong") as folder:
        path = Path(folder) / "copy.leitong"
        project.copy_to(path, same_id=True)
        data = path.read_bytes()
    name = _name(project.summary())
    project.close()

    @st.dialog(t("check.recent.copy"))
    def dialog() -> None:
        note(t("check.recent.copy_note"))
        label = t("check.recent.copy_now", size=file_size(len(data)))
        save_button(label, data, f"{name}.leitong", key="hand_over")

    dialog()


# --------------------------------------------------------------------------- browsers


def draw_browsers() -> None:
    """Draw the line at the foot of the page that opens the list."""
    listed = browsers.browsers_of(open_checks.owner())
    with (
        st.container(key="browsers-foot"),
        st.popover(t("check.browsers.title", count=len(listed)), type="tertiary", key="browsers"),
    ):
        _list(listed)


def _list(listed: list[browsers.Browser]) -> None:
    mine = is_user(open_checks.owner())
    note(t("check.browsers.note_user" if mine else "check.browsers.note_own"))
    if not listed:
        note(t("check.browsers.none"))
        return
    asked = tab.shut_out
    for number, browser in enumerate(listed):
        with st.container(horizontal=True, vertical_alignment="center"):
            note(_line(browser))
            if asked != (browser.id,):
                _offer(t("check.browsers.shut_out"), f"shut_out_{number}", browser.id)
        if asked == (browser.id,):
            _confirm(asked, _consequence(browser, listed, mine=mine))
    others = tuple(each.id for each in listed if each.id != open_checks.browser())
    if len(others) > 1 and asked == others:
        _confirm(asked, t("check.browsers.others_text", count=len(others)))
    elif len(others) > 1:
        _offer(t("check.browsers.shut_out_others"), "shut_out_others", *others)


def _offer(label: str, key: str, *ids: str) -> None:
    st.button(label, key=key, type="tertiary", on_click=_ask, args=ids)


def _line(browser: browsers.Browser) -> str:
    name, since = _browser_name(browser), short_date(browser.made.astimezone())
    if browser.id == open_checks.browser():
        return t("check.browsers.this", name=name, since=since)
    return t(
        "check.browsers.line", name=name, since=since, seen=short_date(browser.seen.astimezone())
    )


def _browser_name(browser: browsers.Browser) -> str:
    return browser.name or t("check.browsers.unnamed")


def _consequence(browser: browsers.Browser, listed: list[browsers.Browser], *, mine: bool) -> str:
    """Say what follows from shutting a browser out."""
    if not mine and len(listed) == 1:
        return t("check.browsers.last_text")
    if browser.id == open_checks.browser():
        return t("check.browsers.this_text" if mine else "check.browsers.this_own_text")
    return t("check.browsers.other_text", name=_browser_name(browser))


def _confirm(ids: tuple[str, ...], consequence: str) -> None:
    """Ask whether browsers are to be shut out, and say what follows."""
    caution(t("check.browsers.sure"), consequence)
    with st.container(horizontal=True):
        st.button(
            t("check.browsers.shut_out_now"), key="shut_out_now", on_click=_shut_out, args=ids
        )
        st.button(t("check.recent.cancel"), key="keep_browser", type="tertiary", on_click=_ask)


def _ask(*ids: str) -> None:
    """Ask about some browsers at the next drawing; about none where nothing is given."""
    tab.shut_out = ids


def _shut_out(*ids: str) -> None:
    for each in ids:
        browsers.revoke(each)
    _ask()
