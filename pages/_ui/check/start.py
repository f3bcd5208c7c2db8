"""Starting a check: its name and class, the button, and how a check ended."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import PurePosixPath

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from simhash_core import Document, LeitongError, Settings
from simhash_core.app import department
from simhash_core.checking import BATCH_FROM, wants_meaning, word_tables
from simhash_core.library import waiting_sentences
from simhash_core.report import Course
from simhash_core.report.names import one_line
from simhash_core.request import Request, run
from simhash_core.storage import COURSE_KEY, Texts
from simhash_core.translations import count_language_pairs

from ..shared import exclusions, jobs, open_checks, session
from ..shared.formatting import error_text, file_size
from ..shared.jobs import Job
from ..shared.open_checks import OfClass, OpenCheck
from ..shared.running import steps_done
from ..shared.session import t
from ..shared.tab import Fact
from ..shared.widgets import caution, note
from . import uploads
from .against import compare_with, compare_with_library, is_read, read_choice, take_read
from .authors import list_authors
from .settings_form import find_settings, templates
from .uploads import MOST_NAME, Batch

_NAME, _CLASS = "batch_name", "batch_class"  # keys of the widgets
STAGES = (
    *("index", "vectors", "sentences", "dictionary"),
    *("tokens", "fingerprints", "pairs", "candidates", "align"),
    *("meaning", "chance", "clusters", "stems", "translated"),
)


class Tab:
    """What a tab remembers: the check that begins."""

    brought: Fact[OfClass] = Fact(OfClass(), of_files=True)  # from the check of the class before


tab = Tab()


def say_ended_early(job: Job) -> None:
    """Say how a check ended that was stopped or failed, and what can be done now."""
    opened = open_checks.find_current()
    if opened is not None and opened.project.state == "checking":  # it never had its turn
        opened.store(lambda project: project.put("state", "read"))
    if job.state == "failed" and job.error is not None:
        caution(t("check.failed_lead"), t("check.failed_text", n=job.facts["n"]))
        note(error_text(job.error))
        return
    caution(t("check.stopped_lead"), t("check.stopped", n=steps_done(job)))
    if st.button(t("check.prints_only"), key="prints_only", icon=":material/bar_chart:"):
        settings: Settings = job.facts["settings"]
        start(job.facts["batch"], replace(settings, passages=False, translated=False))
        st.rerun()


def say_interrupted(batch: Batch) -> None:
    """Say what ended with the server, or could not be stored, and how to go on."""
    opened = open_checks.find_current()
    if opened is None:
        return
    state = opened.project.state
    if state == "reading":
        caution(
            t("check.interrupted_lead"),
            t("check.interrupted_reading", n=len(batch.entries), all=opened.project.get("waiting")),
        )
    elif state == "checking":
        caution(t("check.interrupted_lead"), t("check.interrupted", n=len(batch.documents)))
        settings = opened.project.settings()
        if settings is not None and st.button(
            t("check.go_on"), key="go_on", icon=":material/play_arrow:"
        ):
            start(batch, settings)
            st.rerun()
    if opened.fault:
        caution(t("check.not_saved_lead"), t(f"error.{opened.fault}", name=batch.name))


def start(batch: Batch, settings: Settings) -> bool:
    """Start a check of what was read; return False where what to compare with cannot be read."""
    opened = open_checks.find_current()
    assert opened is not None
    try:
        against = read_choice()
    except LeitongError:
        return False  # the page says so in the place of the button
    given = tuple(batch.documents), tuple(batch.skipped), against.texts.references, templates()
    request = replace(against, texts=Texts(*given), settings=settings)
    documents, _ = request.take_latest()
    texts = [*documents, *against.texts.references]
    facts = {"n": len(documents), "settings": settings, "batch": batch}
    # what an answer leaves out is part of it all the same
    earlier = exclusions.find_original(opened.current) if opened.current else None

    def work(progress: jobs.Progress) -> object:
        begun, vectors = time.monotonic(), opened.project.vectors()
        try:
            result = run(
                request,
                earlier=earlier,
                progress=progress,
                # a temporary file would hold traces of the texts
                memory=None if opened.key else sys.maxsize,
                vectors=vectors,
            ).result
            progress("clusters", 1, 1)  # a check that was stopped in its last step has no result
        except BaseException:
            opened.store(lambda project: project.put("state", "read"))
            raise
        opened.finish(result, batch.given, time.monotonic() - begun, vectors)
        return result

    left_out = {"align", "chance"} if not settings.passages else set()
    if not (settings.translated and may_translate(documents, against, settings)):
        left_out |= {"stems", "translated"}
    if not wants_meaning(settings):
        left_out |= {"meaning", "vectors", "sentences"}
    if len(documents) < BATCH_FROM:
        left_out |= {"chance"}
    if not word_tables.makes_concepts(texts, settings):
        left_out |= {"dictionary"}
    if against.library is None:
        left_out |= {"index", "vectors", "sentences"}
    stages = tuple(stage for stage in STAGES if stage not in left_out)
    # before the page says that it runs: a server that ends from here on offers to go on
    opened.store(lambda project: project.save_settings(settings))
    jobs.start("check", work, stages=stages, facts=facts)
    return True


def draw_start(batch: Batch, place: DeltaGenerator, settings: Settings) -> Request:
    """Draw the button in its place, or why there is none; return what is compared with."""
    if (sizes := _find_quota()) is not None:
        caution(t("check.quota_lead"), t("check.quota", **sizes))
        return Request(texts=Texts())
    try:
        against = read_choice()
    except LeitongError as error:
        caution(t("check.against.not_read"), error_text(error))
        return Request(texts=Texts())
    n, least = len(batch.compared), 2 if against.alone else 1
    with place:
        if st.button(
            t("check.start", n=n) if n else t("check.start_none"),
            key="start",
            type="primary",
            icon=":material/play_arrow:",
            shortcut="Ctrl+Enter",
            disabled=n < least or not is_read(),
        ):
            start(batch, settings)
            st.rerun()
    if not n:
        note(t("check.none_ready"))
    elif against.library is not None:
        note(t("check.against.searched"))
    return against


def count_given() -> int:
    """Return how many texts a check has: to be compared, compared with, and given to all."""
    opened, batch = open_checks.find_current(), uploads.find_batch()
    beside = len(opened.beside().references) if opened is not None else 0
    return (len(batch.documents) if batch is not None else 0) + beside + len(templates())


def goes_on(batch: Batch) -> bool:
    """Start what needs no more clicks: two texts, texts that the library is asked about, additions.

    Return whether it was started. It happens once: a check that was stopped waits for its reader.
    """
    opened = open_checks.find_current()
    if opened is None or opened.fault:
        return False
    if (settings := opened.project.settings()) is not None:
        waiting = uploads.tab.goes_on
        if waiting is None or waiting[0] != opened.project.id or not is_read():
            return False
        del uploads.tab.goes_on
        take_read()
        return count_given() > waiting[1] and _find_quota() is None and start(batch, settings)
    door, texts = open_checks.door(), batch.documents
    if _find_quota() is not None:
        return False
    if door == "two" and len(texts) == 2 and not batch.skipped:
        names = [one_line(PurePosixPath(one.name).stem) for one in texts]
        opened.rename(" · ".join(name[: MOST_NAME // 2 - 2] for name in names))
        return start(batch, Settings())
    if door == "library" and texts:
        compare_with_library()
        return start(batch, find_settings(texts))
    return False


def _find_quota() -> dict[str, str] | None:
    """Return what a person stores where it is as much as this server lets them, else None."""
    here, person = department.find_department(), department.find_person(open_checks.owner())
    if here is None or person is None or not here.limits.megabytes:
        return None
    held, most = person.megabytes * 1e6, here.limits.megabytes * 1e6
    if held < most:
        return None
    return {"size": file_size(round(held)), "most": file_size(round(most))}


def may_translate(documents: Sequence[Document], against: Request, settings: Settings) -> bool:
    """Return whether the dictionary has texts of two languages to look at.

    Where vectors of sentences lead it is asked for none, but for texts of a library without them.
    """
    if wants_meaning(settings):
        return against.library is not None and bool(waiting_sentences(against.library.library))
    beside = against.texts.references
    pairs = count_language_pairs(documents, beside, inside=against.inside)
    return against.library is not None or pairs > 0


def name_form(batch: Batch) -> None:
    """Draw the name of the check; emptied, it is the automatic one again."""

    def given() -> None:
        typed = str(session.get(_NAME) or "").strip()
        opened = open_checks.find_current()
        if opened is not None and typed != batch.name:
            opened.rename(typed)

    session.put(_NAME, batch.name)
    st.text_input(t("check.name"), key=_NAME, max_chars=MOST_NAME, on_change=given)


def class_form(batch: Batch) -> None:
    """Draw which class the texts are of; one that was checked before brings its class list."""
    opened = open_checks.find_current()
    if opened is None or not batch.is_class:
        return
    checked = open_checks.classes()
    if opened.project.get(COURSE_KEY) is None:
        _last_class(opened, batch, checked)
    stored = Course.from_data(opened.project.get(COURSE_KEY))

    def given() -> None:
        group = str(session.get(_CLASS) or "").strip()
        opened.store(lambda project: project.put(COURSE_KEY, asdict(replace(stored, group=group))))
        if group in checked:
            _take_over(open_checks.read_of_class(checked[group]), opened, batch)

    session.put(_CLASS, stored.group or None)
    st.selectbox(
        t("check.class"),
        list(dict.fromkeys(filter(None, (stored.group, *checked)))),
        index=None,
        key=_CLASS,
        placeholder=t("check.class_help"),
        accept_new_options=True,
        on_change=given,
    )
    parts = ("members", "sheets", "references")
    if brought := [t(f"check.class_brought.{one}") for one in parts if getattr(tab.brought, one)]:
        what = t("check.comma").join(brought)
        note(t("check.class_brought", what=what))
        st.button(
            t("check.class_brought.drop"),
            key="drop_brought",
            type="tertiary",
            on_click=lambda: _drop_brought(opened, batch),
        )


def _last_class(opened: OpenCheck, batch: Batch, checked: dict[str, str]) -> None:
    """Choose the class of the latest check for files of which most are by its members.

    Of other pupils it would say that the whole class is missing. Done once: what the reader
    chooses, or empties, stays.
    """
    last = next(reversed(checked), "")
    held = open_checks.read_of_class(checked[last]) if last else OfClass()
    members = {member.person for member in held.members}
    named = [person for one in batch.documents if (person := one.meta.get("person"))]
    if not named or 2 * sum(person in members for person in named) <= len(named):
        return
    opened.store(lambda project: project.put(COURSE_KEY, asdict(Course(group=last))))
    _take_over(held, opened, batch)


def _take_over(held: OfClass, opened: OpenCheck, batch: Batch) -> None:
    """Use what the latest check of the class holds, where nothing was given yet."""
    tab.brought = OfClass(
        held.members if not opened.class_list() else (),
        held.sheets if not opened.sheets() else (),
        held.references if not opened.beside() else (),
    )
    if tab.brought.members:
        opened.take_class_list(held.members)
        list_authors(batch)
    if tab.brought.sheets:
        opened.give_to_all(held.sheets)
    if tab.brought.references:
        compare_with(held.references)


def _drop_brought(opened: OpenCheck, batch: Batch) -> None:
    """Take back what was taken over."""
    if tab.brought.members:
        opened.take_class_list(())
        list_authors(batch)
    opened.give_to_all([one for one in opened.sheets() if one not in tab.brought.sheets])
    if tab.brought.references:
        compare_with(())
    del tab.brought
