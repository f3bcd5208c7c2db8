"""A check that lasts: documents, settings, result and decisions in one file.

    project = Project.create(path)                    # or Project.in_memory(): nothing on disk
    project.save_documents(documents, skipped=skipped)
    project.save_settings(settings)
    project.save_result(result)                       # project.result() gives an equal one
    action = project.decide([Subject.pair(a.id, b.id)], verdict="confirmed", reviewer="Wu")
    project.undo(action)

Everything is stored when the call returns. Any thread may use a project; other processes may have
the same file open and write to it.
"""

from __future__ import annotations

import contextlib
import hashlib
import secrets
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np

from ..errors import StoreError
from ..model import I8, I16, I64, Decision, Document, KeptVectors, PagePicture, Skipped, pair_key
from ..result import CheckResult
from ..review import case_keys, count_decided
from ..settings import Settings
from ..version import __version__
from . import contents, decisions
from .contents import PROJECT, Damage, Kind, is_sound
from .database import Database, files_of
from .decisions import AskedAgain, Event, Fold, Subject, validate

#: under this key a project keeps class, task and teacher: the fields of `report.content.Course`
COURSE_KEY = "report.course"
#: under this key a project keeps what everybody was given: [[name, text], ...]
TEMPLATES_KEY = "check.templates"
#: under this key stand the names of values and records that were damaged and are written anew
REPLACED_KEY = "damaged.before"
#: what `check --against` calls the library of the user
USER_LIBRARY = "library"
#: reading: files still come; read: texts are there; checking: a run has begun and has not ended
STATES = ("new", "reading", "read", "checking", "checked")
MOST_PICTURES = 64 * 2**20  # bytes of the pages that one project keeps
_LAST_KEY = "last_case"  # the highest number that a case was given
_EVENTS = "SELECT seq, before, CAST(content AS BLOB), digest FROM event WHERE seq >= ? ORDER BY seq"
_CASES = "case_keys"  # in `meta`: the cases that the check lists, each by `_short`


@dataclass(frozen=True, slots=True)
class Texts:
    """The documents of a project by the part they take."""

    documents: tuple[Document, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    references: tuple[Document, ...] = ()  # compared with, not among themselves
    templates: tuple[Document, ...] = ()  # what everybody was given


@dataclass(frozen=True, slots=True)
class Beside:
    """What lies beside the texts of a check and belongs to it: what they are compared with.

    Either references or libraries. A library is named as `check --against` names it: `library` for
    that of the user, its file for another one, with a colon and a collection for a part of it.
    """

    references: tuple[Document, ...] = ()  # compared with, not among themselves
    libraries: tuple[str, ...] = ()
    inside: bool = True  # whether the texts are compared with each other too
    same_author: bool = True  # whether texts by one person are compared
    way: str = ""  # how a page offered the references, "" where none did
    source: str = ""  # id of the check that they are from

    def __bool__(self) -> bool:
        return bool(self.references or self.libraries or self.source)


@dataclass(frozen=True, slots=True)
class KnownCase:
    """A case as it was numbered: its texts, sorted, by id and name of file, and their names.

    Texts of other files are another case, also where they say the same.
    """

    ids: tuple[str, str]
    files: tuple[str, str]
    names: tuple[str, str] = ("", "")
    number: int = 0

    @property
    def key(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """What tells it from other cases."""
        return self.ids, self.files


#: what is stored beside the texts: pages as the eye sees them, texts as they are not compared, both
#: by the id of the text that is; and the cases with a number, whether a result lists them or not
_Pictures = dict[str, tuple[PagePicture, ...]]
_Readings = dict[str, Document]


@dataclass(frozen=True, slots=True, eq=False)
class _Vectors:
    """`KeptVectors` a byte a number; of the few that a byte does not hold, `place` and `value`.

    `sizes` are rows of each text in `low`, int8 (n, d); `place` is in all numbers of `low`.
    """

    recipe: str
    texts: tuple[str, ...]
    sizes: I64
    low: I8
    place: I64
    value: I16

    @classmethod
    def pack(cls, vectors: KeptVectors) -> Self:
        """Return vectors as they are stored."""
        every = [*vectors.rows.values()]
        rows = np.concatenate(every) if every else np.zeros((0, 1), np.int16)
        low, sizes = rows.astype(np.int8), np.array([len(one) for one in every], np.int64)
        place = np.flatnonzero(low != rows)
        recipe = vectors.recipe if every else ""
        return cls(recipe, tuple(vectors.rows), sizes, low, place, rows.ravel()[place])

    def unpack(self) -> KeptVectors:
        """Return the vectors again, none where the parts do not fit each other."""
        rows = self.low.astype(np.int16)
        try:
            rows.ravel()[self.place] = self.value
            parts = np.split(rows, np.cumsum(self.sizes)[:-1])
        except (ValueError, IndexError):
            return KeptVectors()
        return KeptVectors(self.recipe, dict(zip(self.texts, parts, strict=False)))


_Cases = tuple[KnownCase, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list of projects says about one of them."""

    path: Path | None
    id: str
    name: str = ""  # given by the user; "" for none
    state: str = "new"
    texts: int = 0
    created: datetime | None = None
    changed: datetime | None = None
    checked: datetime | None = None
    first_texts: int = 0  # of its first result, and when that was: what it is called by
    first_checked: datetime | None = None
    group: str = ""  # the class whose texts these are
    cases: int = 0  # pairs that the check lists
    decided: int = 0  # of them: confirmed, or no problem
    size: int = 0  # bytes of the file and what belongs to it
    fault: str = ""  # why it cannot be opened: a code of `errors.STORE_CODES`
    damage: tuple[Damage, ...] = ()  # what is damaged though it can be opened


class Project:
    """One project, open: a file (`path`), or in memory."""

    def __init__(self, database: Database) -> None:
        self.database, self.path = database, database.path
        self.is_open = True
        self._fold, self._folding = Fold(), threading.Lock()
        self._numbering = threading.Lock()
        self._damage: tuple[Damage, ...] | None = None

    @classmethod
    def create(cls, path: Path, *, name: str = "") -> Self:
        """Make a new file; raises `StoreError("store_exists")` rather than write over one."""
        project = cls(Database.open(path, PROJECT, create=True))
        project._begin(name)
        return project

    @classmethod
    def in_memory(cls, *, name: str = "") -> Self:
        """Make a project that leaves no byte on disk."""
        project = cls(Database.in_memory(PROJECT))
        project._begin(name)
        return project

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a file; raises `StoreError`: missing, foreign, of another version, damaged."""
        return cls(Database.open(path, PROJECT))

    def close(self) -> None:
        """Close the file. Nothing is lost without it."""
        self.is_open = False
        self.database.close()

    # ------------------------------------------------------------------ what it is

    @property
    def id(self) -> str:
        """An id that cannot be guessed; it stands in addresses."""
        return str(self.get("id", ""))

    @property
    def name(self) -> str:
        """The name that the user gave, "" for none."""
        return str(self.get("name", ""))

    @property
    def state(self) -> str:
        """One of `STATES`."""
        return str(self.get("state", "new"))

    def get(self, key: str, default: Any = None) -> Any:
        """Return a small plain value (JSON) that was put under a key; none where it is damaged."""
        try:
            with self.database.reading() as connection:
                return contents.values(connection, key).get(key, default)
        except StoreError as error:
            if error.code != "store_damaged":
                raise
            return default

    def put(self, key: str, value: Any) -> None:
        """Store a small plain value: what a page wants to find again."""
        self._store({"changed": _now(), key: value})

    # ------------------------------------------------------------------ texts, settings, result

    def save_documents(
        self,
        documents: Sequence[Document],
        *,
        skipped: Sequence[Skipped] = (),
        templates: Sequence[Document] | None = None,
        state: str = "read",
    ) -> None:
        """Store what was read, in place of what was there; a result and decisions stay.

        So do templates that are not given (None).
        """
        texts = Texts(tuple(documents), tuple(skipped))
        names = {document.name: document.id for document in documents}
        notes = {"state": state, "texts": len(documents), "names": names, "changed": _now()}
        if templates is not None:
            notes[TEMPLATES_KEY] = [[document.name, document.text] for document in templates]
        self._save("documents", texts, notes)
        self._save_pictures(texts.documents)
        held = self._dispensable("readings", _Readings, {})
        others = ((one.id, one.other or held.get(one.id)) for one in texts.documents)
        new = {text: other for text, other in others if other is not None}
        if new.keys() != held.keys():
            self._save("readings", new, {"changed": _now()})

    def texts(self) -> Texts:
        """Return what was read; where what lies beside it is damaged, `beside` says so."""
        stored = contents.load(self.database, "documents", Texts) or Texts()
        beside = self._dispensable("beside", Beside, Beside())
        given = self.get(TEMPLATES_KEY, [])
        templates = (Document.from_text(text, name=name) for name, text in given)
        return replace(stored, references=beside.references, templates=tuple(templates))

    def save_beside(self, beside: Beside) -> None:
        """Store what lies beside the texts, in place of what was there."""
        self._save("beside", beside, {"changed": _now()})
        self._save_pictures(beside.references)

    def beside(self) -> Beside:
        """Return what lies beside the texts."""
        return contents.load(self.database, "beside", Beside) or Beside()

    def pictures(self, text: str) -> tuple[PagePicture, ...]:
        """Return the pages of a text, by its id, that were kept to be looked at."""
        return self._dispensable("pictures", _Pictures, {}).get(text, ())

    def other_reading(self, text: str) -> Document | None:
        """Return a text, by its id, as its file reads in the other way; None for most texts."""
        return self._dispensable("readings", _Readings, {}).get(text)

    def save_settings(self, settings: Settings, *, state: str = "checking") -> None:
        """Store how the texts are compared; a check begins."""
        self._save("settings", settings, {"state": state, "changed": _now()})

    def settings(self) -> Settings | None:
        """Return how the texts are compared, None before a check."""
        return contents.load(self.database, "settings", Settings)

    def save_result(self, result: CheckResult, *, seconds: float = 0.0) -> None:
        """Store a result in place of the one before; decisions stay."""
        notes = {"state": "checked", "seconds": seconds, "checked": _now()}
        notes |= _cases(case_keys(result))
        notes["texts"] = result.checked  # without earlier versions, which take no part
        if not self.get("first_checked"):
            notes |= {"first_texts": result.checked, "first_checked": notes["checked"]}
        self._save("result", result, notes)

    def vectors(self) -> KeptVectors:
        """Return the vectors of sentences that the latest check has kept."""
        return self._dispensable("vectors", _Vectors, _Vectors.pack(KeptVectors())).unpack()

    def save_vectors(self, vectors: KeptVectors) -> None:
        """Keep the vectors of the latest check, and no others; in memory none."""
        new = _Vectors.pack(vectors if self.path is not None else KeptVectors())
        held = self._dispensable("vectors", _Vectors, _Vectors.pack(KeptVectors()))
        if (held.recipe, held.texts) != (new.recipe, new.texts):
            self._save("vectors", new, {"changed": _now()})

    def note_cases(self, keys: Sequence[tuple[str, str]]) -> None:
        """Store which cases there are as the check is seen now, so that `summary` counts these."""
        noted = _cases(keys)
        if self.get(_CASES) != noted[_CASES]:
            self._store(noted)

    def result(self) -> CheckResult | None:
        """Return the result, None before the first.

        Raises
        ------
        StoreError
            `store_unfit` where another version wrote it: texts and decisions are there, the check
            has to run again. `store_damaged` where a check sum does not fit.
        """
        stored = contents.load(self.database, "result", CheckResult)
        if stored is not None and not is_sound(stored):
            raise StoreError("store_damaged", name=self.database.name)
        return stored

    def number_cases(
        self, asked: Sequence[KnownCase], present: Collection[tuple[str, str]]
    ) -> list[int]:
        """Return the number of each case; a new one gets the next that was never given.

        `present` are the texts that are there, by id and file: where one of a case has only another
        name now, the case keeps its number. A number is stored and stays, whatever becomes of its
        case. Where nothing can be stored the next ones are only for now.
        """
        with self._numbering:
            known = {one.key: one for one in self.known_cases()}
            last = max((int(self.get(_LAST_KEY, 0)), *(one.number for one in known.values())))
            there = {*present}
            renamed: dict[tuple[str, str], list[KnownCase]] = {}
            for one in known.values():
                if not there.issuperset(zip(one.ids, one.files, strict=True)):
                    renamed.setdefault(one.ids, []).append(one)
            changed = False
            for one in asked:
                held = known.get(one.key)
                if held is None and renamed.get(one.ids):
                    held = known.pop(renamed[one.ids].pop(0).key)
                last += held is None
                number = last if held is None else held.number
                known[one.key] = replace(one, number=number)
                changed |= known[one.key] != held
            if changed:
                with contextlib.suppress(StoreError):
                    self._save("cases", (*known.values(),), {_LAST_KEY: last, "changed": _now()})
        return [known[one.key].number for one in asked]

    def known_cases(self) -> tuple[KnownCase, ...]:
        """Return the cases that have a number; none where they are damaged: all get new ones."""
        return self._dispensable("cases", _Cases, ())

    # ------------------------------------------------------------------ decisions

    def decide(
        self,
        subjects: Iterable[Subject],
        *,
        verdict: str | None = None,
        reason: str | None = None,
        note: str | None = None,
        reviewer: str = "",
        action: str = "",
    ) -> str:
        """Decide about one subject or many at once; return the id of this action, for `undo`.

        Only what is given is changed: a note leaves the verdict as it is. What is given with the id
        of an earlier action belongs to it: one undo takes both back.
        """
        given = {"verdict": verdict, "reason": reason, "note": note}
        values = {field: value for field, value in given.items() if value is not None}
        action = action or secrets.token_hex(8)
        now, called = datetime.now(UTC), {key: name for name, key in self._names().items()}
        added = []
        for subject in dict.fromkeys(subjects):
            validate(subject, values)
            names = called.get(subject.a, ""), called.get(subject.b, "")
            for field, value in values.items():
                added.append(Event(action, subject, field, value, reviewer, now, names))
        self._store({"changed": _now()}, added)
        return action

    def undo(self, action: str, *, reviewer: str = "") -> str:
        """Take an action back; return the id of this one, so that it can be taken back too."""
        undoing = secrets.token_hex(8)
        event = Event(undoing, None, "", "", reviewer, datetime.now(UTC), undoes=action)
        self._store({"changed": _now()}, [event])
        return undoing

    @contextlib.contextmanager
    def folded(self) -> Iterator[Fold]:
        """Yield what holds now; other processes write too, so the log is asked each time."""
        with self._folding:
            new = self.history(self._fold.number)
            if self._fold.number and any(event.damaged for event in new):
                self._fold, new = Fold(), self.history()  # it may be about an earlier one
            self._fold.advance(new)
            yield self._fold

    def latest(self) -> int:
        """Return the number of the latest event, 0 without one: whether anything was decided."""
        with self.folded() as fold:
            return fold.number

    def decisions(self) -> dict[Subject, Decision]:
        """Return what holds now about every subject."""
        with self.folded() as fold:
            return dict(fold.decisions)

    def pair_decisions(self) -> dict[tuple[str, str], Decision]:
        """Return what holds about pairs, by `model.pair_key`: what reports take."""
        return {
            (subject.a, subject.b): decision
            for subject, decision in self.decisions().items()
            if subject.kind == "pair"
        }

    def changed_pairs(self, since: int) -> tuple[int, dict[tuple[str, str], Decision | None]]:
        """Return the latest number, and what holds now about pairs decided after an earlier one."""
        with self.folded() as fold:
            changed = {
                (subject.a, subject.b): fold.decisions.get(subject)
                for subject in fold.changed(since)
                if subject.kind == "pair"
            }
            return fold.number, changed

    def history(self, seq: int = 0) -> list[Event]:
        """Return the events in the order in which they were stored, those after one by its number.

        Whoever keeps what was folded so far needs no others. Numbers grow; what is damaged or
        missing is an event that says so.
        """
        return self._log(seq)[0]

    def forget_decisions(self, ids: Collection[str], files: Collection[str] = ()) -> None:
        """Remove what was decided about some texts, with their cases and the names they had then.

        So goes what was decided about earlier contents of `files`.

        Raises
        ------
        StoreError
            `store_damaged` where the log is not whole: whom it was about cannot be known.
        """
        with self.database.writing() as connection:
            listed = contents.Contents.read(connection)
            rows = connection.execute(_EVENTS, (0,)).fetchall()
            last, head = (listed.last, bytes.fromhex(listed.head)) if listed else (None, b"")
            events = decisions.read(rows, after=0, last=last, head=head)
            if listed is None or any(event.damaged for event in events):
                raise StoreError("store_damaged", name=self.database.name)
            contents.write_again(
                connection, [decisions.silence_event(one, ids, files) for one in events]
            )
        with self._folding:
            self._fold = Fold()
        with self._numbering:
            known = self.known_cases()
            left = tuple(
                one
                for one in known
                if {*one.ids}.isdisjoint(ids) and {*one.files}.isdisjoint(files)
            )
            if len(left) < len(known):
                notes = {_LAST_KEY: int(self.get(_LAST_KEY, 0)), "changed": _now()}
                self._save("cases", left, notes)

    def texts_among(self, ids: Collection[str]) -> set[str]:
        """Return which of some texts (sha-256) this project holds, whatever part they take."""
        held = {document.id for document in self.texts().templates}
        with self.database.reading() as connection:
            held |= {key for (key,) in connection.execute(contents.HELD)}
        return held & {*ids}

    def asked_again(self) -> list[AskedAgain]:
        """Return decisions on pairs of which a text now has another content under its name."""
        now = self._names()
        present = set(now.values())
        with self.folded() as fold:
            gone = {
                subject: decision
                for subject, decision in fold.decisions.items()
                if subject.kind == "pair" and not (subject.a in present and subject.b in present)
            }
            latest = [fold.event(subject) for subject in gone]
        called = (sorted(event.names) if event else ["", ""] for event in latest)
        return [
            AskedAgain((first, second), subject, decision)
            for (first, second), (subject, decision) in zip(called, gone.items(), strict=True)
            if first in now and second in now
        ]

    # ------------------------------------------------------------------ the file

    def summary(self) -> Summary:
        """Return what a list of projects says about this one."""
        log, damage = self._log(0)
        with self.database.reading() as connection:
            held = contents.values(connection)
            damage += contents.faults(connection)
        try:
            values: dict[str, Any] = {
                **{name: str(held.get(name, "")) for name in ("id", "name", "state")},
                **{name: int(held.get(name, 0)) for name in ("texts", "cases", "first_texts")},
                **{
                    name: datetime.fromisoformat(held[name]) if held.get(name) else None
                    for name in ("created", "changed", "checked", "first_checked")
                },
            }
        except (TypeError, ValueError) as error:
            raise StoreError("store_damaged", name=self.database.name) from error
        decided = {
            _short(pair_key(subject.a, subject.b)): decision
            for subject, decision in Fold(log).decisions.items()
            if subject.kind == "pair"
        }
        course, keys = held.get(COURSE_KEY), str(held.get(_CASES, "")).split()
        size = sum(item.stat().st_size for item in files_of(self.path)) if self.path else 0
        return Summary(
            self.path,
            **values,
            group=str(course.get("group", "")) if isinstance(course, dict) else "",
            decided=min(count_decided(keys, decided), values["cases"]),
            size=size,
            damage=tuple(damage),
        )

    def copy_to(self, path: Path, *, name: str | None = None, same_id: bool = False) -> None:
        """Write a complete copy: a duplicate, or with the same id one to hand over."""
        if path.exists():
            raise StoreError("store_exists", name=path.name)
        self.database.copy_to(path)
        changes = {} if same_id else {"id": new_id()}
        if name is not None:
            changes["name"] = name
        if changes:
            with contextlib.closing(Project.open(path)) as copy:
                copy._store({"changed": _now(), **changes})

    @property
    def damage(self) -> tuple[Damage, ...]:
        """What is damaged as far as is known: since the file was opened, or last verified."""
        if self._damage is None:
            try:
                with self.database.reading() as connection:
                    listed = contents.faults(connection)
            except StoreError as error:
                if error.code != "store_damaged":
                    raise
                listed = []
            if not self.database.is_intact():
                listed.insert(0, Damage("file"))
            self._damage = (*listed, *self._log(0)[1])
        return self._damage

    def verify(self) -> list[Damage]:
        """Read everything once and return what is damaged, or was until it was written anew."""
        damage = []
        parts: dict[str, Callable[[], object]] = {
            "documents": self.texts,
            "beside": self.beside,
            "settings": self.settings,
            "result": self.result,
        }
        for name, read in parts.items():
            try:
                read()
            except StoreError as error:
                damage += [Damage(name)] if error.code != "store_unfit" else []
        self._damage = None
        self._damage = (*self.damage, *(one for one in damage if one not in self.damage))
        before = self.get(REPLACED_KEY, [])
        return [*self._damage, *(Damage("replaced", {"name": name}) for name in before)]

    # ------------------------------------------------------------------ inside

    def _begin(self, name: str) -> None:
        named = {"id": new_id(), "name": name, "version": __version__, "state": "new"}
        now = _now()
        self._store({**named, "texts": 0, "cases": 0, "created": now, "changed": now})

    def _dispensable(self, name: str, kind: type[Kind], default: Kind) -> Kind:
        """Return a record that the texts do not need; the default where it is damaged or absent."""
        with contextlib.suppress(StoreError):
            stored = contents.load(self.database, name, kind)
            default = default if stored is None else stored
        return default

    def _save_pictures(self, given: Sequence[Document]) -> None:
        """Keep the pages of these texts beside those that are held, of no text that is gone."""
        held = self._dispensable("pictures", _Pictures, {})
        found = {**held, **{one.id: one.pictures for one in given if one.pictures}}
        if not found:
            return
        texts = self.texts()
        new: dict[str, tuple[PagePicture, ...]] = {}
        size = 0
        for key in dict.fromkeys(one.id for one in (*texts.documents, *texts.references)):
            pages = found.get(key, ())
            size += sum(len(page.jpeg) for page in pages)
            if pages and size <= MOST_PICTURES:
                new[key] = pages
        if new.keys() != held.keys() or any(document.pictures for document in given):
            self._save("pictures", new, {"changed": _now()})

    def _store(self, values: Mapping[str, Any], added: Sequence[Event] = ()) -> None:
        notes = {**values, **self._replaced(values)}
        with self.database.writing() as connection:
            contents.store(connection, notes, added=added)

    def _save(self, name: str, record: Any, values: Mapping[str, Any]) -> None:
        notes = {**values, **self._replaced({name, *values})}
        contents.save(self.database, name, record, notes, damaged=bool(self.damage))

    def _replaced(self, names: Collection[str]) -> dict[str, Any]:
        """Return what to store about damage that a write of some names covers, to be named still.

        What is written anew is whole; what was lost with it would be hidden by that.
        """
        self.database.require_writable()
        lost = {fault.params.get("name", fault.code) for fault in self.damage} & {*names}
        before = self.get(REPLACED_KEY, [])
        return {REPLACED_KEY: sorted({*before, *lost})} if not lost <= {*before} else {}

    def _log(self, after: int) -> tuple[list[Event], list[Damage]]:
        """Return the events after one, and which of them are damaged or missing."""
        try:
            with self.database.reading() as connection:
                listed = contents.Contents.read(connection)
                rows = connection.execute(_EVENTS, (after,)).fetchall()
        except StoreError as error:
            if error.code != "store_damaged":
                raise
            return [decisions.make_unknown(after + 1)], [Damage("events")]
        last, head = (listed.last, bytes.fromhex(listed.head)) if listed else (None, b"")
        read = partial(decisions.read, rows, last=last, head=head)
        events = read(after=after)
        if any(event.damaged for event in events):
            if after:  # the events before say what else a damaged one can be about
                events = [event for event in self._log(0)[0] if event.seq > after]
            else:
                events = read(after=0, texts=self._names().values())
        held, number, damage = {row[0] for row in rows}, after, []
        for event in events:
            if event.damaged and event.seq in held:
                damage.append(Damage("event", {"number": event.seq}))
            elif event.damaged:
                damage.append(Damage("missing", {"first": number + 1, "last": event.seq}))
            number = event.seq
        return events, damage

    def _names(self) -> dict[str, str]:
        """Return the id of the text of each name, from the texts where the table is damaged."""
        names = self.get("names")
        if isinstance(names, dict):
            return names
        try:
            return {document.name: document.id for document in self.texts().documents}
        except StoreError:
            return {}


def new_id() -> str:
    """Return an id that cannot be guessed; on a command line it is no option."""
    while True:
        key = secrets.token_urlsafe(16)
        if key[0].isalnum():
            return key


def _cases(keys: Sequence[tuple[str, str]]) -> dict[str, Any]:
    return {"cases": len(keys), _CASES: " ".join(map(_short, keys))}


def _short(key: tuple[str, str]) -> str:
    """Return twelve digits for a pair: a list of projects reads those of each check."""
    return hashlib.blake2b("".join(key).encode(), digest_size=6).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat()
