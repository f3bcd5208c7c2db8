"""The checks that are open in this process, and which of them a tab looks at.

A check is a project file of its owner; the address names it (`?check=<id>`), so a reload, a second
tab, a link and a restarted server come back to it. Tabs of one owner share one `OpenCheck`. With
"keep nothing" the project lies in memory, has no address and ends with its tab.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar, cast

import streamlit as st

from simhash_core import CheckResult, Document, LeitongError, ThresholdView
from simhash_core.app import gate, tabs
from simhash_core.model import KeptVectors
from simhash_core.people import (
    CLASS_LIST_KEY,
    Authorship,
    Member,
    members_from_data,
    members_to_data,
    read_author,
)
from simhash_core.report import Course
from simhash_core.request import forget
from simhash_core.review import case_keys
from simhash_core.seen import PastText, given_out, keep_result
from simhash_core.seen import term as term_of
from simhash_core.storage import (
    COURSE_KEY,
    TEMPLATES_KEY,
    UNDO_SECONDS,
    Beside,
    Project,
    Shelf,
    new_owner,
    owner_folder,
    shelves,
)

from . import jobs, session
from .inside_streamlit import session_alive
from .session import CurrentCheck
from .tab import forget_files, tab

GONE_SECONDS = 120.0  # an open check that no tab looks at; it is on disk, so nothing is lost
LEFT = 2  # checks that were left for another and stay open: a step back finds them at once
_CHOSEN_KEY = "check.chosen"  # in the project: settings
KEEP_NOTHING = "keep_nothing"  # key of the widget; `tab.keep_nothing` is its last value

Value = TypeVar("Value")


@dataclass(slots=True, eq=False)
class OpenCheck:
    """One check as all tabs of its owner see it."""

    project: Project
    key: str  # id in the address; "" while nothing is kept
    batch: Any = None  # the files of the page Check, once they were asked for
    current: CurrentCheck | None = None
    fault: str = ""  # why the latest step could not be stored, or read: a code
    jobs: dict[str, jobs.Job] = field(default_factory=dict)  # by kind
    tabs: list[Callable[[], bool]] = field(default_factory=list)  # whether each is still there
    held: dict[str, Any] = field(default_factory=dict)  # as it was read from the project, or given
    sockets: set[str] = field(default_factory=set)  # of its tabs, as `app.tabs` knows them
    alone_since: float | None = None
    noted: ThresholdView | None = None  # of which the project knows the cases

    def store(self, write: Callable[[Project], object]) -> None:
        """Write to the project; what cannot be stored stays in memory, and the page says so."""
        try:
            write(self.project)
            self.fault = ""
        except LeitongError as error:
            self.fault = error.code

    def finish(
        self, result: CheckResult, given: str, seconds: float, vectors: KeptVectors | None = None
    ) -> None:
        """Take a result over and store it; called by the thread of the check."""
        held = self.current
        before = None if held is None else held.left_out.before if held.left_out else held.result

        def keep(project: Project) -> None:
            keep_result(project, result, before, seconds=seconds, vectors=vectors)

        self.store(keep)
        self.current = CurrentCheck(result, given, datetime.now().astimezone(), seconds)

    def rename(self, name: str) -> None:
        """Give another name everywhere."""
        self.store(lambda project: project.put("name", name))
        if self.current is not None:
            self.current.given = name
        if self.batch is not None:
            self.batch.given = name

    def _read(self, key: str, read: Callable[[], Value]) -> Value:
        """Return what is held under a key, at first as the project has it."""
        if key not in self.held:
            self.held[key] = read()
        value: Value = self.held[key]
        return value

    def class_list(self) -> tuple[Member, ...]:
        """Return the members of the class list of this check."""
        key = CLASS_LIST_KEY
        return self._read(key, lambda: members_from_data(self.project.get(key)))

    def take_class_list(self, members: Sequence[Member]) -> None:
        """Give it another class list."""
        self.held[CLASS_LIST_KEY] = tuple(members)
        self.store(lambda project: project.put(CLASS_LIST_KEY, members_to_data(members)))

    def beside(self) -> Beside:
        """Return what its texts are compared with; raises `StoreError` where that is damaged."""
        return self._read("beside", self.project.beside)

    def lay_beside(self, beside: Beside) -> None:
        """Compare its texts with something else from now on."""
        self.held["beside"] = beside
        self.store(lambda project: project.save_beside(beside))

    def sheets(self) -> tuple[Document, ...]:
        """Return what everybody was given: task sheets and templates, which count nowhere."""
        return self._read(TEMPLATES_KEY, lambda: self.project.texts().templates)

    def give_to_all(self, sheets: Sequence[Document]) -> None:
        """Count the words of these texts nowhere, and of no others."""
        self.held[TEMPLATES_KEY] = tuple(sheets)
        data = [[document.name, document.text] for document in sheets]
        self.store(lambda project: project.put(TEMPLATES_KEY, data))

    def chosen(self) -> dict[str, Any]:
        """Return the settings that the reader has chosen, by their names."""
        return self._read(_CHOSEN_KEY, lambda: dict(self.project.get(_CHOSEN_KEY, {})))

    def choose(self, **settings: Any) -> None:
        """Choose some settings for the next run."""
        chosen = self.held[_CHOSEN_KEY] = self.chosen() | settings
        self.store(lambda project: project.put(_CHOSEN_KEY, chosen))

    def load(self) -> None:
        """Read the result that is stored."""
        try:
            self.project.verify()  # the pages say what is damaged
            result, facts = self.project.result(), self.project.summary()
        except LeitongError as error:
            self.fault = error.code
            return
        if result is not None and facts.checked is not None:
            seconds = float(self.project.get("seconds", 0.0))
            self.current = CurrentCheck(result, facts.name, facts.checked.astimezone(), seconds)

    def is_busy(self) -> bool:
        """Return whether work for it goes on."""
        return any(job.state == "running" for job in self.jobs.values())


class Registry:
    """The kept checks that are open in this process, by owner and id."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], OpenCheck] = {}
        self._lock = threading.Lock()

    def find(self, owner: str, key: str) -> OpenCheck:
        """Return an open check, opening it where needed; raises `StoreError`."""
        with self._lock:
            opened = self._open.get((owner, key))
            if opened is None:
                opened = OpenCheck(Shelf(owner_folder(owner)).open(key), key)
                opened.load()
                self._open[owner, key] = opened
        self.sweep(time.monotonic())
        return opened

    def peek(self, owner: str, key: str) -> OpenCheck | None:
        """Return a check if it is open."""
        return self._open.get((owner, key))

    def put(self, owner: str, opened: OpenCheck) -> None:
        """Add a check that was just made."""
        with self._lock:
            self._open[owner, opened.key] = opened

    def forget(self, owner: str, key: str) -> None:
        """Take a check out without ending anything."""
        with self._lock:
            self._open.pop((owner, key), None)

    def close(self, owner: str, key: str) -> None:
        """End what runs for a check and close its file."""
        with self._lock:
            opened = self._open.pop((owner, key), None)
        if opened is None:
            return
        for job in opened.jobs.values():
            job.stop()
        tabs.opened.withdraw(opened.sockets)  # what they offer as files ends with the check
        opened.project.close()

    def sweep(self, now: float) -> None:
        """Close what no tab has looked at for a while and no work goes on for.

        Of those that every tab has left for another check, only the latest `LEFT` stay open. A tab
        that lost its connection has left nothing: it may come back to what it knows.
        """
        with self._lock:
            listed = list(self._open.items())
        left: list[tuple[float, str, str]] = []
        for (owner, key), opened in listed:
            if opened.is_busy() or any(alive() for alive in opened.tabs):
                opened.alone_since = None
            elif opened.alone_since is None:
                opened.alone_since = now
            elif now - opened.alone_since >= GONE_SECONDS:
                self.close(owner, key)
                continue
            if opened.alone_since is not None and not opened.tabs:
                left.append((opened.alone_since, owner, key))
        for _, owner, key in sorted(left)[:-LEFT]:
            self.close(owner, key)


@st.cache_resource(show_spinner=False)
def registry() -> Registry:
    """Return the open checks of this process; what was deleted before it started goes now."""
    for each in shelves():
        each.sweep()
    return Registry()


# --------------------------------------------------------------------------- owners


def owner() -> str:
    """Return whose checks this browser sees.

    `gate` has looked at the keys of the browser. A tab that comes back to its session as another
    browser, after its key was revoked, gets nothing of what the session holds.
    """
    held, admitted = tab.owner, st.context.headers.get(gate.OWNER)
    if admitted is not None and held not in (None, admitted):
        st.session_state.clear()
    if admitted is not None or held is None:
        tab.owner = admitted or new_owner()
    return str(tab.owner)


def browser() -> str:
    """Return the id of this browser among those that see the same checks, "" where unknown."""
    return str(st.context.headers.get(gate.BROWSER) or "")


def shelf() -> Shelf:
    """Return the projects of this browser."""
    return Shelf(owner_folder(owner()))


def name_checks(*, here: bool = True) -> dict[str, str]:
    """Return the names of the checks of this owner that hold texts, `here` with the open one."""
    left_out = "" if here else address()
    return {
        one.id: session.name_of(one)
        for one in shelf().recent()
        if one.id != left_out and one.texts and not one.fault and (one.checked or one.created)
    }


# --------------------------------------------------------------------------- this tab


def find_current() -> OpenCheck | None:
    """Return the check that this tab looks at."""
    return cast("OpenCheck | None", tab.open)


def class_list() -> tuple[Member, ...]:
    """Return the members of the class list of the check that this tab looks at."""
    opened = find_current()
    return opened.class_list() if opened is not None else ()


def classes() -> dict[str, str]:
    """Return the classes of the other checks of this owner, each with the id of its latest."""
    if tab.classes is None:
        here = address()
        listed = [one for one in shelf().recent() if one.group and one.id != here]
        tab.classes = {one.group: one.id for one in reversed(listed)}
    return dict(tab.classes)


@dataclass(frozen=True, slots=True)
class OfClass:
    """What a check of a class holds that the next one may take over."""

    members: tuple[Member, ...] = ()
    sheets: tuple[Document, ...] = ()
    references: tuple[Document, ...] = ()


def read_of_class(key: str) -> OfClass:
    """Return what another check of this owner holds; nothing where it cannot be read."""
    try:
        project = shelf().open(key)
    except LeitongError:
        return OfClass()
    try:
        result, references = project.result(), project.beside().references
        return OfClass(
            members_from_data(project.get(CLASS_LIST_KEY)),
            project.texts().templates,
            references if references or result is None else given_out(result),
        )
    except LeitongError:
        return OfClass()
    finally:
        project.close()


def group() -> str:
    """Return the class of the check of this tab, "" for none."""
    opened = find_current()
    return Course.from_data(opened.project.get(COURSE_KEY)).group if opened is not None else ""


def door() -> str:
    """Return the door of the front page that the check of this tab came through, "" for none."""
    opened = find_current()
    return str(opened.project.get("door", "")) if opened is not None else ""


def in_class() -> bool:
    """Whether the check of this tab is one of several of a class."""
    opened = find_current()
    return opened is not None and bool(opened.key) and group() in classes()


def term(document: Document) -> list[PastText]:
    """Return what the author of a text gave in the checks of the same class, this one included."""
    here, name = shelf(), group()
    listed = (one for one in here.recent() if name and one.group == name)
    return term_of(listed, here.open, read_author(document))


def forget_author(document: Document) -> None:
    """Begin to remove the author of a text from every check of the class; look at none."""
    here, name, author = shelf(), group(), read_author(document)
    keys = [one.id for one in here.recent() if name and one.group == name and one.checked]
    for key in keys:
        registry().close(owner(), key)
    leave()

    def work(progress: jobs.Progress) -> list[int]:
        return [_without_author(here.open(key), author, progress) for key in keys]

    facts = {"name": document.meta["person"], "group": name}
    jobs.start("forget", work, stages=("tokens", "align", "clusters"), facts=facts, lasting=True)


def _without_author(project: Project, author: Authorship, progress: jobs.Progress) -> int:
    try:
        return forget(project, author, progress=progress)
    finally:
        project.close()


def attach() -> None:
    """Follow the address where it names another check than before, and take over what is new.

    Only a change of the address counts: until the browser has written a new check into it, it
    still names the one before.
    """
    owner()
    asked = str(st.query_params.get("check", ""))
    if asked != tab.address:
        tab.address = asked
        opened = find_current()
        if asked and (opened is None or opened.key != asked):
            try:
                open_check(asked)
            except LeitongError as error:
                leave()
                tab.lost = (error, None)
    opened = find_current()
    if opened is None or jobs.find_latest("check") is not None:
        return  # what has just finished is shown when the reader asks for it
    if opened.current is not session.check():
        session.show_check(opened.current, opened.project.get("view", {}))


def open_check(key: str) -> None:
    """Look at another check of this owner; raises `StoreError`."""
    _look_at(registry().find(owner(), key))


def begin(*, keep: bool | None = None) -> OpenCheck:
    """Begin a check and look at it; where nothing can be written, it is not kept."""
    if keep is None:
        keep = not keeps_nothing()
    fault = ""
    if keep:
        try:
            project = shelf().create()
            opened = OpenCheck(project, project.id)
            registry().put(owner(), opened)
            _look_at(opened)
            return opened
        except (LeitongError, OSError) as error:
            fault = error.code if isinstance(error, LeitongError) else "store_read_only"
    opened = OpenCheck(Project.in_memory(), "", fault=fault)
    _look_at(opened)
    return opened


def leave() -> None:
    """Look at no check; what is not kept ends with it."""
    opened = find_current()
    if opened is not None and not opened.key:
        for kind in list(opened.jobs):
            jobs.put_away(kind)
    tabs.opened.withdraw(_socket())
    if opened is not None:
        opened.tabs = [alive for alive in opened.tabs if alive is not tab.here]
    tab.open = tab.lost = tab.here = None
    forget_files()
    session.put(session.PASTED_TEMPLATE_KEY, None)
    session.show_check(None, {})
    registry().sweep(time.monotonic())


def remove(key: str) -> None:
    """Remove a check of this owner at once, with whatever runs for it."""
    registry().close(owner(), key)
    shelf().remove(key)


def delete(key: str) -> None:
    """Delete a check of this owner; for `UNDO_SECONDS` it can be brought back."""
    registry().close(owner(), key)
    here = shelf()
    here.delete(key)
    later = threading.Timer(UNDO_SECONDS + 1.0, here.sweep)
    later.daemon = True  # where the server ends first, its next start removes the file
    later.start()


def keeps_nothing() -> bool:
    """Return whether this tab keeps nothing: of its check, or of the next one."""
    opened = find_current()
    return not opened.key if opened is not None else tab.keep_nothing


def keep(wanted: bool) -> None:
    """Write the check of this tab to disk, or take it from there; so with the next one."""
    tab.keep_nothing = not wanted
    opened = find_current()
    if opened is None or bool(opened.key) == wanted:
        return
    if wanted:
        try:
            project = shelf().take_over(opened.project)
        except (LeitongError, OSError) as error:
            opened.fault = error.code if isinstance(error, LeitongError) else "store_read_only"
            return
        opened.project.close()
        opened.project, opened.key = project, project.id
        registry().put(owner(), opened)
        return
    key, memory = opened.key, Project(opened.project.database.in_memory_copy())
    path = opened.project.path
    registry().forget(owner(), key)
    opened.project.close()
    opened.project, opened.key = memory, ""
    if path is not None:
        shelf().remove(key)


def explain_lost(path: str) -> LeitongError | None:
    """Return why the check of the address cannot be shown on this page, None where it can."""
    if tab.lost is None:
        return None
    error, there = tab.lost
    if there not in (None, path):
        tab.lost = None  # the reader has gone on
        return None
    tab.lost = (error, path)
    return error


def address() -> str:
    """Return what the address is to say about the check."""
    opened = find_current()
    return opened.key if opened is not None else ""


def warns() -> bool:
    """Return whether closing the tab loses something, so that the browser asks first.

    So it is with texts that are not kept, with work that goes on, which ends with a window, and
    with what could not be stored.
    """
    opened = find_current()
    return opened is not None and (not opened.key or bool(opened.fault) or opened.is_busy())


def remember() -> None:
    """Store where the threshold stands and whether names are hidden: a reload finds it again.

    And which cases there are by now, so that lists of checks count what the desk does.
    """
    opened = find_current()
    if opened is None or opened.current is None or not opened.key:
        return
    view = {"threshold": session.threshold(), "hide_names": session.hide_names()}
    if opened.current.view != view:
        opened.current.view = view
        opened.store(lambda project: project.put("view", view))
    seen = session.view()
    if seen is not None and seen is not opened.noted:
        opened.noted = seen
        keys = case_keys(opened.current.result, seen)
        opened.store(lambda project: project.note_cases(keys))


def _look_at(opened: OpenCheck) -> None:
    here = session_alive()
    opened.tabs.append(here)  # first: what is left is closed where no tab looks at it
    leave()
    tab.open = opened
    opened.sockets |= _socket()
    tab.here = here
    session.show_check(opened.current, opened.project.get("view", {}))


def _socket() -> set[str]:
    return set(filter(None, [st.context.headers.get(gate.TAB)]))
