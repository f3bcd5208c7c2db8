"""Lists and tables whose rows can be opened, with the records that they show.

`draw_list` draws every table of the application; the other functions describe the columns of one.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import streamlit as st

from ..shared.formatting import number
from ..shared.session import t
from ..shared.tab import tab
from . import draw, pack_values

Run = str | Mapping[str, object]
Row = Mapping[str, object]
Words = Mapping[str, str]
SENT_FIRST = 200  # rows of a group; the others are sent once somebody goes on, searches or sorts


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `name` is the field of a row that holds its cell.

    A cell is a text, a number, a run or several runs: mappings of what the script draws by `as`:
    text (text, style, whole), name, tag, link (text, href), button (text, act, said), field (text,
    title, said), tick (on, text), mark (state, said, figure), bar (parts, whole, said, text),
    tones, strip (held, text).
    """

    name: str
    head: str = ""
    kind: str = ""  # names (two lines, broken at spaces), num or end
    width: str = ""
    card: str = "note"  # place in the card of a row: lead, title, end, line, note, plain, hide
    style: str = ""  # of its cells
    draws: str = ""  # what runs without `as` are
    said: str = ""  # what is said of tones, with their names in braces; what a button leads to
    hint: str = ""  # in the field that a cell becomes
    wide: bool = False  # gives way under 900 px
    sort: bool = False
    unseen: bool = False  # its head is read aloud
    acts: Sequence[
        Mapping[str, str]
    ] = ()  # of each row: act, text, style (icon, link, menu), edits


@dataclass(frozen=True, slots=True)
class Group:
    """Rows under the same columns.

    A row has an `id`, the fields of the columns and, where they say something, `kind` (its class),
    `filters` (names with spaces between), `acts` (of those of its column) and `value` (what its
    field begins with).
    """

    columns: Sequence[Column]
    rows: Sequence[Row]
    title: str = ""
    note: str = ""
    name: str = ""  # class of the table
    first: int = 0  # rows before the rest is asked for; 0: all

    def to_data(self, most: int | None) -> dict[str, Any]:
        """Return what the script draws, with at most so many rows."""
        rows = self.rows[:most]
        return {
            **{name: getattr(self, name) for name in ("title", "note", "name", "first")},
            "columns": [asdict(column) for column in self.columns],
            "more": t("check.show_rest", n=len(self.rows) - self.first),
            "rows": pack_values(rows),
            "sent": len(rows),
            "unsent": t("check.show_rest", n=len(self.rows) - len(rows)),
            "total": len(self.rows),
        }


@dataclass(frozen=True, slots=True)
class Act:
    """What the reader did: `open`, `undo` or another act, and the `id` of the row."""

    action: str = ""
    row: str = ""
    value: str = ""  # typed
    on: bool = False  # ticked


def draw_list(
    key: str,
    groups: Sequence[Group],
    *,
    caption: str,
    opens: bool = False,
    search: str = "",
    filters: Sequence[tuple[str, str]] = (),
    kinds: Sequence[tuple[str, str]] = (),
    rest: Sequence[Run] = (),
    undo: bool = False,
) -> Act:
    """Draw a list and return what was done to it.

    Parameters
    ----------
    opens
        Whether a row is opened by a click or Enter.
    search, filters
        What the search field asks for, "" without one, and the menu beside it as (name, label).
        Both stand in the address of the page, as `q` and `filter`.
    kinds, rest
        The key under the rows as (part of a bar, word), and the runs at its end.
    undo
        Whether the key U takes something back.
    """
    data = {
        "key": key,
        "caption": caption,
        "opens": opens,
        "undo": undo,
        "search": search,
        "filters": list(filters),
        "kinds": list(kinds),
        "rest": list(rest),
        **{word: t(f"frame.list.{word}") for word in ("filter", "everything", "none")},
        "separator": number(1000)[1],
        "groups": [
            group.to_data(None if key in tab.whole_lists else SENT_FIRST)
            for group in groups
            if group.rows
        ],
    }

    def take_fetch() -> None:
        """Send all rows from now on, where they were asked for."""
        if (st.session_state[key].get("act") or {}).get("action") == "fetch":
            tab.whole_lists |= {key}

    act = Act(**(draw("list", data, key=key, on=take_fetch).act or {}))
    return Act() if act.action == "fetch" else act


def draw_table(
    key: str,
    caption: str,
    heads: Sequence[tuple[str, str]],
    rows: Iterable[Sequence[Run]],
    *,
    chosen: Container[int] = (),
) -> None:
    """Draw a table of plain cells under (head, kind) of each column; `chosen` rows stand out."""
    columns = [
        Column(f"c{at}", head, kind, card="note" if at else "title")
        for at, (head, kind) in enumerate(heads)
    ]
    lines: list[Row] = []
    for at, row in enumerate(rows):
        cells = {column.name: cell for column, cell in zip(columns, row, strict=True)}
        lines.append({"id": str(at), "kind": "on" if at in chosen else "", **cells})
    draw_list(key, [Group(columns, lines)], caption=caption)


def list_acts(words: Words, /, **styles: str) -> list[Mapping[str, str]]:
    """Describe what can be done to each row of a column, as act=style."""
    return [{"act": act, "text": words[act], "style": style} for act, style in styles.items()]


# --------------------------------------------------------------------------- cases and pupils


@dataclass(frozen=True, slots=True)
class Mark:
    """The state of a case: undecided, confirmed, no_problem, later, or the `figure` of an answer.

    An answer is `answered`, or `by_itself` where nobody gave it.
    """

    state: str
    said: str
    figure: str = ""


@dataclass(frozen=True, slots=True)
class Tones:
    """Shared units by how few hold them, in a text of `whole` that count; 0: without a bar."""

    shared: Sequence[int]  # that two texts hold, a few, and many
    whole: int
    text: str  # beside the bar, or in its place
    unit: str  # what all of them are


@dataclass(frozen=True, slots=True)
class PassageCase:
    """A passage that several texts hold: `held` says which, in the order of the class list."""

    number: int
    passage: str
    suggestion: str
    held: Sequence[bool]
    holders: str
    length: str
    mark: Mark
    filters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PairCase:
    """Two texts with units that nobody else has; `tags` say where a text is from."""

    number: int
    names: tuple[str, str]
    tones: Tones
    longest: int
    mark: Mark
    tags: tuple[str, str] = ("", "")
    filters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PupilRow:
    """One pupil; `also` names questions. Without a case there are neither tones nor mark."""

    id: str
    name: str
    also: str
    note: str = ""  # such as drafts
    tones: Tones | None = None
    partner: str = ""
    tag: str = ""  # of the partner
    case: int = 0
    mark: Mark | None = None


def group_cases(
    rows: Iterable[PassageCase | PairCase], words: Words, *, first: int = 0
) -> list[Group]:
    """Return cases for `draw_of_class`, passages before pairs; the id of a row is its number.

    `words`: and, review, said; questions, questions_note, passage, holders; pairs, pairs_note,
    pair, only, within, longest. `first`: rows of a block before the rest is asked for.
    """
    case = Column("number", "", "", "30px", "lead", "dim")
    review = Column("mark", words["review"], "end", "88px", "end", "opener", "mark")
    passage = (
        Column("passage", words["passage"], card="title", unseen=True),
        Column("holders", words["holders"], "", "25%", "line", "small", unseen=True),
    )
    pair = (
        Column("pair", words["pair"], "names", card="title", sort=True),
        Column("two", words["only"], "num", "14%", "end", "big", sort=True),
        Column("tones", words["within"], "", "34%", "line", draws="tones", said=words["said"]),
        Column("longest", words["longest"], "num", "12%", "hide", sort=True),
    )
    questions, pairs = list[Row](), list[Row]()
    for one in rows:
        line = {"id": str(one.number), "number": one.number, "mark": asdict(one.mark),
                "filters": " ".join(one.filters)}  # fmt: skip
        if isinstance(one, PassageCase):
            read = {"text": one.passage, "style": "read", "whole": one.passage}
            line["passage"] = [read, {"text": one.suggestion, "style": "under"}]
            held = "".join(str(int(held)) for held in one.held)
            strip = {"as": "strip", "held": held, "text": one.holders}
            line["holders"] = [strip, _grey(one.holders, "named"), f"· {one.length}"]
            questions.append(line)
        else:
            (a, b), tags = one.names, [{"as": "tag", "text": tag} for tag in one.tags]
            line["pair"] = [tags[0], _name(a), _grey(words["and"]), tags[1], _name(b)]
            line["longest"] = [one.longest, _grey(one.tones.unit, "unit")]
            pairs.append(line | _show_tones(one.tones))
    return [
        Group(columns, lines, words[name], words[f"{name}_note"], name, first)
        for columns, lines, name in (
            ((case, *passage, review), questions, "questions"),
            ((case, *pair, review), pairs, "pairs"),
        )
    ]


def group_pupils(rows: Iterable[PupilRow], words: Words) -> list[Group]:
    """Return pupils for `draw_of_class`, those without a case by their names.

    One is opened by its row, its case by the act `case`. `words`: said; with_case, without_case and
    their _note; name, only, within, partner, also, case.
    """
    name = Column("name", words["name"], "names", card="title", sort=True)
    columns = (
        name,
        Column("two", words["only"], "num", "16%", "end", "big", sort=True),
        Column("tones", words["within"], "", "31%", "line", draws="tones", said=words["said"]),
        Column("partner", words["partner"], "names", "17%", "plain", sort=True),
        Column("also", words["also"], "", "11%", "note", "dim", wide=True),
        Column("case", words["case"], "end", "72px", "end", said=words["case"]),
    )
    involved, alone = list[Row](), list[Row]()
    for one in rows:
        if one.tones is None or one.mark is None:
            alone.append({"id": one.id, "name": [one.name, _grey(one.also)]})
            continue
        button = {"as": "button", "act": "case", "text": f"{one.case} ›"}
        line = {"id": one.id, "name": [_name(one.name), _grey(one.note, "unit")], "also": one.also,
                "partner": [{"as": "tag", "text": one.tag}, one.partner],
                "case": [{"as": "mark", **asdict(one.mark)}, button]}  # fmt: skip
        involved.append(line | _show_tones(one.tones))
    return [
        Group(columns, involved, words["with_case"], words["with_case_note"], "pupils"),
        Group((name,), alone, words["without_case"], words["without_case_note"], "flow"),
    ]


def draw_of_class(
    key: str,
    groups: Sequence[Group],
    words: Words,
    *,
    filters: Sequence[tuple[str, str]] = (),
    rest: Sequence[Run] = (),
) -> Act:
    """Draw cases or pupils, with the key of the tones where there are bars.

    `words`: caption, search; two, few, many.
    """
    kinds = [("hold-2", words["two"]), ("hold-few", words["few"]), ("hold-many", words["many"])]
    toned = any(group.rows and "tones" in group.rows[0] for group in groups)
    return draw_list(
        key,
        groups,
        caption=words["caption"],
        opens=True,
        search=words["search"],
        filters=filters,
        kinds=kinds if toned else (),
        rest=rest,
    )


def _show_tones(tones: Tones) -> dict[str, Any]:
    """Return the cells of what only two have, and of the bar."""
    two, few, many = tones.shared
    bar = {"two": two, "few": few, "many": many, "whole": tones.whole, "text": tones.text}
    return {"two": [two, _grey(tones.unit, "unit")], "tones": bar}


def _grey(text: str, style: str = "dim") -> Run:
    return {"text": text, "style": style}


def _name(text: str) -> Run:
    return {"as": "name", "text": text}


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
    key: str,
    *,
    head: Sequence[str],
    rows: Sequence[FileRow],
    caption: str,
    edit: str,
    drop: str,
    first: int = 0,
) -> FileAnswer:
    """Draw files, the `first` ones until the rest is asked for; an encoding is a button."""
    columns = (
        Column("name", head[0], "names", "30%", "title"),
        Column("encoding", head[1], "", "12%"),
        Column("length", head[2], "num", "13%", "end"),
        Column("state", head[3], "", "12%", "plain"),
        Column("note", head[4], "", "", "plain", "dim"),
        Column(
            "acts",
            drop,
            "end",
            "44px",
            "end",
            unseen=True,
            acts=list_acts({"drop": drop}, drop="icon"),
        ),
    )
    lines = []
    for row in rows:
        look = {"as": "button", "act": "preview", "said": f"{edit}: {row.name}"}
        line = {**asdict(row), "id": str(row.id), "kind": row.state_kind}
        if row.editable:
            line["encoding"] = {**look, "text": row.encoding, "style": "dotted"}
        if row.action:
            line["note"] = [row.note, {**look, "text": row.action}]
        if row.state_kind:
            line["state"] = {"as": "tag", "text": row.state, "style": row.state_kind}
        lines.append(line)
    act = draw_list(key, [Group(columns, lines, first=first)], caption=caption)
    asked = {act.action: int(act.row)} if act.action else {}
    return FileAnswer(asked.get("preview"), asked.get("drop"))


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


def recent_checks(
    key: str, *, rows: Sequence[CheckRow], words: Words, search: str = "", first: int = 0
) -> CheckAnswer:
    """Draw the checks of this reader; a name is changed in place."""
    acts = list_acts(words, open="link", duplicate="icon", copy="icon", delete="icon")
    acts.insert(1, {"act": "rename", "text": words["rename"], "style": "icon", "edits": "name"})
    columns = (
        Column("name", words["name"], "names", "", "title", "named"),
        Column("texts", words["texts"], "num", "5.2rem", "hide", wide=True),
        Column("date", words["date"], "", "9rem", "hide", "dim"),
        Column("review", words["review"], "", "15.5rem", "line", draws="bar"),
        Column("size", words["size"], "num", "5rem", "hide", "dim", wide=True),
        Column("acts", words["act"], "end", "12.5rem", "end", unseen=True, acts=acts),
    )
    lines = []
    for row in rows:
        review: Run = " ".join(filter(None, (row.review, row.done)))
        line = {**asdict(row), "kind": row.state, "value": row.given or row.name, "review": review}
        if row.state == "damaged":
            line["acts"] = ["delete"]
        else:
            line["review"] = {"parts": [("done", row.share)], "whole": 1, "text": review}
        lines.append(line)
    group = Group(columns, lines, first=first)
    act = draw_list(key, [group], caption=words["caption"], search=search)
    return CheckAnswer(act.action, act.row, act.value)


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
