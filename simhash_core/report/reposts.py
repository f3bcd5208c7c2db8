"""The hits of the repost desk as a table: for spreadsheets, and as data."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from json import dumps

from ..i18n import Translate
from ..reposts import Group, Version
from ..reposts.tracing import Traced
from .csv import MARK, safe_cell
from .tables import Cell

SCHEMA = "leitong.reposts/1"
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
        data = {
            "schema": SCHEMA,
            "version": traced.result.version,
            "compared": traced.compared,
            "versions": [dict(zip(COLUMNS, row, strict=True)) for row in rows],
        }
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

    def called(row: int) -> str:
        if anonymous:
            return t("frame.text_number", number=f"{row + 1:02d}")
        return traced.result.documents[row].name

    cells: dict[str, Cell] = {
        "group": number,
        "place": place + 1,
        "name": called(version.row),
        "title": head.title.text if head.title else head.title_given,
        "author": meta.get("author", ""),
        "writer": head.writer.text if head.writer else "",
        "date": version.moment.shown if version.moment else "",
        "date_from": version.moment.source if version.moment else "",
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
    }
    return ["" if anonymous and column in _NAMED else cells[column] for column in COLUMNS]
