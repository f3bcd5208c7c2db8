"""`leitong web`: rare sentences to a search service of the user's choice, after they were seen."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from rich.table import Table
from rich.text import Text

from ..checking.pipeline import run_check
from ..checking.scope import TextScope
from ..cli.inputs import list_given, read_all
from ..cli.libraries import open_library, open_own_library
from ..cli.options.commands import JSON, LIBRARY, LISTED, PATH
from ..cli.options.table import Command, Option
from ..cli.options.values import whole
from ..cli.output import fit_name, output_console, progress, remark, say_skipped, write_json
from ..errors import BadInput
from ..i18n import Translate
from ..library import import_documents
from ..model import Skipped
from ..notation import Notation
from ..report import page_moment
from ..result import CheckResult
from ..settings import Settings
from ..signs import make_printable
from ..storage import find_owner_key, owner_key, web_folder
from .report import web_data, web_findings
from .search import (
    DELAY,
    MOST_SENTENCES,
    Searched,
    forget_service,
    require_web,
    search_web,
    service_of,
    set_service,
)
from .sent import SentLog
from .sentences import EACH, Sentence, rarest_sentences

DONE, SKIPPED = 0, 3
_YES = frozenset(("y", "yes", "是", "发出", "發出"))

COMMAND = Command(
    __name__,
    (),
    {
        "search": (
            *(PATH, *LISTED),
            Option("--service", "cli.web_address", "ADDRESS", default=""),
            Option("--dry-run", "cli.web_dry_run", flag=True),
            Option("--yes", "cli.web_yes", flag=True),
            Option("--each", "cli.web_each", "N", whole(1)),
            Option("--without -x", "cli.web_without", "N", whole(1), repeated=True),
            Option("--delay", "cli.web_delay", "S", whole(0)),
            Option("--collection", "cli.web_collection", "COLLECTION"),
            *(LIBRARY, JSON),
        ),
        "service": (
            Option("address", "cli.web_set", "ADDRESS", nargs="?"),
            Option("--off", "cli.web_off", flag=True),
        ),
        "log": (Option("--delete", "cli.web_delete", flag=True), JSON),
    },
)


def web(options: argparse.Namespace, t: Translate) -> int:
    """`leitong web ACTION`"""
    return {"search": _search, "service": _service, "log": _log}[options.action](options, t)


# --------------------------------------------------------------------------- the search


def _search(options: argparse.Namespace, t: Translate) -> int:
    """Propose sentences, show them, send those that are left, check against what comes back."""
    service = options.service or service_of(web_folder(find_owner_key()))
    if not options.dry_run:
        service = require_web(service)
    documents, unread = read_all(list_given(options), Settings(), options, t)
    own = options.library is None
    dry = own and options.dry_run
    with open_own_library() if dry else open_library(options.library, create=own) as library:
        frozen = library.statistics
        proposed = rarest_sentences(
            documents,
            each=options.each or EACH,
            most=MOST_SENTENCES,
            statistics=frozen.stats if frozen else None,
        )
        if not proposed:
            raise BadInput("web_none")
        sentences = _keep_sentences(proposed, options.without)
        if options.dry_run or not _agreed(proposed, sentences, service, options, t):
            _show_dry(proposed, service, options, t)
            return SKIPPED if unread else DONE
        with progress(t, options) as step:
            searched = search_web(
                sentences,
                service=service,
                folder=web_folder(owner_key()),
                delay=DELAY if options.delay is None else float(options.delay),
                progress=step,
            )
            today = datetime.now().astimezone()
            name = t("cli.web_collection_name", date=f"{today:%Y-%m-%d}")
            collection = options.collection or name
            if searched.pages:
                import_documents(library, collection, searched.pages, progress=step)
            result = None
            if searched.pages:
                scope = TextScope(references=searched.pages, inside=False)
                result = run_check(documents, scope, settings=Settings(), progress=step)
    collection_used = collection if searched.pages else ""
    _write(sentences, searched, result, service, collection_used, options, t)
    return SKIPPED if unread or searched.failures else DONE


def _keep_sentences(proposed: Sequence[Sentence], struck: Sequence[int]) -> list[Sentence]:
    """Return the sentences that are not struck out, by the numbers that they are shown with.

    Raises
    ------
    BadInput
        `web_number`; `web_none` where none is left.
    """
    beyond = [number for number in struck if number > len(proposed)]
    if beyond:
        raise BadInput("web_number", number=beyond[0], n=len(proposed))
    left = [one for number, one in enumerate(proposed, start=1) if number not in struck]
    if not left:
        raise BadInput("web_none")
    return left


def _agreed(
    proposed: Sequence[Sentence],
    sentences: Sequence[Sentence],
    service: str,
    options: argparse.Namespace,
    t: Translate,
) -> bool:
    """Whether the sentences may be sent: by --yes, or by somebody who has just read them.

    Raises
    ------
    BadInput
        `web_unseen` where nobody can be asked.
    """
    if options.yes:
        return True
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise BadInput("web_unseen")
    for number, one in enumerate(proposed, start=1):
        mark = " " if one in sentences else "-"
        print(f"{mark}{number:4}  {make_printable(one.words)}", file=sys.stderr)
    print(
        t("cli.web_ask", n=len(sentences), service=make_printable(service)),
        end=" ",
        file=sys.stderr,
    )
    sys.stderr.flush()
    if sys.stdin.readline().strip().casefold() in _YES:
        return True
    remark(t("cli.web_nothing_sent"), options)
    return False


# --------------------------------------------------------------------------- what is shown


def _show_dry(
    proposed: Sequence[Sentence], service: str, options: argparse.Namespace, t: Translate
) -> None:
    """List what would be sent; nothing was."""
    if options.json:
        write_json(web_data(proposed, service=service))
        return
    shown = Table(box=None, pad_edge=False)
    for column in ("number", "text", "words"):
        shown.add_column(t(f"cli.web_column.{column}"), overflow="fold")
    for number, one in enumerate(proposed, start=1):
        struck = "strike" if number in options.without else ""
        words = Text(make_printable(one.words), style=struck)
        shown.add_row(f"{'-' if struck else ''}{number}", Text(fit_name(one.name)), words)
    output_console().print(shown)
    remark(t("cli.web_nothing_sent"), options)


def _write(
    sentences: Sequence[Sentence],
    searched: Searched,
    result: CheckResult | None,
    service: str,
    collection: str,
    options: argparse.Namespace,
    t: Translate,
) -> None:
    """Write what was sent, what came back, and what the texts share with it."""
    if options.json:
        write_json(
            web_data(
                sentences, service=service, searched=searched, result=result, collection=collection
            )
        )
        return
    _say(searched, service, t)
    findings = [] if result is None else web_findings(result)
    console, write = output_console(), Notation.of(options.language)
    if not findings:
        console.print(t("cli.web_found_none", n=len(searched.pages)))
        console.print(t("cli.web_means"))
    else:
        read = {one.meta["url"]: page_moment(one) for one in searched.pages}
        pages = {url: f"{at:%Y-%m-%d %H:%M}" if at else "" for url, at in read.items()}
        shown = Table(box=None, pad_edge=False)
        for column in ("text", "share", "longest", "page", "as_of"):
            shown.add_column(t(f"cli.web_column.{column}"), overflow="fold")
        for row in findings:
            shown.add_row(
                Text(fit_name(row["text"])),
                write.percent(row["share"]),
                str(row["longest"]),
                Text(make_printable(f"{row['title']} {row['url']}".strip())),
                pages[row["url"]],
            )
        console.print(shown)
    if collection:
        remark(t("cli.web_kept", name=make_printable(collection)), options)


def _say(searched: Searched, service: str, t: Translate) -> None:
    """Say on standard error what was sent, and what could not be read."""
    sent = t("cli.web_sent", n=len(searched.asked), service=make_printable(service))
    print(sent, file=sys.stderr)
    failures = [
        Skipped(make_printable(one.name), one.code, one.params) for one in searched.failures
    ]
    say_skipped([*failures, *searched.skipped], t)
    if searched.unsent:
        print(t("cli.web_unsent", n=searched.unsent), file=sys.stderr)


# --------------------------------------------------------------------------- service and log


def _service(options: argparse.Namespace, t: Translate) -> int:
    """Show, enter or forget the address; without one nothing is ever sent."""
    folder = web_folder(find_owner_key())
    if options.off:
        forget_service(folder)
    elif options.address is not None:
        set_service(folder, options.address)
    held = service_of(folder)
    output_console().print(make_printable(held) if held else t("cli.web_is_off"), soft_wrap=True)
    return DONE


def _log(options: argparse.Namespace, t: Translate) -> int:
    """Show what left this machine, or delete the list."""
    log = SentLog(web_folder(find_owner_key()))
    if options.delete:
        remark(t("cli.web_deleted", n=log.delete()), options)
        return DONE
    entries = log.entries()
    if options.json:
        write_json([asdict(entry) for entry in entries])
        return DONE
    if not entries:
        output_console().print(t("cli.web_log_empty"))
    for entry in entries:
        kind = t(f"cli.web_kind.{entry.kind}")
        line = "  ".join((entry.at, kind, make_printable(entry.to), make_printable(entry.what)))
        output_console().print(Text(line), soft_wrap=True)
    return DONE
