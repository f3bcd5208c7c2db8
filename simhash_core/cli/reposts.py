"""`leitong reposts`: which version was first, who took it from whom; and a folder to watch."""

from __future__ import annotations

import argparse
import csv
import io
import json
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from rich.table import Table
from rich.text import Text

from ..errors import BadInput
from ..i18n import Translate
from ..library import Reading, check_against, details_of
from ..library.tables import detail_of
from ..library.watching import changed_files
from ..model import Document, Progress, Skipped
from ..notation import UNKNOWN, Notation
from ..report import write_reposts
from ..report.csv import MARK, safe_cell
from ..report.reposts import repost_data, title_of, verdict, version_rows
from ..reposts import (
    MEASURED,
    REPOST_SETTINGS,
    Group,
    Traced,
    head_of,
    moment_of,
    read_date,
    trace,
    trace_hits,
)
from ..reposts.alerts import Find, finds
from ..storage import Beside
from .against import asked_beside, library_scope
from .inputs import Given, named, read_all, sources_of
from .output import output_console, printable, progress, remark, shown_name, write_bytes, write_text

DONE, FINDINGS, SKIPPED = 0, 1, 3

Tracer = Callable[[Sequence[Document], Progress | None], Traced]


def reposts(options: argparse.Namespace, t: Translate) -> int:
    """`leitong reposts PATH...`"""
    if options.watch:
        return _watch(options, t)
    documents, skipped = _read(named(options), options, t)
    tracer, unread = _tracer(options, t)
    with progress(t, options) as step:
        traced = tracer(documents, step)
    _write(traced, (*skipped, *unread), options, t)
    if options.fail_on_found and traced.groups:
        return FINDINGS
    return SKIPPED if skipped or unread else DONE


def _read(
    given: Sequence[Given], options: argparse.Namespace, t: Translate
) -> tuple[list[Document], list[Skipped]]:
    """Read texts, of web pages the articles, with what the table of --metadata says of them."""
    documents, skipped = read_all(given, REPOST_SETTINGS, options, t, main_text=True)
    if not options.metadata:
        return Reading().named(documents), skipped
    details = details_of(Path(options.metadata))
    n, name = sum(bool(detail_of(one, details)) for one in documents), Path(options.metadata).name
    if documents:
        counts = {"n": n, "total": len(documents), "name": shown_name(name)}
        remark(t("cli.reposts_joined", **counts), options)
        dates = {detail_of(one, details).get("date", "") for one in documents}
        for date in sorted(date for date in dates if date and read_date(date) is None):
            remark(t("reposts.not_a_date", date=printable(date)), options)
    return Reading(details=details).named(documents), skipped


def _tracer(options: argparse.Namespace, t: Translate) -> tuple[Tracer, list[Skipped]]:
    """Return what looks for texts where `--against` says, by default among each other."""
    library = library_scope(asked_beside(options, Beside()))
    if library is None:
        others, unread = _read(sources_of(options.against, options), options, t)
        return (lambda asked, step: trace(asked, others, progress=step)), unread

    def in_library(asked: Sequence[Document], step: Progress | None) -> Traced:
        with library.opened(REPOST_SETTINGS, t) as scope:
            first = check_against(
                asked,
                scope.library,
                collections=scope.collections,
                further=scope.further,
                settings=REPOST_SETTINGS,
                progress=step,
            )
            n = sum(one.texts() for one in (scope, *scope.further))
            return trace_hits(first, compared=n, progress=step)

    return in_library, []


# --------------------------------------------------------------------------- the answer
def _write(
    traced: Traced, skipped: Sequence[Skipped], options: argparse.Namespace, t: Translate
) -> None:
    form = "json" if options.json else options.format
    if form == "json":
        data = repost_data(traced, t=t, skipped=skipped)
        write_text(json.dumps(data, ensure_ascii=False, indent=1), options.output)
    elif form == "csv":
        write_text(_csv(traced, t, marked=bool(options.output)), options.output)
    elif form == "xlsx":
        write_bytes(write_reposts(traced, "xlsx", t), options.output)
    else:
        _print(traced, t, options)


def _csv(traced: Traced, t: Translate, *, marked: bool) -> str:
    """Return one row a version under the keys of the JSON; a file begins with a byte order mark."""
    rows = version_rows(traced, t=t)
    buffer = io.StringIO(newline="")
    buffer.write(MARK if marked else "")
    writer = csv.writer(buffer)
    if rows:
        writer.writerow(rows[0])
    writer.writerows([safe_cell(cell) for cell in row.values()] for row in rows)
    return buffer.getvalue().rstrip("\r\n")


def _print(traced: Traced, t: Translate, options: argparse.Namespace) -> None:
    """Write a sentence and a table for every group."""
    console = output_console()
    write = Notation.of(options.language)
    if not traced.groups:
        console.print(t("reposts.none", n=traced.compared or traced.asked))
    documents, rows = traced.result.documents, version_rows(traced, t=t)
    for number, group in enumerate(traced.groups, 1):
        console.print(Text(verdict(group, t, lambda row: shown_name(documents[row].name))))
        console.print(Text(_level(group, t)))
        shown = Table(box=None, pad_edge=False)
        for column in ("name", "date", "date_from", "received", "source", "share"):
            shown.add_column(t(f"reposts.table.{column}"), overflow="fold")
        of_group = [row for row in rows if row["group"] == number]
        for row, version in zip(of_group, group.versions, strict=True):
            share, date = row["share"], str(row["date"])
            from_ = t(f"reposts.date_from.{row['date_from']}") if row["date_from"] else ""
            cells = (
                row["name"],
                t("reposts.doubtful", date=date) if version.row == group.check else date,
                *(from_, row["received"], row["source"]),
                UNKNOWN if share is None else write.percent(float(str(share))),
            )
            shown.add_row(*(Text(printable(str(cell))) for cell in cells))
        console.print(shown)
        console.print()
    if traced.folded:
        console.print(t("reposts.folded", n=traced.folded))


def _level(group: Group, t: Translate) -> str:
    """Return how far the words are to be trusted, with the measured rate."""
    level, measured = group.words.level, MEASURED[group.words.level]
    lead, right = t(f"reposts.level.{level}.lead"), measured.right
    rate = t(f"reposts.level.{level}.rate", right=right, n=measured.groups)
    return f"{lead} {rate}" if lead.isascii() else lead + rate


# --------------------------------------------------------------------------- a watched folder
def _watch(options: argparse.Namespace, t: Translate) -> int:
    """Write a line for each new text that stands elsewhere already, until Ctrl-C."""
    folder, stop = _folder(options), threading.Event()
    tracer, _ = _tracer(options, t)
    alerts = finds(
        changed_files(folder, stop=stop),
        read=lambda paths: arrived(paths, options, t),
        trace=lambda asked: tracer(asked, None),
        now=lambda: datetime.now(UTC),
    )
    try:
        for one in alerts:
            write_text(alert(one, options, t), None)
    except KeyboardInterrupt:  # the usual end
        stop.set()
        remark(t("cli.library_watched"), options)
    return DONE


def arrived(paths: Sequence[Path], options: argparse.Namespace, t: Translate) -> list[Document]:
    """Read what lies in a watched folder or was put there: no text where it is gone again."""
    while present := [str(path) for path in paths if path.exists()]:
        try:
            return _read(present, options, t)[0]
        except FileNotFoundError:  # a program that saves makes files for a moment
            continue
        except BadInput as error:
            if error.code != "no_texts":  # the folder is empty as yet
                raise
            break
    return []


def _folder(options: argparse.Namespace) -> Path:
    """Return the folder to watch.

    Raises
    ------
    BadInput
        `watch_folder`: no single folder; `watch_against`: nothing to look for its texts in.
    """
    if len(options.paths) != 1 or not Path(options.paths[0]).is_dir():
        raise BadInput("watch_folder")
    if not options.against:
        raise BadInput("watch_against")
    return Path(options.paths[0])


def alert(one: Find, options: argparse.Namespace, t: Translate) -> str:
    """Return the line of a find: a sentence, or JSON with stable keys."""
    at = f"{one.at:%Y-%m-%dT%H:%M:%SZ}"
    if options.json:
        moment = moment_of(one.other)
        row = {
            "at": at,
            "name": one.document.name,
            "source": one.other.name,
            "title": title_of(head_of(one.other)),
            "date": moment.shown if moment else "",
            "url": one.other.meta.get("url", ""),
            "share": round(one.share, 4),
            "earlier": one.earlier,
            "others": one.others,
        }
        return json.dumps(row, ensure_ascii=False)
    order = {True: "earlier", False: "later", None: "open"}[one.earlier]
    return t(
        f"reposts.alert.{order}",
        at=at,
        name=shown_name(one.document.name),
        other=shown_name(one.other.name),
        share=Notation.of(options.language).percent(one.share),
    )
