"""What the repost desk found as tables: for spreadsheets, and as data.

With a conflict of dates and words no version is called first: both orders stand side by side.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from json import dumps
from typing import Any

from ..i18n import Translate
from ..model import Document
from ..reposts import MEASURED, Group, Traced, Version
from ..storage.library import ADDED_KEY, COLLECTION_KEY
from .csv import MARK, safe_cell
from .tables import Cell

SCHEMA = "leitong.reposts/2"
#: format -> what it is
REPOST_FORMATS = {
    "csv": "text/csv",
    "json": "application/json",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
COLUMNS = {
    "group": "count",
    "place": "count",
    "name": "text",
    "title": "text",
    "author": "text",
    "writer": "text",
    "date": "text",
    "date_from": "text",
    "received": "text",
    "url": "text",
    "collection": "text",
    "asked": "text",
    "words": "count",
    "source": "text",
    "share": "share",
    "certain": "text",
    "of_first": "share",
    "of_it": "share",
    "added": "count",
    "removed": "count",
    "reworded": "count",
    "changes": "long",
    "why_first": "text",
    "by_dates": "count",
    "by_words": "count",
    "conflict": "text",
}
_NAMED = frozenset(("title", "author", "writer", "url"))

Changed = Callable[[Version], str]


def write_reposts(
    traced: Traced, name: str, t: Translate, *, changed: Changed, anonymous: bool = False
) -> bytes:
    """Return every version of every group as a file of one of `REPOST_FORMATS`.

    Parameters
    ----------
    changed
        Says in words what a version changed.
    anonymous
        Numbers instead of names; headlines, writers and addresses are left out.
    """
    rows = [
        _row(traced, at, group, place, changed, anonymous=anonymous, t=t)
        for at, group in enumerate(traced.groups, 1)
        for place in range(len(group.versions))
    ]
    if name == "json":
        versions = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
        data = {**repost_data(traced, anonymous=anonymous, t=t), "versions": versions}
        return dumps(data, ensure_ascii=False, indent=1).encode("utf-8", "replace")
    heads = [t(f"reposts.table.{column}") for column in COLUMNS]
    if name == "xlsx":
        from .xlsx import write_table

        return write_table(t("reposts.title"), heads, tuple(COLUMNS.values()), rows)
    buffer = io.StringIO(newline="")
    buffer.write(MARK)
    writer = csv.writer(buffer)
    writer.writerow(heads)
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    return buffer.getvalue().encode("utf-8", "replace")


def repost_data(traced: Traced, *, t: Translate, anonymous: bool = False) -> dict[str, Any]:
    """Return what was found but for the rows of versions: schema `leitong.reposts/2`.

    `groups`, `edges` (who is likely from whom) and `shares` (of every two versions); documents
    are named as in `versions`.
    """
    called = _called(traced, t, anonymous=anonymous)
    numbered = list(enumerate(traced.groups, 1))
    return {
        "schema": SCHEMA,
        "version": traced.result.version,
        "asked": traced.asked,
        "compared": traced.compared,
        "groups": [group_record(at, group, called) for at, group in numbered],
        "edges": [edge for at, group in numbered for edge in edge_records(at, group, called)],
        "shares": [share for at, group in numbered for share in _shares(traced, at, group, called)],
    }


def group_record(number: int, group: Group, called: Callable[[int], str]) -> dict[str, Any]:
    """Return both orders of a group, and what they are worth; `first` is "" where they disagree."""
    measured = MEASURED[group.words.level]
    return {
        "group": number,
        "versions": len(group.versions),
        "first": "" if group.conflict else called(group.original),
        "certain": group.certain,
        "order_by_dates": [called(row) for row in group.dates.order],
        "order_by_words": [called(row) for row in group.words.order],
        "conflict": group.conflict,
        "check_date_of": called(group.check) if group.check is not None else "",
        "dates_level": group.dates.level,
        "words_level": group.words.level,
        "words_likelihood": round(group.words.likelihood, 3),
        "measured_right": measured.right,
        "measured_groups": measured.groups,
        "why_first": [clue.code for clue in group.reasons],
    }


def edge_records(number: int, group: Group, called: Callable[[int], str]) -> list[dict[str, Any]]:
    """Return the links of a group: from the likely source to the version."""
    kinds = (("source", group.links), ("further", group.further))
    return [
        {
            "group": number,
            "source": called(link.source),
            "version": called(link.version),
            "kind": kind,
            "share": round(float(link.share), 4),
            "certain": link.certain,
            "reasons": [clue.code for clue in link.reasons],
        }
        for kind, links in kinds
        for link in links
    ]


def share_records(traced: Traced, t: Translate) -> list[dict[str, Any]]:
    """Return how much every two versions of each group share."""
    called = _called(traced, t, anonymous=False)
    numbered = enumerate(traced.groups, 1)
    return [row for at, group in numbered for row in _shares(traced, at, group, called)]


def _shares(
    traced: Traced, number: int, group: Group, called: Callable[[int], str]
) -> list[dict[str, Any]]:
    table, inside = traced.result.table, set(group.rows)
    rows = zip(
        *(table.pairs.left.tolist(), table.pairs.right.tolist()),
        *(table.coverage_a.tolist(), table.coverage_b.tolist()),
        strict=True,
    )
    return [
        {
            "group": number,
            "a": called(a),
            "b": called(b),
            "share_of_a": round(of_a, 4) if of_a == of_a else None,
            "share_of_b": round(of_b, 4) if of_b == of_b else None,
        }
        for a, b, of_a, of_b in rows
        if a in inside and b in inside
    ]


def _called(traced: Traced, t: Translate, *, anonymous: bool) -> Callable[[int], str]:
    if anonymous:
        return lambda row: t("frame.text_number", number=f"{row + 1:02d}")
    return lambda row: traced.result.documents[row].name


def version_rows(traced: Traced) -> list[dict[str, Cell | bool]]:
    """Return one row a version under stable keys, values untranslated."""
    rows = []
    for number, group in enumerate(traced.groups, 1):
        for place, version in enumerate(group.versions):
            rows.append(_record(traced, number, place, group, version))
    return rows


def _record(
    traced: Traced, number: int, place: int, group: Group, version: Version
) -> dict[str, Cell | bool]:
    documents = traced.result.documents
    document, head, link, made = documents[version.row], version.head, version.link, version.changes
    meta = document.meta
    return {
        "group": number,
        "place": place + 1,
        "name": document.name,
        "title": head.title.text if head.title else head.title_given,
        "author": meta.get("author", "") or (head.writer.text if head.writer else ""),
        "date": version.moment.shown if version.moment else "",
        "date_from": version.moment.source if version.moment else "",
        "received": received_on(document),
        "url": meta.get("url", ""),
        "collection": meta.get(COLLECTION_KEY, ""),
        "asked": version.row < traced.asked,
        "words": version.words,
        "source": documents[link.source].name if link else "",
        "share": round(float(link.share), 4) if link else None,
        "certain": group.certain if link is None else link.certain,
        "of_first": round(float(version.of_first), 4) if place else None,
        "added": len(made.added) if made else None,
        "removed": len(made.removed) if made else None,
        "reworded": len(made.reworded) if made else None,
        "by_dates": _place(group.dates.order, version.row),
        "by_words": _place(group.words.order, version.row),
        "conflict": group.conflict,
    }


def verdict(group: Group, t: Translate, called: Callable[[int], str]) -> str:
    """Return in a sentence what both witnesses say of who was first."""
    dates, words = group.dates.first, group.words.first
    if group.conflict and dates is not None and words is not None:
        names = {"dates": called(dates), "words": called(words)}
        return t("reposts.says.conflict", **names, date=_day(group, group.check))
    if dates is not None and dates == words:
        return t("reposts.says.agree", name=called(dates))
    if dates is not None:
        return t("reposts.says.dates", name=called(dates))
    if words is not None:
        return t("reposts.says.words", name=called(words))
    return t("reposts.says.nothing")


def _day(group: Group, row: int | None) -> str:
    moments = (one.moment for one in group.versions if one.row == row)
    return next((moment.shown for moment in moments if moment is not None), "")


def received_on(document: Document) -> str:
    """Return the day on which the library received a text, UTC; "" where it did not."""
    added = document.meta.get(ADDED_KEY)
    return f"{datetime.fromtimestamp(float(added), UTC):%Y-%m-%d}" if added else ""


def _row(
    traced: Traced,
    number: int,
    group: Group,
    place: int,
    changed: Changed,
    *,
    anonymous: bool,
    t: Translate,
) -> list[Cell]:
    version = group.versions[place]
    document = traced.result.documents[version.row]
    meta, head, made, link = document.meta, version.head, version.changes, version.link
    called = _called(traced, t, anonymous=anonymous)

    cells: dict[str, Cell] = {
        "group": number,
        "place": place + 1,
        "name": called(version.row),
        "title": head.title.text if head.title else head.title_given,
        "author": meta.get("author", ""),
        "writer": head.writer.text if head.writer else "",
        "date": version.moment.shown if version.moment else "",
        "date_from": version.moment.source if version.moment else "",
        "received": received_on(document),
        "url": meta.get("url", ""),
        "collection": meta.get("archive_collection", ""),
        "asked": t("reposts.table.yes") if version.row < traced.asked else "",
        "words": version.words,
        "source": called(link.source) if link else "",
        "share": round(link.share, 4) if link else None,
        "certain": t(f"reposts.table.{'yes' if link.certain else 'no'}") if link else "",
        "of_first": round(version.of_first, 4) if place else None,
        "of_it": round(version.from_first, 4) if place else None,
        "added": len(made.added) if made else None,
        "removed": len(made.removed) if made else None,
        "reworded": len(made.reworded) if made else None,
        "changes": changed(version),
        "why_first": ", ".join(clue.code for clue in group.reasons) if place == 0 else "",
        "by_dates": _place(group.dates.order, version.row),
        "by_words": _place(group.words.order, version.row),
        "conflict": t(f"reposts.table.{'yes' if group.conflict else 'no'}"),
    }
    return ["" if anonymous and column in _NAMED else cells[column] for column in COLUMNS]


def _place(order: Sequence[int], row: int) -> int | None:
    return order.index(row) + 1 if row in order else None
