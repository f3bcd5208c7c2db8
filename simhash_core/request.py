"""What a person asks of a check, and the check: one order, whoever asks.

The command line, a page, Python and a stored check fill in a `Request` and show its result.

run(request)                           check what is asked for
forget(project, author)                a stored check without one person
forget_texts(project, ids)             a stored check without some texts
compare_other_reading(project, text)   a stored check with the other reading of one text
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from .checking.pipeline import run_check
from .checking.scope import Scope, TextScope
from .checking.versions import keep_latest_versions
from .errors import BadInput
from .model import Document, KeptVectors, Progress, Skipped
from .people.authorship import assign_authors, is_same_person, list_hand_ins, remove_person
from .people.names import Authorship
from .people.roster import CLASS_LIST_KEY, Member, members_from_data, members_to_data
from .result import CheckResult
from .seen.exclusion_view import ExclusionView
from .seen.exclusions import RULES_KEY, Exclusions
from .seen.stored import given_out, keep_result, seen_by
from .settings import Settings
from .storage import Beside, Project, Texts

if TYPE_CHECKING:
    from .library.scope import LibraryScope


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is compared, with what, and how: what a stored check keeps, and takes up again.

    Attributes
    ----------
    texts : Texts
        What was read, all versions, each with its author; what could not be read; references;
        templates.
    beside : Beside
        Whether the texts are compared with each other, and those of one author at all; names of
        libraries. Its references are those of `texts`.
    settings : Settings
    exclusions : Exclusions
        What does not count.
    members : tuple of Member
        The class list; empty where there is none.
    library : LibraryScope, optional
        The open libraries that are searched in place of references; the only part that is not
        stored: `beside` names them.
    """

    texts: Texts
    beside: Beside = field(default_factory=Beside)
    settings: Settings = field(default_factory=Settings)
    exclusions: Exclusions = field(default_factory=Exclusions)
    members: tuple[Member, ...] = ()
    library: LibraryScope | None = None

    @classmethod
    def load(cls, project: Project) -> Request:
        """Return what a stored check asked for.

        Raises
        ------
        StoreError
            `store_damaged`.
        """
        return cls(
            texts=project.texts(),
            beside=project.beside(),
            settings=project.settings() or Settings(),
            exclusions=Exclusions.from_data(project.get(RULES_KEY, {})),
            members=members_from_data(project.get(CLASS_LIST_KEY)),
        )

    def store(self, project: Project, state: str = "read") -> None:
        """Store what is asked: `load` returns it again; of a library only its name is kept."""
        texts, references = self.texts, () if self.beside.libraries else self.texts.references
        project.put(CLASS_LIST_KEY, members_to_data(self.members))
        project.put(RULES_KEY, self.exclusions.to_data())
        project.save_beside(replace(self.beside, references=references))
        project.save_documents(
            texts.documents, skipped=texts.skipped, templates=texts.templates, state=state
        )
        project.save_settings(self.settings, state=state)

    def add_to(self, stored: Request) -> Request:
        """Return the same with the texts of a stored check before those that are given now.

        A text with the name of an earlier one takes its place. Its templates are used again where
        none are given. A class list that is new tells the authors of all texts.
        """
        given, before = self.texts, stored.texts
        fresh = {document.name for document in given.documents}
        documents = [*(one for one in before.documents if one.name not in fresh), *given.documents]
        if self.members != stored.members:
            documents = assign_authors(documents, listed=self.members)
        said = fresh | {row.name for row in given.skipped}
        skipped = (*(row for row in before.skipped if row.name not in said), *given.skipped)
        templates = given.templates or before.templates
        return replace(self, texts=Texts(tuple(documents), skipped, given.references, templates))

    def take_latest(self) -> tuple[list[Document], list[Skipped]]:
        """Return of several versions by one author the latest, and a row for each earlier one."""
        return keep_latest_versions(self.texts.documents)

    @property
    def alone(self) -> bool:
        """Whether there is nothing beside the texts to compare them with."""
        return not self.texts.references and self.library is None

    @property
    def inside(self) -> bool:
        """Whether the texts are compared with each other; always where they are alone."""
        return self.beside.inside or self.alone

    def scope(self, earlier: CheckResult | None) -> Scope:
        """Return what the texts are compared with; of `earlier` is taken over what still holds."""
        references, inside = self.texts.references, self.inside
        same_author = self.beside.same_author
        if self.library is not None:
            return replace(self.library, inside=inside, same_author=same_author)
        return TextScope(
            references=references, inside=inside, same_author=same_author, earlier=earlier
        )


@dataclass(frozen=True)
class Outcome:
    """What a check found.

    Attributes
    ----------
    result : CheckResult
        Everything, whatever does not count.
    versions : list of Skipped
        The earlier versions of texts, which were not compared.
    exclusions : Exclusions
    project : Project, optional
        Where it is stored, with what people answered.
    """

    result: CheckResult
    versions: list[Skipped]
    exclusions: Exclusions
    project: Project | None = None

    @cached_property
    def view(self) -> ExclusionView | None:
        """The result without what does not count; None where all of it counts."""
        return seen_by(self.result, self.exclusions, self.project)


def run(
    request: Request,
    *,
    project: Project | None = None,
    earlier: CheckResult | None = None,
    progress: Progress | None = None,
    memory: int | None = None,
    vectors: KeptVectors | None = None,
) -> Outcome:
    """Check what is asked for; with a project, store what is asked before and the result after.

    Of several versions by one author the latest is compared, whenever and from wherever it came.
    `earlier` is the result that the project holds; `progress`, `memory` and `vectors`, which are
    those of the project where one is given, are of `run_check`.
    """
    documents, versions = request.take_latest()
    if project is not None:
        request.store(project, state="checking")
        vectors = project.vectors()
    begun = time.monotonic()
    try:
        result = run_check(
            documents,
            request.scope(earlier),
            settings=request.settings,
            templates=request.texts.templates,
            skipped=[*request.texts.skipped, *versions],
            progress=progress,
            memory=memory,
            vectors=vectors,
        )
    except BaseException:
        if project is not None:
            project.put("state", "read")
        raise
    if project is not None:
        seconds = time.monotonic() - begun
        keep_result(project, result, earlier, seconds=seconds, vectors=vectors)
    return Outcome(result, versions, request.exclusions, project)


# --------------------------------------------------------------------------- stored checks again


def forget(project: Project, author: Authorship, *, progress: Progress | None = None) -> int:
    """Remove one person from a stored check for good, and check the others again.

    What goes: texts, also among references, files that could not be read, what was decided about
    any of them, the entry of the class list. A text of several people stays under the others; the
    name of its file is not changed. Decisions about other pairs stay.

    Returns
    -------
    int
        How many texts and files went or lost this name; where 0, nothing was changed.

    Raises
    ------
    StoreError
        `store_damaged` where the decisions are not whole; `store_busy`, `store_read_only`.
    """
    result = project.result()
    before = _load_checked(project, result)
    texts, touched = _remove_texts(before.texts, author, before.members)
    members = tuple(one for one in before.members if not is_same_person(one, author))
    files = {
        file
        for case in project.known_cases()
        for file, name in zip(case.files, case.names, strict=True)
        if author.person and name == author.person
    }
    earlier = files - {one.name for one in (*before.texts.documents, *before.texts.references)}
    if not touched and not earlier and members == before.members:
        return 0
    after = replace(before, texts=texts, members=members)
    _replace_texts(project, before, after, result, files=files, progress=progress)
    return touched + len(earlier)


def forget_texts(
    project: Project, ids: Collection[str], *, progress: Progress | None = None
) -> int:
    """Delete texts (sha-256) from a stored check for good, and check the others again.

    They go whatever part they took: checked, compared with, or given to everybody. Decisions about
    pairs of other texts stay.

    Returns
    -------
    int
        How many of these texts the check held; where 0, nothing was changed.

    Raises
    ------
    StoreError
        As for `forget`.
    """
    held = project.texts_among(ids)
    if not held:
        return 0
    result = project.result()
    before = _load_checked(project, result)

    def others(documents: Sequence[Document]) -> tuple[Document, ...]:
        return tuple(one for one in documents if one.id not in held)

    texts = replace(
        before.texts,
        documents=others(before.texts.documents),
        references=others(before.texts.references),
        templates=others(before.texts.templates),
    )
    after = replace(before, texts=texts)
    _replace_texts(project, before, after, result, progress=progress)
    return len(held)


def compare_other_reading(
    project: Project, text: str, *, progress: Progress | None = None
) -> Document:
    """Put the other reading of a text into its place, and check it again as it was checked before.

    Decisions stay: those about the reading that is not compared hold again when it is.

    Parameters
    ----------
    text
        Its id.

    Returns
    -------
    Document
        The reading that is compared now.

    Raises
    ------
    BadInput
        `no_other_reading`.
    StoreError
        `store_busy`, `store_read_only`.
    """
    result = project.result()
    before = _load_checked(project, result)
    documents = before.texts.documents
    other = project.other_reading(text)
    held = next((one for one in documents if one.id == text), None)
    if other is None or held is None:
        raise BadInput("no_other_reading")
    chosen = replace(
        other,
        name=held.name,
        meta=held.meta,
        pictures=project.pictures(text),
        other=replace(held, meta={}),
    )
    changed = tuple(
        replace(chosen, name=one.name, meta=one.meta) if one.id == text else one
        for one in documents
    )
    after = replace(before, texts=replace(before.texts, documents=changed))
    _run_again(project, after, result, progress)
    return chosen


def _load_checked(project: Project, result: CheckResult | None) -> Request:
    """Return what a stored check asked for; of a library as references those that it gave out."""
    request = Request.load(project)
    if result is None:
        return request
    texts = request.texts
    if not texts.references:
        texts = replace(texts, references=given_out(result))
    return replace(request, texts=texts, settings=result.settings)


def _replace_texts(
    project: Project,
    before: Request,
    after: Request,
    result: CheckResult | None,
    *,
    files: Collection[str] = (),
    progress: Progress | None,
) -> None:
    """Store a check of fewer texts in place of what it was.

    What was decided about files that are gone goes, and what was decided about earlier `files`.
    """
    every, left = ((*one.texts.documents, *one.texts.references) for one in (before, after))
    ids = {one.id for one in every} - {one.id for one in left}
    names = {one.name for one in every} - {one.name for one in left}

    def forget_decisions() -> None:
        project.forget_decisions(ids, names | {*files})

    _run_again(project, after, result, progress, before_storing=forget_decisions)
    project.database.scrub()


def _run_again(
    project: Project,
    request: Request,
    result: CheckResult | None,
    progress: Progress | None,
    before_storing: Callable[[], None] = lambda: None,
) -> None:
    """Check as it was checked before, and store in place of that.

    The texts are stored last: until then a call that was cut off is begun anew.
    """
    begun, vectors = time.monotonic(), project.vectors()
    if result is not None:
        checked = run(request, earlier=result, progress=progress, vectors=vectors).result
    before_storing()
    if result is not None:
        seconds = time.monotonic() - begun
        keep_result(project, checked, result, seconds=seconds, vectors=vectors)
    request.store(project, state=project.state)


def _remove_texts(texts: Texts, author: Authorship, listed: Sequence[Member]) -> tuple[Texts, int]:
    """Return the texts without one person, and how many texts and files that touches."""
    documents, references = (
        [remove_person(one, author) for one in part] for part in (texts.documents, texts.references)
    )
    unread = {
        row
        for one in list_hand_ins(texts.documents, texts.skipped, listed)
        if is_same_person(one.member, author)
        for row in one.unread
    }
    held = [one for row, one in enumerate(texts.skipped) if row not in unread]
    pairs = zip((*documents, *references), (*texts.documents, *texts.references), strict=True)
    touched = len(unread) + sum(now is not then for now, then in pairs)
    after = replace(
        texts,
        documents=tuple(filter(None, documents)),
        skipped=tuple(held),
        references=tuple(filter(None, references)),
    )
    return after, touched
