"""Every table's columns, once: what each is called, what kind it is, and what it says of a row.

JSON, CSV, spreadsheets, the terminal and the tables of `leitong` walk these. A format that shows a
part of a table chooses columns by name; a row is the object that the functions of its table read.

======== ==================================================== ===============
kind     value                                                in JSON
======== ==================================================== ===============
`text`   a string; `long` one that may fill lines             as it is
`count`  a whole number                                       as it is
`bits`   a distance, None where there is none                 as it is
`share`  0 to 1, None or nan where it is not known            four digits
`number` any other number                                     four digits
`chance` how many are expected by chance, None if not known   three that count
`data`   true or false, a list, an object                     as it is
======== ==================================================== ===============
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from ..cases import ListedCases, case_of_pairs, ends_of, own_units, tones_of
from ..i18n import Translate
from ..model import (
    I64,
    MANIPULATIONS,
    NO_DISTANCE,
    PASSAGE_KINDS,
    Decision,
    Division,
    Document,
    Passages,
)
from ..notation import UNKNOWN, Notation
from ..numbers import (
    CLASSES,
    SHARED_CLASSES,
    divide_pair,
    divide_rows,
    divide_text,
    expected_owners,
    expected_pairs,
    has_few_counted,
)
from ..result import (
    TONES,
    CheckResult,
    Meanings,
    ThresholdView,
    could_be_formula,
    list_rows,
    meanings_shown,
)
from ..simhash.fingerprint import cosine_interval, to_hex
from ..storage.library import COLLECTION_KEY

if TYPE_CHECKING:
    from .content import PairEntry, TextEntry
    from .words import Words

PLACES = ("a_start", "a_end", "b_start", "b_end")
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    `label` is the key of its head for people, `optional` that files leave it out where nothing is
    known, `shown` how people read it; by default as it is.
    """

    name: str
    kind: str
    value: Callable[..., Any]
    label: str = ""
    optional: bool = False
    shown: Callable[[Any, Notation], str] | None = None

    def written(self, *row: Any) -> Any:
        """Return the value as JSON has it."""
        value = self.value(*row)
        if self.kind in ("share", "number"):
            return round_cell(value)
        if self.kind == "chance":
            return None if value is None or math.isnan(value) else float(f"{value:.3g}")
        return value

    def read(self, row: Any, write: Notation) -> str:
        """Return the value as people read it."""
        if self.shown:
            return self.shown(row, write)
        value = self.value(row)
        return UNKNOWN if value is None else str(value)


Columns = tuple[Column, ...]


def round_cell(value: float | np.floating[Any] | None) -> float | None:
    """Return a number of four digits, None where it is not known."""
    number = math.nan if value is None else float(value)
    return None if math.isnan(number) else round(number, 4)


def choose(columns: Columns, *names: str) -> Columns:
    """Return some columns, in the order of their names."""
    named = {column.name: column for column in columns}
    return tuple(named[name] for name in names)


def record(columns: Columns, *row: Any) -> Record:
    """Return a row under the names of its columns, as JSON has it."""
    cells = ((column, column.written(*row)) for column in columns)
    return {column.name: value for column, value in cells if value or not column.optional}


def division_record(division: Division) -> Record:
    """Return a text in units by class; they sum to its length."""
    return {"counted": division.counted, **{name: getattr(division, name) for name in CLASSES}}


# --------------------------------------------------------------------------- texts of a check
def _of_division(read: Callable[[Division], Any]) -> Callable[[CheckResult, int], Any]:
    return lambda result, row: read(divide_text(result, row))


def _of_document(read: Callable[[Document], Any]) -> Callable[[CheckResult, int], Any]:
    return lambda result, row: read(result.documents[row])


#: of a result and the row of a text
DOCUMENTS: Columns = (
    *(Column(name, "text", _of_document(attrgetter(name))) for name in ("name", "id")),
    Column("chars", "count", _of_document(lambda document: len(document.text))),
    Column("length", "count", _of_division(attrgetter("whole"))),
    Column("unit", "text", _of_division(attrgetter("unit"))),
    Column("tokens", "count", lambda result, row: int(result.lengths[row])),
    *(Column(name, "text", _of_document(attrgetter(name)))
      for name in ("format", "encoding", "language")),
    Column("reference", "data", lambda result, row: row >= result.checked),
    Column("collection", "text", _of_document(lambda document: document.meta.get(COLLECTION_KEY)),
           optional=True),
    Column("fingerprint", "text", lambda result, row: to_hex(result.fingerprints, row) or None),
    Column("total_overlap", "share", lambda result, row: result.total_overlap[row]),
    Column("identical_overlap", "share", lambda result, row: result.identical_overlap[row]),
    *(Column(name, "count", lambda result, row, name=name: tones_of(result, row)[name])
      for name in TONES),
    Column("division", "data", _of_division(division_record)),
    Column("few_counted", "data", _of_division(has_few_counted)),
    Column("meta", "data", _of_document(lambda document: dict(document.meta))),
)  # fmt: skip


def notes_tagged(document: Document, t: Translate) -> str:
    """Name manipulations with their number of characters, and how many pages were recognised."""
    named = (note for note in document.notes if note.code in MANIPULATIONS or note.code == "ocr")
    return ", ".join(f"{t(f'notes.tag.{note.code}')}: {note.params.get('n', '')}" for note in named)


#: of a text that takes no part, and the words of a language
SKIPPED: Columns = (
    Column("name", "text", lambda one, t: one.name),
    Column("code", "text", lambda one, t: one.code),
    Column("message", "text", lambda one, t: t(f"notes.{one.code}", **one.params)),
)


# --------------------------------------------------------------------------- pairs of a check
@dataclass(frozen=True, slots=True)
class PairFacts:
    """A pair with evidence. `row` is that of the pair table, -1 where the two share no text."""

    result: CheckResult
    row: int
    a: int
    b: int
    near: bool = False
    formula: bool = False
    case: int | None = None
    alike: bool = False  # the same meaning, which is part of no share

    @property
    def evidence(self) -> list[str]:
        """What speaks for the pair."""
        passages = self.row >= 0 and self.result.table.passages[self.row]
        kinds = {"fingerprint": self.near, "passages": passages, "meaning": self.alike}
        return [name for name, has in kinds.items() if has]

    @property
    def divisions(self) -> tuple[Division, Division]:
        """Both texts by what the other one shares."""
        if self.row < 0:
            return divide_rows(self.result, self.a, self.b)
        return divide_pair(self.result, self.row)

    def held(self, name: str, otherwise: Any) -> Any:
        """Return what the pair table holds of the pair."""
        if self.row < 0:
            return otherwise
        value = getattr(self.result.table, name)[self.row]
        return None if name == "batch_distance" and value == NO_DISTANCE else value.item()

    @property
    def distance(self) -> int | None:
        """Bits that differ, None without fingerprints."""
        bits = int(NO_DISTANCE if self.row < 0 else self.result.table.pairs.distance[self.row])
        return None if bits == NO_DISTANCE else bits

    def own(self, side: int) -> int:
        """Return the units of one text that only these two hold."""
        return own_units(self.result, self.row)[side] if self.row >= 0 else 0


def pairs_of_rows(
    result: CheckResult,
    rows: I64,
    *,
    view: ThresholdView | None = None,
    numbers: Mapping[int, int] | None = None,
) -> list[PairFacts]:
    """Return pairs that share text, by their rows of the pair table.

    Parameters
    ----------
    view
        By default the threshold of the check.
    numbers
        Of the cases, by row.
    """
    table, formula = result.table, could_be_formula(result, view)
    near = view.within if view else table.within(result.threshold, result.batch_threshold)
    return [
        PairFacts(
            result,
            row,
            *ends,
            near=bool(near[row]),
            formula=bool(formula[row]),
            case=(numbers or {}).get(row),
        )
        for row, ends in zip(rows.tolist(), ends_of(result, rows), strict=True)
    ]


def list_pairs(
    result: CheckResult, view: ThresholdView, *, cases: ListedCases | None = None
) -> list[PairFacts]:
    """Return every pair with evidence.

    Those that share text come first, in the order of `list_rows`; behind them those with nothing
    but passages that are part of no share.
    """
    numbers = case_of_pairs(result, view, cases)
    rows = list_rows(result, view)
    listed = pairs_of_rows(result, rows, view=view, numbers=numbers)
    meanings = meanings_shown(result)
    alike = dict.fromkeys(meanings.pairs() if meanings is not None else ())
    known = {(pair.a, pair.b) for pair in listed}
    return [
        *(replace(pair, alike=(pair.a, pair.b) in alike) for pair in listed),
        *(PairFacts(result, -1, *ends, alike=True) for ends in alike if ends not in known),
    ]


def _of_table(name: str, kind: str, otherwise: Any = None, **more: Any) -> Column:
    """Return a column that the pair table holds."""
    return Column(name, kind, lambda pair: pair.held(name, otherwise), **more)


def _share_of(side: int) -> Column:
    """Return the share of one text that the other has; people read it with care for short texts."""
    this, other = ("ab", "ba")[side]
    return _of_table(
        f"coverage_{this}",
        "share",
        0.0,
        label=f"{this}_in_{other}",
        shown=lambda pair, write: write.total(pair.divisions[side]),
    )


#: of `PairFacts`
PAIRS: Columns = (
    Column("a", "text", lambda pair: pair.result.documents[pair.a].name, "a"),
    Column("b", "text", lambda pair: pair.result.documents[pair.b].name, "b"),
    Column("evidence", "data", attrgetter("evidence")),
    Column("distance", "bits", attrgetter("distance"), "distance"),
    _of_table("batch_distance", "bits"),
    Column("cosine", "share", lambda pair: None if pair.distance is None
           else cosine_interval(pair.distance, pair.result.settings.bits)[0]),
    _of_table("containment", "share"),
    _share_of(0),
    _share_of(1),
    *(Column(f"division_{'ab'[side]}", "data",
             lambda pair, side=side: division_record(pair.divisions[side])) for side in (0, 1)),
    _of_table("identical", "share", 0.0),
    *(Column(f"own_{'ab'[side]}", "count", lambda pair, side=side: pair.own(side))
      for side in (0, 1)),
    _of_table("longest", "count", 0, label="longest"),
    _of_table("passages", "count", 0, label="passages"),
    Column("strength", "number", lambda pair: pair.held("strength", None) or None),
    Column("chance", "chance",
           lambda pair: expected_pairs(pair.result, pair.row) if pair.row >= 0 else None),
    Column("chance_own", "chance",
           lambda pair: expected_owners(pair.result, pair.row) if pair.row >= 0 else None),
    Column("near", "data", attrgetter("near")),
    Column("could_be_formula", "data", attrgetter("formula")),
    Column("case", "count", attrgetter("case")),
)  # fmt: skip
#: those that the JSON of a pair has
IN_JSON: Columns = tuple(one for one in PAIRS if one.name != "near")
#: those of the table of pairs as CSV
IN_CSV = choose(
    PAIRS,
    *("a", "b", "evidence", "distance", "cosine", "coverage_a", "coverage_b", "identical"),
    *("longest", "passages", "chance", "own_a", "own_b", "case"),
)
#: what a person reads of a pair beside its names
READ = choose(PAIRS, "distance", "coverage_a", "coverage_b", "longest", "passages")

#: of the records of `cases.case_records`
CASES: Columns = tuple(
    Column(name, kind, itemgetter(name))
    for name, kind in (
        ("number", "count"),
        ("kind", "text"),
        ("members", "data"),
        ("holders", "count"),
        *((tone, "count") for tone in TONES),
        ("longest", "count"),
        ("answer", "text"),
    )
)


# --------------------------------------------------------------------------- passages of a check
@dataclass(frozen=True, slots=True)
class PassageFacts:
    """One passage, of a share or apart from it, with its two texts."""

    found: Passages | Meanings
    row: int
    a: Document
    b: Document

    def held(self, name: str) -> Any:
        """Return what is held of the passage."""
        return getattr(self.found, name)[self.row].item()


def _define_held(name: str, kind: str = "count", *, optional: bool = False) -> Column:
    return Column(name, kind, lambda passage: passage.held(name), optional=optional)


def _text_of(side: str) -> Callable[[PassageFacts], str]:
    def cut(passage: PassageFacts) -> str:
        document: Document = getattr(passage, side)
        return document.text[passage.held(f"{side}_start") : passage.held(f"{side}_end")]

    return cut


#: of `PassageFacts`
PASSAGES: Columns = (
    Column("a", "text", lambda passage: passage.a.name),
    Column("b", "text", lambda passage: passage.b.name),
    Column("kind", "text", lambda passage: PASSAGE_KINDS[passage.held("kind")]),
    *map(_define_held, PLACES),
    _define_held("score", "number"),
    *map(_define_held, ("words_a", "words_b", "shared_a", "shared_b")),
    _define_held("changed", optional=True),
    _define_held("weak", "data", optional=True),
    Column("text_a", "long", _text_of("a")),
    Column("text_b", "long", _text_of("b")),
)
PASSAGES_IN_JSON = tuple(one for one in PASSAGES if one.name not in ("a", "b", "text_a", "text_b"))


# --------------------------------------------------------------------------- tables of a report
Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of a report under its columns, the same in spreadsheets, CSV and JSON."""

    code: str  # `report.table.sheet_<code>`
    columns: Columns
    rows: tuple[tuple[Cell, ...], ...]

    @classmethod
    def of(cls, words: Words, code: str, rows: Iterable[Any]) -> Table:
        """Return the table of some rows."""
        columns = REPORT_TABLES[code]
        return cls(
            code, columns, tuple(tuple(c.written(words, row) for c in columns) for row in rows)
        )

    def choose(self, names: Sequence[str]) -> Table:
        """Return some columns, in the order of their names; but those where nothing is known."""
        places = {column.name: at for at, column in enumerate(self.columns)}
        chosen = [places[name] for name in names]
        chosen = [
            at
            for at in chosen
            if not self.columns[at].optional or any(r[at] is not None for r in self.rows)
        ]
        columns = tuple(self.columns[at] for at in chosen)
        return Table(
            self.code, columns, tuple(tuple(row[at] for at in chosen) for row in self.rows)
        )


def _column(
    name: str,
    kind: str,
    value: Callable[..., Cell] | None = None,
    *,
    indicator: bool = False,
    optional: bool = False,
) -> Column:
    """Return a column of a report; without `value` it is what the row calls so."""
    label = f"report.{'indicator' if indicator else 'table'}.{name}"
    read = value or (lambda words, row: getattr(row, name))
    return Column(name, kind, read, label, optional)


_indicator = partial(_column, indicator=True)


def _of_text(name: str, kind: str) -> Column:
    """Return an indicator of a text; a share only where enough of it counts."""
    return _column(
        name, kind, lambda words, text: _shown(text, name, kind), indicator=name != "passages"
    )


def _shown(text: TextEntry, name: str, kind: str = "share") -> float | None:
    """Return an indicator of a text, a share None where too little of the text counts."""
    few = kind == "share" and has_few_counted(text.division)
    return None if few else text.indicators.value(name)


#: of the words of a report and a `TextEntry`
_TEXTS: Columns = (
    _column("number", "count", lambda words, text: text.row + 1),
    *(_column(name, "text")
      for name in ("name", "file", "title", "author", "class_name", "group")),
    _of_text("length", "count"),
    _column("unit", "text", lambda words, text: words.unit(text.division.unit)),
    _of_text("shared", "count"),
    *(_of_text(name, "share") for name in ("total", "without_quoted", "without_own")),
    _of_text("largest", "share"),
    _column("largest_from", "text", lambda words, text: words.largest_from(text.indicators)),
    _of_text("identical", "share"),
    *(_of_text(name, "count") for name in ("longest_run", "passages", "sources", "counted")),
    *(_column(f"{name}_length", "count",
              lambda words, text, name=name: getattr(text.division, name))
      for name in CLASSES),
    _column("encoding", "text"),
    _column("hash", "text", lambda words, text: text.id),
    _column("total_before", "share", lambda words, text: None
            if text.indicators.before is None or has_few_counted(text.indicators.before)
            else text.indicators.before.total, optional=True),
    *(_column(f"{name}_before", "count", lambda words, text, name=name:
              getattr(text.indicators.before, name, None), optional=True)
      for name in ("shared", "counted")),
)  # fmt: skip


def _highest(name: str, kind: str) -> Column:
    """Return the highest number of somebody's texts, None where none is shown."""

    def value(words: Words, texts: Sequence[TextEntry]) -> float | None:
        shown = (_shown(text, name, kind) for text in texts)
        return max((one for one in shown if one is not None), default=None)

    return _indicator(name, kind, value)


#: of the texts of one author
_PERSONS: Columns = (
    *(_column(name, "text", lambda words, texts, name=name: getattr(texts[0], name))
      for name in ("author", "class_name", "group")),
    _column("texts", "count", lambda words, texts: len(texts)),
    *(_highest(name, "share") for name in ("total", "largest")),
    _highest("longest_run", "count"),
    _column("confirmed", "count", lambda words, texts: sum(
        not {pair.a, pair.b}.isdisjoint(text.row for text in texts)
        for pair in words.report.decided("confirmed")
    )),
)  # fmt: skip


def _decided(pair_of: Callable[[Any], PairEntry] = lambda pair: pair) -> Columns:
    """Return what was decided about the pair of a row, by whom and when."""

    def of(row: Any) -> Decision:
        return pair_of(row).decision or Decision("")

    def reason(words: Words, row: Any) -> str:
        return words.t(f"review.reason.{of(row).reason}") if of(row).reason else ""

    def time(words: Words, row: Any) -> str:
        moment = of(row).time
        return moment.isoformat(" ", "minutes") if moment else ""

    return (
        _column("verdict", "text", lambda words, row:
                words.t(f"report.verdict.{of(row).verdict or 'none'}")),
        _column("reason", "text", reason),
        _column("note", "long", lambda words, row: pair_of(row).note),
        _column("reviewer", "text", lambda words, row: of(row).reviewer),
        _column("time", "text", time),
    )  # fmt: skip


def _names(pair_of: Callable[[Any], Any] = lambda row: row) -> Columns:
    """Return what both texts of a row are called."""
    return (
        _column("a", "text", lambda words, row: words.name(pair_of(row).a)),
        _column("b", "text", lambda words, row: words.name(pair_of(row).b)),
    )


def _places(of: Callable[[Any], Any]) -> Columns:
    """Return where a passage stands in both texts."""
    return tuple(
        _column(name, "count", lambda words, row, at=at: (*of(row).a, *of(row).b)[at])
        for at, name in enumerate(PLACES)
    )


#: of a `PairEntry`
_PAIRS: Columns = (
    _column("number", "count", lambda words, pair: pair.case),
    *_names(),
    _column("a_in_b", "share", lambda words, pair: pair.shares[0]),
    _column("b_in_a", "share", lambda words, pair: pair.shares[1]),
    _column("identical", "share"),
    _column("longest", "count"),
    _column("unit", "text", lambda words, pair: words.unit(pair.unit)),
    _column("passages", "count"),
    _column("distance", "count"),
    _column("chance", "chance", optional=True),
    _column("cluster", "text", lambda words, pair:
            words.cluster(pair.cluster) if pair.cluster >= 0 else ""),
    *_decided(),
    *(_column(f"{name}_{'ab'[side]}", "count",
              lambda words, pair, side=side, name=name: getattr(pair.divisions[side], name))
      for side in (0, 1) for name in ("counted", *SHARED_CLASSES)),
)  # fmt: skip
#: of a pair that is alike in meaning and two of its sentences
_MEANINGS: Columns = (
    *_names(lambda row: row[0].pair),
    _column("letter", "text", lambda words, row: row[1].letter),
    *(_column(name, "number", lambda words, row, name=name: round_cell(getattr(row[1], name)),
              optional=True) for name in ("closeness", "next_best")),
    _column("unrelated", "number", lambda words, row: round_cell(row[0].unrelated), optional=True),
    _column("found_by", "text", lambda words, row: words.found_by(row[0])),
    *_places(itemgetter(1)),
    _column("answering", "text", lambda words, row: words.join(row[1].words)),
    _column("excerpt", "long", lambda words, row: row[1].excerpt_a),
    _column("excerpt_b", "long", lambda words, row: row[1].excerpt_b),
    *_decided(lambda row: row[0].pair),
)  # fmt: skip
#: of a `PassageEntry` and its `PairEntry`
_PASSAGES: Columns = (
    _column("pair", "count", lambda words, row: row[1].case),
    *_names(itemgetter(1)),
    _column("kind", "text", lambda words, row:
            words.t(f"compare.kind.{'weak' if row[0].weak else row[0].kind}")),
    *_places(itemgetter(0)),
    _column("length_a", "count", lambda words, row: row[0].units_a),
    _column("length_b", "count", lambda words, row: row[0].units_b),
    _column("excerpt", "long", lambda words, row: row[0].excerpt),
)  # fmt: skip
#: of a `HeldEntry`
_HELD: Columns = (
    _column("number", "count"),
    _column("holders", "count", lambda words, one: len(one.rows)),
    _column("held_by", "long", lambda words, one: words.join([words.name(r) for r in one.rows])),
    _indicator("length", "count", lambda words, one: one.units),
    _column("unit", "text", lambda words, one: words.unit(one.unit)),
    _column("answer", "text", lambda words, one:
            words.t(f"results.questions.{one.answer}") if one.answer else None),
    _column("begins", "long", lambda words, one: one.excerpt),
)  # fmt: skip
#: the tables of a report by their code
REPORT_TABLES: Mapping[str, Columns] = {
    "texts": _TEXTS,
    "persons": _PERSONS,
    "pairs": _PAIRS,
    "passages": _PASSAGES,
    "held": _HELD,
    "meanings": _MEANINGS,
}


#: what a person reads of two tables of a workbook; how many of these columns name the row
READ_OF_TEXTS = (
    "number",
    "name",
    "total",
    "shared",
    "length",
    "longest_run",
    "largest",
    "largest_from",
)
READ_OF_PAIRS = ("number", "a", "b", "a_in_b", "b_in_a", "longest", "verdict", "reason", "note")
READ_IN_WORKBOOK: Mapping[str, tuple[Sequence[str], int]] = {
    "pairs": (READ_OF_PAIRS, 3),
    "texts": (READ_OF_TEXTS, 2),
}


def tables(words: Words) -> list[Table]:
    """Return the tables of a report; some only where there is anything to say."""
    from .content import ClassReport

    report = words.report
    texts = [words.text(row) for row in report.subject]
    by_author: dict[str, list[TextEntry]] = {}
    for text in texts:
        if text.author:
            by_author.setdefault(text.author, []).append(text)
    pair_of = {pair.table_row: pair for pair in report.pairs}
    rows: dict[str, Sequence[Any]] = {
        "texts": texts,
        "persons": list(by_author.values()),
        "pairs": report.overlapping,
        "passages": [(one, pair_of[one.table_row]) for one in report.passages],
        "held": report.shown.held if isinstance(report.shown, ClassReport) else (),
        "meanings": [(entry, one) for entry in report.alike for one in entry.answers],
    }
    always = ("texts", "pairs", "passages")
    return [
        Table.of(words, code, listed) for code, listed in rows.items() if listed or code in always
    ]


def describe_check(words: Words) -> list[tuple[str, Cell]]:
    """Return what was checked, how and when, as (label, value)."""
    report, facts, t = words.report, words.report.facts, words.t
    rows: list[tuple[str, Cell]] = [(words.damage(), None)] if report.cover.damage else []
    said: dict[str, Cell] = {
        "report": f"{words.kind_title()} {report.number}",
        "title": words.heading(),
        "statement": words.statement(),
        "made": words.date(facts.made, time=True),
        "checked": words.date(facts.checked, time=True),
        "version": f"Leitong {facts.version}",
        "recipe": facts.recipe,
        "documents": facts.documents,
        "compared": facts.pairs,
        "threshold": facts.threshold,
        "expected": round(facts.expected, 4),
        "left_out": words.left_out(facts.left_out),
    }
    rows += [(t(f"report.table.{name}"), value) for name, value in said.items()]
    rows += [(t("report.lost.title"), lost) for lost in words.lost()]
    if not report.pairs:
        rows.append((t("report.table.sheet_pairs"), t("report.pairs.none", n=facts.documents)))
    rows += [(sentence, None) for sentence in words.gaps()]
    rows += [(t(f"guarantee.{code}", **params), None) for code, params in facts.guarantees]
    rows += [
        (f"{t('report.table.skipped')}: {name}", t(f"notes.{code}", **params))
        for name, code, params in facts.skipped
    ]
    for name, value in facts.settings:
        cell: Cell = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
        if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
            cell = value
        rows.append((t(f"settings.{name}.label"), cell))
    rows += [
        (t(f"report.indicator.{code}"), t(f"report.define.{code}")) for code in words.defined()
    ]
    return [*rows, ("", t("report.define.shares"))]
