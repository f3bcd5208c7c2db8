"""Results and reports as files: which format, and what writes it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import BadInput
from ..i18n import Translate
from ..people.roster import Member
from ..report.csv import MARK, pairs_csv
from ..report.formats import FORMATS, write_report
from ..report.json import to_json
from ..result import CheckResult
from ..seen.exclusion_view import ExclusionView
from ..seen.exclusions import RULES_KEY, Exclusions
from ..seen.stored import ResultChanges, kept_listed_cases, seen_by
from ..signs import make_printable
from ..storage import Project
from .output import progress, write_bytes, write_text
from .projects import find_project, say_damage

if TYPE_CHECKING:
    from ..people.masking import Place
    from ..report.anonymous import Replacement
    from ..report.content import Course

#: what `check` writes beside the table; every format of a report is one of them
CHECK_FORMATS = tuple(sorted({"json", "csv", *FORMATS}))
#: those that are a report of the class, which can leave out names
REPORTS = frozenset(FORMATS) - {"json", "csv"}


def write_check(
    result: CheckResult,
    options: argparse.Namespace,
    t: Translate,
    *,
    view: ExclusionView | None,
    listed: Sequence[Member],
    missing: Sequence[Member],
    changes: ResultChanges | None,
    project: Project | None,
) -> None:
    """Write a result in the format that was named, else in that of the file's ending."""
    chosen = options.format or format_of(options.output)
    cases = kept_listed_cases(project, result, view.before if view else result)
    if chosen == "json":
        data = to_json(result, t, exclusions=view, missing=missing, changes=changes, cases=cases)
        write_text(data, options.output)
    elif chosen == "csv":
        table = pairs_csv(result, _machine, cases=cases)
        write_text(table if options.output else table.removeprefix(MARK), options.output)
    elif chosen in FORMATS:
        from ..report import Wanted, report_of

        now = datetime.now().astimezone()
        wanted = Wanted(
            kind="class",
            made=now,
            checked=now,
            title=options.title,
            anonymous=options.anonymous,
            members=tuple(listed),
            exclusions=view,
            passages=cases.passages,
        )
        with progress(t, options) as step:
            report = report_of(result, wanted, t, progress=step)
        write_bytes(write_report(report, chosen, options.language), options.output)
    else:
        from .terminal import print_result

        shown = print_result(
            *(result, t, options.language), to_file=bool(options.output), cases=cases
        )
        if options.output:
            write_text(shown, options.output)


def _machine(key: str, /, **params: object) -> str:
    """Return the words of a table that programs read: those of the JSON."""
    return key.rpartition(".")[2].removeprefix("csv_").removeprefix("evidence_")


def require_report(options: argparse.Namespace) -> None:
    """Refuse to write names where a report without them was asked for.

    Raises
    ------
    BadInput
        `anonymous_format`: only a report can leave out names.
    """
    if options.anonymous and (options.format or format_of(options.output)) not in REPORTS:
        raise BadInput("anonymous_format", names=", ".join(sorted(REPORTS)))


def report(options: argparse.Namespace, t: Translate) -> int:
    """`leitong report PROJECT`: a stored check with its decisions, as a file."""
    from ..report import Wanted, replacements, report_of

    chosen = options.format or format_of(options.output)
    project = find_project(options.project)
    result = project.result()
    if result is None:
        raise BadInput("unchecked", name=make_printable(options.project))
    view = seen_by(result, Exclusions.from_data(project.get(RULES_KEY, {})), project)
    shown = view.result if view else result
    stored = Wanted.of_project(project, result, view, kind=options.kind)
    wanted = replace(
        stored,
        rows=_rows(shown, options),
        title=options.title or stored.title,
        course=_course(options, stored.course),
        anonymous=options.anonymous or options.preview,
    )
    say_damage(project, options, t)
    project.close()
    if wanted.anonymous:
        listed = replacements(shown, wanted, t)
        wanted = replace(wanted, overruled=_overruled(listed, options))
        if options.preview:
            _preview(listed, wanted.overruled, options, t)
            return 0
        _say_doubtful(listed, wanted.overruled, t)
    with progress(t, options) as step:
        made = report_of(shown, wanted, t, progress=step)
    name = chosen if chosen in FORMATS else "html"
    write_bytes(write_report(made, name, options.language), options.output)
    return 0


def _course(options: argparse.Namespace, stored: Course) -> Course:
    """Return class, task and teacher as they are given, else as the project keeps them."""
    given = {spec.name: getattr(options, spec.name) for spec in fields(stored)}
    return replace(stored, **{name: value for name, value in given.items() if value is not None})


def _overruled(listed: Sequence[Replacement], options: argparse.Namespace) -> frozenset[Place]:
    """Return the places at which the numbers of the preview ask for the opposite."""
    wrong = [n for n in (*options.keep, *options.replace) if not 1 <= n <= len(listed)]
    if wrong:
        raise BadInput("preview_numbers", numbers=", ".join(map(str, wrong)), n=len(listed))
    asked = dict.fromkeys(options.keep, False) | dict.fromkeys(options.replace, True)
    return frozenset(
        listed[n - 1].place for n, wish in asked.items() if listed[n - 1].replaced != wish
    )


def _preview(
    listed: Sequence[Replacement],
    overruled: frozenset[Place],
    options: argparse.Namespace,
    t: Translate,
) -> None:
    """Write every place with what stands there and what the report shows instead."""
    lines = [t("cli.preview_files")]
    for n, one in enumerate(listed, 1):
        replaced = one.replaced != (one.place in overruled)
        lines.append(
            t(
                f"cli.preview_{'replaced' if replaced else 'left'}",
                number=f"{n:4d}",
                text=one.called or t(f"report.replaced.{one.source}"),
                line=one.line,
                at=one.place[1],
                before=f"{one.left}[{one.before}]{one.right}",
                after=one.after,
            )
        )
    n = sum(one.replaced != (one.place in overruled) for one in listed)
    lines.append(t("cli.preview_total", n=n, doubtful=len(listed) - n))
    write_text("\n".join(map(make_printable, lines)), options.output)


def _say_doubtful(listed: Sequence[Replacement], overruled: frozenset[Place], t: Translate) -> None:
    """Say how many places may name somebody and are left as they are."""
    doubtful = sum(not one.sure and one.replaced == (one.place in overruled) for one in listed)
    if doubtful:
        print(t("cli.preview_doubtful", n=doubtful), file=sys.stderr)


def _rows(result: CheckResult, options: argparse.Namespace) -> tuple[int, ...]:
    """Return the rows of the named texts; one text of a cluster stands for all of it."""
    rows = tuple(_row(result, name) for name in options.text)
    if options.kind == "cluster" and len(rows) == 1:
        for cluster in result.clusters:
            if rows[0] in cluster.members:
                return tuple(int(row) for row in cluster.members)
    return rows


def _row(result: CheckResult, name: str) -> int:
    """Return the one text that is called so: its whole name, its number, or a part of its name."""
    names = [document.name for document in result.documents]
    if name in names:
        return names.index(name)
    if name.isdecimal() and 1 <= int(name) <= len(names):
        return int(name) - 1
    fitting = [row for row, other in enumerate(names) if name.casefold() in other.casefold()]
    if len(fitting) != 1:
        raise BadInput("which_text", name=make_printable(name), n=len(fitting))
    return fitting[0]


def format_of(output: str | None) -> str:
    """Return the format that the ending of a file asks for, "table" for any other."""
    ending = Path(output or "").suffix.lower().removeprefix(".")
    return ending if ending in CHECK_FORMATS else "table"
