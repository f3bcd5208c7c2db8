"""`leitong reposts`: which version was first, who took it from whom; and a folder to watch."""

from __future__ import annotations

import argparse
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.table import Table
from rich.text import Text

from ..cli.against import choose_beside, open_libraries
from ..cli.inputs import Given, list_given, read_all, sources_of
from ..cli.options.commands import AGAINST, JSON, LISTED, OUTPUT, PATH
from ..cli.options.table import Command, Option
from ..cli.output import (
    fit_name,
    output_console,
    progress,
    remark,
    write_bytes,
    write_json,
    write_text,
)
from ..cli.reports import format_of
from ..errors import BadInput
from ..i18n import Translate
from ..library import Reading, details_of
from ..library.tables import detail_of
from ..library.updates import changed_files
from ..model import Document, Progress, Skipped
from ..notation import UNKNOWN, Notation
from ..report.csv import MARK, marked_lines, safe_row
from ..signs import make_printable
from ..storage import Beside
from .dates import moment_of, read_date
from .groups import Group
from .reading import head_of, title_of
from .report import (
    answer_sentence,
    is_claimed,
    list_texts,
    repost_data,
    verdict,
    version_rows,
    write_reposts,
)
from .tracing import REPOST_SETTINGS, Traced, likely_sources, trace, trace_library
from .witnesses import MEASURED

FORMATS = ("table", "json", "csv", "xlsx")
COMMAND = Command(
    __name__,
    (
        *(PATH, *LISTED, AGAINST._replace(key="cli.reposts_against")),
        Option("--metadata", "cli.reposts_metadata", "FILE"),
        Option("--format", "cli.reposts_format", choices=FORMATS),
        *(JSON, OUTPUT._replace(key="cli.output_check")),
        Option("--fail-on-found", "cli.fail_on_found", flag=True),
        Option("--watch", "cli.reposts_watch", flag=True),
    ),
)
DONE, FINDINGS, SKIPPED = 0, 1, 3

Tracer = Callable[[Sequence[Document], Progress | None], Traced]


def reposts(options: argparse.Namespace, t: Translate) -> int:
    """`leitong reposts PATH...`"""
    if options.watch:
        return _watch(options, t)
    form = "json" if options.json else options.format or format_of(options.output)
    if form not in FORMATS:
        formats = ", ".join(FORMATS[1:])
        raise BadInput("report_ending", name=Path(options.output).name, formats=formats)
    documents, skipped = _read(list_given(options), options, t)
    tracer, unread = _tracer(options, t)
    with progress(t, options) as step:
        traced = tracer(documents, step)
    _write(traced, form, (*skipped, *unread), options, t)
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
        counts = {"n": n, "total": len(documents), "name": fit_name(name)}
        remark(t("cli.reposts_joined", **counts), options)
        dates = {detail_of(one, details).get("date", "") for one in documents}
        for date in sorted(date for date in dates if date and read_date(date) is None):
            remark(t("reposts.not_a_date", date=make_printable(date)), options)
    return Reading(details=details).named(documents), skipped


def _tracer(options: argparse.Namespace, t: Translate) -> tuple[Tracer, list[Skipped]]:
    """Return what looks for texts where `--against` says, by default among each other."""
    beside = choose_beside(options.against, Beside())
    if not beside.libraries:
        others, unread = _read(sources_of(options.against, options), options, t)
        return (lambda asked, step: trace(asked, others, progress=step)), unread

    def in_library(asked: Sequence[Document], step: Progress | None) -> Traced:
        with open_libraries(beside, REPOST_SETTINGS, t, quiet=options.quiet) as scope:
            assert scope is not None  # there are libraries
            return trace_library(asked, scope, progress=step)

    return in_library, []


# --------------------------------------------------------------------------- the answer
def _write(
    traced: Traced, form: str, skipped: Sequence[Skipped], options: argparse.Namespace, t: Translate
) -> None:
    if form == "json":
        write_json(repost_data(traced, t=t, skipped=skipped), options.output)
    elif form == "csv":
        rows = version_rows(traced, t=t)  # under the keys of the JSON
        lines = marked_lines(map(safe_row, (*rows[:1], *(row.values() for row in rows))))
        lines = lines.removeprefix("" if options.output else MARK).rstrip("\r\n")
        write_text(lines, options.output)
    elif form == "xlsx":
        write_bytes(write_reposts(traced, "xlsx", t), options.output)
    else:
        _print(traced, t, options)


def _print(traced: Traced, t: Translate, options: argparse.Namespace) -> None:
    """Write what each text in question is nearest to, and a sentence and a table a group."""
    console = output_console()
    answers = likely_sources(traced)
    for one in answers:
        console.print(Text(answer_sentence(traced, one, t, mark=fit_name)))
    rest = traced.asked - len(answers) if answers else 0
    if rest:
        console.print(t("reposts.answer.rest", n=rest))
    if not traced.groups and not answers:
        console.print(t("reposts.none", n=traced.compared or traced.asked))
    if answers:
        console.print()
    documents, rows = traced.result.documents, version_rows(traced, t=t)
    for number, group in enumerate(traced.groups, 1):
        console.print(Text(verdict(group, t, lambda row: fit_name(documents[row].name))))
        if _words_count(group):
            console.print(Text(t(f"reposts.level.{group.words.level}.lead")))
        console.print(_table([row for row in rows if row["group"] == number], group, t))
        console.print()
    if traced.folded:
        console.print(t("reposts.folded", n=traced.folded))
    if any(_words_count(group) for group in traced.groups):
        rates = {
            level: t("reposts.rate", right=one.right, n=one.groups)
            for level, one in MEASURED.items()
        }
        console.print(t("reposts.rates", **rates))
    if traced.result.meanings is None:
        remark(t("reposts.no_translations"), options)


def _words_count(group: Group) -> bool:
    """Return whether the order rests on the words: the dates do not already say."""
    return len(group.versions) > 1 and (group.first is None or group.first != group.dates.first)


def _table(rows: Sequence[Mapping[str, object]], group: Group, t: Translate) -> Table:
    """Return the versions of a group; further sources stand before the version that has them."""
    shown = Table(box=None, pad_edge=False)
    for column in ("name", "date", "date_from", "received", "source", "share"):
        shown.add_column(t(f"reposts.table.{column}"), overflow="fold")
    checked = [version.row == group.check for version, _ in list_texts(group)]
    linked = {link.source: link for link in group.further}
    write = Notation("", t)
    for row, (version, role), doubtful in zip(rows, list_texts(group), checked, strict=True):
        share, date = row["share"], str(row["date"])
        source = str(row["source"])
        if role != "version":
            link = linked[version.row]
            share, source = link.share, t(f"reposts.role.{role}")
        from_ = t(f"reposts.date_from.{row['date_from']}") if row["date_from"] else ""
        key = "doubtful" if doubtful else "claimed" if is_claimed(group, version.row) else ""
        cells = (
            row["name"],
            t(f"reposts.{key}", date=date) if key else date,
            *(from_, row["received"], source),
            UNKNOWN if share is None else write.percent(float(str(share))),
        )
        shown.add_row(*(Text(make_printable(str(cell))) for cell in cells))
    return shown


# --------------------------------------------------------------------------- a watched folder
@dataclass(frozen=True, slots=True)
class Find:
    """A new text and the text that it is nearest to.

    `kind` is that of the `LikelySource`; what shares only common text is not told. `share` is that
    of the words of the new text which the other has too, 0..1. `earlier` says
    whether the other is likely the earlier one, None where dates and words disagree or say
    nothing.
    """

    at: datetime
    document: Document
    other: Document
    share: float
    others: int  # further texts that share enough
    earlier: bool | None
    kind: str = "shared"


def finds(
    batches: Iterable[Sequence[Path]],
    *,
    read: Callable[[Sequence[Path]], Sequence[Document]],
    trace: Callable[[Sequence[Document]], Traced],
    now: Callable[[], datetime],
) -> Iterator[Find]:
    """Yield what is found of every batch of new texts, a text once however often it comes.

    Parameters
    ----------
    batches
        Files or folders that were added or changed (`library.updates.changed_files`).
    read
        Returns the texts of a batch.
    trace
        Looks for them.
    now
        The clock.

    Notes
    -----
    A file that is written again with the same text is not told again; with another text it is.
    """
    reported: set[tuple[str, str]] = set()
    for batch in batches:
        documents = [one for one in read(batch) if (one.id, one.name) not in reported]
        reported |= {(one.id, one.name) for one in documents}
        if documents:
            traced, at = trace(documents), now()
            for one in likely_sources(traced):
                if one.kind != "common":
                    both = traced.result.documents[one.row], traced.result.documents[one.other]
                    yield Find(at, *both, one.share, one.others, one.earlier, one.kind)


def _watch(options: argparse.Namespace, t: Translate) -> int:
    """Write a line for each new text that stands elsewhere already, until Ctrl-C.

    Raises
    ------
    BadInput
        `watch_folder`: no single folder; `watch_against`: nothing to look for its texts in.
    """
    if len(options.paths) != 1 or not Path(options.paths[0]).is_dir():
        raise BadInput("watch_folder")
    if not options.against:
        raise BadInput("watch_against")
    folder, stop = Path(options.paths[0]), threading.Event()
    tracer, _ = _tracer(options, t)
    alerts = finds(
        changed_files(folder, stop=stop),
        read=lambda paths: read_arrived(paths, options, t),
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


def read_arrived(
    paths: Sequence[Path], options: argparse.Namespace, t: Translate
) -> list[Document]:
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


def alert(one: Find, options: argparse.Namespace, t: Translate) -> str:
    """Return the line of a find: a sentence, or JSON with stable keys."""
    at = f"{one.at:%Y-%m-%dT%H:%M:%SZ}"
    if options.json:
        moment = moment_of(one.other)
        row = {
            "at": at,
            "name": one.document.name,
            "source": one.other.name,
            "kind": one.kind,
            "title": title_of(head_of(one.other)),
            "date": moment.shown if moment else "",
            "url": one.other.meta.get("url", ""),
            "share": round(one.share, 4),
            "earlier": one.earlier,
            "others": one.others,
        }
        return json.dumps(row, ensure_ascii=False)
    order = {True: "earlier", False: "later", None: "open"}[one.earlier]
    told = "translation" if one.kind == "translation" else order
    return t(
        f"reposts.alert.{told}",
        at=at,
        name=fit_name(one.document.name),
        other=fit_name(one.other.name),
        share=Notation.of(options.language).percent(one.share),
    )
