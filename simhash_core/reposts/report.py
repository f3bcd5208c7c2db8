"""What the repost desk found as tables: for spreadsheets, and as data.

With a conflict of dates and words no version is called first: both orders stand side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from .. import schemas
from ..i18n import Translate
from ..model import Document, Skipped
from ..notation import Notation
from ..report.columns import Cell, Column, Columns, Record, record
from ..report.csv import marked_lines, safe_row
from ..storage.library import ADDED_KEY, COLLECTION_KEY
from .dates import moment_of
from .groups import Group, Version
from .reading import head_of, title_of
from .tracing import LikelySource, Traced, likely_sources
from .witnesses import MEASURED

#: format -> what it is
REPOST_FORMATS = {
    "csv": "text/csv",
    "json": "application/json",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def write_reposts(
    traced: Traced,
    name: str,
    t: Translate,
    *,
    skipped: Sequence[Skipped] = (),
    anonymous: bool = False,
) -> bytes:
    """Return every version of every group as a file of one of `REPOST_FORMATS`.

    Parameters
    ----------
    skipped
        What was not read; named in JSON.
    anonymous
        Numbers instead of names; headlines, writers and addresses are left out.
    """
    if name == "json":
        data = repost_data(traced, t=t, skipped=skipped, anonymous=anonymous)
        return schemas.json_text(data).encode("utf-8")
    heads = [t(f"reposts.table.{column.name}") for column in SHEET]
    rows = _sheet(traced, t, anonymous=anonymous)
    if name == "xlsx":
        from ..report.xlsx import write_table

        return write_table(t("reposts.title"), heads, SHEET, rows)
    return marked_lines([heads, *map(safe_row, rows)]).encode("utf-8", "replace")


def _sheet(traced: Traced, t: Translate, *, anonymous: bool) -> list[list[Cell]]:
    """Return the rows of a spreadsheet: those of the JSON in words, and what each changed."""
    rows = []
    for one in list_versions(traced, t, anonymous=anonymous):
        values = record(VERSIONS, one)
        cells = {
            name: t(f"reposts.table.{'yes' if value else 'no'}")
            if isinstance(value, bool)
            else value
            for name, value in values.items()
        }
        if values["date_from"]:
            cells["date_from"] = t(f"reposts.date_from.{values['date_from']}")
        cells["role"] = t(f"reposts.role.{one.role}")
        changes = changes_of(one.version, t, hidden=anonymous)
        cells["changes"] = t("reposts.change.join").join(changes)
        first = one.version.row == one.group.first
        cells["why_first"] = ", ".join(clue.code for clue in one.group.reasons) if first else ""
        rows.append([cells[column.name] for column in SHEET])
    return rows


def repost_data(
    traced: Traced, *, t: Translate, skipped: Sequence[Skipped] = (), anonymous: bool = False
) -> dict[str, Any]:
    """Return what was found: schema `schemas.REPOSTS`.

    `answers` (of each text in question the nearest), `groups`, `edges` (who is likely from whom),
    `shares` (of every two versions), `versions`, and what was `skipped`; documents are named as in
    `versions`.
    """
    called = _name_versions(traced, t, anonymous=anonymous)
    numbered = list(enumerate(traced.groups, 1))
    unread = enumerate(skipped, len(traced.result.documents))
    return {
        "schema": schemas.REPOSTS,
        "version": traced.result.version,
        "asked": traced.asked,
        "compared": traced.compared,
        "folded": traced.folded,
        "translations": traced.result.meanings is not None,
        "answers": [
            record(ANSWERS, AnswerFacts(traced, one, t, anonymous, called))
            for one in likely_sources(traced)
        ],
        "groups": [record(GROUPS, GroupFacts(*one, called)) for one in numbered],
        "edges": [
            record(EDGES, GroupFacts(*one, called), link)
            for one in numbered
            for link in (*one[1].links, *one[1].further)
        ],
        "shares": [
            record(SHARES, GroupFacts(*one, called), share)
            for one in numbered
            for share in one[1].shares
        ],
        "versions": version_rows(traced, t=t, anonymous=anonymous),
        "skipped": [
            {"name": _number(at, t) if anonymous else row.name, "code": row.code}
            for at, row in unread
        ],
    }


@dataclass(frozen=True, slots=True)
class GroupFacts:
    """A group under its number; `called` names the text of a row."""

    number: int
    group: Group
    called: Callable[[int], str]

    def name(self, row: int | None) -> str:
        """Return what a version is called, "" for none."""
        return "" if row is None else self.called(row)


@dataclass(frozen=True, slots=True)
class VersionFacts(GroupFacts):
    """A version, or another text of its group, in its place; `anonymous` leaves out who it is."""

    place: int
    version: Version
    role: str
    traced: Traced
    anonymous: bool

    @property
    def document(self) -> Document:
        """The text."""
        return self.traced.result.documents[self.version.row]

    def shown(self, value: str) -> str:
        """Return what would name somebody, "" in an anonymous export."""
        return "" if self.anonymous else value

    def beside_first(self, share: float) -> float | None:
        """Return a share of it and the first version, None of that one and of no version."""
        row, group = self.version.row, self.group
        return share if row in group.rows and row != group.original else None

    def changed(self, name: str) -> int | None:
        """Return how many changes of a kind it has; an excerpt removes nothing."""
        made = self.version.changes
        if made is None or (name == "removed" and made.excerpt is not None):
            return None
        return len(getattr(made, name))


#: of `GroupFacts`
GROUPS: Columns = (
    Column("group", "count", lambda one: one.number),
    Column("versions", "count", lambda one: len(one.group.versions)),
    Column("first", "text", lambda one: one.name(one.group.first)),
    Column("certain", "data", lambda one: one.group.certain),
    Column("order_by_dates", "data", lambda one: [*map(one.called, one.group.dates.order)]),
    Column("order_by_words", "data", lambda one: [*map(one.called, one.group.words.order)]),
    Column("conflict", "data", lambda one: one.group.conflict),
    Column("check_date_of", "text", lambda one: one.name(one.group.check)),
    Column("dates_level", "text", lambda one: one.group.dates.level),
    Column("words_level", "text", lambda one: one.group.words.level),
    Column("words_likelihood", "data", lambda one: round(one.group.words.likelihood, 3)),
    Column("measured_right", "count", lambda one: MEASURED[one.group.words.level].right),
    Column("measured_groups", "count", lambda one: MEASURED[one.group.words.level].groups),
    Column("why_first", "data", lambda one:
           [] if one.group.first is None else [clue.code for clue in one.group.reasons]),
)  # fmt: skip
#: of `GroupFacts` and one of its links, from the likely source to the version
EDGES: Columns = (
    Column("group", "count", lambda one, link: one.number),
    Column("source", "text", lambda one, link: one.called(link.source)),
    Column("version", "text", lambda one, link: one.called(link.version)),
    Column("kind", "text", lambda one, link: link.kind),
    Column("share", "share", lambda one, link: link.share),
    Column("certain", "data", lambda one, link: link.certain),
    Column("reasons", "data", lambda one, link: [clue.code for clue in link.reasons]),
)
#: of `GroupFacts` and how much two of its versions share
SHARES: Columns = (
    Column("group", "count", lambda one, share: one.number),
    Column("a", "text", lambda one, share: one.called(share.a)),
    Column("b", "text", lambda one, share: one.called(share.b)),
    Column("share_of_a", "share", lambda one, share: share.of_a),
    Column("share_of_b", "share", lambda one, share: share.of_b),
)


def _author(one: VersionFacts) -> str:
    writer = one.version.head.writer
    return one.shown(one.document.meta.get("author", "") or (writer.text if writer else ""))


#: of `VersionFacts`; a spreadsheet adds its `changes` in words and `why_first`
VERSIONS: Columns = (
    Column("group", "count", lambda one: one.number),
    Column("place", "count", lambda one: one.place),
    Column("role", "text", lambda one: one.role),
    Column("name", "text", lambda one: one.called(one.version.row)),
    Column("title", "text", lambda one: one.shown(title_of(one.version.head))),
    Column("author", "text", _author),
    Column("date", "text", lambda one: one.version.moment.shown if one.version.moment else ""),
    Column("date_from", "text", lambda one: date_from(one.group, one.version)),
    Column("date_claimed", "text", lambda one:
           one.version.moment is not None and one.version.moment.claimed),
    Column("received", "text", lambda one: find_arrival(one.document)),
    Column("url", "text", lambda one: one.shown(one.document.meta.get("url", ""))),
    Column("collection", "text", lambda one: one.document.meta.get(COLLECTION_KEY, "")),
    Column("asked", "text", lambda one: one.version.row < one.traced.asked),
    Column("words", "count", lambda one: one.version.words),
    Column("source", "text", lambda one: one.name(one.version.link and one.version.link.source)),
    Column("share", "share", lambda one: one.version.link and one.version.link.share),
    Column("further", "text", lambda one: "; ".join(
        f"{one.called(link.source)} {link.share:.0%}"
        for link in one.group.further_of(one.version.row)
    )),
    Column("certain", "text", lambda one: one.version.link.certain if one.version.link
           else one.version.row in one.group.rows and one.group.certain),
    Column("of_first", "share", lambda one: one.beside_first(one.version.of_first)),
    Column("of_it", "share", lambda one: one.beside_first(one.version.from_first)),
    Column("compared_with", "text", lambda one: one.name(one.version.compared)),
    Column("excerpt", "text", lambda one:
           one.version.changes is not None and one.version.changes.excerpt is not None),
    *(Column(name, "count", lambda one, name=name: one.changed(name))
      for name in ("added", "removed", "reworded")),
    Column("by_dates", "count", lambda one: _place(one.group.dates.order, one.version.row)),
    Column("by_words", "count", lambda one: _place(one.group.words.order, one.version.row)),
    Column("conflict", "text", lambda one: one.group.conflict),
)  # fmt: skip
SHEET: Columns = (
    *VERSIONS,
    Column("changes", "long", lambda one: one.version.changes),
    Column("why_first", "text", lambda one: one.group.reasons),
)


def _name_versions(traced: Traced, t: Translate, *, anonymous: bool) -> Callable[[int], str]:
    if anonymous:
        return lambda row: _number(row, t)
    return lambda row: traced.result.documents[row].name


def _number(row: int, t: Translate) -> str:
    return t("frame.text_number", number=f"{row + 1:02d}")


def list_texts(group: Group) -> list[tuple[Version, str]]:
    """Return the versions of a group, each behind the texts that it alone is linked to; and roles.

    A role is `version`, `further` for a further source, or `translation` for what a version may be
    a translation of.
    """
    others, listed = {one.row: one for one in group.others}, list[tuple[Version, str]]()
    for version in group.versions:
        for link in group.further_of(version.row):
            if link.source in others:
                listed.append((others.pop(link.source), link.kind))
        listed.append((version, "version"))
    return listed


def list_versions(traced: Traced, t: Translate, *, anonymous: bool = False) -> list[VersionFacts]:
    """Return the versions of every group, and the other texts of it, in their places."""
    called = _name_versions(traced, t, anonymous=anonymous)
    return [
        VersionFacts(number, group, called, place, version, role, traced, anonymous)
        for number, group in enumerate(traced.groups, 1)
        for place, (version, role) in enumerate(list_texts(group), 1)
    ]


def version_rows(traced: Traced, *, t: Translate, anonymous: bool = False) -> list[Record]:
    """Return one row a version under the names of `VERSIONS`, values untranslated."""
    return [record(VERSIONS, one) for one in list_versions(traced, t, anonymous=anonymous)]


def date_from(group: Group, version: Version) -> str:
    """Return where the date of a version is from; `asked` of one without, that came in last."""
    if version.moment is not None:
        return version.moment.source
    return "asked" if version.row in group.dates.order else ""


# --------------------------------------------------------------------------- a text in question
@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """What a text in question is nearest to."""

    traced: Traced
    one: LikelySource
    t: Translate
    anonymous: bool
    called: Callable[[int], str]

    @property
    def nearest(self) -> Document:
        """The nearest text."""
        return self.traced.result.documents[self.one.other]


#: of `AnswerFacts`
ANSWERS: Columns = (
    Column("asked", "text", lambda said: said.called(said.one.row)),
    Column("kind", "text", lambda said: said.one.kind),
    Column("nearest", "text", lambda said: said.called(said.one.other)),
    Column("title", "text", lambda said:
           "" if said.anonymous else title_of(head_of(said.nearest))),
    Column("date", "text", lambda said: "" if (moment := moment_of(said.nearest)) is None
           else moment.shown),
    Column("url", "text", lambda said: "" if said.anonymous else said.nearest.meta.get("url", "")),
    Column("share", "share", lambda said: said.one.share),
    Column("share_of_nearest", "share", lambda said: said.one.of_other),
    Column("further", "data", lambda said: [
        {"name": said.called(link.source), "kind": link.kind, "share": round(link.share, 4)}
        for link in said.one.further
    ]),
    Column("others", "count", lambda said: said.one.others),
    Column("earlier", "data", lambda said: said.one.earlier),
    Column("date_claimed", "data", lambda said: said.one.claimed),
    Column("sentence", "text", lambda said:
           answer_sentence(said.traced, said.one, said.t, anonymous=said.anonymous)),
)  # fmt: skip
#: of the JSON, the columns of each table
REPOST_TABLES: Mapping[str, Columns] = {
    "answers": tuple(one for one in ANSWERS if one.name != "further"),
    "groups": GROUPS,
    "edges": EDGES,
    "shares": SHARES,
    "versions": VERSIONS,
}


def answer_sentence(
    traced: Traced,
    one: LikelySource,
    t: Translate,
    *,
    anonymous: bool = False,
    mark: Callable[[str], str] = str,
) -> str:
    """Return in a sentence what a text in question is nearest to, with its further sources.

    Parameters
    ----------
    mark
        Makes what a text is called ready for where the sentence is shown.
    """
    write = Notation("", t)

    def named(row: int) -> dict[str, str]:
        document = traced.result.documents[row]
        title = _number(row, t) if anonymous else title_of(head_of(document)) or document.name
        moment = moment_of(document)
        return {"title": mark(title), "date": moment.shown if moment else t("reposts.no_date")}

    document = traced.result.documents[one.row]
    this = t("reposts.answer.this")
    if traced.asked > 1:
        this = mark(_number(one.row, t) if anonymous else document.name)
    share = write.percent(one.share)
    parts = [t(f"reposts.answer.{one.kind}", name=this, share=share, **named(one.other))]
    for link in one.further:
        kind = "maybe" if link.kind == "translation" else "further"
        of = write.percent(link.share)
        parts.append(t(f"reposts.answer.{kind}", share=of, **named(link.source)))
    moment = moment_of(document)
    if one.claimed and moment is not None:
        parts.append(t("reposts.answer.claimed", date=moment.shown))
    return "".join(f"{part} " if part.endswith(".") else part for part in parts).strip()


def verdict(group: Group, t: Translate, called: Callable[[int], str]) -> str:
    """Return in a sentence what both witnesses say of who was first."""
    dates, words, first = group.dates.first, group.words.first, group.first
    of_dates = "" if dates is None else called(dates)
    of_words = "" if words is None else called(words)
    undated = len(group.versions) - len(group.dates.order)
    if len(group.versions) == 1:
        translated = all(link.kind == "translation" for link in group.further)
        return t(f"reposts.says.{'translation' if translated else 'lone'}")
    if group.conflict:
        kind = "conflict" if dates is not None else "conflict_tied"
        day = _day(group, group.check)
        return t(f"reposts.says.{kind}", dates=of_dates, words=of_words, date=day)
    if first is None:
        claim = is_claimed(group, dates) and not undated
        kind = "nothing" if dates is None else "claimed" if claim else "open"
        return t(f"reposts.says.{kind}", dates=of_dates, n=undated, date=_day(group, dates))
    if dates == words:
        return t("reposts.says.agree", name=of_dates)
    if first == dates:
        return t("reposts.says.dates", name=of_dates)
    kind = "words" if dates is None else "words_undated"
    return t(f"reposts.says.{kind}", name=of_words, dates=of_dates)


def is_claimed(group: Group, row: int | None) -> bool:
    """Return whether a version is the earliest by a date that the text in question alone gives."""
    moments = (one.moment for one in group.versions if one.row == row == group.dates.first)
    return any(moment is not None and moment.claimed for moment in moments)


def _day(group: Group, row: int | None) -> str:
    moments = (one.moment for one in group.versions if one.row == row)
    return next((moment.shown for moment in moments if moment is not None), "")


def find_arrival(document: Document) -> str:
    """Return the day on which the library received a text, UTC; "" where it did not."""
    added = document.meta.get(ADDED_KEY)
    return f"{datetime.fromtimestamp(float(added), UTC):%Y-%m-%d}" if added else ""


def changes_of(version: Version, t: Translate, *, hidden: bool = False) -> list[str]:
    """Return what a version changed against the first one, in words; `hidden` leaves out names."""
    made = version.changes
    if made is None:
        return [t(f"reposts.change.{'first' if version.link is None else 'through'}")]
    if made.unchanged:
        return [t("reposts.change.none")]
    heads = (("headline", made.headline), ("writer", made.writer), ("source", made.source))
    parts = [
        t(f"reposts.change.{kind}_{named.what}" + ("_hidden" if hidden else ""),
          before=named.before, after=named.after)
        for kind, named in heads
        if named.what != "same"
    ]  # fmt: skip
    removed = (len(made.removed), made.removed_words)
    if made.excerpt is not None:  # what it leaves out was not removed
        parts.append(t("reposts.change.excerpt"))
        removed = (0, 0)
    counts = (
        ("removed", *removed),
        ("added", len(made.added), made.added_words),
        ("reworded", len(made.reworded), 0),
    )
    parts += [t(f"reposts.change.{kind}", n=n, words=words) for kind, n, words in counts if n]
    return [*parts, *([t("reposts.change.order")] if made.reordered else [])]


def _place(order: Sequence[int], row: int) -> int | None:
    return order.index(row) + 1 if row in order else None
