"""Lists and tables whose rows can be opened, with the records that they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from . import draw

# --------------------------------------------------------------------------- files


@dataclass(frozen=True, slots=True)
class FileRow:
    """One file. `state_kind` is "", "warn" or "bad"; `action` names what the note offers."""

    id: int
    name: str
    encoding: str
    length: str
    state: str
    state_kind: str
    note: str
    action: str = ""
    editable: bool = False


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """What the reader asked for: ids of rows, or None."""

    preview: int | None
    drop: int | None


def file_table(
    key: str, *, head: Sequence[str], rows: Sequence[FileRow], caption: str, edit: str, drop: str
) -> FileAnswer:
    """Draw files; the encoding of a text file is a button."""
    shown = {"head": list(head), "rows": rows, "caption": caption, "edit": edit, "drop": drop}
    answer = draw("file_table", shown, key=key)
    return FileAnswer(answer.preview, answer.drop)


# --------------------------------------------------------------------------- collections


@dataclass(frozen=True, slots=True)
class CollectionLine:
    """One collection as it is shown; `share` is the part of all texts that it holds."""

    name: str
    texts: str
    share: float
    changed: str
    size: str


@dataclass(frozen=True, slots=True)
class CollectionAnswer:
    """What the reader asked for: `open` or `delete`, of a collection."""

    action: str = ""
    name: str = ""


def collection_table(
    key: str, *, rows: Sequence[CollectionLine], words: Mapping[str, str]
) -> CollectionAnswer:
    """Draw the collections of a library: each can be opened, or its deletion asked for."""
    asked = draw("collection_table", {"rows": rows, "words": dict(words)}, key=key).act or {}
    return CollectionAnswer(str(asked.get("action", "")), str(asked.get("name", "")))


# --------------------------------------------------------------------------- checks


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One check. `state` decides how its review is drawn: none, some, all, running, damaged."""

    id: str
    name: str
    texts: str
    date: str
    state: str
    share: float  # of the bar
    review: str  # the numbers beside the bar
    done: str  # what stands behind them where everything is decided
    size: str
    given: str = ""  # the name that the reader gave


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    """What the reader asked for: open, duplicate, copy, delete, or rename to `name`."""

    action: str = ""
    id: str = ""
    name: str = ""


def recent_checks(key: str, *, rows: Sequence[CheckRow], words: Mapping[str, str]) -> CheckAnswer:
    """Draw the checks of this reader; a name is changed in place."""
    asked = draw("recent_checks", {"rows": rows, "words": dict(words)}, key=key).act or {}
    return CheckAnswer(**{name: str(asked.get(name, "")) for name in CheckAnswer.__slots__})


# --------------------------------------------------------------------------- pairs and texts


@dataclass(frozen=True, slots=True)
class PairRow:
    """One pair. Shares are 0..1; `at` is the distance as a share of the scale, -1 without one."""

    first: str
    second: str
    first_whole: str
    second_whole: str
    share_first: float
    share_second: float
    text_first: str
    text_second: str
    longest: str
    distance: str
    at: float
    inside: bool
    evidence: str
    cluster: str
    state: str = ""  # what was decided, "" where no case was made of it
    state_label: str = ""


@dataclass(frozen=True, slots=True)
class TextRow:
    """One text: its units by class, as the bar draws them, and its best partner.

    `whole` is the full name behind a shortened one; "" for what does not exist.
    """

    place: str
    name: str
    whole: str
    parts: tuple[tuple[str, int], ...]  # class, units
    counted: str
    bar: str  # the bar in words
    total: str
    same: str
    longest: str
    partner: str
    partner_whole: str
    share: str
    cluster: str
    states: tuple[tuple[str, str], ...] = ()  # verdicts about its pairs, each with its label
    tag: str = ""  # what is said of it in a small box


@dataclass(frozen=True, slots=True)
class Choice:
    """What the reader opens: a row with its partner or the text `alone`; -1 asks for the list."""

    row: int
    alone: bool = False


def pair_table(
    key: str, *, rows: Sequence[PairRow], words: Mapping[str, str], tick: float
) -> int | None:
    """Draw pairs; `tick` is the threshold as a share of the distance scale."""
    shown = {"kind": "pairs", "rows": rows, "tick": tick, "words": dict(words)}
    answer = draw("pair_table", shown, key=key)
    return None if answer.open is None else int(answer.open["row"])


def text_table(key: str, *, rows: Sequence[TextRow], words: Mapping[str, str]) -> Choice | None:
    """Draw texts."""
    shown = {"kind": "texts", "rows": rows, "words": dict(words)}
    answer = draw("pair_table", shown, key=key)
    if answer.list:
        return Choice(-1)
    return None if answer.open is None else Choice(int(answer.open["row"]), answer.open["alone"])


def early_pairs(
    rows: Sequence[tuple[str, str, str]], *, key: str, label: str, between: str
) -> int | None:
    """Draw pairs as (first name, second name, distance); return the row to open, or None."""
    shown = {"rows": [list(row) for row in rows], "label": label, "between": between}
    answer = draw("early_pairs", shown, key=key)
    return None if answer.open is None else int(answer.open)


# --------------------------------------------------------------------------- a class


@dataclass(frozen=True, slots=True)
class Sheet:
    """What one person handed in: `state` is read, versions, unread or missing."""

    name: str
    state: str
    note: str
    label: str
    lines: int


@dataclass(frozen=True, slots=True)
class ClassPart:
    """One of the lists that add up to the class: (name, reason) rows and the text to be copied."""

    kind: str
    n: int
    head: str
    rows: tuple[tuple[str, str], ...]
    text: str
    quote: str = ""


def class_picture(
    key: str,
    *,
    sheets: Sequence[Sheet],
    parts: Sequence[ClassPart],
    words: Mapping[str, str],
    opened: int,
) -> int | None:
    """Draw a class; return the sheet that was just clicked."""
    shown = {"sheets": sheets, "lists": parts, "words": dict(words), "open": opened}
    answer = draw("inbox", shown, key=key).open
    return None if answer is None else int(answer)


# --------------------------------------------------------------------------- versions of a text


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version of a text, by its row among the documents."""

    row: int
    name: str
    title: str
    when: str  # as it is shown
    value: str  # of its date, in the field that a click opens
    before: str  # what the date was before it was corrected, in a sentence; "" for the first
    doubt: bool
    source: str  # where the date is from
    received: str
    length: str
    against: str
    chosen: bool


def versions(
    key: str, *, rows: Sequence[VersionRow], words: Mapping[str, str], undo: bool
) -> dict[str, Any]:
    """Draw versions whose dates can be corrected in place; return what the reader did.

    That is {"action": "date", "row", "value"}, {"action": "undo"} by the key U where `undo` says
    that there is something to undo, or {}.
    """
    columns = ("version", "when", "from", "received", "length", "against")
    plain = [{**asdict(row), "from": row.source} for row in rows]
    shown = {"rows": plain, "words": dict(words), "columns": list(columns), "undo": undo}
    return dict(draw("versions", shown, key=key).act or {})
