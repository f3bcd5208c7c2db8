"""Bits of a stored file flipped one at a time, and what a person sees of it afterwards.

What is seen must be what was stored, or the file must say that it is damaged.
"""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from simhash_core import Document, Settings, check
from simhash_core.errors import StoreError
from simhash_core.storage import Project, Subject
from simhash_core.storage.library import Fault, Library

REFUSED = {
    "store_damaged",
    "store_foreign",
    "store_newer",
    "store_version",
    "store_unfit",
    "store_too_large",
}


def flipped(whole: bytes, path: Path, count: int, seed: int) -> Iterator[None]:
    """Write a file again and again, each time with one other bit flipped."""
    dice = random.Random(seed)
    for _ in range(count):
        data = bytearray(whole)
        place, bit = dice.randrange(len(data)), dice.randrange(8)
        data[place] ^= 1 << bit
        for item in path.parent.glob(f"{path.name}*"):
            item.unlink()
        path.write_bytes(data)
        try:
            yield
        except Exception as error:
            error.add_note(f"byte {place}, bit {bit}")
            raise


def answers(questions: Mapping[str, Callable[[], Any]]) -> dict[str, Any]:
    """Return what is answered; where a call is refused, its code."""
    seen = {}
    for name, question in questions.items():
        try:
            seen[name] = question()
        except StoreError as error:
            assert error.code in REFUSED, error.code
            seen[name] = error.code
    return seen


def outcome(before: dict[str, Any], after: dict[str, Any], *, at_once: bool, named: bool) -> str:
    """Return what became of a flip; nothing may change in silence."""
    parts = [name for name in before if after[name] != before[name]]
    refused = [name for name in parts if isinstance(after[name], str) and after[name] in REFUSED]
    assert at_once or refused == parts, f"changed in silence: {parts}"
    assert named or not parts, f"verify says nothing of {parts}"
    if refused:
        return "a part not shown, named"
    if parts:
        return "an answer changes, named"
    return "nothing seen changes, named" if named else "no effect"


# --------------------------------------------------------------------------- projects


def fill_project(path: Path) -> None:
    """Store a check of nine texts with decisions, a second look, notes, settings and values."""
    dice = random.Random(7)
    words = [f"word{n}" for n in range(300)]
    shared = " ".join(dice.choices(words, k=120))
    documents = [
        Document.from_text(
            " ".join([*dice.choices(words, k=150), shared if n < 6 else ""]), name=f"{n}.txt"
        )
        for n in range(9)
    ]
    result = check(documents, settings=Settings(user_words=("雷同",)))
    project = Project.create(path, name="高一（3）班")
    project.save_documents(documents)
    project.save_settings(result.settings)
    project.save_result(result)
    project.put("exclusions", {"zones": ["quotation"], "min_match": 5})
    cases = [Subject.pair(documents[a].id, documents[b].id) for a in range(6) for b in range(a)]
    for case in cases:
        project.decide([case], verdict="no_problem", reason="quotation", reviewer="Wu")
    for n, case in enumerate(cases):
        project.decide([case], verdict="confirmed", note=f"second look {n}", reviewer="Lin")
    with project.folded() as fold:
        noted = fold.last("note")
    project.undo(noted.id)
    project.close()


def seen_of_project(project: Project) -> dict[str, Any]:
    """Return what pages, reports and lists show of a check; where a call is refused, its code."""
    questions = {
        "texts": lambda: [(one.name, one.text) for one in project.texts().documents],
        "settings": project.settings,
        "result": lambda: _facts(project.result()),
        "name": lambda: (project.name, project.state),
        "names": lambda: sorted(project._names().items()),
        "rules": lambda: project.get("exclusions"),
        "decisions": lambda: sorted(
            (subject.a, subject.b, one.verdict, one.reason, one.note, one.reviewer)
            for subject, one in project.decisions().items()
        ),
        "summary": lambda: [
            getattr(project.summary(), name) for name in ("name", "texts", "cases", "decided")
        ],
        "again": project.asked_again,
    }
    return answers(questions)


def _facts(result: Any) -> Any:
    if result is None:
        return None
    pairs, passages = result.table.pairs, result.passages
    columns = [pairs.left, pairs.right, pairs.distance, *passages.columns(), result.total_overlap]
    return [len(result.documents), *(column.tolist() for column in columns)]


def flip_project(path: Path, count: int, *, seed: int) -> Counter[str]:
    """Flip bits of a project and count what became of each flip; none may pass in silence."""
    fill_project(path)
    whole, tally = path.read_bytes(), Counter[str]()
    with contextlib.closing(Project.open(path)) as project:
        before = seen_of_project(project)
    for _ in flipped(whole, path, count, seed):
        try:
            project = Project.open(path)
        except StoreError as error:
            assert error.code in REFUSED, error.code
            tally["not opened, with its reason"] += 1
            continue
        with contextlib.closing(project):
            at_once, after = bool(project.damage), seen_of_project(project)
            named = bool(project.verify())
        tally[outcome(before, after, at_once=at_once, named=named)] += 1
    return tally


# --------------------------------------------------------------------------- libraries


def seen_of_library(library: Library) -> dict[str, Any]:
    """Return what a library answers, where a call is refused, its code."""
    questions = {
        "collections": library.collections,
        "rows": library.rows,
        "documents": lambda: [one.text for one in library.documents(range(1, 60))],
        "fingerprints": lambda: [part.tolist() for part in library.fingerprints()],
        "counts": lambda: [(key, one.count.tolist()) for key, one in library.counts(range(60))],
        "found": lambda: library.rows(words="003"),
        "jobs": library.jobs.listed,
        "items": lambda: library.jobs.items(1),
        "recipe": lambda: library.recipe,
        "statistics": lambda: library.statistics and dict(library.statistics.stats.df),
    }
    return answers(questions)


def readable(library: Library) -> dict[int, Document]:
    """Return every document that can be read, by key."""
    every = (one for one in library.every_document() if not isinstance(one, Fault))
    return {int(one.meta["archive_key"]): one for one in every}


def flip_library(path: Path, count: int, *, seed: int) -> Counter[str]:
    """The same of a library."""
    from library_texts import texts

    with Library.open(path, owner="editor", create=True) as library:
        job = library.jobs.start("essays", [f"{n}.txt" for n in range(30)])
        library.add("essays", texts(30), job=job, items=range(1, 31))
        library.add("more", texts(20, seed=1))
        library.remove([7, 8])
        library.freeze_statistics()
        library.set_recipe("one")
        before, whole_texts = seen_of_library(library), readable(library)
    whole, tally = path.read_bytes(), Counter[str]()
    for _ in flipped(whole, path, count, seed):
        try:
            library = Library.open(path, owner="editor")
        except StoreError as error:
            assert error.code in REFUSED, error.code
            tally["not opened, with its reason"] += 1
            continue
        with library:
            at_once, after = not library.is_sound, seen_of_library(library)
            faults, held = list(library.verify()), readable(library)
        tally[outcome(before, after, at_once=at_once, named=bool(faults))] += 1
        lost = {key for key in whole_texts if held.get(key) != whole_texts[key]}
        assert held.keys() | lost <= whole_texts.keys()
        assert lost <= {fault.key for fault in faults}
    return tally
