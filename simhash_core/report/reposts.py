"""What the repost desk found as tables: for spreadsheets, and as data.

With a conflict of dates and words no version is called first: both orders stand side by side.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from .. import schemas
from ..i18n import Translate
from ..model import Document, Skipped
from ..notation import Notation
from ..reposts import (
    MEASURED,
    Group,
    Head,
    LikelySource,
    Traced,
    Version,
    head_of,
    likely_sources,
    moment_of,
)
from ..storage.library import ADDED_KEY, COLLECTION_KEY
from .csv import MARK, safe_row
from .tables import Cell

#: format -> what it is
REPOST_FORMATS = {
    "csv": "text/csv",
    "json": "application/json",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
#: columns of a version; a spreadsheet adds its `changes` in words and `why_first`
VERSION_COLUMNS = {
    "group": "count",
    "place": "count",
    "role": "text",
    "name": "text",
    "title": "text",
    "author": "text",
    "date": "text",
    "date_from": "text",
    "date_claimed": "text",
    "received": "text",
    "url": "text",
    "collection": "text",
    "asked": "text",
    "words": "count",
    "source": "text",
    "share": "share",
    "further": "text",
    "certain": "text",
    "of_first": "share",
    "of_it": "share",
    "compared_with": "text",
    "excerpt": "text",
    "added": "count",
    "removed": "count",
    "reworded": "count",
    "by_dates": "count",
    "by_words": "count",
    "conflict": "text",
}
COLUMNS = {**VERSION_COLUMNS, "changes": "long", "why_first": "text"}
_NAMED = frozenset(("title", "author", "url"))


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
    heads = [t(f"reposts.table.{column}") for column in COLUMNS]
    rows = _sheet(traced, t, anonymous=anonymous)
    if name == "xlsx":
        from .xlsx import write_table

        return write_table(t("reposts.title"), heads, tuple(COLUMNS.values()), rows)
    buffer = io.StringIO(newline="")
    buffer.write(MARK)
    writer = csv.writer(buffer)
    writer.writerow(heads)
    writer.writerows(map(safe_row, rows))
    return buffer.getvalue().encode("utf-8", "replace")


def _sheet(traced: Traced, t: Translate, *, anonymous: bool) -> list[list[Cell]]:
    """Return the rows of a spreadsheet: those of the JSON in words, and what each changed."""
    versions = [(group, one) for group in traced.groups for one, _ in texts_of(group)]
    rows = []
    for record, (group, version) in zip(
        version_rows(traced, t=t, anonymous=anonymous), versions, strict=True
    ):
        source = record["date_from"]
        cells = {column: _in_words(value, t) for column, value in record.items()}
        cells["date_from"] = t(f"reposts.date_from.{source}") if source else ""
        cells["role"] = t(f"reposts.role.{record['role']}")
        cells["changes"] = t("reposts.change.join").join(changes_of(version, t, hidden=anonymous))
        first = version.row == group.first
        cells["why_first"] = ", ".join(one.code for one in group.reasons) if first else ""
        rows.append([cells[column] for column in COLUMNS])
    return rows


def _in_words(value: Cell | bool, t: Translate) -> Cell:
    return t(f"reposts.table.{'yes' if value else 'no'}") if isinstance(value, bool) else value


def repost_data(
    traced: Traced, *, t: Translate, skipped: Sequence[Skipped] = (), anonymous: bool = False
) -> dict[str, Any]:
    """Return what was found: schema `schemas.REPOSTS`.

    `answers` (of each text in question the nearest), `groups`, `edges` (who is likely from whom),
    `shares` (of every two versions), `versions`, and what was `skipped`; documents are named as in
    `versions`.
    """
    called = _called(traced, t, anonymous=anonymous)
    numbered = list(enumerate(traced.groups, 1))
    unread = enumerate(skipped, len(traced.result.documents))
    return {
        "schema": schemas.REPOSTS,
        "version": traced.result.version,
        "asked": traced.asked,
        "compared": traced.compared,
        "folded": traced.folded,
        "translations": traced.result.translations is not None,
        "answers": [
            answer_record(traced, one, t, anonymous=anonymous) for one in likely_sources(traced)
        ],
        "groups": [group_record(at, group, called) for at, group in numbered],
        "edges": [edge for at, group in numbered for edge in edge_records(at, group, called)],
        "shares": [share for at, group in numbered for share in share_records(at, group, called)],
        "versions": version_rows(traced, t=t, anonymous=anonymous),
        "skipped": [
            {"name": _number(at, t) if anonymous else row.name, "code": row.code}
            for at, row in unread
        ],
    }


def group_record(number: int, group: Group, called: Callable[[int], str]) -> dict[str, Any]:
    """Return both orders of a group, and what they are worth; `first` is "" where it is open."""
    measured = MEASURED[group.words.level]
    return {
        "group": number,
        "versions": len(group.versions),
        "first": "" if group.first is None else called(group.first),
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
        "why_first": [] if group.first is None else [clue.code for clue in group.reasons],
    }


def edge_records(number: int, group: Group, called: Callable[[int], str]) -> list[dict[str, Any]]:
    """Return the links of a group: from the likely source to the version."""
    return [
        {
            "group": number,
            "source": called(link.source),
            "version": called(link.version),
            "kind": link.kind,
            "share": round(float(link.share), 4),
            "certain": link.certain,
            "reasons": [clue.code for clue in link.reasons],
        }
        for link in (*group.links, *group.further)
    ]


def share_records(number: int, group: Group, called: Callable[[int], str]) -> list[dict[str, Any]]:
    """Return how much every two versions of a group share."""
    return [
        {
            "group": number,
            "a": called(one.a),
            "b": called(one.b),
            "share_of_a": round(one.of_a, 4),
            "share_of_b": round(one.of_b, 4),
        }
        for one in group.shares
    ]


def _called(traced: Traced, t: Translate, *, anonymous: bool) -> Callable[[int], str]:
    if anonymous:
        return lambda row: _number(row, t)
    return lambda row: traced.result.documents[row].name


def _number(row: int, t: Translate) -> str:
    return t("frame.text_number", number=f"{row + 1:02d}")


def texts_of(group: Group) -> list[tuple[Version, str]]:
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


def version_rows(
    traced: Traced, *, t: Translate, anonymous: bool = False
) -> list[dict[str, Cell | bool]]:
    """Return one row a version under the keys of `VERSION_COLUMNS`, values untranslated."""
    called = _called(traced, t, anonymous=anonymous)
    rows = []
    for number, group in enumerate(traced.groups, 1):
        for place, (version, role) in enumerate(texts_of(group), 1):
            record = _record(traced, group, version, called)
            hidden = dict.fromkeys(_NAMED, "") if anonymous else {}
            record |= {"group": number, "place": place, "role": role, **hidden}
            rows.append({key: record[key] for key in VERSION_COLUMNS})
    return rows


def _record(
    traced: Traced, group: Group, version: Version, called: Callable[[int], str]
) -> dict[str, Cell | bool]:
    document = traced.result.documents[version.row]
    head, link, made, meta = version.head, version.link, version.changes, document.meta
    excerpt = made is not None and made.excerpt is not None
    removed = made is not None and not excerpt
    shares = version.row in group.rows and version.row != group.original
    certain = version.row in group.rows and group.certain
    return {
        "name": called(version.row),
        "title": title_of(head),
        "author": meta.get("author", "") or (head.writer.text if head.writer else ""),
        "date": version.moment.shown if version.moment else "",
        "date_from": date_from(group, version),
        "date_claimed": version.moment is not None and version.moment.claimed,
        "received": received_on(document),
        "url": meta.get("url", ""),
        "collection": meta.get(COLLECTION_KEY, ""),
        "asked": version.row < traced.asked,
        "words": version.words,
        "source": called(link.source) if link else "",
        "share": round(link.share, 4) if link else None,
        "further": "; ".join(
            f"{called(one.source)} {one.share:.0%}" for one in group.further_of(version.row)
        ),
        "certain": certain if link is None else link.certain,
        "of_first": round(version.of_first, 4) if shares else None,
        "of_it": round(version.from_first, 4) if shares else None,
        "compared_with": "" if version.compared is None else called(version.compared),
        "excerpt": excerpt,
        "added": len(made.added) if made else None,
        "removed": len(made.removed) if made and removed else None,
        "reworded": len(made.reworded) if made else None,
        "by_dates": _place(group.dates.order, version.row),
        "by_words": _place(group.words.order, version.row),
        "conflict": group.conflict,
    }


def date_from(group: Group, version: Version) -> str:
    """Return where the date of a version is from; `asked` of one without, that came in last."""
    if version.moment is not None:
        return version.moment.source
    return "asked" if version.row in group.dates.order else ""


# --------------------------------------------------------------------------- a text in question
def answer_record(
    traced: Traced, one: LikelySource, t: Translate, *, anonymous: bool = False
) -> dict[str, Any]:
    """Return what a text in question is nearest to, as data and in a sentence."""
    called = _called(traced, t, anonymous=anonymous)
    document = traced.result.documents[one.other]
    moment = moment_of(document)
    return {
        "asked": called(one.row),
        "kind": one.kind,
        "nearest": called(one.other),
        "title": "" if anonymous else title_of(head_of(document)),
        "date": moment.shown if moment else "",
        "url": "" if anonymous else document.meta.get("url", ""),
        "share": round(one.share, 4),
        "share_of_nearest": round(one.of_other, 4),
        "further": [
            {"name": called(link.source), "kind": link.kind, "share": round(link.share, 4)}
            for link in one.further
        ],
        "others": one.others,
        "earlier": one.earlier,
        "date_claimed": one.claimed,
        "sentence": answer_sentence(traced, one, t, anonymous=anonymous),
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


def title_of(head: Head) -> str:
    """Return the headline of a text, as it is written or in its details, "" where there is none."""
    return head.title.text if head.title else head.title_given


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


def received_on(document: Document) -> str:
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
