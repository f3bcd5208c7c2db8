"""Lists and tables whose rows can be opened, with the records that they show.

`draw_list` draws every table of the application; the other functions describe the columns of one.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from ..shared.session import t
from . import draw

Run = str | Mapping[str, object]
Row = Mapping[str, object]
Words = Mapping[str, str]


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
    unit: str = ""  # behind its cells
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
    `filters` (names), `acts` (of those of its column) and `value` (what its field begins with).
    """

    columns: Sequence[Column]
    rows: Sequence[Row]
    title: str = ""
    note: str = ""
    name: str = ""  # class of the table
    first: int = 0  # rows before the rest is asked for; 0: all


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
        "groups": [
            {
                **{name: getattr(group, name) for name in Group.__slots__},
                "columns": [asdict(column) for column in group.columns],
                "more": t("check.show_rest", n=len(group.rows) - group.first),
            }
            for group in groups
            if group.rows
        ],
    }
    return Act(**(draw("list", data, key=key).act or {}))


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

    two: int
    few: int
    many: int
    whole: int
    said: str  # the bar in words
    text: str  # beside it, or in its place


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
    filters: tuple[str, ...] = ()


def case_list(
    key: str,
    rows: Sequence[PassageCase | PairCase],
    words: Words,
    *,
    filters: Sequence[tuple[str, str]] = (),
    rest: Sequence[Run] = (),
    first: int = 0,
) -> Act:
    """Draw cases, passages before pairs; `open` comes with the number of the case.

    `words`: caption, search, unit, and, review; questions, questions_note, passage, holders; pairs,
    pairs_note, pair, only, within, longest; two, few, many. `first`: rows of a block before the
    rest is asked for.
    """
    number = Column("number", "", "", "30px", "lead", "dim")
    review = Column("mark", words["review"], "end", "88px", "end", "opener", "mark")
    passage = (
        Column("passage", words["passage"], card="title", unseen=True),
        Column("holders", words["holders"], "", "25%", "line", "small", unseen=True),
    )
    unit = words["unit"]
    pair = (
        Column("pair", words["pair"], "names", card="title", sort=True),
        Column("two", words["only"], "num", "14%", "end", "big", unit=unit, sort=True),
        Column("tones", words["within"], "", "34%", "line", draws="tones"),
        Column("longest", words["longest"], "num", "12%", "hide", unit=unit, sort=True),
    )
    questions, pairs = [], []
    for one in rows:
        line = {**asdict(one), "id": str(one.number)}
        if isinstance(one, PassageCase):
            read = {"text": one.passage, "style": "read", "whole": one.passage}
            line["passage"] = [read, {"text": one.suggestion, "style": "under"}]
            strip = {"as": "strip", "held": [int(held) for held in one.held], "text": one.holders}
            line["holders"] = [strip, _grey(one.holders, "named"), f"· {one.length}"]
            questions.append(line)
        else:
            (a, b), (tag_a, tag_b) = one.names, one.tags
            joined = [_name(a), _grey(words["and"]), *_tags(tag_b), _name(b)]
            line["pair"] = [*_tags(tag_a), *joined]
            pairs.append({**line, "two": one.tones.two})
    blocks = (
        ((number, *passage, review), questions, "questions"),
        ((number, *pair, review), pairs, "pairs"),
    )
    groups = [
        Group(columns, lines, words[name], words[f"{name}_note"], name, first)
        for columns, lines, name in blocks
    ]
    return _draw_of_class(key, groups, words, filters, rest, toned=bool(pairs))


def pupil_list(
    key: str, rows: Sequence[PupilRow], words: Words, *, filters: Sequence[tuple[str, str]] = ()
) -> Act:
    """Draw pupils, those without a case by their names; `open` a pupil, or the act `case` its case.

    `words`: caption, search, unit; with_case, without_case and their _note; name, only, within,
    partner, also, case; two, few, many.
    """
    name = Column("name", words["name"], "names", card="title", sort=True)
    columns = (
        name,
        Column("two", words["only"], "num", "16%", "end", "big", unit=words["unit"], sort=True),
        Column("tones", words["within"], "", "31%", "line", draws="tones"),
        Column("partner", words["partner"], "names", "17%", "plain", sort=True),
        Column("also", words["also"], "", "11%", "note", "dim", wide=True),
        Column("case", words["case"], "end", "72px", "end"),
    )
    involved, alone = [], []
    for one in rows:
        line = {**asdict(one), "name": [_name(one.name), _grey(one.note, "unit")]}
        if one.tones is None or one.mark is None:
            alone.append({**line, "name": [one.name, _grey(one.also)]})
            continue
        said = f"{words['case']} {one.case}"
        button = {"as": "button", "act": "case", "text": f"{one.case} ›", "said": said}
        partner = [*_tags(one.tag), one.partner]
        mark = {"as": "mark", **asdict(one.mark)}
        involved.append({**line, "two": one.tones.two, "partner": partner, "case": [mark, button]})
    groups = [
        Group(columns, involved, words["with_case"], words["with_case_note"], "pupils"),
        Group((name,), alone, words["without_case"], words["without_case_note"], "flow"),
    ]
    return _draw_of_class(key, groups, words, filters, (), toned=bool(involved))


def _draw_of_class(
    key: str,
    groups: Sequence[Group],
    words: Words,
    filters: Sequence[tuple[str, str]],
    rest: Sequence[Run],
    *,
    toned: bool,
) -> Act:
    """Draw cases or pupils, with the key of the tones where there are bars."""
    kinds = [("hold-2", words["two"]), ("hold-few", words["few"]), ("hold-many", words["many"])]
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


def _grey(text: str, style: str = "dim") -> Run:
    return {"text": text, "style": style}


def _name(text: str) -> Run:
    return {"as": "name", "text": text}


def _tags(text: str) -> list[Run]:
    return [{"as": "tag", "text": text}] if text else []


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
