"""A report as tables: the same columns and values for spreadsheets, CSV and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..numbers import CLASSES, SHARED_CLASSES, few_counted
from .content import AlikeEntry, HeldEntry, PairEntry, PassageEntry
from .words import DEFINED, Words

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns; `kinds` are `text`, `long`, `count`, `share` and `number`."""

    code: str  # `report.table.sheet_<code>`
    columns: tuple[str, ...]  # `report.table.<column>` or `report.indicator.<column>`
    kinds: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


_TEXTS = {
    "number": "count",
    "name": "text",
    "file": "text",
    "title": "text",
    "author": "text",
    "class_name": "text",
    "group": "text",
    "length": "count",
    "unit": "text",
    "shared": "count",
    "total": "share",
    "without_quoted": "share",
    "without_own": "share",
    "largest": "share",
    "largest_from": "text",
    "identical": "share",
    "longest_run": "count",
    "passages": "count",
    "sources": "count",
    **dict.fromkeys(("counted", *(f"{name}_length" for name in CLASSES)), "count"),
    "encoding": "text",
    "hash": "text",
    "total_before": "share",
    "shared_before": "count",
    "counted_before": "count",
}
#: columns that a workbook leaves out where nothing is known for any row
OPTIONAL = frozenset(
    {"chance", "total_before", "shared_before", "counted_before"}
    | {"closeness", "next_best", "unrelated"}
)
_PERSONS = {
    "author": "text",
    "class_name": "text",
    "group": "text",
    "texts": "count",
    "total": "share",
    "largest": "share",
    "longest_run": "count",
    "confirmed": "count",
}
_DECIDED = {
    "verdict": "text",
    "reason": "text",
    "note": "long",
    "reviewer": "text",
    "time": "text",
}
_PAIRS = {
    "number": "count",
    "a": "text",
    "b": "text",
    "a_in_b": "share",
    "b_in_a": "share",
    "identical": "share",
    "longest": "count",
    "unit": "text",
    "passages": "count",
    "distance": "count",
    "chance": "number",
    "cluster": "text",
    **_DECIDED,
    **{f"{name}_{side}": "count" for side in "ab" for name in ("counted", *SHARED_CLASSES)},
}
_TRANSLATIONS = {
    "a": "text",
    "b": "text",
    "passages": "count",
    "found_by": "text",
    "chance": "number",
}
_MEANINGS = {
    "a": "text",
    "b": "text",
    "letter": "text",
    "closeness": "number",
    "next_best": "number",
    "unrelated": "number",
    "a_start": "count",
    "a_end": "count",
    "b_start": "count",
    "b_end": "count",
    "answering": "text",
    "excerpt": "long",
    "excerpt_b": "long",
    **_DECIDED,
}
_PASSAGES = {
    "pair": "count",
    "a": "text",
    "b": "text",
    "kind": "text",
    "a_start": "count",
    "a_end": "count",
    "b_start": "count",
    "b_end": "count",
    "length_a": "count",
    "length_b": "count",
    "excerpt": "long",
}
_HELD = {
    "number": "count",
    "holders": "count",
    "held_by": "long",
    "length": "count",
    "unit": "text",
    "answer": "text",
    "begins": "long",
}


def tables(words: Words) -> list[Table]:
    """Return the tables of a report; that of persons only where texts say who wrote them."""
    report = words.report
    made = [_table("texts", _TEXTS, [_text(words, row) for row in report.subject])]
    persons = _persons(words)
    if persons:
        made.append(_table("persons", _PERSONS, persons))
    made.append(_table("pairs", _PAIRS, [_pair(words, pair) for pair in report.overlapping]))
    places = {pair.table_row: pair for pair in report.pairs}
    passages = [_passage(words, entry, places[entry.table_row]) for entry in report.passages]
    made.append(_table("passages", _PASSAGES, passages))
    if report.held:
        made.append(_table("held", _HELD, [_held_row(words, one) for one in report.held]))
    if report.translations:
        rows = [
            [words.name(one.a), words.name(one.b), one.passages, words.found_by(one), one.chance]
            for one in report.translations
        ]
        made.append(_table("translations", _TRANSLATIONS, rows))
    if report.alike:
        answers = [row for entry in report.alike for row in _answers(words, entry)]
        made.append(_table("meanings", _MEANINGS, answers))
    return made


def about(words: Words) -> list[tuple[str, Cell]]:
    """Return what was checked, how and when, as (label, value)."""
    report, facts, t = words.report, words.report.facts, words.t
    rows: list[tuple[str, Cell]] = [(words.damage(), None)] if report.damage else []
    rows += [
        (t("report.table.report"), f"{words.kind_title()} {report.number}"),
        (t("report.table.title"), words.heading()),
        (t("report.table.statement"), words.statement()),
        (t("report.table.made"), words.date(facts.made, time=True)),
        (t("report.table.checked"), words.date(facts.checked, time=True)),
        (t("report.table.version"), f"Leitong {facts.version}"),
        (t("report.table.recipe"), facts.recipe),
        (t("report.table.documents"), facts.documents),
        (t("report.table.compared"), facts.pairs),
        (t("report.table.threshold"), facts.threshold),
        (
            t("report.table.expected"),
            None if report.expected is None else round(report.expected, 4),
        ),
        (t("report.table.left_out"), words.left_out(report.left_out)),
    ]
    rows += [(t("report.lost.title"), said) for said in words.lost()]
    if not report.pairs:
        rows.append((t("report.table.sheet_pairs"), t("report.pairs.none", n=facts.documents)))
    rows += [(sentence, None) for sentence in words.gaps()]
    rows += [(t(f"guarantee.{code}", **params), None) for code, params in facts.guarantees]
    rows += [
        (f"{t('report.table.skipped')}: {name}", t(f"notes.{code}", **params))
        for name, code, params in facts.skipped
    ]
    rows += [(t(f"settings.{name}.label"), _plain(value)) for name, value in facts.settings]
    rows += [
        (t(f"report.indicator.{code}"), t(f"report.define.{code}")) for code in words.defined()
    ]
    return [*rows, ("", t("report.define.shares"))]


def heading(words: Words, table: Table, column: str) -> str:
    """Return what a column of a table is called; of a pair `identical` is of what is shared."""
    indicator = column in DEFINED and column not in ("passages", "a_in_b")
    indicator = indicator and (table.code, column) != ("pairs", "identical")
    return words.t(f"report.{'indicator' if indicator else 'table'}.{column}")


def _table(code: str, columns: dict[str, str], rows: Sequence[Sequence[Cell]]) -> Table:
    return Table(code, tuple(columns), tuple(columns.values()), tuple(map(tuple, rows)))


def _text(words: Words, row: int) -> list[Cell]:
    text = words.text(row)
    i, before = text.indicators, text.indicators.before
    return [
        *(row + 1, text.name, text.file, text.title, text.author, text.class_name, text.group),
        *(
            i.length.n,
            words.t(f"report.table.{i.length.unit}"),
            i.shared,
            i.shown(i.total),
            i.shown(i.without_quoted),
        ),
        *(i.shown(i.without_own), i.shown(i.largest.total)),
        words.name(i.largest_row) if i.largest_row >= 0 else "",
        *(i.shown(i.identical), i.longest_run, i.passages, i.sources, i.counted),
        *(getattr(i.division, name) for name in CLASSES),
        *(text.encoding, text.id),
        *(
            (None if few_counted(before) else before.total, before.shared, before.counted)
            if before
            else (None,) * 3
        ),
    ]


def _persons(words: Words) -> list[list[Cell]]:
    """Gather the texts of each author."""
    report = words.report
    by_author: dict[str, list[int]] = {}
    for row in report.subject:
        if words.text(row).author:
            by_author.setdefault(words.text(row).author, []).append(row)
    confirmed = [p for p in report.pairs if p.decision and p.decision.verdict == "confirmed"]
    return [
        [
            author,
            words.text(rows[0]).class_name,
            words.text(rows[0]).group,
            len(rows),
            _highest(i.shown(i.total) for i in held),
            _highest(i.shown(i.largest.total) for i in held),
            max(i.longest_run for i in held),
            sum(pair.a in rows or pair.b in rows for pair in confirmed),
        ]
        for author, rows in by_author.items()
        for held in [[words.text(row).indicators for row in rows]]
    ]


def _highest(shares: Iterable[float | None]) -> float | None:
    """Return the highest share that is shown, None where none is."""
    return max((share for share in shares if share is not None), default=None)


def _pair(words: Words, pair: PairEntry) -> list[Cell]:
    t = words.t
    return [
        *(pair.case, words.name(pair.a), words.name(pair.b), pair.share_a, pair.share_b),
        *(pair.identical, pair.longest, t(f"report.table.{pair.unit}"), pair.passages),
        *(pair.distance, pair.chance, words.cluster(pair.cluster) if pair.cluster >= 0 else ""),
        *_decided(words, pair),
        *(
            getattr(division, name)
            for division in pair.divisions
            for name in ("counted", *SHARED_CLASSES)
        ),
    ]


def _decided(words: Words, pair: PairEntry) -> list[Cell]:
    decision, t = pair.decision, words.t
    return [
        t(f"report.verdict.{(decision and decision.verdict) or 'none'}"),
        t(f"review.reason.{decision.reason}") if decision and decision.reason else "",
        pair.note,
        decision.reviewer if decision else "",
        decision.time.isoformat(" ", "minutes") if decision and decision.time else "",
    ]


def _answers(words: Words, entry: AlikeEntry) -> list[list[Cell]]:
    """Return a row for each sentence; what was decided about the pair stands in each."""
    names = words.names(entry.pair)
    return [
        [
            *(*names, one.letter),
            *(_rounded(value) for value in (one.closeness, one.next_best, entry.unrelated)),
            *(*one.a, *one.b, words.join(one.words), one.excerpt_a, one.excerpt_b),
            *_decided(words, entry.pair),
        ]
        for one in entry.answers
    ]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _passage(words: Words, entry: PassageEntry, pair: PairEntry) -> list[Cell]:
    return [
        *(pair.case, words.name(pair.a), words.name(pair.b)),
        words.t(f"compare.kind.{'weak' if entry.weak else entry.kind}"),
        *(*entry.a, *entry.b, entry.units_a, entry.units_b, entry.excerpt),
    ]


def _held_row(words: Words, one: HeldEntry) -> list[Cell]:
    answer = words.t(f"overview.questions.{one.answer}") if one.answer else None
    names = words.join([words.name(row) for row in one.rows])
    unit = words.t(f"report.table.{one.unit}")
    return [one.number, len(one.rows), names, one.units, unit, answer, one.excerpt]


def _plain(value: Any) -> Cell:
    """Return a setting as one cell."""
    if value is None or isinstance(value, str | int | float):
        return str(value) if isinstance(value, bool) else value
    return ", ".join(map(str, value))
